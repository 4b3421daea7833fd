//! Comparisons: chained, elementwise on tensors, one bool on everything else.

use super::{Eval, check::is_unsure, operators};
use crate::base::{Diag, Span, a as article};
use crate::func::convert;
use crate::lang::ast::{BinaryOp, CompareOp, Expr};
use crate::value::{ScopeRef, Spanned, Value};
use std::cmp::Ordering;

/// Lists within lists deeper than this are not compared.
const MAX_NESTING: usize = 200;

impl Eval<'_> {
    pub(super) fn compare_chain(
        &mut self,
        first: &Expr,
        rest: &[(CompareOp, Span, Expr)],
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let mut left = Spanned { value: self.expr(first, scope)?, span: first.span };
        let mut joined: Option<Value> = None;
        for (op, _, expr) in rest {
            let right = Spanned { value: self.expr(expr, scope)?, span: expr.span };
            let result = self.compare(*op, &left, &right, span)?;
            let result = match joined.take() {
                Some(before @ Value::Tensor(_)) => self.both(&before, &result, span)?,
                Some(Value::Unknown) => Value::Unknown,
                // A plain comparison that held is no part of the result any more.
                _ => result,
            };
            if let Value::Bool(false) = result {
                return Ok(result);
            }
            joined = Some(result);
            left = right;
        }
        Ok(joined.unwrap_or(Value::Bool(true)))
    }

    fn both(&mut self, a: &Value, b: &Value, span: Span) -> Result<Value, Diag> {
        self.cx(span).map(operators::binary_row(BinaryOp::BitAnd), &[(a, span), (b, span)])
    }

    pub(super) fn compare(&mut self, op: CompareOp, a: &Spanned, b: &Spanned, span: Span) -> Result<Value, Diag> {
        if self.state.checking && (is_unsure(&a.value) || is_unsure(&b.value)) {
            return Ok(Value::Unknown);
        }
        match op {
            CompareOp::In => return self.contains(&b.value, a, b.span).map(Value::Bool),
            CompareOp::NotIn => return self.contains(&b.value, a, b.span).map(|found| Value::Bool(!found)),
            _ => {}
        }
        let tensors = matches!(a.value, Value::Tensor(_)) || matches!(b.value, Value::Tensor(_));
        if tensors && operators::is_operand(&a.value) && operators::is_operand(&b.value) {
            let (at, bt) = (self.place(a.span), self.place(b.span));
            return self.cx(span).map(operators::compare_row(op), &[(&a.value, at), (&b.value, bt)]);
        }
        let result = match op {
            CompareOp::Eq => self.equal(&a.value, &b.value, span, 0)?,
            CompareOp::Ne => !self.equal(&a.value, &b.value, span, 0)?,
            _ => match self.order(&a.value, &b.value, span, 0)? {
                Some(ordering) => holds(op, ordering),
                None => {
                    let diag = Diag::new("E0406", "these have no order")
                        .label(self.place(a.span), a.value.describe())
                        .label(self.place(b.span), b.value.describe());
                    return Err(diag);
                }
            },
        };
        Ok(Value::Bool(result))
    }

    /// `==` as one bool. Values of unlike kinds are not equal.
    pub(super) fn equal(&mut self, a: &Value, b: &Value, span: Span, depth: usize) -> Result<bool, Diag> {
        if depth > MAX_NESTING {
            return Err(Diag::new("E0704", "lists nested too deeply to compare").label(self.place(span), ""));
        }
        if let Some(ordering) = numbers(a, b) {
            return Ok(ordering == Some(Ordering::Equal));
        }
        Ok(match (a, b) {
            (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) => true,
            (Value::Complex(x), y) | (y, Value::Complex(x)) => match convert::scalar(y) {
                Some(y) => *x == y.to_complex(),
                None => false,
            },
            (Value::Str(x), Value::Str(y)) => x == y,
            (Value::DType(x), Value::DType(y)) => x == y,
            (Value::Packed(x), Value::Packed(y)) => x == y,
            (Value::Packed(x), Value::Str(y)) | (Value::Str(y), Value::Packed(x)) => x.name() == &**y,
            (Value::DType(x), Value::Str(y)) | (Value::Str(y), Value::DType(x)) => x.name() == &**y,
            (Value::DType(x), f @ Value::Builtin(_)) | (f @ Value::Builtin(_), Value::DType(x)) => {
                convert::dtype(f) == Some(*x)
            }
            (Value::List(x), Value::List(y)) => x.same(y) || self.equal_items(&x.to_vec(), &y.to_vec(), span, depth)?,
            (Value::Tuple(x), Value::Tuple(y)) => self.equal_items(x, y, span, depth)?,
            (Value::Range(x), Value::Range(y)) => x.len() == y.len() && x.iter().zip(y.iter()).all(|(a, b)| a == b),
            (Value::Record(x), Value::Record(y)) => {
                if x.fields.len() != y.fields.len() {
                    return Ok(false);
                }
                for ((n, v), (m, w)) in x.fields.iter().zip(&y.fields) {
                    if n != m || !self.equal(v, w, span, depth + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Closure(x), Value::Closure(y)) => std::sync::Arc::ptr_eq(x, y),
            (Value::Builtin(x), Value::Builtin(y)) => std::ptr::eq(*x, *y),
            (Value::Module(x), Value::Module(y)) => std::sync::Arc::ptr_eq(x, y),
            (Value::Archive(x), Value::Archive(y)) => std::sync::Arc::ptr_eq(x, y),
            (Value::Tensor(x), Value::Tensor(y)) if std::sync::Arc::ptr_eq(x, y) => true,
            (Value::Tensor(_), other) | (other, Value::Tensor(_)) if operators::is_operand(other) => {
                // Within lists a comparison of tensors counts as a condition.
                let row = operators::compare_row(CompareOp::Eq);
                let same = self.cx(span).map(row, &[(a, span), (b, span)])?;
                self.truthy(&same, span)?
            }
            _ => false,
        })
    }

    fn equal_items(&mut self, a: &[Value], b: &[Value], span: Span, depth: usize) -> Result<bool, Diag> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (x, y) in a.iter().zip(b) {
            if !self.equal(x, y, span, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// None where the kinds have no order. `Some(None)`: numbers that are neither less, equal nor greater (NaN).
    pub(super) fn order(
        &mut self,
        a: &Value,
        b: &Value,
        span: Span,
        depth: usize,
    ) -> Result<Option<Option<Ordering>>, Diag> {
        if let Some(ordering) = numbers(a, b) {
            return Ok(Some(ordering));
        }
        match (a, b) {
            (Value::Str(x), Value::Str(y)) => Ok(Some(Some(x.cmp(y)))),
            (Value::List(x), Value::List(y)) => self.order_items(&x.to_vec(), &y.to_vec(), span, depth),
            (Value::Tuple(x), Value::Tuple(y)) => self.order_items(x, y, span, depth),
            (Value::Tensor(_), _) | (_, Value::Tensor(_))
                if operators::is_operand(a) && operators::is_operand(b) && depth > 0 =>
            {
                let less = self.cx(span).map(operators::compare_row(CompareOp::Lt), &[(a, span), (b, span)])?;
                let less = self.truthy(&less, span)?;
                Ok(Some(Some(if less {
                    Ordering::Less
                } else if self.equal(a, b, span, depth)? {
                    Ordering::Equal
                } else {
                    Ordering::Greater
                })))
            }
            _ => Ok(None),
        }
    }

    fn order_items(
        &mut self,
        a: &[Value],
        b: &[Value],
        span: Span,
        depth: usize,
    ) -> Result<Option<Option<Ordering>>, Diag> {
        for (x, y) in a.iter().zip(b) {
            if !self.equal(x, y, span, depth + 1)? {
                return self.order(x, y, span, depth + 1);
            }
        }
        Ok(Some(Some(a.len().cmp(&b.len()))))
    }

    fn contains(&mut self, whole: &Value, part: &Spanned, span: Span) -> Result<bool, Diag> {
        match (whole, &part.value) {
            (Value::Str(s), Value::Str(p)) => return Ok(s.contains(&**p)),
            (Value::Archive(a), Value::Str(name)) => return Ok(a.contains(name)),
            (Value::Meta(a), Value::Str(key)) => return Ok(a.meta().get(key).is_some()),
            (Value::Record(r), Value::Str(name)) => return Ok(r.fields.iter().any(|(n, _)| n.as_str() == &**name)),
            (Value::Range(r), Value::Int(n)) => {
                let (offset, step) = (i128::from(*n) - i128::from(r.start), i128::from(r.step));
                return Ok(offset % step == 0 && (0..r.len() as i128).contains(&(offset / step)));
            }
            (Value::Str(_), _) => {}
            (Value::Tensor(t), item) if operators::is_operand(item) => {
                let row = operators::compare_row(CompareOp::Eq);
                let at = self.place(part.span);
                let same = self.cx(part.span).map(row, &[(&Value::Tensor(t.clone()), span), (item, at)])?;
                let Value::Tensor(same) = same else { return Ok(false) };
                let array = self.cx(part.span).array(&same)?;
                return Ok((0..same.size()).any(|i| array.get(i).truthy()));
            }
            (Value::List(_) | Value::Tuple(_) | Value::Range(_), item) => {
                let mut walk = self.walk(whole, span)?;
                while let Some(element) = walk.next() {
                    if self.equal(&element, item, span, 1)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            _ => {}
        }
        Err(Diag::new(
            "E0401",
            format!("`in` does not look for {} in {}", article(part.value.describe()), article(whole.describe())),
        )
        .label(self.place(part.span), part.value.describe())
        .label(self.place(span), whole.describe()))
    }
}

fn holds(op: CompareOp, ordering: Option<Ordering>) -> bool {
    match (op, ordering) {
        (_, None) => false,
        (CompareOp::Lt, Some(o)) => o == Ordering::Less,
        (CompareOp::Le, Some(o)) => o != Ordering::Greater,
        (CompareOp::Gt, Some(o)) => o == Ordering::Greater,
        (CompareOp::Ge, Some(o)) => o != Ordering::Less,
        (CompareOp::Eq, Some(o)) => o == Ordering::Equal,
        _ => ordering != Some(Ordering::Equal),
    }
}

/// Real numbers, compared exactly even between integers and floats; None where one of them is none.
fn numbers(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    enum Real {
        Int(i128),
        Float(f64),
    }
    let real = |v: &Value| match v {
        Value::Int(i) => Some(Real::Int((*i).into())),
        Value::Bool(b) => Some(Real::Int((*b).into())),
        Value::BigInt(u) => Some(Real::Int((*u).into())),
        Value::Float(x) => Some(Real::Float(*x)),
        _ => None,
    };
    let mixed = |i: i128, x: f64| {
        if x.is_nan() {
            return None;
        }
        if x >= 2f64.powi(64) || x < -(2f64.powi(63)) {
            return 0.0.partial_cmp(&x);
        }
        // In this range the integer part of a float is exact as an i128.
        let whole = x.floor() as i128;
        Some(i.cmp(&whole).then(if x.fract() == 0.0 { Ordering::Equal } else { Ordering::Less }))
    };
    Some(match (real(a)?, real(b)?) {
        (Real::Int(x), Real::Int(y)) => Some(x.cmp(&y)),
        (Real::Float(x), Real::Float(y)) => x.partial_cmp(&y),
        (Real::Int(x), Real::Float(y)) => mixed(x, y),
        (Real::Float(x), Real::Int(y)) => mixed(y, x).map(Ordering::reverse),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_compare_exactly() {
        let cmp = |i: i64, x: f64| numbers(&Value::Int(i), &Value::Float(x)).flatten();
        assert_eq!(cmp(3, 3.0), Some(Ordering::Equal));
        assert_eq!(cmp(3, 3.5), Some(Ordering::Less));
        assert_eq!(cmp(-3, -3.5), Some(Ordering::Greater));
        assert_eq!(cmp((1 << 53) + 1, (1u64 << 53) as f64), Some(Ordering::Greater));
        assert_eq!(cmp(i64::MAX, 9.3e18), Some(Ordering::Less));
        assert_eq!(cmp(i64::MAX, f64::NEG_INFINITY), Some(Ordering::Greater));
        assert_eq!(cmp(0, f64::NAN), None);
    }
}
