//! A reader of the simplest lines of `cases.jsonl`: what loads, what is named, what is shown.

use super::*;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::time::{Duration, Instant};

enum Value {
    Archive(Archive),
    Meta(MetaValue),
    Tensor(Loaded, bool),
    Count(usize),
    Names(Vec<String>),
    Truth(bool),
}

/// What a line means here: a fault, a value, or nothing that this reader knows.
type Read = Result<Result<Value, Diag>, ()>;

#[derive(Default)]
struct Reader {
    names: HashMap<String, Value>,
}

/// `text` between `before` and `after`.
fn inside<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

fn unquoted(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

fn encoding(name: &str) -> Option<Encoding> {
    DType::from_name(name).map(Encoding::Plain).or(crate::tensor::PackedFormat::from_name(name).map(Encoding::Packed))
}

impl Reader {
    fn read(&self, text: &str) -> Read {
        let text = text.trim();
        if let Some(value) = self.names.get(text) {
            return Ok(Ok(value.copy()));
        }
        if let Some(rest) = inside(text, "load(", ")").filter(|t| !t.contains(")")) {
            let (path, delimiter) = match rest.split_once(", delimiter=") {
                Some((path, d)) => (path, unquoted(d).and_then(|d| d.chars().next())),
                None => (rest, None),
            };
            let options = OpenOptions { delimiter, ..OpenOptions::default() };
            return Ok(open(&fixture(&unquoted(path).ok_or(())?), &options).map(|opened| match opened {
                Opened::Tensor(loaded) => Value::Tensor(loaded, false),
                Opened::Archive(archive) => Value::Archive(archive),
            }));
        }
        if let Some(rest) = inside(text, "raw(", ")") {
            return raw(rest);
        }
        for (before, after) in [("unpack(", ")"), ("len(", ")"), ("list(", ".keys())"), ("sorted(", ".keys())")] {
            if let Some(rest) = inside(text, before, after).filter(|r| balanced(r)) {
                return call(before, self.read(rest)?);
            }
        }
        if let Some((name, of)) = text.split_once("\" in ") {
            let name = unquoted(&format!("{name}\"")).ok_or(())?;
            let Ok(Value::Archive(m)) = self.read(of)? else { return Err(()) };
            return Ok(Ok(Value::Truth(m.contains(&name))));
        }
        if let Some((of, key)) = text.strip_suffix("\"]").and_then(|t| t.rsplit_once("[\"")) {
            let key = unquoted(&format!("\"{key}\"")).ok_or(())?;
            return self.index(of, &key);
        }
        Err(())
    }

    fn index(&self, of: &str, key: &str) -> Read {
        let value = match self.read(of.strip_suffix(".meta").unwrap_or(of))? {
            Ok(value) => value,
            Err(diag) => return Ok(Err(diag)),
        };
        match value {
            Value::Archive(m) if of.ends_with(".meta") => {
                let value = m.meta().get(key).cloned().map(Value::Meta);
                Ok(value.ok_or_else(|| Diag::new("E0609", "no key")))
            }
            Value::Archive(m) if key.contains('*') => Ok(Ok(Value::Archive(m.select(key)))),
            Value::Archive(m) => Ok(m.get(key).map(|t| Value::Tensor(t, false))),
            _ => Err(()),
        }
    }
}

fn balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

fn call(name: &str, value: Result<Value, Diag>) -> Read {
    let value = match value {
        Ok(value) => value,
        Err(diag) => return Ok(Err(diag)),
    };
    match (name, value) {
        ("unpack(", Value::Tensor(t, _)) => Ok(Ok(Value::Tensor(t, true))),
        ("len(", Value::Archive(m)) => Ok(Ok(Value::Count(m.len()))),
        ("len(", Value::Meta(MetaValue::Array(a))) => Ok(Ok(Value::Count(a.len()))),
        ("list(", Value::Archive(m)) => Ok(Ok(Value::Names(m.names().map(str::to_owned).collect()))),
        ("sorted(", Value::Archive(m)) => {
            let mut names: Vec<String> = m.names().map(str::to_owned).collect();
            names.sort();
            Ok(Ok(Value::Names(names)))
        }
        _ => Err(()),
    }
}

/// `"path", dtype, (2, 3), offset=4`
fn raw(rest: &str) -> Read {
    let (path, rest) = rest.split_once(", ").ok_or(())?;
    let (dtype, rest) = rest.split_once(", (").ok_or(())?;
    let (shape, offset) = rest.split_once(')').ok_or(())?;
    let shape: Option<Vec<usize>> =
        shape.split(',').filter(|n| !n.trim().is_empty()).map(|n| n.trim().parse().ok()).collect();
    let offset = offset.strip_prefix(", offset=").map_or(Ok(0), |n| n.parse::<u64>().map_err(|_| ()))?;
    let path = fixture(&unquoted(path).ok_or(())?);
    let encoding = encoding(dtype).ok_or(())?;
    let loaded = read_raw(&path, encoding, &shape.ok_or(())?, offset, &OpenOptions::default());
    Ok(loaded.map(|t| Value::Tensor(t, false)))
}

impl Value {
    fn copy(&self) -> Value {
        match self {
            Value::Archive(m) => Value::Archive(m.clone()),
            Value::Meta(v) => Value::Meta(v.clone()),
            Value::Tensor(t, unpacked) => Value::Tensor(t.clone(), *unpacked),
            Value::Count(n) => Value::Count(*n),
            Value::Names(n) => Value::Names(n.clone()),
            Value::Truth(b) => Value::Truth(*b),
        }
    }

    /// Panics with the case's text where the value is not the expected one; false where it cannot tell.
    fn check(&self, expect: &Json, case: &str) -> bool {
        match self {
            Value::Tensor(t, unpacked) if expect.get("data").is_some() => {
                let name = if *unpacked { "f32" } else { t.encoding.name() };
                assert_eq!(expect["dtype"], name, "{case}");
                let shape: Vec<usize> = serde_json::from_value(expect["shape"].clone()).unwrap();
                assert_eq!(t.view.layout.shape[..], shape, "{case}");
                let (got, want) = (values(t), expect["data"].as_array().unwrap());
                assert_eq!(got.len(), want.len(), "{case}");
                for (i, (got, want)) in got.iter().zip(want).enumerate() {
                    assert!(same(t.view.dtype, *got, want), "{case}: element {i} is {got:?}, not {want}");
                }
                true
            }
            Value::Count(n) => expect["scalar"] == *n,
            Value::Truth(b) => expect["scalar"] == *b,
            Value::Names(names) => expect["list"] == Json::from(names.clone()),
            Value::Meta(MetaValue::Bool(b)) => expect["scalar"] == *b,
            Value::Meta(MetaValue::Int(n)) => expect["scalar"] == *n,
            Value::Meta(MetaValue::UInt(n)) => expect["scalar"] == *n,
            Value::Meta(MetaValue::Float(x)) => expect["scalar"].as_f64().is_some_and(|e| (e - x).abs() < 1e-9),
            Value::Meta(MetaValue::Str(s)) => expect["scalar"] == s.as_str(),
            _ => false,
        }
    }
}

/// Whether an element is the JSON value, after both are rounded to the dtype.
fn same(dtype: DType, got: Scalar, want: &Json) -> bool {
    let number = |j: &Json| match j {
        Json::String(s) => s.parse::<f64>().unwrap(),
        other => other.as_f64().unwrap(),
    };
    let want = match want {
        Json::Bool(b) => Scalar::Bool(*b),
        Json::Number(n) if dtype.is_int() && n.is_u64() => Scalar::UInt(n.as_u64().unwrap()),
        Json::Number(n) if dtype.is_int() => Scalar::Int(n.as_i64().unwrap()),
        Json::Array(parts) => Scalar::Complex(num_complex::Complex64::new(number(&parts[0]), number(&parts[1]))),
        other => Scalar::Float(number(other)),
    };
    let bytes = |s: Scalar| {
        let mut out = Vec::new();
        s.write(dtype, &mut out);
        out
    };
    let (a, b) = (bytes(got), bytes(want));
    a == b || (got.to_f64().is_nan() && want.to_f64().is_nan()) || (got.to_f64() == 0.0 && want.to_f64() == 0.0)
}

fn all() -> Vec<Json> {
    let text = std::fs::read_to_string(fixture("cases.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn good_files_hold_what_they_should() {
    let mut checked: HashMap<String, usize> = HashMap::new();
    for case in all() {
        let (id, src) = (case["id"].as_str().unwrap(), case["src"].as_str().unwrap());
        if !LEAST.iter().any(|(kind, _)| case["tags"][1] == *kind) || case["expect"].get("error").is_some() {
            continue;
        }
        let expects = case["expect"].as_array().cloned().unwrap_or_else(|| vec![case["expect"].clone()]);
        let mut expects = expects.into_iter();
        let mut reader = Reader::default();
        for line in src.lines() {
            let (name, text) = match line.split_once(" = ") {
                Some((name, text)) => (Some(name), text),
                None => (None, line),
            };
            let Ok(value) = reader.read(text) else { break };
            let value = value.unwrap_or_else(|diag| panic!("{id}: {line}: {diag:?}"));
            match name {
                Some(name) => {
                    reader.names.insert(name.to_owned(), value);
                }
                None => {
                    let expect = expects.next().unwrap();
                    if !value.check(&expect, &format!("{id}: {line}")) {
                        assert!(matches!(value, Value::Meta(_)), "{id}: {line}: expected {expect}");
                    }
                    *checked.entry(case["tags"][1].as_str().unwrap().to_owned()).or_default() += 1;
                }
            }
        }
    }
    for (kind, least) in LEAST {
        assert!(checked.get(kind).copied().unwrap_or(0) >= least, "{kind}: {checked:?}");
    }
}

/// How many values of each kind this reader must understand, so that it cannot fall asleep.
const LEAST: [(&str, usize); 7] =
    [("npy", 35), ("st", 45), ("npz", 20), ("csv", 15), ("png", 8), ("gguf", 45), ("raw", 15)];

#[test]
fn bad_files_are_refused_at_once() {
    let mut count = 0;
    for case in all() {
        let (id, src) = (case["id"].as_str().unwrap(), case["src"].as_str().unwrap());
        let bad = case["tags"].as_array().unwrap().iter().any(|t| *t == "hostile" || *t == "dtype");
        let Some(codes) = case["expect"]["error"].as_str().filter(|_| bad) else { continue };
        let text = src.strip_suffix(".sum()").or(src.strip_suffix(".shape")).unwrap_or(src);
        let start = Instant::now();
        let read = Reader::default().read(text);
        // 50 ms on an idle machine; the limit allows for a busy one.
        assert!(start.elapsed() < Duration::from_millis(500), "{id} took {:?}", start.elapsed());
        match read {
            Ok(Err(diag)) => assert!(codes.split('|').any(|c| diag.code.starts_with(c)), "{id}: {src}: {diag:?}"),
            Ok(Ok(_)) => panic!("{id}: {src} was read"),
            Err(()) => panic!("{id}: {src} is not understood"),
        }
        count += 1;
    }
    assert!(count > 200, "{count}");
}
