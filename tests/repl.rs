//! The prompt, typed at through a pseudo terminal.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

/// Both ends of a new pseudo terminal: ours and the program's.
fn terminal() -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    let mut size = libc::winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: all pointers are to live locals or null, which openpty allows; the descriptors it gives are owned by
    // nobody else. Had it failed, the assertion stops before they are used.
    unsafe {
        let made = libc::openpty(&mut ours, &mut theirs, std::ptr::null_mut(), std::ptr::null(), &raw mut size);
        assert_eq!(made, 0, "no pseudo terminal");
        (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    }
}

struct Prompt {
    child: Child,
    keys: File,
    screen: Receiver<Vec<u8>>,
    /// Everything shown so far, and how much of it was looked at.
    shown: String,
    seen: usize,
    home: tempfile::TempDir,
}

impl Prompt {
    fn start() -> Prompt {
        let home = tempfile::tempdir().unwrap();
        let (ours, theirs) = terminal();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tsk"));
        command
            .env("XDG_STATE_HOME", home.path())
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stdin(Stdio::from(theirs.try_clone().unwrap()))
            .stdout(Stdio::from(theirs.try_clone().unwrap()))
            .stderr(Stdio::from(theirs));
        // SAFETY: setsid and ioctl are async-signal-safe; descriptor 0 is the terminal by then, and nothing else is
        // touched between fork and exec.
        unsafe {
            command.pre_exec(|| {
                if libc::setsid() < 0 || libc::ioctl(0, libc::TIOCSCTTY, 0) < 0 {
                    return Err(std::io::Error::last_os_error());
                }
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        // The program holds the only copies of its end: reading ends with it.
        drop(command);
        let keys = File::from(ours);
        let mut reader = keys.try_clone().unwrap();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n) = reader.read(&mut bytes) {
                if n == 0 || sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut prompt = Prompt { child, keys, screen, shown: String::new(), seen: 0, home };
        prompt.wait_for(">>> ");
        prompt
    }

    /// Waits until the text is shown, and gives what was shown until then.
    fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.shown[self.seen..].find(text) {
                let until = self.seen + at + text.len();
                let found = self.shown[self.seen..until].to_owned();
                self.seen = until;
                return found;
            }
            match self.screen.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.shown.push_str(&plain(&bytes)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("waited for {text:?} in vain; shown:\n{}", &self.shown[self.seen..])
                }
            }
        }
    }

    /// Types a line, as slowly as a person: what is typed while the editor sets up the terminal is lost.
    fn line(&mut self, text: &str) {
        std::thread::sleep(Duration::from_millis(200));
        self.keys.write_all(text.as_bytes()).unwrap();
        self.keys.write_all(b"\r").unwrap();
    }

    /// Types an entry and gives everything shown until `text`, which must come.
    fn ask(&mut self, entry: &str, text: &str) -> String {
        self.line(entry);
        let found = self.wait_for(text);
        self.wait_for(">>> ");
        found
    }

    fn end(mut self) -> Option<i32> {
        self.keys.write_all(&[4]).unwrap();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Text without the sequences that move the cursor.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' if chars.peek() == Some(&'[') => while chars.next().is_some_and(|c| !c.is_ascii_alphabetic()) {},
            '\r' => {}
            c => out.push(c),
        }
    }
    out
}

#[test]
fn values_are_shown_and_names_kept() {
    let mut prompt = Prompt::start();
    prompt.ask("x = arange(6).reshape(2, 3)", "\n");
    prompt.ask("x.sum()", "i64[]\n15\n");
    prompt.ask("x @ x", "error[E0210]");
    prompt.ask("x.shape", "(2, 3)\n");
    prompt.ask(":vars", "x                i64[2, 3]");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn entries_go_on_over_lines_and_errors_quote_them() {
    let mut prompt = Prompt::start();
    prompt.line("fn broken(a) {");
    prompt.line("  b = a + 1");
    prompt.line("  b + missing");
    prompt.ask("}", "\n");
    prompt.ask("y = 2", "\n");
    let shown = prompt.ask("broken(y)", "unknown name `missing`");
    assert!(!shown.contains("repl:3"), "{shown}");
    prompt.ask("broken(y)", "<repl:1>:3:7");
    prompt.ask("y", "2\n");
    let history = std::fs::read_to_string(prompt.home.path().join("tsk/history")).unwrap();
    assert!(history.contains("fn broken(a) {") && history.contains("broken(y)"), "{history}");
    assert_eq!(history.lines().filter(|l| l.contains("b = a + 1")).count(), 1, "one entry: {history}");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn an_interrupt_comes_back_to_the_prompt() {
    let mut prompt = Prompt::start();
    prompt.ask("x = ones(3000, 3000); n = 5", "\n");
    prompt.line("print(\"running\"); for i in 0..10_000 { x = x @ x; x.sum().item() }");
    prompt.wait_for("running\n");
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    prompt.keys.write_all(&[3]).unwrap();
    let shown = prompt.wait_for(">>> ");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(shown.contains("interrupted\n") && !shown.contains("E0701"), "{shown}");
    prompt.ask("n + 1", "6\n");
    prompt.ask("x.shape", "(3000, 3000)\n");
    prompt.line("while True { }");
    std::thread::sleep(Duration::from_millis(300));
    prompt.keys.write_all(&[3]).unwrap();
    prompt.wait_for("interrupted\n");
    prompt.wait_for(">>> ");
    prompt.ask("n", "5\n");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn commands_answer() {
    let mut prompt = Prompt::start();
    prompt.ask(":help", ":quit");
    prompt.ask(":help softmax", "softmax(x");
    prompt.ask(":help sofmax", "did you mean `softmax`?");
    prompt.ask("x = ones(100, 200)", "\n");
    prompt.ask(":type x.T[1:3]", "f32[2, 100], view of x, strides [1, 200], offset 1");
    prompt.ask(":type x.T[::2] + 1", "f32[100, 100]");
    prompt.ask(":plan sum(x * 2)", "1 kernel");
    prompt.ask(":time sum(x * 2)", " kernels, ");
    prompt.ask(":typ x", "did you mean `:type`?");
    for command in [":type", ":plan"] {
        prompt.ask(command, "needs an expression");
    }
    for command in [":type x +", ":plan x +", ":time x +", ":type )", ":plan \"abc", ":time (("] {
        prompt.ask(command, "error[E00");
    }
    prompt.ask(":help (", "tsk has nothing named");
    prompt.ask(":type missing", "error[E0101]");
    prompt.line(":quit");
    let end = Instant::now() + PATIENCE;
    while prompt.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "`:quit` does not quit");
        std::thread::sleep(Duration::from_millis(10));
    }
}
