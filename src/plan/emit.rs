//! Steps for each stored node. Works from users to producers, so that what a step reads is wanted before its turn.

use super::epilogue::{Epilogue, pull_reduced, rounding};
use super::graph::{CopyReason, NodeOp, NodeRef, Operand};
use super::lower::Facts;
use super::pull::{Puller, Slot};
use super::rows;
use super::step::{Source, StepInput};
use crate::base::Span;
use crate::kernel::{CastMode, Contract, InstrOp, Kernel, Program, Reg};
use crate::op::Monoid;
use crate::tensor::{DType, Layout, Reshape, View};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A step before costs and buffers are settled.
pub struct Draft {
    pub kernel: Kernel,
    pub inputs: Vec<StepInput>,
    pub output: Source,
    pub out_view: View,
    pub copy: Option<CopyReason>,
    pub spans: Vec<Span>,
    pub begin: DraftBegin,
}

pub enum DraftBegin {
    Fresh,
    /// A write into a version: what it does not overwrite (or reads) must be there.
    Store {
        old: NodeRef,
        keeps: bool,
    },
    Begun,
}

/// The steps of every stored node, by node id, and the sizes of the temporaries.
pub struct Drafts {
    pub by_node: BTreeMap<u64, (NodeRef, Vec<Draft>)>,
    pub temps: Vec<u64>,
    pub inlined: HashMap<u64, NodeRef>,
}

pub struct Emitter<'a> {
    pub facts: &'a Facts,
    wanted: BTreeMap<u64, NodeRef>,
    drafts: Drafts,
    current: Vec<Draft>,
}

/// The expression that a step computes.
#[derive(Clone, Copy)]
pub enum Root<'a> {
    /// A map node.
    Node(&'a NodeRef),
    /// An operand as it is seen by its consumer.
    Edge { consumer: u64, number: usize, operand: &'a Operand },
}

impl Root<'_> {
    /// Pulls the program over the iteration shape whose axes are reordered by `order`.
    pub fn pull(&self, puller: &mut Puller, shape: &[usize], order: Option<&[i64]>) -> Option<Reg> {
        let reorder = |layout: Layout| match order {
            Some(order) => layout.permute(order).ok(),
            None => Some(layout),
        };
        match self {
            Root::Node(node) => puller.root(node, &reorder(Layout::contiguous(shape).ok()?)?),
            Root::Edge { consumer, number, operand } => {
                let mut view = operand.view.clone();
                view.layout = reorder(view.layout)?;
                Some(puller.edge(*consumer, *number, operand, view))
            }
        }
    }
}

/// Where a step writes.
pub struct Out {
    pub source: Source,
    pub view: View,
    pub begin: DraftBegin,
    /// The reason where the step turns out to only copy.
    pub copy: Option<CopyReason>,
}

impl<'a> Emitter<'a> {
    pub fn new(facts: &'a Facts) -> Self {
        let drafts = Drafts { by_node: BTreeMap::new(), temps: Vec::new(), inlined: HashMap::new() };
        Emitter { facts, wanted: BTreeMap::new(), drafts, current: Vec::new() }
    }

    /// Asks for a node to be stored; what is there already needs nothing.
    pub fn want(&mut self, node: &NodeRef) {
        if self.facts.is_pending(node) && !self.drafts.by_node.contains_key(&node.id) {
            self.wanted.insert(node.id, node.clone());
        }
    }

    pub fn run(&mut self) {
        while let Some((id, node)) = self.wanted.pop_last() {
            self.emit(&node);
            let steps = std::mem::take(&mut self.current);
            self.drafts.by_node.insert(id, (node, steps));
        }
    }

    pub fn finish(self) -> Drafts {
        self.drafts
    }

