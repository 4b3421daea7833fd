//! Every function: its documentation is whole and its examples run.

mod common;

use common::parallel;
use common::run::{WAYS, session};
use std::collections::BTreeMap;
use std::path::Path;
use tsk::func::{Body, Func, all, helpers};
use tsk::op::{Doc, map_rows};
use tsk::report::Log;
use tsk::session::Outcome;

/// Functions whose value is None.
const SILENT: &[&str] = &["_require", "device"];

/// Names beside functions that help refers to.
const OTHERS: &[&str] = &["newaxis", "explain"];

/// What an example does wrong: nothing where it runs to its end and shows something.
fn fault(example: &str, dir: &Path) -> Option<String> {
    let mut log = Log::default();
    let outcome = session(WAYS[0], dir).eval("<example>", example, &mut log);
    if outcome != Outcome::Fine {
        return Some(format!("{example}\n{}", log.text));
    }
    let is_silent = log.text.is_empty() && !SILENT.iter().any(|name| example.starts_with(name));
    is_silent.then(|| format!("{example}\nshows nothing"))
}

#[track_caller]
fn check(docs: &[Doc]) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let bad: Vec<String> = parallel(docs, |doc| -> Vec<String> {
        let faults = doc.examples.iter().filter_map(|e| fault(e, dir.path()));
        faults.map(|f| format!("{}: {f}", doc.name)).collect()
    })
    .concat();
    assert!(bad.is_empty(), "{} examples fail\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn examples_of_functions_run() {
    check(&all().iter().chain(helpers()).map(|f| f.doc).collect::<Vec<_>>());
}

/// Rows that a function of the same name hides (`abs`, `round`) have examples too.
#[test]
fn examples_of_elementwise_rows_run() {
    check(&map_rows().map(|r| r.doc).collect::<Vec<_>>());
}

/// The names of the parameters in a signature, `*` and `**` kept.
fn parameters(sig: &str) -> Vec<String> {
    let inside = sig.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or("");
    let (mut depth, mut parts) = (0usize, vec![String::new()]);
    for c in inside.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    let name = |p: &String| p.split('=').next().unwrap_or("").split(':').next().unwrap_or("").trim().to_owned();
    parts.iter().map(name).filter(|n| !n.is_empty() && n != "*" && n != "/").collect()
}

fn complaints(func: &'static Func) -> Vec<String> {
    let doc = &func.doc;
    let mut bad = Vec::new();
    if !doc.sig.starts_with(&format!("{}(", doc.name)) || !doc.sig.ends_with(')') {
        bad.push(format!("signature {:?}", doc.sig));
    }
    if doc.help.len() < 12 || !doc.help.trim_end().ends_with(['.', '!', '?']) {
        bad.push(format!("help {:?}", doc.help));
    }
    if doc.examples.is_empty() {
        bad.push("no example".into());
    }
    let (names, sig) = (parameters(doc.sig), func.signature());
    let plain: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.starts_with('*')).collect();
    let parsed: Vec<&str> = sig.params.iter().map(|p| p.name.as_str()).collect();
    let extra = names.len() - plain.len();
    let expected = usize::from(sig.rest.is_some()) + usize::from(sig.keywords);
    // The name behind `*` may count as a parameter or not.
    if plain != parsed || extra != expected {
        bad.push(format!("the signature {:?} is read as {parsed:?}", doc.sig));
    }
    if let Body::Map(row) = func.body
        && usize::from(row.arity) > plain.len() + extra
    {
        bad.push(format!("{} operands, signature {:?}", row.arity, doc.sig));
    }
    bad.into_iter().map(|b| format!("{}: {b}", doc.name)).collect()
}

/// What a function that people see must say beside that: the rule of its result, what it is called elsewhere, related
/// names.
fn gaps(func: &'static Func) -> Vec<String> {
    let doc = &func.doc;
    let mut bad = Vec::new();
    if doc.gives.is_empty() && !matches!(func.body, Body::Map(_)) {
        bad.push("no rule of shape and dtype: `.gives(\"…\")`, in the prelude `# gives: …`");
    }
    if doc.numpy.is_empty() && doc.torch.is_empty() {
        bad.push("no NumPy or PyTorch spelling: `.like(\"np.f\", \"torch.f\")`; `none` twice where there is none");
    }
    if doc.see.is_empty() {
        bad.push("no related names: `.see(&[\"g\"])`");
    }
    bad.into_iter().map(|b| format!("{}: {b}", doc.name)).collect()
}

#[test]
fn every_function_is_documented() {
    let mut bad: Vec<String> = all().iter().chain(helpers()).flat_map(|f| complaints(f)).collect();
    bad.extend(all().iter().flat_map(|f| gaps(f)));
    let names: Vec<&str> = all().iter().flat_map(|f| f.doc.aliases.iter().chain([&f.doc.name])).copied().collect();
    for func in all() {
        let unknown = func.doc.see.iter().filter(|s| !names.contains(s) && !OTHERS.contains(s));
        bad.extend(unknown.map(|s| format!("{}: see also {s}, which is no function", func.doc.name)));
    }
    assert!(bad.is_empty(), "{} complaints\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn names_are_unique() {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for func in all() {
        for name in func.doc.aliases.iter().chain([&func.doc.name]) {
            owners.entry(name).or_default().push(func.doc.name);
        }
    }
    let doubled: Vec<_> = owners.iter().filter(|(_, o)| o.len() > 1).collect();
    assert!(doubled.is_empty(), "{doubled:?}");
}

/// The blocks of a Markdown text that are marked as this language.
fn blocks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (&mut open, line.trim()) {
            (None, "```tsk") => open = Some(String::new()),
            (Some(_), "```") => found.extend(open.take()),
            (Some(block), _) => *block += &format!("{line}\n"),
            _ => {}
        }
    }
    found
}

/// As a reader would: one after the other in one session, at the root of the repository.
#[test]
fn the_readme_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let mut session = session(WAYS[0], root);
    for block in blocks(&text) {
        let mut log = Log::default();
        let outcome = session.eval("README.md", &block, &mut log);
        assert_eq!(outcome, Outcome::Fine, "{block}\n{}", log.text);
    }
}
