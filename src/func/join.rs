//! Joining, repeating, rolling, padding. Every part of a result is written by one kernel.

use super::make::{Make, leaf_i64};
use super::{Args, Cx, Func, convert};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::{Operand, Tensor, build};
use crate::tensor::{DType, Layout, promote};
use crate::value::Value;

type Out = Result<Value, Diag>;

fn joined_dtype(xs: &[Tensor]) -> DType {
    // Values only move: two 8-bit floats of one dtype stay what they are.
    xs.iter().map(Tensor::dtype).reduce(|a, b| if a == b { a } else { promote(a, b) }).unwrap_or(DType::F32)
}

fn join(cx: &mut Cx, args: &Args, xs: &[Tensor], axis: usize, dtype: Option<DType>) -> Out {
    let operands: Vec<Operand> = xs.iter().map(Tensor::operand).collect();
    let dtype = dtype.unwrap_or_else(|| joined_dtype(xs));
    let node = build::concat(&operands, axis, dtype, cx.span).map_err(|d| match args.args.first() {
        Some(arg) => d.label(arg.span, ""),
        None => d,
    })?;
    Ok(cx.fresh(node))
}

fn empty_list(args: &Args) -> Diag {
    args.fault(0, "E0211", "nothing to join: the list is empty")
}

fn concat(cx: &mut Cx, args: &Args) -> Out {
    let mut xs = args.tensors(cx, 0)?;
    let dtype = args.opt_dtype(2)?;
    if args.is_none(1) {
        let make = Make::of(cx);
        xs = xs.iter().map(|x| make.flat(x)).collect::<Result<_, _>>()?;
        return join(cx, args, &xs, 0, dtype);
    }
    let Some(first) = xs.first() else { return Err(empty_list(args)) };
    if first.ndim() == 0 {
        return Err(args.fault(0, "E0211", "tensors without axes cannot be joined").hint("stack makes a new axis"));
    }
    let axis = args.axis(cx, 1, first.ndim())?;
    join(cx, args, &xs, axis, dtype)
}

fn stack(cx: &mut Cx, args: &Args) -> Out {
    let xs = args.tensors(cx, 0)?;
    let Some(first) = xs.first() else { return Err(empty_list(args)) };
    let axis = args.axis(cx, 1, first.ndim() + 1)?;
    let dtype = args.opt_dtype(2)?;
    if let Some(other) = xs.iter().find(|x| x.shape() != first.shape()) {
        let diag = args.fault(0, "E0211", "`stack` needs tensors of one shape");
        let differs = first.shape().iter().zip(other.shape()).find(|(a, b)| a != b);
        let diag = match differs {
            Some((a, b)) if first.ndim() == other.ndim() => diag.between(*a, *b),
            _ => diag.between(first.ndim(), other.ndim()),
        };
        return Err(diag.note(format!("{} against {}", first.describe(), other.describe())));
    }
    let grown: Vec<Tensor> = xs.iter().map(|x| x.viewed(x.view.layout.newaxis(axis))).collect();
    join(cx, args, &grown, axis, dtype)
}

/// Each tensor with at least `n` axes; a vector becomes a row, or a column where `column` says so.
fn grown(xs: Vec<Tensor>, n: usize, column: bool) -> Vec<Tensor> {
    let grow = |x: Tensor| {
        let mut layout = x.view.layout.clone();
        if column && layout.ndim() == 1 {
            layout = layout.newaxis(1);
        }
        if n == 3 && layout.ndim() == 2 {
            layout = layout.newaxis(2);
        } else if n == 3 && layout.ndim() == 1 {
            layout = layout.newaxis(0).newaxis(2);
        }
        while layout.ndim() < n {
            layout = layout.newaxis(0);
        }
        x.viewed(layout)
    };
    xs.into_iter().map(grow).collect()
}

fn vstack(cx: &mut Cx, args: &Args) -> Out {
    let xs = grown(args.tensors(cx, 0)?, 2, false);
    join(cx, args, &xs, 0, None)
}