    fn emit(&mut self, node: &NodeRef) {
        let operands = node.operands();
        match &node.op {
            NodeOp::Leaf => {}
            NodeOp::Map(_) => {
                let out = self.whole(node, node.copy.clone());
                self.elementwise(Root::Node(node), &node.shape, out);
            }
            NodeOp::Reduce { .. } => self.reduce(node, None),
            NodeOp::Contract { .. } => self.contract(node, None),
            NodeOp::Assemble { parts, .. } => self.assemble(node, &operands, parts),
            NodeOp::Store { dest } => self.store(node, &operands, dest),
            NodeOp::Put { .. } => self.put(node, &operands),
            NodeOp::Take { indices } => {
                let kernel = Kernel::Take { shape: node.shape.clone(), indices: indices.clone() };
                let inputs = operands.iter().map(|o| self.input(o)).collect();
                let out = self.whole(node, None);
                self.push(kernel, inputs, out, vec![node.span]);
            }
            NodeOp::Scan { axis, monoid, acc } => self.scan(node, &operands[0], *axis, *monoid, *acc),
            NodeOp::Sort { axis, indices, descending } => self.sort(node, &operands[0], *axis, *indices, *descending),
            NodeOp::Call(call) => {
                let inputs =
                    operands.iter().enumerate().map(|(i, o)| self.contiguous(node.id, i, o, call.name())).collect();
                let kernel = Kernel::Call { call: call.clone(), shape: node.shape.clone() };
                let out = self.whole(node, None);
                self.push(kernel, inputs, out, vec![node.span]);
            }
        }
    }

    pub fn whole(&self, node: &NodeRef, copy: Option<CopyReason>) -> Out {
        let layout = Layout::contiguous(&node.shape).unwrap_or_default();
        let view = View { layout, dtype: node.dtype, conj: false };
        Out { source: Source::Node(node.clone()), view, begin: DraftBegin::Fresh, copy }
    }

    fn temp(&mut self, shape: &[usize], dtype: DType, copy: CopyReason) -> Out {
        let layout = Layout::contiguous(shape).unwrap_or_default();
        self.drafts.temps.push((layout.size() * dtype.size()) as u64);
        let source = Source::Temp(self.drafts.temps.len() - 1);
        let view = View { layout, dtype, conj: false };
        Out { source, view, begin: DraftBegin::Fresh, copy: Some(copy) }
    }

    /// An operand read as it is.
    fn input(&self, operand: &Operand) -> StepInput {
        StepInput {
            source: Source::Node(operand.node().clone()),
            view: operand.view.clone(),
            origin: operand.origin.clone(),
        }
    }

    /// Inputs of a pulled program.
    pub fn inputs(&mut self, puller: &Puller) -> Vec<StepInput> {
        for (id, node) in &puller.nodes {
            if !puller.slots.iter().any(|s| s.node_id == *id) {
                self.drafts.inlined.insert(*id, node.clone());
            }
        }
        let slot = |s: &Slot| StepInput {
            source: Source::Node(puller.nodes[&s.node_id].clone()),
            view: s.view.clone(),
            origin: s.origin.clone(),
        };
        puller.slots.iter().map(slot).collect()
    }

    /// A step is settled: what it reads is wanted.
    pub fn push(&mut self, kernel: Kernel, inputs: Vec<StepInput>, out: Out, spans: Vec<Span>) {
        for input in &inputs {
            if let Source::Node(node) = &input.source {
                self.want(node);
            }
        }
        let copies = matches!(&kernel, Kernel::Map { program, .. } if program.is_identity());
        self.current.push(Draft {
            kernel,
            inputs,
            output: out.source,
            out_view: out.view,
            copy: out.copy.filter(|_| copies),
            spans,
            begin: out.begin,
        });
    }

    /// One elementwise result: inside the reduction or product that feeds it, as a row-fused kernel, or as a map.
    pub fn elementwise(&mut self, root: Root, shape: &[usize], out: Out) {
        let mut puller = Puller::new(self.facts);
        let Some(reg) = root.pull(&mut puller, shape, None) else { return };
        if let Some(core) = self.core(&puller)
            && self.host(&core, root, shape, &out)
        {
            return;
        }
        if let Some(fused) = rows::fuse_map(self.facts, root, shape, &puller, &out.view) {
            let inputs = self.inputs(&fused.puller);
            let out = Out { view: fused.out_view, ..out };
            self.push(Kernel::RowFused(fused.kernel), inputs, out, fused.puller.spans);
            return;
        }
        let inputs = self.inputs(&puller);
        let spans = std::mem::take(&mut puller.spans);
        let program = puller.take_program(reg);
        self.push(Kernel::Map { shape: shape.into(), program }, inputs, out, spans);
    }

