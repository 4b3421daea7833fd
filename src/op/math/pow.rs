//! Powers and roots; in f32 by way of f64 logarithms.

use super::{exp, log};

/// `x^y` with the special values of C's `pow`. The product y log2 x has 20 bits more than f32 keeps.
#[inline(always)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    let size = exp::exp2(y as f64 * log::log2(x.abs() as f64)) as f32;
    let whole = y.trunc() == y;
    let odd = whole && (y * 0.5).trunc() != y * 0.5;
    let signed = if odd && x.is_sign_negative() { -size } else { size };
    // No real power: a negative finite base and a broken exponent.
    let real = if x < 0.0 && !whole && x != f32::NEG_INFINITY { f32::NAN } else { signed };
    // |x| = 1 to an infinity, where the product is nan.
    let real = if x.abs() == 1.0 && y.is_infinite() { 1.0 } else { real };
    let real = if y == 2.0 { x * x } else { real };
    if y == 0.0 || x == 1.0 { 1.0 } else { real }
}

/// C's `pow`, with squares as plain products.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 2.0 { x * x } else { x.powf(y) }
}

/// Odd: the cube root of a negative number is negative.
#[inline(always)]
pub fn cbrt_f32(x: f32) -> f32 {
    let size = exp::exp2(log::log2(x.abs() as f64) * (1.0 / 3.0)) as f32;
    if x == 0.0 { x } else { size.copysign(x) }
}

/// No overflow on the way: f64 holds the squares of all f32.
#[inline(always)]
pub fn hypot_f32(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let value = (a * a + b * b).sqrt() as f32;
    if x.is_infinite() || y.is_infinite() { f32::INFINITY } else { value }
}

#[inline(always)]
pub fn rsqrt_f32(x: f32) -> f32 {
    1.0 / x.sqrt()
}

#[inline(always)]
pub fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}
