//! Writing `.gguf`, version 3.

use super::{Item, Keys, Out, SaveFault, whole};
use crate::base::Diag;
use crate::file::fault;
use crate::file::gguf::{ALIGNMENT, DEFAULT_ALIGNMENT, type_id};
use crate::file::meta::{MetaArray, MetaType, MetaValue};
use std::io::Write;
use std::path::Path;

/// ggml has no more.
const MAX_AXES: usize = 4;

pub(super) fn save(path: &Path, items: &[Item<'_>], keys: &Keys<'_>) -> Result<(), Diag> {
    let Keys { meta, counts } = keys;
    let alignment = match meta.get(ALIGNMENT) {
        Some(MetaValue::UInt(n)) if n.is_power_of_two() && (8..=1 << 30).contains(n) => Some(*n),
        _ => None,
    };
    // The keys by which an old file knew its shards do not hold for this one, nor an alignment that is none.
    let holds = |key: &str| !key.starts_with("split.") && (key != ALIGNMENT || alignment.is_some());
    let keys: Vec<_> = meta.typed().filter(|(key, ..)| holds(key)).chain(counts.typed()).collect();
    let alignment = alignment.unwrap_or(DEFAULT_ALIGNMENT);
    let tensors = tensor_infos(items, alignment)?;
    whole(path, |out| {
        out.write_all(b"GGUF\x03\0\0\0")?;
        out.write_all(&(items.len() as u64).to_le_bytes())?;
        out.write_all(&(keys.len() as u64).to_le_bytes())?;
        for (key, value, kind) in keys {
            text(out, key)?;
            out.write_all(&(*kind as u32).to_le_bytes())?;
            put(out, value, *kind)?;
        }
        out.write_all(&tensors)?;
        for item in items {
            out.pad_to(alignment)?;
            item.data.emit(out)?;
        }
        Ok(out.pad_to(alignment)?)
    })
}

/// The part of the header that says where each tensor lies.
fn tensor_infos(items: &[Item<'_>], alignment: u64) -> Result<Vec<u8>, Diag> {
    let (mut out, mut offset) = (Vec::new(), 0_u64);
    for item in items {
        let unsupported = |what: String| fault::unsupported(".gguf", format!("{:?}: {what}", item.name));
        let id = type_id(item.encoding).ok_or_else(|| {
            unsupported(format!("the dtype {}", item.encoding))
                .hint("x.astype(i32) or another of f16 bf16 f32 f64 i8 i16 i32 i64")
        })?;
        if item.shape.len() > MAX_AXES {
            let hint = "reshape it to four axes, or save to .safetensors";
            return Err(unsupported(format!("{} axes, where the format has {MAX_AXES}", item.shape.len())).hint(hint));
        }
        out.extend((item.name.len() as u64).to_le_bytes());
        out.extend(item.name.as_bytes());
        out.extend((item.shape.len() as u32).to_le_bytes());
        item.shape.iter().rev().for_each(|n| out.extend((*n as u64).to_le_bytes()));
        out.extend(id.to_le_bytes());
        out.extend(offset.to_le_bytes());
        offset = (offset + item.bytes(".gguf")?).next_multiple_of(alignment);
    }
    Ok(out)
}

fn text(out: &mut Out<'_>, text: &str) -> std::io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// A value in its type; numbers that do not fit it cannot come here (`Meta::set` chooses the type).
fn put(out: &mut Out<'_>, value: &MetaValue, kind: MetaType) -> Result<(), SaveFault> {
    let whole_number = match value {
        MetaValue::Int(n) => *n as u64,
        MetaValue::UInt(n) => *n,
        MetaValue::Float(x) => *x as i64 as u64,
        MetaValue::Bool(b) => u64::from(*b),
        MetaValue::Str(s) => return Ok(text(out, s)?),
        MetaValue::Array(array) => return put_array(out, array),
    };
    let float = match value {
        MetaValue::Float(x) => *x,
        MetaValue::Int(n) => *n as f64,
        _ => whole_number as f64,
    };
    match kind {
        MetaType::F32 => out.write_all(&(float as f32).to_le_bytes())?,
        MetaType::F64 => out.write_all(&float.to_le_bytes())?,
        _ => out.write_all(&whole_number.to_le_bytes()[..kind.size().unwrap_or(0)])?,
    }
    Ok(())
}

/// An array of a file is copied as it stands there.
fn put_array(out: &mut Out<'_>, array: &MetaArray) -> Result<(), SaveFault> {
    out.write_all(&(array.kind() as u32).to_le_bytes())?;
    out.write_all(&(array.len() as u64).to_le_bytes())?;
    if let Some((source, start, bytes)) = array.raw() {
        source.check()?;
        let mut cursor = source.cursor(start);
        let mut left = bytes;
        while left > 0 {
            let piece = cursor.bytes("an array of the metadata", left.min(1 << 16))?;
            out.write_all(&piece)?;
            left -= piece.len() as u64;
        }
        return Ok(());
    }
    for i in 0..array.len() {
        if let Some(value) = array.get(i) {
            put(out, &value?, array.kind())?;
        }
    }
    Ok(())
}
