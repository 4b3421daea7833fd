//! `model.safetensors.index.json`: which shard holds which tensor.

use super::json::{self, Strict};
use super::{Record, read};
use crate::base::Diag;
use crate::file::archive::{Archive, Place};
use crate::file::source::FileSource;
use crate::file::{Meta, fault};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};
use std::sync::Arc;

const MAX_INDEX: u64 = 100_000_000;

#[derive(Deserialize)]
struct Index {
    weight_map: Map,
}

struct Map(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Map {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Strict::<String>::deserialize(from).map(|pairs| Map(pairs.0))
    }
}

/// Opens the index and the headers of all shards. A missing shard is a fault of its tensors, not of the others.
pub(in crate::file) fn open_index(source: Arc<FileSource>) -> Result<Archive, Diag> {
    let path = source.path().to_owned();
    if source.len() > MAX_INDEX {
        return Err(fault::size(&path, format!("an index of {} bytes", source.len())));
    }
    let text = source.read("the index", 0, source.len())?;
    let index: Index = json::parse(&text).map_err(|what| fault::header(&path, what))?;
    let mut shards = Shards { files: vec![source], ..Shards::default() };
    for (_, shard) in &index.weight_map.0 {
        shards.open(&path, shard)?;
    }
    let records = shards.records(&path, index.weight_map.0)?;
    Archive::new("safetensors", shards.files, records, shards.meta, shards.faults)
}

#[derive(Default)]
struct Shards {
    files: Vec<Arc<FileSource>>,
    /// The tensors of each shard that could be read; the fault of those that could not.
    shards: HashMap<String, Result<HashMap<String, Record>, Diag>>,
    /// The order in which the index names them first.
    order: Vec<String>,
    meta: Meta,
    faults: Vec<Diag>,
}

impl Shards {
    fn open(&mut self, index: &Path, name: &str) -> Result<(), Diag> {
        if self.shards.contains_key(name) {
            return Ok(());
        }
        // Only a bare name of the index's own folder: no `..`, no folder, no root.
        let mut parts = Path::new(name).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) || name.contains(['/', '\\']) {
            return Err(Diag::new(
                "E0621",
                format!("{} names a shard outside of its folder: {name:?}", fault::show(index)),
            )
            .hint("an index may name files of its own folder only"));
        }
        let path = index.with_file_name(name);
        let opened = FileSource::open(&path, self.files[0].maps()).map_err(|diag| match diag.code {
            "E0601" => Diag::new("E0610", format!("shard {name:?} of {} is missing", fault::show(index)))
                .note(diag.message)
                .hint("download it into the same folder"),
            _ => diag,
        });
        let shard = opened.and_then(|source| {
            let (records, meta) = read(&source)?;
            self.files.push(source);
            for (key, value, kind) in meta.typed() {
                self.meta.add(key.clone(), value.clone(), *kind);
            }
            Ok(records.into_iter().map(|r| (r.name.clone(), r)).collect())
        });
        if let Err(diag) = &shard {
            self.faults.push(diag.clone());
        }
        self.order.push(name.to_owned());
        self.shards.insert(name.to_owned(), shard);
        Ok(())
    }

    fn records(&mut self, index: &Path, map: Vec<(String, String)>) -> Result<Vec<Record>, Diag> {
        let doubled = self.doubled();
        let mut records = Vec::with_capacity(map.len());
        for (name, shard) in map {
            let found = match self.shards.get_mut(&shard) {
                Some(Ok(tensors)) => tensors.remove(&name).ok_or_else(|| stale(index, &name, &shard)),
                Some(Err(diag)) => Err(diag.clone()),
                None => Err(stale(index, &name, &shard)),
            };
            let found = match doubled.get(&name) {
                Some(both) => Err(Diag::new("E0612", format!("tensor {name:?} stands in two shards: {both}"))
                    .note(format!("{} says {shard:?}", fault::show(index)))
                    .hint("one of the shards belongs to another version of the model")),
                None => found,
            };
            records.push(found.unwrap_or_else(|diag| broken(name, diag)));
        }
        Ok(records)
    }

    /// Names that more than one shard holds.
    fn doubled(&self) -> HashMap<String, String> {
        let (mut seen, mut doubled) = (HashMap::new(), HashMap::new());
        for shard in &self.order {
            let Some(Ok(tensors)) = self.shards.get(shard) else { continue };
            let names: HashSet<&String> = tensors.keys().collect();
            for name in names {
                if let Some(first) = seen.insert(name, shard) {
                    doubled.insert(name.clone(), format!("{first} and {shard}"));
                }
            }
        }
        doubled
    }
}

fn stale(index: &Path, name: &str, shard: &str) -> Diag {
    Diag::new("E0611", format!("shard {shard:?} does not hold tensor {name:?}"))
        .note(format!("{} says that it does", fault::show(index)))
        .hint("index and shard belong to different versions of the model; download both again")
}

fn broken(name: String, diag: Diag) -> Record {
    Record { name, shape: Default::default(), bytes: 0, copied: None, place: Place::Fault(Box::new(diag)) }
}
