//! The conformance cases in process, each in three ways that must agree bit for bit: on one thread and on two, small
//! work at once and later.

mod common;

use common::run::{WAYS, run};
use common::{Case, cases, here, parallel};
use std::collections::BTreeSet;
use std::path::Path;

/// Mismatches to tell in full.
const SHOWN: usize = 20;

/// What a case does wrong.
fn faults(case: &Case, dir: &Path) -> Vec<String> {
    let (lines, outcome) = run(&case.source, WAYS[0], dir);
    let mut bad = common::compare::mismatches(case, &lines, &outcome);
    for way in &WAYS[1..] {
        let (others, ended) = run(&case.source, *way, dir);
        if others != lines || ended != outcome {
            let threads = way.threads;
            let first = lines.iter().zip(&others).find(|(a, b)| a != b);
            bad.push(format!("{threads} threads, small work at once {}: other outputs {first:?}", way.eager_small));
        }
    }
    bad
}

/// Ids that are known to fail, while functions are still missing.
fn known() -> BTreeSet<String> {
    let text = std::fs::read_to_string(here("conformance/expected_failures.txt")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[track_caller]
fn check(cases: &[Case], dir: impl Fn() -> tempfile::TempDir + Sync) {
    assert!(!cases.is_empty());
    let found = parallel(cases, |case| faults(case, dir().path()));
    let known = known();
    let (mut report, mut failed) = (String::new(), 0);
    for (case, bad) in cases.iter().zip(&found) {
        if known.contains(&case.id) {
            if bad.is_empty() {
                report += &format!("PASSES now, take it off the list: {}\n", case.id);
            }
            continue;
        }
        if !bad.is_empty() {
            failed += 1;
            if failed <= SHOWN {
                report += &format!("FAIL {} {:?}\n{}\n  {}\n", case.id, case.tags, case.source, bad.join("\n  "));
            }
        }
    }
    if let Ok(path) = std::env::var("TSK_FAILED") {
        let ids = cases.iter().zip(&found).filter(|(_, bad)| !bad.is_empty()).map(|(c, _)| c.id.clone() + "\n");
        let text: String = ids.collect();
        let _ = std::fs::OpenOptions::new().create(true).append(true).open(path).map(|mut f| {
            use std::io::Write;
            f.write_all(text.as_bytes())
        });
    }
    assert!(report.is_empty(), "{failed} of {} fail\n{report}", cases.len());
}

fn empty() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

macro_rules! tags {
    ($($tag:ident)*) => {
        $(#[test]
        fn $tag() {
            check(&cases(&here(concat!("conformance/", stringify!($tag), ".jsonl"))), empty);
        })*

        #[test]
        fn every_file_has_a_test() {
            let tested: BTreeSet<String> = [$(stringify!($tag)),*].iter().map(|t| format!("{t}.jsonl")).collect();
            let names = std::fs::read_dir(here("conformance")).expect("the folder of cases").flatten();
            let files: BTreeSet<String> = names.filter_map(|e| e.file_name().into_string().ok()).collect();
            assert_eq!(tested, files.into_iter().filter(|f| f.ends_with(".jsonl")).collect());
        }
    };
}

tags! {
    advanced aliasing assign broadcasting casts complex display elementwise errors language linalg matmul nn programs
    promotion reductions reported reshape slicing sort
}
