//! The central directory of a zip, read strictly: it must fill the bytes between the members and the file's end.

use crate::base::Diag;
use crate::file::fault;
use crate::file::source::FileSource;
use std::path::Path;

/// One member as the directory describes it.
pub(super) struct ZipEntry {
    pub name: String,
    pub method: u16,
    pub encrypted: bool,
    pub crc: u32,
    /// Bytes in the file, and bytes unpacked.
    pub packed: u64,
    pub size: u64,
    /// Byte of the file where the member's own header starts.
    offset: u64,
}

const END: [u8; 4] = *b"PK\x05\x06";
const END64: [u8; 4] = *b"PK\x06\x06";
const LOCATOR: [u8; 4] = *b"PK\x06\x07";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// Where the directory lies.
struct Place {
    start: u64,
    len: u64,
    count: u64,
}

pub(super) fn read(source: &FileSource) -> Result<Vec<ZipEntry>, Diag> {
    let path = source.path();
    let place = find(source)?;
    if place.count > place.len / 46 {
        return Err(fault::header(
            path,
            format!("the directory claims {} members in {} bytes", place.count, place.len),
        ));
    }
    let bytes = source.read("the directory", place.start, place.len)?;
    let mut rest = Bytes { path, bytes: &bytes };
    let mut entries = Vec::with_capacity(place.count as usize);
    for _ in 0..place.count {
        entries.push(entry(&mut rest)?);
    }
    if !rest.bytes.is_empty() {
        return Err(fault::header(path, "the directory holds more members than the file says"));
    }
    check_overlap(path, &entries, place.start)?;
    Ok(entries)
}

/// The end record stands at the very end, before its comment.
fn find(source: &FileSource) -> Result<Place, Diag> {
    let (path, len) = (source.path(), source.len());
    let start = len.saturating_sub(22 + 65535);
    let tail = source.read("the end of the archive", start, len - start)?;
    let found = (0..=tail.len().saturating_sub(22)).rev().find(|at| {
        tail.len() >= 22
            && tail[*at..].starts_with(&END)
            && at + 22 + usize::from(u16::from_le_bytes([tail[at + 20], tail[at + 21]])) == tail.len()
    });
    let Some(at) = found else {
        let head = source.read("the start", 0, len.min(4))?;
        return Err(match head.starts_with(b"PK") {
            true => Diag::new("E0604", format!("{} is cut short: a zip archive without its end", fault::show(path)))
                .hint("was it downloaded or copied as a whole?"),
            false => fault::not_format(path, ".npz", "no zip archive"),
        });
    };
    let mut end = Bytes { path, bytes: &tail[at + 4..] };
    let (disk, start_disk) = (end.u16()?, end.u16()?);
    let (here, count) = (end.u16()?, end.u16()?);
    let (size, offset) = (end.u32()?, end.u32()?);
    let at = start + at as u64;
    if let Some(place) = find64(source, at)? {
        return Ok(place);
    }
    if disk != 0 || start_disk != 0 || here != count {
        return Err(fault::header(path, "the archive is split over several files"));
    }
    let place = Place { start: offset.into(), len: size.into(), count: count.into() };
    fits(path, place, at)
}

/// The end record of an archive with 64-bit sizes.
fn find64(source: &FileSource, end: u64) -> Result<Option<Place>, Diag> {
    let path = source.path();
    let Some(at) = end.checked_sub(20) else { return Ok(None) };
    let locator = source.read("the locator", at, 20)?;
    if !locator.starts_with(&LOCATOR) {
        return Ok(None);
    }
    let record = Bytes { path, bytes: &locator[8..] }.u64()?;
    let bytes = source.read("the end record", record, 56)?;
    if !bytes.starts_with(&END64) {
        return Err(fault::header(path, "the locator points to no end record"));
    }
    let mut fields = Bytes { path, bytes: &bytes[32..] };
    let (count, len, start) = (fields.u64()?, fields.u64()?, fields.u64()?);
    fits(path, Place { start, len, count }, record).map(Some)
}

