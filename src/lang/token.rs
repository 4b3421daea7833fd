//! Text to tokens. Newlines come out as tokens; which of them end a statement is decided in [`super::bracket`].

use super::ast::{BinaryOp, CompareOp};
use super::literal::{self, Number};
use crate::base::{Diag, SourceId, Span, Symbol};
use logos::{FilterResult, Lexer, Logos};
use std::ops::Range;
use std::sync::Arc;

/// What lexing collects beside the tokens; tokens hold indices into it.
#[derive(Default, Debug)]
pub struct Pool {
    pub source: SourceId,
    /// Where the lexed piece starts in the source, in bytes.
    pub base: usize,
    pub ints: Vec<u64>,
    pub floats: Vec<f64>,
    pub strings: Vec<Arc<str>>,
    pub fstrings: Vec<Vec<RawPart>>,
    /// Expressions inside f-strings, still to be lexed: where they stand in the source.
    pub fields: Vec<Range<usize>>,
    pub comments: Vec<Span>,
    pub errors: Vec<Diag>,
    /// Characters that are no part of a token; one of each line is reported.
    pub unknown: usize,
    /// A triple-quoted string runs to the end of the text.
    pub open_string: bool,
}

/// A piece of an f-string before its expressions are parsed.
#[derive(Clone, PartialEq, Debug)]
pub enum RawPart {
    Text(String),
    Field {
        /// Index into [`Pool::fields`].
        field: usize,
        label: Option<String>,
        conversion: Option<char>,
        spec: Vec<RawPart>,
    },
}

#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(extras = Pool)]
#[logos(skip r"[ \t\r\x0C]+")]
pub enum Token {
    #[token("\n")]
    Newline,
    #[token(";")]
    Semi,
    #[regex(r"#[^\n]*", comment, allow_greedy = true)]
    Comment,

    #[regex(r"[\p{XID_Start}_][\p{XID_Continue}]*", |lex| Symbol::new(lex.slice()))]
    Ident(Symbol),
    /// Index into [`Pool::ints`].
    #[regex(r"[0-9]", number)]
    Int(u32),
    /// Index into [`Pool::floats`].
    #[regex(r"\.[0-9]", number)]
    Float(u32),
    /// Index into [`Pool::floats`].
    Imag(u32),
    /// Index into [`Pool::strings`].
    #[regex(r#"["']"#, string)]
    Str(u32),
    /// Index into [`Pool::fstrings`].
    #[regex(r#"[fF]["']"#, super::fscan::fstring)]
    FString(u32),

    #[token("and")]
    And,
    #[token("or")]
    Or,
    #[token("not")]
    Not,
    #[token("in")]
    In,
    /// `not` and `in`, joined behind the lexer
    NotIn,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("for")]
    For,
    #[token("while")]
    While,
    #[token("break")]
    Break,
    #[token("continue")]
    Continue,
    #[token("fn")]
    Fn,
    #[token("return")]
    Return,
    #[token("assert")]
    Assert,
    #[token("import")]
    Import,
    #[token("as")]
    As,
    #[token("del")]
    Del,
    #[token("True")]
    True,
    #[token("False")]
    False,
    #[token("None")]
    None,
    #[token("lambda")]
    Lambda,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Assign,
    #[token("|>")]
    Pipe,
    /// A value that is still to come.
    #[token("?")]
    Hole,

    #[token("+", |_| BinaryOp::Add)]
    #[token("-", |_| BinaryOp::Sub)]
    #[token("*", |_| BinaryOp::Mul)]
    #[token("/", |_| BinaryOp::Div)]
    #[token("//", |_| BinaryOp::FloorDiv)]
    #[token("%", |_| BinaryOp::Mod)]
    #[token("@", |_| BinaryOp::MatMul)]
    #[token("**", |_| BinaryOp::Pow)]
    #[token("<<", |_| BinaryOp::Shl)]
    #[token(">>", |_| BinaryOp::Shr)]
    #[token("&", |_| BinaryOp::BitAnd)]
    #[token("^", |_| BinaryOp::BitXor)]
    #[token("|", |_| BinaryOp::BitOr)]
    Op(BinaryOp),
    #[token("~")]
    Tilde,
    #[token("+=", |_| BinaryOp::Add)]
    #[token("-=", |_| BinaryOp::Sub)]
    #[token("*=", |_| BinaryOp::Mul)]
    #[token("/=", |_| BinaryOp::Div)]
    #[token("//=", |_| BinaryOp::FloorDiv)]
    #[token("%=", |_| BinaryOp::Mod)]
    #[token("@=", |_| BinaryOp::MatMul)]
    #[token("**=", |_| BinaryOp::Pow)]
    #[token("<<=", |_| BinaryOp::Shl)]
    #[token(">>=", |_| BinaryOp::Shr)]
    #[token("&=", |_| BinaryOp::BitAnd)]
    #[token("^=", |_| BinaryOp::BitXor)]
    #[token("|=", |_| BinaryOp::BitOr)]
    OpAssign(BinaryOp),
    #[token("==", |_| CompareOp::Eq)]
    #[token("!=", |_| CompareOp::Ne)]
    #[token("<", |_| CompareOp::Lt)]
    #[token("<=", |_| CompareOp::Le)]
    #[token(">", |_| CompareOp::Gt)]
    #[token(">=", |_| CompareOp::Ge)]
    Compare(CompareOp),
    /// Operators of other languages; never valid, always explained.
    #[token("&&")]
    #[token("||")]
    #[token("!")]
    #[token("=>")]
    #[token("->")]
    #[token(":=")]
    #[token("===")]
    #[token("!==")]
    #[token("<>")]
    Foreign,
    /// Text that is no token; reported when it was lexed.
    Error,
}

