//! Python's functions on plain values.

use super::{Args, Cx, Func, convert};
use crate::base::{Diag, Span, Symbol};
use crate::lang::ast::BinaryOp;
use crate::op::Group::Python;
use crate::value::{Range, Record, Spanned, Value};
use std::cmp::Ordering;
use std::sync::Arc;

pub static ROWS: &[Func] = &[
    Func::new("print", print, Python).help(
        "print(*values, sep=\" \")",
        "Writes its arguments as text, a space between them.",
        &["print(1, 'a', arange(3))"],
    ),
    Func::new("len", len, Python).help(
        "len(x)",
        "Elements of a list, tuple, range or string; extent of a tensor's first axis; tensors of an archive.",
        &["len([1, 2, 3])", "len(zeros((4, 2)))"],
    ),
    Func::new("range", range, Python).help(
        "range(start, stop=None, step=1)",
        "The integers from start (0 where one argument is given) to before stop. `a..b` is `range(a, b)`.",
        &["range(5)", "list(range(6, 0, -2))"],
    ),
    Func::new("enumerate", enumerate, Python).help(
        "enumerate(xs, start=0)",
        "Pairs of position and element.",
        &["enumerate(['a', 'b'])"],
    ),
    Func::new("zip", zip, Python).help(
        "zip(*xs)",
        "Tuples of the first elements, the second ones, and so on, as many as the shortest has.",
        &["zip([1, 2], 'ab')"],
    ),
    Func::new("map", map, Python).help(
        "map(f, *xs)",
        "The results of f for each element (for elements of several lists side by side).",
        &["map(lambda x: x * 2, [1, 2])"],
    ),
    Func::new("filter", filter, Python).help(
        "filter(f, xs)",
        "The elements for which f holds.",
        &["filter(lambda x: x > 1, [1, 2, 3])"],
    ),
    Func::new("list", list, Python).help("list(xs=())", "A new list of the elements.", &["list(range(3))"]),
    Func::new("tuple", tuple, Python).help("tuple(xs=())", "A tuple of the elements.", &["tuple([1, 2])"]),
    Func::new("reversed", reversed, Python).help(
        "reversed(xs)",
        "A list of the elements, last first.",
        &["reversed([1, 2, 3])"],
    ),
    Func::new("sorted", sorted, Python).help(
        "sorted(xs, key=None, reverse=False)",
        "A sorted list of the elements; equal ones keep their order.",
        &["sorted([3, 1, 2])", "sorted(['bb', 'a'], key=len)"],
    ),
    Func::new("int", int, Python).help(
        "int(x=0, base=10)",
        "A plain integer: floats are cut towards zero, strings are read, tensors have one element.",
        &["int(2.7)", "int('ff', base=16)"],
    ),
    Func::new("float", float, Python).help(
        "float(x=0.0)",
        "A plain float of a number, a string or a tensor of one element.",
        &["float('1e3')"],
    ),
    Func::new("complex", complex, Python).help(
        "complex(re=0.0, im=0.0)",
        "A plain complex number.",
        &["complex(1, 2)"],
    ),
    Func::new("str", str, Python).help("str(x='')", "The text that `print` writes.", &["str(1.5)"]),
    Func::new("repr", repr, Python).help(
        "repr(x)",
        "The text of a value within a list: strings in quotes, tensors as `array(…)`.",
        &["repr('a')"],
    ),
    Func::new("format", format, Python).help(
        "format(x, spec='')",
        "The text of a value by a format spec, as in f-strings.",
        &["format(3.14159, '.2f')"],
    ),
    Func::new("record", record, Python).help(
        "record(**fields)",
        "Named values that do not change: `r.a`, `r['a']`. `replace(r, a=2)` makes a changed copy.",
        &["record(a=1, b=2.5).a"],
    ),
    Func::new("replace", replace, Python).help(
        "replace(r, **fields)",
        "A copy of a record with some fields changed or added.",
        &["replace(record(a=1), a=2)"],
    ),
    Func::new("divmod", divmod, Python).help(
        "divmod(x, y)",
        "Quotient rounded down and remainder of plain numbers.",
        &["divmod(7, -2)"],
    ),
    Func::new("keys", keys, Python).help(
        "keys(m)",
        "Names of an archive's tensors, or of a record's fields.",
        &["keys(record(a=1))"],
    ),
    Func::new("values", values, Python).help(
        "values(r)",
        "Values of a record's fields, tensors of an archive.",
        &["values(record(a=1))"],
    ),
    Func::new("items", items, Python).help(
        "items(m)",
        "Pairs of name and value of an archive or record.",
        &["items(record(a=1))"],
    ),
];

