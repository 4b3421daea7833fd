//! What `tsk help` and `:help` tell: all of it read from the rows.

use crate::base::Symbol;
use crate::func::{self, Func};
use crate::op::Group;
use std::fmt::Write;

const GROUPS: &[(Group, &str)] = &[
    (Group::Creation, "creation"),
    (Group::Random, "random"),
    (Group::View, "views (nothing is copied)"),
    (Group::Join, "joining, repeating, padding"),
    (Group::Arithmetic, "arithmetic"),
    (Group::Elementary, "elementary functions"),
    (Group::Compare, "comparison and logic"),
    (Group::Bits, "bits"),
    (Group::Complex, "complex numbers"),
    (Group::Reduce, "reductions"),
    (Group::Scan, "running reductions"),
    (Group::Linalg, "linear algebra"),
    (Group::Nn, "neural networks"),
    (Group::Sort, "sorting, searching, sets"),
    (Group::Statistics, "statistics"),
    (Group::Fft, "Fourier transforms"),
    (Group::Types, "types"),
    (Group::Files, "files"),
    (Group::Plan, "plans and memory"),
    (Group::Python, "plain values"),
];

/// The page of a function, or the list of all; what to try instead where there is none.
pub fn text(name: &str) -> Result<String, String> {
    match func::lookup(Symbol::new(name)) {
        Some(func) => Ok(page(func)),
        None if name == "functions" => Ok(overview()),
        None => Err(unknown(name)),
    }
}

/// All functions by group, names only.
pub fn overview() -> String {
    let mut out = String::from("tsk help NAME tells about a function. Functions by group:\n");
    for (group, title) in GROUPS {
        let mut names: Vec<&str> = func::all().iter().filter(|f| f.doc.group == *group).map(|f| f.doc.name).collect();
        if names.is_empty() {
            continue;
        }
        names.sort_unstable();
        let _ = write!(out, "\n{title}\n");
        let mut line = String::from(" ");
        for name in names {
            if line.len() + name.len() + 1 > 96 {
                let _ = writeln!(out, "{line}");
                line = String::from(" ");
            }
            let _ = write!(line, " {name}");
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

/// Signature, help, examples, other spellings, neighbours.
fn page(func: &Func) -> String {
    let doc = &func.doc;
    let mut out = format!("{}\n\n{}\n", doc.sig, doc.help);
    if !doc.aliases.is_empty() {
        let _ = writeln!(out, "\nalso called  {}", doc.aliases.join(", "));
    }
    if !doc.numpy.is_empty() {
        let _ = writeln!(out, "NumPy        {}", doc.numpy);
    }
    if !doc.torch.is_empty() {
        let _ = writeln!(out, "PyTorch      {}", doc.torch);
    }
    for example in doc.examples {
        let _ = writeln!(out, "\n>>> {}", example.replace('\n', "\n    "));
        let _ = write!(out, "{}", shown(example));
    }
    if !doc.see.is_empty() {
        let _ = writeln!(out, "\nsee also {}", doc.see.join(", "));
    }
    out
}

/// What an example shows when it runs.
fn shown(example: &str) -> String {
    let mut log = crate::report::Log::default();
    // An example that ends in an error shows the error.
    let _ = crate::session::Session::new(Default::default()).eval("<example>", example, &mut log);
    log.text
}

fn unknown(name: &str) -> String {
    let mut out = format!("tsk has no function `{name}`");
    if let Some(func) = func::named_like(name) {
        let _ = write!(out, "; its spelling here is `{}`", func.doc.name);
    } else if let Some(near) = func::nearest(name, []) {
        let _ = write!(out, "; did you mean `{near}`?");
    }
    out
}
