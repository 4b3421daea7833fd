//! X: sorting, sets, random numbers, Fourier transform.

use super::data::{Rng, Tensor, made, made_of, uniform};
use super::{Check, Made, Workload};
use std::f64::consts::TAU;
use tsk::tensor::{HostArray, Scalar};

const MILLION: usize = 1 << 20;

macro_rules! other {
    ($id:literal, $title:literal, $text:literal, $tolerance:expr, $make:expr) => {
        Workload { id: $id, title: $title, before: "", text: $text, tolerance: $tolerance, make: $make }
    };
}

pub const ROWS: &[Workload] = &[
    other!("X_sort", "sort 1M f32", "sort(x)", 0.0, |rng| {
        let (tensors, [x]) = uniform(rng, [("x", &[MILLION])], 1.0);
        let mut sorted = x.to_vec();
        sorted.sort_by(f32::total_cmp);
        made(tensors, MILLION, move |i| f64::from(sorted[i]))
    }),
    other!("X_argsort", "argsort 1M f32", "argsort(x)", 0.0, |rng| {
        let (tensors, [x]) = uniform(rng, [("x", &[MILLION])], 1.0);
        let mut order: Vec<usize> = (0..MILLION).collect();
        // Stable: ties come lowest first.
        order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        made_of(tensors, MILLION, move |i| Scalar::Int(order[i] as i64))
    }),
    other!("X_topk", "top 100 of 1M f32", "topk(x, 100)[0]", 0.0, |rng| {
        let (tensors, [x]) = uniform(rng, [("x", &[MILLION])], 1.0);
        let mut sorted = x.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        made(tensors, 100, move |i| f64::from(sorted[i]))
    }),
    other!("X_unique", "unique 1M i64 (100k values)", "unique(x)", 0.0, |rng| {
        let values: Vec<i64> = (0..MILLION).map(|_| rng.below(100_000) as i64).collect();
        let mut distinct = values.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let tensors = vec![("x", Tensor::i64(&values, &[MILLION]))];
        made_of(tensors, MILLION, move |i| distinct.get(i).map_or(Scalar::Float(f64::NAN), |&v| Scalar::Int(v)))
    }),
    other!("X_normal", "random normal 16M f32", "randn(16777216)", 2e-3, |_| Made {
        tensors: Vec::new(),
        check: Check::Whole(Box::new(moments)),
    }),
    other!("X_fft", "FFT 1M complex64", "fft(x)", 1e-4, transform),
];

/// How far mean, variance and fourth moment are from those of a standard normal.
fn moments(result: &HostArray) -> f64 {
    let values: &[f32] = result.buffer.typed().unwrap_or(&[]);
    let mean = |power: i32| values.iter().map(|&v| f64::from(v).powi(power)).sum::<f64>() / values.len() as f64;
    let wrong =
        [(1, 0.0), (2, 1.0), (4, 3.0)].map(|(power, want): (i32, f64)| (mean(power) - want).abs() / want.max(1.0));
    wrong.into_iter().fold(0.0, f64::max)
}

/// A few bins, each by the definition.
fn transform(rng: &mut Rng) -> Made {
    let values: Vec<[f32; 2]> = rng.uniform(2 * MILLION, 1.0).chunks(2).map(|z| [z[0], z[1]]).collect();
    let tensors = vec![("x", Tensor::c64(&values, &[MILLION]))];
    made_of(tensors, 12, move |bin| {
        let (mut re, mut im) = (0.0, 0.0);
        for (k, z) in values.iter().enumerate() {
            let (sin, cos) = (-TAU * (k * bin % MILLION) as f64 / MILLION as f64).sin_cos();
            re += f64::from(z[0]) * cos - f64::from(z[1]) * sin;
            im += f64::from(z[0]) * sin + f64::from(z[1]) * cos;
        }
        Scalar::Complex(num_complex::Complex::new(re, im))
    })
}
