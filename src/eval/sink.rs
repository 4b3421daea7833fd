use crate::base::{Diag, SourceMap};
use crate::func::Options;
use crate::plan::Plan;
use crate::value::Value;

/// Where a session's output goes: a terminal, JSON lines, a test's list.
pub trait Sink {
    /// A displayed value; every tensor in it is computed.
    fn value(&mut self, value: &Value, options: &Options);
    /// Printed text, without its newline.
    fn print(&mut self, text: &str);
    /// What `explain` shows. `history` tells how a value came about that is there already.
    fn plan(&mut self, plan: &Plan, history: Option<&str>, sources: &SourceMap);
    fn error(&mut self, diag: &Diag, sources: &SourceMap);
    fn warn(&mut self, diag: &Diag, sources: &SourceMap);
}
