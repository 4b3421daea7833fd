//! Models in several files: `name-00001-of-00003.gguf`.

use super::read;
use crate::base::Diag;
use crate::file::archive::{Archive, Record};
use crate::file::fault;
use crate::file::meta::{Meta, MetaValue};
use crate::file::source::FileSource;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// More files than any model has.
const MAX_SHARDS: u64 = 10_000;

/// Opens a file; the first shard of several opens them all, any other one itself.
pub(in crate::file) fn open(source: Arc<FileSource>) -> Result<Archive, Diag> {
    let (records, meta) = read(&source)?;
    let (mut files, mut records, mut faults) = (vec![source], records, Vec::new());
    if let Some((stem, 1, count)) =
        shard_name(files[0].path()).filter(|(.., n)| number(&meta, "split.count") == Some(*n))
    {
        let first = files[0].clone();
        faults = add_shards(&first, &stem, count, &mut files, &mut records)?;
        check_total(&first, &meta, records.len(), &faults)?;
    }
    Archive::new("gguf", files, records, meta, faults)
}

/// `stem`, number and count of `stem-00001-of-00003.gguf`.
fn shard_name(path: &Path) -> Option<(String, u64, u64)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".gguf")?;
    let (rest, count) = name.rsplit_once("-of-")?;
    let (stem, number) = rest.rsplit_once('-')?;
    let digits = |text: &str| (text.len() == 5).then(|| text.parse().ok()).flatten();
    Some((stem.to_owned(), digits(number)?, digits(count)?)).filter(|(.., n)| (2..=MAX_SHARDS).contains(n))
}

fn number(meta: &Meta, key: &str) -> Option<u64> {
    match meta.get(key)? {
        MetaValue::UInt(n) => Some(*n),
        MetaValue::Int(n) => u64::try_from(*n).ok(),
        _ => None,
    }
}

/// Reads the shards behind the first; those that are missing are faults of the archive.
fn add_shards(
    first: &Arc<FileSource>,
    stem: &str,
    count: u64,
    files: &mut Vec<Arc<FileSource>>,
    records: &mut Vec<Record>,
) -> Result<Vec<Diag>, Diag> {
    let mut faults = Vec::new();
    let mut places: HashMap<String, u64> = records.iter().map(|r| (r.name.clone(), 1)).collect();
    for shard in 2..=count {
        let name = format!("{stem}-{shard:05}-of-{count:05}.gguf");
        let path = first.path().with_file_name(&name);
        let source = match FileSource::open(&path, first.maps()) {
            Ok(source) => source,
            Err(diag) if diag.code == "E0601" => {
                let what = format!("shard {name:?} of {} is missing", fault::show(first.path()));
                faults.push(Diag::new("E0610", what).note(diag.message).hint("download it into the same folder"));
                continue;
            }
            Err(diag) => return Err(diag),
        };
        let (tensors, meta) = read(&source)?;
        if number(&meta, "split.no") != Some(shard - 1) || number(&meta, "split.count") != Some(count) {
            return Err(Diag::new("E0611", format!("{} is not shard {shard} of {count}", fault::show(&path)))
                .note("its split.no and split.count say so")
                .hint("it belongs to another version of the model; download it again"));
        }
        for record in tensors {
            if let Some(other) = places.insert(record.name.clone(), shard) {
                let what = format!("tensor {:?} stands in two shards: {other} and {shard}", record.name);
                return Err(Diag::new("E0612", what).note(fault::show(&path)));
            }
            records.push(record);
        }
        files.push(source);
    }
    Ok(faults)
}

fn check_total(first: &FileSource, meta: &Meta, found: usize, faults: &[Diag]) -> Result<(), Diag> {
    match number(meta, "split.tensors.count") {
        Some(want) if faults.is_empty() && want != found as u64 => {
            Err(Diag::new("E0611", format!("the shards of {} hold {found} tensors", fault::show(first.path())))
                .note(format!("split.tensors.count says {want}"))
                .hint("one of them belongs to another version of the model"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::shard_name;
    use std::path::Path;

    #[test]
    fn names_of_shards() {
        let name = |s: &str| shard_name(Path::new(s));
        assert_eq!(name("a/m-x-00001-of-00003.gguf"), Some(("m-x".into(), 1, 3)));
        assert_eq!(name("m-00002-of-00003.gguf"), Some(("m".into(), 2, 3)));
        for other in ["m.gguf", "m-1-of-3.gguf", "m-00001-of-00001.gguf", "m-00001-of-00003.safetensors"] {
            assert_eq!(name(other), None);
        }
    }
}
