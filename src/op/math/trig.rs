//! Circular functions and their inverses.

use super::{horner, nearest};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// Beyond this the reduction in three parts runs out of bits: those lanes go to the library.
pub const FAR: f64 = 1e5;

/// The same for arguments that are f32: they come less close to a multiple of π/2.
pub const FAR_F32: f32 = 1e9;

#[inline(always)]
pub fn is_far(x: f64) -> bool {
    x.abs() > FAR
}

#[inline(always)]
pub fn is_far_f32(x: f32) -> bool {
    x.abs() > FAR_F32
}

#[inline(always)]
pub fn sin_f32(x: f32) -> f32 {
    sin(x as f64) as f32
}

#[inline(always)]
pub fn cos_f32(x: f32) -> f32 {
    cos(x as f64) as f32
}

#[inline(always)]
pub fn tan_f32(x: f32) -> f32 {
    tan(x as f64) as f32
}

/// Far arguments, by the library's exact reduction.
pub fn far_sin(x: f32) -> f32 {
    f64::from(x).sin() as f32
}

pub fn far_cos(x: f32) -> f32 {
    f64::from(x).cos() as f32
}

pub fn far_tan(x: f32) -> f32 {
    f64::from(x).tan() as f32
}

/// x less the nearest multiple of π/2, and which multiple that is, by its two low bits.
#[inline(always)]
fn reduce(x: f64) -> (f64, u64) {
    const P1: f64 = FRAC_PI_2;
    const P2: f64 = 6.123233995736766e-17;
    const P3: f64 = -1.4973849048591833e-33;
    let (n, bits) = nearest(x * FRAC_2_PI);
    let r = n.mul_add(-P3, n.mul_add(-P2, n.mul_add(-P1, x)));
    (r, bits)
}

/// |r| <= π/4. Error 2e-17.
#[inline(always)]
fn sin_near(r: f64) -> f64 {
    let z = r * r;
    let p = horner!(z; -0.16666666666666666, 0.008333333333330925, -0.00019841269836722418,
        2.755731608381636e-6, -2.5051127944014188e-8, 1.5917848524808262e-10);
    (z * r).mul_add(p, r)
}

/// |r| <= π/4. Error 5e-19.
#[inline(always)]
fn cos_near(r: f64) -> f64 {
    let z = r * r;
    let p = horner!(z; 0.041666666666666664, -0.0013888888888887382, 2.480158729874307e-5,
        -2.7557317260008837e-7, 2.0876143827993133e-9, -1.1382456778061306e-11);
    (z * z).mul_add(p, z.mul_add(-0.5, 1.0))
}

/// `sin(r + quarter * π/2)`.
#[inline(always)]
fn quadrant(r: f64, quarter: u64) -> f64 {
    let value = if quarter & 1 == 1 { cos_near(r) } else { sin_near(r) };
    f64::from_bits(value.to_bits() ^ (quarter & 2) << 62)
}

#[inline(always)]
pub fn sin(x: f64) -> f64 {
    let (r, bits) = reduce(x);
    // -0.0 stays: its remainder is +0.0.
    if x == 0.0 { x } else { quadrant(r, bits) }
}

#[inline(always)]
pub fn cos(x: f64) -> f64 {
    let (r, bits) = reduce(x);
    quadrant(r, bits.wrapping_add(1))
}

#[inline(always)]
pub fn tan(x: f64) -> f64 {
    let (r, bits) = reduce(x);
    let value = quadrant(r, bits) / quadrant(r, bits.wrapping_add(1));
    if x == 0.0 { x } else { value }
}

/// `sin(π x) / (π x)`, 1 at 0.
#[inline(always)]
pub fn sinc(x: f64) -> f64 {
    // x less the nearest half, which is exact, before π comes in.
    let (n, bits) = nearest(x * 2.0);
    let r = n.mul_add(-0.5, x) * PI;
    let value = quadrant(r, bits) / (PI * x);
    if x == 0.0 { 1.0 } else { value }
}

/// Odd, |x| any: reduced to |t| <= tan(π/8). Error 2e-19.
#[inline(always)]
pub fn atan(x: f64) -> f64 {
    let size = x.abs();
    let (outer, middle) = (size > 2.414213562373095, size > 0.41421356237309503);
    let top = if middle { size - 1.0 } else { size };
    let bottom = if middle { size + 1.0 } else { 1.0 };
    let t = if outer { -1.0 } else { top } / if outer { size } else { bottom };
    let base = if middle { FRAC_PI_4 } else { 0.0 };
    let base = if outer { FRAC_PI_2 } else { base };
    let low = if outer {
        6.123233995736766e-17
    } else if middle {
        3.061616997868383e-17
    } else {
        0.0
    };
    let z = t * t;
    let p = horner!(z; -0.3333333333333333, 0.19999999999999804, -0.14285714285659828, 0.11111111105155447,
        -0.09090908753500877, 0.07692296375032143, -0.06666424885738255, 0.05878928997834775,
        -0.05230454270650244, 0.04551593220626549, -0.034570561981427744, 0.016285756855221028);
    (base + ((z * t).mul_add(p, t) + low)).copysign(x)
}

/// The angle of the point (x, y), with C's special values.
#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    let (a, b) = (y.abs(), x.abs());
    let steep = a > b;
    let (small, large) = if steep { (b, a) } else { (a, b) };
    let ratio = if small == large { 1.0 } else { small / large };
    let ratio = if small == 0.0 { 0.0 } else { ratio };
    let angle = atan(ratio);
    let angle = if steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x.is_sign_negative() { PI - angle } else { angle };
    if x.is_nan() || y.is_nan() { f64::NAN } else { angle.copysign(y) }
}

/// `asin t` for 0 <= t <= 1/2. Error 4e-18.
#[inline(always)]
fn asin_near(t: f64, z: f64) -> f64 {
    let p = horner!(z; 0.16666666666666669, 0.07499999999998433, 0.04464285714635543, 0.030381944138531247,
        0.02237217294214989, 0.017352392720869973, 0.013971212973552933, 0.011479177415184906,
        0.01032281435018578, 0.005457506718640358, 0.01740087944269402, -0.014851887071247204,
        0.028757851367421566);
    (z * t).mul_add(p, t)
}

/// nan beyond ±1.
#[inline(always)]
pub fn asin(x: f64) -> f64 {
    let size = x.abs();
    let outer = size > 0.5;
    let z = if outer { (1.0 - size) * 0.5 } else { size * size };
    let t = if outer { z.sqrt() } else { size };
    let near = asin_near(t, z);
    let value = if outer { FRAC_PI_2 - 2.0 * near } else { near };
    if size > 1.0 { f64::NAN } else { value.copysign(x) }
}

/// nan beyond ±1.
#[inline(always)]
pub fn acos(x: f64) -> f64 {
    let size = x.abs();
    let outer = size > 0.5;
    let z = if outer { (1.0 - size) * 0.5 } else { size * size };
    let t = if outer { z.sqrt() } else { size };
    let near = asin_near(t, z);
    let outside = if x < 0.0 { PI - 2.0 * near } else { 2.0 * near };
    let inside = FRAC_PI_2 - near.copysign(x);
    if size > 1.0 {
        f64::NAN
    } else if outer {
        outside
    } else {
        inside
    }
}

/// The angle of a real number: 0, or π below 0 (and at -0.0).
#[inline(always)]
pub fn real_angle(x: f64) -> f64 {
    let angle = if x.is_sign_negative() { PI } else { 0.0 };
    if x.is_nan() { x } else { angle }
}
