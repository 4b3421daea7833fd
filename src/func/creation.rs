//! Tensors from nothing, from lists and from other tensors. Sources own no buffer until somebody needs one.

use super::make::Make;
use super::{Args, Cx, Func, Memory, convert};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::Tensor;
use crate::plan::build::weak_dtype;
use crate::tensor::{DType, Layout, Scalar, Shape};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// Extents given one by one or as one tuple; a dtype may follow them, as in `zeros((2, 3), f64)`.
fn rest_shape(cx: &mut Cx, args: &Args, dtype: usize) -> Result<(Vec<usize>, Option<DType>), Diag> {
    let given = args.opt_dtype(dtype)?;
    let trailing = args.rest.len().checked_sub(1).filter(|&n| n > 0).and_then(|n| convert::dtype(&args.rest[n].value));
    let Some(last) = trailing.filter(|_| given.is_none()) else { return Ok((args.rest_shape(cx)?, given)) };
    let rest = args.rest[..args.rest.len() - 1].to_vec();
    let shorter = Args { func: args.func, args: args.args.clone(), rest, keywords: Vec::new() };
    Ok((shorter.rest_shape(cx)?, Some(last)))
}

fn filled(cx: &mut Cx, args: &Args, value: f64) -> Out {
    let (shape, dtype) = rest_shape(cx, args, 0)?;
    let dtype = dtype.unwrap_or(cx.default_float());
    let out = Make::of(cx).fill(&shape, dtype, Scalar::Float(value))?;
    Ok(cx.give(out))
}

fn zeros(cx: &mut Cx, args: &Args) -> Out {
    filled(cx, args, 0.0)
}

fn ones(cx: &mut Cx, args: &Args) -> Out {
    filled(cx, args, 1.0)
}

fn full(cx: &mut Cx, args: &Args) -> Out {
    let shape = args.shape(cx, 0)?;
    let dtype = args.opt_dtype(2)?;
    let out = full_of(cx, args, &shape, dtype)?;
    Ok(cx.give(out))
}

/// Argument 1 in every place: a number, or a tensor that broadcasts.
fn full_of(cx: &mut Cx, args: &Args, shape: &[usize], dtype: Option<DType>) -> Result<Tensor, Diag> {
    let make = Make::of(cx);
    if let Some(value) = convert::scalar(args.value(1)) {
        let dtype = dtype.unwrap_or_else(|| weak_dtype(value, None, make.float));
        // `array` knows which numbers fit.
        let one = convert::array(cx, args.value(1), Some(dtype), args.span(1))?;
        let value = convert::element(cx, &one, args.span(1))?;
        return make.fill(shape, dtype, value);
    }
    let value = args.tensor(cx, 1)?;
    let layout = value.view.layout.broadcast_to(shape).map_err(|f| f.diag())?;
    make.fresh(&value.viewed(layout), dtype, "full")
}

fn like(cx: &mut Cx, args: &Args, value: f64) -> Out {
    let x = args.tensor(cx, 0)?;
    let dtype = args.opt_dtype(1)?.unwrap_or(x.dtype());
    let out = Make::of(cx).fill(x.shape(), dtype, Scalar::Float(value))?;
    Ok(cx.give(out))
}

fn zeros_like(cx: &mut Cx, args: &Args) -> Out {
    like(cx, args, 0.0)
}

fn ones_like(cx: &mut Cx, args: &Args) -> Out {
    like(cx, args, 1.0)
}

fn full_like(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let dtype = args.opt_dtype(2)?.unwrap_or(x.dtype());
    let out = full_of(cx, args, x.shape(), Some(dtype))?;
    Ok(cx.give(out))
}

fn array(cx: &mut Cx, args: &Args) -> Out {
    let dtype = args.opt_dtype(1)?;
    let out = match args.value(0) {
        Value::Tensor(x) => Make::of(cx).fresh(x, dtype, "array")?,
        other => convert::array(cx, other, dtype, args.span(0))?,
    };
    Ok(cx.give(out))
}

