//! The sorting itself: radix passes for long runs of numbers, comparison otherwise; long rows in pieces.

use super::super::pool::Ctx;
use super::keys::Key;
use crate::kernel::Fault;
use std::sync::Mutex;

/// Keys from which on radix passes beat comparisons.
const RADIX: usize = 1 << 11;
/// Keys between two looks at the cancel flag.
const POLL: usize = 1 << 18;
/// Pieces of a long row.
const PIECES: usize = 16;

/// One row's keys and the room to sort them.
pub struct Order<'a, K> {
    ctx: &'a Ctx<'a>,
    threads: bool,
    pub keys: Vec<K>,
    spare: Vec<K>,
    pairs: Vec<Pair<K>>,
    spare_pairs: Vec<Pair<K>>,
}

/// A key and where it stood; ties come lowest position first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Pair<K>(K, u64);

impl<K: Key> Key for Pair<K> {
    const DIGITS: usize = K::DIGITS;

    #[inline(always)]
    fn digit(self, at: usize) -> usize {
        self.0.digit(at)
    }
}

impl<'a, K: Key> Order<'a, K> {
    /// For rows that are spread over threads as wholes.
    pub fn alone(ctx: &'a Ctx<'a>) -> Self {
        let (keys, spare, pairs, spare_pairs) = Default::default();
        Order { ctx, threads: false, keys, spare, pairs, spare_pairs }
    }

    /// For one long row.
    pub fn over_threads(ctx: &'a Ctx<'a>) -> Self {
        Order { threads: true, ..Order::alone(ctx) }
    }

    /// Sorts `keys`.
    pub fn sort_keys(&mut self) -> Result<(), Fault> {
        sort(self.ctx, self.threads, &mut self.keys, &mut self.spare)
    }

    /// Sorts the positions of `keys` by them, ties lowest first.
    pub fn sort_positions(&mut self) -> Result<(), Fault> {
        self.pairs.clear();
        self.pairs.extend(self.keys.iter().enumerate().map(|(i, &key)| Pair(key, i as u64)));
        sort(self.ctx, self.threads, &mut self.pairs, &mut self.spare_pairs)
    }

    /// The positions in order, after `sort_positions`.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.pairs.iter().map(|p| p.1 as usize)
    }
}

fn sort<K: Key>(ctx: &Ctx, threads: bool, keys: &mut Vec<K>, spare: &mut Vec<K>) -> Result<(), Fault> {
    if threads {
        return sort_pieces(ctx, keys, spare);
    }
    if spare.len() < keys.len() && K::DIGITS > 0 && keys.len() >= RADIX {
        spare.resize(keys.len(), K::default());
    }
    sort_run(ctx, keys, spare)
}

/// Sorts one run on one thread. `spare` is as long as `keys` where radix passes come into question.
fn sort_run<K: Key>(ctx: &Ctx, keys: &mut [K], spare: &mut [K]) -> Result<(), Fault> {
    if K::DIGITS == 0 || keys.len() < RADIX {
        if keys.len() >= RADIX {
            ctx.poll()?;
        }
        keys.sort_unstable();
        return Ok(());
    }
    let n = keys.len();
    let (mut from, mut to) = (keys, &mut spare[..n]);
    let mut swapped = false;
    for digit in 0..K::DIGITS {
        let mut starts = [0usize; 256];
        for block in from.chunks(POLL) {
            ctx.poll()?;
            block.iter().for_each(|key| starts[key.digit(digit)] += 1);
        }
        if starts.contains(&n) {
            continue;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for block in from.chunks(POLL) {
            ctx.poll()?;
            for &key in block {
                let at = &mut starts[key.digit(digit)];
                to[*at] = key;
                *at += 1;
            }
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        to.copy_from_slice(from);
    }
    Ok(())
}

/// Sorts fixed pieces on any threads, then merges neighbours until one is left.
fn sort_pieces<K: Key>(ctx: &Ctx, keys: &mut Vec<K>, spare: &mut Vec<K>) -> Result<(), Fault> {
    let n = keys.len();
    spare.resize(n, K::default());
    let mut width = n.div_ceil(PIECES).max(1);
    let jobs: Vec<_> = keys.chunks_mut(width).zip(spare.chunks_mut(width)).map(|job| Mutex::new(Some(job))).collect();
    each(ctx, &jobs, n, |(keys, spare)| sort_run(ctx, keys, spare))?;
    while width < n {
        let cut = n.div_ceil(4 * PIECES).max(1);
        let mut jobs = Vec::new();
        for (pair, out) in keys.chunks(2 * width).zip(spare.chunks_mut(2 * width)) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            for (at, out) in out.chunks_mut(cut).enumerate() {
                jobs.push(Mutex::new(Some((left, right, at * cut, out))));
            }
        }
        each(ctx, &jobs, n, |(left, right, start, out)| {
            merge(left, right, start, out);
            Ok(())
        })?;
        std::mem::swap(keys, spare);
        width *= 2;
    }
    Ok(())
}

/// Runs every job once, over threads.
fn each<J: Send>(
    ctx: &Ctx,
    jobs: &[Mutex<Option<J>>],
    work: usize,
    body: impl Fn(J) -> Result<(), Fault> + Sync,
) -> Result<(), Fault> {
    ctx.tiles(
        jobs.len(),
        work.saturating_mul(16),
        || (),
        |(), i| match jobs[i].lock().unwrap_or_else(|e| e.into_inner()).take() {
            Some(job) => body(job),
            None => Ok(()),
        },
    )
}

/// Writes elements `start..` of the merge of two sorted runs, as many as `out` holds.
fn merge<K: Key>(left: &[K], right: &[K], start: usize, out: &mut [K]) {
    let mut i = cut(left, right, start);
    let mut j = start - i;
    for to in out {
        let take_left = j == right.len() || (i < left.len() && left[i] <= right[j]);
        if take_left {
            *to = left[i];
            i += 1;
        } else {
            *to = right[j];
            j += 1;
        }
    }
}

/// How many of the first `start` elements of the merge come from `left`.
fn cut<K: Key>(left: &[K], right: &[K], start: usize) -> usize {
    let (mut low, mut high) = (start.saturating_sub(right.len()), start.min(left.len()));
    while low < high {
        let i = (low + high) / 2;
        if left[i] <= right[start - i - 1] { low = i + 1 } else { high = i }
    }
    low
}
