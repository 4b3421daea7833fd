//! A bar on standard error, on a terminal only, once the work has taken half a second.

use crate::base::size;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shows how much of `total` bytes was read until it is dropped.
pub struct Progress {
    done: Arc<AtomicU64>,
    drawer: Option<(Sender<()>, JoinHandle<()>)>,
}

const PATIENCE: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(100);

impl Progress {
    pub fn new(total: u64) -> Progress {
        let done = Arc::new(AtomicU64::new(0));
        let drawer = std::io::stderr().is_terminal().then(|| {
            let (stop, stopped) = channel();
            let (seen, start) = (done.clone(), Instant::now());
            let draw = move || {
                let mut wait = PATIENCE;
                let mut drawn = false;
                while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    let _ =
                        write!(std::io::stderr(), "\r{}", line(seen.load(Ordering::Relaxed), total, start.elapsed()));
                    (wait, drawn) = (STEP, true);
                }
                if drawn {
                    let _ = write!(std::io::stderr(), "\r\x1b[K");
                }
            };
            (stop, std::thread::spawn(draw))
        });
        Progress { done, drawer }
    }

    /// Where the bytes are counted.
    pub fn done(&self) -> &AtomicU64 {
        &self.done
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.drawer.take() {
            drop(stop);
            // A drawer that failed has nothing to tell.
            let _ = thread.join();
        }
    }
}

fn line(done: u64, total: u64, time: Duration) -> String {
    const WIDTH: u64 = 30;
    let part = (u128::from(done) * 1000 / u128::from(total.max(1))).min(1000) as u64;
    let full = (part * WIDTH / 1000) as usize;
    let rate = (done as f64 / time.as_secs_f64().max(1e-9)) as u64;
    let (bar, rest) = ("█".repeat(full), "·".repeat(WIDTH as usize - full));
    format!("{bar}{rest} {:3} % of {}, {}/s\x1b[K", part / 10, size(total), size(rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill() {
        let text = line(500_000, 1_000_000, Duration::from_secs(1));
        assert_eq!(text, format!("{}{}  50 % of 1.0 MB, 500.0 kB/s\x1b[K", "█".repeat(15), "·".repeat(15)));
        assert!(line(7, 0, Duration::ZERO).starts_with(&"█".repeat(30)));
    }
}
