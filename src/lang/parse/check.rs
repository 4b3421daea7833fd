//! Complaints about text that parses: targets that cannot be assigned to, doubled names, arguments out of order.

use crate::base::{Diag, Span, Symbol};
use crate::lang::ast::*;
use std::collections::HashSet;

/// The target that an expression at the left of `=` stands for; complaints where it can be none.
pub fn target(expr: Expr, errors: &mut Vec<Diag>) -> Target {
    let target = convert(expr, errors);
    if let Target::Star(_, span) = &target {
        errors.push(
            Diag::new("E0012", "a starred target stands among others").label(*span, "").hint("write `*rest, = values`"),
        );
    }
    target
}

fn convert(expr: Expr, errors: &mut Vec<Diag>) -> Target {
    let span = expr.span;
    match expr.kind {
        ExprKind::Name(symbol) => Target::Name(Name { symbol, span }),
        ExprKind::Index { .. } => Target::Index(expr),
        ExprKind::Star(inner) => Target::Star(Box::new(convert(*inner, errors)), span),
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            let targets: Vec<Target> = items.into_iter().map(|item| convert(item, errors)).collect();
            let mut stars = targets.iter().filter_map(|t| match t {
                Target::Star(_, span) => Some(*span),
                _ => None,
            });
            if let (Some(first), Some(second)) = (stars.next(), stars.next()) {
                let diag = Diag::new("E0012", "two starred targets: which one takes what is left over?");
                errors.push(diag.label(second, "second").label(first, "first"));
            }
            Target::Tuple(targets, span)
        }
        kind => {
            errors.push(bad_target(&kind, span));
            Target::Name(Name { symbol: Symbol::new("_"), span })
        }
    }
}

fn bad_target(kind: &ExprKind, span: Span) -> Diag {
    let compare = "to compare, write `==`";
    let (what, hint) = match kind {
        ExprKind::True => ("`True`", "a constant keeps its value"),
        ExprKind::False => ("`False`", "a constant keeps its value"),
        ExprKind::None => ("`None`", "a constant keeps its value"),
        ExprKind::Int(_) | ExprKind::MinInt | ExprKind::Float(_) | ExprKind::Imag(_) => ("a number", compare),
        ExprKind::Str(_) | ExprKind::FString(_) => ("a string", compare),
        ExprKind::Call { .. } => {
            ("the result of a call", "to compare, write `==`; to define a function, `fn f(x) = …`")
        }
        ExprKind::Attr { base, name } => {
            let (base, name) = (if let ExprKind::Name(s) = base.kind { s.as_str() } else { "x" }, name.symbol);
            let hint = format!(
                "write into its elements, `{base}.{name}[...] = value`, or make a record with `replace({base}, {name}=value)`"
            );
            return Diag::new("E0012", "an attribute cannot be assigned to").label(span, "not a target").hint(hint);
        }
        _ => ("an expression", compare),
    };
    Diag::new("E0012", format!("{what} cannot be assigned to")).label(span, "not a target").hint(hint)
}

/// `x op= v`: x is a name, an index or an attribute.
pub fn op_target(expr: &Expr, errors: &mut Vec<Diag>) {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Attr { .. } => {}
        ExprKind::Tuple(_) | ExprKind::List(_) => errors.push(
            Diag::new("E0012", "several targets cannot be changed in place at once")
                .label(expr.span, "not a single target")
                .hint("write one statement for each"),
        ),
        kind => errors.push(bad_target(kind, expr.span)),
    }
}

/// Doubled names, and parameters without a default behind ones that have one.
pub fn params(params: &[Param], errors: &mut Vec<Diag>) {
    let mut seen: HashSet<Symbol> = HashSet::new();
    let mut with_default: Option<Span> = None;
    for p in params {
        if !seen.insert(p.name.symbol) {
            let diag = Diag::new("E0020", format!("two parameters are called `{}`", p.name.symbol));
            errors.push(diag.label(p.name.span, "second"));
        }
        match (&p.default, with_default) {
            (Some(_), _) => with_default = Some(p.name.span),
            (None, Some(before)) => errors.push(
                Diag::new("E0021", format!("`{}` has no default, but the parameter before it has one", p.name.symbol))
                    .label(p.name.span, "needs a default")
                    .label(before, "has a default")
                    .hint("parameters with defaults come last"),
            ),
            (None, None) => {}
        }
    }
}

/// Doubled keywords, and positional arguments behind them.
pub fn arguments(args: &[Arg], errors: &mut Vec<Diag>) {
    if args.iter().all(|a| a.name.is_none()) {
        return;
    }
    let mut seen: HashSet<Symbol> = HashSet::new();
    for arg in args {
        match arg.name {
            Some(name) if !seen.insert(name.symbol) => {
                errors.push(Diag::new("E0023", format!("`{}` is given twice", name.symbol)).label(name.span, "again"));
            }
            None if !seen.is_empty() && !matches!(arg.value.kind, ExprKind::Star(_)) => errors.push(
                Diag::new("E0022", "a positional argument comes after a keyword argument")
                    .label(arg.value.span, "without a name")
                    .hint("put it before the named ones, or name it too"),
            ),
            _ => {}
        }
    }
}

/// `...` stands for any number of axes, so a second one says nothing.
pub fn annotation(annotation: &Annotation, errors: &mut Vec<Diag>) {
    let mut rests = annotation.dims.iter().flatten().filter_map(|d| match d {
        Dim::Rest(span) => Some(*span),
        _ => None,
    });
    if let Some(second) = rests.nth(1) {
        errors.push(Diag::new("E0033", "`...` stands once in an annotation").label(second, "second"));
    }
}

pub fn lone_star(span: Span, errors: &mut Vec<Diag>) {
    let diag = Diag::new("E0012", "a starred value stands in a list, a tuple or a call").label(span, "alone here");
    errors.push(diag.hint("write `[*xs]`, or `(*xs,)` for a tuple"));
}

pub fn comprehension_element(span: Span, errors: &mut Vec<Diag>) {
    let diag = Diag::new("E0001", "a comprehension has one element before its `for`").label(span, "");
    errors.push(diag.hint("parenthesise a tuple: `[(a, b) for …]`"));
}
