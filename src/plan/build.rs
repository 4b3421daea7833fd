//! Makers of nodes: they check shapes and dtypes now and compute nothing. Errors are facts without places; the caller
//! adds those of the operands.

use super::cell::Tensor;
use super::graph::{CopyReason, Node, NodeOp, NodeRef, Operand, describe};
use crate::base::{Diag, Span};
use crate::kernel::{InstrOp, Opaque, Program, RandomKind, Reg};
use crate::op::{MapRow, Monoid};
use crate::tensor::{
    Buffer, CastMode, DType, Kind, Layout, LayoutFault, Reshape, Scalar, Shape, View, broadcast_shapes, promote,
};
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, LazyLock};

/// An argument of an elementwise row.
#[derive(Clone)]
pub enum MapArg {
    Operand(Operand),
    /// A plain number: it takes the dtype of the tensors beside it where its kind allows.
    Weak(Scalar),
}

impl MapArg {
    fn shape(&self) -> &[usize] {
        match self {
            MapArg::Operand(o) => o.shape(),
            MapArg::Weak(_) => &[],
        }
    }
}

/// One elementwise node: promotes, broadcasts, casts.
///
/// # Errors
/// E0203 where the shapes do not broadcast, E04 where the row does not take the dtypes or a plain number does not fit.
pub fn map(row: &'static MapRow, args: &[MapArg], default_float: DType, span: Span) -> Result<NodeRef, Diag> {
    let shapes: SmallVec<[&[usize]; 3]> = args.iter().map(MapArg::shape).collect();
    let shape = broadcast_shapes(&shapes).map_err(|f| f.diag())?;
    let dtypes = resolve_weak(row, args, default_float)?;
    let typed = (row.rule)(&dtypes, default_float).map_err(|f| {
        let diag = Diag::new("E0402", f.message);
        match f.hint {
            Some(hint) => diag.hint(hint),
            None => diag,
        }
    })?;
    let mut program = Program::default();
    let mut operands: SmallVec<[Operand; 3]> = SmallVec::new();
    let mut regs: SmallVec<[Reg; 3]> = SmallVec::new();
    for (arg, want) in args.iter().zip(&typed.args) {
        regs.push(match arg {
            MapArg::Operand(o) => {
                let layout = o.view.layout.broadcast_to(&shape).map_err(|f| f.diag())?;
                operands.push(o.with_layout(layout));
                let reg = program.push(InstrOp::Load(operands.len() - 1), &[], o.view.dtype, span);
                cast_reg(&mut program, reg, *want, CastMode::Wrap, span)
            }
            MapArg::Weak(scalar) => constant(&mut program, *scalar, *want, span)?,
        });
    }
    program.output = program.push(InstrOp::Row(row), &regs, typed.result, span);
    Ok(Node::pending(NodeOp::Map(program), operands, shape, typed.result, span))
}

/// Appends a cast unless the register has the dtype already.
pub fn cast_reg(program: &mut Program, reg: Reg, dtype: DType, mode: CastMode, span: Span) -> Reg {
    if program.instrs[reg as usize].dtype == dtype {
        return reg;
    }
    program.push(InstrOp::Cast(mode), &[reg], dtype, span)
}

fn constant(program: &mut Program, scalar: Scalar, dtype: DType, span: Span) -> Result<Reg, Diag> {
    let value = scalar.cast(dtype, CastMode::Wrap).map_err(|f| f.diag())?;
    Ok(program.push(InstrOp::Const(value), &[], dtype, span))
}

