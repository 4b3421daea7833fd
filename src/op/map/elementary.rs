//! Exponentials, logarithms and roots.

use crate::op::lanes::{LaneFn, kernel1, kernel2, map1, map2, pick, wide1, wide2};
use crate::op::math::{complex, exp, log, pow};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;

fn exp_(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(exp::exp_f32, T => T);
        double => kernel1!(exp::exp, T => T);
        complex => wide1!(complex::exp, T => T))
}

fn exp2(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => kernel1!(exp::exp2, T);
        complex => wide1!(complex::exp2, T => T))
}

fn expm1(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => kernel1!(exp::expm1, T);
        complex => wide1!(complex::expm1, T => T))
}

fn log_(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(log::log_f32, T => T);
        double => kernel1!(log::log, T => T);
        complex => wide1!(complex::log, T => T))
}

fn log2(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => kernel1!(log::log2, T);
        complex => wide1!(complex::log2, T => T))
}

fn log10(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => kernel1!(log::log10, T);
        complex => wide1!(complex::log10, T => T))
}

fn log1p(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => kernel1!(log::log1p, T);
        complex => wide1!(complex::log1p, T => T))
}

fn logaddexp(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel2!(log::logaddexp, T))
}

fn logaddexp2(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel2!(log::logaddexp2, T))
}

fn sqrt(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => map1!(T::sqrt, T => T);
        complex => wide1!(complex::sqrt, T => T))
}

fn rsqrt(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => map1!(pow::rsqrt_f32, T => T);
        double => map1!(pow::rsqrt, T => T);
        complex => wide1!(complex::rsqrt, T => T))
}

fn cbrt(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(pow::cbrt_f32, T => T);
        double => wide1!(f64::cbrt, T => T))
}

fn hypot(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => map2!(pow::hypot_f32, T, T => T);
        double => wide2!(f64::hypot, T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("exp", 1, rule::float, exp_, Group::Elementary)
        .cost(16)
        .help(
            "exp(x)",
            "e to the power x. Above 88.7 in f32 and 709.8 in f64 it is inf.",
            &["exp(array([0.0, 1.0, -inf]))", "exp(array([0, 1], dtype=u8))  # f32", "exp(1j * array([0.0, pi]))"],
        )
        .like("np.exp", "torch.exp")
        .see(&["expm1", "exp2", "log", "softmax"]),
    MapRow::new("exp2", 1, rule::float, exp2, Group::Elementary)
        .cost(16)
        .help("exp2(x)", "Two to the power x; whole powers are exact.", &["exp2(array([3.0, 0.5, -1.0]))"])
        .like("np.exp2", "torch.exp2")
        .see(&["exp", "log2", "ldexp"]),
    MapRow::new("expm1", 1, rule::float, expm1, Group::Elementary)
        .cost(20)
        .help(
            "expm1(x)",
            "exp(x) - 1 without the cancellation near 0.",
            &["expm1(array([1e-10, 1.0]))", "exp(array([1e-10])) - 1  # nothing is left"],
        )
        .like("np.expm1", "torch.expm1")
        .see(&["exp", "log1p"]),
    MapRow::new("log", 1, rule::float, log_, Group::Elementary)
        .alias(&["ln"])
        .cost(18)
        .help(
            "log(x)",
            "Natural logarithm: -inf at 0, nan below. For complex numbers the branch with an angle in (-pi, pi].",
            &["log(array([1.0, e, 0.0, -1.0]))", "log(array([-1 + 0j]))  # pi as the imaginary part"],
        )
        .like("np.log", "torch.log")
        .see(&["log1p", "log2", "log10", "exp", "xlogy"]),
    MapRow::new("log2", 1, rule::float, log2, Group::Elementary)
        .cost(22)
        .help("log2(x)", "Logarithm to base 2; powers of two are exact.", &["log2(array([8.0, 10.0, 0.5]))"])
        .like("np.log2", "torch.log2")
        .see(&["log", "exp2"]),
    MapRow::new("log10", 1, rule::float, log10, Group::Elementary)
        .cost(22)
        .help("log10(x)", "Logarithm to base 10.", &["log10(array([1000.0, 2.0]))"])
        .like("np.log10", "torch.log10")
        .see(&["log", "log2"]),
    MapRow::new("log1p", 1, rule::float, log1p, Group::Elementary)
        .cost(24)
        .help(
            "log1p(x)",
            "log(1 + x) without the cancellation near 0.",
            &["log1p(array([1e-10, 1.0, -1.0]))", "log(1 + array([1e-10]))  # nothing is left"],
        )
        .like("np.log1p", "torch.log1p")
        .see(&["log", "expm1"]),
    MapRow::new("logaddexp", 2, rule::real_float, logaddexp, Group::Elementary)
        .cost(40)
        .help(
            "logaddexp(x, y)",
            "log(exp(x) + exp(y)) without overflow: the sum of two numbers known by their logarithms.",
            &["logaddexp(array([1000.0, 0.0]), array([1000.0, -inf]))"],
        )
        .like("np.logaddexp", "torch.logaddexp")
        .see(&["logsumexp", "logaddexp2", "softplus"]),
    MapRow::new("logaddexp2", 2, rule::real_float, logaddexp2, Group::Elementary)
        .cost(40)
        .help(
            "logaddexp2(x, y)",
            "log2(2 ** x + 2 ** y) without overflow.",
            &["logaddexp2(array([2000.0]), array([2000.0]))  # 2001"],
        )
        .like("np.logaddexp2", "torch.logaddexp2")
        .see(&["logaddexp", "log2"]),
    MapRow::new("sqrt", 1, rule::float, sqrt, Group::Elementary)
        .cost(6)
        .help(
            "sqrt(x)",
            "Square root, rounded exactly; nan below 0 (a complex tensor gives the complex root).",
            &["sqrt(array([4.0, 2.0, -1.0]))", "sqrt(array([-1 + 0j]))  # 1j"],
        )
        .like("np.sqrt", "torch.sqrt")
        .see(&["rsqrt", "cbrt", "square", "hypot"]),
    MapRow::new("rsqrt", 1, rule::float, rsqrt, Group::Elementary)
        .cost(10)
        .help("rsqrt(x)", "1 / sqrt(x): inf at 0, nan below.", &["rsqrt(array([4.0, 0.0]))"])
        .like("", "torch.rsqrt")
        .see(&["sqrt", "rms_norm"]),
    MapRow::new("cbrt", 1, rule::real_float, cbrt, Group::Elementary)
        .cost(40)
        .help("cbrt(x)", "Cube root; that of a negative number is negative.", &["cbrt(array([8.0, -27.0]))  # 2, -3"])
        .like("np.cbrt", "")
        .see(&["sqrt", "power"]),
    MapRow::new("hypot", 2, rule::real_float, hypot, Group::Elementary)
        .cost(12)
        .help(
            "hypot(x, y)",
            "sqrt(x * x + y * y) without overflow on the way.",
            &["hypot(array([3.0]), 4.0)", "hypot(array([3e30]), 4e30)"],
        )
        .like("np.hypot", "torch.hypot")
        .see(&["sqrt", "norm", "arctan2"]),
];
