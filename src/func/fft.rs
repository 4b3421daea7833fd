//! Fourier transforms. The axis that is transformed is moved last and back by views; the library reads it contiguous.

use super::calls::{Typing, labelled, results};
use super::make::Make;
use super::{Args, Cx, Func};
use crate::base::Diag;
use crate::call::{self, Norm, Transform};
use crate::op::Group;
use crate::plan::Tensor;
use crate::tensor::LayoutFault;
use crate::value::Value;

type Out = Result<Value, Diag>;

fn norm(args: &Args, i: usize) -> Result<Norm, Diag> {
    if args.is_none(i) {
        return Ok(Norm::Backward);
    }
    match &*args.str(i)? {
        "backward" => Ok(Norm::Backward),
        "ortho" => Ok(Norm::Ortho),
        "forward" => Ok(Norm::Forward),
        _ => Err(args.fault(i, "E0120", "`norm` is \"backward\", \"ortho\" or \"forward\"")),
    }
}

/// One transform along one axis.
fn along(
    cx: &mut Cx,
    args: &Args,
    x: &Tensor,
    kind: Transform,
    n: Option<usize>,
    axis: usize,
    norm: Norm,
) -> Result<Tensor, Diag> {
    let fault = |f: LayoutFault| f.diag();
    let last = x.viewed(x.view.layout.moveaxis(&[axis as i64], &[-1]).map_err(fault)?);
    let typing = Typing::of(Make::of(cx), &[x]);
    let prepared = call::transform(kind, last.shape(), typing.work, n, norm).map_err(|d| labelled(args, d, &[x]))?;
    // Results stay in the dtype that the library gives: there are no 16-bit complex numbers.
    let typing = Typing { result: typing.work, ..typing };
    let Some(out) = results(cx, prepared, &[&last], typing)?.pop() else { return Ok(last) };
    let layout = out.view.layout.moveaxis(&[-1], &[axis as i64]).map_err(fault)?;
    let mut view = out.view.clone();
    view.layout = layout;
    Ok(Tensor { view, ..out })
}

fn length(cx: &mut Cx, args: &Args, i: usize) -> Result<Option<usize>, Diag> {
    if args.is_none(i) { Ok(None) } else { args.count(cx, i).map(Some) }
}

/// `f(x, n=None, axis=-1, norm="backward")`
fn one_axis(cx: &mut Cx, args: &Args, kind: Transform) -> Out {
    let x = args.tensor(cx, 0)?;
    let n = length(cx, args, 1)?;
    let axis = args.axis(cx, 2, x.ndim())?;
    let norm = norm(args, 3)?;
    let out = along(cx, args, &x, kind, n, axis, norm)?;
    Ok(cx.give(out))
}

fn fft(cx: &mut Cx, args: &Args) -> Out {
    one_axis(cx, args, Transform::Fft)
}

fn ifft(cx: &mut Cx, args: &Args) -> Out {
    one_axis(cx, args, Transform::Ifft)
}

fn rfft(cx: &mut Cx, args: &Args) -> Out {
    one_axis(cx, args, Transform::Rfft)
}

fn irfft(cx: &mut Cx, args: &Args) -> Out {
    one_axis(cx, args, Transform::Irfft)
}

/// `f(x, s=None, axes=…, norm="backward")`: the axes with their lengths. None for `axes` means all of them, or the last
/// ones where `s` names lengths.
fn axes_with_lengths(cx: &mut Cx, args: &Args, ndim: usize) -> Result<Vec<(usize, Option<usize>)>, Diag> {
    let lengths = if args.is_none(1) { None } else { Some(args.shape(cx, 1)?) };
    let axes: Vec<usize> = match args.opt_ints(cx, 2)? {
        Some(list) => crate::tensor::axes(&list, ndim).map_err(|f| f.diag().at(args.span(2)))?.to_vec(),
        None => {
            let count = lengths.as_ref().map_or(ndim, Vec::len);
            let first = ndim.checked_sub(count);
            let first = first.ok_or_else(|| args.fault(1, "E0201", format!("{count} lengths for {ndim} axes")))?;
            (first..ndim).collect()
        }
    };
    let lengths = match lengths {
        None => vec![None; axes.len()],
        Some(given) if given.len() == axes.len() => given.into_iter().map(Some).collect(),
        Some(given) => {
            return Err(args.fault(1, "E0202", format!("{} lengths for {} axes", given.len(), axes.len())));
        }
    };
    Ok(axes.into_iter().zip(lengths).collect())
}

fn many_axes(cx: &mut Cx, args: &Args, kind: Transform) -> Out {
    let mut x = args.tensor(cx, 0)?;
    let list = axes_with_lengths(cx, args, x.ndim())?;
    let norm = norm(args, 3)?;
    let Some(((first, length), rest)) = list.split_last().map(|(l, rest)| (*l, rest)) else {
        let typing = Typing::of(Make::of(cx), &[&x]);
        let make = Make::of(cx);
        let to = crate::tensor::promote(typing.work, crate::tensor::DType::C64);
        let out = make.cast(&x, to)?;
        return Ok(cx.give(out));
    };
    // A real transform comes first on the way there and last on the way back.
    let complex = if matches!(kind, Transform::Irfft | Transform::Ifft) { Transform::Ifft } else { Transform::Fft };
    if kind != Transform::Irfft {
        x = along(cx, args, &x, kind, length, first, norm)?;
    }
    for (axis, n) in rest.iter().rev() {
        x = along(cx, args, &x, complex, *n, *axis, norm)?;
    }
    if kind == Transform::Irfft {
        x = along(cx, args, &x, kind, length, first, norm)?;
    }
    Ok(cx.give(x))
}

