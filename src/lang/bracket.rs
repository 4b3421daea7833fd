//! The pass between lexer and parser: decides which newlines end statements, matches brackets, and refuses what is
//! nested too deeply. Behind it every bracket has a partner and every walk over the tree fits the stack.

use super::token::Token;
use crate::base::{Diag, Span};

/// Brackets, lambdas, signs, `**` and `else` inside one another.
pub const MAX_NESTING: usize = 256;
/// The depth of the syntax tree: operators that stand one after another (`1 + 1 + …`, `x.a.b…`) make it deep.
pub const MAX_SPINE: usize = 10_000;

/// Tokens ready for the parser.
#[derive(Default, Debug)]
pub struct Structured {
    /// Without newlines that do not count.
    pub tokens: Vec<(Token, Span)>,
    /// For an opening bracket the index of its closing one (of the token behind its content where that is missing).
    pub close_of: Vec<u32>,
    /// Tokens at which a fault was reported, ascending: statements that hold one are not parsed.
    pub poison: Vec<u32>,
    pub errors: Vec<Diag>,
    /// Some bracket is open at the end of the text.
    pub open_at_end: bool,
}

/// An open bracket (or the whole text) and how deep the tree of its current item is at most.
struct Frame {
    open: Option<(usize, Token)>,
    /// Operators of the current item.
    operators: usize,
    /// The deepest bracket of the current item.
    child: usize,
    /// The deepest item so far.
    deepest: usize,
    /// Nesting without brackets: `lambda` and `else` until the item ends, signs and `**` until the next operator.
    right: usize,
    signs: usize,
    lambdas: usize,
    /// The last colon belongs to a lambda.
    lambda_colon: bool,
}

impl Frame {
    fn new(open: Option<(usize, Token)>) -> Frame {
        Frame { open, operators: 0, child: 0, deepest: 0, right: 0, signs: 0, lambdas: 0, lambda_colon: false }
    }

    fn end_item(&mut self) -> usize {
        self.deepest = self.deepest.max(self.operators + self.child);
        let released = self.right + self.signs;
        (self.operators, self.child, self.right, self.signs) = (0, 0, 0, 0);
        released
    }
}

struct Pass {
    out: Structured,
    frames: Vec<Frame>,
    /// Frames and the `right` and `signs` of all of them.
    nesting: usize,
    /// Open brackets of each kind: a search for a kind that is not open would be in vain.
    open: [usize; 3],
    /// A fault of this statement was reported; further ones are consequences.
    reported: bool,
}

/// Whether a line that ends with this token goes on. `lambda …:` is told apart by the caller.
pub(super) fn goes_on(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        And | Or | In | NotIn | Else | Comma | Assign | Pipe | DotDot | Op(_) | OpAssign(_) | Compare(_) | Foreign
    )
}

/// Whether the tokens continue the line before: `.name`, `|>` or `else`.
fn continues(rest: &[(Token, Span)]) -> bool {
    match rest.first() {
        Some((Token::Pipe | Token::Else, _)) => true,
        Some((Token::Dot, _)) => matches!(rest.get(1), Some((Token::Ident(_), _))),
        _ => false,
    }
}

/// Runs the pass. `inside` says that the tokens stand inside brackets that are not among them (a field of an f-string).
pub fn structure(tokens: Vec<(Token, Span)>, inside: bool) -> Structured {
    let mut pass =
        Pass { out: Structured::default(), frames: vec![Frame::new(None)], nesting: 1, open: [0; 3], reported: false };
    pass.out.tokens.reserve(tokens.len());
    pass.out.close_of.reserve(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let (token, span) = tokens[i];
        i += 1;
        if token == Token::Newline {
            let mut next = i;
            while tokens.get(next).is_some_and(|(t, _)| *t == Token::Newline) {
                next += 1;
            }
            i = next;
            if pass.newline_counts(inside) && !continues(&tokens[next..]) {
                pass.end_statement();
                pass.push(token, span);
            }
            continue;
        }
        pass.token(token, span);
    }
    pass.finish()
}

impl Pass {
    fn push(&mut self, token: Token, span: Span) {
        self.out.tokens.push((token, span));
        self.out.close_of.push(0);
    }

    fn previous(&self) -> Option<Token> {
        self.out.tokens.last().map(|(t, _)| *t)
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::new(None));
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn newline_counts(&mut self, inside: bool) -> bool {
        match self.frame().open {
            None if inside => return false,
            None | Some((_, Token::LBrace)) => {}
            Some(_) => return false,
        }
        match self.previous() {
            None | Some(Token::Newline | Token::Semi | Token::LBrace) => false,
            Some(Token::Colon) => !self.frame().lambda_colon,
            Some(t) => !goes_on(t),
        }
    }

    fn end_statement(&mut self) {
        self.reported = false;
        let released = self.frame().end_item();
        self.frame().lambdas = 0;
        self.nesting -= released;
    }

    fn report(&mut self, diag: Diag) {
        let at = self.out.tokens.len().saturating_sub(1) as u32;
        if self.out.poison.last() != Some(&at) {
            self.out.poison.push(at);
        }
        if !self.reported {
            self.out.errors.push(diag);
        }
        self.reported = true;
    }

    fn token(&mut self, token: Token, span: Span) {
        let after_operand = self.previous().is_some_and(Token::ends_operand);
        let after_brace = self.previous() == Some(Token::RBrace);
        self.push(token, span);
        if token == Token::Error {
            let at = (self.out.tokens.len() - 1) as u32;
            self.out.poison.push(at);
        } else if token.opens() {
            self.open(token, span, after_operand);
        } else if token.closes() {
            self.close(token, span);
        } else {
            self.count(token, span, after_operand, after_brace);
        }
    }

