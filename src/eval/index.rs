//! What stands between the brackets of `x[…]`, and basic indices: integers, slices, `...`, `None`. They are views.

use super::Eval;
use super::check::is_unsure;
use crate::base::{Diag, Span};
use crate::func::convert;
use crate::lang::ast::{Expr, ExprKind, IndexItem};
use crate::plan::{Cell, CopyReason, Tensor, build};
use crate::tensor::{Layout, LayoutFault};
use crate::value::{ScopeRef, Value};

/// One item of an index.
#[derive(Clone)]
pub(super) enum Item {
    Int(i64),
    Slice {
        start: Option<i64>,
        stop: Option<i64>,
        step: Option<i64>,
    },
    Ellipsis,
    NewAxis,
    /// Integers with at least one axis.
    Index(Tensor),
    /// Bools with at least one axis.
    Mask(Tensor),
    /// A bool or a 0-d bool tensor: indexes no axis.
    Flag(bool),
}

pub(super) struct Items {
    pub items: Vec<(Item, Span)>,
    /// From the first to the last item.
    pub span: Span,
}

impl Items {
    /// Whether an index tensor, a mask or a bool is among them: the result is a copy.
    pub fn is_advanced(&self) -> bool {
        self.items.iter().any(|(i, _)| matches!(i, Item::Index(_) | Item::Mask(_) | Item::Flag(_)))
    }

    /// Integers on every axis and nothing else: reads one element.
    pub fn is_element(&self, ndim: usize) -> bool {
        ndim > 0 && self.items.len() == ndim && self.items.iter().all(|(i, _)| matches!(i, Item::Int(_)))
    }

    /// Axes of the base that the items name.
    fn used(&self) -> usize {
        self.items
            .iter()
            .map(|(item, _)| match item {
                Item::Int(_) | Item::Slice { .. } | Item::Index(_) => 1,
                Item::Mask(m) => m.ndim(),
                Item::Ellipsis | Item::NewAxis | Item::Flag(_) => 0,
            })
            .sum()
    }

    /// How many axes `...` stands for. E0302 with too many items, E0309 with two `...`.
    pub fn rest(&self, t: &Tensor, base: Span) -> Result<usize, Diag> {
        let mut dots = self.items.iter().filter(|(i, _)| matches!(i, Item::Ellipsis));
        if let (Some(_), Some((_, second))) = (dots.next(), dots.next()) {
            return Err(Diag::new("E0309", "an index has one `...` at most").label(*second, "the second one"));
        }
        let used = self.used();
        t.ndim().checked_sub(used).ok_or_else(|| {
            let hint = if t.ndim() == 0 { "a 0-d tensor has no axes: `x[()]` or `x.item()` reads it" } else { "" };
            let diag = Diag::new("E0302", format!("too many indices: {used} for {}", crate::tensor::axes_of(t.ndim())))
                .label(self.span, "")
                .label(base, t.describe());
            if hint.is_empty() { diag } else { diag.hint(hint) }
        })
    }
}

