//! What stands for values of which nothing is known: tensors as annotated, positions and counts that data decides.

use super::Check;
use super::trial::Key;
use crate::base::{Diag, Span};
use crate::eval::{Eval, annotation::Dims};
use crate::func::Args;
use crate::lang::ast::{Annotation, Dim};
use crate::plan::build;
use crate::tensor::{Buffer, DType, HostArray, Layout, View};
use crate::value::{Spanned, Value};
use std::sync::Arc;

/// Annotations of more axes get smaller extents.
const MANY_AXES: usize = 4;

impl Eval<'_> {
    /// A value that is unknown becomes a tensor as annotated, as far as this can be told.
    pub(in crate::eval) fn check_stand_in(
        &mut self,
        annotation: &Annotation,
        value: &mut Value,
        span: Span,
        dims: &Dims,
    ) {
        if let Value::Unknown = value
            && let Some((dtype, shape)) = self.state.check.annotated(annotation, dims)
            && let Ok(tensor) = self.unknown_tensor(dtype, &shape, span)
        {
            *value = tensor;
        }
    }

    /// A tensor whose elements nobody knows.
    fn unknown_tensor(&mut self, dtype: DType, shape: &[usize], span: Span) -> Result<Value, Diag> {
        let shape = shape.iter().map(|&n| Value::Int(n as i64)).collect();
        let args = vec![Spanned { value: Value::tuple(shape), span }, Spanned { value: Value::DType(dtype), span }];
        let Value::Tensor(zeros) = self.cx(span).call_named("zeros", args)? else { return Ok(Value::Unknown) };
        // A pending node: zeros would be data that the script wrote out.
        let node = build::copy(&zeros.operand(), crate::plan::CopyReason::Asked { by: "check" }, self.place(span));
        Ok(self.cx(span).fresh(node))
    }

    /// How many elements a mask of `most` selects.
    pub(in crate::eval) fn unknown_count(&mut self, most: usize, span: Span) -> Result<usize, Diag> {
        let check = &mut self.state.check;
        match &mut check.trial {
            Some(trial) => Ok(trial.count(span, most)),
            None => {
                check.wants_trials = true;
                Err(self.needs_data(span))
            }
        }
    }

    /// Positions along an axis of this extent: their values are data.
    pub(in crate::eval) fn some_positions(
        &mut self,
        shape: &[usize],
        extent: usize,
        span: Span,
    ) -> Result<HostArray, Diag> {
        if extent == 0 && !shape.contains(&0) {
            return Err(self.needs_data(span));
        }
        let buffer = Buffer::from_slice(&[0i64]).map_err(|f| f.diag().label(span, ""))?;
        let layout =
            Layout::contiguous(&[]).and_then(|l| l.broadcast_to(shape)).map_err(|f| f.diag().label(span, ""))?;
        Ok(HostArray { buffer: Arc::new(buffer), view: View { layout, dtype: DType::I64, conj: false } })
    }

    /// The result of a function that selects by data, of an extent that is unknown.
    pub(super) fn check_selection(&mut self, name: &str, args: &Args) -> Option<Value> {
        let plain = args.args.iter().skip(1).all(|a| !a.given);
        let (Some(Value::Tensor(x)), true) = (args.args.first().map(|a| &a.value), plain) else { return None };
        if !matches!(name, "nonzero" | "argwhere" | "flatnonzero" | "unique" | "where") || x.ndim() == 0 {
            return None;
        }
        let span = args.span(0);
        let count = self.unknown_count(x.size(), span).ok()?;
        let mut tensor = |dtype, shape: &[usize]| self.unknown_tensor(dtype, shape, span).ok();
        match name {
            "unique" => tensor(x.dtype(), &[count]),
            "flatnonzero" => tensor(DType::I64, &[count]),
            "argwhere" => tensor(DType::I64, &[count, x.ndim()]),
            _ => (0..x.ndim()).map(|_| tensor(DType::I64, &[count])).collect::<Option<_>>().map(Value::tuple),
        }
    }
}

impl Check {
    /// Dtype and shape that an annotation tells. Extents without a number are known in a trial only.
    fn annotated(&mut self, annotation: &Annotation, dims: &Dims) -> Option<(DType, Vec<usize>)> {
        let pattern = annotation.dims.as_ref()?;
        let dtype = match annotation.dtype {
            Some(name) => DType::from_name(name.symbol.as_str())?,
            None => self.some_dtype()?,
        };
        let fine = pattern.len() > MANY_AXES;
        let mut shape = Vec::new();
        for dim in pattern {
            let key = match dim {
                Dim::Known(n, _) => {
                    shape.push(usize::try_from(*n).ok()?);
                    continue;
                }
                Dim::Name(name) => match dims.get(name.symbol) {
                    Some(extent) => {
                        shape.push(extent);
                        continue;
                    }
                    None => Key::Name(name.symbol),
                },
                Dim::Any(span) | Dim::Rest(span) => Key::Place(*span, 0),
            };
            let Some(trial) = &mut self.trial else {
                self.wants_trials = true;
                return None;
            };
            match (dim, key) {
                (Dim::Rest(_), Key::Place(span, _)) => {
                    for i in 0..trial.rest() {
                        shape.push(trial.extent(Key::Place(span, i), fine));
                    }
                }
                _ => shape.push(trial.extent(key, fine)),
            }
        }
        Some((dtype, shape))
    }

    /// Where none is annotated: another in each trial.
    fn some_dtype(&mut self) -> Option<DType> {
        use super::trial::Choice::*;
        self.wants_trials = true;
        Some(match self.trial.as_ref()?.choice {
            Large | Other | Two => DType::F32,
            Equal => DType::I64,
            One => DType::Bool,
            Odd => DType::C64,
        })
    }
}
