//! Operands of a product: read in place where strides allow, else gathered a panel at a time.

use super::super::group::Group;
use super::super::narrow;
use super::super::packed::Blocks;
use super::element::{Element, Matrix};
use crate::tensor::{DType, Scalar};
use std::ops::Range;

/// One factor: `[batch, rows, depth]`, rows being m or n.
pub struct Operand {
    pub bytes: *const u8,
    pub dtype: DType,
    pub conj: bool,
    /// The blocks of a packed operand.
    pub packed: Option<Blocks>,
    /// Elements from `bytes` to coordinate 0.
    pub offset: isize,
    pub batch: Group,
    pub rows: Group,
    pub depth: Group,
}

// SAFETY: an operand is only read, and its bytes outlive the launch (the launch holds the buffer).
unsafe impl Send for Operand {}
// SAFETY: as above.
unsafe impl Sync for Operand {}

/// How a run of elements follows its first.
#[derive(Clone, Copy)]
enum Steps<'a> {
    Stride(isize),
    Table(&'a [isize]),
}

/// Whether bytes of `dtype` are values of the lane type as they stand.
pub fn native<T: Element>(dtype: DType) -> bool {
    dtype == T::DTYPE || (dtype.is_int() && T::DTYPE.is_int() && dtype.size() == T::DTYPE.size())
}

impl Operand {
    /// The strides of rows and depth where the library may read this operand where it lies.
    pub fn direct<T: Element>(&self) -> Option<(isize, isize)> {
        let aligned = (self.bytes as usize).is_multiple_of(align_of::<T>());
        if !aligned || self.conj || self.packed.is_some() || !native::<T>(self.dtype) {
            return None;
        }
        Some((self.rows.stride?, self.depth.stride?))
    }

    /// Elements from `bytes` to a batch's first coordinate.
    pub fn base(&self, batch: usize) -> isize {
        self.offset + self.batch.offset(batch)
    }

    /// Whether a step along depth moves less than one along rows.
    pub fn depth_is_inner(&self) -> bool {
        self.rows.size == 1
            || (self.depth.size != 1 && self.depth.inner().unsigned_abs() <= self.rows.inner().unsigned_abs())
    }

    /// A window of one batch as a matrix in place. Only where `direct` said yes.
    pub fn window<T: Element>(&self, base: isize, row: usize, depth: usize, strides: (isize, isize)) -> Matrix<T> {
        let at = base + row as isize * strides.0 + depth as isize * strides.1;
        Matrix { at: self.bytes.cast::<T>().wrapping_offset(at).cast_mut(), rows: strides.0, cols: strides.1 }
    }

    /// Gathers `[rows, depth]` (or `[depth, rows]` unless `depth_inner`) into `out`, a line every `line` elements. Elements
    /// of `out` between the lines stay as they are.
    pub fn pack<T: Element>(
        &self,
        base: isize,
        rows: Range<usize>,
        depth: Range<usize>,
        depth_inner: bool,
        line: usize,
        out: &mut [T],
    ) {
        let (outer, lines, inner, run) =
            if depth_inner { (&self.rows, rows, &self.depth, depth) } else { (&self.depth, depth, &self.rows, rows) };
        let mut table = Vec::new();
        let (steps, first) = match inner.stride {
            Some(stride) => (Steps::Stride(stride), run.start as isize * stride),
            None => {
                table.resize(run.len(), 0);
                inner.offsets(run.start, &mut table);
                (Steps::Table(&table), 0)
            }
        };
        for (at, out) in lines.zip(out.chunks_mut(line.max(1))) {
            self.read(base + outer.offset(at) + first, steps, &mut out[..run.len()]);
        }
    }

