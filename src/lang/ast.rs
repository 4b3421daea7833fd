//! The syntax tree. One tree serves parser, printer, checker and evaluator.

use crate::base::{Span, Symbol};
use std::sync::Arc;

pub type Block = Vec<Stmt>;

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// Ended by `;`: an expression statement is evaluated and not displayed.
    pub quiet: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    Expr(Expr),
    Explain(Expr),
    /// `a = b = value`: several targets. An annotation belongs to a single plain name (`w: f16[_, 4096] = …`).
    Assign {
        targets: Vec<Target>,
        annotation: Option<Annotation>,
        value: Expr,
    },
    /// `x += 1`, `x[i] *= 2`; the target is a `Name`, `Index` or `Attr` expression.
    OpAssign {
        target: Expr,
        op: BinaryOp,
        op_span: Span,
        value: Expr,
    },
    Fn(Arc<FnDef>),
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    For {
        target: Target,
        iter: Expr,
        body: Block,
    },
    While {
        cond: Expr,
        body: Block,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    Assert {
        cond: Expr,
        message: Option<Expr>,
    },
    Import {
        path: String,
        path_span: Span,
        alias: Name,
    },
    Del(Vec<Name>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

/// What stands left of `=`, or between `for` and `in`.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    Name(Name),
    /// `x[idx]`: an `ExprKind::Index`.
    Index(Expr),
    /// `a, b`, `(a, b)`, `[a, b]`
    Tuple(Vec<Target>, Span),
    /// `*rest`, only inside a tuple
    Star(Box<Target>, Span),
}

#[derive(Clone, PartialEq, Debug)]
pub struct FnDef {
    /// None for `lambda`.
    pub name: Option<Name>,
    pub params: Vec<Param>,
    pub body: FnBody,
    /// From `fn` (or `lambda`) to the end of the body.
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: Name,
    pub annotation: Option<Annotation>,
    pub default: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FnBody {
    Expr(Expr),
    Block(Block),
}

/// `f32[b, h, _, 64, ...]`, `[n, n]`, `f16[_, 4096]`, `f32` alone (any shape)
#[derive(Clone, PartialEq, Debug)]
pub struct Annotation {
    pub dtype: Option<Name>,
    /// None: any shape.
    pub dims: Option<Vec<Dim>>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Dim {
    Known(u64, Span),
    Name(Name),
    /// `_`
    Any(Span),
    /// `...`: any number of axes, at most once
    Rest(Span),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// Up to 2^64 - 1; a sign before it is folded in by the parser only for -9223372036854775808 (`MinInt`).
    Int(u64),
    /// `-9223372036854775808` alone.
    MinInt,
    Float(f64),
    /// `2j`
    Imag(f64),
    Str(Arc<str>),
    FString(Vec<FPart>),
    True,
    False,
    None,
    Name(Symbol),
    /// `...` where an expression may stand (an index item, an annotation-like argument)
    Ellipsis,
    /// `?`: what would fit here is told
    Hole,
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// `*xs` in a call, list or tuple
    Star(Box<Expr>),
    Comprehension {
        element: Box<Expr>,
        clauses: Vec<Clause>,
    },
    Lambda(Arc<FnDef>),
    Unary {
        op: UnaryOp,
        op_span: Span,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        op_span: Span,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `a < b <= c`
    Compare {
        first: Box<Expr>,
        rest: Vec<(CompareOp, Span, Expr)>,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// `a..b`
    Range(Box<Expr>, Box<Expr>),
    IfElse {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `value |> func`
    Pipe {
        value: Box<Expr>,
        func: Box<Expr>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Arg>,
    },
    Index {
        base: Box<Expr>,
        items: Vec<IndexItem>,
    },
    Attr {
        base: Box<Expr>,
        name: Name,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// `name=` of a keyword argument
    pub name: Option<Name>,
    /// May be a `Star`.
    pub value: Expr,
}

/// What stands between the commas of `x[…]`. `x[()]` has no items, `x[(0, 1)]` is stored as two items.
#[derive(Clone, PartialEq, Debug)]
pub enum IndexItem {
    /// An integer, `None`, `...`, a tensor, a list, a string, a `Star`
    Expr(Expr),
    Slice {
        start: Option<Expr>,
        stop: Option<Expr>,
        step: Option<Expr>,
        span: Span,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Clause {
    For { target: Target, iter: Expr },
    If(Expr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum FPart {
    Text(String),
    Expr {
        expr: Expr,
        /// `{x=}`: the source text to print before the value, `x=` with its spaces
        label: Option<String>,
        /// `!r`, `!s`
        conversion: Option<char>,
        /// Text after `:`; may hold nested expressions.
        spec: Vec<FPart>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Invert,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    MatMul,
    Pow,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
}
