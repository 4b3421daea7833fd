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
    let p = horner!(z; -0.333333333333333329, 0.133333333333330416, -0.0539682539678969917, 0.0218694885190083058,
        -0.00886323510324087792, 0.00359212175115496227, -0.00145577541204780551, 0.000589660657775704335,
        -0.000237590649605556196, 0.0000925711612955676827, -0.0000312011014257974, 6.48516348279311315e-6);
    let near = (z * x).mul_add(p, x);
    let far = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
    if size < 0.625 { near } else { far.copysign(x) }
}

/// As [`tanh`], error 6e-10.
#[inline(always)]
pub fn tanh_f32(x: f32) -> f32 {
    let size = x.abs();
    let z = x * x;
    let p = horner!(z; -0.3333333317, 0.1333330356, -0.05395925958, 0.02176891865, -0.008343945516, 0.002292744816);
    let near = (z * x).mul_add(p, x);
    let far = 1.0 - 2.0 / (exp_f32(2.0 * size) + 1.0);
    if size < 0.625 { near } else { far.copysign(x) }
}

/// Odd polynomial below 1 (error 4e-19), where the exponentials would cancel.
#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    let size = x.abs();
    let z = x * x;
    let p = horner!(z; 0.166666666666666667, 0.00833333333333329936, 0.000198412698413241979, 2.7557319191381817e-6,
        2.50521176959078236e-8, 1.60576796238016377e-10, 7.74617859301882749e-13);
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
