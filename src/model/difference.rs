//! Two files tensor by tensor.

use super::{Contents, input};
use crate::backend::{Comparison, Cpu, Tolerance, Watched};
use crate::base::Diag;
use crate::file::Loaded;
use crate::tensor::{HostArray, Scalar, Shape, coordinates};

/// Which tensors belong together: those of one name. Two files of one tensor each need no names.
pub struct Pairs<'a> {
    /// Names in the first file and in the second, in the order of the first.
    pub both: Vec<(&'a str, &'a str)>,
    pub only_a: Vec<&'a str>,
    pub only_b: Vec<&'a str>,
}

pub fn pairs<'a>(a: &'a Contents, b: &'a Contents, glob: Option<&str>) -> Pairs<'a> {
    let names = |c: &'a Contents| match glob {
        Some(pattern) => c.glob(pattern),
        None => c.names(),
    };
    if let ([one], [other], true) = (&a.names()[..], &b.names()[..], a.is_lone() || b.is_lone()) {
        return Pairs { both: vec![(one, other)], only_a: Vec::new(), only_b: Vec::new() };
    }
    let (left, right) = (names(a), names(b));
    let known: std::collections::HashSet<&str> = right.iter().copied().collect();
    let mine: std::collections::HashSet<&str> = left.iter().copied().collect();
    Pairs {
        both: left.iter().filter(|n| known.contains(**n)).map(|n| (*n, *n)).collect(),
        only_a: left.iter().filter(|n| !known.contains(**n)).copied().collect(),
        only_b: right.iter().filter(|n| !mine.contains(**n)).copied().collect(),
    }
}

/// What became of one pair.
pub enum Outcome {
    /// Their shapes; the values were not looked at.
    Shapes(Shape, Shape),
    Values(Box<Values>),
}

pub struct Values {
    pub comparison: Comparison,
    pub shape: Shape,
    /// Names of the dtypes of both.
    pub dtypes: [String; 2],
    /// Index of the worst pair and both its values.
    pub worst: Option<(Vec<usize>, [Scalar; 2])>,
}

impl Outcome {
    pub fn differs(&self) -> bool {
        match self {
            Outcome::Shapes(..) => true,
            Outcome::Values(values) => values.comparison.beyond > 0,
        }
    }
}

/// Compares two tensors. E0701 where it is interrupted, E0614 where a file was changed meanwhile.
pub fn compare(cpu: &Cpu, a: &Loaded, b: &Loaded, tolerance: Tolerance, watched: &Watched) -> Result<Outcome, Diag> {
    let (left, right) = (input(a), input(b));
    let (shape, other) = (&left.view.layout.shape, &right.view.layout.shape);
    if shape != other {
        return Ok(Outcome::Shapes(shape.clone(), other.clone()));
    }
    let comparison = cpu.compare(&left, &right, tolerance, watched).map_err(|f| f.kind.diag())?;
    let worst = comparison.worst.map(|place| {
        let value = |i: &crate::kernel::Input| HostArray { buffer: i.buffer.clone(), view: i.view.clone() }.get(place);
        (coordinates(place, shape).to_vec(), [value(&left), value(&right)])
    });
    a.source.check()?;
    b.source.check()?;
    let dtypes = [a.encoding.name().to_owned(), b.encoding.name().to_owned()];
    Ok(Outcome::Values(Box::new(Values { comparison, shape: shape.clone(), dtypes, worst })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Cancel, Input};
    use crate::tensor::{Buffer, DType, Layout, View};
    use bytemuck::Pod;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    fn made<T: Pod>(values: &[T], dtype: DType) -> Input {
        let layout = Layout::contiguous(&[size_of_val(values) / dtype.size()]).expect("small");
        Input { buffer: Arc::new(Buffer::from_slice(values).expect("room")), view: View { layout, dtype, conj: false } }
    }

    fn compared(a: &Input, b: &Input, atol: f64, rtol: f64, threads: usize) -> Comparison {
        let (cancel, done) = (Cancel::default(), AtomicU64::new(0));
        let watched = Watched { cancel: &cancel, done: &done };
        Cpu::new(threads).compare(a, b, Tolerance { atol, rtol }, &watched).expect("runs")
    }

    #[test]
    fn figures_of_a_few_values() {
        let a = made(&[1.0_f32, 2.0, 0.0, -4.0, 5.0], DType::F32);
        let b = made(&[1.0_f64, 2.5, 1e-3, -4.0, 5.0], DType::F64);
        let c = compared(&a, &b, 0.0, 0.0, 1);
        assert_eq!((c.count, c.unequal, c.beyond, c.max_abs, c.worst), (5, 2, 2, 0.5, Some(1)));
        assert_eq!(c.max_rel, 1.0);
        assert!((c.rms() - ((0.25 + 1e-6) / 5.0_f64).sqrt()).abs() < 1e-12);
        let cosine = 47.0 / (46.0_f64.sqrt() * (48.25 + 1e-6_f64).sqrt());
        assert!((c.cosine() - cosine).abs() < 1e-12);
        assert_eq!(compared(&a, &b, 1e-2, 0.0, 1).beyond, 1);
        assert_eq!(compared(&a, &b, 1e-2, 0.2, 1).beyond, 0);
        assert_eq!(compared(&a, &b, 1e-2, 0.2, 1).unequal, 2);
    }

    #[test]
    fn nan_equals_nan_and_infinities_themselves() {
        let a = made(&[f32::NAN, f32::INFINITY, 1.0], DType::F32);
        let same = compared(&a, &a, 0.0, 0.0, 1);
        assert_eq!((same.unequal, same.worst, same.max_abs), (0, None, 0.0));
        let c = compared(&a, &made(&[f32::NAN, f32::NEG_INFINITY, 1.0], DType::F32), 1e9, 1e9, 1);
        assert_eq!((c.beyond, c.worst, c.max_abs, c.finite), (1, Some(1), f64::INFINITY, 1));
    }

    #[test]
    fn long_integers_differ_by_one() {
        let (a, b) = (made(&[i64::MAX, 3], DType::I64), made(&[i64::MAX as u64 - 1, 3], DType::U64));
        let c = compared(&a, &b, 0.0, 0.0, 1);
        assert_eq!((c.unequal, c.max_abs, c.worst), (1, 1.0, Some(0)));
    }

    #[test]
    fn complex_places_count_elements_and_threads_do_not_matter() {
        let (a, mut other) = (vec![0.5_f64; 800_000], vec![0.5_f64; 800_000]);
        other[700_001] = 9.0;
        let (a, b) = (made(&a, DType::C128), made(&other, DType::C128));
        let (one, many) = (compared(&a, &b, 0.0, 0.0, 1), compared(&a, &b, 0.0, 0.0, 4));
        assert_eq!((one.worst, one.max_abs, one.unequal), (Some(350_000), 8.5, 1));
        assert_eq!((one.rms().to_bits(), one.cosine().to_bits()), (many.rms().to_bits(), many.cosine().to_bits()));
    }
}
