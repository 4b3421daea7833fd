//! Metadata of an archive.

use super::fault;
use super::source::{Cursor, FileSource};
use crate::base::Diag;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// One value of an archive's metadata.
#[derive(Clone, Debug)]
pub enum MetaValue {
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Str(String),
    /// Read element by element when asked.
    Array(MetaArray),
}

/// Types of metadata as GGUF numbers them; kept so that a saved file has the types of its model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum MetaType {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    Str = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
}

impl MetaType {
    pub(super) fn from_id(id: u32) -> Option<MetaType> {
        use MetaType::*;
        [U8, I8, U16, I16, U32, I32, F32, Bool, Str, Array, U64, I64, F64].into_iter().find(|t| *t as u32 == id)
    }

    /// Bytes of a value; None of those without a fixed size.
    pub(super) fn size(self) -> Option<usize> {
        match self {
            MetaType::U8 | MetaType::I8 | MetaType::Bool => Some(1),
            MetaType::U16 | MetaType::I16 => Some(2),
            MetaType::U32 | MetaType::I32 | MetaType::F32 => Some(4),
            MetaType::U64 | MetaType::I64 | MetaType::F64 => Some(8),
            MetaType::Str | MetaType::Array => None,
        }
    }

    /// The type that holds a value which comes from a script: the smallest of 32 and 64 bits.
    pub(super) fn of(value: &MetaValue) -> MetaType {
        match value {
            MetaValue::Bool(_) => MetaType::Bool,
            MetaValue::Int(i) if i32::try_from(*i).is_ok() => MetaType::I32,
            MetaValue::Int(_) => MetaType::I64,
            MetaValue::UInt(u) if u32::try_from(*u).is_ok() => MetaType::U32,
            MetaValue::UInt(_) => MetaType::U64,
            MetaValue::Float(f) if f64::from(*f as f32) == *f || f.is_nan() => MetaType::F32,
            MetaValue::Float(_) => MetaType::F64,
            MetaValue::Str(_) => MetaType::Str,
            MetaValue::Array(_) => MetaType::Array,
        }
    }

    /// A value of fixed size from its little-endian bytes.
    pub(super) fn read(self, b: &[u8]) -> MetaValue {
        fn le<const N: usize>(b: &[u8]) -> [u8; N] {
            let mut out = [0; N];
            out.copy_from_slice(&b[..N]);
            out
        }
        match self {
            MetaType::U8 => MetaValue::UInt(b[0].into()),
            MetaType::I8 => MetaValue::Int((b[0] as i8).into()),
            MetaType::U16 => MetaValue::UInt(u16::from_le_bytes(le(b)).into()),
            MetaType::I16 => MetaValue::Int(i16::from_le_bytes(le(b)).into()),
            MetaType::U32 => MetaValue::UInt(u32::from_le_bytes(le(b)).into()),
            MetaType::I32 => MetaValue::Int(i32::from_le_bytes(le(b)).into()),
            MetaType::F32 => MetaValue::Float(f32::from_le_bytes(le(b)).into()),
            MetaType::U64 => MetaValue::UInt(u64::from_le_bytes(le(b))),
            MetaType::I64 => MetaValue::Int(i64::from_le_bytes(le(b))),
            MetaType::F64 => MetaValue::Float(f64::from_le_bytes(le(b))),
            MetaType::Bool | MetaType::Str | MetaType::Array => MetaValue::Bool(b[0] != 0),
        }
    }
}

/// Keys and values in the file's order.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    entries: Vec<(String, MetaValue, MetaType)>,
    by_key: HashMap<String, usize>,
}

impl Meta {
    pub fn new() -> Meta {
        Meta::default()
    }

    pub fn get(&self, key: &str) -> Option<&MetaValue> {
        self.by_key.get(key).map(|i| &self.entries[*i].1)
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, ..)| key.as_str())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &MetaValue)> {
        self.entries.iter().map(|(key, value, _)| (key.as_str(), value))
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sets a value, in the type that suits it; a key that is there keeps its place and, where it fits, its type.
    pub fn set(&mut self, key: &str, value: MetaValue) {
        let kind = MetaType::of(&value);
        match self.by_key.get(key) {
            Some(i) => {
                let entry = &mut self.entries[*i];
                let stays = std::mem::discriminant(&entry.1) == std::mem::discriminant(&value)
                    && entry.2.size().unwrap_or(0) >= kind.size().unwrap_or(0);
                (entry.1, entry.2) = (value, if stays { entry.2 } else { kind });
            }
            None => {
                self.add(key.to_owned(), value, kind);
            }
        }
    }

    /// False where the key is there already.
    pub(super) fn add(&mut self, key: String, value: MetaValue, kind: MetaType) -> bool {
        if self.by_key.contains_key(&key) {
            return false;
        }
        self.by_key.insert(key.clone(), self.entries.len());
        self.entries.push((key, value, kind));
        true
    }

    pub(super) fn typed(&self) -> impl Iterator<Item = &(String, MetaValue, MetaType)> {
        self.entries.iter()
    }
}

