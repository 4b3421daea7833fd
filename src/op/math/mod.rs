//! Elementary functions that vectorise, and the special values of the complex ones.
//!
//! Every kernel is one straight line of arithmetic, selects and bit moves, so that a loop over it becomes vector code.
//! `mul_add` is exact rounding on every machine, which keeps the bits the same at all vector widths. Kernels in f64
//! serve f32 too (wide in, rounded once) where the f32 function is not hot enough for a kernel of its own. The
//! polynomials interpolate at Chebyshev nodes; the error named beside each is that of exact arithmetic.

pub mod complex;
pub mod erf;
pub mod exp;
pub mod gamma;
pub mod hyper;
pub mod log;
pub mod pow;
pub mod trig;

/// `horner!(x; c0, c1, …)` is c0 + c1 x + …
macro_rules! horner {
    ($x:expr; $last:expr) => { $last };
    ($x:expr; $first:expr, $($rest:expr),+) => {
        $x.mul_add($crate::op::math::horner!($x; $($rest),+), $first)
    };
}

use horner;

/// The nearest whole number of a value below 2^51, and its low bits as an integer: adding 1.5 * 2^52 leaves them in the
/// mantissa.
#[inline(always)]
fn nearest(x: f64) -> (f64, u64) {
    const MAGIC: f64 = 6755399441055744.0;
    let shifted = x + MAGIC;
    (shifted - MAGIC, shifted.to_bits())
}
