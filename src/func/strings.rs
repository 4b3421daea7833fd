//! Methods of strings, in method form only.

use super::{Cx, Given};
use crate::base::Diag;
use crate::value::Value;

/// The method of a string; None where there is none of that name.
pub fn method(cx: &mut Cx, s: &str, name: &str, given: &Given) -> Option<Result<Value, Diag>> {
    let text = |i: usize| match given.args.get(i).map(|a| &a.value) {
        Some(Value::Str(t)) => Some(t.clone()),
        _ => None,
    };
    let wrong = |cx: &Cx| Err(Diag::new("E0108", format!("`{name}` does not take these arguments")).label(cx.span, ""));
    Some(Ok(match (name, given.args.len()) {
        ("upper", 0) => Value::str(s.to_uppercase()),
        ("lower", 0) => Value::str(s.to_lowercase()),
        ("strip", 0) => Value::str(s.trim()),
        ("lstrip", 0) => Value::str(s.trim_start()),
        ("rstrip", 0) => Value::str(s.trim_end()),
        ("startswith", 1) => match text(0) {
            Some(t) => Value::Bool(s.starts_with(&*t)),
            None => return Some(wrong(cx)),
        },
        ("endswith", 1) => match text(0) {
            Some(t) => Value::Bool(s.ends_with(&*t)),
            None => return Some(wrong(cx)),
        },
        ("split", 0) => Value::list(s.split_whitespace().map(Value::str).collect()),
        ("split", 1) => match text(0) {
            Some(t) if !t.is_empty() => Value::list(s.split(&*t).map(Value::str).collect()),
            _ => return Some(wrong(cx)),
        },
        ("replace", 2) => match (text(0), text(1)) {
            (Some(from), Some(to)) => Value::str(s.replace(&*from, &to)),
            _ => return Some(wrong(cx)),
        },
        ("join", 1) => {
            let span = given.args[0].span;
            let items = match cx.host.elements(&given.args[0].value, span) {
                Ok(items) => items,
                Err(d) => return Some(Err(d)),
            };
            let mut parts = Vec::with_capacity(items.len());
            for item in &items {
                match item {
                    Value::Str(t) => parts.push(t.to_string()),
                    _ => return Some(wrong(cx)),
                }
            }
            Value::str(parts.join(s))
        }
        _ => return None,
    }))
}
