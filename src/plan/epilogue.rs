//! What reductions take in, and what becomes of each result of a reduction or product in the same kernel.

use super::emit::Out;
use super::graph::{NodeOp, NodeRef, Operand};
use super::lower::Edge;
use super::pull::Puller;
use super::step::StepInput;
use crate::base::Span;
use crate::kernel::{CastMode, InstrOp, Program, Reg};
use crate::op::Monoid;
use crate::tensor::{DType, Layout, Shape};
use std::collections::HashSet;

/// What a reduction or product does with each result.
pub struct Epilogue {
    pub program: Program,
    /// Edges that were walked to pull it.
    pub edges: HashSet<Edge>,
    /// Views have the shape of the results.
    pub inputs: Vec<StepInput>,
    pub out: Out,
    pub spans: Vec<Span>,
}

/// Pulls what a reduce node reduces, cast to the accumulator's dtype, and the `[kept…, reduced…]` shape. Reductions of
/// reductions by the same monoid are one.
pub fn pull_reduced(puller: &mut Puller, node: &NodeRef) -> Option<(Reg, Shape)> {
    let NodeOp::Reduce { monoid, acc, .. } = node.op else { return None };
    let mut operand = node.operands().first()?.clone();
    let mut consumer = node.id;
    while let Some(merged) = merged(puller, &operand, monoid, acc) {
        puller.edges.insert((consumer, 0, operand.node().id));
        consumer = operand.node().id;
        puller.nodes.insert(consumer, operand.node().clone());
        operand = merged;
    }
    let shape: Shape = operand.shape().into();
    let reg = puller.operand(consumer, 0, &operand);
    Some((reduced_cast(puller, reg, monoid, acc, node.span), shape))
}

pub fn reduced_cast(puller: &mut Puller, reg: Reg, monoid: Monoid, acc: DType, span: Span) -> Reg {
    let dtype = match monoid {
        Monoid::ArgMin | Monoid::ArgMax => return reg,
        Monoid::Or | Monoid::And => DType::Bool,
        _ => acc,
    };
    super::build::cast_reg(&mut puller.program, reg, dtype, CastMode::Wrap, span)
}

fn merged(puller: &Puller, operand: &Operand, outer: Monoid, outer_acc: DType) -> Option<Operand> {
    let node = operand.node();
    let NodeOp::Reduce { kept, monoid, acc } = node.op else { return None };
    let alone = puller.facts().is_pending(node) && puller.facts().uses(node.id) == 1 && !node.held();
    let exact = acc == node.dtype && acc == outer_acc && operand.view.dtype == node.dtype && !operand.view.conj;
    let arg = matches!(monoid, Monoid::ArgMin | Monoid::ArgMax);
    if monoid != outer || arg || !alone || !exact || puller.facts().targets.contains(&node.id) {
        return None;
    }
    let inner = node.operands().first()?.clone();
    let whole = &inner.view.layout;
    let kept_part =
        Layout { shape: whole.shape[..kept].into(), strides: whole.strides[..kept].into(), offset: whole.offset };
    let mut layout = operand.view.layout.compose(&node.shape, &kept_part)?;
    layout.shape.extend_from_slice(&whole.shape[kept..]);
    layout.strides.extend_from_slice(&whole.strides[kept..]);
    Some(inner.with_layout(layout))
}

/// Hands the accumulated value on, rounded to the node's dtype.
pub fn rounding(acc: DType, dtype: DType, span: Span) -> Program {
    let mut program = Program::default();
    let reg = program.push(InstrOp::Carry(0), &[], acc, span);
    program.output = super::build::cast_reg(&mut program, reg, dtype, CastMode::Wrap, span);
    program
}
