use super::LayoutFault;
use super::exact::{Term, Verdict, solvable};
use smallvec::SmallVec;

/// Up to six axes live without an allocation.
pub type Dims = SmallVec<[usize; 6]>;
/// Extents, outermost axis first.
pub type Shape = Dims;
/// Signed strides in elements.
pub type Strides = SmallVec<[isize; 6]>;

/// How the axes of a tensor lie in its buffer.
///
/// Element `[i0, i1, …]` stands at `offset + i0 * strides[0] + i1 * strides[1] + …`, counted in elements of the
/// view's dtype (blocks on a packed axis) from the start of the buffer.
///
/// Invariants:
/// 1. `shape.len() == strides.len()`.
/// 2. The product of the extents, and every offset reached, fit in isize.
/// 3. Every element reached lies inside the buffer (the maker's duty; `bounds` says which elements those are).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Layout {
    pub shape: Shape,
    pub strides: Strides,
    pub offset: isize,
}

/// The axis that `axis` names, counted from the front.
pub fn axis(axis: i64, ndim: usize) -> Result<usize, LayoutFault> {
    let n = ndim as i64;
    let at = if axis < 0 { axis.saturating_add(n) } else { axis };
    if (0..n).contains(&at) { Ok(at as usize) } else { Err(LayoutFault::AxisOutOfRange { axis, ndim }) }
}

/// The index of a row-major position.
pub fn coordinates(mut position: usize, shape: &[usize]) -> Shape {
    let mut out: Shape = shape.iter().map(|_| 0).collect();
    for (at, &extent) in out.iter_mut().zip(shape).rev() {
        *at = position % extent.max(1);
        position /= extent.max(1);
    }
    out
}

/// The axes that a list names, in its order; naming one twice is a fault.
pub fn axes(list: &[i64], ndim: usize) -> Result<SmallVec<[usize; 6]>, LayoutFault> {
    let mut out: SmallVec<[usize; 6]> = SmallVec::new();
    for &a in list {
        let a = axis(a, ndim)?;
        if out.contains(&a) {
            return Err(LayoutFault::AxisRepeated { axis: a });
        }
        out.push(a);
    }
    Ok(out)
}

/// The shape that all `shapes` broadcast to.
pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Shape, LayoutFault> {
    let ndim = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out: Shape = SmallVec::from_elem(1, ndim);
    for from_right in 1..=ndim {
        let extent = &mut out[ndim - from_right];
        for &shape in shapes.iter().filter(|s| s.len() >= from_right) {
            let e = shape[shape.len() - from_right];
            if *extent == 1 {
                *extent = e;
            } else if e != 1 && e != *extent {
                let shapes = shapes.iter().map(|s| Shape::from_slice(s)).collect();
                return Err(LayoutFault::NotBroadcastable { shapes, axis_from_right: from_right });
            }
        }
    }
    check_size(&out)?;
    Ok(out)
}

/// Invariant 2 for a contiguous layout. Empty axes count as 1, so that strides stay small too.
pub(super) fn check_size(shape: &[usize]) -> Result<(), LayoutFault> {
    let product = shape.iter().try_fold(1isize, |n, &e| n.checked_mul(isize::try_from(e.max(1)).ok()?));
    match product {
        Some(_) => Ok(()),
        None => Err(LayoutFault::TooLarge { shape: shape.to_vec() }),
    }
}

impl Layout {
    /// Row-major from offset 0.
    pub fn contiguous(shape: &[usize]) -> Result<Layout, LayoutFault> {
        check_size(shape)?;
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        let mut stride = 1;
        for (s, &extent) in strides.iter_mut().zip(shape).rev() {
            *s = stride;
            stride *= extent.max(1) as isize;
        }
        Ok(Layout { shape: Shape::from_slice(shape), strides, offset: 0 })
    }

    /// No axes, the element at offset 0.
    pub fn scalar() -> Layout {
        Layout::default()
    }

    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    pub fn size(&self) -> usize {
        if self.shape.contains(&0) { 0 } else { self.shape.iter().product() }
    }

