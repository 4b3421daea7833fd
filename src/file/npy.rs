//! `.npy`, versions 1 to 3.

use super::source::FileSource;
use super::{Loaded, MAX_RANK, fault};
use crate::base::Diag;
use crate::tensor::{Buffer, DType, Encoding, Shape};
use std::path::Path;
use std::sync::Arc;

mod literal;
pub(super) use literal::Literal;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// NumPy writes less than 64 KiB; more is a lie or an attack.
const MAX_HEADER: u64 = 1 << 20;

/// What a header says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Header {
    pub dtype: DType,
    pub big_endian: bool,
    pub fortran: bool,
    pub shape: Shape,
    /// Bytes of the whole header; the data follows.
    pub len: u64,
    /// Bytes of the data.
    pub bytes: u64,
}

pub(super) fn load(source: &Arc<FileSource>) -> Result<Loaded, Diag> {
    member(source, 0, source.len())
}

/// The array in bytes `start..start + len` of a file.
pub(super) fn member(source: &Arc<FileSource>, start: u64, len: u64) -> Result<Loaded, Diag> {
    let header = member_header(source, start, len)?;
    let buffer = source.buffer("the array", start + header.len, header.bytes)?;
    finish(source.clone(), header, buffer)
}

/// The header of that array.
pub(super) fn member_header(source: &Arc<FileSource>, start: u64, len: u64) -> Result<Header, Diag> {
    let mut cursor = source.cursor(start);
    read_header(source.path(), len, &mut |n| cursor.bytes("the header", n))
}

/// Reads a header from a stream, exactly to its end: `next` gives the following bytes, `len` is the length of the
/// whole array file.
pub(super) fn read_header(
    path: &Path,
    len: u64,
    next: &mut dyn FnMut(u64) -> Result<Vec<u8>, Diag>,
) -> Result<Header, Diag> {
    let first = next(len.min(10))?;
    if first.len() < 6 || &first[..6] != MAGIC {
        let found = if first.starts_with(b"PK") { "a zip archive (.npz?)" } else { "other first bytes" };
        return Err(fault::not_format(path, ".npy", found));
    }
    let &[_, _, _, _, _, _, version, _, a, b] = &first[..] else {
        return Err(fault::short(path, "the header", 0, 10, len));
    };
    let (head, text) = match version {
        1 => (10, u64::from(u16::from_le_bytes([a, b]))),
        2 | 3 if len < 12 => return Err(fault::short(path, "the header", 0, 12, len)),
        2 | 3 => {
            let high = next(2)?;
            let high = [high.first().copied().unwrap_or(0), high.get(1).copied().unwrap_or(0)];
            (12, u64::from(u32::from_le_bytes([a, b, high[0], high[1]])))
        }
        _ => return Err(fault::not_format(path, ".npy", format!("version {version}; known are 1, 2 and 3"))),
    };
    if head + text > len {
        return Err(fault::short(path, "the header", head, text, len));
    }
    if text > MAX_HEADER {
        return Err(fault::size(path, format!("a header of {text} bytes")));
    }
    parse(path, version, &next(text)?, head, len)
}

/// Reads the text of a header strictly: the three keys, each once, nothing else.
fn parse(path: &Path, version: u8, text: &[u8], head: u64, len: u64) -> Result<Header, Diag> {
    let data_at = head + text.len() as u64;
    let text: String = match version {
        3 => std::str::from_utf8(text).map_err(|_| fault::header(path, "the header is not UTF-8"))?.to_owned(),
        _ => text.iter().map(|b| char::from(*b)).collect(),
    };
    let dict = literal::parse_dict(&text).map_err(|what| fault::header(path, what))?;
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    for (key, value) in dict {
        let slot = match key.as_str() {
            "descr" => &mut descr,
            "fortran_order" => &mut fortran,
            "shape" => &mut shape,
            other => return Err(fault::header(path, format!("the header has a key {other:?} that does not belong"))),
        };
        if slot.replace(value).is_some() {
            return Err(fault::header(path, format!("the key {key:?} stands twice")));
        }
    }
    let missing = |key: &str| fault::header(path, format!("the key {key:?} is missing"));
    let (dtype, big_endian) = dtype_of(path, &descr.ok_or_else(|| missing("descr"))?)?;
    let fortran = match fortran.ok_or_else(|| missing("fortran_order"))? {
        Literal::Bool(b) => b,
        other => return Err(fault::header(path, format!("fortran_order is {other}, not True or False"))),
    };
    let shape = shape_of(path, &shape.ok_or_else(|| missing("shape"))?)?;
    let bytes = data_bytes(path, dtype, &shape)?;
    if bytes > len.saturating_sub(data_at) {
        let what = format!("the array {dtype}{:?}", shape.as_slice());
        return Err(fault::short(path, what, data_at, bytes, len));
    }
    Ok(Header { dtype, big_endian, fortran, shape, len: data_at, bytes })
}

fn shape_of(path: &Path, value: &Literal) -> Result<Shape, Diag> {
    let Literal::Tuple(items) = value else {
        return Err(fault::header(path, format!("the shape is {value}, not a tuple")));
    };
    if items.len() > MAX_RANK {
        return Err(fault::size(path, format!("{} axes; at most {MAX_RANK} are read", items.len())));
    }
    let extent = |item: &Literal| match item {
        Literal::Int(Some(n)) if *n >= 0 => {
            usize::try_from(*n).map_err(|_| fault::size(path, format!("an axis of {n} elements")))
        }
        Literal::Int(None) => Err(fault::size(path, "an axis longer than any memory")),
        other => Err(fault::header(path, format!("the shape holds {other}, not a count"))),
    };
    items.iter().map(extent).collect()
}

