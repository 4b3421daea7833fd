//! Evenly spaced values.

use super::make::{Make, int, num, t};
use super::{Args, Cx, Func, convert};
use crate::base::Diag;
use crate::kernel::{CastMode, Program, Reg};
use crate::op::Group;
use crate::plan::Tensor;
use crate::plan::build::{self, cast_reg};
use crate::tensor::{DType, LayoutFault, Scalar};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// A plain number, or the element of a tensor that has one.
fn number(cx: &mut Cx, args: &Args, i: usize) -> Result<Scalar, Diag> {
    match args.value(i) {
        Value::Tensor(x) if x.size() == 1 => convert::element(cx, x, args.span(i)),
        other => convert::scalar(other).ok_or_else(|| args.wrong(i, "a number")),
    }
}

fn arange(cx: &mut Cx, args: &Args) -> Out {
    let dtype = args.opt_dtype(3)?;
    let first = number(cx, args, 0)?;
    let (start, stop) = if args.is_none(1) { (Scalar::Int(0), first) } else { (first, number(cx, args, 1)?) };
    let step = if args.is_none(2) { Scalar::Int(1) } else { number(cx, args, 2)? };
    if [start, stop, step].iter().any(|s| matches!(s, Scalar::Complex(_))) {
        return Err(args.wrong(0, "a real number"));
    }
    let zero_step = || args.fault(2, "E0521", "`arange` needs a step other than zero");
    let make = Make::of(cx);
    let whole = |s: Scalar| match s {
        Scalar::Float(_) | Scalar::Complex(_) => None,
        Scalar::UInt(u) => Some(i128::from(u)),
        other => Some(i128::from(other.to_i64_wrapping())),
    };
    let out = if let (Some(a), Some(b), Some(s)) = (whole(start), whole(stop), whole(step)) {
        if s == 0 {
            return Err(zero_step());
        }
        let count = if s > 0 { (b - a + s - 1).div_euclid(s) } else { (a - b - s - 1).div_euclid(-s) };
        integers(make, a as i64, s as i64, count.max(0), dtype.unwrap_or(DType::I64))?
    } else {
        let (a, b, s) = (start.to_f64(), stop.to_f64(), step.to_f64());
        if s == 0.0 {
            return Err(zero_step());
        }
        let count = ((b - a) / s).ceil();
        if !count.is_finite() {
            return Err(Diag::new("E0521", "`arange` needs finite bounds").at(args.span(0)));
        }
        floats(make, a, s, count.max(0.0), dtype.unwrap_or(make.float))?
    };
    Ok(cx.give(out))
}

fn extent(count: i128) -> Result<usize, Diag> {
    usize::try_from(count).map_err(|_| LayoutFault::TooLarge { shape: vec![usize::MAX] }.diag())
}

fn integers(make: Make, start: i64, step: i64, count: i128, dtype: DType) -> Result<Tensor, Diag> {
    let node = build::from_position(&[extent(count)?], dtype, make.span, |program, position| {
        let step = make.constant(program, Scalar::Int(step), DType::I64);
        let start = make.constant(program, Scalar::Int(start), DType::I64);
        let scaled = make.push(program, "multiply", &[position, step], DType::I64)?;
        let value = make.push(program, "add", &[scaled, start], DType::I64)?;
        Ok(cast_reg(program, value, dtype, CastMode::Wrap, make.span))
    })?;
    Ok(Tensor::of(node))
}

/// Computed in f64 and rounded once.
fn floats(make: Make, start: f64, step: f64, count: f64, dtype: DType) -> Result<Tensor, Diag> {
    let node = build::from_position(&[extent(count as i128)?], dtype, make.span, |program, position| {
        let value = ramp(make, program, position, start, step)?;
        Ok(cast_reg(program, value, dtype, CastMode::Wrap, make.span))
    })?;
    Ok(Tensor::of(node))
}

/// `start + position * step` in f64.
fn ramp(make: Make, program: &mut Program, position: Reg, start: f64, step: f64) -> Result<Reg, Diag> {
    let at = cast_reg(program, position, DType::F64, CastMode::Wrap, make.span);
    let step = make.constant(program, Scalar::Float(step), DType::F64);
    let start = make.constant(program, Scalar::Float(start), DType::F64);
    let scaled = make.push(program, "multiply", &[at, step], DType::F64)?;
    make.push(program, "add", &[scaled, start], DType::F64)
}

