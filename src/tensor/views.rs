//! Views that rearrange, add, drop or stretch axes.

use super::layout::{axes as axes_at, axis as axis_at, check_size};
use super::{Layout, LayoutFault, Shape, Strides};

impl Layout {
    /// Inserts an axis of extent 1 and stride 0 before axis `at` (at most `ndim`).
    pub fn newaxis(&self, at: usize) -> Layout {
        let mut out = self.clone();
        let at = at.min(self.ndim());
        out.shape.insert(at, 1);
        out.strides.insert(at, 0);
        out
    }

    /// Inserts axes of extent 1; the positions are those of the result.
    pub fn expand_dims(&self, axes: &[i64]) -> Result<Layout, LayoutFault> {
        let mut places = axes_at(axes, self.ndim() + axes.len())?;
        places.sort_unstable();
        Ok(places.into_iter().fold(self.clone(), |view, at| view.newaxis(at)))
    }

    /// Drops the named axes, which must have extent 1; None: all that have.
    pub fn squeeze(&self, axes: Option<&[i64]>) -> Result<Layout, LayoutFault> {
        let drop = match axes {
            Some(list) => axes_at(list, self.ndim())?,
            None => (0..self.ndim()).filter(|&a| self.shape[a] == 1).collect(),
        };
        if let Some(&axis) = drop.iter().find(|&&a| self.shape[a] != 1) {
            return Err(LayoutFault::NotUnit { axis, extent: self.shape[axis] });
        }
        Ok(self.take_axes((0..self.ndim()).filter(|a| !drop.contains(a))))
    }

    /// Axis k of the result is axis `axes[k]` of this layout.
    pub fn permute(&self, axes: &[i64]) -> Result<Layout, LayoutFault> {
        let order = axes_at(axes, self.ndim())?;
        if order.len() != self.ndim() {
            return Err(LayoutFault::AxesIncomplete { given: order.len(), ndim: self.ndim() });
        }
        Ok(self.take_axes(order))
    }

    /// All axes in reverse order.
    pub fn transposed(&self) -> Layout {
        self.take_axes((0..self.ndim()).rev())
    }

    pub fn swapaxes(&self, a: i64, b: i64) -> Result<Layout, LayoutFault> {
        let (a, b) = (axis_at(a, self.ndim())?, axis_at(b, self.ndim())?);
        let mut out = self.clone();
        out.shape.swap(a, b);
        out.strides.swap(a, b);
        Ok(out)
    }

    /// Moves axis `src[k]` to place `dst[k]`; the others keep their order.
    pub fn moveaxis(&self, src: &[i64], dst: &[i64]) -> Result<Layout, LayoutFault> {
        if src.len() != dst.len() {
            let what = "source and destination axes";
            return Err(LayoutFault::ListsDiffer { what, left: src.len(), right: dst.len() });
        }
        let (src, dst) = (axes_at(src, self.ndim())?, axes_at(dst, self.ndim())?);
        let mut others = (0..self.ndim()).filter(|a| !src.contains(a));
        let order = (0..self.ndim()).filter_map(|place| match dst.iter().position(|&d| d == place) {
            Some(k) => Some(src[k]),
            None => others.next(),
        });
        Ok(self.take_axes(order))
    }

    /// Rotates by k quarter turns in the plane of two axes, from the first towards the second.
    pub fn rot90(&self, k: i64, axes: (i64, i64)) -> Result<Layout, LayoutFault> {
        let (a, b) = self.two_axes(axes.0, axes.1)?;
        let flipped = |view: &Layout, axis: usize| view.slice(axis, None, None, Some(-1));
        match k.rem_euclid(4) {
            0 => Ok(self.clone()),
            1 => flipped(self, b)?.swapaxes(a as i64, b as i64),
            2 => flipped(&flipped(self, a)?, b),
            _ => flipped(&self.swapaxes(a as i64, b as i64)?, b),
        }
    }

    /// The elements whose position on axis b exceeds that on axis a by `offset`, as a new last axis.
    pub fn diagonal(&self, offset: i64, a: i64, b: i64) -> Result<Layout, LayoutFault> {
        let (a, b) = self.two_axes(a, b)?;
        let (rows, columns) = (self.shape[a] as i64, self.shape[b] as i64);
        let (row, column) = if offset < 0 { (offset.saturating_neg(), 0) } else { (0, offset) };
        let count = rows.saturating_sub(row).min(columns.saturating_sub(column)).max(0) as usize;
        let mut out = self.take_axes((0..self.ndim()).filter(|&x| x != a && x != b));
        out.shape.push(count);
        out.strides.push(self.strides[a].saturating_add(self.strides[b]));
        if !out.shape.contains(&0) {
            out.offset += row as isize * self.strides[a] + column as isize * self.strides[b];
        }
        Ok(out)
    }

