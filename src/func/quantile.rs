//! Medians, quantiles and percentiles: the axes are sorted, then two neighbours are mixed.

use super::make::{Make, leaf_float, num, t, without};
use super::reduce::{Along, mean_dtypes};
use super::{Args, Cx, Func, convert};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::{Tensor, build};
use crate::tensor::{DType, Scalar};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// How a quantile is read off sorted values; the names are NumPy's.
const METHODS: &[&str] = &[
    "linear",
    "lower",
    "higher",
    "nearest",
    "midpoint",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
    "interpolated_inverted_cdf",
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
];

/// More quantiles than this are read off on the host.
const MOST_NODES: usize = 64;

/// Two neighbouring positions among `n` sorted values and the share of the second.
fn place(method: &str, q: f64, n: usize) -> (usize, usize, f64) {
    let count = n as f64;
    let last = count - 1.0;
    // Position of the quantile by the plotting positions alpha and beta.
    let between = |alpha: f64, beta: f64| count * q + alpha + q * (1.0 - alpha - beta) - 1.0;
    let at = match method {
        "lower" => (last * q).floor(),
        "higher" => (last * q).ceil(),
        "nearest" => (last * q).round_ties_even(),
        "midpoint" => 0.5 * ((last * q).floor() + (last * q).ceil()),
        "hazen" => between(0.5, 0.5),
        "weibull" => between(0.0, 0.0),
        "median_unbiased" => between(1.0 / 3.0, 1.0 / 3.0),
        "normal_unbiased" => between(3.0 / 8.0, 3.0 / 8.0),
        "interpolated_inverted_cdf" => between(0.0, 1.0),
        "inverted_cdf" => (count * q - 1.0).ceil(),
        "averaged_inverted_cdf" => {
            let exact = count * q - 1.0;
            if exact.fract() == 0.0 { exact + 0.5 } else { exact.ceil() }
        }
        "closest_observation" => {
            let near = count * q - 1.5;
            let up = near.floor() + 1.0;
            if near.fract() == 0.0 && near.floor().rem_euclid(2.0) == 1.0 { up - 1.0 } else { up }
        }
        _ => last * q,
    };
    let at = at.clamp(0.0, last.max(0.0));
    let low = at.floor();
    (low as usize, (low + 1.0).min(last.max(0.0)) as usize, at - low)
}

/// The reduced axes joined into one at the end, sorted ascending, nan last.
fn sorted_rows(make: Make, along: &Along) -> Result<Tensor, Diag> {
    if along.x.dtype().is_complex() {
        return Err(super::make::no_order(along.x.dtype()));
    }
    let kept = (0..along.x.ndim()).filter(|a| !along.axes.contains(a));
    let order: Vec<i64> = kept.chain(along.axes.iter().copied()).map(|a| a as i64).collect();
    let layout = along.x.view.layout.permute(&order).map_err(|f| f.diag())?;
    let mut shape = without(along.x.shape(), &along.axes, false).to_vec();
    shape.push(along.count());
    let rows = make.reshape(&along.x.viewed(layout), &shape)?;
    Ok(Tensor::of(build::sort(&rows.operand(), shape.len() - 1, false, false, make.span)))
}

/// One quantile of sorted rows, in the dtype that means are formed in.
fn mixed(make: Make, rows: &Tensor, method: &str, q: f64) -> Result<Tensor, Diag> {
    let (acc, _) = mean_dtypes(make, rows.dtype());
    let axis = rows.ndim() - 1;
    let n = rows.shape()[axis];
    let at = |i: usize| -> Result<Tensor, Diag> {
        let layout = rows.view.layout.index(axis as isize, i as i64).map_err(|f| f.diag())?;
        make.cast(&rows.viewed(layout), acc)
    };
    let (low, high, share) = place(method, q, n);
    let mut out = at(low)?;
    if share > 0.0 {
        let (a, b) = (out, at(high)?);
        let gap = make.row("subtract", &[t(&b), t(&a)])?;
        // From the nearer end, so that both ends come out exact.
        out = if share < 0.5 {
            make.row("add", &[t(&a), t(&make.row("multiply", &[t(&gap), num(share)])?)])?
        } else {
            make.row("subtract", &[t(&b), t(&make.row("multiply", &[t(&gap), num(1.0 - share)])?)])?
        };
    }
    if !rows.dtype().is_float() {
        return Ok(out);
    }
    // A nan stands last and spoils its row.
    let last = at(n - 1)?;
    let spoilt = make.row("isnan", &[t(&last)])?;
    make.row("where", &[t(&spoilt), t(&last), t(&out)])
}

