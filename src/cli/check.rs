//! `tsk check`: scripts without running them, data files without showing them.

use super::args::{Cli, StyleArgs};
use super::run;
use std::path::PathBuf;

pub fn run(cli: &Cli, files: &[PathBuf], style: StyleArgs) -> i32 {
    let _ = style;
    run::check(cli, files)
}
