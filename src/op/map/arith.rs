//! Arithmetic: the operators and what stands beside them.

use crate::op::lanes::{LaneFn, lane_fn, map1, map2, pick, wide1, wide2};
use crate::op::math::{complex, pow};
use crate::op::scalar::int::{negative_count, zero_divisor};
use crate::op::scalar::{Int, Real, flag, itself, minus, negated, plus, squared, times};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;

fn add(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::or, T, T => T);
        ints => map2!(T::wrapping_add, T, T => T);
        floats complex => map2!(plus, T, T => T))
}

fn subtract(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map2!(T::wrapping_sub, T, T => T);
        floats complex => map2!(minus, T, T => T))
}

fn multiply(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag => map2!(flag::and, T, T => T);
        ints => map2!(T::wrapping_mul, T, T => T);
        floats complex => map2!(times, T, T => T))
}

fn divide(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        floats => map2!(quotient, T, T => T);
        complex => wide2!(complex::divide, T))
}

#[inline(always)]
fn quotient<T: std::ops::Div<Output = T>>(a: T, b: T) -> T {
    a / b
}

fn floor_divide(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map2!(Int::floor_div, T, T => T, unless zero_divisor);
        floats => map2!(Real::floor_div, T, T => T, Real::is_far_quotient => Real::far_floor_div))
}

fn remainder(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map2!(Int::floor_mod, T, T => T, unless zero_divisor);
        floats => map2!(Real::floor_mod, T, T => T, Real::is_far_quotient => Real::far_floor_mod))
}

fn fmod(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map2!(Int::trunc_mod, T, T => T, unless zero_divisor);
        floats => map2!(Real::trunc_mod, T, T => T, Real::is_far_quotient => Real::far_trunc_mod))
}

/// Powers; a run of squares, the commonest, is spared the logarithms. The function gives the same bits for 2.
macro_rules! squares_or {
    ($f:expr, $t:ty) => {
        lane_fn!(
            wide | args,
            out,
            n | {
                let (a, b, out) = (args[0].cast::<$t>(), args[1].cast::<$t>(), out.cast::<$t>());
                let mut squares = true;
                for i in 0..n {
                    squares &= b.add(i).read() == 2.0;
                }
                if squares {
                    for i in 0..n {
                        out.add(i).write(squared(a.add(i).read()));
                    }
                } else {
                    for i in 0..n {
                        out.add(i).write($f(a.add(i).read(), b.add(i).read()));
                    }
                }
                crate::op::lanes::FINE
            }
        )
    };
}

fn power(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map2!(Int::power, T, T => T, unless negative_count);
        single => squares_or!(pow::pow_f32, T);
        double => squares_or!(pow::pow, T);
        complex => wide2!(complex::power, T))
}

fn negative(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map1!(T::wrapping_neg, T => T);
        floats complex => map1!(negated, T => T))
}

fn positive(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: ints floats complex => map1!(itself, T => T))
}

fn absolute(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag unsigned => map1!(itself, T => T);
        signed => map1!(T::wrapping_abs, T => T);
        floats => map1!(T::abs, T => T);
        complex => wide1!(complex::modulus, T => <T as Wide>::Re))
}

fn fabs(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => map1!(T::abs, T => T))
}

fn sign(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map1!(Int::sign, T => T);
        floats => map1!(Real::sign, T => T);
        complex => wide1!(complex::sign, T => T))
}

fn reciprocal(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map1!(Int::reciprocal, T => T, unless Int::is_zero);
        floats => map1!(T::recip, T => T);
        complex => wide1!(complex::reciprocal, T => T))
}

