//! Functions of Python's that work on plain values. Those that NumPy has too hand tensors on to their rows.

use super::make::Make;
use super::{Args, Cx, convert};
use crate::base::{Diag, Symbol, a as article};
use crate::tensor::{DType, Scalar};
use crate::value::{Range, Record, Spanned, Value};
use num_complex::Complex64;
use std::cmp::Ordering;

type Out = Result<Value, Diag>;

/// 2^63: the first float above every plain integer.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

const OVERFLOW: &str = "a plain integer has 64 bits: this is out of its range";

pub(super) fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Range(_))
}

pub(super) fn is_number(value: &Value) -> bool {
    convert::scalar(value).is_some()
}

pub(super) fn out_of_range(cx: &Cx) -> Diag {
    Diag::new("E0506", OVERFLOW).at(cx.span).hint("floats go further: write 1.0 for 1")
}

/// Whether a value counts as true; a tensor must have one element.
pub(super) fn truthy(cx: &mut Cx, value: &Value) -> Result<bool, Diag> {
    Ok(match value {
        Value::None => false,
        Value::Str(s) => !s.is_empty(),
        Value::List(items) => !items.lock().is_empty(),
        Value::Tuple(items) => !items.is_empty(),
        Value::Range(range) => !range.is_empty(),
        Value::Tensor(x) if x.size() != 1 => {
            return Err(Diag::new("E0214", format!("{} as a condition is ambiguous", x.describe()))
                .at(cx.span)
                .hint("any(x) or all(x) decide"));
        }
        Value::Tensor(x) => convert::element(cx, x, cx.span)?.truthy(),
        other => convert::scalar(other).is_none_or(Scalar::truthy),
    })
}

/// How two plain values compare; E0406 where they do not.
pub(super) fn compare(cx: &mut Cx, a: &Value, b: &Value) -> Result<Ordering, Diag> {
    cx.check_cancel()?;
    compare_at(cx, a, b, 0)
}

fn compare_at(cx: &mut Cx, a: &Value, b: &Value, depth: usize) -> Result<Ordering, Diag> {
    /// A list may contain itself.
    const MAX_NESTING: usize = 200;
    if depth > MAX_NESTING {
        return Err(Diag::new("E0704", "lists nested too deeply to compare").at(cx.span));
    }
    let unordered = |a: &Value, b: &Value, cx: &Cx| {
        Diag::new("E0406", format!("{} and {} have no order", article(a.describe()), article(b.describe()))).at(cx.span)
    };
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => return Ok(x.cmp(y)),
        (Value::List(_) | Value::Tuple(_), Value::List(_) | Value::Tuple(_)) => {
            let (x, y) = (cx.host.elements(a, cx.span)?, cx.host.elements(b, cx.span)?);
            for (x, y) in x.iter().zip(&y) {
                match compare_at(cx, x, y, depth + 1)? {
                    Ordering::Equal => {}
                    decided => return Ok(decided),
                }
            }
            return Ok(x.len().cmp(&y.len()));
        }
        _ => {}
    }
    let mut number = |v: &Value| match v {
        Value::Tensor(x) if x.size() == 1 => convert::element(cx, x, cx.span).map(Some),
        other => Ok(convert::scalar(other)),
    };
    match (number(a)?, number(b)?) {
        (Some(Scalar::Complex(_)), _) | (_, Some(Scalar::Complex(_))) => Err(unordered(a, b, cx)),
        // A nan is neither less nor greater: like Python, the order then is as it comes.
        (Some(x), Some(y)) => Ok(compare_numbers(x, y)),
        _ => Err(unordered(a, b, cx)),
    }
}

fn compare_numbers(a: Scalar, b: Scalar) -> Ordering {
    let whole = |s: Scalar| match s {
        Scalar::UInt(u) => Some(i128::from(u)),
        Scalar::Int(_) | Scalar::Bool(_) => Some(i128::from(s.to_i64_wrapping())),
        _ => None,
    };
    match (whole(a), whole(b)) {
        (Some(x), Some(y)) => x.cmp(&y),
        _ => a.to_f64().partial_cmp(&b.to_f64()).unwrap_or(Ordering::Equal),
    }
}

