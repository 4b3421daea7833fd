//! What functions of the table may ask for.

use super::{Eval, State};
use crate::base::{Diag, Span, Symbol, a as article};
use crate::func::{Given, Host, Options};
use crate::kernel::Cancel;
use crate::lang::ast::BinaryOp;
use crate::plan::{Node, NodeRef};
use crate::run::{self, Limits, RunFault};
use crate::value::{Spanned, Value};
use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

/// Pending nodes that may pile up before those that somebody holds are computed.
const MOST_PENDING: usize = 1_000;

impl Host for Eval<'_> {
    fn options(&mut self) -> &mut Options {
        &mut self.state.options
    }

    fn call(
        &mut self,
        callee: &Value,
        args: Vec<Spanned>,
        keywords: Vec<(Symbol, Spanned)>,
        span: Span,
    ) -> Result<Value, Diag> {
        self.call_value(callee, Given { args, keywords }, span, span)
    }

    fn force(&mut self, nodes: &[NodeRef], needed: Span) -> Result<(), Diag> {
        let place = self.place(needed);
        if self.state.checking {
            return Err(self.needs_data(place));
        }
        self.run(nodes).map_err(|fault| fault.diag(place))
    }

    fn made(&mut self, node: &NodeRef) {
        if node.is_done() || self.state.checking {
            return;
        }
        if self.state.options.trap_nan && self.state.options.eager_small {
            return self.trap_nan(node);
        }
        // A fault stays with the node: it is told when the value is needed.
        if self.state.options.eager_small && run::eager(node, &*self.state.backend, &self.state.cancel) {
            return;
        }
        self.remember(node);
    }

    fn cancel(&self) -> &Cancel {
        &self.state.cancel
    }

    fn checking(&self) -> bool {
        self.state.checking
    }

    fn help(&mut self, what: &Value, span: Span) -> Result<String, Diag> {
        let name = match what {
            Value::None => "",
            Value::Str(name) => name,
            Value::Builtin(func) => func.doc.name,
            Value::DType(dtype) => dtype.name(),
            Value::Packed(format) => format.name(),
            Value::Tensor(_) => "attributes",
            Value::Closure(closure) => return Ok(self.defined(closure.def.span)),
            other => {
                return Err(Diag::new("E0108", "`help` takes a function or a name")
                    .label(span, other.describe())
                    .hint("help(softmax), help(\"np.concatenate\"), help(\"broadcasting\")"));
            }
        };
        if self.state.checking {
            return Ok(String::new());
        }
        super::example::help(name, &self.state.backend, &self.state.cancel)
            .map_err(|text| Diag::new("E0101", text).label(span, ""))
    }

    fn print(&mut self, text: &str) {
        if !self.state.checking {
            self.sink.print(text);
        }
    }

    fn warn(&mut self, diag: Diag) {
        if !self.state.checking {
            self.sink.warn(&diag, &self.state.sources);
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        let base = self.state.options.base.as_ref().unwrap_or(&self.dir);
        let direct = base.join(path);
        if direct.exists() {
            return direct;
        }
        let beside = self.dir.join(path);
        if beside.exists() { beside } else { direct }
    }

    fn elements(&mut self, value: &Value, span: Span) -> Result<Vec<Value>, Diag> {
        self.all_elements(value, span)
    }

    fn truthy(&mut self, value: &Value, span: Span) -> Result<bool, Diag> {
        Eval::truthy(self, value, span)
    }

    fn binary(&mut self, op: BinaryOp, a: &Spanned, b: &Spanned) -> Result<Value, Diag> {
        let span = a.span.to(b.span);
        Eval::binary(self, op, span, a, b, span)
    }

    fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Result<bool, Diag> {
        Eval::equal(self, a, b, span, 1)
    }

    fn order(&mut self, a: &Value, b: &Value, span: Span) -> Result<Option<Ordering>, Diag> {
        let found = Eval::order(self, a, b, span, 1)?;
        found.ok_or_else(|| {
            Diag::new("E0406", format!("{} and {} have no order", article(a.describe()), article(b.describe())))
                .label(span, "")
        })
    }
}

impl Eval<'_> {
    /// A definition as it was written, with the comment above it.
    fn defined(&self, span: Span) -> String {
        let Some(source) = self.state.sources.get(span.source) else { return String::new() };
        let before = source.text.get(..span.start as usize).unwrap_or("");
        let lines: Vec<&str> = before.lines().rev().take_while(|line| line.starts_with('#')).collect();
        let comment: String = lines.iter().rev().map(|line| format!("{line}\n")).collect();
        comment + self.state.sources.snippet(span)
    }

    pub(super) fn run(&mut self, nodes: &[NodeRef]) -> Result<(), RunFault> {
        let Options { max_memory, large_copy, .. } = self.state.options;
        let limits = Limits { max_memory, large_copy };
        // Planning follows chains of elementwise nodes down, up to the length where it cuts them.
        let State { backend, cancel, .. } = &*self.state;
        let large = stacker::maybe_grow(4 << 20, 16 << 20, || run::force(nodes, &**backend, &limits, cancel))?;
        self.warn_large(&large);
        Ok(())
    }

    pub(super) fn force_node(&mut self, node: &NodeRef, span: Span) -> Result<(), Diag> {
        self.force(std::slice::from_ref(node), span)
    }

    /// Bounds what is pending: a chain of a million lines must not become a graph of a million nodes.
    pub(super) fn remember(&mut self, node: &NodeRef) {
        if !node.is_pending() || self.state.checking {
            return;
        }
        self.state.recent.push(Arc::downgrade(node));
        if self.state.recent.len() < MOST_PENDING {
            return;
        }
        let recent = std::mem::take(&mut self.state.recent);
        let pending: Vec<Arc<Node>> = recent.iter().filter_map(|w| w.upgrade()).filter(|n| n.is_pending()).collect();
        let held: Vec<NodeRef> = pending.iter().filter(|n| n.held()).cloned().collect();
        drop(pending);
        for node in &held {
            // Each on its own, so that a fault of one leaves the others to be computed; it stays with its node.
            let _ = self.run(std::slice::from_ref(node));
        }
        self.state.recent.extend(held.iter().filter(|n| n.is_pending()).map(Arc::downgrade));
    }
}
