//! The types that all parsers share, and what a failed parse remembers.

use crate::base::{Diag, SourceId, Span};
use crate::lang::ast::{Annotation, BinaryOp, Expr, FPart, Param, Target};
use crate::lang::token::{Pool, Token};
use chumsky::error::{Error, LabelError};
use chumsky::input::MappedInput;
use chumsky::inspector::SimpleState;
use chumsky::util::MaybeRef;
use chumsky::{Boxed, DefaultExpected, extra};
use std::ops::Range;

pub type Tokens<'t> = MappedInput<'t, Token, Span, &'t [(Token, Span)]>;
pub type Session = SimpleState<State>;
pub type Extra = extra::Full<Oops, Session, ()>;
pub type Rule<'t, O> = Boxed<'t, 't, Tokens<'t>, O, Extra>;

/// What parsers read and write beside tokens.
#[derive(Default, Debug)]
pub struct State {
    pub pool: Pool,
    /// Parsed f-strings, by the index in their token.
    pub fstrings: Vec<Vec<FPart>>,
    pub errors: Vec<Diag>,
}

/// One parser for each kind of slice that the statement driver cuts.
pub struct Grammar<'t> {
    pub expr: Rule<'t, Expr>,
    pub simple: Rule<'t, Simple>,
    pub for_head: Rule<'t, (Target, Expr)>,
    pub params: Rule<'t, Vec<Param>>,
    /// An expression or a bare tuple, behind `return`
    pub values: Rule<'t, Expr>,
    /// `cond` or `cond, message`
    pub assert: Rule<'t, (Expr, Option<Expr>)>,
    /// What stands between the braces of an f-string
    pub field: Rule<'t, Expr>,
}

/// A statement without a keyword, before its targets are checked.
pub struct Simple {
    pub first: Expr,
    /// `first` is a tuple without brackets.
    pub bare: bool,
    pub rest: Rest,
}

pub enum Rest {
    Nothing,
    /// `= b = value`
    Assign(Option<Annotation>, Vec<Expr>),
    OpAssign(BinaryOp, Span, Expr),
}

impl chumsky::span::Span for Span {
    type Context = SourceId;
    type Offset = u32;

    fn new(source: SourceId, range: Range<u32>) -> Span {
        Span { source, start: range.start, end: range.end }
    }

    fn context(&self) -> SourceId {
        self.source
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn end(&self) -> u32 {
        self.end
    }
}

/// What could have stood where a parse failed, as a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wanted(pub u32);

impl Wanted {
    pub const EXPRESSION: Wanted = Wanted(1);
    pub const NAME: Wanted = Wanted(1 << 1);
    pub const COMMA: Wanted = Wanted(1 << 2);
    pub const COLON: Wanted = Wanted(1 << 3);
    pub const CLOSE: Wanted = Wanted(1 << 4);
    pub const ELSE: Wanted = Wanted(1 << 5);
    pub const IN: Wanted = Wanted(1 << 6);
    pub const END: Wanted = Wanted(1 << 7);
    pub const ASSIGN: Wanted = Wanted(1 << 8);
    pub const DIMENSION: Wanted = Wanted(1 << 9);

    pub fn has(self, other: Wanted) -> bool {
        self.0 & other.0 != 0
    }

    fn of(expected: DefaultExpected<'_, Token>) -> Wanted {
        match expected {
            DefaultExpected::Token(token) => match *token {
                Token::Comma => Wanted::COMMA,
                Token::Colon => Wanted::COLON,
                Token::RParen | Token::RBracket => Wanted::CLOSE,
                Token::Else => Wanted::ELSE,
                Token::In => Wanted::IN,
                Token::Assign => Wanted::ASSIGN,
                _ => Wanted(0),
            },
            DefaultExpected::EndOfInput => Wanted::END,
            _ => Wanted(0),
        }
    }
}

/// A failed parse: where, and what would have been fine there. Small, since parsers make one at every dead end.
#[derive(Clone, Copy, Debug)]
pub struct Oops {
    pub span: Span,
    pub found: Option<Token>,
    pub wanted: Wanted,
}

impl<'t> Error<'t, Tokens<'t>> for Oops {
    fn merge(mut self, other: Self) -> Self {
        self.wanted.0 |= other.wanted.0;
        self
    }
}

impl<'t> LabelError<'t, Tokens<'t>, DefaultExpected<'t, Token>> for Oops {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'t, Token>>>(
        expected: E,
        found: Option<MaybeRef<'t, Token>>,
        span: Span,
    ) -> Self {
        let bits = expected.into_iter().fold(0, |bits, e| bits | Wanted::of(e).0);
        Oops { span, found: found.map(|t| *t), wanted: Wanted(bits) }
    }
}

impl<'t> LabelError<'t, Tokens<'t>, Wanted> for Oops {
    fn expected_found<E: IntoIterator<Item = Wanted>>(
        expected: E,
        found: Option<MaybeRef<'t, Token>>,
        span: Span,
    ) -> Self {
        let bits = expected.into_iter().fold(0, |bits, e| bits | e.0);
        Oops { span, found: found.map(|t| *t), wanted: Wanted(bits) }
    }

    fn label_with(&mut self, label: Wanted) {
        self.wanted = label;
    }
}
