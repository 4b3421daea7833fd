//! Row-fused kernels: reductions whose users run over the same rows join them, one pass over memory.

use super::emit::{Root, reshaped};
use super::epilogue::{Epilogue, pull_reduced, reduced_cast};
use super::graph::{NodeOp, NodeRef};
use super::lower::{Edge, Facts};
use super::pull::{Puller, Slot};
use super::step::{Source, StepInput};
use crate::kernel::{InstrOp, Last, Phase, Program, RowFused};
use crate::op::Monoid;
use crate::tensor::{Layout, Shape, View};
use std::collections::{HashMap, HashSet};

/// A row must stay in cache between its phases.
const MAX_ROW: usize = 1 << 16;
/// A single row longer than this is better reduced by all threads, phase by phase.
const MAX_SINGLE_ROW: usize = 1 << 12;
/// Values dearer than this (in additions) are kept between phases rather than computed again.
const KEEP_COST: u64 = 6;

/// A finished row-fused kernel; `puller` holds its slots.
pub struct Fused<'a> {
    pub kernel: RowFused,
    pub puller: Puller<'a>,
    pub out_view: View,
    /// Inputs behind the puller's slots.
    pub more: Vec<StepInput>,
}

/// The map `root` over `shape`, with the reductions that it reads row by row.
pub fn fuse_map<'a>(
    facts: &'a Facts,
    root: Root,
    shape: &[usize],
    plain: &Puller,
    out_view: &View,
) -> Option<Fused<'a>> {
    let order = plain.slots.iter().find_map(|slot| row_order(facts, &plain.nodes[&slot.node_id], &slot.view.layout))?;
    let (order, kept) = order;
    let layout = out_view.layout.permute(&order).ok()?;
    let rows = Rows { facts, shape: layout.shape.clone(), kept };
    if !rows.worth_it() {
        return None;
    }
    let pull_root = |puller: &mut Puller| root.pull(puller, shape, Some(&order));
    let absorbed = rows.absorb(&pull_root, &Read::default())?;
    let (phases, mut puller) = rows.phases(&absorbed, &pull_root)?;
    let reg = pull_root(&mut puller)?;
    let program = puller.take_program(reg);
    let out_view = View { layout, ..out_view.clone() };
    Some(rows.finish(phases, Last::Map(program), puller, out_view, Vec::new()))
}

/// The reduction `core` and its epilogue, with the reductions that its program reads row by row.
pub fn fuse_reduce<'a>(
    facts: &'a Facts,
    core: &NodeRef,
    shape: &Shape,
    kept: usize,
    plain: &Puller,
    epilogue: &mut Epilogue,
) -> Option<Fused<'a>> {
    let rows = Rows { facts, shape: shape.clone(), kept };
    let candidate = |slot: &Slot| rows.is_row_scalar(&plain.nodes[&slot.node_id], &slot.view);
    if !rows.worth_it() || is_arg(core) || !plain.slots.iter().any(candidate) {
        return None;
    }
    let pull_core = |puller: &mut Puller| pull_reduced(puller, core).map(|(reg, _)| reg);
    let read = Read { inputs: epilogue.inputs.clone(), edges: epilogue.edges.clone() };
    let absorbed = rows.absorb(&pull_core, &read)?;
    let (mut phases, mut puller) = rows.phases(&absorbed, &pull_core)?;
    let NodeOp::Reduce { monoid, acc, .. } = core.op else { return None };
    let reg = pull_core(&mut puller)?;
    let saves = std::mem::take(&mut puller.saves);
    let program = puller.take_program(reg);
    phases.push(Phase { program, monoid, acc, saves: saves.iter().map(|(r, t, _)| (*r, *t)).collect() });
    puller.spans.push(core.span);
    // The epilogue's own carry is the last phase; what it reads of absorbed reductions are carries too.
    let position: HashMap<u64, usize> = absorbed.iter().enumerate().map(|(i, n)| (n.id, i)).collect();
    let more = row_inputs(epilogue, &position, absorbed.len(), puller.slots.len(), &rows)?;
    let last = Last::Row(std::mem::take(&mut epilogue.program));
    let out_view = epilogue.out.view.clone();
    Some(rows.finish(phases, last, puller, out_view, more))
}

/// Rewrites an epilogue for its place behind the phases; gives the inputs that remain, stretched over the full shape.
fn row_inputs(
    epilogue: &mut Epilogue,
    absorbed: &HashMap<u64, usize>,
    core: usize,
    first_slot: usize,
    rows: &Rows,
) -> Option<Vec<StepInput>> {
    let mut more = Vec::new();
    let mut moved: Vec<InstrOp> = Vec::new();
    for input in &epilogue.inputs {
        let carry = match &input.source {
            Source::Node(node) => absorbed.get(&node.id),
            Source::Temp(_) => None,
        };
        moved.push(match carry {
            Some(&i) => InstrOp::Carry(i),
            None => {
                let mut view = reshaped(&input.view, &rows.shape[..rows.kept])?;
                view.layout.push_broadcast(&rows.shape[rows.kept..]);
                more.push(StepInput { source: input.source.clone(), view, origin: input.origin.clone() });
                InstrOp::Load(first_slot + more.len() - 1)
            }
        });
    }
    for instr in &mut epilogue.program.instrs {
        instr.op = match &instr.op {
            InstrOp::Carry(_) => InstrOp::Carry(core),
            InstrOp::Load(i) => moved.get(*i)?.clone(),
            InstrOp::Position(i) => match moved.get(*i)? {
                InstrOp::Load(slot) => InstrOp::Position(*slot),
                _ => return None,
            },
            op => op.clone(),
        };
    }
    Some(more)
}

