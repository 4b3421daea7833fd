//! Dtypes asked about, and values converted between them.

use super::make::Make;
use super::{Args, Cx, convert};
use crate::base::{Diag, Symbol};
use crate::plan::build::{self, weak_dtype};
use crate::plan::{CopyReason, Tensor};
use crate::tensor::{CastMode, Casting, DType, Kind, can_cast, float_info, min_max, promote};
use crate::value::{Record, Value};
use std::sync::Arc;

pub(super) type Out = Result<Value, Diag>;

/// A record of named values.
pub fn record(fields: Vec<(&str, Value)>) -> Value {
    let fields = fields.into_iter().map(|(name, value)| (Symbol::new(name), value)).collect();
    Value::Record(Arc::new(Record { fields }))
}

/// What to do with values that do not fit, from the arguments `wrap` and `saturate`.
fn cast_mode(cx: &mut Cx, args: &Args, wrap: usize, saturate: usize) -> Result<CastMode, Diag> {
    match (args.bool(cx, wrap)?, args.bool(cx, saturate)?) {
        (false, false) => Ok(CastMode::Checked),
        (true, false) => Ok(CastMode::Wrap),
        (false, true) => Ok(CastMode::Saturate),
        (true, true) => Err(args.fault(saturate, "E0120", "a value cannot both wrap and saturate")),
    }
}

/// A fresh tensor of the values in another dtype.
pub fn converted(cx: &mut Cx, args: &Args, x: &Tensor, dtype: DType, mode: CastMode) -> Out {
    if x.dtype() == dtype {
        let node = build::copy(&x.operand(), CopyReason::Asked { by: "astype" }, cx.span);
        return Ok(cx.fresh(node));
    }
    let node = build::cast(&x.operand(), dtype, mode, cx.span).map_err(|d| d.label(args.span(0), x.describe()))?;
    Ok(cx.fresh(node))
}

pub fn astype(cx: &mut Cx, args: &Args) -> Out {
    let dtype = args.dtype(1)?;
    let mode = cast_mode(cx, args, 2, 3)?;
    let value = args.value(0);
    if matches!(value, Value::Str(_)) {
        return Err(args.wrong(0, "a tensor or a number"));
    }
    if mode == CastMode::Checked && !matches!(value, Value::Tensor(_)) {
        // An integer literal that only u64 holds is taken as it is.
        return convert::array(cx, value, Some(dtype), args.span(0)).map(Value::tensor);
    }
    let x = args.tensor(cx, 0)?;
    if !args.bool(cx, 4)? && x.dtype() == dtype {
        return Ok(value.clone());
    }
    converted(cx, args, &x, dtype, mode)
}

/// As NumPy: tensors and dtypes count, plain numbers give way.
pub fn result_type(cx: &mut Cx, args: &Args) -> Out {
    let float = cx.default_float();
    let (mut strong, mut weak) = (None, Vec::new());
    let mut join = |dtype: DType| {
        strong = Some(match strong {
            None => dtype,
            Some(s) if s == dtype => s,
            Some(s) => promote(s, dtype),
        });
    };
    for arg in &args.rest {
        match &arg.value {
            Value::Tensor(t) => join(t.dtype()),
            value => match (convert::scalar(value), convert::dtype(value)) {
                (Some(number), _) => weak.push(number),
                (None, Some(dtype)) => join(dtype),
                (None, None) => {
                    return Err(Diag::new("E0108", "`result_type` takes tensors, dtypes and numbers")
                        .label(arg.span, value.describe()));
                }
            },
        }
    }
    let weakest = weak.into_iter().map(|s| weak_dtype(s, strong, float));
    match weakest.chain(strong).reduce(|a, b| if a == b { a } else { promote(a, b) }) {
        Some(dtype) => Ok(Value::DType(dtype)),
        None => Err(Diag::new("E0104", "`result_type` needs a tensor, a dtype or a number")),
    }
}

pub fn promote_types(_: &mut Cx, args: &Args) -> Out {
    let (a, b) = (args.dtype(0)?, args.dtype(1)?);
    Ok(Value::DType(if a == b { a } else { promote(a, b) }))
}

