//! Texts through a session, their outputs as the JSON lines that programs read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use tsk::backend::Cpu;
use tsk::base::{Diag, SourceMap};
use tsk::eval::Sink;
use tsk::func::Options;
use tsk::plan::Plan;
use tsk::session::{Config, Outcome, Session};
use tsk::text::diag_json;
use tsk::value::{self, Value};

/// Collects what `--format json` would write.
#[derive(Default)]
pub struct Lines(pub Vec<String>);

impl Sink for Lines {
    fn value(&mut self, value: &Value, _: &Options) {
        if !matches!(value, Value::None) {
            self.0.push(value::json(value));
        }
    }

    fn print(&mut self, text: &str) {
        self.0.push(format!("{{\"print\": {}}}", serde_json::Value::from(text)));
    }

    fn plan(&mut self, plan: &Plan, _: &SourceMap) {
        self.0.push(plan.json().to_string());
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        let main = diag.labels.first().map(|l| l.span.source).unwrap_or_default();
        self.0.push(diag_json(diag, sources, main));
    }

    fn warn(&mut self, _: &Diag, _: &SourceMap) {}
}

/// One way to run a text; none may change what it shows.
#[derive(Clone, Copy)]
pub struct Way {
    pub threads: usize,
    pub eager_small: bool,
}

pub const WAYS: [Way; 3] = [
    Way { threads: 1, eager_small: true },
    Way { threads: 2, eager_small: true },
    Way { threads: 2, eager_small: false },
];

pub fn session(way: Way, dir: &Path) -> Session {
    let options = Options { eager_small: way.eager_small, json: true, ..Options::default() };
    let backend = Some(Arc::new(Cpu::new(way.threads)) as Arc<dyn tsk::kernel::Backend>);
    Session::new(Config { options, dir: dir.to_owned(), backend })
}

/// The lines that a text writes and how it ends. A panic is a line of its own, so that the other cases still run.
pub fn run(source: &str, way: Way, dir: &Path) -> (Vec<String>, Result<Outcome, String>) {
    let mut lines = Lines::default();
    let outcome = catch_unwind(AssertUnwindSafe(|| session(way, dir).eval("<stdin>", source, &mut lines)));
    (lines.0, outcome.map_err(|panic| panic_text(&*panic)))
}

pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_else(|| "panic".into())
}
