//! Take and Put against one scalar at a time.

use crate::backend::Cpu;
use crate::kernel::{Backend, Cancel, IndexAxis, Input, Kernel, Output};
use crate::op::Monoid;
use crate::tensor::{Buffer, DType, HostArray, Layout, Scalar, View};
use num_complex::Complex64;
use std::sync::Arc;

fn layout(shape: &[usize], strides: &[isize], offset: isize) -> Layout {
    Layout { shape: shape.into(), strides: strides.into(), offset }
}

fn filled(dtype: DType, n: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for i in 0..n {
        let x = (i * 7 % 23) as f64;
        Scalar::Complex(Complex64::new(x, 1.0 + x)).write(dtype, &mut bytes);
    }
    bytes
}

fn input(dtype: DType, bytes: &[u8], layout: Layout) -> Input {
    Input { buffer: Arc::new(Buffer::from_bytes(bytes).expect("room")), view: View { layout, dtype, conj: false } }
}

fn positions(extent: usize, layout: Layout) -> Input {
    let n = layout.bounds().map_or(0, |b| b.1 as usize + 1);
    let values: Vec<i64> = (0..n).map(|i| (i * 5 % 7 % extent) as i64).collect();
    input(DType::I64, bytemuck::cast_slice(&values), layout)
}

fn host(buffer: &Arc<Buffer>, view: &View) -> HostArray {
    HostArray { buffer: buffer.clone(), view: view.clone() }
}

fn launch(kernel: &Kernel, inputs: &[Input], output: &Output, threads: usize) {
    Cpu::new(threads).launch(kernel, inputs, output, false, &Cancel::default()).expect("no fault");
}

/// The offset that positions add at a row-major coordinate.
fn shift(indices: &[IndexAxis], inputs: &[Input], at: usize) -> isize {
    indices
        .iter()
        .map(|i| host(&inputs[i.slot].buffer, &inputs[i.slot].view).get(at).to_i64_wrapping() as isize * i.stride)
        .sum()
}

fn element(dtype: DType, bytes: &[u8], at: isize, conj: bool) -> Scalar {
    match Scalar::read(dtype, &bytes[at as usize * dtype.size()..]) {
        Scalar::Complex(z) if conj => Scalar::Complex(z.conj()),
        other => other,
    }
}

fn check_take(source: &Input, shape: &[usize], indices: &[IndexAxis], rest: &[Input], out: Layout) {
    let inputs: Vec<Input> = std::iter::once(source).chain(rest).cloned().collect();
    let dtype = source.view.dtype;
    let room = out.bounds().map_or(0, |b| b.1 as usize + 1) * dtype.size();
    let buffer = Arc::new(Buffer::zeroed(room).expect("room"));
    let output = Output { buffer, view: View { layout: out, dtype, conj: false } };
    launch(&Kernel::Take { shape: shape.into(), indices: indices.to_vec() }, &inputs, &output, 2);
    let got = host(&output.buffer, &output.view);
    for at in 0..shape.iter().product() {
        let from = source.view.layout.offset_of(at) + shift(indices, &inputs, at);
        assert_eq!(
            got.get(at),
            element(dtype, source.buffer.bytes(), from, source.view.conj),
            "{dtype} {shape:?} at {at}"
        );
    }
}

#[test]
fn take_of_rows_columns_and_elements() {
    for dtype in DType::ALL {
        let bytes = filled(dtype, 200);
        let axis = |slot, stride, extent| IndexAxis { slot, stride, extent };
        for conj in [false, true] {
            let source = |l: Layout| {
                let mut input = input(dtype, &bytes, l);
                input.view.conj = conj && dtype.is_complex();
                input
            };
            // Rows: x[i] of [8, 5].
            let rows = positions(8, layout(&[3, 5], &[1, 0], 2));
            let out = Layout::contiguous(&[3, 5]).expect("small");
            check_take(
                &source(layout(&[3, 5], &[0, 1], 0)),
                &[3, 5],
                &[axis(1, 5, 8)],
                std::slice::from_ref(&rows),
                out,
            );
            // Columns of the transpose into a flipped output.
            let out = layout(&[3, 5], &[-5, 1], 10);
            check_take(&source(layout(&[3, 5], &[0, 8], 3)), &[3, 5], &[axis(1, 1, 8)], &[rows], out);
            // Single elements by two index tensors that broadcast.
            let (i, j) = (positions(7, layout(&[4, 6], &[1, 0], 0)), positions(9, layout(&[4, 6], &[0, -1], 5)));
            let out = Layout::contiguous(&[4, 6]).expect("small");
            check_take(&source(layout(&[4, 6], &[0, 0], 1)), &[4, 6], &[axis(1, 9, 7), axis(2, 1, 9)], &[i, j], out);
            // take_along_axis: the source moves along the row, the position along the column.
            let along = positions(5, layout(&[4, 3], &[3, 1], 0));
            let out = Layout::contiguous(&[4, 3]).expect("small");
            check_take(&source(layout(&[4, 3], &[5, 0], 0)), &[4, 3], &[axis(1, 1, 5)], &[along], out);
            // A block of two axes that do not merge, and a 0-d result.
            let one = positions(3, layout(&[2, 3, 4], &[1, 0, 0], 1));
            let out = Layout::contiguous(&[2, 3, 4]).expect("small");
            check_take(&source(layout(&[2, 3, 4], &[0, 20, 2], 0)), &[2, 3, 4], &[axis(1, 60, 3)], &[one], out);
            let scalar = positions(3, layout(&[], &[], 2));
            check_take(&source(layout(&[], &[], 4)), &[], &[axis(1, 2, 3)], &[scalar], Layout::scalar());
        }
    }
}

