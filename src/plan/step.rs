//! What a plan is made of.

use super::graph::{CopyReason, NodeRef};
use crate::base::Span;
use crate::kernel::cost::{self, Cost};
use crate::kernel::{Kernel, Last, Program};
use crate::tensor::{DType, PackedFormat, Shape, View};
use std::sync::Arc;

/// Steps in the order in which they run.
#[derive(Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// Bytes of each temporary that belongs to no node.
    pub temps: Vec<u64>,
    /// The most anonymous memory that the steps hold at once, in bytes, beyond what was held before.
    pub peak_bytes: u64,
    /// The largest single buffer and the step that asks for it.
    pub largest: Option<(u64, usize)>,
    /// Nodes that are computed inside of steps although a cell holds them.
    pub recomputed: Vec<NodeRef>,
}

impl Plan {
    /// Arithmetic operations of all steps, as [`cost::flops`] counts them.
    pub fn flops(&self) -> u64 {
        self.steps.iter().fold(0, |all, step| all.saturating_add(cost::flops(&step.kernel)))
    }
}

/// One launch.
pub struct Step {
    pub kernel: Kernel,
    pub inputs: Vec<StepInput>,
    pub output: Source,
    pub out_view: View,
    pub begin: Begin,
    /// The output node is complete after this step.
    pub finishes: bool,
    /// Nodes that nobody needs after it.
    pub frees: Vec<NodeRef>,
    /// The reason of a materialize step.
    pub copy: Option<CopyReason>,
    /// Names of the operators that run in it, in order.
    pub what: Vec<&'static str>,
    /// Expressions that it computes, outermost first.
    pub spans: Vec<Span>,
    /// Dtype and shape of what it writes.
    pub dtype: DType,
    pub shape: Shape,
    pub cost: Cost,
}

#[derive(Clone)]
pub struct StepInput {
    pub source: Source,
    pub view: View,
    pub origin: Option<Arc<str>>,
}

#[derive(Clone)]
pub enum Source {
    Node(NodeRef),
    /// A buffer that lives only inside the plan.
    Temp(usize),
}

impl Source {
    /// The packed format whose blocks are read.
    pub fn packed(&self) -> Option<&'static PackedFormat> {
        match self {
            Source::Node(node) => node.packed(),
            Source::Temp(_) => None,
        }
    }

    pub fn same(&self, other: &Source) -> bool {
        match (self, other) {
            (Source::Node(a), Source::Node(b)) => a.id == b.id,
            (Source::Temp(a), Source::Temp(b)) => a == b,
            _ => false,
        }
    }

    /// A number that tells sources apart.
    pub fn key(&self) -> usize {
        match self {
            Source::Node(node) => node.id as usize * 2,
            Source::Temp(t) => t * 2 + 1,
        }
    }
}

/// Where the output's buffer comes from.
#[derive(Clone)]
pub enum Begin {
    /// New memory of this many bytes.
    Fresh(u64),
    /// The buffer of a node that dies in this step (a store into the only version, or the same-size result of an
    /// elementwise step). Where the executor finds it shared after all, it takes fresh memory (and a store copies).
    Reuse(NodeRef),
    /// An earlier step of the same output began it.
    Begun,
}

impl Step {
    /// The word for the kernel in plans.
    pub fn kernel_name(&self) -> &'static str {
        if self.copy.is_some() {
            return "materialize";
        }
        kernel_name(&self.kernel)
    }
}

pub fn kernel_name(kernel: &Kernel) -> &'static str {
    match kernel {
        Kernel::Map { .. } => "map",
        Kernel::Reduce { .. } => "reduce",
        Kernel::RowFused(_) => "rows",
        Kernel::Scan { .. } => "scan",
        Kernel::Contract(_) => "contract",
        Kernel::Take { .. } => "take",
        Kernel::Put { .. } => "put",
        Kernel::Sort { .. } => "sort",
        Kernel::Call { .. } => "call",
    }
}

/// Names of the rows in a kernel's programs, and of its own work, in order.
pub fn names(kernel: &Kernel) -> Vec<&'static str> {
    match kernel {
        Kernel::Map { program, .. } => program.names(),
        Kernel::Reduce { program, monoid, epilogue, .. } => {
            let mut out = program.names();
            out.push(monoid.name());
            out.extend(epilogue.iter().flat_map(Program::names));
            out
        }
        Kernel::RowFused(rows) => {
            let mut out = Vec::new();
            for phase in &rows.phases {
                out.extend(phase.program.names());
                out.push(phase.monoid.name());
            }
            let (Last::Map(last) | Last::Row(last)) = &rows.last;
            out.extend(last.names());
            out
        }
        Kernel::Scan { program, monoid, .. } => {
            let mut out = program.names();
            out.push(match monoid.name() {
                "sum" => "cumsum",
                "prod" => "cumprod",
                "max" => "cummax",
                _ => "cummin",
            });
            out
        }
        Kernel::Contract(contract) => {
            let mut out = vec!["matmul"];
            out.extend(contract.epilogue.iter().flat_map(Program::names));
            out
        }
        Kernel::Take { .. } => vec!["take"],
        Kernel::Put { .. } => vec!["put"],
        Kernel::Sort { indices: true, .. } => vec!["argsort"],
        Kernel::Sort { .. } => vec!["sort"],
        Kernel::Call { .. } => Vec::new(),
    }
}
