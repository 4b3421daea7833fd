//! `:trap nan on`: each operation runs at once, and the first that makes a NaN from numbers stops the program.

use super::Eval;
use crate::base::Diag;
use crate::kernel::InstrOp;
use crate::plan::{NodeOp, NodeRef, Operand};
use crate::tensor::{DType, HostArray, Layout, Scalar, View, coordinates};

impl Eval<'_> {
    /// Computes a new node and looks for NaN that its operands do not explain. What is found waits for the end of the
    /// expression.
    pub(super) fn trap_nan(&mut self, node: &NodeRef) {
        let operands = node.operands();
        // A fault stays with the node, as ever.
        if self.run(std::slice::from_ref(node)).is_err() || !can_be_nan(node.dtype) || asks_for_nan(&node.op) {
            return;
        }
        let arrays: Vec<HostArray> = operands.iter().filter_map(seen).collect();
        let elementwise = matches!(node.op, NodeOp::Map(_));
        // Elsewhere any element may come from any other.
        if arrays.is_empty() || !elementwise && arrays.iter().any(has_nan) {
            return;
        }
        let Some(result) = whole(node) else { return };
        let from_nan = |at: usize| elementwise && arrays.iter().any(|a| is_nan(a.get(at)));
        let Some(at) = (0..node.size()).find(|&i| is_nan(result.get(i)) && !from_nan(i)) else { return };
        let mut diag =
            Diag::new("E0509", "this makes a NaN from numbers").label(node.span, "the first NaN is made here");
        if !node.shape.is_empty() {
            diag = diag.note(format!("first at position {:?}", coordinates(at, &node.shape)));
        }
        if elementwise {
            let values: Vec<String> = arrays.iter().map(|a| shown(a.get(at))).collect();
            diag = diag.note(format!("of the operands {}", values.join(" and ")));
        }
        self.state.trapped.get_or_insert(Box::new(diag.hint("`:trap nan off` lets it pass")));
    }
}

fn can_be_nan(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// Whether NaN is written in the operation itself: `x * nan`, `where(c, x, nan)`.
fn asks_for_nan(op: &NodeOp) -> bool {
    let NodeOp::Map(program) = op else { return false };
    program.instrs.iter().any(|i| matches!(&i.op, InstrOp::Const(value) if is_nan(*value)))
}

fn is_nan(value: Scalar) -> bool {
    match value {
        Scalar::Float(x) => x.is_nan(),
        Scalar::Complex(z) => z.re.is_nan() || z.im.is_nan(),
        _ => false,
    }
}

fn has_nan(array: &HostArray) -> bool {
    (0..array.view.layout.size()).any(|i| is_nan(array.get(i)))
}

/// All of a computed node.
fn whole(node: &NodeRef) -> Option<HostArray> {
    let layout = Layout::contiguous(&node.shape).ok()?;
    Some(HostArray { buffer: node.buffer()?, view: View { layout, dtype: node.dtype, conj: false } })
}

fn seen(operand: &Operand) -> Option<HostArray> {
    Some(HostArray { buffer: operand.node().buffer()?, view: operand.view.clone() })
}

fn shown(value: Scalar) -> String {
    match value {
        Scalar::Complex(z) => z.to_string(),
        other => other.to_f64().to_string(),
    }
}
