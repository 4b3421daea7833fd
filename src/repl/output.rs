//! What the prompt shows, and the last results.

use crate::base::{Diag, SourceMap};
use crate::eval::Sink;
use crate::func::Options;
use crate::plan::Plan;
use crate::report::{TextSink, displayed, progress};
use crate::settings::Settings;
use crate::value::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Names of the last results, the latest first.
const RESULTS: [&str; 3] = ["_", "_1", "_2"];

pub fn is_result(name: &str) -> bool {
    RESULTS.contains(&name)
}

pub struct Output {
    text: TextSink,
    pager: bool,
    /// Displayed values, the latest last.
    results: Vec<Value>,
}

impl Output {
    pub fn new(color: bool, settings: &Settings) -> Output {
        let mut out = Output {
            text: TextSink { color, width: super::columns(), at_prompt: true },
            pager: false,
            results: Vec::new(),
        };
        out.set(settings);
        out
    }

    /// Takes up settings.
    pub fn set(&mut self, settings: &Settings) {
        self.pager = settings.is_on("pager");
        progress::enable(settings.is_on("progress"));
    }

    /// The terminal may have another width than before.
    pub fn resize(&mut self) {
        self.text.width = super::columns();
    }

    /// The results of an entry under their names, after which they are the session's alone.
    pub fn results(&mut self, session: &mut crate::session::Session) {
        let new = std::mem::take(&mut self.results);
        for value in new {
            for i in (1..RESULTS.len()).rev() {
                if let Some(older) = session.get(RESULTS[i - 1]) {
                    session.set_value(RESULTS[i], older);
                }
            }
            session.set_value(RESULTS[0], value);
        }
    }

    pub fn forget(&mut self) {
        self.results.clear();
    }

    /// A line or several of the prompt's own.
    pub fn say(&mut self, text: &str) {
        self.text.print(text);
    }

    /// Text that may be longer than the screen.
    pub fn long(&mut self, text: &str) {
        if !(self.pager && text.lines().count() + 1 > super::rows() && paged(text)) {
            self.text.print(text);
        }
    }

    pub fn complain(&mut self, text: &str) {
        let _ = std::io::stdout().flush();
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// Shows a text in the pager; false where there is none.
fn paged(text: &str) -> bool {
    let pager = std::env::var("PAGER").ok().filter(|p| !p.trim().is_empty()).unwrap_or_else(|| "less -RF".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    let _ = std::io::stdout().flush();
    let Ok(mut child) = Command::new(program).args(words).stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut pipe) = child.stdin.take() {
        // A pager that is left early has shown enough.
        let _ = pipe.write_all(text.as_bytes()).and_then(|()| pipe.write_all(b"\n"));
    }
    child.wait().is_ok()
}

impl Sink for Output {
    fn value(&mut self, value: &Value, options: &Options) {
        if let Some(text) = displayed(value, options) {
            self.long(&text);
            self.results.push(value.clone());
            if self.results.len() > RESULTS.len() {
                self.results.remove(0);
            }
        }
    }

    fn print(&mut self, text: &str) {
        self.text.print(text);
    }

    fn plan(&mut self, plan: &Plan, sources: &SourceMap) {
        self.text.plan(plan, sources);
    }

    fn history(&mut self, text: &str) {
        self.text.history(text);
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        self.text.error(diag, sources);
    }

    fn warn(&mut self, diag: &Diag, sources: &SourceMap) {
        self.text.warn(diag, sources);
    }
}
