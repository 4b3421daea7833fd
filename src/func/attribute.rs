//! Attributes of tensors.

use super::Cx;
use crate::base::Diag;
use crate::op;
use crate::plan::Tensor;
use crate::plan::build;
use crate::tensor::{Layout, Scalar, View};
use crate::value::Value;

/// All attributes, for completion and suggestions.
pub const TENSOR: &[&str] = &[
    "shape",
    "ndim",
    "size",
    "dtype",
    "strides",
    "offset",
    "itemsize",
    "nbytes",
    "device",
    "T",
    "mT",
    "H",
    "real",
    "imag",
    "base",
    "is_view",
    "is_contiguous",
    "name",
];

/// The attribute of a tensor; None where there is none of that name.
pub fn tensor(cx: &mut Cx, t: &Tensor, name: &str) -> Option<Result<Value, Diag>> {
    let layout = &t.view.layout;
    let int = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
    Some(Ok(match name {
        "shape" => Value::tuple(t.shape().iter().map(|&e| int(e)).collect()),
        "ndim" => int(t.ndim()),
        "size" => int(t.size()),
        "dtype" => dtype(t),
        "strides" => Value::tuple(t.units().strides.iter().map(|&s| Value::Int(s as i64)).collect()),
        "offset" => Value::Int(t.units().offset as i64),
        "itemsize" => int(t.encoding().unit_bytes()),
        "nbytes" => int(t.nbytes()),
        "device" => Value::str("cpu"),
        "T" => Value::tensor(t.viewed(layout.transposed())),
        "mT" => return Some(transposed(t).map(Value::tensor)),
        "H" => return Some(transposed(t).map(|t| Value::tensor(conjugated(&t)))),
        "real" => Value::tensor(real(t)),
        "imag" => return Some(imag(cx, t)),
        "base" if t.is_view => Value::tensor(base(t)),
        "base" => Value::None,
        "is_view" => Value::Bool(t.shares_a_base()),
        "is_contiguous" => Value::Bool(layout.is_contiguous()),
        "name" => t.origin.as_ref().map_or(Value::None, |o| Value::Str(o.clone())),
        _ => return None,
    }))
}

/// The dtype, or the packed format.
pub fn dtype(t: &Tensor) -> Value {
    t.packed().map_or(Value::DType(t.dtype()), Value::Packed)
}

/// The last two axes exchanged.
pub fn transposed(t: &Tensor) -> Result<Tensor, Diag> {
    if t.ndim() < 2 {
        return Err(Diag::new("E0201", format!("a matrix has two axes at least, this has {}", t.ndim())));
    }
    Ok(t.viewed(t.view.layout.swapaxes(-1, -2).map_err(|f| f.diag())?))
}

/// The conjugate: a view whose values are conjugated as they are read.
pub fn conjugated(t: &Tensor) -> Tensor {
    if !t.dtype().is_complex() {
        return t.clone();
    }
    let mut view = t.view.clone();
    view.conj = !view.conj;
    t.viewed_as(view)
}

/// A view of one part of complex elements: part 0 the real, 1 the imaginary one.
fn part(t: &Tensor, part: isize) -> Tensor {
    let mut layout = t.view.layout.clone();
    layout.strides.iter_mut().for_each(|s| *s = s.saturating_mul(2));
    layout.offset = layout.offset * 2 + part;
    t.viewed_as(View { layout, dtype: t.dtype().real(), conj: false })
}

pub fn real(t: &Tensor) -> Tensor {
    if t.dtype().is_complex() { part(t, 0) } else { t.viewed(t.view.layout.clone()) }
}

/// The imaginary part: a view, but for a lazy conjugate (negated) and real tensors (zeros).
pub fn imag(cx: &mut Cx, t: &Tensor) -> Result<Value, Diag> {
    if !t.dtype().is_complex() {
        let zero = build::fill(t.shape(), t.dtype(), Scalar::Int(0), cx.span)?;
        return Ok(cx.fresh(zero));
    }
    let imag = part(t, 1);
    if !t.view.conj {
        return Ok(Value::tensor(imag));
    }
    let Some(row) = op::map_row("negative") else { return Ok(Value::tensor(imag)) };
    let span = cx.span;
    cx.map(row, &[(&Value::tensor(imag), span)])
}

/// All elements of the buffer that a view looks at.
fn base(t: &Tensor) -> Tensor {
    let cell = t.cell.base.clone().unwrap_or_else(|| t.cell.clone());
    let node = cell.version();
    let layout = Layout::contiguous(&node.shape).unwrap_or_default();
    let view = View { layout, dtype: node.dtype, conj: false };
    Tensor { cell, view, is_view: false, origin: t.origin.clone() }
}
