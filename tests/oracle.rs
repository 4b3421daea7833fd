//! Elementwise functions and reductions on every dtype and layout against NumPy's values (made by `oracle/rows.py`).

mod common;

use common::run::{WAYS, run};
use common::{cases, here, parallel};

#[test]
fn rows_give_numpys_values_on_every_dtype_and_layout() {
    let all = cases(&here("oracle/rows.jsonl"));
    assert!(all.len() > 600);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let bad: Vec<String> = parallel(&all, |case| {
        let (lines, outcome) = run(&case.source, WAYS[1], dir.path());
        let mut bad = common::compare::mismatches(case, &lines, &outcome);
        // Without the path for small work: the same bits.
        let (later, _) = run(&case.source, WAYS[2], dir.path());
        if later != lines {
            bad.push("other outputs when small work runs later".into());
        }
        (!bad.is_empty()).then(|| format!("{}: {}\n  {}", case.id, calls(&case.source), bad.join("\n  ")))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(bad.is_empty(), "{} of {}\n{}", bad.len(), all.len(), bad[..bad.len().min(30)].join("\n"));
}

/// The program without the line of its data.
fn calls(source: &str) -> String {
    source.lines().filter(|l| !l.contains("= array") && !l.contains("= (array")).collect::<Vec<_>>().join("; ")
}
