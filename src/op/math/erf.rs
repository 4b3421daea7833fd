//! The error function and what is made of it.

use super::exp::exp;
use super::horner;
use std::f64::consts::FRAC_1_SQRT_2;

/// `erf x / x` for |x| <= 1, of x². Error 8e-18.
#[inline(always)]
fn near(z: f64) -> f64 {
    horner!(z; 1.12837916709551257, -0.376126389031835404, 0.112837916709450063, -0.0268661706432377704,
        0.00522397760711642273, -0.000854832597538969208, 0.000120552949048397079, -0.0000149247369074196603,
        1.64474247033173624e-6, -1.62084838018717059e-7, 1.37200645467776856e-8, -7.79589882700214224e-10)
}

/// `erfc t` for t >= 0: `e^-t² / (1 + 2t)` times a polynomial in (t - 3) / (t + 3). Error 4e-17.
#[inline(always)]
fn upper(t: f64) -> f64 {
    let t = if t > 28.0 { 28.0 } else { t };
    let u = (t - 3.0) / (t + 3.0);
    let p = horner!(u; 1.25300805826972964, -0.135621106124580708, -0.0475622943534457597, 0.129645158702708055,
        -0.119273663415558672, 0.0683080273457210813, -0.0237705149136645297, 0.00252939178956146583,
        0.00188869030661364352, -0.000779832049118854997, -0.000105159461572977468, 0.000125098210311085822,
        4.94805756892754039e-6, -0.0000200968245699176073, -7.27424444526792135e-7, 3.46440290067413008e-6,
        3.48847802103075662e-7, -6.05525007103911559e-7, -1.31111713516943995e-7, 9.22355036244487477e-8,
        3.30066910509680956e-8, -8.61457881015267578e-9, -4.25915481942072071e-9);
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
