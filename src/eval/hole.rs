//! Typed holes: `reshape(x, 4, ?)`, `x @ ?`. What might stand there is tried, with nothing computed.

use super::name::{constants, visible};
use super::operators::binary_symbol;
use super::{Eval, Sink};
use crate::base::{Diag, SourceMap, Span, Symbol};
use crate::func::{Given, Options, parameters};
use crate::lang::ast::{Arg, BinaryOp, Expr, ExprKind};
use crate::plan::{Plan, Tensor};
use crate::value::{ScopeRef, Spanned, Value, repr};

/// Names, and plain values, that are tried at most.
const MOST_TRIED: usize = 64;
/// Of each kind, so many are told.
const MOST_TOLD: usize = 8;

/// Where trials report to.
struct Quiet;

impl Sink for Quiet {
    fn value(&mut self, _: &Value, _: &Options) {}
    fn print(&mut self, _: &str) {}
    fn plan(&mut self, _: &Plan, _: &SourceMap) {}
    fn error(&mut self, _: &Diag, _: &SourceMap) {}
    fn warn(&mut self, _: &Diag, _: &SourceMap) {}
}

/// A call, or an operation, without the value at the hole.
enum Around<'a> {
    Call { function: &'a Value, given: &'a Given, keyword: Option<Symbol>, at: usize },
    Binary { op: BinaryOp, other: &'a Spanned, at_left: bool },
}

pub(super) fn is_hole(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Hole)
}

/// The first hole among arguments.
pub(super) fn hole_among(args: &[Arg]) -> Option<usize> {
    args.iter().position(|a| is_hole(&a.value))
}

/// A hole where nothing can be told about it.
pub(super) fn bare(span: Span) -> Diag {
    Diag::new("E0114", "`?` stands for a value that is still to come")
        .label(span, "")
        .hint("as an argument, or beside an operator, it tells what would fit: `reshape(x, 4, ?)`, `x @ ?`")
}

impl Eval<'_> {
    /// The report about a call with a hole at `index` of its arguments.
    pub(super) fn hole_call(
        &mut self,
        function: &Value,
        first: Option<Spanned>,
        (args, index): (&[Arg], usize),
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let hole = args[index].value.span;
        let rest: Vec<Arg> = args.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, a)| a.clone()).collect();
        if hole_among(&rest).is_some() {
            return Err(bare(hole).note("one `?` at a time"));
        }
        let before = args[..index].iter().filter(|a| a.name.is_none()).count() + usize::from(first.is_some());
        let given = self.arguments(first, &rest, scope)?;
        let keyword = args[index].name.map(|n| n.symbol);
        let around = Around::Call { function, given: &given, keyword, at: before };
        let diag = match function {
            Value::Builtin(f) => {
                let params = parameters(f.doc.sig);
                // `*shape` takes all positions from its own on.
                let star = params.iter().position(|(n, _)| n.starts_with('*'));
                let place = params.get(star.map_or(before, |star| before.min(star)));
                let name = keyword.map(Symbol::as_str).or(place.map(|(n, _)| n.trim_start_matches('*')));
                let message = format!("`?` stands for `{}` of `{}`", name.unwrap_or("an argument"), f.doc.name);
                self.filled(Diag::new("E0114", message), &around, hole, span, scope).note(f.doc.sig)
            }
            Value::Closure(closure) => {
                let param = closure.def.params.iter().enumerate();
                let mut named = param.filter(|(i, p)| keyword.map_or(*i == before, |k| p.name.symbol == k));
                let name = named.next().map_or("an argument", |(_, p)| p.name.symbol.as_str());
                // Its body may write to what the scope holds: it is not tried.
                Diag::new("E0114", format!("`?` stands for `{name}`")).note(super::call::signature(&closure.def))
            }
            other => self
                .filled(Diag::new("E0114", "`?` stands for the value"), &around, hole, span, scope)
                .note(other.describe()),
        };
        Err(diag.label(hole, ""))
    }

    /// The report about an operator with a hole at one side.
    pub(super) fn hole_binary(
        &mut self,
        op: BinaryOp,
        sides: (&Expr, &Expr),
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let at_left = is_hole(sides.0);
        let (hole, known) = if at_left { (sides.0, sides.1) } else { (sides.1, sides.0) };
        if is_hole(known) {
            return Err(bare(hole.span));
        }
        let other = Spanned { value: self.expr(known, scope)?, span: known.span };
        let message = format!("`?` stands beside `{}`", binary_symbol(op));
        let mut diag = Diag::new("E0114", message);
        if let Value::Tensor(t) = &other.value {
            diag = diag.note(wanted(op, t, at_left));
        }
        let around = Around::Binary { op, other: &other, at_left };
        let diag = self.filled(diag, &around, hole.span, span, scope);
        Err(diag.label(hole.span, "").label(other.span, other.value.describe()))
    }

    /// Tries values and names at the hole, and tells which fit.
    fn filled(&mut self, mut diag: Diag, around: &Around, hole: Span, span: Span, scope: &ScopeRef) -> Diag {
        if self.state.checking {
            return diag;
        }
        let mut first = None;
        let mut plain = Vec::new();
        for value in plain_values(around) {
            if self.trial(around, value.clone(), hole, span).is_some() {
                plain.push(repr(&value, &self.state.options.array()));
            }
        }
        let mut dtypes = Vec::new();
        // Where many dtypes fit, one is wanted; where plain values do, a name of one is no use.
        for (name, value) in constants().filter(|(_, v)| matches!(v, Value::DType(_))) {
            if self.trial(around, value, hole, span).is_some() {
                dtypes.push(name.to_owned());
            }
        }
        let mut named = Vec::new();
        let mut names = visible(scope);
        names.sort_unstable_by_key(|n| n.as_str());
        for name in names.into_iter().filter(|n| !n.as_str().starts_with('_')).take(MOST_TRIED) {
            let Some(value) = scope.get(name) else { continue };
            let tells = matches!(
                value,
                Value::Tensor(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Closure(_)
            );
            if let Some(result) = Some(value).filter(|_| tells).and_then(|v| {
                let kind = v.describe();
                self.trial(around, v, hole, span).map(|result| (kind, result))
            }) {
                named.push((name.as_str(), result));
            }
        }
        if let Some((name, _)) = named.first() {
            first = Some((*name).to_owned());
        }
        if !plain.is_empty() {
            first.get_or_insert(plain[0].clone());
            diag = diag.note(format!("fit: {}", told(&plain)));
        }
        if !dtypes.is_empty() {
            first.get_or_insert(dtypes[0].clone());
            diag = diag.note(format!("fit: {}", told(&dtypes)));
        }
        for (name, (kind, result)) in named.iter().take(MOST_TOLD) {
            diag = diag.note(format!("fits: {name}, {kind}; gives {result}"));
        }
        match first {
            Some(text) => diag.hint(self.written(&text, hole, span)),
            None => diag.note("no name in scope fits"),
        }
    }

    /// The expression with a text in place of the hole.
    fn written(&self, text: &str, hole: Span, span: Span) -> String {
        let whole = self.state.sources.snippet(span);
        let cut = |at: u32| at.saturating_sub(span.start) as usize;
        let (head, tail) = (whole.get(..cut(hole.start)), whole.get(cut(hole.end)..));
        format!("`{}{text}{}`", head.unwrap_or(""), tail.unwrap_or(""))
    }

    /// What comes out with a value at the hole; None where it does not fit. Nothing is computed.
    fn trial(&mut self, around: &Around, value: Value, hole: Span, span: Span) -> Option<String> {
        let dir = self.dir.clone();
        let value = Spanned { value, span: hole };
        let (result, faults) = self.state.checked(|state| {
            let mut quiet = Quiet;
            let mut eval = Eval::new(state, &mut quiet, dir);
            match around {
                Around::Call { function, given, keyword, at } => {
                    let mut given = Given { args: given.args.clone(), keywords: given.keywords.clone() };
                    match keyword {
                        Some(name) => given.keywords.push((*name, value)),
                        None => given.args.insert((*at).min(given.args.len()), value),
                    }
                    eval.call_value(function, given, span, span)
                }
                Around::Binary { op, other, at_left } => {
                    let (a, b) = if *at_left { (&value, *other) } else { (*other, &value) };
                    eval.binary(*op, span, a, b, span)
                }
            }
        });
        let value = result.ok().filter(|_| faults == 0)?;
        Some(if let Value::Unknown = value { "what data decides".to_owned() } else { value.describe() })
    }
}

