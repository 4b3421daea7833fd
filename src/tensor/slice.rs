//! Views that cut along one axis: indices, slices, splits.

use super::layout::axis as axis_at;
use super::{Layout, LayoutFault};

/// Most views that one call may make: a list of a million tensors is no longer a question of layout.
const MOST_PARTS: u64 = 1 << 20;

impl Layout {
    /// Drops an axis at position `i`; negative positions count from its end.
    pub fn index(&self, axis: isize, i: i64) -> Result<Layout, LayoutFault> {
        let axis = axis_at(axis as i64, self.ndim())?;
        let extent = self.shape[axis];
        let at = if i < 0 { i.saturating_add(extent as i64) } else { i };
        if !(0..extent as i64).contains(&at) {
            return Err(LayoutFault::IndexOutOfRange { axis, index: i, extent });
        }
        let mut out = self.clone();
        if !out.shape.contains(&0) {
            out.offset += at as isize * out.strides[axis];
        }
        out.shape.remove(axis);
        out.strides.remove(axis);
        Ok(out)
    }

    /// `start:stop:step` with Python's clipping. An empty cut keeps offset and stride.
    pub fn slice(
        &self,
        axis: usize,
        start: Option<i64>,
        stop: Option<i64>,
        step: Option<i64>,
    ) -> Result<Layout, LayoutFault> {
        let axis = axis_at(axis as i64, self.ndim())?;
        let step = step.unwrap_or(1);
        if step == 0 {
            return Err(LayoutFault::StepZero { axis });
        }
        let (first, count) = clip(self.shape[axis], start, stop, step);
        let mut out = self.clone();
        out.shape[axis] = count;
        if count == 0 || self.shape.contains(&0) {
            return Ok(out);
        }
        let stride = self.strides[axis];
        out.offset += first as isize * stride;
        // An axis of extent 1 never uses its stride, which may then be too large to write down.
        out.strides[axis] = stride.checked_mul(step as isize).unwrap_or(stride);
        Ok(out)
    }

    /// `length` positions from `start` (negative counts from the end), not clipped.
    pub fn narrow(&self, axis: i64, start: i64, length: i64) -> Result<Layout, LayoutFault> {
        let axis = axis_at(axis, self.ndim())?;
        let extent = self.shape[axis];
        let outside = LayoutFault::NarrowOutside { axis, start, length, extent };
        let first = if start < 0 { start.saturating_add(extent as i64) } else { start };
        match first.checked_add(length) {
            Some(stop) if first >= 0 && length >= 0 && stop <= extent as i64 => {
                self.slice(axis, Some(first), Some(stop), None)
            }
            _ => Err(outside),
        }
    }

    /// Walks the named axes backwards; None: all of them.
    pub fn flip(&self, axes: Option<&[i64]>) -> Result<Layout, LayoutFault> {
        let axes = match axes {
            Some(list) => super::axes(list, self.ndim())?,
            None => (0..self.ndim()).collect(),
        };
        axes.into_iter().try_fold(self.clone(), |view, axis| view.slice(axis, None, None, Some(-1)))
    }

    /// Cuts at the given positions, as `a[:c0]`, `a[c0:c1]`, …, `a[cn:]`, each clipped as a slice is.
    pub fn split_at(&self, axis: i64, cuts: &[i64]) -> Result<Vec<Layout>, LayoutFault> {
        let axis = axis_at(axis, self.ndim())?;
        let parts = cuts.len() + 1;
        check_parts(parts as u64)?;
        (0..parts)
            .map(|part| {
                let start = part.checked_sub(1).map(|before| cuts[before]);
                self.slice(axis, start, cuts.get(part).copied(), None)
            })
            .collect()
    }

    /// `parts` pieces of equal extent. With `uneven`, the first pieces are one longer where it does not come out
    /// even; otherwise that is a fault.
    pub fn split_equal(&self, axis: i64, parts: i64, uneven: bool) -> Result<Vec<Layout>, LayoutFault> {
        let axis = axis_at(axis, self.ndim())?;
        let extent = self.shape[axis];
        let Some(count) = usize::try_from(parts).ok().filter(|&p| p > 0) else {
            return Err(LayoutFault::SplitParts { parts });
        };
        if !uneven && !extent.is_multiple_of(count) {
            return Err(LayoutFault::SplitUneven { axis, extent, parts });
        }
        check_parts(count as u64)?;
        let (each, longer) = (extent / count, extent % count);
        let lengths = (0..count).map(|part| each + usize::from(part < longer));
        self.pieces(axis, lengths)
    }

    /// At most `chunks` pieces, all but the last of the same extent, as torch's `chunk`.
    pub fn chunk(&self, axis: i64, chunks: i64) -> Result<Vec<Layout>, LayoutFault> {
        let axis = axis_at(axis, self.ndim())?;
        let extent = self.shape[axis];
        let Some(most) = usize::try_from(chunks).ok().filter(|&c| c > 0) else {
            return Err(LayoutFault::SplitParts { parts: chunks });
        };
        if extent == 0 {
            check_parts(most as u64)?;
            return Ok(vec![self.clone(); most]);
        }
        let each = extent.div_ceil(most);
        let count = extent.div_ceil(each);
        check_parts(count as u64)?;
        self.pieces(axis, (0..count).map(|part| each.min(extent - part * each)))
    }

    /// One view for each position of an axis, without that axis.
    pub fn unstack(&self, axis: i64) -> Result<Vec<Layout>, LayoutFault> {
        let axis = axis_at(axis, self.ndim())?;
        let extent = self.shape[axis];
        check_parts(extent as u64)?;
        (0..extent).map(|i| self.index(axis as isize, i as i64)).collect()
    }

    fn pieces(&self, axis: usize, lengths: impl Iterator<Item = usize>) -> Result<Vec<Layout>, LayoutFault> {
        let mut start = 0;
        lengths
            .map(|length| {
                let view = self.slice(axis, Some(start), Some(start + length as i64), None);
                start += length as i64;
                view
            })
            .collect()
    }
}

fn check_parts(parts: u64) -> Result<(), LayoutFault> {
    if parts > MOST_PARTS { Err(LayoutFault::TooManyParts { parts }) } else { Ok(()) }
}

/// First position and number of positions of a Python slice over `extent`.
fn clip(extent: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> (usize, usize) {
    let n = extent as i64;
    // Forward slices clip to 0..=n, backward ones to -1..=n-1, where -1 means "before the first".
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let place = |bound: i64| {
        let at = if bound < 0 { bound.saturating_add(n) } else { bound };
        at.clamp(low, high)
    };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    let (start, stop) = (start.map_or(first, place), stop.map_or(last, place));
    let distance = if step > 0 { stop - start } else { start - stop };
    if distance <= 0 {
        return (0, 0);
    }
    let count = (distance as u64 - 1) / step.unsigned_abs() + 1;
    (start as usize, count as usize)
}
