//! Calls: arguments, binding, closures, functions of the table, dtypes.

use super::{Eval, annotation::Dims, check::is_unsure, hole::hole_among, name::builtin};
use crate::base::{Diag, Span, Symbol, a as article};
use crate::func::{self, Args, Body, Func, Given, convert};
use crate::lang::ast::{Arg, Expr, ExprKind, FnDef};
use crate::plan::build;
use crate::tensor::{CastMode, DType};
use crate::value::{Closure, Lookup, Scope, ScopeRef, Spanned, Value};
use std::sync::Arc;

/// Calls within calls, at most.
pub const MAX_DEPTH: usize = 2_000;

impl Eval<'_> {
    pub(super) fn call_expr(
        &mut self,
        callee: &Expr,
        args: &[Arg],
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        if let ExprKind::Attr { base, name } = &callee.kind {
            let value = self.expr(base, scope).map_err(|d| self.without_library(d, base, name.symbol))?;
            return self.method_call(value, base.span, *name, args, span, scope);
        }
        let function = self.expr(callee, scope)?;
        if let Some(at) = hole_among(args) {
            return self.hole_call(&function, None, (args, at), span, scope);
        }
        let given = self.arguments(None, args, scope)?;
        self.call_value(&function, given, span, callee.span)
    }

    /// Evaluates the arguments of a call, `first` before them.
    pub(super) fn arguments(&mut self, first: Option<Spanned>, args: &[Arg], scope: &ScopeRef) -> Result<Given, Diag> {
        let mut given = Given { args: Vec::with_capacity(args.len() + 1), keywords: Vec::new() };
        given.args.extend(first);
        for arg in args {
            let span = arg.value.span;
            match (&arg.name, &arg.value.kind) {
                (None, ExprKind::Star(inner)) => {
                    let value = self.expr(inner, scope)?;
                    let items = self.all_elements(&value, inner.span)?;
                    let span = self.place(span);
                    given.args.extend(items.into_iter().map(|value| Spanned { value, span }));
                }
                (None, _) => {
                    let value = self.expr(&arg.value, scope)?;
                    given.args.push(Spanned { value, span: self.place(span) });
                }
                (Some(name), _) => {
                    let value = self.expr(&arg.value, scope)?;
                    given.keywords.push((name.symbol, Spanned { value, span: self.place(span) }));
                }
            }
        }
        Ok(given)
    }

    pub(super) fn call_value(
        &mut self,
        callee: &Value,
        given: Given,
        span: Span,
        callee_span: Span,
    ) -> Result<Value, Diag> {
        match callee {
            Value::Closure(closure) => {
                let args = bind_closure(&closure.def, given, self.place(span))?;
                self.call_closure(closure, args, span)
            }
            Value::Builtin(func) => self.call_func(func, given, span),
            Value::DType(dtype) => self.cast_call(*dtype, given, span),
            Value::Unknown => Ok(Value::Unknown),
            other => {
                let what = self.snippet(callee_span);
                let message =
                    if what.is_empty() { "this is no function".into() } else { format!("`{what}` is no function") };
                Err(Diag::new("E0103", message).label(self.place(callee_span), other.describe()))
            }
        }
    }

    fn call_func(&mut self, func: &'static Func, given: Given, span: Span) -> Result<Value, Diag> {
        let place = self.place(span);
        let args = func::bind(func, given, place)?;
        if self.state.checking
            && let Some(value) = self.check_func(func, &args)
        {
            return Ok(value);
        }
        match func.body {
            Body::Native(call) => {
                let value = call(&mut self.cx(span), &args).map_err(|d| d.at(place))?;
                whole_blocks(&value).map_err(|d| d.at(place))?;
                Ok(value)
            }
            Body::Map(row) => {
                let operands: Vec<(&Value, Span)> = args.args.iter().map(|a| (&a.value, a.span)).collect();
                self.cx(span).map(row, &operands)
            }
            Body::Prelude(entry) => {
                let closure = self.prelude(entry)?;
                self.call_prelude(&closure, args, span)
            }
        }
    }

    fn call_prelude(&mut self, closure: &Arc<Closure>, args: Args, span: Span) -> Result<Value, Diag> {
        let place = self.place(span);
        let before = self.caller.replace(place);
        let unfit = if before.is_none() { unfit(&args) } else { None };
        let bound = args.args.into_iter().map(|a| Some(Spanned { value: a.value, span: a.span })).collect();
        let result = self.call_closure(closure, bound, span);
        self.caller = before;
        result.map_err(|d| match unfit {
            Some(unfit) if matches!(d.code, "E0102" | "E0103" | "E0108" | "E0112" | "E0401") => unfit,
            _ => self.outward(d, place),
        })
    }

    /// Labels inside the library's own texts move to the call.
    fn outward(&self, mut diag: Diag, place: Span) -> Diag {
        let internal = diag.labels.iter().any(|l| self.is_internal(l.span.source));
        if internal {
            diag.labels.retain(|l| !self.is_internal(l.span.source));
            if !diag.labels.iter().any(|l| l.span == place) {
                diag = diag.label(place, "");
            }
        }
        diag
    }

    /// The closure of a definition in the prelude, parsed at its first use.
    fn prelude(&mut self, entry: &'static func::prelude::Entry) -> Result<Arc<Closure>, Diag> {
        let name = Symbol::new(entry.doc.name);
        if let Some(closure) = self.state.prelude.get(&name) {
            return Ok(closure.clone());
        }
        let source = self.state.sources.add(format!("<prelude:{}>", entry.doc.name), entry.text, true);
        let parsed = crate::lang::parse(source, entry.text);
        let scope = Scope::module();
        if let Some(error) = parsed.errors.into_iter().next() {
            return Err(error);
        }
        for stmt in &parsed.script {
            self.statement(stmt, &scope)?;
        }
        match scope.remove(name) {
            Some(Value::Closure(closure)) => {
                self.state.prelude.insert(name, closure.clone());
                Ok(closure)
            }
            _ => Err(super::unknown_name(name, Span::default())),
        }
    }

    /// Runs a closure with bound arguments; None stands for the default.
    pub(super) fn call_closure(
        &mut self,
        closure: &Arc<Closure>,
        args: Vec<Option<Spanned>>,
        span: Span,
    ) -> Result<Value, Diag> {
        self.check_cancel(span)?;
        if self.depth >= MAX_DEPTH {
            return Err(Diag::new("E0704", format!("more than {MAX_DEPTH} calls within calls"))
                .label(self.place(span), "")
                .hint("a recursion needs a case that ends it"));
        }
        let def = &closure.def;
        if self.state.checking && self.check_unfollowed(def) {
            return Ok(Value::Unknown);
        }
        let scope = Scope::call(closure.scope.clone(), closure.locals.clone());
        let mut dims = Dims::default();
        for ((param, arg), default) in def.params.iter().zip(args).zip(&closure.defaults) {
            let value = match (arg, default) {
                (Some(mut arg), _) => {
                    if let Some(annotation) = &param.annotation {
                        self.check_stand_in(annotation, &mut arg.value, arg.span, &dims);
                        self.check_annotation(annotation, &arg.value, arg.span, &mut dims)?;
                    }
                    arg.value
                }
                (None, Some(default)) => {
                    if let Some(annotation) = &param.annotation {
                        self.check_annotation(annotation, default, param.name.span, &mut dims)?;
                    }
                    default.clone()
                }
                (None, None) => Value::None,
            };
            scope.set(param.name.symbol, value);
        }
        dims.bind(&scope);
        self.depth += 1;
        let result = stacker::maybe_grow(512 << 10, 4 << 20, || {
            if self.state.checking { self.check_body(def, &scope) } else { self.body(&def.body, &scope) }
        });
        self.depth -= 1;
        result
    }

    /// `f32(x)`: a cast; `bool(x)` of a plain value is Python's.
    fn cast_call(&mut self, dtype: DType, given: Given, span: Span) -> Result<Value, Diag> {
        let place = self.place(span);
        let [arg] = given.args.as_slice() else {
            let message = format!("`{dtype}` takes one value, {} are given", given.args.len());
            let code = if given.args.is_empty() { "E0104" } else { "E0105" };
            return Err(Diag::new(code, message).label(place, "").hint(format!("{dtype}(x)")));
        };
        let (mut mode, at) = (CastMode::Checked, arg.span);
        for (name, value) in &given.keywords {
            let on = self.truthy(&value.value, value.span)?;
            match name.as_str() {
                "wrap" if on => mode = CastMode::Wrap,
                "saturate" if on => mode = CastMode::Saturate,
                "wrap" | "saturate" => {}
                other => {
                    return Err(Diag::new("E0106", format!("`{dtype}` has no parameter `{other}`"))
                        .label(value.span, "")
                        .hint(format!("{dtype}(x, wrap=False, saturate=False)")));
                }
            }
        }
        match &arg.value {
            unsure if self.state.checking && is_unsure(unsure) => Ok(Value::Unknown),
            Value::Tensor(t) => {
                let mut cx = self.cx(span);
                let node =
                    build::cast(&t.operand(), dtype, mode, cx.span).map_err(|d| d.label(at, arg.value.describe()))?;
                Ok(cx.fresh(node))
            }
            Value::Str(_) if dtype != DType::Bool => {
                Err(Diag::new("E0401", format!("`{dtype}` does not take a string"))
                    .label(at, "")
                    .hint("`float(s)` reads a number"))
            }
            Value::List(_) if dtype == DType::Bool => self.array_cast(&arg.value, dtype, mode, at, span),
            plain if dtype == DType::Bool => self.truthy(plain, at).map(Value::Bool),
            plain => self.array_cast(plain, dtype, mode, at, span),
        }
    }

    fn array_cast(&mut self, value: &Value, dtype: DType, mode: CastMode, at: Span, span: Span) -> Result<Value, Diag> {
        let mut cx = self.cx(span);
        if mode == CastMode::Checked {
            return convert::array(&mut cx, value, Some(dtype), at).map(Value::tensor);
        }
        let t = convert::array(&mut cx, value, None, at)?;
        let node = build::cast(&t.operand(), dtype, mode, cx.span).map_err(|d| d.label(at, value.describe()))?;
        Ok(cx.fresh(node))
    }

    /// The function that a method call means: that of the scope, or the built-in where the name is bound otherwise.
    pub(super) fn method_function(&self, name: Symbol, scope: &ScopeRef) -> Option<Value> {
        let callable = |v: &Value| matches!(v, Value::Closure(_) | Value::Builtin(_) | Value::DType(_));
        match scope.lookup(name) {
            Lookup::Found(value) if callable(&value) => Some(value),
            _ => builtin(name).filter(callable),
        }
    }
}

