//! Comparisons, conditions and questions about single values: bools come out.

use crate::op::lanes::{Flag, LaneFn, map1, map2, map3, pick};
use crate::op::scalar::{Truth, compare, flag, select};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;
use num_complex::Complex;

/// The lanes of an order or equality: one type, or u64 beside i64.
macro_rules! comparison {
    ($f:path, $args:expr) => {
        match $args {
            [DType::U64, DType::I64] => Some(map2!($f, u64, i64 => Flag)),
            [DType::I64, DType::U64] => Some(map2!($f, i64, u64 => Flag)),
            args => pick!(args[0], T: flag ints floats => map2!($f, T, T => Flag)),
        }
    };
}

fn equal(args: &[DType]) -> Option<LaneFn> {
    match args[0] {
        DType::C64 => Some(map2!(compare::equal_complex, Complex<f32>, Complex<f32> => Flag)),
        DType::C128 => Some(map2!(compare::equal_complex, Complex<f64>, Complex<f64> => Flag)),
        _ => comparison!(compare::equal, args),
    }
}

fn not_equal(args: &[DType]) -> Option<LaneFn> {
    match args[0] {
        DType::C64 => Some(map2!(compare::not_equal_complex, Complex<f32>, Complex<f32> => Flag)),
        DType::C128 => Some(map2!(compare::not_equal_complex, Complex<f64>, Complex<f64> => Flag)),
        _ => comparison!(compare::not_equal, args),
    }
}

fn less(args: &[DType]) -> Option<LaneFn> {
    comparison!(compare::less, args)
}

fn less_equal(args: &[DType]) -> Option<LaneFn> {
    comparison!(compare::less_equal, args)
}

fn greater(args: &[DType]) -> Option<LaneFn> {
    comparison!(compare::greater, args)
}

fn greater_equal(args: &[DType]) -> Option<LaneFn> {
    comparison!(compare::greater_equal, args)
}

fn isnan(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map1!(compare::is_nan, T => Flag))
}

fn isinf(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map1!(compare::is_infinite, T => Flag))
}

fn isfinite(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map1!(compare::is_finite, T => Flag))
}

fn signbit(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats => map1!(compare::sign_bit, T => Flag))
}

fn isposinf(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats => map1!(compare::is_positive_infinity, T => Flag))
}

fn isneginf(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats => map1!(compare::is_negative_infinity, T => Flag))
}

#[inline(always)]
fn both<T: Truth>(a: T, b: T) -> Flag {
    flag::and(a.truth().into(), b.truth().into())
}

#[inline(always)]
fn either<T: Truth>(a: T, b: T) -> Flag {
    flag::or(a.truth().into(), b.truth().into())
}

#[inline(always)]
fn one_of<T: Truth>(a: T, b: T) -> Flag {
    flag::xor(a.truth().into(), b.truth().into())
}

#[inline(always)]
fn untrue<T: Truth>(a: T) -> Flag {
    (!a.truth()).into()
}

fn logical_and(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map2!(both, T, T => Flag))
}

fn logical_or(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map2!(either, T, T => Flag))
}

fn logical_xor(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map2!(one_of, T, T => Flag))
}

fn logical_not(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: flag ints floats complex => map1!(untrue, T => Flag))
}

