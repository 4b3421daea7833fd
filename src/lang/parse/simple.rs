//! Statements without blocks: assignments, bare expressions, and the heads of the others.

use super::check;
use super::expr::{Exprs, exprs, name, token};
use super::grammar::{Grammar, Rest, Rule, Session, Simple, Wanted};
use super::operand::{some_items, targets, tuple_of};
use crate::lang::ast::*;
use crate::lang::token::Token;
use chumsky::prelude::*;

/// All parsers, built once for a text.
pub fn grammar<'t>() -> Grammar<'t> {
    let Exprs { full, or, postfix } = exprs();
    let bare = bare_values(full.clone(), or);
    let values = bare.clone().map(|(expr, _)| expr).boxed();
    let for_head = targets(postfix).then_ignore(token(Token::In)).then(full.clone()).boxed();
    let message = token(Token::Comma).ignore_then(full.clone()).or_not();
    let assert = full.clone().then(message).then_ignore(token(Token::Comma).or_not()).boxed();
    Grammar {
        simple: simple(bare),
        for_head,
        params: params(full.clone()),
        field: values.clone(),
        values,
        assert,
        expr: full,
    }
}

/// `a, b` without brackets, and whether it is such a tuple
fn bare_values<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, (Expr, bool)> {
    some_items(full, or)
        .map_with(|(items, trailing), e| {
            if let ([Expr { kind: ExprKind::Star(_), span }], false) = (&items[..], trailing) {
                check::lone_star(*span, &mut e.state().errors);
            }
            let bare = items.len() > 1 || trailing;
            (tuple_of(items, trailing, e.span()), bare)
        })
        .boxed()
}

fn simple<'t>(bare: Rule<'t, (Expr, bool)>) -> Rule<'t, Simple> {
    let values = bare.clone().map(|(expr, _)| expr).boxed();
    let more = token(Token::Assign).ignore_then(values.clone()).repeated().at_least(1).collect::<Vec<_>>();
    let plain = more.clone().map(|values| Rest::Assign(None, values));
    let annotated = token(Token::Colon)
        .ignore_then(annotation())
        .then(more)
        .map(|(annotation, values)| Rest::Assign(Some(annotation), values));
    let in_place = select! { Token::OpAssign(op) = e => (op, e.span()) }
        .then(values)
        .map(|((op, span), value)| Rest::OpAssign(op, span, value));
    let rest = choice((plain, in_place, annotated)).or_not().map(|rest| rest.unwrap_or(Rest::Nothing));
    bare.then(rest).map(|((first, bare), rest)| Simple { first, bare, rest }).boxed()
}

/// `f32[b, _, 64, ...]`, `[n, n]`, `f32`
fn annotation<'t>() -> Rule<'t, Annotation> {
    let dim = select! {
        Token::Ident(symbol) = e => match symbol.as_str() {
            "_" => Dim::Any(e.span()),
            _ => Dim::Name(Name { symbol, span: e.span() }),
        },
        Token::Int(i) = e => {
            let span = e.span();
            let state: &mut Session = e.state();
            Dim::Known(state.pool.ints[i as usize], span)
        },
        Token::Ellipsis = e => Dim::Rest(e.span()),
    }
    .labelled(Wanted::DIMENSION);
    let dims = dim
        .separated_by(token(Token::Comma))
        .allow_trailing()
        .collect::<Vec<_>>()
        .delimited_by(token(Token::LBracket), token(Token::RBracket))
        .boxed();
    let typed = name().then(dims.clone().or_not()).map(|(name, dims)| (Some(name), dims));
    let untyped = dims.map(|dims| (None, Some(dims)));
    choice((typed, untyped))
        .map_with(|(dtype, dims), e| {
            let annotation = Annotation { dtype, dims, span: e.span() };
            check::annotation(&annotation, &mut e.state().errors);
            annotation
        })
        .boxed()
}

fn params<'t>(full: Rule<'t, Expr>) -> Rule<'t, Vec<Param>> {
    let annotation = token(Token::Colon).ignore_then(annotation()).or_not();
    let default = token(Token::Assign).ignore_then(full).or_not();
    name()
        .then(annotation)
        .then(default)
        .map(|((name, annotation), default)| Param { name, annotation, default })
        .separated_by(token(Token::Comma))
        .allow_trailing()
        .collect::<Vec<_>>()
        .map_with(|params, e| {
            check::params(&params, &mut e.state().errors);
            params
        })
        .boxed()
}
