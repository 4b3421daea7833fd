//! Triangles, diagonals and other matrices of a given form.

use super::make::{Make, t};
use super::{Args, Cx, Func};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::Tensor;
use crate::tensor::{DType, Layout, Scalar, promote};
use crate::value::Value;
use smallvec::smallvec;

type Out = Result<Value, Diag>;

fn eye(cx: &mut Cx, args: &Args) -> Out {
    let rows = args.count(cx, 0)?;
    let columns = if args.is_none(1) { rows } else { args.count(cx, 1)? };
    let k = args.int(cx, 2)?;
    let dtype = args.opt_dtype(3)?.unwrap_or(cx.default_float());
    let out = band(Make::of(cx), &[rows, columns], "equal", k)?;
    let out = Make::of(cx).cast(&out, dtype)?;
    Ok(cx.give(out))
}

fn identity(cx: &mut Cx, args: &Args) -> Out {
    let n = args.count(cx, 0)?;
    let dtype = args.opt_dtype(1)?.unwrap_or(cx.default_float());
    let make = Make::of(cx);
    let out = make.cast(&band(make, &[n, n], "equal", 0)?, dtype)?;
    Ok(cx.give(out))
}

fn tri(cx: &mut Cx, args: &Args) -> Out {
    let rows = args.count(cx, 0)?;
    let columns = if args.is_none(1) { rows } else { args.count(cx, 1)? };
    let k = args.int(cx, 2)?;
    let dtype = args.opt_dtype(3)?.unwrap_or(cx.default_float());
    let make = Make::of(cx);
    let out = make.cast(&band(make, &[rows, columns], "less_equal", k)?, dtype)?;
    Ok(cx.give(out))
}

/// Where column - row compares so with `k`, on the last two axes of `shape`.
fn band(make: Make, shape: &[usize], compare: &'static str, k: i64) -> Result<Tensor, Diag> {
    let mut layout = Layout { shape: shape.into(), strides: smallvec![0; shape.len()], offset: 0 };
    layout.strides[shape.len() - 2] = -1;
    layout.strides[shape.len() - 1] = 1;
    make.position(layout, DType::Bool, |program, position| {
        let k = make.constant(program, Scalar::Int(k), DType::I64);
        make.push(program, compare, &[position, k], DType::Bool)
    })
}

fn triangle(cx: &mut Cx, args: &Args, compare: &'static str) -> Out {
    let mut x = args.tensor(cx, 0)?;
    let k = args.int(cx, 1)?;
    if x.ndim() == 0 {
        return Err(args.fault(0, "E0201", format!("`{}` needs at least one axis", args.func.doc.name)));
    }
    if x.ndim() == 1 {
        // As NumPy: a vector is every row.
        let layout = x.view.layout.broadcast_to(&[x.size(), x.size()]).map_err(|f| f.diag())?;
        x = x.viewed(layout);
    }
    let make = Make::of(cx);
    let mask = band(make, x.shape(), compare, k)?;
    let zero = make.fill(&[], x.dtype(), Scalar::Float(0.0))?;
    let out = make.row("where", &[t(&mask), t(&x), t(&zero)])?;
    drop((mask, zero));
    Ok(cx.give(out))
}

fn tril(cx: &mut Cx, args: &Args) -> Out {
    triangle(cx, args, "less_equal")
}

fn triu(cx: &mut Cx, args: &Args) -> Out {
    triangle(cx, args, "greater_equal")
}

fn diag(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let k = args.int(cx, 1)?;
    match x.ndim() {
        1 => {
            let out = diagonal_matrix(cx, &x, k)?;
            Ok(cx.give(out))
        }
        2 => {
            let layout = x.view.layout.diagonal(k, 0, 1).map_err(|f| f.diag())?;
            let out = Make::of(cx).fresh(&x.viewed(layout), None, "diag")?;
            Ok(cx.give(out))
        }
        _ => Err(args
            .fault(0, "E0201", format!("`diag` takes a vector or a matrix, not {} axes", x.ndim()))
            .hint("`diagonal(x)` takes any number of axes from 2 on")),
    }
}

fn diagflat(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let k = args.int(cx, 1)?;
    let x = Make::of(cx).flat(&x)?;
    let out = diagonal_matrix(cx, &x, k)?;
    Ok(cx.give(out))
}

fn diagonal_matrix(cx: &mut Cx, x: &Tensor, k: i64) -> Result<Tensor, Diag> {
    let make = Make::of(cx);
    let too_large = || crate::tensor::LayoutFault::TooLarge { shape: vec![x.size()] }.diag();
    let n = usize::try_from(k.unsigned_abs()).ok().and_then(|k| x.size().checked_add(k)).ok_or_else(too_large)?;
    let all = crate::plan::build::checked_shape(&[n, n], x.dtype())?;
    let place = all.diagonal(k, 0, 1).map_err(|f| f.diag())?;
    let zero = make.fill(&[n, n], x.dtype(), Scalar::Float(0.0))?;
    let parts = vec![(all, zero.operand()), (place, x.operand())];
    drop(zero);
    Ok(Tensor::of(crate::plan::build::assemble("diag", &[n, n], x.dtype(), parts, cx.span)?))
}

