//! Arithmetic of plain numbers, as in Python, with integers of 64 bits. Faults carry no places.

use crate::base::Diag;
use crate::lang::ast::{BinaryOp, UnaryOp};
use crate::value::Value;
use num_complex::Complex64;

/// A number on its way through an operator.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
    Complex(Complex64),
}

/// The result of an operator on two plain numbers; None where one is none.
pub fn numbers(op: BinaryOp, a: &Value, b: &Value) -> Option<Result<Value, Diag>> {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        return Some(ints(op, *x, *y));
    }
    if let (Value::Bool(x), Value::Bool(y)) = (a, b) {
        match op {
            BinaryOp::BitAnd => return Some(Ok(Value::Bool(x & y))),
            BinaryOp::BitOr => return Some(Ok(Value::Bool(x | y))),
            BinaryOp::BitXor => return Some(Ok(Value::Bool(x ^ y))),
            _ => {}
        }
    }
    if is_number(a) && is_number(b) && (matches!(a, Value::BigInt(_)) || matches!(b, Value::BigInt(_))) {
        return Some(Err(too_big()));
    }
    Some(match (number(a)?, number(b)?) {
        (Number::Int(x), Number::Int(y)) => ints(op, x, y),
        (Number::Complex(x), y) => complexes(op, x, to_complex(y)),
        (x, Number::Complex(y)) => complexes(op, to_complex(x), y),
        (x, y) => floats(op, to_float(x), to_float(y)),
    })
}

pub fn unary(op: UnaryOp, value: &Value) -> Option<Result<Value, Diag>> {
    if matches!(value, Value::BigInt(_)) {
        return Some(Err(too_big()));
    }
    Some(match (op, number(value)?) {
        (UnaryOp::Plus, Number::Int(x)) => Ok(Value::Int(x)),
        (UnaryOp::Minus, Number::Int(x)) => x.checked_neg().map(Value::Int).ok_or_else(overflow),
        (UnaryOp::Invert, Number::Int(x)) => Ok(Value::Int(!x)),
        (UnaryOp::Plus, Number::Float(x)) => Ok(Value::Float(x)),
        (UnaryOp::Minus, Number::Float(x)) => Ok(Value::Float(-x)),
        (UnaryOp::Plus, Number::Complex(x)) => Ok(Value::Complex(x)),
        (UnaryOp::Minus, Number::Complex(x)) => Ok(Value::Complex(-x)),
        (UnaryOp::Invert, _) => return None,
    })
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Complex(_))
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Int(i) => Some(Number::Int(*i)),
        Value::Bool(b) => Some(Number::Int((*b).into())),
        Value::Float(x) => Some(Number::Float(*x)),
        Value::Complex(z) => Some(Number::Complex(*z)),
        _ => None,
    }
}

fn to_float(n: Number) -> f64 {
    match n {
        Number::Int(i) => i as f64,
        Number::Float(x) => x,
        Number::Complex(z) => z.re,
    }
}

fn to_complex(n: Number) -> Complex64 {
    match n {
        Number::Complex(z) => z,
        other => Complex64::new(to_float(other), 0.0),
    }
}

fn overflow() -> Diag {
    Diag::new("E0506", "a plain integer has 64 bits: this is out of its range")
        .hint("write a float (`2.0 ** 100`), or use a tensor, whose integers wrap")
}

/// A literal beyond i64 where no u64 is made of it.
pub fn too_big() -> Diag {
    Diag::new("E0008", "integers beyond 64 bits with a sign are for u64 only")
        .hint("`u64(…)`, `array(…, dtype=u64)`, or beside a u64 tensor")
}

fn by_zero() -> Diag {
    Diag::new("E0502", "division by zero")
}

fn unsupported(op: BinaryOp, kind: &str) -> Diag {
    Diag::new("E0401", format!("`{}` does not take {kind}", super::operators::binary_symbol(op)))
}

fn ints(op: BinaryOp, a: i64, b: i64) -> Result<Value, Diag> {
    let checked = |r: Option<i64>| r.map(Value::Int).ok_or_else(overflow);
    match op {
        BinaryOp::Add => checked(a.checked_add(b)),
        BinaryOp::Sub => checked(a.checked_sub(b)),
        BinaryOp::Mul => checked(a.checked_mul(b)),
        BinaryOp::Div if b == 0 => Err(by_zero()),
        BinaryOp::Div => Ok(Value::Float(a as f64 / b as f64)),
        BinaryOp::FloorDiv | BinaryOp::Mod if b == 0 => Err(by_zero()),
        BinaryOp::FloorDiv => {
            let q = a.checked_div(b).ok_or_else(overflow)?;
            Ok(Value::Int(if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }))
        }
        BinaryOp::Mod => {
            let r = a.wrapping_rem(b);
            Ok(Value::Int(if r != 0 && (r < 0) != (b < 0) { r + b } else { r }))
        }
        BinaryOp::Pow if b < 0 => floats(op, a as f64, b as f64),
        BinaryOp::Pow => power(a, b),
        BinaryOp::Shl | BinaryOp::Shr if b < 0 => Err(Diag::new("E0503", "the shift count is negative")),
        BinaryOp::Shl if a == 0 => Ok(Value::Int(0)),
        BinaryOp::Shl => {
            let wide = if b < 64 { Some(i128::from(a) << b) } else { None };
            checked(wide.and_then(|w| i64::try_from(w).ok()))
        }
        BinaryOp::Shr => Ok(Value::Int(a >> b.min(63))),
        BinaryOp::BitAnd => Ok(Value::Int(a & b)),
        BinaryOp::BitXor => Ok(Value::Int(a ^ b)),
        BinaryOp::BitOr => Ok(Value::Int(a | b)),
        BinaryOp::MatMul => Err(unsupported(op, "numbers")),
    }
}

