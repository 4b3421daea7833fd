//! A bar on standard error for work that takes more than half a second, on a terminal only.

use crate::kernel::Backend;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(100);
const CELLS: usize = 24;

static ENABLED: AtomicBool = AtomicBool::new(false);
/// Whether a bar stands on the screen; who writes anything else holds the lock and wipes it first.
static SHOWN: Mutex<bool> = Mutex::new(false);

/// Bars are wanted (or not) from now on. They need a terminal behind standard error.
pub fn enable(wanted: bool) {
    let able = wanted && std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb");
    ENABLED.store(able, Ordering::Relaxed);
}

/// Takes the bar off the screen, so that other text can be written.
pub fn wipe() {
    if !ENABLED.load(Ordering::Relaxed) {
        return;
    }
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *shown) {
        let _ = std::io::stderr().write_all(b"\r\x1b[K");
    }
}

/// Watches a backend until it is dropped.
pub struct Watch(Option<(Sender<()>, std::thread::JoinHandle<()>)>);

/// Shows how far the work of `backend` is, as long as the result lives.
pub fn watch(backend: &Arc<dyn Backend>) -> Watch {
    if !ENABLED.load(Ordering::Relaxed) {
        return Watch(None);
    }
    let (sender, bell) = channel();
    let (backend, start) = (backend.clone(), Instant::now());
    let draw = move || {
        let mut wait = PATIENCE;
        while let Err(RecvTimeoutError::Timeout) = bell.recv_timeout(wait) {
            wait = STEP;
            if let Some((done, all)) = backend.progress() {
                let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
                *shown = true;
                let _ = std::io::stderr().write_all(format!("\r{}\x1b[K", line(done, all, start.elapsed())).as_bytes());
            }
        }
    };
    // Without a thread there is no bar.
    let thread = std::thread::Builder::new().name("progress".into()).spawn(draw);
    Watch(thread.ok().map(|t| (sender, t)))
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.0.take() {
            drop(sender);
            let _ = thread.join();
            wipe();
        }
    }
}

/// `[######……]  43 %  1.2 s`
fn line(done: u64, all: u64, elapsed: Duration) -> String {
    let part = done.min(all) as f64 / all.max(1) as f64;
    let full = (part * CELLS as f64) as usize;
    let bar: String = (0..CELLS).map(|i| if i < full { '#' } else { '.' }).collect();
    format!("[{bar}] {:3.0} %  {:.1} s", part * 100.0, elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills() {
        assert_eq!(line(0, 8, Duration::from_millis(1240)), "[........................]   0 %  1.2 s");
        assert_eq!(line(4, 8, Duration::from_secs(2)), "[############............]  50 %  2.0 s");
        assert_eq!(line(9, 8, Duration::ZERO), format!("[{}] 100 %  0.0 s", "#".repeat(24)));
        assert!(line(0, 0, Duration::ZERO).contains("0 %"));
    }

    #[test]
    fn without_a_terminal_nothing_is_watched() {
        let backend: Arc<dyn Backend> = Arc::new(crate::backend::Null::default());
        assert!(watch(&backend).0.is_none());
    }
}
