//! What NumPy gives for signed zeros, infinities and nan, and for complex numbers.

use super::{run1, run2};
use crate::op::lanes::Flag;
use crate::tensor::DType;
use num_complex::Complex;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn same(got: &[f64], want: &[f64]) {
    let alike = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    assert!(got.len() == want.len() && got.iter().zip(want).all(|(&a, &b)| alike(a, b)), "{got:?}, want {want:?}");
}

fn two(name: &str, a: &[f64], b: &[f64], want: &[f64]) {
    same(&run2::<f64, f64, f64>(name, a, b).unwrap(), want);
    let narrow = |v: &[f64]| v.iter().map(|&x| x as f32).collect::<Vec<_>>();
    let got: Vec<f32> = run2(name, &narrow(a), &narrow(b)).unwrap();
    same(&got.iter().map(|&x| f64::from(x)).collect::<Vec<_>>(), want);
}

#[test]
fn floor_division_and_remainder_follow_numpy() {
    let a = [-0.0, 0.0, 5.0, -5.0, INF, 3.0, -3.0, 3.0, INF, 7.5, -7.5, -7.0, 0.0, 1.0];
    let b = [3.0, -3.0, INF, INF, 3.0, 0.0, -INF, -INF, INF, 2.0, 2.0, 0.0, 0.0, NAN];
    two("floor_divide", &a, &b, &[-0.0, -0.0, 0.0, -1.0, NAN, INF, 0.0, -1.0, NAN, 3.0, -4.0, -INF, NAN, NAN]);
    two("remainder", &a, &b, &[0.0, -0.0, 5.0, INF, NAN, NAN, -3.0, -INF, NAN, 1.5, 0.5, NAN, NAN, NAN]);
}

#[test]
fn nan_wins_or_is_ignored() {
    let (a, b) = ([1.0, NAN, 1.0, NAN, -INF], [NAN, 2.0, 2.0, NAN, 5.0]);
    two("maximum", &a, &b, &[NAN, NAN, 2.0, NAN, 5.0]);
    two("minimum", &a, &b, &[NAN, NAN, 1.0, NAN, -INF]);
    two("fmax", &a, &b, &[1.0, 2.0, 2.0, NAN, 5.0]);
    two("fmin", &a, &b, &[1.0, 2.0, 1.0, NAN, -INF]);
    same(&run1::<f64, f64>("relu", &[-1.0, NAN, 2.0, -0.0]).unwrap(), &[0.0, NAN, 2.0, 0.0]);
}

#[test]
fn powers_at_the_ends() {
    let a = [NAN, 1.0, INF, -1.0, -2.0, -0.5, -8.0, 0.0, -0.0, -0.0, -INF, -INF];
    let b = [0.0, NAN, 0.0, INF, INF, INF, 0.5, 0.5, -1.0, -2.0, 3.0, -3.0];
    two("power", &a, &b, &[1.0, 1.0, 1.0, 1.0, INF, 0.0, NAN, 0.0, -INF, INF, -INF, -0.0]);
}

#[test]
fn parts_of_floats() {
    two("heaviside", &[NAN, 0.0, -0.0, -3.0, 2.0], &[1.0, NAN, 2.0, 1.0, 1.0], &[NAN, NAN, 2.0, 0.0, 1.0]);
    two("copysign", &[1.0, -2.0], &[-0.0, 3.0], &[-1.0, 2.0]);
    same(&run1::<f64, f64>("sign", &[-2.0, -0.0, 0.0, NAN, INF]).unwrap(), &[-1.0, 0.0, 0.0, NAN, 1.0]);
    same(&run1::<f64, f64>("rint", &[0.5, 1.5, -0.5, 2.5]).unwrap(), &[0.0, 2.0, -0.0, 2.0]);
    same(&run1::<f64, f64>("ceil", &[-0.8, 1.2]).unwrap(), &[-0.0, 2.0]);
    let next =
        run2::<f32, f32, f32>("nextafter", &[1.0, 0.0, f32::MAX, 1.0], &[0.0, -1.0, f32::INFINITY, 1.0]).unwrap();
    assert_eq!(next, [0.99999994, -1e-45, f32::INFINITY, 1.0]);
    same(&run1::<f64, f64>("spacing", &[1.0, -1.0, 0.0, INF]).unwrap(), &[f64::EPSILON, -f64::EPSILON, 5e-324, NAN]);
    assert_eq!(
        run2::<f32, i64, f32>("ldexp", &[0.5, 1.5, 1.0], &[1, -149, 2000]).unwrap(),
        [1.0, 3e-45, f32::INFINITY]
    );
}

#[test]
fn sixteen_bit_floats_have_their_own_neighbours() {
    let row = |name: &str, dtypes: &[DType], x: &[f32], y: &[f32]| {
        let args = [x.as_ptr().cast(), y.as_ptr().cast(), std::ptr::null()];
        super::launch_all::<f32>(name, dtypes, &args, x.len()).unwrap()
    };
    use DType::{BF16, F16};
    let (x, y) = ([1.0, 0.0, 65504.0, 1.0], [2.0, -1.0, f32::INFINITY, -1.0]);
    assert_eq!(row("nextafter", &[F16, F16], &x, &y), [1.0009766, -5.9604645e-8, f32::INFINITY, 0.9995117]);
    assert_eq!(row("nextafter", &[BF16, BF16], &[1.0], &[2.0]), [1.0078125]);
    assert_eq!(row("spacing", &[F16], &[1.0, 0.0], &[]), [0.0009765625, 5.9604645e-8]);
}

