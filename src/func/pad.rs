//! Padding: the middle and the borders are parts of one result.

use super::make::{Make, leaf_i64};
use super::{Args, Cx, Func, convert};
use crate::base::{Diag, Span};
use crate::op::Group;
use crate::plan::{Operand, Tensor, build};
use crate::tensor::{Layout, Scalar};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// One pair for each axis: a number, a pair, or a list of pairs, as NumPy reads them.
fn pairs(cx: &mut Cx, value: &Value, span: Span, ndim: usize) -> Result<Option<Vec<(Value, Value)>>, Diag> {
    let items = |cx: &mut Cx, v: &Value| match v {
        Value::List(_) | Value::Tuple(_) => cx.host.elements(v, span).map(Some),
        Value::Tensor(x) if x.ndim() > 0 => cx.host.elements(v, span).map(Some),
        _ => Ok(None),
    };
    let Some(list) = items(cx, value)? else {
        return Ok(Some(vec![(value.clone(), value.clone()); ndim]));
    };
    let mut out = Vec::new();
    for item in &list {
        match items(cx, item)? {
            Some(pair) => match pair.as_slice() {
                [one] => out.push((one.clone(), one.clone())),
                [before, after] => out.push((before.clone(), after.clone())),
                _ => return Ok(None),
            },
            // A flat list is one pair for all axes, or one number.
            None => match list.as_slice() {
                [one] => return Ok(Some(vec![(one.clone(), one.clone()); ndim])),
                [before, after] => return Ok(Some(vec![(before.clone(), after.clone()); ndim])),
                _ => return Ok(None),
            },
        }
    }
    Ok(match out.as_slice() {
        [one] => Some(vec![one.clone(); ndim]),
        many if many.len() == ndim => Some(out),
        _ => None,
    })
}

fn widths(cx: &mut Cx, args: &Args, ndim: usize) -> Result<Vec<(usize, usize)>, Diag> {
    let wrong = || args.wrong(1, "a number, a pair, or a pair for each axis");
    let given = pairs(cx, args.value(1), args.span(1), ndim)?.ok_or_else(wrong)?;
    let mut one = |v: &Value| {
        let n = convert::int(cx, v, args.span(1))?.ok_or_else(wrong)?;
        usize::try_from(n).map_err(|_| args.fault(1, "E0206", format!("a width cannot be negative: {n}")))
    };
    given.iter().map(|(a, b)| Ok((one(a)?, one(b)?))).collect()
}

fn pad(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let widths = widths(cx, args, x.ndim())?;
    let mode = args.str(2)?;
    let shape: Vec<usize> =
        x.shape().iter().zip(&widths).map(|(n, (a, b))| n.saturating_add(*a).saturating_add(*b)).collect();
    build::checked_shape(&shape, x.dtype())?;
    let out = match &*mode {
        "constant" => constant(cx, args, &x, &widths, &shape)?,
        "edge" | "reflect" | "symmetric" | "wrap" => {
            let mut out = x;
            for (axis, &(before, after)) in widths.iter().enumerate() {
                out = along(cx, args, &out, axis, before, after, &mode)?;
            }
            out
        }
        "empty" => constant_with(cx, &x, &widths, &shape, &[])?,
        _ => {
            let modes = "constant, edge, reflect, symmetric, wrap";
            return Err(args.fault(2, "E0120", format!("no mode {mode:?}")).hint(modes));
        }
    };
    Ok(cx.give(out))
}

/// The values of the borders, axis by axis; the later axes fill the corners, as in NumPy.
fn constant(cx: &mut Cx, args: &Args, x: &Tensor, widths: &[(usize, usize)], shape: &[usize]) -> Result<Tensor, Diag> {
    let wrong = || args.wrong(3, "a number, a pair, or a pair for each axis");
    let given = pairs(cx, args.value(3), args.span(3), x.ndim())?.ok_or_else(wrong)?;
    let mut values = Vec::new();
    for (before, after) in &given {
        let mut one = |v: &Value| -> Result<Scalar, Diag> {
            // `array` knows which numbers fit.
            let dtype = x.dtype();
            let value = match (convert::scalar(v), dtype.is_int()) {
                (Some(Scalar::Float(f)), true) => Value::Int(f as i64),
                _ => v.clone(),
            };
            let t = convert::array(cx, &value, Some(dtype), args.span(3))?;
            convert::element(cx, &t, args.span(3))
        };
        values.push((one(before)?, one(after)?));
    }
    constant_with(cx, x, widths, shape, &values)
}

