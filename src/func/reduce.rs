//! Sums, means, extremes and their kin along axes. All are nodes: a variance along an axis becomes one kernel that
//! keeps its row in cache.

use super::make::{Make, num, t};
use super::{Args, Cx};
use crate::base::Diag;
use crate::op::Monoid;
use crate::plan::{Tensor, build};
use crate::tensor::{DType, Kind};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// Argument 0, the axes that argument 1 names, and `keepdims`.
pub struct Along {
    pub x: Tensor,
    pub axes: Vec<usize>,
    pub keepdims: bool,
}

impl Along {
    pub fn of(cx: &mut Cx, args: &Args, keepdims: usize) -> Result<Along, Diag> {
        let x = args.tensor(cx, 0)?;
        let axes = args.axes(cx, 1, x.ndim())?;
        Ok(Along { axes, keepdims: args.bool(cx, keepdims)?, x })
    }

    /// How many elements are joined.
    pub fn count(&self) -> usize {
        self.axes.iter().map(|&a| self.x.shape()[a]).product()
    }

    /// E0520 where the reduced axes hold no elements, as in NumPy even where there are no results.
    pub fn nonempty(&self, args: &Args) -> Result<(), Diag> {
        if self.count() > 0 {
            return Ok(());
        }
        Err(args.fault(0, "E0520", format!("`{}` of no elements is not defined", args.func.doc.name)))
    }

    fn reduce(&self, make: Make, x: &Tensor, monoid: Monoid, dtype: DType) -> Result<Tensor, Diag> {
        make.reduce(x, &self.axes, self.keepdims, monoid, dtype)
    }
}

/// The dtype of a sum: integers and bools widen to 64 bits, the 8-bit floats are storage.
pub fn widened(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Signed => DType::I64,
        Kind::Unsigned => DType::U64,
        _ if dtype.size() == 1 => DType::F32,
        _ => dtype,
    }
}

/// The dtype in which means are formed, and the one that they are rounded to.
pub fn mean_dtypes(make: Make, dtype: DType) -> (DType, DType) {
    match dtype.kind() {
        Kind::Complex => (dtype, dtype),
        Kind::Float if dtype.size() == 1 => (DType::F32, DType::F32),
        Kind::Float => (dtype.lane(), dtype),
        _ => (DType::F64, make.float),
    }
}

/// A sum or product, in `dtype` where one is given.
pub fn total(make: Make, along: &Along, monoid: Monoid, dtype: Option<DType>) -> Result<Tensor, Diag> {
    let dtype = dtype.unwrap_or(widened(along.x.dtype()));
    let x = if along.x.dtype().is_complex() { make.cast(&along.x, dtype)? } else { along.x.clone() };
    let monoid = match (dtype, monoid) {
        (DType::Bool, Monoid::Sum) => Monoid::Or,
        (DType::Bool, _) => Monoid::And,
        _ => monoid,
    };
    along.reduce(make, &x, monoid, dtype)
}

pub fn sum(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let out = total(Make::of(cx), &along, Monoid::Sum, args.opt_dtype(3)?)?;
    Ok(cx.give(out))
}

pub fn prod(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let out = total(Make::of(cx), &along, Monoid::Prod, args.opt_dtype(3)?)?;
    Ok(cx.give(out))
}

pub fn mean_of(make: Make, along: &Along, dtype: Option<DType>) -> Result<Tensor, Diag> {
    let (acc, out) = mean_dtypes(make, dtype.unwrap_or(along.x.dtype()));
    let total = build::reduce(&along.x.operand(), &along.axes, along.keepdims, Monoid::Sum, acc, acc, make.span)?;
    let mean = make.row("divide", &[t(&total), num(along.count() as f64)])?;
    make.cast(&mean, out)
}

pub fn mean(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let out = mean_of(Make::of(cx), &along, args.opt_dtype(3)?)?;
    Ok(cx.give(out))
}

