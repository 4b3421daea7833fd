use super::convert;
use crate::base::{Diag, Span, Symbol};
use crate::kernel::Cancel;
use crate::lang::ast::BinaryOp;
use crate::op::MapRow;
use crate::plan::{NodeRef, Tensor, build};
use crate::tensor::{DType, HostArray};
use crate::text::ArrayOptions;
use crate::value::{Spanned, Value};
use std::cmp::Ordering;
use std::path::PathBuf;

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
    /// `philox` (counter-based), or a sequential generator by its name.
    pub generator: &'static str,
    /// Small nodes run at once where their inputs are there.
    pub eager_small: bool,
    pub json: bool,
    /// A line of statistics under displayed tensors.
    pub stats: bool,
    /// Tell about likely accidents, each kind once.
    pub warnings: bool,
    /// Copies of more bytes than this that nobody asked for are told.
    pub large_copy: u64,
    /// Run each operation at once and stop at the first that makes a NaN from numbers.
    pub trap_nan: bool,
    /// The folder where relative paths of files start; None: the session's.
    pub base: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            default_float: DType::F32,
            precision: 8,
            threshold: 1000,
            line_width: 75,
            max_memory: u64::MAX,
            mmap: true,
            seed: 0,
            random_calls: 0,
            generator: "philox",
            eager_small: true,
            json: false,
            stats: false,
            warnings: true,
            large_copy: 1 << 30,
            trap_nan: false,
            base: None,
        }
    }
}

impl Options {
    /// How arrays are written.
    pub fn array(&self) -> ArrayOptions {
        ArrayOptions {
            precision: self.precision,
            threshold: self.threshold,
            line_width: self.line_width,
            default_float: self.default_float,
            ..ArrayOptions::default()
        }
    }
}

/// What functions may ask of the evaluator.
pub trait Host {
    fn options(&mut self) -> &mut Options;
    /// Calls a function value (`map(f, xs)`, `sorted(key=f)`).
    fn call(
        &mut self,
        callee: &Value,
        args: Vec<Spanned>,
        keywords: Vec<(Symbol, Spanned)>,
        span: Span,
    ) -> Result<Value, Diag>;
    /// Computes the nodes now; a fault carries both places (computed here, needed at `needed`).
    fn force(&mut self, nodes: &[NodeRef], needed: Span) -> Result<(), Diag>;
    /// Told of each new node: runs it at once where it is small and its inputs are there, and bounds what is pending.
    fn made(&mut self, node: &NodeRef);
    /// Set where the user interrupts.
    fn cancel(&self) -> &Cancel;
    /// True in `tsk check`: shapes and dtypes are known, values are not.
    fn checking(&self) -> bool;
    /// The page of a name, examples and all; E0101 where there is none. Of a function of the user what stands above it.
    fn help(&mut self, name: &Value, span: Span) -> Result<String, Diag>;
    /// Shown or printed text.
    fn print(&mut self, text: &str);
    fn warn(&mut self, diag: Diag);
    /// The file that a script names: from the base folder or, where it is not there, from the script's own.
    fn path(&self, path: &str) -> PathBuf;
    /// Elements of anything that can be walked; E0112 otherwise.
    fn elements(&mut self, value: &Value, span: Span) -> Result<Vec<Value>, Diag>;
    /// Whether a value counts as true; a tensor must have one element.
    fn truthy(&mut self, value: &Value, span: Span) -> Result<bool, Diag>;
    /// `a op b` for any values.
    fn binary(&mut self, op: BinaryOp, a: &Spanned, b: &Spanned) -> Result<Value, Diag>;
    /// `a == b` as one bool.
    fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Result<bool, Diag>;
    /// How two values are ordered (None: NaN is among them). E0406 where their kinds have no order.
    fn order(&mut self, a: &Value, b: &Value, span: Span) -> Result<Option<Ordering>, Diag>;
}

/// The surroundings of one call.
pub struct Cx<'a> {
    pub host: &'a mut dyn Host,
    /// The whole call expression.
    pub span: Span,
}

