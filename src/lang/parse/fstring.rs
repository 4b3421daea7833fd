//! The expressions inside f-strings: lexed with the rest of the text, parsed before the statements that hold them.

use super::statement::{Driver, Piece};
use crate::base::Span;
use crate::lang::ast::{Expr, FPart};
use crate::lang::bracket::{Structured, structure};
use crate::lang::token::{Pool, RawPart, Token, lex};

/// Lexes all fields, those of f-strings inside fields too. A field's inner fields come behind it.
pub fn lex_fields(text: &str, pool: &mut Pool) -> Vec<Structured> {
    let mut fields = Vec::new();
    while let Some(range) = pool.fields.get(fields.len()).cloned() {
        let tokens = lex(text, range, pool);
        fields.push(structure(tokens, true));
    }
    fields
}

/// Parses the fields, the innermost first, and fills the table of f-strings.
pub fn resolve<'t>(driver: &mut Driver<'_, 't>, fields: &'t [Structured], main: &Structured) {
    let raw = std::mem::take(&mut driver.state.pool.fstrings);
    driver.state.fstrings = vec![Vec::new(); raw.len()];
    let mut exprs: Vec<Option<Expr>> = vec![None; fields.len()];
    for at in (0..fields.len()).rev() {
        build(driver, &raw, &mut exprs, &fields[at].tokens);
        let range = driver.state.pool.fields[at].clone();
        let span = Span::new(driver.source, range.start, range.end);
        let grammar = driver.grammar;
        exprs[at] = driver.run(&grammar.field, Piece::of(&fields[at], span));
    }
    build(driver, &raw, &mut exprs, &main.tokens);
}

/// Builds the f-strings among the tokens; their fields have been parsed.
fn build(driver: &mut Driver<'_, '_>, raw: &[Vec<RawPart>], exprs: &mut [Option<Expr>], tokens: &[(Token, Span)]) {
    for (token, _) in tokens {
        if let Token::FString(k) = token {
            let k = *k as usize;
            driver.state.fstrings[k] = raw[k].iter().filter_map(|part| convert(part, exprs)).collect();
        }
    }
}

/// None where the field holds a fault, which has been reported.
fn convert(part: &RawPart, exprs: &mut [Option<Expr>]) -> Option<FPart> {
    Some(match part {
        RawPart::Text(text) => FPart::Text(text.clone()),
        RawPart::Field { field, label, conversion, spec } => FPart::Expr {
            expr: exprs.get_mut(*field)?.take()?,
            label: label.clone(),
            conversion: *conversion,
            spec: spec.iter().filter_map(|part| convert(part, exprs)).collect(),
        },
    })
}
