//! Expressions, from `lambda` down to the operators; operands stand in [`super::operand`].

use super::grammar::{Extra, Rule, Tokens, Wanted};
use super::operand;
use crate::base::Span;
use crate::lang::ast::*;
use crate::lang::operators::level;
use crate::lang::token::Token;
use chumsky::pratt::{infix, left, none, prefix, right};
use chumsky::prelude::*;
use std::sync::Arc;

pub fn node(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

fn join(a: &Expr, b: &Expr) -> Span {
    a.span.to(b.span)
}

pub fn token<'t>(token: Token) -> impl Parser<'t, Tokens<'t>, Token, Extra> + Clone {
    just(token)
}

pub fn name<'t>() -> Rule<'t, Name> {
    select! { Token::Ident(symbol) = e => Name { symbol, span: e.span() } }.labelled(Wanted::NAME).boxed()
}

/// The parsers that others are made of.
#[derive(Clone)]
pub struct Exprs<'t> {
    /// Anything, `lambda` and `|>` included
    pub full: Rule<'t, Expr>,
    /// Down from `or`: what an iterable and a condition of a comprehension are
    pub or: Rule<'t, Expr>,
    /// Names, calls, indices: what a target is
    pub postfix: Rule<'t, Expr>,
}

pub fn exprs<'t>() -> Exprs<'t> {
    let mut full = Recursive::declare();
    let mut or = Recursive::declare();
    let postfix = operand::postfix(full.clone().boxed(), or.clone().boxed());
    let arithmetic = arithmetic(postfix.clone());
    or.define(logic(comparison(arithmetic)));
    full.define(outer(full.clone().boxed(), or.clone().boxed()));
    Exprs { full: full.boxed(), or: or.boxed(), postfix }
}

/// `lambda`, `|>` and `… if … else …`
fn outer<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, Expr> {
    let lambda = lambda(full.clone());
    let mut conditional = Recursive::declare();
    let branch = choice((lambda.clone(), conditional.clone().boxed()));
    let tail = token(Token::If).ignore_then(or.clone()).then_ignore(token(Token::Else)).then(branch);
    conditional.define(or.clone().then(tail.or_not()).map(|(then, tail): (Expr, _)| match tail {
        None => then,
        Some((cond, otherwise)) => {
            let span = join(&then, &otherwise);
            node(ExprKind::IfElse { cond: Box::new(cond), then: Box::new(then), otherwise: Box::new(otherwise) }, span)
        }
    }));
    let pipe = conditional.foldl(token(Token::Pipe).ignore_then(or).repeated(), |value, func| {
        let span = join(&value, &func);
        node(ExprKind::Pipe { value: Box::new(value), func: Box::new(func) }, span)
    });
    choice((lambda, pipe)).boxed()
}

fn lambda<'t>(full: Rule<'t, Expr>) -> Rule<'t, Expr> {
    let default = token(Token::Assign).ignore_then(full.clone()).or_not();
    let param = name().then(default).map(|(name, default)| Param { name, annotation: None, default });
    let params = param.separated_by(token(Token::Comma)).allow_trailing().collect::<Vec<_>>();
    token(Token::Lambda)
        .ignore_then(params)
        .then_ignore(token(Token::Colon))
        .then(full)
        .map_with(|(params, body), e| {
            let span = e.span();
            let def = FnDef { name: None, params, body: FnBody::Expr(body), span };
            super::check::params(&def.params, &mut e.state().errors);
            node(ExprKind::Lambda(Arc::new(def)), span)
        })
        .boxed()
}

/// `or`, `and`, `not`
fn logic<'t>(comparison: Rule<'t, Expr>) -> Rule<'t, Expr> {
    let not = select! { Token::Not = e => e.span() }.repeated().foldr(comparison, |start: Span, operand: Expr| {
        let span = start.to(operand.span);
        node(ExprKind::Not(Box::new(operand)), span)
    });
    let and = not.clone().foldl(token(Token::And).ignore_then(not).repeated(), |a, b| {
        let span = join(&a, &b);
        node(ExprKind::And(Box::new(a), Box::new(b)), span)
    });
    let and = and.boxed();
    and.clone()
        .foldl(token(Token::Or).ignore_then(and).repeated(), |a, b| {
            let span = join(&a, &b);
            node(ExprKind::Or(Box::new(a), Box::new(b)), span)
        })
        .boxed()
}

fn comparison<'t>(operand: Rule<'t, Expr>) -> Rule<'t, Expr> {
    let op = select! {
        Token::Compare(op) = e => (op, e.span()),
        Token::In = e => (CompareOp::In, e.span()),
        Token::NotIn = e => (CompareOp::NotIn, e.span()),
    };
    let rest = op.then(operand.clone()).map(|((op, span), rhs)| (op, span, rhs)).repeated().collect::<Vec<_>>();
    operand
        .then(rest)
        .map(|(first, rest)| match rest.last() {
            None => first,
            Some((_, _, last)) => {
                let span = join(&first, last);
                node(ExprKind::Compare { first: Box::new(first), rest }, span)
            }
        })
        .boxed()
}

/// `..`, the binary operators and the signs
fn arithmetic<'t>(postfix: Rule<'t, Expr>) -> Rule<'t, Expr> {
    fn binary(lhs: Expr, (op, op_span): (BinaryOp, Span), rhs: Expr) -> Expr {
        let span = join(&lhs, &rhs);
        node(ExprKind::Binary { op, op_span, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span)
    }
    let at = |wanted: u16| select! { Token::Op(op) = e if op.level() == wanted => (op, e.span()) };
    let sign = select! {
        Token::Op(BinaryOp::Add) = e => (UnaryOp::Plus, e.span()),
        Token::Op(BinaryOp::Sub) = e => (UnaryOp::Minus, e.span()),
        Token::Tilde = e => (UnaryOp::Invert, e.span()),
    };
    postfix
        .pratt((
            infix(right(level::POWER), at(level::POWER), |l, op, r, _| binary(l, op, r)),
            prefix(level::UNARY, sign, |op, operand, _| unary(op, operand)),
            infix(left(level::PRODUCT), at(level::PRODUCT), |l, op, r, _| binary(l, op, r)),
            infix(left(level::SUM), at(level::SUM), |l, op, r, _| binary(l, op, r)),
            infix(left(level::SHIFT), at(level::SHIFT), |l, op, r, _| binary(l, op, r)),
            infix(left(level::BIT_AND), at(level::BIT_AND), |l, op, r, _| binary(l, op, r)),
            infix(left(level::BIT_XOR), at(level::BIT_XOR), |l, op, r, _| binary(l, op, r)),
            infix(left(level::BIT_OR), at(level::BIT_OR), |l, op, r, _| binary(l, op, r)),
            infix(none(level::RANGE), token(Token::DotDot), |l: Expr, _, r: Expr, _| {
                let span = join(&l, &r);
                node(ExprKind::Range(Box::new(l), Box::new(r)), span)
            }),
        ))
        .boxed()
}

/// `-9223372036854775808` has no positive twin in i64, so the sign belongs to the literal.
fn unary((op, op_span): (UnaryOp, Span), operand: Expr) -> Expr {
    let span = op_span.to(operand.span);
    if op == UnaryOp::Minus && operand.kind == ExprKind::Int(1 << 63) {
        return node(ExprKind::MinInt, span);
    }
    node(ExprKind::Unary { op, op_span, operand: Box::new(operand) }, span)
}
