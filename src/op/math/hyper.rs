//! Hyperbolic functions and their inverses.

use super::exp::{exp, exp_f32, expm1};
use super::horner;
use super::log::{log, log1p};
use std::f64::consts::LN_2;

/// Odd polynomial near 0 (error 2e-18), `1 - 2 / (e^2x + 1)` elsewhere.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let size = x.abs();
    let z = x * x;
    let p = horner!(z; -0.3333333333333333, 0.13333333333333042, -0.05396825396789699, 0.021869488519008305,
        -0.008863235103240878, 0.0035921217511549622, -0.0014557754120478055, 0.0005896606577757043,
        -0.0002375906496055562, 9.257116129556769e-5, -3.12011014257974e-5, 6.485163482793113e-6);
    let near = (z * x).mul_add(p, x);
    let far = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
    if size < 0.625 { near } else { far.copysign(x) }
}

/// As [`tanh`], error 6e-10.
#[inline(always)]
pub fn tanh_f32(x: f32) -> f32 {
    let size = x.abs();
    let z = x * x;
    let p = horner!(z; -0.33333334, 0.13333304, -0.053959258, 0.021768918, -0.008343945, 0.0022927448);
    let near = (z * x).mul_add(p, x);
    let far = 1.0 - 2.0 / (exp_f32(2.0 * size) + 1.0);
    if size < 0.625 { near } else { far.copysign(x) }
}

/// Odd polynomial below 1 (error 4e-19), where the exponentials would cancel.
#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    let size = x.abs();
    let z = x * x;
    let p = horner!(z; 0.16666666666666666, 0.008333333333333299, 0.00019841269841324198, 2.7557319191381816e-6,
        2.5052117695907823e-8, 1.6057679623801638e-10, 7.746178593018827e-13);
    let near = (z * x).mul_add(p, x);
    let e = exp(size * 0.5);
    // The two halves of e^x keep the top of the range.
    let far = (0.5 * e) * e - 0.5 / e / e;
    if size < 1.0 { near } else { far.copysign(x) }
}

#[inline(always)]
pub fn cosh(x: f64) -> f64 {
    let e = exp(x.abs() * 0.5);
    (0.5 * e) * e + 0.5 / e / e
}

/// Beyond this size the 1 under the root is lost, and the square would overflow.
const LARGE: f64 = 1e10;

#[inline(always)]
pub fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let z = size * size;
    let near = log1p(size + z / (1.0 + (1.0 + z).sqrt()));
    let value = if size > LARGE { log(size) + LN_2 } else { near };
    if x == 0.0 { x } else { value.copysign(x) }
}

/// nan below 1.
#[inline(always)]
pub fn acosh(x: f64) -> f64 {
    let t = x - 1.0;
    let near = log1p(t + (t * (x + 1.0)).sqrt());
    let value = if x > LARGE { log(x) + LN_2 } else { near };
    if x < 1.0 { f64::NAN } else { value }
}

/// Infinite at ±1, nan beyond.
#[inline(always)]
pub fn atanh(x: f64) -> f64 {
    let size = x.abs();
    let value = 0.5 * log1p(2.0 * size / (1.0 - size));
    let value = if size == 1.0 { f64::INFINITY } else { value };
    if x == 0.0 || size > 1.0 { if size > 1.0 { f64::NAN } else { x } } else { value.copysign(x) }
}

/// `x` where positive, `alpha (e^x - 1)` elsewhere.
#[inline(always)]
pub fn elu(x: f64, alpha: f64) -> f64 {
    if x > 0.0 { x } else { alpha * expm1(x) }
}

/// `scale * elu(x, alpha)` with the constants of Klambauer et al. (2017).
#[inline(always)]
pub fn selu(x: f64) -> f64 {
    1.0507009873554805 * elu(x, 1.6732632423543772)
}
