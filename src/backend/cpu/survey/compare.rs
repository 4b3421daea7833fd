//! Differences of two tensors of one shape, whatever their dtypes and layouts.

use super::{bytes, parts, room, source};
use crate::backend::cpu::access::Source;
use crate::backend::cpu::arena::Arena;
use crate::backend::cpu::cast::{CastFn, cast_fn};
use crate::backend::cpu::exec::CHUNK;
use crate::backend::cpu::pool::Ctx;
use crate::backend::cpu::simd::simd;
use crate::kernel::{CastMode, Fault, Input};
use crate::tensor::DType;
use std::sync::atomic::AtomicU64;

/// What still counts as equal, as NumPy's `isclose`: `|a - b| <= atol + rtol * |b|`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tolerance {
    pub atol: f64,
    pub rtol: f64,
}

/// How two tensors differ. NaN equals NaN, an infinity itself. Both parts of complex elements count as values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparison {
    pub count: u64,
    /// Values that differ at all.
    pub unequal: u64,
    /// Values that differ by more than the tolerance.
    pub beyond: u64,
    /// Largest |a - b|; infinite where just one of the two is NaN or an infinity.
    pub max_abs: f64,
    /// Largest |a - b| / |b| over the pairs where b is not 0.
    pub max_rel: f64,
    /// The element of `max_abs`, the first of several, as a row-major position; None where nothing differs.
    pub worst: Option<usize>,
    /// Over the pairs of finite values: their number, and sums of (a - b)², ab, a², b².
    pub finite: u64,
    pub squares: f64,
    pub ab: f64,
    pub aa: f64,
    pub bb: f64,
}

impl Comparison {
    /// Root of the mean squared difference.
    pub fn rms(&self) -> f64 {
        (self.squares / self.finite as f64).sqrt()
    }

    /// Cosine of the angle between the two; NaN where one of them is all zero.
    pub fn cosine(&self) -> f64 {
        let cosine = self.ab / (self.aa.sqrt() * self.bb.sqrt());
        if cosine.is_nan() { cosine } else { cosine.clamp(-1.0, 1.0) }
    }

    fn join(&mut self, other: &Comparison) {
        if other.worst.is_some() && (self.worst.is_none() || other.max_abs > self.max_abs) {
            (self.worst, self.max_abs) = (other.worst, other.max_abs);
        }
        self.max_rel = self.max_rel.max(other.max_rel);
        self.count += other.count;
        self.unequal += other.unequal;
        self.beyond += other.beyond;
        self.finite += other.finite;
        self.squares += other.squares;
        self.ab += other.ab;
        self.aa += other.aa;
        self.bb += other.bb;
    }

    /// One pair by itself; `apart` is |a - b| where both are finite.
    fn pair(&mut self, at: usize, (a, b): (f64, f64), apart: f64, tolerance: Tolerance) {
        let same = a == b || (a.is_nan() && b.is_nan());
        let finite = a.is_finite() && b.is_finite();
        let apart = match (finite, same) {
            (true, _) => apart,
            (false, true) => 0.0,
            (false, false) => f64::INFINITY,
        };
        if finite {
            self.finite += 1;
            self.squares += apart * apart;
            self.ab += a * b;
            self.aa += a * a;
            self.bb += b * b;
        }
        if apart == 0.0 {
            return;
        }
        self.unequal += 1;
        let near = finite && apart <= tolerance.atol + tolerance.rtol * b.abs();
        self.beyond += u64::from(!near);
        if finite && b != 0.0 {
            self.max_rel = self.max_rel.max(apart / b.abs());
        }
        if self.worst.is_none() || apart > self.max_abs {
            (self.worst, self.max_abs) = (Some(at), apart);
        }
    }
}

/// Values that lie side by side.
const WIDE: usize = 8;

/// Sums over a chunk.
#[derive(Default)]
struct Sums {
    max_abs: f64,
    max_rel: f64,
    unequal: u64,
    beyond: u64,
    squares: f64,
    ab: f64,
    aa: f64,
    bb: f64,
}

/// Marks a function of one instance for `simd!`.
trait Once {}
impl Once for () {}

simd! {
    /// # Safety
    /// Both hold n finite values, n a multiple of WIDE.
    fn sums<T: Once>(a: *const f64, b: *const f64, n: usize, tolerance: Tolerance) -> Sums {
        let (a, _) = std::slice::from_raw_parts(a, n).as_chunks::<WIDE>();
        let (b, _) = std::slice::from_raw_parts(b, n).as_chunks::<WIDE>();
        let (mut abs, mut rel) = ([0.0_f64; WIDE], [0.0_f64; WIDE]);
        let (mut squares, mut ab, mut aa, mut bb) = ([0.0; WIDE], [0.0; WIDE], [0.0; WIDE], [0.0; WIDE]);
        let (mut unequal, mut beyond) = ([0_u64; WIDE], [0_u64; WIDE]);
        for (a, b) in a.iter().zip(b) {
            for i in 0..WIDE {
                let (x, y) = (a[i], b[i]);
                let (apart, size) = ((x - y).abs(), y.abs());
                abs[i] = if apart > abs[i] { apart } else { abs[i] };
                let part = if size > 0.0 { apart / size } else { 0.0 };
                rel[i] = if part > rel[i] { part } else { rel[i] };
                unequal[i] += u64::from(apart > 0.0);
                beyond[i] += u64::from(apart > tolerance.atol + tolerance.rtol * size);
                squares[i] += apart * apart;
                ab[i] += x * y;
                aa[i] += x * x;
                bb[i] += y * y;
            }
        }
        let sum = |values: [f64; WIDE]| values.iter().fold(0.0, |a, b| a + b);
        let most = |values: [f64; WIDE]| values.iter().fold(0.0, |a: f64, b| a.max(*b));
        Sums {
            max_abs: most(abs),
            max_rel: most(rel),
            unequal: unequal.iter().sum(),
            beyond: beyond.iter().sum(),
            squares: sum(squares),
            ab: sum(ab),
            aa: sum(aa),
            bb: sum(bb),
        }
    }
}

