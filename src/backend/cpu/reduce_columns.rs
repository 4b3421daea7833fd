//! Reductions across a fast kept axis: its lanes are accumulated side by side. Positions are `[outer, length, inner]`.

use super::arena::Arena;
use super::exec::CHUNK;
use super::pool::Ctx;
use super::reduce::{Job, TILE, Worker};
use super::states::{Stack, States, tree};
use crate::kernel::Fault;

/// Additions in a row before a sum is put aside: keeps the error of long sums small.
const RUN: usize = 64;
/// From this many independent columns on, the reduced axis is not cut for the sake of threads.
const ENOUGH: usize = 32;

/// How a reduction over columns is cut.
struct Cut {
    /// Columns of a tile, and tiles of the inner axis.
    width: usize,
    tiles: usize,
    /// Partial sums of each column that stand side by side, where there are few columns (a power of two).
    beside: usize,
    /// Reduced places of a chunk, and of a block.
    places: usize,
    block: usize,
    blocks: usize,
}

pub(super) fn run(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let walk = &job.walk;
    if walk.length * walk.inner <= CHUNK && walk.length <= 2 * RUN {
        return small(ctx, job);
    }
    let cut = cut(job);
    if cut.blocks == 1 { whole_columns(ctx, job, &cut) } else { cut_columns(ctx, job, &cut) }
}

fn cut(job: &Job) -> Cut {
    let (outer, length, inner) = (job.walk.outer, job.walk.length, job.walk.inner);
    let width = inner.min(CHUNK);
    let tiles = inner.div_ceil(width);
    // Argmin's states carry their places in order, one state a column.
    let spread = job.joiner.lane == job.joiner.state && width < 128;
    let beside = if spread { (256 / width).next_power_of_two() / 2 } else { 1 }.max(1);
    let places = if tiles == 1 { (CHUNK / (width * beside)).max(1) * beside } else { 1 };
    let block = if outer * tiles >= ENOUGH { length } else { (2 * TILE / width).next_multiple_of(places) };
    Cut { width, tiles, beside, places, block, blocks: length.div_ceil(block) }
}

/// Several outer positions share a chunk.
fn small(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let (outer, length, inner) = (job.walk.outer, job.walk.length, job.walk.inner);
    let group = CHUNK / (length * inner);
    let per_tile = ctx.tile(outer, group, group * (TILE / (group * length * inner)));
    let joiner = &job.joiner;
    ctx.tiles(
        outer.div_ceil(per_tile),
        job.work(),
        || job.worker(),
        |worker, t| {
            let end = outer.min((t + 1) * per_tile);
            for first in (t * per_tile..end).step_by(group) {
                let count = group.min(end - first);
                let states = worker.states();
                // SAFETY: the group fits a chunk, its results too.
                unsafe {
                    let n = length * inner;
                    let lanes = job.code.run(&mut worker.frame, first * n, count * n, None)?;
                    (joiner.fill)(states, count * inner);
                    for i in 0..count {
                        let (state, lanes) = (states.add(i * inner * joiner.state), lanes.add(i * n * joiner.lane));
                        (joiner.columns)(state, inner, lanes, n, 0, inner);
                    }
                    job.write(&mut worker.sink, first * inner, count * inner, states)?;
                }
            }
            Ok(())
        },
    )
}

/// A thread's registers, its accumulators and the sums put aside.
struct Columns {
    worker: Worker,
    sums: Arena,
    stack: Stack,
}

fn columns(job: &Job, cut: &Cut) -> Result<Columns, Fault> {
    let width = cut.width * cut.beside;
    let blocks = cut.block.div_ceil(RUN * cut.beside).max(cut.block.div_ceil(cut.places));
    Ok(Columns {
        worker: job.worker(),
        sums: Arena::new(width * job.joiner.state),
        stack: Stack::new(&job.joiner, width, blocks)?,
    })
}

