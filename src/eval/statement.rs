//! Statements inside blocks and at the top level.

use super::{Eval, Flow, locals::locals};
use crate::base::Diag;
use crate::lang::ast::{Block, FnBody, FnDef, Stmt, StmtKind};
use crate::value::{Closure, ScopeRef, Value};
use std::sync::Arc;

impl Eval<'_> {
    pub(super) fn block(&mut self, block: &Block, scope: &ScopeRef) -> Result<Flow, Diag> {
        for stmt in block {
            match self.statement(stmt, scope)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    /// The body of a function: its value is that of the last statement.
    pub(super) fn body(&mut self, body: &FnBody, scope: &ScopeRef) -> Result<Value, Diag> {
        match body {
            FnBody::Expr(expr) => self.expr(expr, scope),
            FnBody::Block(block) => match self.tail_block(block, scope)? {
                Flow::Return(value) => Ok(value),
                _ => Ok(Value::None),
            },
        }
    }

    /// A block whose last expression is its value.
    fn tail_block(&mut self, block: &Block, scope: &ScopeRef) -> Result<Flow, Diag> {
        if self.state.checking {
            return self.check_tail(block, scope);
        }
        let Some((last, rest)) = block.split_last() else { return Ok(Flow::Next) };
        for stmt in rest {
            match self.statement(stmt, scope)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        match &last.kind {
            StmtKind::Expr(expr) => self.expr(expr, scope).map(Flow::Return),
            StmtKind::If { arms, otherwise: Some(otherwise) } => {
                for (cond, block) in arms {
                    let value = self.expr(cond, scope)?;
                    if self.truthy(&value, cond.span)? {
                        return self.tail_block(block, scope);
                    }
                }
                self.tail_block(otherwise, scope)
            }
            _ => self.statement(last, scope),
        }
    }

    pub(super) fn statement(&mut self, stmt: &Stmt, scope: &ScopeRef) -> Result<Flow, Diag> {
        if self.state.checking {
            return self.check_statement(stmt, scope, false);
        }
        self.run_statement(stmt, scope)
    }

    pub(super) fn run_statement(&mut self, stmt: &Stmt, scope: &ScopeRef) -> Result<Flow, Diag> {
        match &stmt.kind {
            StmtKind::Expr(expr) => drop(self.expr(expr, scope)?),
            StmtKind::Assign { targets, annotation, value } => {
                let mut result = self.expr(value, scope)?;
                if let Some(annotation) = annotation {
                    self.check_binding(annotation, &mut result, value.span, scope)?;
                }
                self.assign_all(targets, result, value.span, scope)?;
            }
            StmtKind::OpAssign { target, op, op_span, value } => {
                self.op_assign(target, *op, *op_span, value, stmt.span, scope)?;
            }
            StmtKind::If { arms, otherwise } => {
                for (cond, block) in arms {
                    let value = self.expr(cond, scope)?;
                    if self.truthy(&value, cond.span)? {
                        return self.block(block, scope);
                    }
                }
                if let Some(block) = otherwise {
                    return self.block(block, scope);
                }
            }
            StmtKind::For { target, iter, body } => {
                let value = self.expr(iter, scope)?;
                let mut walk = self.walk(&value, iter.span)?;
                while let Some(item) = walk.next() {
                    self.check_cancel(stmt.span)?;
                    self.assign(target, item, iter.span, scope)?;
                    match self.block(body, scope)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                    }
                }
            }
            StmtKind::While { cond, body } => loop {
                self.check_cancel(stmt.span)?;
                let value = self.expr(cond, scope)?;
                if !self.truthy(&value, cond.span)? {
                    break;
                }
                match self.block(body, scope)? {
                    Flow::Next | Flow::Continue => {}
                    Flow::Break => break,
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                }
            },
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => {
                return Ok(Flow::Return(match value {
                    Some(expr) => self.expr(expr, scope)?,
                    None => Value::None,
                }));
            }
            _ => self.definition(stmt, scope)?,
        }
        Ok(Flow::Next)
    }

    /// The statements that stand outside of hot loops.
    fn definition(&mut self, stmt: &Stmt, scope: &ScopeRef) -> Result<(), Diag> {
        match &stmt.kind {
            StmtKind::Fn(def) => {
                let closure = self.closure(def, scope)?;
                if let Some(name) = def.name {
                    scope.set(name.symbol, closure);
                }
            }
            StmtKind::Explain(expr) => {
                let value = self.lazily(expr, scope)?;
                if !self.state.checking {
                    self.explain(&value);
                }
            }
            StmtKind::Assert { cond, message } => self.assert(cond, message.as_ref(), scope)?,
            StmtKind::Import { path, path_span, alias } => {
                let module = self.import(path, *path_span)?;
                scope.set(alias.symbol, Value::Module(module));
            }
            StmtKind::Del(names) => {
                for name in names {
                    if scope.remove(name.symbol).is_none() {
                        return Err(self.unknown(name.symbol, name.span, scope));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn closure(&mut self, def: &Arc<FnDef>, scope: &ScopeRef) -> Result<Value, Diag> {
        let mut defaults = Vec::with_capacity(def.params.len());
        for param in &def.params {
            defaults.push(match &param.default {
                Some(expr) => Some(self.expr(expr, scope)?),
                None => None,
            });
        }
        let closure = Closure { def: def.clone(), defaults, scope: scope.clone(), locals: locals(def) };
        let closure = Arc::new(closure);
        if self.state.checking {
            self.check_defined(&closure);
        }
        Ok(Value::Closure(closure))
    }
}
