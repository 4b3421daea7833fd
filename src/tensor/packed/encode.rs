//! Encoders that give byte for byte what ggml's reference gives.

use super::blocks::{FP4, e8m0_half};

fn half_bytes(x: f32) -> [u8; 2] {
    half::f16::from_f32(x).to_le_bytes()
}

/// The value of largest magnitude, the first of equal ones.
fn largest(x: &[f32]) -> f32 {
    x.iter().fold((0.0_f32, 0.0_f32), |(best, value), v| if v.abs() > best { (v.abs(), *v) } else { (best, value) }).1
}

fn reach(x: &[f32]) -> f32 {
    x.iter().fold(0.0_f32, |a, v| a.max(v.abs()))
}

fn inverse(d: f32) -> f32 {
    if d == 0.0 { 0.0 } else { 1.0 / d }
}

fn extremes(x: &[f32]) -> (f32, f32) {
    x.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(lo, hi), v| (lo.min(*v), hi.max(*v)))
}

/// `as` saturates, so that NaN gives 0 and no value wraps.
fn clamp(x: f32, top: u8) -> u8 {
    (x as u8).min(top)
}

fn pack_nibbles(q: &[u8; 32], out: &mut [u8]) {
    for (j, byte) in out.iter_mut().enumerate() {
        *byte = q[j] & 15 | q[j + 16] << 4;
    }
}

fn fifth_bits(q: &[u8; 32]) -> [u8; 4] {
    q.iter().enumerate().fold(0_u32, |bits, (i, q)| bits | u32::from(q >> 4 & 1) << i).to_le_bytes()
}

/// Codes around zero: the value of largest magnitude gets the lowest code.
fn symmetric(x: &[f32], steps: f32) -> (f32, [u8; 32]) {
    let d = largest(x) / -steps;
    let id = inverse(d);
    let mut q = [0; 32];
    for (q, x) in q.iter_mut().zip(x) {
        *q = clamp((x * id + (steps + 0.5)).trunc(), (2.0 * steps) as u8 - 1);
    }
    (d, q)
}

/// Codes from the minimum up.
fn affine(x: &[f32], top: u8) -> (f32, f32, [u8; 32]) {
    let (low, high) = extremes(x);
    let d = (high - low) / f32::from(top);
    let id = inverse(d);
    let mut q = [0; 32];
    for (q, x) in q.iter_mut().zip(x) {
        *q = clamp(((x - low) * id + 0.5).trunc(), top);
    }
    (d, low, q)
}

pub fn q4_0(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(32).zip(out.chunks_exact_mut(18)) {
        let (d, q) = symmetric(x, 8.0);
        b[..2].copy_from_slice(&half_bytes(d));
        pack_nibbles(&q, &mut b[2..]);
    }
}

pub fn q4_1(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(32).zip(out.chunks_exact_mut(20)) {
        let (d, m, q) = affine(x, 15);
        b[..2].copy_from_slice(&half_bytes(d));
        b[2..4].copy_from_slice(&half_bytes(m));
        pack_nibbles(&q, &mut b[4..]);
    }
}

pub fn q5_0(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(32).zip(out.chunks_exact_mut(22)) {
        let (d, q) = symmetric(x, 16.0);
        b[..2].copy_from_slice(&half_bytes(d));
        b[2..6].copy_from_slice(&fifth_bits(&q));
        pack_nibbles(&q, &mut b[6..]);
    }
}

pub fn q5_1(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(32).zip(out.chunks_exact_mut(24)) {
        let (d, m, q) = affine(x, 31);
        b[..2].copy_from_slice(&half_bytes(d));
        b[2..4].copy_from_slice(&half_bytes(m));
        b[4..8].copy_from_slice(&fifth_bits(&q));
        pack_nibbles(&q, &mut b[8..]);
    }
}

pub fn q8_0(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(32).zip(out.chunks_exact_mut(34)) {
        let d = reach(x) / 127.0;
        let id = inverse(d);
        b[..2].copy_from_slice(&half_bytes(d));
        for (o, x) in b[2..].iter_mut().zip(x) {
            *o = (x * id).round() as i8 as u8;
        }
    }
}

/// Codes 0, 1, 2 for -1, 0, 1 and the scale.
fn ternary(x: &[f32]) -> (f32, [u8; 256]) {
    let d = reach(x);
    let id = inverse(d);
    let mut q = [1; 256];
    for (q, x) in q.iter_mut().zip(x) {
        *q = ((x * id).round() as i8).clamp(-1, 1).wrapping_add(1) as u8;
    }
    (d, q)
}

pub fn tq1_0(values: &[f32], out: &mut [u8]) {
    // A byte holds digits as a fraction of 243, rounded up so that multiplying brings them out again.
    let pack = |digits: [u8; 5]| {
        let n = digits.iter().fold(0_u32, |n, d| n * 3 + u32::from(*d));
        (n * 256).div_ceil(243) as u8
    };
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(54)) {
        let (d, q) = ternary(x);
        for (m, byte) in b[..32].iter_mut().enumerate() {
            *byte = pack(std::array::from_fn(|n| q[n * 32 + m]));
        }
        for (m, byte) in b[32..48].iter_mut().enumerate() {
            *byte = pack(std::array::from_fn(|n| q[160 + n * 16 + m]));
        }
        for (m, byte) in b[48..52].iter_mut().enumerate() {
            *byte = pack(std::array::from_fn(|n| if n < 4 { q[240 + n * 4 + m] } else { 0 }));
        }
        b[52..].copy_from_slice(&half_bytes(d));
    }
}

pub fn tq2_0(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(66)) {
        let (d, q) = ternary(x);
        for (m, byte) in b[..64].iter_mut().enumerate() {
            let at = m / 32 * 128 + m % 32;
            *byte = q[at] | q[at + 32] << 2 | q[at + 64] << 4 | q[at + 96] << 6;
        }
        b[64..].copy_from_slice(&half_bytes(d));
    }
}

pub fn mxfp4(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(32).zip(out.chunks_exact_mut(17)) {
        let top = reach(x);
        let e = if top > 0.0 { (top.log2().floor() - 2.0 + 127.0) as u8 } else { 0 };
        let d = e8m0_half(e);
        let mut q = [0; 32];
        for (q, x) in q.iter_mut().zip(x) {
            let error = |code: usize| (d * f32::from(FP4[code]) - x).abs();
            *q = (1..16).fold(0, |best, code| if error(code) < error(best) { code } else { best }) as u8;
        }
        b[0] = e;
        pack_nibbles(&q, &mut b[1..]);
    }
}

pub fn i4(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(2).zip(out) {
        let code = |x: f32| x.round_ties_even().clamp(-8.0, 7.0) as i8 as u8;
        *b = code(x[0]) & 15 | code(x[1]) << 4;
    }
}

pub fn u4(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(2).zip(out) {
        let code = |x: f32| x.round_ties_even().clamp(0.0, 15.0) as u8;
        *b = code(x[0]) | code(x[1]) << 4;
    }
}
