//! The statement driver: cuts tokens into statements and blocks and hands the pieces to the parsers.

use super::check;
use super::fault;
use super::grammar::{Grammar, Rest, Rule, Simple, State};
use crate::base::{Diag, SourceId, Span};
use crate::lang::ast::*;
use crate::lang::bracket::{MAX_NESTING, Structured};
use crate::lang::token::Token;
use chumsky::Parser as _;
use chumsky::input::Input as _;
use chumsky::inspector::SimpleState;
use std::sync::Arc;

/// A run of tokens with their brackets.
#[derive(Clone, Copy)]
pub struct Piece<'t> {
    pub all: &'t Structured,
    pub from: usize,
    pub to: usize,
    /// Where the piece stands, for the case that it is empty.
    pub span: Span,
}

impl<'t> Piece<'t> {
    pub fn of(all: &'t Structured, span: Span) -> Piece<'t> {
        Piece { all, from: 0, to: all.tokens.len(), span }
    }

    pub fn tokens(&self) -> &'t [(Token, Span)] {
        &self.all.tokens[self.from..self.to]
    }

    pub fn get(&self, at: usize) -> Option<Token> {
        if at < self.to { self.all.tokens.get(at).map(|(t, _)| *t) } else { None }
    }

    /// The same brackets, other bounds.
    pub fn cut(&self, from: usize, to: usize) -> Piece<'t> {
        let (from, to) = (from.min(self.to), to.min(self.to));
        let before = from.checked_sub(1).map(|i| self.all.tokens[i].1);
        let span = before.map_or(self.span, |s| Span { start: s.end, ..s });
        Piece { all: self.all, from, to: to.max(from), span }
    }

    /// From the first token to the last one.
    pub fn extent(&self) -> Span {
        match self.tokens() {
            [] => Span { end: self.span.start, ..self.span },
            [(_, only)] => *only,
            [(_, first), .., (_, last)] => first.to(*last),
        }
    }

    fn poisoned(&self) -> bool {
        let poison = &self.all.poison;
        let next = poison.partition_point(|p| (*p as usize) < self.from);
        poison.get(next).is_some_and(|p| (*p as usize) < self.to)
    }

    /// The first token outside brackets that `wanted` accepts.
    fn find(&self, wanted: impl Fn(Token) -> bool) -> Option<usize> {
        let mut at = self.from;
        while let Some(token) = self.get(at) {
            if wanted(token) {
                return Some(at);
            }
            at = if token.opens() { self.closing(at) + 1 } else { at + 1 };
        }
        None
    }

    fn closing(&self, open: usize) -> usize {
        (self.all.close_of[open] as usize).clamp(open, self.to)
    }
}

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
struct Place {
    in_fn: bool,
    in_loop: bool,
}

pub struct Driver<'g, 't> {
    pub text: &'t str,
    pub source: SourceId,
    pub grammar: &'g Grammar<'t>,
    pub state: SimpleState<State>,
    /// A head of another language was reported: what follows may belong to its block.
    foreign: bool,
    place: Place,
    /// Blocks inside one another; deeper ones than permitted have been reported by the bracket pass.
    depth: usize,
}

impl<'g, 't> Driver<'g, 't> {
    pub fn new(text: &'t str, source: SourceId, grammar: &'g Grammar<'t>, state: SimpleState<State>) -> Self {
        Driver { text, source, grammar, state, foreign: false, place: Place::default(), depth: 0 }
    }

    pub fn script(&mut self, all: &'t Structured) -> Vec<Stmt> {
        let span = Span::new(self.source, 0, 0);
        self.block(Piece::of(all, span))
    }

    fn error(&mut self, diag: Diag) {
        self.foreign |= diag.code == "E0016";
        self.state.errors.push(diag);
    }

    /// Runs a parser over a piece; a fault is reported, unless one of this piece was reported before.
    pub fn run<O>(&mut self, rule: &Rule<'t, O>, piece: Piece<'t>) -> Option<O> {
        if piece.poisoned() {
            return None;
        }
        let extent = piece.extent();
        let end = Span { start: extent.end, ..extent };
        let result = rule.parse_with_state(piece.tokens().split_token_span(end), &mut self.state);
        let (output, errors) = result.into_output_errors();
        if let Some(oops) = errors.first() {
            let diag = fault::describe(self.text, piece, oops);
            let consequence = self.foreign && oops.found == Some(Token::Else);
            if !consequence {
                self.error(diag);
            }
            return None;
        }
        output
    }

