//! The cases of real and damaged files. Each runs in a copy of the folder of fixtures, since some write.

mod common;

use common::run::{WAYS, run};
use common::{Case, cases, here, parallel};
use std::path::Path;

/// Copies the files that the case names, with the folders around them.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder of fixtures").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn faults(case: &Case, dir: &Path) -> Vec<String> {
    let (lines, outcome) = run(&case.source, WAYS[1], dir);
    common::compare::mismatches(case, &lines, &outcome)
}

#[track_caller]
fn check(kind: &str) {
    let mut all = cases(&here("files/cases.jsonl"));
    all.retain(|c| c.tags.iter().any(|t| t == kind));
    assert!(!all.is_empty());
    let dir = tempfile::tempdir().expect("a temporary folder");
    copy(&here("files"), dir.path());
    let found = parallel(&all, |case| faults(case, dir.path()));
    let bad: Vec<String> = all
        .iter()
        .zip(&found)
        .filter(|(_, bad)| !bad.is_empty())
        .map(|(c, bad)| format!("FAIL {} {:?}\n{}\n  {}", c.id, c.tags, c.source, bad.join("\n  ")))
        .collect();
    assert!(bad.is_empty(), "{} of {} fail\n{}", bad.len(), all.len(), bad[..bad.len().min(20)].join("\n"));
}

macro_rules! kinds {
    ($($kind:ident)*) => {
        $(#[test]
        fn $kind() {
            check(stringify!($kind));
        })*

        #[test]
        fn every_kind_has_a_test() {
            let kinds = [$(stringify!($kind)),*];
            for case in cases(&here("files/cases.jsonl")) {
                assert!(case.tags.iter().any(|t| kinds.contains(&t.as_str())), "{} {:?}", case.id, case.tags);
            }
        }
    };
}

kinds! { npy st npz gguf raw csv png save }
