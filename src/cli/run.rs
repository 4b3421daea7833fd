use super::args::{Cli, Format};
use crate::backend::Cpu;
use crate::base::{Diag, SourceMap};
use crate::eval::Sink;
use crate::func::Options;
use crate::lang;
use crate::report::{JsonSink, TextSink};
use crate::session::{Cancel, Config, Outcome, Session};
use crate::settings::{Origin, Settings};
use crate::tensor::DType;
use crate::value::Value;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Status of a wrong command line or an unreadable script.
pub const USAGE: i32 = 2;
/// Status of a process that Ctrl-C ended.
pub const INTERRUPTED: i32 = 130;
/// The time that interrupted work has to end by itself.
const GRACE: Duration = Duration::from_secs(1);
/// Whether the process goes on after what is interrupted: prompts do.
static GOES_ON: AtomicBool = AtomicBool::new(false);

pub fn run(cli: &Cli) -> i32 {
    let stdin = std::io::stdin();
    let mut sink = sink(cli);
    if let Some(text) = &cli.eval {
        // With -e there is no script: every word behind it is an argument of the text.
        let first = cli.file.iter().map(|f| f.to_string_lossy().into_owned());
        let args = first.chain(cli.args.iter().cloned()).collect();
        let mut session = session(cli, None, args);
        return finish(session.eval("<text>", text, &mut *sink));
    }
    let from_stdin = cli.file.as_deref().is_none_or(|f| f == Path::new("-"));
    if from_stdin && cli.interactive {
        return interactive(cli, &mut *sink);
    }
    if cli.file.is_none() && stdin.is_terminal() {
        let settings = settings(cli);
        let color = wants_color(&settings);
        let session = session_of(&settings, cli, None, Vec::new());
        GOES_ON.store(true, Ordering::Relaxed);
        return crate::repl::run(session, crate::repl::Start { settings, color, memory: default_memory() });
    }
    let (name, bytes, dir) = if from_stdin {
        let mut bytes = Vec::new();
        // One byte beyond the longest text that the parser takes is enough to refuse it.
        let read = stdin.lock().take(lang::MAX_SOURCE as u64 + 1).read_to_end(&mut bytes);
        ("<stdin>".to_owned(), read.map(|_| bytes), None)
    } else {
        let path = cli.file.clone().unwrap_or_default();
        (path.display().to_string(), read_script(&path), path.parent().map(Path::to_owned))
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            let diag = Diag::new("E0601", format!("cannot read {name}: {error}"));
            sink.error(&diag, &SourceMap::default());
            return USAGE;
        }
    };
    let mut session = session(cli, dir, cli.args.clone());
    match lang::decode(bytes) {
        Ok(text) => finish(session.eval(&name, &text, &mut *sink)),
        Err(diag) => {
            sink.error(&diag, session.sources());
            USAGE
        }
    }
}

/// A script's text; E0601 where it cannot be read, E00 where it is no UTF-8.
fn script_text(path: &Path) -> Result<String, Diag> {
    let bytes = read_script(path).map_err(|e| Diag::new("E0601", format!("cannot read {}: {e}", path.display())))?;
    lang::decode(bytes)
}

fn read_script(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(lang::MAX_SOURCE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub fn finish(outcome: Outcome) -> i32 {
    let _ = std::io::stdout().flush();
    outcome.status()
}

/// Statements from a pipe, each run when its line completes it.
fn interactive(cli: &Cli, sink: &mut dyn Sink) -> i32 {
    GOES_ON.store(true, Ordering::Relaxed);
    let mut session = session(cli, None, Vec::new());
    let mut pending = String::new();
    let mut count = 0u64;
    let mut status = 0;
    let mut input = std::io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        let read = (&mut input).take(lang::MAX_SOURCE as u64).read_until(b'\n', &mut bytes).unwrap_or(0);
        let ended = read == 0;
        let unreadable = match lang::decode(bytes) {
            Ok(line) => {
                pending.push_str(&line);
                None
            }
            Err(diag) => Some(diag),
        };
        if !ended && unreadable.is_none() && !lang::is_complete(&pending) {
            continue;
        }
        let text = std::mem::take(&mut pending);
        if unreadable.is_some() || !text.trim().is_empty() {
            count += 1;
            session.cancel_handle().clear();
            let outcome = match unreadable {
                Some(diag) => {
                    sink.error(&diag, session.sources());
                    Outcome::Syntax
                }
                None => session.eval(&format!("<{count}>"), &text, sink),
            };
            status = if outcome == Outcome::Fine { status } else { outcome.status() };
            if cli.format == Format::Json {
                let mut out = std::io::stdout().lock();
                let _ = writeln!(out, "{{\"done\": {count}}}");
            }
            let _ = std::io::stdout().flush();
        }
        if ended {
            return status;
        }
    }
}

/// Shapes, dtypes and names of each script, every branch once; nothing is computed or written.
pub fn check(cli: &Cli, files: &[PathBuf]) -> i32 {
    if files.is_empty() {
        eprintln!("tsk check: name the scripts to check");
        return USAGE;
    }
    let mut status = 0;
    let mut sink = sink(cli);
    for path in files {
        let text = match script_text(path) {
            Ok(text) => text,
            Err(diag) => {
                sink.error(&diag, &SourceMap::default());
                return USAGE;
            }
        };
        let mut session = session(cli, path.parent().map(Path::to_owned), Vec::new());
        let outcome = session.check(&path.display().to_string(), &text, &mut *sink);
        status = status.max(outcome.status());
    }
    status
}

pub fn plan(cli: &Cli, file: Option<&Path>, expr: Option<&str>) -> i32 {
    let mut sink = sink(cli);
    let (text, dir) = match (expr, file) {
        (Some(text), _) => (text.to_owned(), None),
        (None, Some(path)) => match script_text(path) {
            Ok(text) => (text, path.parent().map(Path::to_owned)),
            Err(diag) => {
                sink.error(&diag, &SourceMap::default());
                return USAGE;
            }
        },
        (None, None) => {
            eprintln!("tsk plan: a FILE or -e TEXT is needed");
            return USAGE;
        }
    };
    let mut session = session(cli, dir, Vec::new());
    match session.plan(&text, &mut *sink) {
        Ok(plan) => {
            sink.plan(&plan, session.sources());
            0
        }
        Err(diag) => {
            sink.error(&diag, session.sources());
            if diag.code.starts_with("E00") { USAGE } else { 1 }
        }
    }
}

/// Threads to compute with.
pub fn threads(cli: &Cli) -> usize {
    threads_of(&quiet_settings(cli).0)
}

fn threads_of(settings: &Settings) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, |n| n.get());
    settings.count("threads").and_then(|n| usize::try_from(n).ok()).unwrap_or_else(all)
}