fn constant_with(
    cx: &mut Cx,
    x: &Tensor,
    widths: &[(usize, usize)],
    shape: &[usize],
    values: &[(Scalar, Scalar)],
) -> Result<Tensor, Diag> {
    let make = Make::of(cx);
    let all = build::checked_shape(shape, x.dtype())?;
    let mut parts: Vec<(Layout, Operand)> = Vec::new();
    let mut middle = all.clone();
    let first = values.first().map_or(Scalar::Int(0), |v| v.0);
    let one_value = values.iter().all(|(a, b)| *a == first && *b == first);
    if one_value {
        parts.push((all.clone(), make.fill(shape, x.dtype(), first)?.operand()));
    }
    for (axis, &(before, after)) in widths.iter().enumerate() {
        let extent = shape[axis];
        if !one_value {
            // Everything along this axis; inner axes overwrite their own borders, the middle comes last.
            let (low, high) = values[axis];
            for (start, length, value) in [(0, before, low), (extent - after, after, high)] {
                let place = all.narrow(axis as i64, start as i64, length as i64).map_err(|f| f.diag())?;
                let fill = make.fill(&place.shape, x.dtype(), value)?.operand();
                parts.push((place, fill));
            }
        }
        let length = (extent - before - after) as i64;
        middle = middle.narrow(axis as i64, before as i64, length).map_err(|f| f.diag())?;
    }
    parts.push((middle, x.operand()));
    Ok(Tensor::of(build::assemble("pad", shape, x.dtype(), parts, cx.span)?))
}

/// The position within an axis of extent `n` that stands at `i` of the padded axis (counted from the first element).
fn source(i: i64, n: i64, mode: &str) -> i64 {
    match mode {
        "edge" => i.clamp(0, n - 1),
        "wrap" => i.rem_euclid(n),
        // Mirrors with and without the outermost element doubled.
        "symmetric" => {
            let at = i.rem_euclid(2 * n);
            if at < n { at } else { 2 * n - 1 - at }
        }
        _ if n == 1 => 0,
        _ => {
            let at = i.rem_euclid(2 * n - 2);
            if at < n { at } else { 2 * n - 2 - at }
        }
    }
}

/// Borders of more views than this are gathered at once.
const MOST_PARTS: usize = 64;

/// Positions from `start` on that walk the axis with one stride: the stride and how many there are.
fn run(start: i64, total: i64, source: impl Fn(i64) -> i64) -> (i64, i64) {
    let (mut step, mut length) = (0, 1);
    while start + length < total {
        let gap = source(start + length) - source(start + length - 1);
        if length == 1 {
            step = gap;
        } else if gap != step {
            break;
        }
        length += 1;
    }
    (step, length)
}

fn along(
    cx: &mut Cx,
    args: &Args,
    x: &Tensor,
    axis: usize,
    before: usize,
    after: usize,
    mode: &str,
) -> Result<Tensor, Diag> {
    if before == 0 && after == 0 {
        return Make::of(cx).fresh(x, None, "pad");
    }
    let n = x.shape()[axis];
    if n == 0 {
        let message = format!("axis {axis} is empty: there is nothing to pad it from");
        return Err(args.fault(0, "E0206", message).hint("mode=\"constant\" needs no elements"));
    }
    let (n, before, after) = (n as i64, before as i64, after as i64);
    let mut shape = x.shape().to_vec();
    shape[axis] = (n + before + after) as usize;
    let all = build::checked_shape(&shape, x.dtype())?;
    let total = n + before + after;
    cx.room(total as usize)?;
    let mut parts = Vec::new();
    let operand = x.operand();
    let mut start = 0i64;
    while start < total {
        if parts.len() == MOST_PARTS {
            let positions: Vec<i64> = (0..total).map(|i| source(i - before, n, mode)).collect();
            return Make::of(cx).take(x, axis, &leaf_i64(&positions)?);
        }
        let (step, length) = run(start, total, |i| source(i - before, n, mode));
        let place = all.narrow(axis as i64, start, length).map_err(|f| f.diag())?;
        let mut from = x.view.layout.clone();
        from.offset += source(start - before, n, mode) as isize * from.strides[axis];
        from.shape[axis] = length as usize;
        from.strides[axis] *= step as isize;
        parts.push((place, operand.with_layout(from)));
        start += length;
    }
    Ok(Tensor::of(build::assemble("pad", &shape, x.dtype(), parts, cx.span)?))
}

pub static ROWS: [Func; 1] = [Func::new("pad", pad, Group::Join)
    .help(
        "pad(x, pad_width, mode=\"constant\", constant_values=0)",
        "Wider at the ends: one width, a pair, or a pair for each axis. Modes: constant, edge (the outermost \
             element again), reflect and symmetric (mirrored without and with it), wrap.",
        &[
            "pad(arange(3), 1)",
            "pad(arange(3), (2, 1), mode=\"edge\")",
            "pad(ones((2, 2)), ((1, 0), (0, 1)), constant_values=9)",
        ],
    )
    .gives("The extents plus both widths; dtype of x.")
    .like("np.pad", "torch.nn.functional.pad")
    .see(&["roll", "concat"])];
