//! `.gguf`, versions 2 and 3: a header of typed metadata and tensor places, then the tensors, aligned.

mod shards;
mod value;
pub(super) use shards::open;
pub(super) use value::{read_value, skip_value};

use super::archive::{Place, Record};
use super::meta::MetaValue;
use super::source::{Cursor, FileSource, to_usize};
use super::{MAX_RANK, Meta, fault};
use crate::base::Diag;
use crate::tensor::{DType, Encoding, PackedFormat, Shape};
use std::path::Path;
use std::sync::Arc;

pub(super) const ALIGNMENT: &str = "general.alignment";
pub(super) const DEFAULT_ALIGNMENT: u64 = 32;
/// Bytes that a key with its value, and a tensor, take at least.
const LEAST_KEY: u64 = 13;
const LEAST_TENSOR: u64 = 24;

/// Tensor types of plain elements.
const PLAIN: [(u32, DType); 8] = [
    (0, DType::F32),
    (1, DType::F16),
    (24, DType::I8),
    (25, DType::I16),
    (26, DType::I32),
    (27, DType::I64),
    (28, DType::F64),
    (30, DType::BF16),
];
/// Names of the types that the format has and tsk lacks.
const FOREIGN: [(u32, &str); 13] = [
    (9, "q8_1"),
    (15, "q8_k"),
    (16, "iq2_xxs"),
    (17, "iq2_xs"),
    (18, "iq3_xxs"),
    (19, "iq1_s"),
    (21, "iq3_s"),
    (22, "iq2_s"),
    (29, "iq1_m"),
    (40, "nvfp4"),
    (41, "q1_0"),
    (4, "q4_2, removed from the format"),
    (5, "q4_3, removed from the format"),
];

fn encoding(id: u32) -> Option<Encoding> {
    let plain = PLAIN.iter().find(|(n, _)| *n == id).map(|(_, d)| Encoding::Plain(*d));
    plain.or_else(|| PackedFormat::from_gguf(id).map(Encoding::Packed))
}

/// The type's number of an encoding; None where the format has no place for it.
pub(super) fn type_id(encoding: Encoding) -> Option<u32> {
    match encoding {
        Encoding::Plain(dtype) => PLAIN.iter().find(|(_, d)| *d == dtype).map(|(id, _)| *id),
        Encoding::Packed(format) => format.gguf,
    }
}

/// One tensor as the header gives it; `offset` counts from the start of the data.
struct TensorInfo {
    name: String,
    shape: Shape,
    kind: u32,
    offset: u64,
}

/// The tensors and the metadata of one file.
fn read(source: &Arc<FileSource>) -> Result<(Vec<Record>, Meta), Diag> {
    let path = source.path();
    let mut cursor = source.cursor(0);
    check_version(&mut cursor, source)?;
    let (tensors, keys) = (cursor.u64("the count of tensors")?, cursor.u64("the count of keys")?);
    let claims = |what: &str, count: u64, least: u64| {
        fault::short(path, format!("{count} {what}"), 24, u128::from(count) * u128::from(least), source.len())
    };
    if keys > cursor.rest() / LEAST_KEY {
        return Err(claims("keys", keys, LEAST_KEY));
    }
    if tensors > cursor.rest() / LEAST_TENSOR {
        return Err(claims("tensors", tensors, LEAST_TENSOR));
    }
    let meta = read_meta(&mut cursor, source, keys)?;
    let alignment = alignment(path, &meta)?;
    let mut infos = Vec::with_capacity(tensors as usize);
    for _ in 0..tensors {
        infos.push(read_tensor(&mut cursor, source)?);
    }
    let data = cursor.position().next_multiple_of(alignment);
    let mut records = Vec::with_capacity(infos.len());
    let mut ranges = Vec::with_capacity(infos.len());
    for info in infos {
        let record = record(source, info, data, alignment, &mut ranges)?;
        records.push(record);
    }
    check_overlap(path, ranges, &records)?;
    Ok((records, meta))
}

fn check_version(cursor: &mut Cursor, source: &FileSource) -> Result<(), Diag> {
    let path = source.path();
    if source.len() < 4 || &cursor.array::<4>("the first bytes")? != b"GGUF" {
        return Err(fault::not_format(path, ".gguf", "other first bytes"));
    }
    match cursor.u32("the version")? {
        2 | 3 => Ok(()),
        version if version.swap_bytes() <= 3 && version != 0 => {
            Err(fault::not_format(path, "little-endian .gguf", "numbers with the high byte first"))
        }
        version => Err(fault::not_format(path, ".gguf", format!("version {version}; known are 2 and 3"))),
    }
}

fn read_meta(cursor: &mut Cursor, source: &Arc<FileSource>, count: u64) -> Result<Meta, Diag> {
    let mut meta = Meta::new();
    for _ in 0..count {
        let key = value::read_text(cursor, source, "a key of the metadata")?;
        let kind = value::read_kind(cursor, source)?;
        let value = read_value(cursor, source, kind)?;
        if !meta.add(key.clone(), value, kind) {
            return Err(fault::doubled(source.path(), "keys", &key));
        }
    }
    Ok(meta)
}

