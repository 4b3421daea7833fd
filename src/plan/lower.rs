//! From the graph to a plan: which nodes are stored, what runs inside of what, in which order.

use super::emit::Emitter;
use super::graph::{NodeOp, NodeRef, State};
use super::step::Plan;
use crate::kernel::{InstrOp, Program};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An elementwise body dearer than this (in additions) is stored rather than computed twice.
const RECOMPUTE_COST: u64 = 48;
/// A chain of elementwise nodes is cut here, so that programs stay small and nothing recurses deeply.
const CHAIN_COST: u64 = 1000;

/// Consumer, number of its operand, producer.
pub type Edge = (u64, usize, u64);

/// What is known of the pending nodes behind the targets before any step is made.
pub struct Facts {
    /// Pending nodes by id (ids grow from operands to users).
    pub pending: BTreeMap<u64, NodeRef>,
    pub targets: HashSet<u64>,
    uses: HashMap<u64, usize>,
    /// Nodes that some user reads from memory in any case: nobody computes them again.
    stored: HashSet<u64>,
    inline: HashSet<u64>,
    pub cost: HashMap<u64, u64>,
}

impl Facts {
    pub fn gather(targets: &[NodeRef]) -> Facts {
        let mut facts = Facts {
            pending: BTreeMap::new(),
            targets: targets.iter().map(|n| n.id).collect(),
            uses: HashMap::new(),
            stored: HashSet::new(),
            inline: HashSet::new(),
            cost: HashMap::new(),
        };
        let mut queue: Vec<NodeRef> = targets.to_vec();
        while let Some(node) = queue.pop() {
            if facts.pending.contains_key(&node.id) || !node.is_pending() {
                continue;
            }
            for (i, operand) in node.operands().iter().enumerate() {
                *facts.uses.entry(operand.node().id).or_default() += 1;
                if reads_stored(&node.op, i) {
                    facts.stored.insert(operand.node().id);
                }
                queue.push(operand.node().clone());
            }
            facts.pending.insert(node.id, node);
        }
        facts.decide();
        facts
    }

    /// Which elementwise nodes are computed inside their users. Producers come first (ids grow).
    fn decide(&mut self) {
        let mut in_bytes: HashMap<u64, u64> = HashMap::new();
        let nodes: Vec<NodeRef> = self.pending.values().cloned().collect();
        for node in nodes {
            let NodeOp::Map(program) = &node.op else { continue };
            let mut cost = own_cost(program);
            let mut bytes = 0u64;
            for operand in node.operands() {
                let id = operand.node().id;
                if self.inline.contains(&id) {
                    cost = cost.saturating_add(self.cost.get(&id).copied().unwrap_or(0));
                    bytes = bytes.saturating_add(in_bytes.get(&id).copied().unwrap_or(0));
                } else {
                    bytes = bytes.saturating_add(crate::kernel::cost::view_bytes(&operand.view));
                }
            }
            self.cost.insert(node.id, cost);
            in_bytes.insert(node.id, bytes);
            if self.worth_inlining(&node, cost, bytes) {
                self.inline.insert(node.id);
            }
        }
    }

    /// Computed once inside its only user, or again for each user where that moves fewer bytes than storing it.
    fn worth_inlining(&self, node: &NodeRef, cost: u64, in_bytes: u64) -> bool {
        if self.targets.contains(&node.id) || self.stored.contains(&node.id) || cost > CHAIN_COST || is_copy(node) {
            return false;
        }
        if node.held() && node.recomputed.load(std::sync::atomic::Ordering::Relaxed) > 0 {
            return false;
        }
        let uses = self.uses(node.id) as u64;
        if uses <= 1 {
            return true;
        }
        let stored = in_bytes.saturating_add((node.nbytes() as u64).saturating_mul(1 + uses));
        cost <= RECOMPUTE_COST && in_bytes.saturating_mul(uses) <= stored
    }

    pub fn inlines(&self, node: &NodeRef) -> bool {
        self.inline.contains(&node.id)
    }

    /// Pending operands behind the targets that read the node.
    pub fn uses(&self, node: u64) -> usize {
        self.uses.get(&node).copied().unwrap_or(0)
    }

    /// True where every reader of `node`, and every reader of those readers, lies behind `edges`, up to the step's own
    /// nodes: those that nobody read through `edges`, and `ends`.
    pub fn is_closed(&self, node: u64, edges: &HashSet<Edge>, ends: &[u64]) -> bool {
        let mut seen = HashSet::new();
        let mut queue = vec![node];
        while let Some(id) = queue.pop() {
            if !seen.insert(id) {
                continue;
            }
            let readers: Vec<u64> = edges.iter().filter(|(_, _, p)| *p == id).map(|(c, _, _)| *c).collect();
            let is_top = id != node && (readers.is_empty() || ends.contains(&id));
            if is_top {
                continue;
            }
            if readers.len() != self.uses(id) {
                return false;
            }
            queue.extend(readers);
        }
        true
    }

    pub fn is_pending(&self, node: &NodeRef) -> bool {
        self.pending.contains_key(&node.id)
    }
}

/// `copy(x)` and its kin promise memory of their own only to whoever looks; a layout copy is made once and shared.
fn is_copy(node: &NodeRef) -> bool {
    node.copy.is_some()
}

/// Kernels that take whole operands rather than programs, and the versions that writes work on.
fn reads_stored(op: &NodeOp, operand: usize) -> bool {
    match op {
        NodeOp::Contract { .. } | NodeOp::Take { .. } | NodeOp::Sort { .. } | NodeOp::Put { .. } => true,
        NodeOp::Store { .. } => operand == 0,
        _ => false,
    }
}

fn own_cost(program: &Program) -> u64 {
    let cost = |op: &InstrOp| match op {
        InstrOp::Row(row) => u64::from(row.cost),
        InstrOp::Random { .. } => 40,
        InstrOp::Cast(_) => 1,
        _ => 0,
    };
    program.instrs.iter().map(|i| cost(&i.op)).sum()
}

/// The plan that makes the targets `Done`. Nodes that are there already cost nothing.
pub fn lower(targets: &[NodeRef]) -> Plan {
    let facts = Facts::gather(targets);
    let mut emitter = Emitter::new(&facts);
    for target in targets {
        if facts.is_pending(target) {
            emitter.want(target);
        }
    }
    emitter.run();
    let parts = emitter.finish();
    super::order::arrange(&facts, parts)
}

/// The first failed node behind the targets, if any: what depends on it cannot be computed.
pub fn failed(targets: &[NodeRef]) -> Option<NodeRef> {
    let mut seen = HashSet::new();
    let mut queue: Vec<NodeRef> = targets.to_vec();
    while let Some(node) = queue.pop() {
        if !seen.insert(node.id) {
            continue;
        }
        match &*node.state() {
            State::Failed(_) => return Some(node.clone()),
            State::Pending(operands) => queue.extend(operands.iter().map(|o| o.node().clone())),
            State::Done { .. } => {}
        }
    }
    None
}
