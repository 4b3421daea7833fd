//! Q: products of packed matrices with a vector. The blocks are decoded here once more, after their definitions.

use super::data::{Rng, Tensor, made};
use super::{Made, Workload};
use half::f16;
use tsk::tensor::PackedFormat;

const SIDE: usize = 4096;

macro_rules! matvec {
    ($id:literal, $format:literal, $make:expr) => {
        Workload {
            id: $id,
            title: concat!($format, " matrix-vector, 4096x4096"),
            before: "",
            text: "w @ v",
            tolerance: 1e-4,
            make: $make,
        }
    };
}

pub const ROWS: &[Workload] = &[
    matvec!("Q_Q4_0", "q4_0", |rng| blocks(rng, "q4_0", &[0], (0.001, 0.01), q4_0)),
    matvec!("Q_Q8_0", "q8_0", |rng| blocks(rng, "q8_0", &[0], (0.001, 0.01), q8_0)),
    matvec!("Q_Q4_K", "q4_k", |rng| blocks(rng, "q4_k", &[0, 2], (0.0001, 0.001), q4_k)),
    matvec!("Q_Q6_K", "q6_k", |rng| blocks(rng, "q6_k", &[208], (0.00001, 0.0001), q6_k)),
];

/// Random blocks whose scales (f16 at these bytes) lie in a range, and a vector.
fn blocks(
    rng: &mut Rng,
    name: &str,
    scales: &[usize],
    (low, high): (f32, f32),
    decode: fn(&[u8], usize) -> f32,
) -> Made {
    let format = PackedFormat::from_name(name).expect("a format of the table");
    let mut raw: Vec<u8> = (0..SIDE * SIDE / format.block * format.bytes).map(|_| rng.bits() as u8).collect();
    for block in raw.chunks_mut(format.bytes) {
        for &at in scales {
            let scale = low + (high - low) * (rng.below(1 << 20) as f32 / (1 << 20) as f32);
            block[at..at + 2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
        }
    }
    let vector = rng.uniform(SIDE, 1.0);
    let tensors = vec![("w", Tensor::packed(&raw, format, &[SIDE, SIDE])), ("v", Tensor::f32(&vector, &[SIDE]))];
    let per_row = SIDE / format.block * format.bytes;
    made(tensors, SIDE, move |i| {
        let row = raw[i * per_row..][..per_row].chunks(format.bytes);
        let values = row.flat_map(|block| (0..format.block).map(move |k| decode(block, k)));
        values.zip(vector.iter()).map(|(w, &v)| f64::from(w) * f64::from(v)).sum()
    })
}

fn scale(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// Scale, then 16 bytes: elements 0..16 in the low halves, 16..32 in the high ones.
fn q4_0(block: &[u8], k: usize) -> f32 {
    let byte = block[2 + k % 16];
    scale(block, 0) * (f32::from(if k < 16 { byte & 15 } else { byte >> 4 }) - 8.0)
}

/// Scale, then 32 signed bytes.
fn q8_0(block: &[u8], k: usize) -> f32 {
    scale(block, 0) * f32::from(block[2 + k] as i8)
}

/// Scale and minimum, 8 six-bit scales and minima in 12 bytes, 128 bytes of halves.
fn q4_k(block: &[u8], k: usize) -> f32 {
    let (group, packed) = (k / 32, &block[4..16]);
    let (s, m) = if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        let low = packed[group + 4];
        (low & 15 | (packed[group - 4] >> 6) << 4, low >> 4 | (packed[group] >> 6) << 4)
    };
    let byte = block[16 + k / 64 * 32 + k % 32];
    let q = if group % 2 == 0 { byte & 15 } else { byte >> 4 };
    scale(block, 0) * f32::from(s) * f32::from(q) - scale(block, 2) * f32::from(m)
}

/// 128 bytes of low halves, 64 bytes of upper pairs, 16 signed scales, scale.
fn q6_k(block: &[u8], k: usize) -> f32 {
    let (half, quarter, at) = (k / 128, k % 128 / 32, k % 32);
    let byte = block[half * 64 + at + quarter % 2 * 32];
    let low = if quarter < 2 { byte & 15 } else { byte >> 4 };
    let high = block[128 + half * 32 + at] >> (2 * quarter) & 3;
    let group = block[192 + half * 8 + at / 16 + quarter * 2] as i8;
    scale(block, 208) * f32::from(group) * (f32::from(low | high << 4) - 32.0)
}