/// The dtype of a tensor, or the one that is named.
fn dtype_of(args: &Args, i: usize) -> Result<DType, Diag> {
    match args.value(i) {
        Value::Tensor(t) => Ok(t.dtype()),
        _ => args.dtype(i),
    }
}

pub fn can_cast_row(_: &mut Cx, args: &Args) -> Out {
    let (from, to) = (dtype_of(args, 0)?, args.dtype(1)?);
    let casting = match &*args.str(2)? {
        "no" | "equiv" => return Ok(Value::Bool(from == to)),
        "safe" => Casting::Safe,
        "same_kind" => Casting::SameKind,
        "unsafe" => Casting::Unsafe,
        _ => return Err(args.fault(2, "E0120", "`casting` is \"no\", \"safe\", \"same_kind\" or \"unsafe\"")),
    };
    Ok(Value::Bool(can_cast(from, to, casting)))
}

pub fn finfo(_: &mut Cx, args: &Args) -> Out {
    let dtype = dtype_of(args, 0)?;
    let Some(info) = float_info(dtype) else {
        return Err(args.wrong(0, "a float dtype").hint("iinfo tells of integers"));
    };
    Ok(record(vec![
        ("dtype", Value::DType(dtype.real())),
        ("bits", Value::Int(info.bits.into())),
        ("eps", Value::Float(info.eps)),
        ("min", Value::Float(-info.max)),
        ("max", Value::Float(info.max)),
        ("tiny", Value::Float(info.smallest_normal)),
        ("smallest_normal", Value::Float(info.smallest_normal)),
        ("smallest_subnormal", Value::Float(info.smallest_subnormal)),
    ]))
}

pub fn iinfo(_: &mut Cx, args: &Args) -> Out {
    let dtype = dtype_of(args, 0)?;
    if !dtype.is_int() {
        return Err(args.wrong(0, "an integer dtype").hint("finfo tells of floats"));
    }
    let (low, high) = min_max(dtype);
    Ok(record(vec![
        ("dtype", Value::DType(dtype)),
        ("bits", Value::Int(8 * dtype.size() as i64)),
        ("min", convert::plain(low)),
        ("max", convert::plain(high)),
    ]))
}

pub fn set_default_dtype(cx: &mut Cx, args: &Args) -> Out {
    match args.dtype(0)? {
        dtype @ (DType::F16 | DType::BF16 | DType::F32 | DType::F64) => cx.options().default_float = dtype,
        _ => return Err(args.wrong(0, "f16, bf16, f32 or f64")),
    }
    Ok(Value::None)
}

pub fn get_default_dtype(cx: &mut Cx, _: &Args) -> Out {
    Ok(Value::DType(cx.default_float()))
}

/// The kind of a tensor, number or dtype.
fn kind(args: &Args) -> Result<Kind, Diag> {
    Ok(match args.value(0) {
        Value::Tensor(t) => t.dtype().kind(),
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Signed,
        Value::BigInt(_) => Kind::Unsigned,
        Value::Float(_) => Kind::Float,
        Value::Complex(_) => Kind::Complex,
        _ => args.dtype(0)?.kind(),
    })
}

pub fn isrealobj(_: &mut Cx, args: &Args) -> Out {
    Ok(Value::Bool(kind(args)? != Kind::Complex))
}

pub fn iscomplexobj(_: &mut Cx, args: &Args) -> Out {
    Ok(Value::Bool(kind(args)? == Kind::Complex))
}

pub fn is_floating_point(_: &mut Cx, args: &Args) -> Out {
    Ok(Value::Bool(kind(args)? == Kind::Float))
}

/// Compares the imaginary parts with zero.
fn by_imaginary(cx: &mut Cx, args: &Args, row: &'static str) -> Out {
    let x = args.tensor(cx, 0)?;
    let zero = super::make::int(0);
    let imaginary = super::attribute::imag(cx, &x)?;
    let imaginary = convert::tensor(cx, &imaginary, args.span(0))?;
    let out = Make::of(cx).row(row, &[super::make::t(&imaginary), zero])?;
    Ok(cx.give(out))
}

pub fn isreal(cx: &mut Cx, args: &Args) -> Out {
    by_imaginary(cx, args, "equal")
}

pub fn iscomplex(cx: &mut Cx, args: &Args) -> Out {
    by_imaginary(cx, args, "not_equal")
}
