//! Writes at positions. The functions give copies: `x[idx] = v` writes in place.

use super::make::Make;
use super::search::{fits_within, meet};
use super::{Args, Cx, Func, convert};
use crate::base::Diag;
use crate::op::{Group, Monoid};
use crate::plan::build::{self, MapArg, Picks};
use crate::plan::{NodeRef, Operand, Tensor};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// Writes `value` into a fresh tensor at the positions along an axis; the other axes run through.
fn put_along(
    cx: &mut Cx,
    out: &Tensor,
    axis: usize,
    positions: &Tensor,
    value: &MapArg,
    accumulate: Option<Monoid>,
) -> Result<(), Diag> {
    let make = Make::of(cx);
    let mut axes: Vec<(usize, Operand)> = Vec::new();
    for other in 0..out.ndim() {
        let operand =
            if other == axis { positions.operand() } else { make.count_along(positions.shape(), other)?.operand() };
        axes.push((other, operand));
    }
    let picks = Picks { axes: &axes, shape: positions.shape(), at: 0 };
    let span = cx.span;
    // The positions of the other axes are values too.
    let nodes: Vec<NodeRef> = axes.iter().map(|(_, o)| o.node().clone()).filter(|n| n.is_pending()).collect();
    if !nodes.is_empty() {
        cx.host.force(&nodes, span)?;
    }
    let mut force = |node: &NodeRef| cx.host.force(std::slice::from_ref(node), span);
    build::put(out, &picks, value, accumulate, &mut force, span)
}

/// A fresh copy to write into.
fn target(cx: &mut Cx, x: &Tensor, by: &'static str) -> Result<Tensor, Diag> {
    Make::of(cx).fresh(x, None, by)
}

fn value_arg(cx: &mut Cx, args: &Args, i: usize) -> Result<MapArg, Diag> {
    convert::map_arg(cx, args.value(i), args.span(i))
}

fn put_along_axis(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let value = value_arg(cx, args, 2)?;
    let (flat, axis) = if args.is_none(3) { (true, 0) } else { (false, args.axis(cx, 3, x.ndim())?) };
    let out = target(cx, &x, "put_along_axis")?;
    let view = if flat { Make::of(cx).flat(&out)? } else { out.clone() };
    let indices = args.tensor(cx, 1)?;
    let positions = cx.positions(&indices, view.shape()[axis], axis).map_err(|d| d.at(args.span(1)))?;
    let (_, positions) = meet(&view, &positions, axis)?;
    put_along(cx, &view, axis, &positions, &value, None)?;
    drop(view);
    Ok(cx.give(out))
}

/// torch's `scatter`: `src` may be larger than the positions.
fn scattered(cx: &mut Cx, args: &Args, accumulate: Option<Monoid>, by: &'static str) -> Out {
    let x = args.tensor(cx, 0)?;
    let axis = args.axis(cx, 1, x.ndim())?;
    let indices = args.tensor(cx, 2)?;
    fits_within(args, 2, &indices, &x, axis)?;
    let positions = cx.positions(&indices, x.shape()[axis], axis).map_err(|d| d.at(args.span(2)))?;
    let value = match args.value(3) {
        Value::Tensor(src) if src.ndim() == x.ndim() => {
            MapArg::Operand(super::search::slab(src, positions.shape()).map_err(|d| d.at(args.span(3)))?.operand())
        }
        _ => value_arg(cx, args, 3)?,
    };
    let out = target(cx, &x, by)?;
    put_along(cx, &out, axis, &positions, &value, accumulate)?;
    Ok(cx.give(out))
}

fn scatter(cx: &mut Cx, args: &Args) -> Out {
    let accumulate = match args.opt_str(4)?.as_deref() {
        None => None,
        Some("add" | "sum") => Some(Monoid::Sum),
        Some("multiply" | "prod") => Some(Monoid::Prod),
        Some("amax") => Some(Monoid::Max),
        Some("amin") => Some(Monoid::Min),
        Some(_) => return Err(args.fault(4, "E0120", "`reduce` is \"add\", \"multiply\", \"amax\" or \"amin\"")),
    };
    scattered(cx, args, accumulate, "scatter")
}

fn scatter_add(cx: &mut Cx, args: &Args) -> Out {
    scattered(cx, args, Some(Monoid::Sum), "scatter_add")
}

