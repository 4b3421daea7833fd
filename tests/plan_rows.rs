//! The plan's kernels and bytes for expressions built without the language: what fuses, what is copied.

use std::sync::Arc;
use tsk::base::Span;
use tsk::op::{Monoid, map_row};
use tsk::plan::build::{self, MapArg};
use tsk::plan::{Tensor, lower};
use tsk::tensor::{Buffer, DType, HostArray, Layout, Scalar, View};

const F: DType = DType::F32;

fn leaf(shape: &[usize]) -> Tensor {
    let layout = Layout::contiguous(shape).unwrap();
    let buffer = Arc::new(Buffer::zeroed(layout.size() * 4).unwrap());
    Tensor::from_array(HostArray { buffer, view: View { layout, dtype: F, conj: false } }, None)
}

fn map(name: &str, args: &[MapArg]) -> Tensor {
    Tensor::of(build::map(map_row(name).unwrap(), args, F, Span::default()).unwrap())
}

fn un(name: &str, x: &Tensor) -> Tensor {
    map(name, &[MapArg::Operand(x.operand())])
}

fn bin(name: &str, a: &Tensor, b: &Tensor) -> Tensor {
    map(name, &[MapArg::Operand(a.operand()), MapArg::Operand(b.operand())])
}

fn weak(name: &str, a: &Tensor, b: f64) -> Tensor {
    map(name, &[MapArg::Operand(a.operand()), MapArg::Weak(Scalar::Float(b))])
}

fn reduce(monoid: Monoid, x: &Tensor, axes: &[usize], keepdims: bool) -> Tensor {
    build::reduce(&x.operand(), axes, keepdims, monoid, F, F, Span::default()).unwrap()
}

fn all(x: &Tensor) -> Vec<usize> {
    (0..x.ndim()).collect()
}

/// Kernels, copies and bytes moved to compute `t`; intermediate tensors must be gone.
fn cost(t: Tensor) -> (u64, u64, u64) {
    let plan = lower(&[t.cell.version()]);
    let totals = plan.totals();
    (totals.kernels, totals.copies, totals.bytes_read + totals.bytes_written)
}

fn softmax(x: Tensor, axis: usize) -> Tensor {
    let e = {
        let m = reduce(Monoid::Max, &x, &[axis], true);
        un("exp", &bin("subtract", &x, &m))
    };
    let s = reduce(Monoid::Sum, &e, &[axis], true);
    bin("divide", &e, &s)
}

fn mean(x: &Tensor, axis: usize) -> Tensor {
    let n = x.shape()[axis] as f64;
    weak("divide", &reduce(Monoid::Sum, x, &[axis], true), n)
}

#[test]
fn a_chain_ends_in_its_reduction() {
    let (a, b, c) = (leaf(&[256, 1024]), leaf(&[256, 1024]), leaf(&[1024]));
    let t = {
        let y = un("relu", &bin("add", &bin("multiply", &a, &b), &c));
        reduce(Monoid::Sum, &y, &all(&y), false)
    };
    assert_eq!(cost(t), (1, 0, 2 * 256 * 1024 * 4 + 1024 * 4 + 4));
}

#[test]
fn softmax_is_one_kernel_over_any_axis() {
    let x = leaf(&[128, 512]);
    assert_eq!(cost(softmax(x.clone(), 1)), (1, 0, 2 * 128 * 512 * 4));
    assert_eq!(cost(softmax(x, 0)), (1, 0, 2 * 128 * 512 * 4));
}

#[test]
fn layer_norm_is_one_kernel() {
    let x = leaf(&[256, 768]);
    let y = {
        let d = {
            let m = mean(&x, 1);
            bin("subtract", &x, &m)
        };
        let v = mean(&bin("multiply", &d, &d), 1);
        bin("divide", &d, &un("sqrt", &weak("add", &v, 1e-5)))
    };
    assert_eq!(cost(y), (1, 0, 2 * 256 * 768 * 4));
}

#[test]
fn logsumexp_and_variance_are_one_kernel() {
    let x = leaf(&[64, 100]);
    let y = {
        let m = reduce(Monoid::Max, &x, &[1], true);
        let s = reduce(Monoid::Sum, &un("exp", &bin("subtract", &x, &m)), &[1], true);
        bin("add", &un("log", &s), &m)
    };
    assert_eq!(cost(y), (1, 0, 64 * 100 * 4 + 64 * 4));
    let v = {
        let d = {
            let m = mean(&x, 1);
            bin("subtract", &x, &m)
        };
        mean(&bin("multiply", &d, &d), 1)
    };
    assert_eq!(cost(v), (1, 0, 64 * 100 * 4 + 64 * 4));
}

