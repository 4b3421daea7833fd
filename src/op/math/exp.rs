//! The exponential family.

use super::{horner, nearest};
use std::f64::consts::{LN_2, LOG2_E};

/// ln 2 = HI + LO with 20 zeros at the end of HI, so that `n * HI` is exact.
const LN_2_HI: f64 = 0.6931471803691238;
const LN_2_LO: f64 = 1.9082149292705877e-10;

/// `2^n` for a whole `n` within the normal exponents.
#[inline(always)]
fn two_to(n: f64) -> f64 {
    let (_, bits) = nearest(n);
    f64::from_bits(bits.wrapping_add(1023) << 52)
}

/// `e^r - 1` for |r| <= ln 2 / 2. Error 5e-19.
#[inline(always)]
fn exp_m1_near(r: f64) -> f64 {
    let q = horner!(r; 0.5, 0.1666666666666667, 0.04166666666666667, 0.008333333333326136,
        0.0013888888888883748, 0.00019841269874820627, 2.4801587325547743e-5, 2.7557255400206422e-6,
        2.75572736431103e-7, 2.5105217004720745e-8, 2.0914686968086876e-9);
    (r * r).mul_add(q, r)
}

/// `e^r * 2^n`, in two steps so that the range ends where the result's does.
#[inline(always)]
fn assemble(r: f64, n: f64) -> f64 {
    let (half, _) = nearest(n * 0.5);
    (exp_m1_near(r) + 1.0) * two_to(half) * two_to(n - half)
}

#[inline(always)]
fn reduce(x: f64) -> (f64, f64) {
    let (n, _) = nearest(x * LOG2_E);
    (n.mul_add(-LN_2_LO, n.mul_add(-LN_2_HI, x)), n)
}

#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (r, n) = reduce(x.clamp(-800.0, 800.0));
    assemble(r, n)
}

#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let x = x.clamp(-1100.0, 1100.0);
    let (n, _) = nearest(x);
    assemble((x - n) * LN_2, n)
}

#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let (r, n) = reduce(x.clamp(-45.0, 45.0));
    let scale = two_to(n);
    let near = scale.mul_add(exp_m1_near(r), scale - 1.0);
    // 0.0 and -0.0 come out as they went in; above 45 the 1 is lost anyway.
    if x == 0.0 {
        x
    } else if x > 44.0 {
        exp(x)
    } else {
        near
    }
}

/// `1 / (1 + e^-x)`, without cancellation at either end.
#[inline(always)]
pub fn sigmoid(x: f64) -> f64 {
    let e = exp(-x.abs());
    let top = if x < 0.0 { e } else { 1.0 };
    (if x.is_nan() { x } else { top }) / (1.0 + e)
}

/// `x / (1 + e^-x)`; nan at -inf, as the product with a sigmoid of 0 is.
#[inline(always)]
pub fn silu(x: f64) -> f64 {
    x * sigmoid(x)
}

const ROUND_32: f32 = 1.2582912e+07;

/// `2^n` for a whole `n` within the normal exponents.
#[inline(always)]
fn two_to_f32(n: f32) -> f32 {
    f32::from_bits((n + ROUND_32).to_bits().wrapping_add(127) << 23)
}

/// `e^x` as a product of three: the last two are powers of two. Error 1e-8.
#[inline(always)]
pub(super) fn factors_f32(x: f32) -> (f32, f32, f32) {
    const LN_2_HI: f32 = 0.6933594;
    const LN_2_LO: f32 = -0.00021219444;
    let x = x.clamp(-110.0, 110.0);
    let n = (x * std::f32::consts::LOG2_E + ROUND_32) - ROUND_32;
    let r = n.mul_add(-LN_2_LO, n.mul_add(-LN_2_HI, x));
    let q = horner!(r; 0.5, 0.16666576, 0.041666556, 0.008363179, 0.0013926184);
    let near = (r * r).mul_add(q, r) + 1.0;
    let half = (n * 0.5 + ROUND_32) - ROUND_32;
    (near, two_to_f32(half), two_to_f32(n - half))
}

#[inline(always)]
pub fn exp_f32(x: f32) -> f32 {
    let (near, a, b) = factors_f32(x);
    near * a * b
}

/// As [`sigmoid`].
#[inline(always)]
pub fn sigmoid_f32(x: f32) -> f32 {
    let e = exp_f32(-x.abs());
    let top = if x < 0.0 { e } else { 1.0 };
    (if x.is_nan() { x } else { top }) / (1.0 + e)
}

/// As [`silu`]. Where e^x is denormal, x times it is not: x comes in before the last factor.
#[inline(always)]
pub fn silu_f32(x: f32) -> f32 {
    let (near, a, b) = factors_f32(-x.abs());
    let top = if x < 0.0 { x * near * a * b } else { x };
    let value = top / (1.0 + near * a * b);
    if x < -110.0 { x * 0.0 } else { value }
}
