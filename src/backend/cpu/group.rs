//! Runs of axes that a kernel treats as one, e.g. the batch, rows and depth of a product.

use crate::tensor::{Shape, Strides};

/// Axes counted row-major as one, with the elements that a step along each moves.
#[derive(Clone, Debug)]
pub struct Group {
    shape: Shape,
    strides: Strides,
    /// Product of the extents.
    pub size: usize,
    /// Elements between neighbours where the axes merge to one (0 where there is one coordinate only).
    pub stride: Option<isize>,
}

impl Group {
    pub fn new(shape: &[usize], strides: &[isize]) -> Group {
        let size = if shape.contains(&0) { 0 } else { shape.iter().product() };
        let mut group = Group { shape: Shape::new(), strides: Strides::new(), size, stride: None };
        for (&extent, &stride) in shape.iter().zip(strides).filter(|(e, _)| **e != 1) {
            match (group.shape.last_mut(), group.strides.last_mut()) {
                (Some(e), Some(s)) if *s == stride.wrapping_mul(extent as isize) => {
                    *e *= extent;
                    *s = stride;
                }
                _ => {
                    group.shape.push(extent);
                    group.strides.push(stride);
                }
            }
        }
        group.stride = match group.strides.as_slice() {
            [] => Some(0),
            [one] => Some(*one),
            _ if size == 0 => Some(0),
            _ => None,
        };
        group
    }

    /// The stride of the fastest axis: tells which of two groups to walk innermost.
    pub fn inner(&self) -> isize {
        self.strides.last().copied().unwrap_or(0)
    }

    /// Elements from coordinate 0 to coordinate `linear` (below `size`).
    pub fn offset(&self, linear: usize) -> isize {
        if let Some(stride) = self.stride {
            return linear as isize * stride;
        }
        let (mut rest, mut offset) = (linear, 0);
        for (&extent, &stride) in self.shape.iter().zip(&self.strides).rev() {
            offset += (rest % extent) as isize * stride;
            rest /= extent;
        }
        offset
    }

    /// The offsets of `out.len()` coordinates from `start` on.
    pub fn offsets(&self, start: usize, out: &mut [isize]) {
        let Some((&extent, outer)) = self.shape.split_last() else {
            out.fill(0);
            return;
        };
        let stride = self.inner();
        let (mut at, mut filled) = (start, 0);
        while filled < out.len() {
            let column = at % extent;
            let run = (extent - column).min(out.len() - filled);
            let base = if outer.is_empty() { column as isize * stride } else { self.offset(at) };
            for (i, to) in out[filled..filled + run].iter_mut().enumerate() {
                *to = base + i as isize * stride;
            }
            filled += run;
            at += run;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Layout;

    #[test]
    fn offsets_agree_with_the_layout_they_came_from() {
        let cases: [(&[usize], &[isize]); 7] = [
            (&[], &[]),
            (&[1, 1], &[7, 9]),
            (&[3, 4], &[4, 1]),
            (&[3, 4], &[1, 3]),
            (&[2, 3, 4], &[-12, 4, 1]),
            (&[2, 3, 4], &[0, -4, -1]),
            (&[3, 2, 3, 2], &[8, 1, 8, 1]),
        ];
        for (shape, strides) in cases {
            let layout = Layout { shape: shape.into(), strides: strides.into(), offset: 0 };
            let group = Group::new(shape, strides);
            let want: Vec<isize> = (0..group.size).map(|i| layout.offset_of(i)).collect();
            assert_eq!((0..group.size).map(|i| group.offset(i)).collect::<Vec<_>>(), want);
            for start in 0..group.size {
                let mut got = vec![0; group.size - start];
                group.offsets(start, &mut got);
                assert_eq!(got, want[start..], "{shape:?} {strides:?} from {start}");
            }
        }
    }

    #[test]
    fn axes_merge_where_one_stride_walks_them() {
        assert_eq!(Group::new(&[3, 4], &[4, 1]).stride, Some(1));
        assert_eq!(Group::new(&[3, 4], &[-8, -2]).stride, Some(-2));
        assert_eq!(Group::new(&[3, 4], &[0, 0]).stride, Some(0));
        assert_eq!(Group::new(&[3, 1, 4], &[1, 99, 3]).stride, None);
        assert_eq!(Group::new(&[0, 4], &[1, 3]).size, 0);
    }
}
