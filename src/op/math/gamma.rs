//! Gamma functions, Bessel i0 and the inverse error function: scalar, in f64.

use std::f64::consts::PI;

/// The logarithm of |Γ(x)|.
pub fn lgamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The derivative of ln Γ: reflection below 0, recurrence up to 10, then the asymptotic series.
pub fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY.copysign(-x);
    }
    if x < 0.0 {
        return if x.fract() == 0.0 { f64::NAN } else { digamma(1.0 - x) - PI / (PI * x.fract()).tan() };
    }
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let z = 1.0 / (x * x);
    // Bernoulli numbers over 2k.
    let series = z
        * (1.0 / 12.0
            - z * (1.0 / 120.0
                - z * (1.0 / 252.0 - z * (1.0 / 240.0 - z * (1.0 / 132.0 - z * (691.0 / 32760.0 - z / 12.0))))));
    x.ln() - 0.5 / x - series - below
}

/// The modified Bessel function of order 0: its power series, and its asymptotic series from 30 on.
pub fn i0(x: f64) -> f64 {
    let x = x.abs();
    if x.is_nan() {
        return x;
    }
    if x < 30.0 {
        let quarter = x * x / 4.0;
        let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
        while term > sum * 1e-18 {
            term *= quarter / (k * k);
            sum += term;
            k += 1.0;
        }
        return sum;
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..20 {
        let odd = f64::from(2 * k - 1);
        term *= odd * odd / (8.0 * x * f64::from(k));
        sum += term;
    }
    // e^x in halves: it overflows before the quotient does.
    let half = (x * 0.5).exp();
    half / (2.0 * PI * x).sqrt() * sum * half
}

/// A rational start (S. Winitzki's formula), then Newton steps on erf or erfc, whichever keeps its digits.
pub fn erfinv(y: f64) -> f64 {
    let size = y.abs();
    if size >= 1.0 || y.is_nan() {
        return if size == 1.0 { f64::INFINITY.copysign(y) } else { f64::NAN };
    }
    if size < 1e-8 {
        return y * (PI.sqrt() / 2.0);
    }
    const A: f64 = 0.147;
    let l = (-size * size).ln_1p();
    let b = 2.0 / (PI * A) + l / 2.0;
    let mut x = ((b * b - l / A).sqrt() - b).sqrt();
    for _ in 0..4 {
        let wrong = if size < 0.5 { libm::erf(x) - size } else { (1.0 - size) - libm::erfc(x) };
        let slope = 2.0 / PI.sqrt() * (-x * x).exp();
        let step = wrong / slope;
        // Halley: the second derivative is -2x times the first.
        x -= step / (1.0 + x * step);
    }
    x.copysign(y)
}

/// `ln(p / (1 - p))`.
pub fn logit(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    // Near 1/2 the quotient is near 1.
    if (p - 0.5).abs() < 0.25 {
        let d = 2.0 * p - 1.0;
        return d.ln_1p() - (-d).ln_1p();
    }
    (p / (1.0 - p)).ln()
}

/// `x ln y`, 0 where x is 0 whatever y is.
pub fn xlogy(x: f64, y: f64) -> f64 {
    if x == 0.0 && !y.is_nan() { 0.0 } else { x * y.ln() }
}

/// `x tanh(softplus(x))`.
pub fn mish(x: f64) -> f64 {
    // tanh(ln(1 + e)) = (e² + 2e) / (e² + 2e + 2)
    if x > 20.0 {
        return x;
    }
    let e = x.exp();
    let t = e * (e + 2.0);
    x * (t / (t + 2.0))
}
