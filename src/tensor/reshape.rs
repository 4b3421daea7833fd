//! Reshape, and the two normal forms that decide it: merged axes, and a view of a view.

use super::layout::check_size;
use super::{Layout, LayoutFault, Shape, Strides};
use smallvec::SmallVec;

/// What a reshape takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reshape {
    /// The same elements through other strides.
    View(Layout),
    /// No strides reach the elements in row-major order under this shape.
    Copy(Shape),
}

impl Layout {
    /// The same elements in row-major order under another shape; one extent may be -1. A view exactly where NumPy
    /// gives one.
    pub fn reshape(&self, shape: &[i64]) -> Result<Reshape, LayoutFault> {
        let shape = self.target_shape(shape)?;
        if shape == self.shape {
            return Ok(Reshape::View(self.clone()));
        }
        if self.is_contiguous() {
            return Ok(Reshape::View(Layout { offset: self.offset, ..Layout::contiguous(&shape)? }));
        }
        Ok(match self.restride(&shape) {
            Some(strides) => Reshape::View(Layout { shape, strides, offset: self.offset }),
            None => Reshape::Copy(shape),
        })
    }

    /// Checks the element count and fills in -1.
    fn target_shape(&self, given: &[i64]) -> Result<Shape, LayoutFault> {
        let size = self.size();
        let mismatch = || LayoutFault::ReshapeSize { from: self.shape.clone(), to: given.to_vec() };
        let mut shape = Shape::new();
        let mut unknown = None;
        for (axis, &extent) in given.iter().enumerate() {
            match usize::try_from(extent) {
                Ok(e) => shape.push(e),
                Err(_) if extent != -1 => return Err(LayoutFault::NegativeExtent { extent }),
                Err(_) if unknown.is_some() => return Err(LayoutFault::ReshapeUnknowns { to: given.to_vec() }),
                Err(_) => {
                    unknown = Some(axis);
                    shape.push(1);
                }
            }
        }
        let known = match shape.contains(&0) {
            true => 0,
            false => shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e)).ok_or_else(mismatch)?,
        };
        match unknown {
            Some(axis) if known > 0 && size.is_multiple_of(known) => shape[axis] = size / known,
            None if known == size => {}
            _ => return Err(mismatch()),
        }
        check_size(&shape)?;
        Ok(shape)
    }

    /// The strides that walk this layout of more than one element in row-major order under `shape`, if there are any: each merged
    /// run of axes must be a whole number of new axes.
    fn restride(&self, shape: &[usize]) -> Option<Strides> {
        let runs = self.simplified();
        let mut strides: Strides = smallvec::smallvec![0; shape.len()];
        let mut new = shape.len();
        for (&extent, &stride) in runs.shape.iter().zip(&runs.strides).rev() {
            let mut covered = 1;
            while covered < extent {
                new = new.checked_sub(1)?;
                strides[new] = stride * covered as isize;
                covered *= shape[new];
            }
            if covered != extent {
                return None;
            }
            // Unit axes belong to the run behind them, as in NumPy.
            while new > 0 && shape[new - 1] == 1 {
                new -= 1;
                strides[new] = stride.saturating_mul(covered as isize);
            }
        }
        Some(strides)
    }

    /// The same walk with the fewest axes: unit axes dropped, neighbours joined where the outer stride is the inner
    /// stride times the inner extent (runs of stride 0 join too). Empty layouts become `[0]`.
    pub fn simplified(&self) -> Layout {
        if self.shape.contains(&0) {
            return Layout { shape: smallvec::smallvec![0], strides: smallvec::smallvec![1], offset: self.offset };
        }
        let mut out = Layout { offset: self.offset, ..Layout::default() };
        for (&extent, &stride) in self.shape.iter().zip(&self.strides).filter(|&(&e, _)| e != 1) {
            match (out.shape.last_mut(), out.strides.last_mut()) {
                (Some(e), Some(s)) if Some(*s) == stride.checked_mul(extent as isize) => {
                    *e *= extent;
                    *s = stride;
                }
                _ => {
                    out.shape.push(extent);
                    out.strides.push(stride);
                }
            }
        }
        out
    }

    /// This layout views the row-major positions of a tensor of `inner_shape`, whose elements lie as `inner` says
    /// (`inner.shape == inner_shape`). The layout over inner's buffer that reaches the same elements, if strides can
    /// express it with every axis of `self` moving straight through inner's merged axes.
    pub fn compose(&self, inner_shape: &[usize], inner: &Layout) -> Option<Layout> {
        if inner.shape.as_slice() != inner_shape {
            return None;
        }
        let Some((low, high)) = self.bounds() else {
            return Some(Layout { offset: inner.offset, ..Layout::contiguous(&self.shape).ok()? });
        };
        if low < 0 || high as usize >= inner.size() {
            return None;
        }
        let runs = inner.simplified();
        let start = unravel(self.offset, &runs.shape);
        let (mut lowest, mut highest) = (start.clone(), start.clone());
        let mut out = Layout { shape: self.shape.clone(), strides: Strides::new(), offset: inner.offset };
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            if extent == 1 {
                out.strides.push(0);
                continue;
            }
            // Position 1 on this axis lies in the box too, so its coordinates less those of the start are the only
            // direction that the axis can have.
            let next = unravel(self.offset + stride, &runs.shape);
            let mut moved = 0;
            for (run, (&to, &from)) in next.iter().zip(&start).enumerate() {
                let direction = to - from;
                let reach = direction.checked_mul(extent as isize - 1)?;
                let bound = if reach < 0 { &mut lowest[run] } else { &mut highest[run] };
                *bound = bound.checked_add(reach)?;
                moved += direction * runs.strides[run];
            }
            out.strides.push(moved);
        }
        let inside = |run: usize| lowest[run] >= 0 && highest[run] < runs.shape[run] as isize;
        if !(0..runs.ndim()).all(inside) {
            return None;
        }
        out.offset += start.iter().zip(&runs.strides).map(|(&at, &stride)| at * stride).sum::<isize>();
        Some(out)
    }
}

/// Coordinates of a row-major position that lies within `shape`.
fn unravel(position: isize, shape: &[usize]) -> SmallVec<[isize; 6]> {
    let mut out: SmallVec<[isize; 6]> = smallvec::smallvec![0; shape.len()];
    let mut rest = position;
    for (at, &extent) in out.iter_mut().zip(shape).rev() {
        *at = rest % extent as isize;
        rest /= extent as isize;
    }
    out
}
