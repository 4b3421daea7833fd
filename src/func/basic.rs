//! The attributes of tensors as functions.

use super::{Args, Cx, Func, attribute};
use crate::base::Diag;
use crate::op::Group;
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

pub static ROWS: [Func; 6] = [
    Func::new("shape", shape, Group::Types)
        .help("shape(x)", "The extents, outermost axis first.", &["shape(zeros(2, 3))"])
        .like("np.shape", "x.shape")
        .see(&["ndim", "size", "strides"]),
    Func::new("ndim", ndim, Group::Types)
        .help("ndim(x)", "The number of axes.", &["ndim(zeros(2, 3))"])
        .like("np.ndim", "x.ndim")
        .see(&["shape", "size"]),
    Func::new("size", size, Group::Types)
        .help("size(x)", "The number of elements.", &["size(zeros(2, 3))"])
        .like("np.size", "torch.numel")
        .see(&["shape", "nbytes"]),
    Func::new("strides", strides, Group::Plan)
        .help(
            "strides(x)",
            "How many elements of the buffer lie between neighbours along each axis.",
            &["strides(zeros(2, 3).T)"],
        )
        .like("x.strides (bytes)", "x.stride()")
        .see(&["shape", "layout"]),
    Func::new("nbytes", nbytes, Group::Plan)
        .help("nbytes(x)", "The bytes that the shown elements take.", &["nbytes(zeros(2, 3))"])
        .like("x.nbytes", "x.nbytes")
        .see(&["size"]),
    Func::new("dtype", dtype, Group::Types)
        .help("dtype(x)", "The type of the elements.", &["dtype(zeros(2))"])
        .like("x.dtype", "x.dtype")
        .see(&["astype", "result_type"]),
];