/// Gives the reduced axes back as extent 1.
fn with_axes(mut out: Tensor, along: &Along, before: usize) -> Tensor {
    if along.keepdims {
        for &axis in &along.axes {
            out.view.layout = out.view.layout.newaxis(before + axis);
        }
    }
    out
}

fn quantiles(make: Make, along: &Along, qs: &[f64], q_shape: &[usize], method: &str) -> Result<Tensor, Diag> {
    let (_, dtype) = mean_dtypes(make, along.x.dtype());
    let kept = without(along.x.shape(), &along.axes, false);
    let shape: Vec<usize> = q_shape.iter().chain(&kept).copied().collect();
    if along.count() == 0 {
        return Ok(with_axes(make.fill(&shape, dtype, Scalar::Float(f64::NAN))?, along, q_shape.len()));
    }
    let rows = sorted_rows(make, along)?;
    if let ([], [q]) = (q_shape, qs) {
        return Ok(with_axes(make.cast(&mixed(make, &rows, method, *q)?, dtype)?, along, 0));
    }
    let flat: Vec<usize> = std::iter::once(qs.len()).chain(kept.iter().copied()).collect();
    let all = build::checked_shape(&flat, dtype)?;
    let mut parts = Vec::with_capacity(qs.len());
    for (i, &q) in qs.iter().enumerate() {
        let place = all.index(0, i as i64).map_err(|f| f.diag())?;
        parts.push((place, make.cast(&mixed(make, &rows, method, q)?, dtype)?.operand()));
    }
    let out = Tensor::of(build::assemble("quantile", &flat, dtype, parts, make.span)?);
    let mut out = make.reshape(&out, &shape)?;
    out.is_view = false;
    Ok(with_axes(out, along, q_shape.len()))
}

/// Quantiles on the host: of rows without their nan, which have a count each, or for many q.
fn host_quantiles(
    cx: &mut Cx,
    along: &Along,
    qs: &[f64],
    q_shape: &[usize],
    method: &str,
    skip_nan: bool,
) -> Result<Tensor, Diag> {
    let make = Make::of(cx);
    let (_, dtype) = mean_dtypes(make, along.x.dtype());
    let rows = sorted_rows(make, along)?;
    let values = cx.values(&rows, DType::F64)?;
    let n = along.count();
    let kept = without(along.x.shape(), &along.axes, false);
    let results: usize = kept.iter().product();
    cx.room(qs.len().saturating_mul(results))?;
    let mut out = vec![f64::NAN; qs.len() * results];
    for (r, row) in values.slice::<f64>().chunks(n.max(1)).enumerate().take(results) {
        let numbers = row.partition_point(|v| !v.is_nan());
        let count = if skip_nan || numbers == row.len() { numbers } else { 0 };
        for (i, &q) in qs.iter().enumerate().filter(|_| count > 0) {
            let (low, high, share) = place(method, q, count);
            out[i * results + r] = if share == 0.0 { row[low] } else { row[low] + (row[high] - row[low]) * share };
        }
    }
    let shape: Vec<usize> = q_shape.iter().chain(&kept).copied().collect();
    Ok(with_axes(leaf_float(&out, dtype, &shape)?, along, q_shape.len()))
}

fn by_quantiles(cx: &mut Cx, args: &Args, scale: f64, skip_nan: bool) -> Out {
    let x = args.tensor(cx, 0)?;
    let axes = args.axes(cx, 2, x.ndim())?;
    let along = Along { x, axes, keepdims: args.bool(cx, 3)? };
    let method = args.str(4)?;
    if !METHODS.contains(&&*method) {
        return Err(args.fault(4, "E0120", format!("no method {method:?}")).hint(METHODS.join(", ")));
    }
    // Plain numbers keep all their digits, whatever the default float.
    let q = match args.value(1) {
        Value::Tensor(q) => (**q).clone(),
        value => convert::array(cx, value, Some(DType::F64), args.span(1))?,
    };
    if q.dtype().is_complex() {
        return Err(args.wrong(1, "a number or several"));
    }
    let qs: Vec<f64> = cx.f64s(&q)?.into_iter().map(|q| q / scale).collect();
    if let Some(bad) = qs.iter().find(|q| !(0.0..=1.0).contains(*q)) {
        let message = format!("{} lies outside of 0 to {scale}", bad * scale);
        return Err(args.fault(1, "E0521", message));
    }
    let out = if (skip_nan && along.x.dtype().is_float()) || qs.len() > MOST_NODES {
        host_quantiles(cx, &along, &qs, q.shape(), &method, skip_nan)?
    } else {
        quantiles(Make::of(cx), &along, &qs, q.shape(), &method)?
    };
    drop(along);
    Ok(cx.give(out))
}

