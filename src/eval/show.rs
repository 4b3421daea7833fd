//! Displays, and plans of values.

use super::Eval;
use crate::base::{Diag, Span};
use crate::plan::{NodeRef, lower};
use crate::value::Value;

impl Eval<'_> {
    /// Shows the value of an expression; None shows nothing.
    pub(super) fn display(&mut self, value: &Value, span: Span) -> Result<(), Diag> {
        if matches!(value, Value::None | Value::Unknown) {
            return Ok(());
        }
        // As a literal it has no type of its own; a field such as `iinfo(u64).max` is what it is.
        let is_literal = self.state.sources.snippet(span).starts_with(|c: char| c.is_ascii_digit() || c == '(');
        if matches!(value, Value::BigInt(_)) && is_literal {
            return Err(super::plain::too_big().label(self.place(span), ""));
        }
        self.cx(span).force_value(value)?;
        self.sink.value(value, &self.state.options);
        Ok(())
    }

    pub(super) fn explain(&mut self, value: &Value) {
        let mut nodes: Vec<NodeRef> = Vec::new();
        crate::value::nodes(value, &mut nodes);
        let plan = lower(&nodes);
        self.sink.plan(&plan, &self.state.sources);
        let history: Vec<String> = nodes.iter().filter_map(|n| n.record()).map(|r| r.text()).collect();
        if plan.steps.is_empty() && !history.is_empty() {
            self.sink.history(&history.join("\n"));
        }
    }
}
