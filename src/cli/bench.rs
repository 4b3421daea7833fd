//! `tsk bench`: how long an expression takes, and how far that is from what the machine could do.

use super::args::Cli;
use super::bandwidth::{self, Bandwidth};
use super::run::{USAGE, session, sink, threads};
use crate::base::{Diag, SourceMap, size};
use crate::eval::Sink;
use crate::func::Options;
use crate::lang::ast::{Stmt, StmtKind};
use crate::plan::Plan;
use crate::report::Spread;
use crate::session::{Outcome, Session};
use crate::value::Value;
use std::time::{Duration, Instant};

/// What was asked for.
pub struct Request<'a> {
    pub expr: &'a str,
    /// Text that runs once before, untimed.
    pub setup: Option<&'a str>,
    pub seconds: f64,
    pub json: bool,
}

/// Keeps the last value instead of showing it, and hands errors on.
struct Quiet<'a> {
    last: Value,
    errors: &'a mut dyn Sink,
}

impl Sink for Quiet<'_> {
    fn value(&mut self, value: &Value, _: &Options) {
        self.last = value.clone();
    }
    fn print(&mut self, _: &str) {}
    fn plan(&mut self, _: &Plan, _: &SourceMap) {}
    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        self.errors.error(diag, sources);
    }
    fn warn(&mut self, diag: &Diag, sources: &SourceMap) {
        self.errors.warn(diag, sources);
    }
}

/// What the runs showed.
struct Found {
    times: Spread,
    runs: usize,
    kernels: u64,
    copies: u64,
    read: u64,
    written: u64,
    flops: u64,
    limit: Option<Bandwidth>,
}

const MOST_RUNS: usize = 10_000;
const LEAST_RUNS: usize = 7;

pub fn run(cli: &Cli, request: &Request) -> i32 {
    let mut errors = sink(cli);
    let (mut session, threads) = (session(cli, None, Vec::new()), threads(cli));
    if let Some(setup) = request.setup {
        let outcome = session.eval("<setup>", setup, &mut *errors);
        if outcome != Outcome::Fine {
            return outcome.status();
        }
    }
    match measure(&mut session, request, &mut *errors) {
        Ok(mut found) => {
            found.limit = bandwidth::measure(threads);
            println!("{}", if request.json { found.json(threads) } else { found.text(threads) });
            0
        }
        Err(status) => status,
    }
}

fn measure(session: &mut Session, request: &Request, errors: &mut dyn Sink) -> Result<Found, i32> {
    let flops = match session.plan(request.expr, errors) {
        Ok(plan) => plan.flops(),
        Err(diag) => {
            errors.error(&diag, session.sources());
            return Err(if diag.code.starts_with("E00") { USAGE } else { 1 });
        }
    };
    let script = session.parse("<expression>", request.expr).script;
    if !matches!(script.as_slice(), [Stmt { kind: StmtKind::Expr(_), .. }]) {
        eprintln!("tsk bench: one expression is timed; other statements belong to -e");
        return Err(USAGE);
    }
    let mut quiet = Quiet { last: Value::None, errors };
    let before = session.backend().counters();
    let mut once = || {
        // The last result is freed outside of the timing.
        quiet.last = Value::None;
        let start = Instant::now();
        match session.run(&script, &mut quiet) {
            Outcome::Fine => Ok(start.elapsed()),
            other => Err(other.status()),
        }
    };
    let (wanted, begun) = (Duration::from_secs_f64(request.seconds), Instant::now());
    let first = once()?;
    let mut warm = 0;
    while warm < 3 && begun.elapsed() < wanted {
        once()?;
        warm += 1;
    }
    let (mut times, begun) = (Vec::new(), Instant::now());
    while times.len() < LEAST_RUNS || (begun.elapsed() < wanted && times.len() < MOST_RUNS) {
        times.push(once()?.as_nanos() as f64);
        // Something that takes minutes is not run seven times.
        if begun.elapsed() > 10 * wanted.max(first) {
            break;
        }
    }
    let after = session.backend().counters();
    let runs = (times.len() + warm + 1) as u64;
    Ok(Found {
        times: Spread::of(&mut times),
        runs: times.len(),
        kernels: (after.launches - before.launches) / runs,
        copies: (after.copies - before.copies) / runs,
        read: (after.bytes_read - before.bytes_read) / runs,
        written: (after.bytes_written - before.bytes_written) / runs,
        flops,
        limit: None,
    })
}

impl Found {
    fn moved(&self) -> u64 {
        self.read + self.written
    }

    /// Bytes, or operations, a second and 1e9.
    fn giga(&self, amount: u64) -> f64 {
        amount as f64 / self.times.median.max(1.0)
    }

    /// The time that memory alone would take, as a share of the median: what reads mostly by the bandwidth of reading.
    fn share(&self) -> Option<f64> {
        let limit = self.limit?;
        let (bytes, rate) =
            if self.written * 8 < self.read { (self.read, limit.read) } else { (self.moved(), limit.copy) };
        (bytes > 0).then(|| bytes as f64 / rate / (self.times.median / 1e9))
    }

    fn text(&self, threads: usize) -> String {
        let time = |ns: f64| format!("{:.2?}", Duration::from_nanos(ns as u64));
        let Spread { median, min, p90, max } = self.times;
        let mut out = format!(
            "median {}, min {}, p90 {}, max {} ({} runs, {threads} threads)\n",
            time(median),
            time(min),
            time(p90),
            time(max),
            self.runs
        );
        out += &format!(
            "{} kernels, {} copies, {} read, {} written: {:.2} GB/s",
            self.kernels,
            self.copies,
            size(self.read),
            size(self.written),
            self.giga(self.moved())
        );
        if self.flops > 0 {
            out += &format!(", {:.2} GFLOP/s", self.giga(self.flops));
        }
        if let (Some(limit), Some(share)) = (self.limit, self.share()) {
            out += &format!(
                "\n{:.0} % of this machine's memory bandwidth (read {:.1} GB/s, copy {:.1} GB/s)",
                100.0 * share,
                limit.read / 1e9,
                limit.copy / 1e9
            );
        }
        out
    }

    fn json(&self, threads: usize) -> String {
        let Spread { median, min, p90, max } = self.times;
        serde_json::json!({
            "median_ns": median, "min_ns": min, "p90_ns": p90, "max_ns": max, "runs": self.runs, "threads": threads,
            "kernels": self.kernels, "copies": self.copies, "bytes_read": self.read, "bytes_written": self.written,
            "gb_per_s": self.giga(self.moved()), "flops": self.flops, "gflop_per_s": self.giga(self.flops),
            "read_limit_gb_per_s": self.limit.map(|l| l.read / 1e9), "copy_limit_gb_per_s": self.limit.map(|l| l.copy / 1e9),
            "share_of_limit": self.share(),
        })
        .to_string()
    }
}
