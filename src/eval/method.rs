//! What stands behind a dot: members, attributes, and calls in method form.

use super::Eval;
use super::check::{is_open_list, is_unsure};
use super::hole::hole_among;
use crate::base::{Diag, Span, Symbol, a as article, foreign, nearest};
use crate::file::Archive;
use crate::func::{self, attribute, files};
use crate::lang::ast::{Arg, Name};
use crate::value::{List, Module, Record, ScopeRef, Spanned, Value};
use std::sync::Arc;

impl Eval<'_> {
    /// `x.f(a)`: a member of a module, record or archive, a list's own method, or `f(x, a)`.
    pub(super) fn method_call(
        &mut self,
        value: Value,
        base: Span,
        name: Name,
        args: &[Arg],
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let at = name.span;
        if let Value::Unknown = value {
            return self.arguments(None, args, scope).map(|_| Value::Unknown);
        }
        if let Some(member) = self.member(&value, name.symbol).map_err(|d| d.at(at))? {
            let given = self.arguments(None, args, scope)?;
            return self.call_value(&member, given, span, base.to(at));
        }
        if let Some(at) = hole_among(args)
            && let Some(function) = self.method_function(name.symbol, scope)
        {
            let first = Spanned { value, span: base };
            return self.hole_call(&function, Some(first), (args, at), span, scope);
        }
        if let Value::List(list) = &value
            && matches!(name.symbol.as_str(), "append" | "extend" | "insert" | "pop")
        {
            let given = self.arguments(None, args, scope)?;
            let items: Vec<Spanned> = given.args;
            return self.list_method(list, name.symbol.as_str(), &items, span);
        }
        if let Value::Str(s) = &value {
            let given = self.arguments(None, args, scope)?;
            let place = self.place(span);
            if self.state.checking && given.args.iter().any(|a| is_unsure(&a.value)) {
                return Ok(Value::Unknown);
            }
            if let Some(result) = func::strings::method(&mut self.cx(span), s, name.symbol.as_str(), &given) {
                return result.map_err(|d| d.at(place));
            }
            return self.method_function_call(value, base, name, given, span, scope);
        }
        let given = self.arguments(None, args, scope)?;
        self.method_function_call(value, base, name, given, span, scope)
    }

    fn method_function_call(
        &mut self,
        value: Value,
        base: Span,
        name: Name,
        mut given: func::Given,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let Some(function) = self.method_function(name.symbol, scope) else {
            return Err(self.no_method(&value, base, name, span, scope));
        };
        if let Value::Tensor(_) = value
            && attribute::TENSOR.contains(&name.symbol.as_str())
            && given.args.is_empty()
            && given.keywords.is_empty()
            && !matches!(name.symbol.as_str(), "real" | "imag")
        {
            return Err(self.no_method(&value, base, name, span, scope));
        }
        given.args.insert(0, Spanned { value, span: self.place(base) });
        self.call_value(&function, given, span, name.span)
    }

    fn no_method(&self, value: &Value, base: Span, name: Name, span: Span, scope: &ScopeRef) -> Diag {
        let what = name.symbol;
        if matches!(value, Value::Tensor(_)) && attribute::TENSOR.contains(&what.as_str()) {
            return Diag::new("E0103", format!("`.{what}` is an attribute, no method"))
                .label(self.place(span), "")
                .hint(format!("write `.{what}` without brackets"));
        }
        let mut diag = self.unknown(what, self.place(name.span), scope);
        diag.message = format!("there is no function `{what}`");
        if let Some(ours) = foreign::dtype(what.as_str()) {
            diag.hint = Some(format!("write `.astype({ours})`"));
        } else if let Some((hint, _)) = foreign::written(what.as_str()) {
            diag.hint = Some(hint.to_owned());
        }
        diag.label(self.place(base), value.describe())
    }

    /// A member of a module, record or archive.
    fn member(&mut self, value: &Value, name: Symbol) -> Result<Option<Value>, Diag> {
        Ok(match value {
            Value::Module(module) => module.scope.lock().get(&name).cloned(),
            Value::Record(record) => record.get(name).cloned(),
            Value::Archive(archive) if archive.contains(name.as_str()) => Some(files::member(archive, name.as_str())?),
            _ => None,
        })
    }

    pub(super) fn attribute(
        &mut self,
        value: &Value,
        name: Name,
        base: Span,
        span: Span,
        scope: &ScopeRef,
    ) -> Result<Value, Diag> {
        let at = self.place(name.span);
        if let Some(member) = self.member(value, name.symbol).map_err(|d| d.at(at))? {
            return Ok(member);
        }
        match value {
            Value::Unknown => return Ok(Value::Unknown),
            Value::Tensor(t) => {
                let place = self.place(base);
                if let Some(result) = attribute::tensor(&mut self.cx(span), t, name.symbol.as_str()) {
                    return result.map_err(|d| d.label(place, value.describe()));
                }
            }
            Value::Archive(archive) => return self.archive_attribute(archive, String::new(), name, at),
            Value::Branch(branch) => {
                return self.archive_attribute(&branch.archive, format!("{}.", branch.path), name, at);
            }
            Value::Module(module) => return Err(no_member(module, name, at)),
            Value::Record(record) => return Err(no_field(record, name, at)),
            _ => {
                if let Some(result) = plain(value, name.symbol.as_str()) {
                    return Ok(result);
                }
            }
        }
        Err(self.no_attribute(value, name, base, scope))
    }

    fn no_attribute(&self, value: &Value, name: Name, base: Span, scope: &ScopeRef) -> Diag {
        let (what, at) = (name.symbol, self.place(name.span));
        let diag = Diag::new("E0102", format!("{} has no attribute `{what}`", article(value.describe())))
            .label(at, "")
            .label(self.place(base), value.describe());
        if self.method_function(what, scope).is_some() {
            return diag.hint(format!("`{what}` is a function: call it, `.{what}()`"));
        }
        match func::nearest(what.as_str(), attribute::TENSOR.iter().copied()) {
            Some(near) => diag.hint(format!("did you mean `.{near}`?")),
            None => diag,
        }
    }

    /// Names with dots are reached step by step: `m.blk[0].attn_q.weight`.
    fn archive_attribute(&mut self, archive: &Archive, prefix: String, name: Name, at: Span) -> Result<Value, Diag> {
        let what = name.symbol.as_str();
        if what == "meta" && prefix.is_empty() {
            return Ok(Value::Meta(Arc::new(archive.clone())));
        }
        if let Some(result) = files::at_path(archive, format!("{prefix}{what}")) {
            return result.map_err(|d| d.at(at));
        }
        let next = |n: &'_ str| n.strip_prefix(&prefix).and_then(|n| n.split('.').next()).map(str::to_owned);
        let names: Vec<String> = archive.names().filter_map(next).take(20_000).collect();
        let diag = Diag::new("E0609", format!("the archive has nothing named `{prefix}{what}`")).label(at, "");
        Err(match nearest(what, names.iter().map(String::as_str)) {
            Some(near) => diag.hint(format!("did you mean `{near}`?")),
            None => diag.hint("`keys(m)` lists the names"),
        })
    }

    fn list_method(&mut self, list: &List, name: &str, args: &[Spanned], span: Span) -> Result<Value, Diag> {
        let place = self.place(span);
        let count = |low: usize, high: usize| {
            if (low..=high).contains(&args.len()) {
                return Ok(());
            }
            let code = if args.len() < low { "E0104" } else { "E0105" };
            Err(Diag::new(code, format!("`{name}` does not take {} arguments", args.len())).label(place, ""))
        };
        if !self.changes(list) {
            return Ok(if name == "pop" { Value::Unknown } else { Value::None });
        }
        if self.state.checking
            && (is_open_list(&Value::List(list.clone()))
                || name != "append" && args.iter().any(|a| is_unsure(&a.value)))
        {
            self.open(list);
            return Ok(if name == "pop" { Value::Unknown } else { Value::None });
        }
        match name {
            "append" => {
                count(1, 1)?;
                list.lock().push(args[0].value.clone());
            }
            "extend" => {
                count(1, 1)?;
                let items = self.all_elements(&args[0].value, args[0].span)?;
                list.lock().extend(items);
            }
            "insert" => {
                count(2, 2)?;
                let i = self.plain_int(&args[0].value, args[0].span)?;
                let mut items = list.lock();
                let n = items.len() as i64;
                let at = if i < 0 { i.saturating_add(n).max(0) } else { i.min(n) };
                items.insert(at as usize, args[1].value.clone());
            }
            _ => {
                count(0, 1)?;
                let i = match args.first() {
                    Some(arg) => self.plain_int(&arg.value, arg.span)?,
                    None => -1,
                };
                let mut items = list.lock();
                let len = items.len();
                return match super::subscript::position(i, len) {
                    Some(at) => Ok(items.remove(at)),
                    None => Err(Diag::new("E0301", format!("pop: index {i} is out of range: the length is {len}"))
                        .label(place, "")),
                };
            }
        }
        let len = list.lock().len();
        self.check_room(len.saturating_mul(size_of::<Value>()), place)?;
        Ok(Value::None)
    }
}

