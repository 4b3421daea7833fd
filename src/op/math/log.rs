//! Logarithms.

use super::horner;
use std::f64::consts::{LOG2_E, LOG10_E};

const LN_2_HI: f64 = 0.6931471803691238;
const LN_2_LO: f64 = 1.9082149292705877e-10;

/// `x = 2^e * m` with m between sqrt(1/2) and sqrt(2), for positive finite x, denormal too.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    /// 2^52: a whole number below it, put into its mantissa, is read as a float.
    const WHOLE: u64 = 0x4330_0000_0000_0000;
    let tiny = x < f64::MIN_POSITIVE;
    let bits = (if tiny { x * 1.8014398509481984e+16 } else { x }).to_bits();
    // Counted from sqrt(1/2), with 1024 added so that the shift needs no sign.
    let biased = bits.wrapping_sub(SQRT_HALF).wrapping_add(1024 << 52) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(biased.wrapping_sub(1024) << 52));
    let e = f64::from_bits(biased | WHOLE) - (4503599627370496.0 + 1024.0);
    (if tiny { e - 54.0 } else { e }, m)
}

/// `ln(1 + f) - f` in two parts for 1 + f between sqrt(1/2) and sqrt(2): (-f²/2, the rest). Error 5e-18.
#[inline(always)]
fn tail(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let p = z * horner!(z; 0.666666666666667, 0.39999999999899505, 0.28571428625975487, 0.2222221113479508,
        0.18182889125261723, 0.15331721600556042, 0.14616449685043406);
    let half = 0.5 * f * f;
    (half, s * (half + p))
}

/// The ends: 0, negative numbers, infinity, nan.
#[inline(always)]
fn ends(x: f64, value: f64) -> f64 {
    let value = if x == f64::INFINITY { x } else { value };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x < 0.0 || x.is_nan() { f64::NAN } else { value }
}

#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (e, m) = split(x);
    let f = m - 1.0;
    let (half, rest) = tail(f);
    ends(x, e * LN_2_HI - ((half - (rest + e * LN_2_LO)) - f))
}

/// log2 e without its last 32 bits, and those.
const LOG2_E_HI: f64 = 1.4426950216293335;
const LOG2_E_LO: f64 = 1.9259629911266175e-8;

#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let (e, m) = split(x);
    let f = m - 1.0;
    let (half, rest) = tail(f);
    let high = f64::from_bits((f - half).to_bits() & !0xffff_ffff);
    let low = (f - high) - half + rest;
    let part = (low + high) * LOG2_E_LO + low * LOG2_E_HI;
    ends(x, part + (high * LOG2_E_HI + e))
}

#[inline(always)]
pub fn log10(x: f64) -> f64 {
    /// log10 2 in two parts.
    const HI: f64 = 0.30102999566361177;
    const LO: f64 = 3.694239077158931e-13;
    let (e, m) = split(x);
    let f = m - 1.0;
    let (half, rest) = tail(f);
    let part = LOG10_E * (f - (half - rest));
    ends(x, e * HI + (e * LO + part))
}

/// `ln(1 + x)`: the rounding of 1 + x is put back.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    let lost = x - (sum - 1.0);
    let value = log(sum) + lost / sum;
    if sum == 1.0 || sum == f64::INFINITY {
        x
    } else if sum == 0.0 {
        f64::NEG_INFINITY
    } else {
        value
    }
}

/// `ln(e^x + e^y)`.
#[inline(always)]
pub fn logaddexp(x: f64, y: f64) -> f64 {
    let larger = if x > y { x } else { y };
    let value = larger + log1p(super::exp::exp(-(x - y).abs()));
    if x == y {
        x + std::f64::consts::LN_2
    } else if x.is_nan() {
        x
    } else {
        value
    }
}

/// `log2(2^x + 2^y)`.
#[inline(always)]
pub fn logaddexp2(x: f64, y: f64) -> f64 {
    let larger = if x > y { x } else { y };
    let value = larger + log1p(super::exp::exp2(-(x - y).abs())) * LOG2_E;
    if x == y {
        x + 1.0
    } else if x.is_nan() {
        x
    } else {
        value
    }
}

/// `ln(1 + e^x)`.
#[inline(always)]
pub fn softplus(x: f64) -> f64 {
    let above = if x > 0.0 { x } else { 0.0 };
    let value = above + log1p(super::exp::exp(-x.abs()));
    if x.is_nan() { x } else { value }
}

/// `ln(1 / (1 + e^-x))`.
#[inline(always)]
pub fn logsigmoid(x: f64) -> f64 {
    -softplus(-x)
}

/// Error 2e-8 of the polynomial, 1 ULP in all.
#[inline(always)]
pub fn log_f32(x: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    const LN_2_HI: f32 = 0.6933594;
    const LN_2_LO: f32 = -0.00021219444;
    let tiny = x < f32::MIN_POSITIVE;
    let bits = (if tiny { x * 8.388608e+06 } else { x }).to_bits();
    let steps = (bits.wrapping_sub(SQRT_HALF) as i32) >> 23;
    let f = f32::from_bits(bits.wrapping_sub((steps as u32) << 23)) - 1.0;
    let e = steps as f32 - if tiny { 23.0 } else { 0.0 };
    let q = horner!(f; 0.3333333, -0.24999997, 0.20000716, -0.16667803, 0.14249058, -0.12425687,
        0.1168542, -0.11479734, 0.06971612);
    let square = f * f;
    let small = e.mul_add(LN_2_LO, (square * f) * q);
    let value = e.mul_add(LN_2_HI, square.mul_add(-0.5, small) + f);
    let value = if x == f32::INFINITY { x } else { value };
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    if x < 0.0 || x.is_nan() { f32::NAN } else { value }
}
