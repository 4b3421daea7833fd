//! Tensors by name: one face for every format that holds several.

use super::source::FileSource;
use super::{Loaded, Meta, fault};
use crate::base::{Diag, nearest};
use crate::tensor::{Encoding, Shape};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A file of several tensors. Cheap to clone; opened lazily: only its headers were read.
#[derive(Clone)]
pub struct Archive {
    inner: Arc<Inner>,
    /// The entries in view, in the file's order; None: all.
    chosen: Option<Arc<[usize]>>,
}

struct Inner {
    kind: &'static str,
    /// The file that was named, then the shards.
    files: Vec<Arc<FileSource>>,
    records: Vec<Record>,
    by_name: HashMap<Box<str>, usize>,
    meta: Meta,
    /// What is wrong with the archive as a whole; its good tensors can be read all the same.
    faults: Vec<Diag>,
}

/// One tensor as the header describes it.
pub(super) struct Record {
    pub name: String,
    pub shape: Shape,
    /// Bytes of the data once read.
    pub bytes: u64,
    /// Why `get` will copy the data; None where it is mapped.
    pub copied: Option<&'static str>,
    pub place: Place,
}

/// Where the data of a tensor is found.
pub(super) enum Place {
    /// Bytes in row-major order.
    At {
        source: Arc<FileSource>,
        start: u64,
        encoding: Encoding,
    },
    /// Read by the format; the dtype is not known before.
    Lazy(Box<dyn Member>),
    Ready(Loaded),
    /// The header names the tensor, but it cannot be read.
    Fault(Box<Diag>),
}

/// A tensor that its format reads itself.
pub(super) trait Member: Send + Sync {
    /// Reads as little as tells what the tensor is.
    fn entry(&self) -> Result<Entry, Diag>;
    fn load(&self) -> Result<Loaded, Diag>;
    /// E0617 where the data is not what its checksum says.
    fn verify(&self) -> Result<(), Diag>;
}

/// What is known of a tensor without reading its data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// None where it cannot be read, or where only reading tells.
    pub encoding: Option<Encoding>,
    /// In elements.
    pub shape: Shape,
    /// Bytes of the data once read.
    pub bytes: u64,
    /// Why the data will be copied rather than mapped.
    pub copied: Option<&'static str>,
    /// Byte of its file where the data starts; None where the bytes of the file are not those of the tensor.
    pub start: Option<u64>,
}

impl Entry {
    /// Whether the elements lie at multiples of their size, where they are read in place.
    pub fn is_aligned(&self) -> bool {
        match (self.encoding, self.start) {
            (Some(Encoding::Plain(dtype)), Some(start)) if self.bytes > 0 => {
                start.is_multiple_of(dtype.real().size() as u64)
            }
            _ => true,
        }
    }
}

impl Archive {
    /// E0608 where two records have one name.
    pub(super) fn new(
        kind: &'static str,
        files: Vec<Arc<FileSource>>,
        records: Vec<Record>,
        meta: Meta,
        faults: Vec<Diag>,
    ) -> Result<Archive, Diag> {
        let mut by_name = HashMap::with_capacity(records.len());
        for (i, record) in records.iter().enumerate() {
            if by_name.insert(record.name.as_str().into(), i).is_some() {
                return Err(fault::doubled(files[0].path(), "tensors", &record.name));
            }
        }
        Ok(Archive { inner: Arc::new(Inner { kind, files, records, by_name, meta, faults }), chosen: None })
    }

    pub fn path(&self) -> &Path {
        self.inner.files[0].path()
    }

