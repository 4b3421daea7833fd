//! Values into files.

use super::files::{Out, made_meta};
use super::{Args, Cx, convert};
use crate::base::Diag;
use crate::file::{self, Emit, Item, Meta, SaveFault, ViewData};
use crate::plan::{Slabs, Tensor};
use crate::tensor::{Encoding, HostArray, live_bytes};
use crate::value::{Record, Value};
use std::cell::RefCell;
use std::io::Write;
use std::path::Path;

/// NumPy's `save(path, x)` means the same.
pub fn save(cx: &mut Cx, args: &Args) -> Out {
    let (what, to) = match (args.value(0), args.value(1)) {
        (Value::Str(_), other) if !matches!(other, Value::Str(_)) => (1, 0),
        _ => (0, 1),
    };
    // New files belong to the base folder, wherever an old one of that name is found.
    let base = cx.options().base.clone().unwrap_or_default();
    let path = base.join(&*args.str(to)?);
    let meta = made_meta(cx, args, 2)?;
    let value = args.value(what).clone();
    let whole = match &value {
        Value::Record(_) | Value::Archive(_) | Value::Branch(_) => archive(cx, args, what, &path, &value, meta),
        _ if meta.is_some() => {
            Err(args.fault(2, "E0616", "a lone tensor has no metadata").hint("save(record(x=x), path, meta=…)"))
        }
        _ => {
            file::check_target(&path, false).map_err(|d| d.label(args.span(to), ""))?;
            let t = args.tensor(cx, what)?;
            let entries = [(String::new(), t)];
            write(cx, args, what, &path, &entries, None)
        }
    };
    whole.map_err(|d| if d.labels.is_empty() { d.label(args.span(to), "") } else { d })?;
    Ok(Value::None)
}

fn archive(cx: &mut Cx, args: &Args, what: usize, path: &Path, value: &Value, meta: Option<Meta>) -> Result<(), Diag> {
    file::check_target(path, true)?;
    if meta.as_ref().is_some_and(|m| !m.is_empty()) && !file::keeps_meta(path) {
        return Err(args
            .fault(2, "E0616", "this kind of file keeps no metadata")
            .hint("save to .safetensors or .gguf"));
    }
    let mut entries = Vec::new();
    let mut own = None;
    match value {
        Value::Archive(archive) => {
            for name in archive.names() {
                entries.push((name.to_owned(), super::files::member(archive, name)?));
            }
            own = file::keeps_meta(path).then(|| archive.meta().clone());
        }
        Value::Branch(branch) => {
            for name in super::files::below(branch) {
                let short = name[branch.path.len() + 1..].to_owned();
                entries.push((short, super::files::member(&branch.archive, name)?));
            }
        }
        Value::Record(record) => flatten(record, "", &mut entries),
        _ => {}
    }
    let mut tensors = Vec::with_capacity(entries.len());
    for (name, value) in entries {
        let t = convert::tensor(cx, &value, args.span(what)).map_err(|d| d.note(format!("in the field {name}")))?;
        tensors.push((name, t));
    }
    let meta = meta.or(own).unwrap_or_default();
    write(cx, args, what, path, &tensors, Some(&meta))
}

/// Records within records become names with dots.
fn flatten(record: &Record, lead: &str, out: &mut Vec<(String, Value)>) {
    for (name, value) in &record.fields {
        let name = format!("{lead}{name}");
        match value {
            Value::Record(inner) => flatten(inner, &format!("{name}."), out),
            _ => out.push((name, value.clone())),
        }
    }
}

/// Computes the tensors and writes them as they are: packed ones as blocks.
fn write(
    cx: &mut Cx,
    args: &Args,
    what: usize,
    path: &Path,
    tensors: &[(String, Tensor)],
    meta: Option<&Meta>,
) -> Result<(), Diag> {
    let all: Vec<&Tensor> = tensors.iter().map(|(_, t)| t).collect();
    let computed = match cx.arrays(&all) {
        Err(diag) if diag.code == "E0703" => return streamed(cx, path, tensors, meta, diag),
        other => other?,
    };
    let mut arrays: Vec<(HostArray, Encoding)> = Vec::with_capacity(all.len());
    for (array, t) in computed.into_iter().zip(&all) {
        arrays.push((blocks(args, what, array, t)?, t.encoding()));
    }
    let data: Vec<ViewData<'_>> = arrays.iter().map(|(array, encoding)| ViewData::new(array, *encoding)).collect();
    let items: Vec<Item<'_>> = data.iter().zip(tensors).map(|(d, (name, _))| d.item(name)).collect();
    file::save_items(path, &items, meta)
}

/// Bytes of a part that is computed and written at once, where the limit of memory allows as much.
const PART: u64 = 16 << 20;

/// Writes what memory has no room for, part by part; `refused` is the complaint where that cannot be done.
fn streamed(
    cx: &mut Cx,
    path: &Path,
    tensors: &[(String, Tensor)],
    meta: Option<&Meta>,
    refused: Diag,
) -> Result<(), Diag> {
    let mut cut = Vec::with_capacity(tensors.len());
    for (_, t) in tensors {
        let Some(slabs) = Slabs::new(t) else { return Err(refused) };
        cx.host.force(&slabs.first(), cx.span)?;
        cut.push(slabs);
    }
    let free = cx.options().max_memory.saturating_sub(live_bytes());
    let budget = (free / 8).min(PART) as usize;
    let cx = RefCell::new(cx);
    let data: Vec<Streamed<'_, '_, '_>> =
        cut.into_iter().zip(tensors).map(|(slabs, (_, t))| Streamed { cx: &cx, slabs, t, budget }).collect();
    let items: Vec<Item<'_>> = data
        .iter()
        .zip(tensors)
        .map(|(data, (name, t))| Item { name, encoding: Encoding::Plain(t.dtype()), shape: t.shape(), data })
        .collect();
    file::save_items(path, &items, meta)
}

struct Streamed<'a, 'b, 'c> {
    cx: &'a RefCell<&'b mut Cx<'c>>,
    slabs: Slabs,
    t: &'a Tensor,
    /// Bytes of a part.
    budget: usize,
}

impl Emit for Streamed<'_, '_, '_> {
    fn emit(&self, out: &mut dyn Write) -> Result<(), SaveFault> {
        let extent = self.t.shape()[self.slabs.axis()];
        let row = self.t.nbytes() / extent.max(1);
        let step = (self.budget / row.max(1)).max(1);
        for start in (0..extent).step_by(step) {
            let part = self.slabs.part(start..extent.min(start + step));
            let array = self.cx.borrow_mut().array(&part).map_err(|mut diag| {
                // Positions within a part say nothing to the reader.
                diag.notes.retain(|note| !note.starts_with("first at position"));
                diag
            })?;
            ViewData::new(&array, Encoding::Plain(self.t.dtype())).emit(out)?;
        }
        Ok(())
    }
}

/// Files hold packed tensors with the packed axis last.
fn blocks(args: &Args, what: usize, mut array: HostArray, t: &Tensor) -> Result<HostArray, Diag> {
    if let Some(format) = t.packed() {
        array.view.layout = format.blocks(&t.view.layout)?;
        let last = t.view.layout.strides.last();
        if t.size() > 0 && last != Some(&1) {
            return Err(args
                .fault(what, "E0616", "files hold packed tensors with the packed axis last")
                .hint("unpack(x)"));
        }
    }
    Ok(array)
}
