//! Circular and hyperbolic functions, and angles.

use crate::op::lanes::{LaneFn, kernel1, kernel2, map1, pick, wide1};
use crate::op::math::{complex, hyper, trig};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;

fn sin(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(trig::sin_f32, T => T, trig::is_far_f32 => trig::far_sin);
        double => kernel1!(trig::sin, T => T, trig::is_far => f64::sin);
        complex => wide1!(complex::sin, T => T))
}

fn cos(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(trig::cos_f32, T => T, trig::is_far_f32 => trig::far_cos);
        double => kernel1!(trig::cos, T => T, trig::is_far => f64::cos);
        complex => wide1!(complex::cos, T => T))
}

fn tan(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(trig::tan_f32, T => T, trig::is_far_f32 => trig::far_tan);
        double => kernel1!(trig::tan, T => T, trig::is_far => f64::tan);
        complex => wide1!(complex::tan, T => T))
}

fn arcsin(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(trig::asin, T); complex => wide1!(complex::asin, T => T))
}

fn arccos(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(trig::acos, T); complex => wide1!(complex::acos, T => T))
}

fn arctan(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(trig::atan, T); complex => wide1!(complex::atan, T => T))
}

fn arctan2(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel2!(trig::atan2, T))
}

fn sinh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(hyper::sinh, T); complex => wide1!(complex::sinh, T => T))
}

fn cosh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(hyper::cosh, T); complex => wide1!(complex::cosh, T => T))
}

fn tanh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        single => kernel1!(hyper::tanh_f32, T => T);
        double => kernel1!(hyper::tanh, T => T);
        complex => wide1!(complex::tanh, T => T))
}

fn arcsinh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(hyper::asinh, T); complex => wide1!(complex::asinh, T => T))
}

fn arccosh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(hyper::acosh, T); complex => wide1!(complex::acosh, T => T))
}

fn arctanh(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(hyper::atanh, T); complex => wide1!(complex::atanh, T => T))
}

fn sinc(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(trig::sinc, T))
}

fn deg2rad(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(T::to_radians, T => T))
}

fn rad2deg(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(T::to_degrees, T => T))
}

