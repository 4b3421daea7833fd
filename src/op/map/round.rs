//! Rounding, limits, and the parts of floats.

use crate::op::lanes::{LaneFn, map1, map2, pick};
use crate::op::scalar::{Real, flag, half, itself};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;
use std::cmp::{max, min};

fn maximum(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::or, T, T => T);
        ints => map2!(max, T, T => T);
        floats => map2!(Real::maximum, T, T => T))
}

fn minimum(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::and, T, T => T);
        ints => map2!(min, T, T => T);
        floats => map2!(Real::minimum, T, T => T))
}

fn fmax(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map2!(Real::fmax, T, T => T)).or_else(|| maximum(args))
}

fn fmin(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map2!(Real::fmin, T, T => T)).or_else(|| minimum(args))
}

fn floor(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints => map1!(itself, T => T); floats => map1!(T::floor, T => T))
}

fn ceil(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints => map1!(itself, T => T); floats => map1!(T::ceil, T => T))
}

fn trunc(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints => map1!(itself, T => T); floats => map1!(T::trunc, T => T))
}

fn rint(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(T::round_ties_even, T => T))
}

fn frac(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(T::fract, T => T))
}

fn copysign(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map2!(T::copysign, T, T => T))
}

fn heaviside(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map2!(Real::heaviside, T, T => T))
}

fn nextafter(args: &[DType]) -> Option<LaneFn> {
    match args[0] {
        DType::F16 => Some(map2!(half::next_after::<half::F16>, f32, f32 => f32)),
        DType::BF16 => Some(map2!(half::next_after::<half::Bf16>, f32, f32 => f32)),
        dtype => pick!(dtype, T: floats => map2!(Real::next_after, T, T => T)),
    }
}

fn spacing(args: &[DType]) -> Option<LaneFn> {
    match args[0] {
        DType::F16 => Some(map1!(half::spacing::<half::F16>, f32 => f32)),
        DType::BF16 => Some(map1!(half::spacing::<half::Bf16>, f32 => f32)),
        dtype => pick!(dtype, T: floats => map1!(Real::spacing, T => T)),
    }
}

fn ldexp(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map2!(Real::load_exponent, T, i64 => T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("maximum", 2, rule::ordered, maximum, Group::Arithmetic)
        .help(
            "maximum(x, y)",
            "The larger of two, element by element; nan wins. `max` is the reduction.",
            &["maximum(array([1.0, nan, 5.0]), 2.0)", "maximum(array([-1, 2]), 0)"],
        )
        .like("np.maximum", "torch.maximum")
        .see(&["minimum", "fmax", "max", "clip"]),
    MapRow::new("minimum", 2, rule::ordered, minimum, Group::Arithmetic)
        .help(
            "minimum(x, y)",
            "The smaller of two, element by element; nan wins. `min` is the reduction.",
            &["minimum(array([1.0, nan, 5.0]), 2.0)"],
        )
        .like("np.minimum", "torch.minimum")
        .see(&["maximum", "fmin", "min", "clip"]),
    MapRow::new("fmax", 2, rule::ordered, fmax, Group::Arithmetic)
        .help(
            "fmax(x, y)",
            "The larger of two; nan is ignored where the other is a number.",
            &["fmax(array([1.0, nan, 5.0]), 2.0)  # 2, 2, 5"],
        )
        .like("np.fmax", "torch.fmax")
        .see(&["maximum", "fmin", "nanmax"]),
    MapRow::new("fmin", 2, rule::ordered, fmin, Group::Arithmetic)
        .help(
            "fmin(x, y)",
            "The smaller of two; nan is ignored where the other is a number.",
            &["fmin(array([1.0, nan, 5.0]), 2.0)  # 1, 2, 2"],
        )
        .like("np.fmin", "torch.fmin")
        .see(&["minimum", "fmax", "nanmin"]),
    MapRow::new("floor", 1, rule::rounding, floor, Group::Arithmetic)
        .help(
            "floor(x)",
            "Rounded down to a whole number, in the same dtype; integers stay as they are.",
            &["floor(array([1.7, -1.2]))"],
        )
        .like("np.floor", "torch.floor")
        .see(&["ceil", "trunc", "rint", "floor_divide"]),
    MapRow::new("ceil", 1, rule::rounding, ceil, Group::Arithmetic)
        .help("ceil(x)", "Rounded up to a whole number, in the same dtype.", &["ceil(array([1.2, -1.7]))"])
        .like("np.ceil", "torch.ceil")
        .see(&["floor", "trunc", "rint"]),
    MapRow::new("trunc", 1, rule::rounding, trunc, Group::Arithmetic)
        .alias(&["fix"])
        .help("trunc(x)", "Rounded towards zero, in the same dtype.", &["trunc(array([1.7, -1.7]))  # 1, -1"])
        .like("np.trunc", "torch.trunc")
        .see(&["floor", "ceil", "frac"]),
    MapRow::new("rint", 1, rule::real_float, rint, Group::Arithmetic)
        .help(
            "rint(x)",
            "To the nearest whole number, halves to the even one. The result is a float, of integers too.",
            &["rint(array([0.5, 1.5, 2.5]))  # 0, 2, 2"],
        )
        .like("np.rint", "torch.round")
        .see(&["round", "floor", "trunc"]),
    MapRow::new("frac", 1, rule::real_float, frac, Group::Arithmetic)
        .help("frac(x)", "What trunc takes away: x - trunc(x), with the sign of x.", &["frac(array([2.75, -2.75]))"])
        .like("", "torch.frac")
        .see(&["trunc", "remainder"]),
    MapRow::new("copysign", 2, rule::real_float, copysign, Group::Arithmetic)
        .help(
            "copysign(x, y)",
            "The magnitude of x with the sign of y; -0.0 counts as negative.",
            &["copysign(array([1.0, 2.0]), array([-0.0, 3.0]))"],
        )
        .like("np.copysign", "torch.copysign")
        .see(&["sign", "signbit"]),
    MapRow::new("heaviside", 2, rule::real_float, heaviside, Group::Arithmetic)
        .help(
            "heaviside(x, y)",
            "The step function: 0 below zero, 1 above, y at zero.",
            &["heaviside(array([-1.5, 0.0, 2.0]), 0.5)"],
        )
        .like("np.heaviside", "torch.heaviside")
        .see(&["sign", "where"]),
    MapRow::new("nextafter", 2, rule::real_float, nextafter, Group::Arithmetic)
        .cost(6)
        .help(
            "nextafter(x, y)",
            "The next number of the dtype after x on the way to y.",
            &["nextafter(array([1.0]), 2.0) - 1", "nextafter(array([0.0]), -1.0)"],
        )
        .like("np.nextafter", "torch.nextafter")
        .see(&["spacing", "finfo"]),
    MapRow::new("spacing", 1, rule::real_float, spacing, Group::Arithmetic)
        .cost(6)
        .help(
            "spacing(x)",
            "The distance from x to the next number of its dtype away from zero, with the sign of x.",
            &["spacing(array([1.0, 1000.0]))", "spacing(array([1.0], dtype=f16))"],
        )
        .like("np.spacing", "")
        .see(&["nextafter", "finfo"]),
    MapRow::new("ldexp", 2, rule::ldexp, ldexp, Group::Arithmetic)
        .cost(6)
        .help(
            "ldexp(x, n)",
            "x times two to the whole number n, rounded once.",
            &["ldexp(array([0.5, 3.0]), array([1, 4]))  # 1, 48"],
        )
        .like("np.ldexp", "torch.ldexp")
        .see(&["exp2"]),
];
