//! The sum of one tile over one run of k.

use super::element::{Element, Matrix, ROWS};
use super::pack::Operand;
use super::tiling::Task;
use crate::kernel::Cancel;
use std::ops::Range;

/// Both factors, and the room that packing needs (one per worker job).
pub struct Factors<'a, T> {
    pub a: &'a Operand,
    pub b: &'a Operand,
    pub cancel: &'a Cancel,
    panel_a: Vec<T>,
    panel_b: Vec<T>,
}

/// The flag was set; what was written so far is of no use.
#[derive(Debug)]
pub struct Stopped;

impl<'a, T: Element> Factors<'a, T> {
    pub fn new(a: &'a Operand, b: &'a Operand, cancel: &'a Cancel) -> Self {
        Factors { a, b, cancel, panel_a: Vec::new(), panel_b: Vec::new() }
    }

    /// `dst = Σ a * b` over `depth`, in chunks.
    ///
    /// # Safety
    /// `dst` is writable and aligned for the task's tile and overlaps neither factor.
    pub unsafe fn sum(&mut self, task: Task, depth: Range<usize>, chunk: usize, dst: Matrix<T>) -> Result<(), Stopped> {
        let (m, n) = (task.m.1 - task.m.0, task.n.1 - task.n.0);
        let bases = (self.a.base(task.batch), self.b.base(task.batch));
        let mut start = depth.start;
        loop {
            if self.cancel.is_set() {
                return Err(Stopped);
            }
            let end = (start + chunk).min(depth.end);
            let a = panel(self.a, bases.0, task.m, start..end, true, &mut self.panel_a);
            let b = panel(self.b, bases.1, task.n, start..end, false, &mut self.panel_b);
            // SAFETY: the panels hold the tile's rows and this chunk of k; dst by the caller's promise.
            unsafe { T::multiply([m, n, end - start], dst, a, b, start > depth.start) };
            start = end;
            if start >= depth.end {
                return Ok(());
            }
        }
    }
}

/// One factor's part of a chunk: in place, or gathered into `room`.
fn panel<T: Element>(
    operand: &Operand,
    base: isize,
    rows: (usize, usize),
    depth: Range<usize>,
    is_a: bool,
    room: &mut Vec<T>,
) -> Matrix<T> {
    let (count, k) = (rows.1 - rows.0, depth.len());
    if let Some(strides) = operand.direct::<T>().filter(|_| T::STRIDED) {
        return operand.window(base, rows.0, depth.start, strides);
    }
    let (depth_inner, padded) = if T::STRIDED {
        (operand.depth_is_inner(), count)
    } else if is_a {
        (true, count.next_multiple_of(ROWS))
    } else {
        (false, count.next_multiple_of(T::WIDTH))
    };
    let line = if depth_inner { k } else { padded };
    if room.len() < padded * k {
        room.resize(padded * k, T::default());
    }
    if padded > count {
        room[..padded * k].fill(T::default());
    }
    operand.pack(base, rows.0..rows.1, depth, depth_inner, line, &mut room[..padded * k]);
    let line = line as isize;
    let (rows, cols) = if depth_inner { (line, 1) } else { (1, line) };
    Matrix { at: room.as_mut_ptr(), rows, cols }
}
