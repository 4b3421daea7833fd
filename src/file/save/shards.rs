//! One model over several files: `name-00001-of-00003.safetensors` with an index, or `.gguf` that count themselves.

use super::{Item, Keys, doubled, gguf, safetensors, whole};
use crate::base::Diag;
use crate::file::meta::{Meta, MetaType, MetaValue};
use crate::file::{Format, fault};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The most shards that names of five digits count.
const MOST: usize = 99_999;

/// Saves tensors in files of at most `limit` bytes of data each (a larger tensor has a file of its own), in order. What
/// fits in one file is saved as one. Gives the files, those with tensors first. Where one cannot be written, those that
/// were new are removed again.
pub fn save_shards(path: &Path, items: &[Item<'_>], meta: &Meta, limit: u64) -> Result<Vec<PathBuf>, Diag> {
    let format = Format::of(path)?;
    if !matches!(format, Format::Safetensors | Format::Gguf) {
        let diag = fault::unsupported("lone", format!("shards: {}", fault::show(path)));
        return Err(diag.hint("shards are .safetensors or .gguf"));
    }
    if let Some(name) = doubled(items) {
        return Err(fault::doubled(path, "tensors", name));
    }
    let shards = cut(items, limit)?;
    if shards.len() <= 1 {
        return super::save_items(path, items, Some(meta)).map(|()| vec![path.to_owned()]);
    }
    if shards.len() > MOST {
        return Err(Diag::new("E0616", format!("{} shards; names have room for {MOST}", shards.len()))
            .hint("a larger --shard-size"));
    }
    let mut written = Vec::new();
    let done = all(path, format, &shards, meta, &mut written);
    if done.is_err() {
        // What cannot be removed is left: the error tells of the first file.
        written.iter().filter(|(_, new)| *new).for_each(|(file, _)| drop(std::fs::remove_file(file)));
    }
    done.map(|()| written.into_iter().map(|(file, _)| file).collect())
}

/// Runs of items that stay below the limit.
fn cut<'a, 'b>(items: &'a [Item<'b>], limit: u64) -> Result<Vec<&'a [Item<'b>]>, Diag> {
    let (mut out, mut start, mut held) = (Vec::new(), 0, 0_u64);
    for (i, item) in items.iter().enumerate() {
        let bytes = item.bytes("sharded")?;
        if i > start && held.saturating_add(bytes) > limit {
            out.push(&items[start..i]);
            (start, held) = (i, 0);
        }
        held = held.saturating_add(bytes);
    }
    out.push(&items[start..]);
    Ok(out)
}

/// The files that were written, each with whether it is new.
type Written = Vec<(PathBuf, bool)>;

fn all(path: &Path, format: Format, shards: &[&[Item<'_>]], meta: &Meta, written: &mut Written) -> Result<(), Diag> {
    let (stem, count) = (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), shards.len());
    let tensors = shards.iter().map(|s| s.len()).sum();
    let end = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let name = |i: usize| format!("{stem}-{:05}-of-{count:05}.{end}", i + 1);
    for (i, items) in shards.iter().enumerate() {
        let file = path.with_file_name(name(i));
        let new = !file.exists();
        match format {
            Format::Gguf => {
                let counts = split(i, count, tensors);
                let own = if i == 0 { meta } else { &Meta::new() };
                gguf::save(&file, items, &Keys { meta: own, counts: &counts })?;
            }
            _ => safetensors::save(&file, items, meta)?,
        }
        written.push((file, new));
    }
    if format == Format::Safetensors {
        let file = path.with_file_name(format!("{stem}.safetensors.index.json"));
        let new = !file.exists();
        let text = index(shards, &name)?;
        whole(&file, |out| Ok(out.write_all(text.as_bytes())?))?;
        written.push((file, new));
    }
    Ok(())
}

/// The keys by which the shards of a gguf know each other.
fn split(number: usize, count: usize, tensors: usize) -> Meta {
    let mut keys = Meta::new();
    keys.add("split.no".to_owned(), MetaValue::UInt(number as u64), MetaType::U16);
    keys.add("split.count".to_owned(), MetaValue::UInt(count as u64), MetaType::U16);
    keys.add("split.tensors.count".to_owned(), MetaValue::Int(tensors as i64), MetaType::I32);
    keys
}

fn index(shards: &[&[Item<'_>]], name: &dyn Fn(usize) -> String) -> Result<String, Diag> {
    let mut bytes = 0_u64;
    let mut map = serde_json::Map::new();
    for (i, items) in shards.iter().enumerate() {
        for item in *items {
            bytes += item.bytes("sharded")?;
            map.insert(item.name.to_owned(), name(i).into());
        }
    }
    let index = serde_json::json!({"metadata": {"total_size": bytes}, "weight_map": map});
    Ok(format!("{index:#}\n"))
}
