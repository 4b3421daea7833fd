//! Functions that rearrange axes without moving a byte.

use super::make::Make;
use super::{Args, Cx};
use crate::base::Diag;
use crate::plan::{CopyReason, Tensor, build};
use crate::tensor::{Layout, LayoutFault, Reshape, broadcast_shapes};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// A layout fault about argument 0.
pub fn about(args: &Args, fault: LayoutFault) -> Diag {
    let diag = fault.diag();
    match args.args.first() {
        Some(arg) => diag.label(arg.span, arg.value.describe()),
        None => diag,
    }
}

/// Another view of argument 0.
pub fn view_of(cx: &mut Cx, args: &Args, layout: impl FnOnce(&Layout) -> Result<Layout, LayoutFault>) -> Out {
    let x = args.tensor(cx, 0)?;
    let layout = layout(&x.view.layout).map_err(|f| about(args, f))?;
    Ok(Value::tensor(x.viewed(layout)))
}

pub(super) fn reshape(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let shape = args.rest_ints(cx)?;
    let fortran = match &*args.str(1)? {
        "C" | "A" => false,
        "F" => true,
        _ => return Err(args.fault(1, "E0120", "`order` is \"C\" or \"F\"")),
    };
    let reversed: Vec<i64> = shape.iter().rev().copied().collect();
    let out = if fortran {
        let turned = reshaped(cx, args, &x.viewed(x.view.layout.transposed()), &reversed)?;
        turned.viewed(turned.view.layout.transposed())
    } else {
        reshaped(cx, args, &x, &shape)?
    };
    Ok(cx.give(out))
}

fn reshaped(cx: &mut Cx, args: &Args, x: &Tensor, shape: &[i64]) -> Result<Tensor, Diag> {
    build::reshape(x, shape, cx.span).map_err(|d| match args.args.first() {
        Some(arg) => d.label(arg.span, x.describe()),
        None => d,
    })
}

pub(super) fn flatten(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let shape: Vec<i64> = if x.ndim() == 0 {
        vec![1]
    } else {
        let (first, last) = (args.axis(cx, 1, x.ndim())?, args.axis(cx, 2, x.ndim())?);
        if first > last {
            return Err(args.fault(1, "E0202", format!("axis {first} comes after axis {last}")));
        }
        let middle = x.shape()[first..=last].iter().product::<usize>() as i64;
        let extents = |range: &[usize]| range.iter().map(|&n| n as i64).collect::<Vec<_>>();
        [extents(&x.shape()[..first]), vec![middle], extents(&x.shape()[last + 1..])].concat()
    };
    let copy = Tensor::of(build::copy(&x.operand(), CopyReason::Asked { by: "flatten" }, cx.span));
    let out = build::reshape(&copy, &shape, cx.span)?;
    drop(copy);
    let mut out = out;
    out.is_view = false;
    Ok(cx.give(out))
}

pub(super) fn ravel(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.view.layout.is_contiguous() {
        let out = build::reshape(&x, &[-1], cx.span)?;
        return Ok(Value::tensor(out));
    }
    // As NumPy: whatever is not contiguous is copied, also where one stride would do.
    let reason = CopyReason::Asked { by: "ravel" };
    let mut out = Tensor::of(build::copy(&x.operand(), reason, cx.span));
    out.view.layout = Layout::contiguous(&[x.size()]).map_err(|f| f.diag())?;
    Ok(cx.give(out))
}

pub(super) fn unflatten(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let axis = args.axis(cx, 1, x.ndim())?;
    let sizes = args.ints(cx, 2)?;
    let extents = |range: &[usize]| range.iter().map(|&n| n as i64).collect::<Vec<_>>();
    let known: i64 = sizes.iter().filter(|n| **n >= 0).fold(1, |a, n| a.saturating_mul(*n));
    let extent = x.shape()[axis] as i64;
    let fits = if sizes.contains(&-1) { known > 0 && extent % known == 0 } else { known == extent };
    if !fits {
        return Err(args.fault(2, "E0204", format!("axis {axis} of extent {extent} does not become {sizes:?}")));
    }
    let sizes: Vec<i64> = sizes.iter().map(|&n| if n == -1 { extent / known } else { n }).collect();
    let shape = [extents(&x.shape()[..axis]), sizes, extents(&x.shape()[axis + 1..])].concat();
    let out = build::reshape(&x, &shape, cx.span)?;
    Ok(cx.give(out))
}