/// An array of metadata: of a file (its elements stay there until they are asked for), or made.
#[derive(Clone, Debug)]
pub struct MetaArray(Arc<Inner>);

#[derive(Debug)]
enum Inner {
    Made(Vec<MetaValue>),
    File(Stored),
}

#[derive(Debug)]
struct Stored {
    source: Arc<FileSource>,
    kind: MetaType,
    /// Byte of the file where the first element starts, and bytes of all.
    start: u64,
    bytes: u64,
    len: usize,
    /// Where each element starts, of kinds without a fixed size.
    starts: OnceLock<Vec<u64>>,
}

impl MetaArray {
    pub fn made(values: Vec<MetaValue>) -> MetaArray {
        MetaArray(Arc::new(Inner::Made(values)))
    }

    pub(super) fn stored(source: Arc<FileSource>, kind: MetaType, start: u64, bytes: u64, len: usize) -> MetaArray {
        MetaArray(Arc::new(Inner::File(Stored { source, kind, start, bytes, len, starts: OnceLock::new() })))
    }

    pub fn len(&self) -> usize {
        match &*self.0 {
            Inner::Made(values) => values.len(),
            Inner::File(stored) => stored.len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type; of a made array that of its first element.
    pub fn kind(&self) -> MetaType {
        match &*self.0 {
            Inner::Made(values) => values.iter().map(MetaType::of).reduce(wider).unwrap_or(MetaType::I32),
            Inner::File(stored) => stored.kind,
        }
    }

    /// Element `i`, read from the file. None past the end.
    pub fn get(&self, i: usize) -> Option<Result<MetaValue, Diag>> {
        match &*self.0 {
            Inner::Made(values) => values.get(i).cloned().map(Ok),
            Inner::File(stored) => (i < stored.len).then(|| stored.get(i)),
        }
    }

    /// The first elements, at most `count`; nothing behind them is read.
    pub fn first(&self, count: usize) -> Result<Vec<MetaValue>, Diag> {
        match &*self.0 {
            Inner::Made(values) => Ok(values.iter().take(count).cloned().collect()),
            Inner::File(stored) => stored.first(count),
        }
    }

    /// All elements, read in one pass.
    pub fn values(&self) -> Result<Vec<MetaValue>, Diag> {
        match &*self.0 {
            Inner::Made(values) => Ok(values.clone()),
            Inner::File(stored) => stored.first(stored.len),
        }
    }

    /// The bytes of all elements as a GGUF file holds them, for one that comes from a file.
    pub(super) fn raw(&self) -> Option<(Arc<FileSource>, u64, u64)> {
        match &*self.0 {
            Inner::Made(_) => None,
            Inner::File(stored) => Some((stored.source.clone(), stored.start, stored.bytes)),
        }
    }
}

/// The type that holds values of both.
fn wider(a: MetaType, b: MetaType) -> MetaType {
    use MetaType::*;
    match (a, b) {
        (a, b) if a == b => a,
        (F32 | F64, _) | (_, F32 | F64) => F64,
        _ => I64,
    }
}

impl Stored {
    fn get(&self, i: usize) -> Result<MetaValue, Diag> {
        self.source.check()?;
        if let Some(size) = self.kind.size() {
            let mut bytes = [0; 8];
            self.source.read_at(self.start + (i * size) as u64, &mut bytes[..size])?;
            return Ok(self.kind.read(&bytes));
        }
        let start = self.starts()?.get(i).copied().unwrap_or(self.start);
        let mut cursor = self.source.cursor(start);
        super::gguf::read_value(&mut cursor, &self.source, self.kind)
    }

    fn first(&self, count: usize) -> Result<Vec<MetaValue>, Diag> {
        self.source.check()?;
        let mut cursor: Cursor = self.source.cursor(self.start);
        let mut values = Vec::new();
        for _ in 0..self.len.min(count) {
            values.push(super::gguf::read_value(&mut cursor, &self.source, self.kind)?);
        }
        Ok(values)
    }

    /// Where each element starts, found by one walk at first use.
    fn starts(&self) -> Result<&[u64], Diag> {
        if let Some(starts) = self.starts.get() {
            return Ok(starts);
        }
        let mut cursor: Cursor = self.source.cursor(self.start);
        let mut starts = Vec::with_capacity(self.len);
        for _ in 0..self.len {
            starts.push(cursor.position());
            super::gguf::skip_value(&mut cursor, &self.source, self.kind)?;
        }
        if cursor.position() != self.start + self.bytes {
            return Err(fault::changed(self.source.path()));
        }
        Ok(self.starts.get_or_init(|| starts))
    }
}
