//! Sorting and what follows from it.

use super::make::{Make, leaf_i64, t};
use super::{Args, Cx, Func};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::{Tensor, build};
use crate::tensor::DType;
use crate::value::Value;

type Out = Result<Value, Diag>;

/// Argument 0 and the axis of argument `i`; flat for None. A tensor without axes is one value on one axis.
fn along(cx: &mut Cx, args: &Args, i: usize) -> Result<(Tensor, usize), Diag> {
    let x = args.tensor(cx, 0)?;
    if x.dtype().is_complex() {
        return Err(super::make::no_order(x.dtype()).label(args.span(0), x.describe()));
    }
    if args.is_none(i) {
        return Ok((Make::of(cx).flat(&x)?, 0));
    }
    if x.ndim() == 0 {
        return Err(args.fault(0, "E0201", "a tensor without axes cannot be sorted").hint("axis=None sorts flat"));
    }
    let axis = args.axis(cx, i, x.ndim())?;
    Ok((x, axis))
}

fn sorted(make: Make, x: &Tensor, axis: usize, indices: bool, descending: bool) -> Tensor {
    Tensor::of(build::sort(&x.operand(), axis, indices, descending, make.span))
}

fn sort(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 1)?;
    let descending = args.bool(cx, 2)?;
    let out = sorted(Make::of(cx), &x, axis, false, descending);
    Ok(cx.give(out))
}

fn argsort(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = match args.tensor(cx, 0)? {
        // As NumPy: one value is in order, wherever its axis would be.
        x if x.ndim() == 0 && !args.is_none(1) => {
            let axis = args.axis(cx, 1, 1)?;
            (Make::of(cx).flat(&x)?, axis)
        }
        _ => along(cx, args, 1)?,
    };
    let descending = args.bool(cx, 2)?;
    let out = sorted(Make::of(cx), &x, axis, true, descending);
    Ok(cx.give(out))
}

/// The first `k` places along an axis.
fn first(x: &Tensor, axis: usize, k: usize) -> Result<Tensor, Diag> {
    let layout = x.view.layout.narrow(axis as i64, 0, k as i64).map_err(|f| f.diag())?;
    Ok(x.viewed(layout))
}

fn topk(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 2)?;
    let (k, largest) = (args.count(cx, 1)?, args.bool(cx, 3)?);
    if k > x.shape()[axis] {
        let message = format!("k = {k} exceeds axis {axis} of extent {}", x.shape()[axis]);
        return Err(args.fault(1, "E0521", message));
    }
    let make = Make::of(cx);
    let (values, places) = {
        let order = sorted(make, &x, axis, true, largest);
        let places = make.fresh(&first(&order, axis, k)?, None, "topk")?;
        (along_axis(make, &x, axis, &places)?, places)
    };
    let places = cx.give(places);
    Ok(Value::tuple(vec![cx.give(values), places]))
}

/// The elements of `x` that `positions` (checked, the shape of x but along the axis) name along an axis.
pub fn along_axis(make: Make, x: &Tensor, axis: usize, positions: &Tensor) -> Result<Tensor, Diag> {
    let mut picks: Vec<(usize, crate::plan::Operand)> = Vec::new();
    for other in 0..x.ndim() {
        let operand =
            if other == axis { positions.operand() } else { make.count_along(positions.shape(), other)?.operand() };
        picks.push((other, operand));
    }
    let picks = build::Picks { axes: &picks, shape: positions.shape(), at: 0 };
    Ok(Tensor::of(build::take(&x.operand(), &picks, make.span)?))
}

fn kthvalue(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 2)?;
    let k = args.count(cx, 1)?;
    if k == 0 || k > x.shape()[axis] {
        let message = format!("k = {k} lies outside of 1 to {}, the extent of axis {axis}", x.shape()[axis]);
        return Err(args.fault(1, "E0521", message));
    }
    let keepdims = args.bool(cx, 3)?;
    let make = Make::of(cx);
    let (mut values, mut places) = {
        let order = sorted(make, &x, axis, true, false);
        let layout = order.view.layout.narrow(axis as i64, k as i64 - 1, 1).map_err(|f| f.diag())?;
        let places = make.fresh(&order.viewed(layout), None, "kthvalue")?;
        (along_axis(make, &x, axis, &places)?, places)
    };
    if !keepdims {
        for out in [&mut values, &mut places] {
            out.view.layout = out.view.layout.index(axis as isize, 0).map_err(|f| f.diag())?;
        }
    }
    let places = cx.give(places);
    Ok(Value::tuple(vec![cx.give(values), places]))
}