/// Compares values that lie side by side; `first` is the place of the first pair.
fn chunk(a: &[f64], b: &[f64], first: usize, tolerance: Tolerance) -> Comparison {
    let mut out = Comparison { count: a.len() as u64, ..Comparison::default() };
    let finite = |v: &[f64]| v.iter().fold(true, |all, x| all & (x.abs() <= f64::MAX));
    let whole = if finite(a) && finite(b) { a.len() / WIDE * WIDE } else { 0 };
    if whole > 0 {
        // SAFETY: both slices hold `whole` finite values.
        let sums = unsafe { sums::<()>()(a.as_ptr(), b.as_ptr(), whole, tolerance) };
        let place = (sums.max_abs > 0.0).then(|| (0..whole).find(|&i| (a[i] - b[i]).abs() == sums.max_abs)).flatten();
        out = Comparison {
            count: out.count,
            unequal: sums.unequal,
            beyond: sums.beyond,
            max_abs: sums.max_abs,
            max_rel: sums.max_rel,
            worst: place.map(|i| first + i),
            finite: whole as u64,
            squares: sums.squares,
            ab: sums.ab,
            aa: sums.aa,
            bb: sums.bb,
        };
    }
    for i in whole..a.len() {
        out.pair(first + i, (a[i], b[i]), (a[i] - b[i]).abs(), tolerance);
    }
    out
}

/// One side: where its lanes come from and how they become values.
struct Side {
    from: Source,
    dtype: DType,
    cast: Option<CastFn>,
}

impl Side {
    fn new(input: &Input, values: DType) -> Side {
        Side {
            from: source(input),
            dtype: input.view.dtype,
            cast: cast_fn(input.view.dtype, values, CastMode::Saturate),
        }
    }

    /// Lanes and values of a chunk.
    ///
    /// # Safety
    /// The positions exist; both rooms hold CHUNK lanes of 16 bytes.
    unsafe fn read(&self, at: usize, n: usize, lanes: *mut u8, values: *mut u8) -> (*const u8, *const u8) {
        // SAFETY: the caller's contract.
        unsafe {
            let lanes = self.from.load(at, n, lanes);
            match self.cast {
                // Conversions to f64 and c128 never fail.
                Some(cast) => {
                    cast(lanes, values, n);
                    (lanes, values)
                }
                None => (lanes, lanes),
            }
        }
    }

    /// Integers that f64 does not hold.
    fn is_long(&self) -> bool {
        matches!(self.dtype, DType::I64 | DType::U64)
    }

    /// # Safety
    /// `lanes` holds more than i values of a long dtype.
    unsafe fn long(&self, lanes: *const u8, i: usize) -> i128 {
        // SAFETY: the caller's contract.
        unsafe {
            match self.dtype {
                DType::U64 => lanes.cast::<u64>().add(i).read_unaligned().into(),
                _ => lanes.cast::<i64>().add(i).read_unaligned().into(),
            }
        }
    }
}

pub(super) fn run(
    ctx: &Ctx,
    a: &Input,
    b: &Input,
    tolerance: Tolerance,
    done: &AtomicU64,
) -> Result<Comparison, Fault> {
    let complex = a.view.dtype.is_complex() || b.view.dtype.is_complex();
    let (values, parts_of) = if complex { (DType::C128, 2) } else { (DType::F64, 1) };
    let (left, right) = (Side::new(a, values), Side::new(b, values));
    let size = a.view.layout.size();
    let init = || [room(16), room(16), room(16), room(16)];
    let mut whole = Comparison::default();
    let tile = |rooms: &mut [Arena; 4], start: usize, end: usize| {
        let mut part = Comparison::default();
        for at in (start..end).step_by(CHUNK) {
            let n = CHUNK.min(end - at);
            let [la, va, lb, vb] = rooms.each_mut().map(|r| r.as_mut_ptr());
            // SAFETY: the positions exist in both, which have one shape; lanes of `values` are `parts_of` f64 each, and
            // those of long integers are read as such.
            unsafe {
                let ((la, va), (lb, vb)) = (left.read(at, n, la, va), right.read(at, n, lb, vb));
                let va = std::slice::from_raw_parts(va.cast::<f64>(), n * parts_of);
                let vb = std::slice::from_raw_parts(vb.cast::<f64>(), n * parts_of);
                if left.is_long() && right.is_long() {
                    part.count += n as u64;
                    for i in 0..n {
                        let apart = (left.long(la, i) - right.long(lb, i)).unsigned_abs() as f64;
                        // Values that f64 holds as one are told apart by their distance.
                        part.pair(at + i, (va[i], vb[i]), apart, tolerance);
                    }
                } else {
                    part.join(&chunk(va, vb, at * parts_of, tolerance));
                }
            }
        }
        part
    };
    parts(ctx, size, bytes(a) + bytes(b), done, init, tile, |part| whole.join(&part))?;
    whole.worst = whole.worst.map(|place| place / parts_of);
    Ok(whole)
}
