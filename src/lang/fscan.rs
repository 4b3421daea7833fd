//! Cuts f-strings into text and fields. The expressions of the fields are lexed and parsed later.

use super::literal;
use super::token::{Pool, RawPart, Token, quote_at, string_body, unclosed_string};
use crate::base::{Diag, Span};
use logos::{FilterResult, Lexer};

/// f-strings inside fields of f-strings, and fields inside format specs.
const MAX_DEPTH: usize = 16;

/// The scanner stands on a byte of the lexed piece; spans are those of the whole source.
struct Scan<'s> {
    text: &'s str,
    at: usize,
    quote: char,
    triple: bool,
}

/// What ended a scan early.
enum Stop {
    /// No closing quote: the token ends here.
    Open,
    /// A reported fault; the rest of the string is skipped.
    Fault(Box<Diag>),
}

/// Lexes an f-string whose prefix and first quote have been read.
pub(super) fn fstring(lex: &mut Lexer<'_, Token>) -> FilterResult<u32, ()> {
    let quote_pos = lex.span().start + 1;
    let text = lex.source();
    let (quote, triple) = quote_at(text, quote_pos);
    let width = if triple { 3 } else { 1 };
    let mut scan = Scan { text, at: quote_pos + width, quote, triple };
    let result = scan.parts(&mut lex.extras, false, 0);
    let (mut end, mut closed) = (scan.at, true);
    if result.is_err() {
        (end, closed) = string_body(text, scan.at.min(text.len()), quote, triple);
    }
    let stop = (if closed { end + width } else { end }).min(text.len());
    lex.bump(stop - lex.span().end);
    match result {
        Ok(parts) => {
            lex.extras.fstrings.push(parts);
            FilterResult::Emit((lex.extras.fstrings.len() - 1) as u32)
        }
        Err(Stop::Open) => {
            unclosed_string(lex, triple);
            FilterResult::Error(())
        }
        Err(Stop::Fault(diag)) => {
            lex.extras.errors.push(*diag);
            lex.extras.open_string |= triple && !closed;
            FilterResult::Error(())
        }
    }
}

fn fault<T>(pool: &Pool, from: usize, to: usize, message: &str, hint: &str) -> Result<T, Stop> {
    let span = Span::new(pool.source, pool.base + from, pool.base + to);
    Err(Stop::Fault(Box::new(Diag::new("E0027", message).label(span, "").hint(hint))))
}

