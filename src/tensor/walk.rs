//! Joint iteration over several layouts of one shape, and the question whether two layouts meet.

use super::exact::{Term, Verdict, solvable};
use super::{Dims, Layout, Strides};
use smallvec::SmallVec;

/// A loop nest over N operands that visits each position once, in an order that suits the memory, not the shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Extents, outermost loop first, none of them 1. Empty: one position. `[0]`: nothing to do.
    pub shape: Dims,
    /// For each operand its strides, in elements, one a loop.
    pub strides: SmallVec<[Strides; 4]>,
    /// For each operand the element offset of the first position visited.
    pub offsets: SmallVec<[isize; 4]>,
}

impl Merged {
    /// Number of positions.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Extent of the innermost loop; 1 where there is none.
    pub fn inner(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// The stride of one operand in the innermost loop; 0 where there is none.
    pub fn inner_stride(&self, operand: usize) -> isize {
        self.strides[operand].last().copied().unwrap_or(0)
    }

    /// Number of rows: positions of all loops but the innermost.
    pub fn rows(&self) -> usize {
        match self.shape.split_last() {
            Some((_, outer)) => outer.iter().product(),
            None => 1,
        }
    }

    /// The offset at which row `row` (below `rows`) begins, for one operand.
    pub fn row_offset(&self, operand: usize, row: usize) -> isize {
        let outer = self.shape.len().saturating_sub(1);
        let (mut rest, mut offset) = (row, self.offsets[operand]);
        for (&extent, &stride) in self.shape[..outer].iter().zip(&self.strides[operand]).rev() {
            if rest == 0 {
                break;
            }
            offset += (rest % extent) as isize * stride;
            rest /= extent;
        }
        offset
    }
}

/// Reorders, flips and joins the axes of `operands`, which all have the shape `shape`, so that few and long loops
/// remain. The first operand counts most (pass the output first): its strides come out descending and not negative.
pub fn merge(shape: &[usize], operands: &[&Layout]) -> Merged {
    debug_assert!(operands.iter().all(|o| o.shape.as_slice() == shape));
    let mut offsets: SmallVec<[isize; 4]> = operands.iter().map(|o| o.offset).collect();
    if shape.contains(&0) {
        let strides = operands.iter().map(|_| smallvec::smallvec![0]).collect();
        return Merged { shape: smallvec::smallvec![0], strides, offsets };
    }
    let mut loops: SmallVec<[Loop; 6]> = (0..shape.len())
        .filter(|&axis| shape[axis] != 1)
        .map(|axis| Loop { extent: shape[axis], strides: operands.iter().map(|o| o.strides[axis]).collect() })
        .collect();
    for axis in &mut loops {
        axis.turn_forward(&mut offsets);
    }
    sort_loops(&mut loops);
    let mut joined: SmallVec<[Loop; 6]> = SmallVec::new();
    for inner in loops {
        match joined.last_mut() {
            Some(outer) if outer.continues(&inner) => {
                outer.extent *= inner.extent;
                outer.strides = inner.strides;
            }
            _ => joined.push(inner),
        }
    }
    Merged {
        shape: joined.iter().map(|l| l.extent).collect(),
        strides: (0..operands.len()).map(|k| joined.iter().map(|l| l.strides[k]).collect()).collect(),
        offsets,
    }
}

/// One loop of a nest: its extent and the stride of each operand.
struct Loop {
    extent: usize,
    strides: SmallVec<[isize; 4]>,
}

impl Loop {
    /// Walks the other way round where the first operand that moves would move down.
    fn turn_forward(&mut self, offsets: &mut [isize]) {
        if self.strides.iter().find(|&&s| s != 0).is_none_or(|&s| s > 0) {
            return;
        }
        for (stride, offset) in self.strides.iter_mut().zip(offsets) {
            *offset += (self.extent - 1) as isize * *stride;
            *stride = -*stride;
        }
    }

    /// Whether this loop belongs inside `other`: by the first operand in which both move and differ.
    fn belongs_inside(&self, other: &Loop) -> bool {
        let steps = self.strides.iter().zip(&other.strides).map(|(a, b)| (a.unsigned_abs(), b.unsigned_abs()));
        steps.filter(|&(a, b)| a != 0 && b != 0 && a != b).map(|(a, b)| a < b).next().unwrap_or(false)
    }

    /// Whether `inner`, run through, ends where the next position of this loop begins, for every operand.
    fn continues(&self, inner: &Loop) -> bool {
        let extent = inner.extent as isize;
        self.strides.iter().zip(&inner.strides).all(|(&outer, &inner)| inner.checked_mul(extent) == Some(outer))
    }
}

/// Insertion sort, outermost first: the comparison skips operands that stand still and so is no total order, but
/// each loop moves out only past loops that belong inside it.
fn sort_loops(loops: &mut [Loop]) {
    for from in 1..loops.len() {
        let mut at = from;
        while at > 0 && loops[at - 1].belongs_inside(&loops[at]) {
            loops.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Whether some byte belongs to an element of both layouts, whose offsets count from the same byte; `asize` and
/// `bsize` are element sizes in bytes. Exact, but for layouts whose answer would take too long: those count as
/// sharing.
pub fn shares_memory(a: &Layout, asize: usize, b: &Layout, bsize: usize) -> bool {
    let (Some(a_bounds), Some(b_bounds)) = (a.bounds(), b.bounds()) else { return false };
    let bytes = |offset: isize, size: usize| offset as i128 * size as i128;
    if bytes(a_bounds.1, asize) + asize as i128 <= bytes(b_bounds.0, bsize)
        || bytes(b_bounds.1, bsize) + bsize as i128 <= bytes(a_bounds.0, asize)
    {
        return false;
    }
    // start_a + sum(a) + u = start_b + sum(b) + v, with bytes u < asize and v < bsize inside the elements. All terms
    // of `a` move up from its lowest element, those of `b` down from its highest.
    let mut terms = vec![Term { factor: 1, most: asize as i128 + bsize as i128 - 2 }];
    for (layout, size) in [(a, asize), (b, bsize)] {
        terms.extend(layout.shape.iter().zip(&layout.strides).map(|(&extent, &stride)| Term {
            factor: (stride as i128).abs() * size as i128,
            most: extent as i128 - 1,
        }));
    }
    let target = bytes(b_bounds.1, bsize) + bsize as i128 - 1 - bytes(a_bounds.0, asize);
    solvable(terms, target) != Verdict::No
}
