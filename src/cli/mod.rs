//! The command line: arguments to commands. Uses nothing of the crate but the session and the tables.

mod args;
mod bandwidth;
mod bench;
mod check;
mod codes;
mod config;
mod convert;
mod data;
mod diff;
mod expression;
mod help;
mod info;
mod progress;
mod run;
mod stat;
mod table;

use args::{Cli, Command};
use clap::Parser;

/// Runs the process's command line and gives its exit status.
pub fn main() -> i32 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let status = if error.use_stderr() { 2 } else { 0 };
            // A closed pipe is the reader's way of saying enough.
            let _ = error.print();
            return status;
        }
    };
    match &cli.command {
        Some(Command::Explain { code }) => codes::explain(code),
        Some(Command::Help { name, json }) => help::run(&cli, &name.join(" "), *json),
        Some(Command::Check { files, style }) => check::run(&cli, files, *style),
        Some(Command::Diff { a, b, glob, atol, rtol, all, style }) => {
            let tolerance = crate::backend::Tolerance { atol: *atol, rtol: *rtol };
            diff::run(&cli, a, b.as_deref(), &diff::Wish { glob: glob.as_deref(), tolerance, all: *all }, *style)
        }
        Some(Command::Convert { from, to, dtype, glob, renames, shard_size, style }) => {
            let (dtype, glob) = (dtype.as_deref(), glob.as_deref());
            let wish = convert::Wish { dtype, glob, renames, shard_size: *shard_size };
            convert::run(&cli, from, to, &wish, *style)
        }
        Some(Command::Stat { file, glob, no_hist, style }) => {
            stat::run(&cli, file, &stat::Wish { glob: glob.as_deref(), bins: !no_hist }, *style)
        }
        Some(Command::Info { files, all, scan, style }) => info::run(&cli, files, *all, *scan, *style),
        Some(Command::Config { show }) => config::config(&cli, *show),
        Some(Command::Plan { file, expr }) => run::plan(&cli, file.as_deref(), expr.as_deref()),
        Some(Command::Bench { expr, setup, time, json }) => {
            bench::run(&cli, &bench::Request { expr, setup: setup.as_deref(), seconds: *time, json: *json })
        }
        None => match cli.file.as_deref().filter(|file| cli.eval.is_none() && crate::file::is_data(file)) {
            Some(file) => expression::run(&cli, file),
            None => run::run(&cli),
        },
    }
}

fn print(text: &str) {
    use std::io::Write;
    // A closed pipe only means that enough was read.
    let _ = std::io::stdout().write_all(text.as_bytes());
}
