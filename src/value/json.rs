//! Values as one JSON object a line, for programs.

use super::Value;
use super::show::tag;
use crate::plan::Tensor;
use crate::tensor::{DType, HostArray, Scalar};
use crate::text::float_text_as;
use std::fmt::Write;

const MAX_NESTING: usize = 100;

/// `{"value": …}`, `{"scalar": …}`, `{"list": …}` or `{"record": …}`; every tensor inside is computed.
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Tensor(t) => {
            out.push_str("{\"value\": ");
            tensor(t, &mut out);
            out.push('}');
        }
        Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
            out.push_str("{\"list\": ");
            bare(value, &mut out, 0);
            out.push('}');
        }
        Value::Record(_) => bare(value, &mut out, 0),
        _ => {
            out.push_str("{\"scalar\": ");
            bare(value, &mut out, 0);
            out.push('}');
        }
    }
    out
}

/// An element of a list or record.
fn bare(value: &Value, out: &mut String, depth: usize) {
    if depth > MAX_NESTING {
        out.push_str("\"...\"");
        return;
    }
    match value {
        Value::None => out.push_str("null"),
        Value::Bool(b) => drop(write!(out, "{b}")),
        Value::Int(i) => drop(write!(out, "{i}")),
        Value::BigInt(u) => drop(write!(out, "{u}")),
        Value::Float(x) => number(*x, DType::F64, out),
        Value::Complex(z) => element(Scalar::Complex(*z), DType::C128, out),
        Value::Str(s) => string(s, out),
        Value::DType(d) => string(d.name(), out),
        Value::Tensor(t) => tensor(t, out),
        Value::List(list) => items(&list.to_vec(), out, depth),
        Value::Tuple(list) => items(list, out, depth),
        Value::Range(r) => {
            out.push('[');
            for (i, n) in r.iter().enumerate() {
                let _ = write!(out, "{}{n}", if i > 0 { ", " } else { "" });
            }
            out.push(']');
        }
        Value::Record(record) => {
            out.push_str("{\"record\": {");
            for (i, (name, value)) in record.fields.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                string(name.as_str(), out);
                out.push_str(": ");
                bare(value, out, depth + 1);
            }
            out.push_str("}}");
        }
        other => string(&tag(other), out),
    }
}

fn items(list: &[Value], out: &mut String, depth: usize) {
    out.push('[');
    for (i, item) in list.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        bare(item, out, depth + 1);
    }
    out.push(']');
}

fn tensor(t: &Tensor, out: &mut String) {
    let _ = write!(out, "{{\"dtype\": \"{}\", \"shape\": {:?}, \"data\": [", t.dtype(), t.shape());
    if let Some(array) = t.array() {
        data(&array, out);
    }
    let layout = &t.view.layout;
    let _ = write!(
        out,
        "], \"strides\": {:?}, \"offset\": {}, \"view\": {}}}",
        layout.strides.as_slice(),
        layout.offset,
        t.shares_a_base()
    );
}

fn data(array: &HostArray, out: &mut String) {
    let (dtype, bytes) = (array.view.dtype, array.buffer.bytes());
    for (i, offset) in array.view.layout.offsets().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        let value = Scalar::read(dtype, &bytes[offset as usize * dtype.size()..]);
        element(if array.view.conj { conjugated(value) } else { value }, dtype, out);
    }
}

fn conjugated(value: Scalar) -> Scalar {
    match value {
        Scalar::Complex(z) => Scalar::Complex(z.conj()),
        other => other,
    }
}

fn element(value: Scalar, dtype: DType, out: &mut String) {
    match value {
        Scalar::Bool(b) => drop(write!(out, "{b}")),
        Scalar::Int(i) => drop(write!(out, "{i}")),
        Scalar::UInt(u) => drop(write!(out, "{u}")),
        Scalar::Float(x) => number(x, dtype, out),
        Scalar::Complex(z) => {
            out.push('[');
            number(z.re, dtype.real(), out);
            out.push_str(", ");
            number(z.im, dtype.real(), out);
            out.push(']');
        }
    }
}

fn number(x: f64, dtype: DType, out: &mut String) {
    if x.is_finite() {
        out.push_str(&float_text_as(x, dtype));
    } else {
        out.push_str(if x.is_nan() {
            "\"nan\""
        } else if x > 0.0 {
            "\"inf\""
        } else {
            "\"-inf\""
        });
    }
}

/// A JSON string.
pub fn string(s: &str, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_objects() {
        let list = Value::list(vec![
            Value::Int(1),
            Value::Float(f64::NAN),
            Value::str("a\"b"),
            Value::tuple(vec![Value::None]),
            Value::Complex(num_complex::Complex64::new(1.0, f64::INFINITY)),
        ]);
        assert_eq!(json(&list), r#"{"list": [1, "nan", "a\"b", [null], [1.0, "inf"]]}"#);
        assert_eq!(json(&Value::Float(5.0)), r#"{"scalar": 5.0}"#);
        assert_eq!(json(&Value::DType(DType::F16)), r#"{"scalar": "f16"}"#);
    }
}