impl Cx<'_> {
    pub fn options(&mut self) -> &mut Options {
        self.host.options()
    }

    pub fn default_float(&mut self) -> DType {
        self.host.options().default_float
    }

    /// A new node as a fresh tensor.
    pub fn fresh(&mut self, node: NodeRef) -> Value {
        self.host.made(&node);
        Value::tensor(Tensor::of(node))
    }

    /// A tensor that a maker of nodes gave, or a view.
    pub fn give(&mut self, t: Tensor) -> Value {
        self.host.made(&t.cell.version());
        Value::tensor(t)
    }

    /// The values of a tensor, computed now.
    pub fn array(&mut self, t: &Tensor) -> Result<HostArray, Diag> {
        let node = t.cell.version();
        self.host.force(std::slice::from_ref(&node), self.span)?;
        let buffer = node.buffer().ok_or_else(Diag::interrupted)?;
        Ok(HostArray { buffer, view: t.view.clone() })
    }

    /// The values of several tensors, computed in one plan.
    pub fn arrays(&mut self, tensors: &[&Tensor]) -> Result<Vec<HostArray>, Diag> {
        let nodes: Vec<NodeRef> = tensors.iter().map(|t| t.cell.version()).collect();
        self.host.force(&nodes, self.span)?;
        tensors.iter().map(|t| self.array(t)).collect()
    }

    /// An elementwise row of tensors, plain numbers (weak) and lists. The fault carries a label for each tensor.
    pub fn map(&mut self, row: &'static MapRow, args: &[(&Value, Span)]) -> Result<Value, Diag> {
        if args.iter().any(|(v, _)| matches!(v, Value::Unknown)) {
            return Ok(Value::Unknown);
        }
        let mut operands = Vec::with_capacity(args.len());
        for (value, span) in args {
            operands.push(convert::map_arg(self, value, *span)?);
        }
        let float = self.default_float();
        let node = build::map(row, &operands, float, self.span).map_err(|d| label_operands(d, args))?;
        Ok(self.fresh(node))
    }

    /// Calls a function of the table by name.
    pub fn call_named(&mut self, name: &str, args: Vec<Spanned>) -> Result<Value, Diag> {
        let Some(func) = super::lookup(Symbol::new(name)) else {
            return Err(Diag::new("E0101", format!("unknown name `{name}`")).at(self.span));
        };
        self.host.call(&Value::Builtin(func), args, Vec::new(), self.span)
    }

    /// `str(value)`: tensors inside are computed.
    pub fn text(&mut self, value: &Value) -> Result<String, Diag> {
        self.force_value(value)?;
        let options = self.host.options().array();
        let text = crate::value::text_until(value, &options, self.host.cancel());
        self.check_cancel()?;
        Ok(text)
    }

    /// `repr(value)`: strings in quotes, tensors as `array(…)`.
    pub fn repr(&mut self, value: &Value) -> Result<String, Diag> {
        self.force_value(value)?;
        let options = self.host.options().array();
        let text = crate::value::repr_until(value, &options, self.host.cancel());
        self.check_cancel()?;
        Ok(text)
    }

    /// E0701 where the user interrupts.
    pub fn check_cancel(&self) -> Result<(), Diag> {
        if self.host.cancel().is_set() { Err(Diag::interrupted().at(self.span)) } else { Ok(()) }
    }

    /// Computes every tensor inside a value.
    pub fn force_value(&mut self, value: &Value) -> Result<(), Diag> {
        let mut nodes = Vec::new();
        crate::value::nodes(value, &mut nodes);
        if nodes.is_empty() { Ok(()) } else { self.host.force(&nodes, self.span) }
    }
}

/// Adds what each operand is, unless the places are known.
pub fn label_operands(mut diag: Diag, args: &[(&Value, Span)]) -> Diag {
    if diag.labels.is_empty() {
        for (value, span) in args {
            diag = diag.label(*span, value.describe());
        }
    }
    diag
}
