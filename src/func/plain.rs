//! `abs round min max sum any all divmod`: Python's on plain values and lists, NumPy's on tensors.

use super::make::{Make, num, t};
use super::python::{compare, int_of, is_number, is_sequence, keyed, out_of_range, truthy};
use super::reduce::{self, Along};
use super::{Args, Cx, convert};
use crate::base::{Diag, a as article};
use crate::op::{Monoid, map_row};
use crate::plan::Tensor;
use crate::plan::build::MapArg;
use crate::tensor::{DType, Scalar};
use crate::value::Value;
use std::cmp::Ordering;

type Out = Result<Value, Diag>;

pub fn abs(cx: &mut Cx, args: &Args) -> Out {
    Ok(match args.value(0) {
        Value::Bool(b) => Value::Int((*b).into()),
        Value::Int(i) => Value::Int(i.checked_abs().ok_or_else(|| out_of_range(cx))?),
        Value::Float(x) => Value::Float(x.abs()),
        Value::Complex(z) => Value::Float(z.norm()),
        other => {
            let row = map_row("abs").ok_or_else(|| args.wrong(0, "a number"))?;
            return cx.map(row, &[(other, args.span(0))]);
        }
    })
}

/// Python's `round` of a plain number: ties to even, an integer where no number of decimals is given.
pub fn round(cx: &mut Cx, args: &Args) -> Out {
    let decimals = if args.given(1) && !args.is_none(1) { Some(args.int(cx, 1)?) } else { None };
    match args.value(0) {
        Value::Int(_) | Value::Bool(_) | Value::BigInt(_) if decimals.is_none_or(|d| d >= 0) => int_of(cx, args),
        Value::Int(i) => round_int(*i, decimals.unwrap_or(0)).map(Value::Int).ok_or_else(|| out_of_range(cx)),
        Value::Float(x) => match decimals {
            None if x.is_finite() && x.abs() < 9.2e18 => Ok(Value::Int(x.round_ties_even() as i64)),
            None => Err(args.fault(0, "E0504", format!("cannot round {x:?} to an integer"))),
            Some(d) => Ok(Value::Float(round_float(*x, d))),
        },
        _ => {
            let x = args.tensor(cx, 0)?;
            let out = round_tensor(Make::of(cx), &x, decimals.unwrap_or(0))?;
            Ok(cx.give(out))
        }
    }
}

/// To tens, hundreds …: ties to even.
fn round_int(i: i64, decimals: i64) -> Option<i64> {
    let Some(unit) = u32::try_from(-decimals).ok().and_then(|d| 10i128.checked_pow(d)) else { return Some(0) };
    let (i, half) = (i128::from(i), unit / 2);
    let (quotient, rest) = (i.div_euclid(unit), i.rem_euclid(unit));
    let up = rest > half || (rest == half && quotient % 2 != 0);
    i64::try_from((quotient + i128::from(up)) * unit).ok()
}

/// The decimal text with so many places is the correctly rounded one.
fn round_float(x: f64, decimals: i64) -> f64 {
    if !x.is_finite() || decimals > 330 {
        return x;
    }
    match usize::try_from(decimals) {
        Ok(places) => format!("{x:.places$}").parse().unwrap_or(x),
        Err(_) if decimals < -310 => 0.0f64.copysign(x),
        Err(_) => {
            let unit = 10f64.powi(-decimals as i32);
            (x / unit).round_ties_even() * unit
        }
    }
}

/// As NumPy: scale, round to the nearest integer, ties to even, scale back.
fn round_tensor(make: Make, x: &Tensor, decimals: i64) -> Result<Tensor, Diag> {
    let dtype = x.dtype();
    if dtype.is_complex() {
        return Err(Diag::new("E0402", "complex numbers are not rounded").hint("round x.real and x.imag"));
    }
    if !dtype.is_float() {
        if decimals >= 0 || dtype == DType::Bool {
            return make.cast(x, dtype);
        }
        let wide = make.row("divide", &[t(&make.cast(x, DType::F64)?), power_of_ten(-decimals)])?;
        let back = make.row("multiply", &[t(&make.row("rint", &[t(&wide)])?), power_of_ten(-decimals)])?;
        return make.cast(&back, dtype);
    }
    if decimals == 0 {
        return make.row("rint", &[t(x)]);
    }
    // 16-bit floats have no room for the scaled value.
    let x32 = make.cast(x, dtype.lane())?;
    let (there, back) = if decimals > 0 { ("multiply", "divide") } else { ("divide", "multiply") };
    let scaled = make.row(there, &[t(&x32), power_of_ten(decimals.abs())])?;
    let rounded = make.row(back, &[t(&make.row("rint", &[t(&scaled)])?), power_of_ten(decimals.abs())])?;
    make.cast(&rounded, if dtype.size() == 1 { DType::F32 } else { dtype })
}

