//! Expressions to pieces of text, with as few brackets as the levels of the operators allow.

use super::layout::{Piece, flat};
use crate::lang::ast::*;
use crate::lang::operators::level;

/// The expression where anything may stand.
pub fn pieces(e: &Expr) -> Vec<Piece> {
    let mut out = Out::default();
    out.expr(e, level::LAMBDA);
    out.pieces
}

pub fn annotation(a: &Annotation) -> String {
    let dim = |d: &Dim| match d {
        Dim::Known(n, _) => n.to_string(),
        Dim::Name(name) => name.symbol.to_string(),
        Dim::Any(_) => "_".to_owned(),
        Dim::Rest(_) => "...".to_owned(),
    };
    let mut text = a.dtype.map(|n| n.symbol.to_string()).unwrap_or_default();
    if let Some(dims) = &a.dims {
        text += &format!("[{}]", dims.iter().map(dim).collect::<Vec<_>>().join(", "));
    }
    text
}

/// Parameters with defaults and annotations, to stand in brackets or behind `lambda`.
pub fn params(params: &[Param]) -> Vec<Piece> {
    let mut out = Out::default();
    for (i, p) in params.iter().enumerate() {
        out.comma(i);
        out.text(p.name.symbol.as_str());
        if let Some(a) = &p.annotation {
            out.text(&format!(": {}", annotation(a)));
        }
        if let Some(value) = &p.default {
            out.text(if p.annotation.is_some() { " = " } else { "=" });
            out.expr(value, level::LAMBDA);
        }
    }
    out.pieces
}

/// A target; a tuple without brackets where `bare` and it has two elements or more.
pub fn target(t: &Target, bare: bool) -> Vec<Piece> {
    let mut out = Out::default();
    out.target(t, bare);
    out.pieces
}

/// A value at the right of `=` or behind `return`, a tuple without brackets where it has two elements or more.
pub fn bare(e: &Expr) -> Vec<Piece> {
    let mut out = Out::default();
    match &e.kind {
        ExprKind::Tuple(items) if items.len() > 1 => {
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.text(", ");
                }
                out.expr(item, level::LAMBDA);
            }
        }
        _ => out.expr(e, level::LAMBDA),
    }
    out.pieces
}

/// A string literal in double quotes.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    escape(text, &mut out);
    out.push('"');
    out
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
}

fn float(v: f64) -> String {
    if v.is_infinite() { "1e999".to_owned() } else { format!("{v:?}") }
}

fn level_of(kind: &ExprKind) -> u16 {
    match kind {
        ExprKind::Lambda(_) => level::LAMBDA,
        ExprKind::Pipe { .. } => level::PIPE,
        ExprKind::IfElse { .. } => level::CONDITIONAL,
        ExprKind::Or(..) => level::OR,
        ExprKind::And(..) => level::AND,
        ExprKind::Not(_) => level::NOT,
        ExprKind::Compare { .. } => level::COMPARE,
        ExprKind::Range(..) => level::RANGE,
        ExprKind::Binary { op, .. } => op.level(),
        ExprKind::Unary { .. } | ExprKind::MinInt => level::UNARY,
        ExprKind::Call { .. } | ExprKind::Index { .. } | ExprKind::Attr { .. } => level::POSTFIX,
        _ => level::ATOM,
    }
}

#[derive(Default)]
struct Out {
    pieces: Vec<Piece>,
}

