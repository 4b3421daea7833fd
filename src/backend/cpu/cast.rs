//! Conversions between all pairs of lane types.

use super::lane::{Bit, Lane, with_float, with_int, with_lane};
use crate::kernel::FaultKind;
use crate::op::lanes::FINE;
use crate::tensor::{CastMode, DType, Scalar};
use num_complex::Complex;

/// `cast(lanes, out, n)` converts n lanes; FINE, or the first lane that is a fault.
pub(super) type CastFn = unsafe fn(*const u8, *mut u8, usize) -> usize;

/// None where the lanes stay as they are.
pub(super) fn cast_fn(from: DType, to: DType, mode: CastMode) -> Option<CastFn> {
    let (from, narrow, to) = (from.lane(), to != to.lane(), to.lane());
    if from == to {
        return None;
    }
    let whole = from.is_int() || from == DType::Bool;
    // f32 holds these, so that the second rounding is the only one.
    let exact = from.size() <= 2 || from == DType::C64;
    Some(match mode {
        _ if narrow && !exact => with_lane!(from, A => sticky::<A>),
        CastMode::Saturate if to.is_int() && whole => {
            with_int!(from, A => with_int!(to, B => saturating::<A, B>))
        }
        CastMode::Checked if to.is_int() && !whole => with_float!(from, A => with_int!(to, B => checked::<A, B>)),
        CastMode::Wrap if to.is_int() && !whole => with_float!(from, A => with_int!(to, B => wrapping::<A, B>)),
        // `as` of floats saturates, that of integers wraps.
        _ => with_lane!(from, A => with_lane!(to, B => plain::<A, B>)),
    })
}

/// The fault of a checked cast, with the value that did not fit.
///
/// # Safety
/// `lane` points to a lane of `from`.
pub(super) unsafe fn fault(from: DType, to: DType, lane: *const u8) -> FaultKind {
    // SAFETY: the caller's contract.
    let bytes = unsafe { std::slice::from_raw_parts(lane, from.lane().size()) };
    let value = match Scalar::read(from.lane(), bytes).to_f64() {
        x if x.is_nan() => "nan".to_owned(),
        x if x.is_infinite() => (if x > 0.0 { "inf" } else { "-inf" }).to_owned(),
        x if from.lane() == DType::F32 => format!("{:?}", x as f32),
        x => format!("{x:?}"),
    };
    FaultKind::Cast { from, to, value }
}

/// A number on its way to another type.
pub(super) trait From2<A> {
    fn cast(value: A) -> Self;
}

/// What the checked, wrapping and sticky conversions look at.
pub(super) trait Wide: Lane {
    /// The real part as f64, for values of float kind; integers need `integer`.
    fn float(self) -> f64;
    fn integer(self) -> i128;
    const IS_INTEGER: bool;
}

macro_rules! from_number {
    ($a:ty => $($b:ty),*) => {$(
        impl From2<$a> for $b {
            #[inline(always)]
            fn cast(value: $a) -> $b {
                value as $b
            }
        }
    )*};
}

