//! The kernels against a reference that takes one element at a time.

mod maps;
mod reduces;
mod reference;
mod rows;
mod scans;

use super::Cpu;
use crate::base::Span;
use crate::kernel::{Backend, Cancel, Fault, Input, InstrOp, Kernel, Output, Program, Reg};
use crate::op::map_row;
use crate::tensor::{DType, Layout, Scalar, View};
use proptest::prelude::*;
use std::io::Write;
use std::sync::Arc;

type Buffer = crate::tensor::Buffer;

/// Numbers that are the same for the same seed.
pub(super) struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 20
    }

    /// A value that every operation of the tests takes: small, of either sign, sometimes NaN where there is one.
    fn scalar(&mut self, dtype: DType, nans: bool) -> Scalar {
        let draw = self.next();
        if nans && draw.is_multiple_of(50) {
            return Scalar::Float(f64::NAN);
        }
        let part = |x: u64| (x % 41) as f64 / 4.0 - 5.0;
        match dtype {
            DType::Bool => Scalar::Bool(draw & 1 == 1),
            d if d.is_int() => Scalar::Int((draw % 23) as i64 - 11),
            d if d.is_complex() => Scalar::Complex(num_complex::Complex64::new(part(draw), part(draw >> 8))),
            _ => Scalar::Float(part(draw)),
        }
    }
}

/// How an operand lies: for each axis its place among the parent's axes, a step, a direction, and whether it is broadcast.
#[derive(Clone, Debug)]
pub(super) struct Lie {
    rank: Vec<usize>,
    step: Vec<usize>,
    flip: Vec<bool>,
    broadcast: Vec<bool>,
    offset: usize,
}

pub(super) fn lie() -> impl Strategy<Value = Lie> {
    let axes = 4;
    (
        Just((0..axes).collect::<Vec<usize>>()).prop_shuffle(),
        prop::collection::vec(prop_oneof![3 => Just(1usize), 1 => Just(2usize), 1 => Just(3usize)], axes),
        prop::collection::vec(prop::bool::weighted(0.2), axes),
        prop::collection::vec(prop::bool::weighted(0.2), axes),
        0usize..4,
        prop::bool::ANY,
    )
        .prop_map(|(rank, step, flip, broadcast, offset, plain)| {
            let still = |v: Vec<bool>| if plain { vec![false; 4] } else { v };
            let rank = if plain { vec![0, 1, 2, 3] } else { rank };
            let step = if plain { vec![1; 4] } else { step };
            Lie { rank, step, flip: still(flip), broadcast: still(broadcast), offset }
        })
}

impl Lie {
    pub(super) fn plain() -> Lie {
        Lie { rank: (0..8).collect(), step: vec![1; 8], flip: vec![false; 8], broadcast: vec![false; 8], offset: 0 }
    }

    /// A layout of this kind, and how many elements its buffer needs.
    fn layout(&self, shape: &[usize], may_broadcast: bool) -> (Layout, usize) {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        order.sort_by_key(|&axis| self.rank[axis]);
        let mut layout =
            Layout { shape: shape.into(), strides: vec![0; shape.len()].into(), offset: self.offset as isize };
        let mut stride = 1isize;
        for &axis in order.iter().rev() {
            if may_broadcast && self.broadcast[axis] {
                continue;
            }
            let step = self.step[axis] as isize;
            layout.strides[axis] = stride * step;
            if self.flip[axis] && shape[axis] > 0 {
                layout.offset += (shape[axis] - 1) as isize * stride * step;
                layout.strides[axis] = -stride * step;
            }
            stride *= shape[axis].max(1) as isize * step;
        }
        (layout, stride as usize + self.offset)
    }

    pub(super) fn input(&self, dtype: DType, shape: &[usize], numbers: &mut Numbers, nans: bool) -> Input {
        let (layout, count) = self.layout(shape, true);
        let mut bytes = Vec::new();
        for _ in 0..count {
            numbers.scalar(dtype, nans).write(dtype, &mut bytes);
        }
        let buffer = Arc::new(Buffer::from_bytes(&bytes).unwrap());
        Input { buffer, view: View { layout, dtype, conj: false } }
    }

