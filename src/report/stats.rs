//! The line of statistics under a displayed tensor.

use crate::tensor::{HostArray, Scalar, coordinates};

/// More elements would take longer than a display may.
const MOST: usize = 1 << 18;

/// `min -1.0  max 3.0  mean 0.5  sd 1.2  nan 2, first at [0, 1]`; None for complex numbers, nothing and very much.
pub fn line(array: &HostArray) -> Option<String> {
    let layout = &array.view.layout;
    let size = layout.size();
    if size == 0 || array.view.dtype.is_complex() {
        return None;
    }
    if size > MOST {
        return Some(format!("more than {MOST} elements: `min(x)`, `mean(x)`, `std(x)` tell more"));
    }
    let (mut low, mut high, mut sum, mut nans, mut first) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0usize, None);
    let values: Vec<f64> = (0..size).map(|i| Scalar::to_f64(array.get(i))).collect();
    for (i, &x) in values.iter().enumerate() {
        if x.is_nan() {
            nans += 1;
            first.get_or_insert(i);
        } else {
            (low, high, sum) = (low.min(x), high.max(x), sum + x);
        }
    }
    let count = (size - nans) as f64;
    if count == 0.0 {
        return Some(format!("all {size} are nan"));
    }
    let mean = sum / count;
    let square: f64 = values.iter().filter(|x| !x.is_nan()).map(|x| (x - mean) * (x - mean)).sum();
    let nan = first.map_or(String::new(), |i| format!("  nan {nans}, first at {:?}", coordinates(i, &layout.shape)));
    Some(format!(
        "min {}  max {}  mean {}  sd {}{nan}",
        short(low),
        short(high),
        short(mean),
        short((square / count).sqrt())
    ))
}

/// Four digits are enough to see what is there.
fn short(x: f64) -> String {
    let size = x.abs();
    if x == x.trunc() && size < 1e9 {
        return format!("{x}");
    }
    if (1e-3..1e6).contains(&size) { format!("{x:.4}") } else { format!("{x:.3e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::{Buffer, DType, Layout, View};
    use std::sync::Arc;

    fn array(values: &[f32], shape: &[usize]) -> HostArray {
        let buffer = Arc::new(Buffer::from_slice(values).unwrap());
        HostArray { buffer, view: View { layout: Layout::contiguous(shape).unwrap(), dtype: DType::F32, conj: false } }
    }

    #[test]
    fn the_line_counts_what_is_no_number_apart() {
        let x = array(&[1.0, f32::NAN, 3.0, 2.0], &[2, 2]);
        assert_eq!(line(&x).as_deref(), Some("min 1  max 3  mean 2  sd 0.8165  nan 1, first at [0, 1]"));
        assert_eq!(line(&array(&[f32::NAN], &[1])).as_deref(), Some("all 1 are nan"));
        assert_eq!(line(&array(&[], &[0])), None);
        assert_eq!(line(&array(&[1e-7], &[1])).as_deref(), Some("min 1.000e-7  max 1.000e-7  mean 1.000e-7  sd 0"));
    }
}