    fn block(&mut self, piece: Piece<'t>) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut at = piece.from;
        while let Some(token) = piece.get(at) {
            if matches!(token, Token::Newline | Token::Semi) {
                at += 1;
                continue;
            }
            let rest = piece.cut(at, piece.to);
            let end = rest.find(|t| matches!(t, Token::Newline | Token::Semi)).unwrap_or(piece.to);
            let mut line = piece.cut(at, end);
            // A block that opens on the next line is reported once and taken as the head's.
            let opens_late = piece.get(end) == Some(Token::Newline) && piece.get(end + 1) == Some(Token::LBrace);
            if opens_late && takes_block(token) && line.find(|t| t == Token::LBrace).is_none() {
                self.error(fault::late_block(piece.all.tokens[end + 1].1));
                self.braces(piece, end + 1, Place { in_fn: true, in_loop: true });
                let rest = piece.cut(end + 1, piece.to);
                let end = rest.find(|t| matches!(t, Token::Newline | Token::Semi)).unwrap_or(piece.to);
                line = piece.cut(end, end);
            }
            let quiet = piece.get(line.to) == Some(Token::Semi);
            let span = line.extent();
            if let Some(kind) = self.statement(line) {
                let quiet = quiet && matches!(kind, StmtKind::Expr(_));
                out.push(Stmt { kind, span, quiet });
            }
            at = line.to.max(at + 1);
        }
        out
    }

    fn statement(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        let rest = line.cut(line.from + 1, line.to);
        match line.get(line.from)? {
            Token::Fn => self.function(line),
            Token::If => self.branches(line),
            Token::For => self.for_loop(line),
            Token::While => self.while_loop(line),
            Token::Break => self.jump(line, StmtKind::Break, "break"),
            Token::Continue => self.jump(line, StmtKind::Continue, "continue"),
            Token::Return => self.return_statement(line),
            Token::Assert => {
                let (cond, message) = self.run(&self.grammar.assert, rest)?;
                Some(StmtKind::Assert { cond, message })
            }
            Token::Import => self.import(line),
            Token::Del => self.del(rest),
            Token::Ident(s) if s.as_str() == "explain" => {
                if line.get(line.from + 1) == Some(Token::Assign) {
                    self.error(fault::keyword_target(line, "explain"));
                    return None;
                }
                self.run(&self.grammar.expr, rest).map(StmtKind::Explain)
            }
            _ => {
                if let Some(diag) = fault::foreign_statement(self.text, line) {
                    self.error(diag);
                    return None;
                }
                let simple = self.run(&self.grammar.simple, line)?;
                Some(self.simple(simple))
            }
        }
    }

    fn simple(&mut self, simple: Simple) -> StmtKind {
        let errors = &mut self.state.errors;
        match simple.rest {
            Rest::Nothing => {
                if simple.bare {
                    errors.push(fault::bare_tuple(simple.first.span));
                }
                StmtKind::Expr(simple.first)
            }
            Rest::OpAssign(op, op_span, value) => {
                check::op_target(&simple.first, errors);
                StmtKind::OpAssign { target: simple.first, op, op_span, value }
            }
            Rest::Assign(annotation, mut values) => {
                // There is at least one value: the rule wants one behind each `=`.
                let value = values.pop().unwrap_or_else(|| simple.first.clone());
                let targets: Vec<Target> =
                    std::iter::once(simple.first).chain(values).map(|e| check::target(e, errors)).collect();
                if let Some(a) = &annotation
                    && !matches!(targets[..], [Target::Name(_)])
                {
                    let diag = Diag::new("E0033", "an annotation belongs to one plain name");
                    errors.push(diag.label(a.span, "annotates more than that"));
                }
                StmtKind::Assign { targets, annotation, value }
            }
        }
    }

    /// The block whose brace stands at `open`.
    fn braces(&mut self, line: Piece<'t>, open: usize, place: Place) -> Block {
        if self.depth >= MAX_NESTING {
            return Vec::new();
        }
        let outer = std::mem::replace(&mut self.place, place);
        self.depth += 1;
        let block = self.block(line.cut(open + 1, line.closing(open)));
        self.depth -= 1;
        self.place = outer;
        block
    }

    /// Complains where something follows the end of a block on its line.
    fn ends_at(&mut self, line: Piece<'t>, close: usize) {
        let tail = line.cut(close + 1, line.to);
        if !tail.tokens().is_empty() && !tail.poisoned() {
            self.error(fault::behind_block(self.text, tail));
        }
    }

    /// Where the block of a head starts; complains where there is none.
    fn block_start(&mut self, line: Piece<'t>, from: usize, what: &str) -> Option<usize> {
        let head = line.cut(from, line.to);
        let open = head.find(|t| t == Token::LBrace);
        if open.is_none() && !head.poisoned() {
            self.error(fault::no_block(self.text, line, head, what));
        }
        open
    }

