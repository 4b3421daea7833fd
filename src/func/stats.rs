//! Statistics beyond means and quantiles.

use super::make::{Make, leaf_i64, num, t, without};
use super::reduce::{Along, mean_dtypes, mean_of, spread_of};
use super::{Args, Cx, Func, convert};
use crate::base::{Diag, Symbol};
use crate::op::{Group, Monoid};
use crate::plan::{Tensor, build};
use crate::tensor::DType;
use crate::value::{Record, Value};
use std::sync::Arc;

type Out = Result<Value, Diag>;

fn all_axes(x: &Tensor) -> Along {
    Along { x: x.clone(), axes: (0..x.ndim()).collect(), keepdims: false }
}

/// Variables as rows, in the dtype that sums are formed in.
fn variables(cx: &mut Cx, args: &Args) -> Result<Tensor, Diag> {
    let rowvar = args.bool(cx, 2)?;
    let make = Make::of(cx);
    let rows = |x: Tensor| -> Result<Tensor, Diag> {
        match x.ndim() {
            0 => make.reshape(&x, &[1, 1]),
            1 => Ok(x.viewed(x.view.layout.newaxis(0))),
            2 if rowvar => Ok(x),
            2 => Ok(x.viewed(x.view.layout.transposed())),
            n => Err(args.fault(0, "E0201", format!("variables stand in one or two axes, not {n}"))),
        }
    };
    let x = rows(args.tensor(cx, 0)?)?;
    let Some(y) = args.opt_tensor(cx, 1)? else { return Ok(x) };
    let y = rows(y)?;
    let dtype = crate::tensor::promote(x.dtype(), y.dtype());
    Ok(Tensor::of(build::concat(&[x.operand(), y.operand()], 0, dtype, cx.span)?))
}

/// The matrix of covariances of the rows of `x`.
fn covariance(make: Make, x: &Tensor, ddof: f64) -> Result<Tensor, Diag> {
    let (acc, _) = mean_dtypes(make, x.dtype());
    let x = make.cast(x, acc)?;
    let n = x.shape()[1] as f64;
    let mean = make.row("divide", &[t(&make.sum(&x, &[1], true)?), num(n)])?;
    let centred = make.row("subtract", &[t(&x), t(&mean)])?;
    let mut other = centred.viewed(centred.view.layout.transposed());
    if acc.is_complex() {
        other.view.conj = true;
    }
    let products = build::matmul(&centred.operand(), &other.operand(), make.span)?;
    make.row("divide", &[t(&products), num((n - ddof).max(0.0))])
}

fn cov(cx: &mut Cx, args: &Args) -> Out {
    let single = matches!(args.value(0), Value::Tensor(x) if x.ndim() < 2) && args.is_none(1);
    let x = variables(cx, args)?;
    let ddof = match args.opt_float(cx, 4)? {
        Some(ddof) => ddof,
        None => f64::from(u8::from(!args.bool(cx, 3)?)),
    };
    let make = Make::of(cx);
    let mut out = {
        let (_, dtype) = mean_dtypes(make, x.dtype());
        make.cast(&covariance(make, &x, ddof)?, dtype)?
    };
    if single {
        out.view.layout = out.view.layout.squeeze(None).map_err(|f| f.diag())?;
    }
    Ok(cx.give(out))
}

fn corrcoef(cx: &mut Cx, args: &Args) -> Out {
    let single = matches!(args.value(0), Value::Tensor(x) if x.ndim() < 2) && args.is_none(1);
    let x = variables(cx, args)?;
    let make = Make::of(cx);
    let mut out = {
        let (_, dtype) = mean_dtypes(make, x.dtype());
        let cov = covariance(make, &x, 1.0)?;
        let diagonal = cov.viewed(cov.view.layout.diagonal(0, 0, 1).map_err(|f| f.diag())?);
        let deviation = make.row("sqrt", &[t(&make.row("abs", &[t(&diagonal)])?)])?;
        let rows = deviation.viewed(deviation.view.layout.newaxis(1));
        let out = make.row("divide", &[t(&make.row("divide", &[t(&cov), t(&rows)])?), t(&deviation)])?;
        let out = if dtype.is_complex() {
            out
        } else {
            make.row("minimum", &[t(&make.row("maximum", &[t(&out), num(-1.0)])?), num(1.0)])?
        };
        make.cast(&out, dtype)?
    };
    if single {
        out.view.layout = out.view.layout.squeeze(None).map_err(|f| f.diag())?;
    }
    Ok(cx.give(out))
}

