//! `.safetensors`: a JSON header, then the tensors without holes.

mod index;
mod json;
pub(super) use index::open_index;

use super::archive::{Archive, Place, Record};
use super::meta::{MetaType, MetaValue};
use super::source::FileSource;
use super::{MAX_RANK, Meta, fault};
use crate::base::Diag;
use crate::tensor::{DType, Encoding};
use json::{Pairs, TensorInfo};
use std::path::Path;
use std::sync::Arc;

/// The limit of the format.
const MAX_HEADER: u64 = 100_000_000;
/// Names of the format's dtypes beside tsk's own.
const DTYPES: [(&str, DType); 17] = [
    ("BOOL", DType::Bool),
    ("U8", DType::U8),
    ("U16", DType::U16),
    ("U32", DType::U32),
    ("U64", DType::U64),
    ("I8", DType::I8),
    ("I16", DType::I16),
    ("I32", DType::I32),
    ("I64", DType::I64),
    ("F8_E4M3", DType::F8E4M3),
    ("F8_E5M2", DType::F8E5M2),
    ("F16", DType::F16),
    ("BF16", DType::BF16),
    ("F32", DType::F32),
    ("F64", DType::F64),
    ("C64", DType::C64),
    ("C128", DType::C128),
];
/// Bits of the dtypes that the format has and tsk lacks: their ranges are checked, their data is not read.
const FOREIGN: [(&str, usize); 6] =
    [("F4", 4), ("F6_E2M3", 6), ("F6_E3M2", 6), ("F8_E8M0", 8), ("F8_E4M3FNUZ", 8), ("F8_E5M2FNUZ", 8)];

pub(super) fn dtype_name(dtype: DType) -> Option<&'static str> {
    DTYPES.iter().find(|(_, d)| *d == dtype).map(|(name, _)| *name)
}

pub(super) fn open(source: Arc<FileSource>) -> Result<Archive, Diag> {
    let (records, meta) = read(&source)?;
    Archive::new("safetensors", vec![source], records, meta, Vec::new())
}

/// The tensors and the metadata of one file.
fn read(source: &Arc<FileSource>) -> Result<(Vec<Record>, Meta), Diag> {
    let path = source.path();
    let header = header(source)?;
    let data = 8 + header.len() as u64;
    let pairs: Pairs = json::parse(&header).map_err(|what| match what.strip_prefix(json::DOUBLED) {
        Some(name) => fault::doubled(path, "tensors", name.split(" at line ").next().unwrap_or(name)),
        None => fault::header(path, what),
    })?;
    let (mut records, mut ranges, mut meta) = (Vec::with_capacity(pairs.tensors.len()), Vec::new(), Meta::new());
    for (key, value) in pairs.metadata {
        if !meta.add(key.clone(), MetaValue::Str(value), MetaType::Str) {
            return Err(fault::doubled(path, "keys", &key));
        }
    }
    for (name, info) in pairs.tensors {
        let [start, end] = info.data_offsets;
        ranges.push((start, end, records.len()));
        records.push(record(source, name, info, data)?);
    }
    check_ranges(path, ranges, &records, data, source.len())?;
    Ok((records, meta))
}

fn header(source: &FileSource) -> Result<Vec<u8>, Diag> {
    let path = source.path();
    let first = source.read("the length of the header", 0, 8)?;
    let len = u64::from_le_bytes(first[..].try_into().unwrap_or_default());
    if first.starts_with(b"GGUF") || first.starts_with(b"PK") || first.starts_with(b"\x93NUMPY") {
        return Err(fault::not_format(path, ".safetensors", "the first bytes of another format"));
    }
    if len > MAX_HEADER && len <= source.len() {
        return Err(fault::size(path, format!("a header of {len} bytes; the format allows {MAX_HEADER}")));
    }
    let header = source.read("the header", 8, len)?;
    match header.first() {
        Some(b'{') => Ok(header),
        Some(_) => Err(fault::header(path, "the header is no JSON object")),
        None => Err(fault::header(path, "the header is empty")),
    }
}

/// Checks one tensor by itself; `data` is the byte of the file where offsets count from.
fn record(source: &Arc<FileSource>, name: String, info: TensorInfo, data: u64) -> Result<Record, Diag> {
    let path = source.path();
    let [start, end] = info.data_offsets;
    let len = source.len() - data;
    let bytes = end.checked_sub(start).ok_or_else(|| {
        fault::header(path, format!("tensor {name:?} ends at byte {end}, before its start at {start}"))
    })?;
    if end > len {
        return Err(fault::short(path, format!("tensor {name:?}"), data.saturating_add(start), bytes, source.len()));
    }
    if info.shape.len() > MAX_RANK {
        return Err(fault::size(
            path,
            format!("tensor {name:?} has {} axes; at most {MAX_RANK} are read", info.shape.len()),
        ));
    }
    let shape: Option<Vec<usize>> = info.shape.iter().map(|n| usize::try_from(*n).ok()).collect();
    let bits = |bits: usize| {
        let elements = info.shape.iter().try_fold(1_u64, |n, extent| n.checked_mul(*extent));
        elements.and_then(|n| n.checked_mul(bits as u64)).filter(|n| *n < 1 << 62)
    };
    let known = DTYPES.iter().find(|(n, _)| *n == info.dtype).map(|(_, d)| *d);
    let width = known.map(|d| d.size() * 8).or(FOREIGN.iter().find(|(n, _)| *n == info.dtype).map(|(_, b)| *b));
    if let Some(width) = width {
        let (Some(_), Some(need)) = (&shape, bits(width)) else {
            return Err(fault::size(path, format!("tensor {name:?} of shape {:?}", info.shape)));
        };
        if need.div_ceil(8) != bytes {
            let what = format!(
                "tensor {name:?}, {} {:?}, needs {} bytes; its offsets {start}..{end} give {bytes}",
                info.dtype,
                info.shape,
                need.div_ceil(8)
            );
            return Err(fault::header(path, what));
        }
    }
    let place = match known {
        Some(dtype) => Place::At { source: source.clone(), start: data + start, encoding: Encoding::Plain(dtype) },
        None => Place::Fault(Box::new(fault::dtype(path, &name, format!("{:?}", info.dtype)))),
    };
    Ok(Record { name, shape: shape.unwrap_or_default().into(), bytes, copied: None, place })
}

/// Tensors must fill the data: no holes, no overlap, nothing behind the last.
fn check_ranges(
    path: &Path,
    mut ranges: Vec<(u64, u64, usize)>,
    records: &[Record],
    data: u64,
    file: u64,
) -> Result<(), Diag> {
    ranges.sort_unstable();
    let mut reached = 0;
    let mut last = None;
    for (start, end, i) in ranges {
        let name = &records[i].name;
        if start < reached {
            let other = last.map_or("", |l: usize| records[l].name.as_str());
            return Err(fault::place(
                path,
                format!("tensors {other:?} and {name:?} overlap at byte {start} of the data"),
            ));
        }
        if start > reached {
            let what = format!("bytes {reached}..{start} of the data, before tensor {name:?}, belong to no tensor");
            return Err(fault::place(path, what));
        }
        (reached, last) = (end, Some(i));
    }
    match file - data - reached {
        0 => Ok(()),
        extra => Err(fault::place(path, format!("{extra} bytes behind the last tensor belong to none"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dtype_has_one_name() {
        for dtype in DType::ALL {
            let name = dtype_name(dtype).unwrap();
            assert_eq!(DTYPES.iter().filter(|(n, _)| *n == name).count(), 1);
        }
    }
}
