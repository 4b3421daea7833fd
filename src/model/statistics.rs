//! Statistics of single tensors, and the histogram made readable.

use crate::backend::{BINS, Survey};
use crate::file::Loaded;
use crate::kernel::Input;
use crate::tensor::{Encoding, Layout, View};

/// A tensor of a file as kernels read it: elements in its own order, packed ones counted as though they were decoded.
pub fn input(loaded: &Loaded) -> Input {
    let mut view: View = loaded.view.clone();
    if let Encoding::Packed(_) = loaded.encoding {
        // Opening has checked that the shape is one of memory.
        view.layout = Layout::contiguous(&view.layout.shape).unwrap_or_default();
    }
    Input { buffer: loaded.buffer.clone(), view }
}

/// One bin that is not empty: values in `low .. high` on the side of its sign. Zeros stand in a bin of their own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    pub low: f64,
    pub high: f64,
    pub count: u64,
}

/// The bins that are not empty, from the most negative to the most positive.
pub fn histogram(survey: &Survey) -> Vec<Bin> {
    let Some(bins) = &survey.bins else { return Vec::new() };
    let edge = |exponent: usize| if exponent == 0 { 0.0 } else { 2f64.powi(exponent as i32 - 127) };
    // Exponent 0 holds zeros and what is too small for a normal f32.
    let small = [bins[0], bins[BINS / 2]];
    let mut out = Vec::new();
    for exponent in (0..255).rev() {
        let count = bins[BINS / 2 + exponent] - if exponent == 0 { small[1] } else { 0 };
        if count > 0 {
            out.push(Bin { low: -edge(exponent + 1), high: -edge(exponent), count });
        }
    }
    if small[0] + small[1] > 0 {
        let high = if small[0] + small[1] > survey.zeros { edge(1) } else { 0.0 };
        out.push(Bin { low: 0.0 - high, high, count: small[0] + small[1] });
    }
    for (exponent, &count) in bins.iter().enumerate().take(255).skip(1) {
        if count > 0 {
            out.push(Bin { low: edge(exponent), high: edge(exponent + 1), count });
        }
    }
    out
}

/// Powers of two on each side of a picture.
const SIDE: usize = 8;

/// The histogram as a line of blocks and the edge that its ends stand for: negative values to the left, a power of two
/// a block, everything smaller in the middle. None where there is no finite value.
pub fn picture(survey: &Survey) -> Option<(String, f64)> {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bins = survey.bins.as_ref()?;
    let filled = |e: &usize| bins[*e] + bins[BINS / 2 + e] > 0;
    let top = (0..255).rev().find(filled)?;
    let mut cells = [0_u64; 2 * SIDE + 1];
    for exponent in 0..255 {
        let from_top = top.saturating_sub(exponent);
        for (sign, count) in [(0, bins[exponent]), (1, bins[BINS / 2 + exponent])] {
            let at = match (from_top < SIDE && exponent > 0, sign) {
                (false, _) => SIDE,
                (true, 0) => 2 * SIDE - from_top,
                (true, _) => from_top,
            };
            cells[at] += count;
        }
    }
    let most = cells.iter().copied().max().unwrap_or(0).max(1);
    let block = |count: u64| match count {
        0 => ' ',
        count => BLOCKS[((u128::from(count) * 8).div_ceil(u128::from(most)) as usize).clamp(1, 8) - 1],
    };
    let edge = if top == 0 { 0.0 } else { 2f64.powi(top as i32 - 126) };
    Some((cells.iter().map(|c| block(*c)).collect(), edge))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Cpu, Watched};
    use crate::kernel::Cancel;
    use crate::tensor::{Buffer, DType, Scalar};
    use bytemuck::Pod;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    fn survey<T: Pod>(values: &[T], dtype: DType, threads: usize) -> Survey {
        let layout = Layout::contiguous(&[size_of_val(values) / dtype.size()]).expect("small");
        let buffer = Arc::new(Buffer::from_slice(values).expect("room"));
        let input = Input { buffer, view: View { layout, dtype, conj: false } };
        let (cancel, done) = (Cancel::default(), AtomicU64::new(0));
        Cpu::new(threads).survey(&input, true, &Watched { cancel: &cancel, done: &done }).expect("runs")
    }

    #[test]
    fn figures_of_a_few_values() {
        let s = survey(&[1.0_f32, -2.0, 0.0, f32::NAN, f32::INFINITY, -0.0, 4.0], DType::F32, 1);
        assert_eq!((s.count, s.zeros, s.nans, s.infs), (7, 2, 1, 1));
        assert_eq!(s.range, Some((Scalar::Float(-2.0), Scalar::Float(4.0))));
        assert_eq!(s.mean, 0.6);
        assert!((s.sd - 3.84_f64.sqrt()).abs() < 1e-12, "{}", s.sd);
        let bin = |low, high, count| Bin { low, high, count };
        assert_eq!(histogram(&s), [bin(-4.0, -2.0, 1), bin(0.0, 0.0, 2), bin(1.0, 2.0, 1), bin(4.0, 8.0, 1)]);
        assert_eq!(picture(&s), Some((" ▄      █     ▄ ▄".to_owned(), 8.0)));
    }

    #[test]
    fn nothing_cancels_far_from_zero() {
        let values: Vec<f64> = (0..300_000).map(|i| 1e9 + f64::from(i % 2) * 1e-3).collect();
        let s = survey(&values, DType::F64, 2);
        assert!((s.sd - 5e-4).abs() < 1e-7 && (s.mean - (1e9 + 5e-4)).abs() < 1e-6, "{} {}", s.sd, s.mean);
    }

    #[test]
    fn the_same_on_any_number_of_threads() {
        let values: Vec<f32> = (0..1_000_003_u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32).sin() * 3.0).collect();
        let (one, many) = (survey(&values, DType::F32, 1), survey(&values, DType::F32, 5));
        assert_eq!((one.mean.to_bits(), one.sd.to_bits()), (many.mean.to_bits(), many.sd.to_bits()));
        assert_eq!((one.bins.as_deref(), one.range), (many.bins.as_deref(), many.range));
        let mean = values.iter().map(|x| f64::from(*x)).sum::<f64>() / values.len() as f64;
        assert!((one.mean - mean).abs() < 1e-12);
        assert_eq!(histogram(&one).iter().map(|b| b.count).sum::<u64>(), 1_000_003);
    }

    #[test]
    fn integers_keep_their_digits_and_complex_parts_count() {
        let s = survey(&[i64::MAX, i64::MAX - 1, 0], DType::I64, 1);
        assert_eq!(s.range, Some((Scalar::Int(0), Scalar::Int(i64::MAX))));
        let s = survey(&[u64::MAX, 7], DType::U64, 1);
        assert_eq!(s.range, Some((Scalar::UInt(7), Scalar::UInt(u64::MAX))));
        let s = survey(&[1.0_f32, -3.0, 0.0, f32::NAN], DType::C64, 1);
        assert_eq!((s.count, s.zeros, s.nans, s.range), (4, 1, 1, Some((Scalar::Float(-3.0), Scalar::Float(1.0)))));
        let s = survey::<f32>(&[], DType::F32, 1);
        assert!(s.mean.is_nan() && s.range.is_none() && picture(&s).is_none() && histogram(&s).is_empty());
        let s = survey(&[1e-40_f32, 0.0], DType::F32, 1);
        assert_eq!((histogram(&s).len(), histogram(&s)[0].count, s.zeros), (1, 2, 1));
        let s = survey(&[1e300_f64], DType::F64, 1);
        assert_eq!(histogram(&s)[0].low, 2f64.powi(127));
    }
}
