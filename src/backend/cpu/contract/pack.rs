//! Operands of a product: read in place where strides allow, else gathered a panel at a time.

use super::super::group::Group;
use super::element::{Element, Matrix};
use crate::tensor::{DType, Scalar};
use half::slice::HalfFloatSliceExt;
use std::ops::Range;
use std::sync::LazyLock;

/// One factor: `[batch, rows, depth]`, rows being m or n.
pub struct Operand {
    pub bytes: *const u8,
    pub dtype: DType,
    pub conj: bool,
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
        if !aligned || self.conj || !native::<T>(self.dtype) {
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
            let first = self.bytes.offset(start * self.dtype.size() as isize);
            if native::<T>(self.dtype) {
                gather(first.cast::<T>(), steps, out);
            } else if let Some(widen) = T::widener(self.dtype) {
                widen_run(first, self.dtype.size(), steps, widen, out);
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

/// Widens a contiguous run of small floats.
pub type Widen<T> = fn(bits: &[u16], out: &mut [T]);

/// # Safety
/// As [`gather`]; `size` is 1 or 2.
unsafe fn widen_run<T>(first: *const u8, size: usize, steps: Steps<'_>, widen: Widen<T>, out: &mut [T]) {
    let mut bits = [0u16; 256];
    for (block, out) in out.chunks_mut(bits.len()).enumerate() {
        let start = block * bits.len();
        let bits = &mut bits[..out.len()];
        // SAFETY: the caller's promise.
        unsafe {
            if size == 2 {
                let first = first.cast::<u16>();
                match steps {
                    Steps::Stride(stride) => {
                        gather(first.offset(start as isize * stride), Steps::Stride(stride), bits);
                    }
                    Steps::Table(table) => gather(first, Steps::Table(&table[start..]), bits),
                }
            } else {
                for (i, to) in bits.iter_mut().enumerate() {
                    *to = u16::from(*first.offset(steps.at(start + i)));
                }
            }
        }
        widen(bits, out);
    }
}

/// How f32 lanes read the stored floats that ride in them.
pub fn widen_f32(dtype: DType) -> Option<Widen<f32>> {
    match dtype {
        DType::F16 => Some(|bits, out| {
            let halves: &[half::f16] = bytemuck::cast_slice(bits);
            halves.convert_to_f32_slice(out);
        }),
        DType::BF16 => Some(|bits, out| {
            for (out, &bits) in out.iter_mut().zip(bits) {
                *out = f32::from_bits(u32::from(bits) << 16);
            }
        }),
        DType::F8E4M3 => Some(|bits, out| look_up(&E4M3, bits, out)),
        DType::F8E5M2 => Some(|bits, out| look_up(&E5M2, bits, out)),
        _ => None,
    }
}

static E4M3: LazyLock<[f32; 256]> = LazyLock::new(|| table(DType::F8E4M3));
static E5M2: LazyLock<[f32; 256]> = LazyLock::new(|| table(DType::F8E5M2));

fn table(dtype: DType) -> [f32; 256] {
    std::array::from_fn(|code| Scalar::read(dtype, &[code as u8]).to_f64() as f32)
}

fn look_up(table: &[f32; 256], bits: &[u16], out: &mut [f32]) {
    for (out, &code) in out.iter_mut().zip(bits) {
        *out = table[usize::from(code & 255)];
    }
}
