//! Completion and signatures: what fits where the cursor stands. Nothing is computed, and of files only headers are
//! looked at.

use super::command::{self, Takes};
use super::paths;
use super::peek::{Peek, peek};
use crate::base::Symbol;
use crate::eval;
use crate::file::Archive;
use crate::func::{self, Func, attribute};
use crate::lang::KEYWORDS;
use crate::lang::cursor::{Call, Cursor, Place, cursor};
use crate::op::Group;
use crate::session::Session;
use crate::text::STR_METHODS;
use crate::value::Value;

/// Candidates shown at most.
pub const MOST: usize = 300;

/// What may be put in, and what the list shows: the text, two blanks, a word about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub text: String,
    shown: String,
}

impl Candidate {
    pub fn new(text: impl Into<String>, about: &str) -> Candidate {
        let text = text.into();
        Candidate::named(text.clone(), &text, about)
    }

    /// Shown under another name than the text that is put in.
    pub fn named(text: impl Into<String>, name: &str, about: &str) -> Candidate {
        let about = about.split('\n').next().unwrap_or("");
        let shown = if about.is_empty() { name.to_owned() } else { format!("{name:<14}  {about}") };
        Candidate { text: text.into(), shown }
    }

    pub fn cut(&mut self, columns: usize) {
        self.shown = super::editor::fitting(&self.shown, columns);
    }
}

impl rustyline::completion::Candidate for Candidate {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
    }
}

/// Candidates for the text before the cursor, and where what they replace begins.
pub fn complete(session: &Session, before: &str) -> (usize, Vec<Candidate>) {
    if let Some(rest) = before.strip_prefix(':') {
        return of_command(session, before, rest);
    }
    if let Some(word) = before.strip_prefix('?') {
        let start = before.len() - word.trim_start().len();
        return (start, chosen(functions(|_| true), word.trim_start()));
    }
    if let Some(found) = levels(session, before) {
        return found;
    }
    let at = cursor(before);
    let found = at_cursor(session, &at, &before[at.start..]);
    (at.start, found)
}

fn at_cursor(session: &Session, at: &Cursor, word: &str) -> Vec<Candidate> {
    match &at.place {
        Place::Name(_) => names(session, at.call.as_ref(), word),
        Place::Member { base, .. } => chosen(members(peek(session, base)), word),
        Place::Key { base, text } => match peek(session, base) {
            Peek::Value(Value::Archive(archive)) => keys(&archive, text),
            Peek::Value(Value::Meta(archive)) => {
                chosen(archive.meta().keys().map(|k| Candidate::named(format!("{k}\"]"), k, "")).collect(), text)
            }
            _ => Vec::new(),
        },
        Place::Text { text, import } => match &at.call {
            Some(call) if takes_path(call) => paths::complete(&session.folder(), text, |_| true),
            None if *import => paths::complete(&session.folder(), text, |n| n.ends_with(".tsk")),
            _ => Vec::new(),
        },
        Place::Nothing => Vec::new(),
    }
}

/// Those that start with the word; where none does, those that hold it.
fn chosen(mut found: Vec<Candidate>, word: &str) -> Vec<Candidate> {
    let lower = word.to_lowercase();
    if found.iter().any(|c| c.text.starts_with(word)) {
        found.retain(|c| c.text.starts_with(word));
    } else if word.len() > 1 {
        found.retain(|c| c.text.to_lowercase().contains(&lower));
    } else {
        found.clear();
    }
    found
}

/// The first sentence of a help text.
fn first(help: &str) -> &str {
    help.split_inclusive(". ").next().unwrap_or(help).trim_end()
}

fn functions(fits: impl Fn(&Func) -> bool) -> Vec<Candidate> {
    let mut found = Vec::new();
    for f in func::all().iter().filter(|f| fits(f)) {
        found.push(Candidate::new(f.doc.name, first(f.doc.help)));
        found.extend(
            f.doc.aliases.iter().map(|alias| Candidate::new(*alias, &format!("another name of {}", f.doc.name))),
        );
    }
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found
}

/// The names of the session, and what they hold.
fn bound(session: &Session, fits: impl Fn(&Value) -> bool) -> Vec<Candidate> {
    let named = session.names().into_iter().filter_map(|n| Some((n, session.get(n)?)));
    named.filter(|(_, v)| fits(v)).map(|(n, v)| Candidate::new(n, &v.describe())).collect()
}