fn hstack(cx: &mut Cx, args: &Args) -> Out {
    let xs = grown(args.tensors(cx, 0)?, 1, false);
    let axis = usize::from(xs.first().is_none_or(|x| x.ndim() > 1));
    join(cx, args, &xs, axis, None)
}

fn dstack(cx: &mut Cx, args: &Args) -> Out {
    let xs = grown(args.tensors(cx, 0)?, 3, false);
    join(cx, args, &xs, 2, None)
}

fn column_stack(cx: &mut Cx, args: &Args) -> Out {
    let xs = args.tensors(cx, 0)?;
    let xs: Vec<Tensor> = xs.into_iter().map(|x| grown(vec![x], 1, false).remove(0)).collect();
    let xs = grown(xs, 2, true);
    join(cx, args, &xs, 1, None)
}

fn tile(cx: &mut Cx, args: &Args) -> Out {
    let mut x = args.tensor(cx, 0)?;
    let counts = args.rest_shape(cx)?;
    let n = counts.len().max(x.ndim());
    let counts: Vec<usize> = std::iter::repeat_n(1, n - counts.len()).chain(counts).collect();
    while x.ndim() < n {
        x = x.viewed(x.view.layout.newaxis(0));
    }
    // [c0, n0, c1, n1, …] with stride 0 along the counts, then each pair becomes one axis.
    let mut layout = x.view.layout.clone();
    let mut wide = Vec::new();
    let mut shape = Vec::new();
    for (axis, &count) in counts.iter().enumerate() {
        layout = layout.newaxis(2 * axis);
        wide.extend([count, x.shape()[axis]]);
        shape.push(count.saturating_mul(x.shape()[axis]));
    }
    build::checked_shape(&shape, x.dtype())?;
    let layout = layout.broadcast_to(&wide).map_err(|f| f.diag())?;
    let out = copied_as(cx, &x.viewed(layout), &shape, "tile")?;
    Ok(cx.give(out))
}

/// A copy under another shape of as many elements.
fn copied_as(cx: &mut Cx, x: &Tensor, shape: &[usize], by: &'static str) -> Result<Tensor, Diag> {
    let mut out = Make::of(cx).fresh(x, None, by)?;
    out.view.layout = Layout::contiguous(shape).map_err(|f| f.diag())?;
    Ok(out)
}

fn repeat(cx: &mut Cx, args: &Args) -> Out {
    if let Value::Str(pattern) = args.value(1) {
        return super::einops::repeat(cx, args, &pattern.clone());
    }
    let mut x = args.tensor(cx, 0)?;
    let axis = if args.is_none(2) {
        x = Make::of(cx).flat(&x)?;
        0
    } else {
        args.axis(cx, 2, x.ndim())?
    };
    let counts = args.shape(cx, 1)?;
    let extent = x.shape()[axis];
    let mut shape = x.shape().to_vec();
    let out = if let [count] = counts[..] {
        shape[axis] = extent.saturating_mul(count);
        build::checked_shape(&shape, x.dtype())?;
        let mut wide = x.shape().to_vec();
        wide.insert(axis + 1, count);
        let layout = x.view.layout.newaxis(axis + 1).broadcast_to(&wide).map_err(|f| f.diag())?;
        copied_as(cx, &x.viewed(layout), &shape, "repeat")?
    } else {
        if counts.len() != extent {
            let message = format!("{} counts for axis {axis} of extent {extent}", counts.len());
            return Err(args.fault(1, "E0203", message));
        }
        let total = counts.iter().try_fold(0usize, |n, c| n.checked_add(*c)).unwrap_or(usize::MAX);
        shape[axis] = total;
        build::checked_shape(&shape, x.dtype().max(DType::I64))?;
        cx.room(total)?;
        let positions: Vec<i64> =
            counts.iter().enumerate().flat_map(|(i, &c)| std::iter::repeat_n(i as i64, c)).collect();
        Make::of(cx).take(&x, axis, &leaf_i64(&positions)?)?
    };
    Ok(cx.give(out))
}

