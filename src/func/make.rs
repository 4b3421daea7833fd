//! What native functions build their results of: elementwise rows by name, casts, reductions, gathers along an axis,
//! and values that were computed on the host.

use super::Cx;
use crate::base::{Diag, Span};
use crate::kernel::{CastMode, InstrOp, Program, Reg};
use crate::op::{Monoid, map_row};
use crate::plan::build::{self, MapArg, Picks};
use crate::plan::{CopyReason, Node, NodeOp, Operand, Tensor};
use crate::tensor::{Buffer, DType, HostArray, Kind, Layout, Scalar, Shape, View};
use bytemuck::Pod;
use smallvec::smallvec;
use std::sync::Arc;

/// What makers of nodes need to know of the call. Everything made is pending; the caller hands the last one to
/// [`Cx::give`], after the others are gone, so that they fuse.
#[derive(Clone, Copy)]
pub struct Make {
    pub float: DType,
    pub span: Span,
}

/// A tensor as an argument of an elementwise row.
pub fn t(x: &Tensor) -> MapArg {
    MapArg::Operand(x.operand())
}

/// A plain float: it takes the dtype of the tensors beside it.
pub fn num(x: f64) -> MapArg {
    MapArg::Weak(Scalar::Float(x))
}

/// A plain integer.
pub fn int(x: i64) -> MapArg {
    MapArg::Weak(Scalar::Int(x))
}

impl Make {
    pub fn of(cx: &mut Cx) -> Make {
        Make { float: cx.default_float(), span: cx.span }
    }

    /// An elementwise row by name.
    pub fn row(self, name: &'static str, args: &[MapArg]) -> Result<Tensor, Diag> {
        let row = map_row(name).ok_or_else(|| Diag::new("E0101", format!("unknown name `{name}`")))?;
        Ok(Tensor::of(build::map(row, args, self.float, self.span)?))
    }

    /// `x` in another dtype, converted as `astype(…, wrap=True)` does; itself where it has it.
    pub fn cast(self, x: &Tensor, dtype: DType) -> Result<Tensor, Diag> {
        if x.dtype() == dtype {
            return Ok(x.clone());
        }
        Ok(Tensor::of(build::cast(&x.operand(), dtype, CastMode::Wrap, self.span)?))
    }

    /// A fresh tensor of the same values, in another dtype where one is given; floats into integers are checked.
    pub fn fresh(self, x: &Tensor, dtype: Option<DType>, by: &'static str) -> Result<Tensor, Diag> {
        match dtype.filter(|d| *d != x.dtype()) {
            Some(d) => Ok(Tensor::of(build::cast(&x.operand(), d, CastMode::Checked, self.span)?)),
            None => Ok(Tensor::of(build::copy(&x.operand(), CopyReason::Asked { by }, self.span))),
        }
    }

    /// One value in every place.
    pub fn fill(self, shape: &[usize], dtype: DType, value: Scalar) -> Result<Tensor, Diag> {
        Ok(Tensor::of(build::fill(shape, dtype, value, self.span)?))
    }

    /// A reduction along `axes` (ascending) that sums in `acc` and rounds to `dtype`.
    pub fn reduce(
        self,
        x: &Tensor,
        axes: &[usize],
        keepdims: bool,
        monoid: Monoid,
        dtype: DType,
    ) -> Result<Tensor, Diag> {
        build::reduce(&x.operand(), axes, keepdims, monoid, dtype.lane(), dtype, self.span)
    }

    /// A sum in the lane dtype of `x`: partial results of 16-bit floats stay in f32.
    pub fn sum(self, x: &Tensor, axes: &[usize], keepdims: bool) -> Result<Tensor, Diag> {
        self.reduce(x, axes, keepdims, Monoid::Sum, x.dtype().lane())
    }

    /// The elements at `positions` (checked) along an axis: a copy.
    pub fn take(self, x: &Tensor, axis: usize, positions: &Tensor) -> Result<Tensor, Diag> {
        let axes = [(axis, positions.operand())];
        let picks = Picks { axes: &axes, shape: positions.shape(), at: axis };
        Ok(Tensor::of(build::take(&x.operand(), &picks, self.span)?))
    }

    /// All elements in row-major order on one axis: a view where strides allow.
    pub fn flat(self, x: &Tensor) -> Result<Tensor, Diag> {
        build::reshape(x, &[-1], self.span)
    }

