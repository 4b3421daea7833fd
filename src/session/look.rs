//! Looking at things: plans, types, times, memory. Nothing that is looked at is changed.

use super::Session;
use super::shield::Shield;
use crate::base::{Diag, size};
use crate::eval::{Eval, Sink};
use crate::lang::ast::StmtKind;
use crate::plan::{NodeRef, Plan, lower};
use crate::report::timing;
use crate::tensor::live_bytes;
use crate::value::{Scope, Value, nodes};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// Bytes that names hold together.
pub struct Held {
    pub bytes: u64,
    /// The names that share these bytes, sorted.
    pub names: Vec<String>,
    /// The file that they are mapped from.
    pub file: Option<PathBuf>,
    /// Not computed yet.
    pub pending: bool,
}

/// What a session holds.
pub struct Memory {
    /// Largest first.
    pub held: Vec<Held>,
    /// Bytes in memory, of bindings and of everything else in the process.
    pub live: u64,
    pub limit: u64,
    pub device: &'static str,
    pub threads: usize,
}

impl Session {
    /// The plan of a text's last expression: evaluated like any line, but not computed.
    ///
    /// # Errors
    /// The first syntax error or the error that evaluating met.
    pub fn plan(&mut self, text: &str, sink: &mut dyn Sink) -> Result<Plan, Diag> {
        let (_, nodes) = self.pending(text, sink)?;
        Ok(lower(&nodes))
    }

    /// Runs a text but for its last expression, whose value stays pending.
    fn pending(&mut self, text: &str, sink: &mut dyn Sink) -> Result<(Value, Vec<NodeRef>), Diag> {
        let parsed = self.parse("<plan>", text);
        if let Some(error) = parsed.errors.into_iter().next() {
            return Err(error);
        }
        let scope = self.scope.clone();
        let mut eval = Eval::new(&mut self.state, sink, self.dir.clone());
        let Some((last, rest)) = parsed.script.split_last() else { return Ok((Value::None, Vec::new())) };
        for stmt in rest {
            eval.top(stmt, &scope)?;
        }
        let value = match &last.kind {
            StmtKind::Expr(expr) | StmtKind::Explain(expr) => eval.lazily(expr, &scope)?,
            _ => {
                eval.top(last, &scope)?;
                Value::None
            }
        };
        let mut found = Vec::new();
        nodes(&value, &mut found);
        Ok((value, found))
    }

    /// What a text's last expression would be: dtype, shape, strides, view of what. Nothing runs, and nothing that the
    /// text writes to is changed.
    ///
    /// # Errors
    /// The first syntax error, or the error that looking at it met.
    pub fn describe(&mut self, text: &str, sink: &mut dyn Sink) -> Result<String, Diag> {
        let parsed = self.parse("<type>", text);
        if let Some(error) = parsed.errors.into_iter().next() {
            return Err(error);
        }
        let shield = Shield::over(&self.scope);
        let (scope, dir) = (Scope::inside(self.scope.clone()), self.dir.clone());
        let (value, _) = self.state.checked(|state| Eval::new(state, sink, dir).last_value(&parsed.script, &scope));
        let told = value.map(|value| told(&value));
        shield.restore();
        told
    }

    /// Computes and displays a text's last expression, and tells what it took beside what the plan foresaw. None where
    /// it failed; the sink knows why then.
    pub fn timed(&mut self, text: &str, sink: &mut dyn Sink) -> Option<String> {
        let (start, before) = (Instant::now(), self.state.backend.counters());
        let shown = self.pending(text, sink).and_then(|(value, nodes)| {
            let planned = lower(&nodes).totals();
            Eval::new(&mut self.state, sink, self.dir.clone()).show(&value)?;
            Ok(planned)
        });
        let after = self.state.backend.counters();
        match shown {
            Ok(planned) => {
                let moved = after.bytes_read + after.bytes_written - before.bytes_read - before.bytes_written;
                let kernels = after.launches - before.launches;
                let foreseen = planned.bytes_read + planned.bytes_written;
                let rest = if (kernels, moved) == (planned.kernels, foreseen) {
                    "as measured".to_owned()
                } else {
                    format!("measured {kernels} kernels, {}", size(moved))
                };
                let line = timing(start.elapsed(), before, after);
                Some(format!("{line}\nplanned {} kernels, {} moved; {rest}", planned.kernels, size(foreseen)))
            }
            Err(diag) => {
                sink.error(&diag, &self.state.sources);
                self.state.cancel.clear();
                None
            }
        }
    }

    /// Which names hold which bytes.
    pub fn memory(&self) -> Memory {
        let mut found: BTreeMap<(u8, usize), Held> = BTreeMap::new();
        for name in self.names() {
            let Some(value) = self.get(name) else { continue };
            if let Value::Archive(archive) = &value {
                let key = (1, archive.path().as_os_str().len() ^ (archive.file_bytes() as usize));
                let held = || Held {
                    bytes: archive.file_bytes(),
                    names: Vec::new(),
                    file: Some(archive.path().to_owned()),
                    pending: false,
                };
                found.entry(key).or_insert_with(held).names.push(name.to_owned());
            }
            let mut of = Vec::new();
            nodes(&value, &mut of);
            for node in of {
                let (key, held) = held(&node);
                let names = &mut found.entry(key).or_insert(held).names;
                if names.last().is_none_or(|n| n != name) {
                    names.push(name.to_owned());
                }
            }
        }
        let mut held: Vec<Held> = found.into_values().collect();
        held.sort_by_key(|h| std::cmp::Reverse(h.bytes));
        Memory {
            held,
            live: live_bytes(),
            limit: self.state.options.max_memory,
            device: self.state.backend.name(),
            threads: self.state.backend.threads(),
        }
    }
}

/// The bytes behind a node, under a key that two nodes over the same bytes share.
fn held(node: &NodeRef) -> ((u8, usize), Held) {
    let empty = |bytes, file, pending| Held { bytes, names: Vec::new(), file, pending };
    match node.buffer() {
        Some(buffer) => {
            let file = buffer.path().filter(|_| buffer.is_mapped()).map(std::path::Path::to_owned);
            ((0, buffer.as_ptr() as usize), empty(buffer.len() as u64, file, false))
        }
        None => ((2, node.id as usize), empty(node.nbytes() as u64, None, true)),
    }
}

/// A value as `:type` tells it.
fn told(value: &Value) -> String {
    match value {
        Value::Tensor(t) => {
            let layout = &t.view.layout;
            let strides = format!("strides {:?}, offset {}", layout.strides.as_slice(), layout.offset);
            let view = if t.shares_a_base() { "view" } else { "own" };
            let of = t.origin.as_ref().map_or(String::new(), |o| format!(" of {o}"));
            format!("{}, {view}{of}, {strides}, {}", t.describe(), size(t.nbytes() as u64))
        }
        Value::Unknown => "known only when it is computed".to_owned(),
        other => other.describe(),
    }
}
