//! Complex functions in double precision, with the special values of C99's Annex G, which NumPy follows. Formulas for
//! the inverse functions: W. Kahan, "Branch cuts for complex elementary functions" (1987).

use num_complex::Complex64;
use std::f64::consts::{LN_2, LN_10};

type C = Complex64;

fn c(re: f64, im: f64) -> C {
    C::new(re, im)
}

/// Smith's division: the larger part of the divisor is divided out first.
pub fn divide(a: C, b: C) -> C {
    if b.re.abs() >= b.im.abs() {
        if b.re == 0.0 && b.im == 0.0 {
            return c(a.re / b.re.abs(), a.im / b.re.abs());
        }
        let ratio = b.im / b.re;
        let scale = 1.0 / (b.re + b.im * ratio);
        c((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)
    } else {
        let ratio = b.re / b.im;
        let scale = 1.0 / (b.im + b.re * ratio);
        c((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
    }
}

pub fn reciprocal(z: C) -> C {
    divide(c(1.0, 0.0), z)
}

pub fn rsqrt(z: C) -> C {
    reciprocal(sqrt(z))
}

pub fn conj(z: C) -> C {
    z.conj()
}

pub fn real(z: C) -> f64 {
    z.re
}

pub fn imag(z: C) -> f64 {
    z.im
}

pub fn modulus(z: C) -> f64 {
    z.re.hypot(z.im)
}

pub fn angle(z: C) -> f64 {
    z.im.atan2(z.re)
}

/// `z / |z|`, 0 at 0.
pub fn sign(z: C) -> C {
    let size = modulus(z);
    if size == 0.0 {
        return c(0.0, 0.0);
    }
    match (z.re.is_infinite(), z.im.is_infinite()) {
        (true, true) => c(f64::NAN, f64::NAN),
        (true, false) if !z.im.is_nan() => c(1f64.copysign(z.re), 0.0),
        (false, true) if !z.re.is_nan() => c(0.0, 1f64.copysign(z.im)),
        _ => c(z.re / size, z.im / size),
    }
}

pub fn sqrt(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x == 0.0 && y == 0.0 {
        return c(0.0, y);
    }
    if y.is_infinite() {
        return c(f64::INFINITY, y);
    }
    if x.is_nan() {
        return c(x, f64::NAN);
    }
    if x.is_infinite() {
        let lost = y * 0.0;
        return if x < 0.0 { c(lost.abs(), (-x).copysign(y)) } else { c(x, lost.copysign(y)) };
    }
    // Scaled by powers of 4 and 2, so that |z| neither overflows nor loses digits.
    let (x, y, back) = match x.abs().max(y.abs()) {
        big if big > 1e300 => (x * 0.0625, y * 0.0625, 4.0),
        small if small < 1e-290 => (x * 2f64.powi(108), y * 2f64.powi(108), 2f64.powi(-54)),
        _ => (x, y, 1.0),
    };
    let t = ((x.abs() + x.hypot(y)) * 0.5).sqrt();
    if x >= 0.0 { c(t * back, y / (2.0 * t) * back) } else { c(y.abs() / (2.0 * t) * back, (t * back).copysign(y)) }
}

pub fn exp(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return c(x.exp(), y);
    }
    if x.is_infinite() {
        return match (x > 0.0, y.is_finite()) {
            (true, true) => c(x * y.cos(), x * y.sin()),
            (true, false) => c(x, f64::NAN),
            (false, true) => c(0f64.copysign(y.cos()), 0f64.copysign(y.sin())),
            (false, false) => c(0.0, 0.0),
        };
    }
    scaled(x, y.cos(), y.sin())
}

/// `e^x * (re + i im)` where e^x alone may overflow.
fn scaled(x: f64, re: f64, im: f64) -> C {
    if x > 700.0 {
        let (half, rest) = (700f64.exp(), (x - 700.0).exp());
        return c(re * half * rest, im * half * rest);
    }
    let size = x.exp();
    c(size * re, size * im)
}

pub fn exp2(z: C) -> C {
    if z.im == 0.0 { c(z.re.exp2(), z.im) } else { exp(c(z.re * LN_2, z.im * LN_2)) }
}

pub fn expm1(z: C) -> C {
    let half = (z.im / 2.0).sin();
    let y = if z.im == 0.0 { z.im } else { exp(z).im };
    c(z.re.exp_m1() * z.im.cos() - 2.0 * half * half, y)
}

pub fn log(z: C) -> C {
    c(log_modulus(z), angle(z))
}

/// Exact near |z| = 1 too, where the logarithm of the rounded modulus would lose everything.
fn log_modulus(z: C) -> f64 {
    let (big, small) = (z.re.abs().max(z.im.abs()), z.re.abs().min(z.im.abs()));
    if z.re.is_infinite() || z.im.is_infinite() {
        return f64::INFINITY;
    }
    if big > 1e300 {
        return (z.re * 0.25).hypot(z.im * 0.25).ln() + 2.0 * LN_2;
    }
    let size = big.hypot(small);
    if (0.5..2.0).contains(&size) {
        return ((big - 1.0) * (big + 1.0) + small * small).ln_1p() * 0.5;
    }
    if size < 1e-300 && size > 0.0 {
        let up = 2f64.powi(100);
        return (big * up).hypot(small * up).ln() - 100.0 * LN_2;
    }
    size.ln()
}

pub fn log2(z: C) -> C {
    let l = log(z);
    c(l.re / LN_2, l.im / LN_2)
}

pub fn log10(z: C) -> C {
    let l = log(z);
    c(l.re / LN_10, l.im / LN_10)
}

pub fn log1p(z: C) -> C {
    let near = z.re.abs() < 0.5 && z.im.abs() < 0.5;
    let re = if near { ((2.0 + z.re) * z.re + z.im * z.im).ln_1p() * 0.5 } else { log_modulus(c(z.re + 1.0, z.im)) };
    c(re, z.im.atan2(z.re + 1.0))
}

/// NumPy's cases: small whole exponents by multiplication, the rest by the logarithm.
pub fn power(a: C, b: C) -> C {
    if b == c(0.0, 0.0) {
        return c(1.0, 0.0);
    }
    if a == c(0.0, 0.0) {
        return if b.re > 0.0 && b.im == 0.0 { c(0.0, 0.0) } else { c(f64::NAN, f64::NAN) };
    }
    if b.im == 0.0 && b.re.fract() == 0.0 && b.re.abs() < 100.0 {
        let whole = whole_power(a, b.re.abs() as u32);
        return if b.re < 0.0 { reciprocal(whole) } else { whole };
    }
    exp(log(a) * b)
}

fn whole_power(a: C, n: u32) -> C {
    let (mut base, mut left, mut product) = (a, n, None);
    while left > 0 {
        if left & 1 == 1 {
            product = Some(product.map_or(base, |p: C| p * base));
        }
        left >>= 1;
        if left > 0 {
            base *= base;
        }
    }
    product.unwrap_or(c(1.0, 0.0))
}

pub fn sinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return c(x.sinh(), y);
    }
    if !y.is_finite() {
        return if x == 0.0 || x.is_infinite() { c(x, f64::NAN) } else { c(f64::NAN, f64::NAN) };
    }
    if x == 0.0 {
        return c(0f64.copysign(x * y.cos()), y.sin());
    }
    if x.is_infinite() {
        return c(x * y.cos(), f64::INFINITY * y.sin());
    }
    if x.abs() > 40.0 {
        let half = scaled(x.abs(), 0.5 * y.cos(), 0.5 * y.sin());
        return c(half.re * x.signum(), half.im);
    }
    c(x.sinh() * y.cos(), x.cosh() * y.sin())
}

