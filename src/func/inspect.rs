//! Looking behind values: layouts, shared memory, why something was copied, what a pending value will cost, and where
//! it is computed.

use super::types::{Out, record};
use super::{Args, Cx, Func, Memory, convert};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::{CopyReason, NodeRef, Tensor, lower};
use crate::tensor::{Layout, shares_memory};
use crate::value::{Spanned, Value, nodes};
use std::sync::Arc;
use std::time::Instant;

fn the_tensor(args: &Args, i: usize) -> Result<Arc<Tensor>, Diag> {
    match args.value(i) {
        Value::Tensor(t) => Ok(t.clone()),
        _ => Err(args.wrong(i, "a tensor")),
    }
}

fn count(n: u64) -> Value {
    i64::try_from(n).map_or(Value::BigInt(n), Value::Int)
}

fn layout(_: &mut Cx, args: &Args) -> Out {
    let t = the_tensor(args, 0)?;
    let ints = |list: &mut dyn Iterator<Item = i64>| Value::tuple(list.map(Value::Int).collect());
    let layout = t.units();
    Ok(record(vec![
        ("dtype", super::attribute::dtype(&t)),
        ("shape", ints(&mut layout.shape.iter().map(|&n| n as i64))),
        ("strides", ints(&mut layout.strides.iter().map(|&s| s as i64))),
        ("offset", Value::Int(layout.offset as i64)),
        ("contiguous", Value::Bool(layout.is_contiguous())),
        ("broadcast", Value::Bool(!layout.is_injective())),
        ("view", Value::Bool(t.shares_a_base())),
        ("read_only", Value::Bool(t.cell.read_only.is_some())),
        ("base", t.origin.as_ref().map_or(Value::None, |o| Value::Str(o.clone()))),
    ]))
}

/// A view's layout counted in bytes from the start of `from`, with the bytes of an element as a last axis.
fn in_bytes(t: &Tensor, shift: isize) -> Option<Layout> {
    let size = t.encoding().unit_bytes() as isize;
    let mut layout = t.units();
    layout.shape = t.encoding().unit_shape(&layout.shape).unwrap_or(layout.shape);
    for stride in &mut layout.strides {
        *stride = stride.checked_mul(size)?;
    }
    layout.offset = layout.offset.checked_mul(size)?.checked_add(shift)?;
    layout.shape.push(size as usize);
    layout.strides.push(1);
    Some(layout)
}

/// Layouts of both in bytes from one place; None where their elements cannot meet.
fn common(a: &Tensor, b: &Tensor) -> Option<(Layout, Layout)> {
    let (na, nb) = (a.cell.version(), b.cell.version());
    if Arc::ptr_eq(&na, &nb) {
        return Some((in_bytes(a, 0)?, in_bytes(b, 0)?));
    }
    // Two tensors of one file are different leaves over one mapping.
    let (ba, bb) = (na.buffer()?, nb.buffer()?);
    let (start_a, start_b) = (ba.as_ptr() as usize, bb.as_ptr() as usize);
    let low = start_a.min(start_b);
    let apart = start_a + ba.len() <= start_b || start_b + bb.len() <= start_a;
    if apart {
        return None;
    }
    Some((in_bytes(a, (start_a - low) as isize)?, in_bytes(b, (start_b - low) as isize)?))
}

fn shares(_: &mut Cx, args: &Args) -> Out {
    let (a, b) = (the_tensor(args, 0)?, the_tensor(args, 1)?);
    let shared = common(&a, &b).is_some_and(|(a, b)| shares_memory(&a, 1, &b, 1));
    Ok(Value::Bool(shared))
}

/// Whether the ranges that both reach overlap: cheap, and true more often than `shares_memory`.
fn may_share(_: &mut Cx, args: &Args) -> Out {
    let (a, b) = (the_tensor(args, 0)?, the_tensor(args, 1)?);
    let meet = common(&a, &b).and_then(|(a, b)| {
        let ((a_low, a_high), (b_low, b_high)) = (a.bounds()?, b.bounds()?);
        Some(a_low <= b_high && b_low <= a_high)
    });
    Ok(Value::Bool(meet.unwrap_or(false)))
}

fn is_view(_: &mut Cx, args: &Args) -> Out {
    Ok(Value::Bool(the_tensor(args, 0)?.shares_a_base()))
}