/// A sorted tensor is a partitioned one.
fn partitioned(cx: &mut Cx, args: &Args, indices: bool) -> Out {
    let (x, axis) = along(cx, args, 2)?;
    let extent = x.shape()[axis] as i64;
    if let Some(k) = args.ints(cx, 1)?.into_iter().find(|k| !(-extent..extent).contains(k)) {
        let fault = crate::tensor::LayoutFault::IndexOutOfRange { axis, index: k, extent: extent as usize };
        return Err(fault.diag().label(args.span(1), ""));
    }
    let out = sorted(Make::of(cx), &x, axis, indices, false);
    Ok(cx.give(out))
}

fn partition(cx: &mut Cx, args: &Args) -> Out {
    partitioned(cx, args, false)
}

fn argpartition(cx: &mut Cx, args: &Args) -> Out {
    partitioned(cx, args, true)
}

/// By the last key first, ties by the one before it, as NumPy.
fn lexsort(cx: &mut Cx, args: &Args) -> Out {
    let keys = args.tensors(cx, 0)?;
    let Some(first) = keys.first() else { return Err(args.wrong(0, "a list of keys")) };
    if first.ndim() == 0 {
        return Err(args.fault(0, "E0201", "keys need at least one axis"));
    }
    let axis = args.axis(cx, 1, first.ndim())?;
    let shape = first.shape().to_vec();
    if let Some(other) = keys.iter().find(|k| k.shape() != shape) {
        return Err(args
            .fault(0, "E0211", "keys need one shape")
            .note(format!("{shape:?} against {:?}", other.shape())));
    }
    // Stable sorts from the least to the most important key.
    let make = Make::of(cx);
    let mut order = make.count_along(&shape, axis)?;
    for key in &keys {
        let sorted_so_far = along_axis(make, key, axis, &order)?;
        let next = sorted(make, &sorted_so_far, axis, true, false);
        order = along_axis(make, &order, axis, &next)?;
    }
    Ok(cx.give(order))
}

/// How many of the sorted keys lie before each value: `right` counts equal ones too.
fn places(sorted: &[u64], values: &[u64], right: bool) -> Vec<i64> {
    let place = |v: &u64| sorted.partition_point(|s| if right { s <= v } else { s < v }) as i64;
    values.iter().map(place).collect()
}

/// The keys of two tensors under their common dtype.
pub fn joint_keys(cx: &mut Cx, a: &Tensor, b: &Tensor) -> Result<(Vec<u64>, Vec<u64>), Diag> {
    let make = Make::of(cx);
    let joined = crate::tensor::promote(a.dtype(), b.dtype());
    // Values decide, not dtypes: an integer beside a narrow float keeps all its digits.
    let joined = if joined.is_float() { DType::F64 } else { joined };
    let (a, b) = (make.cast(a, joined)?, make.cast(b, joined)?);
    Ok((cx.order_keys(&a)?, cx.order_keys(&b)?))
}

fn searched(cx: &mut Cx, args: &Args, table: usize, values: usize, right: bool) -> Out {
    let (a, v) = (args.tensor(cx, table)?, args.tensor(cx, values)?);
    if a.ndim() != 1 {
        return Err(args.fault(table, "E0201", format!("the sorted values stand on one axis, not on {}", a.ndim())));
    }
    let (a, keys) = joint_keys(cx, &a, &v)?;
    let out = super::make::leaf(&places(&a, &keys, right), DType::I64, v.shape())?;
    Ok(cx.give(out))
}

fn searchsorted(cx: &mut Cx, args: &Args) -> Out {
    let right = match &*args.str(2)? {
        "left" => args.bool(cx, 4)?,
        "right" => true,
        _ => return Err(args.fault(2, "E0120", "`side` is \"left\" or \"right\"")),
    };
    if args.is_none(3) {
        return searched(cx, args, 0, 1, right);
    }
    let (a, v, sorter) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?, args.tensor(cx, 3)?);
    let positions = cx.positions(&sorter, a.size(), 0)?;
    let ordered = Make::of(cx).take(&a, 0, &positions)?;
    let (a, keys) = joint_keys(cx, &ordered, &v)?;
    let out = super::make::leaf(&places(&a, &keys, right), DType::I64, v.shape())?;
    Ok(cx.give(out))
}

fn bucketize(cx: &mut Cx, args: &Args) -> Out {
    let right = args.bool(cx, 2)?;
    searched(cx, args, 1, 0, right)
}

fn digitize(cx: &mut Cx, args: &Args) -> Out {
    let (x, bins) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let right = args.bool(cx, 2)?;
    if bins.ndim() != 1 {
        return Err(args.fault(1, "E0201", "the edges of the bins stand on one axis"));
    }
    let (mut edges, keys) = joint_keys(cx, &bins, &x)?;
    let (up, down) = (edges.is_sorted(), edges.is_sorted_by(|a, b| a >= b));
    if !up && !down {
        return Err(args.fault(1, "E0521", "the edges of the bins neither rise nor fall"));
    }
    let mut found = if up {
        places(&edges, &keys, !right)
    } else {
        edges.reverse();
        places(&edges, &keys, right)
    };
    if !up {
        found.iter_mut().for_each(|n| *n = edges.len() as i64 - *n);
    }
    let out = super::make::leaf(&found, DType::I64, x.shape())?;
    Ok(cx.give(out))
}

