//! Operators: plain values first, tensors through the rows of the table.

use super::{Eval, check::is_unsure, plain};
use crate::base::{Diag, Span};
use crate::func::{convert, label_operands};
use crate::lang::ast::{BinaryOp, CompareOp, UnaryOp};
use crate::op::{self, MapRow};
use crate::plan::build;
use crate::value::{Spanned, Value};
use std::sync::LazyLock;

pub(super) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "subtract",
        BinaryOp::Mul => "multiply",
        BinaryOp::Div => "divide",
        BinaryOp::FloorDiv => "floor_divide",
        BinaryOp::Mod => "remainder",
        BinaryOp::MatMul => "matmul",
        BinaryOp::Pow => "power",
        BinaryOp::Shl => "left_shift",
        BinaryOp::Shr => "right_shift",
        BinaryOp::BitAnd => "bitwise_and",
        BinaryOp::BitXor => "bitwise_xor",
        BinaryOp::BitOr => "bitwise_or",
    }
}

pub(super) fn binary_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "//",
        BinaryOp::Mod => "%",
        BinaryOp::MatMul => "@",
        BinaryOp::Pow => "**",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
    }
}

pub(super) fn unary_symbol(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Invert => "~",
    }
}

/// The rows behind operators, found once.
struct Rows {
    binary: Vec<Option<&'static MapRow>>,
    compare: Vec<Option<&'static MapRow>>,
    unary: Vec<Option<&'static MapRow>>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    use BinaryOp::*;
    let all = [Add, Sub, Mul, Div, FloorDiv, Mod, MatMul, Pow, Shl, Shr, BitAnd, BitXor, BitOr];
    Rows {
        binary: all.into_iter().map(|o| op::map_row(binary_name(o))).collect(),
        compare: ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"].map(op::map_row).to_vec(),
        unary: ["positive", "negative", "invert"].map(op::map_row).to_vec(),
    }
});

fn found(row: Option<&'static MapRow>) -> &'static MapRow {
    // The operators' rows are part of the table; a test of the table looks each of them up.
    row.unwrap_or_else(|| unreachable!("an operator without a row"))
}

pub(super) fn binary_row(op: BinaryOp) -> &'static MapRow {
    found(ROWS.binary[op as usize])
}

pub(super) fn compare_row(op: CompareOp) -> &'static MapRow {
    found(ROWS.compare[op as usize])
}

pub(super) fn unary_row(op: UnaryOp) -> &'static MapRow {
    found(ROWS.unary[op as usize])
}

