//! Fusion: the program of a kernel is pulled together from the elementwise nodes behind its operands.

use super::graph::{NodeOp, NodeRef, Operand};
use super::lower::{Edge, Facts};
use crate::base::Span;
use crate::kernel::{CastMode, InstrOp, Program, Reg};
use crate::tensor::{DType, Layout, View};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A program holds at most this many instructions and reads at most this many operands.
const MAX_INSTRS: usize = 512;
const MAX_SLOTS: usize = 48;

/// What a kernel reads: a node through a view of the iteration shape.
#[derive(Clone)]
pub struct Slot {
    pub node_id: u64,
    pub view: View,
    pub origin: Option<Arc<str>>,
}

/// Pulls programs over one iteration shape. Several programs (the phases of row-fused kernels) share the slots.
pub struct Puller<'a> {
    facts: &'a Facts,
    pub program: Program,
    pub slots: Vec<Slot>,
    pub nodes: HashMap<u64, NodeRef>,
    /// Inlined node and its layout -> its register in the current program.
    pub memo: HashMap<(u64, Layout), Reg>,
    /// Edges that were walked: consumer and operand number -> producer.
    pub edges: HashSet<Edge>,
    /// Expressions computed here.
    pub spans: Vec<Span>,
    /// Nodes that stand in the row scalars of a row-fused kernel.
    pub carries: HashMap<u64, usize>,
    /// Values shared between phases: their temp once one is made.
    pub shared: HashMap<(u64, Layout), Option<usize>>,
    pub saves: Vec<(Reg, usize, DType)>,
    pub temps: usize,
}

impl<'a> Puller<'a> {
    pub fn new(facts: &'a Facts) -> Self {
        Puller {
            facts,
            program: Program::default(),
            slots: Vec::new(),
            nodes: HashMap::new(),
            memo: HashMap::new(),
            edges: HashSet::new(),
            spans: Vec::new(),
            carries: HashMap::new(),
            shared: HashMap::new(),
            saves: Vec::new(),
            temps: 0,
        }
    }

    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// Ends the current program; slots, edges and temps go on.
    pub fn take_program(&mut self, output: Reg) -> Program {
        self.memo.clear();
        let mut program = std::mem::take(&mut self.program);
        program.output = output;
        program
    }

    /// The elements of `operand` of `consumer`, over the consumer's iteration shape.
    pub fn operand(&mut self, consumer: u64, number: usize, operand: &Operand) -> Reg {
        self.edge(consumer, number, operand, operand.view.clone())
    }

    /// The same through another view of the operand's node.
    pub fn edge(&mut self, consumer: u64, number: usize, operand: &Operand, view: View) -> Reg {
        let node = operand.node();
        self.edges.insert((consumer, number, node.id));
        if let Some(reg) = self.inlined(node, &view) {
            return if view.conj { self.conjugate(reg, node.dtype) } else { reg };
        }
        self.load(operand, view)
    }

    /// The body of a map node over `layout`, a layout of the iteration shape over the node's own elements.
    pub fn root(&mut self, node: &NodeRef, layout: &Layout) -> Option<Reg> {
        let NodeOp::Map(body) = &node.op else { return None };
        let operands = node.operands();
        let mut views = Vec::with_capacity(operands.len());
        for operand in &operands {
            let composed = layout.compose(&node.shape, &operand.view.layout)?;
            views.push(View { layout: composed, dtype: operand.view.dtype, conj: operand.view.conj });
        }
        let mut regs: Vec<Reg> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let args: Vec<Reg> = instr.args.iter().map(|&a| regs[a as usize]).collect();
            regs.push(match &instr.op {
                InstrOp::Load(i) => self.edge(node.id, *i, &operands[*i], views[*i].clone()),
                InstrOp::Position(i) => {
                    self.edges.insert((node.id, *i, operands[*i].node().id));
                    let slot = self.slot(&operands[*i], views[*i].clone());
                    self.program.push(InstrOp::Position(slot), &[], instr.dtype, instr.span)
                }
                op => self.program.push(op.clone(), &args, instr.dtype, instr.span),
            });
        }
        if !self.spans.contains(&node.span) {
            self.spans.push(node.span);
        }
        regs.get(body.output as usize).copied()
    }

    fn inlined(&mut self, node: &NodeRef, view: &View) -> Option<Reg> {
        if view.dtype != node.dtype || !self.facts.inlines(node) || self.carries.contains_key(&node.id) {
            return None;
        }
        if self.program.instrs.len() > MAX_INSTRS || self.slots.len() > MAX_SLOTS {
            return None;
        }
        let key = (node.id, view.layout.clone());
        if let Some(&reg) = self.memo.get(&key) {
            return Some(reg);
        }
        if let Some(Some(temp)) = self.shared.get(&key) {
            let reg = self.program.push(InstrOp::Temp(*temp), &[], node.dtype, node.span);
            self.memo.insert(key, reg);
            return Some(reg);
        }
        if !self.composes(node, &view.layout) {
            return None;
        }
        let reg = self.root(node, &view.layout)?;
        self.nodes.insert(node.id, node.clone());
        if let Some(temp @ None) = self.shared.get_mut(&key) {
            *temp = Some(self.temps);
            self.saves.push((reg, self.temps, node.dtype));
            self.temps += 1;
        }
        self.memo.insert(key, reg);
        Some(reg)
    }

    fn composes(&self, node: &NodeRef, layout: &Layout) -> bool {
        node.operands().iter().all(|o| layout.compose(&node.shape, &o.view.layout).is_some())
    }

    fn load(&mut self, operand: &Operand, view: View) -> Reg {
        let node = operand.node();
        if let Some(&carry) = self.carries.get(&node.id) {
            return self.carry(carry, node);
        }
        let dtype = view.dtype;
        let slot = self.slot(operand, view);
        self.program.push(InstrOp::Load(slot), &[], dtype, node.span)
    }

    /// A row scalar: reduced in the accumulator's dtype, rounded to the node's.
    fn carry(&mut self, carry: usize, node: &NodeRef) -> Reg {
        let acc = match node.op {
            NodeOp::Reduce { acc, .. } => acc,
            _ => node.dtype,
        };
        let reg = self.program.push(InstrOp::Carry(carry), &[], acc, node.span);
        super::build::cast_reg(&mut self.program, reg, node.dtype, CastMode::Wrap, node.span)
    }

    fn slot(&mut self, operand: &Operand, view: View) -> usize {
        let node = operand.node();
        self.nodes.entry(node.id).or_insert_with(|| node.clone());
        match self.slots.iter().position(|s| s.node_id == node.id && s.view == view) {
            Some(i) => i,
            None => {
                self.slots.push(Slot { node_id: node.id, view, origin: operand.origin.clone() });
                self.slots.len() - 1
            }
        }
    }

    fn conjugate(&mut self, reg: Reg, dtype: DType) -> Reg {
        match crate::op::map_row("conj") {
            Some(row) if dtype.is_complex() => self.program.push(InstrOp::Row(row), &[reg], dtype, Span::default()),
            _ => reg,
        }
    }
}
