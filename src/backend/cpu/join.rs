//! How values are joined: one set of function pointers for each monoid and dtype, made of generic loops.
//!
//! A *state* is what a reduction holds for one result: the value itself, or value and place for argmin and argmax
//! (`arg.rs`). All loops have a fixed shape, so that the result depends on the number of values only.

use super::arg;
use super::lane::{Bit, Lane, with_float, with_int, with_lane};
use super::simd::simd;
use crate::op::Monoid;
use crate::tensor::DType;

/// Values that one vector loop joins side by side.
const WIDE: usize = 64;

/// A monoid on lanes of one dtype, as function pointers over raw states and lanes.
#[derive(Clone, Copy)]
pub(super) struct Joiner {
    /// Bytes of a state.
    pub(super) state: usize,
    /// Bytes of a lane that is joined.
    pub(super) lane: usize,
    /// Bytes and dtype of a result.
    pub(super) result: DType,
    /// `fill(states, n)` makes them the identity.
    pub(super) fill: unsafe fn(*mut u8, usize),
    /// `fold(lanes, n, first, state)`: joins `state` with n lanes; `first` is the place of the first one.
    pub(super) fold: unsafe fn(*const u8, usize, usize, *mut u8),
    /// `columns(states, width, lanes, n, first, same)`: joins lane `i` into state `i % width`; lanes stand in groups of
    /// `same` values of one place, the first group at place `first`.
    pub(super) columns: unsafe fn(*mut u8, usize, *const u8, usize, usize, usize),
    /// `join(states, others, n)`: state i joined with other i, which stands behind it.
    pub(super) join: unsafe fn(*mut u8, *const u8, usize),
    /// `finish(states, n, lanes)`: the results. `states` and `lanes` may be the same place.
    pub(super) finish: unsafe fn(*const u8, usize, *mut u8),
    /// `empty(lanes, n)`: results of joining nothing.
    pub(super) empty: unsafe fn(*mut u8, usize),
    /// `scan(state, lanes, n, first, out)`: running results; `state` is carried along, `first` is the place of lane 0.
    pub(super) scan: unsafe fn(*mut u8, *const u8, usize, usize, *mut u8),
}

/// An associative operation with an identity.
pub(super) trait Join<T>: Copy + 'static {
    const IDENTITY: T;
    /// What joining no value at all gives.
    const EMPTY: T;
    fn join(a: T, b: T) -> T;
}

macro_rules! join {
    ($name:ident, $identity:ident, $empty:ident, |$a:ident, $b:ident| $e:expr) => {
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl<T: Lane> Join<T> for $name {
            const IDENTITY: T = T::$identity;
            const EMPTY: T = T::$empty;
            #[inline(always)]
            fn join($a: T, $b: T) -> T {
                $e
            }
        }
    };
}
join!(Sum, NOTHING, ZERO, |a, b| a.add(b));
join!(Prod, ONE, ONE, |a, b| a.mul(b));
join!(Min, GREATEST, GREATEST, |a, b| if a.less(b) | a.is_nan() { a } else { b });
join!(Max, LEAST, LEAST, |a, b| if b.less(a) | a.is_nan() { a } else { b });
join!(FMin, IGNORED_MIN, IGNORED_MIN, |a, b| if a.less(b) | b.is_nan() { a } else { b });
join!(FMax, IGNORED_MAX, IGNORED_MAX, |a, b| if b.less(a) | b.is_nan() { a } else { b });

/// The functions for a monoid on lanes of `dtype`. Few loops serve many: wrapping sums know no sign, bools are joined by
/// or and and, and only floats have values to ignore.
pub(super) fn joiner(monoid: Monoid, dtype: DType) -> Joiner {
    let dtype = dtype.lane();
    let real = dtype.is_float();
    match monoid {
        Monoid::ArgMin => arg::joiner(dtype, false),
        Monoid::ArgMax => arg::joiner(dtype, true),
        Monoid::Or => make::<Bit, Sum>(DType::Bool),
        Monoid::And => make::<Bit, Prod>(DType::Bool),
        Monoid::Sum | Monoid::Max | Monoid::FMax if dtype == DType::Bool => make::<Bit, Sum>(dtype),
        Monoid::Prod | Monoid::Min | Monoid::FMin if dtype == DType::Bool => make::<Bit, Prod>(dtype),
        Monoid::Sum if dtype.is_int() => with_int!(unsigned(dtype), T => make::<T, Sum>(dtype)),
        Monoid::Prod if dtype.is_int() => with_int!(unsigned(dtype), T => make::<T, Prod>(dtype)),
        Monoid::Sum => with_float!(dtype, T => make::<T, Sum>(dtype)),
        Monoid::Prod => with_float!(dtype, T => make::<T, Prod>(dtype)),
        Monoid::FMin if real => with_float!(dtype, T => make::<T, FMin>(dtype)),
        Monoid::FMax if real => with_float!(dtype, T => make::<T, FMax>(dtype)),
        Monoid::Min | Monoid::FMin => with_lane!(dtype, T => make::<T, Min>(dtype)),
        Monoid::Max | Monoid::FMax => with_lane!(dtype, T => make::<T, Max>(dtype)),
    }
}