/// The dtypes of the arguments with plain numbers resolved against the tensors, as NumPy 2 does.
fn resolve_weak(row: &MapRow, args: &[MapArg], default_float: DType) -> Result<SmallVec<[DType; 3]>, Diag> {
    let skip = usize::from(row.selects());
    let strong = args[skip..].iter().filter_map(|a| match a {
        MapArg::Operand(o) => Some(o.view.dtype),
        MapArg::Weak(_) => None,
    });
    let strong = strong.reduce(promote);
    let weakest = args[skip..].iter().filter_map(|a| match a {
        MapArg::Weak(s) => Some(weak_dtype(*s, strong, default_float)),
        MapArg::Operand(_) => None,
    });
    let joined = weakest.chain(strong).reduce(promote).unwrap_or(DType::Bool);
    let mut dtypes = SmallVec::new();
    for (i, arg) in args.iter().enumerate() {
        dtypes.push(match arg {
            MapArg::Operand(o) => o.view.dtype,
            MapArg::Weak(_) if i < skip => DType::Bool,
            MapArg::Weak(s) => {
                let dtype = weak_dtype(*s, Some(joined), default_float);
                if fits(*s, dtype) {
                    dtype
                } else if row.compares() {
                    // A comparison with a number outside of the dtype is exact, as in NumPy 2.
                    if matches!(s, Scalar::UInt(_)) { DType::U64 } else { DType::I64 }
                } else {
                    return Err(Diag::new("E0403", format!("{} does not fit {dtype}", show(*s))).hint(format!(
                        "plain numbers take the tensor's dtype; widen it first, e.g. `x.astype({})`",
                        if matches!(s, Scalar::UInt(_)) { DType::U64 } else { DType::I64 }
                    )));
                }
            }
        });
    }
    Ok(dtypes)
}

/// The dtype that a plain number takes beside tensors of dtype `strong`.
pub fn weak_dtype(scalar: Scalar, strong: Option<DType>, default_float: DType) -> DType {
    let complex = if default_float == DType::F64 { DType::C128 } else { DType::C64 };
    match (scalar, strong) {
        (Scalar::Bool(_), None) => DType::Bool,
        (Scalar::Bool(_), Some(d)) => d,
        (Scalar::UInt(u), None | Some(DType::Bool)) if i64::try_from(u).is_err() => DType::U64,
        (Scalar::Int(_) | Scalar::UInt(_), None | Some(DType::Bool)) => DType::I64,
        (Scalar::Int(_) | Scalar::UInt(_), Some(d)) => d,
        (Scalar::Float(_), Some(d)) if matches!(d.kind(), Kind::Float | Kind::Complex) => d,
        (Scalar::Float(_), _) => default_float,
        (Scalar::Complex(_), Some(d)) => match d.kind() {
            Kind::Complex => d,
            Kind::Float => promote(d, DType::C64),
            _ => complex,
        },
        (Scalar::Complex(_), None) => complex,
    }
}

fn fits(scalar: Scalar, dtype: DType) -> bool {
    match scalar {
        Scalar::Int(_) | Scalar::UInt(_) if dtype.is_int() => int_fits(scalar, dtype),
        _ => true,
    }
}

/// Whether a plain integer is in the range of an integer dtype.
pub(super) fn int_fits(scalar: Scalar, dtype: DType) -> bool {
    let wide = |s: Scalar| match s {
        Scalar::Int(i) => i128::from(i),
        Scalar::UInt(u) => i128::from(u),
        other => other.to_f64() as i128,
    };
    let (low, high) = crate::tensor::min_max(dtype);
    (wide(low)..=wide(high)).contains(&wide(scalar))
}

fn show(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool(b) => b.to_string(),
        Scalar::Int(i) => i.to_string(),
        Scalar::UInt(u) => u.to_string(),
        Scalar::Float(f) => f.to_string(),
        Scalar::Complex(z) => z.to_string(),
    }
}

/// Converts to another dtype. Complex to real is refused (E0404).
pub fn cast(x: &Operand, dtype: DType, mode: CastMode, span: Span) -> Result<NodeRef, Diag> {
    if x.view.dtype.is_complex() && !dtype.is_complex() && dtype != DType::Bool {
        return Err(Diag::new("E0404", format!("{} cannot become {dtype}: it is complex", x.view.dtype))
            .hint("take `.real` or `abs` first"));
    }
    let mut program = Program::default();
    let reg = program.push(InstrOp::Load(0), &[], x.view.dtype, span);
    program.output = cast_reg(&mut program, reg, dtype, mode, span);
    Ok(Node::pending(NodeOp::Map(program), smallvec![x.clone()], x.shape().into(), dtype, span))
}

/// `x` itself where it has the dtype, else its conversion.
pub fn as_dtype(x: Operand, dtype: DType, span: Span) -> Result<Operand, Diag> {
    if x.view.dtype == dtype {
        return Ok(x);
    }
    Ok(whole(&cast(&x, dtype, CastMode::Wrap, span)?))
}

