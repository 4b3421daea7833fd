//! Encoders of the formats with sub-scales: sub-scales from the extremes of each group, then the nearest code. They
//! search no better scale than that, and stay within the error of the format.

use super::k_quants::scale_min;

fn half_round(x: f32) -> (f32, [u8; 2]) {
    let h = half::f16::from_f32(x);
    (h.to_f32(), h.to_le_bytes())
}

fn nearest(x: f32, low: f32, high: f32) -> i32 {
    x.round_ties_even().clamp(low, high) as i32
}

fn ratio(a: f32, b: f32) -> f32 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// Scale and (negated) minimum of each group so that codes 0..=top span it.
fn spans<const N: usize>(x: &[f32], top: f32) -> ([f32; N], [f32; N]) {
    let (mut scales, mut mins) = ([0.0; N], [0.0; N]);
    for (j, group) in x.chunks_exact(256 / N).enumerate() {
        let low = group.iter().fold(0.0_f32, |a, v| a.min(*v));
        let high = group.iter().fold(low, |a, v| a.max(*v));
        (scales[j], mins[j]) = ((high - low) / top, -low);
    }
    (scales, mins)
}

fn top_of(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |a, v| a.max(*v))
}

/// The scale of each group that maps its value of largest magnitude to the lowest code.
fn signed_scales(x: &[f32], steps: f32) -> [f32; 16] {
    let mut scales = [0.0; 16];
    for (scale, group) in scales.iter_mut().zip(x.chunks_exact(16)) {
        let largest = group.iter().fold(0.0_f32, |a, v| if v.abs() > a.abs() { *v } else { a });
        *scale = largest / -steps;
    }
    scales
}

/// The scale of largest magnitude.
fn largest(scales: &[f32]) -> f32 {
    scales.iter().fold(0.0_f32, |a, v| if v.abs() > a.abs() { *v } else { a })
}

pub fn q2_k(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(84)) {
        let (scales, mins) = spans::<16>(x, 3.0);
        let (d, d_bytes) = half_round(top_of(&scales) / 15.0);
        let (dmin, min_bytes) = half_round(top_of(&mins) / 15.0);
        b.fill(0);
        b[80..82].copy_from_slice(&d_bytes);
        b[82..84].copy_from_slice(&min_bytes);
        for j in 0..16 {
            let sc = nearest(ratio(scales[j], d), 0.0, 15.0);
            let mn = nearest(ratio(mins[j], dmin), 0.0, 15.0);
            b[j] = (sc | mn << 4) as u8;
            for (k, x) in x[j * 16..][..16].iter().enumerate() {
                let q = nearest(ratio(x + dmin * mn as f32, d * sc as f32), 0.0, 3.0);
                put_two(&mut b[16..80], j * 16 + k, q as u8);
            }
        }
    }
}

fn put_two(qs: &mut [u8], e: usize, q: u8) {
    qs[e / 128 * 32 + e % 32] |= q << (e % 128 / 32 * 2);
}

pub fn q3_k(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(110)) {
        let scales = signed_scales(x, 4.0);
        let (d, d_bytes) = half_round(largest(&scales) / -32.0);
        b.fill(0);
        b[108..].copy_from_slice(&d_bytes);
        for (j, scale) in scales.iter().enumerate() {
            let sc = nearest(ratio(*scale, d), -32.0, 31.0);
            let code = (sc + 32) as u8;
            b[96 + j % 8] |= (code & 15) << (j / 8 * 4);
            b[104 + j % 4] |= (code >> 4) << (j / 4 * 2);
            for (k, x) in x[j * 16..][..16].iter().enumerate() {
                let (e, q) = (j * 16 + k, nearest(ratio(*x, d * sc as f32), -4.0, 3.0) + 4);
                b[e % 32] |= ((q >> 2) as u8) << (e / 32);
                put_two(&mut b[32..96], e, (q & 3) as u8);
            }
        }
    }
}

/// Writes eight scales and minima of six bits; the inverse of `scale_min`.
fn put_scales(s: &mut [u8], scales: [u8; 8], mins: [u8; 8]) {
    for j in 0..4 {
        s[j] = scales[j] | (scales[j + 4] >> 4) << 6;
        s[j + 4] = mins[j] | (mins[j + 4] >> 4) << 6;
        s[j + 8] = scales[j + 4] & 15 | (mins[j + 4] & 15) << 4;
    }
    debug_assert_eq!(scale_min(s, 5), (scales[5], mins[5]));
}

/// The head of q4_k and q5_k (16 bytes), and each element's code.
fn affine(x: &[f32], top: f32, head: &mut [u8]) -> [u8; 256] {
    let (scales, mins) = spans::<8>(x, top);
    let (d, d_bytes) = half_round(top_of(&scales) / 63.0);
    let (dmin, min_bytes) = half_round(top_of(&mins) / 63.0);
    let sc: [u8; 8] = std::array::from_fn(|j| nearest(ratio(scales[j], d), 0.0, 63.0) as u8);
    let mn: [u8; 8] = std::array::from_fn(|j| nearest(ratio(mins[j], dmin), 0.0, 63.0) as u8);
    head[..2].copy_from_slice(&d_bytes);
    head[2..4].copy_from_slice(&min_bytes);
    put_scales(&mut head[4..16], sc, mn);
    std::array::from_fn(|e| {
        let j = e / 32;
        nearest(ratio(x[e] + dmin * f32::from(mn[j]), d * f32::from(sc[j])), 0.0, top) as u8
    })
}

fn put_nibbles(q: &[u8; 256], out: &mut [u8]) {
    for (m, byte) in out.iter_mut().enumerate() {
        let e = m / 32 * 64 + m % 32;
        *byte = q[e] & 15 | q[e + 32] << 4;
    }
}

pub fn q4_k(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(144)) {
        let q = affine(x, 15.0, &mut b[..16]);
        put_nibbles(&q, &mut b[16..]);
    }
}

pub fn q5_k(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(176)) {
        let q = affine(x, 31.0, &mut b[..16]);
        b[16..48].fill(0);
        for (e, q) in q.iter().enumerate() {
            b[16 + e % 32] |= (q >> 4) << (e / 32);
        }
        put_nibbles(&q, &mut b[48..]);
    }
}

pub fn q6_k(values: &[f32], out: &mut [u8]) {
    for (x, b) in values.chunks_exact(256).zip(out.chunks_exact_mut(210)) {
        let scales = signed_scales(x, 32.0);
        let (d, d_bytes) = half_round(largest(&scales) / -128.0);
        b.fill(0);
        b[208..].copy_from_slice(&d_bytes);
        for (j, scale) in scales.iter().enumerate() {
            let sc = nearest(ratio(*scale, d), -128.0, 127.0);
            b[192 + j] = sc as i8 as u8;
            for (k, x) in x[j * 16..][..16].iter().enumerate() {
                let q = (nearest(ratio(*x, d * sc as f32), -32.0, 31.0) + 32) as u8;
                let e = j * 16 + k;
                let (h, quarter, l) = (e / 128, e % 128 / 32, e % 32);
                b[h * 64 + quarter % 2 * 32 + l] |= (q & 15) << (quarter / 2 * 4);
                b[128 + h * 32 + l] |= (q >> 4) << (quarter * 2);
            }
        }
    }
}
