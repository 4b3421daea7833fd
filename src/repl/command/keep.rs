//! Commands that change or keep something: files, settings, the session.

use super::{Desk, Next};
use crate::session::Outcome;
use crate::settings::Origin;
use std::path::Path;

pub fn load(desk: &mut Desk, rest: &str) -> Next {
    let path = rest.trim_matches(['"', '\'']);
    if path.is_empty() {
        desk.complain("`:load` needs a file: a script, or data such as x.npy");
        return Next::Go;
    }
    if !path.ends_with(".tsk") {
        return Next::Run(format!("{} = load({})", name_for(path), crate::value::quoted(path)));
    }
    let place = desk.session.folder().join(path);
    let text = match std::fs::read(&place)
        .map_err(|e| e.to_string())
        .and_then(|bytes| crate::lang::decode(bytes).map_err(|diag| diag.message))
    {
        Ok(text) => text,
        Err(error) => {
            desk.complain(&format!("cannot read {path}: {error}"));
            return Next::Go;
        }
    };
    let folder = place.parent().unwrap_or(Path::new(".")).to_owned();
    if desk.session.eval_in(&folder, path, &text, &mut *desk.out) == Outcome::Fine {
        desk.state.entries.push(text);
    }
    Next::Go
}

/// A name for the data of a file: its stem, made a word.
fn name_for(path: &str) -> String {
    let stem = Path::new(path).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or("");
    let mut name: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let is_word = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if !is_word || crate::lang::KEYWORDS.contains(&name.as_str()) {
        name.insert_str(0, "x_");
    }
    name
}

pub fn save(desk: &mut Desk, rest: &str) -> Next {
    let (over, path) = match rest.strip_prefix("-f ") {
        Some(path) => (true, path.trim()),
        None => (false, rest),
    };
    let path = path.trim_matches(['"', '\'']);
    if path.is_empty() {
        desk.complain("`:save` needs the name of a script");
        return Next::Go;
    }
    let place = desk.session.folder().join(path);
    if place.exists() && !over {
        desk.complain(&format!("{path} is there already; `:save -f {path}` writes over it"));
        return Next::Go;
    }
    let text: String = desk.state.entries.iter().map(|e| format!("{}\n", e.trim_end())).collect();
    match std::fs::write(&place, text) {
        Ok(()) => {
            let count = desk.state.entries.len();
            desk.say(&format!("{count} {} in {path}", if count == 1 { "entry" } else { "entries" }));
        }
        Err(error) => desk.complain(&format!("cannot write {path}: {error}")),
    }
    Next::Go
}

pub fn set(desk: &mut Desk, rest: &str) -> Next {
    let (key, value) = rest.split_once(char::is_whitespace).map_or((rest, ""), |(k, v)| (k, v.trim()));
    let value = value.trim_start_matches('=').trim();
    if value.is_empty() {
        let key = key.replace('_', "-");
        let all = desk.state.settings.all();
        let lines: Vec<String> = all
            .filter(|(row, ..)| key.is_empty() || row.name == key)
            .map(|(row, value, origin)| {
                format!("  {:<14} {value:<8} {:<12} {}", row.name, origin.to_string(), row.help)
            })
            .collect();
        match lines.is_empty() {
            true => desk.complain(&format!("there is no setting `{key}`; `:set` lists them")),
            false => desk.say(&lines.join("\n")),
        }
        return Next::Go;
    }
    match desk.state.settings.set(key, value, Origin::Set) {
        Ok(row) if !row.live => desk.say(&format!("`{}` is taken up by the next session", row.name)),
        Ok(row) => apply(desk, row.name),
        Err(text) => desk.complain(&text),
    }
    Next::Go
}

/// Hands a changed setting to what it is about.
fn apply(desk: &mut Desk, name: &str) {
    let (settings, memory) = (&desk.state.settings, desk.state.memory);
    let width = super::super::columns().min(75);
    settings.apply(desk.session.options(), width, memory);
    match name {
        "threads" => desk.session.set_threads(settings.count("threads").and_then(|n| usize::try_from(n).ok())),
        "seed" => desk.session.seed(settings.count("seed").unwrap_or(0)),
        _ => desk.out.set(settings),
    }
}

pub fn trap(desk: &mut Desk, rest: &str) -> Next {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words[..] {
        ["nan", "on"] | ["nan"] => desk.session.options().trap_nan = true,
        ["nan", "off"] | ["off"] => desk.session.options().trap_nan = false,
        [] => {
            let on = if desk.session.options().trap_nan { "on" } else { "off" };
            desk.say(&format!("  nan {on}"));
        }
        _ => desk.complain("write `:trap nan on` or `:trap nan off`"),
    }
    Next::Go
}

pub fn reset(desk: &mut Desk, _: &str) -> Next {
    desk.session.reset();
    desk.out.forget();
    desk.state.entries.clear();
    Next::Go
}

/// The last entry or a function of the session in an editor; what comes back runs.
pub fn edit(desk: &mut Desk, rest: &str) -> Next {
    let text = match desk.session.get(rest) {
        Some(crate::value::Value::Closure(closure)) => {
            // Of a lambda the whole statement is wanted, which the entry holds.
            desk.session.sources().snippet(closure.def.span).to_owned()
        }
        _ if rest.is_empty() => desk.state.last.clone(),
        _ => {
            desk.complain(&format!("`{rest}` is no function of this session"));
            return Next::Go;
        }
    };
    match edited(&text) {
        Ok(new) if new.trim().is_empty() || new.trim() == text.trim() => Next::Go,
        Ok(new) => Next::Run(new),
        Err(error) => {
            desk.complain(&error);
            Next::Go
        }
    }
}

fn edited(text: &str) -> Result<String, String> {
    let named = ["VISUAL", "EDITOR"].iter().find_map(|v| std::env::var(v).ok().filter(|v| !v.trim().is_empty()));
    let editor = named.unwrap_or_else(|| "vi".to_owned());
    let file = tempfile::Builder::new().suffix(".tsk").tempfile().map_err(|e| format!("no room for a file: {e}"))?;
    std::fs::write(file.path(), text).map_err(|e| format!("cannot write {}: {e}", file.path().display()))?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status = std::process::Command::new(program)
        .args(words)
        .arg(file.path())
        .status()
        .map_err(|e| format!("cannot start `{editor}`: {e}; $EDITOR names another editor"))?;
    if !status.success() {
        return Err(format!("`{editor}` ended with {status}; nothing was run"));
    }
    std::fs::read_to_string(file.path()).map_err(|e| format!("cannot read {} again: {e}", file.path().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_give_names() {
        assert_eq!(name_for("data/My-model.v2.gguf"), "My_model");
        assert_eq!(name_for("7.npy"), "x_7");
        assert_eq!(name_for("for.npy"), "x_for");
        assert_eq!(name_for("größe.npy"), "größe");
    }
}
