//! Running sums and their kin, differences, and integrals of samples.

use super::make::{Make, int, num, t};
use super::reduce::{mean_dtypes, widened};
use super::{Args, Cx, Func, convert};
use crate::base::Diag;
use crate::op::{Group, Monoid};
use crate::plan::{Tensor, build};
use crate::tensor::{DType, LayoutFault};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// Argument 0 and the axis; flat without an axis.
fn along(cx: &mut Cx, args: &Args) -> Result<(Tensor, usize), Diag> {
    let x = args.tensor(cx, 0)?;
    if args.is_none(1) {
        return Ok((Make::of(cx).flat(&x)?, 0));
    }
    let axis = args.axis(cx, 1, x.ndim())?;
    Ok((x, axis))
}

/// Scans in `dtype`; values of 16 bits are joined in f32 and rounded once.
fn scan(make: Make, x: &Tensor, axis: usize, monoid: Monoid, dtype: DType) -> Tensor {
    Tensor::of(build::scan(&x.operand(), axis, monoid, dtype.lane(), dtype, make.span))
}

fn running(cx: &mut Cx, args: &Args, monoid: Monoid) -> Out {
    let (x, axis) = along(cx, args)?;
    let dtype = args.opt_dtype(2)?.unwrap_or(widened(x.dtype()));
    let make = Make::of(cx);
    let out = {
        let x = make.cast(&x, if x.dtype() == dtype { dtype } else { dtype.lane() })?;
        scan(make, &x, axis, monoid, dtype)
    };
    Ok(cx.give(out))
}

fn cumsum(cx: &mut Cx, args: &Args) -> Out {
    running(cx, args, Monoid::Sum)
}

fn cumprod(cx: &mut Cx, args: &Args) -> Out {
    running(cx, args, Monoid::Prod)
}

/// Running extremes and where the last of them stands, as torch gives them.
fn running_extreme(cx: &mut Cx, args: &Args, monoid: Monoid) -> Out {
    let (x, axis) = along(cx, args)?;
    if x.dtype().is_complex() {
        return Err(super::make::no_order(x.dtype()));
    }
    let make = Make::of(cx);
    let values = scan(make, &x, axis, monoid, x.dtype());
    let places = {
        let here = make.row("equal", &[t(&x), t(&values)])?;
        let here = make.row("logical_or", &[t(&here), t(&make.row("isnan", &[t(&x)])?)])?;
        let position = make.count_along(x.shape(), axis)?;
        let marks = make.row("where", &[t(&here), t(&position), int(0)])?;
        scan(make, &marks, axis, Monoid::Max, DType::I64)
    };
    Ok(Value::tuple(vec![cx.give(values), cx.give(places)]))
}

fn cummax(cx: &mut Cx, args: &Args) -> Out {
    running_extreme(cx, args, Monoid::Max)
}

fn cummin(cx: &mut Cx, args: &Args) -> Out {
    running_extreme(cx, args, Monoid::Min)
}

