//! Every workload of the comparison with other libraries, written as a user types it and run through a session.
//!
//! `workloads [--only IDS] [--threads N] [--time SECONDS] [--list]` prints one JSON object a line: median, least, 90th
//! percentile and greatest time in nanoseconds, the first run's time (`cold_ns`), and the largest error relative to the
//! largest value of an independent computation in f64. IDS are ids or prefixes, comma separated: `E`, `M2`, `R_sum`.
//!
//! Data are made, and the result is checked, outside of the timing. A text is parsed once; planning and computing are
//! timed in every run, into a fresh result (the last one is dropped before, which is not timed).

mod data;
mod linear;
mod maps;
mod others;
mod packed;
mod reduces;

use data::{Rng, Tensor};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsk::backend::Cpu;
use tsk::lang::ast::Stmt;
use tsk::report::{Log, Spread};
use tsk::session::{Config, Outcome, Session};
use tsk::tensor::{HostArray, Scalar};

/// Values at row-major positions of the result, computed from the data in f64.
type Reference = Box<dyn Fn(usize) -> Scalar>;

/// How a result is judged.
enum Check {
    /// Compared at up to `samples` positions.
    Values { samples: usize, reference: Reference },
    /// By a property of the whole result.
    Whole(Box<dyn Fn(&HostArray) -> f64>),
}

/// A workload: what is bound before, the text that is timed, what must come out.
struct Workload {
    id: &'static str,
    title: &'static str,
    /// Text that is run once, untimed.
    before: &'static str,
    text: &'static str,
    /// Largest error that passes, relative to the largest value.
    tolerance: f64,
    make: fn(&mut Rng) -> Made,
}

/// The data of a workload by name, and how its result is judged.
struct Made {
    tensors: Vec<(&'static str, Tensor)>,
    check: Check,
}

struct Options {
    only: Vec<String>,
    threads: usize,
    time: Duration,
    list: bool,
}

fn options() -> Options {
    let mut options = Options {
        only: Vec::new(),
        threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
        time: Duration::from_millis(600),
        list: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_default();
        match arg.as_str() {
            "--only" => options.only = value().split(',').filter(|x| !x.is_empty()).map(str::to_owned).collect(),
            "--threads" => options.threads = value().parse().unwrap_or(options.threads),
            "--time" => options.time = Duration::from_secs_f64(value().parse().unwrap_or(0.6)),
            "--list" => options.list = true,
            // What `cargo bench` adds.
            "--bench" => {}
            other => eprintln!("unknown argument {other}"),
        }
    }
    options
}

/// Whether an id or a prefix is meant: `M1` is not `M10`.
fn wanted(only: &[String], id: &str) -> bool {
    let meant = |name: &String| {
        let rest = id.strip_prefix(name.as_str());
        let digit = |text: &str, last: bool| {
            let c = if last { text.chars().last() } else { text.chars().next() };
            c.is_some_and(|c| c.is_ascii_digit())
        };
        rest.is_some_and(|rest| !(digit(name, true) && digit(rest, false)))
    };
    only.is_empty() || only.iter().any(meant)
}

fn main() {
    let options = options();
    let groups = [maps::ROWS, reduces::ROWS, linear::ROWS, packed::ROWS, others::ROWS];
    for work in groups.into_iter().flatten().filter(|w| wanted(&options.only, w.id)) {
        if options.list {
            println!("{:14} {:44} {}", work.id, work.title, work.text);
            continue;
        }
        match measure(work, &options) {
            Ok(line) => println!("{line}"),
            Err(error) => println!("{}", serde_json::json!({"id": work.id, "peer": "tsk", "error": error})),
        }
    }
}

/// Runs parsed statements; the first report where one fails.
fn run(session: &mut Session, script: &[Stmt]) -> Result<(), String> {
    let mut log = Log::default();
    match session.run(script, &mut log) {
        Outcome::Fine => Ok(()),
        _ => Err(log.text),
    }
}

fn measure(work: &Workload, options: &Options) -> Result<serde_json::Value, String> {
    let backend = Arc::new(Cpu::new(options.threads));
    let mut session = Session::new(Config { backend: Some(backend), ..Config::default() });
    let made = (work.make)(&mut Rng::new(work.id));
    for (name, tensor) in made.tensors {
        session.set(name, tensor.array());
    }
    let before = session.parse("before", work.before).script;
    run(&mut session, &before)?;
    let script = session.parse("workload", &format!("y = eval({})", work.text)).script;
    let forget = session.parse("forget", "del y").script;

    let start = Instant::now();
    run(&mut session, &script)?;
    let cold = start.elapsed();
    let error = judge(&session.array("y").map_err(|d| d.message)?, &made.check);
    if error.is_nan() || error > work.tolerance {
        return Err(format!("wrong result, error {error:.2e}"));
    }
    let mut timed = || -> Result<Duration, String> {
        run(&mut session, &forget)?;
        let start = Instant::now();
        run(&mut session, &script)?;
        Ok(start.elapsed())
    };
    let warm = Instant::now();
    for round in 0.. {
        if round >= 3 && (warm.elapsed() > Duration::from_millis(150) || round >= 1000) {
            break;
        }
        timed()?;
    }
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < 7 || (start.elapsed() < options.time && times.len() < 200) {
        times.push(timed()?.as_nanos() as f64);
    }
    let spread = Spread::of(&mut times);
    Ok(serde_json::json!({
        "id": work.id, "peer": "tsk", "threads": options.threads, "median_ns": spread.median, "min_ns": spread.min,
        "p90_ns": spread.p90, "max_ns": spread.max, "runs": times.len(), "cold_ns": cold.as_nanos() as f64,
        "error_rel": error,
    }))
}

/// The largest error relative to the largest value.
fn judge(result: &HostArray, check: &Check) -> f64 {
    let (samples, reference) = match check {
        Check::Whole(error) => return error(result),
        Check::Values { samples, reference } => (*samples, reference),
    };
    let size = result.view.layout.size();
    let count = size.min(samples);
    let (mut worst, mut largest) = (0.0f64, 1e-30f64);
    for i in 0..count {
        let at = if count == size { i } else { (i as u128 * (size - 1) as u128 / (count - 1) as u128) as usize };
        let (got, want) = (parts(result.get(at)), parts(reference(at)));
        let error = (got.0 - want.0).abs().max((got.1 - want.1).abs());
        worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        largest = largest.max(want.0.abs()).max(want.1.abs());
    }
    worst / largest
}

fn parts(value: Scalar) -> (f64, f64) {
    match value {
        Scalar::Complex(z) => (z.re, z.im),
        other => (other.to_f64(), 0.0),
    }
}