pub(super) fn transpose(cx: &mut Cx, args: &Args) -> Out {
    if args.rest.is_empty() || matches!(&*args.rest, [one] if matches!(one.value, Value::None)) {
        return view_of(cx, args, |l| Ok(l.transposed()));
    }
    permute(cx, args)
}

pub(super) fn permute(cx: &mut Cx, args: &Args) -> Out {
    let axes = args.rest_ints(cx)?;
    view_of(cx, args, |l| l.permute(&axes))
}

pub(super) fn matrix_transpose(cx: &mut Cx, args: &Args) -> Out {
    view_of(cx, args, |l| match l.ndim() {
        0 | 1 => Err(LayoutFault::TooFewAxes { needed: 2, ndim: l.ndim() }),
        _ => l.swapaxes(-1, -2),
    })
}

pub(super) fn swapaxes(cx: &mut Cx, args: &Args) -> Out {
    let (a, b) = (args.int(cx, 1)?, args.int(cx, 2)?);
    view_of(cx, args, |l| l.swapaxes(a, b))
}

pub(super) fn moveaxis(cx: &mut Cx, args: &Args) -> Out {
    let (from, to) = (args.ints(cx, 1)?, args.ints(cx, 2)?);
    view_of(cx, args, |l| l.moveaxis(&from, &to))
}

pub(super) fn rollaxis(cx: &mut Cx, args: &Args) -> Out {
    let (from, start) = (args.int(cx, 1)?, args.int(cx, 2)?);
    view_of(cx, args, |l| {
        let n = l.ndim();
        let from = crate::tensor::axis(from, n)?;
        // The axis goes before `start`, which may be one past the last.
        let before = if start == n as i64 { n } else { crate::tensor::axis(start, n)? };
        let to = if from < before { before - 1 } else { before };
        l.moveaxis(&[from as i64], &[to as i64])
    })
}

pub(super) fn squeeze(cx: &mut Cx, args: &Args) -> Out {
    let axes = args.opt_ints(cx, 1)?;
    view_of(cx, args, |l| l.squeeze(axes.as_deref()))
}

pub(super) fn expand_dims(cx: &mut Cx, args: &Args) -> Out {
    let axes = args.ints(cx, 1)?;
    view_of(cx, args, |l| l.expand_dims(&axes))
}

pub(super) fn broadcast_to(cx: &mut Cx, args: &Args) -> Out {
    let shape = args.rest_shape(cx)?;
    view_of(cx, args, |l| l.broadcast_to(&shape))
}

pub(super) fn expand(cx: &mut Cx, args: &Args) -> Out {
    let given = args.rest_ints(cx)?;
    view_of(cx, args, |l| {
        let added = given.len().saturating_sub(l.ndim());
        let mut shape = Vec::with_capacity(given.len());
        for (i, &n) in given.iter().enumerate() {
            // -1 keeps what is there.
            let kept = i.checked_sub(added).and_then(|a| l.shape.get(a).copied()).filter(|_| n == -1);
            match kept.or(usize::try_from(n).ok()) {
                Some(n) => shape.push(n),
                None => return Err(LayoutFault::NegativeExtent { extent: n }),
            }
        }
        l.broadcast_to(&shape)
    })
}

pub(super) fn broadcast_arrays(cx: &mut Cx, args: &Args) -> Out {
    let xs = args.rest_tensors(cx)?;
    let shapes: Vec<&[usize]> = xs.iter().map(Tensor::shape).collect();
    let shape = broadcast_shapes(&shapes).map_err(|f| f.diag())?;
    let stretch = |x: &Tensor| x.view.layout.broadcast_to(&shape).map(|l| Value::tensor(x.viewed(l)));
    let out: Result<Vec<Value>, LayoutFault> = xs.iter().map(stretch).collect();
    out.map(Value::tuple).map_err(|f| f.diag())
}

pub(super) fn shapes_joined(cx: &mut Cx, args: &Args) -> Out {
    let mut shapes = Vec::new();
    for arg in &args.rest {
        let list = super::convert::ints(cx, &arg.value, arg.span)?;
        let extents = list.and_then(|l| l.iter().map(|&n| usize::try_from(n).ok()).collect::<Option<Vec<usize>>>());
        shapes
            .push(extents.ok_or_else(|| Diag::new("E0108", "a shape is a tuple of integers from 0 on").at(arg.span))?);
    }
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    let shape = broadcast_shapes(&shapes).map_err(|f| f.diag())?;
    Ok(Value::tuple(shape.iter().map(|&n| Value::Int(n as i64)).collect()))
}