    /// A reduction or product that only this program reads, element by element: it can take the program as epilogue.
    fn core(&self, puller: &Puller) -> Option<NodeRef> {
        let fits = |slot: &Slot| {
            let node = &puller.nodes[&slot.node_id];
            let view = &slot.view;
            view.layout.is_contiguous()
                && view.layout.offset == 0
                && view.layout.size() == node.size()
                && view.dtype == node.dtype
                && !view.conj
        };
        let mut best: Option<&NodeRef> = None;
        for slot in &puller.slots {
            let node = &puller.nodes[&slot.node_id];
            let hosts = matches!(node.op, NodeOp::Reduce { .. } | NodeOp::Contract { .. });
            if !hosts || !self.facts.is_pending(node) || node.held() || self.facts.targets.contains(&node.id) {
                continue;
            }
            let only_here = self.facts.is_closed(node.id, &puller.edges, &[]);
            if only_here && puller.slots.iter().filter(|s| s.node_id == node.id).all(fits) {
                let heavier = matches!(node.op, NodeOp::Contract { .. });
                if best.is_none_or(|b| heavier && !matches!(b.op, NodeOp::Contract { .. })) {
                    best = Some(node);
                }
            }
        }
        best.cloned()
    }

    /// Emits `core` with the root's program as its epilogue; false where the shapes stand in the way.
    fn host(&mut self, core: &NodeRef, root: Root, shape: &[usize], out: &Out) -> bool {
        let mut puller = Puller::new(self.facts);
        puller.carries.insert(core.id, 0);
        let Some(reg) = root.pull(&mut puller, shape, None) else { return false };
        let Some(view) = reshaped(&out.view, &core.shape) else { return false };
        for slot in &mut puller.slots {
            match reshaped(&slot.view, &core.shape) {
                Some(view) => slot.view = view,
                None => return false,
            }
        }
        let inputs = self.inputs(&puller);
        let spans = std::mem::take(&mut puller.spans);
        let program = puller.take_program(reg);
        let begin = match &out.begin {
            DraftBegin::Fresh => DraftBegin::Fresh,
            DraftBegin::Begun => DraftBegin::Begun,
            DraftBegin::Store { old, keeps } => DraftBegin::Store { old: old.clone(), keeps: *keeps },
        };
        let out = Out { source: out.source.clone(), view, begin, copy: None };
        let epilogue = Epilogue { program, edges: puller.edges, inputs, out, spans };
        match core.op {
            NodeOp::Contract { .. } => self.contract(core, Some(epilogue)),
            _ => self.reduce(core, Some(epilogue)),
        }
        true
    }

    fn contract(&mut self, node: &NodeRef, epilogue: Option<Epilogue>) {
        let NodeOp::Contract { batch, m, n, k, acc } = node.op else { return };
        let operands = node.operands();
        let (a, b) = (operands[0].shape(), operands[1].shape());
        let mut inputs = vec![self.input(&operands[0]), self.input(&operands[1])];
        let mut spans = vec![node.span];
        let (program, out) = match epilogue {
            Some(mut e) => {
                e.program.shift_slots(2);
                inputs.extend(e.inputs);
                spans.splice(0..0, e.spans);
                (Some(e.program), e.out)
            }
            None => (None, self.whole(node, None)),
        };
        let kernel = Kernel::Contract(Contract {
            batch: a[..batch].into(),
            m: a[batch..batch + m].into(),
            n: b[batch..batch + n].into(),
            k: a[a.len() - k..].into(),
            acc,
            product: node.dtype,
            epilogue: program,
        });
        self.push(kernel, inputs, out, spans);
    }