/// An edge to all of a node.
pub fn whole(node: &NodeRef) -> Operand {
    let layout = Layout::contiguous(&node.shape).unwrap_or_default();
    Operand::new(node.clone(), View { layout, dtype: node.dtype, conj: false })
}

/// Refuses shapes whose element or byte count overflows.
pub fn checked_shape(shape: &[usize], dtype: DType) -> Result<Layout, Diag> {
    let layout = Layout::contiguous(shape).map_err(|f| f.diag())?;
    match layout.size().checked_mul(dtype.size()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(layout),
        _ => Err(LayoutFault::TooLarge { shape: shape.to_vec() }.diag()),
    }
}

/// A tensor of one value; owns no buffer until somebody needs one.
pub fn fill(shape: &[usize], dtype: DType, value: Scalar, span: Span) -> Result<NodeRef, Diag> {
    checked_shape(shape, dtype)?;
    let mut program = Program::default();
    program.output = constant(&mut program, value, dtype, span)?;
    Ok(Node::pending(NodeOp::Map(program), SmallVec::new(), shape.into(), dtype, span))
}

/// A source computed from each element's row-major position: `body` gets the program and the i64 position register.
pub fn from_position(
    shape: &[usize],
    dtype: DType,
    span: Span,
    body: impl FnOnce(&mut Program, Reg) -> Result<Reg, Diag>,
) -> Result<NodeRef, Diag> {
    let layout = checked_shape(shape, dtype)?;
    let mut program = Program::default();
    let position = program.push(InstrOp::Position(0), &[], DType::I64, span);
    program.output = body(&mut program, position)?;
    let operand = Operand::new(nothing(), View { layout, dtype: DType::I64, conj: false });
    Ok(Node::pending(NodeOp::Map(program), smallvec![operand], shape.into(), dtype, span))
}

/// The node behind `Position` slots: it has no bytes, only the edge's layout counts.
pub fn nothing() -> NodeRef {
    static NOTHING: LazyLock<NodeRef> = LazyLock::new(|| {
        Node::leaf(Arc::new(Buffer::zeroed(0).unwrap_or_else(|_| unreachable!())), DType::I64, Span::default())
    });
    NOTHING.clone()
}

/// Random numbers whose counter is the element's position: the same on any number of threads.
pub fn random(
    kind: RandomKind,
    shape: &[usize],
    dtype: DType,
    seed: u64,
    stream: u64,
    span: Span,
) -> Result<NodeRef, Diag> {
    from_position(shape, dtype, span, |program, position| {
        Ok(program.push(InstrOp::Random { kind, seed, stream }, &[position], dtype, span))
    })
}

/// A copy of the shown elements, row-major.
pub fn copy(x: &Operand, reason: CopyReason, span: Span) -> NodeRef {
    let mut program = Program::default();
    program.output = program.push(InstrOp::Load(0), &[], x.view.dtype, span);
    let (shape, dtype) = (x.shape().into(), x.view.dtype);
    Node::with_copy(NodeOp::Map(program), smallvec![x.clone()], shape, dtype, span, Some(reason))
}

/// A view where strides can express it, else a copy.
pub fn reshape(t: &Tensor, shape: &[i64], span: Span) -> Result<Tensor, Diag> {
    match t.view.layout.reshape(shape).map_err(|f| f.diag())? {
        Reshape::View(layout) => Ok(t.viewed(layout)),
        Reshape::Copy(to) => {
            let reason = CopyReason::NoStrides { from: t.view.layout.clone(), to: to.clone() };
            let node = copy(&t.operand(), reason, span);
            let layout = Layout::contiguous(&to).map_err(|f| f.diag())?;
            let mut out = Tensor::of(node);
            out.view.layout = layout;
            Ok(out)
        }
    }
}

