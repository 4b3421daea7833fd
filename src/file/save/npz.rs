//! Writing `.npz`: members stored, their data aligned, so that they can be mapped.

use super::{Item, Out, npy_header, whole};
use crate::base::Diag;
use crate::file::fault;
use std::io::Write;
use std::path::Path;

/// Data starts at a multiple of this many bytes.
const ALIGN: u64 = 64;
/// The id under which padding stands in a member's extra field.
const PADDING: u16 = 0xD935;

struct Done {
    name: String,
    crc: u32,
    size: u64,
    offset: u64,
}

pub(super) fn save(path: &Path, items: &[Item<'_>]) -> Result<(), Diag> {
    let headers: Result<Vec<Vec<u8>>, Diag> = items.iter().map(|i| npy_header(i, ".npz")).collect();
    let headers = headers?;
    if let Some(item) = items.iter().find(|i| i.name.len() > 60_000) {
        return Err(fault::unsupported(".npz", format!("a name of {} bytes", item.name.len())));
    }
    whole(path, |out| {
        let mut done = Vec::with_capacity(items.len());
        for (item, header) in items.iter().zip(&headers) {
            let name = format!("{}.npy", item.name);
            let size = header.len() as u64 + item.bytes(".npz")?;
            let offset = out.position();
            let head = local_header(&name, size, offset);
            out.write_all(&head)?;
            let mut sum = Summed { out, sum: crc32fast::Hasher::new() };
            sum.write_all(header)?;
            item.data.emit(&mut sum)?;
            let crc = sum.sum.finalize();
            out.patch(offset + 14, &crc.to_le_bytes())?;
            done.push(Done { name, crc, size, offset });
        }
        Ok(directory(out, &done)?)
    })
}

/// A member's header: 64-bit sizes always, then padding up to the alignment; the checksum is filled in later.
fn local_header(name: &str, size: u64, offset: u64) -> Vec<u8> {
    let fixed = offset + 30 + name.len() as u64 + 20 + 4;
    let padding = (fixed.next_multiple_of(ALIGN) - fixed) as usize;
    let mut out = b"PK\x03\x04".to_vec();
    put16(&mut out, &[45, 0x800, 0, 0, 0x21]);
    out.extend([0; 4]);
    out.extend([0xFF; 8]);
    put16(&mut out, &[name.len() as u16, (20 + 4 + padding) as u16]);
    out.extend(name.as_bytes());
    put16(&mut out, &[1, 16]);
    out.extend([size.to_le_bytes(), size.to_le_bytes()].concat());
    put16(&mut out, &[PADDING, padding as u16]);
    out.resize(out.len() + padding, 0);
    out
}

fn put16(out: &mut Vec<u8>, values: &[u16]) {
    values.iter().for_each(|v| out.extend(v.to_le_bytes()));
}

fn directory(out: &mut Out<'_>, done: &[Done]) -> std::io::Result<()> {
    let start = out.position();
    for member in done {
        let mut entry = b"PK\x01\x02".to_vec();
        put16(&mut entry, &[45, 45, 0x800, 0, 0, 0x21]);
        entry.extend(member.crc.to_le_bytes());
        entry.extend([0xFF; 8]);
        put16(&mut entry, &[member.name.len() as u16, 28, 0, 0, 0]);
        entry.extend([0; 4]);
        entry.extend([0xFF; 4]);
        entry.extend(member.name.as_bytes());
        put16(&mut entry, &[1, 24]);
        [member.size, member.size, member.offset].iter().for_each(|v| entry.extend(v.to_le_bytes()));
        out.write_all(&entry)?;
    }
    let (end, count) = (out.position(), done.len() as u64);
    let mut tail = b"PK\x06\x06".to_vec();
    tail.extend(44_u64.to_le_bytes());
    put16(&mut tail, &[45, 45]);
    tail.extend([0; 8]);
    [count, count, end - start, start].iter().for_each(|v| tail.extend(v.to_le_bytes()));
    tail.extend(b"PK\x06\x07\0\0\0\0");
    tail.extend(end.to_le_bytes());
    tail.extend(1_u32.to_le_bytes());
    tail.extend(b"PK\x05\x06\0\0\0\0");
    put16(&mut tail, &[0xFFFF, 0xFFFF]);
    tail.extend([0xFF; 8]);
    put16(&mut tail, &[0]);
    out.write_all(&tail)
}

struct Summed<'a, 'b> {
    out: &'a mut Out<'b>,
    sum: crc32fast::Hasher,
}

impl Write for Summed<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.sum.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