/// `value`, but `other` at one position.
fn replaced(make: Make, program: &mut Program, position: Reg, at: usize, value: Reg, other: f64) -> Result<Reg, Diag> {
    let at = make.constant(program, Scalar::Int(at as i64), DType::I64);
    let here = make.push(program, "equal", &[position, at], DType::Bool)?;
    let other = make.constant(program, Scalar::Float(other), DType::F64);
    make.push(program, "where", &[here, other, value], DType::F64)
}

/// The numbers that `linspace` and its kin share.
struct Span {
    start: f64,
    stop: f64,
    count: usize,
    endpoint: bool,
}

impl Span {
    fn step(&self) -> f64 {
        let parts = if self.endpoint { self.count.saturating_sub(1) } else { self.count };
        if parts == 0 { f64::NAN } else { (self.stop - self.start) / parts as f64 }
    }

    /// f64 values with the ends exact.
    fn values(&self, make: Make, program: &mut Program, position: Reg) -> Result<Reg, Diag> {
        if self.count == 1 {
            return Ok(make.constant(program, Scalar::Float(self.start), DType::F64));
        }
        let value = ramp(make, program, position, self.start, self.step())?;
        if !self.endpoint {
            return Ok(value);
        }
        replaced(make, program, position, self.count.saturating_sub(1), value, self.stop)
    }
}

fn linspace(cx: &mut Cx, args: &Args) -> Out {
    let count = args.count(cx, 2)?;
    let endpoint = args.bool(cx, 3)?;
    let (dtype, retstep) = (args.opt_dtype(4)?, args.bool(cx, 5)?);
    let is_tensor = |i: usize| {
        !matches!(args.value(i), Value::Tensor(x) if x.size() == 1) && convert::scalar(args.value(i)).is_none()
    };
    if is_tensor(0) || is_tensor(1) {
        let (start, stop) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
        let out = between(Make::of(cx), &start, &stop, count, endpoint, dtype)?;
        return Ok(cx.give(out));
    }
    let (start, stop) = (number(cx, args, 0)?, number(cx, args, 1)?);
    let make = Make::of(cx);
    if matches!(start, Scalar::Complex(_)) || matches!(stop, Scalar::Complex(_)) {
        let (start, stop) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
        let out = between(make, &start, &stop, count, endpoint, dtype)?;
        return Ok(cx.give(out));
    }
    let span = Span { start: start.to_f64(), stop: stop.to_f64(), count, endpoint };
    let dtype = dtype.unwrap_or(make.float);
    let node = build::from_position(&[count], dtype, cx.span, |program, position| {
        let mut value = span.values(make, program, position)?;
        if dtype.is_int() {
            // As NumPy: towards minus infinity.
            value = make.push(program, "floor", &[value], DType::F64)?;
        }
        Ok(cast_reg(program, value, dtype, CastMode::Wrap, make.span))
    })?;
    let out = cx.fresh(node);
    Ok(if retstep { Value::tuple(vec![out, Value::Float(span.step())]) } else { out })
}

/// Between tensors, along a new first axis.
fn between(
    make: Make,
    start: &Tensor,
    stop: &Tensor,
    count: usize,
    endpoint: bool,
    dtype: Option<DType>,
) -> Result<Tensor, Diag> {
    let joined = crate::tensor::promote(start.dtype(), stop.dtype());
    let wide = if joined.is_complex() { DType::C128 } else { DType::F64 };
    let natural = if joined.is_complex() || joined.is_float() { joined } else { make.float };
    let (start, stop) = (make.cast(start, wide)?, make.cast(stop, wide)?);
    let delta = make.row("subtract", &[t(&stop), t(&start)])?;
    let parts = if endpoint { count.saturating_sub(1) } else { count }.max(1);
    let step = make.row("divide", &[t(&delta), num(parts as f64)])?;
    let mut at = make.count_along(&[count], 0)?;
    for _ in 0..delta.ndim() {
        at = at.viewed(at.view.layout.newaxis(at.ndim()));
    }
    let ramp = make.row("multiply", &[t(&make.cast(&at, wide)?), t(&step)])?;
    let mut value = make.row("add", &[t(&ramp), t(&start)])?;
    if endpoint && count > 1 {
        let last = make.row("equal", &[t(&at), int(count as i64 - 1)])?;
        value = make.row("where", &[t(&last), t(&stop), t(&value)])?;
    }
    make.cast(&value, dtype.unwrap_or(natural))
}

