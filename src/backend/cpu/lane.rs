//! The types of lanes and what the kernels do with single values of them.

use num_complex::Complex;

/// A bool as it lies in memory; 0 and 1 only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(super) struct Bit(pub(super) u8);

/// A value that sits in a lane. Every method is inlined into the vectorised loops.
pub(super) trait Lane: Copy + Send + Sync + PartialEq + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// What adding leaves unchanged: -0.0 for floats, because 0.0 + -0.0 is 0.0.
    const NOTHING: Self;
    /// No value is above it.
    const GREATEST: Self;
    /// No value is below it.
    const LEAST: Self;
    /// NaN where there is one, for joins that ignore it.
    const IGNORED_MIN: Self;
    const IGNORED_MAX: Self;
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn is_nan(self) -> bool;
    /// Order; complex numbers by real, then imaginary part.
    fn less(self, other: Self) -> bool;
}

macro_rules! int_lane {
    ($($t:ty),*) => {$(
        impl Lane for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const NOTHING: Self = 0;
            const GREATEST: Self = <$t>::MAX;
            const LEAST: Self = <$t>::MIN;
            const IGNORED_MIN: Self = <$t>::MAX;
            const IGNORED_MAX: Self = <$t>::MIN;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
        }
    )*};
}
int_lane!(u8, u16, u32, u64, i8, i16, i32, i64);

macro_rules! float_lane {
    ($($t:ty),*) => {$(
        impl Lane for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const NOTHING: Self = -0.0;
            const GREATEST: Self = <$t>::INFINITY;
            const LEAST: Self = <$t>::NEG_INFINITY;
            const IGNORED_MIN: Self = <$t>::NAN;
            const IGNORED_MAX: Self = <$t>::NAN;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            #[allow(clippy::eq_op)]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
        }

        impl Lane for Complex<$t> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            const NOTHING: Self = Complex::new(-0.0, -0.0);
            const GREATEST: Self = Complex::new(<$t>::INFINITY, <$t>::INFINITY);
            const LEAST: Self = Complex::new(<$t>::NEG_INFINITY, <$t>::NEG_INFINITY);
            const IGNORED_MIN: Self = Complex::new(<$t>::NAN, <$t>::NAN);
            const IGNORED_MAX: Self = Complex::new(<$t>::NAN, <$t>::NAN);
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Complex::new(self.re + other.re, self.im + other.im)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                Lane::is_nan(self.re) || Lane::is_nan(self.im)
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self.re < other.re || (self.re == other.re && self.im < other.im)
            }
        }
    )*};
}
float_lane!(f32, f64);

/// Sums of bools are ors, products are ands.
impl Lane for Bit {
    const ZERO: Self = Bit(0);
    const ONE: Self = Bit(1);
    const NOTHING: Self = Bit(0);
    const GREATEST: Self = Bit(1);
    const LEAST: Self = Bit(0);
    const IGNORED_MIN: Self = Bit(1);
    const IGNORED_MAX: Self = Bit(0);
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Bit(self.0 | other.0)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Bit(self.0 & other.0)
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.0 < other.0
    }
}

/// `with_lane!(dtype, T => expr)`: `expr` with `T` the lane type of `dtype`.
macro_rules! with_lane {
    ($dtype:expr, $t:ident => $e:expr) => {{
        use $crate::tensor::DType as D;
        match $dtype {
            D::Bool => {
                type $t = $crate::backend::cpu::lane::Bit;
                $e
            }
            D::U8 => {
                type $t = u8;
                $e
            }
            D::U16 => {
                type $t = u16;
                $e
            }
            D::U32 => {
                type $t = u32;
                $e
            }
            D::U64 => {
                type $t = u64;
                $e
            }
            D::I8 => {
                type $t = i8;
                $e
            }
            D::I16 => {
                type $t = i16;
                $e
            }
            D::I32 => {
                type $t = i32;
                $e
            }
            D::I64 => {
                type $t = i64;
                $e
            }
            D::F32 | D::F16 | D::BF16 | D::F8E4M3 | D::F8E5M2 => {
                type $t = f32;
                $e
            }
            D::F64 => {
                type $t = f64;
                $e
            }
            D::C64 => {
                type $t = num_complex::Complex<f32>;
                $e
            }
            D::C128 => {
                type $t = num_complex::Complex<f64>;
                $e
            }
        }
    }};
}

/// `with_float!(dtype, T => expr)`: as `with_lane`, for floats and complex numbers; other dtypes count as f32.
macro_rules! with_float {
    ($dtype:expr, $t:ident => $e:expr) => {{
        use $crate::tensor::DType as D;
        match $dtype {
            D::F64 => {
                type $t = f64;
                $e
            }
            D::C64 => {
                type $t = num_complex::Complex<f32>;
                $e
            }
            D::C128 => {
                type $t = num_complex::Complex<f64>;
                $e
            }
            _ => {
                type $t = f32;
                $e
            }
        }
    }};
}

/// `with_int!(dtype, T => expr)`: as `with_lane`, for integers; other dtypes count as u8 (a bool is one).
macro_rules! with_int {
    ($dtype:expr, $t:ident => $e:expr) => {{
        use $crate::tensor::DType as D;
        match $dtype {
            D::U16 => {
                type $t = u16;
                $e
            }
            D::U32 => {
                type $t = u32;
                $e
            }
            D::U64 => {
                type $t = u64;
                $e
            }
            D::I8 => {
                type $t = i8;
                $e
            }
            D::I16 => {
                type $t = i16;
                $e
            }
            D::I32 => {
                type $t = i32;
                $e
            }
            D::I64 => {
                type $t = i64;
                $e
            }
            _ => {
                type $t = u8;
                $e
            }
        }
    }};
}
pub(super) use {with_float, with_int, with_lane};
