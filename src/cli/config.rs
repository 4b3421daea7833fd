use super::args::Cli;
use crate::settings::{ROWS, Settings, file, folder, variable};
use std::fmt::Write;

/// `tsk config`: where the configuration is kept and what it may hold; with `show` each value in force and what set it.
pub fn config(cli: &Cli, show: bool) -> i32 {
    super::print(&if show { in_force(&super::run::settings(cli)) } else { defaults() });
    0
}

fn place(path: Option<std::path::PathBuf>) -> String {
    path.map_or("(no home folder)".to_owned(), |p| p.display().to_string())
}

/// A file that could be saved as it is.
fn defaults() -> String {
    let mut out = format!("# {}\n", place(file()));
    let _ = writeln!(out, "# Run at the start of the prompt: {}", place(folder().map(|f| f.join("init.tsk"))));
    let _ = writeln!(
        out,
        "# Variables such as {} win over the file, options of the command line over both.\n",
        variable("precision")
    );
    for row in ROWS {
        let plain = row.default.parse::<u64>().is_ok();
        let value = match row.default {
            "on" => "true".to_owned(),
            "off" => "false".to_owned(),
            text if plain => text.to_owned(),
            text => format!("{text:?}"),
        };
        let words = row.kind.words();
        let choice = if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) };
        let _ = writeln!(out, "{:<28} # {}{choice}", format!("# {} = {value}", row.name), row.help);
    }
    out
}

fn in_force(settings: &Settings) -> String {
    let mut out = String::new();
    for (row, value, origin) in settings.all() {
        let _ = writeln!(out, "{:<14} {value:<10} {origin}", row.name);
    }
    out
}