fn where_(args: &[DType]) -> Option<LaneFn> {
    pick!(args[1], T: flag ints floats complex => map3!(select, Flag, T, T => T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("equal", 2, rule::equality, equal, Group::Compare)
        .alias(&["eq"])
        .symbol("==")
        .help(
            "equal(x, y)",
            "x == y, element by element. nan equals nothing, not even itself; integers of any two dtypes are compared \
             exactly.",
            &["array([1, 2, 3]) == 2", "array([nan, 1.0]) == array([nan, 1.0])  # False, True"],
        )
        .like("np.equal", "torch.eq")
        .see(&["not_equal", "isclose", "array_equal"]),
    MapRow::new("not_equal", 2, rule::equality, not_equal, Group::Compare)
        .alias(&["ne"])
        .symbol("!=")
        .help(
            "not_equal(x, y)",
            "x != y, element by element. nan differs from everything.",
            &["array([1, 2, 3]) != 2", "x = array([nan, 1.0])\nx != x  # finds nan"],
        )
        .like("np.not_equal", "torch.ne")
        .see(&["equal", "isnan"]),
    MapRow::new("less", 2, rule::order, less, Group::Compare)
        .alias(&["lt"])
        .symbol("<")
        .help(
            "less(x, y)",
            "x < y, element by element; False beside nan. Complex numbers have no order.",
            &["array([1, 2, 3]) < 2", "x = arange(5)\nx[x < 3]"],
        )
        .like("np.less", "torch.lt")
        .see(&["less_equal", "greater"]),
    MapRow::new("less_equal", 2, rule::order, less_equal, Group::Compare)
        .alias(&["le"])
        .symbol("<=")
        .help("less_equal(x, y)", "x <= y, element by element; False beside nan.", &["array([1, 2, 3]) <= 2"])
        .like("np.less_equal", "torch.le")
        .see(&["less", "greater_equal"]),
    MapRow::new("greater", 2, rule::order, greater, Group::Compare)
        .alias(&["gt"])
        .symbol(">")
        .help(
            "greater(x, y)",
            "x > y, element by element; False beside nan.",
            &["array([1, 2, 3]) > 2", "sum(arange(10) > 6)  # how many"],
        )
        .like("np.greater", "torch.gt")
        .see(&["greater_equal", "less"]),
    MapRow::new("greater_equal", 2, rule::order, greater_equal, Group::Compare)
        .alias(&["ge"])
        .symbol(">=")
        .help("greater_equal(x, y)", "x >= y, element by element; False beside nan.", &["array([1, 2, 3]) >= 2"])
        .like("np.greater_equal", "torch.ge")
        .see(&["greater", "less_equal"]),
    MapRow::new("isnan", 1, rule::test, isnan, Group::Compare)
        .help(
            "isnan(x)",
            "Where a value is nan; a complex number is when either part is. Integers never are.",
            &["isnan(array([1.0, nan, inf]))", "x = array([1.0, nan])\nwhere(isnan(x), 0, x)"],
        )
        .like("np.isnan", "torch.isnan")
        .see(&["isfinite", "nan_to_num"]),
    MapRow::new("isinf", 1, rule::test, isinf, Group::Compare)
        .help("isinf(x)", "Where a value is an infinity of either sign.", &["isinf(array([1.0, nan, -inf]))"])
        .like("np.isinf", "torch.isinf")
        .see(&["isfinite", "isposinf", "isneginf"]),
    MapRow::new("isfinite", 1, rule::test, isfinite, Group::Compare)
        .help(
            "isfinite(x)",
            "Where a value is neither nan nor an infinity.",
            &["isfinite(array([1.0, nan, inf]))", "all(isfinite(array([1.0, 2.0])))"],
        )
        .like("np.isfinite", "torch.isfinite")
        .see(&["isnan", "isinf"]),
    MapRow::new("isposinf", 1, rule::real_test, isposinf, Group::Compare)
        .help("isposinf(x)", "Where a value is +inf.", &["isposinf(array([inf, -inf, 0.0]))"])
        .like("np.isposinf", "torch.isposinf")
        .see(&["isneginf", "isinf"]),
    MapRow::new("isneginf", 1, rule::real_test, isneginf, Group::Compare)
        .help("isneginf(x)", "Where a value is -inf.", &["isneginf(array([inf, -inf, 0.0]))"])
        .like("np.isneginf", "torch.isneginf")
        .see(&["isposinf", "isinf"]),
    MapRow::new("signbit", 1, rule::real_test, signbit, Group::Compare)
        .help(
            "signbit(x)",
            "Where the sign bit is set: negative numbers, and -0.0, which no comparison finds.",
            &["signbit(array([-1.0, -0.0, 0.0]))"],
        )
        .like("np.signbit", "torch.signbit")
        .see(&["sign", "copysign"]),
    MapRow::new("logical_and", 2, rule::test, logical_and, Group::Compare)
        .help(
            "logical_and(x, y)",
            "True where both are not zero. For bools the same as `&`.",
            &["logical_and(array([0, 1, 2]), array([1, 0, 3]))"],
        )
        .like("np.logical_and", "torch.logical_and")
        .see(&["logical_or", "bitwise_and", "all"]),
    MapRow::new("logical_or", 2, rule::test, logical_or, Group::Compare)
        .help(
            "logical_or(x, y)",
            "True where either is not zero. For bools the same as `|`.",
            &["logical_or(array([0, 1, 0]), array([0, 0, 3]))"],
        )
        .like("np.logical_or", "torch.logical_or")
        .see(&["logical_and", "bitwise_or", "any"]),
    MapRow::new("logical_xor", 2, rule::test, logical_xor, Group::Compare)
        .help(
            "logical_xor(x, y)",
            "True where one is zero and the other is not. For bools the same as `^`.",
            &["logical_xor(array([0, 1, 2]), array([0, 0, 3]))"],
        )
        .like("np.logical_xor", "torch.logical_xor")
        .see(&["logical_or", "bitwise_xor"]),
    MapRow::new("logical_not", 1, rule::test, logical_not, Group::Compare)
        .help(
            "logical_not(x)",
            "True where x is zero. For bools the same as `~`.",
            &["logical_not(array([0, 1, 2]))", "logical_not(array([True, False]))"],
        )
        .like("np.logical_not", "torch.logical_not")
        .see(&["invert"]),
    MapRow::new("where", 3, rule::select, where_, Group::Compare)
        .help(
            "where(cond, x, y)",
            "x where cond holds (is not zero), else y; all three broadcast. With the condition alone it gives the \
             positions, as nonzero does.",
            &[
                "x = array([-1.0, 2.0, -3.0])\nwhere(x > 0, x, 0)",
                "where(array([True, False]), array([1, 2]), array([10, 20]))",
            ],
        )
        .like("np.where", "torch.where")
        .see(&["nonzero", "clip", "maximum"]),
];
