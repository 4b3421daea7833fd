//! Positions: where something holds, and the elements that stand at given places.

use super::make::{Make, leaf, leaf_i64, t};
use super::sort::along_axis;
use super::{Args, Cx, Func, convert};
use crate::base::{Diag, Span};
use crate::op::{Group, map_row};
use crate::plan::Tensor;
use crate::tensor::{DType, Layout, LayoutFault, broadcast_shapes};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// One tensor of coordinates for each axis.
fn coordinates(x: &Tensor, flat: &[i64]) -> Result<Vec<Tensor>, Diag> {
    let mut out = Vec::with_capacity(x.ndim());
    let mut inner = x.size().max(1) as i64;
    for &extent in x.shape() {
        let extent = extent.max(1) as i64;
        inner /= extent;
        let along: Vec<i64> = flat.iter().map(|i| i / inner % extent).collect();
        out.push(leaf_i64(&along)?);
    }
    Ok(out)
}

fn nonzero(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.ndim() == 0 {
        return Err(args.fault(0, "E0201", "`nonzero` needs at least one axis").hint("atleast_1d(x) has one"));
    }
    let flat = cx.nonzero(&x)?;
    Ok(Value::tuple(coordinates(&x, &flat)?.into_iter().map(Value::tensor).collect()))
}

fn flatnonzero(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let flat = cx.nonzero(&x)?;
    leaf_i64(&flat).map(Value::tensor)
}

fn argwhere(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let flat = cx.nonzero(&x)?;
    let mut rows = Vec::with_capacity(flat.len() * x.ndim());
    for &i in &flat {
        let mut inner = x.size().max(1) as i64;
        for &extent in x.shape() {
            inner /= extent.max(1) as i64;
            rows.push(i / inner % extent.max(1) as i64);
        }
    }
    leaf(&rows, DType::I64, &[flat.len(), x.ndim()]).map(Value::tensor)
}

fn where_(cx: &mut Cx, args: &Args) -> Out {
    match (args.given(1), args.given(2)) {
        (false, false) => nonzero(cx, args),
        (true, true) => {
            let row = map_row("where").ok_or_else(|| args.wrong(0, "a condition"))?;
            let operands: Vec<(&Value, Span)> = (0..3).map(|i| (args.value(i), args.span(i))).collect();
            cx.map(row, &operands)
        }
        _ => Err(Diag::new("E0104", "`where` takes a condition, or a condition and both values").at(cx.span)),
    }
}

/// Argument 0 and the axis of argument `i`; flat for None.
fn along(cx: &mut Cx, args: &Args, i: usize) -> Result<(Tensor, usize), Diag> {
    let x = args.tensor(cx, 0)?;
    if args.is_none(i) {
        return Ok((Make::of(cx).flat(&x)?, 0));
    }
    let axis = args.axis(cx, i, x.ndim())?;
    Ok((x, axis))
}

fn take(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 2)?;
    let indices = args.tensor(cx, 1)?;
    let extent = x.shape()[axis];
    let positions = match &*args.str(3)? {
        "raise" => cx.positions(&indices, extent, axis).map_err(|d| d.at(args.span(1)))?,
        mode @ ("wrap" | "clip") if extent > 0 => {
            let n = extent as i64;
            let near = |i: i64| if mode == "wrap" { i.rem_euclid(n) } else { i.clamp(0, n - 1) };
            let values: Vec<i64> = cx.i64s(&indices)?.into_iter().map(near).collect();
            leaf(&values, DType::I64, indices.shape())?
        }
        "wrap" | "clip" => return Err(args.fault(0, "E0301", format!("axis {axis} is empty"))),
        _ => return Err(args.fault(3, "E0120", "`mode` is \"raise\", \"wrap\" or \"clip\"")),
    };
    let out = Make::of(cx).take(&x, axis, &positions)?;
    Ok(cx.give(out))
}

fn index_select(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let axis = args.axis(cx, 1, x.ndim())?;
    let indices = args.tensor(cx, 2)?;
    let positions = cx.positions(&indices, x.shape()[axis], axis).map_err(|d| d.at(args.span(2)))?;
    let out = Make::of(cx).take(&x, axis, &positions)?;
    Ok(cx.give(out))
}

