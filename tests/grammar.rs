//! The grammar file against the parser: every `ok:` text parses, every `err:` text does not.

use std::collections::BTreeSet;
use tsk::base::SourceId;

const GRAMMAR: &str = include_str!("../grammar/tsk.ebnf");

/// A production: its name, its right side, its samples.
struct Production {
    name: String,
    right: String,
    samples: Vec<(usize, String, String)>,
}

fn productions() -> Vec<Production> {
    let mut out: Vec<Production> = Vec::new();
    let mut in_comment = false;
    for (i, line) in GRAMMAR.lines().enumerate() {
        let starts_comment = line.starts_with("(*");
        in_comment |= starts_comment;
        if in_comment {
            in_comment = !line.trim_end().ends_with("*)");
            continue;
        }
        let (head, rest) = line.split_once(':').unwrap_or((line, ""));
        let sample = head == "ok" || head == "err" || head.starts_with("err ");
        if sample {
            let text = rest.trim_start_matches(' ').replace(" ⏎ ", "\n").replace("⏎", "\n");
            out.last_mut().unwrap().samples.push((i + 1, head.to_owned(), text));
        } else if let Some((name, right)) = line.split_once(" = ") {
            out.push(Production { name: name.to_owned(), right: right.to_owned(), samples: Vec::new() });
        } else {
            assert!(line.trim().is_empty(), "line {}: neither production nor sample: {line}", i + 1);
        }
    }
    out
}

#[test]
fn every_sample_is_judged_as_written() {
    let mut failures = Vec::new();
    for (line, head, text) in productions().into_iter().flat_map(|p| p.samples) {
        let errors = tsk::lang::parse(SourceId(0), &text).errors;
        let codes: Vec<&str> = errors.iter().map(|e| e.code).collect();
        let fits = match head.strip_prefix("err") {
            None => errors.is_empty(),
            Some(code) if code.trim().is_empty() => !errors.is_empty() && codes.iter().all(|c| c.starts_with("E00")),
            Some(code) => codes.contains(&code.trim()),
        };
        if !fits {
            failures.push(format!("line {line}: {head}: {text:?} gives {codes:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_production_has_samples_and_uses_defined_names() {
    let all = productions();
    let names: BTreeSet<&str> = all.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "a production is defined twice");
    for p in &all {
        assert!(p.samples.iter().any(|(_, head, _)| head == "ok"), "`{}` has no `ok:` line", p.name);
        assert!(p.right.trim_end().ends_with(';'), "`{}` does not end with `;`", p.name);
        // Outside quotes and words, what looks like a name is one.
        for (i, part) in p.right.split('?').enumerate() {
            for word in part.split('"').step_by(2).filter(|_| i % 2 == 0).flat_map(str::split_whitespace) {
                let is_name = word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                assert!(!is_name || names.contains(word), "`{}` uses `{word}`, which is not defined", p.name);
            }
        }
    }
}

#[test]
fn the_keywords_are_those_of_the_parser() {
    let all = productions();
    let keyword = all.iter().find(|p| p.name == "keyword").unwrap();
    let words: Vec<&str> = keyword.right.split('"').skip(1).step_by(2).collect();
    assert_eq!(words, tsk::lang::KEYWORDS);
}

#[test]
fn every_syntax_code_of_the_samples_is_explained() {
    for (line, head, _) in productions().into_iter().flat_map(|p| p.samples) {
        if let Some(code) = head.strip_prefix("err ") {
            assert!(tsk::lang::codes::explain(code).is_some(), "line {line}: {code}");
        }
    }
}
