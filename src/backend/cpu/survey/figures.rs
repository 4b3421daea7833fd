//! Least, greatest, mean, deviation, zeros, NaN, infinities, and a histogram in powers of two.

use super::{bytes, parts, room, source};
use crate::backend::cpu::access::Source;
use crate::backend::cpu::arena::Arena;
use crate::backend::cpu::exec::CHUNK;
use crate::backend::cpu::lane::{Bit, Lane};
use crate::backend::cpu::pool::Ctx;
use crate::backend::cpu::simd::simd;
use crate::kernel::{Fault, Input};
use crate::tensor::{DType, Scalar};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bins of the histogram: sign and exponent of the value as f32.
pub const BINS: usize = 512;

/// Statistics of one tensor. Both parts of complex elements count as values.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Values, all of them.
    pub count: u64,
    pub zeros: u64,
    pub nans: u64,
    pub infs: u64,
    /// Least and greatest of the finite values, in the kind of the dtype; None where there is none.
    pub range: Option<(Scalar, Scalar)>,
    /// Of the finite values; NaN where there is none.
    pub mean: f64,
    /// Standard deviation of the finite values (divided by their number).
    pub sd: f64,
    /// Counts of values by sign and power of two: `[sign * 256 + exponent]`, where exponent e > 0 stands for magnitudes
    /// in `2^(e - 127) .. 2^(e - 126)`, 0 for zeros and what is smaller, 254 for everything larger too.
    pub bins: Option<Box<[u64; BINS]>>,
}

/// A lane that statistics understand.
trait Figure: Lane + PartialOrd {
    fn wide(self) -> f64;
    fn is_finite(self) -> bool;
    fn scalar(self) -> Scalar;
    /// For the histogram; finite where the value is.
    fn short(self) -> f32;
}

macro_rules! figure {
    ($($t:ty, $finite:expr, $scalar:expr, $short:expr);* $(;)?) => {$(
        impl Figure for $t {
            #[inline(always)]
            fn wide(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                #[allow(clippy::redundant_closure_call)]
                $finite(self)
            }
            fn scalar(self) -> Scalar {
                #[allow(clippy::redundant_closure_call)]
                $scalar(self)
            }
            #[inline(always)]
            fn short(self) -> f32 {
                #[allow(clippy::redundant_closure_call)]
                $short(self)
            }
        }
    )*};
}

figure! {
    u8, |_| true, |x| Scalar::UInt(u64::from(x)), |x| x as f32;
    u16, |_| true, |x| Scalar::UInt(u64::from(x)), |x| x as f32;
    u32, |_| true, |x| Scalar::UInt(u64::from(x)), |x| x as f32;
    u64, |_| true, Scalar::UInt, |x| x as f32;
    i8, |_| true, |x| Scalar::Int(i64::from(x)), |x| x as f32;
    i16, |_| true, |x| Scalar::Int(i64::from(x)), |x| x as f32;
    i32, |_| true, |x| Scalar::Int(i64::from(x)), |x| x as f32;
    i64, |_| true, Scalar::Int, |x| x as f32;
    f32, |x: f32| x.abs() <= f32::MAX, |x| Scalar::Float(f64::from(x)), |x| x;
    f64, |x: f64| x.abs() <= f64::MAX, Scalar::Float, |x: f64| x.clamp(-f64::from(f32::MAX), f64::from(f32::MAX)) as f32;
}

