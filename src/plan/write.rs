//! Reads and writes at positions, and writes through views: what makes a new version of a cell.

use super::build::{MapArg, cast, fill, whole};
use super::cell::Tensor;
use super::graph::{Node, NodeOp, NodeRef, Operand, describe};
use crate::base::{Diag, Span, a as article};
use crate::kernel::IndexAxis;
use crate::op::Monoid;
use crate::tensor::{CastMode, DType, Kind, Layout, Shape, View};
use smallvec::{SmallVec, smallvec};

/// Positions along some axes of a tensor, broadcast to one shape that stands at one place of the result.
pub struct Picks<'a> {
    /// Axis of the base, and its positions: i64, checked, not negative, broadcastable to `shape`.
    pub axes: &'a [(usize, Operand)],
    pub shape: &'a [usize],
    /// How many of the axes that are not indexed stand before `shape` in the result.
    pub at: usize,
}

/// The base's layout, the index axes, the position operands.
type Picked = (Layout, Vec<IndexAxis>, SmallVec<[Operand; 3]>);

/// `base` seen at the picked positions: its layout in the result's shape (stride 0 along the picked part), the index
/// axes (slots from `first_slot` on) and the position operands in the result's shape.
fn picked(base: &Layout, picks: &Picks, first_slot: usize) -> Result<Picked, Diag> {
    let rest: Vec<usize> = (0..base.ndim()).filter(|a| picks.axes.iter().all(|(p, _)| p != a)).collect();
    let mut layout = Layout { offset: base.offset, ..Layout::default() };
    for (place, &axis) in rest.iter().enumerate() {
        if place == picks.at {
            layout.push_broadcast(picks.shape);
        }
        layout.shape.push(base.shape[axis]);
        layout.strides.push(base.strides[axis]);
    }
    if picks.at >= rest.len() {
        layout.push_broadcast(picks.shape);
    }
    let before = picks.at.min(rest.len());
    let mut indices = Vec::new();
    let mut operands = SmallVec::new();
    for (i, (axis, positions)) in picks.axes.iter().enumerate() {
        indices.push(IndexAxis { slot: first_slot + i, stride: base.strides[*axis], extent: base.shape[*axis] });
        let own = positions.view.layout.broadcast_to(picks.shape).map_err(|f| f.diag())?;
        let mut placed = Layout { offset: own.offset, ..Layout::default() };
        placed.push_broadcast(&layout.shape[..before]);
        placed.shape.extend_from_slice(&own.shape);
        placed.strides.extend_from_slice(&own.strides);
        placed.push_broadcast(&layout.shape[before + picks.shape.len()..]);
        operands.push(positions.with_layout(placed));
    }
    Ok((layout, indices, operands))
}

/// The elements at the picked positions: a copy.
pub fn take(base: &Operand, picks: &Picks, span: Span) -> Result<NodeRef, Diag> {
    if let Some(format) = base.node().packed() {
        format.blocks(&base.view.layout)?;
        let (strides, block) = (&base.view.layout.strides, format.block as isize);
        if picks.axes.iter().any(|(axis, _)| strides[*axis] % block != 0) {
            return Err(Diag::new("E0216", "positions along the packed axis lie inside blocks")
                .note(format!("a block of {} has {block} elements", format.name()))
                .hint("decode first: unpack(x)"));
        }
    }
    let (layout, indices, positions) = picked(&base.view.layout, picks, 1)?;
    super::build::checked_shape(&layout.shape, base.view.dtype)?;
    let shape = layout.shape.clone();
    let mut operands: SmallVec<[Operand; 3]> = smallvec![base.with_layout(layout)];
    operands.extend(positions);
    Ok(Node::pending(NodeOp::Take { indices }, operands, shape, base.view.dtype, span))
}

/// Computes a node now: a write whose value may fail runs before the write.
pub type Force<'a> = &'a mut dyn FnMut(&NodeRef) -> Result<(), Diag>;

/// Writes `value` through the view `t`: its cell gets a new version, which every other view of the cell sees.
///
/// # Errors
/// E0405 where the value's dtype cannot go into the target's, E0203 where it does not broadcast, E0212 for a broadcast
/// view, E0622 for read-only data.
pub fn store(t: &Tensor, value: &MapArg, force: Force, span: Span) -> Result<(), Diag> {
    writable(t)?;
    let value = stored_value(t, value, t.shape(), force, span)?;
    let old = t.cell.version();
    let (shape, dtype) = (old.shape.clone(), old.dtype);
    let op = NodeOp::Store { dest: t.view.clone() };
    t.cell.set_version(Node::pending(op, smallvec![whole(&old), value], shape, dtype, span));
    Ok(())
}

