//! Matrix–vector products: each element of the matrix is used once, so the memory's speed is the limit.

use super::element::Element;
use super::pack::Operand;
use super::tile::Stopped;
use crate::kernel::Cancel;
use std::ops::Range;

/// Elements of a gathered panel along k.
const PANEL: usize = 512;
/// Lines of a gathered panel.
const LINES: usize = 32;

/// `y[i] = Σ_k matrix[rows.start + i, k] * vector[k]`, chunk by chunk along k.
pub fn sum<T: Element>(
    (matrix, vector): (&Operand, &Operand),
    batch: usize,
    rows: Range<usize>,
    depth: Range<usize>,
    chunk: usize,
    y: &mut [T],
    cancel: &Cancel,
) -> Result<(), Stopped> {
    let (base, vector_base) = (matrix.base(batch), vector.base(batch));
    y.fill(T::default());
    let mut room = Vec::new();
    let mut panel = Vec::new();
    let mut start = depth.start;
    while start < depth.end {
        let end = (start + chunk).min(depth.end);
        let x = line(vector, vector_base, start..end, &mut room);
        let mut row = rows.start;
        while row < rows.end {
            if cancel.is_set() {
                return Err(Stopped);
            }
            let stop = rows.end.min(row + (1 << 22) / chunk.max(1));
            let y = &mut y[row - rows.start..stop - rows.start];
            match matrix.direct::<T>() {
                Some((step, 1)) => rows_in_place(matrix, base, row, start, step, x, y),
                Some((1, step)) => columns_in_place(matrix, base, row, start, step, x, y),
                _ => gathered(matrix, base, row, start, x, y, &mut panel),
            }
            row = stop;
        }
        start = end;
    }
    if cancel.is_set() { Err(Stopped) } else { Ok(()) }
}

/// The vector's chunk as a slice, in place where it lies without gaps.
fn line<'a, T: Element>(vector: &'a Operand, base: isize, depth: Range<usize>, room: &'a mut Vec<T>) -> &'a [T] {
    if let Some(strides @ (_, 1)) = vector.direct::<T>() {
        let window = vector.window::<T>(base, 0, depth.start, strides);
        // SAFETY: the layout keeps the run inside the buffer; `direct` checked dtype and alignment.
        return unsafe { std::slice::from_raw_parts(window.at, depth.len()) };
    }
    room.resize(depth.len(), T::default());
    vector.pack(base, 0..1, depth.clone(), true, depth.len(), room);
    room
}

fn slice<T: Element>(matrix: &Operand, at: isize, len: usize) -> &[T] {
    // SAFETY: callers pass runs of stride 1 of a matrix for which `direct` said yes; the layout keeps them in the buffer.
    unsafe { std::slice::from_raw_parts(matrix.bytes.cast::<T>().offset(at), len) }
}

fn rows_in_place<T: Element>(
    matrix: &Operand,
    base: isize,
    row: usize,
    depth: usize,
    step: isize,
    x: &[T],
    y: &mut [T],
) {
    for (i, y) in y.iter_mut().enumerate() {
        let line = slice::<T>(matrix, base + (row + i) as isize * step + depth as isize, x.len());
        *y = y.join(T::dot(line, x));
    }
}

fn columns_in_place<T: Element>(
    matrix: &Operand,
    base: isize,
    row: usize,
    depth: usize,
    step: isize,
    x: &[T],
    y: &mut [T],
) {
    let mut at = base + row as isize + depth as isize * step;
    for x in x.chunks(4) {
        let mut columns: [&[T]; 4] = [&[]; 4];
        for column in &mut columns[..x.len()] {
            *column = slice(matrix, at, y.len());
            at += step;
        }
        T::axpy(y, &columns[..x.len()], x);
    }
}

fn gathered<T: Element>(
    matrix: &Operand,
    base: isize,
    row: usize,
    depth: usize,
    x: &[T],
    y: &mut [T],
    panel: &mut Vec<T>,
) {
    let depth_inner = matrix.depth_is_inner();
    panel.resize(PANEL * LINES, T::default());
    for (block, x) in x.chunks(PANEL).enumerate() {
        let from = depth + block * PANEL;
        for (strip, y) in y.chunks_mut(LINES).enumerate() {
            let (first, lines) = (row + strip * LINES, y.len());
            let line = if depth_inner { x.len() } else { lines };
            matrix.pack(base, first..first + lines, from..from + x.len(), depth_inner, line, panel);
            if depth_inner {
                for (y, line) in y.iter_mut().zip(panel.chunks(line)) {
                    *y = y.join(T::dot(line, x));
                }
            } else {
                for (line, x) in panel.chunks(line).zip(x) {
                    T::axpy(y, &[line], std::slice::from_ref(x));
                }
            }
        }
    }
}
