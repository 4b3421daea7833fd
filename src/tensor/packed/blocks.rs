//! Decoders of the formats without sub-scales. Each reads whole blocks; nothing rounds more than once.

use super::half;

/// Sixteen bytes of nibbles: low nibbles are the first half of 32 elements, high ones the second.
fn nibbles(qs: &[u8], out: &mut [f32], value: impl Fn(usize, u8) -> f32) {
    let (low, high) = out.split_at_mut(16);
    for (j, byte) in qs.iter().enumerate() {
        low[j] = value(j, byte & 15);
        high[j] = value(j + 16, byte >> 4);
    }
}

pub fn q4_0(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(18).zip(out.chunks_exact_mut(32)) {
        let d = half(b, 0);
        nibbles(&b[2..], out, |_, q| d * (f32::from(q) - 8.0));
    }
}

pub fn q4_1(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(20).zip(out.chunks_exact_mut(32)) {
        let (d, m) = (half(b, 0), half(b, 2));
        nibbles(&b[4..], out, |_, q| d * f32::from(q) + m);
    }
}

/// The fifth bits of 32 elements, one bit each.
fn fifth(b: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]])
}

fn with_fifth(bits: u32, i: usize, q: u8) -> f32 {
    f32::from(q | (((bits >> i) & 1) as u8) << 4)
}

pub fn q5_0(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(22).zip(out.chunks_exact_mut(32)) {
        let (d, bits) = (half(b, 0), fifth(b, 2));
        nibbles(&b[6..], out, |i, q| d * (with_fifth(bits, i, q) - 16.0));
    }
}

pub fn q5_1(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(24).zip(out.chunks_exact_mut(32)) {
        let (d, m, bits) = (half(b, 0), half(b, 2), fifth(b, 4));
        nibbles(&b[8..], out, |i, q| d * with_fifth(bits, i, q) + m);
    }
}

pub fn q8_0(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(34).zip(out.chunks_exact_mut(32)) {
        let d = half(b, 0);
        for (o, q) in out.iter_mut().zip(&b[2..]) {
            *o = d * f32::from(*q as i8);
        }
    }
}

const POWERS: [u8; 5] = [1, 3, 9, 27, 81];

/// One ternary digit of a byte that holds five as a fraction of 243: -1, 0 or 1.
fn ternary(byte: u8, n: usize) -> f32 {
    f32::from(((u16::from(byte.wrapping_mul(POWERS[n])) * 3) >> 8) as u8) - 1.0
}

pub fn tq1_0(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(54).zip(out.chunks_exact_mut(256)) {
        let d = half(b, 52);
        let (wide, rest) = out.split_at_mut(160);
        let (narrow, last) = rest.split_at_mut(80);
        // Digit n of each of these bytes, then digit n + 1.
        for (bytes, out) in [(&b[..32], wide), (&b[32..48], narrow), (&b[48..52], last)] {
            for (n, out) in out.chunks_exact_mut(bytes.len()).enumerate() {
                for (o, byte) in out.iter_mut().zip(bytes) {
                    *o = d * ternary(*byte, n);
                }
            }
        }
    }
}

pub fn tq2_0(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(66).zip(out.chunks_exact_mut(256)) {
        let d = half(b, 64);
        for (g, out) in out.chunks_exact_mut(32).enumerate() {
            let (qs, shift) = (&b[g / 4 * 32..][..32], g % 4 * 2);
            for (o, q) in out.iter_mut().zip(qs) {
                *o = d * (f32::from((q >> shift) & 3) - 1.0);
            }
        }
    }
}

/// E2M1 values, doubled so that they are integers.
pub const FP4: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Half of the power of two that an E8M0 exponent stands for (halved because `FP4` is doubled).
pub fn e8m0_half(e: u8) -> f32 {
    f32::from_bits(if e < 2 { 0x0020_0000 << e } else { u32::from(e - 1) << 23 })
}

pub fn mxfp4(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(17).zip(out.chunks_exact_mut(32)) {
        let d = e8m0_half(b[0]);
        nibbles(&b[1..], out, |_, q| d * f32::from(FP4[usize::from(q)]));
    }
}

const IQ4: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

pub fn iq4_nl(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(18).zip(out.chunks_exact_mut(32)) {
        let d = half(b, 0);
        nibbles(&b[2..], out, |_, q| d * f32::from(IQ4[usize::from(q)]));
    }
}

/// d 2, high scale bits 2, low scale nibbles 4, then eight groups of sixteen bytes.
pub fn iq4_xs(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.chunks_exact(136).zip(out.chunks_exact_mut(256)) {
        let (d, high) = (half(b, 0), u16::from_le_bytes([b[2], b[3]]));
        for (g, out) in out.chunks_exact_mut(32).enumerate() {
            let low = b[4 + g / 2] >> (g % 2 * 4) & 15;
            let scale = low | ((high >> (2 * g) & 3) as u8) << 4;
            let d = d * (f32::from(scale) - 32.0);
            nibbles(&b[8 + g * 16..][..16], out, |_, q| d * f32::from(IQ4[usize::from(q)]));
        }
    }
}

pub fn i4(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        out[0] = f32::from((b << 4) as i8 >> 4);
        out[1] = f32::from(*b as i8 >> 4);
    }
}

pub fn u4(bytes: &[u8], out: &mut [f32]) {
    for (b, out) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        out[0] = f32::from(b & 15);
        out[1] = f32::from(b >> 4);
    }
}