/// Squared distances from the mean, summed and divided by n - ddof; stays in the dtype of the sum.
pub fn variance(make: Make, along: &Along, ddof: f64) -> Result<Tensor, Diag> {
    let (acc, _) = mean_dtypes(make, along.x.dtype());
    let x = make.cast(&along.x, acc)?;
    let n = along.count() as f64;
    let total = make.sum(&x, &along.axes, true)?;
    let mean = make.row("divide", &[t(&total), num(n)])?;
    let distance = make.row("subtract", &[t(&x), t(&mean)])?;
    let size = if acc.is_complex() { make.row("abs", &[t(&distance)])? } else { distance };
    let squares = make.row("square", &[t(&size)])?;
    let total = make.sum(&squares, &along.axes, along.keepdims)?;
    make.row("divide", &[t(&total), num((n - ddof).max(0.0))])
}

/// The dtype that a variance of `dtype` is rounded to.
fn spread_dtype(make: Make, dtype: DType) -> DType {
    mean_dtypes(make, dtype).1.real()
}

/// `correction` may be given as a bool (`unbiased`).
fn spread(cx: &mut Cx, args: &Args, root: bool) -> Out {
    let along = Along::of(cx, args, 3)?;
    let ddof = args.float(cx, 2)?;
    let make = Make::of(cx);
    let out = spread_of(make, &along, ddof, root)?;
    Ok(cx.give(out))
}

pub fn spread_of(make: Make, along: &Along, ddof: f64, root: bool) -> Result<Tensor, Diag> {
    let variance = variance(make, along, ddof)?;
    let out = if root { make.row("sqrt", &[t(&variance)])? } else { variance };
    make.cast(&out, spread_dtype(make, along.x.dtype()))
}

pub fn var(cx: &mut Cx, args: &Args) -> Out {
    spread(cx, args, false)
}

pub fn std(cx: &mut Cx, args: &Args) -> Out {
    spread(cx, args, true)
}

pub fn extreme(make: Make, along: &Along, monoid: Monoid) -> Result<Tensor, Diag> {
    if along.x.dtype().is_complex() {
        return Err(super::make::no_order(along.x.dtype()));
    }
    along.reduce(make, &along.x, monoid, along.x.dtype())
}

pub fn extreme_along(cx: &mut Cx, args: &Args, along: &Along, monoid: Monoid) -> Out {
    along.nonempty(args)?;
    let out = extreme(Make::of(cx), along, monoid)?;
    Ok(cx.give(out))
}

fn extreme_args(cx: &mut Cx, args: &Args, monoid: Monoid) -> Out {
    let along = Along::of(cx, args, 2)?;
    extreme_along(cx, args, &along, monoid)
}

pub fn nanmin(cx: &mut Cx, args: &Args) -> Out {
    extreme_args(cx, args, Monoid::FMin)
}

pub fn nanmax(cx: &mut Cx, args: &Args) -> Out {
    extreme_args(cx, args, Monoid::FMax)
}

pub fn ptp(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    along.nonempty(args)?;
    let make = Make::of(cx);
    let (high, low) = (extreme(make, &along, Monoid::Max)?, extreme(make, &along, Monoid::Min)?);
    let out = make.row("subtract", &[t(&high), t(&low)])?;
    drop((high, low));
    Ok(cx.give(out))
}

/// The position of an extreme along one axis, or in the flat tensor.
fn place(cx: &mut Cx, args: &Args, x: Option<Tensor>, monoid: Monoid) -> Out {
    let mut along = Along::of(cx, args, 2)?;
    if along.axes.len() > 1 && !args.is_none(1) {
        return Err(args.wrong(1, "one axis"));
    }
    if along.x.dtype().is_complex() {
        return Err(super::make::no_order(along.x.dtype()));
    }
    along.nonempty(args)?;
    if let Some(x) = x {
        along.x = x;
    }
    let operand = along.x.operand();
    let out = build::reduce(&operand, &along.axes, along.keepdims, monoid, DType::I64, DType::I64, cx.span)?;
    drop(operand);
    Ok(cx.give(out))
}

pub fn argmin(cx: &mut Cx, args: &Args) -> Out {
    place(cx, args, None, Monoid::ArgMin)
}

