//! Scalar bodies: total functions of lanes, written so that a loop over them vectorises.

pub mod compare;
pub mod flag;
mod float;
pub mod half;
pub mod int;
mod wide;

pub use flag::Truth;
pub use float::Real;
pub use int::Int;
pub use wide::Wide;

use std::ops::{Add, Mul, Neg, Sub};

#[inline(always)]
pub fn plus<T: Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

#[inline(always)]
pub fn minus<T: Sub<Output = T>>(a: T, b: T) -> T {
    a - b
}

#[inline(always)]
pub fn times<T: Mul<Output = T>>(a: T, b: T) -> T {
    a * b
}

#[inline(always)]
pub fn squared<T: Mul<Output = T> + Copy>(a: T) -> T {
    a * a
}

#[inline(always)]
pub fn negated<T: Neg<Output = T>>(a: T) -> T {
    -a
}

#[inline(always)]
pub fn itself<T>(a: T) -> T {
    a
}

/// What real numbers have for an imaginary part.
#[inline(always)]
pub fn zero<T: Default>(_: T) -> T {
    T::default()
}

#[inline(always)]
pub fn select<T>(condition: super::lanes::Flag, a: T, b: T) -> T {
    if condition.get() { a } else { b }
}
