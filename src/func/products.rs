//! Products of vectors, matrices and tensors.

use super::einsum;
use super::make::{Make, t};
use super::{Args, Cx, Func};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::{Tensor, build};
use crate::tensor::axes;
use crate::value::Value;

type Out = Result<Value, Diag>;

/// Adds what both operands are.
fn both(args: &Args, diag: Diag, x: &Tensor, y: &Tensor) -> Diag {
    if diag.labels.is_empty() {
        return diag.label(args.span(0), x.describe()).label(args.span(1), y.describe());
    }
    diag
}

fn matmul(cx: &mut Cx, args: &Args) -> Out {
    let (x, y) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let out = build::matmul(&x.operand(), &y.operand(), cx.span).map_err(|d| both(args, d, &x, &y))?;
    Ok(cx.give(out))
}

/// As NumPy: scalars multiply, vectors and matrices as `@`, else the last axis with the second to last.
fn dot(cx: &mut Cx, args: &Args) -> Out {
    let (x, y) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let make = Make::of(cx);
    let out = if x.ndim() == 0 || y.ndim() == 0 {
        make.row("multiply", &[t(&x), t(&y)])
    } else {
        let j = if y.ndim() == 1 { 0 } else { y.ndim() - 2 };
        einsum::tensordot(make, &x, &y, &[x.ndim() - 1], &[j])
    };
    let out = out.map_err(|d| both(args, d, &x, &y))?;
    Ok(cx.give(out))
}

fn inner(cx: &mut Cx, args: &Args) -> Out {
    let (x, y) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let make = Make::of(cx);
    let out = if x.ndim() == 0 || y.ndim() == 0 {
        make.row("multiply", &[t(&x), t(&y)])
    } else {
        einsum::tensordot(make, &x, &y, &[x.ndim() - 1], &[y.ndim() - 1])
    };
    let out = out.map_err(|d| both(args, d, &x, &y))?;
    Ok(cx.give(out))
}

fn tensordot(cx: &mut Cx, args: &Args) -> Out {
    let (x, y) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let (ax, ay) = summed_axes(cx, args, &x, &y)?;
    let out = einsum::tensordot(Make::of(cx), &x, &y, &ax, &ay).map_err(|d| both(args, d, &x, &y))?;
    Ok(cx.give(out))
}

/// A number n: the last n of x with the first n of y. A pair: the axes of each.
fn summed_axes(cx: &mut Cx, args: &Args, x: &Tensor, y: &Tensor) -> Result<(Vec<usize>, Vec<usize>), Diag> {
    let pair = match args.value(2) {
        Value::List(list) => Some(list.to_vec()),
        Value::Tuple(items) => Some(items.to_vec()),
        _ => None,
    };
    let Some(pair) = pair else {
        let n = args.count(cx, 2)?;
        if n > x.ndim() || n > y.ndim() {
            return Err(args.fault(2, "E0201", format!("{n} axes are more than an operand has")));
        }
        return Ok(((x.ndim() - n..x.ndim()).collect(), (0..n).collect()));
    };
    let [first, second] = pair.as_slice() else {
        return Err(args.wrong(2, "a number or a pair of axis lists"));
    };
    let span = args.span(2);
    let mut list = |value: &Value, ndim: usize| -> Result<Vec<usize>, Diag> {
        let given = super::convert::ints(cx, value, span)?.ok_or_else(|| args.wrong(2, "a pair of axis lists"))?;
        axes(&given, ndim).map(|a| a.to_vec()).map_err(|f| f.diag().at(span))
    };
    let (ax, ay) = (list(first, x.ndim())?, list(second, y.ndim())?);
    if ax.len() != ay.len() {
        return Err(args.fault(2, "E0202", format!("{} axes against {}", ax.len(), ay.len())));
    }
    Ok((ax, ay))
}

fn einsum_row(cx: &mut Cx, args: &Args) -> Out {
    let pattern = args.str(0)?;
    let xs = args.rest_tensors(cx)?;
    let out = einsum::einsum(Make::of(cx), &pattern, xs)
        .map_err(|d| if d.labels.is_empty() { d.label(args.span(0), "") } else { d })?;
    Ok(cx.give(out))
}

pub static ROWS: [Func; 5] = [
    Func::new("matmul", matmul, Group::Linalg)
        .help(
            "matmul(x, y)",
            "The matrix product x @ y over the last two axes, batched over the leading ones, which \
             broadcast. A vector is a row at the left and a column at the right. Any strides are read in place.",
            &["matmul(arange(6).reshape(2, 3), ones((3, 2), dtype=i64))", "ones(4, 2, 3) @ ones(3, 5) |> shape"],
        )
        .gives(
            "[..., n, k] @ [..., k, m] gives [..., n, m], leading axes broadcast, the axis of a \
            vector is dropped; the promoted dtype.",
        )
        .like("np.matmul", "torch.matmul")
        .see(&["dot", "einsum", "tensordot"]),
    Func::new("dot", dot, Group::Linalg)
        .help(
            "dot(x, y)",
            "Vectors give their inner product, matrices their matrix product; with more axes the \
             last of x is summed with the second to last of y.",
            &["dot(array([1, 2, 3]), array([4, 5, 6]))"],
        )
        .gives(
            "The extents of x without the last, then those of y without the one summed; the promoted \
            dtype.",
        )
        .like("np.dot", "torch.dot")
        .see(&["matmul", "inner", "vdot"]),
    Func::new("inner", inner, Group::Linalg)
        .help(
            "inner(x, y)",
            "Products summed over the last axes of both.",
            &["inner(arange(6).reshape(2, 3), array([1, 0, 1]))"],
        )
        .gives("The extents of both without the last ones; the promoted dtype.")
        .like("np.inner", "torch.inner")
        .see(&["dot", "outer", "vecdot"]),
    Func::new("tensordot", tensordot, Group::Linalg)
        .help(
            "tensordot(x, y, axes=2)",
            "Products summed over pairs of axes: a number n pairs the last n of x with the first n \
             of y, two lists name the axes of each. The free axes of x come first.",
            &["tensordot(ones(2, 3, 4), ones(4, 3, 5), axes=([1, 2], [1, 0])) |> shape"],
        )
        .gives("The extents of both without the summed ones; the promoted dtype.")
        .like("np.tensordot", "torch.tensordot")
        .see(&["einsum", "matmul"]),
    Func::new("einsum", einsum_row, Group::Linalg)
        .help(
            "einsum(pattern, *xs)",
            "Einstein summation: a letter names an axis, axes of one name are multiplied, those \
             missing in the output are summed. Diagonals and transposes are views; pairs of \
             operands become strided products without a copy.",
            &[
                "einsum(\"ij,kj->ik\", arange(6).reshape(2, 3), ones((4, 3), dtype=i64))",
                "einsum(\"ii->i\", arange(9).reshape(3, 3))",
            ],
        )
        .gives("The extents of the letters in the output; the promoted dtype.")
        .like("np.einsum", "torch.einsum")
        .see(&["tensordot", "matmul", "rearrange"]),
];