/// `x` and positions stretched to one shape, each with its own extent along the axis.
pub fn meet(x: &Tensor, positions: &Tensor, axis: usize) -> Result<(Tensor, Tensor), Diag> {
    if x.ndim() != positions.ndim() {
        return Err(Diag::new("E0203", "the positions need as many axes as the tensor").note(format!(
            "{} against {}",
            positions.describe(),
            x.describe()
        )));
    }
    let unit = |shape: &[usize]| -> Vec<usize> {
        shape.iter().enumerate().map(|(a, &n)| if a == axis { 1 } else { n }).collect()
    };
    let joint = broadcast_shapes(&[&unit(x.shape()), &unit(positions.shape())]).map_err(|f| f.diag())?;
    let stretch = |t: &Tensor| -> Result<Tensor, Diag> {
        let mut shape = joint.to_vec();
        shape[axis] = t.shape()[axis];
        Ok(t.viewed(t.view.layout.broadcast_to(&shape).map_err(|f| f.diag())?))
    };
    Ok((stretch(x)?, stretch(positions)?))
}

fn take_along_axis(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 2)?;
    let indices = args.tensor(cx, 1)?;
    let positions = cx.positions(&indices, x.shape()[axis], axis).map_err(|d| d.at(args.span(1)))?;
    let (x, positions) = meet(&x, &positions, axis)?;
    let out = along_axis(Make::of(cx), &x, axis, &positions)?;
    Ok(cx.give(out))
}

/// torch's: the positions may be fewer along the other axes.
fn gather(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let axis = args.axis(cx, 1, x.ndim())?;
    let indices = args.tensor(cx, 2)?;
    fits_within(args, 2, &indices, &x, axis)?;
    let positions = cx.positions(&indices, x.shape()[axis], axis).map_err(|d| d.at(args.span(2)))?;
    let out = along_axis(Make::of(cx), &x, axis, &positions)?;
    Ok(cx.give(out))
}

/// E0203 unless `small` lies within `x` along all axes but one.
pub fn fits_within(args: &Args, i: usize, small: &Tensor, x: &Tensor, axis: usize) -> Result<(), Diag> {
    let fits = small.ndim() == x.ndim()
        && small.shape().iter().zip(x.shape()).enumerate().all(|(a, (s, n))| a == axis || s <= n);
    if fits { Ok(()) } else { Err(args.fault(i, "E0203", format!("the positions do not fit {}", x.describe()))) }
}

/// The elements where a mask holds, as one axis: mask and tensor broadcast.
fn masked_select(cx: &mut Cx, args: &Args) -> Out {
    let (x, mask) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let shape = broadcast_shapes(&[x.shape(), mask.shape()]).map_err(|f| f.diag())?;
    let stretch = |t: &Tensor| t.view.layout.broadcast_to(&shape).map(|l| t.viewed(l)).map_err(|f| f.diag());
    let (x, mask) = (stretch(&x)?, stretch(&mask)?);
    let out = selected(cx, &x, &mask)?;
    Ok(cx.give(out))
}

fn selected(cx: &mut Cx, x: &Tensor, mask: &Tensor) -> Result<Tensor, Diag> {
    let flat = cx.nonzero(mask)?;
    super::sort::picked(cx, x, &flat)
}

fn extract(cx: &mut Cx, args: &Args) -> Out {
    let (mask, x) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let flat = cx.nonzero(&mask)?;
    if let Some(&far) = flat.iter().find(|i| **i as usize >= x.size()) {
        let fault = LayoutFault::IndexOutOfRange { axis: 0, index: far, extent: x.size() };
        return Err(fault.diag().label(args.span(0), mask.describe()));
    }
    let out = super::sort::picked(cx, &x, &flat)?;
    Ok(cx.give(out))
}

fn compress(cx: &mut Cx, args: &Args) -> Out {
    let mask = args.tensor(cx, 0)?;
    let x = args.tensor(cx, 1)?;
    let (x, axis) =
        if args.is_none(2) { (Make::of(cx).flat(&x)?, 0) } else { (x.clone(), args.axis(cx, 2, x.ndim())?) };
    if mask.ndim() != 1 {
        return Err(args.fault(0, "E0201", "the condition stands on one axis"));
    }
    let places = leaf_i64(&cx.nonzero(&mask)?)?;
    let places = cx.positions(&places, x.shape()[axis], axis)?;
    let out = Make::of(cx).take(&x, axis, &places)?;
    Ok(cx.give(out))
}

fn masked_fill(cx: &mut Cx, args: &Args) -> Out {
    let (x, mask) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let make = Make::of(cx);
    let value = convert::map_arg(cx, args.value(2), args.span(2))?;
    let out = {
        let filled = make.row("where", &[t(&mask), value, t(&x)])?;
        make.cast(&filled, x.dtype())?
    };
    Ok(cx.give(out))
}

