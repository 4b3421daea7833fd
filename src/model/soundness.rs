//! Data that can be trusted: checksums of files that have them, checksums made of files that have none.

use super::Contents;
use crate::base::Diag;
use crate::file::{Emit, Loaded, SaveFault, ViewData};
use crate::tensor::HostArray;
use std::io::Write;

/// The tensor of that name, with the checksum that its file has for it looked at.
pub fn sound(contents: &Contents, name: &str) -> Result<Loaded, Diag> {
    if let Some(archive) = contents.archive() {
        archive.verify(name)?;
    }
    contents.get(name)
}

/// CRC-32 of the elements in row-major order as they are stored, whatever the layout of the file.
pub fn checksum(loaded: &Loaded) -> Result<u32, Diag> {
    struct Sum(crc32fast::Hasher);
    impl Write for Sum {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let array = HostArray { buffer: loaded.buffer.clone(), view: loaded.view.clone() };
    let mut sum = Sum(crc32fast::Hasher::new());
    match ViewData::new(&array, loaded.encoding).emit(&mut sum) {
        Ok(()) => {}
        Err(SaveFault::Diag(diag)) => return Err(*diag),
        // Summing writes nothing that could fail.
        Err(SaveFault::Io(error)) => return Err(Diag::new("E0617", error.to_string())),
    }
    loaded.source.check()?;
    Ok(sum.0.finalize())
}
