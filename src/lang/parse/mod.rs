//! Tokens to syntax tree. [`parse`] never fails: it gives what it understood and all complaints at once.
//!
//! A driver ([`statement`]) cuts the tokens into statements and blocks; each head and each expression is parsed on its
//! own ([`expr`], [`operand`], [`index`], [`simple`]). So one fault costs one statement, and the time stays linear.

mod check;
mod expr;
mod fault;
mod fstring;
mod grammar;
mod index;
mod operand;
mod simple;
mod statement;
#[cfg(test)]
mod tests;

use super::ast::Stmt;
use super::bracket::structure;
use super::token::{Pool, lex};
use crate::base::{Diag, SourceId, Span};
use chumsky::inspector::SimpleState;
use grammar::State;

/// A line may have this many bytes.
pub const MAX_LINE: usize = 1 << 20;
/// A source may have this many bytes.
pub const MAX_SOURCE: usize = 64 << 20;
/// Complaints beyond this many are counted, not listed.
const MAX_ERRORS: usize = 100;
/// With this many unknown characters a text is taken for something else than a script.
const GARBAGE: usize = 40;
/// What the deepest permitted expression needs while it is parsed.
const STACK: usize = 24 << 20;

/// What a text says, and what is wrong with it. The script is meant to run only without errors.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    pub script: Vec<Stmt>,
    /// Sorted by place.
    pub errors: Vec<Diag>,
}

/// Parses a whole text. Never panics and never fails; labels point into `source`.
pub fn parse(source: SourceId, text: &str) -> Parsed {
    if let Some(error) = too_large(source, text) {
        return Parsed { script: Vec::new(), errors: vec![error] };
    }
    stacker::maybe_grow(STACK, STACK, || parse_all(source, text))
}

fn parse_all(source: SourceId, text: &str) -> Parsed {
    let mut pool = Pool { source, ..Pool::default() };
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let main = structure(lex(text, start..text.len(), &mut pool), false);
    let fields = fstring::lex_fields(text, &mut pool);
    if let Some(error) = garbage(&pool) {
        return Parsed { script: Vec::new(), errors: vec![error] };
    }
    let mut errors = std::mem::take(&mut pool.errors);
    errors.extend(main.errors.iter().chain(fields.iter().flat_map(|f| &f.errors)).cloned());
    let state = SimpleState(State { pool, ..State::default() });
    let grammar = simple::grammar();
    let mut driver = statement::Driver::new(text, source, &grammar, state);
    fstring::resolve(&mut driver, &fields, &main);
    let script = driver.script(&main);
    errors.extend(std::mem::take(&mut driver.state.errors));
    Parsed { script, errors: tidy(errors) }
}

fn too_large(source: SourceId, text: &str) -> Option<Diag> {
    if text.len() > MAX_SOURCE {
        let message = format!("the source has {} bytes, {MAX_SOURCE} is the limit", text.len());
        return Some(
            Diag::new("E0026", message).label(Span::new(source, 0, 0), "").hint("keep data in files: `load(path)`"),
        );
    }
    if text.len() <= MAX_LINE {
        return None;
    }
    let mut at = 0;
    for (i, line) in text.split('\n').enumerate() {
        if line.len() > MAX_LINE {
            let message = format!("line {} has {} bytes, {MAX_LINE} is the limit", i + 1, line.len());
            let span = Span::new(source, at, at + line.chars().next().map_or(0, char::len_utf8));
            return Some(
                Diag::new("E0026", message).label(span, "starts here").hint("keep data in files: `load(path)`"),
            );
        }
        at += line.len() + 1;
    }
    None
}

/// One report in place of hundreds for a text that is no script.
fn garbage(pool: &Pool) -> Option<Diag> {
    if pool.unknown < GARBAGE {
        return None;
    }
    let first = pool.errors.iter().find(|e| e.code == "E0009")?.labels.first()?;
    let diag = Diag::new("E0030", "this is not the text of a script").label(first.span, "the first unknown character");
    let note = format!("{} characters have no meaning here", pool.unknown);
    Some(diag.note(note).hint("is it a data file? `load(path)` reads those"))
}

/// Sorted by place, without doubles, cut to a readable number.
fn tidy(mut errors: Vec<Diag>) -> Vec<Diag> {
    let place = |d: &Diag| d.labels.first().map_or((0, 0), |l| (l.span.start, l.span.end));
    errors.sort_by_key(place);
    errors.dedup_by(|a, b| place(a) == place(b));
    if errors.len() > MAX_ERRORS {
        let more = errors.len() - MAX_ERRORS;
        errors.truncate(MAX_ERRORS);
        if let Some(last) = errors.last_mut() {
            last.notes.push(format!("{more} more faults are not listed"));
        }
    }
    errors
}

/// Bytes as text. The error says where they stop being UTF-8, in bytes and lines.
pub fn decode(bytes: Vec<u8>) -> Result<String, Diag> {
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let bytes = e.as_bytes();
        let line = bytes[..at].iter().filter(|b| **b == b'\n').count() + 1;
        let byte = bytes.get(at).copied().unwrap_or_default();
        Diag::new("E0030", format!("the source is not UTF-8: byte 0x{byte:02x} at position {at} (line {line})"))
            .hint("save the file as UTF-8; if it is a data file, `load(path)` reads it")
    })
}