/// What is known of a run of values.
#[derive(Clone, Copy)]
struct Part<T> {
    zeros: u64,
    nans: u64,
    infs: u64,
    finite: u64,
    least: T,
    greatest: T,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl<T: Figure> Default for Part<T> {
    fn default() -> Self {
        let (least, greatest) = (T::GREATEST, T::LEAST);
        Part { zeros: 0, nans: 0, infs: 0, finite: 0, least, greatest, mean: 0.0, squares: 0.0 }
    }
}

impl<T: Figure> Part<T> {
    fn join(&mut self, other: &Part<T>) {
        self.zeros += other.zeros;
        self.nans += other.nans;
        self.infs += other.infs;
        if other.finite == 0 {
            return;
        }
        self.least = if other.least < self.least || self.finite == 0 { other.least } else { self.least };
        self.greatest = if other.greatest > self.greatest || self.finite == 0 { other.greatest } else { self.greatest };
        let (n, m) = (self.finite as f64, other.finite as f64);
        let apart = other.mean - self.mean;
        self.mean += apart * (m / (n + m));
        self.squares += other.squares + apart * apart * (n * m / (n + m));
        self.finite += other.finite;
    }
}

/// Values that lie side by side: as many as keep the compiler from unrolling the loop into single values.
const WIDE: usize = 32;

simd! {
    /// Least, greatest, and how many are zero, of finite values.
    /// # Safety
    /// `lanes` holds n values, 0 < n < 2^31.
    fn extremes<T: Figure>(lanes: *const T, n: usize) -> (T, T, u64) {
        let lanes = std::slice::from_raw_parts(lanes, n);
        let (blocks, rest) = lanes.as_chunks::<WIDE>();
        let (mut low, mut high, mut none) = ([lanes[0]; WIDE], [lanes[0]; WIDE], [0_u32; WIDE]);
        for block in blocks {
            for i in 0..WIDE {
                low[i] = if block[i] < low[i] { block[i] } else { low[i] };
                high[i] = if block[i] > high[i] { block[i] } else { high[i] };
                none[i] += u32::from(block[i] == T::ZERO);
            }
        }
        let least = rest.iter().chain(&low).fold(lanes[0], |a, &b| if b < a { b } else { a });
        let greatest = rest.iter().chain(&high).fold(lanes[0], |a, &b| if b > a { b } else { a });
        let zeros = rest.iter().filter(|&&x| x == T::ZERO).count() as u32 + none.iter().sum::<u32>();
        (least, greatest, u64::from(zeros))
    }
}

simd! {
    /// Sum and sum of squares of the distances from `shift`, which lies among the values: nothing cancels.
    /// # Safety
    /// `lanes` holds n finite values.
    fn moments<T: Figure>(lanes: *const T, n: usize, shift: f64) -> (f64, f64) {
        let (blocks, rest) = std::slice::from_raw_parts(lanes, n).as_chunks::<WIDE>();
        let (mut sums, mut squares) = ([0.0; WIDE], [0.0; WIDE]);
        for block in blocks {
            for i in 0..WIDE {
                let apart = block[i].wide() - shift;
                sums[i] += apart;
                squares[i] += apart * apart;
            }
        }
        let (mut sum, mut square) = (0.0, 0.0);
        for &x in rest {
            let apart = x.wide() - shift;
            sum += apart;
            square += apart * apart;
        }
        for i in 0..WIDE {
            sum += sums[i];
            square += squares[i];
        }
        (sum, square)
    }
}

/// Counters of the histogram. Neighbours count in tables of their own: increments of one counter wait for each other.
type Tables = [[u32; BINS]; 4];

simd! {
    /// # Safety
    /// `lanes` holds n values, fewer than a counter can count.
    fn sort_in<T: Figure>(lanes: *const T, n: usize, tables: &mut Tables) {
        let (blocks, rest) = std::slice::from_raw_parts(lanes, n).as_chunks::<4>();
        for block in blocks {
            for i in 0..4 {
                tables[i][(block[i].short().to_bits() >> 23) as usize] += 1;
            }
        }
        for x in rest {
            tables[0][(x.short().to_bits() >> 23) as usize] += 1;
        }
    }
}

/// The part of one chunk.
///
/// # Safety
/// `lanes` holds n values, 0 < n <= CHUNK.
unsafe fn chunk<T: Figure>(lanes: *const T, n: usize) -> Part<T> {
    // SAFETY: the caller's contract.
    unsafe {
        // Sums that are finite were made of finite values only.
        let first = lanes.read().wide();
        let (sum, squares) = moments::<T>()(lanes, n, first);
        if squares.is_finite() {
            return finite(lanes, n, (first, sum, squares));
        }
        let all = std::slice::from_raw_parts(lanes, n);
        let kept: Vec<T> = all.iter().copied().filter(|x| x.is_finite()).collect();
        let nans = all.iter().filter(|x| x.is_nan()).count() as u64;
        let infs = (n - kept.len()) as u64 - nans;
        let Some(first) = kept.first().map(|x| x.wide()) else { return Part { nans, infs, ..Part::default() } };
        let (sum, squares) = moments::<T>()(kept.as_ptr(), kept.len(), first);
        Part { nans, infs, ..finite(kept.as_ptr(), kept.len(), (first, sum, squares)) }
    }
}

/// The part of finite values, given their sums about `shift`.
///
/// # Safety
/// `lanes` holds n finite values, 0 < n <= CHUNK.
unsafe fn finite<T: Figure>(lanes: *const T, n: usize, (shift, sum, squares): (f64, f64, f64)) -> Part<T> {
    // SAFETY: the caller's contract.
    let (least, greatest, zeros) = unsafe { extremes::<T>()(lanes, n) };
    let count = n as f64;
    let (mean, squares) = (shift + sum / count, (squares - sum * sum / count).max(0.0));
    Part { zeros, nans: 0, infs: 0, finite: n as u64, least, greatest, mean, squares }
}

/// One thread's room for lanes, and its counters.
struct State {
    lanes: Arena,
    tables: Option<Box<Tables>>,
}

pub(super) fn run(ctx: &Ctx, input: &Input, bins: bool, done: &AtomicU64) -> Result<Survey, Fault> {
    let pass = Pass { ctx, input, bins, done, values: 1 };
    match input.view.dtype {
        // Bytes of a bool are made 0 or 1 on their way.
        DType::Bool | DType::U8 => pass.run::<u8>(),
        DType::U16 => pass.run::<u16>(),
        DType::U32 => pass.run::<u32>(),
        DType::U64 => pass.run::<u64>(),
        DType::I8 => pass.run::<i8>(),
        DType::I16 => pass.run::<i16>(),
        DType::I32 => pass.run::<i32>(),
        DType::I64 => pass.run::<i64>(),
        DType::F32 | DType::F16 | DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => pass.run::<f32>(),
        DType::F64 => pass.run::<f64>(),
        DType::C64 => Pass { values: 2, ..pass }.run::<f32>(),
        DType::C128 => Pass { values: 2, ..pass }.run::<f64>(),
    }
}

struct Pass<'a> {
    ctx: &'a Ctx<'a>,
    input: &'a Input,
    bins: bool,
    done: &'a AtomicU64,
    /// Values of an element: two of a complex one.
    values: usize,
}