fn names(session: &Session, call: Option<&Call>, word: &str) -> Vec<Candidate> {
    let param = call.and_then(|call| parameter(session, call));
    let mut found = Vec::new();
    if let Some(call) = call.filter(|c| c.starts) {
        found.extend(keywords(session, call));
    }
    if param.as_deref() == Some("dtype") {
        found.extend(eval::constants().filter(|(_, v)| is_dtype(v)).map(|(n, _)| Candidate::new(n, "dtype")));
        if call.is_some_and(|c| c.keyword.is_some()) {
            return chosen(found, word);
        }
    }
    found.extend(bound(session, |_| true));
    if word.is_empty() {
        return found;
    }
    found.extend(functions(|_| true).into_iter().filter(|f| session.get(&f.text).is_none()));
    found.extend(KEYWORDS.iter().map(|k| Candidate::new(*k, "")));
    found.extend(eval::constants().map(|(n, v)| Candidate::new(n, if is_dtype(&v) { "dtype" } else { "constant" })));
    let mut seen = std::collections::HashSet::new();
    let mut found = chosen(found, word);
    found.retain(|c| seen.insert(c.text.clone()));
    found
}

fn is_dtype(value: &Value) -> bool {
    matches!(value, Value::DType(_) | Value::Packed(_))
}

/// A parameter's name, and its default as text where there is one.
type Parameter = (String, Option<String>);

/// The signature of what is called, and its parameters.
fn parameters(session: &Session, call: &Call) -> Option<(String, Vec<Parameter>)> {
    let value = match session.get(call.callee) {
        Some(value @ (Value::Closure(_) | Value::Builtin(_))) => value,
        _ => Value::Builtin(func::lookup(Symbol::new(call.callee))?),
    };
    match value {
        Value::Closure(closure) => {
            let param = |p: &crate::lang::ast::Param| {
                (p.name.symbol.to_string(), p.default.as_ref().map(crate::lang::print_expr))
            };
            let params: Vec<_> = closure.def.params.iter().map(param).collect();
            let parts: Vec<String> = params.iter().map(|(n, d)| shown_parameter(n, d.as_deref())).collect();
            Some((format!("{}({})", call.callee, parts.join(", ")), params))
        }
        Value::Builtin(f) => {
            let params = func::parameters(f.doc.sig).into_iter();
            Some((f.doc.sig.to_owned(), params.map(|(n, d)| (n.to_owned(), d.map(str::to_owned))).collect()))
        }
        _ => None,
    }
}

fn shown_parameter(name: &str, default: Option<&str>) -> String {
    default.map_or_else(|| name.to_owned(), |d| format!("{name}={d}"))
}

/// Positional arguments before the cursor; the receiver of a method is one.
fn given(session: &Session, call: &Call) -> usize {
    // Members of modules and records are called without what stands before the dot.
    let own = |base: &str| {
        matches!(peek(session, base), Peek::Value(Value::Module(_) | Value::Record(_) | Value::Archive(_)))
    };
    call.given + usize::from(call.receiver.is_some_and(|base| !own(base)))
}

/// The parameter whose value is being typed.
fn parameter(session: &Session, call: &Call) -> Option<String> {
    if let Some(name) = call.keyword {
        return Some(name.to_owned());
    }
    let (_, params) = parameters(session, call)?;
    let name = params.get(given(session, call))?.0.clone();
    Some(name)
}

/// Keyword arguments that were not given yet.
fn keywords(session: &Session, call: &Call) -> Vec<Candidate> {
    let Some((_, params)) = parameters(session, call) else { return Vec::new() };
    let first = given(session, call);
    let open = params
        .iter()
        .enumerate()
        .filter(|(i, (name, _))| *i >= first && !name.starts_with('*') && !call.keywords.contains(&name.as_str()));
    let about = |default: &Option<String>| default.as_ref().map_or("needed".to_owned(), |d| format!("default {d}"));
    open.map(|(_, (name, default))| Candidate::new(format!("{name}="), &about(default))).collect()
}

/// The signature of the call at the cursor.
pub fn signature(session: &Session, at: &Cursor) -> Option<String> {
    parameters(session, at.call.as_ref()?).map(|(signature, _)| signature)
}