/// A merge sort that may fail, for orders that call functions.
fn sort_values(cx: &mut Cx, mut items: Vec<(Value, Value)>, descending: bool) -> Result<Vec<Value>, Diag> {
    let mut failed = None;
    items.sort_by(|(a, _), (b, _)| {
        if failed.is_some() {
            return Ordering::Equal;
        }
        let order = compare(cx, a, b).unwrap_or_else(|diag| {
            failed = Some(diag);
            Ordering::Equal
        });
        if descending { order.reverse() } else { order }
    });
    match failed {
        Some(diag) => Err(diag),
        None => Ok(items.into_iter().map(|(_, value)| value).collect()),
    }
}

fn apply(cx: &mut Cx, f: &Value, args: Vec<Value>) -> Out {
    let span = cx.span;
    let args = args.into_iter().map(|value| Spanned { value, span }).collect();
    cx.host.call(f, args, Vec::new(), span)
}

/// Each element with what `key` makes of it.
pub(super) fn keyed(cx: &mut Cx, items: Vec<Value>, key: &Value) -> Result<Vec<(Value, Value)>, Diag> {
    let with_key = |item: Value| match key {
        Value::None => Ok((item.clone(), item)),
        f => Ok((apply(cx, f, vec![item.clone()])?, item)),
    };
    items.into_iter().map(with_key).collect()
}

pub(super) fn sorted(cx: &mut Cx, args: &Args) -> Out {
    let items = cx.host.elements(args.value(0), args.span(0))?;
    let descending = args.bool(cx, 2)?;
    let keyed = keyed(cx, items, args.value(1))?;
    sort_values(cx, keyed, descending).map(Value::list)
}

pub(super) fn reversed(cx: &mut Cx, args: &Args) -> Out {
    let mut items = cx.host.elements(args.value(0), args.span(0))?;
    items.reverse();
    Ok(Value::list(items))
}

pub(super) fn enumerate(cx: &mut Cx, args: &Args) -> Out {
    let start = args.int(cx, 1)?;
    let items = cx.host.elements(args.value(0), args.span(0))?;
    let pair = |(i, v): (usize, Value)| Value::tuple(vec![Value::Int(start.saturating_add(i as i64)), v]);
    Ok(Value::list(items.into_iter().enumerate().map(pair).collect()))
}

/// The elements of each of `rest`, cut to the shortest.
fn columns(cx: &mut Cx, args: &Args) -> Result<Vec<Vec<Value>>, Diag> {
    let lists: Result<Vec<_>, Diag> = args.rest.iter().map(|a| cx.host.elements(&a.value, a.span)).collect();
    let lists = lists?;
    let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
    Ok((0..shortest).map(|i| lists.iter().map(|l| l[i].clone()).collect()).collect())
}

pub(super) fn zip(cx: &mut Cx, args: &Args) -> Out {
    let rows = columns(cx, args)?;
    Ok(Value::list(rows.into_iter().map(Value::tuple).collect()))
}

pub(super) fn map(cx: &mut Cx, args: &Args) -> Out {
    let rows = columns(cx, args)?;
    let out: Result<Vec<Value>, Diag> = rows.into_iter().map(|row| apply(cx, args.value(0), row)).collect();
    out.map(Value::list)
}

pub(super) fn filter(cx: &mut Cx, args: &Args) -> Out {
    let mut kept = Vec::new();
    for item in cx.host.elements(args.value(1), args.span(1))? {
        let verdict = match args.value(0) {
            Value::None => item.clone(),
            f => apply(cx, f, vec![item.clone()])?,
        };
        if truthy(cx, &verdict)? {
            kept.push(item);
        }
    }
    Ok(Value::list(kept))
}

pub(super) fn list(cx: &mut Cx, args: &Args) -> Out {
    match args.value(0) {
        Value::None if !args.given(0) => Ok(Value::list(Vec::new())),
        value => cx.host.elements(value, args.span(0)).map(Value::list),
    }
}

pub(super) fn tuple(cx: &mut Cx, args: &Args) -> Out {
    match args.value(0) {
        Value::None if !args.given(0) => Ok(Value::tuple(Vec::new())),
        value => cx.host.elements(value, args.span(0)).map(Value::tuple),
    }
}