fn vander(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.ndim() != 1 {
        return Err(args.fault(0, "E0201", "`vander` takes a vector"));
    }
    let n = if args.is_none(1) { x.size() } else { args.count(cx, 1)? };
    let increasing = args.bool(cx, 2)?;
    let make = Make::of(cx);
    let mut powers = make.count_along(&[n], 0)?;
    if !increasing {
        powers.view.layout = powers.view.layout.flip(None).map_err(|f| f.diag())?;
    }
    // As NumPy: at least 64 bits.
    let wide = if x.dtype().is_int() || x.dtype() == DType::Bool { promote(x.dtype(), DType::I64) } else { x.dtype() };
    let x = if x.dtype() == wide { x } else { make.cast(&x, wide)? };
    let powers = if x.dtype().is_int() { powers } else { make.cast(&powers, x.dtype().lane())? };
    let powers = if powers.dtype() == x.dtype() { powers } else { make.cast(&powers, x.dtype())? };
    let column = x.viewed(x.view.layout.newaxis(1));
    let out = make.row("power", &[t(&column), t(&powers)])?;
    drop((powers, column));
    Ok(cx.give(out))
}

pub static ROWS: [Func; 8] = [
    Func::new("eye", eye, Group::Creation)
        .help(
            "eye(N, M=None, k=0, dtype=None)",
            "Ones on a diagonal of an N by M matrix, zeros elsewhere; k > 0 lies above the main diagonal.",
            &["eye(3)", "eye(2, 3, k=1, dtype=i64)"],
        )
        .gives("[N, M]; the default float unless a dtype is given.")
        .like("np.eye", "torch.eye")
        .see(&["identity", "diag", "tri"]),
    Func::new("identity", identity, Group::Creation)
        .help("identity(n, dtype=None)", "The square identity matrix.", &["identity(2)"])
        .gives("[n, n]; the default float unless a dtype is given.")
        .like("np.identity", "torch.eye")
        .see(&["eye"]),
    Func::new("tri", tri, Group::Creation)
        .help(
            "tri(N, M=None, k=0, dtype=None)",
            "Ones at and below a diagonal of an N by M matrix, zeros above.",
            &["tri(3)", "tri(2, 3, 1)"],
        )
        .gives("[N, M]; the default float unless a dtype is given.")
        .like("np.tri", "")
        .see(&["tril", "eye"]),
    Func::new("tril", tril, Group::Creation)
        .help(
            "tril(x, k=0)",
            "The lower triangle of the last two axes, zero above diagonal k.",
            &["tril(ones((3, 3)))", "tril(arange(9).reshape(3, 3), -1)"],
        )
        .gives("Shape and dtype of x.")
        .like("np.tril", "torch.tril")
        .see(&["triu", "tri", "causal_mask"]),
    Func::new("triu", triu, Group::Creation)
        .help(
            "triu(x, k=0)",
            "The upper triangle of the last two axes, zero below diagonal k.",
            &["triu(ones((3, 3)))", "triu(arange(9).reshape(3, 3), 1)"],
        )
        .gives("Shape and dtype of x.")
        .like("np.triu", "torch.triu")
        .see(&["tril"]),
    Func::new("diag", diag, Group::Creation)
        .help(
            "diag(x, k=0)",
            "Of a vector the matrix with it on diagonal k, of a matrix a copy of its diagonal k.",
            &["diag(array([1, 2, 3]))", "diag(arange(9).reshape(3, 3))"],
        )
        .gives("Of a vector of n [n + |k|, n + |k|], of a matrix one axis; dtype of x.")
        .like("np.diag", "torch.diag")
        .see(&["diagonal", "diagflat", "eye"]),
    Func::new("diagflat", diagflat, Group::Creation)
        .help(
            "diagflat(x, k=0)",
            "The matrix with all elements of x on diagonal k.",
            &["diagflat(array([[1, 2], [3, 4]]))"],
        )
        .gives("[n + |k|, n + |k|] of n elements; dtype of x.")
        .like("np.diagflat", "torch.diagflat")
        .see(&["diag"]),
    Func::new("vander", vander, Group::Creation)
        .help(
            "vander(x, N=None, increasing=False)",
            "Powers of a vector as columns, the highest first unless increasing.",
            &["vander(array([1, 2, 3]))", "vander(array([2.0, 3.0]), 3, increasing=True)"],
        )
        .gives("[len(x), N]; dtype of x.")
        .like("np.vander", "torch.vander")
        .see(&["power"]),
];