impl Eval<'_> {
    pub(super) fn index_items(&mut self, items: &[IndexItem], span: Span, scope: &ScopeRef) -> Result<Items, Diag> {
        let mut out = Vec::with_capacity(items.len());
        let mut whole: Option<Span> = None;
        for item in items {
            match item {
                IndexItem::Slice { start, stop, step, span } => {
                    let start = self.bound(start.as_ref(), scope)?;
                    let stop = self.bound(stop.as_ref(), scope)?;
                    let step = self.bound(step.as_ref(), scope)?;
                    let span = self.place(*span);
                    whole = Some(whole.map_or(span, |w| w.to(span)));
                    if step == Some(0) {
                        return Err(Diag::new("E0303", "a slice's step is not 0").label(span, ""));
                    }
                    out.push((Item::Slice { start, stop, step }, span));
                }
                IndexItem::Expr(Expr { kind: ExprKind::Star(inner), span }) => {
                    let value = self.expr(inner, scope)?;
                    let place = self.place(*span);
                    whole = Some(whole.map_or(place, |w| w.to(place)));
                    for value in self.all_elements(&value, inner.span)? {
                        out.push((self.item(&value, place)?, place));
                    }
                }
                IndexItem::Expr(expr) => {
                    let value = self.expr(expr, scope)?;
                    let place = self.place(expr.span);
                    whole = Some(whole.map_or(place, |w| w.to(place)));
                    match value {
                        // `x[t]` with a tuple t is `x[t[0], t[1], …]`.
                        Value::Tuple(values) if items.len() == 1 => {
                            for value in values.iter() {
                                out.push((self.item(value, place)?, place));
                            }
                        }
                        value => out.push((self.item(&value, place)?, place)),
                    }
                }
            }
        }
        Ok(Items { items: out, span: whole.unwrap_or(self.place(span)) })
    }

    /// A bound of a slice.
    pub(super) fn bound(&mut self, expr: Option<&Expr>, scope: &ScopeRef) -> Result<Option<i64>, Diag> {
        let Some(expr) = expr else { return Ok(None) };
        let value = self.expr(expr, scope)?;
        match value {
            Value::None => return Ok(None),
            Value::Unknown => return Err(self.needs_data(expr.span)),
            _ => {}
        }
        let mut cx = self.cx(expr.span);
        let place = cx.span;
        match convert::int(&mut cx, &value, place)? {
            Some(i) => Ok(Some(i)),
            None => Err(Diag::new("E0305", "a slice takes integers").label(place, value.describe())),
        }
    }

    fn item(&mut self, value: &Value, span: Span) -> Result<Item, Diag> {
        let wrong = |what: String| {
            Err(Diag::new("E0305", "an index is an integer, a slice, `...`, `None`, or integers or bools")
                .label(span, what))
        };
        Ok(match value {
            Value::Int(i) => Item::Int(*i),
            Value::Bool(b) => Item::Flag(*b),
            Value::None => Item::NewAxis,
            Value::Ellipsis => Item::Ellipsis,
            Value::Tensor(t) => return self.tensor_item(t, span),
            Value::List(_) | Value::Tuple(_) if self.state.checking && is_unsure(value) => {
                return Err(self.needs_data(span));
            }
            Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
                let t = convert::tensor(&mut self.cx(span), value, span)?;
                if t.size() == 0 && t.dtype().is_float() {
                    // `[]` has no integers that could tell its dtype.
                    let empty = convert::array(&mut self.cx(span), value, Some(crate::tensor::DType::I64), span)?;
                    return Ok(Item::Index(empty));
                }
                return self.tensor_item(&t, span);
            }
            Value::Float(_) => {
                return wrong("float".into()).map_err(|d: Diag| d.hint("`//` divides integers without leaving them"));
            }
            Value::Unknown => return Err(self.needs_data(span)),
            other => return wrong(other.describe()),
        })
    }

    fn tensor_item(&mut self, t: &Tensor, span: Span) -> Result<Item, Diag> {
        let dtype = t.dtype();
        if dtype == crate::tensor::DType::Bool {
            if t.ndim() > 0 {
                return Ok(Item::Mask(t.clone()));
            }
            return Ok(Item::Flag(convert::element(&mut self.cx(span), t, span)?.truthy()));
        }
        if !dtype.is_int() {
            return Err(Diag::new("E0305", "index tensors hold integers or bools")
                .label(span, t.describe())
                .hint("`.astype(i64)` makes integers of it"));
        }
        if t.ndim() > 0 {
            return Ok(Item::Index(t.clone()));
        }
        let value = convert::element(&mut self.cx(span), t, span)?;
        Ok(Item::Int(match value {
            crate::tensor::Scalar::UInt(u) => i64::try_from(u).unwrap_or(i64::MAX),
            other => other.to_i64_wrapping(),
        }))
    }
}

/// The view of a basic index.
pub(super) fn basic(t: &Tensor, items: &Items, base: Span) -> Result<Layout, Diag> {
    let rest = items.rest(t, base)?;
    let mut layout = t.view.layout.clone();
    // The axis of the view so far, and the axis of the base that it stands for.
    let (mut axis, mut source) = (0, 0);
    for (item, span) in &items.items {
        match item {
            Item::Int(i) => {
                layout =
                    drop_axis(&layout, axis, *i, source).map_err(|d| d.label(*span, "").label(base, t.describe()))?;
                source += 1;
            }
            Item::Slice { start, stop, step } => {
                layout = layout.slice(axis, *start, *stop, *step).map_err(|f| f.diag().label(*span, ""))?;
                axis += 1;
                source += 1;
            }
            Item::Ellipsis => {
                axis += rest;
                source += rest;
            }
            Item::NewAxis => {
                layout = layout.newaxis(axis);
                axis += 1;
            }
            Item::Index(_) | Item::Mask(_) | Item::Flag(_) => {}
        }
    }
    Ok(layout)
}

/// Drops one axis of a view; a fault names the axis of the base.
pub(super) fn drop_axis(layout: &Layout, axis: usize, i: i64, source: usize) -> Result<Layout, Diag> {
    layout.index(axis as isize, i).map_err(|fault| match fault {
        LayoutFault::IndexOutOfRange { index, extent, .. } => {
            LayoutFault::IndexOutOfRange { axis: source, index, extent }.diag()
        }
        other => other.diag(),
    })
}

/// A 0-d read of one element: keeps the version that it read.
pub(super) fn element(t: &Tensor, layout: Layout) -> Tensor {
    let mut out = t.viewed(layout);
    if t.packed().is_some() {
        // One element of a block is a value of its own.
        return Tensor::of(build::copy(&out.operand(), CopyReason::Asked { by: "[]" }, Span::default()));
    }
    out.cell = Cell::snapshot(&t.cell);
    out
}

/// `t[at]` for a walk over the first axis.
pub(super) fn first_axis(t: &Tensor, at: usize) -> Option<Tensor> {
    let layout = t.view.layout.index(0, at as i64).ok()?;
    Some(if t.ndim() == 1 { element(t, layout) } else { t.viewed(layout) })
}
