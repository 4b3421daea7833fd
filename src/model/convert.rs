//! A file written anew: other format, other dtypes, other names; tensor by tensor, a slab at a time.

use super::{Contents, input};
use crate::backend::Cpu;
use crate::base::{Diag, Span};
use crate::file::{Emit, Loaded, SaveFault, ViewData};
use crate::kernel::{Backend, Cancel, CastMode, Input, InstrOp, Kernel, Output, Program};
use crate::tensor::{Buffer, DType, Encoding, HostArray, Layout, View};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is to change.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub to: Option<Encoding>,
    /// Only tensors of these names.
    pub glob: Option<String>,
    /// Names to rename, by patterns with `*`, in order.
    pub renames: Vec<(String, String)>,
}

/// One tensor as it will be written.
#[derive(Clone, Debug)]
pub struct Planned {
    pub old: String,
    pub new: String,
    pub from: Encoding,
    pub to: Encoding,
    pub shape: Vec<usize>,
}

impl Planned {
    /// Bytes of the data as it will be written.
    pub fn bytes(&self) -> u64 {
        self.to.bytes(&self.shape).unwrap_or(0) as u64
    }
}

/// What will be written. E06 where a tensor cannot be read or nothing matches.
pub fn plan(contents: &Contents, change: &Change) -> Result<Vec<Planned>, Diag> {
    let names = match &change.glob {
        Some(pattern) => contents.glob(pattern),
        None => contents.names(),
    };
    if let (Some(pattern), true) = (&change.glob, names.is_empty()) {
        return Err(Diag::new("E0609", format!("no tensor of {} matches {pattern:?}", contents.path().display())));
    }
    let mut out = Vec::with_capacity(names.len());
    for old in names {
        let entry = contents.entry(old).filter(|e| e.encoding.is_some());
        let (from, shape) = match entry.and_then(|e| Some((e.encoding?, e.shape.to_vec()))) {
            Some(known) => known,
            // The reason stands where the tensor is read.
            None => {
                let loaded = contents.get(old)?;
                (loaded.encoding, loaded.view.layout.shape.to_vec())
            }
        };
        let mut new = old.to_owned();
        for (pattern, to) in &change.renames {
            new = renamed(&new, pattern, to).unwrap_or(new);
        }
        let to = change.to.map_or(from, |to| target(from, to, &shape));
        out.push(Planned { old: old.to_owned(), new, from, to, shape });
    }
    Ok(out)
}

/// What a tensor becomes where `to` is asked for: what is no number of that kind stays, and so do vectors and rows
/// that are no whole number of blocks.
fn target(from: Encoding, to: Encoding, shape: &[usize]) -> Encoding {
    let dtype = from.dtype();
    let fits = match to {
        Encoding::Packed(_) => dtype.is_float() && shape.len() >= 2 && to.bytes(shape).is_some(),
        Encoding::Plain(to) if to.is_complex() => dtype.is_complex() || dtype.is_float(),
        Encoding::Plain(to) if to.is_float() => dtype.is_float(),
        Encoding::Plain(_) => dtype.is_float() || dtype.is_int(),
    };
    if fits { to } else { from }
}

/// The new name where the pattern matches: each `*` of `to` stands for what the same one of the pattern took.
pub fn renamed(name: &str, pattern: &str, to: &str) -> Option<String> {
    let texts: Vec<&str> = pattern.split('*').collect();
    let (first, rest) = texts.split_first()?;
    let mut left = name.strip_prefix(first)?;
    let mut taken = Vec::new();
    for (i, text) in rest.iter().enumerate() {
        let at = match i + 1 == rest.len() {
            true => {
                left.len().checked_sub(text.len()).filter(|at| left.is_char_boundary(*at) && left.ends_with(text))?
            }
            false => left.find(text)?,
        };
        taken.push(&left[..at]);
        left = &left[at + text.len()..];
    }
    if !left.is_empty() {
        return None;
    }
    let mut taken = taken.into_iter();
    let mut out = String::new();
    for (i, text) in to.split('*').enumerate() {
        if i > 0 {
            out.push_str(taken.next().unwrap_or("*"));
        }
        out.push_str(text);
    }
    Some(out)
}

/// Elements of a slab: a few megabytes whatever the size of the tensor, and whole blocks of every format.
const SLAB: usize = 1 << 20;

/// The data of a tensor in another encoding, converted as it is asked for.
pub struct Converted<'a> {
    pub contents: &'a Contents,
    pub tensor: &'a Planned,
    pub cpu: &'a Cpu,
    pub cancel: &'a Cancel,
    /// Bytes that were written.
    pub done: &'a AtomicU64,
}

impl Emit for Converted<'_> {
    fn emit(&self, out: &mut dyn Write) -> Result<(), SaveFault> {
        let loaded = self.contents.get(&self.tensor.old)?;
        if loaded.encoding == self.tensor.to {
            self.copy(&loaded, out)?;
        } else {
            let input = input(&loaded);
            slabs(&input.view.layout, 0, SLAB, &mut |part| self.slab(&input, part, out))?;
        }
        Ok(loaded.source.check()?)
    }
}

