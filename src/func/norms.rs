//! Norms of vectors and matrices, and the logarithm of a sum of exponentials.

use super::make::{Make, num, t};
use super::reduce::{Along, extreme, mean_dtypes};
use super::{Args, Cx, Func, convert};
use crate::base::Diag;
use crate::op::{Group, Monoid};
use crate::plan::Tensor;
use crate::tensor::DType;
use crate::value::{Spanned, Value};

type Out = Result<Value, Diag>;

/// Which norm: a number, or the name of a matrix norm.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Default,
    Power(f64),
    Frobenius,
    Nuclear,
}

fn order(cx: &mut Cx, args: &Args, i: usize) -> Result<Order, Diag> {
    match args.value(i) {
        Value::None => Ok(Order::Default),
        Value::Str(s) => match &**s {
            "fro" => Ok(Order::Frobenius),
            "nuc" => Ok(Order::Nuclear),
            _ => Err(args.fault(i, "E0120", "`ord` is a number, \"fro\" or \"nuc\"")),
        },
        _ => args.float(cx, i).map(Order::Power),
    }
}

fn norm(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let order = order(cx, args, 1)?;
    let axes: Vec<usize> = match args.opt_ints(cx, 2)? {
        Some(list) => crate::tensor::axes(&list, x.ndim()).map_err(|f| f.diag().at(args.span(2)))?.to_vec(),
        None => (0..x.ndim()).collect(),
    };
    norm_along(cx, args, x, order, &axes, args.is_none(2), 3)
}

fn vector_norm(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 3)?;
    let order = match order(cx, args, 2)? {
        Order::Power(p) => p,
        _ => 2.0,
    };
    let out = norm_of_vectors(Make::of(cx), &along, order)?;
    Ok(cx.give(out))
}

fn matrix_norm(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.ndim() < 2 {
        return Err(args.fault(0, "E0201", "`matrix_norm` needs two axes"));
    }
    let order = match order(cx, args, 1)? {
        Order::Default => Order::Frobenius,
        other => other,
    };
    let axes = [x.ndim() - 2, x.ndim() - 1];
    norm_along(cx, args, x, order, &axes, false, 2)
}

fn norm_along(cx: &mut Cx, args: &Args, x: Tensor, order: Order, axes: &[usize], whole: bool, keepdims: usize) -> Out {
    let keepdims = args.bool(cx, keepdims)?;
    let make = Make::of(cx);
    let mut sorted = axes.to_vec();
    sorted.sort_unstable();
    let along = Along { x, axes: sorted, keepdims };
    let out = match (order, axes.len()) {
        // Without axes the 2-norm of all elements, whatever the shape.
        (Order::Default, 1 | 2) => norm_of_vectors(make, &along, 2.0)?,
        (Order::Default, _) if whole => norm_of_vectors(make, &along, 2.0)?,
        (Order::Frobenius, 2) => norm_of_vectors(make, &along, 2.0)?,
        (Order::Power(p), 1) => norm_of_vectors(make, &along, p)?,
        (Order::Power(p), 2) if p.abs() == 1.0 || p.is_infinite() => sums_norm(make, &along, axes, p)?,
        (Order::Power(p), 2) if p.abs() == 2.0 => return spectral(cx, args, &along, axes, Some(p)),
        (Order::Nuclear, 2) => return spectral(cx, args, &along, axes, None),
        (Order::Power(_), 2) => {
            return Err(args.fault(1, "E0120", "a matrix norm has ord 1, -1, 2, -2, inf, -inf, \"fro\" or \"nuc\""));
        }
        (_, n) => {
            return Err(args.fault(0, "E0201", format!("no such norm over {n} axes")).hint("name one axis or two"));
        }
    };
    drop(along);
    Ok(cx.give(out))
}

/// |x| in the dtype that sums are formed in.
fn sizes(make: Make, x: &Tensor) -> Result<Tensor, Diag> {
    let (acc, _) = mean_dtypes(make, x.dtype());
    make.row("abs", &[t(&make.cast(x, acc)?)])
}

fn norm_dtype(make: Make, x: &Tensor) -> DType {
    mean_dtypes(make, x.dtype()).1.real()
}

fn norm_of_vectors(make: Make, along: &Along, p: f64) -> Result<Tensor, Diag> {
    let dtype = norm_dtype(make, &along.x);
    let sizes = sizes(make, &along.x)?;
    let sum = |x: &Tensor| make.sum(x, &along.axes, along.keepdims);
    let out = if p.is_infinite() {
        let monoid = if p > 0.0 { Monoid::Max } else { Monoid::Min };
        if p > 0.0 && along.count() == 0 {
            make.fill(
                &super::make::without(along.x.shape(), &along.axes, along.keepdims),
                dtype,
                crate::tensor::Scalar::Float(0.0),
            )?
        } else {
            make.reduce(&sizes, &along.axes, along.keepdims, monoid, sizes.dtype())?
        }
    } else if p == 0.0 {
        let here = make.cast(&sizes, DType::Bool)?;
        make.reduce(&here, &along.axes, along.keepdims, Monoid::Sum, DType::I64)?
    } else if p == 1.0 {
        sum(&sizes)?
    } else if p == 2.0 {
        make.row("sqrt", &[t(&sum(&make.row("square", &[t(&sizes)])?)?)])?
    } else {
        let powers = make.row("power", &[t(&sizes), num(p)])?;
        make.row("power", &[t(&sum(&powers)?), num(1.0 / p)])?
    };
    make.cast(&out, dtype)
}

