use super::displayed;
use crate::base::{Diag, SourceMap};
use crate::draw::draw;
use crate::eval::Sink;
use crate::func::Options;
use crate::plan::Plan;
use crate::text::diag_json;
use crate::value::{self, Value};
use std::io::Write;

/// The status of a process whose reader has gone, as shells report it.
const CLOSED_PIPE: i32 = 141;

/// Ends the process quietly where the reader of our output has gone, as other tools of a pipe do.
fn emit(text: &str, flush: bool) {
    super::progress::wipe();
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n"));
    if let Err(error) = written.and_then(|()| if flush { out.flush() } else { Ok(()) }) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(CLOSED_PIPE);
        }
        // Nothing that follows could be shown either.
        let _ = writeln!(std::io::stderr(), "tsk: cannot write the output: {error}");
        std::process::exit(1);
    }
}

/// Values on standard output as a person reads them, errors on standard error.
pub struct TextSink {
    pub color: bool,
    /// Columns for drawn errors.
    pub width: usize,
    /// Whoever pressed Ctrl-C at a prompt knows where: a word is enough.
    pub at_prompt: bool,
}

impl Sink for TextSink {
    fn value(&mut self, value: &Value, options: &Options) {
        if let Some(text) = displayed(value, options) {
            emit(&text, false);
        }
    }

    fn print(&mut self, text: &str) {
        emit(text, false);
    }

    fn plan(&mut self, plan: &Plan, sources: &SourceMap) {
        emit(&plan.text(sources), false);
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        // What was shown before stands before the error; a closed standard error is nobody's loss.
        super::progress::wipe();
        let _ = std::io::stdout().flush();
        if self.at_prompt && diag.code == "E0701" {
            let _ = writeln!(std::io::stderr(), "interrupted");
            return;
        }
        let _ = write!(std::io::stderr(), "{}", draw(diag, sources, self.color, self.width));
    }

    fn warn(&mut self, diag: &Diag, sources: &SourceMap) {
        self.error(diag, sources);
    }
}

/// One JSON object a line on standard output, flushed at once.
pub struct JsonSink;

impl Sink for JsonSink {
    fn value(&mut self, value: &Value, _options: &Options) {
        if !matches!(value, Value::None) {
            emit(&value::json(value), true);
        }
    }

    fn print(&mut self, text: &str) {
        emit(&format!("{{\"print\": {}}}", serde_json::Value::from(text)), true);
    }

    fn plan(&mut self, plan: &Plan, _sources: &SourceMap) {
        emit(&plan.json().to_string(), true);
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        let main = diag.labels.first().map(|l| l.span.source).unwrap_or_default();
        emit(&diag_json(diag, sources, main), true);
    }

    fn warn(&mut self, diag: &Diag, sources: &SourceMap) {
        let _ = write!(std::io::stderr(), "{}", draw(diag, sources, false, 100));
    }
}
