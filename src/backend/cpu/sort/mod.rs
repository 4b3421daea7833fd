//! Sorting along the last axis: rows become keys, keys are sorted (rows over threads, a long row in fixed pieces that are
//! merged), keys become values or positions again.

mod keys;
mod order;
#[cfg(test)]
mod tests;

use super::group::Group;
use super::pool::Ctx;
use crate::kernel::{Fault, Input, Output};
use crate::tensor::{DType, View};
use keys::{Stored, for_stored};
use order::Order;

/// Elements from which on a row is sorted in pieces by several threads.
const LONG: usize = 1 << 17;
/// Elements of one tile of short rows.
const TILE: usize = 1 << 14;

pub(super) fn run(
    ctx: &Ctx,
    shape: &[usize],
    indices: bool,
    descending: bool,
    inputs: &[Input],
    output: &Output,
) -> Result<(), Fault> {
    if shape.contains(&0) {
        return Ok(());
    }
    let sort = Sort {
        from: Rows::new(inputs[0].buffer.as_ptr(), &inputs[0].view),
        to: Rows::new(output.buffer.as_ptr(), &output.view),
        conj: inputs[0].view.conj,
        indices,
        descending,
    };
    for_stored!(inputs[0].view.dtype, sort_rows(ctx, &sort))
}

struct Sort {
    from: Rows,
    to: Rows,
    conj: bool,
    indices: bool,
    descending: bool,
}

/// A view as rows along its last axis.
struct Rows {
    bytes: *mut u8,
    offset: isize,
    outer: Group,
    len: usize,
    stride: isize,
}

// SAFETY: inputs are only read; tiles write disjoint rows of the output.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

impl Rows {
    fn new(bytes: *const u8, view: &View) -> Rows {
        let layout = &view.layout;
        let outer = layout.shape.len().saturating_sub(1);
        Rows {
            bytes: bytes.cast_mut(),
            offset: layout.offset,
            outer: Group::new(&layout.shape[..outer], &layout.strides[..outer]),
            len: layout.shape.last().copied().unwrap_or(1),
            stride: layout.strides.last().copied().unwrap_or(0),
        }
    }

    /// The address of a row's element: `row` below `outer.size`, `i` below `len`.
    fn at<T>(&self, row: usize, i: usize) -> *mut T {
        let at = self.offset + self.outer.offset(row) + i as isize * self.stride;
        // SAFETY: the layout keeps its coordinates inside the buffer.
        unsafe { self.bytes.cast::<T>().offset(at) }
    }
}

fn sort_rows<S: Stored>(ctx: &Ctx, sort: &Sort) -> Result<(), Fault> {
    let (rows, len) = (sort.from.outer.size, sort.from.len);
    if len >= LONG {
        return (0..rows).try_for_each(|row| sort.row::<S>(row, &mut Order::over_threads(ctx)));
    }
    let group = (TILE / len).clamp(1, rows);
    let work = rows.saturating_mul(len).saturating_mul(16);
    ctx.tiles(
        rows.div_ceil(group),
        work,
        || Order::alone(ctx),
        |order, tile| (tile * group..rows.min((tile + 1) * group)).try_for_each(|row| sort.row::<S>(row, order)),
    )
}

impl Sort {
    /// # Safety
    /// The coordinate is inside the input.
    unsafe fn value<S: Stored>(&self, row: usize, i: usize) -> S {
        // SAFETY: the caller's promise; any alignment.
        let value = unsafe { self.from.at::<S>(row, i).read_unaligned() };
        if self.conj { value.conj() } else { value }
    }

    fn row<S: Stored>(&self, row: usize, order: &mut Order<'_, S::Key>) -> Result<(), Fault> {
        let len = self.from.len;
        let mut unclear = self.indices;
        order.keys.clear();
        for i in 0..len {
            // SAFETY: `at` points into the buffer, at any alignment.
            let value = unsafe { self.value::<S>(row, i) };
            unclear |= value.ambiguous();
            let key = value.key();
            order.keys.push(if self.descending { S::reversed(key) } else { key });
        }
        if !unclear {
            order.sort_keys()?;
            for (i, &key) in order.keys.iter().enumerate() {
                let key = if self.descending { S::reversed(key) } else { key };
                if let Some(value) = S::value(key) {
                    // SAFETY: `at` points into the output's row, which is this tile's alone.
                    unsafe { self.to.at::<S>(row, i).write_unaligned(value) };
                }
            }
            return Ok(());
        }
        order.sort_positions()?;
        if self.indices {
            for (i, position) in order.positions().enumerate() {
                // SAFETY: as above; the output is i64.
                unsafe { self.to.at::<i64>(row, i).write_unaligned(position as i64) };
            }
            return Ok(());
        }
        // The input may be the output (in-place reuse): take all values before any is written.
        // SAFETY: as above.
        let values: Vec<S> = order.positions().map(|p| unsafe { self.value::<S>(row, p) }).collect();
        for (i, value) in values.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { self.to.at::<S>(row, i).write_unaligned(value) };
        }
        Ok(())
    }
}