fn power_of_ten(n: i64) -> MapArg {
    num(10f64.powi(n.min(400) as i32))
}

/// `+` of two values, as a plain sum needs it.
fn add(cx: &mut Cx, a: &Value, b: &Value) -> Out {
    let whole = |v: &Value| match v {
        Value::Bool(b) => Some(i64::from(*b)),
        Value::Int(i) => Some(*i),
        _ => None,
    };
    if let (Some(x), Some(y)) = (whole(a), whole(b)) {
        return x.checked_add(y).map(Value::Int).ok_or_else(|| out_of_range(cx));
    }
    match (a, b) {
        (Value::List(x), Value::List(y)) => Ok(Value::list([x.to_vec(), y.to_vec()].concat())),
        (Value::Tuple(x), Value::Tuple(y)) => Ok(Value::tuple([x.to_vec(), y.to_vec()].concat())),
        (Value::Tensor(_), _) | (_, Value::Tensor(_)) => {
            let row = map_row("add").ok_or_else(|| out_of_range(cx))?;
            let span = cx.span;
            cx.map(row, &[(a, span), (b, span)])
        }
        _ => match (convert::scalar(a), convert::scalar(b)) {
            (Some(x @ Scalar::Complex(_)), Some(y)) | (Some(x), Some(y @ Scalar::Complex(_))) => {
                Ok(Value::Complex(x.to_complex() + y.to_complex()))
            }
            (Some(x), Some(y)) => Ok(Value::Float(x.to_f64() + y.to_f64())),
            _ => Err(Diag::new("E0401", format!("cannot add {} and {}", article(a.describe()), article(b.describe())))
                .at(cx.span)),
        },
    }
}

fn is_nested(value: &Value) -> bool {
    match value {
        Value::List(list) => list.lock().iter().any(is_sequence),
        Value::Tuple(items) => items.iter().any(is_sequence),
        _ => false,
    }
}

pub fn sum(cx: &mut Cx, args: &Args) -> Out {
    let options = (1..4).any(|i| args.given(i));
    if !is_sequence(args.value(0)) || options || is_nested(args.value(0)) {
        return reduce::sum(cx, args);
    }
    let items = cx.host.elements(args.value(0), args.span(0))?;
    items.iter().try_fold(Value::Int(0), |total, item| {
        cx.check_cancel()?;
        add(cx, &total, item)
    })
}

/// `any` and `all` of a list of plain values stop at the first that decides.
fn truths(cx: &mut Cx, args: &Args, deciding: bool) -> Out {
    for item in cx.host.elements(args.value(0), args.span(0))? {
        if truthy(cx, &item)? == deciding {
            return Ok(Value::Bool(deciding));
        }
    }
    Ok(Value::Bool(!deciding))
}

pub fn any(cx: &mut Cx, args: &Args) -> Out {
    let plain = is_sequence(args.value(0)) && !args.given(1) && !is_nested(args.value(0));
    if plain { truths(cx, args, true) } else { reduce::any(cx, args) }
}

pub fn all(cx: &mut Cx, args: &Args) -> Out {
    let plain = is_sequence(args.value(0)) && !args.given(1) && !is_nested(args.value(0));
    if plain { truths(cx, args, false) } else { reduce::all(cx, args) }
}

pub fn min(cx: &mut Cx, args: &Args) -> Out {
    extreme(cx, args, Monoid::Min)
}

pub fn max(cx: &mut Cx, args: &Args) -> Out {
    extreme(cx, args, Monoid::Max)
}

