//! Puts drafts in order, follows who dies when, and settles buffers, costs and the peak.

use super::emit::{Draft, DraftBegin, Drafts, identity};
use super::graph::{CopyReason, NodeRef};
use super::lower::Facts;
use super::step::{Begin, Plan, Source, Step, StepInput, names};
use crate::kernel::{Kernel, cost};
use crate::tensor::{Layout, View};
use std::collections::{BTreeMap, HashMap};

/// In-place steps cannot be abandoned half done, so they stay short: above this many bytes a step gets new memory.
const IN_PLACE_LIMIT: u64 = 256 << 20;

/// Ids grow from operands to users, and a reader of a version is older than the store that ends it: ascending ids are
/// a right order in which stores find their buffers free.
pub fn arrange(facts: &Facts, drafts: Drafts) -> Plan {
    let mut settle = Settle {
        facts,
        remaining: HashMap::new(),
        done: HashMap::new(),
        temps: drafts.temps.clone(),
        plan: Plan { temps: drafts.temps, ..Plan::default() },
        live: 0,
        stored: drafts.by_node.keys().copied().collect(),
        last_read: last_reads(&drafts.by_node),
        later: HashMap::new(),
    };
    settle.plan.recomputed = drafts.inlined.into_values().filter(|n| n.held()).collect();
    for (_, (node, steps)) in drafts.by_node {
        settle.node(&node, steps);
    }
    settle.plan
}

struct Settle<'a> {
    facts: &'a Facts,
    /// Users of nodes that are left after the steps so far.
    remaining: HashMap<u64, usize>,
    /// Bytes of nodes that this plan has finished.
    done: HashMap<u64, u64>,
    temps: Vec<u64>,
    plan: Plan,
    live: u64,
    stored: std::collections::BTreeSet<u64>,
    /// The last stored node whose steps read a node.
    last_read: HashMap<u64, u64>,
    /// What dies with a stored node although its last user in the graph is older: a step computes it again.
    later: HashMap<u64, Dying>,
}

/// Nodes and the bytes that become free with them.
type Dying = HashMap<u64, (NodeRef, u64)>;

fn last_reads(by_node: &BTreeMap<u64, (NodeRef, Vec<Draft>)>) -> HashMap<u64, u64> {
    let mut out = HashMap::new();
    for (id, (_, drafts)) in by_node {
        for input in drafts.iter().flat_map(|d| &d.inputs) {
            if let Source::Node(node) = &input.source {
                out.insert(node.id, *id);
            }
        }
    }
    out
}

