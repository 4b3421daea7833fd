//! Dtype rules of the elementwise rows: what a function computes in, what it gives, what it refuses.
//!
//! The promotion of operands is `tensor::promote`; a rule adds what its function needs: floats, integers, an order.

use super::{DtypeFault, Typed};
use crate::tensor::{DType, Kind, promote};
use smallvec::{SmallVec, smallvec};

type Outcome = Result<Typed, DtypeFault>;

fn fault(message: impl Into<String>, hint: &str) -> DtypeFault {
    DtypeFault { message: message.into(), hint: Some(hint.to_owned()) }
}

/// All arguments in one dtype, which is the result's too.
fn same(args: &[DType], dtype: DType) -> Outcome {
    Ok(Typed { args: SmallVec::from_elem(dtype, args.len()), result: dtype })
}

fn giving(args: &[DType], dtype: DType, result: DType) -> Outcome {
    Ok(Typed { args: SmallVec::from_elem(dtype, args.len()), result })
}

/// The promoted dtype of all arguments; the 8-bit floats count as f32.
fn joined(args: &[DType]) -> DType {
    let first = args.first().copied().unwrap_or(DType::F32);
    args.iter().fold(promote(first, first), |a, &b| promote(a, b))
}

fn joined_float(args: &[DType], default_float: DType) -> DType {
    match joined(args) {
        d if d.is_float() || d.is_complex() => d,
        _ => default_float,
    }
}

fn no_complex(dtype: DType) -> Result<(), DtypeFault> {
    match dtype.kind() {
        Kind::Complex => {
            Err(fault(format!("not defined for complex numbers ({dtype})"), "take x.real, x.imag or abs(x) first"))
        }
        _ => Ok(()),
    }
}

fn no_order(dtype: DType) -> Result<(), DtypeFault> {
    match dtype.kind() {
        Kind::Complex => {
            Err(fault(format!("complex numbers ({dtype}) have no order"), "compare abs(x), x.real or x.imag"))
        }
        _ => Ok(()),
    }
}

fn no_bool(dtype: DType, hint: &str) -> Result<(), DtypeFault> {
    if dtype == DType::Bool { Err(fault("not defined for bool", hint)) } else { Ok(()) }
}

/// Bools are or/and, integers wrap: `+`, `*`.
pub fn arith(args: &[DType], _: DType) -> Outcome {
    same(args, joined(args))
}

pub fn subtract(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_bool(dtype, "use `^` or logical_xor(x, y)")?;
    same(args, dtype)
}

pub fn negative(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_bool(dtype, "use `~` or logical_not(x)")?;
    same(args, dtype)
}

/// Numbers but not bools: `positive`, `sign`.
pub fn numeric(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_bool(dtype, "convert first: x.astype(i64)")?;
    same(args, dtype)
}

/// `square` of bools counts, as in NumPy: i8.
pub fn square(args: &[DType], _: DType) -> Outcome {
    match joined(args) {
        DType::Bool => same(args, DType::I8),
        dtype => same(args, dtype),
    }
}

/// `/`: integers give the default float.
pub fn divide(args: &[DType], default_float: DType) -> Outcome {
    same(args, joined_float(args, default_float))
}

/// `//`, `%`, `fmod`.
pub fn floor_divide(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_complex(dtype)?;
    no_bool(dtype, "convert first: x.astype(i64)")?;
    same(args, dtype)
}

pub fn power(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_bool(dtype, "convert first: x.astype(i64)")?;
    same(args, dtype)
}

/// Any dtype with an order, bool too: `maximum`, `minimum`, `fmax`, `fmin`.
pub fn ordered(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_order(dtype)?;
    same(args, dtype)
}

/// Numbers with an order, integers kept: `relu`.
pub fn ordered_numeric(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_order(dtype)?;
    no_bool(dtype, "convert first: x.astype(f32)")?;
    same(args, dtype)
}

/// `floor`, `ceil`, `trunc`: integers and bools stay as they are.
pub fn rounding(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    no_complex(dtype)?;
    same(args, dtype)
}

/// Functions with float results, complex ones too.
pub fn float(args: &[DType], default_float: DType) -> Outcome {
    same(args, joined_float(args, default_float))
}

/// Functions with float results on the real line only.
pub fn real_float(args: &[DType], default_float: DType) -> Outcome {
    let dtype = joined_float(args, default_float);
    no_complex(dtype)?;
    same(args, dtype)
}

/// `abs`: a complex modulus is real.
pub fn absolute(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    giving(args, dtype, dtype.real())
}

