//! The prompt: a line editor around a session. Everything that is not editing is a [`command`] or the session's.

mod command;
mod complete;
mod editor;
mod margin;
mod output;
mod paint;
mod paths;
mod peek;

use crate::report::progress;
use crate::session::{Outcome, Session};
use crate::settings::Settings;
use command::{Desk, Next, State};
use output::Output;
use rustyline::error::ReadlineError;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Two presses of Ctrl-C within this time quit.
const TWICE: Duration = Duration::from_secs(1);
pub const PROMPT: &str = ">>> ";

pub use command::{COMMANDS, Command};

/// What a prompt starts with.
pub struct Start {
    pub settings: Settings,
    pub color: bool,
    /// The limit of memory in bytes where none is set.
    pub memory: u64,
}

/// Reads entries until the end of input; gives the exit status.
pub fn run(session: Session, start: Start) -> i32 {
    let Start { settings, color, memory } = start;
    let shared = Rc::new(RefCell::new(session));
    let mut editor = match editor::editor(shared.clone(), &settings, color) {
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
    let mut out = Output::new(color, &settings);
    let mut state = State { time: false, settings, memory, entries: Vec::new(), count: 0, last: String::new() };
    greet(&shared, &mut out);
    let mut interrupted: Option<Instant> = None;
    loop {
        match editor.readline(PROMPT) {
            Ok(line) => {
                let text = margin::strip(&line);
                if text.trim().is_empty() {
                    continue;
                }
                remember(&mut editor, &text, history.as_deref());
                out.resize();
                let mut session = shared.borrow_mut();
                session.options().line_width = state.settings.line_width(columns());
                let mut desk = Desk { session: &mut session, out: &mut out, state: &mut state };
                match entry(text, &mut desk, &mut editor, history.as_deref()) {
                    Some(Outcome::Interrupted) => interrupted = Some(Instant::now()),
                    Some(_) => interrupted = None,
                    None => break,
                }
                drop(session);
                editor::update(&mut editor, &state.settings);
            }
            Err(ReadlineError::Interrupted) => {
                if interrupted.is_some_and(|t| t.elapsed() < TWICE) {
                    break;
                }
                interrupted = Some(Instant::now());
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

/// The first line, and the user's `init.tsk`.
fn greet(shared: &RefCell<Session>, out: &mut Output) {
    println!("tsk {}, :help for help, Ctrl-D to leave", env!("CARGO_PKG_VERSION"));
    let Some(path) = crate::settings::folder().map(|f| f.join("init.tsk")) else { return };
    let Ok(bytes) = std::fs::read(&path) else { return };
    let name = path.display().to_string();
    match crate::lang::decode(bytes) {
        // Its errors are shown by the sink, and the prompt comes all the same.
        Ok(text) => drop(shared.borrow_mut().eval(&name, &text, out)),
        Err(diag) => out.complain(&format!("{name}: {}", diag.message)),
    }
}

/// Runs what was typed, and what a command asks to run; None ends the session.
fn entry(text: String, desk: &mut Desk, editor: &mut editor::Prompt, history: Option<&Path>) -> Option<Outcome> {
    // A Ctrl-C that came after the last entry was done is not meant for this one.
    desk.session.cancel_handle().clear();
    let mut next = Next::Run(text);
    let mut typed = true;
    while let Next::Run(text) = next {
        if !typed {
            remember(editor, &text, history);
            desk.say_run(&text);
        }
        if command::is_command(&text) {
            next = command::run(&text, desk);
            desk.session.cancel_handle().clear();
            if let Next::Go = next {
                return Some(Outcome::Fine);
            }
        } else if let Some(name) = command::asks_help(&text) {
            command::about(name, desk);
            return Some(Outcome::Fine);
        } else {
            return Some(evaluate(text, desk));
        }
        typed = false;
    }
    None
}

impl Desk<'_> {
    /// Shows a text that runs although nobody typed it.
    fn say_run(&mut self, text: &str) {
        self.out.say(&format!("{PROMPT}{}", margin::add(text.trim_end())));
    }
}

/// Adds an entry to the history, in its file at once: a terminal may be closed at any time.
fn remember(editor: &mut editor::Prompt, text: &str, path: Option<&Path>) {
    // A history that cannot grow is no reason to stop.
    let _ = editor.add_history_entry(margin::add(text.trim_end()));
    if let Some(path) = path {
        if let Some(dir) = path.parent() {
            let _ = std::fs::create_dir_all(dir);
        }
        let _ = editor.append_history(path);
    }
}

fn evaluate(text: String, desk: &mut Desk) -> Outcome {
    let Desk { session, out, state } = desk;
    state.count += 1;
    let (start, before) = (Instant::now(), session.backend().counters());
    let watch = progress::watch(session.backend());
    let outcome = session.eval(&format!("<repl:{}>", state.count), &text, *out);
    drop(watch);
    out.results(session);
    if state.time && outcome == Outcome::Fine {
        out.say(&crate::report::timing(start.elapsed(), before, session.backend().counters()));
    }
    if outcome == Outcome::Fine {
        state.entries.push(text.clone());
    }
    state.last = text;
    outcome
}

/// Columns of the terminal.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(w, _)| usize::from(w.0).max(20))
}

/// Rows of the terminal.
fn rows() -> usize {
    terminal_size::terminal_size().map_or(24, |(_, h)| usize::from(h.0).max(2))
}

/// `$XDG_STATE_HOME/tsk/history`, else below the home folder.
fn history_file() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_STATE_HOME").filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = base.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state")))?;
    Some(base.join("tsk").join("history"))
}