fn fftn(cx: &mut Cx, args: &Args) -> Out {
    many_axes(cx, args, Transform::Fft)
}

fn ifftn(cx: &mut Cx, args: &Args) -> Out {
    many_axes(cx, args, Transform::Ifft)
}

fn rfftn(cx: &mut Cx, args: &Args) -> Out {
    many_axes(cx, args, Transform::Rfft)
}

fn irfftn(cx: &mut Cx, args: &Args) -> Out {
    many_axes(cx, args, Transform::Irfft)
}

pub static ROWS: [Func; 10] = [
    Func::new("fft", fft, Group::Fft)
        .help(
            "fft(x, n=None, axis=-1, norm=\"backward\")",
            "The discrete Fourier transform along one axis, cropped or filled with zeros to n. norm \
             says where 1/n stands: \
             on the way back, \"forward\", or its root on both (\"ortho\").",
            &["fft(array([1.0, 0.0, 0.0, 0.0]))"],
        )
        .gives("n in place of the extent; f64 and c128 give c128, others c64.")
        .like("np.fft.fft", "torch.fft.fft")
        .see(&["ifft", "rfft", "fftn", "fftfreq"]),
    Func::new("ifft", ifft, Group::Fft)
        .help(
            "ifft(x, n=None, axis=-1, norm=\"backward\")",
            "The inverse of fft.",
            &["ifft(fft(array([1.0, 2.0, 3.0, 4.0]))).real"],
        )
        .gives("n in place of the extent; f64 and c128 give c128, others c64.")
        .like("np.fft.ifft", "torch.fft.ifft")
        .see(&["fft"]),
    Func::new("rfft", rfft, Group::Fft)
        .help(
            "rfft(x, n=None, axis=-1, norm=\"backward\")",
            "The Fourier transform of real values: only the first n // 2 + 1 coefficients, the \
             others being their mirror image.",
            &["rfft(array([1.0, 1.0, 1.0, 1.0]))"],
        )
        .gives("n // 2 + 1 in place of the extent; f64 gives c128, others c64.")
        .like("np.fft.rfft", "torch.fft.rfft")
        .see(&["irfft", "fft", "rfftfreq"]),
    Func::new("irfft", irfft, Group::Fft)
        .help(
            "irfft(x, n=None, axis=-1, norm=\"backward\")",
            "The inverse of rfft: n real values, by default an even number of them.",
            &["irfft(rfft(array([1.0, 2.0, 3.0, 4.0])))"],
        )
        .gives("n in place of the extent, by default 2 * (m - 1); c128 gives f64, others f32.")
        .like("np.fft.irfft", "torch.fft.irfft")
        .see(&["rfft"]),
    Func::new("fft2", fftn, Group::Fft)
        .help(
            "fft2(x, s=None, axes=(-2, -1), norm=\"backward\")",
            "The Fourier transform over two axes; s names their lengths.",
            &["fft2(ones((2, 2)))"],
        )
        .gives("s in place of the extents; f64 and c128 give c128, others c64.")
        .like("np.fft.fft2", "torch.fft.fft2")
        .see(&["ifft2", "fftn"]),
    Func::new("ifft2", ifftn, Group::Fft)
        .help(
            "ifft2(x, s=None, axes=(-2, -1), norm=\"backward\")",
            "The inverse of fft2.",
            &["ifft2(fft2(ones((2, 2)))).real"],
        )
        .gives("s in place of the extents; f64 and c128 give c128, others c64.")
        .like("np.fft.ifft2", "torch.fft.ifft2")
        .see(&["fft2"]),
    Func::new("fftn", fftn, Group::Fft)
        .help(
            "fftn(x, s=None, axes=None, norm=\"backward\")",
            "The Fourier transform over several axes, by default all of them; s names their lengths.",
            &["fftn(ones((2, 2, 2))) |> shape"],
        )
        .gives("s in place of the extents; f64 and c128 give c128, others c64.")
        .like("np.fft.fftn", "torch.fft.fftn")
        .see(&["ifftn", "fft"]),
    Func::new("ifftn", ifftn, Group::Fft)
        .help(
            "ifftn(x, s=None, axes=None, norm=\"backward\")",
            "The inverse of fftn.",
            &["ifftn(fftn(ones((2, 2, 2)))).real |> sum"],
        )
        .gives("s in place of the extents; f64 and c128 give c128, others c64.")
        .like("np.fft.ifftn", "torch.fft.ifftn")
        .see(&["fftn"]),
    Func::new("rfftn", rfftn, Group::Fft)
        .alias(&["rfft2"])
        .help(
            "rfftn(x, s=None, axes=None, norm=\"backward\")",
            "The Fourier transform of real values over several axes: the last of them keeps its first half.",
            &["rfftn(ones((2, 4))) |> shape"],
        )
        .gives("s in place of the extents, its last n as n // 2 + 1; f64 gives c128, others c64.")
        .like("np.fft.rfftn", "torch.fft.rfftn")
        .see(&["irfftn", "rfft"]),
    Func::new("irfftn", irfftn, Group::Fft)
        .alias(&["irfft2"])
        .help(
            "irfftn(x, s=None, axes=None, norm=\"backward\")",
            "The inverse of rfftn.",
            &["irfftn(rfftn(ones((2, 4))))"],
        )
        .gives("s in place of the extents, by default 2 * (m - 1) for the last; c128 gives f64, others f32.")
        .like("np.fft.irfftn", "torch.fft.irfftn")
        .see(&["rfftn"]),
];
