//! Statements and blocks to lines, with the comments and empty lines of the source where there is one.

use super::expr::{annotation, bare, params, pieces, quote, target};
use super::layout::{Piece, fit};
use crate::base::{SourceId, Span};
use crate::lang::ast::*;
use crate::lang::bracket::structure;
use crate::lang::token::{Pool, Token, lex};

/// What the tree does not hold: comments, and where blocks end.
pub struct Trivia<'s> {
    text: &'s str,
    comments: Vec<Span>,
    /// The next comment to print
    next: usize,
    /// The end of what has been printed, in the source
    last: usize,
    /// (start of `{`, start of its `}`), ascending
    braces: Vec<(usize, usize)>,
}

impl<'s> Trivia<'s> {
    /// Of a text without syntax errors.
    pub fn of(source: SourceId, text: &'s str) -> Trivia<'s> {
        let mut pool = Pool { source, ..Pool::default() };
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let all = structure(lex(text, start..text.len(), &mut pool), false);
        let brace = |(i, (token, span)): (usize, &(Token, Span))| {
            let close = all.tokens.get(*all.close_of.get(i)? as usize)?;
            (*token == Token::LBrace).then_some((span.start as usize, close.1.start as usize))
        };
        let braces = all.tokens.iter().enumerate().filter_map(brace).collect();
        Trivia { text, comments: pool.comments, next: 0, last: 0, braces }
    }

    /// The braces of the first block that opens at or behind a position.
    fn block_braces(&self, from: usize) -> (usize, usize) {
        let at = self.braces.partition_point(|(open, _)| *open < from);
        self.braces.get(at).copied().unwrap_or((from, self.text.len()))
    }

    fn newlines(&self, to: usize) -> usize {
        self.text.get(self.last..to).map_or(0, |s| s.bytes().filter(|b| *b == b'\n').count())
    }
}

pub struct Printer<'s> {
    out: String,
    indent: usize,
    /// Nothing stands yet in the text or the block.
    at_start: bool,
    trivia: Option<Trivia<'s>>,
}