impl Scan<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn at_close(&self) -> bool {
        self.text[self.at..].starts_with(self.quote) && (!self.triple || quote_at(self.text, self.at).1)
    }

    /// Text and fields up to the closing quote (or, in a spec, up to `}`), which stays unread.
    fn parts(&mut self, pool: &mut Pool, in_spec: bool, depth: usize) -> Result<Vec<RawPart>, Stop> {
        let mut parts = Vec::new();
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(Stop::Open);
            };
            let doubled = self.text[self.at + c.len_utf8()..].starts_with(c);
            match c {
                '\n' if !self.triple => return Err(Stop::Open),
                _ if self.at_close() && !in_spec => break,
                _ if self.at_close() => {
                    return fault(
                        pool,
                        self.at,
                        self.at + 1,
                        "a `}` is missing in this f-string",
                        "close the field before the string ends",
                    );
                }
                '}' if in_spec => break,
                '{' | '}' if doubled && !in_spec => {
                    text.push(c);
                    self.at += 2;
                }
                '{' => {
                    if !text.is_empty() {
                        parts.push(RawPart::Text(std::mem::take(&mut text)));
                    }
                    self.field(pool, &mut parts, depth + 1)?;
                }
                '}' => {
                    return fault(
                        pool,
                        self.at,
                        self.at + 1,
                        "this `}` closes nothing",
                        "a brace as text is written `}}`",
                    );
                }
                '\\' => match literal::escape(&self.text[self.at..], &mut text) {
                    Ok(len) => self.at += len,
                    Err((len, f)) => {
                        let span = Span::new(pool.source, pool.base + self.at, pool.base + self.at + len);
                        let mut diag = Diag::new(f.code, f.message).label(span, "");
                        diag.hint = f.hint;
                        return Err(Stop::Fault(Box::new(diag)));
                    }
                },
                _ => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        if !text.is_empty() {
            parts.push(RawPart::Text(text));
        }
        Ok(parts)
    }

    /// One `{…}`; the scanner stands on the brace.
    fn field(&mut self, pool: &mut Pool, parts: &mut Vec<RawPart>, depth: usize) -> Result<(), Stop> {
        let open = self.at;
        if depth > MAX_DEPTH {
            return fault(pool, open, open + 1, "f-strings are nested too deeply", "give the inner text a name first");
        }
        self.at += 1;
        let start = self.at;
        self.expression(pool, open, depth)?;
        let (mut end, mut label) = (self.at, None);
        if let Some(before) = label_end(&self.text[start..end]) {
            label = Some(self.text[start..end].to_owned());
            end = start + before;
        }
        if self.text[start..end].trim().is_empty() {
            return fault(
                pool,
                open,
                self.at + 1,
                "this field of the f-string is empty",
                "a brace as text is written `{{`",
            );
        }
        let mut conversion = None;
        if self.peek() == Some('!') {
            self.at += 1;
            conversion = self.peek().filter(|c| matches!(c, 'r' | 's' | 'a'));
            if conversion.is_none() {
                let to = self.at + self.peek().map_or(0, char::len_utf8);
                return fault(pool, self.at - 1, to, "this conversion is not known", "`!r`, `!s` and `!a` are");
            }
            self.at += 1;
        }
        let field = pool.fields.len();
        pool.fields.push(pool.base + start..pool.base + end);
        let mut spec = Vec::new();
        if self.peek() == Some(':') {
            self.at += 1;
            spec = self.parts(pool, true, depth)?;
        }
        if self.peek() != Some('}') {
            return unclosed_field(pool, open);
        }
        self.at += 1;
        // `{x=}` shows what `repr` shows, unless a conversion or a format says otherwise.
        if label.is_some() && conversion.is_none() && spec.is_empty() {
            conversion = Some('r');
        }
        parts.push(RawPart::Field { field, label, conversion, spec });
        Ok(())
    }

    /// Moves to the `}`, `:` or `!` that ends the expression of a field.
    fn expression(&mut self, pool: &mut Pool, open: usize, depth: usize) -> Result<(), Stop> {
        let mut brackets = 0usize;
        loop {
            let Some(c) = self.peek() else {
                return unclosed_field(pool, open);
            };
            let next = self.text[self.at + c.len_utf8()..].chars().next();
            match c {
                '\n' if !self.triple => return unclosed_field(pool, open),
                '(' | '[' | '{' => brackets += 1,
                ')' | ']' | '}' if brackets > 0 => brackets -= 1,
                '}' | ':' if brackets == 0 => return Ok(()),
                '!' if brackets == 0 && next != Some('=') => return Ok(()),
                '"' | '\'' => {
                    self.string(pool, open, depth)?;
                    continue;
                }
                _ => {}
            }
            self.at += c.len_utf8();
        }
    }

    /// Skips a string inside a field.
    fn string(&mut self, pool: &mut Pool, open: usize, depth: usize) -> Result<(), Stop> {
        let (quote, triple) = quote_at(self.text, self.at);
        let width = if triple { 3 } else { 1 };
        let nested = self.at > 0 && matches!(self.text.as_bytes()[self.at - 1], b'f' | b'F');
        if !nested {
            let (end, closed) = string_body(self.text, self.at + width, quote, triple);
            if !closed {
                return unclosed_field(pool, open);
            }
            self.at = end + width;
            return Ok(());
        }
        // Only the end matters here: what the inner string collects is thrown away, it is lexed again with its field.
        let mut inner = Scan { text: self.text, at: self.at + width, quote, triple };
        let fields = pool.fields.len();
        if depth >= MAX_DEPTH {
            return fault(pool, open, open + 1, "f-strings are nested too deeply", "give the inner text a name first");
        }
        let result = inner.parts(pool, false, depth);
        pool.fields.truncate(fields);
        if matches!(result, Err(Stop::Open)) {
            return unclosed_field(pool, open);
        }
        result?;
        self.at = inner.at + width;
        Ok(())
    }
}

fn unclosed_field<T>(pool: &Pool, open: usize) -> Result<T, Stop> {
    fault(
        pool,
        open,
        open + 1,
        "this field of the f-string is not closed",
        "add the missing `}`; a brace as text is written `{{`",
    )
}

/// For `{x = }`: where the expression ends. None where the text ends in no `=`, or in one of a comparison.
fn label_end(text: &str) -> Option<usize> {
    let body = text.trim_end().strip_suffix('=')?;
    (!body.ends_with(['=', '!', '<', '>'])).then_some(body.len())
}
