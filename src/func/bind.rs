//! Binds the arguments of a call to the parameters of a function of the table. Its signature is the text in its
//! documentation, parsed once.

use super::{Arg, Args, Func};
use crate::base::{Diag, Span, Symbol};
use crate::tensor::DType;
use crate::value::{Spanned, Value};
use std::collections::HashMap;
use std::sync::{LazyLock, RwLock};

/// `topk(x, k, axis=-1, largest=True)`, `permute(x, *axes)`, `record(**fields)`
#[derive(Debug, Default)]
pub struct Signature {
    pub params: Vec<Param>,
    /// Parameters before this one take positional arguments.
    pub positional: usize,
    /// The name behind `*`.
    pub rest: Option<Symbol>,
    /// A `**` takes any further keywords.
    pub keywords: bool,
}

pub struct Param {
    pub name: Symbol,
    pub default: Option<Value>,
}

impl std::fmt::Debug for Param {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.name, if self.default.is_some() { "=…" } else { "" })
    }
}

/// The arguments of a call, evaluated.
#[derive(Default)]
pub struct Given {
    pub args: Vec<Spanned>,
    pub keywords: Vec<(Symbol, Spanned)>,
}

/// Names that mean the same, because NumPy and PyTorch call one thing differently.
const SYNONYMS: &[&[&str]] = &[
    &["axis", "dim", "axes", "dims"],
    &["keepdims", "keepdim"],
    &["x", "input", "a", "self", "arr", "x1"],
    &["y", "other", "b", "x2"],
    &["shape", "size"],
    &["ddof", "correction"],
    &["repeats", "reps"],
    &["w", "weight"],
];

/// Signatures parsed so far, by the address of their function.
static PARSED: LazyLock<RwLock<HashMap<usize, &'static Signature>>> = LazyLock::new(RwLock::default);

impl Func {
    /// Parsed from `doc.sig` at the first call; leaked once for the process, as rows are.
    pub fn signature(&'static self) -> &'static Signature {
        let key = std::ptr::from_ref(self) as usize;
        if let Some(sig) = PARSED.read().unwrap_or_else(|e| e.into_inner()).get(&key) {
            return sig;
        }
        let mut parsed = PARSED.write().unwrap_or_else(|e| e.into_inner());
        parsed.entry(key).or_insert_with(|| Box::leak(Box::new(Signature::parse(self.doc.sig))))
    }
}

impl Signature {
    fn parse(text: &str) -> Signature {
        let mut sig = Signature::default();
        let inner = text.split_once('(').map_or("", |(_, rest)| rest);
        let inner = inner.strip_suffix(')').unwrap_or(inner);
        let mut keyword_only = false;
        for part in split_commas(inner) {
            if part.starts_with("**") {
                sig.keywords = true;
            } else if let Some(name) = part.strip_prefix('*') {
                sig.rest = (!name.is_empty()).then(|| Symbol::new(name));
                keyword_only = true;
            } else if !part.is_empty() {
                let (name, default) = match part.split_once('=') {
                    Some((name, default)) => (name.trim(), Some(literal(default.trim()))),
                    None => (part, None),
                };
                sig.params.push(Param { name: Symbol::new(name), default });
                if !keyword_only {
                    sig.positional = sig.params.len();
                }
            }
        }
        sig
    }

    /// The parameter that a keyword names, by its own name or by a synonym.
    fn position(&self, name: Symbol) -> Option<usize> {
        let exact = self.params.iter().position(|p| p.name == name);
        if self.keywords {
            return exact;
        }
        exact.or_else(|| self.params.iter().position(|p| synonyms(p.name.as_str(), name.as_str())))
    }
}

/// Names of a signature's parameters and the text of their defaults, in order; `*rest` keeps its star.
pub fn parameters(sig: &str) -> Vec<(&str, Option<&str>)> {
    let inner = sig.split_once('(').map_or("", |(_, rest)| rest);
    let parts = split_commas(inner.strip_suffix(')').unwrap_or(inner));
    let named = parts.into_iter().filter(|part| !part.is_empty() && *part != "*");
    named.map(|p| p.split_once('=').map_or((p, None), |(n, d)| (n.trim(), Some(d.trim())))).collect()
}

fn synonyms(a: &str, b: &str) -> bool {
    SYNONYMS.iter().any(|group| group.contains(&a) && group.contains(&b))
}

fn split_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut quoted) = (Vec::new(), 0i32, 0, false);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// A default as signatures write them: numbers, strings, constants, dtypes, tuples of these.
fn literal(text: &str) -> Value {
    let unquoted = |q: char| text.strip_prefix(q).and_then(|t| t.strip_suffix(q));
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return Value::tuple(split_commas(inner).into_iter().filter(|t| !t.is_empty()).map(literal).collect());
    }
    if let Some(string) = unquoted('"').or_else(|| unquoted('\'')) {
        return Value::str(string);
    }
    match text {
        "True" => return Value::Bool(true),
        "False" => return Value::Bool(false),
        "inf" => return Value::Float(f64::INFINITY),
        "-inf" => return Value::Float(f64::NEG_INFINITY),
        "nan" => return Value::Float(f64::NAN),
        "pi" => return Value::Float(std::f64::consts::PI),
        "e" => return Value::Float(std::f64::consts::E),
        _ => {}
    }
    if let Ok(i) = text.parse::<i64>() {
        return Value::Int(i);
    }
    if let Ok(x) = text.parse::<f64>() {
        return Value::Float(x);
    }
    DType::from_name(text).map_or(Value::None, Value::DType)
}