fn roll(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let shifts = args.ints(cx, 1)?;
    let make = Make::of(cx);
    if args.is_none(2) {
        let flat = make.flat(&x)?;
        let total = shifts.iter().fold(0i64, |a, s| a.wrapping_add(*s));
        let rolled = rolled(make, &flat, &[(0, total)])?;
        let mut out = rolled;
        out.view.layout = Layout::contiguous(x.shape()).map_err(|f| f.diag())?;
        return Ok(cx.give(out));
    }
    let axes = args.ints(cx, 2)?;
    if axes.len() != shifts.len() && axes.len() != 1 && shifts.len() != 1 {
        let message = format!("{} shifts for {} axes", shifts.len(), axes.len());
        return Err(args.fault(1, "E0202", message));
    }
    let mut moves: Vec<(usize, i64)> = Vec::new();
    for i in 0..axes.len().max(shifts.len()) {
        let axis = axes[if axes.len() == 1 { 0 } else { i }];
        let axis = crate::tensor::axis(axis, x.ndim()).map_err(|f| f.diag().label(args.span(2), ""))?;
        let shift = shifts[if shifts.len() == 1 { 0 } else { i }];
        match moves.iter_mut().find(|(a, _)| *a == axis) {
            Some((_, total)) => *total = total.wrapping_add(shift),
            None => moves.push((axis, shift)),
        }
    }
    let out = rolled(make, &x, &moves)?;
    Ok(cx.give(out))
}

/// Up to two pieces along each axis change places.
fn rolled(make: Make, x: &Tensor, moves: &[(usize, i64)]) -> Result<Tensor, Diag> {
    let all = build::checked_shape(x.shape(), x.dtype())?;
    let mut parts = vec![(all, x.view.layout.clone())];
    for &(axis, shift) in moves {
        let extent = x.shape()[axis] as i64;
        let shift = if extent == 0 { 0 } else { shift.rem_euclid(extent) };
        if shift == 0 {
            continue;
        }
        let mut cut = Vec::new();
        for (to, from) in parts {
            for (start, stop, place) in [(0, extent - shift, shift), (extent - shift, extent, 0)] {
                let from = from.slice(axis, Some(start), Some(stop), None).map_err(|f| f.diag())?;
                let to = to.narrow(axis as i64, place, stop - start).map_err(|f| f.diag())?;
                cut.push((to, from));
            }
        }
        parts = cut;
    }
    let operand = x.operand();
    let parts = parts.into_iter().map(|(to, from)| (to, operand.with_layout(from))).collect();
    Ok(Tensor::of(build::assemble("roll", x.shape(), x.dtype(), parts, make.span)?))
}

fn append(cx: &mut Cx, args: &Args) -> Out {
    let (mut x, mut more) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let axis = if args.is_none(2) {
        let make = Make::of(cx);
        (x, more) = (make.flat(&x)?, make.flat(&more)?);
        0
    } else {
        args.axis(cx, 2, x.ndim())?
    };
    join(cx, args, &[x, more], axis, None)
}

/// The axis and the tensor; flat without an axis.
fn along(cx: &mut Cx, args: &Args, i: usize) -> Result<(Tensor, usize), Diag> {
    let x = args.tensor(cx, 0)?;
    if args.is_none(i) {
        return Ok((Make::of(cx).flat(&x)?, 0));
    }
    let axis = args.axis(cx, i, x.ndim())?;
    Ok((x, axis))
}

