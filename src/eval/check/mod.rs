//! `tsk check`: the same evaluator over kinds, shapes and dtypes. Nothing runs: a value that data decides is
//! [`Value::Unknown`], and an operation that would have to look at data is given up without a report.
//!
//! Looking at data is refused by an error of its own ([`needs_data`]), which every expression turns into Unknown.

mod branch;
mod kind;
mod repeat;
mod stand_in;
mod trial;

pub(super) use kind::{is_open_list, is_unsure};

use super::{Eval, Flow, locals};
use crate::base::{Diag, Span, Symbol};
use crate::func::{Args, Func};
use crate::lang::ast::{Annotation, Block, Dim, Expr, ExprKind, FnDef, Param, Stmt, StmtKind};
use crate::value::{Closure, List, Scope, ScopeRef, Spanned, SymbolMap, Value};
use std::collections::HashSet;
use std::sync::Arc;
use trial::{TRIALS, Trial, place, proven};

/// Code of the refusal to look at data: never reported.
const DATA: &str = "data";
/// Calls of one function within each other that are followed.
const MOST_CALLS: usize = 3;
/// Expressions walked before calls are no longer followed.
const MOST_STEPS: usize = 300_000;
/// A longer check is not repeated with extents tried out.
const MOST_TRIED: usize = 50_000;

/// How sure it is that the code at hand runs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Sure {
    #[default]
    Certain,
    /// Data decides whether or how often.
    Perhaps,
    /// Not with the values known: an arm that was not taken.
    Never,
}

/// What one check knows and found.
#[derive(Default)]
pub struct Check {
    sure: Sure,
    /// Within a function an arm that was not taken may rely on other arguments: only names are reported.
    names_only: bool,
    /// How often looking at data was refused and not yet answered for.
    refused: usize,
    /// Bodies entered and not left.
    calls: Vec<usize>,
    /// For each of them, values that it may return early.
    returns: Vec<Vec<Value>>,
    /// For each open loop, bindings with which a round may end early.
    exits: Vec<Vec<SymbolMap<Value>>>,
    defined: Vec<Arc<Closure>>,
    called: HashSet<usize>,
    /// Arms looked at without being taken.
    seen_arms: HashSet<usize>,
    reported: HashSet<(&'static str, Span)>,
    /// Names that the script binds somewhere at its top level.
    names: HashSet<Symbol>,
    /// A file was written, had the script run: files that are missing may be those.
    saved: bool,
    steps: usize,
    /// The choice of extents of this pass; None in the first, which takes them for unknown.
    trial: Option<Trial>,
    /// Something was unknown that a trial would know.
    wants_trials: bool,
}

impl Check {
    pub fn found(&self) -> usize {
        self.reported.len()
    }

    fn exhausted(&self) -> bool {
        self.steps > MOST_STEPS
    }
}

fn key<T>(x: &T) -> usize {
    std::ptr::from_ref(x) as usize
}

impl Eval<'_> {
    /// Checks a whole script: first with everything unknown that is, then with extents that are unknown tried out.
    ///
    /// # Errors
    /// E0701 only; everything else goes to the sink.
    pub fn check_script(&mut self, script: &[Stmt]) -> Result<(), Diag> {
        let options = self.state.options.clone();
        self.check_pass(script)?;
        if !self.state.check.wants_trials || self.state.check.steps > MOST_TRIED {
            return Ok(());
        }
        let found = std::mem::take(&mut self.state.check);
        let mut trials = Vec::with_capacity(TRIALS.len());
        for choice in TRIALS {
            self.state.options = options.clone();
            self.state.modules.clear();
            self.state.check = Check { trial: Some(Trial::new(choice)), ..Check::default() };
            self.check_pass(script)?;
            trials.extend(self.state.check.trial.take());
        }
        self.state.check = found;
        proven(&trials).iter().for_each(|diag| self.report(diag));
        Ok(())
    }

    /// The statements of a script, then the functions that nobody called.
    fn check_pass(&mut self, script: &[Stmt]) -> Result<(), Diag> {
        let scope = &Scope::module();
        scope.set(Symbol::new("args"), Value::Unknown);
        self.check_names(script);
        for stmt in script {
            self.statement(stmt, scope)?;
        }
        self.state.check.sure = Sure::Perhaps;
        while let Some(closure) = self.state.check.defined.pop() {
            if self.state.check.called.contains(&key(&*closure.def)) {
                continue;
            }
            let trying = self.state.check.trial.is_some();
            let unknown = |p: &Param| (!trying || p.default.is_none()).then_some(p.name.span);
            let unknown = |p| unknown(p).map(|span| Spanned { value: Value::Unknown, span });
            let args = closure.def.params.iter().map(unknown).collect();
            self.call_closure(&closure, args, closure.def.span)?;
        }
        self.state.check.sure = Sure::Certain;
        Ok(())
    }

    /// Names that a script (also an imported one) binds at its top level.
    pub(super) fn check_names(&mut self, script: &[Stmt]) {
        let mut names = Vec::new();
        locals::statements(script, &mut names);
        self.state.check.names.extend(names);
    }

