//! Writing files: whole or not at all, in pieces, exactly the elements in view.

mod csv;
mod data;
mod gguf;
mod npz;
mod png;
mod safetensors;
mod shards;

pub use data::{Emit, SaveFault, ViewData};
pub use shards::save_shards;

use super::{Format, Meta, fault};
use crate::base::Diag;
use crate::tensor::{Encoding, HostArray};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// One tensor to write: `data` gives its bytes in row-major order when it is asked.
pub struct Item<'a> {
    pub name: &'a str,
    pub encoding: Encoding,
    /// In elements.
    pub shape: &'a [usize],
    pub data: &'a dyn Emit,
}

impl Item<'_> {
    /// Bytes of the data; E0616 where a packed row is no whole number of blocks.
    fn bytes(&self, format: &str) -> Result<u64, Diag> {
        let bytes = self.encoding.bytes(self.shape);
        bytes.map(|n| n as u64).ok_or_else(|| fault::unsupported(format, format!("{}{:?}", self.encoding, self.shape)))
    }
}

/// The metadata of one gguf: what the model says, and by what the file knows its shards.
struct Keys<'a> {
    meta: &'a Meta,
    counts: &'a Meta,
}

/// Saves one tensor (.npy .csv .tsv .png, and .bin: plain bytes, row-major, little-endian).
pub fn save_tensor(path: &Path, array: &HostArray) -> Result<(), Diag> {
    let data = ViewData::new(array, Encoding::Plain(array.view.dtype));
    save_items(path, &[data.item("")], None)
}

/// Saves tensors by name (.npz .safetensors .gguf .csv .tsv).
pub fn save_archive(path: &Path, tensors: &[(String, HostArray)], meta: &Meta) -> Result<(), Diag> {
    let plain = |a: &HostArray| Encoding::Plain(a.view.dtype);
    let data: Vec<_> = tensors.iter().map(|(_, a)| ViewData::new(a, plain(a))).collect();
    let items: Vec<_> = data.iter().zip(tensors).map(|(d, (name, _))| d.item(name)).collect();
    save_items(path, &items, Some(meta))
}

/// Saves tensors of any encoding. `meta` is None for a lone tensor, which then stands as the only item.
pub fn save_items(path: &Path, items: &[Item<'_>], meta: Option<&Meta>) -> Result<(), Diag> {
    let format = Format::of(path)?;
    let lone = meta.is_none() && items.len() == 1;
    format.check(path, !lone)?;
    let empty = Meta::new();
    let meta = meta.unwrap_or(&empty);
    if let Some(name) = doubled(items) {
        return Err(fault::doubled(path, "tensors", name));
    }
    match format {
        Format::Npy => npy(path, &items[0]),
        Format::Npz => npz::save(path, items),
        Format::Gguf => gguf::save(path, items, &Keys { meta, counts: &empty }),
        Format::Csv if lone => csv::matrix(path, &items[0]),
        Format::Csv => csv::columns(path, items),
        Format::Png => png::save(path, &items[0]),
        Format::Raw => whole(path, |out| items[0].data.emit(out)),
        Format::Safetensors => safetensors::save(path, items, meta),
        Format::Index => Err(fault::unsupported("shard index", "tensors; save to a name that ends in .safetensors")),
    }
}

/// Whether a path can be saved to, by its name alone: for complaints before anything is computed.
pub fn check_target(path: &Path, archive: bool) -> Result<(), Diag> {
    Format::of(path)?.check(path, archive)
}

/// Whether the format of this name has a place for metadata.
pub fn keeps_meta(path: &Path) -> bool {
    matches!(Format::of(path), Ok(Format::Safetensors | Format::Gguf))
}

impl Format {
    fn check(self, path: &Path, archive: bool) -> Result<(), Diag> {
        let (one, many) = match self {
            Format::Npy | Format::Png | Format::Raw => (true, false),
            Format::Csv => (true, true),
            Format::Npz | Format::Safetensors | Format::Gguf | Format::Index => (false, true),
        };
        let diag = |what: &str| Diag::new("E0616", format!("{} cannot hold {what}", fault::show(path)));
        match archive {
            false if !one => Err(diag("a lone tensor").hint("give it a name: save(record(x=x), path)")),
            true if !many => Err(diag("several tensors").hint("save to .npz, .safetensors or .gguf")),
            _ => Ok(()),
        }
    }
}

fn doubled<'a>(items: &[Item<'a>]) -> Option<&'a str> {
    let mut seen = std::collections::HashSet::new();
    items.iter().map(|i| i.name).find(|name| !seen.insert(*name))
}

fn npy(path: &Path, item: &Item<'_>) -> Result<(), Diag> {
    let header = npy_header(item, ".npy")?;
    whole(path, |out| {
        out.write_all(&header)?;
        item.data.emit(out)
    })
}

fn npy_header(item: &Item<'_>, format: &str) -> Result<Vec<u8>, Diag> {
    let header = match item.encoding {
        Encoding::Plain(dtype) => super::npy::header(dtype, item.shape),
        Encoding::Packed(_) => None,
    };
    header.ok_or_else(|| {
        let diag = fault::unsupported(format, format!("{}: NumPy has no such dtype", item.encoding));
        match item.encoding {
            Encoding::Packed(_) => diag.hint("unpack(x), or save to .gguf"),
            Encoding::Plain(_) => diag.hint("x.astype(f32), or save to .safetensors"),
        }
    })
}

/// A file being written: counts its bytes, and can go back to fill in what was not known.
pub(super) struct Out<'a> {
    file: BufWriter<&'a File>,
    at: u64,
}

impl Out<'_> {
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Overwrites bytes that were written before.
    pub fn patch(&mut self, at: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::Start(self.at))?;
        Ok(())
    }

    pub fn pad_to(&mut self, multiple: u64) -> std::io::Result<()> {
        let count = self.at.next_multiple_of(multiple) - self.at;
        self.write_all(&vec![0; count as usize])
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.at += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file as a whole: into a file of the same folder, to disk, then under its name.
pub(super) fn whole(path: &Path, body: impl FnOnce(&mut Out<'_>) -> Result<(), SaveFault>) -> Result<(), Diag> {
    let target = target(path)?;
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tsk-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temp = builder.tempfile_in(folder).map_err(|e| fault::write(path, &e))?;
    let mut out = Out { file: BufWriter::with_capacity(1 << 18, temp.as_file()), at: 0 };
    body(&mut out).and_then(|()| Ok(out.flush()?)).map_err(|e| e.diag(path))?;
    drop(out);
    if let Ok(old) = std::fs::metadata(&target) {
        // A system that cannot keep the old permissions still keeps the data.
        let _ = temp.as_file().set_permissions(old.permissions());
    }
    temp.as_file().sync_all().map_err(|e| fault::write(path, &e))?;
    temp.persist(&target).map_err(|e| fault::write(path, &e.error))?;
    if let Ok(dir) = File::open(folder) {
        // Not every file system can: the file itself is safe.
        let _ = dir.sync_all();
    }
    Ok(())
}

/// The file that a path names, behind links; E0615 where it is no plain file.
fn target(path: &Path) -> Result<PathBuf, Diag> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => std::fs::canonicalize(path).map_err(|e| fault::write(path, &e)),
        Ok(_) => Err(Diag::new("E0615", format!("cannot write {}: it is no plain file", fault::show(path)))),
        Err(_) => Ok(path.to_owned()),
    }
}
