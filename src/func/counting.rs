//! Counting: how often values occur, histograms, classes as unit vectors.

use super::make::{Make, leaf, leaf_float, t};
use super::{Args, Cx, Func};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::Tensor;
use crate::tensor::DType;
use crate::value::Value;

type Out = Result<Value, Diag>;

fn zeros<T: Clone + Default>(cx: &mut Cx, count: usize) -> Result<Vec<T>, Diag> {
    cx.room(count)?;
    Ok(vec![T::default(); count])
}

/// Argument 0 as integers from 0 on.
fn classes(cx: &mut Cx, args: &Args, x: &Tensor) -> Result<Vec<i64>, Diag> {
    if !(x.dtype().is_int() || x.dtype() == DType::Bool || x.size() == 0) {
        return Err(args.fault(0, "E0402", format!("`{}` counts integers", args.func.doc.name)).hint("x.astype(i64)"));
    }
    let values = cx.i64s(x)?;
    match values.iter().position(|v| *v < 0) {
        Some(at) => Err(args.fault(0, "E0521", format!("{} at position {at} is negative", values[at]))),
        None => Ok(values),
    }
}

fn bincount(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.ndim() != 1 {
        return Err(args.fault(0, "E0201", format!("`bincount` takes one axis, not {}", x.ndim())).hint("x.ravel()"));
    }
    let values = classes(cx, args, &x)?;
    let weights = args.opt_tensor(cx, 1)?;
    let largest = values.iter().max().map_or(0, |m| *m as usize + 1);
    let count = largest.max(args.count(cx, 2)?);
    let out = match weights {
        None => {
            let mut out: Vec<i64> = zeros(cx, count)?;
            values.iter().for_each(|v| out[*v as usize] += 1);
            leaf(&out, DType::I64, &[count])?
        }
        Some(weights) => {
            if weights.shape() != x.shape() {
                return Err(args.fault(1, "E0203", format!("weights do not fit {}", x.describe())));
            }
            let mut out: Vec<f64> = zeros(cx, count)?;
            let weight = cx.f64s(&weights)?;
            values.iter().zip(weight).for_each(|(v, w)| out[*v as usize] += w);
            let dtype = if weights.dtype().is_float() { weights.dtype() } else { cx.default_float() };
            leaf_float(&out, dtype, &[count])?
        }
    };
    Ok(cx.give(out))
}

fn one_hot(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let values = classes(cx, args, &x)?;
    let largest = values.iter().copied().max().unwrap_or(-1);
    let classes = match args.int(cx, 1)? {
        -1 => largest + 1,
        n => n,
    };
    if largest >= classes {
        return Err(args.fault(0, "E0301", format!("class {largest} is out of range for {classes} classes")));
    }
    let make = Make::of(cx);
    let out = {
        let column = x.viewed(x.view.layout.newaxis(x.ndim()));
        let range = make.count_along(&[classes as usize], 0)?;
        let column = make.cast(&column, DType::I64)?;
        make.cast(&make.row("equal", &[t(&column), t(&range)])?, DType::I64)?
    };
    Ok(cx.give(out))
}

/// The range that bins cover; NumPy widens an empty one by half on both sides.
fn limits(cx: &mut Cx, args: &Args, i: usize, values: &[f64]) -> Result<(f64, f64), Diag> {
    let (low, high) = if args.is_none(i) {
        let fold = |start: f64, f: fn(f64, f64) -> f64| values.iter().copied().fold(start, f);
        if values.is_empty() { (0.0, 1.0) } else { (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)) }
    } else {
        let pair = args.tensor(cx, i)?;
        match cx.f64s(&pair)?[..] {
            [low, high] => (low, high),
            _ => return Err(args.wrong(i, "a pair of numbers")),
        }
    };
    if !low.is_finite() || !high.is_finite() || values.iter().any(|v| v.is_nan()) && args.is_none(i) {
        return Err(args.fault(0, "E0521", "the range of the bins is not finite").hint("give range=(low, high)"));
    }
    if low > high {
        return Err(args.fault(i, "E0521", "the range of the bins is upside down"));
    }
    Ok(if low == high { (low - 0.5, high + 0.5) } else { (low, high) })
}

/// How many bins an estimator asks for.
fn estimate(args: &Args, name: &str, values: &[f64], width: f64) -> Result<usize, Diag> {
    let n = values.len() as f64;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quartile = |q: f64| {
        let at = q * (n - 1.0);
        let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
        low + (high - low) * at.fract()
    };
    if values.is_empty() {
        return Ok(1);
    }
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt();
    let range = sorted[sorted.len() - 1] - sorted[0];
    let fd = 2.0 * (quartile(0.75) - quartile(0.25)) * n.powf(-1.0 / 3.0);
    let sturges = range / (n.log2() + 1.0);
    let step = match name {
        "sqrt" => range / n.sqrt(),
        "sturges" => sturges,
        "rice" => range / (2.0 * n.powf(1.0 / 3.0)),
        "scott" => (24.0 * std::f64::consts::PI.sqrt() / n).powf(1.0 / 3.0) * deviation,
        "fd" => fd,
        "auto" if fd > 0.0 => fd.min(sturges),
        "auto" => sturges,
        _ => {
            return Err(args
                .fault(1, "E0120", format!("no estimator {name:?}"))
                .hint("auto, fd, rice, scott, sqrt, sturges"));
        }
    };
    let bins = (width / step).ceil();
    Ok(if step > 0.0 && bins < 1e6 { bins.max(1.0) as usize } else { 1 })
}

