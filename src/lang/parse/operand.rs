//! Operands: literals, brackets, comprehensions, and what is written behind an operand.

use super::expr::{name, node, token};
use super::grammar::{Extra, Rule, Session, Tokens, Wanted};
use super::{check, index};
use crate::base::Span;
use crate::lang::ast::*;
use crate::lang::token::Token;
use chumsky::prelude::*;

/// What can stand behind an operand.
enum Postfix {
    Call(Vec<Arg>),
    Index(Vec<IndexItem>),
    Attr(Name),
}

/// Operands with calls, indices and attributes behind them.
pub fn postfix<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, Expr> {
    let mut postfix = Recursive::declare();
    let atom = atom(full.clone(), or.clone(), postfix.clone().boxed());
    let call =
        arguments(full.clone(), or.clone()).delimited_by(token(Token::LParen), token(Token::RParen)).map(Postfix::Call);
    let index = index::items(full, or).delimited_by(token(Token::LBracket), token(Token::RBracket)).map(Postfix::Index);
    let attr = token(Token::Dot).ignore_then(name()).map(Postfix::Attr);
    let tails = choice((call, attr, index)).map_with(|tail, e| (tail, e.span())).boxed();
    postfix.define(atom.foldl(tails.repeated(), |base: Expr, (tail, end): (Postfix, Span)| {
        let span = base.span.to(end);
        let base = Box::new(base);
        let kind = match tail {
            Postfix::Call(args) => ExprKind::Call { callee: base, args },
            Postfix::Index(items) => ExprKind::Index { base, items },
            Postfix::Attr(name) => ExprKind::Attr { base, name },
        };
        node(kind, span)
    }));
    postfix.boxed()
}

fn literal<'t>() -> impl Parser<'t, Tokens<'t>, Expr, Extra> + Clone {
    let kind = select! {
        Token::Ident(symbol) => ExprKind::Name(symbol),
        Token::Int(i) = e => {
            let state: &mut Session = e.state();
            ExprKind::Int(state.pool.ints[i as usize])
        },
        Token::Float(i) = e => {
            let state: &mut Session = e.state();
            ExprKind::Float(state.pool.floats[i as usize])
        },
        Token::Imag(i) = e => {
            let state: &mut Session = e.state();
            ExprKind::Imag(state.pool.floats[i as usize])
        },
        Token::Str(i) = e => {
            let state: &mut Session = e.state();
            ExprKind::Str(state.pool.strings[i as usize].clone())
        },
        Token::FString(i) = e => {
            let state: &mut Session = e.state();
            ExprKind::FString(state.fstrings[i as usize].clone())
        },
        Token::True => ExprKind::True,
        Token::False => ExprKind::False,
        Token::None => ExprKind::None,
        Token::Ellipsis => ExprKind::Ellipsis,
        Token::Hole => ExprKind::Hole,
    };
    kind.map_with(|kind, e| node(kind, e.span()))
}

fn atom<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>, postfix: Rule<'t, Expr>) -> Rule<'t, Expr> {
    let items = items(full.clone(), or.clone());
    let parens = items.clone().delimited_by(token(Token::LParen), token(Token::RParen)).map_with(
        |(mut items, trailing): (Vec<Expr>, bool), e| {
            let span = e.span();
            if items.len() == 1 && !trailing && !matches!(items[0].kind, ExprKind::Star(_)) {
                // The span holds the brackets, so that a label covers what is written.
                let kind = items.swap_remove(0).kind;
                return node(kind, span);
            }
            if let ([Expr { kind: ExprKind::Star(_), span }], false) = (&items[..], trailing) {
                check::lone_star(*span, &mut e.state().errors);
            }
            node(ExprKind::Tuple(items), span)
        },
    );
    // Factored: trying the comprehension first would parse nested lists twice at each level.
    let list = items
        .then(clauses(or, postfix).or_not())
        .delimited_by(token(Token::LBracket), token(Token::RBracket))
        .map_with(|((mut items, trailing), clauses), e| {
            let span = e.span();
            let Some(clauses) = clauses else {
                return node(ExprKind::List(items), span);
            };
            if items.len() != 1 || trailing || matches!(items[0].kind, ExprKind::Star(_)) {
                check::comprehension_element(span, &mut e.state().errors);
                return node(ExprKind::List(items), span);
            }
            let element = Box::new(items.swap_remove(0));
            node(ExprKind::Comprehension { element, clauses }, span)
        });
    choice((literal(), parens, list)).labelled(Wanted::EXPRESSION).boxed()
}

/// `*xs`
pub fn star<'t>(or: Rule<'t, Expr>) -> impl Parser<'t, Tokens<'t>, Expr, Extra> + Clone {
    token(Token::Op(BinaryOp::Mul)).ignore_then(or).map_with(|e, extra| node(ExprKind::Star(Box::new(e)), extra.span()))
}

/// `a, *b, c` with whether a comma stands at the end
fn items<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, (Vec<Expr>, bool)> {
    some_items(full, or).or_not().map(Option::unwrap_or_default).boxed()
}

/// [`items`], at least one of them
pub fn some_items<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, (Vec<Expr>, bool)> {
    let item = choice((star(or), full)).boxed();
    item.separated_by(token(Token::Comma))
        .at_least(1)
        .collect::<Vec<_>>()
        .then(token(Token::Comma).or_not())
        .map(|(items, trailing)| (items, trailing.is_some()))
        .boxed()
}

fn arguments<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, Vec<Arg>> {
    let keyword = name().then_ignore(token(Token::Assign)).then(full.clone());
    let keyword = keyword.map(|(name, value)| Arg { name: Some(name), value });
    let plain = choice((star(or), full)).map(|value| Arg { name: None, value });
    choice((keyword, plain))
        .separated_by(token(Token::Comma))
        .allow_trailing()
        .collect::<Vec<_>>()
        .map_with(|args, e| {
            check::arguments(&args, &mut e.state().errors);
            args
        })
        .boxed()
}

/// `for a, b in xs if c for …`, at least one `for`
fn clauses<'t>(or: Rule<'t, Expr>, postfix: Rule<'t, Expr>) -> Rule<'t, Vec<Clause>> {
    let each = token(Token::For)
        .ignore_then(targets(postfix))
        .then_ignore(token(Token::In))
        .then(or.clone())
        .map(|(target, iter)| Clause::For { target, iter })
        .boxed();
    let only = token(Token::If).ignore_then(or).map(Clause::If);
    each.clone()
        .then(choice((each, only)).repeated().collect::<Vec<_>>())
        .map(|(first, mut rest)| {
            rest.insert(0, first);
            rest
        })
        .boxed()
}

/// What stands between `for` and `in`
pub fn targets<'t>(postfix: Rule<'t, Expr>) -> Rule<'t, Target> {
    some_items(postfix.clone(), postfix)
        .map_with(|(items, trailing), e| {
            let expr = tuple_of(items, trailing, e.span());
            check::target(expr, &mut e.state().errors)
        })
        .boxed()
}

/// One item as itself, several (or one with a comma) as a tuple.
pub fn tuple_of(mut items: Vec<Expr>, trailing: bool, span: Span) -> Expr {
    if items.len() == 1 && !trailing {
        return items.swap_remove(0);
    }
    node(ExprKind::Tuple(items), span)
}
