//! Expressions.

use super::Eval;
use super::hole::{hole_among, is_hole};
use crate::base::{Diag, Span, a as article};
use crate::func::Given;
use crate::lang::ast::{BinaryOp, Clause, CompareOp, Expr, ExprKind, UnaryOp};
use crate::value::{Range, Scope, ScopeRef, Spanned, Value};
use num_complex::Complex64;

/// Stack that must be left before an expression is walked, and the size of a new piece.
const RED_ZONE: usize = 256 << 10;
const PIECE: usize = 2 << 20;

impl Eval<'_> {
    pub(super) fn expr(&mut self, expr: &Expr, scope: &ScopeRef) -> Result<Value, Diag> {
        match &expr.kind {
            ExprKind::Int(n) => Ok(i64::try_from(*n).map_or(Value::BigInt(*n), Value::Int)),
            ExprKind::Name(name) => self.name(*name, expr.span, scope),
            ExprKind::MinInt => Ok(Value::Int(i64::MIN)),
            ExprKind::Float(x) => Ok(Value::Float(*x)),
            ExprKind::Imag(x) => Ok(Value::Complex(Complex64::new(0.0, *x))),
            ExprKind::Str(s) => Ok(Value::Str(s.clone())),
            ExprKind::True => Ok(Value::Bool(true)),
            ExprKind::False => Ok(Value::Bool(false)),
            ExprKind::None => Ok(Value::None),
            ExprKind::Ellipsis => Ok(Value::Ellipsis),
            ExprKind::Hole => Err(super::hole::bare(expr.span)),
            kind => {
                if let Some(value) = counted(kind, scope) {
                    return Ok(value);
                }
                let value = stacker::maybe_grow(RED_ZONE, PIECE, || {
                    if self.state.checking { self.check_expr(expr, scope) } else { self.compound(expr, scope) }
                });
                match self.state.trapped.take() {
                    Some(diag) => Err(*diag),
                    None => value,
                }
            }
        }
    }

    pub(super) fn compound(&mut self, expr: &Expr, scope: &ScopeRef) -> Result<Value, Diag> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Binary { op, lhs, rhs, .. } if is_hole(lhs) || is_hole(rhs) => {
                self.hole_binary(*op, (lhs, rhs), span, scope)
            }
            ExprKind::Binary { op, op_span, lhs, rhs } => {
                let a = Spanned { value: self.expr(lhs, scope)?, span: lhs.span };
                let b = Spanned { value: self.expr(rhs, scope)?, span: rhs.span };
                self.binary(*op, *op_span, &a, &b, span)
            }
            ExprKind::Compare { first, rest } => self.compare_chain(first, rest, span, scope),
            ExprKind::Call { callee, args } => self.call_expr(callee, args, span, scope),
            ExprKind::Index { base, items } => self.index_expr(base, items, span, scope),
            ExprKind::Attr { base, name } => {
                let value = self.expr(base, scope).map_err(|d| self.without_library(d, base, name.symbol))?;
                self.attribute(&value, *name, base.span, span, scope)
            }
            ExprKind::Unary { op, operand, .. } => {
                if let (UnaryOp::Minus, ExprKind::Binary { op: BinaryOp::Pow, lhs, rhs, op_span }) = (op, &operand.kind)
                {
                    return self.negated_power((lhs, rhs), *op_span, operand.span, span, scope);
                }
                let value = self.expr(operand, scope)?;
                self.unary(*op, &value, operand.span, span)
            }
            ExprKind::And(a, b) => {
                let left = self.expr(a, scope)?;
                if self.truthy(&left, a.span)? { self.expr(b, scope) } else { Ok(left) }
            }
            ExprKind::Or(a, b) => {
                let left = self.expr(a, scope)?;
                if self.truthy(&left, a.span)? { Ok(left) } else { self.expr(b, scope) }
            }
            ExprKind::Not(a) => {
                let value = self.expr(a, scope)?;
                Ok(Value::Bool(!self.truthy(&value, a.span)?))
            }
            ExprKind::IfElse { cond, then, otherwise } => {
                let value = self.expr(cond, scope)?;
                if self.truthy(&value, cond.span)? { self.expr(then, scope) } else { self.expr(otherwise, scope) }
            }
            ExprKind::Tuple(items) => Ok(Value::tuple(self.items(items, scope)?)),
            ExprKind::List(items) => Ok(Value::list(self.items(items, scope)?)),
            ExprKind::Comprehension { element, clauses } => {
                let mut out = Vec::new();
                self.comprehension(element, clauses, scope, &mut out)?;
                Ok(Value::list(out))
            }
            ExprKind::Lambda(def) => self.closure(def, scope),
            ExprKind::Range(a, b) => {
                let start = self.expr(a, scope)?;
                let start = self.plain_int(&start, a.span)?;
                let stop = self.expr(b, scope)?;
                let stop = self.plain_int(&stop, b.span)?;
                Ok(Value::Range(Range { start, stop, step: 1 }))
            }
            ExprKind::Pipe { value, func } => {
                let first = Spanned { value: self.expr(value, scope)?, span: value.span };
                self.pipe(first, func, span, scope)
            }
            ExprKind::FString(parts) => self.fstring(parts, scope).map(Value::str),
            ExprKind::Star(inner) => {
                Err(Diag::new("E0012", "a starred value stands in a list, a tuple or a call").label(inner.span, ""))
            }
            _ => Ok(Value::None),
        }
    }

    /// On the right of `|>` a call gets the left value as its first argument; anything else is called with it.
    fn pipe(&mut self, first: Spanned, func: &Expr, span: Span, scope: &ScopeRef) -> Result<Value, Diag> {
        if let ExprKind::Call { callee, args } = &func.kind {
            if let ExprKind::Attr { base, name } = &callee.kind {
                // `x |> m.f(a)` calls the member f of m.
                let value = self.expr(base, scope)?;
                let member = self.attribute(&value, *name, base.span, callee.span, scope)?;
                let given = self.arguments(Some(first), args, scope)?;
                return self.call_value(&member, given, span, callee.span);
            }
            let callee_value = self.expr(callee, scope)?;
            if let Some(at) = hole_among(args) {
                return self.hole_call(&callee_value, Some(first), (args, at), span, scope);
            }
            let given = self.arguments(Some(first), args, scope)?;
            return self.call_value(&callee_value, given, span, callee.span);
        }
        let callee = self.expr(func, scope)?;
        self.call_value(&callee, Given { args: vec![first], keywords: Vec::new() }, span, func.span)
    }

    /// The elements of a list or tuple display.
    fn items(&mut self, items: &[Expr], scope: &ScopeRef) -> Result<Vec<Value>, Diag> {
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            if let ExprKind::Star(inner) = &item.kind {
                let value = self.expr(inner, scope)?;
                let mut walk = self.walk(&value, inner.span)?;
                while let Some(element) = walk.next() {
                    out.push(element);
                    self.check_room(out.len().saturating_mul(size_of::<Value>()), inner.span)?;
                }
            } else {
                out.push(self.expr(item, scope)?);
            }
        }
        Ok(out)
    }

    /// The first iterable belongs to the scope around; everything else to the comprehension's own.
    fn comprehension(
        &mut self,
        element: &Expr,
        clauses: &[Clause],
        scope: &ScopeRef,
        out: &mut Vec<Value>,
    ) -> Result<(), Diag> {
        let own = Scope::inside(scope.clone());
        match clauses.split_first() {
            Some((Clause::For { target, iter }, rest)) => {
                let value = self.expr(iter, scope)?;
                let mut walk = self.walk(&value, iter.span)?;
                while let Some(item) = walk.next() {
                    self.check_cancel(iter.span)?;
                    self.assign(target, item, iter.span, &own)?;
                    self.clauses(element, rest, &own, out)?;
                }
                Ok(())
            }
            _ => self.clauses(element, clauses, &own, out),
        }
    }

    fn clauses(
        &mut self,
        element: &Expr,
        clauses: &[Clause],
        own: &ScopeRef,
        out: &mut Vec<Value>,
    ) -> Result<(), Diag> {
        match clauses.split_first() {
            None => {
                out.push(self.expr(element, own)?);
                self.check_room(out.len().saturating_mul(size_of::<Value>()), element.span)
            }
            Some((Clause::If(cond), rest)) => {
                let value = self.expr(cond, own)?;
                if self.truthy(&value, cond.span)? { self.clauses(element, rest, own, out) } else { Ok(()) }
            }
            Some((Clause::For { target, iter }, rest)) => {
                let value = self.expr(iter, own)?;
                let mut walk = self.walk(&value, iter.span)?;
                while let Some(item) = walk.next() {
                    self.check_cancel(iter.span)?;
                    self.assign(target, item, iter.span, own)?;
                    self.clauses(element, rest, own, out)?;
                }
                Ok(())
            }
        }
    }

    /// `-a ** b`: -2 ** 63 is an integer that 2 ** 63 is not.
    fn negated_power(
        &mut self,
        (lhs, rhs): (&Expr, &Expr),
        op_span: Span,
        at: Span,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let a = Spanned { value: self.expr(lhs, scope)?, span: lhs.span };
        let b = Spanned { value: self.expr(rhs, scope)?, span: rhs.span };
        if let (Value::Int(x), Value::Int(y)) = (&a.value, &b.value)
            && let Ok(y) = u32::try_from(*y)
            && i128::from(*x).checked_pow(y) == Some(1 << 63)
        {
            return Ok(Value::Int(i64::MIN));
        }
        let power = self.binary(BinaryOp::Pow, op_span, &a, &b, at)?;
        self.unary(UnaryOp::Minus, &power, at, span)
    }

    fn unary(&mut self, op: UnaryOp, value: &Value, at: Span, span: Span) -> Result<Value, Diag> {
        if let Some(result) = super::plain::unary(op, value) {
            return result.map_err(|d| d.at(self.place(span)));
        }
        match value {
            Value::Unknown => Ok(Value::Unknown),
            Value::Tensor(_) => {
                let row = super::operators::unary_row(op);
                self.cx(span).map(row, &[(value, at)])
            }
            other => {
                let symbol = super::operators::unary_symbol(op);
                let message = format!("`{symbol}` does not take {}", article(other.describe()));
                Err(Diag::new("E0401", message).label(self.place(at), other.describe()))
            }
        }
    }

    /// Whether a value counts as true. Tensors are computed and must have one element.
    pub(super) fn truthy(&mut self, value: &Value, span: Span) -> Result<bool, Diag> {
        Ok(match value {
            Value::Bool(b) => *b,
            Value::None => false,
            Value::Unknown => return Err(self.needs_data(span)),
            list if self.state.checking && super::check::is_open_list(list) => return Err(self.needs_data(span)),
            Value::Int(i) => *i != 0,
            Value::BigInt(u) => *u != 0,
            Value::Float(x) => *x != 0.0,
            Value::Complex(z) => z.re != 0.0 || z.im != 0.0,
            Value::Str(s) => !s.is_empty(),
            Value::List(list) => !list.lock().is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::Range(r) => !r.is_empty(),
            Value::Tensor(t) if t.size() == 1 => {
                let mut cx = self.cx(span);
                let at = cx.span;
                crate::func::convert::element(&mut cx, t, at)?.truthy()
            }
            Value::Tensor(t) => {
                let message = format!("{} elements are neither true nor false", t.size());
                return Err(Diag::new("E0214", message)
                    .label(self.place(span), t.describe())
                    .hint("`any(…)` or `all(…)` make one of them"));
            }
            _ => true,
        })
    }

    /// An integer, also from a one-element integer tensor.
    pub(super) fn plain_int(&mut self, value: &Value, span: Span) -> Result<i64, Diag> {
        if let Value::Int(i) = value {
            return Ok(*i);
        }
        if let Value::Unknown = value {
            return Err(self.needs_data(span));
        }
        let mut cx = self.cx(span);
        let at = cx.span;
        crate::func::convert::int(&mut cx, value, at)?
            .ok_or_else(|| Diag::new("E0108", "an integer is needed here").label(at, value.describe()))
    }
}