/// The edges of the bins and whether they are evenly spaced.
fn edges(cx: &mut Cx, args: &Args, bins: usize, range: usize, values: &[f64]) -> Result<(Vec<f64>, bool), Diag> {
    match args.value(bins) {
        Value::Tensor(x) if x.ndim() > 0 => return given_edges(cx, args, bins),
        Value::List(_) | Value::Tuple(_) | Value::Range(_) => return given_edges(cx, args, bins),
        _ => {}
    }
    let (low, high) = limits(cx, args, range, values)?;
    let count = match args.value(bins) {
        Value::Str(name) => estimate(args, &name.clone(), values, high - low)?,
        _ => args.count(cx, bins)?,
    };
    if count == 0 {
        return Err(args.fault(bins, "E0521", "a histogram needs at least one bin"));
    }
    cx.room(count)?;
    let step = (high - low) / count as f64;
    let mut edges: Vec<f64> = (0..count).map(|i| i as f64 * step + low).collect();
    edges.push(high);
    Ok((edges, true))
}

fn given_edges(cx: &mut Cx, args: &Args, i: usize) -> Result<(Vec<f64>, bool), Diag> {
    let x = args.tensor(cx, i)?;
    let edges = cx.f64s(&x)?;
    if x.ndim() != 1 || edges.len() < 2 || !edges.is_sorted() {
        return Err(args.fault(i, "E0521", "the edges of the bins are a rising vector"));
    }
    Ok((edges, false))
}

/// The bin of a value: the last one is closed at both ends.
fn bin_of(edges: &[f64], even: bool, x: f64) -> Option<usize> {
    let last = edges.len() - 1;
    if !(edges[0]..=edges[last]).contains(&x) {
        return None;
    }
    if !even {
        return Some(edges.partition_point(|e| *e <= x).saturating_sub(1).min(last - 1));
    }
    let share = (x - edges[0]) / (edges[last] - edges[0]) * last as f64;
    let mut bin = (share as usize).min(last - 1);
    if x < edges[bin] && bin > 0 {
        bin -= 1;
    } else if bin + 1 < last && x >= edges[bin + 1] {
        bin += 1;
    }
    Some(bin)
}

fn histogram(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.dtype().is_complex() {
        return Err(super::make::no_order(x.dtype()));
    }
    let values = cx.f64s(&x)?;
    let (edges, even) = edges(cx, args, 1, 2, &values)?;
    let weights = match args.opt_tensor(cx, 3)? {
        Some(w) if w.shape() != x.shape() => {
            return Err(args.fault(3, "E0203", format!("weights do not fit {}", x.describe())));
        }
        Some(w) => Some((cx.f64s(&w)?, w.dtype())),
        None => None,
    };
    let density = args.bool(cx, 4)?;
    let bins = edges.len() - 1;
    let (mut counts, mut whole) = (vec![0.0f64; bins], vec![0i64; bins]);
    for (i, &x) in values.iter().enumerate() {
        if let Some(bin) = bin_of(&edges, even, x) {
            counts[bin] += weights.as_ref().map_or(1.0, |(w, _)| w[i]);
            whole[bin] += 1;
        }
    }
    let make = Make::of(cx);
    if density {
        let total: f64 = counts.iter().sum();
        counts.iter_mut().zip(edges.windows(2)).for_each(|(c, e)| *c /= total * (e[1] - e[0]));
    }
    let float = |d: DType| if d.is_float() { d } else { make.float };
    let heights = match &weights {
        None if !density => leaf(&whole, DType::I64, &[bins])?,
        Some((_, dtype)) if !density && dtype.is_int() => {
            leaf(&counts.iter().map(|c| *c as i64).collect::<Vec<_>>(), DType::I64, &[bins])?
        }
        Some((_, dtype)) => leaf_float(&counts, float(*dtype), &[bins])?,
        None => leaf_float(&counts, make.float, &[bins])?,
    };
    let edges = edge_tensor(cx, args, 1, &edges, float(x.dtype()))?;
    Ok(Value::tuple(vec![cx.give(heights), edges]))
}

/// Edges that were given come back as they are.
fn edge_tensor(cx: &mut Cx, args: &Args, i: usize, edges: &[f64], dtype: DType) -> Out {
    match args.value(i) {
        Value::Tensor(x) if x.ndim() > 0 => Ok(Value::Tensor(x.clone())),
        Value::List(_) | Value::Tuple(_) | Value::Range(_) => args.tensor(cx, i).map(Value::tensor),
        _ => leaf_float(edges, dtype, &[edges.len()]).map(Value::tensor),
    }
}

