//! The elementwise rows, in files by subject.

mod arith;
mod bits;
mod compare;
mod complex;
mod elementary;
mod nn;
mod round;
mod special;
mod trig;

use super::MapRow;
use std::collections::HashMap;
use std::sync::LazyLock;

static TABLES: &[&[MapRow]] = &[
    arith::ROWS,
    round::ROWS,
    elementary::ROWS,
    trig::ROWS,
    special::ROWS,
    compare::ROWS,
    bits::ROWS,
    nn::ROWS,
    complex::ROWS,
];

/// All elementwise rows, in the order of the reference.
pub fn map_rows() -> impl Iterator<Item = &'static MapRow> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The row of a name or an alias.
pub fn map_row(name: &str) -> Option<&'static MapRow> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static MapRow>> = LazyLock::new(|| {
        let names = |row: &'static MapRow| std::iter::once(row.doc.name).chain(row.doc.aliases.iter().copied());
        map_rows().flat_map(|row| names(row).map(move |name| (name, row))).collect()
    });
    BY_NAME.get(name).copied()
}

#[cfg(test)]
mod tests;
