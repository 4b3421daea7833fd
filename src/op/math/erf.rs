//! The error function and what is made of it.

use super::exp::{exp, exp_f32, factors_f32};
use super::horner;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// `erf x / x` for |x| <= 1, of x². Error 8e-18.
#[inline(always)]
fn near(z: f64) -> f64 {
    horner!(z; FRAC_2_SQRT_PI, -0.37612638903183543, 0.11283791670945006, -0.02686617064323777,
        0.0052239776071164225, -0.0008548325975389692, 0.00012055294904839707, -1.492473690741966e-5,
        1.6447424703317362e-6, -1.6208483801871705e-7, 1.3720064546777686e-8, -7.795898827002142e-10)
}

/// `erfc t` for t >= 0: `e^-t² / (1 + 2t)` times a polynomial in (t - 3) / (t + 3). Error 4e-17.
#[inline(always)]
fn upper(t: f64) -> f64 {
    let t = if t > 28.0 { 28.0 } else { t };
    let u = (t - 3.0) / (t + 3.0);
    let p = horner!(u; 1.2530080582697296, -0.1356211061245807, -0.04756229435344576, 0.12964515870270807,
        -0.11927366341555867, 0.06830802734572108, -0.02377051491366453, 0.002529391789561466,
        0.0018886903066136435, -0.000779832049118855, -0.00010515946157297747, 0.00012509821031108582,
        4.94805756892754e-6, -2.0096824569917607e-5, -7.274244445267921e-7, 3.46440290067413e-6,
        3.488478021030757e-7, -6.055250071039116e-7, -1.31111713516944e-7, 9.223550362444875e-8,
        3.300669105096809e-8, -8.614578810152675e-9, -4.259154819420721e-9);
    // e^-t² from the exact square in two parts.
    let square = t * t;
    let lost = t.mul_add(t, -square);
    let gauss = exp(-square);
    gauss.mul_add(-lost, gauss) * p / (1.0 + 2.0 * t)
}

#[inline(always)]
pub fn erf(x: f64) -> f64 {
    let size = x.abs();
    let far = (1.0 - upper(size)).copysign(x);
    if size < 1.0 { x * near(x * x) } else { far }
}

#[inline(always)]
pub fn erfc(x: f64) -> f64 {
    let far = upper(x.abs());
    if x < 0.0 { 2.0 - far } else { far }
}

/// `x Φ(x)`, right in the lower tail too.
#[inline(always)]
pub fn gelu(x: f64) -> f64 {
    0.5 * x * erfc(-x * FRAC_1_SQRT_2)
}

/// As [`erf`], errors 1e-9 and 4e-9.
#[inline(always)]
pub fn erf_f32(x: f32) -> f32 {
    let size = x.abs();
    let z = x * x;
    // Less 1, which is put back exactly.
    let near = horner!(z; 0.12837917, -0.37612626, 0.11283594, -0.026854211, 0.0051890872, -0.00080168643,
        7.875875e-5);
    let t = if size > 10.0 { 10.0 } else { size };
    let u = (t - 3.0) / (t + 3.0);
    let p = horner!(u; 1.253008, -0.13562116, -0.047562372, 0.12964685, -0.11927094, 0.068292744,
        -0.023800058, 0.0025729046, 0.0020097822, -0.0007758974, -0.0002690068);
    let far = 1.0 - exp_f32(-(t * t)) * p / (1.0 + 2.0 * t);
    if size < 1.0 { x.mul_add(near, x) } else { far.copysign(x) }
}

/// As [`gelu`]: `Φ(-s)` is `e^(-s²/2) / (1 + sqrt(2) s)` times a polynomial in (s - 4) / (s + 4), error 4e-9. The
/// square is kept in two parts, and x comes in before the last factor, where e^x may be denormal.
#[inline(always)]
pub fn gelu_f32(x: f32) -> f32 {
    let size = x.abs();
    let s = if size > 15.0 { 15.0 } else { size };
    let u = (s - 4.0) / (s + 4.0);
    let p = horner!(u; 0.6284779, -0.06617831, -0.031721093, 0.07014861, -0.058319338, 0.028888918,
        -0.007282973, -0.0006927167, 0.0010487703, -7.1590395e-5, -0.00010833199);
    let square = s * s;
    let lost = s.mul_add(s, -square);
    let (near, a, b) = factors_f32(-0.5 * square);
    let below = p / std::f32::consts::SQRT_2.mul_add(s, 1.0) * near.mul_add(-0.5 * lost, near);
    let tail = x * below * a * b;
    let value = if x < 0.0 { tail } else { x - tail };
    let value = if x > 15.0 { x } else { value };
    // 0, and nan at -inf, as the product with a Φ of 0 is.
    if x < -15.0 { x * 0.0 } else { value }
}

/// `x / 2 (1 + tanh(sqrt(2/π) (x + 0.044715 x³)))`, which is x times a sigmoid.
#[inline(always)]
pub fn gelu_tanh(x: f64) -> f64 {
    const SQRT_8_PI: f64 = 1.5957691216057308;
    x * super::exp::sigmoid(SQRT_8_PI * (x + 0.044715 * x * x * x))
}
