//! What names mean: scopes first, then functions, constants and dtypes.

use super::{Eval, unknown_name};
use crate::base::{Diag, Span, Symbol, foreign};
use crate::func;
use crate::lang::ast::{Expr, ExprKind};
use crate::tensor::{DType, PackedFormat};
use crate::value::{Lookup, Scope, ScopeRef, SymbolMap, Value};
use std::sync::LazyLock;

static CONSTANTS: LazyLock<SymbolMap<Value>> = LazyLock::new(|| {
    let mut names = SymbolMap::default();
    names.insert(Symbol::new("pi"), Value::Float(std::f64::consts::PI));
    names.insert(Symbol::new("e"), Value::Float(std::f64::consts::E));
    names.insert(Symbol::new("inf"), Value::Float(f64::INFINITY));
    names.insert(Symbol::new("nan"), Value::Float(f64::NAN));
    names.insert(Symbol::new("newaxis"), Value::None);
    for dtype in DType::ALL {
        names.insert(Symbol::new(dtype.name()), Value::DType(dtype));
    }
    for format in PackedFormat::all() {
        names.insert(Symbol::new(format.name()), Value::Packed(format));
    }
    names
});

/// Names of constants, dtypes and packed formats, sorted.
pub fn constants() -> impl Iterator<Item = (&'static str, Value)> {
    let mut all: Vec<(&'static str, Value)> = CONSTANTS.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
    all.sort_by_key(|(n, _)| *n);
    all.into_iter()
}

/// The outermost scope: functions, constants, dtypes.
pub(super) fn builtin(name: Symbol) -> Option<Value> {
    match CONSTANTS.get(&name) {
        Some(value) => Some(value.clone()),
        None => func::lookup(name).map(Value::Builtin),
    }
}

/// `torch` of `torch.nn.functional`.
fn root(expr: &Expr) -> Option<(Symbol, Span)> {
    let mut expr = expr;
    while let ExprKind::Attr { base, .. } = &expr.kind {
        expr = base;
    }
    match &expr.kind {
        ExprKind::Name(name) => Some((*name, expr.span)),
        _ => None,
    }
}

impl Eval<'_> {
    pub(super) fn name(&mut self, name: Symbol, span: Span, scope: &ScopeRef) -> Result<Value, Diag> {
        match scope.lookup(name) {
            Lookup::Found(value) => Ok(value),
            Lookup::Missing => match builtin(name) {
                Some(value) => Ok(value),
                None if self.may_be_bound(name, false) => Ok(Value::Unknown),
                None => Err(self.unknown(name, span, scope)),
            },
            Lookup::Unassigned if self.may_be_bound(name, true) => Ok(Value::Unknown),
            Lookup::Unassigned => Err(Diag::new("E0109", format!("`{name}` is read before it is assigned"))
                .label(span, "")
                .hint("a name that a function assigns anywhere is local to it; pass the outer value as a parameter")),
        }
    }

    /// `np.ones`: a fault of the library's name tells how its member is written here.
    pub(super) fn without_library(&self, diag: Diag, base: &Expr, member: Symbol) -> Diag {
        let library = root(base).filter(|(name, span)| {
            diag.code == "E0101"
                && foreign::library(name.as_str())
                && diag.labels.first().is_some_and(|l| l.span == *span)
        });
        if library.is_none() {
            return diag;
        }
        let name = member.as_str();
        let hint = match (foreign::dtype(name), builtin(member), func::named_like(name)) {
            (Some(ours), ..) => format!("write `{ours}`"),
            (_, Some(Value::Builtin(_)), _) => format!("the function stands alone here: `{name}(…)`"),
            (_, Some(_), _) => format!("write `{name}`"),
            (.., Some(func)) => format!("this is `{}` here: {}", func.doc.name, func.doc.sig),
            _ => match foreign::written(name) {
                Some((hint, _)) => hint.to_owned(),
                None => return diag,
            },
        };
        diag.hint(hint)
    }

    /// E0101 with the nearest name, or the function that NumPy or PyTorch calls so.
    pub(super) fn unknown(&self, name: Symbol, span: Span, scope: &ScopeRef) -> Diag {
        let diag = unknown_name(name, span);
        if let Some(func) = func::named_like(name.as_str()) {
            return diag.hint(format!("this is `{}` here: {}", func.doc.name, func.doc.sig));
        }
        if let Some(hint) = foreign::hint(name.as_str()) {
            return diag.hint(hint);
        }
        let seen = visible(scope);
        let constants = CONSTANTS.keys().map(|s| s.as_str());
        match func::nearest(name.as_str(), seen.iter().map(|s| s.as_str()).chain(constants)) {
            Some(near) => diag.hint(format!("did you mean `{near}`?")),
            None => diag,
        }
    }
}

/// All names that a scope sees, constants and functions aside.
pub(super) fn visible(scope: &ScopeRef) -> Vec<Symbol> {
    let mut names = Vec::new();
    let mut scope: Option<&Scope> = Some(scope);
    while let Some(s) = scope {
        names.extend(s.lock().keys().copied());
        scope = s.parent().map(|p| &**p);
    }
    names
}
