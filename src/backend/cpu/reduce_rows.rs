//! Reductions along the fast axes: rows of neighbours.

use super::exec::CHUNK;
use super::pool::Ctx;
use super::reduce::{Job, TILE, Worker};
use super::states::{States, tree};
use crate::kernel::Fault;

pub(super) fn run(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    if job.walk.length <= CHUNK { short_rows(ctx, job) } else { long_rows(ctx, job) }
}

/// Several rows share a chunk.
fn short_rows(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let (rows, length) = (job.walk.outer, job.walk.length);
    let group = CHUNK / length;
    let per_tile = ctx.tile(rows, group, group * (TILE / (group * length)));
    ctx.tiles(
        rows.div_ceil(per_tile),
        job.work(),
        || job.worker(),
        |worker, t| {
            let end = rows.min((t + 1) * per_tile);
            for first in (t * per_tile..end).step_by(group) {
                // SAFETY: the rows exist, and `group` of them fill no more than a chunk.
                unsafe { fold_group(job, worker, first, group.min(end - first))? };
            }
            Ok(())
        },
    )
}

/// # Safety
/// `count` rows exist from `first` on; they fit a chunk.
unsafe fn fold_group(job: &Job, worker: &mut Worker, first: usize, count: usize) -> Result<(), Fault> {
    let length = job.walk.length;
    let joiner = &job.joiner;
    let states = worker.states();
    // SAFETY: the states of at most CHUNK rows have room.
    unsafe {
        let lanes = job.code.run(&mut worker.frame, first * length, count * length, None)?;
        (joiner.fill)(states, count);
        for row in 0..count {
            (joiner.fold)(lanes.add(row * length * joiner.lane), length, 0, states.add(row * joiner.state));
        }
        job.write(&mut worker.sink, first, count, states)
    }
}

/// Each row is cut into tiles, each tile into chunks; both are joined as trees.
fn long_rows(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let (rows, length) = (job.walk.outer, job.walk.length);
    let tiles = length.div_ceil(TILE);
    let states = States::new(&job.joiner, rows * tiles)?;
    ctx.tiles(
        rows * tiles,
        job.work(),
        || job.worker(),
        |worker, t| {
            let start = t % tiles * TILE;
            // SAFETY: each tile has its own state.
            unsafe { fold_tile(job, worker, t / tiles, start, TILE.min(length - start), states.at(t)) }
        },
    )?;
    let work = rows * tiles * (1 + job.sink.code.cost);
    ctx.tiles(
        rows.div_ceil(CHUNK),
        work,
        || job.worker(),
        |worker, t| {
            let first = t * CHUNK;
            let count = CHUNK.min(rows - first);
            let results = worker.states();
            // SAFETY: each row's states are joined here only.
            unsafe {
                for row in 0..count {
                    let state = states.at((first + row) * tiles);
                    tree(&job.joiner, state, tiles, 1);
                    std::ptr::copy_nonoverlapping(state, results.add(row * job.joiner.state), job.joiner.state);
                }
                job.write(&mut worker.sink, first, count, results)
            }
        },
    )
}

/// Folds `n` lanes of a row, from place `start` on, into `state`.
///
/// # Safety
/// The lanes exist, n <= TILE, `state` is one state of this tile's own.
unsafe fn fold_tile(
    job: &Job,
    worker: &mut Worker,
    row: usize,
    start: usize,
    n: usize,
    state: *mut u8,
) -> Result<(), Fault> {
    let joiner = &job.joiner;
    let states = worker.states();
    let chunks = n.div_ceil(CHUNK);
    // SAFETY: a tile has 64 chunks, and the worker room for CHUNK states.
    unsafe {
        (joiner.fill)(states, chunks);
        for chunk in 0..chunks {
            let place = start + chunk * CHUNK;
            let count = CHUNK.min(n - chunk * CHUNK);
            let lanes = job.code.run(&mut worker.frame, row * job.walk.length + place, count, None)?;
            (joiner.fold)(lanes, count, place, states.add(chunk * joiner.state));
        }
        tree(joiner, states, chunks, 1);
        std::ptr::copy_nonoverlapping(states, state, joiner.state);
    }
    Ok(())
}
