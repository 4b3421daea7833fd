//! Metadata values: read by the types that stand before them, arrays only measured.

use crate::base::Diag;
use crate::file::fault;
use crate::file::meta::{MetaArray, MetaType, MetaValue};
use crate::file::source::{Cursor, FileSource};
use std::sync::Arc;

/// llama.cpp reads flat arrays only; a few levels are harmless.
const MAX_NESTING: usize = 8;

pub(in crate::file) fn read_kind(cursor: &mut Cursor, source: &FileSource) -> Result<MetaType, Diag> {
    let id = cursor.u32("the type of a value")?;
    MetaType::from_id(id).ok_or_else(|| fault::header(source.path(), format!("there is no value type {id}")))
}

/// A text with its length before it.
pub(in crate::file) fn read_text(cursor: &mut Cursor, source: &FileSource, what: &str) -> Result<String, Diag> {
    let len = cursor.u64(what)?;
    let bytes = cursor.bytes(what, len)?;
    String::from_utf8(bytes).map_err(|_| fault::header(source.path(), format!("{what} is not UTF-8")))
}

/// A value of this type at the cursor, which moves behind it.
pub(in crate::file) fn read_value(
    cursor: &mut Cursor,
    source: &Arc<FileSource>,
    kind: MetaType,
) -> Result<MetaValue, Diag> {
    match kind {
        MetaType::Str => read_text(cursor, source, "a text of the metadata").map(MetaValue::Str),
        MetaType::Array => {
            let (kind, len) = array_head(cursor, source)?;
            let start = cursor.position();
            skip_elements(cursor, source, kind, len, 1)?;
            let bytes = cursor.position() - start;
            let len = super::super::source::to_usize(source.path(), len)?;
            Ok(MetaValue::Array(MetaArray::stored(source.clone(), kind, start, bytes, len)))
        }
        MetaType::Bool => match cursor.array::<1>("a value of the metadata")? {
            [0] => Ok(MetaValue::Bool(false)),
            [1] => Ok(MetaValue::Bool(true)),
            [n] => Err(fault::header(source.path(), format!("a bool of the metadata is {n}"))),
        },
        _ => {
            let bytes = cursor.bytes("a value of the metadata", kind.size().unwrap_or(0) as u64)?;
            Ok(kind.read(&bytes))
        }
    }
}

/// Moves the cursor behind a value of this type.
pub(in crate::file) fn skip_value(cursor: &mut Cursor, source: &FileSource, kind: MetaType) -> Result<(), Diag> {
    skip_elements(cursor, source, kind, 1, 0)
}

fn array_head(cursor: &mut Cursor, source: &FileSource) -> Result<(MetaType, u64), Diag> {
    let kind = read_kind(cursor, source)?;
    let len = cursor.u64("the length of an array")?;
    // An element takes at least its length field, so that a count is bounded by the file before anything is done.
    let least = kind.size().unwrap_or(8) as u64;
    if len > cursor.rest() / least {
        let what = format!("an array of {len} elements");
        return Err(fault::short(
            source.path(),
            what,
            cursor.position(),
            u128::from(len) * u128::from(least),
            source.len(),
        ));
    }
    Ok((kind, len))
}

fn skip_elements(cursor: &mut Cursor, source: &FileSource, kind: MetaType, len: u64, depth: usize) -> Result<(), Diag> {
    if let Some(size) = kind.size() {
        return cursor.skip("an array of the metadata", len * size as u64);
    }
    for _ in 0..len {
        if kind == MetaType::Str {
            let text = cursor.u64("a text of the metadata")?;
            cursor.skip("a text of the metadata", text)?;
        } else {
            if depth >= MAX_NESTING {
                return Err(fault::header(source.path(), format!("arrays nest deeper than {MAX_NESTING}")));
            }
            let (kind, len) = array_head(cursor, source)?;
            skip_elements(cursor, source, kind, len, depth + 1)?;
        }
    }
    Ok(())
}
