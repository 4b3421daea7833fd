//! The rows against straightforward references.

mod accuracy;
mod exact;
mod special_values;
mod table;

use super::map_row;
use crate::op::lanes::{FINE, Flag, Level, level, testing};
use crate::tensor::DType;
use num_complex::Complex;

/// A Rust type that is a lane.
trait Lane: Copy + Default + PartialEq + std::fmt::Debug {
    const DTYPE: DType;
    fn bits(self) -> u128;
}

macro_rules! lane {
    ($($t:ty, $dtype:ident, $x:ident => $bits:expr);+) => {
        $(impl Lane for $t {
            const DTYPE: DType = DType::$dtype;
            fn bits(self) -> u128 {
                let $x = self;
                $bits
            }
        })+
    };
}

// Every nan is the same value.
lane!(Flag, Bool, x => x.get().into(); u8, U8, x => x.into(); u16, U16, x => x.into(); u32, U32, x => x.into();
    u64, U64, x => x.into(); i8, I8, x => x as u128; i16, I16, x => x as u128; i32, I32, x => x as u128;
    i64, I64, x => x as u128;
    f32, F32, x => if x.is_nan() { 1 << 40 } else { x.to_bits().into() };
    f64, F64, x => if x.is_nan() { 1 << 70 } else { x.to_bits().into() };
    Complex<f32>, C64, x => x.re.bits() << 64 | x.im.bits();
    Complex<f64>, C128, x => x.re.bits() << 64 ^ x.im.bits());

/// Runs a row at one level over arguments that all have `n` lanes.
fn launch<R: Lane>(name: &str, dtypes: &[DType], args: &[*const u8; 3], n: usize) -> Result<Vec<R>, usize> {
    let row = map_row(name).unwrap_or_else(|| panic!("no row {name}"));
    assert_eq!(row.arity as usize, dtypes.len());
    let lanes = (row.lanes)(dtypes).unwrap_or_else(|| panic!("no lanes of {name} for {dtypes:?}"));
    let mut out = vec![R::default(); n];
    // SAFETY: the callers' arguments are vectors of n lanes of the dtypes named, and `out` is a vector of its own.
    match unsafe { lanes(args, out.as_mut_ptr().cast(), n) } {
        FINE => Ok(out),
        lane => Err(lane),
    }
}

/// The same at every level that the machine has: all must agree in every bit.
fn launch_all<R: Lane>(name: &str, dtypes: &[DType], args: &[*const u8; 3], n: usize) -> Result<Vec<R>, usize> {
    let first = launch::<R>(name, dtypes, args, n);
    let best = level();
    for lower in [Level::Plain, Level::Avx2].into_iter().filter(|&l| l < best) {
        testing::LEVEL.set(Some(lower));
        let other = launch::<R>(name, dtypes, args, n);
        testing::LEVEL.set(None);
        match (&first, &other) {
            (Ok(a), Ok(b)) => {
                for i in 0..n {
                    let (x, y) = (a[i], b[i]);
                    assert_eq!(x.bits(), y.bits(), "{name} {dtypes:?} lane {i}: {x:?} at {best:?}, {y:?} at {lower:?}");
                }
            }
            _ => assert_eq!(first, other, "{name}"),
        }
    }
    first
}

fn run1<A: Lane, R: Lane>(name: &str, a: &[A]) -> Result<Vec<R>, usize> {
    launch_all(name, &[A::DTYPE], &[a.as_ptr().cast(), std::ptr::null(), std::ptr::null()], a.len())
}

fn run2<A: Lane, B: Lane, R: Lane>(name: &str, a: &[A], b: &[B]) -> Result<Vec<R>, usize> {
    assert_eq!(a.len(), b.len());
    let args = [a.as_ptr().cast(), b.as_ptr().cast(), std::ptr::null()];
    launch_all(name, &[A::DTYPE, B::DTYPE], &args, a.len())
}

/// Every pair of two lists, as two columns.
fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).unzip()
}
