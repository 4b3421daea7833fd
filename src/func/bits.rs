//! Parts of complex numbers, lazy conjugates, and bytes taken for another dtype: views all of them.

use super::make::{Make, t};
use super::{Args, Cx, Func, Memory};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::Tensor;
use crate::tensor::{DType, Layout, View};
use crate::value::Value;

type Out = Result<Value, Diag>;

/// The bytes of `x` as `dtype`. Where the sizes differ, the last axis grows or shrinks.
///
/// # Errors
/// E0220 where no strides do, E0404 for bool.
pub fn reinterpret(x: &Tensor, dtype: DType) -> Result<Tensor, Diag> {
    let (from, to) = (x.dtype().size(), dtype.size());
    if dtype == x.dtype() {
        return Ok(x.viewed(x.view.layout.clone()));
    }
    if dtype == DType::Bool {
        return Err(Diag::new("E0404", format!("bytes of {} are no truth values", x.dtype())).hint("compare: x != 0"));
    }
    if let Some(format) = x.packed() {
        return Err(
            Diag::new("E0220", format!("blocks of {} are no elements", format.name())).hint("decode first: unpack(x)")
        );
    }
    if x.view.conj {
        return Err(Diag::new("E0220", "a pending conjugate has no bytes of its own").hint("copy(x) first"));
    }
    let refuse = |why: String| {
        Diag::new("E0220", format!("the bytes of {} cannot be taken for {dtype}", x.describe()))
            .note(why)
            .hint("copy(x) lies row-major")
    };
    let mut layout = x.view.layout.clone();
    if from != to {
        let last = layout.ndim().checked_sub(1).ok_or_else(|| refuse("a tensor without axes cannot grow".into()))?;
        if layout.strides[last] != 1 && layout.shape[last] > 1 {
            return Err(refuse(format!("its last axis has stride {}", layout.strides[last])));
        }
        layout = if from > to {
            scaled_up(&layout, from / to)
        } else {
            scaled_down(&layout, to / from).ok_or_else(|| refuse(format!("not in steps of {} elements", to / from)))?
        };
        let n = layout.shape[last];
        layout.shape[last] = if from > to { n.saturating_mul(from / to) } else { n / (to / from) };
        layout.strides[last] = 1;
    }
    Ok(x.viewed_as(View { layout, dtype, conj: false }))
}

/// The same places counted in units that are `k` times smaller.
fn scaled_up(layout: &Layout, k: usize) -> Layout {
    let k = k as isize;
    let strides = layout.strides.iter().map(|s| s.saturating_mul(k)).collect();
    Layout { shape: layout.shape.clone(), strides, offset: layout.offset * k }
}

/// The same places counted in units that are `k` times larger; None where they do not lie on such.
fn scaled_down(layout: &Layout, k: usize) -> Option<Layout> {
    let unit = k as isize;
    let last = layout.ndim() - 1;
    let outer = layout.strides[..last].iter().zip(&layout.shape);
    let fits = outer.clone().all(|(s, n)| s % unit == 0 || *n <= 1)
        && layout.offset % unit == 0
        && layout.shape[last].is_multiple_of(k);
    let strides = layout.strides.iter().map(|s| s / unit).collect();
    fits.then(|| Layout { shape: layout.shape.clone(), strides, offset: layout.offset / unit })
}

/// The real or the imaginary parts of a complex tensor: a view of every second number.
fn part(x: &Tensor, imaginary: bool) -> Tensor {
    let mut layout = scaled_up(&x.view.layout, 2);
    if imaginary && x.size() > 0 {
        layout.offset += 1;
    }
    x.viewed_as(View { layout, dtype: x.dtype().real(), conj: false })
}

fn real(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    Ok(Value::tensor(if x.dtype().is_complex() { part(&x, false) } else { x }))
}

fn imag(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let make = Make::of(cx);
    let out = match (x.dtype().is_complex(), x.view.conj) {
        (true, false) => return Ok(Value::tensor(part(&x, true))),
        (true, true) => make.row("negative", &[t(&part(&x, true))])?,
        _ => make.fill(x.shape(), x.dtype(), crate::tensor::Scalar::Float(0.0))?,
    };
    Ok(cx.give(out))
}

fn conj(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if !x.dtype().is_complex() {
        return Ok(Value::tensor(x));
    }
    let view = View { conj: !x.view.conj, ..x.view.clone() };
    Ok(Value::tensor(x.viewed_as(view)))
}

fn bitcast(cx: &mut Cx, args: &Args) -> Out {
    let (x, dtype) = (args.tensor(cx, 0)?, args.dtype(1)?);
    reinterpret(&x, dtype).map(Value::tensor).map_err(|d| d.at(args.span(0)))
}

pub static ROWS: [Func; 4] = [
    Func::new("real", real, Group::Complex)
        .help(
            "real(x)",
            "The real parts: a view of a complex tensor, any other tensor itself.",
            &["real(array([1 + 2j, 3 - 4j]))"],
        )
        .gives("The shape of x; c64 gives f32, c128 f64, other dtypes stay.")
        .like("np.real", "torch.real")
        .see(&["imag", "conj", "abs"])
        .view(),
    Func::new("imag", imag, Group::Complex)
        .help(
            "imag(x)",
            "The imaginary parts: a view of a complex tensor, zeros of any other.",
            &["imag(array([1 + 2j, 3 - 4j]))"],
        )
        .gives("The shape of x; c64 gives f32, c128 f64, other dtypes stay.")
        .like("np.imag", "torch.imag")
        .see(&["real", "conj", "angle"])
        .memory(Memory::ViewOrCopy),
    Func::new("conj", conj, Group::Complex)
        .alias(&["conjugate"])
        .help(
            "conj(x)",
            "The complex conjugate. Nothing is copied: the sign turns where the values are read.",
            &["conj(array([1 + 2j, 3 - 4j]))"],
        )
        .gives("Shape and dtype of x.")
        .like("np.conj", "torch.conj")
        .see(&["real", "imag"])
        .view(),
    Func::new("bitcast", bitcast, Group::Types)
        .help(
            "bitcast(x, dtype)",
            "The same bytes taken for another dtype: a view. Where the sizes differ, the last axis \
             grows or shrinks.",
            &["bitcast(array([1.0], dtype=f32), u32)", "bitcast(array([1, 2], dtype=u16), u8)"],
        )
        .gives("The shape of x, but for the last axis where the sizes differ; the dtype given.")
        .like("np.ndarray.view", "torch.Tensor.view")
        .see(&["view", "astype"])
        .view(),
];