impl Out {
    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.text(",");
            self.pieces.push(Piece::Break);
        }
    }

    fn group(&mut self, open: &str, fill: bool, close: &str, inner: impl FnOnce(&mut Out)) {
        self.text(open);
        self.pieces.push(Piece::Open { fill });
        inner(self);
        self.pieces.push(Piece::Close);
        self.text(close);
    }

    /// The expression, in brackets where it binds looser than `least`.
    fn expr(&mut self, e: &Expr, least: u16) {
        stacker::maybe_grow(128 << 10, 4 << 20, || {
            if level_of(&e.kind) < least {
                self.group("(", false, ")", |out| out.kind(&e.kind));
            } else {
                self.kind(&e.kind);
            }
        });
    }

    fn both(&mut self, a: &Expr, left: u16, between: &str, b: &Expr, right: u16) {
        self.expr(a, left);
        self.text(between);
        self.expr(b, right);
    }

    fn kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Int(v) => self.text(&v.to_string()),
            ExprKind::MinInt => self.text("-9223372036854775808"),
            ExprKind::Float(v) => self.text(&float(*v)),
            ExprKind::Imag(v) => {
                let digits = float(*v);
                self.text(&format!("{}j", digits.strip_suffix(".0").unwrap_or(&digits)));
            }
            ExprKind::Str(s) => self.text(&quote(s)),
            ExprKind::FString(parts) => self.text(&fstring(parts)),
            ExprKind::True => self.text("True"),
            ExprKind::False => self.text("False"),
            ExprKind::None => self.text("None"),
            ExprKind::Name(s) => self.text(s.as_str()),
            ExprKind::Ellipsis => self.text("..."),
            ExprKind::Hole => self.text("?"),
            ExprKind::Tuple(items) => self.items("(", items, if items.len() == 1 { ",)" } else { ")" }),
            ExprKind::List(items) => self.items("[", items, "]"),
            ExprKind::Star(e) => {
                self.text("*");
                self.expr(e, level::OR);
            }
            ExprKind::Comprehension { element, clauses } => self.comprehension(element, clauses),
            ExprKind::Call { .. } | ExprKind::Index { .. } | ExprKind::Attr { .. } => self.postfix(kind),
            _ => self.operator(kind),
        }
    }

    fn operator(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Lambda(def) => self.lambda(def),
            ExprKind::Unary { op, operand, .. } => {
                self.text(op.symbol());
                self.expr(operand, level::UNARY);
            }
            ExprKind::Binary { op: BinaryOp::Pow, lhs, rhs, .. } => {
                self.both(lhs, level::POSTFIX, " ** ", rhs, level::UNARY);
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                self.both(lhs, op.level(), &format!(" {} ", op.symbol()), rhs, op.level() + 1);
            }
            ExprKind::Compare { first, rest } => {
                self.expr(first, level::RANGE);
                for (op, _, operand) in rest {
                    self.text(&format!(" {} ", op.symbol()));
                    self.expr(operand, level::RANGE);
                }
            }
            ExprKind::And(a, b) => self.both(a, level::AND, " and ", b, level::NOT),
            ExprKind::Or(a, b) => self.both(a, level::OR, " or ", b, level::AND),
            ExprKind::Not(e) => {
                self.text("not ");
                self.expr(e, level::NOT);
            }
            ExprKind::Range(a, b) => {
                let short = |e: &Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Attr { .. });
                self.both(a, level::BIT_OR, if short(a) && short(b) { ".." } else { " .. " }, b, level::BIT_OR);
            }
            ExprKind::IfElse { cond, then, otherwise } => {
                self.both(then, level::OR, " if ", cond, level::OR);
                self.text(" else ");
                self.expr(otherwise, level::CONDITIONAL);
            }
            ExprKind::Pipe { value, func } => self.both(value, level::PIPE, " |> ", func, level::OR),
            _ => {}
        }
    }

    fn lambda(&mut self, def: &FnDef) {
        self.text("lambda");
        for (i, p) in params(&def.params).into_iter().enumerate() {
            if i == 0 {
                self.text(" ");
            }
            match p {
                Piece::Text(text) => self.text(&text),
                // A lambda's parameters stand in no brackets, so the line cannot break here.
                Piece::Break => self.text(" "),
                other => self.pieces.push(other),
            }
        }
        self.text(": ");
        if let FnBody::Expr(body) = &def.body {
            self.expr(body, level::LAMBDA);
        }
    }

    fn items(&mut self, open: &str, items: &[Expr], close: &str) {
        let plain = |e: &Expr| match &e.kind {
            ExprKind::Unary { operand, .. } => level_of(&operand.kind) == level::ATOM,
            ExprKind::List(_) | ExprKind::Tuple(_) => false,
            kind => level_of(kind) == level::ATOM,
        };
        self.group(open, items.iter().all(plain), close, |out| {
            for (i, item) in items.iter().enumerate() {
                out.comma(i);
                out.expr(item, level::LAMBDA);
            }
        });
    }

    fn comprehension(&mut self, element: &Expr, clauses: &[Clause]) {
        self.group("[", false, "]", |out| {
            out.expr(element, level::LAMBDA);
            for clause in clauses {
                out.pieces.push(Piece::Break);
                match clause {
                    Clause::For { target, iter } => {
                        out.text("for ");
                        out.target(target, true);
                        out.text(" in ");
                        out.expr(iter, level::OR);
                    }
                    Clause::If(cond) => {
                        out.text("if ");
                        out.expr(cond, level::OR);
                    }
                }
            }
        });
    }

    fn postfix(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Call { callee, args } => {
                self.expr(callee, level::POSTFIX);
                self.group("(", false, ")", |out| {
                    for (i, arg) in args.iter().enumerate() {
                        out.comma(i);
                        if let Some(name) = arg.name {
                            out.text(&format!("{}=", name.symbol));
                        }
                        out.expr(&arg.value, level::LAMBDA);
                    }
                });
            }
            ExprKind::Index { base, items } => {
                self.expr(base, level::POSTFIX);
                self.index(items);
            }
            ExprKind::Attr { base, name } => {
                let number = matches!(base.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Imag(_));
                self.expr(base, if number { level::ATOM + 1 } else { level::POSTFIX });
                self.text(&format!(".{}", name.symbol));
            }
            _ => {}
        }
    }

    fn index(&mut self, items: &[IndexItem]) {
        let close = match items {
            [] => return self.text("[()]"),
            // One tuple without the comma would stand for its elements.
            [IndexItem::Expr(Expr { kind: ExprKind::Tuple(_), .. })] => ",]",
            _ => "]",
        };
        self.group("[", false, close, |out| {
            for (i, item) in items.iter().enumerate() {
                out.comma(i);
                match item {
                    IndexItem::Expr(e) => out.expr(e, level::LAMBDA),
                    IndexItem::Slice { start, stop, step, .. } => {
                        out.bound(start);
                        out.text(":");
                        out.bound(stop);
                        if step.is_some() {
                            out.text(":");
                            out.bound(step);
                        }
                    }
                }
            }
        });
    }

    fn bound(&mut self, e: &Option<Expr>) {
        if let Some(e) = e {
            self.expr(e, level::PIPE);
        }
    }

    fn target(&mut self, t: &Target, bare: bool) {
        match t {
            Target::Name(name) => self.text(name.symbol.as_str()),
            Target::Index(e) => self.expr(e, level::POSTFIX),
            Target::Star(inner, _) => {
                self.text("*");
                self.target(inner, false);
            }
            Target::Tuple(items, _) => {
                let brackets = !bare || items.len() < 2;
                self.text(if brackets { "(" } else { "" });
                for (i, item) in items.iter().enumerate() {
                    self.text(if i > 0 { ", " } else { "" });
                    self.target(item, false);
                }
                self.text(if items.len() == 1 { "," } else { "" });
                self.text(if brackets { ")" } else { "" });
            }
        }
    }
}

