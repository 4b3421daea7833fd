//! Circular functions and their inverses.

use super::{horner, nearest};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// Beyond this the reduction in three parts runs out of bits: those lanes go to the library.
pub const FAR: f64 = 1e5;

/// The same for arguments that are f32: they come less close to a multiple of π/2.
pub const FAR_F32: f32 = 1e9;

#[inline(always)]
pub fn is_far(x: f64) -> bool {
    !(x.abs() <= FAR)
}

#[inline(always)]
pub fn is_far_f32(x: f32) -> bool {
    !(x.abs() <= FAR_F32)
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
    const P1: f64 = 1.5707963267948966;
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
    let p = horner!(z; -0.166666666666666646, 0.00833333333333092456, -0.000198412698367224178,
        2.75573160838163586e-6, -2.50511279440141876e-8, 1.5917848524808261e-10);
    (z * r).mul_add(p, r)
}

/// |r| <= π/4. Error 5e-19.
#[inline(always)]
fn cos_near(r: f64) -> f64 {
    let z = r * r;
    let p = horner!(z; 0.0416666666666666654, -0.00138888888888873823, 0.0000248015872987430693,
        -2.75573172600088382e-7, 2.08761438279931325e-9, -1.13824567780613058e-11);
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
    let p = horner!(z; -0.333333333333333332, 0.199999999999998045, -0.142857142856598276, 0.111111111051554466,
        -0.0909090875350087684, 0.076922963750321424, -0.0666642488573825533, 0.0587892899783477513,
        -0.0523045427065024452, 0.0455159322062654917, -0.0345705619814277469, 0.0162857568552210283);
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
    let p = horner!(z; 0.166666666666666678, 0.0749999999999843293, 0.0446428571463554298, 0.0303819441385312473,
        0.0223721729421498879, 0.0173523927208699729, 0.0139712129735529333, 0.0114791774151849059,
        0.0103228143501857793, 0.0054575067186403583, 0.0174008794426940224, -0.0148518870712472032,
        0.0287578513674215647);
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
