//! Gathers: `dest[c] = source at (c plus the positions that index tensors name)`.

use super::indexed::{TILE, Walk};
use super::packed::Blocks;
use super::pool::Ctx;
use crate::kernel::{Fault, IndexAxis, Input, Output};
use crate::tensor::{DType, Layout};

pub(super) fn run(
    ctx: &Ctx,
    shape: &[usize],
    indices: &[IndexAxis],
    inputs: &[Input],
    output: &Output,
) -> Result<(), Fault> {
    if shape.contains(&0) {
        return Ok(());
    }
    let source = &inputs[0];
    let walk = Walk::new(shape, &output.view, &source.view, inputs, indices);
    let sides = Sides { to: output.buffer.as_ptr().cast_mut(), from: source.buffer.as_ptr() };
    let tiles = Tiles::new(&walk);
    let blocks = Blocks::new(&source.buffer, &Layout { offset: 0, ..Layout::default() });
    let conj = source.view.conj;
    let copy = match source.view.dtype {
        DType::C64 if conj => conjugate::<f32>,
        DType::C128 if conj => conjugate::<f64>,
        dtype => match dtype.size() {
            1 => copy::<1>,
            2 => copy::<2>,
            4 => copy::<4>,
            8 => copy::<8>,
            _ => copy::<16>,
        },
    };
    let work = walk.outer.saturating_mul(walk.block.size);
    ctx.tiles(tiles.count(), work, Default::default, |(to, from): &mut (Vec<isize>, Vec<isize>), tile| {
        let (range, cut) = tiles.get(tile, &walk);
        walk.places(range, to, from);
        // SAFETY: layouts and checked positions keep every element inside its buffer; tiles write disjoint parts.
        unsafe {
            match &blocks {
                Some(blocks) => decode(&walk, cut, tiles.cuts, (sides.to.cast(), blocks), to, from),
                None => copy(&walk, cut, tiles.cuts, sides, to, from),
            }
        };
        Ok(())
    })
}

/// Tiles are runs of leading coordinates, or cuts of the block where that is large.
struct Tiles {
    places: usize,
    cuts: usize,
    runs: usize,
}

impl Tiles {
    fn new(walk: &Walk) -> Tiles {
        let places = (TILE / walk.block.size.max(1)).max(1);
        Tiles { places, cuts: walk.block.cuts(), runs: walk.outer.div_ceil(places) }
    }

    fn count(&self) -> usize {
        self.runs * self.cuts
    }

    fn get(&self, tile: usize, walk: &Walk) -> (std::ops::Range<usize>, usize) {
        let (run, cut) = (tile / self.cuts, tile % self.cuts);
        (run * self.places..((run + 1) * self.places).min(walk.outer), cut)
    }
}

#[derive(Clone, Copy)]
struct Sides {
    to: *mut u8,
    from: *const u8,
}

// SAFETY: tiles write disjoint parts of `to`; `from` is only read.
unsafe impl Send for Sides {}
// SAFETY: as above.
unsafe impl Sync for Sides {}

/// # Safety
/// Every place plus every step of the block is inside its buffer; source and destination do not overlap.
unsafe fn copy<const N: usize>(walk: &Walk, cut: usize, cuts: usize, sides: Sides, to: &[isize], from: &[isize]) {
    let (dest, source) = (sides.to.cast::<[u8; N]>(), sides.from.cast::<[u8; N]>());
    for (&to, &from) in to.iter().zip(from) {
        walk.block.runs(cut, cuts, |at, strides, count| {
            // SAFETY: the caller's promise.
            unsafe {
                let (dest, source) = (dest.offset(to + at[0]), source.offset(from + at[1]));
                if count == 1 {
                    *dest = *source;
                } else if strides == [1, 1] {
                    std::ptr::copy_nonoverlapping(source, dest, count);
                } else {
                    for i in 0..count as isize {
                        *dest.offset(i * strides[0]) = *source.offset(i * strides[1]);
                    }
                }
            }
        });
    }
}

/// Decodes what is gathered of packed rows.
///
/// # Safety
/// As [`copy`].
unsafe fn decode(
    walk: &Walk,
    cut: usize,
    cuts: usize,
    (dest, blocks): (*mut f32, &Blocks),
    to: &[isize],
    from: &[isize],
) {
    let mut room = Vec::new();
    for (&to, &from) in to.iter().zip(from) {
        walk.block.runs(cut, cuts, |at, strides, count| {
            room.resize(count, 0.0);
            // SAFETY: the caller's promise.
            unsafe {
                blocks.run(from + at[1], strides[1], &mut room);
                let dest = dest.offset(to + at[0]);
                for (i, &x) in room.iter().enumerate() {
                    dest.offset(i as isize * strides[0]).write_unaligned(x);
                }
            }
        });
    }
}

/// # Safety
/// As [`copy`].
unsafe fn conjugate<T: Copy + std::ops::Neg<Output = T>>(
    walk: &Walk,
    cut: usize,
    cuts: usize,
    sides: Sides,
    to: &[isize],
    from: &[isize],
) {
    let (dest, source) = (sides.to.cast::<[T; 2]>(), sides.from.cast::<[T; 2]>());
    for (&to, &from) in to.iter().zip(from) {
        walk.block.runs(cut, cuts, |at, strides, count| {
            for i in 0..count as isize {
                // SAFETY: the caller's promise.
                unsafe {
                    let [re, im] = source.offset(from + at[1] + i * strides[1]).read_unaligned();
                    dest.offset(to + at[0] + i * strides[0]).write_unaligned([re, -im]);
                }
            }
        });
    }
}