fn print(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let separator = args.str(0)?;
    let mut texts = Vec::with_capacity(args.rest.len());
    for arg in &args.rest {
        cx.span = arg.span;
        texts.push(cx.text(&arg.value)?);
    }
    cx.host.print(&texts.join(&separator));
    Ok(Value::None)
}

fn count(n: usize) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn len(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    Ok(count(match args.value(0) {
        Value::List(list) => list.lock().len(),
        Value::Tuple(items) => items.len(),
        Value::Range(r) => r.len(),
        Value::Str(s) => s.chars().count(),
        Value::Record(r) => r.fields.len(),
        Value::Archive(a) => a.len(),
        Value::Tensor(t) if t.ndim() > 0 => t.shape()[0],
        Value::Tensor(_) => {
            return Err(args.fault(0, "E0108", "a 0-d tensor has no length").hint("`x.size` is 1"));
        }
        _ => return Err(args.wrong(0, "something with elements")),
    }))
}

fn range(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let first = args.int(cx, 0)?;
    let (start, stop) = match args.opt_int(cx, 1)? {
        Some(stop) => (first, stop),
        None => (0, first),
    };
    let step = args.int(cx, 2)?;
    if step == 0 {
        return Err(args.fault(2, "E0108", "the step of a range is not 0"));
    }
    Ok(Value::Range(Range { start, stop, step }))
}

fn elements(cx: &mut Cx, args: &Args, i: usize) -> Result<Vec<Value>, Diag> {
    cx.host.elements(args.value(i), args.span(i))
}

fn enumerate(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let start = args.int(cx, 1)?;
    let items = elements(cx, args, 0)?;
    let pair = |(i, v)| Value::tuple(vec![Value::Int(start.saturating_add(i as i64)), v]);
    Ok(Value::list(items.into_iter().enumerate().map(pair).collect()))
}

/// The elements of each argument of `*rest`, side by side.
fn rows(cx: &mut Cx, args: &Args) -> Result<Vec<Vec<Value>>, Diag> {
    let mut columns = Vec::with_capacity(args.rest.len());
    for arg in &args.rest {
        columns.push(cx.host.elements(&arg.value, arg.span)?.into_iter());
    }
    let mut out = Vec::new();
    while !columns.is_empty() {
        let row: Vec<Value> = columns.iter_mut().map_while(Iterator::next).collect();
        if row.len() < columns.len() {
            break;
        }
        out.push(row);
    }
    Ok(out)
}

fn zip(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    Ok(Value::list(rows(cx, args)?.into_iter().map(Value::tuple).collect()))
}

fn call(cx: &mut Cx, args: &Args, f: usize, values: Vec<Value>) -> Result<Value, Diag> {
    let span = args.span(f);
    let given = values.into_iter().map(|value| Spanned { value, span }).collect();
    let place = cx.span;
    cx.host.call(args.value(f), given, Vec::new(), place)
}

fn map(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let mut out = Vec::new();
    for row in rows(cx, args)? {
        out.push(call(cx, args, 0, row)?);
    }
    Ok(Value::list(out))
}

fn filter(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let mut out = Vec::new();
    for item in elements(cx, args, 1)? {
        let keep = if args.is_none(0) { item.clone() } else { call(cx, args, 0, vec![item.clone()])? };
        if cx.host.truthy(&keep, args.span(0))? {
            out.push(item);
        }
    }
    Ok(Value::list(out))
}

fn list(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    Ok(Value::list(elements(cx, args, 0)?))
}

fn tuple(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    Ok(Value::tuple(elements(cx, args, 0)?))
}

fn reversed(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let mut items = elements(cx, args, 0)?;
    items.reverse();
    Ok(Value::list(items))
}

fn sorted(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let items = elements(cx, args, 0)?;
    let reverse = args.bool(cx, 2)?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let key = if args.is_none(1) { item.clone() } else { call(cx, args, 1, vec![item.clone()])? };
        keyed.push((key, item));
    }
    if reverse {
        keyed.reverse();
    }
    let mut sorted = merge_sort(cx, keyed, args.span(0))?;
    if reverse {
        sorted.reverse();
    }
    Ok(Value::list(sorted.into_iter().map(|(_, item)| item).collect()))
}

/// A stable sort whose comparison may fail.
fn merge_sort(cx: &mut Cx, mut items: Vec<(Value, Value)>, span: Span) -> Result<Vec<(Value, Value)>, Diag> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let (left, right) = (merge_sort(cx, items, span)?, merge_sort(cx, right, span)?);
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        // Equal keys keep their order.
        let right_first = cx.host.order(&b.0, &a.0, span)? == Some(Ordering::Less);
        out.extend(if right_first { right.next() } else { left.next() });
    }
    out.extend(left);
    out.extend(right);
    Ok(out)
}