/// Reduces along `axes` (ascending, without repeats). The result has them as extent 1 with `keepdims`, else not at all.
pub fn reduce(
    x: &Operand,
    axes: &[usize],
    keepdims: bool,
    monoid: Monoid,
    acc: DType,
    dtype: DType,
    span: Span,
) -> Result<Tensor, Diag> {
    let ndim = x.shape().len();
    let kept: Vec<i64> = (0..ndim).filter(|a| !axes.contains(a)).map(|a| a as i64).collect();
    let order: Vec<i64> = kept.iter().copied().chain(axes.iter().map(|&a| a as i64)).collect();
    let layout = x.view.layout.permute(&order).map_err(|f| f.diag())?;
    let shape: Shape = layout.shape[..kept.len()].into();
    let operand = x.with_layout(layout);
    let node = Node::pending(NodeOp::Reduce { kept: kept.len(), monoid, acc }, smallvec![operand], shape, dtype, span);
    let mut out = Tensor::of(node);
    if keepdims {
        for &axis in axes {
            out.view.layout = out.view.layout.newaxis(axis);
        }
    }
    Ok(out)
}

/// A running monoid along an axis.
pub fn scan(x: &Operand, axis: usize, monoid: Monoid, acc: DType, dtype: DType, span: Span) -> NodeRef {
    let shape = x.shape().into();
    Node::pending(NodeOp::Scan { axis, monoid, acc }, smallvec![x.clone()], shape, dtype, span)
}

/// Sorted values, or the positions that sort, along an axis.
pub fn sort(x: &Operand, axis: usize, indices: bool, descending: bool, span: Span) -> NodeRef {
    let (shape, dtype) = (x.shape().into(), if indices { DType::I64 } else { x.view.dtype });
    Node::pending(NodeOp::Sort { axis, indices, descending }, smallvec![x.clone()], shape, dtype, span)
}

/// A library call; its operands are made contiguous.
pub fn call(opaque: Arc<dyn Opaque>, operands: &[Operand], shape: &[usize], dtype: DType, span: Span) -> NodeRef {
    Node::pending(NodeOp::Call(opaque), operands.iter().cloned().collect(), shape.into(), dtype, span)
}

/// How many axes of each kind the operands of a contraction have: `a [batch…, m…, k…]`, `b [batch…, n…, k…]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContractAxes {
    pub batch: usize,
    pub m: usize,
    pub n: usize,
    pub k: usize,
}

/// Products summed over the last `k` axes. Both operands have one dtype; f16 and bf16 are summed in f32.
pub fn contract(a: Operand, b: Operand, axes: ContractAxes, span: Span) -> Result<NodeRef, Diag> {
    let ContractAxes { batch, m, n, k } = axes;
    let dtype = a.view.dtype;
    let shape: Shape = a.shape()[..batch + m].iter().chain(&b.shape()[batch..batch + n]).copied().collect();
    checked_shape(&shape, dtype)?;
    let op = NodeOp::Contract { batch, m, n, k, acc: dtype.lane() };
    Ok(Node::pending(op, smallvec![a, b], shape, dtype, span))
}

/// `a @ b` with NumPy's rules for vectors and batches.
///
/// # Errors
/// E0210 where the inner extents differ or an operand is 0-d, E0203 where the batch axes do not broadcast.
pub fn matmul(a: &Operand, b: &Operand, span: Span) -> Result<Tensor, Diag> {
    let (sa, sb) = (a.shape(), b.shape());
    if sa.is_empty() || sb.is_empty() {
        return Err(Diag::new("E0210", "`@` needs operands with at least one axis").hint("`*` scales by a number"));
    }
    let dtype = promote(a.view.dtype, b.view.dtype);
    // [batch…, m, k] and [batch…, n, k]; vectors get a unit axis that goes again at the end.
    let (row, column) = (sa.len() == 1, sb.len() == 1);
    let la = if row { a.view.layout.newaxis(0) } else { a.view.layout.clone() };
    let lb = if column { b.view.layout.newaxis(0) } else { b.view.layout.swapaxes(-1, -2).map_err(|f| f.diag())? };
    let (ka, kb) = (la.shape[la.ndim() - 1], lb.shape[lb.ndim() - 1]);
    if ka != kb {
        let diag = Diag::new("E0210", "inner extents of the matrix product differ").note(format!(
            "axis -1 of the left: {ka} against axis {} of the right: {kb}",
            if column { -1 } else { -2 }
        ));
        let diag = diag.between(ka, kb);
        return Err(match matmul_hint(sa, sb) {
            Some(hint) => diag.hint(hint),
            None => diag,
        });
    }
    let (ba, bb) = (&la.shape[..la.ndim() - 2], &lb.shape[..lb.ndim() - 2]);
    let batch = broadcast_shapes(&[ba, bb]).map_err(|f| f.diag())?;
    let grow = |l: &Layout| {
        let shape: Shape = batch.iter().chain(&l.shape[l.ndim() - 2..]).copied().collect();
        l.broadcast_to(&shape).map_err(|f| f.diag())
    };
    let (la, lb) = (grow(&la)?, grow(&lb)?);
    let a = as_dtype(a.with_layout(la), dtype, span)?;
    let b = as_dtype(b.with_layout(lb), dtype, span)?;
    let node = contract(a, b, ContractAxes { batch: batch.len(), m: 1, n: 1, k: 1 }, span)?;
    let mut out = Tensor::of(node);
    let drop: Vec<i64> = [(row, -2), (column, -1)].iter().filter(|(d, _)| *d).map(|(_, a)| *a).collect();
    out.view.layout = out.view.layout.squeeze(Some(&drop)).map_err(|f| f.diag())?;
    Ok(out)
}

