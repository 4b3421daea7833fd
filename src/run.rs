//! Runs plans on a backend: buffers, limits, cancellation, faults.

use crate::base::{Diag, Span, size};
use crate::kernel::{Backend, Cancel, Fault, FaultKind, Input, Kernel, Output};
use crate::plan::{Begin, CopyReason, NodeFault, NodeOp, NodeRef, Plan, Record, Source, State, Step, failed, lower};
use crate::tensor::{Buffer, Layout, View, coordinates, live_bytes};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Anonymous memory of all buffers together, in bytes.
    pub max_memory: u64,
    /// Copies of more bytes are told.
    pub large_copy: u64,
}

/// A copy that nobody asked for, larger than the limit for silence.
#[derive(Clone, Debug)]
pub struct LargeCopy {
    pub bytes: u64,
    pub reason: CopyReason,
    pub span: Span,
}

/// Why a run ended early. Nodes that were not reached stay pending; bindings are as before.
#[derive(Clone, Debug)]
pub enum RunFault {
    /// A value could not be computed; every later look at the node tells the same.
    Failed(Arc<NodeFault>),
    /// The plan would hold more than the limit; nothing ran.
    Memory {
        needed: u64,
        held: u64,
        limit: u64,
        largest: u64,
        what: String,
        span: Span,
    },
    OutOfMemory {
        bytes: u64,
        span: Span,
    },
    /// A file behind an operand was changed.
    File(Box<Diag>),
    Interrupted,
}

impl RunFault {
    /// The report: where it was computed and where it was needed.
    pub fn diag(&self, needed: Span) -> Diag {
        match self {
            RunFault::Failed(fault) => {
                let mut diag = fault.kind.diag();
                if let Some(at) = &fault.at
                    && !at.is_empty()
                {
                    diag = diag.note(format!("first at position {:?}", at.as_slice()));
                }
                diag = diag.label(fault.span, "computed here");
                if needed != fault.span { diag.label(needed, "needed here") } else { diag }
            }
            RunFault::Memory { needed: bytes, held, limit, largest, what, span } => {
                Diag::new("E0703", format!("this needs {} more memory than allowed", size(*bytes)))
                    .label(*span, format!("{what}: {}", size(*largest)))
                    .note(format!("held now {}, limit {}", size(*held), size(*limit)))
                    .hint("`--max-memory` raises the limit; reduce or slice before the value grows")
            }
            RunFault::OutOfMemory { bytes, span } => {
                Diag::new("E0702", format!("the system has no room for {}", size(*bytes))).label(*span, "")
            }
            RunFault::File(diag) => (**diag).clone().label(needed, ""),
            RunFault::Interrupted => Diag::interrupted().label(needed, ""),
        }
    }
}