fn asarray(cx: &mut Cx, args: &Args) -> Out {
    match (args.value(0), args.opt_dtype(1)?) {
        (Value::Tensor(x), dtype) if dtype.is_none_or(|d| d == x.dtype()) => Ok(Value::Tensor(x.clone())),
        _ => array(cx, args),
    }
}

fn copy(cx: &mut Cx, args: &Args) -> Out {
    Ok(match args.value(0) {
        Value::List(items) => Value::list(items.to_vec()),
        Value::Tensor(x) => {
            let out = Make::of(cx).fresh(x, None, "copy")?;
            cx.give(out)
        }
        other => other.clone(),
    })
}

fn tolist(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let array = cx.array(&x)?;
    fn nested(array: &crate::tensor::HostArray, shape: &[usize], at: &mut usize) -> Value {
        let Some((&n, inner)) = shape.split_first() else {
            *at += 1;
            return convert::plain(array.get(*at - 1));
        };
        Value::list((0..n).map(|_| nested(array, inner, at)).collect())
    }
    Ok(nested(&array, x.shape(), &mut 0))
}

fn item(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let index = args.rest_ints(cx)?;
    let layout = match index.as_slice() {
        [] if x.size() == 1 => x.view.layout.clone(),
        [] => {
            let message = format!("`item` needs a tensor of one element, this has {}", x.size());
            return Err(args.fault(0, "E0214", message).hint("name the position: x.item(0), or take x.tolist()"));
        }
        [flat] if x.ndim() != 1 => {
            let size = x.size() as i64;
            let at = if *flat < 0 { flat.saturating_add(size) } else { *flat };
            if !(0..size).contains(&at) {
                let fault = crate::tensor::LayoutFault::IndexOutOfRange { axis: 0, index: *flat, extent: x.size() };
                return Err(fault.diag());
            }
            Layout { offset: x.view.layout.offset_of(at as usize), ..Layout::scalar() }
        }
        many if many.len() == x.ndim() => {
            let index = |l: Layout, i: &i64| l.index(0, *i).map_err(|f| f.diag());
            many.iter().try_fold(x.view.layout.clone(), index)?
        }
        many => {
            let fault = crate::tensor::LayoutFault::TooManyIndices { given: many.len(), ndim: x.ndim() };
            return Err(fault.diag());
        }
    };
    Ok(convert::plain(convert::element(cx, &x.viewed(layout), args.span(0))?))
}

fn meshgrid(cx: &mut Cx, args: &Args) -> Out {
    let xs = args.rest_tensors(cx)?;
    let swap = match &*args.str(0)? {
        "xy" => xs.len() >= 2,
        "ij" => false,
        _ => return Err(args.fault(0, "E0120", "`indexing` is \"xy\" or \"ij\"")),
    };
    let mut shape: Shape = xs.iter().map(Tensor::size).collect();
    if swap {
        shape.swap(0, 1);
    }
    let make = Make::of(cx);
    let mut out = Vec::with_capacity(xs.len());
    for (i, x) in xs.iter().enumerate() {
        let axis = if swap && i < 2 { 1 - i } else { i };
        let flat = make.flat(x)?;
        let mut own: Vec<usize> = vec![1; xs.len()];
        own[axis] = x.size();
        let grid = make.reshape(&flat, &own)?;
        let layout = grid.view.layout.broadcast_to(&shape).map_err(|f| f.diag())?;
        let full = make.fresh(&grid.viewed(layout), None, "meshgrid")?;
        out.push(cx.give(full));
    }
    Ok(Value::tuple(out))
}