impl Token {
    /// Whether this word can be a name behind `.`.
    pub fn is_keyword(self) -> bool {
        use Token::*;
        matches!(
            self,
            And | Or
                | Not
                | In
                | If
                | Else
                | For
                | While
                | Break
                | Continue
                | Fn
                | Return
                | Assert
                | Import
                | As
                | Del
                | True
                | False
                | None
                | Lambda
        )
    }

    /// Whether an expression may end with this token.
    pub fn ends_operand(self) -> bool {
        use Token::*;
        matches!(
            self,
            Ident(_)
                | Int(_)
                | Float(_)
                | Imag(_)
                | Str(_)
                | FString(_)
                | True
                | False
                | None
                | Ellipsis
                | Hole
                | RParen
                | RBracket
                | RBrace
        )
    }

    /// Whether an expression may start with this token.
    pub fn starts_operand(self) -> bool {
        use Token::*;
        matches!(
            self,
            Ident(_)
                | Int(_)
                | Float(_)
                | Imag(_)
                | Str(_)
                | FString(_)
                | True
                | False
                | None
                | Ellipsis
                | Hole
                | LParen
                | LBracket
                | Not
                | Lambda
                | Tilde
        )
    }

    pub fn opens(self) -> bool {
        matches!(self, Token::LParen | Token::LBracket | Token::LBrace)
    }

    pub fn closes(self) -> bool {
        matches!(self, Token::RParen | Token::RBracket | Token::RBrace)
    }
}

/// Reports of unknown characters beyond this many are not kept: such a text is no script.
const MAX_LEX_ERRORS: usize = 1000;

fn push<T>(pool: &mut Vec<T>, value: T) -> u32 {
    pool.push(value);
    (pool.len() - 1) as u32
}

/// The span of the token being lexed, in the whole source.
pub(super) fn span_of(lex: &Lexer<'_, Token>) -> Span {
    let range = lex.span();
    let base = lex.extras.base;
    Span::new(lex.extras.source, base + range.start, base + range.end)
}

fn comment(lex: &mut Lexer<'_, Token>) -> logos::Skip {
    let span = span_of(lex);
    lex.extras.comments.push(span);
    logos::Skip
}

fn number(lex: &mut Lexer<'_, Token>) -> FilterResult<u32, ()> {
    // Replaced by `lex_number`, which knows the token's kind; the callback only finds the end.
    let start = lex.span().start;
    let (len, _) = literal::number(&lex.source()[start..]);
    lex.bump(len - lex.slice().len());
    FilterResult::Emit(0)
}

/// The token of a number whose text is known.
fn number_token(text: &str, span: Span, pool: &mut Pool) -> Token {
    match literal::number(text).1 {
        Ok(Number::Int(v)) => Token::Int(push(&mut pool.ints, v)),
        Ok(Number::Float(v)) => Token::Float(push(&mut pool.floats, v)),
        Ok(Number::Imag(v)) => Token::Imag(push(&mut pool.floats, v)),
        Err(fault) => {
            let mut diag = Diag::new(fault.code, fault.message).label(span, "");
            diag.hint = fault.hint;
            pool.errors.push(diag);
            Token::Error
        }
    }
}

/// How a quote opens a string: the quote character, and whether there are three of them.
pub(super) fn quote_at(text: &str, at: usize) -> (char, bool) {
    let quote = if text.as_bytes()[at] == b'"' { '"' } else { '\'' };
    let triple = text[at..].starts_with(if quote == '"' { "\"\"\"" } else { "'''" });
    (quote, triple)
}

