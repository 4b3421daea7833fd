//! Plans as text and as JSON: what runs, what it moves, and why anything is copied.

use super::graph::{CopyReason, Record, describe};
use super::step::{Plan, Source, Step, StepInput};
use crate::base::SourceMap;
use crate::tensor::{Layout, View};
use std::fmt::Write;

/// Totals of a plan. Bytes by the counting rule of [`crate::kernel::cost`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    pub kernels: u64,
    pub copies: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
    pub peak_bytes: u64,
}

impl Plan {
    pub fn totals(&self) -> Totals {
        let mut totals = Totals { peak_bytes: self.peak_bytes, ..Totals::default() };
        for step in &self.steps {
            totals.kernels += step.cost.launches;
            totals.copies += u64::from(step.copy.is_some());
            totals.bytes_read += step.cost.read;
            totals.bytes_written += step.cost.written;
        }
        totals
    }

    /// One line a step, a line for each operand that is a view and for each copy's reason, and the totals.
    pub fn text(&self, map: &SourceMap) -> String {
        let mut out = String::new();
        let t = self.totals();
        if self.steps.is_empty() {
            return "nothing to run: the value is there, or is a view of one that is".into();
        }
        for (i, step) in self.steps.iter().enumerate() {
            let what = if step.what.is_empty() { step.call_name() } else { step.what.join(", ") };
            let place = place(step, map);
            let _ = writeln!(
                out,
                "{:>3}  {:<11} {:<20} {:<28} read {:>9}  write {:>9}  {place}",
                i + 1,
                step.kernel_name(),
                describe(step.dtype, &step.shape),
                what,
                crate::base::size(step.cost.read),
                crate::base::size(step.cost.written),
            );
            for input in step.inputs.iter().filter(|i| is_told(i)) {
                let _ = writeln!(out, "       {}", operand_line(input));
            }
            if let Some(reason) = &step.copy {
                let _ = writeln!(out, "       copy because {}", reason.text());
            }
        }
        let _ = write!(
            out,
            "{} {}, {} {}, {} moved ({} read, {} written), peak {}",
            t.kernels,
            if t.kernels == 1 { "kernel" } else { "kernels" },
            t.copies,
            if t.copies == 1 { "copy" } else { "copies" },
            crate::base::size(t.bytes_read + t.bytes_written),
            crate::base::size(t.bytes_read),
            crate::base::size(t.bytes_written),
            crate::base::size(t.peak_bytes)
        );
        out
    }

    /// `{"plan": {...}}`
    pub fn json(&self) -> serde_json::Value {
        let steps: Vec<serde_json::Value> = self.steps.iter().map(Step::json).collect();
        let t = self.totals();
        serde_json::json!({"plan": {
            "steps": steps, "kernels": t.kernels, "copies": t.copies,
            "bytes_read": t.bytes_read, "bytes_written": t.bytes_written, "peak_bytes": t.peak_bytes,
        }})
    }
}

impl Step {
    fn json(&self) -> serde_json::Value {
        let spans: Vec<[u32; 2]> = self.spans.iter().map(|s| [s.start, s.end]).collect();
        let what = if self.what.is_empty() { self.call_name() } else { self.what.join(", ") };
        serde_json::json!({
            "kernel": self.kernel_name(), "what": what, "dtype": self.dtype.name(), "shape": self.shape.as_slice(),
            "read": self.cost.read, "write": self.cost.written,
            "copy": self.copy.as_ref().map(CopyReason::text), "spans": spans,
        })
    }

    fn call_name(&self) -> String {
        match &self.kernel {
            crate::kernel::Kernel::Call { call, .. } => call.name().to_owned(),
            crate::kernel::Kernel::Map { program, .. } if program.is_identity() => "copy".into(),
            _ => "fill".into(),
        }
    }
}

impl CopyReason {
    /// Goes on after "copy because".
    pub fn text(&self) -> String {
        match self {
            CopyReason::NoStrides { from, to } => format!(
                "no strides exist: {:?} with strides {:?} cannot be seen as {:?}",
                from.shape.as_slice(),
                from.strides.as_slice(),
                to.as_slice()
            ),
            CopyReason::NeedsContiguous { kernel } => format!("{kernel} needs a contiguous operand"),
            CopyReason::Overlap => "the write reads what it overwrites, elsewhere".into(),
            CopyReason::SharedVersion => "the version that is written to is still needed".into(),
            CopyReason::Asked { by } => format!("`{by}` asks for it"),
        }
    }
}

impl Record {
    /// How a computed value came about, one line.
    pub fn text(&self) -> String {
        let what = if self.what.is_empty() { String::new() } else { format!(" ({})", self.what) };
        let copy = self.copy.as_ref().map(|c| format!("; copied because {}", c.text())).unwrap_or_default();
        format!(
            "computed by a {} kernel{what}: read {}, wrote {}{copy}",
            self.kernel,
            crate::base::size(self.bytes_read),
            crate::base::size(self.bytes_written)
        )
    }
}

/// Operands worth a line: named ones and strided ones; plain whole results of earlier steps speak for themselves.
fn is_told(input: &StepInput) -> bool {
    let strided = !input.view.layout.is_contiguous() || input.view.layout.offset != 0 || input.view.conj;
    let there = !matches!(&input.source, Source::Node(node) if node.nbytes() == 0);
    there && (input.origin.is_some() || strided || input.source.packed().is_some())
}

fn operand_line(input: &StepInput) -> String {
    let name = input.origin.as_deref().unwrap_or(match &input.source {
        Source::Node(_) => "a value",
        Source::Temp(_) => "the temporary",
    });
    let View { layout, dtype, conj } = &input.view;
    let mut text = format!("reads {name} as {}", describe(*dtype, &layout.shape));
    if let Some(format) = input.source.packed() {
        let _ = write!(text, ", decoding {} blocks", format.name());
    }
    if !layout.is_contiguous() || layout.offset != 0 {
        let _ = write!(text, ", strides {:?}, offset {}", layout.strides.as_slice(), layout.offset);
    }
    if is_broadcast(layout) {
        text.push_str(", broadcast");
    }
    if *conj {
        text.push_str(", conjugated");
    }
    text
}

fn is_broadcast(layout: &Layout) -> bool {
    layout.shape.iter().zip(&layout.strides).any(|(&n, &s)| n > 1 && s == 0)
}

/// `model.tsk:7` of the outermost expression.
fn place(step: &Step, map: &SourceMap) -> String {
    let Some(span) = step.spans.iter().find(|s| map.get(s.source).is_some_and(|t| !t.internal && s.end > 0)) else {
        return String::new();
    };
    let Some(source) = map.get(span.source) else { return String::new() };
    let line =
        source.text.as_bytes()[..(span.start as usize).min(source.text.len())].iter().filter(|b| **b == b'\n').count();
    format!("{}:{}", source.name, line + 1)
}