/// torch's: the most frequent value along an axis, the smallest of equals, and the last position of it.
fn mode(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.ndim() == 0 || x.size() == 0 {
        return Err(args.fault(0, "E0520", "`mode` of no elements is not defined"));
    }
    let axis = args.axis(cx, 1, x.ndim())?;
    let keepdims = args.bool(cx, 2)?;
    let make = Make::of(cx);
    let order: Vec<i64> = (0..x.ndim()).filter(|a| *a != axis).chain([axis]).map(|a| a as i64).collect();
    let rows = x.viewed(x.view.layout.permute(&order).map_err(|f| f.diag())?);
    let keys = cx.order_keys(&rows)?;
    let n = x.shape()[axis];
    let mut places = Vec::with_capacity(keys.len() / n);
    for row in keys.chunks(n) {
        let mut sorted: Vec<(u64, usize)> = row.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let (mut best, mut start) = ((0usize, 0usize), 0usize);
        for i in 1..=n {
            if i == n || sorted[i].0 != sorted[start].0 {
                if i - start > best.0 {
                    best = (i - start, sorted[i - 1].1);
                }
                start = i;
            }
        }
        places.push(best.1 as i64);
    }
    let kept = without(x.shape(), &[axis], true);
    let mut places = super::make::leaf(&places, DType::I64, &kept)?;
    let mut values = super::sort::along_axis(make, &x, axis, &places)?;
    if !keepdims {
        for out in [&mut values, &mut places] {
            out.view.layout = out.view.layout.index(axis as isize, 0).map_err(|f| f.diag())?;
        }
    }
    Ok(Value::tuple(vec![cx.give(values), cx.give(places)]))
}

/// The mean of the k-th power of standardised distances from the mean.
fn moment(make: Make, along: &Along, k: f64) -> Result<Tensor, Diag> {
    let (acc, _) = mean_dtypes(make, along.x.dtype());
    let x = make.cast(&along.x, acc)?;
    let n = along.count() as f64;
    let mean = make.row("divide", &[t(&make.sum(&x, &along.axes, true)?), num(n)])?;
    let distance = make.row("subtract", &[t(&x), t(&mean)])?;
    let squares = make.row("square", &[t(&distance)])?;
    let powers = if k == 3.0 {
        make.row("multiply", &[t(&squares), t(&distance)])?
    } else {
        make.row("square", &[t(&squares)])?
    };
    let variance = make.row("divide", &[t(&make.sum(&squares, &along.axes, along.keepdims)?), num(n)])?;
    let raised = make.row("divide", &[t(&make.sum(&powers, &along.axes, along.keepdims)?), num(n)])?;
    let scale = make.row("power", &[t(&variance), num(k / 2.0)])?;
    make.row("divide", &[t(&raised), t(&scale)])
}

fn real_along(cx: &mut Cx, args: &Args) -> Result<Along, Diag> {
    let along = Along::of(cx, args, 2)?;
    if along.x.dtype().is_complex() {
        return Err(super::make::no_order(along.x.dtype()));
    }
    Ok(along)
}

fn skew(cx: &mut Cx, args: &Args) -> Out {
    let along = real_along(cx, args)?;
    let make = Make::of(cx);
    let out = make.cast(&moment(make, &along, 3.0)?, mean_dtypes(make, along.x.dtype()).1)?;
    Ok(cx.give(out))
}

