//! Scatters: `dest at (c plus the positions that index tensors name) = source[c]`, in row-major order of c.

use super::indexed::{TILE, Walk};
use super::pool::Ctx;
use crate::kernel::{Fault, IndexAxis, Input, Output};
use crate::op::Monoid;
use crate::tensor::{DType, Scalar};
use num_complex::Complex64;

pub(super) fn run(
    ctx: &Ctx,
    shape: &[usize],
    indices: &[IndexAxis],
    accumulate: Option<Monoid>,
    inputs: &[Input],
    output: &Output,
) -> Result<(), Fault> {
    if shape.contains(&0) {
        return Ok(());
    }
    let walk = Walk::new(shape, &inputs[0].view, &output.view, inputs, indices);
    let put = Put {
        from: inputs[0].buffer.as_ptr(),
        dtype: inputs[0].view.dtype,
        conj: inputs[0].view.conj,
        to: output.buffer.as_ptr().cast_mut(),
        to_dtype: output.view.dtype,
        monoid: accumulate,
    };
    // Places may repeat, so that their order counts: each thread walks them all, for its own cut of the block.
    let cuts = put.cuts(&walk);
    let work = walk.outer.saturating_mul(walk.block.size);
    let places = (TILE * cuts / walk.block.size.max(1)).clamp(1, 1 << 14);
    ctx.tiles(cuts, work, Default::default, |(from, to): &mut (Vec<isize>, Vec<isize>), cut| {
        for start in (0..walk.outer).step_by(places) {
            ctx.poll()?;
            walk.places(start..(start + places).min(walk.outer), from, to);
            for (&from, &to) in from.iter().zip(to.iter()) {
                walk.block.runs(cut, cuts, |at, strides, count| {
                    // SAFETY: layouts and checked positions keep every element inside its buffer; cuts are disjoint.
                    unsafe { put.run(from + at[0], to + at[1], strides, count) };
                });
            }
        }
        Ok(())
    })
}

struct Put {
    from: *const u8,
    dtype: DType,
    conj: bool,
    to: *mut u8,
    to_dtype: DType,
    monoid: Option<Monoid>,
}

// SAFETY: `from` is only read; cuts write disjoint parts of `to`.
unsafe impl Send for Put {}
// SAFETY: as above.
unsafe impl Sync for Put {}

impl Put {
    fn cuts(&self, walk: &Walk) -> usize {
        let total = walk.outer.saturating_mul(walk.block.size);
        if total < 4 * TILE { 1 } else { walk.block.most_cuts(16) }
    }

    /// # Safety
    /// The run lies inside both buffers; nobody else writes it.
    unsafe fn run(&self, from: isize, to: isize, strides: [isize; 2], count: usize) {
        let plain = self.dtype == self.to_dtype && !self.conj;
        // SAFETY: handed on; each type has its dtype's size.
        unsafe {
            match (self.monoid, self.dtype) {
                (None, dtype) if plain => match dtype.size() {
                    1 => self.each(from, to, strides, count, |_: [u8; 1], new| new),
                    2 => self.each(from, to, strides, count, |_: [u8; 2], new| new),
                    4 => self.each(from, to, strides, count, |_: [u8; 4], new| new),
                    8 => self.each(from, to, strides, count, |_: [u8; 8], new| new),
                    _ => self.each(from, to, strides, count, |_: [u8; 16], new| new),
                },
                (Some(Monoid::Sum), DType::F32) if plain => self.each(from, to, strides, count, |x: f32, y| x + y),
                (Some(Monoid::Sum), DType::F64) if plain => self.each(from, to, strides, count, |x: f64, y| x + y),
                (Some(Monoid::Sum), DType::I64) if plain => self.each(from, to, strides, count, i64::wrapping_add),
                (monoid, _) => self.convert(from, to, strides, count, monoid),
            }
        }
    }

    /// # Safety
    /// As `run`, elements of both sides being of type T.
    #[inline(always)]
    unsafe fn each<T: Copy>(
        &self,
        from: isize,
        to: isize,
        strides: [isize; 2],
        count: usize,
        join: impl Fn(T, T) -> T,
    ) {
        for i in 0..count as isize {
            // SAFETY: the caller's promise.
            unsafe {
                let new = self.from.cast::<T>().offset(from + i * strides[0]).read_unaligned();
                let at = self.to.cast::<T>().offset(to + i * strides[1]);
                at.write_unaligned(join(at.read_unaligned(), new));
            }
        }
    }

