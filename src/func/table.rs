//! The table of all functions: native rows, lifted elementwise rows, the prelude.

use super::{Body, Func, members, prelude};
use crate::base::Symbol;
use crate::op;
use crate::value::SymbolMap;
use std::sync::LazyLock;

/// The native rows, one table a file.
static NATIVE: &[&[Func]] = &[
    members::ROWS,
    &super::creation::ROWS,
    &super::spacing::ROWS,
    &super::matrices::ROWS,
    &super::view_rows::ROWS,
    &super::bits::ROWS,
    &super::reduce_rows::ROWS,
    &super::products::ROWS,
    &super::basic::ROWS,
    &super::python_rows::ROWS,
    &super::counting::ROWS,
    &super::einops::ROWS,
    &super::join::ROWS,
    &super::norms::ROWS,
    &super::pad::ROWS,
    &super::quantile::ROWS,
    &super::random_rows::ROWS,
    &super::scans::ROWS,
    &super::scatter::ROWS,
    &super::search::ROWS,
    &super::sets::ROWS,
    &super::sort::ROWS,
    &super::stats::ROWS,
    &super::linalg_rows::ROWS,
    &super::fft::ROWS,
    &super::type_rows::ROWS,
    &super::inspect::ROWS,
    &super::file_rows::ROWS,
];

struct Table {
    funcs: Vec<&'static Func>,
    helpers: Vec<&'static Func>,
    by_name: SymbolMap<&'static Func>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut funcs: Vec<&'static Func> = NATIVE.iter().flat_map(|rows| rows.iter()).collect();
    // Lifted once for the process, like every other row.
    let lifted = |row: &'static op::MapRow| -> &'static Func { Box::leak(Box::new(Func::of(row.doc, Body::Map(row)))) };
    let native: Vec<&str> = funcs.iter().map(|f| f.doc.name).collect();
    // A native row of the same name (abs, round on plain values) stands before the elementwise one.
    funcs.extend(op::map_rows().filter(|row| !native.contains(&row.doc.name)).map(lifted));
    funcs.extend(
        prelude::entries()
            .iter()
            .map(|entry| -> &'static Func { Box::leak(Box::new(Func::of(entry.doc, Body::Prelude(entry)))) }),
    );
    let mut by_name = SymbolMap::default();
    for func in &funcs {
        for alias in func.doc.aliases {
            by_name.entry(Symbol::new(alias)).or_insert(*func);
        }
    }
    for func in &funcs {
        by_name.insert(Symbol::new(func.doc.name), *func);
    }
    let (helpers, funcs) = funcs.into_iter().partition(|f| f.doc.is_private());
    Table { funcs, helpers, by_name }
});

/// Every function once, in the order of the tables; helpers of the prelude aside.
pub fn all() -> &'static [&'static Func] {
    &TABLE.funcs
}

/// The functions that only other rows call.
pub fn helpers() -> &'static [&'static Func] {
    &TABLE.helpers
}

/// The function with this name or alias.
pub fn lookup(name: Symbol) -> Option<&'static Func> {
    TABLE.by_name.get(&name).copied()
}

/// A function whose NumPy or PyTorch spelling this is.
pub fn named_like(name: &str) -> Option<&'static Func> {
    let last = |spelling: &str| {
        let path = spelling.split('(').next().unwrap_or(spelling);
        spelling != "none" && path.rsplit('.').next() == Some(name)
    };
    TABLE.funcs.iter().copied().find(|f| last(f.doc.numpy) || last(f.doc.torch))
}

/// The function name nearest to a misspelt one, among these and `others`.
pub fn nearest<'a>(name: &str, others: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let public = TABLE.by_name.iter().filter(|(_, func)| !func.doc.is_private());
    let names = public.map(|(name, _)| name.as_str());
    crate::base::nearest(name, others.into_iter().chain(names)).map(str::to_owned)
}
