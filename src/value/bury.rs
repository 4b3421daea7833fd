//! The end of values. They nest without a limit, so what nobody else holds is taken apart step by step, never by
//! recursion.

use super::{Closure, Record, Value};
use std::mem;
use std::sync::Arc;

/// Drops a value and all that only it holds.
pub fn bury(value: Value) {
    if !is_deep(&value) {
        return;
    }
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::Tuple(mut items) => {
                if let Some(items) = Arc::get_mut(&mut items) {
                    left.extend(items.iter_mut().map(|v| mem::replace(v, Value::None)).filter(is_deep));
                }
            }
            Value::List(mut list) => {
                if let Some(items) = list.own() {
                    left.extend(mem::take(items).into_iter().filter(is_deep));
                }
            }
            Value::Record(mut record) => {
                if let Some(record) = Arc::get_mut(&mut record) {
                    left.extend(parts(record));
                }
            }
            Value::Closure(mut closure) => {
                if let Some(closure) = Arc::get_mut(&mut closure) {
                    left.extend(captured(closure));
                }
            }
            _ => {}
        }
    }
}

/// Whether a value holds others.
fn is_deep(value: &Value) -> bool {
    matches!(value, Value::Tuple(_) | Value::List(_) | Value::Record(_) | Value::Closure(_))
}

fn parts(record: &mut Record) -> impl Iterator<Item = Value> {
    mem::take(&mut record.fields).into_iter().map(|(_, v)| v).filter(is_deep)
}

fn captured(closure: &mut Closure) -> Vec<Value> {
    let defaults = mem::take(&mut closure.defaults).into_iter().flatten();
    let mut out: Vec<Value> = defaults.filter(is_deep).collect();
    if let Some(scope) = Arc::get_mut(&mut closure.scope) {
        out.extend(scope.drain().filter(is_deep));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_levels_end_without_recursion() {
        for wrap in [
            |v| Value::list(vec![v]),
            |v| Value::tuple(vec![v, Value::Int(1)]),
            |v| Value::Record(Arc::new(Record { fields: vec![(crate::base::Symbol::new("a"), v)] })),
        ] as [fn(Value) -> Value; 3]
        {
            let mut value = Value::Int(1);
            for _ in 0..1_000_000 {
                value = wrap(value);
            }
            bury(value);
        }
    }
}