impl<'s> Printer<'s> {
    pub fn new(trivia: Option<Trivia<'s>>) -> Printer<'s> {
        Printer { out: String::new(), indent: 0, at_start: true, trivia }
    }

    pub fn script(mut self, script: &[Stmt]) -> String {
        self.statements(script, usize::MAX);
        self.out
    }

    fn start_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// One empty line where the source has some before `at` (not at the start of a block).
    fn empty_line(&mut self, at: usize) {
        let wanted = self.trivia.as_ref().is_some_and(|t| t.newlines(at) > 1);
        if wanted && !self.at_start {
            self.end_line();
            self.out.push('\n');
        }
        self.at_start = false;
    }

    fn end_line(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Prints the comments that stand before `limit`.
    fn comments(&mut self, limit: usize) {
        while let Some(t) = &mut self.trivia {
            let Some(span) = t.comments.get(t.next).copied().filter(|s| (s.start as usize) < limit) else { return };
            t.next += 1;
            let (start, text) = (span.start as usize, t.text);
            let trailing = t.newlines(start) == 0 && !self.out.is_empty();
            let comment = text.get(start..span.end as usize).unwrap_or("").trim_end().to_owned();
            if trailing && self.out.ends_with('\n') {
                self.out.pop();
            }
            if trailing {
                self.out.push_str("  ");
            } else {
                self.empty_line(start);
                self.start_line();
            }
            self.out.push_str(&comment);
            self.out.push('\n');
            if let Some(t) = &mut self.trivia {
                t.last = span.end as usize;
            }
        }
    }

    fn statements(&mut self, block: &[Stmt], end: usize) {
        for stmt in block {
            self.comments(stmt.span.start as usize);
            // Comments between the parts of a simple statement move before it.
            if !holds_block(&stmt.kind) {
                self.inner_comments(stmt.span);
            }
            self.empty_line(stmt.span.start as usize);
            self.start_line();
            self.statement(stmt);
            if stmt.quiet {
                self.out.push(';');
            }
            self.end_line();
            self.printed_to(stmt.span.end as usize);
        }
        self.comments(end);
    }

    fn printed_to(&mut self, at: usize) {
        if let Some(t) = &mut self.trivia {
            t.last = t.last.max(at);
        }
    }

    fn inner_comments(&mut self, span: Span) {
        while let Some(t) = &mut self.trivia {
            let Some(c) = t.comments.get(t.next).copied().filter(|c| c.start < span.end) else { return };
            t.next += 1;
            let comment = t.text.get(c.start as usize..c.end as usize).unwrap_or("").trim_end().to_owned();
            self.empty_line(span.start as usize);
            self.printed_to(span.start as usize);
            self.start_line();
            self.out.push_str(&comment);
            self.out.push('\n');
        }
    }

    /// Appends pieces, broken where the line grows too long.
    fn write(&mut self, pieces: &[Piece], reserved: usize) {
        let line_start = self.out.rfind('\n').map_or(0, |n| n + 1);
        let column = self.out[line_start..].chars().count();
        let text = fit(pieces, self.indent, column, reserved);
        self.out.push_str(&text);
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn expr(&mut self, e: &Expr) {
        self.write(&pieces(e), 0);
    }

    /// ` { … }`; the head ends at `head` in the source.
    fn block(&mut self, block: &[Stmt], head: usize) -> usize {
        let (open, end) = self.trivia.as_ref().map_or((head, usize::MAX), |t| t.block_braces(head));
        let commented =
            self.trivia.as_ref().is_some_and(|t| t.comments.get(t.next).is_some_and(|c| (c.start as usize) < end));
        if block.is_empty() && !commented {
            self.text(" { }");
            return end;
        }
        self.text(" {");
        self.printed_to(open);
        self.indent += 2;
        self.at_start = true;
        self.statements(block, end);
        self.at_start = false;
        self.indent -= 2;
        self.start_line();
        self.text("}");
        self.printed_to(end);
        end
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Explain(e) => {
                self.text("explain ");
                self.expr(e);
            }
            StmtKind::Assign { targets, annotation: note, value } => self.assign(targets, note.as_ref(), value),
            StmtKind::OpAssign { target, op, value, .. } => {
                self.expr(target);
                self.text(&format!(" {}= ", op.symbol()));
                self.expr(value);
            }
            StmtKind::Fn(def) => self.function(def),
            StmtKind::If { arms, otherwise } => self.branches(arms, otherwise.as_ref()),
            StmtKind::For { target: t, iter, body } => {
                self.text("for ");
                self.write(&target(t, true), 0);
                self.text(" in ");
                self.write(&pieces(iter), 2);
                self.block(body, iter.span.end as usize);
            }
            StmtKind::While { cond, body } => {
                self.text("while ");
                self.write(&pieces(cond), 2);
                self.block(body, cond.span.end as usize);
            }
            StmtKind::Break => self.text("break"),
            StmtKind::Continue => self.text("continue"),
            StmtKind::Return(None) => self.text("return"),
            StmtKind::Return(Some(e)) => {
                self.text("return ");
                self.write(&bare(e), 0);
            }
            StmtKind::Assert { cond, message } => {
                self.text("assert ");
                self.expr(cond);
                if let Some(m) = message {
                    self.text(", ");
                    self.expr(m);
                }
            }
            StmtKind::Import { path, alias, .. } => {
                self.text(&format!("import {} as {}", quote(path), alias.symbol));
            }
            StmtKind::Del(names) => {
                let names: Vec<&str> = names.iter().map(|n| n.symbol.as_str()).collect();
                self.text(&format!("del {}", names.join(", ")));
            }
        }
    }

    fn assign(&mut self, targets: &[Target], note: Option<&Annotation>, value: &Expr) {
        for t in targets {
            self.write(&target(t, true), 0);
            if let Some(a) = note {
                self.text(&format!(": {}", annotation(a)));
            }
            self.text(" = ");
        }
        let tuples = targets.iter().all(|t| matches!(t, Target::Tuple(..)));
        self.write(&if tuples { bare(value) } else { pieces(value) }, 0);
    }

    fn function(&mut self, def: &FnDef) {
        let Some(name) = def.name else { return };
        self.text(&format!("fn {}(", name.symbol));
        let mut head = vec![Piece::Open { fill: false }];
        head.extend(params(&def.params));
        head.push(Piece::Close);
        head.push(Piece::Text(")".to_owned()));
        self.write(&head, 3);
        match &def.body {
            FnBody::Expr(e) => {
                self.text(" = ");
                self.expr(e);
            }
            FnBody::Block(block) => {
                self.block(block, name.span.end as usize);
            }
        }
    }

    fn branches(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>) {
        let mut end = 0;
        for (i, (cond, body)) in arms.iter().enumerate() {
            self.text(if i > 0 { " else if " } else { "if " });
            self.write(&pieces(cond), 2);
            end = self.block(body, cond.span.end as usize);
        }
        if let Some(body) = otherwise {
            self.text(" else");
            self.block(body, end);
        }
    }
}

fn holds_block(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::While { .. } => true,
        StmtKind::Fn(def) => matches!(def.body, FnBody::Block(_)),
        _ => false,
    }
}