    /// Stretches axes of extent 1, and adds axes in front, with stride 0.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Layout, LayoutFault> {
        let unfit = |axis_from_right| LayoutFault::NotBroadcastTo {
            from: self.shape.to_vec(),
            to: shape.to_vec(),
            axis_from_right,
        };
        let Some(added) = shape.len().checked_sub(self.ndim()) else {
            return Err(unfit(shape.len() + 1));
        };
        check_size(shape)?;
        let mut strides: Strides = smallvec::smallvec![0; shape.len()];
        for axis in (0..self.ndim()).rev() {
            match (self.shape[axis], shape[added + axis]) {
                (have, want) if have == want => strides[added + axis] = self.strides[axis],
                (1, _) => {}
                _ => return Err(unfit(self.ndim() - axis)),
            }
        }
        Ok(Layout { shape: Shape::from_slice(shape), strides, offset: self.offset })
    }

    /// All windows of the given sizes along `axes`, every `steps` positions. The axes keep their places and count the
    /// windows; the positions within a window are new axes at the end, in the order given. An axis may be named
    /// again: it is then cut further.
    pub fn windows(&self, axes: &[i64], sizes: &[usize], steps: &[usize]) -> Result<Layout, LayoutFault> {
        for (what, other) in [("axes and window sizes", sizes), ("axes and window steps", steps)] {
            if axes.len() != other.len() {
                return Err(LayoutFault::ListsDiffer { what, left: axes.len(), right: other.len() });
            }
        }
        let mut out = self.clone();
        for ((&axis, &size), &step) in axes.iter().zip(sizes).zip(steps) {
            let axis = axis_at(axis, self.ndim())?;
            let (extent, stride) = (out.shape[axis], out.strides[axis]);
            if step == 0 {
                return Err(LayoutFault::WindowStep { axis });
            }
            if size > extent {
                return Err(LayoutFault::WindowSize { axis, size, extent });
            }
            out.shape[axis] = (extent - size) / step + 1;
            // A single window never uses the stride between windows.
            out.strides[axis] = isize::try_from(step).ok().and_then(|s| stride.checked_mul(s)).unwrap_or(stride);
            out.shape.push(size);
            out.strides.push(stride);
        }
        check_size(&out.shape)?;
        Ok(out)
    }

    /// Any shape, strides and offset whose elements all lie within a buffer of `buffer_elements`.
    pub fn as_strided(
        &self,
        shape: &[usize],
        strides: &[isize],
        offset: isize,
        buffer_elements: usize,
    ) -> Result<Layout, LayoutFault> {
        if shape.len() != strides.len() {
            let what = "shape and strides";
            return Err(LayoutFault::ListsDiffer { what, left: shape.len(), right: strides.len() });
        }
        check_size(shape)?;
        let empty = shape.contains(&0);
        let (mut low, mut high) = (offset as i128, offset as i128);
        for (&extent, &stride) in shape.iter().zip(strides).filter(|_| !empty) {
            let reach = (extent as i128 - 1).saturating_mul(stride as i128);
            if reach < 0 { low = low.saturating_add(reach) } else { high = high.saturating_add(reach) }
        }
        let inside = 0..buffer_elements as i128 + i128::from(empty);
        if !inside.contains(&low) || !inside.contains(&high) {
            return Err(LayoutFault::OutsideBuffer { low, high, elements: buffer_elements });
        }
        Ok(Layout { shape: Shape::from_slice(shape), strides: Strides::from_slice(strides), offset })
    }

    /// The named axes only; the others are fixed at position 0.
    fn take_axes(&self, order: impl IntoIterator<Item = usize>) -> Layout {
        let mut out = Layout { offset: self.offset, ..Layout::default() };
        for axis in order {
            out.shape.push(self.shape[axis]);
            out.strides.push(self.strides[axis]);
        }
        out
    }

    fn two_axes(&self, a: i64, b: i64) -> Result<(usize, usize), LayoutFault> {
        if self.ndim() < 2 {
            return Err(LayoutFault::TooFewAxes { needed: 2, ndim: self.ndim() });
        }
        let pair = axes_at(&[a, b], self.ndim())?;
        Ok((pair[0], pair[1]))
    }
}