/// Whole slabs at positions of one axis.
fn put_slabs(cx: &mut Cx, args: &Args, accumulate: Option<Monoid>, by: &'static str) -> Out {
    let x = args.tensor(cx, 0)?;
    let axis = args.axis(cx, 1, x.ndim())?;
    let positions = super::search::positions_of(cx, args, 2, &x, axis)?;
    let value = value_arg(cx, args, 3)?;
    let out = target(cx, &x, by)?;
    let axes = [(axis, positions.operand())];
    let picks = Picks { axes: &axes, shape: positions.shape(), at: axis };
    let span = cx.span;
    let mut force = |node: &NodeRef| cx.host.force(std::slice::from_ref(node), span);
    build::put(&out, &picks, &value, accumulate, &mut force, span)?;
    Ok(cx.give(out))
}

fn index_add(cx: &mut Cx, args: &Args) -> Out {
    put_slabs(cx, args, Some(Monoid::Sum), "index_add")
}

fn index_copy(cx: &mut Cx, args: &Args) -> Out {
    put_slabs(cx, args, None, "index_copy")
}

fn put(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let positions = super::search::flat_positions(cx, args, 1, &x)?;
    let make = Make::of(cx);
    let mut values = make.flat(&args.tensor(cx, 2)?)?;
    let (n, have) = (positions.size(), values.size());
    if have != n && have > 0 {
        // As NumPy: values are repeated, or cut, to as many as there are positions.
        let again: Vec<i64> = (0..n).map(|i| (i % have) as i64).collect();
        values = make.take(&values, 0, &super::make::leaf_i64(&again)?)?;
    }
    let out = target(cx, &x, "put")?;
    let flat = make.flat(&out)?;
    put_along(cx, &flat, 0, &positions, &MapArg::Operand(values.operand()), None)?;
    drop((flat, values));
    Ok(cx.give(out))
}

pub static ROWS: [Func; 6] = [
    Func::new("put_along_axis", put_along_axis, Group::Join)
        .help(
            "put_along_axis(x, indices, values, axis)",
            "A copy with values at positions along an axis, which a tensor of the same rank names.",
            &["put_along_axis(array([[1, 2, 3]]), array([[1]]), 9, axis=1)"],
        )
        .gives("Shape and dtype of x.")
        .like("np.put_along_axis", "torch.scatter")
        .see(&["take_along_axis", "scatter"]),
    Func::new("scatter", scatter, Group::Join)
        .help(
            "scatter(x, axis, index, src, reduce=None)",
            "A copy with the values of src written at positions along an axis; reduce joins them \
             with what is there: \
             add, multiply, amax, amin.",
            &["scatter(zeros(4), 0, array([1, 3]), array([5.0, 6.0]))"],
        )
        .gives("Shape and dtype of x.")
        .like("np.put_along_axis", "torch.scatter")
        .see(&["scatter_add", "gather"]),
    Func::new("scatter_add", scatter_add, Group::Join)
        .help(
            "scatter_add(x, axis, index, src)",
            "A copy with the values of src added at positions along an axis; repeated positions add up.",
            &["scatter_add(zeros(3), 0, array([0, 0, 2]), array([1.0, 2.0, 3.0]))"],
        )
        .gives("Shape and dtype of x.")
        .like("np.add.at", "torch.scatter_add")
        .see(&["scatter", "index_add", "bincount"]),
    Func::new("index_add", index_add, Group::Join)
        .help(
            "index_add(x, axis, index, src)",
            "A copy with slabs added at positions along an axis.",
            &["index_add(zeros((2, 2)), 0, array([1, 1]), ones((2, 2)))"],
        )
        .gives("Shape and dtype of x.")
        .like("np.add.at", "torch.index_add")
        .see(&["scatter_add", "index_copy"]),
    Func::new("index_copy", index_copy, Group::Join)
        .help(
            "index_copy(x, axis, index, src)",
            "A copy with slabs written at positions along an axis.",
            &["index_copy(zeros((2, 2)), 0, array([1]), ones((1, 2)))"],
        )
        .gives("Shape and dtype of x.")
        .like("", "torch.index_copy")
        .see(&["index_add", "put"]),
    Func::new("put", put, Group::Join)
        .help(
            "put(x, indices, values)",
            "A copy with values at flat positions; the values are repeated as often as needed.",
            &["put(arange(5), [0, 2], [-4, -5])"],
        )
        .gives("Shape and dtype of x.")
        .like("np.put", "torch.Tensor.put")
        .see(&["put_along_axis", "scatter"]),
];
