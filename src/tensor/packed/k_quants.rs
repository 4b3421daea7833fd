//! Decoders of the formats with sub-scales: 256 elements a block.

use super::half;

pub fn q2_k(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(84).zip(out.chunks_exact_mut(256)) {
        let (d, dmin) = (half(b, 80), half(b, 82));
        for (j, out) in out.chunks_exact_mut(16).enumerate() {
            let scale = d * f32::from(b[j] & 15);
            let min = dmin * f32::from(b[j] >> 4);
            let (qs, shift) = two_bits(&b[16..80], j);
            for (o, q) in out.iter_mut().zip(qs) {
                *o = scale * f32::from((q >> shift) & 3) - min;
            }
        }
    }
}

/// Bytes and shift of the two-bit codes of elements `16 j..16 j + 16`: in each half of 128 elements, byte m of 32 holds
/// m, m + 32, m + 64, m + 96.
fn two_bits(qs: &[u8], j: usize) -> (&[u8], usize) {
    (&qs[j / 8 * 32 + j % 2 * 16..][..16], j % 8 / 2 * 2)
}

pub fn q3_k(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(110).zip(out.chunks_exact_mut(256)) {
        let (scales, d) = (&b[96..108], half(b, 108));
        for (j, out) in out.chunks_exact_mut(16).enumerate() {
            let low = if j < 8 { scales[j] & 15 } else { scales[j - 8] >> 4 };
            let code = low | ((scales[8 + j % 4] >> (j / 4 * 2)) & 3) << 4;
            let scale = d * (f32::from(code) - 32.0);
            let (qs, shift) = two_bits(&b[32..96], j);
            let mask = &b[j % 2 * 16..][..16];
            for ((o, q), m) in out.iter_mut().zip(qs).zip(mask) {
                let code = (q >> shift) & 3 | ((m >> (j / 2)) & 1) << 2;
                *o = scale * (f32::from(code) - 4.0);
            }
        }
    }
}

/// Scale and minimum of group `j` of eight, six bits each in twelve bytes.
pub fn scale_min(s: &[u8], j: usize) -> (u8, u8) {
    if j < 4 {
        (s[j] & 63, s[j + 4] & 63)
    } else {
        ((s[j + 4] & 15) | (s[j - 4] >> 6) << 4, (s[j + 4] >> 4) | (s[j] >> 6) << 4)
    }
}

pub fn q4_k(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(144).zip(out.chunks_exact_mut(256)) {
        let (d, dmin) = (half(b, 0), half(b, 2));
        for (j, out) in out.chunks_exact_mut(32).enumerate() {
            let (sc, mn) = scale_min(&b[4..16], j);
            let (scale, min) = (d * f32::from(sc), dmin * f32::from(mn));
            let (qs, shift) = (&b[16 + j / 2 * 32..][..32], j % 2 * 4);
            for (o, q) in out.iter_mut().zip(qs) {
                *o = scale * f32::from(q >> shift & 15) - min;
            }
        }
    }
}

pub fn q5_k(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(176).zip(out.chunks_exact_mut(256)) {
        let (d, dmin, high) = (half(b, 0), half(b, 2), &b[16..48]);
        for (j, out) in out.chunks_exact_mut(32).enumerate() {
            let (sc, mn) = scale_min(&b[4..16], j);
            let (scale, min) = (d * f32::from(sc), dmin * f32::from(mn));
            let (qs, shift) = (&b[48 + j / 2 * 32..][..32], j % 2 * 4);
            for (k, (o, q)) in out.iter_mut().zip(qs).enumerate() {
                let fifth = (high[k] >> j & 1) << 4;
                *o = scale * f32::from(q >> shift & 15 | fifth) - min;
            }
        }
    }
}

pub fn q6_k(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(210).zip(out.chunks_exact_mut(256)) {
        let (scales, d) = (&b[192..208], half(b, 208));
        for (g, out) in out.chunks_exact_mut(32).enumerate() {
            // Two halves of 128; in each, four quarters of 32 share 64 low bytes and 32 high bytes.
            let (h, quarter) = (g / 4, g % 4);
            let low = &b[h * 64 + quarter % 2 * 32..][..32];
            let high = &b[128 + h * 32..][..32];
            let mut codes = [0_u8; 32];
            for ((code, low), high) in codes.iter_mut().zip(low).zip(high) {
                *code = (low >> (quarter / 2 * 4)) & 15 | ((high >> (quarter * 2)) & 3) << 4;
            }
            for (part, out) in out.chunks_exact_mut(16).enumerate() {
                let scale = d * f32::from(scales[g * 2 + part] as i8);
                for (o, code) in out.iter_mut().zip(&codes[part * 16..]) {
                    *o = scale * (f32::from(*code) - 32.0);
                }
            }
        }
    }
}