/// The positions that argument 1 names along an axis: integers, a mask or a range; may reach `extent`.
fn places(cx: &mut Cx, args: &Args, extent: usize, axis: usize, behind: bool) -> Result<Vec<usize>, Diag> {
    let given = convert::tensor(cx, args.value(1), args.span(1))?;
    if given.dtype() == DType::Bool {
        return Ok(cx.nonzero(&given)?.into_iter().map(|i| i as usize).collect());
    }
    let room = extent + usize::from(behind);
    let n = extent as i64;
    let mut out = Vec::new();
    for i in cx.i64s(&given)? {
        let at = if i < 0 { i.saturating_add(n) } else { i };
        match usize::try_from(at).ok().filter(|&at| at < room) {
            Some(at) => out.push(at),
            None => {
                let fault = crate::tensor::LayoutFault::IndexOutOfRange { axis, index: i, extent };
                return Err(fault.diag().label(args.span(1), ""));
            }
        }
    }
    Ok(out)
}

fn delete(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 2)?;
    let extent = x.shape()[axis];
    let gone = places(cx, args, extent, axis, false)?;
    let mut keep = vec![true; extent];
    gone.into_iter().for_each(|i| keep[i] = false);
    let kept: Vec<i64> = (0..extent).filter(|&i| keep[i]).map(|i| i as i64).collect();
    let out = Make::of(cx).take(&x, axis, &leaf_i64(&kept)?)?;
    Ok(cx.give(out))
}

fn insert(cx: &mut Cx, args: &Args) -> Out {
    let (x, axis) = along(cx, args, 3)?;
    let extent = x.shape()[axis];
    let single = args.tensor(cx, 1)?.ndim() == 0;
    let at = places(cx, args, extent, axis, true)?;
    let make = Make::of(cx);
    let mut values = make.cast(&args.tensor(cx, 2)?, x.dtype())?;
    if single && values.ndim() > 0 && values.ndim() <= x.ndim() && x.ndim() > 1 && values.ndim() < x.ndim() {
        // One place for a slab: as NumPy, the slab's first axis is the one inserted along.
        values = values.viewed(values.view.layout.newaxis(axis.min(values.ndim())));
    }
    let mut slab = x.shape().to_vec();
    let count = if at.len() == 1 && values.ndim() == x.ndim() { values.shape()[axis] } else { at.len() };
    slab[axis] = count;
    let layout = values.view.layout.broadcast_to(&slab).map_err(|f| f.diag().label(args.span(2), values.describe()))?;
    let values = values.viewed(layout);
    let joined = Tensor::of(build::concat(&[x.operand(), values.operand()], axis, x.dtype(), cx.span)?);
    let mut order: Vec<(usize, usize)> = (0..count).map(|k| (at[if at.len() == 1 { 0 } else { k }], k)).collect();
    order.sort_by_key(|(at, _)| *at);
    let mut positions = Vec::with_capacity(extent + count);
    let mut next = order.into_iter().peekable();
    for i in 0..=extent {
        while let Some((_, k)) = next.next_if(|(at, _)| *at == i) {
            positions.push((extent + k) as i64);
        }
        if i < extent {
            positions.push(i as i64);
        }
    }
    let out = make.take(&joined, axis, &leaf_i64(&positions)?)?;
    drop((joined, values));
    Ok(cx.give(out))
}

