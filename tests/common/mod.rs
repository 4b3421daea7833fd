//! What several test files share: cases as data, runs of a session, the comparison of outputs.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod compare;
pub mod run;

use std::path::{Path, PathBuf};

/// A path inside `tests/`.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// One conformance case.
pub struct Case {
    pub id: String,
    pub tags: Vec<String>,
    pub source: String,
    pub expected: Vec<serde_json::Value>,
}

/// The cases of a file, one JSON object a line.
pub fn cases(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|l| !l.trim().is_empty()).map(case).collect()
}

fn case(line: &str) -> Case {
    let mut row: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    let text = |v: &serde_json::Value| v.as_str().unwrap_or_else(|| panic!("a text expected: {v}")).to_owned();
    let expected = match row["expect"].take() {
        serde_json::Value::Array(all) => all,
        one => vec![one],
    };
    let tags = row["tags"].as_array().into_iter().flatten().map(text).collect();
    Case { id: text(&row["id"]), tags, source: text(&row["src"]), expected }
}

/// Runs `work` on every item, on two threads, and gives the results in the order of the items.
pub fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < items.len()) {
            done.push((at, work(&items[at])));
        }
        done
    };
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(run)).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
