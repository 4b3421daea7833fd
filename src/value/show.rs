//! Values as text, as Python writes them. Tensors inside must be computed; those that are not show their kind.

use super::{List, Record, Value};
use crate::kernel::Cancel;
use crate::plan::{NodeRef, Tensor};
use crate::text::{ArrayOptions, array_repr, array_text, complex_text, float_text};
use std::fmt::Write;

/// Lists within lists deeper than this are cut.
const MAX_NESTING: usize = 100;

/// The nodes of all tensors inside a value.
pub fn nodes(value: &Value, out: &mut Vec<NodeRef>) {
    collect(value, out, 0);
}

fn collect(value: &Value, out: &mut Vec<NodeRef>, depth: usize) {
    if depth > MAX_NESTING {
        return;
    }
    match value {
        Value::Tensor(t) => out.push(t.cell.version()),
        Value::List(list) => list.to_vec().iter().for_each(|v| collect(v, out, depth + 1)),
        Value::Tuple(items) => items.iter().for_each(|v| collect(v, out, depth + 1)),
        Value::Record(r) => r.fields.iter().for_each(|(_, v)| collect(v, out, depth + 1)),
        _ => {}
    }
}

/// `str(value)`: what `print` writes.
pub fn text(value: &Value, options: &ArrayOptions) -> String {
    text_until(value, options, &Cancel::default())
}

/// As `text`, cut short where the user interrupts.
pub fn text_until(value: &Value, options: &ArrayOptions, cancel: &Cancel) -> String {
    match value {
        Value::Str(s) => s.to_string(),
        Value::Tensor(t) => match t.array() {
            Some(array) => array_text(&array, options, " ", ""),
            None => t.describe(),
        },
        other => repr_until(other, options, cancel),
    }
}

/// `repr(value)`: strings in quotes, tensors as `array(…)`.
pub fn repr(value: &Value, options: &ArrayOptions) -> String {
    repr_until(value, options, &Cancel::default())
}

/// As `repr`, cut short where the user interrupts.
pub fn repr_until(value: &Value, options: &ArrayOptions, cancel: &Cancel) -> String {
    let mut repr = Repr { out: String::new(), options, cancel, within: Vec::new() };
    repr.write(value);
    repr.out
}

struct Repr<'a> {
    out: String,
    options: &'a ArrayOptions,
    cancel: &'a Cancel,
    /// What is being written, outermost first; None for what cannot contain itself.
    within: Vec<Option<List>>,
}

impl Repr<'_> {
    fn write(&mut self, value: &Value) {
        if self.within.len() > MAX_NESTING {
            self.out.push_str("...");
            return;
        }
        match value {
            Value::None => self.out.push_str("None"),
            Value::Bool(b) => self.out.push_str(if *b { "True" } else { "False" }),
            Value::Int(i) => drop(write!(self.out, "{i}")),
            Value::BigInt(u) => drop(write!(self.out, "{u}")),
            Value::Float(x) => self.out.push_str(&float_text(*x)),
            Value::Complex(z) => self.out.push_str(&complex_text(*z)),
            Value::Str(s) => self.out.push_str(&quoted(s)),
            Value::DType(d) => self.out.push_str(d.name()),
            Value::Packed(f) => self.out.push_str(f.name()),
            Value::Tensor(t) => self.out.push_str(&tensor_repr(t, self.options)),
            Value::List(list) if self.within.iter().flatten().any(|outer| outer.same(list)) => {
                self.out.push_str("[...]");
            }
            Value::List(list) => self.items(&list.to_vec(), ("[", "]"), Some(list)),
            Value::Tuple(items) if items.len() == 1 => self.items(items, ("(", ",)"), None),
            Value::Tuple(items) => self.items(items, ("(", ")"), None),
            Value::Range(r) if r.step == 1 => drop(write!(self.out, "range({}, {})", r.start, r.stop)),
            Value::Range(r) => drop(write!(self.out, "range({}, {}, {})", r.start, r.stop, r.step)),
            Value::Record(r) => self.record(r),
            Value::Ellipsis => self.out.push_str("..."),
            Value::Closure(_)
            | Value::Builtin(_)
            | Value::Module(_)
            | Value::Archive(_)
            | Value::Branch(_)
            | Value::Meta(_)
            | Value::MetaArray(_)
            | Value::Unknown => self.out.push_str(&tag(value)),
        }
    }

    fn items(&mut self, items: &[Value], brackets: (&str, &str), list: Option<&List>) {
        self.within.push(list.cloned());
        self.out.push_str(brackets.0);
        for (i, item) in items.iter().enumerate() {
            if self.cancel.is_set() {
                break;
            }
            if i > 0 {
                self.out.push_str(", ");
            }
            self.write(item);
        }
        self.out.push_str(brackets.1);
        self.within.pop();
    }

    fn record(&mut self, record: &Record) {
        self.within.push(None);
        self.out.push_str("record(");
        for (i, (name, value)) in record.fields.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            let _ = write!(self.out, "{name}=");
            self.write(value);
        }
        self.out.push(')');
        self.within.pop();
    }
}