fn unsigned(dtype: DType) -> DType {
    match dtype.size() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::U32,
        _ => DType::U64,
    }
}

fn make<T: Lane, J: Join<T>>(result: DType) -> Joiner {
    Joiner {
        state: size_of::<T>(),
        lane: size_of::<T>(),
        result,
        fill: fill::<T, J>,
        fold: fold::<T, J>(),
        columns: columns::<T, J>(),
        join: join_states::<T, J>,
        finish: finish::<T>,
        empty: empty::<T, J>,
        scan: scan::<T, J>,
    }
}

/// # Safety
/// Room for `n` states.
unsafe fn fill<T: Lane, J: Join<T>>(states: *mut u8, n: usize) {
    let states = states.cast::<T>();
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { states.add(i).write(J::IDENTITY) };
    }
}

/// # Safety
/// Room for `n` lanes.
unsafe fn empty<T: Lane, J: Join<T>>(lanes: *mut u8, n: usize) {
    let lanes = lanes.cast::<T>();
    for i in 0..n {
        // SAFETY: i < n.
        unsafe { lanes.add(i).write(J::EMPTY) };
    }
}

/// # Safety
/// `n` states, room for `n` lanes; the same place or apart.
unsafe fn finish<T: Lane>(states: *const u8, n: usize, lanes: *mut u8) {
    // SAFETY: a state of a plain monoid is its result.
    unsafe { std::ptr::copy(states.cast::<T>(), lanes.cast::<T>(), n) };
}

simd! {
    /// # Safety
    /// `lanes` holds n values, `state` one.
    fn fold<T: Lane, J: Join<T>>(lanes: *const u8, n: usize, _first: usize, state: *mut u8) {
        let lanes = std::slice::from_raw_parts(lanes.cast::<T>(), n);
        let state = state.cast::<T>();
        let joined = if n < 8 {
            lanes.iter().fold(J::IDENTITY, |a, &b| J::join(a, b))
        } else if n < 4 * WIDE {
            fold_wide::<T, J, 8>(lanes)
        } else {
            fold_wide::<T, J, WIDE>(lanes)
        };
        state.write(J::join(state.read(), joined));
    }
}

/// Joins every W-th value side by side, then the W results as a tree. Needs at least W values.
#[inline(always)]
fn fold_wide<T: Lane, J: Join<T>, const W: usize>(lanes: &[T]) -> T {
    let mut wide = [J::IDENTITY; W];
    let (blocks, rest) = lanes.as_chunks::<W>();
    for block in blocks {
        for i in 0..W {
            wide[i] = J::join(wide[i], block[i]);
        }
    }
    for (i, &value) in rest.iter().enumerate() {
        wide[i] = J::join(wide[i], value);
    }
    let mut half = W / 2;
    while half > 0 {
        for i in 0..half {
            wide[i] = J::join(wide[i], wide[i + half]);
        }
        half /= 2;
    }
    wide[0]
}

simd! {
    /// # Safety
    /// `states` holds `width` values, `lanes` n.
    fn columns<T: Lane, J: Join<T>>(
        states: *mut u8, width: usize, lanes: *const u8, n: usize, _first: usize, _same: usize,
    ) {
        let states = std::slice::from_raw_parts_mut(states.cast::<T>(), width);
        let lanes = std::slice::from_raw_parts(lanes.cast::<T>(), n);
        for row in lanes.chunks(width) {
            for (state, &value) in states.iter_mut().zip(row) {
                *state = J::join(*state, value);
            }
        }
    }
}

/// # Safety
/// Both hold n values; they do not overlap.
unsafe fn join_states<T: Lane, J: Join<T>>(states: *mut u8, others: *const u8, n: usize) {
    if n > 0 {
        // SAFETY: the caller's contract.
        unsafe { columns::<T, J>()(states, n, others, n, 0, n) };
    }
}

/// # Safety
/// `state` holds one value, `lanes` n, `out` has room for n, apart from `lanes`.
unsafe fn scan<T: Lane, J: Join<T>>(state: *mut u8, lanes: *const u8, n: usize, _first: usize, out: *mut u8) {
    let (state, lanes, out) = (state.cast::<T>(), lanes.cast::<T>(), out.cast::<T>());
    // SAFETY: in bounds by contract.
    unsafe {
        let mut running = state.read();
        for i in 0..n {
            running = J::join(running, lanes.add(i).read());
            out.add(i).write(running);
        }
        state.write(running);
    }
}
