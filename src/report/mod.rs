//! A session's output as text: what a person reads of values, plans and errors; and the standard streams.

pub mod progress;
mod sinks;
mod spread;
mod stats;

pub use sinks::{JsonSink, TextSink};
pub use spread::Spread;

use crate::base::{Diag, SourceMap, size};
use crate::draw::draw;
use crate::eval::Sink;
use crate::func::Options;
use crate::kernel::Counters;
use crate::plan::Plan;
use crate::value::Value;
use std::time::Duration;

/// What displaying a value shows: a tensor with its header line. None shows nothing.
pub fn displayed(value: &Value, options: &Options) -> Option<String> {
    let shown = crate::value::displayed(value, &options.array())?;
    let stats = match value {
        Value::Tensor(t) if options.stats => t.array().and_then(|a| stats::line(&a)),
        _ => None,
    };
    Some(match stats {
        Some(line) => format!("{shown}\n{line}"),
        None => shown,
    })
}

/// `1.20 ms, 2 kernels, 0 copies, 3.1 MB moved, 2.6 GB/s`
pub fn timing(elapsed: Duration, before: Counters, after: Counters) -> String {
    let kernels = after.launches - before.launches;
    let moved = (after.bytes_read + after.bytes_written) - (before.bytes_read + before.bytes_written);
    let rate = moved as f64 / elapsed.as_secs_f64().max(1e-9);
    format!(
        "{elapsed:.2?}, {kernels} kernels, {} copies, {} moved, {}/s",
        after.copies - before.copies,
        size(moved),
        size(rate as u64)
    )
}

/// Collects everything in the order in which it came, errors drawn without colour.
#[derive(Default)]
pub struct Log {
    pub text: String,
    pub errors: Vec<Diag>,
}

impl Log {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }
}

impl Sink for Log {
    fn value(&mut self, value: &Value, options: &Options) {
        if let Some(text) = displayed(value, options) {
            self.line(&text);
        }
    }

    fn print(&mut self, text: &str) {
        self.line(text);
    }

    fn plan(&mut self, plan: &Plan, sources: &SourceMap) {
        self.line(&plan.text(sources));
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        self.text.push_str(&draw(diag, sources, false, 100));
        self.errors.push(diag.clone());
    }

    fn warn(&mut self, diag: &Diag, sources: &SourceMap) {
        self.text.push_str(&draw(diag, sources, false, 100));
    }
}
