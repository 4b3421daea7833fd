//! Figures of whole tensors in one pass over their bytes: statistics of one, differences of two.
//!
//! Not kernels of plans: nothing is written. Tiles and the order in which their parts are joined follow from the number
//! of elements alone, so that the figures are the same on any number of threads.

mod compare;
mod figures;

pub use compare::{Comparison, Tolerance};
pub use figures::{BINS, Survey};

use super::Cpu;
use super::access::Source;
use super::arena::Arena;
use super::exec::CHUNK;
use super::pool::Ctx;
use crate::kernel::{Cancel, Fault, Input};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Elements of a tile.
const TILE: usize = 128 * CHUNK;

/// What a pass may be watched and ended by.
pub struct Watched<'a> {
    pub cancel: &'a Cancel,
    /// Bytes of operands that were read so far; a pass adds to it.
    pub done: &'a AtomicU64,
}

impl Cpu {
    /// Statistics of the elements of an input; `bins` asks for the histogram. Fails only when it is interrupted.
    pub fn survey(&self, input: &Input, bins: bool, watched: &Watched) -> Result<Survey, Fault> {
        let ctx = Ctx { pool: &self.pool, cancel: watched.cancel };
        figures::run(&ctx, input, bins, watched.done)
    }

    /// How the elements of two inputs of one shape differ. Fails only when it is interrupted.
    pub fn compare(&self, a: &Input, b: &Input, tolerance: Tolerance, watched: &Watched) -> Result<Comparison, Fault> {
        let ctx = Ctx { pool: &self.pool, cancel: watched.cancel };
        compare::run(&ctx, a, b, tolerance, watched.done)
    }
}

/// Runs `body` over the tiles of `size` elements and joins what they give in their order. Each thread has state of
/// `init`; `bytes` are those that all tiles read together.
fn parts<S, P: Send + Default>(
    ctx: &Ctx,
    size: usize,
    bytes: u64,
    done: &AtomicU64,
    init: impl Fn() -> S + Sync,
    body: impl Fn(&mut S, usize, usize) -> P + Sync,
    mut join: impl FnMut(P),
) -> Result<(), Fault> {
    let count = size.div_ceil(TILE);
    let all: Vec<Mutex<P>> = (0..count).map(|_| Mutex::default()).collect();
    ctx.tiles(count, size.saturating_mul(4), init, |state, t| {
        let (start, end) = (t * TILE, size.min((t + 1) * TILE));
        *all[t].lock().unwrap_or_else(PoisonError::into_inner) = body(state, start, end);
        let part = bytes as u128 * (end - start) as u128 / size as u128;
        done.fetch_add(part as u64, Ordering::Relaxed);
        Ok(())
    })?;
    all.into_iter().for_each(|p| join(p.into_inner().unwrap_or_else(PoisonError::into_inner)));
    Ok(())
}

/// Bytes that a pass over an input reads.
fn bytes(input: &Input) -> u64 {
    let size = input.view.layout.size() as u64;
    match input.buffer.packed() {
        Some(format) => size / format.block as u64 * format.bytes as u64,
        None => size * input.view.dtype.size() as u64,
    }
}

fn source(input: &Input) -> Source {
    Source::new(input, &input.view.layout)
}

/// Room for the lanes of a chunk.
fn room(lane: usize) -> Arena {
    Arena::new(CHUNK * lane)
}