impl Converted<'_> {
    fn copy(&self, loaded: &Loaded, out: &mut dyn Write) -> Result<(), SaveFault> {
        let array = HostArray { buffer: loaded.buffer.clone(), view: loaded.view.clone() };
        ViewData::new(&array, loaded.encoding).emit(&mut Counted { converted: self, out })
    }

    fn slab(&self, input: &Input, part: &Layout, out: &mut dyn Write) -> Result<(), SaveFault> {
        let dtype = self.tensor.to.dtype();
        let size = part.size();
        let buffer = self.cpu.alloc(size * dtype.size()).map_err(|kind| kind.diag())?;
        let layout = Layout::contiguous(&part.shape).map_err(|f| f.diag())?;
        let output = Output { buffer: buffer.clone(), view: View { layout, dtype, conj: false } };
        let view = View { layout: part.clone(), ..input.view.clone() };
        let from = Input { buffer: input.buffer.clone(), view };
        let kernel = Kernel::Map { shape: part.shape.clone(), program: cast(input.view.dtype, dtype) };
        self.cpu.launch(&kernel, &[from], &output, false, self.cancel).map_err(|f| f.kind.diag())?;
        let out = &mut Counted { converted: self, out };
        let Encoding::Packed(format) = self.tensor.to else { return Ok(out.write_all(buffer.bytes())?) };
        let mut blocks = Buffer::zeroed(size / format.block * format.bytes).map_err(|f| f.diag())?;
        let values = buffer.typed::<f32>().unwrap_or_default();
        if let Some(room) = blocks.bytes_mut() {
            self.cpu.encode(format, values, room, self.cancel).map_err(|f| f.kind.diag())?;
        }
        Ok(out.write_all(blocks.bytes())?)
    }
}

/// Counts what goes through, and ends it on Ctrl-C.
struct Counted<'a> {
    converted: &'a Converted<'a>,
    out: &'a mut dyn Write,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let piece = &bytes[..bytes.len().min(1 << 20)];
        if self.converted.cancel.is_set() {
            return Err(std::io::Error::other("interrupted"));
        }
        self.out.write_all(piece)?;
        self.converted.done.fetch_add(piece.len() as u64, Ordering::Relaxed);
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Input 0 as `to`. Floats that an integer dtype has no place for are faults.
fn cast(from: DType, to: DType) -> Program {
    let mut program = Program::default();
    let load = program.push(InstrOp::Load(0), &[], from, Span::default());
    program.output = match from == to {
        true => load,
        false => program.push(InstrOp::Cast(CastMode::Checked), &[load], to, Span::default()),
    };
    program
}

/// Calls `each` for parts of at most `limit` elements that follow each other in row-major order. Only a last axis that
/// is longer than the limit is cut, into parts of `limit`.
fn slabs<E>(
    layout: &Layout,
    axis: usize,
    limit: usize,
    each: &mut dyn FnMut(&Layout) -> Result<(), E>,
) -> Result<(), E> {
    let size = layout.size();
    if size == 0 {
        return Ok(());
    }
    if size <= limit || axis == layout.shape.len() {
        return each(layout);
    }
    let extent = layout.shape[axis];
    let row = size / extent;
    let step = (limit / row).max(1);
    for start in (0..extent).step_by(step) {
        let mut part = layout.clone();
        part.shape[axis] = step.min(extent - start);
        part.offset += start as isize * layout.strides[axis];
        slabs(&part, axis + 1, limit, each)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_rename() {
        for (name, pattern, to, want) in [
            ("model.layers.3.mlp.weight", "model.layers.*.mlp.*", "blk.*.ffn.*", Some("blk.3.ffn.weight")),
            ("a", "a", "b", Some("b")),
            ("ab", "a", "b", None),
            ("a.weight", "*.weight", "*.w", Some("a.w")),
            ("weight", "*weight", "x*", Some("x")),
            ("aXbXc", "*X*", "*-*", Some("a-bXc")),
            ("aXb", "*X*", "two * stars * and *", Some("two a stars b and *")),
            ("aa", "a*a*", "*b*", Some("b")),
            ("größe", "*ße", "*", Some("grö")),
            ("ß", "*\u{9f}", "*", None),
        ] {
            assert_eq!(renamed(name, pattern, to).as_deref(), want, "{name} {pattern}");
        }
    }

    #[test]
    fn slabs_follow_each_other() {
        for (shape, limit) in
            [(&[3, 4, 5][..], 7), (&[3, 4, 5], 1), (&[2, 100], 30), (&[], 4), (&[0, 3], 2), (&[60], 60)]
        {
            let layout = Layout::contiguous(shape).expect("small");
            let (mut seen, mut largest) = (Vec::new(), 0);
            let done: Result<(), ()> = slabs(&layout, 0, limit, &mut |part| {
                largest = largest.max(part.size());
                seen.extend(part.offsets());
                Ok(())
            });
            assert_eq!(done, Ok(()));
            assert!(largest <= limit);
            assert_eq!(seen, (0..layout.size() as isize).collect::<Vec<_>>(), "{shape:?} {limit}");
        }
    }

    #[test]
    fn what_does_not_fit_a_dtype_stays() {
        let packed = |name| Encoding::Packed(crate::tensor::PackedFormat::from_name(name).expect("known"));
        let (q8, q4k, f32, bf16) =
            (packed("q8_0"), packed("q4_k"), Encoding::Plain(DType::F32), Encoding::Plain(DType::BF16));
        assert_eq!(target(f32, q8, &[4, 64]), q8);
        assert_eq!(target(f32, q8, &[64]), f32);
        assert_eq!(target(f32, q4k, &[4, 64]), f32);
        assert_eq!(target(q4k, bf16, &[4, 256]), bf16);
        assert_eq!(target(Encoding::Plain(DType::I64), bf16, &[4]), Encoding::Plain(DType::I64));
        assert_eq!(target(Encoding::Plain(DType::C64), bf16, &[4]), Encoding::Plain(DType::C64));
        assert_eq!(target(f32, Encoding::Plain(DType::I8), &[4]), Encoding::Plain(DType::I8));
    }
}