    /// `npz`, `safetensors`, `gguf` or `csv`.
    pub fn kind(&self) -> &'static str {
        self.inner.kind
    }

    /// Bytes of all its files.
    pub fn file_bytes(&self) -> u64 {
        self.inner.files.iter().map(|f| f.len()).sum()
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        let all = &self.inner.records;
        let count = self.len();
        (0..count).map(move |i| &all[self.chosen.as_ref().map_or(i, |c| c[i])])
    }

    /// Names in the file's order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.records().map(|r| r.name.as_str())
    }

    pub fn len(&self) -> usize {
        self.chosen.as_ref().map_or(self.inner.records.len(), |c| c.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn find(&self, name: &str) -> Option<&Record> {
        let i = *self.inner.by_name.get(name)?;
        let seen = self.chosen.as_ref().is_none_or(|c| c.binary_search(&i).is_ok());
        seen.then(|| &self.inner.records[i])
    }

    pub fn contains(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// What is known of a tensor without reading its data; None where the name is not there or its header is bad.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        let record = self.find(name)?;
        let encoding = match &record.place {
            Place::At { encoding, .. } => Some(*encoding),
            Place::Ready(loaded) => Some(loaded.encoding),
            Place::Lazy(member) => return member.entry().ok(),
            Place::Fault(_) => None,
        };
        let start = match &record.place {
            Place::At { start, .. } => Some(*start),
            _ => None,
        };
        Some(Entry { encoding, shape: record.shape.clone(), bytes: record.bytes, copied: record.copied, start })
    }

    /// The tensor of that name. E0609 where there is none; E0613, E0614 where the file was closed or changed.
    pub fn get(&self, name: &str) -> Result<Loaded, Diag> {
        let record = self.find(name).ok_or_else(|| self.unknown(name))?;
        match &record.place {
            Place::At { source, start, encoding } => {
                let buffer = source.buffer(&format!("tensor {name:?}"), *start, record.bytes)?;
                super::npy::truths(Loaded::new(source.clone(), buffer, *encoding, &record.shape)?)
            }
            Place::Lazy(member) => {
                self.inner.files[0].check()?;
                member.load()
            }
            Place::Ready(loaded) => {
                self.inner.files[0].check()?;
                Ok(loaded.clone())
            }
            Place::Fault(diag) => {
                self.inner.files[0].check()?;
                Err((**diag).clone())
            }
        }
    }

    /// Reads a tensor for the sake of the checksum that the file has for it, if it has one.
    pub fn verify(&self, name: &str) -> Result<(), Diag> {
        match self.find(name).map(|record| &record.place) {
            Some(Place::Lazy(member)) => member.verify(),
            _ => Ok(()),
        }
    }

    fn unknown(&self, name: &str) -> Diag {
        // With a shard missing, the name may well be in there.
        if let Some(fault) = self.inner.faults.first() {
            return fault.clone().note(format!("{name:?} is in none of the files that are there"));
        }
        let diag = Diag::new("E0609", format!("no tensor {name:?} in {}", fault::show(self.path())));
        let names: Vec<&str> = self.names().take(20_000).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => diag.hint(format!("did you mean {near:?}?")),
            None => diag.hint(format!("it has {} tensors; keys() lists them", self.len())),
        }
    }

    pub fn meta(&self) -> &Meta {
        &self.inner.meta
    }

    /// Faults of the archive as a whole, such as a missing shard; for `tsk check` and `tsk info`.
    pub fn faults(&self) -> &[Diag] {
        &self.inner.faults
    }

    /// Faults of single tensors: name and fault.
    pub fn broken(&self) -> impl Iterator<Item = (&str, &Diag)> {
        self.records().filter_map(|r| match &r.place {
            Place::Fault(diag) => Some((r.name.as_str(), &**diag)),
            _ => None,
        })
    }

    /// Names that match a pattern of `*`, `?` and `[…]`, in the file's order.
    pub fn glob(&self, pattern: &str) -> Vec<&str> {
        self.names().filter(|name| matches(pattern, name)).collect()
    }

    /// The archive of the tensors that match; it shares the file.
    pub fn select(&self, pattern: &str) -> Archive {
        let count = self.inner.records.len();
        let all = (0..count).filter(|i| self.chosen.as_ref().is_none_or(|c| c.binary_search(i).is_ok()));
        let chosen = all.filter(|i| matches(pattern, &self.inner.records[*i].name)).collect();
        Archive { inner: self.inner.clone(), chosen: Some(chosen) }
    }

    /// Ends the archive: each later `get` is E0613. Tensors that were taken out before keep their bytes.
    pub fn close(&self) {
        self.inner.files.iter().for_each(|f| f.close());
    }

    /// Whether all files are as they were when they were opened.
    pub fn check(&self) -> Result<(), Diag> {
        self.inner.files.iter().try_for_each(|f| f.check())
    }
}

/// Whether `text` matches: `*` any run (dots and slashes too), `?` one character, `[ab]`, `[a-z]`, `[!a]` one of a set.
/// At most `pattern * text` steps.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut i, mut j) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while j < t.len() {
        if p.get(i) == Some(&'*') {
            star = Some((i + 1, j));
            i += 1;
        } else if let Some(next) = one(&p, i, t[j]) {
            i = next;
            j += 1;
        } else if let Some((back, from)) = star {
            star = Some((back, from + 1));
            (i, j) = (back, from + 1);
        } else {
            return false;
        }
    }
    p[i..].iter().all(|c| *c == '*')
}

/// Where the pattern goes on when its item at `i` takes `c`.
fn one(p: &[char], i: usize, c: char) -> Option<usize> {
    match *p.get(i)? {
        '?' => Some(i + 1),
        '[' => match p.get(i + 2..).unwrap_or(&[]).iter().position(|c| *c == ']').map(|n| i + 2 + n) {
            Some(end) => {
                let set = &p[i + 1..end];
                let (negated, set) = if set[0] == '!' { (true, &set[1..]) } else { (false, set) };
                (in_set(set, c) != negated).then_some(end + 1)
            }
            None => (c == '[').then_some(i + 1),
        },
        literal => (literal == c).then_some(i + 1),
    }
}

fn in_set(set: &[char], c: char) -> bool {
    let mut i = 0;
    while i < set.len() {
        if i + 2 < set.len() && set[i + 1] == '-' {
            if (set[i]..=set[i + 2]).contains(&c) {
                return true;
            }
            i += 3;
        } else if set[i] == c {
            return true;
        } else {
            i += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs_match_as_in_a_shell_but_across_dots() {
        for (pattern, text, expect) in [
            ("*", "", true),
            ("blk.*.attn_q.weight", "blk.0.attn_q.weight", true),
            ("blk.*.attn_q.weight", "blk.0.attn_k.weight", false),
            ("layer/*", "layer/0/weight", true),
            ("t.f*", "t.f32", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("x[0-9]", "x7", true),
            ("x[!0-9]", "x7", false),
            ("x[ab", "x[ab", true),
            ("x[]", "x[]", true),
            ("[", "[", true),
            ("*a*b", "xxaxxb", true),
            ("gr*ße", "größe", true),
        ] {
            assert_eq!(matches(pattern, text), expect, "{pattern} {text}");
        }
        assert!(!matches(&"*a".repeat(50), &"a".repeat(5000).replace('a', "ab")));
    }
}