/// `real`, `imag`, `conj`: any dtype is its own real part.
pub fn parts(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    giving(args, dtype, dtype.real())
}

pub fn keep(args: &[DType], _: DType) -> Outcome {
    same(args, joined(args))
}

pub fn angle(args: &[DType], default_float: DType) -> Outcome {
    let dtype = joined_float(args, default_float);
    giving(args, dtype, dtype.real())
}

/// The dtypes in which two values are compared without loss, as far as any dtype allows: an integer beside a narrow
/// float goes to one that holds it, u64 beside a signed integer stays what it is.
fn comparable(a: DType, b: DType) -> (DType, DType) {
    let joint = match (a.is_int(), b.is_int()) {
        (true, true) => match (a, b) {
            (DType::U64, _) if b.kind() == Kind::Signed => return (DType::U64, DType::I64),
            (_, DType::U64) if a.kind() == Kind::Signed => return (DType::I64, DType::U64),
            _ => promote(a, b),
        },
        (true, false) if b != DType::Bool => promote(float_for(a), b),
        (false, true) if a != DType::Bool => promote(a, float_for(b)),
        _ => promote(a, b),
    };
    (joint, joint)
}

/// The float in which an integer is compared with floats: f32 holds 16 bits exactly.
fn float_for(int: DType) -> DType {
    if int.size() <= 2 { DType::F32 } else { DType::F64 }
}

pub fn equality(args: &[DType], _: DType) -> Outcome {
    match args {
        [a, b] => {
            let (a, b) = comparable(*a, *b);
            Ok(Typed { args: smallvec![a, b], result: DType::Bool })
        }
        _ => giving(args, joined(args), DType::Bool),
    }
}

pub fn order(args: &[DType], default_float: DType) -> Outcome {
    no_order(joined(args))?;
    equality(args, default_float)
}

/// Questions about one value, any dtype: `isnan`.
pub fn test(args: &[DType], _: DType) -> Outcome {
    giving(args, joined(args), DType::Bool)
}

/// Questions about one real value: `signbit`, `isposinf`.
pub fn real_test(args: &[DType], default_float: DType) -> Outcome {
    no_complex(joined(args))?;
    test(args, default_float)
}

/// Integers and bools: `&`, `|`, `^`, `~`.
pub fn bits(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    if args.iter().all(|d| d.is_int() || *d == DType::Bool) {
        return if dtype.is_float() { Err(u64_with_signed()) } else { same(args, dtype) };
    }
    Err(fault(
        format!("bits of {dtype} values"),
        "convert to integers first, or parenthesise: `&` and `|` bind tighter than comparisons",
    ))
}

/// Integers only: shifts, `gcd`, `lcm`.
pub fn integers(args: &[DType], _: DType) -> Outcome {
    let dtype = joined(args);
    if args.iter().all(|d| d.is_int() || *d == DType::Bool) {
        no_bool(dtype, "convert first: x.astype(i64)")?;
        return if dtype.is_float() { Err(u64_with_signed()) } else { same(args, dtype) };
    }
    Err(fault(format!("needs integers, got {dtype}"), "convert first: x.astype(i64)"))
}

fn u64_with_signed() -> DtypeFault {
    fault("no integer dtype holds both u64 and signed values", "convert one side: x.astype(u64) or x.astype(i64)")
}

/// `bitwise_count`: integers to u8.
pub fn bit_count(args: &[DType], default_float: DType) -> Outcome {
    match joined(args) {
        DType::Bool => giving(args, DType::I8, DType::U8),
        _ => integers(args, default_float).map(|t| Typed { result: DType::U8, ..t }),
    }
}

/// `ldexp(x, n)`: a float and an integer.
pub fn ldexp(args: &[DType], default_float: DType) -> Outcome {
    let [x, n] = args else { return real_float(args, default_float) };
    if !(n.is_int() || *n == DType::Bool) || *n == DType::U64 {
        return Err(fault(format!("the exponent must be an integer, not {n}"), "convert it: n.astype(i64)"));
    }
    let x = joined_float(&[*x], default_float);
    no_complex(x)?;
    Ok(Typed { args: smallvec![x, DType::I64], result: x })
}

/// `where(cond, x, y)`. Values only move, so that two 8-bit floats of one dtype stay what they are.
pub fn select(args: &[DType], _: DType) -> Outcome {
    let [_, x, y] = args else { return same(args, joined(args)) };
    let dtype = if x == y { *x } else { promote(*x, *y) };
    Ok(Typed { args: smallvec![DType::Bool, dtype, dtype], result: dtype })
}
