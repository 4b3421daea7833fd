//! Comparisons and questions about single values.

use crate::op::lanes::Flag;
use num_complex::Complex;

/// Equality and order between lanes of two types, exact for u64 beside i64.
pub trait Compare<Other = Self>: Copy {
    fn equal(self, other: Other) -> bool;
    fn less(self, other: Other) -> bool;
    fn less_equal(self, other: Other) -> bool;
}

macro_rules! native {
    ($($t:ty)+) => { $(impl Compare for $t {
        #[inline(always)]
        fn equal(self, other: Self) -> bool {
            self == other
        }

        #[inline(always)]
        fn less(self, other: Self) -> bool {
            self < other
        }

        #[inline(always)]
        fn less_equal(self, other: Self) -> bool {
            self <= other
        }
    })+ };
}

native!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

macro_rules! mixed {
    ($($a:ty, $b:ty, $common:ty);+) => { $(impl Compare<$b> for $a {
        #[inline(always)]
        fn equal(self, other: $b) -> bool {
            <$common>::from(self) == <$common>::from(other)
        }

        #[inline(always)]
        fn less(self, other: $b) -> bool {
            <$common>::from(self) < <$common>::from(other)
        }

        #[inline(always)]
        fn less_equal(self, other: $b) -> bool {
            <$common>::from(self) <= <$common>::from(other)
        }
    })+ };
}

mixed!(u64, i64, i128; i64, u64, i128);

impl Compare for Flag {
    #[inline(always)]
    fn equal(self, other: Flag) -> bool {
        self.get() == other.get()
    }

    #[inline(always)]
    fn less(self, other: Flag) -> bool {
        !self.get() & other.get()
    }

    #[inline(always)]
    fn less_equal(self, other: Flag) -> bool {
        !self.get() | other.get()
    }
}

#[inline(always)]
pub fn equal<A: Compare<B>, B>(a: A, b: B) -> Flag {
    a.equal(b).into()
}

#[inline(always)]
pub fn not_equal<A: Compare<B>, B>(a: A, b: B) -> Flag {
    (!a.equal(b)).into()
}

#[inline(always)]
pub fn less<A: Compare<B>, B>(a: A, b: B) -> Flag {
    a.less(b).into()
}

#[inline(always)]
pub fn less_equal<A: Compare<B>, B>(a: A, b: B) -> Flag {
    a.less_equal(b).into()
}

#[inline(always)]
pub fn greater<A, B: Compare<A>>(a: A, b: B) -> Flag {
    b.less(a).into()
}

#[inline(always)]
pub fn greater_equal<A, B: Compare<A>>(a: A, b: B) -> Flag {
    b.less_equal(a).into()
}

#[inline(always)]
pub fn equal_complex<T: Compare>(a: Complex<T>, b: Complex<T>) -> Flag {
    (a.re.equal(b.re) & a.im.equal(b.im)).into()
}

#[inline(always)]
pub fn not_equal_complex<T: Compare>(a: Complex<T>, b: Complex<T>) -> Flag {
    (!(a.re.equal(b.re) & a.im.equal(b.im))).into()
}

/// What kind of number a value is. Integers and bools are finite.
pub trait Class: Copy {
    fn nan(self) -> bool;
    fn infinite(self) -> bool;
    fn finite(self) -> bool;
    fn sign_bit(self) -> bool;
}

macro_rules! float_class {
    ($($t:ty)+) => { $(impl Class for $t {
        #[inline(always)]
        fn nan(self) -> bool {
            self.is_nan()
        }

        #[inline(always)]
        fn infinite(self) -> bool {
            self.is_infinite()
        }

        #[inline(always)]
        fn finite(self) -> bool {
            self.is_finite()
        }

        #[inline(always)]
        fn sign_bit(self) -> bool {
            self.is_sign_negative()
        }
    })+ };
}

macro_rules! exact_class {
    ($($t:ty, $x:ident => $below:expr);+) => { $(impl Class for $t {
        #[inline(always)]
        fn nan(self) -> bool {
            false
        }

        #[inline(always)]
        fn infinite(self) -> bool {
            false
        }

        #[inline(always)]
        fn finite(self) -> bool {
            true
        }

        #[inline(always)]
        fn sign_bit(self) -> bool {
            let $x = self;
            $below
        }
    })+ };
}

float_class!(f32 f64);
exact_class!(Flag, _x => false; u8, _x => false; u16, _x => false; u32, _x => false; u64, _x => false;
    i8, x => x < 0; i16, x => x < 0; i32, x => x < 0; i64, x => x < 0);

impl<T: Class> Class for Complex<T> {
    #[inline(always)]
    fn nan(self) -> bool {
        self.re.nan() | self.im.nan()
    }

    #[inline(always)]
    fn infinite(self) -> bool {
        self.re.infinite() | self.im.infinite()
    }

    #[inline(always)]
    fn finite(self) -> bool {
        self.re.finite() & self.im.finite()
    }

    #[inline(always)]
    fn sign_bit(self) -> bool {
        self.re.sign_bit()
    }
}

#[inline(always)]
pub fn is_nan<T: Class>(x: T) -> Flag {
    x.nan().into()
}

#[inline(always)]
pub fn is_infinite<T: Class>(x: T) -> Flag {
    x.infinite().into()
}

#[inline(always)]
pub fn is_finite<T: Class>(x: T) -> Flag {
    x.finite().into()
}

#[inline(always)]
pub fn sign_bit<T: Class>(x: T) -> Flag {
    x.sign_bit().into()
}

#[inline(always)]
pub fn is_positive_infinity<T: Class>(x: T) -> Flag {
    (x.infinite() & !x.sign_bit()).into()
}

#[inline(always)]
pub fn is_negative_infinity<T: Class>(x: T) -> Flag {
    (x.infinite() & x.sign_bit()).into()
}
