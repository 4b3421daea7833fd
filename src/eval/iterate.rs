//! Walking values: `for`, comprehensions, unpacking, `*xs`.

use super::{Eval, check::is_open_list, index};
use crate::base::{Diag, Span, a as article};
use crate::func::files;
use crate::plan::Tensor;
use crate::value::{List, Range, Value};
use std::sync::Arc;

/// The elements of a value, made one at a time.
pub(super) struct Walk {
    kind: Kind,
    at: usize,
}

enum Kind {
    Range(Range, usize),
    /// Looked at again at each step, as Python does.
    List(List),
    Tuple(Arc<[Value]>),
    Chars(Vec<char>),
    /// Views of the version at each step.
    Tensor(Arc<Tensor>, usize),
}

impl Walk {
    /// How many elements there are now.
    fn len(&self) -> usize {
        match &self.kind {
            Kind::Range(_, len) | Kind::Tensor(_, len) => *len,
            Kind::Tuple(items) => items.len(),
            Kind::Chars(chars) => chars.len(),
            Kind::List(list) => list.lock().len(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Value> {
        let at = self.at;
        self.at += 1;
        match &self.kind {
            Kind::Range(r, len) => (at < *len).then(|| Value::Int(r.get(at))),
            Kind::List(list) => list.lock().get(at).cloned(),
            Kind::Tuple(items) => items.get(at).cloned(),
            Kind::Chars(chars) => chars.get(at).map(|c| Value::str(c.to_string())),
            Kind::Tensor(t, len) if at < *len => index::first_axis(t, at).map(Value::tensor),
            Kind::Tensor(..) => None,
        }
    }
}

impl Eval<'_> {
    pub(super) fn walk(&mut self, value: &Value, span: Span) -> Result<Walk, Diag> {
        let kind = match value {
            Value::Range(r) => Kind::Range(*r, r.len()),
            Value::List(_) if self.state.checking && is_open_list(value) => return Err(self.needs_data(span)),
            Value::List(list) => Kind::List(list.clone()),
            Value::Tuple(items) => Kind::Tuple(items.clone()),
            Value::Str(s) => Kind::Chars(s.chars().collect()),
            Value::Tensor(t) if t.ndim() > 0 => Kind::Tensor(t.clone(), t.shape()[0]),
            Value::Archive(a) => Kind::Tuple(a.names().map(Value::str).collect()),
            Value::Meta(a) => Kind::Tuple(a.meta().keys().map(Value::str).collect()),
            Value::MetaArray(a) => Kind::Tuple(files::meta_items(a).map_err(|d| d.label(self.place(span), ""))?.into()),
            Value::Unknown => return Err(self.needs_data(span)),
            other => {
                let diag = Diag::new("E0112", format!("{} cannot be walked", article(other.describe())));
                let diag = diag.label(self.place(span), other.describe());
                return Err(match other {
                    Value::Int(_) => diag.hint("`range(n)` walks the integers below n"),
                    Value::Tensor(_) => diag.hint("a 0-d tensor has no axis"),
                    _ => diag,
                });
            }
        };
        Ok(Walk { kind, at: 0 })
    }

    /// All elements at once.
    pub(super) fn all_elements(&mut self, value: &Value, span: Span) -> Result<Vec<Value>, Diag> {
        let mut walk = self.walk(value, span)?;
        // Nothing of the script runs meanwhile: a list stays as long as it is.
        self.check_room(walk.len().saturating_mul(size_of::<Value>()), self.place(span))?;
        let mut out = Vec::new();
        while let Some(item) = walk.next() {
            out.push(item);
            if out.len().is_multiple_of(1024) {
                self.check_cancel(span)?;
            }
        }
        Ok(out)
    }
}