    fn read<T: Element>(&self, start: isize, steps: Steps<'_>, out: &mut [T]) {
        // SAFETY: the layout's maker keeps every element that coordinates reach inside the buffer.
        unsafe {
            if let Some(blocks) = &self.packed {
                return decode(blocks, start, steps, out);
            }
            let first = self.bytes.offset(start * self.dtype.size() as isize);
            if native::<T>(self.dtype) {
                gather(first.cast::<T>(), steps, out);
            } else if T::DTYPE == DType::F32 && self.dtype.lane() == DType::F32 {
                let out = std::slice::from_raw_parts_mut(out.as_mut_ptr().cast::<f32>(), out.len());
                gather_narrow(first, self.dtype, steps, out);
            } else {
                let size = self.dtype.size();
                for (i, to) in out.iter_mut().enumerate() {
                    let at = first.offset(steps.at(i) * size as isize);
                    *to = T::from_scalar(Scalar::read(self.dtype, std::slice::from_raw_parts(at, size)));
                }
            }
        }
        if self.conj {
            for x in out {
                *x = x.conj();
            }
        }
    }
}

/// # Safety
/// The blocks hold every element of the run.
unsafe fn decode<T: Element>(blocks: &Blocks, start: isize, steps: Steps<'_>, out: &mut [T]) {
    let mut room = Vec::new();
    let lanes: &mut [f32] = if T::DTYPE == DType::F32 {
        // SAFETY: T is f32.
        unsafe { std::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) }
    } else {
        room.resize(out.len(), 0.0);
        &mut room
    };
    // SAFETY: the caller's promise.
    unsafe {
        match steps {
            Steps::Stride(stride) => blocks.run(start, stride, lanes),
            Steps::Table(table) => blocks.at(start, |i| table[i], lanes),
        }
    }
    for (to, x) in out.iter_mut().zip(room) {
        *to = T::from_scalar(Scalar::Float(x.into()));
    }
}

impl Steps<'_> {
    #[inline(always)]
    fn at(self, i: usize) -> isize {
        match self {
            Steps::Stride(stride) => i as isize * stride,
            Steps::Table(table) => table[i],
        }
    }
}

/// # Safety
/// `first` plus every step is readable; any alignment.
unsafe fn gather<T: Copy>(first: *const T, steps: Steps<'_>, out: &mut [T]) {
    // SAFETY: the caller's promise.
    unsafe {
        match steps {
            Steps::Stride(1) => {
                std::ptr::copy_nonoverlapping(first.cast::<u8>(), out.as_mut_ptr().cast(), size_of_val(out))
            }
            Steps::Stride(stride) => {
                for (i, to) in out.iter_mut().enumerate() {
                    *to = first.offset(i as isize * stride).read_unaligned();
                }
            }
            Steps::Table(table) => {
                for (to, &step) in out.iter_mut().zip(table) {
                    *to = first.offset(step).read_unaligned();
                }
            }
        }
    }
}

/// Reads floats that ride in f32 lanes, a block at a time: side by side first, then widened.
///
/// # Safety
/// As [`gather`]; `dtype` is f16, bf16 or an 8-bit float.
unsafe fn gather_narrow(first: *const u8, dtype: DType, steps: Steps<'_>, out: &mut [f32]) {
    let mut bits = [0u16; 256];
    for (block, out) in out.chunks_mut(bits.len()).enumerate() {
        let (start, n) = (block * bits.len(), out.len());
        let (offset, steps) = match steps {
            Steps::Stride(stride) => (start as isize * stride, steps),
            Steps::Table(table) => (0, Steps::Table(&table[start..])),
        };
        // SAFETY: the caller's promise; `bits` has room for n elements of one or two bytes and is aligned for both.
        unsafe {
            if dtype.size() == 2 {
                gather(first.cast::<u16>().offset(offset), steps, &mut bits[..n]);
            } else {
                gather(first.offset(offset), steps, std::slice::from_raw_parts_mut(bits.as_mut_ptr().cast::<u8>(), n));
            }
            narrow::widen(dtype, bits.as_ptr().cast(), n, out.as_mut_ptr());
        }
    }
}
