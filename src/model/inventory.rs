//! What a file holds, as its header says it.

use super::Contents;
use super::fold::{Group, fold};
use crate::tensor::Encoding;

/// One line: tensors of one dtype and shape whose names differ in numbers only.
pub struct Row {
    pub pattern: String,
    pub count: usize,
    /// None where the tensors cannot be read.
    pub encoding: Option<Encoding>,
    /// In elements.
    pub shape: Vec<usize>,
    /// Bytes of all of them.
    pub bytes: u64,
}

/// The part of one dtype in a file.
pub struct Share {
    pub encoding: Encoding,
    pub tensors: usize,
    pub elements: u64,
    pub bytes: u64,
}

pub struct Inventory {
    pub rows: Vec<Row>,
    /// The largest first.
    pub shares: Vec<Share>,
    pub tensors: usize,
    pub elements: u64,
    /// Names of tensors whose elements do not lie at multiples of their size.
    pub unaligned: Vec<String>,
}

/// A tensor as the header describes it.
struct Kept {
    encoding: Option<Encoding>,
    shape: Vec<usize>,
    bytes: u64,
}

/// Looks at every header; `folded` puts names that differ in numbers only on one line.
pub fn inventory(contents: &Contents, folded: bool) -> Inventory {
    let names = contents.names();
    let mut out =
        Inventory { rows: Vec::new(), shares: Vec::new(), tensors: names.len(), elements: 0, unaligned: Vec::new() };
    let mut kept = Vec::with_capacity(names.len());
    for name in &names {
        let entry = contents.entry(name);
        if entry.as_ref().is_some_and(|e| !e.is_aligned()) {
            out.unaligned.push((*name).to_owned());
        }
        let known = match entry {
            Some(e) => Kept { encoding: e.encoding, shape: e.shape.to_vec(), bytes: e.bytes },
            None => Kept { encoding: None, shape: Vec::new(), bytes: 0 },
        };
        out.count(&known);
        kept.push(known);
    }
    out.shares.sort_by_key(|s| std::cmp::Reverse(s.bytes));
    out.rows = rows(&names, &kept, folded);
    out
}

impl Inventory {
    fn count(&mut self, tensor: &Kept) {
        let elements = tensor.shape.iter().fold(1_u64, |n, extent| n.saturating_mul(*extent as u64));
        let Some(encoding) = tensor.encoding else { return };
        self.elements += elements;
        let share = match self.shares.iter_mut().find(|s| s.encoding == encoding) {
            Some(share) => share,
            None => {
                self.shares.push(Share { encoding, tensors: 0, elements: 0, bytes: 0 });
                let last = self.shares.len() - 1;
                &mut self.shares[last]
            }
        };
        share.tensors += 1;
        share.elements += elements;
        share.bytes += tensor.bytes;
    }
}

fn rows(names: &[&str], kept: &[Kept], folded: bool) -> Vec<Row> {
    let groups = if folded {
        let keyed: Vec<_> = names.iter().zip(kept).map(|(name, k)| (*name, (k.encoding, &k.shape))).collect();
        fold(&keyed)
    } else {
        let alone = |(i, name): (usize, &&str)| Group { pattern: (*name).to_owned(), members: vec![i] };
        names.iter().enumerate().map(alone).collect()
    };
    let row = |group: Group| {
        let first = &kept[group.members[0]];
        Row {
            pattern: group.pattern,
            count: group.members.len(),
            encoding: first.encoding,
            shape: first.shape.clone(),
            bytes: group.members.iter().map(|i| kept[*i].bytes).sum(),
        }
    };
    groups.into_iter().map(row).collect()
}