    /// The refusal to look at data.
    pub(super) fn needs_data(&mut self, span: Span) -> Diag {
        self.state.check.refused += 1;
        Diag::new(DATA, "this depends on data").label(span, "")
    }

    /// Whether a fault came of a refusal since `before`; answers for it.
    fn excused(&mut self, diag: &Diag, before: usize) -> bool {
        let excused = diag.code == DATA || self.state.check.refused > before;
        self.state.check.refused = before;
        excused
    }

    /// True where the user pressed Ctrl-C: checking ends too.
    fn stops(&self, diag: &Diag) -> bool {
        diag.code == "E0701" && self.state.cancel.is_set()
    }

    fn report(&mut self, diag: &Diag) {
        let check = &mut self.state.check;
        let told = match &diag.code[..3] {
            "E07" | DATA_FAMILY => false,
            "E05" => check.sure == Sure::Certain,
            "E06" => check.sure == Sure::Certain && !check.saved,
            _ if check.sure == Sure::Never && check.names_only => {
                matches!(diag.code, "E0101" | "E0104" | "E0105" | "E0106" | "E0107")
            }
            _ => true,
        };
        if !told || !check.reported.insert((diag.code, place(diag))) {
            return;
        }
        if let Some(trial) = &mut check.trial {
            trial.found.push(diag.clone());
        } else {
            self.sink.error(diag, &self.state.sources);
        }
    }