pub(super) fn flip(cx: &mut Cx, args: &Args) -> Out {
    let axes = args.opt_ints(cx, 1)?;
    view_of(cx, args, |l| l.flip(axes.as_deref()))
}

/// Reverses one axis of a tensor that has enough of them.
fn flip_axis(cx: &mut Cx, args: &Args, axis: usize) -> Out {
    view_of(cx, args, |l| match l.ndim() {
        n if n <= axis => Err(LayoutFault::TooFewAxes { needed: axis + 1, ndim: n }),
        _ => l.flip(Some(&[axis as i64])),
    })
}

pub(super) fn fliplr(cx: &mut Cx, args: &Args) -> Out {
    flip_axis(cx, args, 1)
}

pub(super) fn flipud(cx: &mut Cx, args: &Args) -> Out {
    flip_axis(cx, args, 0)
}

pub(super) fn rot90(cx: &mut Cx, args: &Args) -> Out {
    let (k, axes) = (args.int(cx, 1)?, args.ints(cx, 2)?);
    let [a, b] = axes[..] else { return Err(args.wrong(2, "two axes")) };
    view_of(cx, args, |l| l.rot90(k, (a, b)))
}

pub(super) fn diagonal(cx: &mut Cx, args: &Args) -> Out {
    let (offset, a, b) = (args.int(cx, 1)?, args.int(cx, 2)?, args.int(cx, 3)?);
    view_of(cx, args, |l| l.diagonal(offset, a, b))
}

pub(super) fn narrow(cx: &mut Cx, args: &Args) -> Out {
    let (axis, start, length) = (args.int(cx, 1)?, args.int(cx, 2)?, args.int(cx, 3)?);
    view_of(cx, args, |l| l.narrow(axis, start, length))
}

pub(super) fn sliding_window_view(cx: &mut Cx, args: &Args) -> Out {
    let sizes = args.shape(cx, 1)?;
    let axes = args.opt_ints(cx, 2)?;
    let steps = vec![1; sizes.len()];
    view_of(cx, args, |l| {
        let all: Vec<i64> = (0..l.ndim() as i64).collect();
        l.windows(axes.as_deref().unwrap_or(&all), &sizes, &steps)
    })
}

pub(super) fn windows(cx: &mut Cx, args: &Args) -> Out {
    let (sizes, steps) = (args.shape(cx, 1)?, args.shape(cx, 2)?);
    let axes = args.opt_ints(cx, 3)?;
    let steps = if let [one] = steps[..] { vec![one; sizes.len()] } else { steps };
    view_of(cx, args, |l| {
        // Without axes: the last ones, as many as there are sizes.
        let first = l.ndim().saturating_sub(sizes.len()) as i64;
        let last: Vec<i64> = (first..l.ndim() as i64).collect();
        l.windows(axes.as_deref().unwrap_or(&last), &sizes, &steps)
    })
}

pub(super) fn unfold(cx: &mut Cx, args: &Args) -> Out {
    let (axis, size, step) = (args.int(cx, 1)?, args.count(cx, 2)?, args.count(cx, 3)?);
    view_of(cx, args, |l| l.windows(&[axis], &[size], &[step]))
}

/// Views along an axis as a list.
fn pieces(cx: &mut Cx, args: &Args, cut: impl FnOnce(&Layout) -> Result<Vec<Layout>, LayoutFault>) -> Out {
    let x = args.tensor(cx, 0)?;
    let parts = cut(&x.view.layout).map_err(|f| about(args, f))?;
    Ok(Value::list(parts.into_iter().map(|l| Value::tensor(x.viewed(l))).collect()))
}

/// A number of parts, or the positions of the cuts.
fn cut_along(cx: &mut Cx, args: &Args, axis: i64, uneven: bool) -> Out {
    let whole = match args.value(1) {
        Value::Tensor(x) => x.ndim() == 0,
        Value::List(_) | Value::Tuple(_) | Value::Range(_) => false,
        _ => true,
    };
    if whole {
        let parts = args.int(cx, 1)?;
        return pieces(cx, args, |l| l.split_equal(axis, parts, uneven));
    }
    let cuts = args.ints(cx, 1)?;
    pieces(cx, args, |l| l.split_at(axis, &cuts))
}

pub(super) fn split(cx: &mut Cx, args: &Args) -> Out {
    let axis = args.int(cx, 2)?;
    cut_along(cx, args, axis, false)
}

pub(super) fn array_split(cx: &mut Cx, args: &Args) -> Out {
    let axis = args.int(cx, 2)?;
    cut_along(cx, args, axis, true)
}