fn kurtosis(cx: &mut Cx, args: &Args) -> Out {
    let along = real_along(cx, args)?;
    let fisher = args.bool(cx, 3)?;
    let make = Make::of(cx);
    let out = {
        let moment = moment(make, &along, 4.0)?;
        let moment = if fisher { make.row("subtract", &[t(&moment), num(3.0)])? } else { moment };
        make.cast(&moment, mean_dtypes(make, along.x.dtype()).1)?
    };
    Ok(cx.give(out))
}

/// Of weights that are scaled to sum to 1.
fn entropy(cx: &mut Cx, args: &Args) -> Out {
    let along = real_along(cx, args)?;
    let base = args.opt_float(cx, 3)?;
    let make = Make::of(cx);
    let out = {
        let (acc, dtype) = mean_dtypes(make, along.x.dtype());
        let x = make.cast(&along.x, acc)?;
        let p = make.row("divide", &[t(&x), t(&make.sum(&x, &along.axes, true)?)])?;
        let terms = make.row("multiply", &[t(&p), t(&make.row("log", &[t(&p)])?)])?;
        // Nothing is contributed by what never occurs.
        let never = make.row("equal", &[t(&p), num(0.0)])?;
        let terms = make.row("where", &[t(&never), num(0.0), t(&terms)])?;
        let total = make.sum(&terms, &along.axes, along.keepdims)?;
        let unit = base.map_or(1.0, f64::ln);
        make.cast(&make.row("divide", &[t(&total), num(-unit)])?, dtype)?
    };
    Ok(cx.give(out))
}

/// The share of zeros.
fn sparsity(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    let make = Make::of(cx);
    let out = {
        let zero = make.row("logical_not", &[t(&make.cast(&along.x, DType::Bool)?)])?;
        mean_of(make, &Along { x: zero, axes: along.axes, keepdims: along.keepdims }, None)?
    };
    Ok(cx.give(out))
}

fn zscore(cx: &mut Cx, args: &Args) -> Out {
    let mut along = Along::of(cx, args, 3)?;
    let ddof = args.float(cx, 2)?;
    along.keepdims = true;
    let make = Make::of(cx);
    let out = {
        let (acc, dtype) = mean_dtypes(make, along.x.dtype());
        along.x = make.cast(&along.x, acc)?;
        let mean = mean_of(make, &along, None)?;
        let deviation = spread_of(make, &along, ddof, true)?;
        let distance = make.row("subtract", &[t(&along.x), t(&mean)])?;
        make.cast(&make.row("divide", &[t(&distance), t(&deviation)])?, dtype)?
    };
    drop(along);
    Ok(cx.give(out))
}

/// Distances between the rows of two tensors.
fn cdist(cx: &mut Cx, args: &Args) -> Out {
    let (x, y) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let p = args.float(cx, 2)?;
    if x.ndim() < 2 || y.ndim() < 2 {
        return Err(args.fault(0, "E0201", "`cdist` takes rows: at least two axes"));
    }
    let make = Make::of(cx);
    let out = {
        let joined = crate::tensor::promote(x.dtype(), y.dtype());
        let (acc, dtype) = mean_dtypes(make, joined);
        let (x, y) = (make.cast(&x, acc)?, make.cast(&y, acc)?);
        let x = x.viewed(x.view.layout.newaxis(x.ndim() - 1));
        let y = y.viewed(y.view.layout.newaxis(y.ndim() - 2));
        let gap = make.row("abs", &[t(&make.row("subtract", &[t(&x), t(&y)])?)])?;
        let last = [gap.ndim() - 1];
        let out = if p == 2.0 {
            make.row("sqrt", &[t(&make.sum(&make.row("square", &[t(&gap)])?, &last, false)?)])?
        } else if p == 1.0 {
            make.sum(&gap, &last, false)?
        } else if p.is_infinite() {
            make.reduce(&gap, &last, false, Monoid::Max, gap.dtype())?
        } else if p == 0.0 {
            make.reduce(&make.cast(&gap, DType::Bool)?, &last, false, Monoid::Sum, DType::I64)?
        } else {
            let total = make.sum(&make.row("power", &[t(&gap), num(p)])?, &last, false)?;
            make.row("power", &[t(&total), num(1.0 / p)])?
        };
        make.cast(&out, dtype.real())?
    };
    Ok(cx.give(out))
}

