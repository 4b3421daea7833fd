//! The attributes of tensors as functions.

use super::{Args, Cx, Func, attribute};
use crate::base::Diag;
use crate::op::{self, Group};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// `shape(x)` and its kin; of a list, tuple or number what the tensor made of it would have.
fn named(cx: &mut Cx, args: &Args, name: &'static str) -> Out {
    let x = args.tensor(cx, 0)?;
    attribute::tensor(cx, &x, name).unwrap_or(Ok(Value::None))
}

fn shape(cx: &mut Cx, args: &Args) -> Out {
    named(cx, args, "shape")
}

fn ndim(cx: &mut Cx, args: &Args) -> Out {
    named(cx, args, "ndim")
}

fn size(cx: &mut Cx, args: &Args) -> Out {
    named(cx, args, "size")
}

fn strides(cx: &mut Cx, args: &Args) -> Out {
    named(cx, args, "strides")
}

fn nbytes(cx: &mut Cx, args: &Args) -> Out {
    named(cx, args, "nbytes")
}

fn dtype(cx: &mut Cx, args: &Args) -> Out {
    named(cx, args, "dtype")
}

/// What functions of the prelude demand of their arguments' shapes.
fn require(cx: &mut Cx, args: &Args) -> Out {
    if args.bool(cx, 0)? {
        return Ok(Value::None);
    }
    let diag = Diag::new("E0217", args.str(1)?.to_string());
    match (args.value(2), args.value(3)) {
        (Value::Int(a), Value::Int(b)) => Err(diag.between(*a, *b)),
        _ => Err(diag),
    }
}

fn gelu(cx: &mut Cx, args: &Args) -> Out {
    let name = match &*args.str(1)? {
        "none" => "gelu",
        "tanh" => "gelu_tanh",
        other => return Err(args.fault(1, "E0120", format!("`approximate` is \"none\" or \"tanh\", not {other:?}"))),
    };
    let row = op::map_row(name).ok_or_else(|| Diag::new("E0101", format!("unknown name `{name}`")))?;
    cx.map(row, &[(args.value(0), args.span(0))])
}

pub static ROWS: [Func; 8] = [
    Func::new("_require", require, Group::Nn).help(
        "_require(ok, message, a=None, b=None)",
        "Fails with the message unless ok: shapes that do not fit, of which a and b are the numbers that clash.",
        &["_require(True, \"fits\")"],
    ),
    Func::new("gelu", gelu, Group::Nn)
        .help(
            "gelu(x, approximate=\"none\")",
            "x times the normal distribution function of x; approximate=\"tanh\" takes the form with tanh.",
            &["gelu(array([-1.0, 0.0, 1.0]))", "gelu(array([1.0]), approximate=\"tanh\")"],
        )
        .gives("The shape of x; floats keep their dtype, integers and bools give the default float.")
        .like("", "torch.nn.functional.gelu")
        .see(&["relu", "silu", "erf"]),
    Func::new("shape", shape, Group::Types)
        .help("shape(x)", "The extents, outermost axis first.", &["shape(zeros(2, 3))"])
        .gives("A tuple of integers, one for each axis.")
        .like("np.shape", "x.shape")
        .see(&["ndim", "size", "strides"]),
    Func::new("ndim", ndim, Group::Types)
        .help("ndim(x)", "The number of axes.", &["ndim(zeros(2, 3))"])
        .gives("A plain integer.")
        .like("np.ndim", "x.ndim")
        .see(&["shape", "size"]),
    Func::new("size", size, Group::Types)
        .help("size(x)", "The number of elements.", &["size(zeros(2, 3))"])
        .gives("A plain integer.")
        .like("np.size", "torch.numel")
        .see(&["shape", "nbytes"]),
    Func::new("strides", strides, Group::Plan)
        .help(
            "strides(x)",
            "How many elements of the buffer lie between neighbours along each axis.",
            &["strides(zeros(2, 3).T)"],
        )
        .gives("A tuple of integers, one for each axis.")
        .like("x.strides (bytes)", "x.stride()")
        .see(&["shape", "layout"]),
    Func::new("nbytes", nbytes, Group::Plan)
        .help("nbytes(x)", "The bytes that the shown elements take.", &["nbytes(zeros(2, 3))"])
        .gives("A plain integer.")
        .like("x.nbytes", "x.nbytes")
        .see(&["size"]),
    Func::new("dtype", dtype, Group::Types)
        .help("dtype(x)", "The type of the elements.", &["dtype(zeros(2))"])
        .gives("A dtype, or a packed format.")
        .like("x.dtype", "x.dtype")
        .see(&["astype", "result_type"]),
];