    /// Any dtypes, by way of scalars.
    ///
    /// # Safety
    /// As `run`.
    unsafe fn convert(&self, from: isize, to: isize, strides: [isize; 2], count: usize, monoid: Option<Monoid>) {
        let (size, to_size) = (self.dtype.size(), self.to_dtype.size());
        let mut bytes = Vec::with_capacity(to_size);
        for i in 0..count as isize {
            // SAFETY: the caller's promise.
            unsafe {
                let at = self.from.offset((from + i * strides[0]) * size as isize);
                let mut value = Scalar::read(self.dtype, std::slice::from_raw_parts(at, size));
                if let (true, Scalar::Complex(z)) = (self.conj, value) {
                    value = Scalar::Complex(z.conj());
                }
                let at = self.to.offset((to + i * strides[1]) * to_size as isize);
                if let Some(monoid) = monoid {
                    value = join(monoid, Scalar::read(self.to_dtype, std::slice::from_raw_parts(at, to_size)), value);
                }
                bytes.clear();
                value.write(self.to_dtype, &mut bytes);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, to_size);
            }
        }
    }
}

/// `old` joined with `new`, both of one kind.
fn join(monoid: Monoid, old: Scalar, new: Scalar) -> Scalar {
    match (old, new) {
        (Scalar::Bool(a), Scalar::Bool(b)) => Scalar::Bool(match monoid {
            Monoid::Sum | Monoid::Or | Monoid::Max | Monoid::FMax | Monoid::ArgMax => a | b,
            _ => a & b,
        }),
        (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(match monoid {
            Monoid::Sum => a.wrapping_add(b),
            Monoid::Prod => a.wrapping_mul(b),
            Monoid::Or => i64::from(a != 0 || b != 0),
            Monoid::And => i64::from(a != 0 && b != 0),
            Monoid::Min | Monoid::FMin | Monoid::ArgMin => a.min(b),
            Monoid::Max | Monoid::FMax | Monoid::ArgMax => a.max(b),
        }),
        (Scalar::UInt(a), Scalar::UInt(b)) => Scalar::UInt(match monoid {
            Monoid::Sum => a.wrapping_add(b),
            Monoid::Prod => a.wrapping_mul(b),
            Monoid::Or => u64::from(a != 0 || b != 0),
            Monoid::And => u64::from(a != 0 && b != 0),
            Monoid::Min | Monoid::FMin | Monoid::ArgMin => a.min(b),
            Monoid::Max | Monoid::FMax | Monoid::ArgMax => a.max(b),
        }),
        (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => {
            let (a, b): (Complex64, Complex64) = (old.to_complex(), new.to_complex());
            let lower = (a.re, a.im) <= (b.re, b.im);
            Scalar::Complex(match monoid {
                Monoid::Prod => a * b,
                Monoid::Min | Monoid::FMin | Monoid::ArgMin => {
                    if lower {
                        a
                    } else {
                        b
                    }
                }
                Monoid::Max | Monoid::FMax | Monoid::ArgMax => {
                    if lower {
                        b
                    } else {
                        a
                    }
                }
                _ => a + b,
            })
        }
        _ => Scalar::Float(join_floats(monoid, old.to_f64(), new.to_f64())),
    }
}

fn join_floats(monoid: Monoid, a: f64, b: f64) -> f64 {
    let nan = a.is_nan() || b.is_nan();
    match monoid {
        Monoid::Sum => a + b,
        Monoid::Prod => a * b,
        Monoid::Or => f64::from(u8::from(a != 0.0 || b != 0.0)),
        Monoid::And => f64::from(u8::from(a != 0.0 && b != 0.0)),
        Monoid::Min | Monoid::Max | Monoid::ArgMin | Monoid::ArgMax if nan => f64::NAN,
        Monoid::Min | Monoid::FMin | Monoid::ArgMin => a.min(b),
        Monoid::Max | Monoid::FMax | Monoid::ArgMax => a.max(b),
    }
}