/// Computes the nodes. Those that are there already cost nothing.
pub fn force(
    nodes: &[NodeRef],
    backend: &dyn Backend,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Vec<LargeCopy>, RunFault> {
    if nodes.iter().all(|n| n.is_done()) {
        nodes.iter().filter_map(|n| n.buffer()).try_for_each(|b| unchanged(&b))?;
        return Ok(Vec::new());
    }
    if let Some(node) = failed(nodes)
        && let Some(fault) = node.fault()
    {
        return Err(RunFault::Failed(fault));
    }
    run(&lower(nodes), backend, limits, cancel)
}

/// Refuses bytes of a file that is no longer what it was.
fn unchanged(buffer: &Buffer) -> Result<(), RunFault> {
    buffer.unchanged().map_err(|diag| RunFault::File(Box::new(diag)))
}

/// Runs a small elementwise node at once where its inputs are there. True where it is done (or failed) now.
pub fn eager(node: &NodeRef, backend: &dyn Backend, cancel: &Cancel) -> bool {
    const SMALL: usize = 64;
    if node.size() > SMALL || !matches!(node.op, NodeOp::Map(_)) {
        return false;
    }
    let ready = node.producers().iter().all(|p| p.is_done() && p.nbytes() <= 64 * SMALL);
    ready && !matches!(run(&lower(std::slice::from_ref(node)), backend, &UNLIMITED, cancel), Err(RunFault::Interrupted))
}

const UNLIMITED: Limits = Limits { max_memory: u64::MAX, large_copy: u64::MAX };

/// Runs a plan to its end; gives the large copies that it made.
pub fn run(plan: &Plan, backend: &dyn Backend, limits: &Limits, cancel: &Cancel) -> Result<Vec<LargeCopy>, RunFault> {
    check_memory(plan, limits)?;
    for input in plan.steps.iter().flat_map(|step| &step.inputs) {
        if let Source::Node(node) = &input.source
            && let Some(buffer) = node.buffer()
        {
            unchanged(&buffer)?;
        }
    }
    for node in &plan.recomputed {
        node.recomputed.fetch_add(1, Ordering::Relaxed);
    }
    let mut runner = Runner { backend, cancel, temps: vec![None; plan.temps.len()], begun: None };
    for step in &plan.steps {
        if cancel.is_set() {
            return Err(RunFault::Interrupted);
        }
        runner.step(step)?;
    }
    backend.flush(cancel).map_err(|_| RunFault::Interrupted)?;
    Ok(plan.steps.iter().filter_map(|step| large(step, limits.large_copy)).collect())
}

fn large(step: &Step, limit: u64) -> Option<LargeCopy> {
    let reason = step.copy.clone().filter(|reason| !matches!(reason, CopyReason::Asked { .. }))?;
    let bytes = step.cost.written;
    (bytes > limit).then(|| LargeCopy { bytes, reason, span: step.spans.first().copied().unwrap_or_default() })
}

fn check_memory(plan: &Plan, limits: &Limits) -> Result<(), RunFault> {
    let held = live_bytes();
    if plan.peak_bytes <= limits.max_memory.saturating_sub(held) {
        return Ok(());
    }
    let (largest, step) = plan.largest.unwrap_or((plan.peak_bytes, 0));
    let step = plan.steps.get(step);
    Err(RunFault::Memory {
        needed: plan.peak_bytes,
        held,
        limit: limits.max_memory,
        largest,
        what: step.map_or(String::new(), |s| crate::plan::describe(s.dtype, &s.shape)),
        span: step.and_then(|s| s.spans.first().copied()).unwrap_or_default(),
    })
}

struct Runner<'a> {
    backend: &'a dyn Backend,
    cancel: &'a Cancel,
    temps: Vec<Option<Arc<Buffer>>>,
    /// The output that earlier steps began.
    begun: Option<Arc<Buffer>>,
}

