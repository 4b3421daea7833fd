//! Float functions against the library in f64, over dense samples.

use super::{run1, run2};

/// Distance in units of the last place of the exact value.
fn ulps32(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == rounded {
        return 0.0;
    }
    if got.is_infinite() || rounded.is_infinite() {
        return f64::INFINITY;
    }
    let size = rounded.abs().max(f32::MIN_POSITIVE);
    let ulp = f64::from(f32::from_bits(size.to_bits() + 1)) - f64::from(size);
    (f64::from(got) - want).abs() / ulp
}

fn relative64(got: f64, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() || got == want {
        return if got.is_nan() == want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got.is_infinite() || want.is_infinite() {
        return f64::INFINITY;
    }
    (got - want).abs() / want.abs().max(f64::MIN_POSITIVE * 1e10)
}

/// Special values, every exponent, and a dense grid about 0.
fn samples32() -> Vec<f32> {
    let mut list = vec![0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN, 1e-45, -1e-45];
    list.extend([1.0f32, -1.0, 0.5, -0.5, 2.0, -2.0, 0.99999994, 1.0000001, -0.99999994, -1.0000001]);
    for step in 0..6000u32 {
        let x = f32::from_bits(step * 715_827 % 0x7f80_0000);
        list.extend([x, -x]);
    }
    for step in -6000..6000 {
        list.push(step as f32 * 0.00213);
        list.push(step as f32 * 0.021);
    }
    list
}

fn samples64() -> Vec<f64> {
    let mut list: Vec<f64> = samples32().into_iter().map(|x| f64::from(x) * 1.000000123).collect();
    list.extend([f64::MAX, 5e-324, 1e-310, 1e300, -1e300, 709.7, 710.0, -745.0, -746.0, 1e-20]);
    list
}

fn check32(name: &str, allowed: f64, reference: impl Fn(f64) -> f64) {
    let x = samples32();
    let got: Vec<f32> = run1(name, &x).unwrap();
    let worst =
        (0..x.len()).map(|i| (ulps32(got[i], reference(f64::from(x[i]))), i)).max_by(|a, b| a.0.total_cmp(&b.0));
    let (ulps, i) = worst.unwrap();
    println!("{name} f32: {ulps:.2} ULP at {:e}", x[i]);
    assert!(ulps <= allowed, "{name}({:e}) = {:e}, want {:e}: {ulps} ULP", x[i], got[i], reference(f64::from(x[i])));
}

fn check64(name: &str, allowed: f64, reference: impl Fn(f64) -> f64) {
    let x = samples64();
    let got: Vec<f64> = run1(name, &x).unwrap();
    let worst = (0..x.len()).map(|i| (relative64(got[i], reference(x[i])), i)).max_by(|a, b| a.0.total_cmp(&b.0));
    let (error, i) = worst.unwrap();
    println!("{name} f64: {error:.2e} at {:e}", x[i]);
    assert!(error <= allowed, "{name}({:e}) = {:e}, want {:e}: {error:e}", x[i], got[i], reference(x[i]));
}

fn check(name: &str, reference: impl Fn(f64) -> f64 + Copy) {
    check32(name, 2.0, reference);
    check64(name, 1e-13, reference);
}

#[test]
fn exponentials() {
    check("exp", f64::exp);
    check("exp2", f64::exp2);
    check("expm1", f64::exp_m1);
    check("sigmoid", |x| 1.0 / (1.0 + (-x).exp()));
}

#[test]
fn logarithms() {
    check("log", f64::ln);
    check("log2", f64::log2);
    check("log10", f64::log10);
    check("log1p", f64::ln_1p);
    check("softplus", |x| x.max(0.0) + (-x.abs()).exp().ln_1p());
}

#[test]
fn circular() {
    check("sin", f64::sin);
    check("cos", f64::cos);
    check("tan", f64::tan);
    check("arcsin", f64::asin);
    check("arccos", f64::acos);
    check("arctan", f64::atan);
}

#[test]
fn hyperbolic() {
    check("sinh", f64::sinh);
    check("cosh", f64::cosh);
    check("tanh", f64::tanh);
    check("arcsinh", libm::asinh);
    check("arccosh", |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) });
    check("arctanh", libm::atanh);
}