/// Attributes of values that are no tensors.
fn plain(value: &Value, name: &str) -> Option<Value> {
    Some(match (value, name) {
        (Value::Complex(z), "real") => Value::Float(z.re),
        (Value::Complex(z), "imag") => Value::Float(z.im),
        (Value::Int(_) | Value::Float(_), "real") => value.clone(),
        (Value::Int(_), "imag") => Value::Int(0),
        (Value::Float(_), "imag") => Value::Float(0.0),
        (Value::Packed(f), "name") => Value::str(f.name()),
        (Value::Packed(f), "block") => Value::Int(f.block as i64),
        (Value::Packed(f), "itemsize") => Value::Int(f.bytes as i64),
        (Value::DType(d), "name") => Value::str(d.name()),
        (Value::DType(d), "itemsize") => Value::Int(d.size() as i64),
        (Value::Range(r), "start") => Value::Int(r.start),
        (Value::Range(r), "stop") => Value::Int(r.stop),
        (Value::Range(r), "step") => Value::Int(r.step),
        _ => return None,
    })
}

fn no_member(module: &Module, name: Name, at: Span) -> Diag {
    let diag = Diag::new("E0102", format!("module {} has no `{}`", module.name, name.symbol)).label(at, "");
    let names: Vec<Symbol> = module.scope.lock().keys().copied().collect();
    match nearest(name.symbol.as_str(), names.iter().map(|n| n.as_str())) {
        Some(near) => diag.hint(format!("did you mean `{near}`?")),
        None => diag,
    }
}

fn no_field(record: &Record, name: Name, at: Span) -> Diag {
    let names: Vec<&str> = record.fields.iter().map(|(n, _)| n.as_str()).collect();
    let diag = Diag::new("E0102", format!("the record has no field `{}`", name.symbol))
        .label(at, "")
        .note(format!("it has {}", names.join(", ")));
    match nearest(name.symbol.as_str(), names) {
        Some(near) => diag.hint(format!("did you mean `{near}`?")),
        None => diag,
    }
}
