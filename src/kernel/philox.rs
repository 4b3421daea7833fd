//! The counter-based generator philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3;
//! SC11). Part of the contract: every backend draws the same bits.

use super::RandomKind;
use crate::tensor::DType;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// 128 random bits for one counter under one key.
#[inline(always)]
pub fn philox4x32(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..10 {
        if round > 0 {
            key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
        }
        let a = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
        let b = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
        counter = [(b >> 32) as u32 ^ counter[1] ^ key[0], b as u32, (a >> 32) as u32 ^ counter[3] ^ key[1], a as u32];
    }
    counter
}

/// The words of draw `counter` of a stream: the seed is the key, the stream the upper half of the counter.
#[inline(always)]
pub fn words(seed: u64, stream: u64, counter: i64) -> [u32; 4] {
    let low = counter as u64;
    philox4x32(
        [low as u32, (low >> 32) as u32, stream as u32, (stream >> 32) as u32],
        [seed as u32, (seed >> 32) as u32],
    )
}

/// Bits of the mantissa with the leading one: a uniform number has as many, so that it never rounds up to 1.
fn mantissa_bits(dtype: DType) -> u32 {
    match dtype {
        DType::F8E5M2 => 3,
        DType::F8E4M3 => 4,
        DType::BF16 => 8,
        DType::F16 => 11,
        DType::F64 => 53,
        _ => 24,
    }
}

/// The 64 bits of a draw.
#[inline(always)]
pub fn bits(words: [u32; 4]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}

/// Uniform in [0, 1) with the full mantissa of `dtype`.
pub fn uniform(words: [u32; 4], dtype: DType) -> f64 {
    let count = mantissa_bits(dtype);
    // Narrow dtypes take the upper bits of the first word, f64 those of two.
    let mantissa = if count > 32 { bits(words) >> (64 - count) } else { u64::from(words[0] >> (32 - count)) };
    mantissa as f64 / (1u64 << count) as f64
}

/// Standard normal by Box and Muller. The first uniform lies in (0, 1], so that its logarithm is finite.
pub fn normal(words: [u32; 4], dtype: DType) -> f64 {
    let (first, second) = if dtype == DType::F64 {
        let second = u64::from(words[2]) | u64::from(words[3]) << 32;
        (((bits(words) >> 11) + 1) as f64 / (1u64 << 53) as f64, (second >> 11) as f64 / (1u64 << 53) as f64)
    } else {
        ((f64::from(words[0]) + 1.0) / 4_294_967_296.0, f64::from(words[1]) / 4_294_967_296.0)
    };
    libm::sqrt(-2.0 * libm::log(first)) * libm::cos(std::f64::consts::TAU * second)
}

/// One random number as f64 (`Uniform` and `Normal` only; `Bits` come from [`bits`]).
pub fn draw(kind: RandomKind, words: [u32; 4], dtype: DType) -> f64 {
    match kind {
        RandomKind::Normal => normal(words, dtype),
        RandomKind::Uniform | RandomKind::Bits => uniform(words, dtype),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers published with Random123.
    #[test]
    fn known_answers() {
        let zero = philox4x32([0; 4], [0; 2]);
        assert_eq!(zero, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox4x32([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = philox4x32([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]);
        assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn uniform_stays_below_one_in_every_dtype() {
        for dtype in [DType::F8E5M2, DType::F8E4M3, DType::BF16, DType::F16, DType::F32, DType::F64] {
            let top = uniform([u32::MAX; 4], dtype);
            let mut bytes = Vec::new();
            crate::tensor::Scalar::Float(top).write(dtype, &mut bytes);
            let stored = crate::tensor::Scalar::read(dtype, &bytes).to_f64();
            assert!(stored < 1.0 && stored == top, "{dtype}: {top} is stored as {stored}");
            assert_eq!(uniform([0; 4], dtype), 0.0);
        }
    }

    #[test]
    fn normals_have_mean_0_and_variance_1() {
        let n = 20_000;
        let draws: Vec<f64> = (0..n).map(|i| normal(words(7, 1, i), DType::F32)).collect();
        let mean = draws.iter().sum::<f64>() / n as f64;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        assert!(normal([0, 0, 0, 0], DType::F32).is_finite());
    }
}
