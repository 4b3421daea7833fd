//! Error codes of all layers.

use crate::{file, lang, tensor};

/// Code, title and explanation of each, from the tables of the layers that report them.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let tables = [lang::CODES, file::CODES, tensor::PACKED_CODES, crate::base::codes::CODES];
    tables.into_iter().flatten().copied()
}

/// One code (`E0203`) with its title and explanation.
pub fn code(code: &str) -> Option<(&'static str, &'static str, &'static str)> {
    codes().find(|(c, _, _)| *c == code)
}