pub(super) fn len(_: &mut Cx, args: &Args) -> Out {
    let n = match args.value(0) {
        Value::Str(s) => s.chars().count(),
        Value::List(items) => items.lock().len(),
        Value::Tuple(items) => items.len(),
        Value::Range(range) => range.len(),
        Value::Record(record) => record.fields.len(),
        Value::Archive(archive) => archive.len(),
        Value::Meta(archive) => archive.meta().len(),
        Value::MetaArray(array) => array.len(),
        Value::Tensor(x) => match x.shape().first() {
            Some(&n) => n,
            None => return Err(args.fault(0, "E0201", "a tensor without axes has no length")),
        },
        _ => return Err(args.wrong(0, "something with a length")),
    };
    Ok(Value::Int(n as i64))
}

pub(super) fn range(cx: &mut Cx, args: &Args) -> Out {
    let first = args.int(cx, 0)?;
    let (start, stop) = if args.is_none(1) { (0, first) } else { (first, args.int(cx, 1)?) };
    match args.int(cx, 2)? {
        0 => Err(args.fault(2, "E0521", "the step of a range cannot be zero")),
        step => Ok(Value::Range(Range { start, stop, step })),
    }
}

/// A number of a text, as Python reads it: spaces around, `_` between digits.
fn digits(text: &str) -> String {
    text.trim().replace('_', "")
}

pub(super) fn int_of(cx: &mut Cx, args: &Args) -> Out {
    let value = match args.value(0) {
        Value::Tensor(x) if x.size() == 1 => convert::plain(convert::element(cx, x, args.span(0))?),
        other => other.clone(),
    };
    match value {
        Value::None if !args.given(0) => Ok(Value::Int(0)),
        Value::Bool(b) => Ok(Value::Int(b.into())),
        Value::Int(_) | Value::BigInt(_) => Ok(value),
        Value::Float(x) if x.trunc() >= -TWO_63 && x.trunc() < TWO_63 => Ok(Value::Int(x as i64)),
        Value::Float(x) => {
            let message = format!("cannot convert {x:?} to an integer");
            Err(args.fault(0, "E0504", message).hint("plain integers have 64 bits"))
        }
        Value::Str(s) => parse_int(cx, args, &s),
        _ => Err(args.wrong(0, "a number, or a text of one")),
    }
}

fn parse_int(cx: &mut Cx, args: &Args, text: &str) -> Out {
    let base = args.int(cx, 1)?;
    let plain = digits(text).to_lowercase();
    let (negative, body) = match plain.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let prefixed = [("0x", 16), ("0b", 2), ("0o", 8)];
    let found = prefixed.iter().find(|(p, b)| body.starts_with(p) && (base == *b || base == 0));
    let (body, radix) = match found {
        Some((p, b)) => (&body[p.len()..], *b as u32),
        None => (body, if base == 0 { 10 } else { base as u32 }),
    };
    if !(2..=36).contains(&radix) || (base != 0 && !(2..=36).contains(&base)) {
        return Err(args.fault(1, "E0120", "the base of an integer is 0 or 2 to 36"));
    }
    let signed = if negative { format!("-{body}") } else { body.to_owned() };
    i64::from_str_radix(&signed, radix)
        .map(Value::Int)
        .map_err(|_| args.fault(0, "E0521", format!("{text:?} is no integer of base {radix}")))
}

pub(super) fn float_of(cx: &mut Cx, args: &Args) -> Out {
    if let Value::Str(s) = args.value(0) {
        let text = digits(s);
        // Rust reads the same words as Python, in any case.
        return text.parse().map(Value::Float).map_err(|_| args.fault(0, "E0521", format!("{s:?} is no number")));
    }
    if args.is_none(0) && !args.given(0) {
        return Ok(Value::Float(0.0));
    }
    args.float(cx, 0).map(Value::Float)
}

pub(super) fn complex_of(cx: &mut Cx, args: &Args) -> Out {
    let number = |cx: &mut Cx, i: usize| match args.value(i) {
        Value::Tensor(x) if x.size() == 1 => Ok(convert::element(cx, x, args.span(i))?.to_complex()),
        other => convert::scalar(other).map(Scalar::to_complex).ok_or_else(|| args.wrong(i, "a number")),
    };
    let (re, im) = (number(cx, 0)?, number(cx, 1)?);
    Ok(Value::Complex(re + im * Complex64::i()))
}