/// The first condition that holds chooses.
fn select(cx: &mut Cx, args: &Args) -> Out {
    if let Value::Tensor(x) = args.value(0) {
        // torch's select(x, dim, index): a view.
        let axis = args.axis(cx, 1, x.ndim())?;
        let layout = x.view.layout.index(axis as isize, args.int(cx, 2)?).map_err(|f| f.diag())?;
        return Ok(Value::tensor(x.viewed(layout)));
    }
    let conditions = cx.host.elements(args.value(0), args.span(0))?;
    let choices = cx.host.elements(args.value(1), args.span(1))?;
    if conditions.len() != choices.len() || conditions.is_empty() {
        let message = format!("{} conditions for {} choices", conditions.len(), choices.len());
        return Err(args.fault(1, "E0202", message));
    }
    let row = map_row("where").ok_or_else(|| args.wrong(0, "a list of conditions"))?;
    let mut out = args.value(2).clone();
    for (condition, choice) in conditions.iter().zip(&choices).rev() {
        out = cx.map(row, &[(condition, args.span(0)), (choice, args.span(1)), (&out, args.span(2))])?;
    }
    Ok(out)
}

fn choose(cx: &mut Cx, args: &Args) -> Out {
    let (which, choices) = (args.tensor(cx, 0)?, args.tensors(cx, 1)?);
    let n = choices.len();
    let which = cx.positions(&which, n, 0).map_err(|d| d.at(args.span(0)))?;
    let make = Make::of(cx);
    let Some((last, others)) = choices.split_last() else { return Err(args.wrong(1, "a list of choices")) };
    let out = {
        let layout = broadcast_shapes(&[which.shape(), last.shape()]).map_err(|f| f.diag())?;
        let mut out = last.viewed(last.view.layout.broadcast_to(&layout).map_err(|f| f.diag())?);
        for (i, choice) in others.iter().enumerate().rev() {
            let here = make.row("equal", &[t(&which), super::make::int(i as i64)])?;
            out = make.row("where", &[t(&here), t(choice), t(&out)])?;
        }
        if out.is_view { make.fresh(&out, None, "choose")? } else { out }
    };
    Ok(cx.give(out))
}

fn unravel_index(cx: &mut Cx, args: &Args) -> Out {
    let flat = args.tensor(cx, 0)?;
    let shape = args.shape(cx, 1)?;
    let layout = Layout::contiguous(&shape).map_err(|f| f.diag())?;
    let fortran = order(args, 2)?;
    let positions = cx.positions(&flat, layout.size(), 0).map_err(|d| d.at(args.span(0)))?;
    let values = cx.i64s(&positions)?;
    let mut out = Vec::new();
    let mut inner = layout.size().max(1) as i64;
    let mut outer = 1i64;
    for &extent in &shape {
        let extent = extent.max(1) as i64;
        inner /= extent;
        let unit = if fortran { outer } else { inner };
        outer *= extent;
        let along: Vec<i64> = values.iter().map(|i| i / unit % extent).collect();
        out.push(Value::tensor(leaf(&along, DType::I64, flat.shape())?));
    }
    Ok(Value::tuple(out))
}

fn order(args: &Args, i: usize) -> Result<bool, Diag> {
    match &*args.str(i)? {
        "C" => Ok(false),
        "F" => Ok(true),
        _ => Err(args.fault(i, "E0120", "`order` is \"C\" or \"F\"")),
    }
}

fn ravel_multi_index(cx: &mut Cx, args: &Args) -> Out {
    let parts = args.tensors(cx, 0)?;
    let dims = args.shape(cx, 1)?;
    let layout = Layout::contiguous(&dims).map_err(|f| f.diag())?;
    let fortran = order(args, 3)?;
    if parts.len() != dims.len() {
        let message = format!("{} index tensors for {} axes", parts.len(), dims.len());
        return Err(args.fault(0, "E0202", message));
    }
    let mode = args.str(2)?;
    let make = Make::of(cx);
    let mut total = make.fill(&[], DType::I64, crate::tensor::Scalar::Int(0))?;
    let mut outer = 1i64;
    for (axis, part) in parts.iter().enumerate() {
        let n = dims[axis] as i64;
        let part = match &*mode {
            "raise" => cx.positions(part, dims[axis], axis).map_err(|d| d.at(args.span(0)))?,
            mode @ ("wrap" | "clip") if n > 0 => {
                let near = |i: i64| if mode == "wrap" { i.rem_euclid(n) } else { i.clamp(0, n - 1) };
                let values: Vec<i64> = cx.i64s(part)?.into_iter().map(near).collect();
                leaf(&values, DType::I64, part.shape())?
            }
            _ => return Err(args.fault(2, "E0120", "`mode` is \"raise\", \"wrap\" or \"clip\"")),
        };
        let unit = if fortran { outer } else { layout.strides[axis] as i64 };
        outer = outer.saturating_mul(n);
        total = make.row("add", &[t(&total), t(&make.row("multiply", &[t(&part), super::make::int(unit)])?)])?;
    }
    Ok(cx.give(total))
}