impl Settle<'_> {
    fn node(&mut self, node: &NodeRef, drafts: Vec<Draft>) {
        let dying = self.dying(node);
        let count = drafts.len();
        let mut temps_here = Vec::new();
        for (i, draft) in drafts.into_iter().enumerate() {
            let last = i + 1 == count;
            let to_node = matches!(&draft.output, Source::Node(_));
            if let Source::Temp(t) = draft.output {
                self.grow(self.temps[t]);
                temps_here.push(t);
            }
            let begin = self.begin(node, &draft, &dying, to_node);
            if matches!(begin, Begin::Fresh(_)) && to_node {
                self.grow(node.nbytes() as u64);
            }
            self.push(draft, begin, last);
        }
        if let Some(step) = self.plan.steps.last_mut() {
            step.frees = dying.values().map(|(n, _)| n.clone()).collect();
        }
        self.done.insert(node.id, node.nbytes() as u64);
        for t in temps_here {
            self.live = self.live.saturating_sub(self.temps[t]);
        }
        for (id, (_, bytes)) in dying {
            self.done.remove(&id);
            self.live = self.live.saturating_sub(bytes);
        }
    }

    fn grow(&mut self, bytes: u64) {
        self.live = self.live.saturating_add(bytes);
        self.plan.peak_bytes = self.plan.peak_bytes.max(self.live);
        if self.plan.largest.is_none_or(|(most, _)| bytes > most) {
            self.plan.largest = Some((bytes, self.plan.steps.len()));
        }
    }

    fn begin(&mut self, node: &NodeRef, draft: &Draft, dying: &Dying, to_node: bool) -> Begin {
        let bytes = node.nbytes() as u64;
        match &draft.begin {
            DraftBegin::Begun => Begin::Begun,
            DraftBegin::Fresh if !to_node => {
                Begin::Fresh(draft.out_view.layout.size() as u64 * draft.out_view.dtype.size() as u64)
            }
            DraftBegin::Fresh => match self.reusable(draft, dying) {
                // One part of several may fit an input that is smaller than the whole.
                Some(old) if bytes <= IN_PLACE_LIMIT && old.nbytes() as u64 == bytes => Begin::Reuse(old),
                _ => Begin::Fresh(bytes),
            },
            DraftBegin::Store { old, keeps } => {
                let there = old.is_done() || self.stored.contains(&old.id);
                if there && dying.contains_key(&old.id) {
                    return Begin::Reuse(old.clone());
                }
                if *keeps {
                    self.grow(bytes);
                    self.copy_version(node, old);
                    return Begin::Begun;
                }
                Begin::Fresh(bytes)
            }
        }
    }

    /// The version is still needed by somebody: the store works on a copy.
    fn copy_version(&mut self, node: &NodeRef, old: &NodeRef) {
        let layout = Layout::contiguous(&node.shape).unwrap_or_default();
        let view = View { layout, dtype: node.dtype, conj: false };
        let draft = Draft {
            kernel: Kernel::Map { shape: node.shape.clone(), program: identity(node.dtype, node.span) },
            inputs: vec![StepInput { source: Source::Node(old.clone()), view: view.clone(), origin: None }],
            output: Source::Node(node.clone()),
            out_view: view,
            copy: Some(CopyReason::SharedVersion),
            spans: vec![node.span],
            begin: DraftBegin::Fresh,
        };
        self.push(draft, Begin::Fresh(node.nbytes() as u64), false);
    }

    /// An elementwise step may write into an input that ends with it and is read in place.
    fn reusable(&self, draft: &Draft, dying: &Dying) -> Option<NodeRef> {
        let Kernel::Map { program, .. } = &draft.kernel else { return None };
        let Source::Node(target) = &draft.output else { return None };
        let out = &draft.out_view.layout;
        let whole = out.is_contiguous() && out.offset == 0 && out.size() == target.size();
        if program.can_fault() || !whole {
            return None;
        }
        let size = draft.out_view.layout.size();
        let fits = |input: &StepInput| match &input.source {
            Source::Node(node) => {
                dying.contains_key(&node.id)
                    && size > 0
                    && node.nbytes() == size * draft.out_view.dtype.size()
                    && node.dtype.size() == draft.out_view.dtype.size()
                    && input.view.layout == draft.out_view.layout
                    && input.view.dtype == node.dtype
                    && !node.buffer().is_some_and(|b| b.is_mapped() || b.packed().is_some())
            }
            Source::Temp(_) => false,
        };
        let node = draft.inputs.iter().find(|i| fits(i)).map(|i| match &i.source {
            Source::Node(node) => node.clone(),
            Source::Temp(_) => unreachable!("only nodes fit"),
        })?;
        // Every read of the node must be through that very layout.
        let only = draft.inputs.iter().filter(|i| i.source.key() == Source::Node(node.clone()).key()).all(fits);
        only.then_some(node)
    }

    fn push(&mut self, draft: Draft, begin: Begin, finishes: bool) {
        let read = |i| {
            let StepInput { source, view, .. }: &StepInput = i;
            cost::Read { number: source.key(), view, packed: source.packed() }
        };
        let views: Vec<_> = draft.inputs.iter().map(read).collect();
        let cost = cost::of_views(&draft.kernel, &views, &draft.out_view);
        let what = names(&draft.kernel);
        let (dtype, shape) = (draft.out_view.dtype, draft.out_view.layout.shape.clone());
        self.plan.steps.push(Step {
            kernel: draft.kernel,
            inputs: draft.inputs,
            output: draft.output,
            out_view: draft.out_view,
            begin,
            finishes,
            frees: Vec::new(),
            copy: draft.copy,
            what,
            spans: draft.spans,
            dtype,
            shape,
            cost,
        });
    }

    /// The nodes whose last user goes when `node` is done, with the bytes that become free.
    fn dying(&mut self, node: &NodeRef) -> Dying {
        let mut out = self.later.remove(&node.id).unwrap_or_default();
        let mut queue = vec![node.clone()];
        while let Some(user) = queue.pop() {
            let producers: Vec<NodeRef> = user.producers();
            for producer in &producers {
                let left = self.remaining.entry(producer.id).or_insert_with(|| producer.users());
                *left = left.saturating_sub(1);
                if *left > 0 || self.facts.targets.contains(&producer.id) {
                    continue;
                }
                if self.facts.is_pending(producer) && !self.stored.contains(&producer.id) {
                    queue.push(producer.clone());
                    continue;
                }
                let bytes = self.done.get(&producer.id).copied().unwrap_or_else(|| owned_bytes(producer));
                let entry = (producer.clone(), bytes);
                match self.last_read.get(&producer.id) {
                    Some(&reader) if reader > node.id => {
                        self.later.entry(reader).or_default().insert(producer.id, entry);
                    }
                    _ => drop(out.insert(producer.id, entry)),
                }
            }
        }
        out
    }
}

/// Bytes that become free with a node that was there before the plan.
fn owned_bytes(node: &NodeRef) -> u64 {
    match node.buffer() {
        Some(buffer) if !buffer.is_mapped() => buffer.len() as u64,
        _ => 0,
    }
}
