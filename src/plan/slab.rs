//! A part of a pending value, computed by itself: how a result that is larger than memory is written.

use super::cell::Tensor;
use super::graph::{Node, NodeOp, NodeRef, Operand};
use crate::tensor::Layout;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;

/// Longer chains of pending nodes are left whole.
const DEEPEST: usize = 200;

/// Parts of one tensor along one axis. Cutting goes down through elementwise nodes, and through reductions and products
/// that keep the axis; what lies behind is needed as a whole.
pub struct Slabs {
    whole: Operand,
    axis: usize,
}

impl Slabs {
    /// None where the tensor is there already, has no axis to cut, or is no plain view of what is pending.
    pub fn new(t: &Tensor) -> Option<Slabs> {
        let axis = t.shape().iter().position(|&extent| extent > 1)?;
        let whole = t.operand();
        let cut = whole.node().is_pending() && is_plain(&whole) && cuts(whole.node(), axis);
        cut.then_some(Slabs { whole, axis })
    }

    pub fn axis(&self) -> usize {
        self.axis
    }

    /// Nodes to compute before any part: those that parts read as a whole.
    pub fn first(&self) -> Vec<NodeRef> {
        let mut cutter = Cutter { axis: self.axis, range: 0..1, made: HashMap::new(), whole: Vec::new() };
        cutter.operand(&self.whole, 0);
        cutter.whole
    }

    /// The part of these positions along the axis, as a pending tensor.
    pub fn part(&self, range: Range<usize>) -> Tensor {
        let mut cutter = Cutter { axis: self.axis, range, made: HashMap::new(), whole: Vec::new() };
        let part = cutter.operand(&self.whole, 0);
        let mut t = Tensor::of(part.node().clone());
        t.view = part.view.clone();
        t
    }
}

/// Whether the operand is all of its node, as it lies there.
fn is_plain(operand: &Operand) -> bool {
    let view = &operand.view;
    let whole = Layout::contiguous(&operand.node().shape).is_ok_and(|layout| layout == view.layout);
    whole && view.dtype == operand.node().dtype && !view.conj
}

/// Whether a part of the node along the axis needs only parts of its operands.
fn cuts(node: &Node, axis: usize) -> bool {
    match &node.op {
        NodeOp::Map(_) => true,
        NodeOp::Reduce { kept, .. } => axis < *kept,
        // Rows of the product are rows of the first operand.
        NodeOp::Contract { batch: 0, m, .. } => axis < *m,
        _ => false,
    }
}

struct Cutter {
    axis: usize,
    range: Range<usize>,
    /// Parts by the nodes that they were cut from: what is used twice is cut once.
    made: HashMap<u64, NodeRef>,
    whole: Vec<NodeRef>,
}

impl Cutter {
    fn narrow(&self, layout: &Layout) -> Layout {
        let mut layout = layout.clone();
        layout.shape[self.axis] = self.range.len();
        layout.offset += self.range.start as isize * layout.strides[self.axis];
        layout
    }

    /// The operand's part.
    fn operand(&mut self, operand: &Operand, depth: usize) -> Operand {
        let node = operand.node();
        if node.is_pending() {
            if depth < DEEPEST && is_plain(operand) && cuts(node, self.axis) {
                let part = self.node(node, depth);
                let view = Tensor::of(part.clone()).view;
                return Operand::new(part, view);
            }
            self.whole.push(node.clone());
        }
        operand.with_layout(self.narrow(&operand.view.layout))
    }

    fn node(&mut self, node: &NodeRef, depth: usize) -> NodeRef {
        if let Some(part) = self.made.get(&node.id) {
            return part.clone();
        }
        let mut operands: SmallVec<[Operand; 3]> = SmallVec::new();
        for (i, operand) in node.operands().iter().enumerate() {
            // The second operand of a product has no such axis.
            let kept = matches!(node.op, NodeOp::Contract { .. }) && i == 1;
            if kept && operand.node().is_pending() {
                self.whole.push(operand.node().clone());
            }
            operands.push(if kept { operand.clone() } else { self.operand(operand, depth + 1) });
        }
        let mut shape = node.shape.clone();
        shape[self.axis] = self.range.len();
        let part = Node::pending(node.op.clone(), operands, shape, node.dtype, node.span);
        self.made.insert(node.id, part.clone());
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::plan::build::{self, MapArg};
    use crate::tensor::{Buffer, DType, HostArray, View};
    use std::sync::Arc;

    fn leaf(shape: &[usize]) -> Tensor {
        let size: usize = shape.iter().product();
        let values: Vec<f32> = (0..size).map(|i| i as f32).collect();
        let buffer = Arc::new(Buffer::from_slice(&values).expect("small"));
        let layout = Layout::contiguous(shape).expect("small");
        Tensor::from_array(HostArray { buffer, view: View { layout, dtype: DType::F32, conj: false } }, None)
    }

    fn row(name: &str) -> &'static crate::op::MapRow {
        crate::op::map_row(name).expect("a row")
    }

    #[test]
    fn chains_are_cut_and_shared_nodes_once() {
        let x = leaf(&[6, 4]);
        let mut t = x.clone();
        for _ in 0..40 {
            // Each uses the one before twice: cutting must not double.
            let args = [MapArg::Operand(t.operand()), MapArg::Operand(t.operand())];
            t = Tensor::of(build::map(row("add"), &args, DType::F32, Span::default()).expect("adds"));
        }
        let slabs = Slabs::new(&t).expect("cuts");
        assert!(slabs.first().is_empty() && slabs.axis() == 0);
        let part = slabs.part(2..5);
        assert_eq!(part.shape(), [3, 4]);
        let operand = &part.cell.version().operands()[0];
        assert_eq!(operand.shape(), [3, 4]);
    }
}