    /// One statement. What goes wrong is reported, and the names that it would have bound are unknown from then on.
    pub(super) fn check_statement(&mut self, stmt: &Stmt, scope: &ScopeRef, tail: bool) -> Result<Flow, Diag> {
        let before = self.state.check.refused;
        let result = match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                self.check_if(arms, otherwise.as_ref(), scope, tail && otherwise.is_some())
            }
            StmtKind::For { target, iter, body } => self.check_for(target, iter, body, scope),
            StmtKind::While { cond, body } => self.check_while(cond, body, scope),
            StmtKind::Expr(expr) if tail => self.expr(expr, scope).map(Flow::Return),
            _ => self.run_statement(stmt, scope),
        };
        if let StmtKind::Assign { annotation: Some(annotation), .. } = &stmt.kind {
            unknown_dims(Some(annotation), scope);
        }
        let diag = match result {
            Ok(flow) => {
                self.state.check.refused = before;
                return Ok(flow);
            }
            Err(diag) => diag,
        };
        let excused = self.excused(&diag, before);
        if self.stops(&diag) {
            return Err(diag);
        }
        if self.is_internal(stmt.span.source) {
            return Err(if excused { self.needs_data(stmt.span) } else { diag });
        }
        if !excused {
            self.report(&diag);
        }
        let mut names = Vec::new();
        locals::statements(std::slice::from_ref(stmt), &mut names);
        names.into_iter().for_each(|name| scope.set(name, Value::Unknown));
        Ok(if tail || matches!(stmt.kind, StmtKind::Return(_)) { Flow::Return(Value::Unknown) } else { Flow::Next })
    }

    /// A block whose last expression is its value.
    pub(super) fn check_tail(&mut self, block: &Block, scope: &ScopeRef) -> Result<Flow, Diag> {
        let Some((last, rest)) = block.split_last() else { return Ok(Flow::Next) };
        for stmt in rest {
            match self.statement(stmt, scope)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        let tail = matches!(last.kind, StmtKind::Expr(_) | StmtKind::If { .. });
        self.check_statement(last, scope, tail)
    }

    /// An expression that may have been refused data is unknown.
    pub(super) fn check_expr(&mut self, expr: &Expr, scope: &ScopeRef) -> Result<Value, Diag> {
        self.state.check.steps += 1;
        let before = self.state.check.refused;
        let result = match &expr.kind {
            ExprKind::IfElse { cond, then, otherwise } => self.check_choice(cond, then, otherwise, scope),
            ExprKind::And(a, b) => self.check_logic(a, b, true, scope),
            ExprKind::Or(a, b) => self.check_logic(a, b, false, scope),
            ExprKind::Comprehension { element, clauses } => self.check_comprehension(element, clauses, scope),
            _ => self.compound(expr, scope),
        };
        match result {
            Ok(value) => {
                self.state.check.refused = before;
                Ok(value)
            }
            Err(diag) if self.stops(&diag) => Err(diag),
            Err(diag) if self.excused(&diag, before) => Ok(Value::Unknown),
            Err(diag) => Err(diag),
        }
    }

    /// A name that is bound nowhere yet. Where it is not certain that this runs, a later line may have bound it.
    pub(super) fn may_be_bound(&self, name: Symbol, local: bool) -> bool {
        let check = &self.state.check;
        self.state.checking && check.sure != Sure::Certain && (local || check.names.contains(&name))
    }

    /// Whether a condition holds; None where data decides.
    fn known(&mut self, value: &Value, span: Span) -> Result<Option<bool>, Diag> {
        let before = self.state.check.refused;
        match self.truthy(value, span) {
            Ok(holds) => Ok(Some(holds)),
            Err(diag) if self.excused(&diag, before) => Ok(None),
            Err(diag) => Err(diag),
        }
    }

    /// Evaluates a condition. A fault in it is reported and leaves it open.
    fn condition(&mut self, cond: &Expr, scope: &ScopeRef) -> Result<Option<bool>, Diag> {
        let result = match self.expr(cond, scope) {
            Ok(value) => self.known(&value, cond.span),
            Err(diag) => Err(diag),
        };
        let internal = self.is_internal(cond.span.source);
        match result {
            Ok(None) if internal => Err(self.needs_data(cond.span)),
            Err(diag) if !internal && !self.stops(&diag) => {
                self.report(&diag);
                Ok(None)
            }
            result => result,
        }
    }

    /// The result of a call that is not followed further: the function calls itself, or all of it takes too long.
    pub(super) fn check_unfollowed(&self, def: &Arc<FnDef>) -> bool {
        let check = &self.state.check;
        check.exhausted() || check.calls.iter().filter(|c| **c == key(&**def)).count() >= MOST_CALLS
    }

    /// The body of a call. A fault in it is reported where it is; the result is unknown then.
    pub(super) fn check_body(&mut self, def: &Arc<FnDef>, scope: &ScopeRef) -> Result<Value, Diag> {
        for param in &def.params {
            unknown_dims(param.annotation.as_ref(), scope);
        }
        let before = self.state.check.refused;
        let open = |p: &Param| p.annotation.is_some() && matches!(scope.get(p.name.symbol), Some(Value::Unknown));
        if !def.params.iter().any(open) {
            self.state.check.called.insert(key(&**def));
        }
        self.state.check.calls.push(key(&**def));
        self.state.check.returns.push(Vec::new());
        let exits = std::mem::take(&mut self.state.check.exits);
        let result = self.body(&def.body, scope);
        self.state.check.exits = exits;
        self.state.check.calls.pop();
        let early = self.state.check.returns.pop().unwrap_or_default();
        match result {
            Ok(value) => Ok(early.iter().fold(value, |a, b| kind::merge(&a, b))),
            Err(diag) if self.is_internal(def.span.source) || self.stops(&diag) => Err(diag),
            Err(diag) => {
                if !self.excused(&diag, before) {
                    self.report(&diag);
                }
                Ok(Value::Unknown)
            }
        }
    }

    /// The result of a function of the table that is not called: it would write a file, or data decides it.
    pub(super) fn check_func(&mut self, func: &Func, args: &Args) -> Option<Value> {
        match func.doc.name {
            "save" => {
                self.state.check.saved = true;
                return Some(Value::None);
            }
            "close" => return Some(Value::None),
            "eval" => return args.args.first().map(|a| a.value.clone()),
            "record" | "replace" => return None,
            name => {
                if let Some(value) = self.check_selection(name, args) {
                    return Some(value);
                }
            }
        }
        let all = args.args.iter().chain(&args.rest).chain(args.keywords.iter().map(|(_, a)| a));
        let mut all = all.map(|a| &a.value);
        all.any(is_unsure).then_some(Value::Unknown)
    }

    /// Remembers a function, in case that nobody calls it.
    pub(super) fn check_defined(&mut self, closure: &Arc<Closure>) {
        if !self.is_internal(closure.def.span.source) {
            self.state.check.defined.push(closure.clone());
        }
    }

    /// Whether a list is really changed. Where that depends, nothing is known of it afterwards.
    pub(super) fn changes(&mut self, list: &List) -> bool {
        if !self.state.checking {
            return true;
        }
        match self.state.check.sure {
            Sure::Certain => true,
            Sure::Never => false,
            Sure::Perhaps => {
                self.open(list);
                false
            }
        }
    }

    /// Nothing is known of a list from now on, not even its length.
    pub(super) fn open(&mut self, list: &List) {
        if self.state.check.sure != Sure::Never {
            *list.lock() = vec![Value::Unknown];
        }
    }

    /// Runs `work` under an assumption about whether it runs at all.
    fn assuming<T>(&mut self, sure: Sure, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.state.check.sure, self.state.check.names_only);
        if before.0 != Sure::Never {
            self.state.check.names_only = sure == Sure::Never && !self.state.check.calls.is_empty();
            self.state.check.sure = if sure == Sure::Certain { before.0 } else { sure };
        }
        let result = work(self);
        (self.state.check.sure, self.state.check.names_only) = before;
        result
    }
}

const DATA_FAMILY: &str = "dat";

/// Extents whose values are unknown still are names.
fn unknown_dims(annotation: Option<&Annotation>, scope: &Scope) {
    for dim in annotation.and_then(|a| a.dims.as_ref()).into_iter().flatten() {
        if let Dim::Name(name) = dim {
            scope.lock().entry(name.symbol).or_insert(Value::Unknown);
        }
    }
}
