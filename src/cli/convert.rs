//! `tsk convert IN OUT`: a data file in another format, with other dtypes and names, streamed.

use super::args::{Cli, StyleArgs};
use super::data::{Style, Work, complain, open_options, print_json, status};
use super::progress::Progress;
use super::run;
use crate::base::{Diag, size};
use crate::file::{self, Item, Meta};
use crate::model::{self, Change, Contents, Converted, Planned};
use crate::tensor::{DType, Encoding, PackedFormat};
use serde_json::json;
use std::path::{Path, PathBuf};

pub struct Wish<'a> {
    pub dtype: Option<&'a str>,
    pub glob: Option<&'a str>,
    pub renames: &'a [String],
    pub shard_size: Option<u64>,
}

pub fn run(cli: &Cli, from: &Path, to: &Path, wish: &Wish, style: StyleArgs) -> i32 {
    let style = Style::of(cli, style);
    let change = match change(wish) {
        Ok(change) => change,
        Err(text) => {
            eprintln!("tsk convert: {text}");
            return run::USAGE;
        }
    };
    match convert(cli, from, to, &change, wish.shard_size) {
        Ok(done) => {
            report(&done, style);
            0
        }
        Err(diag) => {
            complain(cli, style, &diag);
            status(&diag)
        }
    }
}

fn change(wish: &Wish) -> Result<Change, String> {
    let to = match wish.dtype {
        Some(name) => Some(encoding(name)?),
        None => None,
    };
    let pair = |text: &String| match text.split_once('=') {
        Some((old, new)) if !old.is_empty() => Ok((old.to_owned(), new.to_owned())),
        _ => Err(format!("--rename takes OLD=NEW, not {text:?}")),
    };
    let renames = wish.renames.iter().map(pair).collect::<Result<_, _>>()?;
    Ok(Change { to, glob: wish.glob.map(str::to_owned), renames })
}

fn encoding(name: &str) -> Result<Encoding, String> {
    let lower = name.to_lowercase();
    if let Some(dtype) = DType::from_name(&lower) {
        return Ok(Encoding::Plain(dtype));
    }
    match PackedFormat::from_name(&lower) {
        Some(format) if format.can_encode() => Ok(Encoding::Packed(format)),
        Some(_) => Err(format!("{lower} can be read, but tsk has no encoder for it")),
        None => {
            let formats = PackedFormat::all().iter().filter(|f| f.can_encode()).map(PackedFormat::name);
            let names: Vec<&str> = DType::ALL.into_iter().map(DType::name).chain(formats).collect();
            Err(format!("there is no dtype {name:?}; known are {}", names.join(" ")))
        }
    }
}

/// What was done.
struct Done {
    files: Vec<PathBuf>,
    tensors: Vec<Planned>,
    bytes: u64,
}

fn convert(cli: &Cli, from: &Path, to: &Path, change: &Change, shard_size: Option<u64>) -> Result<Done, Diag> {
    let contents = Contents::open(from, &open_options(cli))?;
    if let Some(fault) = contents.faults().first().filter(|_| change.glob.is_none()) {
        return Err(fault.clone());
    }
    let tensors = model::plan(&contents, change)?;
    let lone = tensors.len() == 1 && file::check_target(to, false).is_ok();
    if !lone {
        file::check_target(to, true)?;
    }
    let work = Work::new(cli);
    let (cpu, cancel) = work.parts();
    let progress = Progress::new(tensors.iter().map(Planned::bytes).sum());
    let data: Vec<Converted<'_>> = tensors
        .iter()
        .map(|tensor| Converted { contents: &contents, tensor, cpu, cancel, done: progress.done() })
        .collect();
    let items: Vec<Item<'_>> = tensors
        .iter()
        .zip(&data)
        .map(|(t, data)| Item { name: &t.new, encoding: t.to, shape: &t.shape, data })
        .collect();
    let empty = Meta::new();
    let meta = contents.meta().unwrap_or(&empty);
    let written = match shard_size {
        Some(limit) => file::save_shards(to, &items, meta, limit),
        None => file::save_items(to, &items, (!lone).then_some(meta)).map(|()| vec![to.to_owned()]),
    };
    let files = written.map_err(|diag| match cancel.is_set() {
        true => Diag::new("E0701", "interrupted; nothing was written"),
        false if diag.code == "E0616" && change.to.is_none() => diag.hint("convert it on the way: --dtype f32"),
        false => diag,
    })?;
    let bytes = files.iter().filter_map(|f| std::fs::metadata(f).ok()).map(|m| m.len()).sum();
    Ok(Done { files, bytes, tensors })
}

fn report(done: &Done, style: Style) {
    let changed = done.tensors.iter().filter(|t| t.from != t.to).count();
    let count = done.tensors.len();
    if style == Style::Json {
        let tensors: Vec<_> = done
            .tensors
            .iter()
            .map(|t| json!({"name": t.new, "from": t.from.name(), "to": t.to.name(), "shape": t.shape}))
            .collect();
        let files: Vec<String> = done.files.iter().map(|f| f.display().to_string()).collect();
        return print_json(&json!({"files": files, "bytes": done.bytes, "converted": changed, "tensors": tensors}));
    }
    let to = done.files.last().map(|f| f.display().to_string()).unwrap_or_default();
    let shards = if done.files.len() > 1 { format!(" and {} more files", done.files.len() - 1) } else { String::new() };
    super::print(&format!(
        "{to}{shards}: {}, {count} tensor{}, {changed} converted, {} as they were\n",
        size(done.bytes),
        if count == 1 { "" } else { "s" },
        count - changed,
    ));
}
