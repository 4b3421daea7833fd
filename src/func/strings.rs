//! Methods of strings, in method form only.

use super::{Cx, Given};
use crate::base::Diag;
use crate::text::{StrArg, StrResult, str_method};
use crate::value::{Spanned, Value};

/// The method of a string; None where there is none of that name.
pub fn method(cx: &mut Cx, s: &str, name: &str, given: &Given) -> Option<Result<Value, Diag>> {
    let method = str_method(name)?;
    let mut call = || {
        let mut values = Vec::new();
        for given in given.args.iter().chain(given.keywords.iter().map(|(_, value)| value)) {
            values.push(plain(cx, given)?);
        }
        let args: Vec<StrArg> = values.iter().map(Plain::arg).collect();
        let (args, rest) = args.split_at(given.args.len());
        let named: Vec<(&str, StrArg)> =
            given.keywords.iter().zip(rest).map(|((name, _), value)| (name.as_str(), value.clone())).collect();
        method.call(s, args, &named).map(value).map_err(|d| d.at(cx.span))
    };
    Some(call())
}

/// An argument that holds what it lends.
enum Plain {
    One(Value),
    Strs(Vec<Value>),
}

impl Plain {
    fn arg(&self) -> StrArg<'_> {
        match self {
            Plain::One(Value::Str(s)) => StrArg::Str(s),
            Plain::One(Value::Int(i)) => StrArg::Int(*i),
            Plain::One(Value::Bool(b)) => StrArg::Bool(*b),
            Plain::One(_) => StrArg::None,
            Plain::Strs(items) => StrArg::Strs(items.iter().filter_map(text).collect()),
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Str(s) => Some(s),
        _ => None,
    }
}

fn plain(cx: &mut Cx, given: &Spanned) -> Result<Plain, Diag> {
    let wrong = |what: &Value| {
        Err(Diag::new("E0108", "a string method takes strings, integers and lists of strings")
            .label(given.span, what.describe()))
    };
    match &given.value {
        one @ (Value::None | Value::Str(_) | Value::Int(_) | Value::Bool(_)) => Ok(Plain::One(one.clone())),
        Value::List(_) | Value::Tuple(_) => {
            let items = cx.host.elements(&given.value, given.span)?;
            match items.iter().find(|item| text(item).is_none()) {
                Some(other) => wrong(other),
                None => Ok(Plain::Strs(items)),
            }
        }
        other => wrong(other),
    }
}

fn value(result: StrResult) -> Value {
    let strings = |parts: Vec<String>| parts.into_iter().map(Value::str).collect();
    match result {
        StrResult::Bool(b) => Value::Bool(b),
        StrResult::Int(i) => Value::Int(i),
        StrResult::Str(s) => Value::str(s),
        StrResult::List(parts) => Value::list(strings(parts)),
        StrResult::Tuple(parts) => Value::tuple(strings(parts)),
    }
}