fn matmul_hint(a: &[usize], b: &[usize]) -> Option<String> {
    let k = a[a.len() - 1];
    if b.len() >= 2 && b[b.len() - 1] == k {
        return Some("transpose the right operand: `b.mT`".into());
    }
    if a.len() >= 2 && a[a.len() - 2] == b[b.len().saturating_sub(2)] {
        return Some("transpose the left operand: `a.mT`".into());
    }
    None
}

/// Parts written side by side into one new tensor: `parts[i]` is where operand `i` goes in the contiguous result.
pub fn assemble(
    name: &'static str,
    shape: &[usize],
    dtype: DType,
    parts: Vec<(Layout, Operand)>,
    span: Span,
) -> Result<NodeRef, Diag> {
    checked_shape(shape, dtype)?;
    let (layouts, operands): (Vec<Layout>, SmallVec<[Operand; 3]>) = parts.into_iter().unzip();
    Ok(Node::pending(NodeOp::Assemble { name, parts: layouts }, operands, shape.into(), dtype, span))
}

/// Joins along an existing axis. All operands have the same rank; dtypes are promoted.
///
/// # Errors
/// E0211 where another axis differs.
pub fn concat(xs: &[Operand], axis: usize, dtype: DType, span: Span) -> Result<NodeRef, Diag> {
    let Some(first) = xs.first() else {
        return Err(Diag::new("E0211", "nothing to join: the list is empty"));
    };
    let mut shape: Shape = first.shape().into();
    for x in &xs[1..] {
        let same = x.shape().len() == shape.len()
            && x.shape().iter().zip(&shape).enumerate().all(|(i, (a, b))| i == axis || a == b);
        if !same {
            let diag = Diag::new("E0211", "shapes differ outside of the joined axis").note(format!(
                "{} against {}",
                describe(first.view.dtype, first.shape()),
                describe(x.view.dtype, x.shape())
            ));
            let differs = |i: &usize| *i != axis && shape.get(*i) != x.shape().get(*i);
            let diag = match (0..shape.len()).find(differs) {
                Some(i) if x.shape().len() == shape.len() => diag.between(shape[i], x.shape()[i]),
                _ => diag.between(shape.len(), x.shape().len()),
            };
            return Err(diag.note(format!("joined along axis {axis}")));
        }
    }
    shape[axis] = xs.iter().try_fold(0usize, |n, x| n.checked_add(x.shape()[axis])).unwrap_or(usize::MAX);
    let all = checked_shape(&shape, dtype)?;
    let mut start = 0;
    let mut parts = Vec::with_capacity(xs.len());
    for x in xs {
        let length = x.shape()[axis];
        let part = all.narrow(axis as i64, start as i64, length as i64).map_err(|f| f.diag())?;
        parts.push((part, as_dtype(x.clone(), dtype, span)?));
        start += length;
    }
    assemble("concat", &shape, dtype, parts, span)
}

pub use super::write::{Picks, put, store, take};