pub(super) fn bool_of(cx: &mut Cx, args: &Args) -> Out {
    match args.value(0) {
        Value::Tensor(x) => {
            let out = Make::of(cx).fresh(x, Some(DType::Bool), "bool")?;
            Ok(cx.give(out))
        }
        value => Ok(Value::Bool(truthy(cx, &value.clone())?)),
    }
}

pub(super) fn str_of(cx: &mut Cx, args: &Args) -> Out {
    if !args.given(0) {
        return Ok(Value::str(""));
    }
    cx.text(args.value(0)).map(Value::str)
}

pub(super) fn repr(cx: &mut Cx, args: &Args) -> Out {
    cx.repr(args.value(0)).map(Value::str)
}

pub(super) fn print(cx: &mut Cx, args: &Args) -> Out {
    let separator = args.str(0)?;
    let mut texts = Vec::with_capacity(args.rest.len());
    for arg in &args.rest {
        texts.push(cx.text(&arg.value)?);
    }
    cx.host.print(&texts.join(&*separator));
    Ok(Value::None)
}

pub(super) fn eval(cx: &mut Cx, args: &Args) -> Out {
    cx.force_value(args.value(0))?;
    Ok(args.value(0).clone())
}

pub(super) fn record(_: &mut Cx, args: &Args) -> Out {
    let fields = args.keywords.iter().map(|(name, arg)| (*name, arg.value.clone())).collect();
    Ok(Value::Record(std::sync::Arc::new(Record { fields })))
}

pub(super) fn replace(cx: &mut Cx, args: &Args) -> Out {
    let (record, more) = match &*args.rest {
        [one] => (one, None),
        [text, old, new] => (text, Some((old, new))),
        _ => return Err(Diag::new("E0104", "`replace` needs a record, or a text with two more").at(cx.span)),
    };
    match (&record.value, more) {
        (Value::Record(record), None) => replace_fields(record, args),
        (Value::Str(text), Some((old, new))) => match (&old.value, &new.value) {
            (Value::Str(old), Value::Str(new)) => Ok(Value::str(text.replace(&**old, new))),
            _ => Err(Diag::new("E0108", "a text is replaced by a text").at(old.span)),
        },
        (other, _) => Err(Diag::new("E0108", "`replace` takes a record, or a text with two more")
            .label(record.span, other.describe())),
    }
}

fn replace_fields(record: &Record, args: &Args) -> Out {
    let mut fields = record.fields.clone();
    for (name, arg) in &args.keywords {
        match fields.iter_mut().find(|(n, _)| n == name) {
            Some((_, value)) => *value = arg.value.clone(),
            None => {
                let known: Vec<&str> = record.fields.iter().map(|(n, _)| n.as_str()).collect();
                return Err(Diag::new("E0102", format!("the record has no field `{name}`"))
                    .label(arg.span, "")
                    .hint(format!("its fields are {}", known.join(", "))));
            }
        }
    }
    Ok(Value::Record(std::sync::Arc::new(Record { fields })))
}

pub(super) fn hasattr(_: &mut Cx, args: &Args) -> Out {
    let name = args.str(1)?;
    Ok(Value::Bool(match args.value(0) {
        Value::Record(record) => record.get(Symbol::new(&name)).is_some(),
        Value::Module(module) => module.scope.lock().contains_key(&Symbol::new(&name)),
        Value::Tensor(_) => super::attribute::TENSOR.contains(&&*name),
        _ => false,
    }))
}

pub(super) fn ord(_: &mut Cx, args: &Args) -> Out {
    let text = args.str(0)?;
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(Value::Int(i64::from(u32::from(c)))),
        _ => Err(args.wrong(0, "a text of one character")),
    }
}

pub(super) fn chr(cx: &mut Cx, args: &Args) -> Out {
    let n = args.int(cx, 0)?;
    let c = u32::try_from(n).ok().and_then(char::from_u32);
    c.map(|c| Value::str(c.to_string())).ok_or_else(|| args.wrong(0, "the number of a character"))
}

pub(super) fn type_of(_: &mut Cx, args: &Args) -> Out {
    Ok(match args.value(0) {
        Value::Tensor(x) => super::attribute::dtype(x),
        Value::List(_) => Value::str("list"),
        Value::Tuple(_) => Value::str("tuple"),
        other => Value::str(other.describe()),
    })
}