fn indices(cx: &mut Cx, args: &Args) -> Out {
    let shape = args.shape(cx, 0)?;
    let dtype = args.opt_dtype(1)?.unwrap_or(DType::I64);
    let make = Make::of(cx);
    let all: Vec<usize> = std::iter::once(shape.len()).chain(shape.iter().copied()).collect();
    let whole = crate::plan::build::checked_shape(&all, dtype)?;
    let mut parts = Vec::new();
    for axis in 0..shape.len() {
        let place = whole.index(0, axis as i64).map_err(|f| f.diag())?;
        parts.push((place, make.cast(&make.count_along(&shape, axis)?, dtype)?.operand()));
    }
    let out = crate::plan::build::assemble("indices", &all, dtype, parts, cx.span)?;
    Ok(cx.fresh(out))
}

fn fromfunction(cx: &mut Cx, args: &Args) -> Out {
    let shape = args.shape(cx, 1)?;
    let dtype = args.opt_dtype(2)?.unwrap_or(cx.default_float());
    let make = Make::of(cx);
    let span = args.span(1);
    let mut grids = Vec::new();
    for axis in 0..shape.len() {
        let grid = make.cast(&make.count_along(&shape, axis)?, dtype)?;
        grids.push(crate::value::Spanned { value: cx.give(grid), span });
    }
    cx.host.call(args.value(0), grids, Vec::new(), cx.span)
}

const SHAPE_SEE: &[&str] = &["ones", "full", "zeros_like", "arange"];

