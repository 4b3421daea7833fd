//! Bits and whole numbers: `&`, `|`, `^`, `~`, shifts, gcd.

use crate::op::lanes::{LaneFn, map1, map2, pick};
use crate::op::scalar::int::negative_count;
use crate::op::scalar::{Int, flag};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;
use std::ops::{BitAnd, BitOr, BitXor, Not};

fn bitwise_and(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::and, T, T => T);
        ints => map2!(BitAnd::bitand, T, T => T))
}

fn bitwise_or(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::or, T, T => T);
        ints => map2!(BitOr::bitor, T, T => T))
}

fn bitwise_xor(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::xor, T, T => T);
        ints => map2!(BitXor::bitxor, T, T => T))
}

fn invert(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map1!(flag::not, T => T);
        ints => map1!(Not::not, T => T))
}

fn left_shift(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints => map2!(Int::shift_left, T, T => T, unless negative_count))
}

fn right_shift(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints => map2!(Int::shift_right, T, T => T, unless negative_count))
}

fn bitwise_count(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints => map1!(Int::count_ones, T => u8))
}

fn gcd(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints => map2!(Int::gcd, T, T => T))
}

fn lcm(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints => map2!(Int::lcm, T, T => T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("bitwise_and", 2, rule::bits, bitwise_and, Group::Bits)
        .alias(&["bitand"])
        .symbol("&")
        .help(
            "bitwise_and(x, y)",
            "x & y: the bits that both integers have; of bools the logical and. It binds tighter than comparisons.",
            &["array([12, 10]) & 6", "x = arange(6)\n(x > 1) & (x < 4)"],
        )
        .like("np.bitwise_and", "torch.bitwise_and")
        .see(&["bitwise_or", "logical_and"]),
    MapRow::new("bitwise_or", 2, rule::bits, bitwise_or, Group::Bits)
        .alias(&["bitor"])
        .symbol("|")
        .help(
            "bitwise_or(x, y)",
            "x | y: the bits that either integer has; of bools the logical or.",
            &["array([12, 10]) | 1", "array([True, False]) | array([False, False])"],
        )
        .like("np.bitwise_or", "torch.bitwise_or")
        .see(&["bitwise_and", "logical_or"]),
    MapRow::new("bitwise_xor", 2, rule::bits, bitwise_xor, Group::Bits)
        .alias(&["bitxor"])
        .symbol("^")
        .help(
            "bitwise_xor(x, y)",
            "x ^ y: the bits in which two integers differ; of bools whether they differ.",
            &["array([12, 10]) ^ 6", "array([True, False]) ^ array([True, True])"],
        )
        .like("np.bitwise_xor", "torch.bitwise_xor")
        .see(&["bitwise_and", "logical_xor"]),
    MapRow::new("invert", 1, rule::bits, invert, Group::Bits)
        .alias(&["bitwise_not", "bitwise_invert", "bitnot"])
        .symbol("~")
        .help(
            "invert(x)",
            "~x: every bit of an integer turned, -x - 1 for signed ones; of bools the logical not.",
            &["~array([0, 1, 7])", "~array([True, False])", "~array([0], dtype=u8)  # 255"],
        )
        .like("np.invert", "torch.bitwise_not")
        .see(&["logical_not", "negative"]),
    MapRow::new("left_shift", 2, rule::integers, left_shift, Group::Bits)
        .alias(&["bitwise_left_shift", "shl"])
        .symbol("<<")
        .can_fault()
        .help(
            "left_shift(x, y)",
            "x << y: times two to the y, without the bits that leave the dtype. A count of its width or more gives 0, a \
             negative count is an error.",
            &["array([1, 2, 3]) << 4", "array([255], dtype=u8) << 1  # 254"],
        )
        .like("np.left_shift", "torch.bitwise_left_shift")
        .see(&["right_shift"]),
    MapRow::new("right_shift", 2, rule::integers, right_shift, Group::Bits)
        .alias(&["bitwise_right_shift", "shr"])
        .symbol(">>")
        .can_fault()
        .help(
            "right_shift(x, y)",
            "x >> y: divided by two to the y, rounded towards minus infinity. A count of the width or more gives 0, or -1 \
             for negative numbers; a negative count is an error.",
            &["array([256, 5, -5]) >> 1  # 128, 2, -3"],
        )
        .like("np.right_shift", "torch.bitwise_right_shift")
        .see(&["left_shift", "floor_divide"]),
    MapRow::new("bitwise_count", 1, rule::bit_count, bitwise_count, Group::Bits)
        .alias(&["popcount"])
        .cost(4)
        .help(
            "bitwise_count(x)",
            "Number of one bits in the magnitude of each integer, as u8.",
            &["bitwise_count(array([0, 7, 255, -1]))"],
        )
        .like("np.bitwise_count", "")
        .see(&["bitwise_and", "count_nonzero"]),
    MapRow::new("gcd", 2, rule::integers, gcd, Group::Bits)
        .cost(60)
        .help(
            "gcd(x, y)",
            "Greatest common divisor of the magnitudes; gcd(0, 0) is 0.",
            &["gcd(array([12, 18, 0]), 8)  # 4, 2, 8"],
        )
        .like("np.gcd", "torch.gcd")
        .see(&["lcm"]),
    MapRow::new("lcm", 2, rule::integers, lcm, Group::Bits)
        .cost(60)
        .help(
            "lcm(x, y)",
            "Least common multiple of the magnitudes; 0 where either is 0. It wraps where the dtype cannot hold it.",
            &["lcm(array([4, 6, 0]), 10)  # 20, 30, 0"],
        )
        .like("np.lcm", "torch.lcm")
        .see(&["gcd"]),
];
