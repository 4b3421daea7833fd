//! Files that are made of the rows: the reference and the editor grammar. `TSK_UPDATE=1 cargo test --test generated`
//! writes them anew.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tsk::backend::Cpu;
use tsk::help::{self, GROUPS, Page};
use tsk::kernel::{Backend, Cancel};
use tsk::lang::{KEYWORDS, OPERATORS, operators::STATEMENT_KEYWORDS};

fn holds(file: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar").join(file);
    if std::env::var_os("TSK_UPDATE").is_some() {
        std::fs::write(&path, wanted).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = there.lines().zip(wanted.lines()).find(|(a, b)| a != b);
    let advice = "run `TSK_UPDATE=1 cargo test --test generated`";
    assert!(there == wanted, "grammar/{file} is not what the rows say ({differs:?}): {advice}");
}

fn section(out: &mut String, page: &Page, backend: &Arc<dyn Backend>) {
    let text = page.render(&tsk::eval::outputs(page, backend, &Cancel::default()));
    let _ = write!(out, "### `{}`\n\n````text\n{}\n````\n\n", page.name, text.trim_end());
}

#[test]
fn the_reference() {
    let backend: Arc<dyn Backend> = Arc::new(Cpu::new(1));
    let mut out = String::from("# Reference\n\nMade of the same rows as `tsk help NAME`; not edited by hand.\n\n");
    let mut chapter = |title: &str, pages: Vec<Page>| {
        let _ = write!(out, "## {title}\n\n");
        pages.iter().for_each(|page| section(&mut out, page, &backend));
    };
    let find = |name: &str| help::find(name).expect("a page");
    chapter("Topics", help::topics().iter().map(|t| find(t.name)).collect());
    chapter("Operators", help::operator_pages());
    chapter("Keywords and forms", help::words().iter().map(|w| find(w.names[0])).collect());
    chapter("Attributes", help::attribute_pages().collect());
    chapter("Dtypes and packed formats", help::type_pages());
    for (group, title) in GROUPS {
        let mut pages: Vec<Page> = help::function_pages().filter(|(g, _)| g == group).map(|(_, page)| page).collect();
        pages.sort_by(|a, b| a.name.cmp(&b.name));
        if !pages.is_empty() {
            chapter(&format!("Functions: {title}"), pages);
        }
    }
    chapter("Error codes", help::codes().iter().map(|(code, ..)| find(code)).collect());
    holds("reference.md", &out);
}

/// Words as alternatives of a regular expression.
fn words(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| n.as_ref().to_owned()).collect();
    format!("\\b(?:{})\\b", names.join("|"))
}

fn escaped(symbol: &str) -> String {
    symbol.chars().flat_map(|c| if c.is_alphanumeric() { vec![c] } else { vec!['\\', c] }).collect()
}

#[test]
fn the_editor_grammar() {
    let is_symbol = |s: &&str| !s.contains(char::is_alphanumeric) && !s.contains(['(', '[', '.', ' ']);
    let mut symbols: Vec<&str> = OPERATORS.iter().map(|o| o.symbol).filter(is_symbol).collect();
    symbols.sort_by_key(|s| (std::cmp::Reverse(s.len()), *s));
    symbols.dedup();
    let symbols: Vec<String> = symbols.iter().map(|s| escaped(s)).collect();
    let constants = ["True", "False", "None"];
    let plain = KEYWORDS.iter().chain(STATEMENT_KEYWORDS).filter(|k| !constants.contains(k));
    let functions = help::function_pages().map(|(_, page)| page.name);
    let types = help::type_pages().into_iter().map(|page| page.name);
    let escape = serde_json::json!({"name": "constant.character.escape.tsk", "match": "\\\\."});
    let quoted = |mark: &str| {
        serde_json::json!({
            "name": "string.quoted.tsk", "begin": format!("f?{mark}"), "end": mark, "patterns": [escape.clone()]
        })
    };
    let pattern = |name: &str, text: String| serde_json::json!({"name": format!("{name}.tsk"), "match": text});
    let grammar = serde_json::json!({
        "name": "tsk",
        "scopeName": "source.tsk",
        "fileTypes": ["tsk"],
        "patterns": [
            pattern("comment.line.number-sign", "#.*$".to_owned()),
            quoted("\"\"\""), quoted("'''"), quoted("\""), quoted("'"),
            pattern("constant.numeric", "\\b(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*(?:\\.[0-9_]+)?(?:[eE][+-]?[0-9]+)?j?)\\b".to_owned()),
            pattern("constant.language", words(constants)),
            pattern("keyword.control", words(plain)),
            pattern("support.type", words(types)),
            pattern("support.function", words(functions) + "(?=\\s*\\()"),
            pattern("keyword.operator", symbols.join("|")),
        ]
    });
    holds("tsk.tmLanguage.json", &(serde_json::to_string_pretty(&grammar).expect("plain") + "\n"));
}