/// Linear interpolation in a table, on the host.
fn interp(cx: &mut Cx, args: &Args) -> Out {
    let (x, xp, fp) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?, args.tensor(cx, 2)?);
    let (xs, xp, fs) = (cx.f64s(&x)?, cx.f64s(&xp)?, cx.f64s(&fp)?);
    if xp.len() != fs.len() || xp.is_empty() {
        let message = format!("{} places with {} values", xp.len(), fs.len());
        return Err(args.fault(1, "E0202", message));
    }
    let last = xp.len() - 1;
    let left = args.opt_float(cx, 3)?.unwrap_or(fs[0]);
    let right = args.opt_float(cx, 4)?.unwrap_or(fs[last]);
    let at = |x: f64| {
        if x.is_nan() {
            return x;
        }
        if x < xp[0] {
            return left;
        }
        if x > xp[last] {
            return right;
        }
        let i = xp.partition_point(|p| *p <= x) - 1;
        if i == last {
            return fs[last];
        }
        let slope = (fs[i + 1] - fs[i]) / (xp[i + 1] - xp[i]);
        slope * (x - xp[i]) + fs[i]
    };
    let values: Vec<f64> = xs.into_iter().map(at).collect();
    let make = Make::of(cx);
    let joined = crate::tensor::promote(x.dtype(), fp.dtype());
    let dtype = if joined.is_float() { joined } else { make.float };
    let out = super::make::leaf_float(&values, dtype, x.shape())?;
    Ok(cx.give(out))
}

/// The first or the last position along an axis where a condition holds, -1 where it holds nowhere.
fn where_end(cx: &mut Cx, args: &Args, last: bool) -> Out {
    use crate::op::Monoid;
    let x = args.tensor(cx, 0)?;
    let make = Make::of(cx);
    let (x, axis) = if args.is_none(1) { (make.flat(&x)?, 0) } else { (x.clone(), args.axis(cx, 1, x.ndim())?) };
    let out = {
        let truth = make.cast(&x, DType::Bool)?;
        let n = x.shape()[axis] as i64;
        let position = make.count_along(x.shape(), axis)?;
        let neutral = super::make::int(if last { -1 } else { n });
        let marked = make.row("where", &[t(&truth), t(&position), neutral])?;
        if n == 0 {
            make.fill(&super::make::without(x.shape(), &[axis], false), DType::I64, crate::tensor::Scalar::Int(-1))?
        } else {
            let monoid = if last { Monoid::Max } else { Monoid::Min };
            let found = make.reduce(&marked, &[axis], false, monoid, DType::I64)?;
            let nowhere = make.row("equal", &[t(&found), super::make::int(n)])?;
            make.row("where", &[t(&nowhere), super::make::int(-1), t(&found)])?
        }
    };
    Ok(cx.give(out))
}

fn first_where(cx: &mut Cx, args: &Args) -> Out {
    where_end(cx, args, false)
}

fn last_where(cx: &mut Cx, args: &Args) -> Out {
    where_end(cx, args, true)
}

/// The order of the flat elements, computed now.
pub fn flat_order(cx: &mut Cx, x: &Tensor) -> Result<Vec<i64>, Diag> {
    let make = Make::of(cx);
    let order = sorted(make, &make.flat(x)?, 0, true, false);
    cx.i64s(&order)
}

/// The flat elements at positions, as one axis.
pub fn picked(cx: &mut Cx, x: &Tensor, positions: &[i64]) -> Result<Tensor, Diag> {
    let make = Make::of(cx);
    let flat = make.flat(x)?;
    make.take(&flat, 0, &leaf_i64(positions)?)
}