/// Why a node is a copy, whether it has run or not.
fn copied(node: &NodeRef) -> Option<CopyReason> {
    node.copy.clone().or_else(|| node.record().and_then(|r| r.copy.clone()))
}

fn why_copy(_: &mut Cx, args: &Args) -> Out {
    let t = the_tensor(args, 0)?;
    let node = t.cell.version();
    let layout = &t.view.layout;
    let place = format!("strides {:?}, offset {}", layout.strides.as_slice(), layout.offset);
    let text = if let Some(reason) = copied(&node) {
        format!("{} is a copy because {}", t.describe(), reason.text())
    } else if t.is_view {
        let of = t.origin.as_ref().map_or(String::new(), |o| format!(" of {o}"));
        format!("{} is a view{of}: nothing was copied ({place})", t.describe())
    } else if node.is_pending() {
        format!("{} is no copy: it is computed when its values are needed", t.describe())
    } else {
        match node.record() {
            Some(record) => format!("{} is no copy: {}", t.describe(), record.text()),
            None => format!("{} is no copy: its values were given ({place})", t.describe()),
        }
    };
    Ok(Value::str(text))
}

/// What computing the pending parts of a value takes; nothing runs.
fn cost(_: &mut Cx, args: &Args) -> Out {
    let mut found = Vec::new();
    nodes(args.value(0), &mut found);
    let plan = lower(&found);
    let t = plan.totals();
    Ok(record(vec![
        ("kernels", count(t.kernels)),
        ("copies", count(t.copies)),
        ("bytes_read", count(t.bytes_read)),
        ("bytes_written", count(t.bytes_written)),
        ("peak_bytes", count(t.peak_bytes)),
    ]))
}

/// Seconds that one call takes, its value computed.
fn once(cx: &mut Cx, args: &Args) -> Result<f64, Diag> {
    let start = Instant::now();
    let value = cx.host.call(args.value(0), Vec::new(), Vec::new(), args.span(0))?;
    cx.force_value(&value)?;
    Ok(start.elapsed().as_secs_f64())
}

fn time(cx: &mut Cx, args: &Args) -> Out {
    once(cx, args).map(Value::Float)
}

fn bench(cx: &mut Cx, args: &Args) -> Out {
    let runs = args.count(cx, 1)?.max(1);
    // The first call reads files and warms caches.
    once(cx, args)?;
    let (mut best, mut total) = (f64::INFINITY, 0.0);
    for _ in 0..runs {
        let seconds = once(cx, args)?;
        best = f64::min(best, seconds);
        total += seconds;
    }
    Ok(record(vec![
        ("best", Value::Float(best)),
        ("mean", Value::Float(total / runs as f64)),
        ("runs", Value::Int(runs as i64)),
    ]))
}

/// The only device is the processor.
fn on_device(args: &Args, i: usize) -> Result<(), Diag> {
    let name = args.str(i)?;
    if &*name == "cpu" {
        return Ok(());
    }
    let diag = if name.starts_with("gpu") || name.starts_with("cuda") || &*name == "mps" {
        args.fault(i, "E0801", format!("there is no device {name:?} here")).hint("this build computes on the cpu only")
    } else {
        args.fault(i, "E0802", format!("unknown device {name:?}")).hint("devices are \"cpu\" and \"gpu\"")
    };
    Err(diag)
}

fn to(cx: &mut Cx, args: &Args) -> Out {
    match convert::dtype(args.value(1)) {
        Some(dtype) => {
            let x = args.tensor(cx, 0)?;
            if x.dtype() == dtype {
                return Ok(args.value(0).clone());
            }
            super::types::converted(cx, args, &x, dtype, crate::tensor::CastMode::Checked)
        }
        None => {
            on_device(args, 1)?;
            Ok(args.value(0).clone())
        }
    }
}

fn cpu(_: &mut Cx, args: &Args) -> Out {
    Ok(args.value(0).clone())
}

fn device(_: &mut Cx, args: &Args) -> Out {
    if args.is_none(0) {
        return Ok(Value::str("cpu"));
    }
    on_device(args, 0).map(|()| Value::None)
}

fn on(cx: &mut Cx, args: &Args) -> Out {
    on_device(args, 0)?;
    let callee = Spanned { value: args.value(1).clone(), span: args.span(1) };
    let value = cx.host.call(&callee.value, Vec::new(), Vec::new(), callee.span)?;
    cx.force_value(&value)?;
    Ok(value)
}