/// Sums and comparisons of plain integers. The counters of loops are such, and a loop of a million steps should not
/// pay for more. None leaves everything else, overflow too, to the general way.
fn counted(kind: &ExprKind, scope: &ScopeRef) -> Option<Value> {
    match kind {
        ExprKind::Binary { op, lhs, rhs, .. } => {
            let (a, b) = own_ints(lhs, rhs, scope)?;
            exact(*op, a, b).map(Value::Int)
        }
        ExprKind::Compare { first, rest } => {
            let [(op, _, last)] = rest.as_slice() else { return None };
            let (a, b) = own_ints(first, last, scope)?;
            ordered(*op, a, b).map(Value::Bool)
        }
        _ => None,
    }
}

/// Two operands that are literals or names of this very scope.
fn own_ints(a: &Expr, b: &Expr, scope: &ScopeRef) -> Option<(i64, i64)> {
    let simple = |e: &Expr| matches!(e.kind, ExprKind::Name(_) | ExprKind::Int(_));
    if !simple(a) || !simple(b) {
        return None;
    }
    let names = scope.lock();
    let read = |e: &Expr| match &e.kind {
        ExprKind::Int(n) => i64::try_from(*n).ok(),
        ExprKind::Name(name) => match names.get(name)? {
            Value::Int(i) => Some(*i),
            _ => None,
        },
        _ => None,
    };
    Some((read(a)?, read(b)?))
}

fn exact(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        _ => None,
    }
}

fn ordered(op: CompareOp, a: i64, b: i64) -> Option<bool> {
    Some(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
        CompareOp::In | CompareOp::NotIn => return None,
    })
}