fn alignment(path: &Path, meta: &Meta) -> Result<u64, Diag> {
    match meta.get(ALIGNMENT) {
        None => Ok(DEFAULT_ALIGNMENT),
        Some(MetaValue::UInt(n)) if n.is_power_of_two() && *n <= 1 << 30 => Ok(*n),
        Some(MetaValue::UInt(n)) => Err(fault::header(path, format!("{ALIGNMENT} is {n}, no power of two"))),
        Some(_) => Err(fault::header(path, format!("{ALIGNMENT} is no unsigned number"))),
    }
}

fn read_tensor(cursor: &mut Cursor, source: &FileSource) -> Result<TensorInfo, Diag> {
    let path = source.path();
    let name = value::read_text(cursor, source, "the name of a tensor")?;
    let rank = cursor.u32("the axes of a tensor")? as usize;
    if rank > MAX_RANK {
        return Err(fault::size(path, format!("tensor {name:?} has {rank} axes; at most {MAX_RANK} are read")));
    }
    let mut shape = Shape::new();
    for _ in 0..rank {
        shape.push(to_usize(path, cursor.u64("the shape of a tensor")?)?);
    }
    // The format counts from the fastest axis, NumPy from the slowest.
    shape.reverse();
    let (kind, offset) = (cursor.u32("the type of a tensor")?, cursor.u64("the place of a tensor")?);
    Ok(TensorInfo { name, shape, kind, offset })
}

/// Bytes of a tensor, with overflow found even where an axis is empty.
fn bytes_of(path: &Path, info: &TensorInfo, encoding: Encoding) -> Result<u64, Diag> {
    let TensorInfo { name, shape, .. } = info;
    let block = encoding.block();
    if shape.last().copied().unwrap_or(1) % block != 0 {
        let row = shape.last().copied().unwrap_or(1);
        let what =
            format!("tensor {name:?} has rows of {row} elements, no whole number of {encoding} blocks of {block}");
        return Err(fault::header(path, what));
    }
    let wide: Shape = shape.iter().map(|n| (*n).max(1)).collect();
    let full = wide.iter().try_fold(encoding.unit_bytes(), |n, extent| n.checked_mul(*extent));
    if full.is_none_or(|n| isize::try_from(n).is_err()) {
        return Err(fault::size(path, format!("no memory holds tensor {name:?}, {encoding}{:?}", shape.as_slice())));
    }
    let bytes = encoding.bytes(shape);
    bytes.map(|n| n as u64).ok_or_else(|| fault::size(path, format!("tensor {name:?} of shape {:?}", shape.as_slice())))
}

fn record(
    source: &Arc<FileSource>,
    info: TensorInfo,
    data: u64,
    alignment: u64,
    ranges: &mut Vec<(u64, u64, String)>,
) -> Result<Record, Diag> {
    let path = source.path();
    if !info.offset.is_multiple_of(alignment) {
        let what =
            format!("tensor {:?} starts at byte {} of the data, not a multiple of {alignment}", info.name, info.offset);
        return Err(fault::place(path, what));
    }
    let TensorInfo { kind, offset, .. } = info;
    let (bytes, place) = match encoding(kind) {
        Some(encoding) => {
            let bytes = bytes_of(path, &info, encoding)?;
            let start = data.saturating_add(offset);
            source.within(&format!("tensor {:?}", info.name), start, bytes)?;
            ranges.push((start, start + bytes, info.name.clone()));
            (bytes, Place::At { source: source.clone(), start, encoding })
        }
        None => {
            let known = FOREIGN.iter().find(|(id, _)| *id == kind).map(|(_, name)| *name);
            let found = known.map_or(format!("tensor type {kind}"), |name| format!("tensor type {kind} ({name})"));
            (0, Place::Fault(Box::new(fault::dtype(path, &info.name, found))))
        }
    };
    Ok(Record { name: info.name, shape: info.shape, bytes, copied: None, place })
}

fn check_overlap(path: &Path, mut ranges: Vec<(u64, u64, String)>, records: &[Record]) -> Result<(), Diag> {
    let mut names = std::collections::HashSet::with_capacity(records.len());
    if let Some(twice) = records.iter().find(|r| !names.insert(r.name.as_str())) {
        return Err(fault::doubled(path, "tensors", &twice.name));
    }
    ranges.retain(|(start, end, _)| start < end);
    ranges.sort_unstable();
    for pair in ranges.windows(2) {
        let ((_, end, a), (start, _, b)) = (&pair[0], &pair[1]);
        if start < end {
            return Err(fault::place(path, format!("tensors {a:?} and {b:?} overlap at byte {start} of the file")));
        }
    }
    Ok(())
}