/// The fault of an argument that is nothing to compute with, in the words of the call. What the prelude's own lines say
/// of it is about names that the caller never saw.
fn unfit(args: &Args) -> Option<Diag> {
    let strange = |i: &usize| {
        let (arg, default) = (&args.args[*i], args.func.signature().params[*i].default.as_ref());
        let word = matches!(default, Some(Value::Str(_)));
        let missing = matches!(arg.value, Value::None) && !matches!(default, Some(Value::None));
        let kind = matches!(arg.value, Value::Str(_) | Value::Record(_) | Value::Builtin(_) | Value::Closure(_));
        arg.given && (missing || kind && !word)
    };
    let i = (0..args.args.len()).find(strange)?;
    let (func, param) = (args.func.doc.name, args.func.signature().params[i].name);
    let what = article(args.args[i].value.describe());
    let diag = Diag::new("E0108", format!("`{func}`: `{param}` cannot be {what}"));
    Some(diag.label(args.span(i), args.value(i).describe()).hint(args.func.doc.sig))
}

/// Refuses views that cut the blocks of a packed tensor (E0216).
fn whole_blocks(value: &Value) -> Result<(), Diag> {
    match value {
        Value::Tensor(t) => t.packed().map_or(Ok(()), |format| format.blocks(&t.view.layout).map(drop)),
        Value::Tuple(items) => items.iter().try_for_each(whole_blocks),
        Value::List(items) => {
            items.to_vec().iter().filter(|v| matches!(v, Value::Tensor(_))).try_for_each(whole_blocks)
        }
        _ => Ok(()),
    }
}