#[test]
fn attention_is_three_kernels() {
    let (q, k, v) = (leaf(&[12, 128, 64]), leaf(&[12, 128, 64]), leaf(&[12, 128, 64]));
    let out = {
        let kt = k.viewed(k.view.layout.swapaxes(-1, -2).unwrap());
        let p = {
            let s = build::matmul(&q.operand(), &kt.operand(), Span::default()).unwrap();
            softmax(weak("multiply", &s, 0.125), 2)
        };
        build::matmul(&p.operand(), &v.operand(), Span::default()).unwrap()
    };
    let (kernels, copies, bytes) = cost(out);
    assert_eq!((kernels, copies), (3, 0));
    assert!(bytes <= 4_750_000, "{bytes}");
}

#[test]
fn an_epilogue_runs_inside_the_product() {
    let (a, b, c) = (leaf(&[256, 256]), leaf(&[256, 256]), leaf(&[256]));
    let y = {
        let p = build::matmul(&a.operand(), &b.operand(), Span::default()).unwrap();
        un("relu", &bin("add", &p, &c))
    };
    assert_eq!(cost(y), (1, 0, 3 * 256 * 256 * 4 + 1024));
}

#[test]
fn reductions_of_reductions_are_one() {
    let x = leaf(&[8, 3, 224, 224]);
    let y = {
        let red = x.viewed(x.view.layout.index(1, 0).unwrap());
        reduce(Monoid::Sum, &reduce(Monoid::Sum, &red, &[2], false), &[1], false)
    };
    assert_eq!(cost(y), (1, 0, 8 * 224 * 224 * 4 + 8 * 4));
}

#[test]
fn a_reshape_without_strides_copies_once() {
    let x = leaf(&[256, 512]);
    let y = {
        let t = x.viewed(x.view.layout.transposed());
        let r = build::reshape(&t, &[-1, 64], Span::default()).unwrap();
        reduce(Monoid::Sum, &weak("multiply", &r, 3.0), &[1], false)
    };
    assert_eq!(cost(y), (2, 1, 3 * 256 * 512 * 4 + 2048 * 4));
}

#[test]
fn a_cheap_value_is_computed_twice_rather_than_stored() {
    let x = leaf(&[512, 512]);
    let y = {
        let t = un("exp", &x);
        let square = reduce(Monoid::Sum, &bin("multiply", &t, &t), &[0, 1], false);
        bin("add", &square, &reduce(Monoid::Sum, &t, &[0, 1], false))
    };
    let (kernels, copies, bytes) = cost(y);
    assert_eq!((kernels, copies), (2, 0));
    assert!(bytes <= 2_110_000, "{bytes}");
}

#[test]
fn parts_of_a_join_are_written_in_place() {
    let (x, c, s) = (leaf(&[4, 128, 256]), leaf(&[128, 128]), leaf(&[128, 128]));
    let y = {
        let low = x.viewed(x.view.layout.slice(2, None, Some(128), None).unwrap());
        let high = x.viewed(x.view.layout.slice(2, Some(128), None, None).unwrap());
        let a = bin("subtract", &bin("multiply", &low, &c), &bin("multiply", &high, &s));
        let b = bin("add", &bin("multiply", &high, &c), &bin("multiply", &low, &s));
        Tensor::of(build::concat(&[a.operand(), b.operand()], 2, F, Span::default()).unwrap())
    };
    assert_eq!(cost(y), (2, 0, 1_835_008));
}

#[test]
fn a_whole_write_needs_no_temporary() {
    let (a, b, x) = (leaf(&[64, 64]), leaf(&[64, 64]), leaf(&[64, 64]));
    let sum = MapArg::Operand(bin("add", &a, &b).operand());
    build::store(&x, &sum, &mut |_| Ok(()), Span::default()).unwrap();
    drop(sum);
    assert_eq!(cost(x), (1, 0, 3 * 64 * 64 * 4));
}

#[test]
fn an_overlapping_write_goes_through_a_temporary() {
    let x = leaf(&[100]);
    let to = x.viewed(x.view.layout.slice(0, Some(1), None, None).unwrap());
    let from = x.viewed(x.view.layout.slice(0, None, Some(-1), None).unwrap());
    build::store(&to, &MapArg::Operand(from.operand()), &mut |_| Ok(()), Span::default()).unwrap();
    drop((to, from));
    assert_eq!(cost(x), (2, 1, 4 * 99 * 4));
}

#[test]
fn a_reader_of_the_old_version_costs_one_copy() {
    let x = leaf(&[100]);
    let reader = weak("add", &x, 1.0);
    build::store(&x, &MapArg::Weak(Scalar::Float(2.0)), &mut |_| Ok(()), Span::default()).unwrap();
    assert_eq!(cost(x.clone()).0, 1, "a whole write needs nothing of the old version");
    let part = x.viewed(x.view.layout.slice(0, None, Some(5), None).unwrap());
    build::store(&part, &MapArg::Weak(Scalar::Float(3.0)), &mut |_| Ok(()), Span::default()).unwrap();
    drop(part);
    let plan = lower(&[x.cell.version(), reader.cell.version()]);
    assert_eq!(plan.totals().copies, 0, "the reader runs first");
}
