//! The prompt: a line editor around a session. Everything that is not editing is a [`command`] or the session's.

mod command;
mod editor;

use crate::report::TextSink;
use crate::session::{Outcome, Session};
use rustyline::error::ReadlineError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Two presses of Ctrl-C at an empty prompt within this time quit.
const TWICE: Duration = Duration::from_secs(1);

/// Reads entries until the end of input; gives the exit status.
pub fn run(mut session: Session, color: bool) -> i32 {
    let mut editor = match editor::editor() {
        Ok(editor) => editor,
        Err(error) => {
            eprintln!("tsk: no line editor here: {error}");
            return 1;
        }
    };
    let history = history_file();
    if let Some(path) = &history {
        // There is none at the first start.
        let _ = editor.load_history(path);
    }
    println!("tsk {}, :help for help, Ctrl-D to leave", env!("CARGO_PKG_VERSION"));
    let mut sink = TextSink { color, width: width(), at_prompt: true };
    let mut state = command::State::default();
    let mut last_interrupt: Option<Instant> = None;
    let mut entry = 0usize;
    loop {
        match editor.readline(">>> ") {
            Ok(line) => {
                last_interrupt = None;
                if line.trim().is_empty() {
                    continue;
                }
                remember(&mut editor, &line, history.as_deref());
                sink.width = width();
                entry += 1;
                // A Ctrl-C that came after the last entry was done is not meant for this one.
                session.cancel_handle().clear();
                if command::is_command(&line) {
                    if command::run(line.trim(), &mut session, &mut sink, &mut state) {
                        break;
                    }
                } else {
                    evaluate(&line, entry, &mut session, &mut sink, &state);
                }
            }
            Err(ReadlineError::Interrupted) => {
                if last_interrupt.is_some_and(|t| t.elapsed() < TWICE) {
                    break;
                }
                last_interrupt = Some(Instant::now());
                println!("(Ctrl-C again or Ctrl-D to leave)");
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => {
                eprintln!("tsk: {error}");
                break;
            }
        }
    }
    0
}

/// Adds an entry to the history, in its file at once: a terminal may be closed at any time.
fn remember(editor: &mut editor::Prompt, line: &str, path: Option<&Path>) {
    // A history that cannot grow is no reason to stop.
    let _ = editor.add_history_entry(line);
    if let Some(path) = path {
        if let Some(dir) = path.parent() {
            let _ = std::fs::create_dir_all(dir);
        }
        let _ = editor.append_history(path);
    }
}

fn evaluate(line: &str, entry: usize, session: &mut Session, sink: &mut TextSink, state: &command::State) {
    let start = Instant::now();
    let before = session.backend().counters();
    let outcome = session.eval(&format!("<repl:{entry}>"), line, sink);
    if state.time && outcome == Outcome::Fine {
        println!("{}", crate::report::timing(start.elapsed(), before, session.backend().counters()));
    }
}

fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(w, _)| usize::from(w.0).max(20))
}

/// `$XDG_STATE_HOME/tsk/history`, else below the home folder.
fn history_file() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_STATE_HOME").filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = base.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state")))?;
    Some(base.join("tsk").join("history"))
}
