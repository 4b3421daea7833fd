//! Error codes: the tables of the layers that report them, and their pages.

use super::{Kind, Page};
use crate::base::codes::{CODES, FAMILIES};
use crate::{file, lang, tensor};

/// Code, title and explanation of each error, by code.
pub fn codes() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut all: Vec<_> =
        [lang::CODES, file::CODES, tensor::PACKED_CODES, CODES].into_iter().flatten().copied().collect();
    all.sort_unstable_by_key(|(code, ..)| *code);
    all
}

/// One code, in capitals or not.
pub fn code(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let wanted = name.to_uppercase();
    codes().into_iter().find(|(code, ..)| *code == wanted)
}

/// The page of a code (`E0203`) or of a family (`E02`).
pub(super) fn page(name: &str) -> Option<Page> {
    if let Some((code, title, text)) = code(name) {
        let mut page = Page::new(code, Kind::Error, format!("{code}: {title}"));
        page.text(text);
        page.see(&[&code[..3], "errors"]);
        return Some(page);
    }
    let wanted = name.to_uppercase();
    let (family, title) = FAMILIES.iter().find(|(family, _)| *family == wanted)?;
    let mut page = Page::new(*family, Kind::Error, format!("{family}xx: {title}"));
    let lines: Vec<String> =
        codes().iter().filter(|(c, ..)| c.starts_with(family)).map(|(c, title, _)| format!("{c}  {title}")).collect();
    page.text(lines.join("\n"));
    page.see(&["errors"]);
    Some(page)
}