pub fn cosh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return c(x.cosh(), if x.is_nan() { y } else { y * x.signum() });
    }
    if !y.is_finite() {
        return match x {
            x if x.is_infinite() => c(f64::INFINITY, f64::NAN),
            0.0 => c(f64::NAN, 0.0),
            _ => c(f64::NAN, f64::NAN),
        };
    }
    if x == 0.0 {
        return c(y.cos(), x * y.sin());
    }
    if x.is_infinite() {
        return c(f64::INFINITY * y.cos(), x * y.sin());
    }
    if x.abs() > 40.0 {
        let half = scaled(x.abs(), 0.5 * y.cos(), 0.5 * y.sin());
        return c(half.re, half.im * x.signum());
    }
    c(x.cosh() * y.cos(), x.sinh() * y.sin())
}

pub fn tanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_nan() {
        return c(x, if y == 0.0 { y } else { f64::NAN });
    }
    if x.is_infinite() {
        let im = if y.is_finite() { 0f64.copysign(y.sin() * y.cos()) } else { 0f64.copysign(y) };
        return c(x.signum(), im);
    }
    if !y.is_finite() {
        return c(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    if x.abs() > 22.0 {
        return c(x.signum(), 4.0 * y.sin() * y.cos() * (-2.0 * x.abs()).exp());
    }
    let (t, s) = (y.tan(), x.sinh());
    let (beta, rho) = (1.0 + t * t, (1.0 + s * s).sqrt());
    if beta.is_infinite() {
        return c(rho / s, 1.0 / t);
    }
    let below = 1.0 + beta * s * s;
    c(beta * rho * s / below, t / below)
}

/// Rotates a function of the hyperbolic family into the circular one: `-i f(i z)`.
fn rotated(f: fn(C) -> C, z: C) -> C {
    let w = f(c(-z.im, z.re));
    c(w.im, -w.re)
}

pub fn sin(z: C) -> C {
    rotated(sinh, z)
}

pub fn cos(z: C) -> C {
    cosh(c(-z.im, z.re))
}

pub fn tan(z: C) -> C {
    rotated(tanh, z)
}

/// Beyond this size 1 vanishes beside z² and the square roots are z itself.
const HUGE: f64 = 1e150;

pub fn asinh(z: C) -> C {
    if z.re.abs() > HUGE || z.im.abs() > HUGE {
        let re = log_modulus(c(z.re / 2.0, z.im / 2.0)) + 2.0 * LN_2;
        return c(re.copysign(z.re), z.im.atan2(z.re.abs()));
    }
    let (a, b) = (sqrt(c(1.0 + z.im, -z.re)), sqrt(c(1.0 - z.im, z.re)));
    c((a.re * b.im - b.re * a.im).asinh(), z.im.atan2(a.re * b.re - a.im * b.im))
}

pub fn acosh(z: C) -> C {
    if z.re.abs() > HUGE || z.im.abs() > HUGE {
        return c(log_modulus(c(z.re / 2.0, z.im / 2.0)) + 2.0 * LN_2, z.im.atan2(z.re));
    }
    let (a, b) = (sqrt(c(z.re - 1.0, z.im)), sqrt(c(z.re + 1.0, z.im)));
    c((a.re * b.re + a.im * b.im).asinh(), 2.0 * a.im.atan2(b.re))
}

pub fn acos(z: C) -> C {
    if z.re.abs() > HUGE || z.im.abs() > HUGE {
        let im = log_modulus(c(z.re / 2.0, z.im / 2.0)) + 2.0 * LN_2;
        return c(z.im.abs().atan2(z.re), -im.copysign(z.im));
    }
    let (a, b) = (sqrt(c(1.0 - z.re, -z.im)), sqrt(c(1.0 + z.re, z.im)));
    c(2.0 * a.re.atan2(b.re), (b.re * a.im - b.im * a.re).asinh())
}

pub fn asin(z: C) -> C {
    rotated(asinh, z)
}

pub fn atanh(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im);
    let (re, im) = if x > HUGE || y.abs() > HUGE {
        let inverse = reciprocal(c(x, y));
        (if inverse.re.is_nan() { 0.0 } else { inverse.re }, (std::f64::consts::FRAC_PI_2).copysign(y))
    } else {
        let re = (4.0 * x / ((1.0 - x) * (1.0 - x) + y * y)).ln_1p() / 4.0;
        (re, (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y) / 2.0)
    };
    c(re.copysign(z.re), im)
}

pub fn atan(z: C) -> C {
    rotated(atanh, z)
}