    /// Whether the elements lie row-major without gaps, at any offset. Axes of extent 1 and empty shapes never
    /// disturb.
    pub fn is_contiguous(&self) -> bool {
        if self.shape.contains(&0) {
            return true;
        }
        let mut expected = 1;
        for (&extent, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if extent != 1 {
                if stride != expected {
                    return false;
                }
                expected *= extent as isize;
            }
        }
        true
    }

    /// The element offset of a row-major position below `size`.
    pub fn offset_of(&self, linear: usize) -> isize {
        let mut rest = linear;
        let mut offset = self.offset;
        for (&extent, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if rest == 0 {
                break;
            }
            offset += (rest % extent) as isize * stride;
            rest /= extent;
        }
        offset
    }

    /// All element offsets in row-major order.
    pub fn offsets(&self) -> Offsets<'_> {
        Offsets { layout: self, at: SmallVec::from_elem(0, self.ndim()), offset: self.offset, left: self.size() }
    }

    /// The smallest and the largest element offset reached; None where the layout is empty.
    pub fn bounds(&self) -> Option<(isize, isize)> {
        if self.shape.contains(&0) {
            return None;
        }
        let (mut low, mut high) = (self.offset, self.offset);
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = (extent - 1) as isize * stride;
            if reach < 0 { low += reach } else { high += reach }
        }
        Some((low, high))
    }

    /// Whether no two positions share an element, so that the view may be written. Exact, but for layouts that only
    /// `as_strided` makes and whose exact answer would take too long: those count as not injective.
    pub fn is_injective(&self) -> bool {
        if self.shape.contains(&0) {
            return true;
        }
        let mut axes: SmallVec<[(i128, i128); 6]> = (self.shape.iter().zip(&self.strides))
            .filter(|&(&extent, _)| extent > 1)
            .map(|(&extent, &stride)| ((stride as i128).abs(), extent as i128 - 1))
            .collect();
        axes.sort_unstable();
        let mut reach = 0;
        let mut nested = true;
        for &(stride, last) in &axes {
            nested &= stride > reach;
            reach += stride * last;
        }
        // More positions than elements in reach must meet.
        nested || (self.size() as i128 <= reach + 1 && !collides(&axes))
    }
}

/// Whether two different positions meet. Their difference `d` solves `sum d[k] * stride[k] = 0` with
/// `|d[k]| <= last[k]`, and its first non-zero part can be taken as positive.
fn collides(axes: &[(i128, i128)]) -> bool {
    (0..axes.len()).any(|first| {
        let (stride, last) = axes[first];
        // d[first] = 1 + x, d[k] = -last[k] + y: shift all unknowns to start at zero.
        let mut target = -stride;
        let mut terms = vec![Term { factor: stride, most: last - 1 }];
        for &(stride, last) in &axes[first + 1..] {
            target += stride * last;
            terms.push(Term { factor: stride, most: 2 * last });
        }
        solvable(terms, target) != Verdict::No
    })
}

/// Row-major walk over the element offsets of a layout.
pub struct Offsets<'a> {
    layout: &'a Layout,
    at: Dims,
    offset: isize,
    left: usize,
}

impl Iterator for Offsets<'_> {
    type Item = isize;

    fn next(&mut self) -> Option<isize> {
        self.left = self.left.checked_sub(1)?;
        let now = self.offset;
        for axis in (0..self.at.len()).rev() {
            let stride = self.layout.strides[axis];
            self.at[axis] += 1;
            if self.at[axis] < self.layout.shape[axis] {
                self.offset += stride;
                break;
            }
            self.offset -= (self.layout.shape[axis] - 1) as isize * stride;
            self.at[axis] = 0;
        }
        Some(now)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Offsets<'_> {}

#[test]
fn coordinates_count_the_last_axis_first() {
    assert_eq!(coordinates(23, &[2, 3, 4]).as_slice(), [1, 2, 3]);
    assert_eq!(coordinates(13, &[2, 3, 4]).as_slice(), [1, 0, 1]);
    assert!(coordinates(0, &[]).is_empty());
}
