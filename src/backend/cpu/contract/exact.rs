//! Products of integers and bools: exact, so order does not matter and wrapping does.

use super::super::lane::Bit;
use super::super::simd::{Level, level};
use super::element::{Element, Matrix, ROWS};
use crate::tensor::{DType, Scalar};

/// A ring (or, for bool, a lattice) without rounding: order does not matter, wrapping does.
trait Exact: Copy + Default {
    fn mac(self, a: Self, b: Self) -> Self;
    fn joined(self, other: Self) -> Self;
}

impl Exact for Bit {
    #[inline(always)]
    fn mac(self, a: Bit, b: Bit) -> Bit {
        // A mapped file may hold any byte.
        Bit(self.0 | (u8::from(a.0 != 0) & u8::from(b.0 != 0)))
    }

    #[inline(always)]
    fn joined(self, other: Bit) -> Bit {
        Bit(self.0 | other.0)
    }
}

/// Four rows by `W` columns of the product in registers at a time; operands packed and padded.
///
/// # Safety
/// As [`Element::multiply`] with the packing that `STRIDED` describes.
#[inline(always)]
unsafe fn exact_multiply<T: Exact, const W: usize>(
    [m, n, k]: [usize; 3],
    dst: Matrix<T>,
    a: Matrix<T>,
    b: Matrix<T>,
    accumulate: bool,
) {
    for j in (0..n).step_by(W) {
        for i in (0..m).step_by(ROWS) {
            let mut acc = [[T::default(); W]; ROWS];
            // SAFETY: padding makes whole blocks readable; stores stay below m and n.
            unsafe {
                for depth in 0..k as isize {
                    let row = b.at.offset(depth * b.cols + j as isize).cast::<[T; W]>().read_unaligned();
                    for (r, acc) in acc.iter_mut().enumerate() {
                        let x = *a.at.offset((i + r) as isize * a.rows + depth);
                        for (acc, &y) in acc.iter_mut().zip(&row) {
                            *acc = acc.mac(x, y);
                        }
                    }
                }
                for (r, acc) in acc.iter().enumerate().take(m - i) {
                    for (c, &value) in acc.iter().enumerate().take(n - j) {
                        let to = dst.at.offset((i + r) as isize * dst.rows + (j + c) as isize * dst.cols);
                        let old = if accumulate { *to } else { T::default() };
                        *to = old.joined(value);
                    }
                }
            }
        }
    }
}

macro_rules! exact_element {
    ($t:ty, $dtype:ident, $width:literal, $from:expr, $to:expr) => {
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            const STRIDED: bool = false;
            const WIDTH: usize = $width;

            fn from_scalar(value: Scalar) -> Self {
                $from(value)
            }

            fn to_scalar(self) -> Scalar {
                $to(self)
            }

            fn join(self, other: Self) -> Self {
                self.joined(other)
            }

            unsafe fn multiply(
                size: [usize; 3],
                dst: Matrix<Self>,
                a: Matrix<Self>,
                b: Matrix<Self>,
                accumulate: bool,
            ) {
                #[cfg(target_arch = "x86_64")]
                {
                    #[target_feature(enable = "avx2")]
                    unsafe fn wide(size: [usize; 3], dst: Matrix<$t>, a: Matrix<$t>, b: Matrix<$t>, accumulate: bool) {
                        // SAFETY: handed on.
                        unsafe { exact_multiply::<$t, $width>(size, dst, a, b, accumulate) }
                    }
                    if level() == Level::Avx2 {
                        // SAFETY: the processor has it; the rest is the caller's promise.
                        return unsafe { wide(size, dst, a, b, accumulate) };
                    }
                }
                // SAFETY: the caller's promise.
                unsafe { exact_multiply::<$t, $width>(size, dst, a, b, accumulate) }
            }

            fn dot(a: &[$t], b: &[$t]) -> $t {
                a.iter().zip(b).fold(<$t>::default(), |sum, (&a, &b)| sum.mac(a, b))
            }

            fn axpy(y: &mut [$t], columns: &[&[$t]], x: &[$t]) {
                for (c, &x) in columns.iter().zip(x) {
                    for (y, &c) in y.iter_mut().zip(*c) {
                        *y = y.mac(c, x);
                    }
                }
            }
        }
    };
}

macro_rules! integer_element {
    ($t:ty, $dtype:ident, $width:literal) => {
        impl Exact for $t {
            #[inline(always)]
            fn mac(self, a: $t, b: $t) -> $t {
                self.wrapping_add(a.wrapping_mul(b))
            }

            #[inline(always)]
            fn joined(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
        }

        exact_element!($t, $dtype, $width, |value: Scalar| value.to_i64_wrapping() as $t, |x: $t| Scalar::UInt(
            x.into()
        ));
    };
}

// Signed dtypes multiply in the unsigned type of their width: the low bits are the same.
integer_element!(u8, U8, 32);
integer_element!(u16, U16, 32);
integer_element!(u32, U32, 16);
integer_element!(u64, U64, 8);
exact_element!(Bit, Bool, 32, |value: Scalar| Bit(value.truthy().into()), |x: Bit| Scalar::Bool(x.0 != 0));
