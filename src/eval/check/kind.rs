//! What checking keeps of values: kinds, shapes and dtypes, and plain values that agree.

use crate::value::{Record, Value};
use std::sync::Arc;

/// Lists within lists deeper than this count as unlike.
const MAX_NESTING: usize = 16;

/// Whether two values look the same to shapes and dtypes.
pub fn same(a: &Value, b: &Value) -> bool {
    alike(a, b, 0)
}

fn alike(a: &Value, b: &Value, depth: usize) -> bool {
    if depth > MAX_NESTING {
        return false;
    }
    let all = |x: &[Value], y: &[Value]| x.len() == y.len() && x.iter().zip(y).all(|(a, b)| alike(a, b, depth + 1));
    match (a, b) {
        (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) | (Value::Unknown, Value::Unknown) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::BigInt(x), Value::BigInt(y)) => x == y,
        (Value::Float(x), Value::Float(y)) => x.to_bits() == y.to_bits(),
        (Value::Complex(x), Value::Complex(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::DType(x), Value::DType(y)) => x == y,
        (Value::Range(x), Value::Range(y)) => x == y,
        (Value::Tensor(x), Value::Tensor(y)) => x.dtype() == y.dtype() && x.shape() == y.shape(),
        (Value::List(x), Value::List(y)) => x.same(y) || all(&x.to_vec(), &y.to_vec()),
        (Value::Tuple(x), Value::Tuple(y)) => all(x, y),
        (Value::Record(x), Value::Record(y)) => {
            x.fields.len() == y.fields.len()
                && x.fields.iter().zip(&y.fields).all(|((n, v), (m, w))| n == m && alike(v, w, depth + 1))
        }
        (Value::Closure(x), Value::Closure(y)) => Arc::ptr_eq(&x.def, &y.def),
        (Value::Builtin(x), Value::Builtin(y)) => std::ptr::eq(*x, *y),
        (Value::Module(x), Value::Module(y)) => Arc::ptr_eq(x, y),
        (Value::Archive(x), Value::Archive(y)) => Arc::ptr_eq(x, y),
        (Value::Branch(x), Value::Branch(y)) => x.path == y.path,
        (Value::Meta(x), Value::Meta(y)) => Arc::ptr_eq(x, y),
        _ => false,
    }
}

/// What is known of a value that is one of these two.
pub fn merge(a: &Value, b: &Value) -> Value {
    if same(a, b) {
        return a.clone();
    }
    match (a, b) {
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            Value::tuple(x.iter().zip(y.iter()).map(|(a, b)| merge(a, b)).collect())
        }
        (Value::Record(x), Value::Record(y))
            if x.fields.len() == y.fields.len() && x.fields.iter().zip(&y.fields).all(|((n, _), (m, _))| n == m) =>
        {
            let fields = x.fields.iter().zip(&y.fields).map(|((n, v), (_, w))| (*n, merge(v, w))).collect();
            Value::Record(Arc::new(Record { fields }))
        }
        _ => Value::Unknown,
    }
}

/// Whether a value depends on data somewhere inside. A list that holds an unknown element has an unknown length too.
pub fn is_unsure(value: &Value) -> bool {
    fn within(value: &Value, depth: usize) -> bool {
        if depth > MAX_NESTING {
            return true;
        }
        match value {
            Value::Unknown => true,
            Value::List(list) => list.to_vec().iter().any(|v| within(v, depth + 1)),
            Value::Tuple(items) => items.iter().any(|v| within(v, depth + 1)),
            Value::Record(record) => record.fields.iter().any(|(_, v)| within(v, depth + 1)),
            _ => false,
        }
    }
    within(value, 0)
}

/// A list of unknown length.
pub fn is_open_list(value: &Value) -> bool {
    matches!(value, Value::List(list) if list.lock().iter().any(|v| matches!(v, Value::Unknown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_keeps_what_agrees() {
        let pair = |a, b| Value::tuple(vec![a, b]);
        let merged = merge(&pair(Value::Int(1), Value::Int(2)), &pair(Value::Int(1), Value::Int(3)));
        assert!(matches!(&merged, Value::Tuple(t) if matches!(t[..], [Value::Int(1), Value::Unknown])));
        assert!(matches!(merge(&Value::Int(1), &Value::Float(1.0)), Value::Unknown));
        assert!(is_unsure(&merged) && !is_unsure(&Value::list(vec![Value::Int(1)])));
        let open = Value::list(vec![Value::Unknown]);
        assert!(is_open_list(&open) && !is_open_list(&merged));
        let shared = Value::list(vec![]);
        assert!(same(&shared, &shared.clone()));
    }

    #[test]
    fn a_list_within_itself_ends() {
        let list = crate::value::List::new(vec![]);
        list.lock().push(Value::List(list.clone()));
        assert!(is_unsure(&Value::List(list.clone())));
        list.lock().clear();
    }
}
