//! Names and values of records and archives, and `format`.

use super::{Args, Cx, Func};
use crate::base::{Diag, Symbol};
use crate::op::Group;
use crate::value::Value;

pub static ROWS: &[Func] = &[
    Func::new("help", help, Group::Python)
        .help(
            "help(name=None)",
            "Prints the page of a function, or of anything else by its name: operators, keywords, attributes, dtypes, \
             error codes, topics, and how NumPy and PyTorch call a function. Without a name, what there is.",
            &["help(ndim)", "help(\".mT\")"],
        )
        .gives("None; the page goes to the output.")
        .like("Python's help", "Python's help")
        .see(&["type", "layout"]),
    Func::new("format", format, Group::Python)
        .help(
            "format(x, spec=\"\")",
            "The text of a value by a format spec, as in f-strings.",
            &["format(3.14159, '.2f')"],
        )
        .gives("A plain string.")
        .like("Python's format", "Python's format")
        .see(&["str", "repr"]),
    Func::new("keys", keys, Group::Files)
        .help("keys(m)", "Names of an archive's tensors, or of a record's fields.", &["keys(record(a=1))"])
        .gives("A list of strings.")
        .like("NpzFile.keys", "dict.keys")
        .see(&["values", "items", "load"]),
    Func::new("values", values, Group::Files)
        .help("values(m)", "Values of a record's fields, tensors of an archive.", &["values(record(a=1))"])
        .gives("A list of tensors or values, in order.")
        .like("NpzFile.values", "dict.values")
        .see(&["keys", "items"]),
    Func::new("items", items, Group::Files)
        .help("items(m)", "Pairs of name and value of an archive or record.", &["items(record(a=1))"])
        .gives("A list of (name, value) tuples, in order.")
        .like("NpzFile.items", "dict.items")
        .see(&["keys", "values", "load"]),
];

fn help(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let span = args.span(0);
    let text = cx.host.help(args.value(0), span)?;
    cx.host.print(text.trim_end());
    Ok(Value::None)
}

fn format(cx: &mut Cx, args: &Args) -> Result<Value, Diag> {
    let spec = args.str(1)?;
    super::format::value(cx, args.value(0), &spec, args.span(0)).map(Value::str)
}

fn keys(_: &mut Cx, args: &Args) -> Result<Value, Diag> {
    match args.value(0) {
        Value::Record(r) => Ok(Value::list(r.fields.iter().map(|(n, _)| Value::str(n.as_str())).collect())),
        Value::Archive(a) => Ok(Value::list(a.names().map(Value::str).collect())),
        Value::Meta(a) => Ok(Value::list(a.meta().keys().map(Value::str).collect())),
        Value::Branch(b) => Ok(Value::list(super::files::below(b).map(Value::str).collect())),
        _ => Err(args.wrong(0, "an archive or a record")),
    }
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
        Value::Meta(a) => a.meta().iter().map(|(key, v)| Ok((Symbol::new(key), super::files::meta_value(v)))).collect(),
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
