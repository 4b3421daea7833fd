//! f-strings.

use super::Eval;
use crate::base::{Diag, Span};
use crate::func;
use crate::lang::ast::FPart;
use crate::value::{ScopeRef, Value};

impl Eval<'_> {
    pub(super) fn fstring(&mut self, parts: &[FPart], scope: &ScopeRef) -> Result<String, Diag> {
        let mut out = String::new();
        let mut unsure = None;
        for part in parts {
            match part {
                FPart::Text(text) => out.push_str(text),
                FPart::Expr { expr, label, conversion, spec } => {
                    let value = self.expr(expr, scope)?;
                    if let Some(label) = label {
                        out.push_str(label);
                    }
                    let conversion = match conversion {
                        Some(c) => Some(*c),
                        None if label.is_some() && spec.is_empty() => Some('r'),
                        None => None,
                    };
                    let spec = self.fstring(spec, scope)?;
                    if self.state.checking && !is_plain(&value) {
                        unsure = Some(expr.span);
                        continue;
                    }
                    out.push_str(&self.field(&value, conversion, &spec, expr.span)?);
                }
            }
        }
        match unsure {
            Some(span) => Err(self.needs_data(span)),
            None => Ok(out),
        }
    }

    fn field(&mut self, value: &Value, conversion: Option<char>, spec: &str, span: Span) -> Result<String, Diag> {
        let place = self.place(span);
        let converted = match conversion {
            Some('r' | 'a') => Value::str(self.cx(span).repr(value)?),
            Some(_) => Value::str(self.cx(span).text(value)?),
            None => value.clone(),
        };
        func::format::value(&mut self.cx(span), &converted, spec, place)
    }
}

/// Values whose text depends on no tensor.
fn is_plain(value: &Value) -> bool {
    matches!(
        value,
        Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::DType(_)
            | Value::Range(_)
    )
}
