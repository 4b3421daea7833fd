//! The library's face: texts go in, values, errors and plans come out as data.

mod look;
mod shield;

pub use look::{Held, Memory};

use crate::backend::Cpu;
use crate::base::{Diag, SourceMap, Span, Symbol};
use crate::eval::{Eval, Sink, State};
use crate::file::{self, OpenOptions, Opened};
use crate::func::{Options, files};
use crate::kernel::Backend;
pub use crate::kernel::Cancel;
use crate::lang::ast::Stmt;
use crate::lang::{self, Parsed};
use crate::plan::Tensor;
use crate::report::timing;
use crate::run::Limits;
use crate::tensor::HostArray;
use crate::value::{Scope, ScopeRef, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// How a session starts.
pub struct Config {
    pub options: Options,
    /// Where relative paths of imports and files start.
    pub dir: PathBuf,
    /// None: the processor.
    pub backend: Option<Arc<dyn Backend>>,
}

impl Default for Config {
    fn default() -> Self {
        Config { options: Options::default(), dir: PathBuf::from("."), backend: None }
    }
}

/// How a text ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Outcome {
    Fine,
    /// An error while running; statements before it have run.
    Failed,
    /// Syntax errors; nothing has run.
    Syntax,
    Interrupted,
}

impl Outcome {
    /// The exit status of a process that ran the text.
    pub fn status(self) -> i32 {
        match self {
            Outcome::Fine => 0,
            Outcome::Failed => 1,
            Outcome::Syntax => 2,
            Outcome::Interrupted => 130,
        }
    }
}

/// Bindings and settings that live from text to text. One thread at a time uses a session.
pub struct Session {
    state: State,
    scope: ScopeRef,
    dir: PathBuf,
    timed: bool,
}

impl Session {
    pub fn new(config: Config) -> Session {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let backend = config.backend.unwrap_or_else(|| Arc::new(Cpu::new(threads)));
        let mut options = config.options;
        options.base.get_or_insert_with(|| config.dir.clone());
        let state = State::new(options, backend, Cancel::default());
        Session { state, scope: Scope::module(), dir: config.dir, timed: false }
    }

    /// Runs a whole text: all syntax errors at once and nothing runs, or its statements until the first error.
    /// `name` is what errors call the text.
    pub fn eval(&mut self, name: &str, text: &str, sink: &mut dyn Sink) -> Outcome {
        let parsed = self.parse(name, text);
        if !parsed.errors.is_empty() {
            parsed.errors.iter().for_each(|e| sink.error(e, &self.state.sources));
            return Outcome::Syntax;
        }
        self.run(&parsed.script, sink)
    }

    /// As [`Session::eval`], with relative imports starting at `dir`.
    pub fn eval_in(&mut self, dir: &std::path::Path, name: &str, text: &str, sink: &mut dyn Sink) -> Outcome {
        let before = std::mem::replace(&mut self.dir, dir.to_owned());
        let outcome = self.eval(name, text, sink);
        self.dir = before;
        outcome
    }

    /// Parses a text as one of this session's sources.
    pub fn parse(&mut self, name: &str, text: &str) -> Parsed {
        let source = self.state.sources.add(name, text, false);
        lang::parse(source, text)
    }

    /// Runs statements until the first error, which goes to the sink. Bindings stay as they are.
    pub fn run(&mut self, script: &[Stmt], sink: &mut dyn Sink) -> Outcome {
        let scope = self.scope.clone();
        for stmt in script {
            let (start, before) = (Instant::now(), self.state.backend.counters());
            let result = Eval::new(&mut self.state, sink, self.dir.clone()).top(stmt, &scope);
            if self.timed {
                let line = timing(start.elapsed(), before, self.state.backend.counters());
                eprintln!("{:>40}  {line}", self.head(stmt.span));
            }
            if let Err(diag) = result {
                sink.error(&diag, &self.state.sources);
                if diag.code == "E0701" {
                    self.state.cancel.clear();
                    return Outcome::Interrupted;
                }
                return Outcome::Failed;
            }
        }
        Outcome::Fine
    }

    /// Names, shapes and dtypes of a script, every branch once: all faults go to the sink, nothing is computed, shown or
    /// written. The script is looked at on its own, without the bindings of this session; `args` may be anything.
    pub fn check(&mut self, name: &str, text: &str, sink: &mut dyn Sink) -> Outcome {
        let parsed = self.parse(name, text);
        if !parsed.errors.is_empty() {
            parsed.errors.iter().for_each(|e| sink.error(e, &self.state.sources));
            return Outcome::Syntax;
        }
        let dir = self.dir.clone();
        let (result, found) = self.state.checked(|state| Eval::new(state, sink, dir).check_script(&parsed.script));
        match result {
            Err(_) => {
                self.state.cancel.clear();
                Outcome::Interrupted
            }
            Ok(()) if found > 0 => Outcome::Failed,
            Ok(()) => Outcome::Fine,
        }
    }

