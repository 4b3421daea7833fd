//! Commands that look at things: help, types, plans, times, memory.

use super::{COMMANDS, Desk, Next};
use crate::base::size;
use crate::eval::Sink;
use crate::value::Value;

pub fn help(desk: &mut Desk, rest: &str) -> Next {
    if !rest.is_empty() {
        about(desk, rest);
        return Next::Go;
    }
    let mut text =
        String::from("Type an expression to see it, `name = …` to keep it. Slices, views and functions are NumPy's.\n");
    let mut line = |what: &str, about: &str| text.push_str(&format!("  {what:<24} {about}\n"));
    for c in COMMANDS {
        line(format!(":{} {}", c.name, c.args).trim_end(), c.help);
    }
    line(":help indexing", "a topic: views, broadcasting, dtypes, plans, files, errors …");
    line(":help functions", "all functions by group");
    line("?name, name?", "help about a name");
    line("_, _1, _2", "the last result, the one before, the one before that");
    line("f(x, ?)", "what would fit in place of the `?`");
    line("Tab, Ctrl-R, →", "complete, search the history, take over the ghost");
    desk.say(text.trim_end());
    Next::Go
}

/// A name of the session, a function, or what to try instead.
pub fn about(desk: &mut Desk, name: &str) {
    match desk.session.get(name) {
        Some(Value::Builtin(_)) | None => match desk.session.help(name) {
            Ok(text) => desk.out.long(text.trim_end()),
            Err(text) => desk.complain(&text),
        },
        Some(Value::Closure(closure)) => {
            let source = desk.session.sources().snippet(closure.def.span).to_owned();
            desk.say(&source);
        }
        Some(value) => {
            let text = desk.session.describe(name, &mut *desk.out).unwrap_or_else(|_| value.describe());
            desk.say(&format!("{name}: {text}"));
        }
    }
}

/// True, with a word about it, where a command that works on an expression got none.
fn lacks_expression(desk: &mut Desk, rest: &str, name: &str) -> bool {
    if rest.is_empty() {
        desk.complain(&format!("`:{name}` needs an expression, e.g. `:{name} zeros(2, 3) + 1`"));
    }
    rest.is_empty()
}

pub fn type_of(desk: &mut Desk, rest: &str) -> Next {
    if lacks_expression(desk, rest, "type") {
        return Next::Go;
    }
    match desk.session.describe(rest, &mut *desk.out) {
        Ok(text) => desk.say(&text),
        Err(diag) => desk.out.error(&diag, desk.session.sources()),
    }
    Next::Go
}

pub fn plan(desk: &mut Desk, rest: &str) -> Next {
    if lacks_expression(desk, rest, "plan") {
        return Next::Go;
    }
    match desk.session.plan(rest, &mut *desk.out) {
        Ok(plan) => desk.out.plan(&plan, desk.session.sources()),
        Err(diag) => desk.out.error(&diag, desk.session.sources()),
    }
    Next::Go
}

pub fn time(desk: &mut Desk, rest: &str) -> Next {
    match rest {
        "" if desk.state.time => desk.say("times are told; `:time off` ends it"),
        "" | "on" => desk.state.time = true,
        "off" => desk.state.time = false,
        text => {
            // Where there is none, the sink has told why.
            if let Some(lines) = desk.session.timed(text, &mut *desk.out) {
                desk.say(&lines);
            }
        }
    }
    Next::Go
}

pub fn mem(desk: &mut Desk, _: &str) -> Next {
    let memory = desk.session.memory();
    let mut lines = Vec::new();
    for held in &memory.held {
        let place = match &held.file {
            Some(path) => format!("file {}", path.display()),
            None if held.pending => "not computed yet".to_owned(),
            None => "memory".to_owned(),
        };
        lines.push(format!("  {:>9}  {:<20} {place}", size(held.bytes), held.names.join(", ")));
    }
    let of = if memory.limit == u64::MAX { String::new() } else { format!(" of {} allowed", size(memory.limit)) };
    lines.push(format!(
        "  {:>9}  in memory{of}; device {}, {} threads",
        size(memory.live),
        memory.device,
        memory.threads
    ));
    desk.say(&lines.join("\n"));
    Next::Go
}

pub fn vars(desk: &mut Desk, _: &str) -> Next {
    let mut lines = Vec::new();
    for name in desk.session.names() {
        if let Some(value) = desk.session.get(name).filter(|_| !super::super::output::is_result(name)) {
            lines.push(format!("  {name:<16} {}", value.describe()));
        }
    }
    if lines.is_empty() {
        lines.push("  no names yet".to_owned());
    }
    desk.say(&lines.join("\n"));
    Next::Go
}

pub fn doc(desk: &mut Desk, rest: &str) -> Next {
    if rest.is_empty() {
        desk.complain("`:doc` needs an error code or a name, e.g. `:doc E0203`");
        return Next::Go;
    }
    let code = rest.to_uppercase();
    match crate::help::code(&code) {
        Some((code, title, text)) => desk.say(&format!("{code}: {title}\n\n{text}")),
        None if code.starts_with(['E', 'W']) && code[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            desk.complain(&format!("there is no code {code}; Tab behind `:doc E` lists them"));
        }
        None => about(desk, rest),
    }
    Next::Go
}
