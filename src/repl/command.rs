//! Colon commands: a table of names, help and what they do.

use crate::base::nearest;
use crate::eval::Sink;
use crate::report::{TextSink, timing};
use crate::session::{Outcome, Session};
use std::time::Instant;

/// Settings of the prompt itself.
#[derive(Default)]
pub struct State {
    /// Tell the time of every entry.
    pub time: bool,
}

struct Command {
    name: &'static str,
    sig: &'static str,
    help: &'static str,
    /// True ends the session.
    run: fn(&str, &mut Session, &mut TextSink, &mut State) -> bool,
}

const COMMANDS: &[Command] = &[
    Command { name: "help", sig: ":help [NAME]", help: "this list, or all about a function", run: help },
    Command { name: "type", sig: ":type EXPR", help: "dtype, shape and strides; nothing is computed", run: type_of },
    Command { name: "plan", sig: ":plan EXPR", help: "what would run, what it reads and copies", run: plan },
    Command { name: "time", sig: ":time EXPR | on | off", help: "how long it takes and what it moves", run: time },
    Command { name: "vars", sig: ":vars", help: "the names and what they hold", run: vars },
    Command { name: "quit", sig: ":quit", help: "leave", run: |_, _, _, _| true },
];

pub fn is_command(line: &str) -> bool {
    line.trim_start().starts_with(':')
}

/// Runs a colon command; true ends the session.
pub fn run(line: &str, session: &mut Session, sink: &mut TextSink, state: &mut State) -> bool {
    let (name, rest) = line[1..].split_once(char::is_whitespace).unwrap_or((&line[1..], ""));
    let found = COMMANDS.iter().find(|c| c.name == name || (name == "q" && c.name == "quit"));
    match found {
        Some(command) => (command.run)(rest.trim(), session, sink, state),
        None => {
            let near = nearest(name, COMMANDS.iter().map(|c| c.name));
            let hint = near.map(|n| format!("; did you mean `:{n}`?")).unwrap_or_default();
            eprintln!("unknown command `:{name}`{hint}");
            false
        }
    }
}

fn help(rest: &str, _: &mut Session, sink: &mut TextSink, _: &mut State) -> bool {
    if !rest.is_empty() {
        match crate::help::text(rest) {
            Ok(text) => sink.print(text.trim_end()),
            Err(text) => eprintln!("{text}"),
        }
        return false;
    }
    sink.print("Type an expression to see it, `name = …` to keep it. Slices, views and functions are NumPy's.");
    for c in COMMANDS {
        sink.print(&format!("  {:<24} {}", c.sig, c.help));
    }
    sink.print(&format!("  {:<24} all functions by group", ":help functions"));
    false
}

/// True, with a word about it, where a command that works on an expression got none.
fn lacks_expression(rest: &str, name: &str) -> bool {
    if rest.is_empty() {
        eprintln!("`:{name}` needs an expression, e.g. `:{name} zeros(2, 3) + 1`");
    }
    rest.is_empty()
}

fn type_of(rest: &str, session: &mut Session, sink: &mut TextSink, _: &mut State) -> bool {
    if lacks_expression(rest, "type") {
        return false;
    }
    match session.describe(rest, sink) {
        Ok(text) => sink.print(&text),
        Err(diag) => sink.error(&diag, session.sources()),
    }
    false
}

fn plan(rest: &str, session: &mut Session, sink: &mut TextSink, _: &mut State) -> bool {
    if lacks_expression(rest, "plan") {
        return false;
    }
    match session.plan(rest, sink) {
        Ok(plan) => sink.plan(&plan, session.sources()),
        Err(diag) => sink.error(&diag, session.sources()),
    }
    false
}

fn time(rest: &str, session: &mut Session, sink: &mut TextSink, state: &mut State) -> bool {
    match rest {
        "" | "on" => state.time = true,
        "off" => state.time = false,
        text => {
            let (start, before) = (Instant::now(), session.backend().counters());
            if session.eval("<time>", text, sink) == Outcome::Fine {
                sink.print(&timing(start.elapsed(), before, session.backend().counters()));
            }
        }
    }
    false
}

fn vars(_: &str, session: &mut Session, sink: &mut TextSink, _: &mut State) -> bool {
    for name in session.names() {
        if let Some(value) = session.get(name) {
            sink.print(&format!("  {name:<16} {}", value.describe()));
        }
    }
    false
}