/// Bytes of the data. Axes that overflow are refused even where another axis is empty.
fn data_bytes(path: &Path, dtype: DType, shape: &[usize]) -> Result<u64, Diag> {
    let wide: Shape = shape.iter().copied().filter(|n| *n > 0).collect();
    let Some(bytes) = Encoding::Plain(dtype).bytes(&wide) else {
        return Err(fault::size(path, format!("no memory holds {dtype}{shape:?}")));
    };
    Ok(if wide.len() < shape.len() { 0 } else { bytes as u64 })
}

/// Dtype and byte order of a `descr`.
fn dtype_of(path: &Path, descr: &Literal) -> Result<(DType, bool), Diag> {
    let text = match descr {
        Literal::Str(text) => text.as_str(),
        Literal::List(_) | Literal::Tuple(_) => {
            return Err(fault::dtype(path, "", "a structured dtype (records)")
                .hint("save each field as an array of its own: np.savez(path, **{n: a[n] for n in a.dtype.names})"));
        }
        other => return Err(fault::header(path, format!("descr is {other}, not a dtype"))),
    };
    let (order, code) = match text.chars().next() {
        Some(c @ ('<' | '>' | '=' | '|')) => (c, &text[1..]),
        _ => ('=', text),
    };
    let dtype = match code {
        "b1" | "?" => DType::Bool,
        "u1" => DType::U8,
        "u2" => DType::U16,
        "u4" => DType::U32,
        "u8" => DType::U64,
        "i1" => DType::I8,
        "i2" => DType::I16,
        "i4" => DType::I32,
        "i8" => DType::I64,
        "f2" => DType::F16,
        "f4" => DType::F32,
        "f8" => DType::F64,
        "c8" => DType::C64,
        "c16" => DType::C128,
        _ => return Err(unknown_dtype(path, text, code)),
    };
    Ok((dtype, order == '>'))
}

fn unknown_dtype(path: &Path, text: &str, code: &str) -> Diag {
    let (what, hint) = match code.chars().next() {
        Some('O') => ("Python objects (pickled)", "only numbers are read; nothing in the file was run"),
        Some('U' | 'S' | 'a') => ("text", "save numbers"),
        Some('M' | 'm') => ("dates or times", "save them as integers: x.astype('i8')"),
        Some('f' | 'c' | 'g' | 'G') => ("floats wider than 64 bits", "save them as f64"),
        Some('V') => ("raw bytes", "bf16 and f8 arrays come out so: read them with raw(path, bf16, shape, offset=…)"),
        _ => return fault::dtype(path, "", format!("{text:?}")),
    };
    fault::dtype(path, "", format!("{text:?}: {what}")).hint(hint)
}

/// The array of a header and its data as the file holds it.
pub(super) fn finish(source: Arc<FileSource>, header: Header, buffer: Arc<Buffer>) -> Result<Loaded, Diag> {
    let size = header.dtype.real().size();
    let swap = header.big_endian && size > 1;
    let buffer = if swap { Arc::new(swapped(&buffer, size)?) } else { buffer };
    let shape: Shape = if header.fortran { header.shape.iter().rev().copied().collect() } else { header.shape };
    let mut loaded = Loaded::new(source, buffer, Encoding::Plain(header.dtype), &shape)?;
    if header.fortran {
        loaded.view.layout.shape.reverse();
        loaded.view.layout.strides.reverse();
    }
    if swap {
        loaded.copied = Some("big-endian");
    }
    truths(loaded)
}

/// A copy with each value of `size` bytes turned round.
fn swapped(buffer: &Buffer, size: usize) -> Result<Buffer, Diag> {
    let mut out = Buffer::from_bytes(buffer.bytes()).map_err(|e| e.diag())?;
    for value in out.bytes_mut().unwrap_or_default().chunks_exact_mut(size) {
        value.reverse();
    }
    Ok(out)
}

/// Bools of a file may be any byte, those of tsk are 0 and 1: others are copied.
pub(super) fn truths(mut loaded: Loaded) -> Result<Loaded, Diag> {
    if loaded.encoding == Encoding::Plain(DType::Bool) && loaded.buffer.bytes().iter().any(|b| *b > 1) {
        let mut out = Buffer::from_bytes(loaded.buffer.bytes()).map_err(|e| e.diag())?;
        for byte in out.bytes_mut().unwrap_or_default() {
            *byte = u8::from(*byte != 0);
        }
        loaded.buffer = Arc::new(out);
        loaded.copied = Some("bools that are neither 0 nor 1");
    }
    Ok(loaded)
}

/// The header of version 1 (2 where it is long) that NumPy writes for row-major data, padded to 64 bytes.
pub(super) fn header(dtype: DType, shape: &[usize]) -> Option<Vec<u8>> {
    let descr = match dtype {
        DType::Bool => "|b1",
        DType::U8 => "|u1",
        DType::I8 => "|i1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::F16 => "<f2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::C64 => "<c8",
        DType::C128 => "<c16",
        DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => return None,
    };
    let extents: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", extents.join(", "));
    let head = if text.len() > 60_000 { 12 } else { 10 };
    let total = (head + text.len() + 1).next_multiple_of(64);
    let mut out = MAGIC.to_vec();
    match head {
        10 => {
            out.extend([1, 0]);
            out.extend(u16::try_from(total - head).ok()?.to_le_bytes());
        }
        _ => {
            out.extend([2, 0]);
            out.extend(u32::try_from(total - head).ok()?.to_le_bytes());
        }
    }
    out.extend(text.as_bytes());
    out.resize(total - 1, b' ');
    out.push(b'\n');
    Some(out)
}