fn is_arg(node: &NodeRef) -> bool {
    matches!(node.op, NodeOp::Reduce { monoid: Monoid::ArgMin | Monoid::ArgMax, .. })
}

/// The order of axes that puts first those along which a reduced value is spread, and how many come first: those of
/// stride 0 are the reduced ones.
fn row_order(facts: &Facts, node: &NodeRef, layout: &Layout) -> Option<(Vec<i64>, usize)> {
    if !matches!(node.op, NodeOp::Reduce { .. }) || !facts.is_pending(node) || is_arg(node) {
        return None;
    }
    let reduced = |a: usize| layout.strides[a] == 0 && layout.shape[a] > 1;
    let kept: Vec<i64> = (0..layout.ndim()).filter(|&a| !reduced(a)).map(|a| a as i64).collect();
    let count = kept.len();
    let order: Vec<i64> =
        kept.into_iter().chain((0..layout.ndim()).filter(|&a| reduced(a)).map(|a| a as i64)).collect();
    (count < order.len()).then_some((order, count))
}

/// What an epilogue reads, and the edges that were walked to it.
#[derive(Default)]
struct Read {
    inputs: Vec<StepInput>,
    edges: HashSet<Edge>,
}

type Pull<'p> = &'p dyn Fn(&mut Puller) -> Option<u16>;

struct Rows<'a> {
    facts: &'a Facts,
    /// `[kept…, reduced…]`
    shape: Shape,
    kept: usize,
}

impl<'a> Rows<'a> {
    fn worth_it(&self) -> bool {
        let length: usize = self.shape[self.kept..].iter().product();
        let rows: usize = self.shape[..self.kept].iter().product();
        length > 0 && length <= MAX_ROW && (rows > 1 || length <= MAX_SINGLE_ROW)
    }

    /// A reduction of exactly these rows, spread over each of them.
    fn is_row_scalar(&self, node: &NodeRef, view: &View) -> bool {
        let NodeOp::Reduce { kept, .. } = node.op else { return false };
        let facts = self.facts;
        if !facts.is_pending(node) || node.held() || facts.targets.contains(&node.id) || is_arg(node) {
            return false;
        }
        let layout = &view.layout;
        let spread = (self.kept..layout.ndim()).all(|a| layout.strides[a] == 0 || layout.shape[a] == 1);
        let head = Layout {
            shape: layout.shape[..self.kept].into(),
            strides: layout.strides[..self.kept].into(),
            offset: layout.offset,
        };
        let in_order = head.is_contiguous() && head.offset == 0 && head.size() == node.size();
        let length: usize = self.shape[self.kept..].iter().product();
        let own: usize = node.operands().first().map_or(0, |o| o.shape()[kept..].iter().product());
        spread && in_order && own == length && view.dtype == node.dtype && !view.conj
    }

    /// Pulls the program of an absorbed reduction over the common shape.
    fn pull_phase(&self, puller: &mut Puller, node: &NodeRef) -> Option<u16> {
        let NodeOp::Reduce { monoid, acc, .. } = node.op else { return None };
        let operand = node.operands().first()?.clone();
        let view = reshaped(&operand.view, &self.shape)?;
        let reg = puller.edge(node.id, 0, &operand, view);
        Some(reduced_cast(puller, reg, monoid, acc, node.span))
    }

    /// The reductions that can join, producers first. Those that somebody else reads too, or that are read in another
    /// way as well, stay outside.
    fn absorb(&self, root: Pull, epilogue: &Read) -> Option<Vec<NodeRef>> {
        let mut denied: HashSet<u64> = HashSet::new();
        for _ in 0..16 {
            let mut found = Vec::new();
            let mut edges: HashSet<Edge> = HashSet::new();
            let mut bad: HashSet<u64> = HashSet::new();
            let mut puller = Puller::new(self.facts);
            root(&mut puller)?;
            self.visit(&puller, &denied, &mut found, &mut edges, &mut bad);
            edges.extend(epilogue.edges.iter().copied());
            let ends: Vec<u64> = found.iter().map(|n| n.id).collect();
            for node in &found {
                let mut below = epilogue.inputs.iter().filter(|i| i.source.same(&Source::Node(node.clone())));
                let in_order = below.all(|i| i.view.layout.is_contiguous() && i.view.layout.offset == 0);
                if !in_order || !self.facts.is_closed(node.id, &edges, &ends) {
                    bad.insert(node.id);
                }
            }
            if bad.is_empty() {
                return (!found.is_empty()).then_some(found);
            }
            denied.extend(bad);
        }
        None
    }