pub fn default_float(cli: &Cli) -> DType {
    DType::from_name(quiet_settings(cli).0.get("default-dtype")).unwrap_or(DType::F32)
}

/// A session as the options ask for, with Ctrl-C wired to its cancel flag.
pub fn session(cli: &Cli, dir: Option<PathBuf>, args: Vec<String>) -> Session {
    session_of(&settings(cli), cli, dir, args)
}

/// The settings in force: configuration file and environment, then the options of the command line.
pub fn settings(cli: &Cli) -> Settings {
    let (settings, faults) = quiet_settings(cli);
    faults.iter().for_each(|fault| eprintln!("tsk: {fault}"));
    settings
}

/// The settings, and what is wrong with them.
fn quiet_settings(cli: &Cli) -> (Settings, Vec<String>) {
    let (mut settings, faults) = Settings::load();
    let name = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    let given = [
        ("threads", cli.threads.map(|n| n.to_string())),
        ("max-memory", cli.max_memory.map(|n| n.to_string())),
        ("seed", cli.seed.map(|n| n.to_string())),
        ("default-dtype", cli.default_dtype.map(|d| name(&d))),
        ("color", cli.color.map(|c| name(&c))),
    ];
    for (key, value) in given {
        // The parser of the command line has checked them already.
        let set = value.map(|value| settings.set(key, &value, Origin::Flag));
        if let Some(Err(error)) = set {
            eprintln!("tsk: {error}");
        }
    }
    (settings, faults)
}

fn session_of(settings: &Settings, cli: &Cli, dir: Option<PathBuf>, args: Vec<String>) -> Session {
    let mut options = Options {
        mmap: !cli.no_mmap,
        seed: settings.count("seed").unwrap_or(0),
        json: cli.format == Format::Json,
        base: Some(PathBuf::from(".")),
        ..Options::default()
    };
    settings.apply(&mut options, width(75), default_memory());
    let dir = dir.filter(|d| !d.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("."));
    let config = Config { options, dir, backend: Some(Arc::new(Cpu::new(threads_of(settings)))) };
    let mut session = Session::new(config);
    session.set_value("args", Value::list(args.into_iter().map(Value::str).collect()));
    session.time(cli.time);
    interrupts(session.cancel_handle());
    session
}

/// Wires Ctrl-C to a cancel flag; the latest one has it.
pub fn interrupts(cancel: Cancel) {
    static CURRENT: Mutex<Option<Cancel>> = Mutex::new(None);
    let current = || CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    let first = current().replace(cancel).is_none();
    if first {
        // Fails only where a handler is set already: then somebody else looks after Ctrl-C.
        let _ = ctrlc::set_handler(move || current().iter().for_each(pressed));
    }
}

/// Ctrl-C stops what runs; a second one within a second, while nothing has answered the first, ends the process. Where
/// the process does not go on, it ends after `GRACE` in any case: its output may wait for a reader that never comes.
fn pressed(cancel: &Cancel) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let soon = last.is_some_and(|t| t.elapsed() < Duration::from_secs(1));
    if soon && cancel.is_set() {
        std::process::exit(INTERRUPTED);
    }
    let first = last.replace(Instant::now()).is_none();
    cancel.set();
    if first && !GOES_ON.load(Ordering::Relaxed) {
        std::thread::spawn(|| {
            std::thread::sleep(GRACE);
            std::process::exit(INTERRUPTED);
        });
    }
}

pub fn sink(cli: &Cli) -> Box<dyn Sink> {
    match cli.format {
        Format::Json => Box::new(JsonSink),
        Format::Text => {
            // The session tells what is wrong with the settings.
            Box::new(TextSink { color: color(cli), width: width(100), at_prompt: false })
        }
    }
}

pub fn color(cli: &Cli) -> bool {
    wants_color(&quiet_settings(cli).0)
}

fn wants_color(settings: &Settings) -> bool {
    match settings.get("color") {
        "always" => true,
        "never" => false,
        _ => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            !refused && std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
        }
    }
}

/// Columns of the terminal, or `otherwise` where standard output is none.
pub fn width(otherwise: usize) -> usize {
    if !std::io::stdout().is_terminal() {
        return otherwise;
    }
    terminal_size::terminal_size().map_or(otherwise, |(w, _)| usize::from(w.0).max(20))
}

/// 80 % of what the machine or its control group has; no limit where neither can be read.
fn default_memory() -> u64 {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("MemTotal:"))?.to_owned();
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kb| kb * 1024)
    });
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| read(path)?.trim().parse::<u64>().ok());
    [machine, group].into_iter().flatten().min().map_or(u64::MAX, |bytes| bytes / 10 * 8)
}