/// Where a unit of work stands: outer position and tile of columns.
fn unit(job: &Job, cut: &Cut, unit: usize) -> (usize, usize, usize) {
    let (outer, tile) = (unit / cut.tiles, unit % cut.tiles);
    let first = tile * cut.width;
    (outer, first, cut.width.min(job.walk.inner - first))
}

/// Each column from beginning to end in one tile.
fn whole_columns(ctx: &Ctx, job: &Job, cut: &Cut) -> Result<(), Fault> {
    ctx.tiles(
        job.walk.outer * cut.tiles,
        job.work(),
        || columns(job, cut),
        |columns, t| {
            let columns = columns.as_mut().map_err(|fault| fault.clone())?;
            let (outer, first, width) = unit(job, cut, t);
            // SAFETY: the unit's results are written here only.
            unsafe {
                fold_block(job, cut, columns, (outer, first, width), 0..job.walk.length)?;
                let sums = columns.sums.as_mut_ptr();
                job.write(&mut columns.worker.sink, outer * job.walk.inner + first, width, sums)
            }
        },
    )
}

/// The reduced axis is cut into blocks, which are joined as a tree.
fn cut_columns(ctx: &Ctx, job: &Job, cut: &Cut) -> Result<(), Fault> {
    let units = job.walk.outer * cut.tiles;
    let states = States::new(&job.joiner, units * cut.blocks * cut.width)?;
    ctx.tiles(
        units * cut.blocks,
        job.work(),
        || columns(job, cut),
        |columns, t| {
            let columns = columns.as_mut().map_err(|fault| fault.clone())?;
            let (place, start) = (unit(job, cut, t / cut.blocks), t % cut.blocks * cut.block);
            let end = job.walk.length.min(start + cut.block);
            // SAFETY: each block has its own states.
            unsafe {
                fold_block(job, cut, columns, place, start..end)?;
                let bytes = place.2 * job.joiner.state;
                std::ptr::copy_nonoverlapping(columns.sums.as_mut_ptr(), states.at(t * cut.width), bytes);
            }
            Ok(())
        },
    )?;
    let work = units * cut.blocks * cut.width;
    ctx.tiles(
        units,
        work,
        || job.worker(),
        |worker, t| {
            let (outer, first, width) = unit(job, cut, t);
            let base = states.at(t * cut.blocks * cut.width);
            // SAFETY: the unit's states are joined and written here only.
            unsafe {
                tree(&job.joiner, base, cut.blocks, cut.width);
                job.write(&mut worker.sink, outer * job.walk.inner + first, width, base)
            }
        },
    )
}

/// Joins the places `range` of the columns of a unit into `columns.sums`, one state a column.
///
/// # Safety
/// The places exist.
unsafe fn fold_block(
    job: &Job,
    cut: &Cut,
    columns: &mut Columns,
    (outer, first, width): (usize, usize, usize),
    range: std::ops::Range<usize>,
) -> Result<(), Fault> {
    let joiner = &job.joiner;
    let Columns { worker, sums, stack } = columns;
    let (sums, lanes_wide) = (sums.as_mut_ptr(), width * cut.beside);
    let whole = cut.width * cut.beside;
    let mut added = 0;
    // SAFETY: the accumulators have room for `whole` states, and a chunk has at most CHUNK lanes.
    unsafe {
        (joiner.fill)(sums, whole);
        for place in range.clone().step_by(cut.places) {
            let count = cut.places.min(range.end - place);
            let start = (outer * job.walk.length + place) * job.walk.inner + first;
            let lanes = job.code.run(&mut worker.frame, start, count * width, None)?;
            (joiner.columns)(sums, lanes_wide, lanes, count * width, place, width);
            added += count.div_ceil(cut.beside);
            if added >= RUN {
                stack.push(joiner, sums);
                added = 0;
            }
        }
        stack.finish(joiner, sums);
        let mut beside = cut.beside;
        while beside > 1 {
            beside /= 2;
            (joiner.join)(sums, sums.add(beside * width * joiner.state), beside * width);
        }
    }
    Ok(())
}