fn takes_path(call: &Call) -> bool {
    let first = func::lookup(Symbol::new(call.callee)).map(|f| func::parameters(f.doc.sig));
    let path = |params: Vec<(&str, Option<&str>)>| params.iter().position(|(n, _)| *n == "path");
    let index = first.and_then(path);
    index.is_some_and(|i| call.keyword == Some("path") || i == call.given + usize::from(call.receiver.is_some()))
}

/// Attributes and methods that fit what stands before the dot.
fn members(base: Peek) -> Vec<Candidate> {
    match base {
        Peek::Tensor => tensor_members(None),
        Peek::Value(Value::Tensor(t)) => tensor_members(Some(&t.describe())),
        Peek::Text | Peek::Value(Value::Str(_)) => STR_METHODS.iter().map(|m| Candidate::new(m.name, m.help)).collect(),
        Peek::Value(Value::List(_)) => {
            let own = [
                ("append", "adds a value"),
                ("extend", "adds all values"),
                ("insert", "puts a value in"),
                ("pop", "takes a value out"),
            ];
            let mut found: Vec<Candidate> = own.iter().map(|(n, h)| Candidate::new(*n, h)).collect();
            found.extend(functions(|f| f.doc.group == Group::Python && takes_first(f, &["x", "xs", "*xs"])));
            found
        }
        Peek::Value(Value::Record(r)) => {
            r.fields.iter().map(|(n, v)| Candidate::new(n.as_str(), &v.describe())).collect()
        }
        Peek::Value(Value::Module(m)) => {
            let mut names: Vec<(Symbol, Value)> = m.scope.lock().iter().map(|(n, v)| (*n, v.clone())).collect();
            names.sort_by_key(|(n, _)| n.as_str());
            names.iter().map(|(n, v)| Candidate::new(n.as_str(), &v.describe())).collect()
        }
        Peek::Value(Value::Meta(_)) => {
            vec![Candidate::new("keys", "its names"), Candidate::new("items", "pairs of name and value")]
        }
        _ => Vec::new(),
    }
}

fn takes_first(f: &Func, names: &[&str]) -> bool {
    func::parameters(f.doc.sig).first().is_some_and(|(n, _)| names.contains(n))
}

fn tensor_members(of: Option<&str>) -> Vec<Candidate> {
    let about = |name: &str, help: &str| match (name, of) {
        ("shape" | "dtype", Some(what)) => what.to_owned(),
        (_, _) => help.to_owned(),
    };
    let mut found: Vec<Candidate> =
        attribute::ATTRIBUTES.iter().map(|a| Candidate::new(a.name, &about(a.name, a.help))).collect();
    let out = [Group::Creation, Group::Random];
    found.extend(functions(|f| !out.contains(&f.doc.group) && takes_first(f, &["x", "a", "tensor", "*xs"])));
    found
}