    fn branches(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        let mut arms = Vec::new();
        let mut at = line.from + 1;
        loop {
            let open = self.block_start(line, at, "if")?;
            let cond = self.run(&self.grammar.expr, line.cut(at, open));
            let body = self.braces(line, open, self.place);
            arms.extend(cond.map(|c| (c, body)));
            let close = line.closing(open);
            if line.get(close + 1) != Some(Token::Else) {
                self.ends_at(line, close);
                return Some(StmtKind::If { arms, otherwise: None });
            }
            match line.get(close + 2) {
                Some(Token::If) => at = close + 3,
                Some(Token::LBrace) => {
                    let otherwise = self.braces(line, close + 2, self.place);
                    self.ends_at(line, line.closing(close + 2));
                    return Some(StmtKind::If { arms, otherwise: Some(otherwise) });
                }
                _ => {
                    self.error(fault::no_block(self.text, line, line.cut(close + 2, line.to), "else"));
                    return None;
                }
            }
        }
    }

    fn loop_place(&self) -> Place {
        Place { in_loop: true, ..self.place }
    }

    fn for_loop(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        let open = self.block_start(line, line.from + 1, "for")?;
        let head = self.run(&self.grammar.for_head, line.cut(line.from + 1, open));
        let body = self.braces(line, open, self.loop_place());
        self.ends_at(line, line.closing(open));
        let (target, iter) = head?;
        Some(StmtKind::For { target, iter, body })
    }

    fn while_loop(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        let open = self.block_start(line, line.from + 1, "while")?;
        let cond = self.run(&self.grammar.expr, line.cut(line.from + 1, open));
        let body = self.braces(line, open, self.loop_place());
        self.ends_at(line, line.closing(open));
        Some(StmtKind::While { cond: cond?, body })
    }

    fn jump(&mut self, line: Piece<'t>, kind: StmtKind, word: &str) -> Option<StmtKind> {
        if !self.place.in_loop && !self.foreign {
            self.error(fault::outside(line, "E0018", word, "a loop"));
        }
        let tail = line.cut(line.from + 1, line.to);
        if !tail.tokens().is_empty() && !tail.poisoned() {
            self.error(fault::behind_block(self.text, tail));
        }
        Some(kind)
    }

    fn return_statement(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        if !self.place.in_fn && !self.foreign {
            self.error(fault::outside(line, "E0019", "return", "a function"));
        }
        let rest = line.cut(line.from + 1, line.to);
        if rest.tokens().is_empty() {
            return Some(StmtKind::Return(None));
        }
        self.run(&self.grammar.values, rest).map(|value| StmtKind::Return(Some(value)))
    }

    fn function(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        let at = line.from + 1;
        let (Some(Token::Ident(symbol)), Some(Token::LParen)) = (line.get(at), line.get(at + 1)) else {
            if !line.poisoned() {
                self.error(fault::function_head(self.text, line));
            }
            return None;
        };
        let name = Name { symbol, span: line.all.tokens[at].1 };
        let close = line.closing(at + 1);
        let params = self.run(&self.grammar.params, line.cut(at + 2, close));
        let body = match line.get(close + 1) {
            Some(Token::Assign) => self.run(&self.grammar.values, line.cut(close + 2, line.to)).map(FnBody::Expr),
            Some(Token::LBrace) => {
                let block = self.braces(line, close + 1, Place { in_fn: true, in_loop: false });
                self.ends_at(line, line.closing(close + 1));
                Some(FnBody::Block(block))
            }
            _ if line.poisoned() => None,
            _ => {
                self.error(fault::no_block(self.text, line, line.cut(close + 1, line.to), "fn"));
                None
            }
        };
        let def = FnDef { name: Some(name), params: params?, body: body?, span: line.extent() };
        Some(StmtKind::Fn(Arc::new(def)))
    }

    fn import(&mut self, line: Piece<'t>) -> Option<StmtKind> {
        if line.poisoned() {
            return None;
        }
        if let [(_, _), (Token::Str(i), path_span), (Token::As, _), (Token::Ident(symbol), span)] = line.tokens() {
            let path = self.state.pool.strings[*i as usize].to_string();
            return Some(StmtKind::Import {
                path,
                path_span: *path_span,
                alias: Name { symbol: *symbol, span: *span },
            });
        }
        self.error(fault::import_form(line));
        None
    }

    fn del(&mut self, rest: Piece<'t>) -> Option<StmtKind> {
        let mut names = Vec::new();
        for (i, (token, span)) in rest.tokens().iter().enumerate() {
            match token {
                Token::Ident(symbol) if i % 2 == 0 => names.push(Name { symbol: *symbol, span: *span }),
                Token::Comma if i % 2 == 1 => {}
                _ if rest.poisoned() => return None,
                _ => {
                    self.error(fault::del_form(*span));
                    return None;
                }
            }
        }
        if names.is_empty() {
            self.error(fault::del_form(rest.extent()));
            return None;
        }
        Some(StmtKind::Del(names))
    }
}

fn takes_block(token: Token) -> bool {
    matches!(token, Token::If | Token::For | Token::While | Token::Fn)
}