    pub fn reshape(self, x: &Tensor, shape: &[usize]) -> Result<Tensor, Diag> {
        let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
        build::reshape(x, &shape, self.span)
    }

    /// A tensor over the value `offset + Σ coordinate * stride` of `layout` (i64): `body` gets the program and that
    /// register.
    pub fn position(
        self,
        layout: Layout,
        dtype: DType,
        body: impl FnOnce(&mut Program, Reg) -> Result<Reg, Diag>,
    ) -> Result<Tensor, Diag> {
        build::checked_shape(&layout.shape, dtype)?;
        let mut program = Program::default();
        let position = program.push(InstrOp::Position(0), &[], DType::I64, self.span);
        program.output = body(&mut program, position)?;
        let shape = layout.shape.clone();
        let operand = Operand::new(build::nothing(), View { layout, dtype: DType::I64, conj: false });
        Ok(Tensor::of(Node::pending(NodeOp::Map(program), smallvec![operand], shape, dtype, self.span)))
    }

    /// The integers 0, 1, … along one axis of `shape`.
    pub fn count_along(self, shape: &[usize], axis: usize) -> Result<Tensor, Diag> {
        let mut layout = Layout { shape: shape.into(), strides: smallvec![0; shape.len()], offset: 0 };
        layout.strides[axis] = 1;
        self.position(layout, DType::I64, |_, position| Ok(position))
    }

    /// Appends an elementwise row to a program; its arguments have the dtypes that the row asks for.
    pub fn push(self, program: &mut Program, name: &'static str, args: &[Reg], dtype: DType) -> Result<Reg, Diag> {
        let row = map_row(name).ok_or_else(|| Diag::new("E0101", format!("unknown name `{name}`")))?;
        Ok(program.push(InstrOp::Row(row), args, dtype, self.span))
    }

    pub fn constant(self, program: &mut Program, value: Scalar, dtype: DType) -> Reg {
        program.push(InstrOp::Const(value), &[], dtype, self.span)
    }
}

/// Host values as a tensor.
pub fn leaf<T: Pod>(values: &[T], dtype: DType, shape: &[usize]) -> Result<Tensor, Diag> {
    let buffer = Buffer::from_slice(values).map_err(|f| f.diag())?;
    let layout = Layout::contiguous(shape).map_err(|f| f.diag())?;
    let view = View { layout, dtype, conj: false };
    Ok(Tensor::from_array(HostArray { buffer: Arc::new(buffer), view }, None))
}

pub fn leaf_i64(values: &[i64]) -> Result<Tensor, Diag> {
    leaf(values, DType::I64, &[values.len()])
}

/// f64 values rounded to a float dtype.
pub fn leaf_float(values: &[f64], dtype: DType, shape: &[usize]) -> Result<Tensor, Diag> {
    let mut bytes = Vec::with_capacity(values.len() * dtype.size());
    for &x in values {
        Scalar::Float(x).write(dtype, &mut bytes);
    }
    leaf(&bytes, dtype, shape)
}

/// Computed values of one dtype, contiguous: what host loops read.
pub struct Values(HostArray);

impl Values {
    /// Row-major. `T` is the type that was asked for.
    pub fn slice<T: Pod>(&self) -> &[T] {
        let view = &self.0.view;
        let start = view.layout.offset as usize * view.dtype.size();
        let bytes = &self.0.buffer.bytes()[start..][..view.layout.size() * view.dtype.size()];
        bytemuck::try_cast_slice(bytes).unwrap_or_default()
    }
}

