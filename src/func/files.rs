//! Values of files: tensors, archives, their members and what they say about themselves.

use super::{Args, Cx, bits, convert};
use crate::base::Diag;
use crate::file::{self, Archive, Loaded, Meta, MetaArray, MetaValue, OpenOptions, Opened};
use crate::plan::{Tensor, build};
use crate::tensor::{Buffer, DType, Encoding, HostArray, Layout, View};
use crate::value::{Branch, Value};
use std::sync::Arc;

pub(super) type Out = Result<Value, Diag>;

/// Why data of files cannot be written.
pub const READ_ONLY: &str = "the data belongs to a file";
/// Why packed data cannot be written.
pub const PACKED: &str = "the data is packed in blocks";

/// The tensor of that name.
pub fn member(archive: &Archive, name: &str) -> Out {
    tensor(archive.get(name)?, Some(name))
}

/// A tensor of a file as a value.
pub fn tensor(loaded: Loaded, name: Option<&str>) -> Out {
    let Loaded { buffer, mut view, encoding, .. } = loaded;
    let why = match encoding {
        Encoding::Plain(_) => READ_ONLY,
        Encoding::Packed(_) => {
            // Scripts see blocks; within, elements are counted as though they were decoded.
            view.layout = Layout::contiguous(&view.layout.shape).map_err(|f| f.diag())?;
            PACKED
        }
    };
    let mut t = Tensor::from_array(HostArray { buffer, view }, Some(why));
    t.origin = name.map(Into::into);
    Ok(Value::tensor(t))
}

/// One entry of an archive's metadata. E0609 where there is none.
pub fn meta(archive: &Archive, key: &str) -> Out {
    if let Some(value) = archive.meta().get(key) {
        return Ok(meta_value(value));
    }
    let diag = Diag::new("E0609", format!("the metadata has no key {key:?}"));
    Err(match crate::base::nearest(key, archive.meta().keys()) {
        Some(near) => diag.hint(format!("did you mean {near:?}?")),
        None => diag.hint("`keys(m.meta)` lists the keys"),
    })
}

pub fn meta_value(value: &MetaValue) -> Value {
    match value {
        MetaValue::Bool(b) => Value::Bool(*b),
        MetaValue::Int(i) => Value::Int(*i),
        MetaValue::UInt(u) => i64::try_from(*u).map_or(Value::BigInt(*u), Value::Int),
        MetaValue::Float(x) => Value::Float(*x),
        MetaValue::Str(s) => Value::str(s.as_str()),
        MetaValue::Array(array) => Value::MetaArray(array.clone()),
    }
}

/// Element `i` of an array of metadata, read now.
pub fn meta_item(array: &MetaArray, i: usize) -> Out {
    match array.get(i) {
        Some(item) => Ok(meta_value(&item?)),
        None => Ok(Value::None),
    }
}

/// All elements, read now.
pub fn meta_items(array: &MetaArray) -> Result<Vec<Value>, Diag> {
    Ok(array.values()?.iter().map(meta_value).collect())
}

/// What a path of names means: a tensor, or the branch of everything below it.
pub fn at_path(archive: &Archive, path: String) -> Option<Out> {
    if archive.contains(&path) {
        return Some(member(archive, &path));
    }
    let below = format!("{path}.");
    let found = archive.names().any(|n| n.starts_with(&below));
    found.then(|| Ok(Value::Branch(Arc::new(Branch { archive: archive.clone(), path }))))
}

/// The names below a branch.
pub fn below(branch: &Branch) -> impl Iterator<Item = &str> {
    let lead = format!("{}.", branch.path);
    branch.archive.names().filter(move |n| n.starts_with(&lead))
}

/// How files are opened in this session.
fn open_options(cx: &mut Cx) -> OpenOptions {
    let options = cx.options();
    OpenOptions { delimiter: None, mmap: options.mmap, default_float: options.default_float }
}

pub fn load(cx: &mut Cx, args: &Args) -> Out {
    let path = cx.host.path(&args.str(0)?);
    let mut options = open_options(cx);
    if let Some(text) = args.opt_str(1)? {
        let mut chars = text.chars();
        options.delimiter = match (chars.next(), chars.next()) {
            (Some(c), None) => Some(c),
            _ => return Err(args.wrong(1, "one character")),
        };
    }
    match file::open(&path, &options).map_err(|d| d.label(args.span(0), ""))? {
        Opened::Tensor(loaded) => tensor(loaded, None),
        Opened::Archive(archive) => Ok(Value::Archive(Arc::new(archive))),
    }
}

pub fn raw(cx: &mut Cx, args: &Args) -> Out {
    let path = cx.host.path(&args.str(0)?);
    let encoding = encoding(args, 1)?;
    let shape = args.shape(cx, 2)?;
    let offset = args.count(cx, 3)? as u64;
    let options = open_options(cx);
    let loaded = file::read_raw(&path, encoding, &shape, offset, &options).map_err(|d| d.label(args.span(0), ""))?;
    tensor(loaded, None)
}