fn fstring(parts: &[FPart]) -> String {
    let many_lines = parts.iter().any(|p| matches!(p, FPart::Expr { label: Some(l), .. } if l.contains('\n')));
    let quotes = if many_lines { "\"\"\"" } else { "\"" };
    let mut out = format!("f{quotes}");
    for part in parts {
        match part {
            FPart::Text(text) => {
                let mut escaped = String::new();
                escape(text, &mut escaped);
                out.push_str(&escaped.replace('{', "{{").replace('}', "}}"));
            }
            FPart::Expr { .. } => field(part, &mut out),
        }
    }
    out.push_str(quotes);
    out
}

fn field(part: &FPart, out: &mut String) {
    let FPart::Expr { expr, label, conversion, spec } = part else { return };
    out.push('{');
    match label {
        Some(label) => out.push_str(label),
        None => {
            let mut inner = Out::default();
            // The colon of a lambda would start the format.
            inner.expr(expr, level::PIPE);
            out.push_str(&flat(&inner.pieces));
        }
    }
    let implied = label.is_some() && spec.is_empty() && *conversion == Some('r');
    if let (Some(c), false) = (conversion, implied) {
        out.push('!');
        out.push(*c);
    }
    if !spec.is_empty() {
        out.push(':');
    }
    for part in spec {
        match part {
            FPart::Text(text) => {
                let mut escaped = String::new();
                escape(text, &mut escaped);
                out.push_str(&escaped.replace('{', "\\x7b").replace('}', "\\x7d"));
            }
            FPart::Expr { .. } => field(part, out),
        }
    }
    out.push('}');
}