pub fn argmax(cx: &mut Cx, args: &Args) -> Out {
    place(cx, args, None, Monoid::ArgMax)
}

/// NaN gives way to everything; a slice of nothing else is a fault.
fn nan_place(cx: &mut Cx, args: &Args, monoid: Monoid, worst: f64) -> Out {
    let along = Along::of(cx, args, 2)?;
    let make = Make::of(cx);
    if !along.x.dtype().is_float() {
        return place(cx, args, None, monoid);
    }
    let nan = make.row("isnan", &[t(&along.x)])?;
    let only = along.reduce(make, &nan, Monoid::And, DType::Bool)?;
    if !cx.nonzero(&only)?.is_empty() {
        return Err(args.fault(0, "E0520", "a slice holds nothing but nan"));
    }
    let x = make.row("where", &[t(&nan), num(worst), t(&along.x)])?;
    drop((nan, only));
    place(cx, args, Some(x), monoid)
}

pub fn nanargmin(cx: &mut Cx, args: &Args) -> Out {
    nan_place(cx, args, Monoid::ArgMin, f64::INFINITY)
}

pub fn nanargmax(cx: &mut Cx, args: &Args) -> Out {
    nan_place(cx, args, Monoid::ArgMax, f64::NEG_INFINITY)
}

fn truth(cx: &mut Cx, args: &Args, monoid: Monoid) -> Out {
    let along = Along::of(cx, args, 2)?;
    let make = Make::of(cx);
    let out = along.reduce(make, &make.cast(&along.x, DType::Bool)?, monoid, DType::Bool)?;
    Ok(cx.give(out))
}

pub fn any(cx: &mut Cx, args: &Args) -> Out {
    truth(cx, args, Monoid::Or)
}

pub fn all(cx: &mut Cx, args: &Args) -> Out {
    truth(cx, args, Monoid::And)
}

pub fn count_nonzero(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let make = Make::of(cx);
    let out = along.reduce(make, &make.cast(&along.x, DType::Bool)?, Monoid::Sum, DType::I64)?;
    Ok(cx.give(out))
}

/// `x` with `value` in place of nan.
fn without_nan(make: Make, x: &Tensor, value: f64) -> Result<Tensor, Diag> {
    if !x.dtype().is_float() && !x.dtype().is_complex() {
        return Ok(x.clone());
    }
    let nan = make.row("isnan", &[t(x)])?;
    make.row("where", &[t(&nan), num(value), t(x)])
}

fn nan_total(cx: &mut Cx, args: &Args, monoid: Monoid, neutral: f64) -> Out {
    let mut along = Along::of(cx, args, 2)?;
    let make = Make::of(cx);
    along.x = without_nan(make, &along.x, neutral)?;
    let out = total(make, &along, monoid, args.opt_dtype(3)?)?;
    drop(along);
    Ok(cx.give(out))
}

pub fn nansum(cx: &mut Cx, args: &Args) -> Out {
    nan_total(cx, args, Monoid::Sum, 0.0)
}

pub fn nanprod(cx: &mut Cx, args: &Args) -> Out {
    nan_total(cx, args, Monoid::Prod, 1.0)
}

/// Mean of what is a number, and how many there are: both keep the axes where `keepdims` says so.
fn nan_mean_of(make: Make, along: &Along, x: &Tensor, keepdims: bool) -> Result<(Tensor, Tensor), Diag> {
    let nan = make.row("isnan", &[t(&along.x)])?;
    let here = make.row("logical_not", &[t(&nan)])?;
    let count = make.reduce(&here, &along.axes, keepdims, Monoid::Sum, DType::I64)?;
    let count = make.cast(&count, x.dtype().real())?;
    let total = make.sum(&without_nan(make, x, 0.0)?, &along.axes, keepdims)?;
    Ok((make.row("divide", &[t(&total), t(&count)])?, count))
}

