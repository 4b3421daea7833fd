//! What libraries do better: decompositions of matrices (faer) and Fourier transforms (rustfft), each an
//! [`Opaque`] call with the shapes of its results.
//!
//! A call has one output buffer. Functions with several results write them one behind the other; each [`Part`] says
//! where, in which dtype: `s` of a complex singular value decomposition is real, and stands as f32 or f64 in a buffer of
//! complex numbers.

mod decompose;
mod fft;
mod field;
mod linalg;
mod matrix;
#[cfg(test)]
mod tests;

pub use fft::{Norm, Transform, transform};
pub use linalg::{
    QrMode, cholesky, det, eigh, eigvalsh, expm, inv, lstsq, lu, matrix_rank, pinv, qr, slogdet, solve, svd, svdvals,
};

use crate::kernel::Opaque;
use crate::tensor::{DType, Shape};
use std::sync::Arc;

/// Parts start at multiples of this many bytes, so that every dtype is aligned.
const ALIGN: usize = 16;

/// One result within a call's output buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub shape: Shape,
    pub dtype: DType,
    /// Elements of `dtype` before the first of this part.
    pub offset: usize,
}

/// A call ready to become a node of dtype `dtype` and shape `[size]`, and what of it each result is. Inputs must be
/// contiguous, in the shapes and the dtype that the constructor was told.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub call: Arc<dyn Opaque>,
    pub dtype: DType,
    /// Elements of `dtype` in the output buffer.
    pub size: usize,
    pub parts: Vec<Part>,
}

/// Lays results one behind the other in a buffer of `dtype`. None where they are too many for a buffer.
fn lay_out(dtype: DType, results: &[(Shape, DType)]) -> Option<(Vec<Part>, usize)> {
    let mut bytes = 0usize;
    let mut parts = Vec::new();
    for (shape, part) in results {
        if !parts.is_empty() {
            bytes = bytes.checked_next_multiple_of(ALIGN)?;
        }
        parts.push(Part { shape: shape.clone(), dtype: *part, offset: bytes / part.size() });
        let elements = shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e))?;
        bytes = bytes.checked_add(elements.checked_mul(part.size())?)?;
    }
    let size = bytes.div_ceil(dtype.size());
    (size <= isize::MAX as usize / dtype.size()).then_some((parts, size))
}
