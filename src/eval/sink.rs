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
    /// What `explain` shows.
    fn plan(&mut self, plan: &Plan, sources: &SourceMap);
    /// How values came about that are there already, for people; programs get the empty plan.
    fn history(&mut self, _: &str) {}
    fn error(&mut self, diag: &Diag, sources: &SourceMap);
    fn warn(&mut self, diag: &Diag, sources: &SourceMap);
}
