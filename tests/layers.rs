//! The architecture as a table: which module may import which. Also the terminal, the thread pool and the size of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// (module, what it may see), bottom to top.
const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("tensor", &["base"]),
    ("op", &["base", "tensor"]),
    ("kernel", &["base", "tensor", "op"]),
    ("plan", &["base", "tensor", "op", "kernel"]),
    ("backend", &["base", "tensor", "op", "kernel"]),
    // Library calls (decompositions, transforms) behind the kernel's interface for them.
    ("call", &["base", "tensor", "op", "kernel"]),
    ("run", &["base", "tensor", "op", "kernel", "plan"]),
    ("lang", &["base", "op"]),
    ("file", &["base", "tensor"]),
    ("draw", &["base"]),
    ("text", &["base", "tensor"]),
    ("model", &["base", "tensor", "kernel", "backend", "file", "text"]),
    // A value may be a function of the table: the one arrow that points up.
    ("value", &["base", "tensor", "op", "kernel", "plan", "run", "lang", "file", "text", "func"]),
    ("func", &["base", "tensor", "op", "kernel", "plan", "run", "lang", "file", "text", "call", "value"]),
    ("help", &["base", "tensor", "op", "lang", "file", "text", "func"]),
    (
        "eval",
        &["base", "tensor", "op", "kernel", "plan", "run", "lang", "file", "text", "call", "value", "func", "help"],
    ),
    ("report", &["base", "tensor", "draw", "kernel", "plan", "lang", "file", "text", "value", "func", "eval"]),
    (
        "session",
        &[
            "base", "tensor", "kernel", "plan", "backend", "run", "lang", "file", "text", "value", "func", "eval",
            "help", "report",
        ],
    ),
    ("settings", &["base", "tensor", "func"]),
    (
        "repl",
        &[
            "base", "op", "plan", "lang", "file", "draw", "text", "value", "func", "eval", "report", "session",
            "settings", "help",
        ],
    ),
    (
        "cli",
        &[
            "base", "tensor", "op", "plan", "backend", "lang", "file", "draw", "text", "model", "value", "func",
            "eval", "report", "session", "settings", "repl", "help",
        ],
    ),
];

/// Libraries with one home each.
const HOMES: &[(&str, &[&str])] = &[
    ("rayon", &["backend/cpu/"]),
    ("rustyline", &["repl/"]),
    ("terminal_size", &["repl/", "cli/", "draw/"]),
    ("ariadne", &["draw/"]),
    ("chumsky", &["lang/"]),
    ("logos", &["lang/"]),
    ("clap", &["cli/"]),
    ("toml", &["settings"]),
    ("etcetera", &["settings"]),
];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Path below `src` and text of every source file.
fn sources() -> Vec<(String, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![src()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(src()).expect("below src").to_string_lossy().replace('\\', "/");
                found.push((name, std::fs::read_to_string(&path).expect("text")));
            }
        }
    }
    found.sort();
    found
}

/// The text without comments and without tests, which may import anything.
fn code(name: &str, text: &str) -> String {
    if name.contains("tests") {
        return String::new();
    }
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The modules that a text names behind `crate::`, also in groups.
fn named(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(heads(group)),
            None => names.extend(word(rest)),
        }
    }
    names
}

fn word(text: &str) -> Option<String> {
    let name: String = text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// The first words of the members of a `{…}` group.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut found) = (0usize, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                found.extend(word(&group[start..i]));
                start = i + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

fn module(name: &str) -> &str {
    let first = name.split('/').next().unwrap_or(name);
    first.strip_suffix(".rs").unwrap_or(first)
}

#[test]
fn imports_point_down() {
    let mut bad = Vec::new();
    for (name, text) in sources() {
        let me = module(&name);
        if me == "lib" || me == "main" {
            continue;
        }
        let Some((_, below)) = LAYERS.iter().find(|(layer, _)| *layer == me) else {
            bad.push(format!("{name}: module `{me}` has no row in the table"));
            continue;
        };
        for other in named(&code(&name, &text)) {
            if other != me && !below.contains(&other.as_str()) {
                bad.push(format!("{name}: `{me}` may not see `{other}`"));
            }
        }
    }
    assert!(bad.is_empty(), "\n{}", bad.join("\n"));
}

#[test]
fn libraries_have_one_home() {
    let mut bad = Vec::new();
    for (name, text) in sources() {
        let code = code(&name, &text);
        for (library, homes) in HOMES {
            let uses = code.contains(&format!("{library}::")) || code.contains(&format!("use {library};"));
            if uses && !homes.iter().any(|home| name.starts_with(home)) {
                bad.push(format!("{name} uses {library}"));
            }
        }
    }
    assert!(bad.is_empty(), "\n{}", bad.join("\n"));
}

#[test]
fn files_stay_small() {
    const FAULT: usize = 800;
    const SEAM: usize = 500;
    let mut bad = Vec::new();
    for (name, text) in sources() {
        let lines = text.lines().count();
        if lines > SEAM {
            eprintln!("{name}: {lines} lines ask for a seam");
        }
        if lines > FAULT {
            bad.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn groups_are_read() {
    assert_eq!(heads("base::{A, B}, op, tensor::C}; x"), ["base", "op", "tensor"]);
    assert_eq!(named("use crate::plan::Plan; crate::run::force()"), ["plan", "run"].map(str::to_owned).into());
}
