//! The names that a function assigns anywhere in its body: they are local to each call.

use crate::base::Symbol;
use crate::lang::ast::{Annotation, Dim, Expr, ExprKind, FnBody, FnDef, Stmt, StmtKind, Target};
use std::sync::Arc;

pub fn locals(def: &FnDef) -> Arc<[Symbol]> {
    let mut names: Vec<Symbol> = def.params.iter().map(|p| p.name.symbol).collect();
    for param in &def.params {
        annotation(param.annotation.as_ref(), &mut names);
    }
    if let FnBody::Block(block) = &def.body {
        statements(block, &mut names);
    }
    names.sort_unstable();
    names.dedup();
    names.into()
}

pub(super) fn statements(block: &[Stmt], names: &mut Vec<Symbol>) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Assign { targets, annotation: a, .. } => {
                targets.iter().for_each(|t| target(t, names));
                annotation(a.as_ref(), names);
            }
            StmtKind::OpAssign { target: Expr { kind: ExprKind::Name(name), .. }, .. } => names.push(*name),
            StmtKind::Fn(def) => names.extend(def.name.map(|n| n.symbol)),
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, b)| statements(b, names));
                otherwise.iter().for_each(|b| statements(b, names));
            }
            StmtKind::For { target: t, body, .. } => {
                target(t, names);
                statements(body, names);
            }
            StmtKind::While { body, .. } => statements(body, names),
            StmtKind::Import { alias, .. } => names.push(alias.symbol),
            StmtKind::Del(list) => names.extend(list.iter().map(|n| n.symbol)),
            _ => {}
        }
    }
}

fn target(t: &Target, names: &mut Vec<Symbol>) {
    match t {
        Target::Name(name) => names.push(name.symbol),
        Target::Index(_) => {}
        Target::Tuple(items, _) => items.iter().for_each(|t| target(t, names)),
        Target::Star(inner, _) => target(inner, names),
    }
}

fn annotation(a: Option<&Annotation>, names: &mut Vec<Symbol>) {
    let dims = a.and_then(|a| a.dims.as_ref()).into_iter().flatten();
    names.extend(dims.filter_map(|d| match d {
        Dim::Name(name) => Some(name.symbol),
        _ => None,
    }));
}
