//! The error function and what is made of it.

use super::exp::exp;
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

/// `x / 2 (1 + tanh(sqrt(2/π) (x + 0.044715 x³)))`, which is x times a sigmoid.
#[inline(always)]
pub fn gelu_tanh(x: f64) -> f64 {
    const SQRT_8_PI: f64 = 1.5957691216057308;
    x * super::exp::sigmoid(SQRT_8_PI * (x + 0.044715 * x * x * x))
}