/// The directory must end where its end record starts.
fn fits(path: &Path, place: Place, end: u64) -> Result<Place, Diag> {
    match place.start.checked_add(place.len) {
        Some(stop) if stop == end => Ok(place),
        _ => Err(fault::header(
            path,
            format!("the directory should be {} bytes from byte {} and end at byte {end}", place.len, place.start),
        )),
    }
}

fn entry(rest: &mut Bytes<'_>) -> Result<ZipEntry, Diag> {
    if rest.take(4)? != CENTRAL {
        return Err(fault::header(rest.path, "the directory holds something else than members"));
    }
    rest.take(4)?;
    let (flags, method) = (rest.u16()?, rest.u16()?);
    rest.take(4)?;
    let crc = rest.u32()?;
    let (mut packed, mut size) = (u64::from(rest.u32()?), u64::from(rest.u32()?));
    let (name, extra, comment) = (rest.u16()?, rest.u16()?, rest.u16()?);
    rest.take(8)?;
    let mut offset = u64::from(rest.u32()?);
    let name = rest.take(name.into())?;
    let name = match std::str::from_utf8(name) {
        Ok(name) => name.to_owned(),
        Err(_) if flags & 0x800 != 0 => return Err(fault::header(rest.path, "a member's name is not UTF-8")),
        Err(_) => name.iter().map(|b| char::from(*b)).collect(),
    };
    let mut extra = Bytes { path: rest.path, bytes: rest.take(extra.into())? };
    rest.take(comment.into())?;
    while extra.bytes.len() >= 4 {
        let (id, len) = (extra.u16()?, extra.u16()?);
        let mut field = Bytes { path: rest.path, bytes: extra.take(len.into())? };
        if id == 1 {
            // The 64-bit fields stand for those that are all ones, in this order.
            for value in [&mut size, &mut packed, &mut offset] {
                if *value == u64::from(u32::MAX) {
                    *value = field.u64()?;
                }
            }
        }
    }
    Ok(ZipEntry { name, method, encrypted: flags & 1 != 0, crc, packed, size, offset })
}

/// Members lie one after the other before the directory: overlapping ones are a bomb.
fn check_overlap(path: &Path, entries: &[ZipEntry], directory: u64) -> Result<(), Diag> {
    let mut order: Vec<&ZipEntry> = entries.iter().collect();
    order.sort_by_key(|e| e.offset);
    let ends = order.iter().skip(1).map(|e| e.offset).chain([directory]);
    for (entry, limit) in order.iter().zip(ends) {
        let end = entry.offset.checked_add(30 + entry.name.len() as u64).and_then(|n| n.checked_add(entry.packed));
        if end.is_none_or(|end| end > limit) {
            return Err(fault::place(
                path,
                format!(
                    "member {:?}, {} bytes from byte {}, goes past byte {limit}",
                    entry.name, entry.packed, entry.offset
                ),
            ));
        }
    }
    Ok(())
}

impl ZipEntry {
    /// Byte of the file where the member's data starts: behind its own header, whose name and extra may differ in
    /// length from the directory's.
    pub fn data_start(&self, source: &FileSource) -> Result<u64, Diag> {
        let path = source.path();
        let header = source.read("the header of a member", self.offset, 30)?;
        if !header.starts_with(&LOCAL) {
            return Err(fault::damaged(
                path,
                format!("member {:?} does not start where the directory says", self.name),
            ));
        }
        let mut lengths = Bytes { path, bytes: &header[26..] };
        let start = self.offset + 30 + u64::from(lengths.u16()?) + u64::from(lengths.u16()?);
        source.within(&format!("member {:?}", self.name), start, self.packed)?;
        Ok(start)
    }
}

/// Little-endian fields of a piece of the file.
struct Bytes<'a> {
    path: &'a Path,
    bytes: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Diag> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            return Err(fault::header(self.path, "the directory ends inside a member"));
        };
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Diag> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn u16(&mut self) -> Result<u16, Diag> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Diag> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Diag> {
        self.array().map(u64::from_le_bytes)
    }
}