fn power(a: i64, b: i64) -> Result<Value, Diag> {
    match (a, u32::try_from(b)) {
        (0 | 1, _) => Ok(Value::Int(if b == 0 { 1 } else { a })),
        (-1, _) => Ok(Value::Int(if b % 2 == 0 { 1 } else { -1 })),
        (_, Ok(exponent)) => a.checked_pow(exponent).map(Value::Int).ok_or_else(overflow),
        (_, Err(_)) => Err(overflow()),
    }
}

fn floats(op: BinaryOp, a: f64, b: f64) -> Result<Value, Diag> {
    Ok(Value::Float(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0.0 => return Err(by_zero()),
        BinaryOp::Div => a / b,
        BinaryOp::FloorDiv => floor_div(a, b),
        BinaryOp::Mod => modulo(a, b),
        BinaryOp::Pow if a == 0.0 && b < 0.0 => return Err(by_zero()),
        BinaryOp::Pow if a < 0.0 && b.is_finite() && b.fract() != 0.0 => {
            return complexes(op, Complex64::new(a, 0.0), Complex64::new(b, 0.0));
        }
        BinaryOp::Pow => a.powf(b),
        _ => return Err(unsupported(op, "floats")),
    }))
}

/// The remainder with the sign of the divisor.
fn modulo(a: f64, b: f64) -> f64 {
    let r = a % b;
    if r == 0.0 {
        0.0f64.copysign(b)
    } else if (r < 0.0) != (b < 0.0) {
        r + b
    } else {
        r
    }
}

/// Rounds the quotient down such that `a == floor_div * b + modulo`.
fn floor_div(a: f64, b: f64) -> f64 {
    let mut q = (a - a % b) / b;
    if a % b != 0.0 && (a % b < 0.0) != (b < 0.0) {
        q -= 1.0;
    }
    if q == 0.0 {
        return 0.0f64.copysign(a / b);
    }
    let floor = q.floor();
    if q - floor > 0.5 { floor + 1.0 } else { floor }
}

fn complexes(op: BinaryOp, a: Complex64, b: Complex64) -> Result<Value, Diag> {
    let zero = Complex64::new(0.0, 0.0);
    Ok(Value::Complex(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div if b == zero => return Err(by_zero()),
        BinaryOp::Div => a / b,
        BinaryOp::Pow if b == zero => Complex64::new(1.0, 0.0),
        BinaryOp::Pow if a == zero && (b.im != 0.0 || b.re < 0.0) => return Err(by_zero()),
        BinaryOp::Pow if a == zero => zero,
        BinaryOp::Pow if b.im == 0.0 && b.re.fract() == 0.0 && b.re.abs() <= 100.0 => a.powi(b.re as i32),
        BinaryOp::Pow => a.powc(b),
        _ => return Err(unsupported(op, "complex numbers")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
        match ints(op, a, b) {
            Ok(Value::Int(n)) => Some(n),
            _ => None,
        }
    }

    fn float(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
        match floats(op, a, b) {
            Ok(Value::Float(n)) => Some(n),
            _ => None,
        }
    }

    #[test]
    fn integers_follow_python() {
        use BinaryOp::*;
        assert_eq!([int(FloorDiv, -7, 2), int(FloorDiv, 7, -2), int(FloorDiv, -6, 2)], [Some(-4), Some(-4), Some(-3)]);
        assert_eq!([int(Mod, -7, 2), int(Mod, 7, -2), int(Mod, i64::MIN, -1)], [Some(1), Some(-1), Some(0)]);
        assert_eq!([int(FloorDiv, i64::MIN, -1), int(Add, i64::MAX, 1), int(Mul, 1 << 40, 1 << 40)], [None; 3]);
        assert_eq!([int(Pow, 2, 62), int(Pow, 2, 63), int(Pow, -1, i64::MAX)], [Some(1 << 62), None, Some(-1)]);
        assert_eq!(
            [int(Shl, 1, 62), int(Shl, 1, 63), int(Shl, -1, 63), int(Shl, 0, 1000)],
            [Some(1 << 62), None, Some(i64::MIN), Some(0)]
        );
        assert_eq!([int(Shr, -5, 1000), int(Shr, 5, 1), int(Shl, 1, -1)], [Some(-1), Some(2), None]);
        assert!(matches!(ints(Pow, 2, -1), Ok(Value::Float(x)) if x == 0.5));
        assert!(matches!(ints(Pow, 0, -1), Err(d) if d.code == "E0502"));
    }

    #[test]
    fn floats_follow_python() {
        use BinaryOp::*;
        assert_eq!(
            [float(Mod, -1.5, 1.0), float(Mod, 1.5, -1.0), float(FloorDiv, -1.5, 1.0)],
            [Some(0.5), Some(-0.5), Some(-2.0)]
        );
        assert_eq!([float(Div, 1.0, 0.0), float(Mod, 1.0, 0.0)], [None; 2]);
        assert!(matches!(floats(Pow, -8.0, 1.0 / 3.0), Ok(Value::Complex(z)) if (z.re - 1.0).abs() < 1e-12));
    }
}