fn logspace(cx: &mut Cx, args: &Args) -> Out {
    let (start, stop) = (args.float(cx, 0)?, args.float(cx, 1)?);
    let (count, endpoint, base) = (args.count(cx, 2)?, args.bool(cx, 3)?, args.float(cx, 4)?);
    let make = Make::of(cx);
    let dtype = args.opt_dtype(5)?.unwrap_or(make.float);
    let span = Span { start, stop, count, endpoint };
    let node = build::from_position(&[count], dtype, cx.span, |program, position| {
        let exponent = span.values(make, program, position)?;
        let base = make.constant(program, Scalar::Float(base), DType::F64);
        let value = make.push(program, "power", &[base, exponent], DType::F64)?;
        Ok(cast_reg(program, value, dtype, CastMode::Wrap, make.span))
    })?;
    Ok(cx.fresh(node))
}

fn geomspace(cx: &mut Cx, args: &Args) -> Out {
    let (start, stop) = (args.float(cx, 0)?, args.float(cx, 1)?);
    let (count, endpoint) = (args.count(cx, 2)?, args.bool(cx, 3)?);
    let make = Make::of(cx);
    let dtype = args.opt_dtype(4)?.unwrap_or(make.float);
    if start == 0.0 || stop == 0.0 || (start < 0.0) != (stop < 0.0) {
        return Err(args.fault(0, "E0521", "`geomspace` needs ends of one sign, neither of them zero"));
    }
    let sign = start.signum();
    let span = Span { start: start.abs().log10(), stop: stop.abs().log10(), count, endpoint };
    let node = build::from_position(&[count], dtype, cx.span, |program, position| {
        let exponent = span.values(make, program, position)?;
        let base = make.constant(program, Scalar::Float(10.0), DType::F64);
        let sign = make.constant(program, Scalar::Float(sign), DType::F64);
        let value = make.push(program, "power", &[base, exponent], DType::F64)?;
        let mut value = make.push(program, "multiply", &[value, sign], DType::F64)?;
        if endpoint && count > 1 {
            value = replaced(make, program, position, count - 1, value, stop)?;
        }
        value = replaced(make, program, position, 0, value, start)?;
        Ok(cast_reg(program, value, dtype, CastMode::Wrap, make.span))
    })?;
    Ok(cx.fresh(node))
}

pub static ROWS: [Func; 4] = [
    Func::new("arange", arange, Group::Creation)
        .help(
            "arange(start, stop=None, step=None, dtype=None)",
            "Evenly spaced values from start (0 where only one number is given) to before stop. \
             Integers give i64, \
             floats the default float.",
            &["arange(5)", "arange(2, 10, 3)", "arange(0, 1, 0.25)"],
        )
        .gives(
            "One axis of ceil((stop - start) / step) elements; i64 of integers, else the default \
            float, or the dtype given.",
        )
        .like("np.arange", "torch.arange")
        .see(&["linspace", "range", "meshgrid"]),
    Func::new("linspace", linspace, Group::Creation)
        .help(
            "linspace(start, stop, num=50, endpoint=True, dtype=None, retstep=False)",
            "num evenly spaced values with both ends in; endpoint=False leaves the last out. \
             Tensors as ends give a new \
             first axis.",
            &["linspace(0, 1, 5)", "linspace(0, 1, 4, endpoint=False)"],
        )
        .gives(
            "One axis of num elements before the shape of the ends; the default float unless a dtype \
            is given.",
        )
        .like("np.linspace", "torch.linspace")
        .see(&["arange", "logspace", "geomspace"]),
    Func::new("logspace", logspace, Group::Creation)
        .help(
            "logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None)",
            "Powers of base with evenly spaced exponents from start to stop.",
            &["logspace(0, 2, 3)", "logspace(0, 3, 4, base=2)"],
        )
        .gives(
            "One axis of num elements before the shape of the ends; the default float unless a dtype \
            is given.",
        )
        .like("np.logspace", "torch.logspace")
        .see(&["geomspace", "linspace"]),
    Func::new("geomspace", geomspace, Group::Creation)
        .help(
            "geomspace(start, stop, num=50, endpoint=True, dtype=None)",
            "Values with one ratio between neighbours, both ends exact.",
            &["geomspace(1, 1000, 4)"],
        )
        .gives(
            "One axis of num elements before the shape of the ends; the default float unless a dtype \
            is given.",
        )
        .like("np.geomspace", "")
        .see(&["logspace"]),
];
