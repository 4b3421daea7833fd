//! What Take and Put share: places that index tensors name, and blocks that move whole behind each of them.

use super::group::Group;
use crate::kernel::{IndexAxis, Input};
use crate::tensor::{Layout, View};
use std::ops::Range;

/// Elements that one tile moves, at least where there are so many.
pub(super) const TILE: usize = 1 << 15;

/// The leading axes, along which positions change, and the trailing ones (the block), along which they do not.
pub(super) struct Walk {
    /// Coordinates along the leading axes.
    pub outer: usize,
    direct: Group,
    indexed: Group,
    indices: Vec<Index>,
    offsets: [isize; 2],
    pub block: Block,
}

/// One index tensor along the leading axes.
struct Index {
    bytes: *const u8,
    offset: isize,
    group: Group,
    /// Elements that a step of the position moves.
    stride: isize,
}

/// The block as loops: extents and the strides of the plain and the indexed side, outermost first.
pub(super) struct Block {
    pub size: usize,
    loops: Vec<(usize, [isize; 2])>,
}

// SAFETY: index bytes are only read, and outlive the launch (the launch holds the buffer).
unsafe impl Send for Walk {}
// SAFETY: as above.
unsafe impl Sync for Walk {}

impl Walk {
    /// `direct` is the side without positions, `indexed` the side to whose offsets they are added; both have `shape`.
    pub(super) fn new(shape: &[usize], direct: &View, indexed: &View, inputs: &[Input], indices: &[IndexAxis]) -> Walk {
        let still = |axis: usize| indices.iter().all(|i| inputs[i.slot].view.layout.strides[axis] == 0);
        let mut from = shape.len();
        while from > 0 && (shape[from - 1] == 1 || still(from - 1)) {
            from -= 1;
        }
        // A block far larger than a tile would keep threads waiting.
        while from < shape.len().saturating_sub(1) && shape[from..].iter().product::<usize>() > 4 * TILE {
            from += 1;
        }
        let lead = |layout: &Layout| Group::new(&layout.shape[..from], &layout.strides[..from]);
        let index = |i: &IndexAxis| {
            let Input { buffer, view } = &inputs[i.slot];
            Index { bytes: buffer.as_ptr(), offset: view.layout.offset, group: lead(&view.layout), stride: i.stride }
        };
        Walk {
            outer: Group::new(&shape[..from], &direct.layout.strides[..from]).size,
            direct: lead(&direct.layout),
            indexed: lead(&indexed.layout),
            indices: indices.iter().map(index).collect(),
            offsets: [direct.layout.offset, indexed.layout.offset],
            block: Block::new(&shape[from..], &direct.layout, &indexed.layout, from),
        }
    }

    /// The offsets of both sides for the leading coordinates `range`.
    pub(super) fn places(&self, range: Range<usize>, direct: &mut Vec<isize>, indexed: &mut Vec<isize>) {
        let mut steps = vec![0; range.len()];
        direct.resize(range.len(), 0);
        indexed.resize(range.len(), 0);
        self.direct.offsets(range.start, direct);
        self.indexed.offsets(range.start, indexed);
        direct.iter_mut().for_each(|at| *at += self.offsets[0]);
        indexed.iter_mut().for_each(|at| *at += self.offsets[1]);
        for index in &self.indices {
            index.group.offsets(range.start, &mut steps);
            for (at, &step) in indexed.iter_mut().zip(&steps) {
                // SAFETY: the index view's layout keeps its coordinates inside its buffer.
                let position = unsafe { index.bytes.cast::<i64>().offset(index.offset + step).read_unaligned() };
                *at += position as isize * index.stride;
            }
        }
    }
}

impl Block {
    fn new(shape: &[usize], direct: &Layout, indexed: &Layout, from: usize) -> Block {
        let tail = |l: &Layout| Layout { shape: shape.into(), strides: l.strides[from..].into(), offset: 0 };
        let (direct, indexed) = (tail(direct), tail(indexed));
        let size = direct.size();
        // Not `walk::merge`: Put must keep the row-major order in case its destinations repeat.
        let mut loops: Vec<(usize, [isize; 2])> = Vec::new();
        for (axis, &extent) in shape.iter().enumerate().filter(|(_, e)| **e != 1) {
            let strides = [direct.strides[axis], indexed.strides[axis]];
            match loops.last_mut() {
                Some((e, s)) if (0..2).all(|i| s[i] == strides[i] * extent as isize) => {
                    (*e, *s) = (*e * extent, strides)
                }
                _ => loops.push((extent, strides)),
            }
        }
        Block { size, loops }
    }

    /// Equal cuts of the innermost loop: how many, for tiles of about `TILE` elements.
    pub(super) fn cuts(&self) -> usize {
        let inner = self.loops.last().map_or(1, |l| l.0);
        if self.loops.len() <= 1 { inner.div_ceil(2 * TILE).max(1) } else { 1 }
    }

    /// As many cuts as leave each at least a cache line or so, up to `limit`.
    pub(super) fn most_cuts(&self, limit: usize) -> usize {
        self.loops.last().map_or(1, |l| (l.0 / 16).clamp(1, limit))
    }

    /// Calls `run(offsets, strides, count)` for each run of the innermost loop in row-major order; of `cuts` cuts the
    /// one numbered `cut` alone.
    pub(super) fn runs(&self, cut: usize, cuts: usize, mut run: impl FnMut([isize; 2], [isize; 2], usize)) {
        let Some((&(extent, strides), outer)) = self.loops.split_last() else {
            return run([0, 0], [0, 0], self.size);
        };
        let (start, stop) = (extent * cut / cuts, extent * (cut + 1) / cuts);
        let count: usize = outer.iter().map(|l| l.0).product();
        for at in 0..count {
            let (mut rest, mut base) = (at, strides.map(|s| s * start as isize));
            for &(extent, strides) in outer.iter().rev() {
                let here = (rest % extent) as isize;
                base = [base[0] + here * strides[0], base[1] + here * strides[1]];
                rest /= extent;
            }
            run(base, strides, stop - start);
        }
    }
}