macro_rules! number {
    ($($a:ident $integer:expr),*) => {$(
        from_number!($a => u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);
        impl From2<$a> for Bit {
            #[inline(always)]
            fn cast(value: $a) -> Bit {
                Bit(u8::from(value != <$a as Lane>::ZERO))
            }
        }
        impl From2<$a> for Complex<f32> {
            #[inline(always)]
            fn cast(value: $a) -> Self {
                Complex::new(value as f32, 0.0)
            }
        }
        impl From2<$a> for Complex<f64> {
            #[inline(always)]
            fn cast(value: $a) -> Self {
                Complex::new(value as f64, 0.0)
            }
        }
        impl From2<Bit> for $a {
            #[inline(always)]
            fn cast(value: Bit) -> $a {
                value.0 as $a
            }
        }
        impl From2<Complex<f32>> for $a {
            #[inline(always)]
            fn cast(value: Complex<f32>) -> $a {
                value.re as $a
            }
        }
        impl From2<Complex<f64>> for $a {
            #[inline(always)]
            fn cast(value: Complex<f64>) -> $a {
                value.re as $a
            }
        }
        impl Wide for $a {
            const IS_INTEGER: bool = $integer;
            #[inline(always)]
            fn float(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn integer(self) -> i128 {
                self as i128
            }
        }
    )*};
}
number!(u8 true, u16 true, u32 true, u64 true, i8 true, i16 true, i32 true, i64 true, f32 false, f64 false);

impl From2<Bit> for Bit {
    #[inline(always)]
    fn cast(value: Bit) -> Bit {
        value
    }
}

impl Wide for Bit {
    const IS_INTEGER: bool = true;
    fn float(self) -> f64 {
        self.0.into()
    }
    fn integer(self) -> i128 {
        self.0.into()
    }
}

macro_rules! complex {
    ($($p:ident),*) => {$(
        impl From2<Bit> for Complex<$p> {
            #[inline(always)]
            fn cast(value: Bit) -> Self {
                Complex::new(value.0 as $p, 0.0)
            }
        }
        impl From2<Complex<$p>> for Bit {
            #[inline(always)]
            fn cast(value: Complex<$p>) -> Bit {
                Bit(u8::from(value.re != 0.0 || value.im != 0.0))
            }
        }
        impl From2<Complex<f32>> for Complex<$p> {
            #[inline(always)]
            fn cast(value: Complex<f32>) -> Self {
                Complex::new(value.re as $p, value.im as $p)
            }
        }
        impl From2<Complex<f64>> for Complex<$p> {
            #[inline(always)]
            fn cast(value: Complex<f64>) -> Self {
                Complex::new(value.re as $p, value.im as $p)
            }
        }
        impl Wide for Complex<$p> {
            const IS_INTEGER: bool = false;
            #[inline(always)]
            fn float(self) -> f64 {
                self.re as f64
            }
            #[inline(always)]
            fn integer(self) -> i128 {
                self.re as i128
            }
        }
    )*};
}
complex!(f32, f64);

/// # Safety
/// `lanes` holds n values of A, `out` has room for n of B; both aligned, apart from each other.
unsafe fn plain<A: Lane, B: Lane + From2<A>>(lanes: *const u8, out: *mut u8, n: usize) -> usize {
    // SAFETY: the caller's contract.
    let (lanes, out) = unsafe { slices::<A, B>(lanes, out, n) };
    for (out, &lane) in out.iter_mut().zip(lanes) {
        *out = B::cast(lane);
    }
    FINE
}

/// # Safety
/// As `plain`.
unsafe fn slices<'a, A, B>(lanes: *const u8, out: *mut u8, n: usize) -> (&'a [A], &'a mut [B]) {
    // SAFETY: the caller's contract.
    unsafe { (std::slice::from_raw_parts(lanes.cast(), n), std::slice::from_raw_parts_mut(out.cast(), n)) }
}

/// The bounds of an integer lane as floats: the smallest value, and the first one above the range.
fn bounds<B: Wide>() -> (f64, f64) {
    (B::LEAST.integer() as f64, (B::GREATEST.integer() + 1) as f64)
}

/// # Safety
/// As `plain`.
unsafe fn checked<A: Wide, B: Wide + From2<A>>(lanes: *const u8, out: *mut u8, n: usize) -> usize {
    // SAFETY: the caller's contract.
    let (lanes, out) = unsafe { slices::<A, B>(lanes, out, n) };
    let (low, high) = bounds::<B>();
    let fits = |lane: A| {
        // Above low - 1 is where truncation reaches low; at 2^53 and beyond every float is whole.
        let x = lane.float();
        (x >= low || x > low - 1.0) && x < high
    };
    let mut fine = true;
    for (out, &lane) in out.iter_mut().zip(lanes) {
        fine &= fits(lane);
        *out = B::cast(lane);
    }
    if fine { FINE } else { lanes.iter().position(|&lane| !fits(lane)).unwrap_or(FINE) }
}

/// # Safety
/// As `plain`.
unsafe fn saturating<A: Wide, B: Wide + From2<i64> + From2<u64>>(lanes: *const u8, out: *mut u8, n: usize) -> usize {
    // SAFETY: the caller's contract.
    let (lanes, out) = unsafe { slices::<A, B>(lanes, out, n) };
    for (out, &lane) in out.iter_mut().zip(lanes) {
        let value = lane.integer().clamp(B::LEAST.integer(), B::GREATEST.integer());
        *out = if value < 0 { B::cast(value as i64) } else { B::cast(value as u64) };
    }
    FINE
}

/// The low bits of the whole part; nothing for what has none.
///
/// # Safety
/// As `plain`.
unsafe fn wrapping<A: Wide, B: Wide + From2<u64>>(lanes: *const u8, out: *mut u8, n: usize) -> usize {
    // SAFETY: the caller's contract.
    let (lanes, out) = unsafe { slices::<A, B>(lanes, out, n) };
    for (out, &lane) in out.iter_mut().zip(lanes) {
        *out = B::cast(low_bits(lane.float()));
    }
    FINE
}

#[inline(always)]
fn low_bits(x: f64) -> u64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if x.abs() < LIMIT {
        x as i64 as u64
    } else if x.is_finite() {
        (x % (2.0 * LIMIT)) as i128 as u64
    } else {
        0
    }
}