    fn reduce(&mut self, node: &NodeRef, epilogue: Option<Epilogue>) {
        let NodeOp::Reduce { kept, monoid, acc } = node.op else { return };
        let mut puller = Puller::new(self.facts);
        let Some((reg, shape)) = pull_reduced(&mut puller, node) else { return };
        let mut epilogue = match epilogue {
            Some(e) => e,
            None => {
                let out = self.whole(node, None);
                Epilogue {
                    program: rounding(acc, node.dtype, node.span),
                    edges: HashSet::new(),
                    inputs: Vec::new(),
                    out,
                    spans: Vec::new(),
                }
            }
        };
        if let Some(fused) = rows::fuse_reduce(self.facts, node, &shape, kept, &puller, &mut epilogue) {
            let inputs = self.inputs(&fused.puller).into_iter().chain(fused.more).collect();
            let mut spans = epilogue.spans;
            spans.extend(fused.puller.spans);
            self.push(Kernel::RowFused(fused.kernel), inputs, epilogue.out, spans);
            return;
        }
        let mut inputs = self.inputs(&puller);
        let program_inputs = inputs.len();
        epilogue.program.shift_slots(program_inputs);
        inputs.extend(epilogue.inputs);
        let mut spans = epilogue.spans;
        spans.push(node.span);
        spans.append(&mut puller.spans);
        let program = puller.take_program(reg);
        let epilogue_program = (!epilogue.program.is_carry()).then_some(epilogue.program);
        let kernel = Kernel::Reduce { shape, kept, program, program_inputs, monoid, acc, epilogue: epilogue_program };
        self.push(kernel, inputs, epilogue.out, spans);
    }

    fn assemble(&mut self, node: &NodeRef, operands: &[Operand], parts: &[Layout]) {
        let mut begun = false;
        for (i, (operand, part)) in operands.iter().zip(parts).enumerate() {
            let mut out = self.whole(node, None);
            out.view.layout = part.clone();
            if begun {
                out.begin = DraftBegin::Begun;
            }
            begun = true;
            self.elementwise(Root::Edge { consumer: node.id, number: i, operand }, operand.shape(), out);
        }
    }

    /// A write runs into the old version's buffer. Where its kernel also reads that buffer, other than element by
    /// element through the destination's own layout, the value is finished in a temporary first.
    fn store(&mut self, node: &NodeRef, operands: &[Operand], dest: &View) {
        let (old, value) = (operands[0].node(), &operands[1]);
        let mut out = self.whole(node, None);
        // The value was conjugated already where the destination is a conjugated view.
        out.view = View { conj: false, ..dest.clone() };
        let dest = out.view.clone();
        out.begin = DraftBegin::Begun;
        self.elementwise(Root::Edge { consumer: node.id, number: 1, operand: value }, value.shape(), out);
        let Some(draft) = self.current.last_mut() else { return };
        let mut reads = draft.inputs.iter().filter(|i| i.source.same(&Source::Node(old.clone())));
        let in_place = matches!(draft.kernel, Kernel::Map { .. });
        let hazard = reads.clone().any(|i| !in_place || i.view != dest);
        let reads_old = reads.next().is_some();
        let covers = dest.layout.size() * dest.dtype.size() == old.nbytes();
        let keeps = !covers || (reads_old && !hazard);
        draft.begin = DraftBegin::Store { old: old.clone(), keeps };
        if hazard {
            self.detour(node, old, keeps);
        }
        if keeps {
            self.want(old);
        }
    }

    /// Sends the last draft's result through a temporary. Both steps walk in the draft's order of axes, which is not
    /// that of the destination where rows were fused along another axis than the last.
    fn detour(&mut self, node: &NodeRef, old: &NodeRef, keeps: bool) {
        let Some(target) = self.current.last().map(|d| d.out_view.clone()) else { return };
        let temp = self.temp(&target.layout.shape, target.dtype, CopyReason::Overlap);
        let Some(draft) = self.current.last_mut() else { return };
        draft.output = temp.source.clone();
        draft.out_view = temp.view.clone();
        draft.begin = DraftBegin::Fresh;
        let kernel = Kernel::Map { shape: target.layout.shape.clone(), program: identity(target.dtype, node.span) };
        let mut out = self.whole(node, temp.copy);
        out.view = target;
        out.begin = DraftBegin::Store { old: old.clone(), keeps };
        self.push(kernel, vec![StepInput { source: temp.source, view: temp.view, origin: None }], out, vec![node.span]);
    }

