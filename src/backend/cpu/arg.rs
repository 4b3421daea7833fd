//! Argmin and argmax: the state is the best value with its place. The first of equals wins, and the first NaN over all.

use super::join::Joiner;
use super::lane::{Lane, with_lane};
use super::simd::simd;
use crate::tensor::DType;

/// The best value so far; `place` is `NOWHERE` before the first one.
#[derive(Clone, Copy)]
#[repr(C)]
struct Best<T> {
    value: T,
    place: i64,
}

const NOWHERE: i64 = i64::MAX;

/// Which end is looked for.
trait End: Copy + 'static {
    fn beats<T: Lane>(a: T, b: T) -> bool;
    fn worst<T: Lane>() -> T;
}

#[derive(Clone, Copy)]
struct Least;
#[derive(Clone, Copy)]
struct Most;

impl End for Least {
    #[inline(always)]
    fn beats<T: Lane>(a: T, b: T) -> bool {
        a.less(b)
    }
    fn worst<T: Lane>() -> T {
        T::GREATEST
    }
}

impl End for Most {
    #[inline(always)]
    fn beats<T: Lane>(a: T, b: T) -> bool {
        b.less(a)
    }
    fn worst<T: Lane>() -> T {
        T::LEAST
    }
}

/// True where `a`, standing behind `b`, takes its place.
#[inline(always)]
fn replaces<T: Lane, E: End>(a: Best<T>, b: Best<T>) -> bool {
    if a.place == NOWHERE {
        return false;
    }
    b.place == NOWHERE || (!b.value.is_nan() && (a.value.is_nan() || E::beats(a.value, b.value)))
}

pub(super) fn joiner(dtype: DType, most: bool) -> Joiner {
    if most { with_lane!(dtype, T => make::<T, Most>()) } else { with_lane!(dtype, T => make::<T, Least>()) }
}

fn make<T: Lane, E: End>() -> Joiner {
    Joiner {
        state: size_of::<Best<T>>(),
        lane: size_of::<T>(),
        result: DType::I64,
        fill: fill::<T, E>,
        fold: fold::<T, E>,
        columns: columns::<T, E>,
        join: join_states::<T, E>,
        finish: finish::<T>,
        empty,
        scan: scan::<T, E>,
    }
}

/// # Safety
/// Room for `n` states.
unsafe fn fill<T: Lane, E: End>(states: *mut u8, n: usize) {
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { states.cast::<Best<T>>().add(i).write(Best { value: E::worst(), place: NOWHERE }) };
    }
}

/// # Safety
/// Room for `n` lanes of i64.
unsafe fn empty(lanes: *mut u8, n: usize) {
    // SAFETY: the caller's contract.
    unsafe { std::ptr::write_bytes(lanes.cast::<i64>(), 0, n) };
}

/// # Safety
/// `n` states, room for `n` lanes of i64; the same place or apart: a place is written after its state was read, and
/// no state is smaller than an i64.
unsafe fn finish<T: Lane>(states: *const u8, n: usize, lanes: *mut u8) {
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { lanes.cast::<i64>().add(i).write(states.cast::<Best<T>>().add(i).read().place) };
    }
}

simd! {
    /// The extreme of the values, NaN first: what a block is worth before anyone looks where it stands.
    /// # Safety
    /// `lanes` holds n values, n > 0.
    fn extreme<T: Lane, E: End>(lanes: *const T, n: usize) -> T {
        let lanes = std::slice::from_raw_parts(lanes, n);
        let better = |a: T, b: T| if E::beats(a, b) | a.is_nan() { a } else { b };
        let (blocks, rest) = lanes.as_chunks::<32>();
        let mut wide = [E::worst::<T>(); 32];
        for block in blocks {
            for i in 0..32 {
                wide[i] = better(wide[i], block[i]);
            }
        }
        rest.iter().chain(&wide).fold(E::worst(), |a, &b| better(a, b))
    }
}

/// # Safety
/// `lanes` holds n values, `state` is one state.
unsafe fn fold<T: Lane, E: End>(lanes: *const u8, n: usize, first: usize, state: *mut u8) {
    if n == 0 {
        return;
    }
    let state = state.cast::<Best<T>>();
    // SAFETY: the caller's contract, n > 0.
    unsafe {
        let value = extreme::<T, E>()(lanes.cast(), n);
        if !replaces::<T, E>(Best { value, place: first as i64 }, state.read()) {
            return;
        }
        let lanes = std::slice::from_raw_parts(lanes.cast::<T>(), n);
        let at = lanes.iter().position(|&x| x == value || (value.is_nan() && x.is_nan()));
        state.write(Best { value, place: (first + at.unwrap_or(0)) as i64 });
    }
}

/// # Safety
/// `states` holds `width` states, `lanes` n values; `width` and `n` are multiples of `same`.
unsafe fn columns<T: Lane, E: End>(
    states: *mut u8,
    width: usize,
    lanes: *const u8,
    n: usize,
    first: usize,
    same: usize,
) {
    let (states, lanes) = (states.cast::<Best<T>>(), lanes.cast::<T>());
    for group in 0..n / same {
        for i in group * same..(group + 1) * same {
            // SAFETY: i < n, and the state's index is below width.
            unsafe {
                let state = states.add(i % width);
                let new = Best { value: lanes.add(i).read(), place: (first + group) as i64 };
                if replaces::<T, E>(new, state.read()) {
                    state.write(new);
                }
            }
        }
    }
}

/// # Safety
/// Both hold n states; they do not overlap, and the places of `others` stand behind those of `states`.
unsafe fn join_states<T: Lane, E: End>(states: *mut u8, others: *const u8, n: usize) {
    let (states, others) = (states.cast::<Best<T>>(), others.cast::<Best<T>>());
    for i in 0..n {
        // SAFETY: i < n.
        unsafe {
            let other = others.add(i).read();
            if replaces::<T, E>(other, states.add(i).read()) {
                states.add(i).write(other);
            }
        }
    }
}

/// # Safety
/// `state` is one state, `lanes` holds n values, `out` has room for n i64, apart from `lanes`.
unsafe fn scan<T: Lane, E: End>(state: *mut u8, lanes: *const u8, n: usize, first: usize, out: *mut u8) {
    let state = state.cast::<Best<T>>();
    // SAFETY: in bounds by contract.
    unsafe {
        let mut best = state.read();
        for i in 0..n {
            let new = Best { value: lanes.cast::<T>().add(i).read(), place: (first + i) as i64 };
            if replaces::<T, E>(new, best) {
                best = new;
            }
            out.cast::<i64>().add(i).write(best.place);
        }
        state.write(best);
    }
}
