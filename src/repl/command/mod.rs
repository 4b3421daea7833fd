//! Colon commands: one row each; `:help`, completion and the reference read the table.

mod keep;
mod look;

use super::output::Output;
use crate::base::nearest;
use crate::session::Session;
use crate::settings::Settings;

/// What the prompt knows beside the session.
pub struct State {
    /// Tell the time of every entry.
    pub time: bool,
    pub settings: Settings,
    /// The limit of memory that `auto` stands for.
    pub memory: u64,
    /// Entries that ran, for `:save`.
    pub entries: Vec<String>,
    /// Entries so far: errors name them.
    pub count: usize,
    /// The latest entry, whether it ran or not.
    pub last: String,
}

/// What a command works on.
pub struct Desk<'a> {
    pub session: &'a mut Session,
    pub out: &'a mut Output,
    pub state: &'a mut State,
}

/// What is to happen behind a command.
pub enum Next {
    Go,
    Quit,
    /// Runs a text as though it had been typed.
    Run(String),
}

/// What an argument is, for completion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    Nothing,
    Expr,
    Words(&'static [&'static str]),
    Function,
    /// A name of the session.
    Name,
    /// An error code or a function.
    Code,
    Path,
    Setting,
}

pub struct Command {
    pub name: &'static str,
    pub args: &'static str,
    pub help: &'static str,
    pub takes: Takes,
    run: fn(&mut Desk, &str) -> Next,
}

const fn row(
    name: &'static str,
    args: &'static str,
    help: &'static str,
    takes: Takes,
    run: fn(&mut Desk, &str) -> Next,
) -> Command {
    Command { name, args, help, takes, run }
}

/// All commands.
pub const COMMANDS: &[Command] = &[
    row("help", "[NAME]", "this list, or all about a function; `?name` does the same", Takes::Function, look::help),
    row("type", "EXPR", "dtype, shape, strides, view of what; nothing runs", Takes::Expr, look::type_of),
    row("plan", "EXPR", "what would run, what it reads and copies", Takes::Expr, look::plan),
    row("time", "[EXPR|on|off]", "wall time, kernels, bytes, GB/s; the plan against it", Takes::Expr, look::time),
    row("mem", "", "names with their bytes, what shares or pins what, the limit", Takes::Nothing, look::mem),
    row("vars", "", "names and what they hold", Takes::Nothing, look::vars),
    row("load", "FILE", "run a script, or bind a data file to its name", Takes::Path, keep::load),
    row("save", "FILE", "write the entries that ran as a script", Takes::Path, keep::save),
    row("set", "[KEY [VALUE]]", "settings, and what set them", Takes::Setting, keep::set),
    row(
        "trap",
        "nan on|off",
        "stop at the first operation that makes a NaN from numbers",
        Takes::Words(&["nan", "on", "off"]),
        keep::trap,
    ),
    row("doc", "CODE|NAME", "what an error code means, or a function", Takes::Code, look::doc),
    row("edit", "[NAME]", "the last entry, or a function, in $EDITOR", Takes::Name, keep::edit),
    row("reset", "", "forget all names", Takes::Nothing, keep::reset),
    row("quit", "", "leave; so does Ctrl-D", Takes::Nothing, |_, _| Next::Quit),
];

pub fn is_command(line: &str) -> bool {
    line.trim_start().starts_with(':')
}

/// The name that `?name` or `name?` asks about.
pub fn asks_help(line: &str) -> Option<&str> {
    let line = line.trim();
    let name = line.strip_prefix('?').or_else(|| line.strip_suffix('?'))?.trim();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    (name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_name)).then_some(name)
}

/// Runs a colon command.
pub fn run(line: &str, desk: &mut Desk) -> Next {
    let line = line.trim().trim_start_matches(':');
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let short = |c: &&Command| c.name == name || (name == "q" && c.name == "quit");
    if let Some(command) = COMMANDS.iter().find(short) {
        return (command.run)(desk, rest.trim());
    }
    let near = nearest(name, COMMANDS.iter().map(|c| c.name));
    let starts = || COMMANDS.iter().map(|c| c.name).find(|n| !name.is_empty() && n.starts_with(name));
    let hint = match near.or_else(starts) {
        Some(near) => format!("did you mean `:{near}`?"),
        None => "`:help` lists them".to_owned(),
    };
    desk.complain(&format!("unknown command `:{name}`; {hint}"));
    Next::Go
}

/// All about a name: what it holds here, or the function.
pub fn about(name: &str, desk: &mut Desk) {
    look::about(desk, name);
}

impl Desk<'_> {
    fn say(&mut self, text: &str) {
        self.out.say(text);
    }

    fn complain(&mut self, text: &str) {
        self.out.complain(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_holes() {
        assert_eq!(asks_help("?softmax"), Some("softmax"));
        assert_eq!(asks_help(" softmax? "), Some("softmax"));
        assert_eq!(asks_help("m.f?"), Some("m.f"));
        for text in ["x @ ?", "f(?)", "?", "3?", "x + y?", ""] {
            assert_eq!(asks_help(text), None, "{text}");
        }
    }

    #[test]
    fn rows_are_told_apart() {
        let mut names: Vec<&str> = COMMANDS.iter().map(|c| c.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COMMANDS.len());
        assert!(COMMANDS.iter().all(|c| !c.help.is_empty() && !c.help.ends_with('.')));
    }
}
