//! M: matrix products and attention. C: convolution.

use super::data::{Arrays, Rng, Tensor, made, uniform};
use super::{Made, Workload};
use std::sync::Arc;

const SIDE: usize = 4096;

macro_rules! product {
    ($id:literal, $title:literal, $before:literal, $text:literal, $tolerance:expr, $make:expr) => {
        Workload { id: $id, title: $title, before: $before, text: $text, tolerance: $tolerance, make: $make }
    };
}

pub const ROWS: &[Workload] = &[
    product!("M1", "f32 product, 256", "", "a @ b", 1e-4, |rng| squares(rng, 256, 1)),
    product!("M2", "f32 product, 1024", "", "a @ b", 1e-4, |rng| squares(rng, 1024, 1)),
    product!("M3", "f32 product, 2048", "", "a @ b", 1e-4, |rng| squares(rng, 2048, 1)),
    product!("M4", "a @ b.T, f32 1024", "", "a @ b.T", 1e-4, |rng| {
        let (tensors, [a, b]) = pair(rng, 1024, 1);
        made(tensors, SAMPLES, move |i| dot(1024, |k| (a[i / 1024 * 1024 + k], b[i % 1024 * 1024 + k])))
    }),
    product!("M4b", "a.T @ b, f32 1024", "", "a.T @ b", 1e-4, |rng| {
        let (tensors, [a, b]) = pair(rng, 1024, 1);
        made(tensors, SAMPLES, move |i| dot(1024, |k| (a[k * 1024 + i / 1024], b[k * 1024 + i % 1024])))
    }),
    product!("M4c", "a[::2, ::2] @ b, f32 1024", "", "a[::2, ::2] @ b", 1e-4, |rng| squares(rng, 1024, 2)),
    product!("M5", "batched [12, 512, 64] @ [12, 64, 512]", "", "a @ b", 1e-4, |rng| {
        let (tensors, [a, b]) = uniform(rng, [("a", &[12, 512, 64]), ("b", &[12, 64, 512])], 1.0);
        made(tensors, SAMPLES, move |i| {
            let (batch, m, n) = (i / (512 * 512), i / 512 % 512, i % 512);
            dot(64, |k| (a[(batch * 512 + m) * 64 + k], b[(batch * 64 + k) * 512 + n]))
        })
    }),
    product!("M6", "matrix-vector, 4096x4096", "", "a @ b", 1e-4, |rng| {
        let (tensors, [a, b]) = uniform(rng, [("a", &[SIDE, SIDE]), ("b", &[SIDE])], 1.0);
        made(tensors, SIDE, move |i| dot(SIDE, |k| (a[i * SIDE + k], b[k])))
    }),
    product!("M6b", "vector-matrix, 4096x4096", "", "b @ a", 1e-4, |rng| {
        let (tensors, [a, b]) = uniform(rng, [("a", &[SIDE, SIDE]), ("b", &[SIDE])], 1.0);
        made(tensors, SIDE, move |i| dot(SIDE, |k| (a[k * SIDE + i], b[k])))
    }),
    product!("M7", "f16 product, 1024", "a = eval(f16(a)); b = eval(f16(b))", "a @ b", 5e-3, |rng| squares(
        rng, 1024, 1
    )),
    product!("M8", "bf16 product, 1024", "a = eval(bf16(a)); b = eval(bf16(b))", "a @ b", 2e-2, |rng| squares(
        rng, 1024, 1
    )),
    product!("M9", "f64 product, 1024", "", "a @ b", 1e-10, |rng| {
        let wide = |values: Arc<[f32]>| -> Arc<[f64]> { values.iter().map(|&v| f64::from(v) / 3.0).collect() };
        let (a, b) = (wide(rng.uniform(1 << 20, 1.0)), wide(rng.uniform(1 << 20, 1.0)));
        let tensors = vec![("a", Tensor::f64(&a, &[1024, 1024])), ("b", Tensor::f64(&b, &[1024, 1024]))];
        made(tensors, SAMPLES, move |i| (0..1024).map(|k| a[i / 1024 * 1024 + k] * b[k * 1024 + i % 1024]).sum())
    }),
    product!(
        "M10",
        "attention softmax(q k^T / 8) v, [1, 12, 512, 64]",
        "",
        "softmax(q @ k.mT / 8) @ v",
        1e-4,
        attention
    ),
    product!("M10f", "the same by its name", "", "scaled_dot_product_attention(q, k, v)", 1e-4, attention),
    product!("C1", "conv2d [8, 64, 56, 56] * [64, 64, 3, 3], pad 1", "", "conv2d(x, w, padding=1)", 1e-4, |rng| {
        let (tensors, [x, w]) = uniform(rng, [("x", &[8, 64, 56, 56]), ("w", &[64, 64, 3, 3])], 1.0);
        made(tensors, SAMPLES, move |i| {
            let (r, c, out, image) = (i / 56 % 56, i % 56, i / 3136 % 64, i / (3136 * 64));
            dot(576, |k| {
                let (channel, tap) = (k / 9, k % 9);
                let (r, c) = (r + tap / 3, c + tap % 3);
                let inside = (1..=56).contains(&r) && (1..=56).contains(&c);
                let at = |r: usize, c: usize| ((image * 64 + channel) * 56 + r - 1) * 56 + c - 1;
                (if inside { x[at(r, c)] } else { 0.0 }, w[out * 576 + k])
            })
        })
    }),
];

const SAMPLES: usize = 1 << 13;

fn dot(n: usize, pair: impl Fn(usize) -> (f32, f32)) -> f64 {
    (0..n).map(pair).map(|(a, b)| f64::from(a) * f64::from(b)).sum()
}

/// `a` of side `n * step` and `b` of side `n`.
fn pair(rng: &mut Rng, n: usize, step: usize) -> Arrays<2> {
    uniform(rng, [("a", &[n * step, n * step]), ("b", &[n, n])], 1.0)
}

fn squares(rng: &mut Rng, n: usize, step: usize) -> Made {
    let (tensors, [a, b]) = pair(rng, n, step);
    made(tensors, SAMPLES, move |i| dot(n, |k| (a[i / n * step * n * step + k * step], b[k * n + i % n])))
}

fn attention(rng: &mut Rng) -> Made {
    const SHAPE: &[usize] = &[1, 12, 512, 64];
    let (tensors, [q, k, v]) = uniform(rng, [("q", SHAPE), ("k", SHAPE), ("v", SHAPE)], 1.0);
    made(tensors, 1 << 11, move |i| {
        let (head, row, d) = (i / (512 * 64), i / 64 % 512, i % 64);
        let at = |row: usize, d: usize| (head * 512 + row) * 64 + d;
        let score = |t: usize| dot(64, |d| (q[at(row, d)], k[at(t, d)])) / 8.0;
        let scores: Vec<f64> = (0..512).map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = scores.iter().map(|s| (s - most).exp()).collect();
        let mixed: f64 = weights.iter().enumerate().map(|(t, w)| w * f64::from(v[at(t, d)])).sum();
        mixed / weights.iter().sum::<f64>()
    })
}
