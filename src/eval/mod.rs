//! Evaluates syntax trees: scopes, calls, indexing, writes, and the places of faults. Tensors are only built here; plan
//! and run compute them when a value is needed.

mod advanced;
mod annotation;
mod assert;
mod assign;
mod call;
mod check;
mod compare;
mod example;
mod expr;
mod fstring;
mod hole;
mod host;
mod import;
mod index;
mod iterate;
mod locals;
mod method;
mod name;
mod operators;
mod plain;
mod show;
mod sink;
mod statement;
mod subscript;
mod trap;
mod warn;
mod write;

pub use call::MAX_DEPTH;
pub use example::{help, outputs};
pub use name::constants;
pub use sink::Sink;

use crate::base::{Diag, SourceId, SourceMap, Span, Symbol};
use crate::func::{Cx, Options};
use crate::kernel::{Backend, Cancel};
use crate::lang::ast::{Expr, Stmt, StmtKind};
use crate::plan::Node;
use crate::value::{Closure, Module, ScopeRef, SymbolMap, Value};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Weak};

/// What lives as long as a session.
pub struct State {
    pub options: Options,
    pub backend: Arc<dyn Backend>,
    pub cancel: Cancel,
    pub sources: SourceMap,
    /// True in `tsk check`: shapes and dtypes only.
    checking: bool,
    check: check::Check,
    /// Imported scripts by canonical path.
    modules: HashMap<PathBuf, Import>,
    /// Definitions of the prelude that were used.
    prelude: SymbolMap<Arc<Closure>>,
    /// What `trap_nan` stopped at, until the expression ends.
    trapped: Option<Box<Diag>>,
    /// Kinds of warnings that were told.
    warned: HashSet<&'static str>,
    /// Nodes made lately that may still be pending.
    recent: Vec<Weak<Node>>,
}

enum Import {
    Running,
    Done(Arc<Module>),
}

impl State {
    pub fn new(options: Options, backend: Arc<dyn Backend>, cancel: Cancel) -> State {
        State {
            options,
            backend,
            cancel,
            sources: SourceMap::default(),
            checking: false,
            check: check::Check::default(),
            modules: HashMap::new(),
            prelude: SymbolMap::default(),
            trapped: None,
            warned: HashSet::new(),
            recent: Vec::new(),
        }
    }

    /// Runs `work` with nothing computed and nothing of this state changed but its sources. Gives the number of faults
    /// reported with what `work` gives.
    pub fn checked<T>(&mut self, work: impl FnOnce(&mut State) -> T) -> (T, usize) {
        let options = self.options.clone();
        let modules = std::mem::take(&mut self.modules);
        self.options.eager_small = false;
        self.checking = true;
        let result = work(self);
        self.checking = false;
        let found = std::mem::take(&mut self.check).found();
        self.modules = modules;
        self.options = options;
        (result, found)
    }
}

/// One run of a text.
pub struct Eval<'a> {
    pub state: &'a mut State,
    pub sink: &'a mut dyn Sink,
    /// Where paths of the running script start.
    dir: PathBuf,
    depth: usize,
    /// While code of the library runs: the user's expression that called it. Nodes and faults get this place.
    caller: Option<Span>,
    /// Positive while an imported script runs: its displays are suppressed.
    muted: usize,
}

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl<'a> Eval<'a> {
    /// `dir` is where relative paths of imports and files start.
    pub fn new(state: &'a mut State, sink: &'a mut dyn Sink, dir: PathBuf) -> Self {
        Eval { state, sink, dir, depth: 0, caller: None, muted: 0 }
    }

    /// Runs one statement of the top level and displays its value.
    pub fn top(&mut self, stmt: &Stmt, scope: &ScopeRef) -> Result<(), Diag> {
        self.check_cancel(stmt.span)?;
        self.state.trapped = None;
        match &stmt.kind {
            StmtKind::Expr(expr) if !self.state.checking => {
                let value = self.expr(expr, scope)?;
                if !stmt.quiet && self.muted == 0 {
                    self.display(&value, expr.span)?;
                }
                Ok(())
            }
            _ => self.statement(stmt, scope).map(|_| ()),
        }
    }

    /// The value of an expression, not displayed, and with nothing small run early: its plan is whole.
    pub fn lazily(&mut self, expr: &Expr, scope: &ScopeRef) -> Result<Value, Diag> {
        let eager = std::mem::replace(&mut self.state.options.eager_small, false);
        let value = self.expr(expr, scope);
        self.state.options.eager_small = eager;
        value
    }

    /// Runs all statements but the last and gives the value of that, not displayed.
    pub fn last_value(&mut self, script: &[Stmt], scope: &ScopeRef) -> Result<Value, Diag> {
        let Some((last, rest)) = script.split_last() else { return Ok(Value::None) };
        for stmt in rest {
            self.statement(stmt, scope)?;
        }
        match &last.kind {
            StmtKind::Expr(expr) | StmtKind::Explain(expr) => self.expr(expr, scope),
            _ => self.statement(last, scope).map(|_| Value::None),
        }
    }

    /// Computes and displays a value.
    pub fn show(&mut self, value: &Value) -> Result<(), Diag> {
        self.display(value, Span::default())
    }

    /// The place that a node or fault of `span` gets.
    fn place(&self, span: Span) -> Span {
        match self.caller {
            Some(caller) if self.is_internal(span.source) => caller,
            _ => span,
        }
    }

    fn cx(&mut self, span: Span) -> Cx<'_> {
        let span = self.place(span);
        Cx { host: self, span }
    }

    fn check_cancel(&mut self, span: Span) -> Result<(), Diag> {
        if self.state.cancel.is_set() {
            return Err(Diag::interrupted().label(self.place(span), ""));
        }
        Ok(())
    }

    /// E0702 where a plain value of `bytes` bytes would not fit.
    fn check_room(&self, bytes: usize, span: Span) -> Result<(), Diag> {
        let limit = self.state.options.max_memory.min(1 << 33);
        if bytes as u64 > limit {
            return Err(Diag::new("E0702", format!("this takes {bytes} bytes, the limit is {limit}")).label(span, ""));
        }
        Ok(())
    }

    fn is_internal(&self, source: SourceId) -> bool {
        self.state.sources.get(source).is_some_and(|s| s.internal)
    }

    /// The text that an expression stands in the source as, for messages.
    fn snippet(&self, span: Span) -> String {
        self.state.sources.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn unknown_name(name: Symbol, span: Span) -> Diag {
    Diag::new("E0101", format!("unknown name `{name}`")).label(span, "")
}