/// Binds a call's arguments.
///
/// # Errors
/// E0104 to E0107, with the signature as hint.
pub fn bind(func: &'static Func, given: Given, span: Span) -> Result<Args, Diag> {
    let sig = func.signature();
    let name = func.doc.name;
    let fail = |code, message: String, at: Span| Err(Diag::new(code, message).label(at, "").hint(func.doc.sig));
    let mut slots: Vec<Option<Arg>> = Vec::with_capacity(sig.params.len());
    slots.resize_with(sig.params.len(), || None);
    let (mut rest, mut keywords) = (Vec::new(), Vec::new());
    let count = given.args.len();
    for (i, arg) in given.args.into_iter().enumerate() {
        let arg = Arg { value: arg.value, span: arg.span, given: true };
        if i < sig.positional {
            slots[i] = Some(arg);
        } else if sig.rest.is_some() {
            rest.push(arg);
        } else {
            let message = format!("`{name}` takes at most {} arguments, {count} are given", sig.positional);
            return fail("E0105", message, arg.span);
        }
    }
    for (keyword, arg) in given.keywords {
        let arg = Arg { value: arg.value, span: arg.span, given: true };
        let at = arg.span;
        match sig.position(keyword) {
            // Any name may be a field: those of parameters that are given by position are free.
            Some(i) if sig.keywords && slots[i].is_some() => keywords.push((keyword, arg)),
            Some(i) if slots[i].is_none() => slots[i] = Some(arg),
            Some(_) => return fail("E0107", format!("`{name}` gets `{keyword}` twice"), at),
            None if is_rest(sig, keyword) && rest.is_empty() => rest.push(arg),
            None if sig.keywords => keywords.push((keyword, arg)),
            None => {
                let known = sig.params.iter().map(|p| p.name.as_str());
                let diag = Diag::new("E0106", format!("`{name}` has no parameter `{keyword}`")).label(at, "");
                return Err(match crate::base::nearest(keyword.as_str(), known) {
                    Some(near) => diag.hint(format!("did you mean `{near}`? {}", func.doc.sig)),
                    None => diag.hint(func.doc.sig),
                });
            }
        }
    }
    let mut args = Vec::with_capacity(slots.len());
    for (slot, param) in slots.into_iter().zip(&sig.params) {
        args.push(match (slot, &param.default) {
            (Some(arg), _) => arg,
            (None, Some(default)) => Arg { value: default.clone(), span, given: false },
            (None, None) => return fail("E0104", format!("`{name}` needs the argument `{}`", param.name), span),
        });
    }
    Ok(Args { func, args, rest, keywords })
}

fn is_rest(sig: &Signature, keyword: Symbol) -> bool {
    sig.rest.is_some_and(|rest| rest == keyword || synonyms(rest.as_str(), keyword.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_parse() {
        let sig = Signature::parse("f(x, k, axis=-1, shape=(1, 2), *rest, key=None, eps=1e-5, mode=\"a,b\", **more)");
        let names: Vec<&str> = sig.params.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["x", "k", "axis", "shape", "key", "eps", "mode"]);
        assert_eq!((sig.positional, sig.keywords), (4, true));
        assert_eq!(sig.rest.map(|r| r.as_str()), Some("rest"));
        assert!(matches!(sig.params[2].default, Some(Value::Int(-1))));
        assert!(matches!(&sig.params[3].default, Some(Value::Tuple(t)) if t.len() == 2));
        assert!(matches!(sig.params[5].default, Some(Value::Float(x)) if x == 1e-5));
        assert_eq!(sig.position(Symbol::new("axis")), Some(2));
        assert_eq!(sig.position(Symbol::new("dim")), None, "`**` takes every other name");
        let plain = Signature::parse("f(x, axis=-1)");
        assert_eq!(plain.position(Symbol::new("dim")), Some(1));
        assert_eq!(plain.position(Symbol::new("input")), Some(0));
        assert_eq!(plain.position(Symbol::new("zzz")), None);
    }
}