pub static ROWS: [Func; 12] = [
    Func::new("layout", layout, Group::Plan)
        .help(
            "layout(x)",
            "How a tensor lies in its buffer: shape, strides and offset in elements, whether it is \
             contiguous, a broadcast, \
             a view or read-only, and of what.",
            &["layout(arange(6).reshape(2, 3).T)"],
        )
        .gives("A record.")
        .like("np.ndarray.flags", "torch.Tensor.stride")
        .see(&["is_view", "why_copy", "shares_memory"]),
    Func::new("shares_memory", shares, Group::Plan)
        .help(
            "shares_memory(a, b)",
            "Whether some byte belongs to an element of both. Exact: views that interleave without \
             meeting do not share.",
            &["x = arange(6)\nshares_memory(x[::2], x[1::2])"],
        )
        .gives("A plain bool.")
        .like("np.shares_memory", "")
        .see(&["may_share_memory", "is_view"]),
    Func::new("may_share_memory", may_share, Group::Plan)
        .help(
            "may_share_memory(a, b)",
            "Whether the stretches of memory that both reach overlap.",
            &["x = arange(6)\nmay_share_memory(x[::2], x[1::2])"],
        )
        .gives("A plain bool.")
        .like("np.may_share_memory", "")
        .see(&["shares_memory"]),
    Func::new("is_view", is_view, Group::Plan)
        .help(
            "is_view(x)",
            "Whether a layout operation made x from a buffer that another value also holds.",
            &["x = arange(4)\nis_view(x[1:])"],
        )
        .gives("A plain bool.")
        .like("", "torch.Tensor._is_view")
        .see(&["layout", "shares_memory"]),
    Func::new("why_copy", why_copy, Group::Plan)
        .help(
            "why_copy(x)",
            "Says whether x is a copy and why one was needed: which reshape no strides express, or \
             which function asks for it.",
            &["why_copy(arange(6).reshape(2, 3).T.reshape(6))"],
        )
        .gives("A string.")
        .like("none", "none")
        .see(&["layout", "cost", "materialize"]),
    Func::new("cost", cost, Group::Plan)
        .help(
            "cost(x)",
            "What computing the pending value will take: kernels, copies, bytes read and written, \
             peak bytes. Nothing runs.",
            &["cost(sum(ones((100, 100)) + 1))"],
        )
        .gives("A record of plain numbers.")
        .like("none", "none")
        .see(&["time", "layout"]),
    Func::new("time", time, Group::Plan)
        .help(
            "time(f)",
            "Calls f without arguments, computes its value, and gives the seconds that took.",
            &["time(lambda: sum(ones(10))) > 0"],
        )
        .gives("A plain float.")
        .like("time.perf_counter", "")
        .see(&["bench", "cost"]),
    Func::new("bench", bench, Group::Plan)
        .help(
            "bench(f, runs=10)",
            "Calls f once to warm up, then several times: the best and the mean seconds.",
            &["bench(lambda: sum(ones(10)), 3).runs"],
        )
        .gives("A record of plain numbers.")
        .like("timeit.repeat", "torch.utils.benchmark.Timer")
        .see(&["time"]),
    Func::new("to", to, Group::Plan)
        .help(
            "to(x, what)",
            "x on another device or, where a dtype is given, converted; x itself where it is there already.",
            &["to(ones(2), f16)", "to(ones(2), \"cpu\").device"],
        )
        .memory(Memory::ItselfOrCopy)
        .gives("The shape of x; its dtype, or the one given.")
        .like("np.ndarray.astype", "torch.Tensor.to")
        .see(&["astype", "on"]),
    Func::new("cpu", cpu, Group::Plan)
        .help("cpu(x)", "x in the memory of the processor.", &["cpu(ones(2)).device"])
        .gives("x itself.")
        .like("", "torch.Tensor.cpu")
        .see(&["to"]),
    Func::new("device", device, Group::Plan)
        .help(
            "device(name=None)",
            "The device for the statements that follow; without a name, the one in use.",
            &["device(\"cpu\")", "device()"],
        )
        .gives("The name in use, a string; None where one is given.")
        .like("", "torch.set_default_device")
        .see(&["to", "on"]),
    Func::new("on", on, Group::Plan)
        .help(
            "on(device, f)",
            "Calls f without arguments and computes its value on a device.",
            &["on(\"cpu\", lambda: ones(2) + 1)"],
        )
        .gives("What f gives.")
        .like("", "torch.device")
        .see(&["to", "device"]),
];