#[test]
fn roots() {
    check("sqrt", f64::sqrt);
    check("cbrt", f64::cbrt);
    check("rsqrt", |x| 1.0 / x.sqrt());
    check("reciprocal", |x| 1.0 / x);
}

#[test]
fn error_functions() {
    check("erf", libm::erf);
    check("erfc", libm::erfc);
    let gelu = |x: f64| 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
    // Three roundings of factors in the far tail; half a unit where x is ordinary.
    check32("gelu", 4.0, gelu);
    check64("gelu", 1e-13, gelu);
    let gelu_tanh = |x: f64| {
        let inner = 2.0 * (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3));
        let e = (-inner.abs()).exp();
        x * if inner < 0.0 { e } else { 1.0 } / (1.0 + e)
    };
    check32("gelu_tanh", 2.0, gelu_tanh);
    // The exponential multiplies the rounding of its argument, -588 at worst.
    check64("gelu_tanh", 1e-12, gelu_tanh);
    check32("silu", 2.5, |x| x * (1.0 / (1.0 + (-x).exp())));
    check64("silu", 1e-13, |x| x * (1.0 / (1.0 + (-x).exp())));
    check32("lgamma", 2.0, libm::lgamma);
}

#[test]
fn whole_powers_and_logarithms_are_exact() {
    let n: Vec<f32> = (-149..128).map(|n| n as f32).collect();
    let powers: Vec<f32> = run1("exp2", &n).unwrap();
    for (n, p) in n.iter().zip(&powers) {
        assert_eq!(f64::from(*p), f64::from(*n).exp2());
    }
    assert_eq!(run1::<f32, f32>("log2", &powers).unwrap(), n);
    let cubes: Vec<f32> = (-20..=20).map(|n: i32| (n * n * n) as f32).collect();
    let roots: Vec<f32> = (-20..=20).map(|n| n as f32).collect();
    assert_eq!(run1::<f32, f32>("cbrt", &cubes).unwrap(), roots);
}

/// Pairs of a coarse grid with every special value.
fn grid() -> (Vec<f32>, Vec<f32>) {
    let mut list = vec![0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -3.0, 1e-45, 1e38, -1e38, 1e-30, 100.0, -7.25];
    list.extend([f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1.0000001, 0.99999994, 16777216.0, 16777215.0]);
    list.extend((0..40).map(|i| (i as f32 - 19.5) * 0.37));
    super::pairs(&list)
}

fn check_pairs(name: &str, reference: impl Fn(f64, f64) -> f64) {
    let (x, y) = grid();
    let got: Vec<f32> = run2(name, &x, &y).unwrap();
    for i in 0..x.len() {
        let want = reference(x[i].into(), y[i].into());
        let ulps = ulps32(got[i], want);
        assert!(ulps <= 2.0, "{name}({:e}, {:e}) = {:e}, want {want:e}", x[i], y[i], got[i]);
        let sign = got[i].is_sign_negative() == want.is_sign_negative() || want.is_nan();
        assert!(sign, "{name}({:e}, {:e}) = {:e}, want {want:e}", x[i], y[i], got[i]);
    }
    let (x, y): (Vec<f64>, Vec<f64>) = (x.iter().map(|&v| v.into()).collect(), y.iter().map(|&v| v.into()).collect());
    let got: Vec<f64> = run2(name, &x, &y).unwrap();
    for i in 0..x.len() {
        let want = reference(x[i], y[i]);
        assert!(relative64(got[i], want) <= 1e-13, "{name}({:e}, {:e}) = {:e}, want {want:e}", x[i], y[i], got[i]);
    }
}

#[test]
fn functions_of_two() {
    check_pairs("power", f64::powf);
    check_pairs("arctan2", f64::atan2);
    check_pairs("hypot", f64::hypot);
    check_pairs("logaddexp", |x, y| match (x, y) {
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        _ if x == y => x + std::f64::consts::LN_2,
        _ => x.max(y) + (-(x - y).abs()).exp().ln_1p(),
    });
    check_pairs("fmod", |x, y| x % y);
    check_pairs("copysign", f64::copysign);
}
