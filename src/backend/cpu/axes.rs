//! In which order a reduction walks its axes: decided from shapes and layouts alone, so that the result never depends
//! on the number of threads.

use crate::kernel::{Input, InstrOp, Program};
use crate::op::Monoid;
use crate::tensor::Layout;
use smallvec::SmallVec;

pub(super) type Order = SmallVec<[usize; 6]>;

/// The walk of a reduction: positions are `[outer, length, inner]`, where outer and inner are kept axes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Walk {
    /// All axes in this order.
    pub(super) axes: Order,
    /// The kept axes, as the result is walked.
    pub(super) kept: Order,
    pub(super) outer: usize,
    pub(super) length: usize,
    /// 1 where the reduced axes are innermost.
    pub(super) inner: usize,
}

/// `fixed` keeps the order of the axes, for programs whose faults must come in row-major order.
pub(super) fn walk(
    shape: &[usize],
    kept: usize,
    program: &Program,
    inputs: &[Input],
    monoid: Monoid,
    fixed: bool,
) -> Walk {
    let mut outer: Order = (0..kept).collect();
    let mut reduced: Order = (kept..shape.len()).collect();
    let mut inner = Order::new();
    if let Some(layout) = (!fixed).then(|| leading(program, inputs)).flatten() {
        let reach = |axis: usize| if shape[axis] == 1 { 0 } else { layout.strides[axis].unsigned_abs() };
        // Stable: axes along which the operand stands still stay outside, in their order.
        let key = |&axis: &usize| std::cmp::Reverse(if reach(axis) == 0 { usize::MAX } else { reach(axis) });
        outer.sort_by_key(key);
        if !matches!(monoid, Monoid::ArgMin | Monoid::ArgMax) {
            reduced.sort_by_key(key);
        }
        let fastest = reduced.iter().map(|&a| reach(a)).filter(|&r| r > 0).min();
        if let Some(fastest) = fastest {
            let is_inner = |&axis: &usize| reach(axis) > 0 && reach(axis) < fastest;
            inner = outer.iter().copied().filter(is_inner).collect();
            outer.retain(|axis| !inner.contains(axis));
        }
    }
    let count = |axes: &[usize]| axes.iter().map(|&a| shape[a]).product::<usize>();
    Walk {
        axes: outer.iter().chain(&reduced).chain(&inner).copied().collect(),
        kept: outer.iter().chain(&inner).copied().collect(),
        outer: count(&outer),
        length: count(&reduced),
        inner: count(&inner),
    }
}

/// The layout of the largest operand, the first of equals.
fn leading<'a>(program: &Program, inputs: &'a [Input]) -> Option<&'a Layout> {
    let mut best: Option<(u64, &Layout)> = None;
    for instr in &program.instrs {
        if let InstrOp::Load(slot) = instr.op {
            let view = &inputs[slot].view;
            let bytes = crate::kernel::cost::view_bytes(view);
            if best.is_none_or(|(most, _)| bytes > most) {
                best = Some((bytes, &view.layout));
            }
        }
    }
    best.map(|(_, layout)| layout)
}