pub static ROWS: [Func; 15] = [
    Func::new("array", array, Group::Creation)
        .alias(&["tensor"])
        .help(
            "array(data, dtype=None)",
            "A fresh tensor of a number, of nested lists or of another tensor. Integers give i64, \
             floats the default \
             float; ragged lists are an error.",
            &["array([[1, 2], [3, 4]])", "array([1, 2], dtype=f16)"],
        )
        .gives(
            "The shape of the nesting; i64 of integers, the default float of floats, bool of bools, \
            or the dtype given.",
        )
        .like("np.array", "torch.tensor")
        .see(&["asarray", "zeros", "copy"]),
    Func::new("asarray", asarray, Group::Creation)
        .help(
            "asarray(x, dtype=None)",
            "The tensor itself where it is one and has the dtype, else what array makes of it.",
            &["asarray([1.0, 2.0])"],
        )
        .memory(Memory::ItselfOrCopy)
        .gives("Shape and dtype of x, or those that array(x) has.")
        .like("np.asarray", "torch.as_tensor")
        .see(&["array"]),
    Func::new("zeros", zeros, Group::Creation)
        .help(
            "zeros(*shape, dtype=None)",
            "A tensor of zeros, of the default float unless a dtype is given. Owns no memory until \
             its values are needed.",
            &["zeros((2, 3))", "zeros(4, dtype=u8)"],
        )
        .gives("The shape given; the default float unless a dtype is given.")
        .like("np.zeros", "torch.zeros")
        .see(SHAPE_SEE),
    Func::new("ones", ones, Group::Creation)
        .help(
            "ones(*shape, dtype=None)",
            "A tensor of ones, of the default float unless a dtype is given.",
            &["ones((2, 2))", "ones(3, dtype=i64)"],
        )
        .gives("The shape given; the default float unless a dtype is given.")
        .like("np.ones", "torch.ones")
        .see(&["zeros", "full", "ones_like"]),
    Func::new("empty", zeros, Group::Creation)
        .help(
            "empty(*shape, dtype=None)",
            "A tensor whose values do not matter yet. Here they are zeros: nothing is ever read uninitialised.",
            &["shape(empty((2, 3)))"],
        )
        .gives("The shape given; the default float unless a dtype is given.")
        .like("np.empty", "torch.empty")
        .see(&["zeros"]),
    Func::new("full", full, Group::Creation)
        .help(
            "full(shape, fill_value, dtype=None)",
            "One value in every place. The dtype is that of the value unless given; a tensor as the \
             value broadcasts.",
            &["full((2, 2), 7)", "full(3, 0.5, dtype=f16)"],
        )
        .gives("The shape given; the dtype of the value, or the one given.")
        .like("np.full", "torch.full")
        .see(&["zeros", "ones", "full_like"]),
    Func::new("zeros_like", zeros_like, Group::Creation)
        .alias(&["empty_like"])
        .help("zeros_like(x, dtype=None)", "Zeros in the shape and dtype of x.", &["zeros_like(array([[1, 2, 3]]))"])
        .gives("Shape and dtype of x, or the dtype given.")
        .like("np.zeros_like", "torch.zeros_like")
        .see(&["zeros", "ones_like"]),
    Func::new("ones_like", ones_like, Group::Creation)
        .help("ones_like(x, dtype=None)", "Ones in the shape and dtype of x.", &["ones_like(array([1.5, 2.5]))"])
        .gives("Shape and dtype of x, or the dtype given.")
        .like("np.ones_like", "torch.ones_like")
        .see(&["ones", "zeros_like"]),
    Func::new("full_like", full_like, Group::Creation)
        .help(
            "full_like(x, fill_value, dtype=None)",
            "One value in the shape and dtype of x.",
            &["full_like(array([1, 2, 3]), 9)"],
        )
        .gives("Shape and dtype of x, or the dtype given.")
        .like("np.full_like", "torch.full_like")
        .see(&["full"]),
    Func::new("copy", copy, Group::Creation)
        .alias(&["clone"])
        .help(
            "copy(x)",
            "A fresh, writable, row-major copy. Of a list: a list with the same elements.",
            &["x = arange(3)\ny = copy(x)\ny[0] = 9\nx"],
        )
        .gives("Shape and dtype of x, row-major.")
        .like("np.copy", "torch.clone")
        .see(&["array", "materialize"]),
    Func::new("tolist", tolist, Group::Creation)
        .help("tolist(x)", "The values as nested lists of plain numbers.", &["tolist(arange(4).reshape(2, 2))"])
        .gives("Lists nested as deep as x has axes, of plain numbers.")
        .like("np.ndarray.tolist", "torch.Tensor.tolist")
        .see(&["item", "array"]),
    Func::new("item", item, Group::Creation)
        .help(
            "item(x, *index)",
            "The only element as a plain number, or the one at a flat position or at one index for each axis.",
            &["array([42]).item()", "arange(6).reshape(2, 3).item(1, 2)"],
        )
        .gives("A plain number.")
        .like("np.ndarray.item", "torch.Tensor.item")
        .see(&["tolist"]),
    Func::new("meshgrid", meshgrid, Group::Creation)
        .help(
            "meshgrid(*xs, indexing=\"xy\")",
            "Coordinate tensors of the grid that the vectors span. \"xy\" puts the first along axis \
             1, \"ij\" along axis 0.",
            &["x, y = meshgrid(arange(3), arange(2))\nx\ny"],
        )
        .gives(
            "One tensor for each vector, with one axis for each of them; the first two axes change \
            places for \"xy\". Dtypes are kept.",
        )
        .like("np.meshgrid", "torch.meshgrid")
        .see(&["indices", "arange"]),
    Func::new("indices", indices, Group::Creation)
        .help(
            "indices(dimensions, dtype=None)",
            "The coordinates of every position of a shape, one axis after the other.",
            &["indices((2, 3))"],
        )
        .gives("[number of axes, *dimensions]; i64 unless a dtype is given.")
        .like("np.indices", "")
        .see(&["meshgrid", "fromfunction"]),
    Func::new("fromfunction", fromfunction, Group::Creation)
        .help(
            "fromfunction(f, shape, dtype=None)",
            "What f gives of the coordinates, one tensor for each axis.",
            &["fromfunction(lambda i, j: i + 10 * j, (2, 3))"],
        )
        .gives(
            "Shape and dtype of what f gives; the coordinates are in the default float unless a dtype \
            is given.",
        )
        .like("np.fromfunction", "")
        .see(&["indices"]),
];
