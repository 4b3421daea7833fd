//! Methods of strings against Python's (made by `oracle/strings.py`).

use serde_json::{Value, json};
use tsk::text::{STR_METHODS, StrArg, StrResult, str_method};

fn arg(v: &Value) -> StrArg<'_> {
    match v {
        Value::Null => StrArg::None,
        Value::Bool(b) => StrArg::Bool(*b),
        Value::Number(n) => StrArg::Int(n.as_i64().unwrap()),
        Value::String(s) => StrArg::Str(s),
        Value::Array(items) => StrArg::Strs(items.iter().map(|i| i.as_str().unwrap()).collect()),
        Value::Object(_) => unreachable!(),
    }
}

#[test]
fn methods_as_python() {
    let mut wrong = Vec::new();
    for line in include_str!("oracle/strings.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let args: Vec<StrArg> = row[2].as_array().unwrap().iter().map(arg).collect();
        let method = str_method(row[1].as_str().unwrap()).unwrap();
        let got = match method.call(row[0].as_str().unwrap(), &args, &[]) {
            Ok(StrResult::Bool(b)) => json!(b),
            Ok(StrResult::Int(i)) => json!(i),
            Ok(StrResult::Str(s)) => json!(s),
            Ok(StrResult::List(parts) | StrResult::Tuple(parts)) => json!(parts),
            Err(_) => Value::Null,
        };
        if got != row[3] {
            wrong.push(format!("{line}\n    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}

#[test]
fn arguments_are_bound_by_the_signature() {
    let split = str_method("split").unwrap();
    let by_name = split.call("a b c", &[], &[("maxsplit", StrArg::Int(1))]).unwrap();
    assert_eq!(by_name, StrResult::List(vec!["a".into(), "b c".into()]));
    let code = |args: &[StrArg], named: &[(&str, StrArg)]| split.call("a", args, named).unwrap_err().code;
    assert_eq!(code(&[StrArg::None, StrArg::Int(1), StrArg::Int(2)], &[]), "E0105");
    assert_eq!(code(&[], &[("limit", StrArg::Int(1))]), "E0106");
    assert_eq!(code(&[StrArg::None], &[("sep", StrArg::None)]), "E0107");
    assert_eq!(code(&[StrArg::Int(1)], &[]), "E0108");
    assert_eq!(code(&[StrArg::Str("")], &[]), "E0508");
    assert_eq!(str_method("replace").unwrap().call("a", &[], &[]).unwrap_err().code, "E0104");
    assert!(STR_METHODS.is_sorted_by_key(|m| m.name));
}

#[test]
fn results_have_a_limit() {
    let long = "a".repeat(1 << 20);
    let call = |name: &str, args: &[StrArg]| str_method(name).unwrap().call(&long, args, &[]).unwrap_err().code;
    assert_eq!(call("replace", &[StrArg::Str(""), StrArg::Str(&long)]), "E0702");
    assert_eq!(call("ljust", &[StrArg::Int(i64::MAX)]), "E0702");
    assert_eq!(call("join", &[StrArg::Strs(vec!["x"; 1000])]), "E0702");
    let tabs = "\t".repeat(100);
    let wide = str_method("expandtabs").unwrap().call(&tabs, &[StrArg::Int(i64::MAX)], &[]);
    assert_eq!(wide.unwrap_err().code, "E0702");
}
