//! What an operand is, without computing it: names are looked up, members of archives told by their headers.

use crate::base::{Span, Symbol};
use crate::file::Archive;
use crate::func::{self, attribute};
use crate::lang::ast::{Expr, ExprKind, IndexItem, StmtKind};
use crate::session::Session;
use crate::value::{Branch, Value};
use std::sync::Arc;

/// What is known.
pub enum Peek {
    Value(Value),
    /// Some tensor.
    Tensor,
    /// Some string.
    Text,
    Unknown,
}

/// What a text would be.
pub fn peek(session: &Session, text: &str) -> Peek {
    let parsed = crate::lang::parse(Span::default().source, text);
    match parsed.script.first().map(|s| &s.kind) {
        Some(StmtKind::Expr(expr)) if parsed.errors.is_empty() => of(session, expr),
        _ => Peek::Unknown,
    }
}

fn of(session: &Session, expr: &Expr) -> Peek {
    match &expr.kind {
        ExprKind::Name(name) => named(session, *name),
        ExprKind::Attr { base, name } => member(of(session, base), name.symbol.as_str()),
        ExprKind::Index { base, items } => element(of(session, base), items),
        ExprKind::Call { callee, .. } => called(session, callee),
        ExprKind::Binary { lhs, rhs, .. } => match (of(session, lhs), of(session, rhs)) {
            (Peek::Tensor | Peek::Value(Value::Tensor(_)), _) | (_, Peek::Tensor | Peek::Value(Value::Tensor(_))) => {
                Peek::Tensor
            }
            (Peek::Text, _) => Peek::Text,
            _ => Peek::Unknown,
        },
        ExprKind::Compare { .. } | ExprKind::Unary { .. } => Peek::Tensor,
        ExprKind::Str(text) => Peek::Value(Value::Str(text.clone())),
        ExprKind::FString(_) => Peek::Text,
        ExprKind::List(_) | ExprKind::Comprehension { .. } => Peek::Value(Value::list(Vec::new())),
        _ => Peek::Unknown,
    }
}

fn named(session: &Session, name: Symbol) -> Peek {
    if let Some(value) = session.get(name.as_str()) {
        return Peek::Value(value);
    }
    func::lookup(name).map_or(Peek::Unknown, |f| Peek::Value(Value::Builtin(f)))
}

fn member(base: Peek, name: &str) -> Peek {
    match base {
        Peek::Tensor | Peek::Value(Value::Tensor(_)) if ["T", "mT", "H", "real", "imag", "base"].contains(&name) => {
            Peek::Tensor
        }
        Peek::Value(Value::Record(r)) => r.get(Symbol::new(name)).cloned().map_or(Peek::Unknown, Peek::Value),
        Peek::Value(Value::Module(m)) => m.scope.get(Symbol::new(name)).map_or(Peek::Unknown, Peek::Value),
        Peek::Value(Value::Archive(a)) if name == "meta" => Peek::Value(Value::Meta(a)),
        Peek::Value(Value::Archive(a)) => at_path(&a, name.to_owned()),
        Peek::Value(Value::Branch(b)) => at_path(&b.archive, format!("{}.{name}", b.path)),
        _ => Peek::Unknown,
    }
}

/// A tensor or a branch of an archive, by the names in its header.
fn at_path(archive: &Archive, path: String) -> Peek {
    if archive.contains(&path) {
        return Peek::Tensor;
    }
    let below = format!("{path}.");
    match archive.names().any(|n| n.starts_with(&below)) {
        true => Peek::Value(Value::Branch(Arc::new(Branch { archive: archive.clone(), path }))),
        false => Peek::Unknown,
    }
}

fn element(base: Peek, items: &[IndexItem]) -> Peek {
    let only = match items {
        [IndexItem::Expr(expr)] => Some(&expr.kind),
        _ => None,
    };
    match (base, only) {
        (Peek::Tensor | Peek::Value(Value::Tensor(_)), _) => Peek::Tensor,
        (Peek::Value(Value::Branch(b)), Some(ExprKind::Int(i))) => at_path(&b.archive, format!("{}.{i}", b.path)),
        (Peek::Value(Value::Archive(a)), Some(ExprKind::Str(name))) if a.contains(name) => Peek::Tensor,
        (Peek::Value(Value::Archive(a)), Some(ExprKind::Str(glob))) => {
            Peek::Value(Value::Archive(Arc::new(a.select(glob))))
        }
        (Peek::Value(Value::List(list)), Some(ExprKind::Int(i))) => {
            let item = usize::try_from(*i).ok().and_then(|i| list.lock().get(i).cloned());
            item.map_or(Peek::Unknown, Peek::Value)
        }
        (Peek::Value(Value::Tuple(list)), Some(ExprKind::Int(i))) => {
            let item = usize::try_from(*i).ok().and_then(|i| list.get(i).cloned());
            item.map_or(Peek::Unknown, Peek::Value)
        }
        (Peek::Text | Peek::Value(Value::Str(_)), _) => Peek::Text,
        _ => Peek::Unknown,
    }
}

/// Most functions give tensors; those that give other things are few and known by their group.
fn called(session: &Session, callee: &Expr) -> Peek {
    let name = match &callee.kind {
        ExprKind::Name(name) => *name,
        ExprKind::Attr { base, name } => {
            if let Peek::Text | Peek::Value(Value::Str(_)) = of(session, base) {
                return Peek::Text;
            }
            name.symbol
        }
        _ => return Peek::Unknown,
    };
    if attribute::TENSOR.contains(&name.as_str()) {
        return Peek::Unknown;
    }
    use crate::op::Group;
    match named(session, name) {
        Peek::Value(Value::Builtin(f)) => match f.doc.group {
            _ if f.doc.name == "str" || f.doc.name == "format" => Peek::Text,
            Group::Python | Group::Files | Group::Types | Group::Plan => Peek::Unknown,
            _ => Peek::Tensor,
        },
        Peek::Value(Value::DType(_)) => Peek::Tensor,
        _ => Peek::Unknown,
    }
}