fn quantile(cx: &mut Cx, args: &Args) -> Out {
    by_quantiles(cx, args, 1.0, false)
}

fn percentile(cx: &mut Cx, args: &Args) -> Out {
    by_quantiles(cx, args, 100.0, false)
}

fn nanquantile(cx: &mut Cx, args: &Args) -> Out {
    by_quantiles(cx, args, 1.0, true)
}

fn nanpercentile(cx: &mut Cx, args: &Args) -> Out {
    by_quantiles(cx, args, 100.0, true)
}

fn median(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let out = quantiles(Make::of(cx), &along, &[0.5], &[], "linear")?;
    Ok(cx.give(out))
}

fn nanmedian(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let out = if along.x.dtype().is_float() {
        host_quantiles(cx, &along, &[0.5], &[], "linear", true)?
    } else {
        quantiles(Make::of(cx), &along, &[0.5], &[], "linear")?
    };
    Ok(cx.give(out))
}

pub static ROWS: [Func; 6] = [
    Func::new("median", median, Group::Statistics)
        .help(
            "median(x, axis=None, keepdims=False)",
            "The median along axes: the middle value, or the mean of the two middle ones. A nan \
             spoils its row.",
            &["median(array([3, 1, 2]))", "median(array([[1.0, 4.0], [2.0, 8.0]]), axis=1)"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("np.median", "torch.median")
        .see(&["mean", "quantile", "nanmedian"]),
    Func::new("nanmedian", nanmedian, Group::Statistics)
        .help(
            "nanmedian(x, axis=None, keepdims=False)",
            "The median of the elements that are not nan.",
            &["nanmedian(array([3.0, nan, 1.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("np.nanmedian", "torch.nanmedian")
        .see(&["median"]),
    Func::new("quantile", quantile, Group::Statistics)
        .help(
            "quantile(x, q, axis=None, keepdims=False, method=\"linear\")",
            "The value below which the share q of the elements lies; several q give a new first \
             axis. The method says \
             how neighbours are mixed.",
            &["quantile(array([1.0, 2.0, 3.0, 4.0]), 0.5)", "quantile(arange(5), [0.25, 0.75])"],
        )
        .gives(
            "The shape of q, then the extents without those of axis (1 with keepdims); floats keep \
            their dtype, others give the default float.",
        )
        .like("np.quantile", "torch.quantile")
        .see(&["percentile", "median"]),
    Func::new("percentile", percentile, Group::Statistics)
        .help(
            "percentile(x, q, axis=None, keepdims=False, method=\"linear\")",
            "As quantile, with q from 0 to 100.",
            &["percentile(array([1.0, 2.0, 3.0, 4.0]), 40)"],
        )
        .gives(
            "The shape of q, then the extents without those of axis (1 with keepdims); floats keep \
            their dtype, others give the default float.",
        )
        .like("np.percentile", "")
        .see(&["quantile"]),
    Func::new("nanquantile", nanquantile, Group::Statistics)
        .help(
            "nanquantile(x, q, axis=None, keepdims=False, method=\"linear\")",
            "The quantile of the elements that are not nan.",
            &["nanquantile(array([1.0, nan, 3.0]), 0.5)"],
        )
        .gives(
            "The shape of q, then the extents without those of axis (1 with keepdims); floats keep \
            their dtype, others give the default float.",
        )
        .like("np.nanquantile", "torch.nanquantile")
        .see(&["quantile"]),
    Func::new("nanpercentile", nanpercentile, Group::Statistics)
        .help(
            "nanpercentile(x, q, axis=None, keepdims=False, method=\"linear\")",
            "The percentile of the elements that are not nan.",
            &["nanpercentile(array([1.0, nan, 3.0]), 50)"],
        )
        .gives(
            "The shape of q, then the extents without those of axis (1 with keepdims); floats keep \
            their dtype, others give the default float.",
        )
        .like("np.nanpercentile", "")
        .see(&["percentile"]),
];
