//! Values of file members.

use crate::base::Diag;
use crate::file::{Archive, Loaded, MetaValue};
use crate::plan::Tensor;
use crate::tensor::{Encoding, HostArray};
use crate::value::{Branch, Record, Value};
use std::sync::Arc;

/// Why data of files cannot be written.
pub const READ_ONLY: &str = "the data belongs to a file";

/// The tensor of that name.
pub fn member(archive: &Archive, name: &str) -> Result<Value, Diag> {
    tensor(archive.get(name)?, name)
}

/// A tensor of a file as a value.
pub fn tensor(loaded: Loaded, name: &str) -> Result<Value, Diag> {
    match loaded.encoding {
        Encoding::Plain(_) => {
            let mut t = Tensor::from_array(HostArray { buffer: loaded.buffer, view: loaded.view }, Some(READ_ONLY));
            t.origin = Some(name.into());
            Ok(Value::tensor(t))
        }
        packed => Err(Diag::new("E0407", format!("{name:?} is packed as {packed}, which is not read yet"))),
    }
}

/// Everything an archive says about itself, as a record.
pub fn meta(archive: &Archive) -> Result<Value, Diag> {
    let mut fields = Vec::with_capacity(archive.meta().len());
    for (key, value) in archive.meta().iter() {
        fields.push((key.into(), meta_value(value)?));
    }
    Ok(Value::Record(Arc::new(Record { fields })))
}

pub fn meta_value(value: &MetaValue) -> Result<Value, Diag> {
    Ok(match value {
        MetaValue::Bool(b) => Value::Bool(*b),
        MetaValue::Int(i) => Value::Int(*i),
        MetaValue::UInt(u) => i64::try_from(*u).map_or(Value::BigInt(*u), Value::Int),
        MetaValue::Float(x) => Value::Float(*x),
        MetaValue::Str(s) => Value::str(s.as_str()),
        MetaValue::Array(array) => {
            let mut items = Vec::with_capacity(array.len());
            for i in 0..array.len() {
                match array.get(i) {
                    Some(item) => items.push(meta_value(&item?)?),
                    None => break,
                }
            }
            Value::list(items)
        }
    })
}

/// What a path of names means: a tensor, or the branch of everything below it.
pub fn at_path(archive: &Archive, path: String) -> Option<Result<Value, Diag>> {
    if archive.contains(&path) {
        return Some(member(archive, &path));
    }
    let below = format!("{path}.");
    let found = archive.names().any(|n| n.starts_with(&below));
    found.then(|| Ok(Value::Branch(Arc::new(Branch { archive: archive.clone(), path }))))
}
