//! Golden files: each `golden/**/*.tsk` with what it shows, how it ends, and (in `plans`) the plan of its last
//! expression. Every error code has a file of its name, and an entry that `tsk explain` tells.

mod common;

use common::here;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tsk::backend::Cpu;
use tsk::func::Options;
use tsk::report::Log;
use tsk::session::{Config, Session};

/// Files are read from `tests/files`; the limit stands for a small machine.
fn session() -> Session {
    let options = Options { max_memory: 1 << 30, ..Options::default() };
    let backend = Some(Arc::new(Cpu::new(2)) as Arc<dyn tsk::kernel::Backend>);
    Session::new(Config { options, dir: PathBuf::from("tests/files"), backend })
}

fn name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

fn shown(path: &Path) -> (String, Log) {
    let text = std::fs::read_to_string(path).expect("a golden file");
    let mut log = Log::default();
    let outcome = session().eval(&name(path), &text, &mut log);
    let source = if text.len() > 2_000 { format!("{} bytes\n", text.len()) } else { text };
    (format!("{source}---- status {}\n{}", outcome.status(), log.text), log)
}

#[test]
fn programs_show_what_they_showed() {
    insta::glob!("golden/programs/*.tsk", |path| insta::assert_snapshot!(shown(path).0));
}

#[test]
fn plans_are_as_they_were() {
    insta::glob!("golden/plans/*.tsk", |path| {
        let text = std::fs::read_to_string(path).expect("a golden file");
        let mut session = session();
        let plan = session.plan(&text, &mut Log::default()).unwrap_or_else(|d| panic!("{}: {d:?}", path.display()));
        insta::assert_snapshot!(format!("{text}---- plan\n{}", plan.text(session.sources())));
    });
}

#[test]
fn errors_are_drawn_as_they_were() {
    insta::glob!("golden/errors/*.tsk", |path| {
        let (text, log) = shown(path);
        let expected = &name(path)[..5];
        assert!(log.errors.iter().any(|e| e.code == expected), "{expected} is not reported by\n{text}");
        insta::assert_snapshot!(text);
    });
}

/// Codes that no golden file can provoke, and why.
const UNPROVOKED: &[(&str, &str)] = &[
    ("E0025", "takes an expression of 10,000 operators: tests/hostile.rs"),
    ("E0026", "takes a line of a megabyte: the parser's tests"),
    ("E0030", "takes bytes that are no text: tests/hostile.rs"),
    ("E0509", "takes `:trap nan on`: tests/warnings.rs"),
    ("E0614", "takes a file that changes while it is read: the file module's tests"),
    ("E0615", "takes a folder without rights: the file module's tests"),
    ("W0201", "is a warning: tests/warnings.rs"),
    ("W0702", "is a warning: tests/warnings.rs"),
    ("E0701", "takes somebody who interrupts: tests of the command line"),
];

/// Every `"E0…"` in the sources, with a file that says it.
fn codes_in_sources() -> BTreeMap<String, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![here("../src")]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("sources").flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            for (at, _) in text.match_indices("\"E0") {
                let code = text.get(at + 1..at + 6).unwrap_or("");
                if code.bytes().skip(1).all(|b| b.is_ascii_digit()) && text.as_bytes().get(at + 6) == Some(&b'"') {
                    found.entry(code.to_owned()).or_insert_with(|| path.display().to_string());
                }
            }
        }
    }
    found
}

#[test]
fn every_code_is_explained_once() {
    let rows = tsk::help::codes();
    let mut seen = BTreeSet::new();
    for (code, title, text) in &rows {
        assert!(seen.insert(code.to_string()), "{code} has two entries");
        assert!(!title.is_empty() && text.len() > 20 && text.ends_with('.'), "{code}: {title} {text}");
    }
    let used = codes_in_sources();
    let missing: Vec<_> = used.iter().filter(|(code, _)| !seen.contains(*code)).collect();
    assert!(missing.is_empty(), "codes without an entry: {missing:?}");
}

#[test]
fn every_code_has_a_golden_file() {
    let files = std::fs::read_dir(here("golden/errors")).expect("golden files").flatten();
    let drawn: BTreeSet<String> =
        files.map(|f| name(&f.path())).filter(|n| n.ends_with(".tsk")).map(|n| n[..5].to_owned()).collect();
    let excused: BTreeSet<String> = UNPROVOKED.iter().map(|(code, _)| code.to_string()).collect();
    let known: BTreeSet<String> = tsk::help::codes().iter().map(|(code, ..)| code.to_string()).collect();
    let missing: Vec<_> = known.iter().filter(|c| !drawn.contains(*c) && !excused.contains(*c)).collect();
    assert!(missing.is_empty(), "no golden file shows {missing:?}");
    let idle: Vec<_> = excused.iter().filter(|c| drawn.contains(*c) || !known.contains(*c)).collect();
    assert!(idle.is_empty(), "excused without need: {idle:?}");
}