fn square(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        ints => map1!(Int::squared, T => T);
        floats complex => map1!(squared, T => T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("add", 2, rule::arith, add, Group::Arithmetic)
        .symbol("+")
        .help(
            "add(x, y)",
            "x + y. Integers wrap around their dtype; of bools it is the logical or.",
            &["array([1, 2, 3]) + 10", "array([255], dtype=u8) + array([1], dtype=u8)  # wraps to 0"],
        )
        .like("np.add", "torch.add")
        .see(&["subtract", "sum"]),
    MapRow::new("subtract", 2, rule::subtract, subtract, Group::Arithmetic)
        .alias(&["sub"])
        .symbol("-")
        .help(
            "subtract(x, y)",
            "x - y. Integers wrap around their dtype; bools are refused, `^` tells where they differ.",
            &["array([5.0, 7.0]) - 0.5", "array([0], dtype=u8) - 1  # wraps to 255"],
        )
        .like("np.subtract", "torch.sub")
        .see(&["add", "diff"]),
    MapRow::new("multiply", 2, rule::arith, multiply, Group::Arithmetic)
        .alias(&["mul"])
        .symbol("*")
        .help(
            "multiply(x, y)",
            "x * y, element by element. Integers wrap around their dtype; of bools it is the logical and. The matrix \
             product is `@`.",
            &["array([1, 2, 3]) * array([10, 20, 30])", "arange(3).reshape(3, 1) * arange(4)  # broadcasts to [3, 4]"],
        )
        .like("np.multiply", "torch.mul")
        .see(&["matmul", "prod"]),
    MapRow::new("divide", 2, rule::divide, divide, Group::Arithmetic)
        .alias(&["true_divide", "div"])
        .symbol("/")
        .cost(4)
        .help(
            "divide(x, y)",
            "x / y. Integers and bools give the default float; division by zero gives inf or nan.",
            &["array([1, 2, 3]) / 2", "array([1.0, -1.0, 0.0]) / 0  # inf, -inf, nan"],
        )
        .like("np.divide", "torch.div")
        .see(&["floor_divide", "reciprocal"]),
    MapRow::new("floor_divide", 2, rule::floor_divide, floor_divide, Group::Arithmetic)
        .alias(&["floor_div"])
        .symbol("//")
        .cost(12)
        .can_fault()
        .help(
            "floor_divide(x, y)",
            "x // y, rounded towards minus infinity. Integers stay integers, and a zero among their divisors is an error; \
             floats give inf or nan.",
            &["array([7, -7]) // 2  # 3, -4", "array([7.5, -7.5]) // 2"],
        )
        .like("np.floor_divide", "torch.floor_divide")
        .see(&["remainder", "divide"]),
    MapRow::new("remainder", 2, rule::floor_divide, remainder, Group::Arithmetic)
        .alias(&["mod"])
        .symbol("%")
        .cost(12)
        .can_fault()
        .help(
            "remainder(x, y)",
            "x % y, what `//` leaves: it has the sign of y. A zero among integer divisors is an error, floats give nan.",
            &["array([7, -7]) % 3  # 1, 2", "array([7, -7]) % -3  # -2, -1"],
        )
        .like("np.remainder", "torch.remainder")
        .see(&["floor_divide", "fmod"]),
    MapRow::new("fmod", 2, rule::floor_divide, fmod, Group::Arithmetic)
        .cost(12)
        .can_fault()
        .help(
            "fmod(x, y)",
            "What a division rounded towards zero leaves: it has the sign of x, as in C.",
            &["fmod(array([7, -7]), 3)  # 1, -1"],
        )
        .like("np.fmod", "torch.fmod")
        .see(&["remainder", "trunc"]),
    MapRow::new("power", 2, rule::power, power, Group::Arithmetic)
        .alias(&["pow", "float_power"])
        .symbol("**")
        .cost(20)
        .can_fault()
        .help(
            "power(x, y)",
            "x ** y. Integers stay integers and wrap; a negative whole exponent is an error there, convert x to float first.",
            &["array([1, 2, 3]) ** 2", "array([4.0, 9.0]) ** 0.5", "array([2, 4]).astype(f32) ** -1"],
        )
        .like("np.power", "torch.pow")
        .see(&["square", "sqrt", "exp"]),
    MapRow::new("negative", 1, rule::negative, negative, Group::Arithmetic)
        .alias(&["neg"])
        .symbol("-")
        .help(
            "negative(x)",
            "-x. Unsigned integers and the smallest signed one wrap; bools are refused, `~` inverts them.",
            &["-array([1, -2, 0])", "-array([1], dtype=u8)  # wraps to 255"],
        )
        .like("np.negative", "torch.neg")
        .see(&["abs", "sign"]),
    MapRow::new("positive", 1, rule::numeric, positive, Group::Arithmetic)
        .symbol("+")
        .help("positive(x)", "+x: the same values. Bools are refused, as in NumPy.", &["positive(array([1, -2]))"])
        .like("np.positive", "torch.positive")
        .see(&["negative"]),
    MapRow::new("abs", 1, rule::absolute, absolute, Group::Arithmetic)
        .alias(&["absolute"])
        .help(
            "abs(x)",
            "Absolute value; of a complex number its modulus, a real number. The smallest signed integer has no positive \
             counterpart and wraps to itself.",
            &["abs(array([-3, 0, 4]))", "abs(array([3 + 4j]))  # 5", "abs(array([-128], dtype=i8))  # still -128"],
        )
        .like("np.abs", "torch.abs")
        .see(&["sign", "fabs", "norm"]),
    MapRow::new("fabs", 1, rule::real_float, fabs, Group::Arithmetic)
        .help(
            "fabs(x)",
            "Absolute value as a float; integers and bools become the default float.",
            &["fabs(array([-3, 4]))"],
        )
        .like("np.fabs", "")
        .see(&["abs"]),
    MapRow::new("sign", 1, rule::numeric, sign, Group::Arithmetic)
        .alias(&["sgn"])
        .help(
            "sign(x)",
            "-1, 0 or 1; nan stays nan. Of a complex number it is x / |x|.",
            &["sign(array([-2.5, 0.0, 7.0]))", "sign(array([3 + 4j]))"],
        )
        .like("np.sign", "torch.sgn")
        .see(&["abs", "signbit", "heaviside"]),
    MapRow::new("reciprocal", 1, rule::numeric, reciprocal, Group::Arithmetic)
        .cost(4)
        .can_fault()
        .help(
            "reciprocal(x)",
            "1 / x. As in NumPy integers stay integers, so that everything beyond 1 gives 0, and a zero is an error: write \
             `1 / x` for a float result.",
            &["reciprocal(array([2.0, 4.0, 0.0]))", "reciprocal(array([1, 2, 3]))  # 1, 0, 0"],
        )
        .like("np.reciprocal", "torch.reciprocal")
        .see(&["divide", "rsqrt"]),
    MapRow::new("square", 1, rule::square, square, Group::Arithmetic)
        .help(
            "square(x)",
            "x * x. Integers wrap around their dtype.",
            &["square(array([-3, 4]))", "square(array([16], dtype=u8))  # wraps to 0"],
        )
        .like("np.square", "torch.square")
        .see(&["power", "sqrt"]),
];