/// Parameters: x, axis, keepdims, key, default; further positional values in `rest`.
fn extreme(cx: &mut Cx, args: &Args, monoid: Monoid) -> Out {
    let tensor = matches!(args.value(0), Value::Tensor(x) if x.ndim() > 0) || args.given(1) || args.given(2);
    let several = !args.rest.is_empty();
    match (args.value(0), &*args.rest) {
        (Value::Tensor(x), [axis, more @ ..]) if x.ndim() > 0 => {
            return along(cx, args, (*x).as_ref().clone(), axis, more, monoid);
        }
        _ if several => {
            let items = std::iter::once(args.value(0).clone()).chain(args.rest.iter().map(|a| a.value.clone()));
            return best(cx, args, items.collect(), monoid);
        }
        (value, _) if !tensor && is_sequence(value) && !is_nested(value) || matches!(value, Value::Str(_)) => {
            let items = cx.host.elements(value, args.span(0))?;
            return best(cx, args, items, monoid);
        }
        (value, _) if is_number(value) && !args.given(1) => {
            return Err(args.wrong(0, "a tensor or a list").hint(args.func.doc.sig));
        }
        _ => {}
    }
    let along = Along::of(cx, args, 2)?;
    reduce::extreme_along(cx, args, &along, monoid)
}

/// `max(x, axis)`, `max(x, axis, keepdims)`, and torch's `max(x, y)`.
fn along(cx: &mut Cx, args: &Args, x: Tensor, axis: &super::Arg, more: &[super::Arg], monoid: Monoid) -> Out {
    let axes = match &axis.value {
        Value::None => Some((0..x.ndim() as i64).collect()),
        other => convert::ints(cx, other, axis.span)?,
    };
    let other = matches!(&axis.value, Value::Tensor(y) if y.ndim() > 0);
    let Some(axes) = axes.filter(|_| !other) else {
        let name = if monoid == Monoid::Max { "maximum" } else { "minimum" };
        let row = map_row(name).ok_or_else(|| args.wrong(0, "a tensor"))?;
        return cx.map(row, &[(args.value(0), args.span(0)), (&axis.value, axis.span)]);
    };
    let axes = crate::tensor::axes(&axes, x.ndim()).map_err(|f| f.diag().label(axis.span, ""))?;
    let mut axes = axes.to_vec();
    axes.sort_unstable();
    let keepdims = match more.first() {
        Some(arg) => truthy(cx, &arg.value)?,
        None => args.bool(cx, 2)?,
    };
    reduce::extreme_along(cx, args, &Along { x, axes, keepdims }, monoid)
}

/// The first extreme of plain values by Python's order.
fn best(cx: &mut Cx, args: &Args, items: Vec<Value>, monoid: Monoid) -> Out {
    let wanted = if monoid == Monoid::Max { Ordering::Greater } else { Ordering::Less };
    let mut best: Option<(Value, Value)> = None;
    for (key, item) in keyed(cx, items, args.value(3))? {
        let better = match &best {
            None => true,
            Some((old, _)) => compare(cx, &key, old)? == wanted,
        };
        if better {
            best = Some((key, item));
        }
    }
    match best {
        Some((_, item)) => Ok(item),
        None if args.given(4) => Ok(args.value(4).clone()),
        None => Err(args.fault(0, "E0520", format!("`{}` of no elements is not defined", args.func.doc.name))),
    }
}

pub fn divmod(cx: &mut Cx, args: &Args) -> Out {
    let operands = [(args.value(0), args.span(0)), (args.value(1), args.span(1))];
    let whole = |v: &Value| match v {
        Value::Bool(b) => Some(i64::from(*b)),
        Value::Int(i) => Some(*i),
        _ => None,
    };
    let zero = || args.fault(1, "E0502", "division by zero");
    if let (Some(a), Some(b)) = (whole(args.value(0)), whole(args.value(1))) {
        if b == 0 {
            return Err(zero());
        }
        let (q, r) = (a.wrapping_div(b), a.wrapping_rem(b));
        let down = i64::from(r != 0 && (r < 0) != (b < 0));
        if a == i64::MIN && b == -1 {
            return Err(out_of_range(cx));
        }
        return Ok(Value::tuple(vec![Value::Int(q - down), Value::Int(r + down * b)]));
    }
    if let (Some(a), Some(b)) = (convert::scalar(args.value(0)), convert::scalar(args.value(1))) {
        let (a, b) = (a.to_f64(), b.to_f64());
        if b == 0.0 {
            return Err(zero());
        }
        let rest = a % b;
        let rest = if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest };
        return Ok(Value::tuple(vec![Value::Float(((a - rest) / b).round()), Value::Float(rest)]));
    }
    let mut parts = Vec::new();
    for name in ["floor_divide", "remainder"] {
        let row = map_row(name).ok_or_else(zero)?;
        parts.push(cx.map(row, &operands)?);
    }
    Ok(Value::tuple(parts))
}