fn histogram_bin_edges(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let values = cx.f64s(&x)?;
    let (edges, _) = edges(cx, args, 1, 2, &values)?;
    let dtype = if x.dtype().is_float() { x.dtype() } else { cx.default_float() };
    edge_tensor(cx, args, 1, &edges, dtype)
}

fn histogram2d(cx: &mut Cx, args: &Args) -> Out {
    let (x, y) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    if x.shape() != y.shape() || x.ndim() != 1 {
        return Err(args.fault(1, "E0203", "`histogram2d` takes two vectors of one length"));
    }
    let (xs, ys) = (cx.f64s(&x)?, cx.f64s(&y)?);
    let bins: Vec<usize> = args.shape(cx, 2)?;
    let (nx, ny) = match bins[..] {
        [n] => (n, n),
        [nx, ny] => (nx, ny),
        _ => return Err(args.wrong(2, "a number of bins, or two")),
    };
    if nx == 0 || ny == 0 {
        return Err(args.fault(2, "E0521", "a histogram needs at least one bin"));
    }
    cx.room(nx.saturating_mul(ny))?;
    let spaced = |values: &[f64], n: usize| -> Result<Vec<f64>, Diag> {
        let (low, high) = limits(cx, args, 3, values)?;
        let step = (high - low) / n as f64;
        Ok((0..n).map(|i| i as f64 * step + low).chain([high]).collect())
    };
    let mut spaced = spaced;
    let (ex, ey) = (spaced(&xs, nx)?, spaced(&ys, ny)?);
    let mut counts = vec![0.0f64; nx * ny];
    for (a, b) in xs.iter().zip(&ys) {
        if let (Some(i), Some(j)) = (bin_of(&ex, true, *a), bin_of(&ey, true, *b)) {
            counts[i * ny + j] += 1.0;
        }
    }
    let float = cx.default_float();
    let out = [
        leaf_float(&counts, float, &[nx, ny])?,
        leaf_float(&ex, float, &[ex.len()])?,
        leaf_float(&ey, float, &[ey.len()])?,
    ];
    Ok(Value::tuple(out.into_iter().map(|x| cx.give(x)).collect()))
}

pub static ROWS: [Func; 5] = [
    Func::new("bincount", bincount, Group::Statistics)
        .help(
            "bincount(x, weights=None, minlength=0)",
            "How often each of 0, 1, 2, … occurs, or the sum of the weights at each.",
            &["bincount(array([0, 1, 1, 3]))", "bincount(array([0, 1, 1]), weights=array([0.5, 1.0, 2.0]))"],
        )
        .gives("One axis of max(x) + 1 elements, or of minlength; i64, or a float with weights.")
        .like("np.bincount", "torch.bincount")
        .see(&["histogram", "unique_counts", "scatter_add"]),
    Func::new("histogram", histogram, Group::Statistics)
        .help(
            "histogram(x, bins=10, range=None, weights=None, density=False)",
            "Counts in bins and the edges of the bins: a number of equal bins, the edges \
             themselves, or the name of \
             an estimator. The last bin is closed.",
            &["counts, edges = histogram(array([1, 2, 1, 4]), bins=3)\ncounts\nedges"],
        )
        .gives(
            "A tuple: counts [bins], i64 (a float with weights or density), and edges [bins + 1] in a \
            float dtype.",
        )
        .like("np.histogram", "torch.histogram")
        .see(&["bincount", "histogram2d", "digitize"]),
    Func::new("histogram_bin_edges", histogram_bin_edges, Group::Statistics)
        .help(
            "histogram_bin_edges(x, bins=10, range=None)",
            "The edges that histogram uses.",
            &["histogram_bin_edges(array([0.0, 4.0]), bins=4)"],
        )
        .gives("[bins + 1]; a float dtype.")
        .like("np.histogram_bin_edges", "")
        .see(&["histogram"]),
    Func::new("histogram2d", histogram2d, Group::Statistics)
        .help(
            "histogram2d(x, y, bins=10, range=None)",
            "Counts of pairs in a grid of bins, and the edges along both axes.",
            &["counts, ex, ey = histogram2d(array([0.0, 1.0]), array([0.0, 1.0]), bins=2)\ncounts"],
        )
        .gives("A tuple: counts [bins, bins] and the edges of both axes, in a float dtype.")
        .like("np.histogram2d", "torch.histogramdd")
        .see(&["histogram"]),
    Func::new("one_hot", one_hot, Group::Nn)
        .help(
            "one_hot(x, num_classes=-1)",
            "1 at the class, else 0, in a new last axis; i64. Without a number of classes as many \
             as are needed.",
            &["one_hot(array([0, 2]), 3)"],
        )
        .gives("The shape of x, then the number of classes; i64.")
        .like("", "torch.nn.functional.one_hot")
        .see(&["eye", "embedding"]),
];