fn tensor_repr(t: &Tensor, options: &ArrayOptions) -> String {
    match t.array() {
        Some(array) => array_repr(&array, options),
        None => t.describe(),
    }
}

/// Functions, modules and archives have no text of their own.
pub fn tag(value: &Value) -> String {
    match value {
        Value::Closure(c) => match c.def.name {
            Some(name) => format!("<function {}>", name.symbol),
            None => "<lambda>".into(),
        },
        Value::Builtin(f) => format!("<function {}>", f.doc.name),
        Value::Module(m) => format!("<module {}>", m.name),
        Value::Archive(a) => format!("<{} archive of {} tensors>", a.kind(), a.len()),
        Value::Branch(b) => format!("<part {} of an archive>", b.path),
        other => format!("<{}>", other.describe()),
    }
}

/// A string as Python quotes it: single quotes, unless only those are inside.
pub fn quoted(s: &str) -> String {
    let quote = if s.contains('\'') && !s.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(s.len() + 2);
    out.push(quote);
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || (0x7f..0xa0).contains(&(c as u32)) => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// What displaying a value shows: a tensor with its header line. None shows nothing.
pub fn displayed(value: &Value, options: &ArrayOptions) -> Option<String> {
    match value {
        Value::None => None,
        Value::Tensor(t) => Some(format!("{}\n{}", header(t), text(value, options))),
        other => Some(repr(other, options)),
    }
}

/// The line above a displayed tensor: `f32[2, 3]`, for a view with base, strides and offset.
pub fn header(t: &Tensor) -> String {
    let reads = if t.packed().is_some() { " (f32)" } else { "" };
    if !t.shares_a_base() {
        return t.describe() + reads;
    }
    let of = t.origin.as_ref().map_or(String::new(), |o| format!(" of {o}"));
    let layout = t.units();
    format!("{}{reads} view{of}, strides {:?}, offset {}", t.describe(), layout.strides.as_slice(), layout.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Symbol;
    use std::sync::Arc;

    #[test]
    fn plain_values_read_as_in_python() {
        let options = ArrayOptions::default();
        let items = vec![Value::Int(1), Value::Float(2.0), Value::str("it's"), Value::None, Value::Bool(true)];
        assert_eq!(repr(&Value::list(items.clone()), &options), "[1, 2.0, \"it's\", None, True]");
        assert_eq!(repr(&Value::tuple(vec![Value::Int(1)]), &options), "(1,)");
        let record = Record { fields: vec![(Symbol::new("a"), Value::str("x\n"))] };
        assert_eq!(text(&Value::Record(Arc::new(record)), &options), "record(a='x\\n')");
        assert_eq!(text(&Value::str("x\n"), &options), "x\n");
    }

    #[test]
    fn an_interrupted_text_is_cut() {
        let (cancel, list) = (Cancel::default(), Value::list(vec![Value::Int(1); 3]));
        assert_eq!(repr_until(&list, &ArrayOptions::default(), &cancel), "[1, 1, 1]");
        cancel.set();
        assert_eq!(repr_until(&list, &ArrayOptions::default(), &cancel), "[]");
    }

    #[test]
    fn a_list_within_itself_ends() {
        let list = crate::value::List::new(vec![Value::Int(1)]);
        list.lock().push(Value::List(list.clone()));
        let shown = repr(&Value::List(list.clone()), &ArrayOptions::default());
        assert_eq!(shown, "[1, [...]]");
        let twice = Value::tuple(vec![Value::List(list.clone()), Value::List(list.clone())]);
        assert_eq!(repr(&twice, &ArrayOptions::default()), "([1, [...]], [1, [...]])");
        let mut found = Vec::new();
        nodes(&Value::List(list.clone()), &mut found);
        assert!(found.is_empty());
        list.lock().clear();
    }
}