    /// Keeps the books of operators and of nesting without brackets.
    fn count(&mut self, token: Token, span: Span, after_operand: bool, after_brace: bool) {
        use Token::*;
        match token {
            Comma | Semi => {
                let released = self.frame().end_item();
                self.nesting -= released;
                if token == Semi {
                    self.reported = false;
                }
                return;
            }
            Colon => {
                let frame = self.frame();
                frame.lambda_colon = frame.lambdas > 0;
                frame.lambdas = frame.lambdas.saturating_sub(1);
                return;
            }
            Lambda => {
                self.frame().lambdas += 1;
                self.frame().right += 1;
                self.nesting += 1;
            }
            // `} else {` is no operator.
            Else if after_brace => return,
            Else => {
                self.frame().right += 1;
                self.nesting += 1;
            }
            Tilde => {
                self.frame().signs += 1;
                self.nesting += 1;
            }
            Op(op) if !after_operand || op == super::ast::BinaryOp::Pow => {
                self.frame().signs += 1;
                self.nesting += 1;
            }
            Op(_) | And | Or | In | NotIn | Compare(_) | DotDot | If | Pipe => {
                let signs = std::mem::take(&mut self.frame().signs);
                self.nesting -= signs;
            }
            Not | Dot => {}
            _ => return,
        }
        self.frame().operators += 1;
        self.check(span);
    }

    fn check(&mut self, span: Span) {
        if self.nesting > MAX_NESTING {
            let diag = Diag::new("E0024", format!("this is nested deeper than {MAX_NESTING} levels"))
                .label(span, "here")
                .hint("give inner parts names of their own");
            self.report(diag);
        }
        if self.frame().operators + self.frame().child > MAX_SPINE {
            let diag = Diag::new("E0025", format!("more than {MAX_SPINE} operators stand in one expression"))
                .label(span, "here")
                .hint("put the operands in a list or a tensor and reduce it, or split the expression");
            self.report(diag);
        }
    }

    fn open(&mut self, token: Token, span: Span, after_operand: bool) {
        let at = self.out.tokens.len() - 1;
        if after_operand && token != Token::LBrace {
            self.frame().operators += 1;
        }
        self.nesting += 1;
        self.check(span);
        self.open[kind(token)] += 1;
        self.frames.push(Frame::new(Some((at, token))));
    }

    fn pop(&mut self, close: usize) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        let released = frame.end_item();
        self.nesting -= released + 1;
        if let Some((open, token)) = frame.open {
            self.open[kind(token)] -= 1;
            self.out.close_of[open] = close as u32;
        }
        let parent = self.frame();
        parent.child = parent.child.max(frame.deepest + 1);
    }

    fn close(&mut self, token: Token, span: Span) {
        let wanted = partner(token);
        let at = self.out.tokens.len() - 1;
        let is_open = self.open[kind(token)] > 0;
        let fitting =
            if is_open { self.frames.iter().rposition(|f| f.open.is_some_and(|(_, t)| t == wanted)) } else { None };
        let top = self.frame().open;
        match (top, fitting) {
            (Some((_, t)), _) if t == wanted => {}
            (None, _) | (Some((_, Token::LBrace)), None) => {
                let diag = Diag::new("E0004", format!("this `{}` closes nothing", text(token)))
                    .label(span, "no bracket is open here");
                return self.report(diag);
            }
            (Some((open, t)), Some(level)) => {
                let diag = Diag::new("E0002", format!("this `{}` is not closed", text(t)))
                    .label(self.out.tokens[open].1, "opened here")
                    .label(span, format!("`{}` comes before its `{}`", text(token), text(partner(t))));
                self.poison_at(open);
                self.report(diag);
                while self.frames.len() > level + 1 {
                    self.pop(at);
                }
            }
            (Some((open, t)), None) => {
                let diag = Diag::new("E0003", format!("`{}` is closed by `{}`", text(t), text(token)))
                    .label(span, format!("`{}` expected", text(partner(t))))
                    .label(self.out.tokens[open].1, "opened here");
                self.poison_at(open);
                self.report(diag);
            }
        }
        self.pop(at);
    }

    fn poison_at(&mut self, at: usize) {
        self.out.poison.push(at as u32);
    }

    fn finish(mut self) -> Structured {
        let end = self.out.tokens.len();
        self.out.open_at_end = self.frames.len() > 1;
        if let Some((open, token)) = self.frame().open {
            let diag = Diag::new("E0002", format!("this `{}` is not closed", text(token)))
                .label(self.out.tokens[open].1, "opened here")
                .hint(format!("add `{}`", text(partner(token))));
            if !self.reported {
                self.out.errors.push(diag);
            }
            self.poison_at(open);
        }
        while self.frames.len() > 1 {
            self.pop(end);
        }
        self.out.poison.sort_unstable();
        self.out
    }
}

fn kind(token: Token) -> usize {
    match token {
        Token::LParen | Token::RParen => 0,
        Token::LBracket | Token::RBracket => 1,
        _ => 2,
    }
}

fn partner(token: Token) -> Token {
    match token {
        Token::LParen => Token::RParen,
        Token::RParen => Token::LParen,
        Token::LBracket => Token::RBracket,
        Token::RBracket => Token::LBracket,
        Token::LBrace => Token::RBrace,
        _ => Token::LBrace,
    }
}

fn text(token: Token) -> &'static str {
    match token {
        Token::LParen => "(",
        Token::RParen => ")",
        Token::LBracket => "[",
        Token::RBracket => "]",
        Token::LBrace => "{",
        _ => "}",
    }
}
