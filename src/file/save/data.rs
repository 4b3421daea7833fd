//! The bytes of a view in row-major order, piece by piece.

use super::Item;
use crate::base::Diag;
use crate::file::fault;
use crate::tensor::{Encoding, HostArray, Layout};
use std::io::Write;
use std::path::Path;

/// Why a file could not be written.
pub enum SaveFault {
    Io(std::io::Error),
    /// A fault of the values: computing them, or what the format cannot hold.
    Diag(Box<Diag>),
}

impl From<std::io::Error> for SaveFault {
    fn from(error: std::io::Error) -> Self {
        SaveFault::Io(error)
    }
}

impl From<Diag> for SaveFault {
    fn from(diag: Diag) -> Self {
        SaveFault::Diag(Box::new(diag))
    }
}

impl SaveFault {
    pub(super) fn diag(self, path: &Path) -> Diag {
        match self {
            SaveFault::Io(error) => fault::write(path, &error),
            SaveFault::Diag(diag) => *diag,
        }
    }
}

/// What can write the data of a tensor: its elements in row-major order, little-endian.
pub trait Emit {
    fn emit(&self, out: &mut dyn Write) -> Result<(), SaveFault>;
}

/// The elements of a host array, or the blocks of a packed one (whose packed axis is the last).
pub struct ViewData<'a> {
    array: &'a HostArray,
    encoding: Encoding,
}

/// Bytes collected before they are written.
const CHUNK: usize = 1 << 18;

impl<'a> ViewData<'a> {
    pub fn new(array: &'a HostArray, encoding: Encoding) -> ViewData<'a> {
        ViewData { array, encoding }
    }

    pub fn item(&self, name: &'a str) -> Item<'_> {
        Item { name, encoding: self.encoding, shape: &self.array.view.layout.shape, data: self }
    }
}

impl Emit for ViewData<'_> {
    fn emit(&self, out: &mut dyn Write) -> Result<(), SaveFault> {
        let (view, size) = (&self.array.view, self.encoding.unit_bytes());
        let mut layout = view.layout.clone();
        if let Some(units) = self.encoding.unit_shape(&layout.shape) {
            layout.shape = units;
        }
        let bytes = self.array.buffer.bytes();
        let run = split_run(&mut layout) * size;
        let part = view.conj.then_some(size / 2);
        if run == 0 || layout.size() == 0 {
            return Ok(());
        }
        let mut chunk = Vec::new();
        for offset in layout.offsets() {
            let start = offset as usize * size;
            for piece in bytes[start..start + run].chunks(CHUNK) {
                if chunk.is_empty() && piece.len() > CHUNK / 4 && part.is_none() {
                    out.write_all(piece)?;
                    continue;
                }
                chunk.extend_from_slice(piece);
                if chunk.len() >= CHUNK {
                    send(out, &mut chunk, part)?;
                }
            }
        }
        send(out, &mut chunk, part)
    }
}

/// Writes and empties the chunk; `part` is the size of the imaginary parts to negate.
fn send(out: &mut dyn Write, chunk: &mut Vec<u8>, part: Option<usize>) -> Result<(), SaveFault> {
    if let Some(part) = part {
        for value in chunk.chunks_exact_mut(2 * part) {
            value[2 * part - 1] ^= 0x80;
        }
    }
    out.write_all(chunk)?;
    chunk.clear();
    Ok(())
}

/// Takes the last axes that lie side by side out of a layout; gives how many units they are.
fn split_run(layout: &mut Layout) -> usize {
    let mut run = 1;
    while let (Some(extent), Some(stride)) = (layout.shape.last(), layout.strides.last()) {
        if *stride != run as isize && *extent != 1 {
            break;
        }
        run *= extent;
        layout.shape.pop();
        layout.strides.pop();
    }
    run
}