pub(super) fn vsplit(cx: &mut Cx, args: &Args) -> Out {
    cut_along(cx, args, 0, false)
}

pub(super) fn hsplit(cx: &mut Cx, args: &Args) -> Out {
    let vector = matches!(args.value(0), Value::Tensor(x) if x.ndim() == 1);
    cut_along(cx, args, i64::from(!vector), false)
}

pub(super) fn dsplit(cx: &mut Cx, args: &Args) -> Out {
    cut_along(cx, args, 2, false)
}

pub(super) fn chunk(cx: &mut Cx, args: &Args) -> Out {
    let (chunks, axis) = (args.int(cx, 1)?, args.int(cx, 2)?);
    pieces(cx, args, |l| l.chunk(axis, chunks))
}

pub(super) fn unstack(cx: &mut Cx, args: &Args) -> Out {
    let axis = args.int(cx, 1)?;
    pieces(cx, args, |l| l.unstack(axis))
}

/// Unit axes until there are `n`: behind the third place, then in front, as NumPy's `atleast_3d` does.
fn at_least(cx: &mut Cx, args: &Args, n: usize) -> Out {
    let xs = args.rest_tensors_each(cx)?;
    let grown = xs.into_iter().map(|x| {
        let mut layout = x.view.layout.clone();
        if n == 3 && layout.ndim() == 2 {
            layout = layout.newaxis(2);
        }
        if n == 3 && layout.ndim() == 1 {
            layout = layout.newaxis(0).newaxis(2);
        }
        while layout.ndim() < n {
            layout = layout.newaxis(0);
        }
        if layout == x.view.layout { Value::tensor(x) } else { Value::tensor(x.viewed(layout)) }
    });
    let mut grown: Vec<Value> = grown.collect();
    Ok(if grown.len() == 1 { grown.remove(0) } else { Value::tuple(grown) })
}

impl Args {
    /// The tensors of `*rest`, each converted by itself: a list is one tensor.
    pub fn rest_tensors_each(&self, cx: &mut Cx) -> Result<Vec<Tensor>, Diag> {
        self.rest.iter().map(|a| super::convert::tensor(cx, &a.value, a.span)).collect()
    }
}

pub(super) fn atleast_1d(cx: &mut Cx, args: &Args) -> Out {
    at_least(cx, args, 1)
}

pub(super) fn atleast_2d(cx: &mut Cx, args: &Args) -> Out {
    at_least(cx, args, 2)
}

pub(super) fn atleast_3d(cx: &mut Cx, args: &Args) -> Out {
    at_least(cx, args, 3)
}

pub(super) fn materialize(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.view.layout.is_contiguous() && !x.view.conj {
        return Ok(Value::tensor(x));
    }
    let out = Make::of(cx).fresh(&x, None, "materialize")?;
    Ok(cx.give(out))
}

pub(super) fn as_strided(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let shape = if args.is_none(1) { x.shape().to_vec() } else { args.shape(cx, 1)? };
    let strides: Vec<isize> = match args.opt_ints(cx, 2)? {
        Some(list) => list.iter().map(|&s| s as isize).collect(),
        None => x.view.layout.strides.to_vec(),
    };
    let offset = args.opt_int(cx, 3)?.map_or(x.view.layout.offset, |o| o as isize);
    let elements = x.cell.version().nbytes() / x.dtype().size();
    view_of(cx, args, |l| l.as_strided(&shape, &strides, offset, elements))
}

/// `view(x, *shape)`: the reshape that refuses to copy; `view(x, dtype)`: the bytes as another dtype.
pub(super) fn view(cx: &mut Cx, args: &Args) -> Out {
    if let [one] = &*args.rest
        && let Some(dtype) = super::convert::dtype(&one.value)
    {
        let x = args.tensor(cx, 0)?;
        return super::bits::reinterpret(&x, dtype).map(Value::tensor).map_err(|d| d.at(cx.span));
    }
    let shape = args.rest_ints(cx)?;
    let x = args.tensor(cx, 0)?;
    match x.view.layout.reshape(&shape).map_err(|f| about(args, f))? {
        Reshape::View(layout) => Ok(Value::tensor(x.viewed(layout))),
        Reshape::Copy(to) => Err(args
            .fault(0, "E0220", format!("no strides reach {} under the shape {to:?}", x.describe()))
            .note(format!("its strides are {:?}", x.view.layout.strides.as_slice()))
            .hint("`reshape` copies where it has to")),
    }
}
