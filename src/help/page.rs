use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Columns of a page.
const WIDTH: usize = 96;

/// What a page is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Topic,
    Function,
    Operator,
    Keyword,
    Attribute,
    Dtype,
    Packed,
    Error,
}

/// One page of help.
#[derive(Clone, Debug)]
pub struct Page {
    pub name: String,
    pub kind: Kind,
    /// A signature or a headline.
    pub title: String,
    pub parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// Lines as they are; longer ones are wrapped.
    Text(String),
    /// A label and what it says: `gives`, `NumPy`.
    Fact(&'static str, String),
    /// Names below a headline.
    List(String, Vec<String>),
    /// Runnable text.
    Example(String),
    /// Related names.
    See(Vec<String>),
}

impl Page {
    pub fn new(name: impl Into<String>, kind: Kind, title: impl Into<String>) -> Page {
        Page { name: name.into(), kind, title: title.into(), parts: Vec::new() }
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    /// A fact, where there is something to say.
    pub(super) fn fact(&mut self, label: &'static str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.parts.push(Part::Fact(label, text));
        }
    }

    pub(super) fn list<S: Into<String>>(&mut self, title: &str, names: impl IntoIterator<Item = S>) {
        self.parts.push(Part::List(title.to_owned(), names.into_iter().map(Into::into).collect()));
    }

    pub(super) fn examples(&mut self, examples: &[&str]) {
        self.parts.extend(examples.iter().map(|e| Part::Example((*e).to_owned())));
    }

    pub(super) fn see(&mut self, names: &[&str]) {
        if !names.is_empty() {
            self.parts.push(Part::See(names.iter().map(|n| (*n).to_owned()).collect()));
        }
    }

    /// The runnable texts, in the order of their outputs.
    pub fn runnable(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Example(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Examples of a topic follow from each other; those of any other page stand alone.
    pub fn tells_a_story(&self) -> bool {
        self.kind == Kind::Topic
    }

    /// The page as a terminal shows it. `outputs` is what each example shows when it runs.
    pub fn render(&self, outputs: &[String]) -> String {
        let mut outputs = outputs.iter();
        let mut out = format!("{}\n", self.title);
        let mut before = None;
        for part in &self.parts {
            let is_fact = matches!(part, Part::Fact(..));
            if !(is_fact && before == Some(true)) {
                out.push('\n');
            }
            before = Some(is_fact);
            match part {
                Part::Text(text) => text.lines().for_each(|line| wrap(&mut out, line, "")),
                Part::Fact(label, text) => wrap(&mut out, &format!("{label:<10}{text}"), "          "),
                Part::List(title, names) => {
                    let _ = writeln!(out, "{title}");
                    wrap(&mut out, &format!("  {}", names.join(" ")), "  ");
                }
                Part::Example(text) => {
                    let _ = writeln!(out, ">>> {}", text.replace('\n', "\n... "));
                    out.push_str(outputs.next().map_or("", String::as_str));
                }
                Part::See(names) => wrap(&mut out, &format!("see also  {}", names.join(", ")), "          "),
            }
        }
        out
    }

    /// The page for programs.
    pub fn json(&self, outputs: &[String]) -> Json {
        let (mut facts, mut text, mut lists, mut see) = (Map::new(), Vec::new(), Map::new(), Vec::new());
        for part in &self.parts {
            match part {
                Part::Text(t) => text.push(t.as_str()),
                Part::Fact(label, t) => drop(facts.insert((*label).to_owned(), json!(t))),
                Part::List(title, names) => drop(lists.insert(title.clone(), json!(names))),
                Part::Example(_) => {}
                Part::See(names) => see.extend(names.iter().map(String::as_str)),
            }
        }
        let shown = self.runnable().zip(outputs);
        let examples: Vec<Json> = shown.map(|(text, output)| json!({"text": text, "output": output})).collect();
        json!({"help": {
            "name": self.name, "kind": format!("{:?}", self.kind).to_lowercase(), "title": self.title,
            "text": text.join("\n\n"), "facts": facts, "lists": lists, "examples": examples, "see": see,
        }})
    }
}

/// Adds a line, broken between words where it is too long; what follows is indented.
fn wrap(out: &mut String, line: &str, indent: &str) {
    let mut rest = line;
    let mut first = true;
    loop {
        let prefix = if first { "" } else { indent };
        let room = WIDTH - prefix.len();
        let cut = match rest.char_indices().nth(room) {
            Some((end, _)) => rest[..end].rfind(' ').filter(|&at| !rest[..at].trim().is_empty()),
            None => None,
        };
        match cut {
            Some(at) => {
                let _ = writeln!(out, "{prefix}{}", rest[..at].trim_end());
                rest = rest[at..].trim_start();
                first = false;
            }
            None => {
                let _ = writeln!(out, "{prefix}{rest}");
                return;
            }
        }
    }
}