    pub(super) fn output(&self, dtype: DType, shape: &[usize]) -> Output {
        let (layout, count) = self.layout(shape, false);
        let buffer = Arc::new(Buffer::zeroed(count * dtype.size()).unwrap());
        Output { buffer, view: View { layout, dtype, conj: false } }
    }
}

/// The same input in a mapped file, one byte off any alignment.
pub(super) fn unaligned(input: &Input) -> Input {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&[0]).unwrap();
    file.write_all(input.buffer.bytes()).unwrap();
    // SAFETY: nobody else knows the file.
    let map = Arc::new(unsafe { memmap2::Mmap::map(&file) }.unwrap());
    let buffer = Arc::new(Buffer::mapped(map, 1, input.buffer.len()).unwrap());
    Input { buffer, view: input.view.clone() }
}

/// Writes programs for tests.
#[derive(Default)]
pub(super) struct Builder(pub(super) Program);

impl Builder {
    pub(super) fn op(&mut self, op: InstrOp, args: &[Reg], dtype: DType) -> Reg {
        let reg = self.0.push(op, args, dtype, Span::default());
        self.0.output = reg;
        reg
    }

    pub(super) fn load(&mut self, slot: usize, dtype: DType) -> Reg {
        self.op(InstrOp::Load(slot), &[], dtype)
    }

    pub(super) fn row(&mut self, name: &str, args: &[Reg], dtype: DType) -> Reg {
        self.op(InstrOp::Row(map_row(name).unwrap()), args, dtype)
    }

    pub(super) fn constant(&mut self, value: Scalar, dtype: DType) -> Reg {
        self.op(InstrOp::Const(value), &[], dtype)
    }
}

/// A program that only loads input 0.
pub(super) fn identity(dtype: DType) -> Program {
    let mut b = Builder::default();
    b.load(0, dtype);
    b.0
}

pub(super) fn launch(cpu: &Cpu, kernel: &Kernel, inputs: &[Input], output: &Output) -> Result<(), Fault> {
    cpu.launch(kernel, inputs, output, false, &Cancel::default())
}

/// The destination's elements in row-major order.
pub(super) fn values(output: &Output) -> Vec<Scalar> {
    let size = output.view.dtype.size();
    output
        .view
        .layout
        .offsets()
        .map(|at| Scalar::read(output.view.dtype, &output.buffer.bytes()[at as usize * size..]))
        .collect()
}

/// Runs the kernel on one, two and five threads into destinations of the same kind: the same bytes every time.
pub(super) fn run_everywhere(
    kernel: &Kernel,
    inputs: &[Input],
    make: impl Fn() -> Output,
) -> Result<Vec<Scalar>, Fault> {
    let results: Vec<_> = [Cpu::new(1), Cpu::eager(2), Cpu::eager(5)]
        .iter()
        .map(|cpu| {
            let output = make();
            launch(cpu, kernel, inputs, &output).map(|()| output)
        })
        .collect();
    for other in &results[1..] {
        match (&results[0], other) {
            (Ok(a), Ok(b)) => assert!(a.buffer.bytes() == b.buffer.bytes(), "bits differ between thread counts"),
            (a, b) => assert_eq!(a.as_ref().err(), b.as_ref().err(), "faults differ between thread counts"),
        }
    }
    results.into_iter().next().unwrap().map(|output| values(&output))
}

/// Equality of elements, NaN with NaN; 0.0 and -0.0 are the same.
pub(super) fn same(a: Scalar, b: Scalar) -> bool {
    let float = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
    match (a, b) {
        (Scalar::Float(x), Scalar::Float(y)) => float(x, y),
        (Scalar::Complex(x), Scalar::Complex(y)) => float(x.re, y.re) && float(x.im, y.im),
        _ => a == b,
    }
}

pub(super) fn assert_all_same(got: &[Scalar], want: &[Scalar], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, (&g, &w)) in got.iter().zip(want).enumerate() {
        assert!(same(g, w), "{what}: element {i} is {g:?}, not {w:?}");
    }
}