/// As [`store`], at picked positions; the last of repeated positions wins, or all are joined by `accumulate`.
pub fn put(
    t: &Tensor,
    picks: &Picks,
    value: &MapArg,
    accumulate: Option<Monoid>,
    force: Force,
    span: Span,
) -> Result<(), Diag> {
    writable(t)?;
    let (layout, indices, positions) = picked(&t.view.layout, picks, 1)?;
    let value = stored_value(t, value, &layout.shape.clone(), force, span)?;
    let old = t.cell.version();
    let (shape, dtype) = (old.shape.clone(), old.dtype);
    let dest = View { layout, dtype: t.view.dtype, conj: t.view.conj };
    let mut operands: SmallVec<[Operand; 3]> = smallvec![whole(&old), value];
    operands.extend(positions);
    let op = NodeOp::Put { dest, indices, accumulate };
    t.cell.set_version(Node::pending(op, operands, shape, dtype, span));
    Ok(())
}

/// Refuses data that cannot be written.
pub fn writable(t: &Tensor) -> Result<(), Diag> {
    if let Some(why) = t.cell.read_only {
        return Err(Diag::new("E0622", format!("cannot write: {why}")).hint("`copy(x)` makes a writable copy"));
    }
    if !t.view.layout.is_injective() {
        return Err(Diag::new("E0212", "cannot write to a broadcast view: several positions share an element")
            .note(format!("{} with strides {:?}", t.describe(), t.view.layout.strides.as_slice()))
            .hint("`copy(x)` gives every position its own element"));
    }
    Ok(())
}

/// The value as it goes into the target: converted, broadcast to `shape` and, where it may fail, computed.
fn stored_value(t: &Tensor, value: &MapArg, shape: &[usize], force: Force, span: Span) -> Result<Operand, Diag> {
    let (value, checked) = match value {
        MapArg::Operand(o) => (o.clone(), o.view.dtype != t.dtype()),
        MapArg::Weak(scalar) => {
            if t.dtype().is_int() && super::build::weak_dtype(*scalar, None, DType::F32).is_int() {
                // As NumPy: a plain integer must fit.
                scalar_fits(*scalar, t.dtype())?;
            }
            let dtype = super::build::weak_dtype(*scalar, None, DType::F64);
            (whole(&fill(&[], dtype, *scalar, span)?), true)
        }
    };
    // Writes take plain elements: blocks are decoded first.
    let checked = checked || value.node().packed().is_some();
    let value = if checked { converted(&value, t.dtype(), span)? } else { value };
    let value = if t.view.conj { conjugated(value) } else { value };
    let layout = broadcast_into(&value.view.layout, shape)
        .map_err(|f| f.note(format!("the target is {}", describe(t.dtype(), shape))))?;
    let value = value.with_layout(layout);
    if value.node().can_fault && !value.node().is_done() {
        force(value.node())?;
    }
    Ok(value)
}

fn scalar_fits(scalar: crate::tensor::Scalar, dtype: DType) -> Result<(), Diag> {
    use crate::tensor::{Scalar, min_max};
    let wide = |s: Scalar| match s {
        Scalar::Int(i) => i128::from(i),
        Scalar::UInt(u) => i128::from(u),
        other => other.to_f64() as i128,
    };
    if super::build::int_fits(scalar, dtype) {
        return Ok(());
    }
    let (low, high) = min_max(dtype);
    Err(Diag::new("E0403", format!("{} does not fit {dtype}", wide(scalar))).hint(format!(
        "{dtype} holds {} to {}",
        wide(low),
        wide(high)
    )))
}

/// Float to integer is checked, everything else converts as `astype` does.
fn converted(value: &Operand, dtype: DType, span: Span) -> Result<Operand, Diag> {
    let from = value.view.dtype;
    if from.is_complex() && !dtype.is_complex() {
        return Err(Diag::new("E0405", format!("{} value cannot be written into {dtype}", article(from)))
            .hint("take `.real` or `abs` first"));
    }
    let mode = if from.kind() == Kind::Float && dtype.is_int() { CastMode::Checked } else { CastMode::Wrap };
    Ok(whole(&cast(value, dtype, mode, span)?))
}

fn conjugated(value: Operand) -> Operand {
    let mut view = value.view.clone();
    view.conj = !view.conj;
    value.with(view)
}

/// NumPy drops leading unit axes of a value that has more axes than the target.
fn broadcast_into(layout: &Layout, shape: &[usize]) -> Result<Layout, Diag> {
    let mut layout = layout.clone();
    while layout.ndim() > shape.len() && layout.shape[0] == 1 {
        layout.shape.remove(0);
        layout.strides.remove(0);
    }
    layout.broadcast_to(shape).map_err(|f| f.diag())
}

impl Layout {
    /// Appends axes along which nothing moves.
    pub fn push_broadcast(&mut self, shape: &[usize]) {
        for &extent in shape {
            self.shape.push(extent);
            self.strides.push(0);
        }
    }
}

/// The shape that `picks` gives on a base of this shape.
pub fn picked_shape(base: &[usize], picks: &Picks) -> Shape {
    let rest: Vec<usize> =
        (0..base.len()).filter(|a| picks.axes.iter().all(|(p, _)| p != a)).map(|a| base[a]).collect();
    let at = picks.at.min(rest.len());
    rest[..at].iter().chain(picks.shape).chain(&rest[at..]).copied().collect()
}
