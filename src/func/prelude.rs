//! Functions written in the language itself. `prelude.tsk` and `signal.tsk` hold each with a comment above it:
//!
//! ```text
//! # First sentence of the help. More help.
//! # group: Nn
//! # gives: The shape of x; its dtype.
//! # numpy: np.f
//! # torch: torch.f
//! # alias: g, h
//! # see: k
//! # example: f(ones(3))
//! fn f(x, axis=-1) = …
//! ```
//!
//! A definition is parsed at its first use only; here its lines are found and its comment becomes the documentation.

use crate::op::{Doc, Group};
use std::sync::LazyLock;

const TEXTS: [&str; 2] = [include_str!("prelude.tsk"), include_str!("signal.tsk")];

pub struct Entry {
    pub doc: Doc,
    /// From `fn` to the end of the definition.
    pub text: &'static str,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.doc.name)
    }
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| TEXTS.into_iter().flat_map(scan).collect());

/// All definitions, in the order of the files.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

fn scan(text: &'static str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut comment: Vec<&'static str> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
        let line = &text[at..line_end];
        if line.starts_with("fn ") {
            let end = definition_end(text, line_end);
            if let Some(entry) = entry(text[at..end].trim_end(), &comment) {
                entries.push(entry);
            }
            comment.clear();
            at = end;
            continue;
        }
        match line.strip_prefix('#') {
            Some(rest) => comment.push(rest.trim()),
            None => comment.clear(),
        }
        at = line_end;
    }
    entries
}

/// The start of the next comment or definition in the first column.
fn definition_end(text: &str, mut at: usize) -> usize {
    while at < text.len() && !text[at..].starts_with('#') && !text[at..].starts_with("fn ") {
        at = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
    }
    at
}

fn entry(text: &'static str, comment: &[&'static str]) -> Option<Entry> {
    let head = text.strip_prefix("fn ")?;
    let name = head.split('(').next()?.trim();
    let sig = &head[..signature_end(head)?];
    let mut doc = Doc::new(name, Group::Arithmetic);
    doc.sig = sig;
    let (mut help, mut examples) = (Vec::new(), Vec::new());
    for line in comment {
        match line.split_once(": ") {
            Some(("gives", text)) => doc.gives = text,
            Some(("numpy", spelling)) => doc.numpy = spelling,
            Some(("torch", spelling)) => doc.torch = spelling,
            Some(("alias", names)) => doc.aliases = words(names),
            Some(("see", names)) => doc.see = words(names),
            Some(("group", group)) => doc.group = Group::named(group)?,
            Some(("example", example)) => examples.push(example),
            _ => help.push(*line),
        }
    }
    // Leaked once for the process: documentation lives as long as the table.
    doc.help = help.join(" ").leak();
    doc.examples = examples.leak();
    Some(Entry { doc, text })
}

/// Behind the bracket that closes the parameters.
fn signature_end(head: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in head.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn words(list: &'static str) -> &'static [&'static str] {
    list.split(',').map(str::trim).collect::<Vec<_>>().leak()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_documentation() {
        let text = "# stray\n\n# Half of it. Exactly.\n# group: Nn\n# torch: torch.half_of\n# alias: hf, h2\n# example: half_of(4.0)\nfn half_of(x, k=(1, 2)) {\n  y = x / 2\n\n  y\n}\n\n# Other.\nfn other(x) = x\n";
        let entries = scan(text);
        assert_eq!(entries.len(), 2);
        let doc = entries[0].doc;
        assert_eq!((doc.name, doc.sig, doc.help), ("half_of", "half_of(x, k=(1, 2))", "Half of it. Exactly."));
        assert_eq!((doc.torch, doc.group), ("torch.half_of", Group::Nn));
        assert_eq!((doc.aliases, doc.examples), (["hf", "h2"].as_slice(), ["half_of(4.0)"].as_slice()));
        assert!(entries[0].text.starts_with("fn half_of") && entries[0].text.ends_with('}'));
        assert_eq!(entries[1].text, "fn other(x) = x");
    }
}
