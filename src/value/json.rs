//! Values as one JSON object a line, for programs.

use super::Value;
use super::show::tag;
use crate::plan::Tensor;
use crate::tensor::{DType, Scalar};
use crate::text::{ValueMeta, push_scalar, push_string, write_value};
use std::io::{self, Write};

/// Lists within lists deeper than this are cut: a list may contain itself.
const MAX_NESTING: usize = 100;

/// Writes `{"value": …}`, `{"scalar": …}`, `{"list": …}` or `{"record": …}`; every tensor inside is computed.
pub fn write_json(value: &Value, out: &mut impl Write) -> io::Result<()> {
    let kind = match value {
        Value::Tensor(_) => "value",
        Value::List(_) | Value::Tuple(_) | Value::Range(_) => "list",
        Value::Record(_) => return bare(value, out, 0),
        _ => "scalar",
    };
    write!(out, "{{\"{kind}\": ")?;
    bare(value, out, 0)?;
    out.write_all(b"}")
}

/// The same as a string.
pub fn json(value: &Value) -> String {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = write_json(value, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// An element of a list or record.
fn bare(value: &Value, out: &mut impl Write, depth: usize) -> io::Result<()> {
    if depth > MAX_NESTING {
        return out.write_all(b"\"...\"");
    }
    match value {
        Value::None => out.write_all(b"null"),
        Value::Bool(b) => scalar(Scalar::Bool(*b), DType::Bool, out),
        Value::Int(i) => scalar(Scalar::Int(*i), DType::I64, out),
        Value::BigInt(u) => scalar(Scalar::UInt(*u), DType::U64, out),
        Value::Float(x) => scalar(Scalar::Float(*x), DType::F64, out),
        Value::Complex(z) => scalar(Scalar::Complex(*z), DType::C128, out),
        Value::Str(s) => string(s, out),
        Value::DType(d) => string(d.name(), out),
        Value::Packed(f) => string(f.name(), out),
        Value::Tensor(t) => tensor(t, out),
        Value::List(list) => items(&list.to_vec(), out, depth),
        Value::Tuple(list) => items(list, out, depth),
        Value::Range(r) => {
            for (i, n) in r.iter().enumerate() {
                write!(out, "{}{n}", if i > 0 { ", " } else { "[" })?;
            }
            out.write_all(if r.is_empty() { b"[]" } else { b"]" })
        }
        Value::Record(record) => {
            out.write_all(b"{\"record\": {")?;
            for (i, (name, value)) in record.fields.iter().enumerate() {
                out.write_all(if i > 0 { b", " } else { b"" })?;
                string(name.as_str(), out)?;
                out.write_all(b": ")?;
                bare(value, out, depth + 1)?;
            }
            out.write_all(b"}}")
        }
        other => string(&tag(other), out),
    }
}

fn items(list: &[Value], out: &mut impl Write, depth: usize) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, item) in list.iter().enumerate() {
        out.write_all(if i > 0 { b", " } else { b"" })?;
        bare(item, out, depth + 1)?;
    }
    out.write_all(b"]")
}

fn tensor(t: &Tensor, out: &mut impl Write) -> io::Result<()> {
    let units = t.units();
    let encoding = t.encoding();
    let meta = ValueMeta { dtype: encoding.name(), layout: &units, view: t.shares_a_base() };
    match t.array() {
        Some(array) => write_value(out, &array, &meta),
        None => string(&t.describe(), out),
    }
}

fn scalar(value: Scalar, dtype: DType, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    push_scalar(&mut text, value, dtype);
    out.write_all(text.as_bytes())
}

fn string(s: &str, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    push_string(&mut text, s);
    out.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Range;

    #[test]
    fn values_become_objects() {
        let list = Value::list(vec![
            Value::Int(1),
            Value::Float(f64::NAN),
            Value::str("a\"b"),
            Value::tuple(vec![Value::None]),
            Value::Complex(num_complex::Complex64::new(1.0, f64::INFINITY)),
            Value::Range(Range { start: 0, stop: 0, step: 1 }),
        ]);
        assert_eq!(json(&list), r#"{"list": [1, "nan", "a\"b", [null], [1.0, "inf"], []]}"#);
        assert_eq!(json(&Value::Float(5.0)), r#"{"scalar": 5.0}"#);
        assert_eq!(json(&Value::DType(DType::F16)), r#"{"scalar": "f16"}"#);
    }
}
