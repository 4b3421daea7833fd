//! `assert`: fails with the source and the values that its names have.

use super::Eval;
use crate::base::{Diag, Span};
use crate::lang::ast::{Expr, ExprKind};
use crate::value::{ScopeRef, Spanned, Value};

/// Values shown, and characters of each.
const MOST_VALUES: usize = 6;
const MOST_TEXT: usize = 300;

impl Eval<'_> {
    pub(super) fn assert(&mut self, cond: &Expr, message: Option<&Expr>, scope: &ScopeRef) -> Result<(), Diag> {
        let mut shown: Vec<(Span, Value)> = Vec::new();
        let value = match &cond.kind {
            // The sides are evaluated once and shown.
            ExprKind::Compare { first, rest } if rest.len() == 1 => {
                let left = Spanned { value: self.expr(first, scope)?, span: first.span };
                let right = Spanned { value: self.expr(&rest[0].2, scope)?, span: rest[0].2.span };
                let value = self.compare(rest[0].0, &left, &right, cond.span)?;
                shown.extend([(left.span, left.value), (right.span, right.value)]);
                value
            }
            _ => self.expr(cond, scope)?,
        };
        if self.truthy(&value, cond.span)? {
            return Ok(());
        }
        let place = self.place(cond.span);
        let text = match message {
            Some(expr) => {
                let value = self.expr(expr, scope)?;
                self.cx(expr.span).text(&value)?
            }
            None => "assertion failed".into(),
        };
        let mut diag = Diag::new("E0501", text).label(place, "this does not hold");
        if self.state.checking {
            return Err(diag);
        }
        if shown.is_empty() {
            let mut names = Vec::new();
            read_names(cond, &mut names);
            for (name, span) in names {
                if let Some(value) = scope.get(name) {
                    shown.push((span, value));
                }
            }
        }
        for (span, value) in shown.into_iter().take(MOST_VALUES) {
            let source = self.snippet(span);
            let Ok(text) = self.cx(span).repr(&value) else { continue };
            let text: String = text.chars().take(MOST_TEXT).collect();
            if text != source {
                diag = diag.note(format!("{source} = {text}"));
            }
        }
        Err(diag)
    }
}

/// Names that an expression reads, each once.
pub(super) fn read_names(expr: &Expr, names: &mut Vec<(crate::base::Symbol, Span)>) {
    match &expr.kind {
        ExprKind::Name(name) if !names.iter().any(|(n, _)| n == name) => names.push((*name, expr.span)),
        ExprKind::Unary { operand, .. } => read_names(operand, names),
        ExprKind::Binary { lhs, rhs, .. } => {
            read_names(lhs, names);
            read_names(rhs, names);
        }
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            read_names(a, names);
            read_names(b, names);
        }
        ExprKind::Not(a) => read_names(a, names),
        ExprKind::Compare { first, rest } => {
            read_names(first, names);
            rest.iter().for_each(|(_, _, e)| read_names(e, names));
        }
        ExprKind::Call { callee, args } => {
            if let ExprKind::Attr { base, .. } = &callee.kind {
                read_names(base, names);
            }
            args.iter().for_each(|a| read_names(&a.value, names));
        }
        ExprKind::Index { base, .. } | ExprKind::Attr { base, .. } => read_names(base, names),
        _ => {}
    }
}