/// A record of the usual numbers of a tensor.
fn describe(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.dtype().is_complex() {
        return Err(super::make::no_order(x.dtype()));
    }
    let make = Make::of(cx);
    let x = if x.dtype() == DType::Bool { make.cast(&x, DType::I64)? } else { x };
    let mut fields = vec![(Symbol::new("count"), Value::Int(x.size() as i64))];
    let along = all_axes(&x);
    if x.size() > 0 {
        let extremes = [("min", Monoid::Min), ("max", Monoid::Max)];
        let mean = make.cast(&mean_of(make, &along, None)?, DType::F64)?;
        let deviation = make.cast(&spread_of(make, &along, 0.0, true)?, DType::F64)?;
        let mut parts = vec![("mean", mean), ("std", deviation)];
        for (name, monoid) in extremes {
            parts.push((name, make.reduce(&x, &along.axes, false, monoid, x.dtype())?));
        }
        let tensors: Vec<&Tensor> = parts.iter().map(|(_, x)| x).collect();
        let values = cx.arrays(&tensors)?;
        for ((name, _), array) in parts.iter().zip(values) {
            fields.push((Symbol::new(name), convert::plain(array.get(0))));
        }
    }
    let zeros = x.size() - cx.nonzero(&x)?.len();
    fields.push((Symbol::new("zeros"), Value::Int(zeros as i64)));
    let nan = if x.dtype().is_float() { cx.nonzero(&make.row("isnan", &[t(&x)])?)?.len() } else { 0 };
    fields.push((Symbol::new("nans"), Value::Int(nan as i64)));
    Ok(Value::Record(Arc::new(Record { fields })))
}

/// Rows with equal keys, in the order of the keys: (distinct keys, list of the rows of each).
fn groupby(cx: &mut Cx, args: &Args) -> Out {
    let (keys, x) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    if keys.ndim() != 1 || x.shape().first() != Some(&keys.size()) {
        return Err(args.fault(0, "E0203", format!("one key for each row of {}", x.describe())));
    }
    let ranks = cx.order_keys(&keys)?;
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|&i| ranks[i]);
    let make = Make::of(cx);
    let (mut firsts, mut groups) = (Vec::new(), Vec::new());
    for run in order.chunk_by(|a, b| ranks[*a] == ranks[*b]) {
        let rows: Vec<i64> = run.iter().map(|&i| i as i64).collect();
        firsts.push(rows[0]);
        let group = make.take(&x, 0, &leaf_i64(&rows)?)?;
        groups.push(cx.give(group));
    }
    let distinct = make.take(&keys, 0, &leaf_i64(&firsts)?)?;
    Ok(Value::tuple(vec![cx.give(distinct), Value::list(groups)]))
}

