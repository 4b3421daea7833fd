//! Integers and bools against i128, comparisons, bits.

use super::{Lane, pairs, run1, run2};
use crate::op::lanes::Flag;

trait Whole: Lane + Ord {
    const BITS: u32;
    const SIGNED: bool;
    fn wide(self) -> i128;
    fn wrap(value: i128) -> Self;
}

macro_rules! whole {
    ($($t:ty)+) => { $(impl Whole for $t {
        const BITS: u32 = <$t>::BITS;
        const SIGNED: bool = <$t>::MIN != 0;
        fn wide(self) -> i128 {
            self as i128
        }
        fn wrap(value: i128) -> $t {
            value as $t
        }
    })+ };
}

whole!(u8 u16 u32 u64 i8 i16 i32 i64);

fn values<T: Whole>() -> Vec<T> {
    let top = 1i128 << (T::BITS - 1);
    let mut list = vec![0, 1, 2, 3, 5, 7, 12, 100, 63, top - 1, top - 2];
    if T::SIGNED {
        list.extend([-1, -2, -3, -7, -12, -100, -top, -top + 1]);
    } else {
        list.extend([top, 2 * top - 1, 2 * top - 2]);
    }
    list.into_iter().map(T::wrap).collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn floor_div(a: i128, b: i128) -> i128 {
    let q = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
}

fn check_type<T: Whole>() {
    let (a, b) = pairs(&values::<T>());
    let total = |name: &str, f: &dyn Fn(i128, i128) -> i128| {
        let got: Vec<T> = run2(name, &a, &b).unwrap();
        for i in 0..a.len() {
            assert_eq!(got[i], T::wrap(f(a[i].wide(), b[i].wide())), "{name} {:?} {:?}", a[i], b[i]);
        }
    };
    total("add", &|x, y| x + y);
    total("subtract", &|x, y| x - y);
    total("multiply", &|x, y| (x as u128).wrapping_mul(y as u128) as i128);
    total("maximum", &|x, y| x.max(y));
    total("fmin", &|x, y| x.min(y));
    total("bitwise_and", &|x, y| x & y);
    total("bitwise_or", &|x, y| x | y);
    total("bitwise_xor", &|x, y| x ^ y);
    total("gcd", &gcd);
    total("lcm", &|x, y| match gcd(x, y) {
        0 => 0,
        g => (x.abs() / g).wrapping_mul(y.abs()),
    });

    // Where the second argument is a fault, the row names its lane; elsewhere it computes.
    let partial = |name: &str, fine: &dyn Fn(i128) -> bool, f: &dyn Fn(i128, i128) -> i128| {
        let (a, b): (Vec<T>, Vec<T>) = (0..a.len()).filter(|&i| fine(b[i].wide())).map(|i| (a[i], b[i])).unzip();
        let got: Vec<T> = run2(name, &a, &b).unwrap();
        for i in 0..a.len() {
            assert_eq!(got[i], T::wrap(f(a[i].wide(), b[i].wide())), "{name} {:?} {:?}", a[i], b[i]);
        }
    };
    partial("floor_divide", &|y| y != 0, &floor_div);
    partial("remainder", &|y| y != 0, &|x, y| x - y * floor_div(x, y));
    partial("fmod", &|y| y != 0, &|x, y| x % y);
    let within = |y: i128| y < i128::from(T::BITS);
    partial("left_shift", &|y| y >= 0, &|x, y| if within(y) { x << y } else { 0 });
    partial("right_shift", &|y| y >= 0, &|x, y| x >> y.min(127));
    partial("power", &|y| (0..=12).contains(&y), &|x, y| {
        (0..y).fold(1, |p, _| T::wrap(i128::wrapping_mul(p, x)).wide())
    });

    let (one, zero) = (T::wrap(1), T::wrap(0));
    for name in ["floor_divide", "remainder", "fmod"] {
        assert_eq!(run2::<T, T, T>(name, &[one, one, one, one], &[one, one, zero, zero]), Err(2), "{name}");
    }
    assert_eq!(run1::<T, T>("reciprocal", &[one, zero]), Err(1));
    if T::SIGNED {
        let minus = T::wrap(-1);
        for name in ["left_shift", "right_shift", "power"] {
            assert_eq!(run2::<T, T, T>(name, &[one, one], &[one, minus]), Err(1), "{name}");
        }
    }
    check_single::<T>();
    check_order::<T>(&a, &b);
}

fn check_single<T: Whole>() {
    let a = values::<T>();
    let one = |name: &str, f: &dyn Fn(i128) -> i128| {
        let got: Vec<T> = run1(name, &a).unwrap();
        for i in 0..a.len() {
            assert_eq!(got[i], T::wrap(f(a[i].wide())), "{name} {:?}", a[i]);
        }
    };
    one("negative", &|x| -x);
    one("positive", &|x| x);
    one("abs", &i128::abs);
    one("sign", &i128::signum);
    one("square", &|x| (x as u128).wrapping_mul(x as u128) as i128);
    one("invert", &|x| !x);
    one("relu", &|x| x.max(0));
    one("relu6", &|x| x.clamp(0, 6));
    one("floor", &|x| x);
    one("imag", &|_| 0);
    let ones: Vec<u8> = run1("bitwise_count", &a).unwrap();
    for i in 0..a.len() {
        assert_eq!(u32::from(ones[i]), a[i].wide().unsigned_abs().count_ones(), "{:?}", a[i]);
    }
    for name in ["isnan", "isinf", "isposinf", "isneginf"] {
        assert!(run1::<T, Flag>(name, &a).unwrap().iter().all(|x| !x.get()), "{name}");
    }
    let (signs, not): (Vec<Flag>, Vec<Flag>) = (run1("signbit", &a).unwrap(), run1("logical_not", &a).unwrap());
    for i in 0..a.len() {
        assert_eq!((signs[i].get(), not[i].get()), (a[i].wide() < 0, a[i].wide() == 0));
    }
}

fn check_order<T: Whole>(a: &[T], b: &[T]) {
    let check = |name: &str, f: &dyn Fn(&T, &T) -> bool| {
        let got: Vec<Flag> = run2(name, a, b).unwrap();
        for i in 0..a.len() {
            assert_eq!(got[i].get(), f(&a[i], &b[i]), "{name} {:?} {:?}", a[i], b[i]);
        }
    };
    check("equal", &|x, y| x == y);
    check("not_equal", &|x, y| x != y);
    check("less", &|x, y| x < y);
    check("less_equal", &|x, y| x <= y);
    check("greater", &|x, y| x > y);
    check("greater_equal", &|x, y| x >= y);
    check("logical_and", &|x, y| x.wide() != 0 && y.wide() != 0);
    check("logical_or", &|x, y| x.wide() != 0 || y.wide() != 0);
    check("logical_xor", &|x, y| (x.wide() != 0) != (y.wide() != 0));
}

#[test]
fn integers_agree_with_i128() {
    check_type::<u8>();
    check_type::<u16>();
    check_type::<u32>();
    check_type::<u64>();
    check_type::<i8>();
    check_type::<i16>();
    check_type::<i32>();
    check_type::<i64>();
}

#[test]
fn u64_beside_i64_is_compared_exactly() {
    let big = [u64::MAX, 9007199254740993, 5, 0, 1 << 63];
    let small = [-1i64, 9007199254740992, 5, -7, i64::MIN];
    let row = |name| run2::<u64, i64, Flag>(name, &big, &small).unwrap().iter().map(|x| x.get()).collect::<Vec<_>>();
    assert_eq!(row("equal"), [false, false, true, false, false]);
    assert_eq!(row("greater"), [true, true, false, true, true]);
    assert_eq!(row("less_equal"), [false, false, true, false, false]);
    let back = run2::<i64, u64, Flag>("less", &small, &big).unwrap();
    assert_eq!(back.iter().map(|x| x.get()).collect::<Vec<_>>(), [true, true, false, true, true]);
}

#[test]
fn bools_are_logic() {
    let (a, b) = pairs(&[Flag::from(false), Flag::from(true)]);
    let row = |name| run2::<Flag, Flag, Flag>(name, &a, &b).unwrap().iter().map(|x| x.get()).collect::<Vec<_>>();
    assert_eq!(row("add"), [false, true, true, true]);
    assert_eq!(row("maximum"), [false, true, true, true]);
    assert_eq!(row("multiply"), [false, false, false, true]);
    assert_eq!(row("bitwise_xor"), [false, true, true, false]);
    assert_eq!(row("less"), [false, true, false, false]);
    assert_eq!(row("greater_equal"), [true, false, true, true]);
    assert_eq!(run1::<Flag, Flag>("invert", &[true.into(), false.into()]), Ok(vec![false.into(), true.into()]));
}

#[test]
fn any_byte_but_zero_is_true() {
    // Bytes as a file or a reinterpreted view may hold them.
    let bytes = [0u8, 1, 2, 255];
    let row = super::map_row("invert").unwrap();
    let lanes = (row.lanes)(&[crate::tensor::DType::Bool]).unwrap();
    let mut out = [9u8; 4];
    // SAFETY: four bytes in, four bytes out.
    unsafe { lanes(&[bytes.as_ptr(), std::ptr::null(), std::ptr::null()], out.as_mut_ptr(), 4) };
    assert_eq!(out, [1, 0, 0, 0]);
}
