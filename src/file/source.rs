//! One open file: what all readers read through.

use super::fault;
use super::guard::Guard;
use crate::base::Diag;
use crate::tensor::{Buffer, Watch};
use memmap2::Mmap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// An open file with its length and time as they were when it was opened.
///
/// Headers are read by copying (a file that is cut while they are parsed is an error, never a fault of the
/// processor); only the data of tensors is mapped.
#[derive(Debug)]
pub struct FileSource {
    path: PathBuf,
    file: File,
    len: u64,
    modified: Option<SystemTime>,
    mmap: bool,
    /// The guard goes before its map. Buffers keep the source, and so both.
    map: OnceLock<(Guard, Arc<Mmap>)>,
    closed: AtomicBool,
}

impl FileSource {
    pub(super) fn open(path: &Path, mmap: bool) -> Result<Arc<FileSource>, Diag> {
        let file = File::open(path).map_err(|e| fault::io(path, &e))?;
        let meta = file.metadata().map_err(|e| fault::io(path, &e))?;
        if meta.is_dir() {
            return Err(fault::io(path, &std::io::ErrorKind::IsADirectory.into()));
        }
        if !meta.is_file() {
            return Err(Diag::new("E0601", format!("not a plain file: {}", fault::show(path))));
        }
        Ok(Arc::new(FileSource {
            path: path.to_owned(),
            file,
            len: meta.len(),
            modified: meta.modified().ok(),
            mmap,
            map: OnceLock::new(),
            closed: AtomicBool::new(false),
        }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length in bytes when the file was opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether data is mapped rather than read.
    pub(super) fn maps(&self) -> bool {
        self.mmap
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Whether the file may still be read: E0613 where it was closed, E0614 where it was written, cut or extended
    /// since it was opened. A file that was replaced by another of its name is unchanged.
    pub fn check(&self) -> Result<(), Diag> {
        if self.closed.load(Ordering::Acquire) {
            return Err(fault::closed(&self.path));
        }
        self.unchanged()
    }
}

impl Watch for FileSource {
    /// E0614 where the file was written, cut or extended since it was opened, closed or not.
    fn unchanged(&self) -> Result<(), Diag> {
        let meta = self.file.metadata().map_err(|e| fault::io(&self.path, &e))?;
        if self.is_torn() || meta.len() != self.len || meta.modified().ok() != self.modified {
            return Err(fault::changed(&self.path));
        }
        Ok(())
    }

    fn is_torn(&self) -> bool {
        self.map.get().is_some_and(|(guard, _)| guard.is_torn())
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

impl FileSource {
    /// E0604 unless `start..start + len` lies in the file.
    pub(super) fn within(&self, what: &str, start: u64, len: u64) -> Result<(), Diag> {
        match start.checked_add(len) {
            Some(end) if end <= self.len => Ok(()),
            _ => Err(fault::short(&self.path, what, start, len, self.len)),
        }
    }

    /// Copies bytes of the file. Both numbers in bytes; E0604 past the end.
    pub(super) fn read(&self, what: &str, start: u64, len: u64) -> Result<Vec<u8>, Diag> {
        self.within(what, start, len)?;
        let mut bytes = vec![0; to_usize(&self.path, len)?];
        self.read_at(start, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills `out` from byte `start` on.
    pub(super) fn read_at(&self, start: u64, out: &mut [u8]) -> Result<(), Diag> {
        read_exact_at(&self.file, out, start).map_err(|e| fault::io(&self.path, &e))
    }

    /// The bytes of a tensor: mapped, or read where mapping is off.
    pub(super) fn buffer(self: &Arc<Self>, what: &str, start: u64, len: u64) -> Result<Arc<Buffer>, Diag> {
        self.check()?;
        self.within(what, start, len)?;
        let (from, count) = (to_usize(&self.path, start)?, to_usize(&self.path, len)?);
        if count > 0 && self.mmap {
            let map = self.map()?;
            let mut buffer = Buffer::mapped(map, from, count).ok_or_else(|| fault::changed(&self.path))?;
            buffer.set_watch(self.clone());
            return Ok(Arc::new(buffer));
        }
        let mut buffer = Buffer::zeroed(count).map_err(|e| e.diag())?;
        if let Some(bytes) = buffer.bytes_mut() {
            self.read_at(start, bytes)?;
        }
        Ok(Arc::new(buffer))
    }

    fn map(&self) -> Result<Arc<Mmap>, Diag> {
        if let Some((_, map)) = self.map.get() {
            return Ok(map.clone());
        }
        // SAFETY: the map is read-only and shared. Its bytes may change when another program writes the file; they
        // are plain numbers, for which every bit pattern is valid, and `check` refuses a file that was changed
        // before each use. Where it is cut short between the check and the read, the guard puts zeros and tells.
        let map = unsafe { Mmap::map(&self.file) }.map_err(|e| fault::io(&self.path, &e))?;
        let (_, map) = self.map.get_or_init(|| (Guard::new(&map), Arc::new(map)));
        Ok(map.clone())
    }

    /// Everything from `start` on, in order, through a window of 64 KiB.
    pub(super) fn cursor(self: &Arc<Self>, start: u64) -> Cursor {
        Cursor { source: self.clone(), window: Vec::new(), at: start, from: start }
    }
}

/// A reading position in a file with checked primitives; numbers are little-endian.
pub(super) struct Cursor {
    source: Arc<FileSource>,
    window: Vec<u8>,
    /// Byte of the file where the next read starts.
    at: u64,
    /// Byte of the file where the window starts.
    from: u64,
}

const WINDOW: u64 = 64 << 10;

impl Cursor {
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Bytes between here and the end of the file.
    pub fn rest(&self) -> u64 {
        self.source.len.saturating_sub(self.at)
    }

    pub fn skip(&mut self, what: &str, len: u64) -> Result<(), Diag> {
        self.source.within(what, self.at, len)?;
        self.at += len;
        Ok(())
    }

    /// The next `len` bytes, which must be fewer than the window holds.
    fn small(&mut self, what: &str, len: usize) -> Result<&[u8], Diag> {
        self.source.within(what, self.at, len as u64)?;
        let end = self.from + self.window.len() as u64;
        if self.at < self.from || self.at + len as u64 > end {
            let count = WINDOW.max(len as u64).min(self.source.len - self.at);
            self.window.resize(count as usize, 0);
            self.source.read_at(self.at, &mut self.window)?;
            self.from = self.at;
        }
        let start = (self.at - self.from) as usize;
        self.at += len as u64;
        Ok(&self.window[start..start + len])
    }

    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Diag> {
        let mut out = [0; N];
        out.copy_from_slice(self.small(what, N)?);
        Ok(out)
    }

    pub fn u32(&mut self, what: &str) -> Result<u32, Diag> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub fn u64(&mut self, what: &str) -> Result<u64, Diag> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub fn bytes(&mut self, what: &str, len: u64) -> Result<Vec<u8>, Diag> {
        if len <= WINDOW {
            return self.small(what, len as usize).map(<[u8]>::to_vec);
        }
        let bytes = self.source.read(what, self.at, len)?;
        self.at += len;
        Ok(bytes)
    }
}

impl Read for Cursor {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = self.rest().min(out.len() as u64).min(WINDOW) as usize;
        match self.small("the data", len) {
            Ok(bytes) => {
                out[..len].copy_from_slice(bytes);
                Ok(len)
            }
            Err(diag) => Err(std::io::Error::other(diag.message)),
        }
    }
}

pub(super) fn to_usize(path: &Path, n: u64) -> Result<usize, Diag> {
    usize::try_from(n).map_err(|_| fault::size(path, format!("{n} bytes do not fit in memory")))
}

#[cfg(unix)]
fn read_exact_at(file: &File, out: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut out: &mut [u8], mut at: u64) -> std::io::Result<()> {
    while !out.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_read(file, out, at)?;
        if n == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        out = &mut out[n..];
        at += n as u64;
    }
    Ok(())
}
