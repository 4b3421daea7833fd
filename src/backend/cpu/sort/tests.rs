use crate::backend::Cpu;
use crate::kernel::{Backend, Cancel, Input, Kernel, Output};
use crate::tensor::{Buffer, DType, HostArray, Layout, Scalar, View};
use num_complex::Complex64;
use std::cmp::Ordering;
use std::sync::Arc;

fn input(dtype: DType, values: &[Scalar], layout: Layout) -> Input {
    let mut bytes = Vec::new();
    values.iter().for_each(|v| v.write(dtype, &mut bytes));
    Input { buffer: Arc::new(Buffer::from_bytes(&bytes).expect("room")), view: View { layout, dtype, conj: false } }
}

fn sorted(input: &Input, indices: bool, descending: bool, threads: usize) -> HostArray {
    let shape = input.view.layout.shape.clone();
    let dtype = if indices { DType::I64 } else { input.view.dtype };
    let layout = Layout::contiguous(&shape).expect("small");
    let buffer = Arc::new(Buffer::zeroed(layout.size() * dtype.size()).expect("room"));
    let view = View { layout, dtype, conj: false };
    let output = Output { buffer: buffer.clone(), view: view.clone() };
    let kernel = Kernel::Sort { shape, indices, descending };
    Cpu::new(threads)
        .launch(&kernel, std::slice::from_ref(input), &output, false, &Cancel::default())
        .expect("no fault");
    HostArray { buffer, view }
}

/// NumPy's order.
fn compare(a: Scalar, b: Scalar) -> Ordering {
    let real = |x: f64, y: f64| match (x.is_nan(), y.is_nan()) {
        (false, false) => x.partial_cmp(&y).expect("numbers"),
        (a, b) => a.cmp(&b),
    };
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a.cmp(&b),
        (Scalar::UInt(a), Scalar::UInt(b)) => a.cmp(&b),
        (Scalar::Complex(a), Scalar::Complex(b)) => {
            let class = |z: Complex64| u8::from(z.re.is_nan()) * 2 + u8::from(z.im.is_nan());
            class(a).cmp(&class(b)).then(real(a.re, b.re)).then(real(a.im, b.im))
        }
        _ => real(a.to_f64(), b.to_f64()),
    }
}

fn is_nan(x: Scalar) -> bool {
    let z = x.to_complex();
    z.re.is_nan() || z.im.is_nan()
}

fn expected(host: &HostArray, row: usize, len: usize, descending: bool) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..len).collect();
    positions.sort_by(|&i, &j| {
        let (a, b) = (host.get(row * len + i), host.get(row * len + j));
        let order = compare(a, b);
        if !descending {
            order
        } else {
            // NaN stays last, otherwise the order turns.
            is_nan(a).cmp(&is_nan(b)).then(order.reverse())
        }
    });
    positions
}

fn same(a: Scalar, b: Scalar) -> bool {
    a == b || (is_nan(a) && is_nan(b))
}

fn check(input: &Input) {
    let host = HostArray { buffer: input.buffer.clone(), view: input.view.clone() };
    let shape = &input.view.layout.shape;
    let len = shape.last().copied().unwrap_or(1);
    let rows = shape.iter().product::<usize>() / len.max(1);
    for descending in [false, true] {
        if descending && input.view.dtype.is_complex() {
            continue;
        }
        let (values, places) = (sorted(input, false, descending, 2), sorted(input, true, descending, 2));
        for row in 0..rows {
            for (i, &want) in expected(&host, row, len, descending).iter().enumerate() {
                let at = row * len + i;
                assert_eq!(places.get(at), Scalar::Int(want as i64), "{} {descending} {at}", input.view.dtype);
                let (got, want) = (values.get(at), host.get(row * len + want));
                assert!(same(got, want), "{} {descending} {at}: {got:?} for {want:?}", input.view.dtype);
                let sign = |x: Scalar| x.to_f64().is_sign_negative();
                assert!(is_nan(want) || sign(got) == sign(want), "zeros keep their order: {at}");
            }
        }
    }
}

fn values(dtype: DType, n: usize) -> Vec<Scalar> {
    let special = [f64::NAN, f64::INFINITY, -0.0, 0.0, f64::NEG_INFINITY];
    let number = |i: usize| {
        let x = i.wrapping_mul(2_654_435_761) >> 7;
        if x.is_multiple_of(9) { special[x / 9 % 5] } else { (x % 31) as f64 - 15.0 }
    };
    (0..n)
        .map(|i| match dtype {
            d if d.is_complex() => Scalar::Complex(Complex64::new(number(i), number(i * 3 + 1))),
            d if d.is_float() => Scalar::Float(number(i)),
            DType::Bool => Scalar::Bool(i % 3 == 1),
            _ => Scalar::Int((i.wrapping_mul(2_654_435_761) >> 7) as i64 % 51 - 25),
        })
        .collect()
}

#[test]
fn every_dtype_in_odd_layouts() {
    for dtype in DType::ALL {
        let data = values(dtype, 400);
        for (shape, strides, offset) in [
            (vec![4, 25], vec![25, 1], 0),
            (vec![25, 4], vec![1, 25], 0),
            (vec![4, 20], vec![-40, -2], 170),
            (vec![3, 10], vec![0, 1], 5),
            (vec![2, 3, 7], vec![100, 1, 13], 0),
            (vec![3, 5], vec![1, 0], 0),
            (vec![], vec![], 3),
            (vec![6], vec![1], 0),
        ] {
            let layout = Layout { shape: shape.as_slice().into(), strides: strides.as_slice().into(), offset };
            let mut input = input(dtype, &data, layout);
            check(&input);
            if dtype.is_complex() {
                input.view.conj = true;
                check(&input);
            }
        }
    }
}

#[test]
fn long_rows_take_radix_passes_and_pieces() {
    for (dtype, n) in [(DType::F32, 5000), (DType::I64, 300_001), (DType::F64, 140_000), (DType::C64, 132_000)] {
        let data = values(dtype, n);
        check(&input(dtype, &data, Layout::contiguous(&[n]).expect("small")));
    }
    let n = 200_000;
    let wide: Vec<Scalar> = (0..n).map(|i: usize| Scalar::Float(((i as f64) * 0.731).sin() * 1e6)).collect();
    check(&input(DType::F32, &wide, Layout::contiguous(&[n]).expect("small")));
}

#[test]
fn empty_rows_and_no_rows() {
    for shape in [[0, 3], [3, 0]] {
        let empty = input(DType::F32, &[], Layout::contiguous(&shape).expect("small"));
        assert_eq!(sorted(&empty, true, false, 2).buffer.len(), 0);
    }
}