    fn visit(
        &self,
        puller: &Puller,
        denied: &HashSet<u64>,
        found: &mut Vec<NodeRef>,
        edges: &mut HashSet<Edge>,
        bad: &mut HashSet<u64>,
    ) {
        edges.extend(puller.edges.iter().copied());
        for slot in &puller.slots {
            let node = &puller.nodes[&slot.node_id];
            if denied.contains(&node.id) || !matches!(node.op, NodeOp::Reduce { .. }) {
                continue;
            }
            if !self.is_row_scalar(node, &slot.view) {
                bad.extend(found.iter().any(|n| n.id == node.id).then_some(node.id));
                continue;
            }
            if found.iter().any(|n| n.id == node.id) {
                continue;
            }
            let mut inner = Puller::new(self.facts);
            if self.pull_phase(&mut inner, node).is_some() {
                self.visit(&inner, denied, found, edges, bad);
                found.push(node.clone());
            }
        }
    }

    /// The phases of the absorbed reductions, and the puller in which the last program is to be pulled.
    fn phases(&self, absorbed: &[NodeRef], root: Pull) -> Option<(Vec<Phase>, Puller<'a>)> {
        let mut puller = Puller::new(self.facts);
        puller.shared = self.shared(absorbed, root)?;
        let mut phases = Vec::new();
        for (i, node) in absorbed.iter().enumerate() {
            let NodeOp::Reduce { monoid, acc, .. } = node.op else { return None };
            let reg = self.pull_phase(&mut puller, node)?;
            let saves = std::mem::take(&mut puller.saves).into_iter().map(|(r, t, _)| (r, t)).collect();
            puller.spans.push(node.span);
            let program = puller.take_program(reg);
            phases.push(Phase { program, monoid, acc, saves });
            puller.carries.insert(node.id, i);
            puller.nodes.insert(node.id, node.clone());
        }
        Some((phases, puller))
    }

    /// Dear values that more than one of the programs computes.
    fn shared(&self, absorbed: &[NodeRef], root: Pull) -> Option<HashMap<(u64, Layout), Option<usize>>> {
        let mut count: HashMap<(u64, Layout), usize> = HashMap::new();
        let mut add = |puller: Puller| {
            for key in puller.memo.into_keys() {
                *count.entry(key).or_default() += 1;
            }
        };
        for node in absorbed {
            let mut puller = Puller::new(self.facts);
            self.pull_phase(&mut puller, node)?;
            add(puller);
        }
        let mut puller = Puller::new(self.facts);
        root(&mut puller)?;
        add(puller);
        // Uniform values (row scalars and what is computed of them alone) cost nothing again.
        let varies = |layout: &Layout| (self.kept..layout.ndim()).any(|a| layout.strides[a] != 0);
        let dear = |id: &u64| self.facts.cost.get(id).is_some_and(|&c| c >= KEEP_COST);
        Some(count.into_iter().filter(|((id, l), n)| *n > 1 && dear(id) && varies(l)).map(|(k, _)| (k, None)).collect())
    }

    fn finish(
        &self,
        mut phases: Vec<Phase>,
        mut last: Last,
        puller: Puller<'a>,
        out_view: View,
        more: Vec<StepInput>,
    ) -> Fused<'a> {
        let temps = prune_temps(&mut phases, &mut last);
        let kernel = RowFused { shape: self.shape.clone(), kept: self.kept, phases, last, temps };
        Fused { kernel, puller, out_view, more }
    }
}

/// Drops saved rows that nobody reads and numbers the others; gives their dtypes.
fn prune_temps(phases: &mut [Phase], last: &mut Last) -> Vec<crate::tensor::DType> {
    let (Last::Map(program) | Last::Row(program)) = last;
    let reads = |program: &Program| -> Vec<usize> {
        program.instrs.iter().filter_map(|i| if let InstrOp::Temp(t) = i.op { Some(t) } else { None }).collect()
    };
    let used: HashSet<usize> = phases.iter().flat_map(|p| reads(&p.program)).chain(reads(program)).collect();
    let mut number: HashMap<usize, usize> = HashMap::new();
    let mut dtypes = Vec::new();
    for phase in phases.iter_mut() {
        phase.saves.retain(|(_, t)| used.contains(t));
        for (reg, t) in &mut phase.saves {
            number.insert(*t, dtypes.len());
            *t = dtypes.len();
            dtypes.push(phase.program.instrs[*reg as usize].dtype.lane());
        }
    }
    let renumber = |program: &mut Program| {
        for instr in &mut program.instrs {
            if let InstrOp::Temp(t) = &mut instr.op {
                *t = number.get(t).copied().unwrap_or(0);
            }
        }
    };
    phases.iter_mut().for_each(|p| renumber(&mut p.program));
    renumber(program);
    dtypes
}
