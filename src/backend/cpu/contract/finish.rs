//! What happens to a finished tile: rounding, the epilogue, the way to the output.

use super::super::group::Group;
use super::element::{Element, Matrix};
use super::pack::native;
use super::tiling::Task;
use crate::kernel::{Contract, Fault, Output};
use crate::tensor::DType;

/// The output's layout as the groups `[batch, m, n]`.
pub struct Finish {
    bytes: *mut u8,
    dtype: DType,
    offset: isize,
    batch: Group,
    m: Group,
    n: Group,
    /// Dtype to which sums are rounded.
    product: DType,
}

// SAFETY: tasks write disjoint parts of the output, which the executor keeps from everybody else during the launch.
unsafe impl Send for Finish {}
// SAFETY: as above.
unsafe impl Sync for Finish {}

impl Finish {
    pub fn new(contract: &Contract, output: &Output) -> Finish {
        let layout = &output.view.layout;
        let (batch, m) = (contract.batch.len(), contract.m.len());
        let cut = |from: usize, to: usize| Group::new(&layout.shape[from..to], &layout.strides[from..to]);
        Finish {
            bytes: output.buffer.as_ptr().cast_mut(),
            dtype: output.view.dtype,
            offset: layout.offset,
            batch: cut(0, batch),
            m: cut(batch, batch + m),
            n: cut(batch + m, layout.shape.len()),
            product: contract.product,
        }
    }

    /// The task's part of the output as a matrix, where sums may be written there as they are.
    pub fn in_place<T: Element>(&self, task: Task) -> Option<Matrix<T>> {
        let aligned = (self.bytes as usize).is_multiple_of(align_of::<T>());
        if !aligned || !native::<T>(self.dtype) || !native::<T>(self.product) {
            return None;
        }
        let (rows, cols) = (self.m.stride?, self.n.stride?);
        let at = self.offset + self.batch.offset(task.batch) + task.m.0 as isize * rows + task.n.0 as isize * cols;
        // SAFETY: the output's layout keeps every coordinate inside its buffer.
        Some(Matrix { at: unsafe { self.bytes.cast::<T>().offset(at) }, rows, cols })
    }

    /// Rounds a row-major tile and writes it.
    pub fn store<T: Element>(&self, task: Task, tile: &mut [T]) -> Result<(), Fault> {
        let mut rounded = Vec::new();
        for (row, line) in self.lines(task, tile) {
            if native::<T>(self.product) {
                self.write(task, row, line.as_ptr().cast());
            } else {
                rounded.clear();
                T::round(line, self.product, &mut rounded);
                self.write(task, row, rounded.as_ptr());
            }
        }
        Ok(())
    }

    /// The tile's lines with their number along m.
    fn lines<'t, T>(&self, task: Task, tile: &'t mut [T]) -> impl Iterator<Item = (usize, &'t mut [T])> {
        (task.m.0..task.m.1).zip(tile.chunks_mut(task.n.1 - task.n.0))
    }

    /// Writes a line's values, `task.n` of them in the output's dtype.
    fn write(&self, task: Task, row: usize, values: *const u8) {
        let at = self.offset + self.batch.offset(task.batch) + self.m.offset(row);
        let (start, count) = (task.n.0, task.n.1 - task.n.0);
        let steps = |i: usize| at + self.n.offset(start + i);
        // SAFETY: `values` holds `count` elements; the layout keeps every coordinate inside the output.
        unsafe {
            match self.dtype.size() {
                1 => scatter::<1>(self.bytes, self.n.stride, steps, values, count),
                2 => scatter::<2>(self.bytes, self.n.stride, steps, values, count),
                4 => scatter::<4>(self.bytes, self.n.stride, steps, values, count),
                8 => scatter::<8>(self.bytes, self.n.stride, steps, values, count),
                _ => scatter::<16>(self.bytes, self.n.stride, steps, values, count),
            }
        }
    }
}

/// Writes `count` elements of `N` bytes to the element offsets that `at` gives.
///
/// # Safety
/// `values` is readable and every offset writable; they do not overlap.
unsafe fn scatter<const N: usize>(
    to: *mut u8,
    stride: Option<isize>,
    at: impl Fn(usize) -> isize,
    values: *const u8,
    count: usize,
) {
    let (to, values) = (to.cast::<[u8; N]>(), values.cast::<[u8; N]>());
    // SAFETY: the caller's promise.
    unsafe {
        match stride {
            Some(1) => std::ptr::copy_nonoverlapping(values, to.offset(at(0)), count),
            Some(stride) => {
                let first = to.offset(at(0));
                for i in 0..count {
                    *first.offset(i as isize * stride) = *values.add(i);
                }
            }
            None => {
                for i in 0..count {
                    *to.offset(at(i)) = *values.add(i);
                }
            }
        }
    }
}