/// The largest or smallest sum over rows or columns.
fn sums_norm(make: Make, along: &Along, axes: &[usize], p: f64) -> Result<Tensor, Diag> {
    let (inner, outer) = if p.is_infinite() { (axes[1], axes[0]) } else { (axes[0], axes[1]) };
    let sums = make.sum(&sizes(make, &along.x)?, &[inner], true)?;
    let monoid = if p > 0.0 { Monoid::Max } else { Monoid::Min };
    let both = Along { x: sums, axes: vec![outer], keepdims: true };
    let out = make.cast(&extreme(make, &both, monoid)?, norm_dtype(make, &along.x))?;
    if along.keepdims {
        return Ok(out);
    }
    let drop: Vec<i64> = along.axes.iter().map(|&a| a as i64).collect();
    let mut dropped = out.clone();
    dropped.view.layout = out.view.layout.squeeze(Some(&drop)).map_err(|f| f.diag())?;
    Ok(dropped)
}

/// The largest (2), the smallest (-2) or the sum (None) of the singular values.
fn spectral(cx: &mut Cx, args: &Args, along: &Along, axes: &[usize], p: Option<f64>) -> Out {
    let order = [axes[0] as i64, axes[1] as i64];
    let layout = along.x.view.layout.moveaxis(&order, &[-2, -1]).map_err(|f| f.diag())?;
    let matrices = Value::tensor(along.x.viewed(layout));
    let values = cx.call_named("svdvals", vec![Spanned { value: matrices, span: args.span(0) }])?;
    let values = convert::tensor(cx, &values, args.span(0))?;
    let make = Make::of(cx);
    let last = [values.ndim() - 1];
    let mut out = match p {
        None => make.reduce(&values, &last, false, Monoid::Sum, values.dtype())?,
        Some(p) => {
            let monoid = if p > 0.0 { Monoid::Max } else { Monoid::Min };
            extreme(make, &Along { x: values, axes: last.to_vec(), keepdims: false }, monoid)?
        }
    };
    if along.keepdims {
        for &axis in &along.axes {
            out.view.layout = out.view.layout.newaxis(axis);
        }
    }
    Ok(cx.give(out))
}

fn logsumexp(cx: &mut Cx, args: &Args) -> Out {
    let along = Along::of(cx, args, 2)?;
    along.nonempty(args)?;
    let out = logsumexp_of(Make::of(cx), &along)?;
    Ok(cx.give(out))
}

/// Exponents are taken of what is left below the maximum, so that nothing overflows.
fn logsumexp_of(make: Make, along: &Along) -> Result<Tensor, Diag> {
    let (acc, dtype) = mean_dtypes(make, along.x.dtype());
    let x = make.cast(&along.x, if along.x.dtype().is_complex() { acc } else { acc.lane() })?;
    let high = extreme(make, &Along { x: x.clone(), axes: along.axes.clone(), keepdims: true }, Monoid::Max)?;
    // An infinite maximum would leave inf - inf.
    let finite = make.row("isfinite", &[t(&high)])?;
    let base = make.row("where", &[t(&finite), t(&high), num(0.0)])?;
    let powers = make.row("exp", &[t(&make.row("subtract", &[t(&x), t(&base)])?)])?;
    let total = make.row("log", &[t(&make.sum(&powers, &along.axes, true)?)])?;
    let mut out = make.cast(&make.row("add", &[t(&total), t(&base)])?, dtype)?;
    if !along.keepdims {
        let drop: Vec<i64> = along.axes.iter().map(|&a| a as i64).collect();
        out.view.layout = out.view.layout.squeeze(Some(&drop)).map_err(|f| f.diag())?;
    }
    Ok(out)
}

pub static ROWS: [Func; 4] = [
    Func::new("norm", norm, Group::Linalg)
        .help(
            "norm(x, ord=None, axis=None, keepdims=False)",
            "The norm of vectors (one axis) or matrices (two axes). Without ord the root of the sum \
             of squares; \
             vectors take 0, 1, 2, inf, -inf and any power, matrices 1, -1, 2, -2, inf, -inf, \"fro\" and \"nuc\".",
            &["norm(array([3.0, 4.0]))", "norm(array([[1.0, 2.0], [3.0, 4.0]]), 1)"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); the real float dtype of x, of \
            integers the default float.",
        )
        .like("np.linalg.norm", "torch.linalg.norm")
        .see(&["abs", "vector_norm", "matrix_norm"]),
    Func::new("vector_norm", vector_norm, Group::Linalg)
        .help(
            "vector_norm(x, axis=None, ord=2, keepdims=False)",
            "The norm of all elements, or along axes, taken as vectors.",
            &["vector_norm(array([[3.0, 4.0], [6.0, 8.0]]), axis=1)"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); the real float dtype of x, of \
            integers the default float.",
        )
        .like("np.linalg.vector_norm", "torch.linalg.vector_norm")
        .see(&["norm"]),
    Func::new("matrix_norm", matrix_norm, Group::Linalg)
        .help(
            "matrix_norm(x, ord=\"fro\", keepdims=False)",
            "The norm of the matrices of the last two axes.",
            &["matrix_norm(array([[3.0, 0.0], [0.0, 4.0]]))"],
        )
        .gives("[..., n, m] gives [...], or [..., 1, 1] with keepdims; the real float dtype of x.")
        .like("np.linalg.matrix_norm", "torch.linalg.matrix_norm")
        .see(&["norm", "svdvals"]),
    Func::new("logsumexp", logsumexp, Group::Reduce)
        .help(
            "logsumexp(x, axis=None, keepdims=False)",
            "log(sum(exp(x))) along axes, without overflow.",
            &["logsumexp(array([1000.0, 1000.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("np.logaddexp.reduce", "torch.logsumexp")
        .see(&["softmax", "logaddexp"]),
];