    /// The first line of a statement, shortened.
    fn head(&self, span: Span) -> String {
        let line = self.state.sources.snippet(span).lines().next().unwrap_or("");
        let short: String = line.chars().take(39).collect();
        if short.len() < line.len() { format!("{short}…") } else { short }
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.scope.get(Symbol::new(name))
    }

    /// The computed elements of a tensor.
    ///
    /// # Errors
    /// E0101 where the name is no tensor, and what computing it may meet.
    pub fn array(&mut self, name: &str) -> Result<HostArray, Diag> {
        let Some(Value::Tensor(t)) = self.get(name) else {
            return Err(Diag::new("E0101", format!("`{name}` is bound to no tensor")));
        };
        let node = t.cell.version();
        let limits = Limits { max_memory: self.state.options.max_memory, large_copy: u64::MAX };
        crate::run::force(std::slice::from_ref(&node), &*self.state.backend, &limits, &self.state.cancel)
            .map_err(|f| f.diag(node.span))?;
        t.array().ok_or_else(Diag::interrupted)
    }

    /// Binds a name to an array, whose bytes are shared and not copied.
    pub fn set(&mut self, name: &str, array: HostArray) {
        let mut tensor = Tensor::from_array(array, None);
        tensor.origin = Some(name.into());
        self.scope.set(Symbol::new(name), Value::tensor(tensor));
    }

    pub fn set_value(&mut self, name: &str, value: Value) {
        self.scope.set(Symbol::new(name), value);
    }

    /// Opens a data file and binds it to a name, as `name = load(path)` does. Gives the names of an archive's tensors.
    ///
    /// # Errors
    /// E06 where the file cannot be opened.
    pub fn open(&mut self, name: &str, path: &Path) -> Result<Vec<String>, Diag> {
        let options = self.options();
        let options = OpenOptions { mmap: options.mmap, default_float: options.default_float, delimiter: None };
        let (value, names) = match file::open(path, &options)? {
            Opened::Tensor(loaded) => (files::tensor(loaded, Some(name))?, Vec::new()),
            Opened::Archive(archive) => {
                let names = archive.names().map(str::to_owned).collect();
                (Value::Archive(Arc::new(archive)), names)
            }
        };
        self.set_value(name, value);
        Ok(names)
    }

    /// The names bound so far, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.scope.lock().keys().map(|s| s.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Forgets all names but `args`.
    pub fn reset(&mut self) {
        let args = self.get("args");
        self.scope = Scope::module();
        if let Some(args) = args {
            self.set_value("args", args);
        }
    }

    /// The folder where relative paths of files start.
    pub fn folder(&self) -> PathBuf {
        self.state.options.base.clone().unwrap_or_else(|| self.dir.clone())
    }

    /// Computes on the processor with so many threads from now on; None: all.
    pub fn set_threads(&mut self, threads: Option<usize>) {
        let all = std::thread::available_parallelism().map_or(1, |n| n.get());
        self.state.backend = Arc::new(Cpu::new(threads.unwrap_or(all)));
    }

    /// Random numbers start anew from this seed.
    pub fn seed(&mut self, seed: u64) {
        self.state.options.seed = seed;
        self.state.options.random_calls = 0;
    }

    /// Stops what runs, from any thread; the next text starts afresh.
    pub fn cancel_handle(&self) -> Cancel {
        self.state.cancel.clone()
    }

    /// The page of a name (empty: what there is), its examples with what they show.
    ///
    /// # Errors
    /// What to try instead.
    pub fn help(&self, name: &str) -> Result<String, String> {
        crate::eval::help(name, &self.state.backend, &self.state.cancel)
    }

    /// The page of a name for programs.
    ///
    /// # Errors
    /// As [`Session::help`].
    pub fn help_json(&self, name: &str) -> Result<String, String> {
        let page = crate::help::find(name)?;
        Ok(page.json(&crate::eval::outputs(&page, &self.state.backend, &self.state.cancel)).to_string())
    }

    /// Tells the time of each top-level statement on standard error from now on.
    pub fn time(&mut self, on: bool) {
        self.timed = on;
    }

    pub fn options(&mut self) -> &mut Options {
        &mut self.state.options
    }

    pub fn sources(&self) -> &SourceMap {
        &self.state.sources
    }

    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.state.backend
    }
}