pub fn nanmean(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let make = Make::of(cx);
    let (acc, dtype) = mean_dtypes(make, along.x.dtype());
    let out = {
        let x = make.cast(&along.x, acc)?;
        let (mean, _) = nan_mean_of(make, &along, &x, along.keepdims)?;
        make.cast(&mean, dtype)?
    };
    Ok(cx.give(out))
}

fn nan_spread(cx: &mut Cx, args: &Args, root: bool) -> Out {
    let along = Along::of(cx, args, 3)?;
    let ddof = args.float(cx, 2)?;
    let out = nan_spread_of(Make::of(cx), &along, ddof, root)?;
    Ok(cx.give(out))
}

fn nan_spread_of(make: Make, along: &Along, ddof: f64, root: bool) -> Result<Tensor, Diag> {
    let (acc, _) = mean_dtypes(make, along.x.dtype());
    let x = make.cast(&along.x, acc)?;
    let (mean, _) = nan_mean_of(make, along, &x, true)?;
    let distance = make.row("subtract", &[t(&x), t(&mean)])?;
    let size = if acc.is_complex() { make.row("abs", &[t(&distance)])? } else { distance };
    let squares = make.row("square", &[t(&size)])?;
    let total = make.sum(&without_nan(make, &squares, 0.0)?, &along.axes, along.keepdims)?;
    let (_, count) = nan_mean_of(make, along, &x, along.keepdims)?;
    let freedom = make.row("subtract", &[t(&count), num(ddof)])?;
    // Nothing left to divide by gives nan, not a negative variance.
    let enough = make.row("greater", &[t(&freedom), num(0.0)])?;
    let freedom = make.row("where", &[t(&enough), t(&freedom), num(f64::NAN)])?;
    let variance = make.row("divide", &[t(&total), t(&freedom)])?;
    let out = if root { make.row("sqrt", &[t(&variance)])? } else { variance };
    make.cast(&out, spread_dtype(make, along.x.dtype()))
}

pub fn nanvar(cx: &mut Cx, args: &Args) -> Out {
    nan_spread(cx, args, false)
}

pub fn nanstd(cx: &mut Cx, args: &Args) -> Out {
    nan_spread(cx, args, true)
}

pub fn average(cx: &mut Cx, args: &Args) -> Out {
    let mut along = Along::of(cx, args, 3)?;
    let Some(weights) = args.opt_tensor(cx, 2)? else {
        let out = mean_of(Make::of(cx), &along, None)?;
        return Ok(cx.give(out));
    };
    let make = Make::of(cx);
    let mut weights = weights;
    if weights.shape() != along.x.shape() {
        let [axis] = along.axes[..] else {
            return Err(args
                .fault(2, "E0203", format!("weights do not fit {}", along.x.describe()))
                .hint("name the axis"));
        };
        if weights.shape() != [along.x.shape()[axis]] {
            return Err(args.fault(2, "E0203", format!("weights do not fit axis {axis} of {}", along.x.describe())));
        }
        let mut shape = vec![1; along.x.ndim()];
        shape[axis] = weights.size();
        weights = make.reshape(&weights, &shape)?;
        let layout = weights.view.layout.broadcast_to(along.x.shape()).map_err(|f| f.diag())?;
        weights = weights.viewed(layout);
    }
    let joined = crate::tensor::promote(along.x.dtype(), weights.dtype());
    let (acc, dtype) = mean_dtypes(make, joined);
    let weights = make.cast(&weights, acc)?;
    let total = make.sum(&weights, &along.axes, along.keepdims)?;
    if cx.nonzero(&total)?.len() < total.size() {
        return Err(args.fault(2, "E0521", "the weights sum to zero"));
    }
    let out = {
        along.x = make.row("multiply", &[t(&make.cast(&along.x, acc)?), t(&weights)])?;
        let sum = make.sum(&along.x, &along.axes, along.keepdims)?;
        make.cast(&make.row("divide", &[t(&sum), t(&total)])?, dtype)?
    };
    drop((along, weights));
    let out = cx.give(out);
    Ok(if args.bool(cx, 4)? { Value::tuple(vec![out, Value::tensor(total)]) } else { out })
}