#[test]
fn take_of_large_blocks_is_cut() {
    let bytes = filled(DType::F32, 200_000);
    let source = input(DType::F32, &bytes, layout(&[2, 100_000], &[0, 1], 0));
    let index = positions(2, layout(&[2, 100_000], &[1, 0], 0));
    let out = Layout::contiguous(&[2, 100_000]).expect("small");
    let indices = [IndexAxis { slot: 1, stride: 100_000, extent: 2 }];
    check_take(&source, &[2, 100_000], &indices, &[index], out);
}

/// The bytes of a Put through one index tensor (slot 1), and those that one scalar at a time gives.
fn put(
    dtype: DType,
    shape: &[usize],
    source: Layout,
    dest: Layout,
    (axis, index): (IndexAxis, Input),
    monoid: Option<Monoid>,
    threads: usize,
) -> (Vec<u8>, Vec<u8>) {
    let n = 1 + [&source, &dest].iter().filter_map(|l| l.bounds()).map(|b| b.1 as usize).max().unwrap_or(0);
    let indices = [axis.clone()];
    let room = n + axis.stride.unsigned_abs() * axis.extent;
    let start = filled(dtype, room);
    let source = input(dtype, &start, source);
    let inputs = [source.clone(), index];
    let buffer = Arc::new(Buffer::from_bytes(&start).expect("room"));
    let output = Output { buffer, view: View { layout: dest, dtype, conj: false } };
    launch(
        &Kernel::Put { shape: shape.into(), indices: indices.to_vec(), accumulate: monoid },
        &inputs,
        &output,
        threads,
    );
    let mut want = start.clone();
    for at in 0..shape.iter().product() {
        let to = (output.view.layout.offset_of(at) + shift(&indices, &inputs, at)) as usize * dtype.size();
        let (old, new) = (Scalar::read(dtype, &want[to..]), host(&source.buffer, &source.view).get(at));
        let value = match (monoid, old, new) {
            (Some(Monoid::Max), _, _) if new.to_f64() < old.to_f64() => old,
            (Some(Monoid::Sum), Scalar::Bool(a), Scalar::Bool(b)) => Scalar::Bool(a | b),
            (Some(Monoid::Sum), Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a + b),
            (Some(Monoid::Sum), Scalar::Complex(a), Scalar::Complex(b)) => Scalar::Complex(a + b),
            (Some(Monoid::Sum), _, _) => Scalar::Int(old.to_i64_wrapping().wrapping_add(new.to_i64_wrapping())),
            _ => new,
        };
        let mut bytes = Vec::new();
        value.write(dtype, &mut bytes);
        want[to..to + bytes.len()].copy_from_slice(&bytes);
    }
    (output.buffer.bytes().to_vec(), want)
}

#[test]
fn put_writes_in_order_and_accumulates() {
    for dtype in DType::ALL {
        for monoid in [None, Some(Monoid::Sum), Some(Monoid::Max)] {
            if monoid == Some(Monoid::Max) && dtype.is_complex() {
                continue;
            }
            // Repeated rows and repeated elements: the last write wins.
            let rows = positions(3, layout(&[9, 5], &[1, 0], 0));
            let axis = IndexAxis { slot: 1, stride: 5, extent: 3 };
            let (source, dest) = (layout(&[9, 5], &[-5, 1], 40), layout(&[9, 5], &[0, 1], 2));
            let (got, want) = put(dtype, &[9, 5], source, dest, (axis, rows), monoid, 2);
            assert_eq!(got, want, "{dtype} {monoid:?}");
            let each = positions(4, layout(&[4, 6], &[6, 1], 0));
            let axis = IndexAxis { slot: 1, stride: 3, extent: 4 };
            let (source, dest) = (layout(&[4, 6], &[1, 4], 0), layout(&[4, 6], &[0, 0], 1));
            let (got, want) = put(dtype, &[4, 6], source, dest, (axis, each), monoid, 2);
            assert_eq!(got, want, "{dtype} {monoid:?}");
        }
    }
}

#[test]
fn put_is_the_same_on_any_number_of_threads() {
    let (n, width) = (3000, 64);
    let axis = IndexAxis { slot: 1, stride: 64, extent: 5 };
    let run = |threads| {
        let rows = positions(5, layout(&[n, width], &[1, 0], 0));
        let source = Layout::contiguous(&[n, width]).expect("small");
        put(
            DType::F32,
            &[n, width],
            source,
            layout(&[n, width], &[0, 1], 0),
            (axis.clone(), rows),
            Some(Monoid::Sum),
            threads,
        )
        .0
    };
    let one = run(1);
    assert!(one == run(2) && one == run(16));
}