/// Argument `i` as checked positions of the flat tensor.
pub fn flat_positions(cx: &mut Cx, args: &Args, i: usize, x: &Tensor) -> Result<Tensor, Diag> {
    let indices = args.tensor(cx, i)?;
    let flat = Make::of(cx).flat(&indices)?;
    cx.positions(&flat, x.size(), 0).map_err(|d| d.at(args.span(i)))
}

/// Argument `i` as checked positions along an axis.
pub fn positions_of(cx: &mut Cx, args: &Args, i: usize, x: &Tensor, axis: usize) -> Result<Tensor, Diag> {
    let indices = args.tensor(cx, i)?;
    cx.positions(&indices, x.shape()[axis], axis).map_err(|d| d.at(args.span(i)))
}

/// The leading part of `x` in this shape.
pub fn slab(x: &Tensor, shape: &[usize]) -> Result<Tensor, Diag> {
    let cut = |l: Layout, (axis, &n): (usize, &usize)| l.narrow(axis as i64, 0, n as i64);
    let layout = shape.iter().enumerate().try_fold(x.view.layout.clone(), cut).map_err(|f| f.diag())?;
    Ok(x.viewed(layout))
}

pub static ROWS: [Func; 16] = [
    Func::new("nonzero", nonzero, Group::Sort)
        .help(
            "nonzero(x)",
            "The positions that are not zero, one tensor of coordinates for each axis.",
            &["nonzero(array([0, 3, 0, 4]))"],
        )
        .gives("A tuple of vectors, one for each axis; i64. How long they are depends on the values.")
        .like("np.nonzero", "torch.nonzero")
        .see(&["flatnonzero", "argwhere", "where", "count_nonzero"]),
    Func::new("flatnonzero", flatnonzero, Group::Sort)
        .help(
            "flatnonzero(x)",
            "The positions of the flat tensor that are not zero.",
            &["flatnonzero(array([[0, 1], [2, 0]]))"],
        )
        .gives("One axis; i64. How long it is depends on the values.")
        .like("np.flatnonzero", "")
        .see(&["nonzero"]),
    Func::new("argwhere", argwhere, Group::Sort)
        .help(
            "argwhere(x)",
            "The positions that are not zero, one row of coordinates for each.",
            &["argwhere(array([[0, 1], [2, 0]]))"],
        )
        .gives("[found, x.ndim]; i64. How many are found depends on the values.")
        .like("np.argwhere", "torch.argwhere")
        .see(&["nonzero"]),
    Func::new("where", where_, Group::Compare)
        .help(
            "where(cond, x=None, y=None)",
            "x where cond holds (is not zero), else y; all three broadcast. With the condition \
             alone the positions, \
             as nonzero.",
            &["x = array([-1.0, 2.0, -3.0])\nwhere(x > 0, x, 0)", "where(array([0, 1, 1]))"],
        )
        .gives("The three shapes broadcast; the promoted dtype of x and y.")
        .like("np.where", "torch.where")
        .see(&["nonzero", "select", "masked_fill"]),
    Func::new("take", take, Group::Join)
        .help(
            "take(x, indices, axis=None, mode=\"raise\")",
            "Elements at positions along an axis, of the flat tensor without one. mode: raise, wrap or clip.",
            &["take(array([10, 20, 30]), [2, 0])", "take(arange(6).reshape(2, 3), [0, 2], axis=1)"],
        )
        .gives("The shape of the indices in place of the axis, or alone without one; dtype of x.")
        .like("np.take", "torch.take")
        .see(&["take_along_axis", "index_select", "gather"]),
    Func::new("index_select", index_select, Group::Join)
        .help(
            "index_select(x, axis, index)",
            "Slabs at positions along an axis.",
            &["index_select(arange(6).reshape(3, 2), 0, array([2, 0]))"],
        )
        .gives("len(index) in place of one extent; dtype of x.")
        .like("np.take", "torch.index_select")
        .see(&["take"]),
    Func::new("take_along_axis", take_along_axis, Group::Join)
        .alias(&["take_along_dim"])
        .help(
            "take_along_axis(x, indices, axis=-1)",
            "Elements at positions that a tensor of the same rank names along an axis; the other \
             axes broadcast.",
            &["x = array([[3, 1, 2]])\ntake_along_axis(x, argsort(x), axis=1)"],
        )
        .gives("The shape of the indices; dtype of x.")
        .like("np.take_along_axis", "torch.take_along_dim")
        .see(&["take", "gather", "put_along_axis"]),
    Func::new("gather", gather, Group::Join)
        .help(
            "gather(x, axis, index)",
            "Elements at positions along an axis; the index may be smaller along the other axes.",
            &["gather(array([[1, 2], [3, 4]]), 1, array([[0, 0], [1, 0]]))"],
        )
        .gives("The shape of the indices; dtype of x.")
        .like("np.take_along_axis", "torch.gather")
        .see(&["take_along_axis", "scatter"]),
    Func::new("masked_select", masked_select, Group::Join)
        .help(
            "masked_select(x, mask)",
            "The elements where a mask holds, on one axis.",
            &["masked_select(arange(4), array([True, False, True, False]))"],
        )
        .gives("One axis, as long as there are hits; dtype of x.")
        .like("np.extract", "torch.masked_select")
        .see(&["extract", "masked_fill", "where"]),
    Func::new("masked_fill", masked_fill, Group::Join)
        .help(
            "masked_fill(x, mask, value)",
            "A copy with a value where the mask holds.",
            &["masked_fill(arange(4), array([True, False, True, False]), -1)"],
        )
        .gives("Shape and dtype of x.")
        .like("np.where", "torch.masked_fill")
        .see(&["where", "masked_select"]),
    Func::new("extract", extract, Group::Join)
        .help(
            "extract(condition, x)",
            "The flat elements where the flat condition holds.",
            &["extract(arange(4) % 2 == 0, arange(4))"],
        )
        .gives("One axis, as long as there are hits; dtype of x.")
        .like("np.extract", "")
        .see(&["compress", "masked_select"]),
    Func::new("compress", compress, Group::Join)
        .help(
            "compress(condition, x, axis=None)",
            "Slabs along an axis where a condition holds.",
            &["compress([False, True], arange(4).reshape(2, 2), axis=0)"],
        )
        .gives("Along the axis as long as there are hits, flat without one; dtype of x.")
        .like("np.compress", "")
        .see(&["extract", "take"]),
    Func::new("select", select, Group::Join)
        .help(
            "select(condlist, choicelist, default=0)",
            "Of each position the choice of the first condition that holds. select(x, axis, index) \
             is torch's: a view \
             without that axis.",
            &["x = arange(5)\nselect([x < 2, x > 3], [x, x * 10], -1)"],
        )
        .gives("Conditions and choices broadcast; the promoted dtype of the choices.")
        .like("np.select", "torch.select")
        .see(&["where", "choose"]),
    Func::new("choose", choose, Group::Join)
        .help(
            "choose(x, choices)",
            "Of each position the choice whose number stands there.",
            &["choose(array([0, 1, 0]), [array([1, 2, 3]), array([10, 20, 30])])"],
        )
        .gives("The shapes broadcast; the promoted dtype of the choices.")
        .like("np.choose", "")
        .see(&["select", "take_along_axis"]),
    Func::new("unravel_index", unravel_index, Group::Sort)
        .help(
            "unravel_index(indices, shape, order=\"C\")",
            "The coordinates of flat positions, one tensor for each axis.",
            &["unravel_index(array([5, 7]), (3, 4))"],
        )
        .gives("A tuple of tensors of the shape of the indices, one for each axis; i64.")
        .like("np.unravel_index", "torch.unravel_index")
        .see(&["ravel_multi_index", "nonzero"]),
    Func::new("ravel_multi_index", ravel_multi_index, Group::Sort)
        .help(
            "ravel_multi_index(multi_index, dims, mode=\"raise\", order=\"C\")",
            "The flat positions of coordinates.",
            &["ravel_multi_index((array([1, 1]), array([1, 3])), (3, 4))"],
        )
        .gives("The shape of the coordinates; i64.")
        .like("np.ravel_multi_index", "")
        .see(&["unravel_index"]),
];
