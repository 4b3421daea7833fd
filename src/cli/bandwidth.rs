//! What this machine's memory gives: a short measurement of reading and of copying.

use std::hint::black_box;
use std::time::Instant;

/// Bytes a second over memory far larger than the caches near the processors.
#[derive(Clone, Copy, Debug)]
pub struct Bandwidth {
    pub read: f64,
    /// Bytes read and written together.
    pub copy: f64,
}

/// Bytes that all threads together walk in a round.
const ROOM: usize = 128 << 20;
const ROUNDS: usize = 5;

/// The best of a few rounds on this many threads; None where there is no memory for it.
pub fn measure(threads: usize) -> Option<Bandwidth> {
    let words = ROOM / 8 / threads;
    let room = || {
        let mut words_of: Vec<u64> = Vec::new();
        words_of.try_reserve_exact(words * threads).ok()?;
        // Written once, so that every page is there.
        words_of.resize(words * threads, 1);
        Some(words_of)
    };
    let (from, mut to) = (room()?, room()?);
    let (mut read, mut copy) = (0.0f64, 0.0f64);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for part in from.chunks(words) {
                scope.spawn(move || black_box(sum(part)));
            }
        });
        read = read.max(8.0 * (words * threads) as f64 / start.elapsed().as_secs_f64());
        let start = Instant::now();
        std::thread::scope(|scope| {
            for (from, to) in from.chunks(words).zip(to.chunks_mut(words)) {
                scope.spawn(move || to.copy_from_slice(from));
            }
        });
        copy = copy.max(16.0 * (words * threads) as f64 / start.elapsed().as_secs_f64());
        black_box(&mut to);
    }
    Some(Bandwidth { read, copy })
}

/// Eight sums side by side, so that the loads and not the additions take the time.
fn sum(words: &[u64]) -> u64 {
    let mut sums = [0u64; 8];
    for block in words.as_chunks::<8>().0 {
        for (sum, &word) in sums.iter_mut().zip(block) {
            *sum = sum.wrapping_add(word);
        }
    }
    sums.iter().fold(0, |a, &b| a.wrapping_add(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_gives_something() {
        let found = measure(2).expect("memory");
        assert!(found.read > 1e6 && found.copy > 1e6, "{found:?}");
    }
}
