//! Conditions: both sides are looked at, each from the same bindings, and what they leave behind is merged.

use super::kind::merge;
use super::{Sure, key};
use crate::base::{Diag, Symbol};
use crate::eval::assert::read_names;
use crate::eval::{Eval, Flow};
use crate::lang::ast::{Block, Expr};
use crate::value::{Scope, ScopeRef, SymbolMap, Value};

pub(super) type Bindings = SymbolMap<Value>;

pub(super) fn bindings(scope: &Scope) -> Bindings {
    scope.lock().clone()
}

pub(super) fn rebind(scope: &Scope, bindings: Bindings) {
    let old = std::mem::replace(&mut *scope.lock(), bindings);
    drop(old);
}

/// What is known where control came one way or another. A name that only one way bound may be bound.
pub(super) fn merged(mut a: Bindings, b: &Bindings) -> Bindings {
    for (name, value) in a.iter_mut() {
        *value = b.get(name).map_or(Value::Unknown, |other| merge(value, other));
    }
    for name in b.keys() {
        a.entry(*name).or_insert(Value::Unknown);
    }
    a
}

impl Eval<'_> {
    pub(super) fn check_if(
        &mut self,
        arms: &[(Expr, Block)],
        otherwise: Option<&Block>,
        scope: &ScopeRef,
        tail: bool,
    ) -> Result<Flow, Diag> {
        let start = bindings(scope);
        let (mut ends, mut taken, mut perhaps) = (Vec::new(), false, false);
        let mut guards = Vec::new();
        for (cond, block) in arms {
            read_names(cond, &mut guards);
            let holds = if taken { Some(false) } else { self.condition(cond, scope)? };
            if holds == Some(false) {
                self.check_untaken(block, &guards, scope)?;
                continue;
            }
            perhaps |= holds.is_none();
            taken |= holds == Some(true);
            ends.push(self.arm(block, perhaps, scope, tail)?);
            rebind(scope, start.clone());
        }
        match otherwise {
            Some(block) if taken => self.check_untaken(block, &guards, scope)?,
            Some(block) => ends.push(self.arm(block, perhaps, scope, tail)?),
            None if taken => {}
            None => ends.push((start, Flow::Next)),
        }
        Ok(self.join(ends, scope))
    }

    /// The bindings and the way in which an arm ends.
    fn arm(&mut self, block: &Block, perhaps: bool, scope: &ScopeRef, tail: bool) -> Result<(Bindings, Flow), Diag> {
        let sure = if perhaps { Sure::Perhaps } else { Sure::Certain };
        let flow =
            self.assuming(sure, |eval| if tail { eval.check_tail(block, scope) } else { eval.block(block, scope) });
        let flow = match flow? {
            // Nothing follows: the function gives None.
            Flow::Next if tail => Flow::Return(Value::None),
            flow => flow,
        };
        Ok((bindings(scope), flow))
    }

    /// Goes on behind arms that ended so. What leaves the loop or the function is kept for its end.
    fn join(&mut self, mut ends: Vec<(Bindings, Flow)>, scope: &ScopeRef) -> Flow {
        if ends.len() == 1
            && let Some((bindings, flow)) = ends.pop()
        {
            rebind(scope, bindings);
            return flow;
        }
        let all_return = ends.iter().all(|(_, flow)| matches!(flow, Flow::Return(_)));
        let goes_on = ends.iter().any(|(_, flow)| matches!(flow, Flow::Next));
        let (mut next, mut left): (Option<Bindings>, Option<Flow>) = (None, None);
        for (bindings, flow) in ends {
            match flow {
                Flow::Return(value) if all_return => {
                    let before = match left.take() {
                        Some(Flow::Return(other)) => merge(&other, &value),
                        _ => value,
                    };
                    left = Some(Flow::Return(before));
                }
                Flow::Return(value) => {
                    if let Some(returns) = self.state.check.returns.last_mut() {
                        returns.push(value);
                    }
                }
                Flow::Next => next = Some(next.map_or(bindings.clone(), |n| merged(n, &bindings))),
                Flow::Break | Flow::Continue => {
                    // A round that may go on does not end the loop.
                    left = Some(match left {
                        Some(Flow::Continue) => Flow::Continue,
                        _ => flow,
                    });
                    if let Some(exits) = self.state.check.exits.last_mut() {
                        exits.push(bindings.clone());
                    }
                    if !goes_on {
                        next = Some(next.map_or(bindings.clone(), |n| merged(n, &bindings)));
                    }
                }
            }
        }
        if let Some(bindings) = next {
            rebind(scope, bindings);
        }
        if goes_on { Flow::Next } else { left.unwrap_or(Flow::Next) }
    }

    /// Code that the known values do not reach. The names that decided so are unknown in it.
    pub(super) fn check_untaken(
        &mut self,
        block: &Block,
        guards: &[(Symbol, crate::base::Span)],
        scope: &ScopeRef,
    ) -> Result<(), Diag> {
        let internal = block.first().is_none_or(|s| self.is_internal(s.span.source));
        if internal || !self.state.check.seen_arms.insert(block.as_ptr() as usize) {
            return Ok(());
        }
        self.without_trace(guards, scope, |eval| eval.block(block, scope).map(drop))
    }

    fn untaken_expr(&mut self, expr: &Expr, cond: &Expr, scope: &ScopeRef) -> Result<(), Diag> {
        if self.is_internal(expr.span.source) || !self.state.check.seen_arms.insert(key(expr)) {
            return Ok(());
        }
        let mut guards = Vec::new();
        read_names(cond, &mut guards);
        self.without_trace(&guards, scope, |eval| match eval.expr(expr, scope) {
            Err(diag) if eval.stops(&diag) => Err(diag),
            Err(diag) => {
                eval.report(&diag);
                Ok(())
            }
            Ok(_) => Ok(()),
        })
    }

    /// Looks at code that is not reached and forgets what it did.
    fn without_trace(
        &mut self,
        guards: &[(Symbol, crate::base::Span)],
        scope: &ScopeRef,
        work: impl FnOnce(&mut Self) -> Result<(), Diag>,
    ) -> Result<(), Diag> {
        let start = bindings(scope);
        for (name, _) in guards {
            if scope.get(*name).is_some() {
                scope.set(*name, Value::Unknown);
            }
        }
        self.state.check.exits.push(Vec::new());
        self.state.check.returns.push(Vec::new());
        let result = self.assuming(Sure::Never, work);
        self.state.check.returns.pop();
        self.state.check.exits.pop();
        rebind(scope, start);
        result
    }

    /// `a if c else b`
    pub(super) fn check_choice(
        &mut self,
        cond: &Expr,
        then: &Expr,
        otherwise: &Expr,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        match self.condition(cond, scope)? {
            Some(holds) => {
                let (live, other) = if holds { (then, otherwise) } else { (otherwise, then) };
                self.untaken_expr(other, cond, scope)?;
                self.expr(live, scope)
            }
            None => {
                let a = self.assuming(Sure::Perhaps, |eval| eval.expr(then, scope))?;
                let b = self.assuming(Sure::Perhaps, |eval| eval.expr(otherwise, scope))?;
                Ok(merge(&a, &b))
            }
        }
    }

    /// `a and b` (`goes_on` is true), `a or b`
    pub(super) fn check_logic(&mut self, a: &Expr, b: &Expr, goes_on: bool, scope: &ScopeRef) -> Result<Value, Diag> {
        let left = self.expr(a, scope)?;
        match self.known(&left, a.span)? {
            Some(holds) if holds == goes_on => self.expr(b, scope),
            Some(_) => {
                self.untaken_expr(b, a, scope)?;
                Ok(left)
            }
            None => {
                self.assuming(Sure::Perhaps, |eval| eval.expr(b, scope))?;
                Ok(Value::Unknown)
            }
        }
    }
}
