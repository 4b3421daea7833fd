//! f16, bf16 and the 8-bit floats: their values ride in f32 lanes. Rounding lanes to them, reading and writing them.

use super::simd::simd;
use crate::tensor::{DType, Scalar};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use std::sync::OnceLock;

/// What rounding to a narrow format needs to know.
trait Format: Copy + 'static {
    /// Bits of the f32 mantissa that the format does not have.
    const DROPPED: u32;
    const MAX: f32;
    const SMALLEST_NORMAL: f32;
    /// Below the smallest normal the distance of neighbours is constant: that of f32 around this number.
    const ANCHOR: f32;
    const BEYOND: f32;
}

#[derive(Clone, Copy)]
struct F16;
#[derive(Clone, Copy)]
struct E4M3;
#[derive(Clone, Copy)]
struct E5M2;

impl Format for F16 {
    const DROPPED: u32 = 13;
    const MAX: f32 = 65504.0;
    const SMALLEST_NORMAL: f32 = 1.0 / 16384.0;
    const ANCHOR: f32 = 0.75;
    const BEYOND: f32 = f32::INFINITY;
}

impl Format for E4M3 {
    const DROPPED: u32 = 20;
    const MAX: f32 = 448.0;
    const SMALLEST_NORMAL: f32 = 1.0 / 64.0;
    const ANCHOR: f32 = 24576.0;
    const BEYOND: f32 = f32::NAN;
}

impl Format for E5M2 {
    const DROPPED: u32 = 21;
    const MAX: f32 = 57344.0;
    const SMALLEST_NORMAL: f32 = 1.0 / 16384.0;
    const ANCHOR: f32 = 192.0;
    const BEYOND: f32 = f32::INFINITY;
}

/// Rounds n f32 lanes in place.
pub(super) type RoundFn = unsafe fn(*mut f32, usize);

/// None for a dtype that needs no rounding.
pub(super) fn round_fn(dtype: DType) -> Option<RoundFn> {
    match dtype {
        DType::F16 => Some(round::<F16>()),
        DType::F8E4M3 => Some(round::<E4M3>()),
        DType::F8E5M2 => Some(round::<E5M2>()),
        DType::BF16 => Some(round_bf16::<()>()),
        _ => None,
    }
}

/// The trait bound of bodies that are generic over nothing.
pub(super) trait Any {}
impl Any for () {}

simd! {
    /// # Safety
    /// `lanes` holds n values.
    fn round<F: Format>(lanes: *mut f32, n: usize) {
        for x in std::slice::from_raw_parts_mut(lanes, n) {
            let magnitude = x.abs();
            let bits = magnitude.to_bits();
            let odd = (bits >> F::DROPPED) & 1;
            let half = (1u32 << (F::DROPPED - 1)) - 1;
            let normal = f32::from_bits(bits.wrapping_add(half + odd) >> F::DROPPED << F::DROPPED);
            let small = (magnitude + F::ANCHOR) - F::ANCHOR;
            let rounded = if magnitude < F::SMALLEST_NORMAL { small } else { normal };
            let rounded = if rounded > F::MAX { F::BEYOND } else { rounded };
            *x = if magnitude.is_nan() { *x } else { rounded.copysign(*x) };
        }
    }
}

simd! {
    /// # Safety
    /// `lanes` holds n values.
    fn round_bf16<X: Any>(lanes: *mut f32, n: usize) {
        for x in std::slice::from_raw_parts_mut(lanes, n) {
            let bits = x.to_bits();
            let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) & 0xffff_0000;
            *x = f32::from_bits(if x.is_nan() { (bits & 0xffff_0000) | 0x0040_0000 } else { rounded });
        }
    }
}

/// The values of the 256 codes of an 8-bit float.
fn table(dtype: DType) -> &'static [f32; 256] {
    static TABLES: OnceLock<[[f32; 256]; 2]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        [DType::F8E4M3, DType::F8E5M2]
            .map(|d| std::array::from_fn(|code| Scalar::read(d, &[code as u8]).to_f64() as f32))
    });
    &tables[usize::from(dtype == DType::F8E5M2)]
}

/// Values of n stored elements, which stand side by side and aligned.
///
/// # Safety
/// `bits` holds n elements of `dtype` (a narrow one), aligned to its size; `lanes` has room for n.
pub(super) unsafe fn widen(dtype: DType, bits: *const u8, n: usize, lanes: *mut f32) {
    // SAFETY: the caller's contract; the two do not overlap.
    unsafe {
        let lanes = std::slice::from_raw_parts_mut(lanes, n);
        match dtype {
            DType::F16 => std::slice::from_raw_parts(bits.cast::<f16>(), n).convert_to_f32_slice(lanes),
            DType::BF16 => {
                for (lane, &x) in lanes.iter_mut().zip(std::slice::from_raw_parts(bits.cast::<u16>(), n)) {
                    *lane = f32::from_bits(u32::from(x) << 16);
                }
            }
            _ => {
                let table = table(dtype);
                for (lane, &code) in lanes.iter_mut().zip(std::slice::from_raw_parts(bits, n)) {
                    *lane = table[code as usize];
                }
            }
        }
    }
}

