//! What a product is computed in: ten lane types with one inner kernel each.

use super::super::simd::{Level, level};
use crate::tensor::{DType, Scalar};
use num_complex::{Complex32, Complex64};

/// A matrix as pointer and element strides.
#[derive(Clone, Copy)]
pub struct Matrix<T> {
    pub at: *mut T,
    /// Elements between neighbours along the rows axis (m or n) and along k; for a destination along m and n.
    pub rows: isize,
    pub cols: isize,
}

/// A lane type of products.
pub trait Element: Copy + Default + PartialEq + Send + Sync + std::fmt::Debug + 'static {
    /// The dtype whose stored form is this type.
    const DTYPE: DType;
    /// Whether [`Element::multiply`] reads operands in any strides; otherwise it wants k innermost in `a` and n innermost in `b`,
    /// both padded with zeros to whole [`ROWS`] and [`Element::WIDTH`].
    const STRIDED: bool;
    /// Columns of `b` that the inner kernel holds in registers.
    const WIDTH: usize = 1;

    fn from_scalar(value: Scalar) -> Self;

    fn to_scalar(self) -> Scalar;

    fn conj(self) -> Self {
        self
    }

    /// Joins two partial sums.
    fn join(self, other: Self) -> Self;

    /// `dst (m by n) = [dst +] Σ_k a (m by k) * b (n by k)`.
    ///
    /// # Safety
    /// Every element that extents and strides reach is readable (a, b) or writable (dst) and aligned; dst overlaps
    /// neither operand.
    unsafe fn multiply(size: [usize; 3], dst: Matrix<Self>, a: Matrix<Self>, b: Matrix<Self>, accumulate: bool);

    /// `Σ a[i] * b[i]` over the shorter length, in a fixed order.
    fn dot(a: &[Self], b: &[Self]) -> Self;

    /// `y[i] += Σ_j columns[j][i] * x[j]`, all columns at least as long as `y`.
    fn axpy(y: &mut [Self], columns: &[&[Self]], x: &[Self]);
}

/// Rows of `a` that the integer kernel holds in registers.
pub const ROWS: usize = 4;

/// Runs `$body` compiled for AVX2 with FMA where the machine has them (`$fused` tells which), else for the baseline.
macro_rules! dispatch {
    (fn $name:ident $(<$g:ident>)? ($($arg:ident : $ty:ty),*) $(-> $ret:ty)?, $body:ident $(::<$($gen:tt),*>)?) => {
        fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($arg: $ty),*) $(-> $ret)? {
                    $body::<$($($gen,)*)? true>($($arg),*)
                }
                if level() == Level::Avx2 {
                    // SAFETY: the processor has both.
                    return unsafe { wide($($arg),*) };
                }
            }
            $body::<$($($gen,)*)? false>($($arg),*)
        }
    };
}