/// Tensor names of an archive level by level: `m.blk.0.` and `m.blk[0].at`. None where no archive stands there.
fn levels(session: &Session, before: &str) -> Option<(usize, Vec<Candidate>)> {
    let is_part = |c: char| c == '.' || c == '[' || c == ']' || c.is_alphanumeric() || c == '_';
    let start = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let chain = &before[start..];
    // The chain may stand in brackets: `x[m.blk`.
    let start = start
        + chain.rfind('[').filter(|_| chain.matches('[').count() > chain.matches(']').count()).map_or(0, |i| i + 1);
    let chain = &before[start..];
    let (name, path) = chain.split_once('.')?;
    let (archive, lead) = match session.get(name)? {
        Value::Archive(archive) => ((*archive).clone(), String::new()),
        Value::Branch(branch) => (branch.archive.clone(), format!("{}.", branch.path)),
        _ => return None,
    };
    let path = lead + &path.replace('[', ".").replace(']', "");
    // In words a name can be written without quotes where its parts are identifiers and numbers.
    let plain = |part: &str| {
        let word = part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        (word || part.parse::<u32>().is_ok()) && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let written = |full: &str| {
        let parts: Vec<&str> = full.split('.').collect();
        let (body, end) = if full.ends_with('.') { (&parts[..parts.len() - 1], ".") } else { (&parts[..], "") };
        if !body.iter().all(|p| plain(p)) {
            return format!("{name}[\"{full}{}", if end.is_empty() { "\"]" } else { "" });
        }
        let part = |p: &&str| if p.parse::<u32>().is_ok() { format!("[{p}]") } else { format!(".{p}") };
        body.iter().map(part).fold(name.to_owned(), |out, p| out + &p) + end
    };
    let mut found: Vec<Candidate> = next_level(&archive, &path)
        .into_iter()
        .map(|(full, shown, about)| Candidate::named(written(&full), &shown, &about))
        .collect();
    if !path.contains('.') {
        let own = [
            ("keys", "names of its tensors"),
            ("items", "pairs of name and tensor"),
            ("meta", "what the file says about itself"),
        ];
        let own = own.iter().filter(|(n, _)| n.starts_with(&path));
        found.extend(own.map(|(n, about)| Candidate::named(format!("{name}.{n}"), n, about)));
    }
    Some((start, found))
}

/// The names in the quotes of `m["…"]`, level by level.
fn keys(archive: &Archive, text: &str) -> Vec<Candidate> {
    let close = |full: &str| if full.ends_with('.') { full.to_owned() } else { format!("{full}\"]") };
    next_level(archive, text)
        .into_iter()
        .map(|(full, shown, about)| Candidate::named(close(&full), &shown, &about))
        .collect()
}

/// What may follow a path of names: the whole name so far (with a dot where more follows), its last part, and what is
/// there.
fn next_level(archive: &Archive, path: &str) -> Vec<(String, String, String)> {
    let from = path.rfind('.').map_or(0, |i| i + 1);
    let mut found: Vec<(String, String, usize)> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for name in archive.names().filter(|n| n.starts_with(path)) {
        let end = name[from..].find('.').map_or(name.len(), |i| from + i + 1);
        let at = *index.entry(&name[..end]).or_insert(found.len());
        match found.get_mut(at) {
            Some(level) => level.2 += 1,
            None => found.push((name[..end].to_owned(), name[from..end].to_owned(), 1)),
        }
    }
    let about = |full: &str, count: usize| match (full.ends_with('.'), archive.entry(full)) {
        (true, _) if count == 1 => "1 tensor".to_owned(),
        (true, _) => format!("{count} tensors"),
        (false, Some(entry)) => {
            let kind = entry.encoding.map_or("?".to_owned(), |e| e.to_string());
            format!("{kind}{:?}", entry.shape.as_slice())
        }
        (false, None) => "cannot be read".to_owned(),
    };
    found.truncate(MOST);
    found.into_iter().map(|(full, part, count)| (full.clone(), part, about(&full, count))).collect()
}

/// Colon commands and their arguments. `rest` is the text behind the colon.
fn of_command(session: &Session, before: &str, rest: &str) -> (usize, Vec<Candidate>) {
    let Some((name, argument)) = rest.split_once(' ') else {
        let all = command::COMMANDS.iter().map(|c| Candidate::new(c.name, c.help));
        return (1, chosen(all.collect(), rest));
    };
    let Some(row) = command::COMMANDS.iter().find(|c| c.name == name) else { return (before.len(), Vec::new()) };
    let word = argument.rsplit(' ').next().unwrap_or("");
    let start = before.len() - word.len();
    let words = argument.split_whitespace().count() + usize::from(argument.is_empty() || argument.ends_with(' '));
    let found = match row.takes {
        Takes::Nothing => Vec::new(),
        Takes::Expr => {
            let offset = before.len() - argument.len();
            let (at, found) = complete(session, argument);
            return (offset + at, found);
        }
        Takes::Words(list) => chosen(list.iter().map(|w| Candidate::new(*w, "")).collect(), word),
        Takes::Function => chosen(functions(|_| true), word),
        Takes::Name => chosen(bound(session, |_| true), word),
        Takes::Code => chosen(
            crate::help::codes()
                .into_iter()
                .map(|(code, title, _)| Candidate::new(code, title))
                .chain(functions(|_| true))
                .collect(),
            word,
        ),
        Takes::Path => paths::complete(&session.folder(), argument, |_| true).into_iter().collect(),
        Takes::Setting if words < 2 => {
            let rows = crate::settings::ROWS.iter().map(|r| Candidate::new(r.name, r.help));
            chosen(rows.collect(), word)
        }
        Takes::Setting => {
            let setting = argument.split_whitespace().next().unwrap_or("");
            let row = crate::settings::ROWS.iter().find(|r| r.name == setting);
            chosen(row.map_or(&[][..], |r| r.kind.words()).iter().map(|w| Candidate::new(*w, "")).collect(), word)
        }
    };
    let start = if matches!(row.takes, Takes::Path) { before.len() - argument.len() } else { start };
    (start, found)
}