/// A dtype or a packed format.
pub fn encoding(args: &Args, i: usize) -> Result<Encoding, Diag> {
    match args.value(i) {
        Value::Packed(format) => Ok(Encoding::Packed(format)),
        value => match convert::dtype(value) {
            Some(dtype) => Ok(Encoding::Plain(dtype)),
            None => Err(args.wrong(i, "a dtype or a packed format")),
        },
    }
}

pub fn frombuffer(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let encoding = encoding(args, 1)?;
    if x.packed().is_some() || (x.dtype() != DType::U8 && x.dtype() != DType::I8) {
        return Err(args.wrong(0, "a tensor of bytes (u8)"));
    }
    let shape = frombuffer_shape(cx, args, encoding, x.size())?;
    let bytes = file::raw_bytes(encoding, &shape)?;
    if bytes > x.size() {
        let message = format!("{} bytes are too few for {encoding}{shape:?}, which has {bytes}", x.size());
        return Err(args.fault(0, "E0604", message));
    }
    let flat = build::reshape(&x, &[-1], cx.span)?;
    let flat = flat.viewed(flat.view.layout.narrow(0, 0, bytes as i64).map_err(|f| f.diag())?);
    let plain = match encoding {
        Encoding::Plain(dtype) if dtype != DType::Bool => bits::reinterpret(&flat, dtype).ok(),
        _ => None,
    };
    if let Some(view) = plain {
        let extents: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
        return Ok(Value::tensor(build::reshape(&view, &extents, cx.span)?));
    }
    let mut buffer = Buffer::from_bytes(cx.values(&flat, x.dtype())?.slice::<u8>()).map_err(|f| f.diag())?;
    let layout = Layout::contiguous(&shape).map_err(|f| f.diag())?;
    let mut read_only = None;
    if let Encoding::Packed(format) = encoding {
        buffer.set_packed(format);
        read_only = Some(PACKED);
    }
    let view = View { layout, dtype: encoding.dtype(), conj: false };
    Ok(Value::tensor(Tensor::from_array(HostArray { buffer: Arc::new(buffer), view }, read_only)))
}

/// The shape that is asked for; None is one axis of everything.
fn frombuffer_shape(cx: &mut Cx, args: &Args, encoding: Encoding, bytes: usize) -> Result<Vec<usize>, Diag> {
    if args.is_none(2) {
        return Ok(vec![bytes / encoding.unit_bytes() * encoding.block()]);
    }
    args.shape(cx, 2)
}

pub fn close(_: &mut Cx, args: &Args) -> Out {
    match args.value(0) {
        Value::Archive(archive) => archive.close(),
        _ => return Err(args.wrong(0, "an archive")),
    }
    Ok(Value::None)
}

/// Metadata that a script gives, for `save`.
pub fn made_meta(cx: &mut Cx, args: &Args, i: usize) -> Result<Option<Meta>, Diag> {
    let fields: Vec<(&str, Value)> = match args.value(i) {
        Value::None => return Ok(None),
        Value::Meta(archive) => return Ok(Some(archive.meta().clone())),
        Value::Record(record) => record.fields.iter().map(|(n, v)| (n.as_str(), v.clone())).collect(),
        _ => return Err(args.wrong(i, "a record, or the meta of an archive")),
    };
    let mut meta = Meta::new();
    for (key, value) in fields {
        let value = meta_of(cx, args, i, &value)?;
        meta.set(key, value);
    }
    Ok(Some(meta))
}

fn meta_of(cx: &mut Cx, args: &Args, i: usize, value: &Value) -> Result<MetaValue, Diag> {
    Ok(match value {
        Value::Bool(b) => MetaValue::Bool(*b),
        Value::Int(n) => MetaValue::Int(*n),
        Value::BigInt(n) => MetaValue::UInt(*n),
        Value::Float(x) => MetaValue::Float(*x),
        Value::Str(s) => MetaValue::Str(s.to_string()),
        Value::MetaArray(array) => MetaValue::Array(array.clone()),
        Value::Tensor(t) if t.ndim() == 0 => {
            let plain = convert::plain(convert::element(cx, t, args.span(i))?);
            return meta_of(cx, args, i, &plain);
        }
        Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Tensor(_) => {
            let items = cx.host.elements(value, args.span(i))?;
            let items = items.iter().map(|v| meta_of(cx, args, i, v)).collect::<Result<_, _>>()?;
            MetaValue::Array(MetaArray::made(items))
        }
        other => {
            return Err(args.fault(
                i,
                "E0616",
                format!("metadata holds numbers, strings and lists, no {}", other.describe()),
            ));
        }
    })
}