fn int(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let span = args.span(0);
    let value = match args.value(0) {
        Value::Tensor(t) if t.size() == 1 => convert::plain(convert::element(cx, t, span)?),
        other => other.clone(),
    };
    Ok(match &value {
        Value::Int(i) => Value::Int(*i),
        Value::Bool(b) => Value::Int((*b).into()),
        Value::Float(x) if x.is_finite() && x.trunc() >= -(2f64.powi(63)) && x.trunc() < 2f64.powi(63) => {
            Value::Int(*x as i64)
        }
        Value::Float(x) => {
            return Err(args.fault(0, "E0504", format!("{x} does not fit a plain integer")));
        }
        Value::Str(s) => {
            let base = args.int(cx, 1)?;
            match read_int(s, base) {
                Some(i) => Value::Int(i),
                None => return Err(args.fault(0, "E0507", format!("{s:?} is no integer"))),
            }
        }
        _ => return Err(args.wrong(0, "a number or a string")),
    })
}

fn read_int(text: &str, base: i64) -> Option<i64> {
    let text = text.trim().replace('_', "").to_lowercase();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let prefix = match base {
        16 => "0x",
        2 => "0b",
        8 => "0o",
        _ => "",
    };
    let digits = digits.strip_prefix(prefix).unwrap_or(digits);
    let base = u32::try_from(base).ok().filter(|b| (2..=36).contains(b))?;
    if digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(&format!("{sign}{digits}"), base).ok()
}

fn float(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    if let Value::Str(s) = args.value(0) {
        let text = s.trim().replace('_', "");
        return match text.parse::<f64>() {
            Ok(x) => Ok(Value::Float(x)),
            Err(_) => Err(args.fault(0, "E0507", format!("{s:?} is no number"))),
        };
    }
    args.float(cx, 0).map(Value::Float)
}

fn complex(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let part = |cx: &mut Cx, i: usize| match args.value(i) {
        Value::Complex(z) => Ok(*z),
        Value::Tensor(t) if t.size() == 1 => Ok(convert::element(cx, t, args.span(i))?.to_complex()),
        _ => args.float(cx, i).map(|x| num_complex::Complex64::new(x, 0.0)),
    };
    let (re, im) = (part(cx, 0)?, part(cx, 1)?);
    Ok(Value::Complex(re + im * num_complex::Complex64::i()))
}

fn str(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    cx.text(args.value(0)).map(Value::str)
}

fn repr(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    cx.repr(args.value(0)).map(Value::str)
}

fn format(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let spec = args.str(1)?;
    super::format::value(cx, args.value(0), &spec, args.span(0)).map(Value::str)
}

fn record(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let fields = args.keywords.iter().map(|(name, arg)| (*name, arg.value.clone())).collect();
    Ok(Value::Record(Arc::new(Record { fields })))
}

fn replace(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let Value::Record(old) = args.value(0) else { return Err(args.wrong(0, "a record")) };
    let mut fields = old.fields.clone();
    for (name, arg) in &args.keywords {
        match fields.iter_mut().find(|(n, _)| n == name) {
            Some(field) => field.1 = arg.value.clone(),
            None => fields.push((*name, arg.value.clone())),
        }
    }
    Ok(Value::Record(Arc::new(Record { fields })))
}

fn divmod(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let one = |i: usize| Spanned { value: args.value(i).clone(), span: args.span(i) };
    let (x, y) = (one(0), one(1));
    let quotient = cx.host.binary(BinaryOp::FloorDiv, &x, &y)?;
    let remainder = cx.host.binary(BinaryOp::Mod, &x, &y)?;
    Ok(Value::tuple(vec![quotient, remainder]))
}

/// Names and values of an archive or record.
fn pairs(args: &Args) -> Result<Vec<(Symbol, Value)>, Diag> {
    match args.value(0) {
        Value::Record(r) => Ok(r.fields.clone()),
        Value::Archive(a) => {
            let mut out = Vec::with_capacity(a.len());
            for name in a.names() {
                out.push((Symbol::new(name), super::files::member(a, name)?));
            }
            Ok(out)
        }
        _ => Err(args.wrong(0, "an archive or a record")),
    }
}

fn keys(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    match args.value(0) {
        Value::Record(r) => Ok(Value::list(r.fields.iter().map(|(n, _)| Value::str(n.as_str())).collect())),
        Value::Archive(a) => Ok(Value::list(a.names().map(Value::str).collect())),
        _ => Err(args.wrong(0, "an archive or a record")),
    }
}

fn values(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    Ok(Value::list(pairs(args)?.into_iter().map(|(_, v)| v).collect()))
}

fn items(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let pair = |(n, v): (Symbol, Value)| Value::tuple(vec![Value::str(n.as_str()), v]);
    Ok(Value::list(pairs(args)?.into_iter().map(pair).collect()))
}