/// Arguments in the order of the parameters; None where the default stands.
fn bind_closure(def: &FnDef, given: Given, span: Span) -> Result<Vec<Option<Spanned>>, Diag> {
    let name = def.name.map_or("lambda", |n| n.symbol.as_str());
    let mut slots: Vec<Option<Spanned>> = vec![None; def.params.len()];
    let count = given.args.len();
    for (i, arg) in given.args.into_iter().enumerate() {
        let at = arg.span;
        match slots.get_mut(i) {
            Some(slot) => *slot = Some(arg),
            None => {
                let message = format!("`{name}` takes at most {} arguments, {count} are given", def.params.len());
                return Err(Diag::new("E0105", message).label(at, "").hint(signature(def)));
            }
        }
    }
    for (keyword, arg) in given.keywords {
        let at = arg.span;
        match def.params.iter().position(|p| p.name.symbol == keyword) {
            Some(i) if slots[i].is_none() => slots[i] = Some(arg),
            Some(_) => {
                let message = format!("`{name}` gets `{keyword}` twice");
                return Err(Diag::new("E0107", message).label(at, "").hint(signature(def)));
            }
            None => {
                let message = format!("`{name}` has no parameter `{keyword}`");
                return Err(Diag::new("E0106", message).label(at, "").hint(signature(def)));
            }
        }
    }
    for (slot, param) in slots.iter().zip(&def.params) {
        if slot.is_none() && param.default.is_none() {
            let message = format!("`{name}` needs the argument `{}`", param.name.symbol);
            return Err(Diag::new("E0104", message).label(span, "").hint(signature(def)));
        }
    }
    Ok(slots)
}

pub(super) fn signature(def: &FnDef) -> String {
    let params: Vec<String> = def
        .params
        .iter()
        .map(|p| if p.default.is_some() { format!("{}=…", p.name.symbol) } else { p.name.symbol.to_string() })
        .collect();
    format!("{}({})", def.name.map_or("lambda", |n| n.symbol.as_str()), params.join(", "))
}
