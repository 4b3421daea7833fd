//! Matrices in and out of host arrays.

use super::Part;
use super::field::Field;
use crate::tensor::{HostArray, Scalar};
use faer::{Mat, MatRef};

/// Matrix number `index` of a contiguous batch of `[rows, cols]` matrices.
pub fn read<T: Field>(array: &HostArray, index: usize, rows: usize, cols: usize) -> Mat<T> {
    let view = &array.view;
    let size = view.dtype.size();
    let first = (view.layout.offset as usize + index * rows * cols) * size;
    let bytes = &array.buffer.bytes()[first..first + rows * cols * size];
    Mat::from_fn(rows, cols, |i, j| {
        let value = T::of(Scalar::read(view.dtype, &bytes[(i * cols + j) * size..]));
        if view.conj { value.conjugate() } else { value }
    })
}

pub fn all_finite<T: Field>(matrix: MatRef<'_, T>) -> bool {
    (0..matrix.ncols()).all(|j| (0..matrix.nrows()).all(|i| matrix[(i, j)].finite()))
}

/// The output buffer of a call, written part by part.
pub struct Writer<'a> {
    pub out: &'a mut [u8],
    pub parts: &'a [Part],
    room: Vec<u8>,
}

impl<'a> Writer<'a> {
    pub fn new(out: &'a mut [u8], parts: &'a [Part]) -> Self {
        Writer { out, parts, room: Vec::new() }
    }

    /// Writes element `at` of a part.
    pub fn put(&mut self, part: usize, at: usize, value: Scalar) {
        let Part { dtype, offset, .. } = self.parts[part];
        self.room.clear();
        value.write(dtype, &mut self.room);
        let start = (offset + at) * dtype.size();
        self.out[start..start + self.room.len()].copy_from_slice(&self.room);
    }

    /// Writes matrix number `index` of a part that holds a batch of them (vectors being matrices of one column).
    pub fn matrix<T: Field>(&mut self, part: usize, index: usize, matrix: MatRef<'_, T>) {
        let (rows, cols) = (matrix.nrows(), matrix.ncols());
        for i in 0..rows {
            for j in 0..cols {
                self.put(part, (index * rows + i) * cols + j, matrix[(i, j)].scalar());
            }
        }
    }

    /// Writes row number `index` of a part that holds a batch of real vectors.
    pub fn reals(&mut self, part: usize, index: usize, values: &[f64]) {
        for (i, &x) in values.iter().enumerate() {
            self.put(part, index * values.len() + i, Scalar::Float(x));
        }
    }
}
