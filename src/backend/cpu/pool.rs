//! Threads, tiles, cancellation: how a kernel spreads its work without letting the number of threads show.

use crate::base::Span;
use crate::kernel::{Cancel, Fault, FaultKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Work (elements times the cost of their program) below which waking threads costs more than it saves.
const PARALLEL_WORK: usize = 1 << 16;

/// The worker threads of one backend, started at the first launch that is worth it.
pub(super) struct Pool {
    threads: usize,
    /// Work below which the calling thread computes alone.
    threshold: usize,
    pool: OnceLock<Option<rayon::ThreadPool>>,
    /// Tiles of the launch that runs: done, and all; 0 of 0 between launches.
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Pool {
    pub(super) fn new(threads: usize) -> Self {
        Pool {
            threads: threads.max(1),
            threshold: PARALLEL_WORK,
            pool: OnceLock::new(),
            done: AtomicUsize::new(0),
            all: AtomicUsize::new(0),
        }
    }

    /// Wakes threads for any work: tests of small things on many threads.
    #[cfg(test)]
    pub(super) fn eager(threads: usize) -> Self {
        Pool { threshold: 0, ..Pool::new(threads) }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Tiles done and all tiles of the launch that runs.
    pub(super) fn progress(&self) -> Option<(u64, u64)> {
        let all = self.all.load(Ordering::Relaxed);
        (all > 0).then(|| (self.done.load(Ordering::Relaxed) as u64, all as u64))
    }

    /// None with one thread, or where the system refuses threads: the caller computes alone.
    fn get(&self) -> Option<&rayon::ThreadPool> {
        if self.threads == 1 {
            return None;
        }
        let build = || rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        self.pool.get_or_init(build).as_ref()
    }
}

/// What a kernel needs to know about where it runs.
pub(super) struct Ctx<'a> {
    pub(super) pool: &'a Pool,
    pub(super) cancel: &'a Cancel,
}

impl Ctx<'_> {
    pub(super) fn threads(&self) -> usize {
        self.pool.threads
    }

    /// Err once Ctrl-C was pressed.
    pub(super) fn poll(&self) -> Result<(), Fault> {
        if self.cancel.is_set() { Err(interrupted()) } else { Ok(()) }
    }

    /// How many of `count` independent units a tile gets: several tiles a thread, in multiples of `grain` units, at
    /// most `most`. Only for work whose values do not depend on how it is cut.
    pub(super) fn tile(&self, count: usize, grain: usize, most: usize) -> usize {
        (count / (4 * self.threads())).next_multiple_of(grain).clamp(grain, most.max(grain))
    }

    /// Runs `body` for each tile `0..count`, each thread with its own state from `init`. `work` decides whether
    /// threads are woken at all; which tiles there are must not depend on it.
    ///
    /// Tiles are handed out in rising order and polled for cancellation. Of several faults the one with the lowest
    /// position comes back, whatever the number of threads: tiles must cover rising positions.
    pub(super) fn tiles<S>(
        &self,
        count: usize,
        work: usize,
        init: impl Fn() -> S + Sync,
        body: impl Fn(&mut S, usize) -> Result<(), Fault> + Sync,
    ) -> Result<(), Fault> {
        let next = AtomicUsize::new(0);
        // Only for those who watch: tiles within tiles may overwrite it.
        let (done, all) = (&self.pool.done, &self.pool.all);
        done.store(0, Ordering::Relaxed);
        all.store(count, Ordering::Relaxed);
        let first: Mutex<Option<Fault>> = Mutex::new(None);
        let worker = || {
            let mut state = None;
            loop {
                let tile = next.fetch_add(1, Ordering::Relaxed);
                if tile >= count {
                    return;
                }
                let result = self.poll().and_then(|()| body(state.get_or_insert_with(&init), tile));
                done.fetch_add(1, Ordering::Relaxed);
                if let Err(fault) = result {
                    next.fetch_max(count, Ordering::Relaxed);
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    *first = Some(match first.take() {
                        Some(other) => earlier(other, fault),
                        None => fault,
                    });
                    return;
                }
            }
        };
        match self.pool.get().filter(|_| count > 1 && work >= self.pool.threshold) {
            Some(pool) => drop(pool.broadcast(|_| worker())),
            None => worker(),
        }
        all.store(0, Ordering::Relaxed);
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

fn interrupted() -> Fault {
    Fault { kind: FaultKind::Interrupted, span: Span::default(), position: None }
}

/// An interruption before everything else, then the lower position.
fn earlier(a: Fault, b: Fault) -> Fault {
    let key = |f: &Fault| (f.kind != FaultKind::Interrupted, f.position.unwrap_or(0));
    if key(&b) < key(&a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Condvar;
    use std::time::Duration;

    #[test]
    fn tiles_run_at_the_same_time_and_each_once() {
        let (pool, cancel) = (Pool::eager(2), Cancel::default());
        let ctx = Ctx { pool: &pool, cancel: &cancel };
        let (arrived, bell) = (Mutex::new(0), Condvar::new());
        let done = ctx.tiles(
            2,
            1,
            || (),
            |(), _| {
                let mut count = arrived.lock().unwrap();
                *count += 1;
                bell.notify_all();
                let (_count, late) =
                    bell.wait_timeout_while(count, Duration::from_secs(20), |count| *count < 2).unwrap();
                assert!(!late.timed_out(), "the second tile waits for the first");
                Ok(())
            },
        );
        assert_eq!(done, Ok(()));
        assert_eq!(*arrived.lock().unwrap(), 2);
    }

    #[test]
    fn of_several_faults_the_lowest_position_is_kept() {
        for threads in [1, 2, 5] {
            let (pool, cancel) = (Pool::eager(threads), Cancel::default());
            let ctx = Ctx { pool: &pool, cancel: &cancel };
            let fault = |position| Fault {
                kind: FaultKind::Domain { row: "test" },
                span: Span::default(),
                position: Some(position),
            };
            for _ in 0..50 {
                let done = ctx.tiles(40, 1, || (), |(), t| if t % 7 == 3 { Err(fault(t)) } else { Ok(()) });
                assert_eq!(done, Err(fault(3)));
            }
        }
    }
}