    fn put(&mut self, node: &NodeRef, operands: &[Operand]) {
        let NodeOp::Put { dest, indices, accumulate } = &node.op else { return };
        let (old, value) = (operands[0].node(), &operands[1]);
        self.want(old);
        let mut inputs = vec![if value.node().id == old.id {
            let temp = self.temp(value.shape(), value.view.dtype, CopyReason::Overlap);
            let input = StepInput { source: temp.source.clone(), view: temp.view.clone(), origin: None };
            self.elementwise(Root::Edge { consumer: node.id, number: 1, operand: value }, value.shape(), temp);
            input
        } else {
            self.input(value)
        }];
        for positions in &operands[2..] {
            inputs.push(self.input(positions));
        }
        let shape = value.shape().into();
        let kernel = Kernel::Put { shape, indices: indices.clone(), accumulate: *accumulate };
        let mut out = self.whole(node, None);
        out.view = View { conj: false, ..dest.clone() };
        out.begin = DraftBegin::Store { old: old.clone(), keeps: true };
        self.push(kernel, inputs, out, vec![node.span]);
    }

    fn scan(&mut self, node: &NodeRef, operand: &Operand, axis: usize, monoid: Monoid, acc: DType) {
        let order = last(axis, node.shape.len());
        let mut puller = Puller::new(self.facts);
        let root = Root::Edge { consumer: node.id, number: 0, operand };
        let Some(reg) = root.pull(&mut puller, &node.shape, Some(&order)) else { return };
        let reg = super::build::cast_reg(&mut puller.program, reg, acc, CastMode::Wrap, node.span);
        let mut out = self.whole(node, None);
        let Ok(layout) = out.view.layout.permute(&order) else { return };
        out.view.layout = layout;
        let inputs = self.inputs(&puller);
        let mut spans = vec![node.span];
        spans.append(&mut puller.spans);
        let program = puller.take_program(reg);
        let kernel = Kernel::Scan { shape: out.view.layout.shape.clone(), program, monoid, acc };
        self.push(kernel, inputs, out, spans);
    }

    fn sort(&mut self, node: &NodeRef, operand: &Operand, axis: usize, indices: bool, descending: bool) {
        let order = last(axis, node.shape.len());
        let mut out = self.whole(node, None);
        let packed = operand.node().packed().is_some();
        let mut input = if packed { self.contiguous(node.id, 0, operand, "sort") } else { self.input(operand) };
        if let (Ok(to), Ok(from)) = (out.view.layout.permute(&order), input.view.layout.permute(&order)) {
            (out.view.layout, input.view.layout) = (to, from);
        }
        let kernel = Kernel::Sort { shape: out.view.layout.shape.clone(), indices, descending };
        self.push(kernel, vec![input], out, vec![node.span]);
    }

    /// The one place where a kernel's need for contiguous data makes a materialize step.
    fn contiguous(&mut self, consumer: u64, number: usize, operand: &Operand, kernel: &str) -> StepInput {
        let view = &operand.view;
        let plain = operand.node().packed().is_none();
        let is_whole = plain && view.layout.is_contiguous() && !view.conj && view.dtype == operand.node().dtype;
        if is_whole && !self.facts.inlines(operand.node()) {
            return self.input(operand);
        }
        let reason = CopyReason::NeedsContiguous { kernel: kernel.to_owned() };
        let temp = self.temp(operand.shape(), view.dtype, reason);
        let input = StepInput { source: temp.source.clone(), view: temp.view.clone(), origin: None };
        self.elementwise(Root::Edge { consumer, number, operand }, operand.shape(), temp);
        input
    }
}

pub fn identity(dtype: DType, span: Span) -> Program {
    let mut program = Program::default();
    program.output = program.push(InstrOp::Load(0), &[], dtype, span);
    program
}

/// The axes with `axis` moved to the end.
fn last(axis: usize, ndim: usize) -> Vec<i64> {
    (0..ndim).filter(|a| *a != axis).chain([axis]).map(|a| a as i64).collect()
}

/// The same elements in the same order under another shape, where strides can express it.
pub fn reshaped(view: &View, shape: &[usize]) -> Option<View> {
    let wanted: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    match view.layout.reshape(&wanted) {
        Ok(Reshape::View(layout)) => Some(View { layout, ..view.clone() }),
        _ => None,
    }
}