/// The end of a plain string's body that starts at `from`, and whether its closing quote is there.
pub(super) fn string_body(text: &str, from: usize, quote: char, triple: bool) -> (usize, bool) {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            b'\n' if !triple => return (at, false),
            b if b == quote as u8 => {
                let (q, three) = quote_at(text, at);
                if !triple || (q == quote && three) {
                    return (at, true);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    (bytes.len(), false)
}

fn string(lex: &mut Lexer<'_, Token>) -> FilterResult<u32, ()> {
    let start = lex.span().start;
    let text = lex.source();
    let (quote, triple) = quote_at(text, start);
    let width = if triple { 3 } else { 1 };
    let (end, closed) = string_body(text, start + width, quote, triple);
    let stop = if closed { end + width } else { end };
    lex.bump(stop - lex.span().end);
    if !closed {
        unclosed_string(lex, triple);
        return FilterResult::Error(());
    }
    let base = lex.extras.base + start + width;
    let (value, faults) = literal::unescape(&text[start + width..end]);
    let failed = !faults.is_empty();
    let source = lex.extras.source;
    for (range, fault) in faults {
        let mut diag =
            Diag::new(fault.code, fault.message).label(Span::new(source, base + range.start, base + range.end), "");
        diag.hint = fault.hint;
        lex.extras.errors.push(diag);
    }
    if failed {
        return FilterResult::Error(());
    }
    FilterResult::Emit(push(&mut lex.extras.strings, value.into()))
}

/// Reports the string being lexed as not closed.
pub(super) fn unclosed_string(lex: &mut Lexer<'_, Token>, triple: bool) {
    let mut span = span_of(lex);
    lex.extras.open_string |= triple;
    let hint = if triple {
        span.end = span.end.min(span.start + 4);
        "it runs to the end of the text; close it with the same three quotes"
    } else {
        "close it with the same quote on its line; text over several lines stands in three quotes"
    };
    let diag = Diag::new("E0005", "the closing quote is missing").label(span, "this string is not closed").hint(hint);
    lex.extras.errors.push(diag);
}

/// Lexes `text[range]`. Errors, comments and literals go to the pool; faulty text comes out as [`Token::Error`].
pub fn lex(text: &str, range: Range<usize>, pool: &mut Pool) -> Vec<(Token, Span)> {
    pool.base = range.start;
    let source = pool.source;
    let piece = &text[range.clone()];
    let mut tokens: Vec<(Token, Span)> = Vec::with_capacity(piece.len() / 3);
    let mut lexer = Token::lexer_with_extras(piece, std::mem::take(pool));
    let mut reported = lexer.extras.errors.len();
    // The first lexical fault of a line; what follows on it are mostly consequences.
    let mut fault_on_line = false;
    while let Some(result) = lexer.next() {
        let span = span_of(&lexer);
        let mut token = match result {
            Ok(Token::Int(_) | Token::Float(_)) => number_token(lexer.slice(), span, &mut lexer.extras),
            Ok(token) => token,
            Err(()) => Token::Error,
        };
        let previous = tokens.last_mut();
        if token == Token::Error {
            if lexer.extras.errors.len() == reported {
                lexer.extras.unknown += 1;
                if let Some((Token::Error, last)) = previous
                    && last.end == span.start
                {
                    last.end = span.end;
                    continue;
                }
                lexer.extras.errors.push(unknown_character(lexer.slice(), span));
            }
            if fault_on_line || reported >= MAX_LEX_ERRORS {
                lexer.extras.errors.truncate(reported);
            }
            fault_on_line = true;
        } else if token == Token::Newline {
            fault_on_line = false;
        } else if token.is_keyword() && matches!(previous, Some((Token::Dot, _))) {
            token = Token::Ident(Symbol::new(lexer.slice()));
        } else if token == Token::In
            && let Some((last @ Token::Not, at)) = previous
        {
            *last = Token::NotIn;
            at.end = span.end;
            continue;
        }
        reported = lexer.extras.errors.len();
        tokens.push((token, span));
    }
    *pool = lexer.extras;
    pool.source = source;
    tokens
}

/// Characters that look like one of ours: (theirs, ours).
const LOOKALIKES: &[(&str, &str)] = &[
    ("“”„«»", "\""),
    ("‘’‚`´", "'"),
    ("–—−", "-"),
    ("×·", "*"),
    ("÷", "/"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("→", "|>"),
    ("，", ","),
    ("（", "("),
    ("）", ")"),
    ("：", ":"),
    ("；", ";"),
    ("…", "..."),
    ("√", "sqrt"),
    ("²", "** 2"),
    ("\u{a0}\u{2003}\u{2009}\u{3000}\u{feff}\u{200b}", "a plain space"),
];

fn unknown_character(text: &str, span: Span) -> Diag {
    let c = text.chars().next().unwrap_or('?');
    let shown = if c.is_control() || c.is_whitespace() { format!("U+{:04X}", c as u32) } else { format!("`{c}`") };
    let diag = Diag::new("E0009", format!("the character {shown} has no meaning here")).label(span, "");
    if let Some((_, ours)) = LOOKALIKES.iter().find(|(theirs, _)| theirs.contains(c)) {
        let ours = if ours.starts_with('a') { (*ours).to_owned() } else { format!("`{ours}`") };
        return diag.hint(format!("write {ours}"));
    }
    match c {
        '\\' => diag.hint("a line goes on inside brackets and after an operator, without a backslash"),
        '$' => diag.hint("names start with a letter or `_`"),
        _ => diag,
    }
}