pub static ROWS: [Func; 12] = [
    Func::new("concat", concat, Group::Join)
        .alias(&["cat", "concatenate"])
        .help(
            "concat(xs, axis=0, dtype=None)",
            "Joins tensors along an existing axis; flat with axis=None.",
            &["concat([arange(3), arange(2)])", "concat([ones((1, 2)), zeros((1, 2))], axis=1)"],
        )
        .gives(
            "The sum of the extents along the axis, the others as they are; the promoted dtype, or \
            the one given.",
        )
        .like("np.concat", "torch.cat")
        .see(&["stack", "vstack", "split"]),
    Func::new("stack", stack, Group::Join)
        .help(
            "stack(xs, axis=0, dtype=None)",
            "Joins tensors of one shape along a new axis.",
            &["stack([arange(3), arange(3)])", "stack([arange(2), arange(2)], axis=1)"],
        )
        .gives("The shape of the parts with a new extent len(xs); the promoted dtype, or the one given.")
        .like("np.stack", "torch.stack")
        .see(&["concat", "unstack"]),
    Func::new("vstack", vstack, Group::Join)
        .alias(&["row_stack"])
        .help("vstack(xs)", "Joins as rows, along axis 0.", &["vstack([arange(3), arange(3)])"])
        .gives("The sum of the extents along the axis, the others as they are; the promoted dtype.")
        .like("np.vstack", "torch.vstack")
        .see(&["hstack", "concat"]),
    Func::new("hstack", hstack, Group::Join)
        .help("hstack(xs)", "Joins along axis 1, vectors along axis 0.", &["hstack([arange(3), arange(2)])"])
        .gives("The sum of the extents along the axis, the others as they are; the promoted dtype.")
        .like("np.hstack", "torch.hstack")
        .see(&["vstack", "column_stack"]),
    Func::new("dstack", dstack, Group::Join)
        .help("dstack(xs)", "Joins along axis 2.", &["dstack([arange(3), arange(3)]).shape"])
        .gives("The sum of the extents along the axis, the others as they are; the promoted dtype.")
        .like("np.dstack", "torch.dstack")
        .see(&["vstack", "hstack"]),
    Func::new("column_stack", column_stack, Group::Join)
        .help("column_stack(xs)", "Joins vectors as columns.", &["column_stack([arange(3), arange(3)])"])
        .gives("The sum of the extents along the axis, the others as they are; the promoted dtype.")
        .like("np.column_stack", "torch.column_stack")
        .see(&["hstack", "stack"]),
    Func::new("tile", tile, Group::Join)
        .help(
            "tile(x, *reps)",
            "The whole repeated along each axis.",
            &["tile(arange(3), 2)", "tile(array([[1, 2]]), (2, 2))"],
        )
        .gives("The extents times reps; dtype of x.")
        .like("np.tile", "torch.tile")
        .see(&["repeat", "broadcast_to"]),
    Func::new("repeat", repeat, Group::Join)
        .alias(&["repeat_interleave"])
        .help(
            "repeat(tensor, repeats, axis=None, **sizes)",
            "Each element repeated, of the flat tensor without an axis; repeats may be one number \
             for each position. \
             With a pattern string as in einops.",
            &[
                "repeat(array([1, 2]), 2)",
                "repeat(array([[1], [2]]), 2, axis=1)",
                "repeat(arange(2), \"a -> a b\", b=3)",
            ],
        )
        .gives("The extent of the axis times repeats (or their sum), flat without an axis; dtype of x.")
        .like("np.repeat", "torch.repeat_interleave")
        .see(&["tile", "broadcast_to", "rearrange"]),
    Func::new("roll", roll, Group::Join)
        .help(
            "roll(x, shift, axis=None)",
            "Positions moved along axes, round the end; of the flat tensor without an axis.",
            &["roll(arange(5), 2)", "roll(arange(6).reshape(2, 3), 1, axis=1)"],
        )
        .gives("Shape and dtype of x.")
        .like("np.roll", "torch.roll")
        .see(&["flip", "pad"]),
    Func::new("append", append, Group::Join)
        .help(
            "append(x, values, axis=None)",
            "Values put behind, flat without an axis.",
            &["append(arange(3), [7, 8])"],
        )
        .gives("Longer along the axis, flat without one; dtype of x.")
        .like("np.append", "")
        .see(&["concat", "insert"]),
    Func::new("insert", insert, Group::Join)
        .help(
            "insert(x, obj, values, axis=None)",
            "Values put before positions, in the flat tensor without an axis.",
            &["insert(arange(3), 1, 9)"],
        )
        .gives("Longer along the axis, flat without one; dtype of x.")
        .like("np.insert", "")
        .see(&["append", "delete"]),
    Func::new("delete", delete, Group::Join)
        .help(
            "delete(x, obj, axis=None)",
            "Without the named positions, of the flat tensor without an axis.",
            &["delete(arange(5), [1, 3])"],
        )
        .gives("Shorter along the axis, flat without one; dtype of x.")
        .like("np.delete", "")
        .see(&["insert", "take"]),
];
