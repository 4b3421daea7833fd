//! The two fields in which matrices are computed: f64 and c128. Narrower inputs are widened (f32 results come out as exact
//! as f32 can hold).

use crate::tensor::{DType, Scalar};
use faer::traits::ComplexField;
use num_complex::Complex64;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An element of a matrix.
pub trait Field:
    ComplexField<Real = f64>
    + Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn of(value: Scalar) -> Self;
    fn scalar(self) -> Scalar;
    fn from_real(x: f64) -> Self;
    fn size(self) -> f64;
    fn conjugate(self) -> Self;
    fn finite(self) -> bool;
}

impl Field for f64 {
    fn of(value: Scalar) -> f64 {
        value.to_f64()
    }

    fn scalar(self) -> Scalar {
        Scalar::Float(self)
    }

    fn from_real(x: f64) -> f64 {
        x
    }

    fn size(self) -> f64 {
        f64::abs(self)
    }

    fn conjugate(self) -> f64 {
        self
    }

    fn finite(self) -> bool {
        f64::is_finite(self)
    }
}

impl Field for Complex64 {
    fn of(value: Scalar) -> Complex64 {
        value.to_complex()
    }

    fn scalar(self) -> Scalar {
        Scalar::Complex(self)
    }

    fn from_real(x: f64) -> Complex64 {
        Complex64::new(x, 0.0)
    }

    fn size(self) -> f64 {
        self.norm()
    }

    fn conjugate(self) -> Complex64 {
        Complex64::new(self.re, -self.im)
    }

    fn finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }
}

/// The spacing of numbers next to 1 in a dtype, which decides what counts as zero.
pub fn epsilon(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F64 => f64::EPSILON,
        _ => f32::EPSILON.into(),
    }
}
