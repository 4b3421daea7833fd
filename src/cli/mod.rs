//! The command line: arguments to commands. Uses nothing of the crate but the session and the tables.

mod args;
mod codes;
mod help;
mod run;
mod sinks;

pub use help::text as help_text;
pub use sinks::{JsonSink, TextSink};

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
        Some(Command::Help { name }) => help::help(name.as_deref()),
        Some(Command::Plan { file, expr }) => run::plan(&cli, file.as_deref(), expr.as_deref()),
        None => run::run(&cli),
    }
}