pub static ROWS: [Func; 13] = [
    Func::new("sort", sort, Group::Sort)
        .help(
            "sort(x, axis=-1, descending=False, stable=True, kind=None)",
            "An ascending copy along an axis, nan last; flat with axis=None.",
            &["sort(array([3, 1, 2]))", "sort(array([[3, 1], [2, 4]]), axis=0)"],
        )
        .gives("Shape and dtype of x, flat with axis=None.")
        .like("np.sort", "torch.sort")
        .see(&["argsort", "topk", "sorted", "unique"]),
    Func::new("argsort", argsort, Group::Sort)
        .help(
            "argsort(x, axis=-1, descending=False, stable=True, kind=None)",
            "The positions that sort along an axis; ties come lowest position first.",
            &["argsort(array([3, 1, 2]))"],
        )
        .gives("The shape of x, flat with axis=None; i64.")
        .like("np.argsort", "torch.argsort")
        .see(&["sort", "topk", "lexsort"]),
    Func::new("topk", topk, Group::Sort)
        .help(
            "topk(x, k, axis=-1, largest=True, sorted=True)",
            "The k largest (or smallest) values along an axis in order, and their positions; ties come lowest \
             position first.",
            &["values, places = topk(array([3, 1, 4, 1, 5]), 2)\nvalues\nplaces"],
        )
        .gives("A tuple of two with k in place of the extent: values in the dtype of x, positions in i64.")
        .like("", "torch.topk")
        .see(&["sort", "argsort", "kthvalue"]),
    Func::new("kthvalue", kthvalue, Group::Sort)
        .help(
            "kthvalue(x, k, axis=-1, keepdims=False)",
            "The k-th smallest value along an axis (counted from 1), and its position.",
            &["kthvalue(array([3, 1, 2]), 2)"],
        )
        .gives(
            "A tuple of two without the axis (1 with keepdims): the value in the dtype of x, its \
            position in i64.",
        )
        .like("", "torch.kthvalue")
        .see(&["topk", "partition"]),
    Func::new("partition", partition, Group::Sort)
        .help(
            "partition(x, kth, axis=-1)",
            "A copy in which the element at kth stands where sorting would put it, smaller ones \
             before it. Here all \
             are sorted.",
            &["partition(array([3, 1, 2]), 1)"],
        )
        .gives("Shape and dtype of x, flat with axis=None.")
        .like("np.partition", "")
        .see(&["sort", "argpartition"]),
    Func::new("argpartition", argpartition, Group::Sort)
        .help("argpartition(x, kth, axis=-1)", "The positions that partition.", &["argpartition(array([3, 1, 2]), 1)"])
        .gives("The shape of x, flat with axis=None; i64.")
        .like("np.argpartition", "")
        .see(&["partition", "argsort"]),
    Func::new("lexsort", lexsort, Group::Sort)
        .help(
            "lexsort(keys, axis=-1)",
            "The positions that sort by several keys, the last one first.",
            &["lexsort([array([2, 1, 1]), array([0, 1, 0])])"],
        )
        .gives("The shape of one key; i64.")
        .like("np.lexsort", "")
        .see(&["argsort"]),
    Func::new("searchsorted", searchsorted, Group::Sort)
        .help(
            "searchsorted(a, v, side=\"left\", sorter=None, right=False)",
            "Where values would go in a sorted vector: before equal elements, or behind them with \
             side=\"right\".",
            &["searchsorted(array([1, 3, 5]), array([0, 3, 9]))"],
        )
        .gives("The shape of v; i64.")
        .like("np.searchsorted", "torch.searchsorted")
        .see(&["bucketize", "digitize"]),
    Func::new("bucketize", bucketize, Group::Sort)
        .help(
            "bucketize(x, boundaries, right=False)",
            "The number of the bucket of each value between sorted boundaries; right=True puts a \
             value that equals a \
             boundary behind it.",
            &["bucketize(array([0, 3, 9]), array([1, 3, 5]))"],
        )
        .gives("The shape of x; i64.")
        .like("", "torch.bucketize")
        .see(&["searchsorted", "digitize"]),
    Func::new("digitize", digitize, Group::Sort)
        .help(
            "digitize(x, bins, right=False)",
            "The number of the bin of each value: bins[i-1] <= x < bins[i], with the equal sign at \
             the other side \
             where right is True. Edges may fall too.",
            &["digitize(array([0.5, 2.0, 9.0]), array([1.0, 2.0]))"],
        )
        .gives("The shape of x; i64.")
        .like("np.digitize", "")
        .see(&["searchsorted", "histogram"]),
    Func::new("interp", interp, Group::Sort)
        .help(
            "interp(x, xp, fp, left=None, right=None)",
            "Linear interpolation in a table of rising places xp with values fp; beyond the ends the outermost \
             values, or left and right.",
            &["interp(array([0.5, 9.0]), array([0.0, 1.0, 2.0]), array([10.0, 20.0, 40.0]))"],
        )
        .gives("The shape of x; a float dtype.")
        .like("np.interp", "")
        .see(&["searchsorted", "lerp"]),
    Func::new("first_where", first_where, Group::Sort)
        .help(
            "first_where(x, axis=None)",
            "The first position along an axis where x is not zero, -1 where there is none.",
            &["first_where(array([0, 0, 5, 1]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("none", "none")
        .see(&["last_where", "argmax", "nonzero"]),
    Func::new("last_where", last_where, Group::Sort)
        .help(
            "last_where(x, axis=None)",
            "The last position along an axis where x is not zero, -1 where there is none.",
            &["last_where(array([0, 2, 5, 0]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("none", "none")
        .see(&["first_where", "nonzero"]),
];
