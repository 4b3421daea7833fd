//! Attributes of tensors.

use super::Cx;
use crate::base::Diag;
use crate::op;
use crate::plan::Tensor;
use crate::plan::build;
use crate::tensor::{Layout, Scalar, View};
use crate::value::Value;

/// One attribute: name, help, a runnable example, how it is written elsewhere.
pub struct Attribute {
    pub name: &'static str,
    pub help: &'static str,
    pub example: &'static str,
    pub numpy: &'static str,
    pub torch: &'static str,
}

const fn row(
    name: &'static str,
    help: &'static str,
    example: &'static str,
    numpy: &'static str,
    torch: &'static str,
) -> Attribute {
    Attribute { name, help, example, numpy, torch }
}

/// All attributes of tensors.
pub const ATTRIBUTES: [Attribute; 18] = [
    row("shape", "The extents, outermost axis first: a tuple of integers.", "zeros(2, 3).shape", "x.shape", "x.shape"),
    row("ndim", "The number of axes.", "zeros(2, 3).ndim", "x.ndim", "x.ndim"),
    row("size", "The number of elements.", "zeros(2, 3).size", "x.size", "x.numel()"),
    row("dtype", "The type of the elements, or the packed format.", "zeros(2).dtype", "x.dtype", "x.dtype"),
    row(
        "strides",
        "Elements (blocks on a packed axis) between neighbours along each axis.",
        "zeros(2, 3).T.strides",
        "x.strides (in bytes)",
        "x.stride()",
    ),
    row(
        "offset",
        "Where the first element lies in the buffer, in elements.",
        "x = arange(6)\nx[2:].offset",
        "none",
        "x.storage_offset()",
    ),
    row(
        "itemsize",
        "The bytes of an element, or of a block of a packed format.",
        "zeros(2).itemsize",
        "x.itemsize",
        "x.itemsize",
    ),
    row("nbytes", "The bytes that the shown elements take.", "zeros(2, 3).nbytes", "x.nbytes", "x.nbytes"),
    row("device", "Where the elements are, a string.", "zeros(2).device", "x.device", "x.device"),
    row("T", "All axes in reverse order: a view.", "arange(6).reshape(2, 3).T", "x.T", "x.T"),
    row("mT", "The last two axes exchanged: a view.", "arange(6).reshape(1, 2, 3).mT.shape", "x.mT", "x.mT"),
    row("H", "The last two axes exchanged and conjugated: a view.", "array([[1j, 2]]).H", "x.conj().mT", "x.mH"),
    row("real", "The real parts: a view.", "array([1 + 2j]).real", "x.real", "x.real"),
    row("imag", "The imaginary parts: a view, zeros of a real tensor.", "array([1 + 2j]).imag", "x.imag", "x.imag"),
    row(
        "base",
        "The whole buffer that a view looks at; None of a tensor that is no view.",
        "x = arange(4)\nx[1:3].base",
        "x.base",
        "x._base",
    ),
    row(
        "is_view",
        "Whether a layout operation made it from a buffer that another value also holds.",
        "x = arange(4)\nx[1:].is_view",
        "x.base is not None",
        "x._is_view()",
    ),
    row(
        "is_contiguous",
        "Whether the elements lie row-major without gaps.",
        "zeros(2, 3).T.is_contiguous",
        "x.flags.c_contiguous",
        "x.is_contiguous()",
    ),
    row(
        "name",
        "What errors and plans call it: a name, or how it came from one; or None.",
        "w = arange(5)\nw[1:3].name",
        "none",
        "none",
    ),
];

/// Their names.
pub const TENSOR: &[&str] = &{
    let mut names = [""; ATTRIBUTES.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = ATTRIBUTES[i].name;
        i += 1;
    }
    names
};

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
