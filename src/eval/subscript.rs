//! `x[…]` read, of tensors, sequences, archives and records.

use super::Eval;
use super::index::{self, Items};
use crate::base::{Diag, Span, Symbol, a as article};
use crate::func::files;
use crate::lang::ast::{Expr, IndexItem};
use crate::plan::Tensor;
use crate::value::{Range, ScopeRef, Value};
use std::sync::Arc;

impl Eval<'_> {
    pub(super) fn index_expr(
        &mut self,
        base: &Expr,
        items: &[IndexItem],
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let value = self.expr(base, scope)?;
        match &value {
            Value::Tensor(t) => {
                let items = self.index_items(items, span, scope)?;
                self.read_index(t, &items, base.span, span)
            }
            Value::Unknown => Ok(Value::Unknown),
            Value::List(_) if self.state.checking && super::check::is_open_list(&value) => Ok(Value::Unknown),
            _ => self.subscript(&value, items, base.span, span, scope),
        }
    }

    /// A tensor's elements: a view where the index is basic, a copy otherwise.
    pub(super) fn read_index(&mut self, t: &Arc<Tensor>, items: &Items, base: Span, span: Span) -> Result<Value, Diag> {
        let base = self.place(base);
        if items.is_advanced() {
            let picked = self.picked(t, items, base)?;
            return self.gather(&picked, span);
        }
        let layout = index::basic(t, items, base)?;
        if items.is_element(t.ndim()) {
            return Ok(Value::tensor(index::element(t, layout)));
        }
        if let Some(format) = t.packed() {
            format.blocks(&layout).map_err(|d| d.label(base, t.describe()))?;
        }
        Ok(Value::tensor(t.viewed(layout)))
    }

    fn subscript(
        &mut self,
        value: &Value,
        items: &[IndexItem],
        base: Span,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let (place, base) = (self.place(span), self.place(base));
        if let ([IndexItem::Slice { start, stop, step, span: at }], true) = (items, is_sequence(value)) {
            let start = self.bound(start.as_ref(), scope)?;
            let stop = self.bound(stop.as_ref(), scope)?;
            let step = self.bound(step.as_ref(), scope)?.unwrap_or(1);
            if step == 0 {
                return Err(Diag::new("E0303", "a slice's step is not 0").label(self.place(*at), ""));
            }
            return self.slice_sequence(value, start, stop, step, span);
        }
        let [IndexItem::Expr(expr)] = items else {
            return Err(Diag::new("E0305", format!("{} does not take this index", article(value.describe())))
                .label(place, "")
                .label(base, value.describe()));
        };
        let key = self.expr(expr, scope)?;
        if let Value::Unknown = key {
            return Ok(Value::Unknown);
        }
        self.key(value, &key, self.place(expr.span), base)
    }

    /// One key: an integer of a sequence, a name of an archive or record.
    pub(super) fn key(&mut self, value: &Value, key: &Value, at: Span, base: Span) -> Result<Value, Diag> {
        match (value, key) {
            (Value::Archive(archive), Value::Str(name)) => {
                if name.contains(['*', '?', '[']) && !archive.contains(name) {
                    return Ok(Value::Archive(Arc::new(archive.select(name))));
                }
                files::member(archive, name).map_err(|d| d.at(at))
            }
            (Value::Branch(branch), Value::Int(i)) => {
                match files::at_path(&branch.archive, format!("{}.{i}", branch.path)) {
                    Some(result) => result.map_err(|d| d.at(at)),
                    None => Err(Diag::new("E0609", format!("the archive has nothing named {}.{i}", branch.path))
                        .label(at, "")
                        .hint("`keys(m)` lists the names")),
                }
            }
            (Value::Meta(archive), Value::Str(key)) => files::meta(archive, key).map_err(|d| d.at(at)),
            (Value::Record(record), Value::Str(name)) => match record.get(Symbol::new(name)) {
                Some(value) => Ok(value.clone()),
                None => {
                    let fields = record.fields.iter().map(|(n, _)| n.as_str());
                    let diag = Diag::new("E0308", format!("no key {name:?}")).label(at, "");
                    Err(match crate::base::nearest(name, fields) {
                        Some(near) => diag.hint(format!("did you mean {near:?}?")),
                        None => diag,
                    })
                }
            },
            _ if is_sequence(value) => {
                let len = length(value);
                let i = self.plain_int(key, at).map_err(|_| {
                    Diag::new("E0305", "an index is an integer or a slice here").label(at, key.describe())
                })?;
                let Some(i) = position(i, len) else {
                    return Err(Diag::new("E0301", format!("index {i} is out of range: the length is {len}"))
                        .label(at, "")
                        .label(base, value.describe()));
                };
                if let Value::MetaArray(array) = value {
                    return files::meta_item(array, i).map_err(|d| d.at(at));
                }
                Ok(self.at(value, i))
            }
            _ => Err(Diag::new("E0305", format!("{} takes no index like this", article(value.describe())))
                .label(at, key.describe())
                .label(base, value.describe())),
        }
    }

    fn at(&self, value: &Value, i: usize) -> Value {
        match value {
            Value::List(list) => list.lock().get(i).cloned().unwrap_or(Value::None),
            Value::Tuple(items) => items[i].clone(),
            Value::Range(r) => Value::Int(r.get(i)),
            Value::Str(s) if s.is_ascii() => Value::str(&s[i..=i]),
            Value::Str(s) => s.chars().nth(i).map_or(Value::None, |c| Value::str(c.to_string())),
            _ => Value::None,
        }
    }

    fn slice_sequence(
        &mut self,
        value: &Value,
        start: Option<i64>,
        stop: Option<i64>,
        step: i64,
        span: Span,
    ) -> Result<Value, Diag> {
        let Some((first, count)) = clip(length(value), start, stop, step) else {
            return Err(Diag::new("E0303", "a slice's step is not 0").label(self.place(span), ""));
        };
        let at = |k: usize| (first as i64 + k as i64 * step) as usize;
        Ok(match value {
            Value::List(list) => {
                let items = list.lock();
                Value::list((0..count).filter_map(|k| items.get(at(k)).cloned()).collect())
            }
            Value::Tuple(items) => Value::tuple((0..count).map(|k| items[at(k)].clone()).collect()),
            Value::Range(r) => {
                let start = if first < r.len() { r.get(first) } else { r.stop };
                let step = i128::from(r.step) * i128::from(step);
                let stop = i128::from(start) + count as i128 * step;
                let fit = |n: i128| i64::try_from(n).unwrap_or(if n < 0 { i64::MIN } else { i64::MAX });
                Value::Range(Range { start, stop: fit(stop), step: fit(step) })
            }
            Value::Str(s) => {
                let chars: Vec<char> = s.chars().collect();
                Value::str((0..count).map(|k| chars[at(k)]).collect::<String>())
            }
            Value::MetaArray(array) => {
                let place = self.place(span);
                let item = |k: usize| files::meta_item(array, at(k)).map_err(|d| d.at(place));
                Value::list((0..count).map(item).collect::<Result<_, _>>()?)
            }
            other => other.clone(),
        })
    }
}

fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Str(_) | Value::MetaArray(_))
}

pub(super) fn length(value: &Value) -> usize {
    match value {
        Value::List(list) => list.lock().len(),
        Value::Tuple(items) => items.len(),
        Value::Range(r) => r.len(),
        Value::MetaArray(a) => a.len(),
        Value::Str(s) if s.is_ascii() => s.len(),
        Value::Str(s) => s.chars().count(),
        _ => 0,
    }
}

/// A position from the front.
pub(super) fn position(i: i64, len: usize) -> Option<usize> {
    let at = if i < 0 { i.checked_add(i64::try_from(len).ok()?)? } else { i };
    usize::try_from(at).ok().filter(|&at| at < len)
}

/// First position and number of positions of a slice; None for step 0.
pub(super) fn clip(len: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Option<(usize, usize)> {
    let n = i64::try_from(len).unwrap_or(i64::MAX);
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let place = |b: i64| if b < 0 { b.saturating_add(n).clamp(low, high) } else { b.clamp(low, high) };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    let (start, stop) = (start.map_or(first, place), stop.map_or(last, place));
    let distance = if step > 0 { stop - start } else { start - stop };
    if step == 0 {
        return None;
    }
    if distance <= 0 {
        return Some((0, 0));
    }
    Some((start as usize, ((distance as u64 - 1) / step.unsigned_abs() + 1) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_clip_as_in_python() {
        assert_eq!(clip(5, None, None, 1), Some((0, 5)));
        assert_eq!(clip(5, None, None, -2), Some((4, 3)));
        assert_eq!(clip(5, Some(-3), Some(99), 2), Some((2, 2)));
        assert_eq!(clip(5, Some(9), Some(-9), -3), Some((4, 2)));
        assert_eq!(clip(5, Some(3), Some(1), 1), Some((0, 0)));
        assert_eq!(clip(0, None, None, -1), Some((0, 0)));
        assert_eq!(clip(3, None, None, 0), None);
    }
}