fn told(items: &[String]) -> String {
    let more = if items.len() > MOST_TOLD { ", …" } else { "" };
    items[..items.len().min(MOST_TOLD)].join(", ") + more
}

/// What an operator wants at the other side of a tensor.
fn wanted(op: BinaryOp, t: &Tensor, at_left: bool) -> String {
    let shape = t.shape();
    match (op, shape) {
        (BinaryOp::MatMul, []) => "`@` takes no tensor without axes".to_owned(),
        (BinaryOp::MatMul, [.., k, _]) if at_left => format!("a tensor [{k}] or [m, {k}], for any m"),
        (BinaryOp::MatMul, [k]) if at_left => format!("a tensor [{k}] or [m, {k}], for any m"),
        (BinaryOp::MatMul, [.., k]) => format!("a tensor [{k}] or [{k}, n], for any n"),
        _ => format!("a number, or a tensor whose shape broadcasts with {shape:?}"),
    }
}

/// Plain values worth trying: axes and divisors of a tensor that is given already, and the usual words.
fn plain_values(around: &Around) -> Vec<Value> {
    let Around::Call { given, .. } = around else { return Vec::new() };
    let tensor = given.args.iter().find_map(|a| match &a.value {
        Value::Tensor(t) => Some(t.clone()),
        _ => None,
    });
    let Some(t) = tensor else { return vec![Value::Int(2), Value::Bool(true), Value::str("abc")] };
    let (size, axes) = (t.size(), t.ndim() as i64);
    let divisors = (1..=size.min(100_000)).filter(|n| size % n == 0 && *n as i64 >= axes).take(MOST_TRIED);
    let mut ints: Vec<i64> = (-axes..axes).chain(divisors.map(|n| n as i64)).collect();
    ints.sort_unstable_by_key(|n| (*n < 0, n.unsigned_abs()));
    ints.dedup();
    let mut found: Vec<Value> = ints.into_iter().map(Value::Int).collect();
    found.extend([Value::Bool(true), Value::None]);
    found
}
