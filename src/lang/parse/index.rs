//! What stands between the brackets of `x[…]`.

use super::expr::token;
use super::grammar::Rule;
use super::operand::star;
use crate::lang::ast::*;
use crate::lang::token::Token;
use chumsky::prelude::*;

/// Comma-separated items; one tuple as the only item (`x[(0, 1)]`) stands for its elements.
pub fn items<'t>(full: Rule<'t, Expr>, or: Rule<'t, Expr>) -> Rule<'t, Vec<IndexItem>> {
    let bound = full.clone().or_not();
    let colon = token(Token::Colon);
    // `[start] : [stop] [: [step]]`
    let tail = colon.clone().ignore_then(bound.clone()).then(colon.ignore_then(bound).or_not()).boxed();
    let from_start = tail.clone().map_with(|(stop, step), e| slice(None, stop, step.flatten(), e.span()));
    let general = full.then(tail.or_not()).map_with(|(first, tail), e| match tail {
        None => IndexItem::Expr(first),
        Some((stop, step)) => slice(Some(first), stop, step.flatten(), e.span()),
    });
    let starred = star(or).map(IndexItem::Expr);
    let item = choice((from_start, starred, general)).boxed();
    item.separated_by(token(Token::Comma))
        .at_least(1)
        .collect::<Vec<_>>()
        .then(token(Token::Comma).or_not())
        .map(|(items, comma)| unwrap_tuple(items, comma.is_some()))
        .boxed()
}

fn slice(start: Option<Expr>, stop: Option<Expr>, step: Option<Expr>, span: crate::base::Span) -> IndexItem {
    IndexItem::Slice { start, stop, step, span }
}

fn unwrap_tuple(mut items: Vec<IndexItem>, comma: bool) -> Vec<IndexItem> {
    if items.len() != 1 || comma {
        return items;
    }
    match items.pop() {
        Some(IndexItem::Expr(Expr { kind: ExprKind::Tuple(elements), .. })) => {
            elements.into_iter().map(IndexItem::Expr).collect()
        }
        other => other.into_iter().collect(),
    }
}