/// `x` without its first (or last) positions along an axis.
fn cut(x: &Tensor, axis: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Result<Tensor, Diag> {
    let layout = x.view.layout.slice(axis, start, stop, Some(step)).map_err(|f| f.diag())?;
    Ok(x.viewed(layout))
}

fn differences(make: Make, x: &Tensor, axis: usize) -> Result<Tensor, Diag> {
    let (later, earlier) = (cut(x, axis, Some(1), None, 1)?, cut(x, axis, None, Some(-1), 1)?);
    let row = if x.dtype() == DType::Bool { "not_equal" } else { "subtract" };
    make.row(row, &[t(&later), t(&earlier)])
}

fn diff(cx: &mut Cx, args: &Args) -> Out {
    let mut x = args.tensor(cx, 0)?;
    let n = args.count(cx, 1)?;
    if x.ndim() == 0 {
        return Err(args.fault(0, "E0201", "`diff` needs at least one axis"));
    }
    let axis = args.axis(cx, 2, x.ndim())?;
    let make = Make::of(cx);
    let mut parts = Vec::new();
    for i in [3, 0, 4] {
        let part = if i == 0 { Some(x.clone()) } else { args.opt_tensor(cx, i)? };
        let Some(mut part) = part else { continue };
        if part.ndim() == 0 {
            let mut shape = x.shape().to_vec();
            shape[axis] = 1;
            part = part.viewed(part.view.layout.broadcast_to(&shape).map_err(|f| f.diag())?);
        }
        parts.push(part);
    }
    if parts.len() > 1 {
        let dtype = parts.iter().map(Tensor::dtype).reduce(crate::tensor::promote).unwrap_or(x.dtype());
        let operands: Vec<_> = parts.iter().map(Tensor::operand).collect();
        x = Tensor::of(build::concat(&operands, axis, dtype, cx.span)?);
    }
    let mut out = x;
    for _ in 0..n.min(out.shape()[axis] + 1) {
        out = differences(make, &out, axis)?;
        // Bounds what is pending.
        cx.host.made(&out.cell.version());
    }
    Ok(cx.give(out))
}

fn ediff1d(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let make = Make::of(cx);
    let middle = differences(make, &make.flat(&x)?, 0)?;
    let mut parts = Vec::new();
    for (i, part) in [(2, None), (0, Some(middle)), (1, None)] {
        let part = if i == 0 { part } else { args.opt_tensor(cx, i)? };
        if let Some(part) = part {
            parts.push(make.cast(&make.flat(&part)?, x.dtype())?.operand());
        }
    }
    let out = build::concat(&parts, 0, x.dtype(), cx.span)?;
    drop(parts);
    Ok(cx.fresh(out))
}

/// The spacing of samples along an axis, in a shape that broadcasts: None for plain steps.
fn spacing(cx: &mut Cx, args: &Args, i: usize, y: &Tensor, axis: usize) -> Result<Option<Tensor>, Diag> {
    let Some(x) = args.opt_tensor(cx, i)? else { return Ok(None) };
    let make = Make::of(cx);
    if x.ndim() != 1 {
        return Ok(Some(differences(make, &x, axis)?));
    }
    let steps = differences(make, &x, 0)?;
    let mut shape = vec![1; y.ndim()];
    shape[axis] = steps.size();
    Ok(Some(make.reshape(&steps, &shape)?))
}

fn trapezoid(cx: &mut Cx, args: &Args) -> Out {
    let y = args.tensor(cx, 0)?;
    if y.ndim() == 0 {
        return Err(args.fault(0, "E0201", "`trapezoid` needs at least one axis"));
    }
    let axis = args.axis(cx, 3, y.ndim())?;
    let dx = args.float(cx, 2)?;
    let steps = spacing(cx, args, 1, &y, axis)?;
    let make = Make::of(cx);
    let out = {
        let (acc, dtype) = mean_dtypes(make, y.dtype());
        let y = make.cast(&y, acc)?;
        let pairs = make.row("add", &[t(&cut(&y, axis, Some(1), None, 1)?), t(&cut(&y, axis, None, Some(-1), 1)?)])?;
        let step = match &steps {
            Some(steps) => t(&make.cast(steps, acc)?),
            None => num(dx),
        };
        let areas = make.row("multiply", &[t(&pairs), step])?;
        let total = make.sum(&areas, &[axis], false)?;
        make.cast(&make.row("divide", &[t(&total), num(2.0)])?, dtype)?
    };
    Ok(cx.give(out))
}

/// Slopes along one axis for samples a step `h` apart.
fn slopes(make: Make, x: &Tensor, axis: usize, h: f64, second_order: bool) -> Result<Tensor, Diag> {
    let at = |start: i64, stop: Option<i64>| cut(x, axis, Some(start), stop, 1);
    let slope =
        |a: &Tensor, b: &Tensor, h: f64| make.row("divide", &[t(&make.row("subtract", &[t(a), t(b)])?), num(h)]);
    let n = x.shape()[axis] as i64;
    let middle = slope(&at(2, None)?, &at(0, Some(n - 2))?, 2.0 * h)?;
    let ends = if second_order {
        // One-sided parabolas through the three outermost samples.
        let weighted = |a: &Tensor, b: &Tensor, c: &Tensor, sign: f64| -> Result<Tensor, Diag> {
            let a = make.row("multiply", &[t(a), num(-1.5 * sign / h)])?;
            let b = make.row("multiply", &[t(b), num(2.0 * sign / h)])?;
            let c = make.row("multiply", &[t(c), num(-0.5 * sign / h)])?;
            make.row("add", &[t(&make.row("add", &[t(&a), t(&b)])?), t(&c)])
        };
        let first = weighted(&at(0, Some(1))?, &at(1, Some(2))?, &at(2, Some(3))?, 1.0)?;
        let last = weighted(&at(n - 1, None)?, &at(n - 2, Some(n - 1))?, &at(n - 3, Some(n - 2))?, -1.0)?;
        (first, last)
    } else {
        (slope(&at(1, Some(2))?, &at(0, Some(1))?, h)?, slope(&at(n - 1, None)?, &at(n - 2, Some(n - 1))?, h)?)
    };
    join(make, axis, &[&ends.0, &middle, &ends.1])
}

/// As `slopes`, for samples at the coordinates `at`.
fn uneven_slopes(make: Make, x: &Tensor, axis: usize, at: &[f64]) -> Result<Tensor, Diag> {
    let n = at.len();
    let part = |start: usize, stop: usize| cut(x, axis, Some(start as i64), Some(stop as i64), 1);
    let mut shape = vec![1; x.ndim()];
    let mut weights = |f: &dyn Fn(f64, f64) -> f64| -> Result<Tensor, Diag> {
        let values: Vec<f64> = at.windows(3).map(|w| f(w[1] - w[0], w[2] - w[1])).collect();
        shape[axis] = values.len();
        super::make::leaf_float(&values, x.dtype(), &shape)
    };
    let a = weights(&|h, k| -k / (h * (h + k)))?;
    let b = weights(&|h, k| (k - h) / (h * k))?;
    let c = weights(&|h, k| h / (k * (h + k)))?;
    let scaled = |x: &Tensor, w: &Tensor| make.row("multiply", &[t(x), t(w)]);
    let (a, b, c) = (scaled(&part(0, n - 2)?, &a)?, scaled(&part(1, n - 1)?, &b)?, scaled(&part(2, n)?, &c)?);
    let middle = make.row("add", &[t(&make.row("add", &[t(&a), t(&b)])?), t(&c)])?;
    let slope = |i: usize| -> Result<Tensor, Diag> {
        let rise = make.row("subtract", &[t(&part(i + 1, i + 2)?), t(&part(i, i + 1)?)])?;
        make.row("divide", &[t(&rise), num(at[i + 1] - at[i])])
    };
    join(make, axis, &[&slope(0)?, &middle, &slope(n - 2)?])
}

fn join(make: Make, axis: usize, parts: &[&Tensor]) -> Result<Tensor, Diag> {
    let operands: Vec<_> = parts.iter().map(|p| p.operand()).collect();
    let dtype = parts.first().map_or(make.float, |p| p.dtype());
    Ok(Tensor::of(build::concat(&operands, axis, dtype, make.span)?))
}

fn gradient(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let axes: Vec<usize> = match args.opt_ints(cx, 1)? {
        Some(list) => crate::tensor::axes(&list, x.ndim()).map_err(|f| f.diag())?.to_vec(),
        None => (0..x.ndim()).collect(),
    };
    let order = args.int(cx, 2)?;
    if !(1..=2).contains(&order) {
        return Err(args.fault(2, "E0120", "`edge_order` is 1 or 2"));
    }
    if args.rest.len() > 1 && args.rest.len() != axes.len() {
        return Err(Diag::new("E0105", "one spacing for all axes, or one for each").at(cx.span));
    }
    let make = Make::of(cx);
    let (acc, dtype) = mean_dtypes(make, x.dtype());
    let x = make.cast(&x, acc)?;
    let mut out = Vec::new();
    for (i, &axis) in axes.iter().enumerate() {
        let n = x.shape()[axis];
        if n < order as usize + 1 {
            let fault = LayoutFault::WindowSize { axis, size: order as usize + 1, extent: n };
            return Err(fault.diag().at(args.span(0)));
        }
        let given = args.rest.get(if args.rest.len() == 1 { 0 } else { i });
        let slopes = match given {
            None => slopes(make, &x, axis, 1.0, order == 2)?,
            Some(arg) => match convert::float(cx, &arg.value, arg.span)? {
                Some(h) => slopes(make, &x, axis, h, order == 2)?,
                None => {
                    let at = convert::tensor(cx, &arg.value, arg.span)?;
                    let at = cx.f64s(&at)?;
                    if at.len() != n {
                        let message = format!("{} coordinates for axis {axis} of extent {n}", at.len());
                        return Err(Diag::new("E0202", message).at(arg.span));
                    }
                    uneven_slopes(make, &x, axis, &at)?
                }
            },
        };
        let slopes = make.cast(&slopes, dtype)?;
        out.push(cx.give(slopes));
    }
    Ok(if out.len() == 1 { out.remove(0) } else { Value::tuple(out) })
}

pub static ROWS: [Func; 8] = [
    Func::new("cumsum", cumsum, Group::Scan)
        .alias(&["cumulative_sum"])
        .help(
            "cumsum(x, axis=None, dtype=None)",
            "The running sum along an axis, of the flat tensor without one. Integers widen to 64 bits.",
            &["cumsum(array([1, 2, 3]))", "cumsum(ones((2, 3)), axis=1)"],
        )
        .gives(
            "The shape of x, flat without an axis; integers and bools widen to 64 bits, or the dtype \
            given.",
        )
        .like("np.cumsum", "torch.cumsum")
        .see(&["sum", "cumprod", "diff"]),
    Func::new("cumprod", cumprod, Group::Scan)
        .alias(&["cumulative_prod"])
        .help(
            "cumprod(x, axis=None, dtype=None)",
            "The running product along an axis, of the flat tensor without one.",
            &["cumprod(array([1, 2, 3]))"],
        )
        .gives(
            "The shape of x, flat without an axis; integers and bools widen to 64 bits, or the dtype \
            given.",
        )
        .like("np.cumprod", "torch.cumprod")
        .see(&["prod", "cumsum"]),
    Func::new("cummax", cummax, Group::Scan)
        .help(
            "cummax(x, axis=None)",
            "The running maximum along an axis, and the position of the last element that has it.",
            &["values, places = cummax(array([1, 3, 2, 3]))\nvalues\nplaces"],
        )
        .gives(
            "A tuple of two of the shape of x, flat without an axis: values in its dtype, positions \
            in i64.",
        )
        .like("np.maximum.accumulate", "torch.cummax")
        .see(&["max", "cummin"]),
    Func::new("cummin", cummin, Group::Scan)
        .help(
            "cummin(x, axis=None)",
            "The running minimum along an axis, and the position of the last element that has it.",
            &["cummin(array([3, 1, 2]))"],
        )
        .gives(
            "A tuple of two of the shape of x, flat without an axis: values in its dtype, positions \
            in i64.",
        )
        .like("np.minimum.accumulate", "torch.cummin")
        .see(&["min", "cummax"]),
    Func::new("diff", diff, Group::Scan)
        .help(
            "diff(x, n=1, axis=-1, prepend=None, append=None)",
            "Differences of neighbours along an axis, n times over. Of bools: whether they differ.",
            &["diff(array([1, 4, 9, 16]))", "diff(array([1, 4, 9]), n=2)"],
        )
        .gives("n shorter along the axis; dtype of x.")
        .like("np.diff", "torch.diff")
        .see(&["cumsum", "gradient", "ediff1d"]),
    Func::new("ediff1d", ediff1d, Group::Scan)
        .help(
            "ediff1d(x, to_end=None, to_begin=None)",
            "Differences of neighbours of the flat tensor, with values put before and behind.",
            &["ediff1d(array([1, 4, 9]), to_begin=0)"],
        )
        .gives("One axis; dtype of x.")
        .like("np.ediff1d", "")
        .see(&["diff"]),
    Func::new("trapezoid", trapezoid, Group::Scan)
        .alias(&["trapz"])
        .help(
            "trapezoid(y, x=None, dx=1.0, axis=-1)",
            "The integral of samples along an axis by the trapezoidal rule, at the places x or dx apart.",
            &["trapezoid(array([1.0, 2.0, 3.0]))", "trapezoid(array([0.0, 1.0]), x=array([0.0, 4.0]))"],
        )
        .gives("The extents without the axis; floats keep their dtype, integers give the default float.")
        .like("np.trapezoid", "torch.trapezoid")
        .see(&["cumsum", "gradient"]),
    Func::new("gradient", gradient, Group::Scan)
        .help(
            "gradient(x, *spacing, axis=None, edge_order=1)",
            "Slopes of samples along each axis: central differences inside, one-sided ones at the \
             ends. Spacings are \
             steps or coordinates.",
            &["gradient(array([1.0, 4.0, 9.0, 16.0]))", "gradient(array([0.0, 1.0, 4.0]), 0.5)"],
        )
        .gives(
            "The shape of x, a list of them for several axes; floats keep their dtype, integers give \
            the default float.",
        )
        .like("np.gradient", "torch.gradient")
        .see(&["diff"]),
];