fn c(re: f64, im: f64) -> Complex<f64> {
    Complex::new(re, im)
}

fn near(name: &str, x: Complex<f64>, want: Complex<f64>) {
    let got = run1::<Complex<f64>, Complex<f64>>(name, &[x]).unwrap()[0];
    let close = |a: f64, b: f64| {
        (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits() || (b != 0.0 && (a - b).abs() <= 1e-13 * b.abs())
    };
    assert!(close(got.re, want.re) && close(got.im, want.im), "{name}({x}) = {got}, want {want}");
}

#[test]
fn complex_special_values_follow_annex_g() {
    use std::f64::consts::{FRAC_PI_2, PI};
    near("sqrt", c(-1.0, 0.0), c(0.0, 1.0));
    near("sqrt", c(-1.0, -0.0), c(0.0, -1.0));
    near("sqrt", c(-INF, 1.0), c(0.0, INF));
    near("sqrt", c(1e308, 1e308), c(1.0986841134678099e154, 4.550898605622273e153));
    near("exp", c(-INF, 1.0), c(0.0, 0.0));
    near("exp", c(0.0, 0.0), c(1.0, 0.0));
    let big = 709f64.exp() * (1f64.exp() * std::f64::consts::FRAC_1_SQRT_2);
    near("exp", c(710.0, PI / 4.0), c(big, big));
    near("log", c(0.0, 0.0), c(-INF, 0.0));
    near("log", c(-1.0, 0.0), c(0.0, PI));
    near("log", c(1.0, 1e-10), c(5e-21, 1e-10));
    near("tanh", c(INF, 1.0), c(1.0, 0.0));
    near("tanh", c(300.0, 1.0), c(1.0, 4.0 * 1f64.sin() * 1f64.cos() * (-600f64).exp()));
    near("arccos", c(2.0, 0.0), c(0.0, -1.3169578969248166));
    near("arcsin", c(2.0, 0.0), c(FRAC_PI_2, 1.3169578969248166));
    near("arctanh", c(0.0, 1.0), c(0.0, PI / 4.0));
    near("sign", c(3.0, 4.0), c(0.6, 0.8));
    near("sign", c(INF, 1.0), c(1.0, 0.0));
    near("reciprocal", c(1e200, 1e200), c(5e-201, -5e-201));
}

#[test]
fn complex_identities_hold() {
    let points: Vec<Complex<f64>> =
        (0..50).map(|i| c(f64::from(i % 7) * 0.6 - 1.7, f64::from(i % 11) * 0.35 - 1.6)).collect();
    let one = |name: &str, x: &[Complex<f64>]| run1::<Complex<f64>, Complex<f64>>(name, x).unwrap();
    let pairs = [
        ("arcsin", "sin"),
        ("arccos", "cos"),
        ("arctan", "tan"),
        ("arcsinh", "sinh"),
        ("arccosh", "cosh"),
        ("arctanh", "tanh"),
        ("log", "exp"),
        ("log1p", "expm1"),
        ("log2", "exp2"),
        ("sqrt", "square"),
    ];
    for (inverse, f) in pairs {
        for (x, y) in points.iter().zip(one(f, &one(inverse, &points))) {
            assert!((x - y).norm() <= 1e-13 * x.norm().max(1.0), "{f}({inverse}({x})) = {y}");
        }
    }
    let squares: Vec<_> = points.iter().map(|z| z * z).collect();
    let two = vec![c(2.0, 0.0); points.len()];
    assert_eq!(run2::<_, _, Complex<f64>>("power", &points, &two).unwrap(), squares);
    let half = vec![c(0.5, 0.0); points.len()];
    for (a, b) in run2::<_, _, Complex<f64>>("power", &points, &half).unwrap().iter().zip(one("sqrt", &points)) {
        assert!((a - b).norm() < 1e-14 * 4.0);
    }
}

#[test]
fn complex_parts_and_division() {
    let z = [Complex::new(3.0f32, 4.0), Complex::new(-1.0, 0.0)];
    assert_eq!(run1::<_, f32>("abs", &z).unwrap(), [5.0, 1.0]);
    assert_eq!(run1::<_, f32>("angle", &z).unwrap(), [0.9272952, std::f32::consts::PI]);
    assert_eq!(run1::<_, f32>("imag", &z).unwrap(), [4.0, 0.0]);
    assert_eq!(run1::<_, Complex<f32>>("conj", &z).unwrap()[0], Complex::new(3.0, -4.0));
    assert_eq!(run2::<_, _, Flag>("equal", &z, &[z[0], z[0]]).unwrap(), [true.into(), false.into()]);
    assert_eq!(run1::<_, Flag>("isnan", &[c(1.0, NAN)]).unwrap(), [true.into()]);
    let quotient =
        run2::<_, _, Complex<f64>>("divide", &[c(1e300, 1e300), c(1.0, 0.0)], &[c(1e300, 1e300), c(0.0, 0.0)]);
    let quotient = quotient.unwrap();
    assert_eq!(quotient[0], c(1.0, 0.0));
    assert!(quotient[1].re == INF && quotient[1].im.is_nan());
}
