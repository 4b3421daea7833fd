//! Ink for what is typed: kinds of tokens, the bracket that fits the one at the cursor, the continuation prompt.

use super::margin;
use crate::base::Symbol;
use crate::func;
use crate::lang::token::{Pool, Token, lex};
use std::fmt::Write;

/// Longer entries stay as they are: every key paints the whole entry again.
pub const LONGEST: usize = 6_000;

const PLAIN: &str = "\x1b[0m";
const KEYWORD: &str = "\x1b[35m";
const NUMBER: &str = "\x1b[36m";
const STRING: &str = "\x1b[32m";
const FUNCTION: &str = "\x1b[34m";
const FAULT: &str = "\x1b[31m";
const HOLE: &str = "\x1b[33m";
pub const DIM: &str = "\x1b[2m";
const BRACKET: &str = "\x1b[1;4m";

/// The text as it is shown, with the cursor before byte `pos`; as wide as the text itself.
pub fn entry(text: &str, pos: usize, color: bool) -> String {
    let starts = margin::starts(text);
    let dots: Vec<usize> = starts.into_iter().filter(|&at| text[at..].starts_with(margin::MARGIN)).collect();
    let mut marks = if color { marks(text, pos) } else { Vec::new() };
    let dim = if color { DIM } else { "" };
    marks.extend(dots.iter().map(|&at| (at, at + margin::MARGIN.len(), dim)));
    marks.sort_by_key(|m| m.0);
    let mut out = String::with_capacity(text.len() + 16 * marks.len());
    let mut from = 0;
    for (start, end, ink) in marks {
        let shown = if dots.binary_search(&start).is_ok() { "... " } else { text.get(start..end).unwrap_or("") };
        let Some(before) = text.get(from..start) else { continue };
        out.push_str(before);
        if ink.is_empty() {
            out.push_str(shown);
        } else {
            let _ = write!(out, "{ink}{shown}{PLAIN}");
        }
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

type Mark = (usize, usize, &'static str);

fn marks(text: &str, pos: usize) -> Vec<Mark> {
    let mut pool = Pool::default();
    // A colon command is painted behind its name.
    let begin = if text.starts_with(':') { text.find(' ').unwrap_or(text.len()) } else { 0 };
    let tokens = lex(text, begin..text.len(), &mut pool);
    let mut marks: Vec<Mark> = Vec::with_capacity(tokens.len());
    if begin > 0 {
        marks.push((0, begin, KEYWORD));
    }
    for (i, (token, span)) in tokens.iter().enumerate() {
        let called = matches!(tokens.get(i + 1), Some((Token::LParen, _)));
        let ink = match token {
            Token::Ident(name) if called && is_function(*name) => FUNCTION,
            Token::Int(_) | Token::Float(_) | Token::Imag(_) => NUMBER,
            Token::Str(_) | Token::FString(_) => STRING,
            // A string that is still open is no fault while it is typed.
            Token::Error if text[span.start as usize..].starts_with(['"', '\'', 'f']) => STRING,
            Token::Error => FAULT,
            Token::Foreign => FAULT,
            Token::Hole => HOLE,
            token if token.is_keyword() => KEYWORD,
            _ => continue,
        };
        // Strings over several lines would run through margins.
        if !text[span.start as usize..span.end as usize].contains('\n') {
            marks.push((span.start as usize, span.end as usize, ink));
        }
    }
    marks.extend(pool.comments.iter().map(|c| (c.start as usize, c.end as usize, DIM)));
    marks.extend(pair(&tokens, pos));
    marks
}

fn is_function(name: Symbol) -> bool {
    func::lookup(name).is_some()
}

/// The bracket at the cursor (or just before it) and its partner.
fn pair(tokens: &[(Token, crate::base::Span)], pos: usize) -> Vec<Mark> {
    let is_bracket = |t: Token| t.opens() || t.closes();
    let under = tokens.iter().position(|(t, s)| is_bracket(*t) && s.start as usize == pos);
    let before = || tokens.iter().position(|(t, s)| is_bracket(*t) && s.end as usize == pos);
    let Some(here) = under.or_else(before) else { return Vec::new() };
    let forward = tokens[here].0.opens();
    let mut depth = 0isize;
    let mut step = |token: Token| {
        depth += isize::from(token.opens()) - isize::from(token.closes());
        depth == 0
    };
    let partner = if forward {
        (here..tokens.len()).find(|&i| step(tokens[i].0))
    } else {
        (0..=here).rev().find(|&i| step(tokens[i].0))
    };
    let mark = |i: usize| (tokens[i].1.start as usize, tokens[i].1.end as usize, BRACKET);
    partner.map_or_else(Vec::new, |there| vec![mark(here), mark(there)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with names for inks.
    fn named(text: &str, pos: usize) -> String {
        let mut out = entry(text, pos, true);
        for (ink, name) in [(KEYWORD, "K"), (NUMBER, "N"), (STRING, "S"), (FUNCTION, "F"), (FAULT, "!"), (DIM, "~")] {
            out = out.replace(ink, &format!("<{name}:"));
        }
        out.replace(BRACKET, "<B:").replace(PLAIN, ">")
    }

    #[test]
    fn kinds_of_tokens_have_their_ink() {
        assert_eq!(named("x if 12 # c", 11), "x <K:if> <N:12> <~:# c>");
        assert_eq!(named("sum(x) + foo('a')", 0), "<F:sum>(x) + foo(<S:'a'>)");
        assert_eq!(named("s = \"open", 9), "s = <S:\"open>");
        assert_eq!(named(":type 3", 7), "<K::type> <N:3>");
    }

    #[test]
    fn the_fitting_bracket_is_marked() {
        assert_eq!(named("f((a) + \")\")", 12), "f<B:(>(a) + <S:\")\"><B:)>");
        assert_eq!(named("f((a)", 1), "f((a)", "it is open");
        assert_eq!(named("[a]", 0), "<B:[>a<B:]>");
    }

    #[test]
    fn continuation_lines_start_with_dots_of_the_same_width() {
        assert_eq!(entry("f(\n    1)", 0, false), "f(\n... 1)");
        assert_eq!(entry("f(\n1)", 0, false), "f(\n1)");
        assert_eq!(named("f(\n    1)", 0), "f(\n<~:... ><N:1>)");
    }
}