impl Runner<'_> {
    fn step(&mut self, step: &Step) -> Result<(), RunFault> {
        let span = step.spans.first().copied().unwrap_or_default();
        // The reused buffer is taken out of its node: inputs that read it are given the same one.
        let reused = match &step.begin {
            Begin::Reuse(old) => self.reuse(step, old, span)?,
            _ => None,
        };
        let mut inputs = Vec::with_capacity(step.inputs.len());
        for input in &step.inputs {
            let buffer = match (&input.source, &reused) {
                (Source::Temp(t), _) => self.temps[*t].clone(),
                (Source::Node(node), Some((old, buffer))) if node.id == old.id => Some(buffer.clone()),
                (Source::Node(node), _) => node.buffer(),
            };
            let buffer = buffer.ok_or(RunFault::Interrupted)?;
            inputs.push(Input { buffer, view: input.view.clone() });
        }
        let in_place = reused.is_some();
        let buffer = match (&step.begin, reused) {
            (_, Some((_, buffer))) => buffer,
            (Begin::Begun, _) => self.begun.take().ok_or(RunFault::Interrupted)?,
            (Begin::Fresh(bytes), _) => self.alloc(*bytes, span)?,
            (Begin::Reuse(old), None) => self.alloc(old.nbytes() as u64, span)?,
        };
        let output = Output { buffer: buffer.clone(), view: step.out_view.clone() };
        // Half-written versions must not be left behind: steps in place run to their end.
        let calm = Cancel::default();
        let cancel = if in_place { &calm } else { self.cancel };
        let is_copy = step.copy.is_some();
        match self.backend.launch(&step.kernel, &inputs, &output, is_copy, cancel) {
            Ok(()) => {}
            Err(fault) => return Err(self.fail(step, fault, span)),
        }
        // A file may have been cut while the kernel read it: what came out is nobody's value.
        if let Some(torn) = inputs.iter().find(|i| i.buffer.is_torn()) {
            unchanged(&torn.buffer)?;
        }
        drop((inputs, output));
        match &step.output {
            Source::Temp(t) => self.temps[*t] = Some(buffer),
            Source::Node(node) if step.finishes => {
                node.finish(State::Done { buffer, record: Some(Arc::new(record(step))) });
                self.temps.iter_mut().for_each(|t| *t = None);
            }
            Source::Node(_) => self.begun = Some(buffer),
        }
        for node in &step.frees {
            // The plan itself still refers to the node; its users have gone. Empty ones (that behind `Position` slots
            // lives for ever) have nothing to give.
            if node.users() == 0 && node.nbytes() > 0 {
                drop(node.take_buffer());
            }
        }
        Ok(())
    }

    /// The buffer of a dying node, for this step's output. A store into a version that turns out to be shared gets a
    /// copy of it; an elementwise step gets None and takes new memory.
    fn reuse(&self, step: &Step, old: &NodeRef, span: Span) -> Result<Option<(NodeRef, Arc<Buffer>)>, RunFault> {
        let Some(buffer) = old.buffer() else { return Err(RunFault::Interrupted) };
        let stores =
            matches!(&step.output, Source::Node(node) if matches!(node.op, NodeOp::Store { .. } | NodeOp::Put { .. }));
        // One count is the node's, one is ours.
        if Arc::strong_count(&buffer) == 2 && !buffer.is_mapped() && self.backend.computes() {
            // The dying node must not go on showing what is written over.
            drop(old.take_buffer());
            return Ok(Some((old.clone(), buffer)));
        }
        if !stores || !self.backend.computes() {
            return Ok(None);
        }
        let copy = self.alloc(buffer.len() as u64, span)?;
        let view = View {
            layout: Layout::contiguous(&[buffer.len()]).unwrap_or_default(),
            dtype: crate::tensor::DType::U8,
            conj: false,
        };
        let program = identity_bytes();
        let kernel = Kernel::Map { shape: [buffer.len()].into_iter().collect(), program };
        let input = Input { buffer, view: view.clone() };
        let output = Output { buffer: copy.clone(), view };
        self.backend
            .launch(&kernel, &[input], &output, true, self.cancel)
            .map_err(|fault| self.fail(step, fault, span))?;
        Ok(Some((old.clone(), copy)))
    }

    fn alloc(&self, bytes: u64, span: Span) -> Result<Arc<Buffer>, RunFault> {
        let room = usize::try_from(bytes).map_err(|_| RunFault::OutOfMemory { bytes, span })?;
        self.backend.alloc(room).map_err(|_| RunFault::OutOfMemory { bytes, span })
    }

    /// A fault of values stays with the node; an interruption leaves it pending.
    fn fail(&self, step: &Step, fault: Fault, span: Span) -> RunFault {
        match fault.kind {
            FaultKind::Interrupted => RunFault::Interrupted,
            FaultKind::OutOfMemory { bytes } => RunFault::OutOfMemory { bytes: bytes as u64, span },
            kind => {
                let at = fault.position.map(|p| coordinates(p, &step.shape));
                let place = if fault.span == Span::default() { span } else { fault.span };
                let fault = Arc::new(NodeFault { kind, span: place, at });
                if let Source::Node(node) = &step.output {
                    node.finish(State::Failed(fault.clone()));
                }
                RunFault::Failed(fault)
            }
        }
    }
}

fn identity_bytes() -> crate::kernel::Program {
    let mut program = crate::kernel::Program::default();
    let load = crate::kernel::InstrOp::Load(0);
    program.output = program.push(load, &[], crate::tensor::DType::U8, Span::default());
    program
}

fn record(step: &Step) -> Record {
    Record {
        what: step.what.join(", "),
        kernel: step.kernel_name(),
        bytes_read: step.cost.read,
        bytes_written: step.cost.written,
        copy: step.copy.clone(),
    }
}
