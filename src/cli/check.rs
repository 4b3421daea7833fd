//! `tsk check`: scripts without running them, data files without showing them.

use super::args::{Cli, StyleArgs};
use super::data::{Style, Work, open_options, print_json, status};
use super::progress::Progress;
use super::run::{self, INTERRUPTED};
use super::table::visible;
use crate::base::Diag;
use crate::model::{self, Contents};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// The worst status of all files.
pub fn run(cli: &Cli, files: &[PathBuf], style: StyleArgs) -> i32 {
    let style = Style::of(cli, style);
    let mut worst = 0;
    for path in files {
        let status = match crate::file::is_data(path) {
            true => data(cli, path, style),
            false => run::check(cli, std::slice::from_ref(path)),
        };
        worst = worst.max(status);
        if status == INTERRUPTED {
            break;
        }
    }
    worst
}

/// One thing that is wrong, or worth a look.
struct Finding {
    what: &'static str,
    /// Empty where it is the file as a whole.
    tensor: String,
    text: String,
    /// Not wrong in itself.
    note: bool,
}

fn data(cli: &Cli, path: &Path, style: Style) -> i32 {
    let mut found = Vec::new();
    let tensors = match look(cli, path, &mut found) {
        Ok(tensors) => tensors,
        Err(diag) if diag.code == "E0701" => {
            super::data::complain(cli, style, &diag);
            return status(&diag);
        }
        Err(diag) => {
            found.push(told(String::new(), &diag));
            0
        }
    };
    let bad = found.iter().any(|f| !f.note);
    match style {
        Style::Json => print_json(&object(path, tensors, &found, bad)),
        _ => super::print(&text(path, tensors, &found, bad, style)),
    }
    i32::from(bad)
}

fn told(tensor: String, diag: &Diag) -> Finding {
    let mut text = format!("{}: {}", diag.code, diag.message);
    diag.notes.iter().for_each(|note| text.push_str(&format!("; {note}")));
    Finding { what: diag.code, tensor, text, note: false }
}

/// Looks at everything; gives the number of tensors.
fn look(cli: &Cli, path: &Path, found: &mut Vec<Finding>) -> Result<usize, Diag> {
    let contents = Contents::open(path, &open_options(cli))?;
    found.extend(contents.faults().iter().map(|d| told(String::new(), d)));
    let names = contents.names();
    let total = names.iter().filter_map(|n| contents.entry(n)).map(|e| e.bytes).sum();
    let (work, progress) = (Work::new(cli), Progress::new(total));
    for name in &names {
        if contents.entry(name).is_some_and(|e| !e.is_aligned()) {
            let text = "its elements do not lie at multiples of their size".to_owned();
            found.push(Finding { what: "unaligned", tensor: (*name).to_owned(), text, note: false });
        }
        let loaded = match model::sound(&contents, name) {
            Ok(loaded) => loaded,
            Err(diag) => {
                // A shard that is missing was told once, as the file's.
                if !contents.faults().contains(&diag) {
                    found.push(told((*name).to_owned(), &diag));
                }
                continue;
            }
        };
        let survey = work.survey(&loaded, false, progress.done())?;
        let counts = [("NaN", survey.nans), ("inf", survey.infs)];
        for (what, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            let text = format!("{count} of {} values", survey.count);
            found.push(Finding { what, tensor: (*name).to_owned(), text, note: false });
        }
        if survey.count > 0 && survey.zeros == survey.count {
            let text = format!("all {} values are zero", survey.count);
            found.push(Finding { what: "all zero", tensor: (*name).to_owned(), text, note: true });
        }
    }
    Ok(names.len())
}

fn text(path: &Path, tensors: usize, found: &[Finding], bad: bool, style: Style) -> String {
    let path = visible(&path.display().to_string());
    let mark = if style == Style::Markdown { "- " } else { "" };
    let mut out = String::new();
    for f in found {
        let note = if f.note { "note: " } else { "" };
        let tensor = if f.tensor.is_empty() { String::new() } else { format!("{}: ", visible(&f.tensor)) };
        let what = if f.text.starts_with(f.what) { String::new() } else { format!("{}: ", f.what) };
        out.push_str(&format!("{mark}{path}: {note}{tensor}{what}{}\n", visible(&f.text)));
    }
    if !bad {
        out.push_str(&format!("{mark}{path}: fine, {tensors} tensor{}\n", if tensors == 1 { "" } else { "s" }));
    }
    out
}

fn object(path: &Path, tensors: usize, found: &[Finding], bad: bool) -> Json {
    let list = |notes: bool| -> Vec<Json> {
        let which = found.iter().filter(|f| f.note == notes);
        which.map(|f| json!({"what": f.what, "tensor": f.tensor, "text": f.text})).collect()
    };
    let path = path.display().to_string();
    json!({"file": path, "ok": !bad, "tensors": tensors, "findings": list(false), "notes": list(true)})
}
