//! `tsk help`: pages from the rows, commands from the command tree.

use super::args::{Cli, Format};
use crate::session::Session;
use clap::CommandFactory;

/// Shows the page of a name (empty: what there is).
pub fn run(cli: &Cli, name: &str, json: bool) -> i32 {
    let json = json || cli.format == Format::Json;
    let session = Session::new(Default::default());
    let page = if json { session.help_json(name).map(|line| line + "\n") } else { session.help(name) };
    let command = command_page(name);
    match (page, command) {
        (Ok(text), None) => super::print(&text),
        (Ok(text), Some(_)) if !json => {
            super::print(&format!("{text}\nThe command of that name: tsk {name} --help\n"));
        }
        (Ok(text), Some(_)) | (Err(_), Some(text)) => super::print(&text),
        (Err(text), None) => {
            eprintln!("{text}");
            return 1;
        }
    }
    0
}

/// What `tsk NAME --help` shows, where there is such a command.
fn command_page(name: &str) -> Option<String> {
    let mut cli = Cli::command().bin_name("tsk");
    cli.build();
    cli.find_subcommand_mut(name).map(|command| command.render_long_help().to_string())
}
