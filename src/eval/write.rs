//! Writes in place: `x[idx] = v`, `x[idx] op= v`, `x op= v`.

use super::Eval;
use super::check::{is_open_list, is_unsure};
use super::index::{self, Items};
use super::operators::{binary_row, binary_symbol};
use crate::base::{Diag, Span, Symbol, a as article};
use crate::func::{convert, label_operands};
use crate::lang::ast::{BinaryOp, Expr, ExprKind, IndexItem};
use crate::plan::build::{self, MapArg};
use crate::plan::{NodeRef, Tensor, writable};
use crate::tensor::{Casting, broadcast_shapes, can_cast};
use crate::value::{List, ScopeRef, Spanned, Value};
use std::sync::Arc;

impl Eval<'_> {
    /// `base[items] = value`
    pub(super) fn write_index(&mut self, target: &Expr, value: Value, at: Span, scope: &ScopeRef) -> Result<(), Diag> {
        let ExprKind::Index { base, items } = &target.kind else { return Ok(()) };
        let container = self.expr(base, scope)?;
        let value = Spanned { value, span: self.place(at) };
        match &container {
            Value::Tensor(t) => {
                let items = self.index_items(items, target.span, scope)?;
                self.write(t, &items, base.span, &value, target.span)
            }
            Value::List(list) => self.write_list(list, items, base.span, value, target.span, scope),
            Value::Unknown => Ok(()),
            other => Err(self.not_writable(other, base.span)),
        }
    }

    fn not_writable(&self, value: &Value, base: Span) -> Diag {
        let diag = Diag::new("E0401", format!("{} cannot be written to", article(value.describe())))
            .label(self.place(base), value.describe());
        match value {
            Value::Tuple(_) => diag.hint("a list can: `list(t)`"),
            Value::Record(_) => diag.hint("`replace(r, a=…)` makes a changed copy"),
            Value::Archive(_) => diag.hint("files are read-only; build a record and `save` it"),
            _ => diag,
        }
    }

    /// Writes through the view that the items make.
    fn write(&mut self, t: &Arc<Tensor>, items: &Items, base: Span, value: &Spanned, span: Span) -> Result<(), Diag> {
        let base = self.place(base);
        let labelled = |d: Diag, target: String| {
            if d.labels.is_empty() { d.label(value.span, value.value.describe()).label(span, target) } else { d }
        };
        // A part of a broadcast view may have elements of its own; the view as a whole is refused all the same.
        let layout = &t.view.layout;
        if layout.strides.iter().zip(&layout.shape).any(|(stride, extent)| *stride == 0 && *extent > 1) {
            writable(t).map_err(|d| labelled(d, t.describe()))?;
        }
        if items.is_advanced() {
            let picked = self.picked(t, items, base)?;
            if is_unsure(&value.value) {
                return Ok(());
            }
            let arg = self.write_value(value)?;
            let result = self.scatter(&picked, &arg, span).map_err(|d| labelled(d, t.describe()));
            self.wrote(t);
            return result;
        }
        let view = t.viewed(index::basic(t, items, base)?);
        if is_unsure(&value.value) {
            return Ok(());
        }
        self.store(&view, value, span)
    }

    /// `value` into all of `view`.
    fn store(&mut self, view: &Tensor, value: &Spanned, span: Span) -> Result<(), Diag> {
        let arg = self.write_value(value)?;
        let place = self.place(span);
        let mut force = |node: &NodeRef| self.force_node(node, span);
        build::store(view, &arg, &mut force, place).map_err(|d| {
            if d.labels.is_empty() {
                d.label(value.span, value.value.describe()).label(place, view.describe())
            } else {
                d
            }
        })?;
        self.wrote(view);
        Ok(())
    }

    fn write_value(&mut self, value: &Spanned) -> Result<MapArg, Diag> {
        if !super::operators::is_operand(&value.value) {
            return Err(Diag::new(
                "E0401",
                format!("{} cannot be written into a tensor", article(value.value.describe())),
            )
            .label(value.span, value.value.describe()));
        }
        convert::map_arg(&mut self.cx(value.span), &value.value, value.span)
    }

    fn wrote(&mut self, t: &Tensor) {
        self.remember(&t.cell.version());
    }

    fn write_list(
        &mut self,
        list: &List,
        items: &[IndexItem],
        base: Span,
        value: Spanned,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<(), Diag> {
        let before = self.changes(list);
        let at = match self.list_position(list, items, base, span, scope) {
            Err(diag) if self.state.checking => {
                self.open(list);
                return Err(diag);
            }
            at => at?,
        };
        if !before {
            return Ok(());
        }
        if let Some(slot) = list.lock().get_mut(at) {
            *slot = value.value;
        }
        Ok(())
    }

    fn list_position(
        &mut self,
        list: &List,
        items: &[IndexItem],
        base: Span,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<usize, Diag> {
        let [IndexItem::Expr(expr)] = items else {
            return Err(Diag::new("E0305", "one position of a list is written at a time")
                .label(self.place(span), "")
                .hint("a tensor takes slices: `array(xs)`"));
        };
        let key = self.expr(expr, scope)?;
        if matches!(key, Value::Unknown) || self.state.checking && is_open_list(&Value::List(list.clone())) {
            return Err(self.needs_data(expr.span));
        }
        let i = self.plain_int(&key, expr.span).map_err(|_| {
            Diag::new("E0305", "an index of a list is an integer").label(self.place(expr.span), key.describe())
        })?;
        let len = list.lock().len();
        super::subscript::position(i, len).ok_or_else(|| {
            Diag::new("E0301", format!("index {i} is out of range: the length is {len}"))
                .label(self.place(expr.span), "")
                .label(self.place(base), format!("list of {len}"))
        })
    }

    pub(super) fn op_assign(
        &mut self,
        target: &Expr,
        op: BinaryOp,
        op_span: Span,
        value: &Expr,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<(), Diag> {
        match &target.kind {
            ExprKind::Name(name) => {
                let old = self.name(*name, target.span, scope)?;
                let right = Spanned { value: self.expr(value, scope)?, span: value.span };
                self.op_assign_name(*name, old, target.span, op, op_span, right, span, scope)
            }
            ExprKind::Index { base, items } => {
                let container = self.expr(base, scope)?;
                match &container {
                    Value::Tensor(t) => {
                        let items = self.index_items(items, target.span, scope)?;
                        let old = self.read_index(t, &items, base.span, target.span)?;
                        let right = Spanned { value: self.expr(value, scope)?, span: value.span };
                        let old = Spanned { value: old, span: target.span };
                        let result = self.in_place(t, &old, op, &right, span)?;
                        let result = Spanned { value: result, span: self.place(span) };
                        self.write(t, &items, base.span, &result, target.span)
                    }
                    Value::List(list) => {
                        let at = self.list_position(list, items, base.span, target.span, scope)?;
                        let old = list.lock().get(at).cloned().unwrap_or(Value::None);
                        let right = Spanned { value: self.expr(value, scope)?, span: value.span };
                        let new = self.op_assigned(old, target.span, op, op_span, right, span)?;
                        if !self.changes(list) {
                            return Ok(());
                        }
                        if let Some(slot) = list.lock().get_mut(at) {
                            *slot = new;
                        }
                        Ok(())
                    }
                    Value::Unknown => Ok(()),
                    other => Err(self.not_writable(other, base.span)),
                }
            }
            _ => {
                let old = self.expr(target, scope)?;
                let right = Spanned { value: self.expr(value, scope)?, span: value.span };
                match old {
                    Value::Tensor(_) => self.op_assigned(old, target.span, op, op_span, right, span).map(|_| ()),
                    Value::Unknown => Ok(()),
                    other => Err(self.not_writable(&other, target.span)),
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn op_assign_name(
        &mut self,
        name: Symbol,
        old: Value,
        at: Span,
        op: BinaryOp,
        op_span: Span,
        right: Spanned,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<(), Diag> {
        let new = self.op_assigned(old, at, op, op_span, right, span)?;
        scope.set(name, new);
        Ok(())
    }

    /// The value of `old` after `old op= right`: tensors and lists are changed in place.
    fn op_assigned(
        &mut self,
        old: Value,
        at: Span,
        op: BinaryOp,
        op_span: Span,
        right: Spanned,
        span: Span,
    ) -> Result<Value, Diag> {
        let left = Spanned { value: old, span: at };
        if let Value::List(list) = &left.value
            && self.state.checking
            && matches!(op, BinaryOp::Add | BinaryOp::Mul)
        {
            if !self.changes(list) {
                return Ok(left.value);
            }
            if is_unsure(&right.value) || is_open_list(&left.value) {
                self.open(list);
                return Ok(left.value);
            }
        }
        match (&left.value, op) {
            (Value::Tensor(t), _) => {
                let t = t.clone();
                let result = self.in_place(&t, &left, op, &right, span)?;
                if t.cell.base.is_some() && t.ndim() == 0 {
                    // An element that was read: it gets a value of its own.
                    return self.own_element(&t, result, span);
                }
                let result = Spanned { value: result, span: self.place(span) };
                if !matches!(result.value, Value::Unknown) {
                    self.store(&t, &result, at)?;
                }
                Ok(left.value)
            }
            (Value::List(list), BinaryOp::Add) if !matches!(right.value, Value::Tensor(_)) => {
                let items = self.all_elements(&right.value, right.span)?;
                let len = list.lock().len().saturating_add(items.len());
                self.check_room(len.saturating_mul(size_of::<Value>()), span)?;
                list.lock().extend(items);
                Ok(left.value)
            }
            (Value::List(list), BinaryOp::Mul) if matches!(right.value, Value::Int(_)) => {
                if let Value::List(new) = self.binary(op, op_span, &left, &right, span)? {
                    let items = new.to_vec();
                    *list.lock() = items;
                }
                Ok(left.value)
            }
            _ => self.binary(op, op_span, &left, &right, span),
        }
    }

    /// `old op right` where the result must go back into `t`: NumPy's same-kind rule.
    fn in_place(
        &mut self,
        t: &Tensor,
        old: &Spanned,
        op: BinaryOp,
        right: &Spanned,
        span: Span,
    ) -> Result<Value, Diag> {
        let labels = [(&old.value, self.place(old.span)), (&right.value, self.place(right.span))];
        let result = if op == BinaryOp::MatMul || !super::operators::is_operand(&right.value) {
            self.binary(op, span, old, right, span)?
        } else {
            self.check_same_kind(t, op, old, right, &labels)?;
            self.cx(span).map(binary_row(op), &labels)?
        };
        if let Value::Tensor(r) = &result
            && !can_cast(r.dtype(), t.dtype(), Casting::SameKind)
        {
            return Err(label_operands(same_kind(op, r.dtype(), t), &labels));
        }
        Ok(result)
    }

    /// Refuses the dtype before the target's shape is looked at, but after the operands' shapes: NumPy's order.
    fn check_same_kind(
        &mut self,
        t: &Tensor,
        op: BinaryOp,
        old: &Spanned,
        right: &Spanned,
        labels: &[(&Value, Span)],
    ) -> Result<(), Diag> {
        let mut cx = self.cx(right.span);
        let MapArg::Operand(value) = convert::map_arg(&mut cx, &right.value, right.span)? else { return Ok(()) };
        let float = cx.default_float();
        let Ok(typed) = (binary_row(op).rule)(&[t.dtype(), value.view.dtype], float) else { return Ok(()) };
        let Value::Tensor(own) = &old.value else { return Ok(()) };
        let broadcasts = broadcast_shapes(&[own.shape(), value.shape()]).is_ok();
        if !broadcasts || can_cast(typed.result, t.dtype(), Casting::SameKind) {
            return Ok(());
        }
        Err(label_operands(same_kind(op, typed.result, t), labels))
    }

    fn own_element(&mut self, t: &Tensor, result: Value, span: Span) -> Result<Value, Diag> {
        let Value::Tensor(r) = &result else { return Ok(result) };
        if r.dtype() == t.dtype() {
            return Ok(result);
        }
        let mut cx = self.cx(span);
        let node = build::cast(&r.operand(), t.dtype(), crate::tensor::CastMode::Wrap, cx.span)?;
        Ok(cx.fresh(node))
    }
}

fn same_kind(op: BinaryOp, result: crate::tensor::DType, t: &Tensor) -> Diag {
    let (symbol, own) = (binary_symbol(op), t.dtype());
    Diag::new("E0405", format!("`{symbol}=` gives {result}, which does not go into {own} in place"))
        .hint(format!("`x = x {symbol} …` makes a new tensor; `x[...] = …` converts"))
}
