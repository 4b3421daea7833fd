//! `.npz`: a zip of `.npy`. Stored members are mapped, deflated ones unpacked when they are asked for.

mod directory;

use super::archive::{Archive, Entry, Member, Place, Record};
use super::source::FileSource;
use super::{Loaded, Meta, fault, npy};
use crate::base::Diag;
use crate::tensor::{Buffer, Encoding};
use directory::ZipEntry;
use std::io::Read;
use std::sync::Arc;

const DEFLATED: &str = "deflated";
/// Deflate packs no more than 1032 bytes into one.
const BEST_RATIO: u64 = 1032;

pub(super) fn open(source: Arc<FileSource>) -> Result<Archive, Diag> {
    let mut records = Vec::new();
    for entry in directory::read(&source)? {
        // Other members (a README, folders) are no harm.
        let Some(name) = entry.name.strip_suffix(".npy") else { continue };
        let copied = (entry.method == 8).then_some(DEFLATED);
        let (name, bytes) = (name.to_owned(), entry.size);
        let place = match fault_of(&source, &entry) {
            Some(diag) => Place::Fault(Box::new(diag)),
            None => Place::Lazy(Box::new(NpzMember { source: source.clone(), entry })),
        };
        records.push(Record { name, shape: Default::default(), bytes, copied, place });
    }
    Archive::new("npz", vec![source], records, Meta::new(), Vec::new())
}

/// What keeps a member from being read, as the directory tells it.
fn fault_of(source: &FileSource, entry: &ZipEntry) -> Option<Diag> {
    let damaged = |what: String| Some(fault::damaged(source.path(), format!("member {:?} {what}", entry.name)));
    match entry.method {
        _ if entry.encrypted => damaged("is encrypted".into()),
        0 if entry.packed != entry.size => damaged("is stored, yet has two lengths".into()),
        8 if entry.size / BEST_RATIO > entry.packed => {
            damaged(format!("claims to unpack {} bytes into {}, more than deflate can", entry.packed, entry.size))
        }
        0 | 8 => None,
        n => damaged(format!("is compressed by method {n}; stored and deflated ones are read")),
    }
}

struct NpzMember {
    source: Arc<FileSource>,
    entry: ZipEntry,
}

impl Member for NpzMember {
    fn entry(&self) -> Result<Entry, Diag> {
        let start = self.entry.data_start(&self.source)?;
        let header = match self.entry.method {
            0 => npy::member_header(&self.source, start, self.entry.size)?,
            _ => Unpacker::new(self, start).header()?,
        };
        Ok(Entry {
            encoding: Some(Encoding::Plain(header.dtype)),
            bytes: header.bytes,
            // Zip knows no alignment: members lie where they lie, and nobody is to blame.
            start: None,
            shape: header.shape,
            copied: (self.entry.method == 8).then_some(DEFLATED),
        })
    }

    fn load(&self) -> Result<Loaded, Diag> {
        let start = self.entry.data_start(&self.source)?;
        if self.entry.method == 0 {
            return npy::member(&self.source, start, self.entry.size);
        }
        let mut unpacker = Unpacker::new(self, start);
        let header = unpacker.header()?;
        let mut buffer = Buffer::zeroed(header.bytes as usize).map_err(|e| e.diag())?;
        unpacker.fill(buffer.bytes_mut().unwrap_or_default())?;
        unpacker.finish()?;
        let mut loaded = npy::finish(self.source.clone(), header, Arc::new(buffer))?;
        loaded.copied = Some(DEFLATED);
        Ok(loaded)
    }

    fn verify(&self) -> Result<(), Diag> {
        let start = self.entry.data_start(&self.source)?;
        if self.entry.method == 8 {
            return Unpacker::new(self, start).finish();
        }
        let (mut sum, mut at) = (crc32fast::Hasher::new(), 0);
        while at < self.entry.size {
            let piece = self.source.read("a member", start + at, (self.entry.size - at).min(1 << 16))?;
            sum.update(&piece);
            at += piece.len() as u64;
        }
        match sum.finalize() == self.entry.crc {
            true => Ok(()),
            false => {
                let what = format!("member {:?} does not have the checksum that the archive says", self.entry.name);
                Err(fault::damaged(self.source.path(), what))
            }
        }
    }
}

/// The unpacked bytes of a member in order, counted and summed.
struct Unpacker<'a> {
    member: &'a NpzMember,
    stream: flate2::read::DeflateDecoder<std::io::Take<super::source::Cursor>>,
    sum: crc32fast::Hasher,
    done: u64,
}

impl<'a> Unpacker<'a> {
    fn new(member: &'a NpzMember, start: u64) -> Unpacker<'a> {
        let packed = member.source.cursor(start).take(member.entry.packed);
        Unpacker { member, stream: flate2::read::DeflateDecoder::new(packed), sum: crc32fast::Hasher::new(), done: 0 }
    }

    fn damaged(&self, what: &str) -> Diag {
        fault::damaged(self.member.source.path(), format!("member {:?} {what}", self.member.entry.name))
    }

    fn header(&mut self) -> Result<npy::Header, Diag> {
        let (path, len) = (self.member.source.path(), self.member.entry.size);
        npy::read_header(path, len, &mut |n| {
            let mut bytes = vec![0; n as usize];
            self.fill(&mut bytes)?;
            Ok(bytes)
        })
    }

    fn fill(&mut self, out: &mut [u8]) -> Result<(), Diag> {
        // In pieces: a damaged stream ends before the memory of a large array is touched.
        for piece in out.chunks_mut(1 << 20) {
            self.stream.read_exact(piece).map_err(|_| self.damaged("cannot be unpacked"))?;
            self.sum.update(piece);
            self.done += piece.len() as u64;
        }
        Ok(())
    }

    /// The rest of the member must be there, and the sum of all fit.
    fn finish(mut self) -> Result<(), Diag> {
        let mut rest = [0; 4096];
        while self.done < self.member.entry.size {
            let left = (self.member.entry.size - self.done).min(4096) as usize;
            self.fill(&mut rest[..left])?;
        }
        match self.stream.read(&mut rest[..1]) {
            Ok(0) if self.sum.clone().finalize() == self.member.entry.crc => Ok(()),
            Ok(0) => Err(self.damaged("does not have the checksum that the archive says")),
            Ok(_) => Err(self.damaged("unpacks to more bytes than the archive says")),
            Err(_) => Err(self.damaged("cannot be unpacked")),
        }
    }
}
