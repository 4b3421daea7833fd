//! Loops: short ones as they would run, others until what is known of the bindings no longer changes.

use super::Sure;
use super::branch::{Bindings, bindings, merged, rebind};
use super::kind::{is_open_list, merge, same};
use crate::base::{Diag, Span};
use crate::eval::{Eval, Flow};
use crate::lang::ast::{Block, Clause, Expr, Target};
use crate::value::{Scope, ScopeRef, Value};

/// Rounds that are followed one by one.
const EXACT: usize = 8;
/// Rounds after which everything that still changes is taken to be unknown.
const WIDEN_AFTER: usize = 2;
const MOST_ROUNDS: usize = 6;
/// Elements of a comprehension that are looked at, and that are made where all look the same.
const MOST_ELEMENTS: usize = 64;
const MOST_COPIES: usize = 10_000;

/// How a loop ends early, if it certainly does.
type Ended = Option<Flow>;

impl Eval<'_> {
    pub(super) fn check_for(
        &mut self,
        target: &Target,
        iter: &Expr,
        body: &Block,
        scope: &ScopeRef,
    ) -> Result<Flow, Diag> {
        let value = match self.expr(iter, scope) {
            Ok(value) => value,
            Err(diag) if self.is_internal(iter.span.source) || self.stops(&diag) => return Err(diag),
            Err(diag) => {
                self.report(&diag);
                Value::Unknown
            }
        };
        let most = if self.is_internal(iter.span.source) { MOST_COPIES } else { EXACT };
        let (items, whole) = self.first_items(&value, most, iter.span)?;
        if whole && items.is_empty() {
            let start = bindings(scope);
            self.assign(target, Value::Unknown, iter.span, scope)?;
            self.check_untaken(body, &[], scope)?;
            rebind(scope, start);
            return Ok(Flow::Next);
        }
        if !whole && self.is_internal(iter.span.source) {
            return Err(self.needs_data(iter.span));
        }
        self.state.check.exits.push(Vec::new());
        let result = if whole && !self.state.check.exhausted() {
            self.each(items, target, body, iter.span, scope)
        } else {
            let runs = !items.is_empty();
            let mut items = items.into_iter();
            let (first, second) = (items.next(), items.next());
            let rest = match (&first, &second) {
                (Some(a), Some(b)) => merge(a, b),
                _ => Value::Unknown,
            };
            let mut next = [first, second].into_iter().flatten();
            let round = |eval: &mut Self| {
                let item = next.next().unwrap_or_else(|| rest.clone());
                eval.assign(target, item, iter.span, scope)?;
                eval.block(body, scope)
            };
            self.assuming(Sure::Perhaps, |eval| eval.rounds(round, runs, scope))
        };
        self.state.check.exits.pop();
        Ok(result?.unwrap_or(Flow::Next))
    }

    /// The first elements of what is walked, and whether these are all. None are known of what data decides.
    fn first_items(&mut self, value: &Value, most: usize, span: Span) -> Result<(Vec<Value>, bool), Diag> {
        if matches!(value, Value::Unknown) || is_open_list(value) {
            return Ok((Vec::new(), false));
        }
        let mut walk = match self.walk(value, span) {
            Ok(walk) => walk,
            Err(diag) if self.is_internal(span.source) => return Err(diag),
            Err(diag) => {
                self.report(&diag);
                return Ok((Vec::new(), false));
            }
        };
        let mut items = Vec::new();
        while let Some(item) = walk.next() {
            if items.len() == most {
                return Ok((items, false));
            }
            items.push(item);
        }
        Ok((items, true))
    }

    /// Every round, with its element.
    fn each(
        &mut self,
        items: Vec<Value>,
        target: &Target,
        body: &Block,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Ended, Diag> {
        let mut sure = Sure::Certain;
        for item in items {
            self.check_cancel(span)?;
            let flow = self.assuming(sure, |eval| {
                eval.assign(target, item, span, scope)?;
                eval.block(body, scope)
            })?;
            let ends_here = self.take_exits(scope);
            match flow {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                Flow::Return(value) if sure == Sure::Certain && !ends_here => return Ok(Some(Flow::Return(value))),
                Flow::Return(value) => {
                    self.may_return(value);
                    break;
                }
            }
            if ends_here {
                sure = Sure::Perhaps;
            }
        }
        Ok(None)
    }

    fn may_return(&mut self, value: Value) {
        if let Some(returns) = self.state.check.returns.last_mut() {
            returns.push(value);
        }
    }

    /// Merges the bindings with which the round may have ended early; true where there were some.
    fn take_exits(&mut self, scope: &ScopeRef) -> bool {
        let exits = self.state.check.exits.last_mut().map(std::mem::take).unwrap_or_default();
        for exit in &exits {
            rebind(scope, merged(bindings(scope), exit));
        }
        !exits.is_empty()
    }

    /// Rounds until nothing changes. `runs`: there is one at least.
    fn rounds(
        &mut self,
        mut round: impl FnMut(&mut Self) -> Result<Flow, Diag>,
        runs: bool,
        scope: &ScopeRef,
    ) -> Result<Ended, Diag> {
        let start = bindings(scope);
        let mut before = start.clone();
        for count in 0..MOST_ROUNDS {
            let flow = round(self)?;
            let ends_here = self.take_exits(scope);
            match flow {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                Flow::Return(value) if count == 0 && runs && !ends_here => return Ok(Some(Flow::Return(value))),
                Flow::Return(value) => {
                    self.may_return(value);
                    break;
                }
            }
            let now = bindings(scope);
            if stable(&before, &now) || self.state.check.exhausted() {
                break;
            }
            if count + 1 >= WIDEN_AFTER {
                rebind(scope, merged(now, &before));
                before = bindings(scope);
            } else {
                before = now;
            }
        }
        if !runs {
            rebind(scope, merged(bindings(scope), &start));
        }
        Ok(None)
    }

    pub(super) fn check_while(&mut self, cond: &Expr, body: &Block, scope: &ScopeRef) -> Result<Flow, Diag> {
        self.state.check.exits.push(Vec::new());
        let result = self.while_rounds(cond, body, scope);
        self.state.check.exits.pop();
        Ok(result?.unwrap_or(Flow::Next))
    }

    fn while_rounds(&mut self, cond: &Expr, body: &Block, scope: &ScopeRef) -> Result<Ended, Diag> {
        let internal = self.is_internal(cond.span.source);
        let most = if internal { MOST_COPIES } else { EXACT };
        for count in 0..most {
            self.check_cancel(cond.span)?;
            match self.condition(cond, scope)? {
                Some(true) => {}
                Some(false) => {
                    if count == 0 {
                        let mut guards = Vec::new();
                        crate::eval::assert::read_names(cond, &mut guards);
                        self.check_untaken(body, &guards, scope)?;
                    }
                    return Ok(None);
                }
                None => break,
            }
            let flow = self.block(body, scope)?;
            let perhaps = self.take_exits(scope);
            match flow {
                Flow::Break => return Ok(None),
                Flow::Return(value) if !perhaps => return Ok(Some(Flow::Return(value))),
                Flow::Return(value) => {
                    self.may_return(value);
                    return Ok(None);
                }
                Flow::Next | Flow::Continue if perhaps => break,
                Flow::Next | Flow::Continue => {}
            }
        }
        if internal {
            return Err(self.needs_data(cond.span));
        }
        let round = |eval: &mut Self| match eval.condition(cond, scope)? {
            Some(false) => Ok(Flow::Break),
            _ => eval.block(body, scope),
        };
        self.assuming(Sure::Perhaps, |eval| eval.rounds(round, false, scope))
    }

    /// A list where its length is known, Unknown otherwise.
    pub(super) fn check_comprehension(
        &mut self,
        element: &Expr,
        clauses: &[Clause],
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let own = Scope::inside(scope.clone());
        let mut out = Vec::new();
        let known = self.check_clauses(element, clauses, &own, &mut out)?;
        Ok(if known { Value::list(out) } else { Value::Unknown })
    }

    /// Whether the number of elements is known.
    fn check_clauses(
        &mut self,
        element: &Expr,
        clauses: &[Clause],
        own: &ScopeRef,
        out: &mut Vec<Value>,
    ) -> Result<bool, Diag> {
        match clauses.split_first() {
            None => {
                out.push(self.expr(element, own)?);
                Ok(true)
            }
            Some((Clause::If(cond), rest)) => match self.condition(cond, own)? {
                Some(true) => self.check_clauses(element, rest, own, out),
                Some(false) => Ok(true),
                None => self.assuming(Sure::Perhaps, |eval| eval.check_clauses(element, rest, own, out)).map(|_| false),
            },
            Some((Clause::For { target, iter }, rest)) => {
                let value = self.expr(iter, own)?;
                let (items, whole) = self.first_items(&value, MOST_COPIES, iter.span)?;
                if items.is_empty() {
                    if !whole {
                        self.assign(target, Value::Unknown, iter.span, own)?;
                        self.assuming(Sure::Perhaps, |eval| eval.check_clauses(element, rest, own, out))?;
                    }
                    return Ok(whole);
                }
                let (mut known, total) = (whole, items.len());
                for item in items.into_iter().take(MOST_ELEMENTS) {
                    self.check_cancel(iter.span)?;
                    self.assign(target, item, iter.span, own)?;
                    known &= self.check_clauses(element, rest, own, out)?;
                }
                Ok(known && (total <= MOST_ELEMENTS || rest.is_empty() && fill(out, total - MOST_ELEMENTS)))
            }
        }
    }
}

/// Adds elements like those that are there; false where these differ.
fn fill(out: &mut Vec<Value>, count: usize) -> bool {
    let Some(last) = out.last().cloned() else { return false };
    if !out.iter().all(|v| same(v, &last)) {
        return false;
    }
    out.extend(std::iter::repeat_n(last, count));
    true
}

fn stable(before: &Bindings, now: &Bindings) -> bool {
    before.len() == now.len() && now.iter().all(|(name, value)| before.get(name).is_some_and(|old| same(old, value)))
}
