//! Files: bytes on disk to (encoding, layout, buffer) and back. Knows nothing of plans or values.
//!
//! Opening reads headers only. Every length is checked against the file before anything is allocated, so that no file,
//! however made, costs more than its own size. Data is mapped where its bytes are those of the tensor, and read where
//! they are not (big-endian, deflated, csv, png).

mod archive;
mod csv;
mod fault;
mod gguf;
mod guard;
mod meta;
mod npy;
mod npz;
mod png;
mod safetensors;
mod save;
mod source;

pub use archive::{Archive, Entry, matches};
pub use fault::CODES;
pub use meta::{Meta, MetaArray, MetaType, MetaValue};
pub use save::{
    Emit, Item, SaveFault, ViewData, check_target, keeps_meta, save_archive, save_items, save_shards, save_tensor,
};
pub use source::FileSource;

use crate::base::Diag;
use crate::tensor::{Buffer, DType, Encoding, Layout, View};
use std::path::Path;
use std::sync::Arc;

/// More axes than NumPy takes are refused before a layout is made.
const MAX_RANK: usize = 64;

/// How to open a file.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// The separator of a csv; None: `,` `;` or tab, by the first line.
    pub delimiter: Option<char>,
    /// Map files rather than read them. Off, the data of a tensor is read when it is asked for.
    pub mmap: bool,
    /// The dtype of csv columns that are not integers.
    pub default_float: DType,
}

impl Default for OpenOptions {
    fn default() -> Self {
        OpenOptions { delimiter: None, mmap: true, default_float: DType::F32 }
    }
}

/// One tensor of a file. It is read-only, whether its buffer is mapped or not.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub buffer: Arc<Buffer>,
    /// Elements of the tensor.
    pub elements: usize,
    /// Shape in elements; strides and offset in units of the encoding (elements, or blocks on every axis of a packed
    /// tensor, whose packed axis is the last). The dtype is the one that elements read as (f32 of a packed tensor).
    pub view: View,
    pub encoding: Encoding,
    /// Why the bytes were copied instead of mapped; None where they are mapped (or mapping is off).
    pub copied: Option<&'static str>,
    /// The file behind the buffer: `check` tells whether it is still what it was.
    pub source: Arc<FileSource>,
}

impl Loaded {
    /// What a header would say of it.
    pub fn entry(&self) -> Entry {
        let mapped = self.buffer.is_mapped() && self.copied.is_none();
        Entry {
            encoding: Some(self.encoding),
            shape: self.view.layout.shape.clone(),
            bytes: self.buffer.len() as u64,
            copied: self.copied,
            // Maps start at a page, so that an address tells as much of alignment as the place in the file.
            start: mapped.then(|| self.buffer.as_ptr() as u64),
        }
    }

    /// A tensor in row-major order over a whole buffer.
    fn new(source: Arc<FileSource>, buffer: Arc<Buffer>, encoding: Encoding, shape: &[usize]) -> Result<Loaded, Diag> {
        let units = encoding.unit_shape(shape).and_then(|s| Layout::contiguous(&s).ok());
        let Some(mut layout) = units else {
            return Err(fault::size(source.path(), format!("shape {shape:?} of {encoding}")));
        };
        layout.shape = shape.into();
        let mut buffer = buffer;
        if let (Encoding::Packed(format), Some(own)) = (encoding, Arc::get_mut(&mut buffer)) {
            own.set_packed(format);
        }
        Ok(Loaded {
            buffer,
            elements: shape.iter().product(),
            view: View { layout, dtype: encoding.dtype(), conj: false },
            encoding,
            copied: None,
            source,
        })
    }
}

/// What a path holds.
pub enum Opened {
    Tensor(Loaded),
    Archive(Archive),
}

/// The formats, by the end of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Npy,
    Npz,
    Safetensors,
    Index,
    Gguf,
    Csv,
    Png,
    /// Written as plain bytes; read with `read_raw`.
    Raw,
}

impl Format {
    fn of(path: &Path) -> Result<Format, Diag> {
        let name = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
        let ends = [
            (".npy", Format::Npy),
            (".npz", Format::Npz),
            (".safetensors", Format::Safetensors),
            (".safetensors.index.json", Format::Index),
            (".gguf", Format::Gguf),
            (".csv", Format::Csv),
            (".tsv", Format::Csv),
            (".png", Format::Png),
            (".bin", Format::Raw),
        ];
        ends.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, f)| f).ok_or_else(|| {
            Diag::new("E0602", format!("unknown kind of file: {}", fault::show(path)))
                .note(format!("known are {}", ends.map(|(end, _)| end).join(" ")))
                .hint("plain bytes are read with raw(path, dtype, shape)")
        })
    }
}

/// Whether the name is that of a data file which `open` takes.
pub fn is_data(path: &Path) -> bool {
    Format::of(path).is_ok_and(|format| format != Format::Raw)
}

/// Opens a file by the end of its name; reads its header only.
pub fn open(path: &Path, options: &OpenOptions) -> Result<Opened, Diag> {
    // A folder or a missing file is told before a strange name.
    let source = FileSource::open(path, options.mmap)?;
    match Format::of(path)? {
        Format::Npy => npy::load(&source).map(Opened::Tensor),
        Format::Npz => npz::open(source).map(Opened::Archive),
        Format::Gguf => gguf::open(source).map(Opened::Archive),
        Format::Csv => csv::load(&source, options),
        Format::Png => png::load(&source).map(Opened::Tensor),
        Format::Raw => Err(Diag::new("E0602", format!("{} holds plain bytes", fault::show(path)))
            .hint("say what they are: raw(path, dtype, shape)")),
        Format::Safetensors => safetensors::open(source).map(Opened::Archive),
        Format::Index => safetensors::open_index(source).map(Opened::Archive),
    }
}

/// Plain bytes of a file as a tensor. `offset` in bytes; the file may be longer. E0604 where it is shorter; E0216 where
/// the last axis is no whole number of blocks.
pub fn read_raw(
    path: &Path,
    encoding: Encoding,
    shape: &[usize],
    offset: u64,
    options: &OpenOptions,
) -> Result<Loaded, Diag> {
    let source = FileSource::open(path, options.mmap)?;
    let bytes = raw_bytes(encoding, shape)?;
    let buffer = source.buffer("the tensor", offset, bytes as u64)?;
    npy::truths(Loaded::new(source, buffer, encoding, shape)?)
}

/// Bytes of a tensor that a script describes; the shape is the script's, not the file's.
pub fn raw_bytes(encoding: Encoding, shape: &[usize]) -> Result<usize, Diag> {
    if let Some(bytes) = encoding.bytes(shape).filter(|_| shape.len() <= MAX_RANK) {
        return Ok(bytes);
    }
    let block = encoding.block();
    match shape.last() {
        Some(last) if last % block == 0 => Err(Diag::new("E0606", format!("no memory holds {encoding}{shape:?}"))),
        _ => Err(Diag::new("E0216", format!("{shape:?} is no whole number of {encoding} blocks"))
            .note(format!("a block has {block} elements along the last axis"))),
    }
}

#[cfg(test)]
mod tests;
