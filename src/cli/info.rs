//! `tsk info`: what files hold, from their headers.

use super::args::{Cli, StyleArgs};
use super::data::{
    Style, Work, complain, count_text, encoding_text, meta_json, meta_text, open_options, shape_text, status,
};
use super::progress::Progress;
use super::table::{Table, visible};
use crate::base::{Diag, size};
use crate::model::{Contents, Inventory, inventory};
use serde_json::{Map, Value as Json, json};
use std::path::{Path, PathBuf};

/// Files up to this size are scanned for NaN and zeros without being asked: it takes a few milliseconds.
const CHEAP: u64 = 16 << 20;

pub fn run(cli: &Cli, files: &[PathBuf], all: bool, scan: bool, style: StyleArgs) -> i32 {
    let style = Style::of(cli, style);
    let (mut worst, mut shown) = (0, 0);
    for path in files {
        match answer(cli, path, all, scan, style) {
            Ok(text) => {
                super::print(if shown > 0 && style != Style::Json { "\n" } else { "" });
                super::print(&text);
                shown += 1;
            }
            Err(diag) => {
                complain(cli, style, &diag);
                worst = worst.max(status(&diag));
            }
        }
    }
    worst
}

fn answer(cli: &Cli, path: &Path, all: bool, scan: bool, style: Style) -> Result<String, Diag> {
    let contents = Contents::open(path, &open_options(cli))?;
    let inventory = inventory(&contents, !all);
    let mut notable = notable(&contents, &inventory);
    if scan || contents.file_bytes() <= CHEAP {
        notable.extend(scanned(cli, &contents)?);
    }
    Ok(match style {
        Style::Json => format!("{}\n", object(&contents, &inventory, &notable)),
        _ => text(&contents, &inventory, &notable, style),
    })
}

/// One line for each thing that a reader of the list should know.
fn notable(contents: &Contents, inventory: &Inventory) -> Vec<String> {
    let mut out: Vec<String> = contents.faults().iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    let broken = contents.broken();
    for (name, diag) in broken.iter().filter(|(_, d)| !contents.faults().contains(d)).take(8) {
        out.push(format!("{}: {name}: {}", diag.code, diag.message));
    }
    if !inventory.unaligned.is_empty() {
        out.push(format!("unaligned: {}", some(&inventory.unaligned)));
    }
    out
}

/// What only the data tells.
fn scanned(cli: &Cli, contents: &Contents) -> Result<Vec<String>, Diag> {
    let (work, progress) = (Work::new(cli), Progress::new(contents.file_bytes()));
    let (mut nans, mut infs, mut zeros) = (Vec::new(), Vec::new(), Vec::new());
    for name in contents.names() {
        // What cannot be read was told before.
        let Ok(loaded) = contents.get(name) else { continue };
        let survey = work.survey(&loaded, false, progress.done())?;
        let kinds = [(survey.nans > 0, &mut nans), (survey.infs > 0, &mut infs)];
        kinds.into_iter().filter(|(found, _)| *found).for_each(|(_, names)| names.push(name.to_owned()));
        if survey.count > 0 && survey.zeros == survey.count {
            zeros.push(name.to_owned());
        }
    }
    let kinds = [("NaN", nans), ("inf", infs), ("all zero", zeros)];
    let found = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    Ok(found.map(|(what, names)| format!("{what}: {}", some(&names))).collect())
}

/// The first names of a list.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let more = names.len().saturating_sub(SHOWN);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn text(contents: &Contents, inventory: &Inventory, notable: &[String], style: Style) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let head = [
        contents.kind(),
        size(contents.file_bytes()),
        count(inventory.tensors, "tensor"),
        format!("{} elements", count_text(inventory.elements)),
    ];
    let path = visible(&contents.path().display().to_string());
    let mut out = match style {
        Style::Markdown => format!("## {path}\n\n{}\n\n", head.join(", ")),
        _ => format!("{path}: {}\n", head.join(", ")),
    };
    let gap = if style == Style::Markdown { "\n" } else { "" };
    for table in [tensors(inventory), shares(inventory), metadata(contents)] {
        if !table.is_empty() {
            out.push_str(&format!("{}{}", table.text(style), gap));
        }
    }
    let lines = if notable.is_empty() { &["nothing".to_owned()][..] } else { notable };
    for line in lines {
        out.push_str(&format!("{}notable: {}\n", if style == Style::Markdown { "- " } else { "" }, visible(line)));
    }
    out
}

fn tensors(inventory: &Inventory) -> Table {
    let mut table = Table::new(&["tensor", "dtype", "shape", "", "bytes"], &[3, 4]);
    for row in &inventory.rows {
        let count = if row.count > 1 { format!("×{}", row.count) } else { String::new() };
        let shape = shape_text(&row.shape);
        table.row(vec![row.pattern.clone(), encoding_text(row.encoding), shape, count, size(row.bytes)]);
    }
    table
}

fn shares(inventory: &Inventory) -> Table {
    let mut table = Table::new(&["dtype", "tensors", "elements", "bytes", "share"], &[1, 2, 3, 4]);
    let all: u64 = inventory.shares.iter().map(|s| s.bytes).sum();
    for share in &inventory.shares {
        let part = 100.0 * share.bytes as f64 / all.max(1) as f64;
        let (name, tensors) = (share.encoding.name().to_owned(), share.tensors.to_string());
        table.row(vec![name, tensors, count_text(share.elements), size(share.bytes), format!("{part:.1} %")]);
    }
    table
}

fn metadata(contents: &Contents) -> Table {
    let mut table = Table::new(&["metadata", "value"], &[]);
    for (key, value) in contents.meta().iter().flat_map(|m| m.iter()) {
        table.row(vec![key.to_owned(), meta_text(value)]);
    }
    table
}

fn object(contents: &Contents, inventory: &Inventory, notable: &[String]) -> Json {
    let tensors: Vec<Json> = inventory
        .rows
        .iter()
        .map(|r| {
            json!({"name": r.pattern, "count": r.count, "dtype": r.encoding.map(|e| e.name()), "shape": r.shape,
                   "bytes": r.bytes})
        })
        .collect();
    let dtypes: Vec<Json> = inventory
        .shares
        .iter()
        .map(|s| json!({"dtype": s.encoding.name(), "tensors": s.tensors, "elements": s.elements, "bytes": s.bytes}))
        .collect();
    let pairs = contents.meta().into_iter().flat_map(|m| m.iter());
    let metadata: Map<String, Json> = pairs.map(|(key, value)| (key.to_owned(), meta_json(value))).collect();
    json!({
        "file": contents.path().display().to_string(),
        "format": contents.kind(),
        "bytes": contents.file_bytes(),
        "tensors": inventory.tensors,
        "elements": inventory.elements,
        "groups": tensors,
        "dtypes": dtypes,
        "metadata": metadata,
        "notable": notable,
    })
}