pub static ROWS: [Func; 11] = [
    Func::new("cov", cov, Group::Statistics)
        .help(
            "cov(x, y=None, rowvar=True, bias=False, ddof=None)",
            "The matrix of covariances of variables, one a row.",
            &["cov(array([[1.0, 2.0, 3.0], [1.0, 3.0, 5.0]]))"],
        )
        .gives("[n, n] for n variables; floats keep their dtype, integers give the default float.")
        .like("np.cov", "torch.cov")
        .see(&["corrcoef", "var"]),
    Func::new("corrcoef", corrcoef, Group::Statistics)
        .help(
            "corrcoef(x, y=None, rowvar=True)",
            "The matrix of correlations of variables, one a row.",
            &["corrcoef(array([[1.0, 2.0, 3.0], [1.0, 3.0, 5.0]]))"],
        )
        .gives("[n, n] for n variables; floats keep their dtype, integers give the default float.")
        .like("np.corrcoef", "torch.corrcoef")
        .see(&["cov"]),
    Func::new("mode", mode, Group::Statistics)
        .help(
            "mode(x, axis=-1, keepdims=False)",
            "The most frequent value along an axis (the smallest of several) and the last position of it.",
            &["mode(array([3, 1, 3, 2]))"],
        )
        .gives(
            "A tuple of two without the axis (1 with keepdims): the value in the dtype of x, its \
            position in i64.",
        )
        .like("", "torch.mode")
        .see(&["median", "bincount"]),
    Func::new("skew", skew, Group::Statistics)
        .help(
            "skew(x, axis=None, keepdims=False)",
            "The skewness: the mean cube of the standardised values.",
            &["skew(array([1.0, 2.0, 9.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("scipy.stats.skew", "none")
        .see(&["kurtosis", "std"]),
    Func::new("kurtosis", kurtosis, Group::Statistics)
        .help(
            "kurtosis(x, axis=None, keepdims=False, fisher=True)",
            "The mean fourth power of the standardised values, less 3 unless fisher is False.",
            &["kurtosis(array([1.0, 2.0, 3.0, 9.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("scipy.stats.kurtosis", "none")
        .see(&["skew", "std"]),
    Func::new("entropy", entropy, Group::Statistics)
        .help(
            "entropy(x, axis=None, keepdims=False, base=None)",
            "The entropy of weights, scaled to sum to 1 first; in nats unless a base is given.",
            &["entropy(array([1.0, 1.0]), base=2)"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("", "torch.special.entr")
        .see(&["log", "softmax"]),
    Func::new("sparsity", sparsity, Group::Statistics)
        .help("sparsity(x, axis=None, keepdims=False)", "The share of zeros.", &["sparsity(array([0, 1, 0, 0]))"])
        .gives("The extents without those of axis (1 with keepdims); the default float.")
        .like("none", "none")
        .see(&["count_nonzero"]),
    Func::new("zscore", zscore, Group::Statistics)
        .help(
            "zscore(x, axis=None, ddof=0, keepdims=False)",
            "Distances from the mean in standard deviations.",
            &["zscore(array([1.0, 2.0, 3.0]))"],
        )
        .gives("The shape of x; floats keep their dtype, integers give the default float.")
        .like("scipy.stats.zscore", "none")
        .see(&["mean", "std", "layer_norm"]),
    Func::new("cdist", cdist, Group::Statistics)
        .help(
            "cdist(x, y, p=2.0)",
            "Distances between all pairs of rows, in the p-norm.",
            &["cdist(array([[0.0, 0.0]]), array([[3.0, 4.0], [0.0, 1.0]]))"],
        )
        .gives("[..., n, d] and [..., m, d] give [..., n, m]; a float dtype.")
        .like("", "torch.cdist")
        .see(&["norm"]),
    Func::new("describe", describe, Group::Statistics)
        .help(
            "describe(x)",
            "A record of count, mean, std, min, max and the numbers of zeros and nans.",
            &["describe(array([1.0, 2.0, 4.0]))"],
        )
        .gives("A record of plain numbers.")
        .like("scipy.stats.describe", "none")
        .see(&["mean", "std", "quantile"]),
    Func::new("groupby", groupby, Group::Statistics)
        .help(
            "groupby(keys, x)",
            "The distinct keys in ascending order, and for each a tensor of the rows that have it.",
            &["keys, groups = groupby(array([1, 0, 1]), array([10, 20, 30]))\nkeys\ngroups"],
        )
        .gives("A tuple: the distinct keys, and a list of tensors in the dtype of x.")
        .like("none", "none")
        .see(&["unique", "bincount"]),
];
