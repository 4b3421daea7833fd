//! Binding names and unpacking.

use super::{Eval, check::is_open_list};
use crate::base::{Diag, Span, Symbol};
use crate::lang::ast::Target;
use crate::value::{ScopeRef, Value};
use std::sync::Arc;

impl Eval<'_> {
    /// `a = b = value`: the targets from left to right.
    pub(super) fn assign_all(
        &mut self,
        targets: &[Target],
        value: Value,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<(), Diag> {
        let Some((last, others)) = targets.split_last() else { return Ok(()) };
        for target in others {
            self.assign(target, value.clone(), span, scope)?;
        }
        self.assign(last, value, span, scope)
    }

    /// `span` is where the value was written.
    pub(super) fn assign(&mut self, target: &Target, value: Value, span: Span, scope: &ScopeRef) -> Result<(), Diag> {
        match target {
            Target::Name(name) => {
                scope.set(name.symbol, named(value, name.symbol));
                Ok(())
            }
            Target::Index(expr) => self.write_index(expr, value, span, scope),
            Target::Tuple(items, at) => self.unpack(items, value, span, *at, scope),
            Target::Star(inner, _) => self.assign(inner, value, span, scope),
        }
    }

    fn unpack(&mut self, targets: &[Target], value: Value, span: Span, at: Span, scope: &ScopeRef) -> Result<(), Diag> {
        if self.state.checking && (matches!(value, Value::Unknown) || is_open_list(&value)) {
            return targets.iter().try_for_each(|t| self.assign(t, Value::Unknown, span, scope));
        }
        let mut items = self.all_elements(&value, span)?;
        let star = targets.iter().position(|t| matches!(t, Target::Star(..)));
        let fixed = targets.len() - usize::from(star.is_some());
        let fits = if star.is_some() { items.len() >= fixed } else { items.len() == fixed };
        if !fits {
            let least = if star.is_some() { "at least " } else { "" };
            return Err(Diag::new("E0113", format!("{} values for {least}{fixed} names", items.len()))
                .label(self.place(span), value.describe())
                .label(self.place(at), ""));
        }
        if let Some(star) = star {
            let count = items.len() - fixed;
            let rest: Vec<Value> = items.splice(star..star + count, [Value::None]).collect();
            items[star] = Value::list(rest);
        }
        for (target, item) in targets.iter().zip(items) {
            self.assign(target, item, span, scope)?;
        }
        Ok(())
    }
}

/// A fresh tensor and a fresh packed format take the name that they are bound to, for headers and errors.
fn named(mut value: Value, name: Symbol) -> Value {
    if let Value::Tensor(t) = &mut value
        && t.origin.is_none()
        && !t.shares_a_base()
        && let Some(own) = Arc::get_mut(t)
    {
        own.origin = Some(name.as_str().into());
    }
    if let Value::Packed(format) = &value {
        format.bind(name.as_str());
    }
    value
}