/// Stores n lanes that are rounded to `dtype` already.
///
/// # Safety
/// `lanes` holds n values; `bits` has room for n elements of `dtype`, aligned to its size.
pub(super) unsafe fn shrink(dtype: DType, lanes: *const f32, n: usize, bits: *mut u8) {
    // SAFETY: the caller's contract; the two do not overlap.
    unsafe {
        let lanes = std::slice::from_raw_parts(lanes, n);
        match dtype {
            DType::F16 => std::slice::from_raw_parts_mut(bits.cast::<f16>(), n).convert_from_f32_slice(lanes),
            DType::BF16 => {
                for (x, lane) in std::slice::from_raw_parts_mut(bits.cast::<bf16>(), n).iter_mut().zip(lanes) {
                    *x = bf16::from_bits((lane.to_bits() >> 16) as u16);
                }
            }
            DType::F8E5M2 => {
                for (x, &lane) in std::slice::from_raw_parts_mut(bits, n).iter_mut().zip(lanes) {
                    // An e5m2 is the upper half of an f16, and all of it is there.
                    *x = (f16::from_f32(lane).to_bits() >> 8) as u8;
                }
            }
            _ => {
                for (x, &lane) in std::slice::from_raw_parts_mut(bits, n).iter_mut().zip(lanes) {
                    *x = e4m3_bits(lane);
                }
            }
        }
    }
}

/// The code of a value that f8e4m3 holds exactly.
fn e4m3_bits(x: f32) -> u8 {
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = x.abs();
    if magnitude.is_nan() {
        return sign | 0x7f;
    }
    if magnitude < 1.0 / 64.0 {
        return sign | (magnitude * 512.0) as u8;
    }
    let exponent = (magnitude.to_bits() >> 23) as u8 - 120;
    sign | (exponent << 3) | ((magnitude.to_bits() >> 20) & 7) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::round_float;

    const NARROW: [DType; 4] = [DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2];

    /// Values around every boundary: all upper halves of f32, with lower halves at, above and below the middle.
    fn candidates() -> impl Iterator<Item = f32> {
        (0..=0xffffu32).flat_map(|high| {
            [0, 1, 0x0fff, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff]
                .map(|low| f32::from_bits(high << 16 | low))
        })
    }

    #[test]
    fn lanes_round_as_single_values_do() {
        for dtype in NARROW {
            let round = round_fn(dtype).unwrap();
            let inputs: Vec<f32> = candidates().collect();
            let mut lanes = inputs.clone();
            // SAFETY: the slice is as long as said.
            unsafe { round(lanes.as_mut_ptr(), lanes.len()) };
            for (x, got) in inputs.iter().zip(&lanes) {
                let want = round_float(dtype, f64::from(*x));
                let same = f64::from(*got) == want && got.is_sign_negative() == want.is_sign_negative();
                assert!(same || (got.is_nan() && want.is_nan()), "{dtype}: {x:e} gave {got:e}, not {want:e}");
            }
        }
    }

    #[test]
    fn every_code_survives_the_way_through_a_lane() {
        for dtype in NARROW {
            let size = dtype.size();
            let count = 1usize << (8 * size);
            // In words, so that the elements are aligned.
            let mut stored = vec![0u16; count * size / 2];
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut stored);
            for code in 0..count {
                bytes[code * size..(code + 1) * size].copy_from_slice(&code.to_le_bytes()[..size]);
            }
            let mut lanes = vec![0f32; count];
            let mut back = vec![0u16; stored.len()];
            // SAFETY: sizes as computed above.
            unsafe {
                widen(dtype, stored.as_ptr().cast(), count, lanes.as_mut_ptr());
                shrink(dtype, lanes.as_ptr(), count, back.as_mut_ptr().cast());
            }
            let back: &[u8] = bytemuck::cast_slice(&back);
            for (code, lane) in lanes.iter().enumerate() {
                let bits = &back[code * size..(code + 1) * size];
                assert_eq!(f64::from(*lane).to_string(), Scalar::read(dtype, &code.to_le_bytes()).to_f64().to_string());
                if lane.is_nan() {
                    assert!(Scalar::read(dtype, bits).to_f64().is_nan(), "{dtype} {code:#x}");
                } else {
                    assert_eq!(bits, &code.to_le_bytes()[..size], "{dtype} {code:#x}");
                }
            }
        }
    }
}
