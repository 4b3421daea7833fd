//! Shape annotations: extents are numbers, names bound at their first use, `_`, and `...`.

use super::Eval;
use crate::base::{Diag, Span, Symbol, a as article};
use crate::lang::ast::{Annotation, Dim, Name};
use crate::tensor::DType;
use crate::value::{Scope, ScopeRef, Value};

/// The names that annotations of one call bound, each with its extent and place.
#[derive(Default)]
pub(super) struct Dims(Vec<(Symbol, usize, Span)>);

impl Dims {
    pub(super) fn get(&self, name: Symbol) -> Option<usize> {
        self.0.iter().find(|(n, ..)| *n == name).map(|(_, extent, _)| *extent)
    }

    /// Makes the names plain integers of the call. A parameter of the same name wins.
    pub(super) fn bind(&self, scope: &Scope) {
        for (name, extent, _) in &self.0 {
            scope.lock().entry(*name).or_insert(Value::Int(*extent as i64));
        }
    }
}

impl Eval<'_> {
    /// `x: f32[n, n] = value`. Names that the scope knows as integers must match. In `tsk check` a value of which
    /// nothing is known becomes what is annotated.
    pub(super) fn check_binding(
        &mut self,
        annotation: &Annotation,
        value: &mut Value,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<(), Diag> {
        let mut dims = Dims::default();
        // Within a call, names stand for what they were bound to; at the top level each statement is on its own.
        if scope.parent().is_some() {
            for dim in annotation.dims.iter().flatten() {
                if let Dim::Name(Name { symbol, span }) = dim
                    && let Some(Value::Int(n)) = scope.lock().get(symbol)
                    && let Ok(n) = usize::try_from(*n)
                {
                    dims.0.push((*symbol, n, *span));
                }
            }
        }
        self.check_stand_in(annotation, value, span, &dims);
        self.check_annotation(annotation, value, span, &mut dims)?;
        for (name, extent, _) in &dims.0 {
            let known = scope.lock().contains_key(name);
            if !known || scope.parent().is_none() {
                scope.set(*name, Value::Int(*extent as i64));
            }
        }
        Ok(())
    }

    /// Checks a value against an annotation; `span` is where the value was written.
    pub(super) fn check_annotation(
        &mut self,
        annotation: &Annotation,
        value: &Value,
        span: Span,
        dims: &mut Dims,
    ) -> Result<(), Diag> {
        let (dtype, shape) = match value {
            Value::Unknown => return Ok(()),
            Value::Tensor(t) => (t.dtype(), t.shape()),
            other => return self.check_plain(annotation, other, span),
        };
        let fault = |code: &'static str, message: String| {
            Diag::new(code, message)
                .label(self.place(span), value.describe())
                .label(self.place(annotation.span), self.snippet(annotation.span))
        };
        if let Some(name) = annotation.dtype {
            match DType::from_name(name.symbol.as_str()) {
                Some(want) if want == dtype => {}
                Some(want) => return Err(fault("E0410", format!("{want} is annotated, this is {dtype}"))),
                None => {
                    let message = format!("`{}` is no dtype", name.symbol);
                    return Err(Diag::new("E0101", message).label(self.place(name.span), ""));
                }
            }
        }
        let Some(pattern) = &annotation.dims else { return Ok(()) };
        let rest = pattern.iter().position(|d| matches!(d, Dim::Rest(_)));
        let named = pattern.len() - usize::from(rest.is_some());
        let fits = if rest.is_some() { shape.len() >= named } else { shape.len() == named };
        if !fits {
            let least = if rest.is_some() { "at least " } else { "" };
            let message = format!("{least}{named} axes are annotated, this has {}", shape.len());
            return Err(fault("E0215", message).between(named, shape.len()));
        }
        for (i, dim) in pattern.iter().enumerate() {
            let axis = match rest {
                Some(r) if i == r => continue,
                Some(r) if i > r => i + shape.len() - pattern.len(),
                _ => i,
            };
            let extent = shape[axis];
            match dim {
                Dim::Known(want, _) if *want == extent as u64 => {}
                Dim::Known(want, _) => {
                    let message = format!("axis {axis}: {want} is annotated, it has {extent}");
                    return Err(fault("E0215", message).between(*want, extent));
                }
                Dim::Name(name) => match dims.0.iter().find(|(n, ..)| *n == name.symbol) {
                    Some((_, want, _)) if *want == extent => {}
                    Some((_, want, _)) => {
                        let message = format!("axis {axis}: `{}` is {want}, it has {extent}", name.symbol);
                        return Err(fault("E0215", message).between(*want, extent));
                    }
                    None => dims.0.push((name.symbol, extent, name.span)),
                },
                Dim::Any(_) | Dim::Rest(_) => {}
            }
        }
        Ok(())
    }

    /// A plain number fits an annotation without axes, of a dtype of its kind.
    fn check_plain(&self, annotation: &Annotation, value: &Value, span: Span) -> Result<(), Diag> {
        let no_axes = annotation.dims.as_ref().is_none_or(|d| d.iter().all(|d| matches!(d, Dim::Rest(_))));
        let dtype = annotation.dtype.and_then(|n| DType::from_name(n.symbol.as_str()));
        let kind = match (value, dtype) {
            (Value::Bool(_), Some(d)) => d == DType::Bool,
            (Value::Int(_), Some(d)) => d != DType::Bool,
            (Value::Float(_), Some(d)) => d.is_float() || d.is_complex(),
            (Value::Complex(_), Some(d)) => d.is_complex(),
            (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_), None) => true,
            _ => false,
        };
        if no_axes && kind {
            return Ok(());
        }
        let code = if kind { "E0215" } else { "E0410" };
        Err(Diag::new(code, format!("a tensor is annotated, this is {}", article(value.describe())))
            .label(self.place(span), value.describe())
            .label(self.place(annotation.span), self.snippet(annotation.span)))
    }
}