fn angle(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => kernel1!(trig::real_angle, T);
        complex => wide1!(complex::angle, T => <T as Wide>::Re))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("sin", 1, rule::float, sin, Group::Elementary)
        .cost(22)
        .help(
            "sin(x)",
            "Sine of an angle in radians, right for large angles too; nan for infinities.",
            &["sin(array([0.0, pi / 2, 1e10]))", "sin(linspace(0, pi, 5))"],
        )
        .like("np.sin", "torch.sin")
        .see(&["cos", "tan", "arcsin", "sinc"]),
    MapRow::new("cos", 1, rule::float, cos, Group::Elementary)
        .cost(22)
        .help("cos(x)", "Cosine of an angle in radians; nan for infinities.", &["cos(array([0.0, pi]))"])
        .like("np.cos", "torch.cos")
        .see(&["sin", "arccos"]),
    MapRow::new("tan", 1, rule::float, tan, Group::Elementary)
        .cost(34)
        .help("tan(x)", "Tangent of an angle in radians.", &["tan(array([0.0, pi / 4]))"])
        .like("np.tan", "torch.tan")
        .see(&["sin", "arctan"]),
    MapRow::new("arcsin", 1, rule::float, arcsin, Group::Elementary)
        .alias(&["asin"])
        .cost(26)
        .help(
            "arcsin(x)",
            "The angle in [-pi/2, pi/2] whose sine is x; nan beyond ±1.",
            &["arcsin(array([1.0, 0.5, 2.0]))"],
        )
        .like("np.arcsin", "torch.asin")
        .see(&["sin", "arccos"]),
    MapRow::new("arccos", 1, rule::float, arccos, Group::Elementary)
        .alias(&["acos"])
        .cost(26)
        .help(
            "arccos(x)",
            "The angle in [0, pi] whose cosine is x; nan beyond ±1.",
            &["arccos(array([1.0, 0.0, -1.0]))"],
        )
        .like("np.arccos", "torch.acos")
        .see(&["cos", "arcsin"]),
    MapRow::new("arctan", 1, rule::float, arctan, Group::Elementary)
        .alias(&["atan"])
        .cost(26)
        .help("arctan(x)", "The angle in [-pi/2, pi/2] whose tangent is x.", &["arctan(array([1.0, inf]))"])
        .like("np.arctan", "torch.atan")
        .see(&["tan", "arctan2"]),
    MapRow::new("arctan2", 2, rule::real_float, arctan2, Group::Elementary)
        .alias(&["atan2"])
        .cost(32)
        .help(
            "arctan2(y, x)",
            "The angle of the point (x, y) in (-pi, pi]: y comes first. Signed zeros and infinities count.",
            &["arctan2(array([1.0, 1.0, -1.0]), array([1.0, -1.0, -1.0]))"],
        )
        .like("np.arctan2", "torch.atan2")
        .see(&["arctan", "angle", "hypot"]),
    MapRow::new("sinh", 1, rule::float, sinh, Group::Elementary)
        .cost(30)
        .help("sinh(x)", "Hyperbolic sine, (exp(x) - exp(-x)) / 2.", &["sinh(array([0.0, 1.0, -1.0]))"])
        .like("np.sinh", "torch.sinh")
        .see(&["cosh", "tanh", "arcsinh"]),
    MapRow::new("cosh", 1, rule::float, cosh, Group::Elementary)
        .cost(26)
        .help("cosh(x)", "Hyperbolic cosine, (exp(x) + exp(-x)) / 2.", &["cosh(array([0.0, 1.0]))"])
        .like("np.cosh", "torch.cosh")
        .see(&["sinh", "arccosh"]),
    MapRow::new("tanh", 1, rule::float, tanh, Group::Elementary)
        .cost(22)
        .help("tanh(x)", "Hyperbolic tangent, between -1 and 1.", &["tanh(array([0.0, 1.0, -inf]))"])
        .like("np.tanh", "torch.tanh")
        .see(&["sigmoid", "sinh", "arctanh"]),
    MapRow::new("arcsinh", 1, rule::float, arcsinh, Group::Elementary)
        .alias(&["asinh"])
        .cost(36)
        .help("arcsinh(x)", "The number whose hyperbolic sine is x.", &["arcsinh(array([0.0, 1.0, -1e30]))"])
        .like("np.arcsinh", "torch.asinh")
        .see(&["sinh"]),
    MapRow::new("arccosh", 1, rule::float, arccosh, Group::Elementary)
        .alias(&["acosh"])
        .cost(36)
        .help(
            "arccosh(x)",
            "The number from 0 up whose hyperbolic cosine is x; nan below 1.",
            &["arccosh(array([1.0, 2.0, 0.5]))"],
        )
        .like("np.arccosh", "torch.acosh")
        .see(&["cosh"]),
    MapRow::new("arctanh", 1, rule::float, arctanh, Group::Elementary)
        .alias(&["atanh"])
        .cost(30)
        .help(
            "arctanh(x)",
            "The number whose hyperbolic tangent is x: infinite at ±1, nan beyond.",
            &["arctanh(array([0.0, 0.5, 1.0]))"],
        )
        .like("np.arctanh", "torch.atanh")
        .see(&["tanh", "logit"]),
    MapRow::new("sinc", 1, rule::real_float, sinc, Group::Elementary)
        .cost(30)
        .help(
            "sinc(x)",
            "sin(pi x) / (pi x), 1 at 0 and exactly 0 at the other whole numbers.",
            &["sinc(array([0.0, 0.5, 1.0]))"],
        )
        .like("np.sinc", "torch.sinc")
        .see(&["sin"]),
    MapRow::new("deg2rad", 1, rule::real_float, deg2rad, Group::Elementary)
        .alias(&["radians"])
        .help("deg2rad(x)", "Degrees to radians.", &["deg2rad(array([180.0, 90.0]))"])
        .like("np.deg2rad", "torch.deg2rad")
        .see(&["rad2deg"]),
    MapRow::new("rad2deg", 1, rule::real_float, rad2deg, Group::Elementary)
        .alias(&["degrees"])
        .help("rad2deg(x)", "Radians to degrees.", &["rad2deg(array([pi, pi / 2]))"])
        .like("np.rad2deg", "torch.rad2deg")
        .see(&["deg2rad"]),
    MapRow::new("angle", 1, rule::angle, angle, Group::Complex)
        .cost(32)
        .help(
            "angle(x)",
            "The angle of a complex number in (-pi, pi]; of a real one 0, or pi below 0.",
            &["angle(array([1 + 1j, -1 + 0j]))", "angle(array([2.0, -2.0]))"],
        )
        .like("np.angle", "torch.angle")
        .see(&["abs", "arctan2", "conj"]),
];
