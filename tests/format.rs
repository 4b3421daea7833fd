//! Format specs against Python's (made by `oracle/format.py`).

use num_complex::Complex64;
use serde_json::Value;
use tsk::text::{FormatValue, format_value};

fn number(v: &Value) -> f64 {
    v.as_str().unwrap().parse().unwrap()
}

#[test]
fn formats_as_python() {
    let mut wrong = Vec::new();
    for line in include_str!("oracle/format.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let value = match &row[0] {
            Value::Bool(b) => FormatValue::Bool(*b),
            Value::Number(n) => FormatValue::Int(n.as_i64().unwrap()),
            Value::String(s) => FormatValue::Str(s),
            v if v.get("float").is_some() => FormatValue::Float(number(&v["float"])),
            v => FormatValue::Complex(Complex64::new(number(&v["complex"][0]), number(&v["complex"][1]))),
        };
        let got = format_value(value, row[1].as_str().unwrap()).ok();
        if got.as_deref() != row[2].as_str() {
            wrong.push(format!("{line}\n    {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}
