//! A program behind a pseudo terminal, typed at as by a person.
#![cfg(unix)]
#![allow(dead_code, reason = "each test file uses a part")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Both ends of a new pseudo terminal: ours and the program's.
fn terminal(columns: u16) -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    let mut size = libc::winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: all pointers are to live locals or null, which openpty allows; the descriptors it gives are owned by
    // nobody else. Had it failed, the assertion stops before they are used.
    unsafe {
        let made = libc::openpty(&mut ours, &mut theirs, std::ptr::null_mut(), std::ptr::null(), &raw mut size);
        assert_eq!(made, 0, "no pseudo terminal");
        (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    }
}

/// A prompt behind a terminal, with a home folder of its own.
pub struct Prompt {
    pub child: Child,
    pub keys: File,
    screen: Receiver<Vec<u8>>,
    /// Everything shown so far, and how much of it was looked at.
    shown: String,
    /// The same with all sequences.
    pub raw: String,
    seen: usize,
    pub home: tempfile::TempDir,
}

impl Prompt {
    pub fn start() -> Prompt {
        Prompt::with(100, &[], |_| {})
    }

    /// With so many columns, variables of the environment, and files in the home folder.
    pub fn with(columns: u16, variables: &[(&str, &str)], prepare: impl Fn(&Path)) -> Prompt {
        let home = tempfile::tempdir().unwrap();
        prepare(home.path());
        let (ours, theirs) = terminal(columns);
        let mut command = Command::new(env!("CARGO_BIN_EXE_tsk"));
        command
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("XDG_STATE_HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .envs(variables.iter().copied())
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
        let mut prompt = Prompt { child, keys, screen, shown: String::new(), raw: String::new(), seen: 0, home };
        prompt.wait_for(">>> ");
        prompt
    }

    /// Waits until the text is shown, and gives what was shown until then.
    pub fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.shown[self.seen..].find(text) {
                let until = self.seen + at + text.len();
                let found = self.shown[self.seen..until].to_owned();
                self.seen = until;
                return found;
            }
            match self.screen.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("waited for {text:?} in vain; shown:\n{}", &self.shown[self.seen..])
                }
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.shown.push_str(&plain(bytes));
        self.raw.push_str(&String::from_utf8_lossy(bytes));
    }

    /// Types keys.
    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Presses Tab behind a text, gives what is shown, `text` among it, and clears the line.
    pub fn tab(&mut self, before: &str, text: &str) -> String {
        self.rest();
        self.type_keys(before);
        self.rest();
        self.type_keys("\t");
        let mut found = self.wait_for(text);
        found.push_str(&self.rest());
        self.type_keys("\x15");
        self.rest();
        found
    }

    /// Reads on until nothing comes for a while, and gives what came.
    pub fn rest(&mut self) -> String {
        while let Ok(bytes) = self.screen.recv_timeout(Duration::from_millis(150)) {
            self.take(&bytes);
        }
        let rest = self.shown[self.seen..].to_owned();
        self.seen = self.shown.len();
        rest
    }

    /// Presses Ctrl-C and gives what is shown until the next prompt, and how long that took.
    pub fn interrupt(&mut self) -> (String, Duration) {
        let start = Instant::now();
        self.keys.write_all(&[3]).unwrap();
        let shown = self.wait_for(">>> ");
        (shown, start.elapsed())
    }

    /// Gives the terminal another width.
    pub fn resize(&mut self, columns: u16) {
        let size = libc::winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the descriptor is ours and open, and the size lives until the call is over.
        let done = unsafe { libc::ioctl(self.keys.as_raw_fd(), libc::TIOCSWINSZ, &raw const size) };
        assert_eq!(done, 0, "no resize");
    }

    /// Types a line, as slowly as a person: what is typed while the editor sets up the terminal is lost.
    pub fn line(&mut self, text: &str) {
        std::thread::sleep(Duration::from_millis(200));
        self.keys.write_all(text.as_bytes()).unwrap();
        self.keys.write_all(b"\r").unwrap();
    }

    /// Types an entry and gives everything shown until `text`, which must come.
    pub fn ask(&mut self, entry: &str, text: &str) -> String {
        self.line(entry);
        let found = self.wait_for(text);
        self.wait_for(">>> ");
        found
    }

    pub fn end(mut self) -> Option<i32> {
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
