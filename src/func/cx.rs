use crate::base::{Diag, Span};
use crate::plan::{NodeRef, Tensor};
use crate::tensor::{DType, HostArray};
use crate::value::{Spanned, Value};

/// Session settings that functions read or set.
#[derive(Clone, Debug)]
pub struct Options {
    pub default_float: DType,
    pub precision: usize,
    pub threshold: usize,
    pub line_width: usize,
    /// Limit of anonymous memory in bytes.
    pub max_memory: u64,
    pub mmap: bool,
    /// Key of the random generator and the counter of the calls made so far.
    pub seed: u64,
    pub random_calls: u64,
    /// Small nodes run at once where their inputs are there.
    pub eager_small: bool,
    pub json: bool,
}

/// What functions may ask of the evaluator.
pub trait Host {
    /// Calls a function value (`map(f, xs)`, `sorted(key=f)`).
    fn call(&mut self, callee: &Value, args: Vec<Spanned>, span: Span) -> Result<Value, Diag>;
    /// Computes the nodes now; a fault carries both places (computed here, needed at `needed`).
    fn force(&mut self, nodes: &[NodeRef], needed: Span) -> Result<(), Diag>;
    /// Shown or printed text.
    fn print(&mut self, text: &str);
    fn warn(&mut self, diag: Diag);
    /// Resolves a path named by a script.
    fn path(&self, path: &str) -> std::path::PathBuf;
    /// True in `tsk check`: nothing runs; forcing gives Unknown.
    fn checking(&self) -> bool {
        false
    }
}

/// The surroundings of one call.
pub struct Cx<'a> {
    pub options: &'a mut Options,
    pub host: &'a mut dyn Host,
    /// The whole call expression.
    pub span: Span,
}

impl Cx<'_> {
    /// Wraps a new node as a fresh tensor; runs it at once where it is small and its inputs are there.
    pub fn fresh(&mut self, node: NodeRef) -> Value {
        Value::tensor(Tensor::of(node))
    }

    /// The values of a tensor, computed now.
    pub fn array(&mut self, t: &Tensor) -> Result<HostArray, Diag> {
        let node = t.cell.version();
        self.host.force(std::slice::from_ref(&node), self.span)?;
        let buffer = node.buffer().ok_or_else(|| Diag::new("E0701", "interrupted"))?;
        Ok(HostArray { buffer, view: t.view.clone() })
    }

    /// The values of several tensors, computed in one plan.
    pub fn arrays(&mut self, tensors: &[&Tensor]) -> Result<Vec<HostArray>, Diag> {
        let nodes: Vec<NodeRef> = tensors.iter().map(|t| t.cell.version()).collect();
        self.host.force(&nodes, self.span)?;
        tensors.iter().map(|t| self.array(t)).collect()
    }
}
