//! Library calls as nodes: operands in the dtype that the library takes, results as tensors over the call's buffer.

use super::make::Make;
use super::{Args, Cx};
use crate::base::Diag;
use crate::call::Prepared;
use crate::plan::build;
use crate::plan::{Cell, Operand, Tensor};
use crate::tensor::{DType, Kind, Layout, View, promote};

/// Dtypes of a call: what the library computes in, and what its results are rounded to.
#[derive(Clone, Copy)]
pub struct Typing {
    pub work: DType,
    pub result: DType,
}

impl Typing {
    /// Integers and bools turn into the default float; 16-bit floats are computed in f32 and rounded once.
    pub fn of(make: Make, xs: &[&Tensor]) -> Typing {
        let joined = xs.iter().map(|x| x.dtype()).reduce(promote).unwrap_or(make.float);
        let result = match joined.kind() {
            Kind::Bool | Kind::Unsigned | Kind::Signed => make.float,
            _ if joined.size() == 1 => DType::F32,
            _ => joined,
        };
        Typing { work: result.lane(), result }
    }
}

/// The results of a call, pending. Each has a cell of its own over the one buffer, so that writing to one of them
/// leaves the others alone.
pub fn results(cx: &mut Cx, prepared: Prepared, inputs: &[&Tensor], typing: Typing) -> Result<Vec<Tensor>, Diag> {
    let make = Make::of(cx);
    let mut operands: Vec<Operand> = Vec::with_capacity(inputs.len());
    for x in inputs {
        operands.push(make.cast(x, typing.work)?.operand());
    }
    // A lone result is the node itself, so that plans show its shape.
    let lone = match prepared.parts.as_slice() {
        [part] if part.dtype == prepared.dtype => Some(part.shape.clone()),
        _ => None,
    };
    let size = [prepared.size];
    let node = build::call(prepared.call, &operands, lone.as_deref().unwrap_or(&size), prepared.dtype, cx.span);
    drop(operands);
    cx.host.made(&node);
    let mut out = Vec::with_capacity(prepared.parts.len());
    for part in &prepared.parts {
        let mut layout = Layout::contiguous(&part.shape).map_err(|f| f.diag())?;
        layout.offset = isize::try_from(part.offset).unwrap_or(isize::MAX);
        let view = View { layout, dtype: part.dtype, conj: false };
        let t = Tensor { cell: Cell::new(node.clone()), view, is_view: false, origin: None };
        let narrow = typing.work != typing.result && !part.dtype.is_int();
        out.push(if narrow { make.cast(&t, typing.result)? } else { t });
    }
    Ok(out)
}

/// Adds what the arguments are to a fault that names no place.
pub fn labelled(args: &Args, diag: Diag, xs: &[&Tensor]) -> Diag {
    if !diag.labels.is_empty() {
        return diag;
    }
    xs.iter().enumerate().fold(diag, |diag, (i, x)| diag.label(args.span(i), x.describe()))
}
