//! Topic pages: texts with examples, below `topics/`. A line `>>> …` starts an example, `... …` continues it; what it
//! shows is filled in when the page is shown. The examples of a page follow from each other.

use super::{Kind, Page};
use std::sync::LazyLock;

pub struct Topic {
    pub name: &'static str,
    /// Other words for it.
    aliases: &'static [&'static str],
    text: &'static str,
}

macro_rules! topic {
    ($name:literal, $file:literal, $aliases:expr) => {
        Topic { name: $name, aliases: $aliases, text: include_str!(concat!("topics/", $file)) }
    };
}

static TOPICS: [Topic; 10] = [
    topic!("indexing", "indexing.txt", &["slicing", "slices", "masks", "gather"]),
    topic!("views and copies", "views.txt", &["views", "copies", "aliasing", "view and copy", "views-and-copies"]),
    topic!("broadcasting", "broadcasting.txt", &["broadcast"]),
    topic!("dtypes", "dtypes.txt", &["types", "promotion", "casts"]),
    topic!("numbers", "numbers.txt", &["number", "literals", "precision", "random numbers"]),
    topic!("functions and statements", "statements.txt", &["statements", "syntax", "language", "keywords"]),
    topic!("plans", "plans.txt", &["plan", "laziness", "lazy", "fusion"]),
    topic!("files", "files.txt", &["file", "archives", "archive", "formats"]),
    topic!("packed formats", "packed.txt", &["quantization", "quantisation", "gguf", "packed-formats"]),
    topic!("errors", "errors.txt", &["error", "codes"]),
];

/// All topics, in the order in which a newcomer reads them.
pub fn topics() -> &'static [Topic] {
    &TOPICS
}

pub(super) fn page(name: &str) -> Option<Page> {
    static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| TOPICS.iter().map(read).collect());
    let at = TOPICS.iter().position(|t| t.name == name || t.aliases.contains(&name))?;
    PAGES.get(at).cloned()
}

fn read(topic: &Topic) -> Page {
    let (title, body) = topic.text.split_once('\n').unwrap_or((topic.text, ""));
    let mut page = Page::new(topic.name, Kind::Topic, title);
    let (mut text, mut example) = (Vec::new(), Vec::new());
    for line in body.lines().chain([""]) {
        if let Some(first) = line.strip_prefix(">>> ") {
            flush(&mut page, &mut text, &mut example);
            example.push(first);
        } else if let Some(next) = line.strip_prefix("... ").filter(|_| !example.is_empty()) {
            example.push(next);
        } else {
            if !example.is_empty() || line.is_empty() {
                flush(&mut page, &mut text, &mut example);
            }
            match line.strip_prefix("see also ") {
                Some(names) => page.see(&names.split(',').map(str::trim).collect::<Vec<_>>()),
                None if line.is_empty() => {}
                None => text.push(line),
            }
        }
    }
    flush(&mut page, &mut text, &mut example);
    page
}

/// Ends the paragraph and the example that were being read.
fn flush(page: &mut Page, text: &mut Vec<&str>, example: &mut Vec<&str>) {
    if !text.is_empty() {
        // Columns stay as they are, sentences flow.
        let is_table = text.iter().any(|line| line.trim_start().contains("  "));
        page.text(text.join(if is_table { "\n" } else { " " }));
        text.clear();
    }
    if !example.is_empty() {
        page.examples(&[&example.join("\n")]);
        example.clear();
    }
}