/// Real floats with an optionally fused multiply-add.
trait Real: Copy + Default + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> {
    fn fused(self, b: Self, c: Self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn fused(self, b: f32, c: f32) -> f32 {
        self.mul_add(b, c)
    }
}

impl Real for f64 {
    #[inline(always)]
    fn fused(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
}

#[inline(always)]
fn mac<T: Real, const FUSED: bool>(a: T, b: T, c: T) -> T {
    if FUSED { a.fused(b, c) } else { a * b + c }
}

/// Halves the lanes until one is left: the same tree on every machine.
#[inline(always)]
fn tree<T: Copy, const N: usize>(mut lanes: [T; N], join: impl Fn(T, T) -> T) -> T {
    let mut n = N;
    while n > 1 {
        n /= 2;
        for i in 0..n {
            lanes[i] = join(lanes[i], lanes[i + n]);
        }
    }
    lanes[0]
}

#[inline(always)]
fn real_dot<T: Real, const LANES: usize, const FUSED: bool>(a: &[T], b: &[T]) -> T {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut acc = [T::default(); LANES];
    let (pa, pb) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (ra, rb) = (pa.remainder(), pb.remainder());
    for (x, y) in pa.zip(pb) {
        for i in 0..LANES {
            acc[i] = mac::<T, FUSED>(x[i], y[i], acc[i]);
        }
    }
    for (i, (&x, &y)) in ra.iter().zip(rb).enumerate() {
        acc[i] = mac::<T, FUSED>(x, y, acc[i]);
    }
    tree(acc, |x, y| x + y)
}

#[inline(always)]
fn real_axpy<T: Real, const FUSED: bool>(y: &mut [T], columns: &[&[T]], x: &[T]) {
    let n = y.len();
    let (mut columns, mut x) = (columns, x);
    while let ([c0, c1, c2, c3, rest @ ..], [x0, x1, x2, x3, tail @ ..]) = (columns, x) {
        let (c0, c1, c2, c3) = (&c0[..n], &c1[..n], &c2[..n], &c3[..n]);
        for i in 0..n {
            let sum = mac::<T, FUSED>(c1[i], *x1, mac::<T, FUSED>(c0[i], *x0, y[i]));
            y[i] = mac::<T, FUSED>(c3[i], *x3, mac::<T, FUSED>(c2[i], *x2, sum));
        }
        (columns, x) = (rest, tail);
    }
    for (c, &x) in columns.iter().zip(x) {
        for (y, &c) in y.iter_mut().zip(*c) {
            *y = mac::<T, FUSED>(c, x, *y);
        }
    }
}

/// Calls the library on one thread; our own tiles are what is spread over threads, so the sums never depend on their number.
macro_rules! library_multiply {
    ($one:expr) => {
        unsafe fn multiply(
            [m, n, k]: [usize; 3],
            dst: Matrix<Self>,
            a: Matrix<Self>,
            b: Matrix<Self>,
            accumulate: bool,
        ) {
            // SAFETY: the caller's promise is the library's condition.
            unsafe {
                gemm::gemm(
                    m,
                    n,
                    k,
                    dst.at,
                    dst.cols,
                    dst.rows,
                    accumulate,
                    a.at,
                    a.cols,
                    a.rows,
                    b.at,
                    b.rows,
                    b.cols,
                    $one,
                    $one,
                    false,
                    false,
                    false,
                    gemm::Parallelism::None,
                );
            }
        }
    };
}

macro_rules! real_element {
    ($t:ty, $dtype:ident, $lanes:literal) => {
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            const STRIDED: bool = true;

            fn from_scalar(value: Scalar) -> Self {
                value.to_f64() as $t
            }

            fn to_scalar(self) -> Scalar {
                Scalar::Float(self.into())
            }

            fn join(self, other: Self) -> Self {
                self + other
            }

            library_multiply!(1.0);

            dispatch!(fn dot(a: &[$t], b: &[$t]) -> $t, real_dot::<$t, $lanes>);

            dispatch!(fn axpy(y: &mut [$t], columns: &[&[$t]], x: &[$t]), real_axpy::<$t>);
        }
    };
}

real_element!(f32, F32, 64);
real_element!(f64, F64, 32);

macro_rules! complex_element {
    ($t:ty, $real:ty, $dtype:ident) => {
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            const STRIDED: bool = true;

            fn from_scalar(value: Scalar) -> Self {
                let z = value.to_complex();
                <$t>::new(z.re as $real, z.im as $real)
            }

            fn to_scalar(self) -> Scalar {
                Scalar::Complex(Complex64::new(self.re.into(), self.im.into()))
            }

            fn conj(self) -> Self {
                <$t>::conj(&self)
            }

            fn join(self, other: Self) -> Self {
                self + other
            }

            library_multiply!(<$t>::new(1.0, 0.0));

            fn dot(a: &[$t], b: &[$t]) -> $t {
                let mut acc = [<$t>::default(); 8];
                for (a, b) in a.chunks(8).zip(b.chunks(8)) {
                    for ((acc, a), b) in acc.iter_mut().zip(a).zip(b) {
                        *acc += a * b;
                    }
                }
                tree(acc, |x, y| x + y)
            }

            fn axpy(y: &mut [$t], columns: &[&[$t]], x: &[$t]) {
                for (c, &x) in columns.iter().zip(x) {
                    for (y, &c) in y.iter_mut().zip(*c) {
                        *y += c * x;
                    }
                }
            }
        }
    };
}

complex_element!(Complex32, f32, C64);
complex_element!(Complex64, f64, C128);