impl Cx<'_> {
    /// Refuses host results of `count` elements of 8 bytes that would not fit the session's memory.
    ///
    /// # Errors
    /// E0702.
    pub fn room(&mut self, count: usize) -> Result<(), Diag> {
        let bytes = (count as u64).saturating_mul(8);
        let limit = self.options().max_memory;
        if bytes <= limit && Vec::<u64>::new().try_reserve_exact(count).is_ok() {
            return Ok(());
        }
        Err(Diag::new("E0702", format!("no memory for {count} elements")).at(self.span))
    }

    /// The values of `x` converted to `dtype`, computed now, contiguous and aligned.
    pub fn values(&mut self, x: &Tensor, dtype: DType) -> Result<Values, Diag> {
        let make = Make::of(self);
        let x = make.cast(x, dtype)?;
        let mut array = self.array(&x)?;
        // Elements of a mapped file may lie anywhere.
        let aligned = (array.buffer.as_ptr() as usize).is_multiple_of(dtype.real().size());
        let packed = array.buffer.packed().is_some();
        if packed || !array.view.layout.is_contiguous() || array.view.conj || !aligned {
            let copy = build::copy(&x.operand(), CopyReason::Asked { by: "host" }, make.span);
            array = self.array(&Tensor::of(copy))?;
        }
        Ok(Values(array))
    }

    pub fn i64s(&mut self, x: &Tensor) -> Result<Vec<i64>, Diag> {
        Ok(self.values(x, DType::I64)?.slice::<i64>().to_vec())
    }

    pub fn f64s(&mut self, x: &Tensor) -> Result<Vec<f64>, Diag> {
        Ok(self.values(x, DType::F64)?.slice::<f64>().to_vec())
    }

    /// Row-major positions of the elements that are not zero.
    pub fn nonzero(&mut self, x: &Tensor) -> Result<Vec<i64>, Diag> {
        let values = self.values(x, DType::Bool)?;
        let flags = values.slice::<u8>().iter().enumerate();
        Ok(flags.filter(|(_, b)| **b != 0).map(|(i, _)| i as i64).collect())
    }

    /// Positions along an axis of `extent`: integers, negative ones counted from the end, checked.
    ///
    /// # Errors
    /// E0402 for other dtypes, E0301 out of range.
    pub fn positions(&mut self, x: &Tensor, extent: usize, axis: usize) -> Result<Tensor, Diag> {
        if !x.dtype().is_int() && x.size() > 0 {
            return Err(Diag::new("E0402", format!("positions must be integers, got {}", x.describe()))
                .hint("convert them: x.astype(i64); a mask selects with x[mask]"));
        }
        if self.host.checking() && extent > 0 {
            let layout = Layout::contiguous(&[]).and_then(|l| l.broadcast_to(x.shape())).map_err(|f| f.diag())?;
            return Ok(leaf(&[0i64], DType::I64, &[])?.viewed(layout));
        }
        let mut values = self.i64s(x)?;
        let wrapped = x.dtype() == DType::U64;
        for value in &mut values {
            let at = if *value < 0 && !wrapped { *value + extent as i64 } else { *value };
            if !(0..extent as i64).contains(&at) {
                return Err(crate::tensor::LayoutFault::IndexOutOfRange { axis, index: *value, extent }.diag());
            }
            *value = at;
        }
        leaf(&values, DType::I64, x.shape())
    }

    /// Order-preserving keys of real values: equal values have equal keys, nan comes last.
    pub fn order_keys(&mut self, x: &Tensor) -> Result<Vec<u64>, Diag> {
        match x.dtype().kind() {
            Kind::Complex => Err(no_order(x.dtype())),
            Kind::Float => Ok(self.values(x, DType::F64)?.slice::<f64>().iter().map(|f| float_key(*f)).collect()),
            Kind::Signed => {
                let flip = |i: &i64| *i as u64 ^ 1 << 63;
                Ok(self.values(x, DType::I64)?.slice::<i64>().iter().map(flip).collect())
            }
            Kind::Bool | Kind::Unsigned => Ok(self.values(x, DType::U64)?.slice::<u64>().to_vec()),
        }
    }
}

/// E0402 for functions that need an order.
pub fn no_order(dtype: DType) -> Diag {
    Diag::new("E0402", format!("complex numbers ({dtype}) have no order")).hint("take abs(x), x.real or x.imag first")
}

/// A key that orders as the number does: zeros of both signs are equal, nan is above everything.
pub fn float_key(x: f64) -> u64 {
    if x.is_nan() {
        return u64::MAX;
    }
    let bits = if x == 0.0 { 0 } else { x.to_bits() };
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// `shape` without `axes`, or with them as extent 1.
pub fn without(shape: &[usize], axes: &[usize], keepdims: bool) -> Shape {
    let kept = shape.iter().enumerate().filter(|(a, _)| keepdims || !axes.contains(a));
    kept.map(|(a, &n)| if axes.contains(&a) { 1 } else { n }).collect()
}