impl Eval<'_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        a: &Spanned,
        b: &Spanned,
        span: Span,
    ) -> Result<Value, Diag> {
        if self.state.checking && (is_unsure(&a.value) || is_unsure(&b.value)) {
            return Ok(Value::Unknown);
        }
        if let Some(result) = plain::numbers(op, &a.value, &b.value) {
            return result.map_err(|d| self.label_plain(d, a, b));
        }
        match (&a.value, &b.value) {
            (Value::Tensor(_), _) | (_, Value::Tensor(_)) => self.tensor_binary(op, a, b, span),
            _ => self.sequences(op, op_span, a, b),
        }
    }

    fn tensor_binary(&mut self, op: BinaryOp, a: &Spanned, b: &Spanned, span: Span) -> Result<Value, Diag> {
        let (at, bt) = (self.place(a.span), self.place(b.span));
        if !(is_operand(&a.value) && is_operand(&b.value)) {
            return Err(self.unlike(op, a, b));
        }
        let mut cx = self.cx(span);
        if op == BinaryOp::MatMul {
            let operands = [(&a.value, at), (&b.value, bt)];
            let x = convert::tensor(&mut cx, &a.value, at)?;
            let y = convert::tensor(&mut cx, &b.value, bt)?;
            let out = build::matmul(&x.operand(), &y.operand(), cx.span).map_err(|d| label_operands(d, &operands))?;
            return Ok(cx.give(out));
        }
        let result = cx.map(binary_row(op), &[(&a.value, at), (&b.value, bt)]).map_err(|d| precedence_hint(op, d))?;
        self.warn_outgrown(op, a, b);
        Ok(result)
    }

    /// Strings, lists and tuples: joined by `+`, repeated by `*`.
    fn sequences(&mut self, op: BinaryOp, op_span: Span, a: &Spanned, b: &Spanned) -> Result<Value, Diag> {
        let both = |x: usize, y: usize, size: usize| x.saturating_add(y).saturating_mul(size);
        match (op, &a.value, &b.value) {
            (BinaryOp::Add, Value::Str(x), Value::Str(y)) => {
                self.check_room(both(x.len(), y.len(), 1), op_span)?;
                Ok(Value::str(format!("{x}{y}")))
            }
            (BinaryOp::Add, Value::List(x), Value::List(y)) => {
                let (mut left, right) = (x.to_vec(), y.to_vec());
                self.check_room(both(left.len(), right.len(), size_of::<Value>()), op_span)?;
                left.extend(right);
                Ok(Value::list(left))
            }
            (BinaryOp::Add, Value::Tuple(x), Value::Tuple(y)) => {
                self.check_room(both(x.len(), y.len(), size_of::<Value>()), op_span)?;
                Ok(Value::tuple(x.iter().chain(y.iter()).cloned().collect()))
            }
            (BinaryOp::Mul, seq @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)), Value::Int(n))
            | (BinaryOp::Mul, Value::Int(n), seq @ (Value::Str(_) | Value::List(_) | Value::Tuple(_))) => {
                self.repeat(seq, *n, op_span)
            }
            _ => Err(self.unlike(op, a, b)),
        }
    }

    fn repeat(&mut self, seq: &Value, n: i64, span: Span) -> Result<Value, Diag> {
        let n = usize::try_from(n).unwrap_or(0);
        let size = match seq {
            Value::Str(s) => s.len(),
            Value::List(list) => list.lock().len().saturating_mul(size_of::<Value>()),
            Value::Tuple(items) => items.len().saturating_mul(size_of::<Value>()),
            _ => 0,
        };
        self.check_room(size.saturating_mul(n), span)?;
        let many = |items: &[Value]| -> Vec<Value> {
            if items.is_empty() { Vec::new() } else { items.iter().cloned().cycle().take(items.len() * n).collect() }
        };
        Ok(match seq {
            Value::Str(s) => Value::str(if s.is_empty() { String::new() } else { s.repeat(n) }),
            Value::List(list) => Value::list(many(&list.to_vec())),
            Value::Tuple(items) => Value::tuple(many(items)),
            other => other.clone(),
        })
    }

    fn unlike(&self, op: BinaryOp, a: &Spanned, b: &Spanned) -> Diag {
        let symbol = binary_symbol(op);
        let diag = Diag::new("E0401", format!("`{symbol}` does not join these"));
        let diag = self.label_plain(diag, a, b);
        match (op, &a.value, &b.value) {
            (BinaryOp::Add, Value::Str(_), _) | (BinaryOp::Add, _, Value::Str(_)) => {
                diag.hint("make a string of the other with `str(…)`, or write an f-string")
            }
            (BinaryOp::MatMul, ..) => diag.hint("`@` is the matrix product of tensors"),
            _ => diag,
        }
    }

    fn label_plain(&self, diag: Diag, a: &Spanned, b: &Spanned) -> Diag {
        diag.label(self.place(a.span), a.value.describe()).label(self.place(b.span), b.value.describe())
    }
}

/// What may stand beside a tensor in arithmetic.
pub(super) fn is_operand(value: &Value) -> bool {
    matches!(
        value,
        Value::Tensor(_)
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Range(_)
    )
}

/// `x > 1 & x < 3` reads `1 & x` first; the dtype fault that follows is rarely what its writer looks for.
fn precedence_hint(op: BinaryOp, diag: Diag) -> Diag {
    let bits = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
    if bits && diag.code.starts_with("E04") && diag.hint.is_none() {
        let symbol = binary_symbol(op);
        return diag.hint(format!("parenthesise comparisons: `{symbol}` binds tighter than `>`"));
    }
    diag
}
