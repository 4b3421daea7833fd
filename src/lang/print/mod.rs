//! Syntax tree to text, in one canonical form: what `tsk fmt` writes and what messages quote.
//!
//! Printing and parsing again gives the same tree. [`format_source`] keeps comments and single empty lines.

mod expr;
mod layout;
mod statement;
#[cfg(test)]
mod tests;

use super::ast::{Annotation, Expr, Stmt};
use super::parse;
use crate::base::{Diag, SourceId};

/// Lines are broken inside brackets where they would grow longer than this many characters.
pub const WIDTH: usize = 100;

/// The expression on one line.
pub fn print_expr(e: &Expr) -> String {
    layout::flat(&expr::pieces(e))
}

/// An annotation as written behind `:`.
pub fn print_annotation(a: &Annotation) -> String {
    expr::annotation(a)
}

/// The statements, one a line, without comments (the tree holds none).
pub fn print_script(script: &[Stmt]) -> String {
    statement::Printer::new(None).script(script)
}

/// The canonical form of a source text. Errors are those of the parser.
pub fn format_source(source: SourceId, text: &str) -> Result<String, Vec<Diag>> {
    let parsed = parse::parse(source, text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let trivia = statement::Trivia::of(source, text);
    Ok(statement::Printer::new(Some(trivia)).script(&parsed.script))
}
