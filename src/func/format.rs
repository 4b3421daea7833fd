//! Format specs of f-strings and `format`.

use super::{Cx, convert};
use crate::base::{Diag, Span, a as article};
use crate::text::{FormatValue, format_value};
use crate::value::Value;

/// `format(value, spec)`; a tensor must have one element.
pub fn value(cx: &mut Cx, value: &Value, spec: &str, span: Span) -> Result<String, Diag> {
    if spec.is_empty() {
        return cx.text(value);
    }
    let plain = match value {
        Value::Tensor(t) if t.size() == 1 => convert::plain(convert::element(cx, t, span)?),
        Value::Tensor(t) => {
            return Err(Diag::new("E0507", format!("a format needs one element, this has {}", t.size()))
                .label(span, t.describe()));
        }
        other => other.clone(),
    };
    apply(&plain, spec).map_err(|d| d.label(span, value.describe()))
}

fn apply(value: &Value, spec: &str) -> Result<String, Diag> {
    let value = match value {
        Value::Bool(b) => FormatValue::Bool(*b),
        Value::Int(i) => FormatValue::Int(*i),
        Value::BigInt(u) => FormatValue::UInt(*u),
        Value::Float(x) => FormatValue::Float(*x),
        Value::Complex(z) => FormatValue::Complex(*z),
        Value::Str(s) => FormatValue::Str(s),
        other => {
            return Err(Diag::new("E0507", format!("the format {spec:?} does not fit {}", article(other.describe()))));
        }
    };
    format_value(value, spec)
}
