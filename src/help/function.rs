//! Pages of functions. What an elementwise row gives is asked of its dtype rule.

use super::{Kind, Page};
use crate::func::{Body, Func, Memory};
use crate::op::{Doc, Group, MapRow};
use crate::tensor::DType;

pub(super) fn page(func: &Func) -> Page {
    let doc = &func.doc;
    let mut page = Page::new(doc.name, Kind::Function, doc.sig);
    page.text(doc.help);
    page.fact("gives", gives(func));
    page.fact("memory", memory(func));
    page.fact("called", doc.aliases.join(", "));
    elsewhere(&mut page, doc);
    page.examples(doc.examples);
    page.see(doc.see);
    page
}

/// The names in other libraries.
pub(super) fn elsewhere(page: &mut Page, doc: &Doc) {
    let said = |spelling: &str| if spelling.is_empty() { "none".to_owned() } else { spelling.to_owned() };
    page.fact("NumPy", said(doc.numpy));
    page.fact("PyTorch", said(doc.torch));
}

/// Shape and dtype of the result.
pub(super) fn gives(func: &Func) -> String {
    match func.body {
        Body::Map(row) if func.doc.gives.is_empty() => elementwise(row, &operands(func.doc.sig, row.arity)),
        _ => func.doc.gives.to_owned(),
    }
}

/// Whether the result is a copy; nothing where it is no tensor of its own.
fn memory(func: &Func) -> &'static str {
    match func.memory {
        Memory::View => "a view: nothing is copied",
        Memory::ViewOrCopy => "a view where strides can express it, else a copy",
        Memory::ItselfOrCopy => "the argument itself where nothing is to be done, else a copy",
        Memory::New if matches!(func.doc.group, Group::Python | Group::Plan | Group::Types | Group::Files) => "",
        Memory::New => "a new tensor, computed when its values are needed",
    }
}

/// The names of the parameters that are operands.
fn operands(sig: &str, arity: u8) -> Vec<&str> {
    let inside = sig.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    inside.split(',').map(|p| p.split('=').next().unwrap_or("").trim()).take(usize::from(arity)).collect()
}

fn elementwise(row: &MapRow, names: &[&str]) -> String {
    let shape = match names {
        [x] => format!("The shape of {x}"),
        [x, y] => format!("The shapes of {x} and {y} broadcast"),
        _ => "The shapes broadcast".to_owned(),
    };
    format!("{shape}; {}.", dtypes(row))
}

/// What becomes of the dtypes of one kind.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Outcome {
    Kept,
    Float,
    Real,
    Always(DType),
    Refused,
}

/// The dtype rule in words: asked with each kind of dtype in all places.
fn dtypes(row: &MapRow) -> String {
    const KINDS: [(&str, DType); 4] =
        [("bools", DType::Bool), ("integers", DType::I32), ("floats", DType::F64), ("complex numbers", DType::C128)];
    let ask = |dtype: DType| {
        let args = vec![dtype; usize::from(row.arity)];
        match (row.rule)(&args, DType::F32) {
            Err(_) => Outcome::Refused,
            Ok(typed) if typed.result == dtype => Outcome::Kept,
            Ok(typed) if dtype.is_complex() && typed.result == dtype.real() => Outcome::Real,
            Ok(typed) if typed.result == DType::F32 => Outcome::Float,
            Ok(typed) => Outcome::Always(typed.result),
        }
    };
    let answers = KINDS.map(|(kind, dtype)| (kind, ask(dtype)));
    let taken: Vec<_> = answers.iter().filter(|(_, o)| *o != Outcome::Refused).collect();
    let always = |(_, o): &&(&str, Outcome)| match o {
        Outcome::Always(d) => Some(*d),
        Outcome::Kept => None,
        _ => None,
    };
    // Of bools a bool is kept; where everything else gives bool too, that is the rule.
    let all_bool = taken.iter().skip(1).all(|t| always(t) == Some(DType::Bool)) && answers[0].1 == Outcome::Kept;
    if all_bool && taken.len() > 1 {
        return join("bool", &refused(&answers));
    }
    if answers.iter().all(|(_, o)| *o == Outcome::Kept) {
        return if row.arity > 1 { "the promoted dtype" } else { "its dtype" }.to_owned();
    }
    let mut phrases = Vec::new();
    for outcome in [Outcome::Kept, Outcome::Float, Outcome::Real] {
        let kinds: Vec<&str> = answers.iter().filter(|(_, o)| *o == outcome).map(|(k, _)| *k).collect();
        if kinds.is_empty() {
            continue;
        }
        let kinds = listed(&kinds);
        phrases.push(match outcome {
            Outcome::Kept if row.arity > 1 => format!("{kinds} give the promoted dtype"),
            Outcome::Kept => format!("{kinds} keep their dtype"),
            Outcome::Float => format!("{kinds} give the default float"),
            _ => format!("{kinds} give the float of their parts"),
        });
    }
    for (kind, outcome) in &answers {
        if let Outcome::Always(dtype) = outcome {
            phrases.push(format!("{kind} give {dtype}"));
        }
    }
    join(&phrases.join(", "), &refused(&answers))
}

fn refused(answers: &[(&str, Outcome)]) -> String {
    let kinds: Vec<&str> = answers.iter().filter(|(_, o)| *o == Outcome::Refused).map(|(k, _)| *k).collect();
    if kinds.is_empty() { String::new() } else { format!("{} are refused", listed(&kinds)) }
}

fn join(a: &str, b: &str) -> String {
    if b.is_empty() { a.to_owned() } else { format!("{a}, {b}") }
}

/// `a, b and c`
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