/// To f32, on the way to a narrower float: what is cut off leaves its trace in the last bit ("round to odd"), so that
/// the second rounding comes out as if it had been the only one.
///
/// # Safety
/// As `plain`, with f32 as B.
unsafe fn sticky<A: Wide>(lanes: *const u8, out: *mut u8, n: usize) -> usize {
    // SAFETY: the caller's contract.
    let (lanes, out) = unsafe { slices::<A, f32>(lanes, out, n) };
    for (out, &lane) in out.iter_mut().zip(lanes) {
        *out = odd_f32(if A::IS_INTEGER { odd_f64(lane.integer()) } else { lane.float() });
    }
    FINE
}

#[inline(always)]
fn odd_f32(x: f64) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    if back == x || x.is_nan() {
        return nearest;
    }
    let bits = nearest.to_bits() - u32::from(back.abs() > x.abs());
    f32::from_bits(bits | 1)
}

#[inline(always)]
fn odd_f64(x: i128) -> f64 {
    let nearest = x as f64;
    let back = nearest as i128;
    if back == x {
        return nearest;
    }
    let bits = nearest.to_bits() - u64::from(back.unsigned_abs() > x.unsigned_abs());
    f64::from_bits(bits | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values at the edges of every range, and some between.
    fn samples(dtype: DType) -> Vec<Scalar> {
        let mut floats = vec![0.0, -0.0, 0.5, -0.5, -0.99, 1.0, -1.0, 2.5, 127.9, 128.0, -128.5, -129.0, 255.99, 256.0];
        floats.extend([65504.0, 65519.99, 65520.0, 1e5, 2_147_483_647.0, 2_147_483_648.0, -2_147_483_648.9, -3e9]);
        floats.extend([4e9, 1e18, 9.3e18, 1.8e19, 1.9e19, -9.3e18, 1e30, -1e30, 3e38, f64::NAN, f64::INFINITY]);
        floats.extend([f64::NEG_INFINITY, 1.0 + 2f64.powi(-11) + 2f64.powi(-40), 1.0 + 2f64.powi(-8) + 2f64.powi(-30)]);
        let ints = [0, 1, -1, 127, 128, -128, 255, 256, 65535, 16_908_289, 2_147_483_647, -2_147_483_648];
        let more = [i64::MAX, i64::MIN, (1 << 40) + (1 << 31) + 1, 4_294_967_296, 9_007_199_254_740_993];
        let numbers = floats.into_iter().map(Scalar::Float);
        let numbers = numbers.chain(ints.into_iter().chain(more).map(Scalar::Int)).chain([Scalar::UInt(u64::MAX)]);
        let complex = num_complex::Complex64::new(3.75, 2.0);
        numbers
            .chain([Scalar::Complex(complex), Scalar::Bool(true)])
            .map(|s| {
                let mut bytes = Vec::new();
                s.write(dtype, &mut bytes);
                Scalar::read(dtype, &bytes)
            })
            .collect()
    }

    fn run(from: DType, to: DType, mode: CastMode, value: Scalar) -> Result<Scalar, ()> {
        let mut source = Vec::new();
        value.write(from.lane(), &mut source);
        let mut lanes = [0u128; 2];
        let out: &mut [u8] = bytemuck::cast_slice_mut(&mut lanes);
        out[..source.len()].copy_from_slice(&source);
        let (source, target) = out.split_at_mut(16);
        match cast_fn(from, to, mode) {
            // SAFETY: both halves hold one lane of any type, aligned to 16.
            Some(cast) if unsafe { cast(source.as_ptr(), target.as_mut_ptr(), 1) } != FINE => return Err(()),
            Some(_) => {}
            None => target.copy_from_slice(source),
        }
        if let Some(round) = super::super::narrow::round_fn(to) {
            // SAFETY: one f32 lane stands there.
            unsafe { round(target.as_mut_ptr().cast(), 1) };
        }
        Ok(Scalar::read(to.lane(), target))
    }

    #[test]
    fn every_pair_and_mode_agrees_with_single_values() {
        for from in DType::ALL {
            for to in DType::ALL {
                for mode in [CastMode::Checked, CastMode::Wrap, CastMode::Saturate] {
                    for value in samples(from) {
                        let want = value.cast(to, mode).map_err(|_| ());
                        let got = run(from, to, mode, value);
                        assert_eq!(format!("{got:?}"), format!("{want:?}"), "{from} to {to} {mode:?} of {value:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_fault_names_the_value() {
        let lanes = [1.5f32, f32::NAN];
        // SAFETY: the lane stands there.
        let kind = unsafe { fault(DType::F32, DType::I8, lanes[1..].as_ptr().cast()) };
        assert_eq!(kind, FaultKind::Cast { from: DType::F32, to: DType::I8, value: "nan".into() });
    }
}