const _: () = assert!(size_of::<Bit>() == 1, "a bool's lane is a byte");

impl Pass<'_> {
    fn run<T: Figure>(&self) -> Result<Survey, Fault> {
        let size = self.input.view.layout.size();
        let from = source(self.input);
        let counters: Vec<AtomicU64> = (0..BINS).map(|_| AtomicU64::new(0)).collect();
        let init = || State { lanes: room(16), tables: self.bins.then(|| Box::new([[0; BINS]; 4])) };
        let mut whole = Part::<T>::default();
        let tile = |state: &mut State, start, end| self.tile::<T>(state, &from, start, end, &counters);
        parts(self.ctx, size, bytes(self.input), self.done, init, tile, |part| whole.join(&part))?;
        let bins = self.bins.then(|| {
            let mut out = Box::new([0; BINS]);
            out.iter_mut().zip(&counters).for_each(|(out, c)| *out = c.load(Ordering::Relaxed));
            out
        });
        let any = whole.finite > 0;
        Ok(Survey {
            count: (size * self.values) as u64,
            zeros: whole.zeros,
            nans: whole.nans,
            infs: whole.infs,
            range: any.then(|| (whole.least.scalar(), whole.greatest.scalar())),
            mean: if any { whole.mean } else { f64::NAN },
            sd: if any { (whole.squares / whole.finite as f64).sqrt() } else { f64::NAN },
            bins,
        })
    }

    fn tile<T: Figure>(
        &self,
        state: &mut State,
        from: &Source,
        start: usize,
        end: usize,
        counters: &[AtomicU64],
    ) -> Part<T> {
        let mut part = Part::default();
        for at in (start..end).step_by(CHUNK) {
            let n = CHUNK.min(end - at);
            // SAFETY: the positions exist and the room holds CHUNK of the largest lanes; lanes of complex numbers are
            // twice as many of their parts, and those of a bool are bytes.
            unsafe {
                let lanes = from.load(at, n, state.lanes.as_mut_ptr()).cast::<T>();
                for piece in 0..self.values {
                    let lanes = lanes.add(piece * n);
                    part.join(&chunk(lanes, n));
                    if let Some(tables) = &mut state.tables {
                        sort_in::<T>()(lanes, n, tables);
                    }
                }
            }
        }
        if let Some(tables) = &mut state.tables {
            for (bin, counter) in counters.iter().enumerate() {
                let sum: u32 = tables.iter().map(|t| t[bin]).sum();
                if sum > 0 {
                    counter.fetch_add(u64::from(sum), Ordering::Relaxed);
                }
            }
            **tables = [[0; BINS]; 4];
        }
        part
    }
}
