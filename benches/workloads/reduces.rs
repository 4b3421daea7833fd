//! R: reductions, row-fused functions, scans.

use super::data::{Rng, made, made_of, uniform};
use super::{Made, Workload};
use std::sync::Arc;
use tsk::tensor::Scalar;

const MANY: usize = 1 << 24;
const SIDE: usize = 4096;

macro_rules! square {
    ($id:literal, $title:literal, $text:literal, $tolerance:expr, $make:expr) => {
        Workload { id: $id, title: $title, before: "", text: $text, tolerance: $tolerance, make: $make }
    };
}

pub const ROWS: &[Workload] = &[
    square!("R_sum_0", "sum axis 0, 4096x4096", "x.sum(0)", 1e-4, |rng| lines(rng, true, sum)),
    square!("R_sum_1", "sum axis 1, 4096x4096", "x.sum(1)", 1e-4, |rng| lines(rng, false, sum)),
    square!("R_sum_all", "sum of all, 4096x4096", "x.sum()", 1e-4, |rng| whole(rng, sum)),
    square!("R_max_0", "max axis 0, 4096x4096", "x.max(0)", 0.0, |rng| lines(rng, true, max)),
    square!("R_max_1", "max axis 1, 4096x4096", "x.max(1)", 0.0, |rng| lines(rng, false, max)),
    square!("R_max_all", "max of all, 4096x4096", "x.max()", 0.0, |rng| whole(rng, max)),
    square!("R_argmax_0", "argmax axis 0, 4096x4096", "x.argmax(0)", 0.0, |rng| lines(rng, true, argmax)),
    square!("R_argmax_1", "argmax axis 1, 4096x4096", "x.argmax(1)", 0.0, |rng| lines(rng, false, argmax)),
    square!("R_argmax_all", "argmax of all, 4096x4096", "x.argmax()", 0.0, |rng| whole(rng, argmax)),
    square!("R_mean_1", "mean axis 1, 4096x4096", "x.mean(1)", 1e-4, |rng| {
        lines(rng, false, |line| sum(line) / SIDE as f64)
    }),
    Workload {
        id: "R_mid",
        title: "sum middle axis, [64, 512, 1024]",
        before: "",
        text: "x.sum(1)",
        tolerance: 1e-4,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[64, 512, 1024])], 1.0);
            made(tensors, MANY, move |i| (0..512).map(|k| f64::from(x[(i / 1024 * 512 + k) * 1024 + i % 1024])).sum())
        },
    },
    square!("R_norm", "2-norm, 16M", "norm(x)", 1e-4, norm_data),
    square!(
        "R_snorm",
        "scaled (stable) 2-norm, 16M",
        "(lambda m: m * sqrt(((x / m) ** 2).sum()))(abs(x).max())",
        1e-4,
        norm_data
    ),
    Workload {
        id: "R_softmax",
        title: "softmax last axis, [6144, 512]",
        before: "",
        text: "softmax(x)",
        tolerance: 2e-5,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[6144, 512])], 4.0);
            made(tensors, 1 << 16, move |i| {
                let row = x[i / 512 * 512..][..512].iter().map(|&v| f64::from(v));
                let most = row.clone().fold(f64::NEG_INFINITY, f64::max);
                (f64::from(x[i]) - most).exp() / row.map(|v| (v - most).exp()).sum::<f64>()
            })
        },
    },
    Workload {
        id: "R_layernorm",
        title: "layer norm last axis, [4096, 1024]",
        before: "",
        text: "layer_norm(x, 1024, g, b)",
        tolerance: 2e-5,
        make: |rng| {
            let (tensors, [x, g, b]) = uniform(rng, [("x", &[4096, 1024]), ("g", &[1024]), ("b", &[1024])], 1.0);
            made(tensors, 1 << 16, move |i| {
                let row = x[i / 1024 * 1024..][..1024].iter().map(|&v| f64::from(v));
                let mean = row.clone().sum::<f64>() / 1024.0;
                let variance = row.map(|v| (v - mean) * (v - mean)).sum::<f64>() / 1024.0;
                let at = i % 1024;
                (f64::from(x[i]) - mean) / (variance + 1e-5).sqrt() * f64::from(g[at]) + f64::from(b[at])
            })
        },
    },
    square!("R_cumsum_0", "cumsum axis 0, 4096x4096", "cumsum(x, 0)", 1e-4, |rng| running(rng, true)),
    square!("R_cumsum_1", "cumsum axis 1, 4096x4096", "cumsum(x, 1)", 1e-4, |rng| running(rng, false)),
];

type Line<'a> = &'a mut dyn Iterator<Item = f64>;

fn sum(line: Line) -> f64 {
    line.sum()
}

fn max(line: Line) -> f64 {
    line.fold(f64::NEG_INFINITY, f64::max)
}

fn argmax(line: Line) -> f64 {
    let best = line.enumerate().fold((0, f64::NEG_INFINITY), |best, (i, v)| if v > best.1 { (i, v) } else { best });
    best.0 as f64
}

fn column(x: &Arc<[f32]>, at: usize) -> impl Iterator<Item = f64> {
    x[at..].iter().step_by(SIDE).map(|&v| f64::from(v))
}

fn row(x: &Arc<[f32]>, at: usize) -> impl Iterator<Item = f64> {
    x[at * SIDE..][..SIDE].iter().map(|&v| f64::from(v))
}

/// One result for each row or column of a square.
fn lines(rng: &mut Rng, columns: bool, join: fn(Line) -> f64) -> Made {
    let (tensors, [x]) = uniform(rng, [("x", &[SIDE, SIDE])], 1.0);
    made(tensors, SIDE, move |i| if columns { join(&mut column(&x, i)) } else { join(&mut row(&x, i)) })
}

/// One result for all of a square.
fn whole(rng: &mut Rng, join: fn(Line) -> f64) -> Made {
    let (tensors, [x]) = uniform(rng, [("x", &[SIDE, SIDE])], 1.0);
    let result = join(&mut x.iter().map(|&v| f64::from(v)));
    made_of(tensors, 1, move |_| Scalar::Float(result))
}

fn norm_data(rng: &mut Rng) -> Made {
    let (tensors, [x]) = uniform(rng, [("x", &[MANY])], 1.0);
    let norm = x.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>().sqrt();
    made(tensors, 1, move |_| norm)
}

fn running(rng: &mut Rng, columns: bool) -> Made {
    let (tensors, [x]) = uniform(rng, [("x", &[SIDE, SIDE])], 1.0);
    made(tensors, 1 << 14, move |i| {
        let (r, c) = (i / SIDE, i % SIDE);
        if columns { column(&x, c).take(r + 1).sum() } else { row(&x, r).take(c + 1).sum() }
    })
}
