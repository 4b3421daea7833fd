//! Keywords and operators as data: the parser takes its levels from here, so do the printer and the help pages.

use super::ast::{BinaryOp, CompareOp, UnaryOp};

/// Words that cannot be names. After `.` they can.
pub const KEYWORDS: &[&str] = &[
    "and", "or", "not", "in", "if", "else", "for", "while", "break", "continue", "fn", "return", "assert", "import",
    "as", "del", "True", "False", "None", "lambda",
];

/// Keywords at the start of a statement only; names elsewhere.
pub const STATEMENT_KEYWORDS: &[&str] = &["explain"];

/// How tightly an operator binds: a higher level binds tighter.
pub mod level {
    pub const LAMBDA: u16 = 1;
    pub const PIPE: u16 = 2;
    pub const CONDITIONAL: u16 = 3;
    pub const OR: u16 = 4;
    pub const AND: u16 = 5;
    pub const NOT: u16 = 6;
    pub const COMPARE: u16 = 7;
    pub const RANGE: u16 = 8;
    pub const BIT_OR: u16 = 9;
    pub const BIT_XOR: u16 = 10;
    pub const BIT_AND: u16 = 11;
    pub const SHIFT: u16 = 12;
    pub const SUM: u16 = 13;
    pub const PRODUCT: u16 = 14;
    pub const UNARY: u16 = 15;
    pub const POWER: u16 = 16;
    pub const POSTFIX: u16 = 17;
    pub const ATOM: u16 = 18;
}

/// What an operator is in the syntax tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Binary(BinaryOp),
    Compare(CompareOp),
    Unary(UnaryOp),
    /// `and or not`, `if … else`, `|>`, `..`, `lambda`, calls, indices, attributes: no row of the operator table of a backend
    Syntax,
}

/// One operator: what is written, how tightly it binds, what it is called and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    pub symbol: &'static str,
    pub level: u16,
    pub name: &'static str,
    pub meaning: &'static str,
    pub form: Form,
}

const fn row(symbol: &'static str, level: u16, name: &'static str, meaning: &'static str, form: Form) -> Operator {
    Operator { symbol, level, name, meaning, form }
}

/// All operators, loosest first.
pub const OPERATORS: &[Operator] = &[
    row(
        "lambda",
        level::LAMBDA,
        "lambda",
        "a function without a name; its body reaches as far right as it can",
        Form::Syntax,
    ),
    row(
        "|>",
        level::PIPE,
        "pipe",
        "gives the left value to the function, or as first argument to the call, at the right",
        Form::Syntax,
    ),
    row(
        "if else",
        level::CONDITIONAL,
        "conditional",
        "the left value where the condition holds, the right one otherwise",
        Form::Syntax,
    ),
    row("or", level::OR, "or", "the left value where it is true, the right one otherwise", Form::Syntax),
    row("and", level::AND, "and", "the left value where it is false, the right one otherwise", Form::Syntax),
    row("not", level::NOT, "not", "True where the value is false", Form::Syntax),
    row("in", level::COMPARE, "in", "whether the right value holds the left one", Form::Compare(CompareOp::In)),
    row(
        "not in",
        level::COMPARE,
        "not_in",
        "whether the right value lacks the left one",
        Form::Compare(CompareOp::NotIn),
    ),
    row("==", level::COMPARE, "equal", "equal, elementwise on tensors", Form::Compare(CompareOp::Eq)),
    row("!=", level::COMPARE, "not_equal", "not equal, elementwise on tensors", Form::Compare(CompareOp::Ne)),
    row("<", level::COMPARE, "less", "less, elementwise on tensors", Form::Compare(CompareOp::Lt)),
    row("<=", level::COMPARE, "less_equal", "less or equal, elementwise on tensors", Form::Compare(CompareOp::Le)),
    row(">", level::COMPARE, "greater", "greater, elementwise on tensors", Form::Compare(CompareOp::Gt)),
    row(
        ">=",
        level::COMPARE,
        "greater_equal",
        "greater or equal, elementwise on tensors",
        Form::Compare(CompareOp::Ge),
    ),
    row(
        "..",
        level::RANGE,
        "range",
        "the integers from the left one up to the right one, which is left out",
        Form::Syntax,
    ),
    row("|", level::BIT_OR, "bitwise_or", "or, bit by bit", Form::Binary(BinaryOp::BitOr)),
    row("^", level::BIT_XOR, "bitwise_xor", "exclusive or, bit by bit", Form::Binary(BinaryOp::BitXor)),
    row("&", level::BIT_AND, "bitwise_and", "and, bit by bit", Form::Binary(BinaryOp::BitAnd)),
    row("<<", level::SHIFT, "left_shift", "moves bits to the left", Form::Binary(BinaryOp::Shl)),
    row(">>", level::SHIFT, "right_shift", "moves bits to the right", Form::Binary(BinaryOp::Shr)),
    row("+", level::SUM, "add", "sum; joins strings, lists and tuples", Form::Binary(BinaryOp::Add)),
    row("-", level::SUM, "subtract", "difference", Form::Binary(BinaryOp::Sub)),
    row(
        "*",
        level::PRODUCT,
        "multiply",
        "product, elementwise on tensors; repeats strings and lists",
        Form::Binary(BinaryOp::Mul),
    ),
    row("/", level::PRODUCT, "divide", "true division", Form::Binary(BinaryOp::Div)),
    row("//", level::PRODUCT, "floor_divide", "division rounded down", Form::Binary(BinaryOp::FloorDiv)),
    row(
        "%",
        level::PRODUCT,
        "remainder",
        "the remainder of `//`, with the sign of the divisor",
        Form::Binary(BinaryOp::Mod),
    ),
    row("@", level::PRODUCT, "matmul", "matrix product over the last two axes", Form::Binary(BinaryOp::MatMul)),
    row("+", level::UNARY, "positive", "the value itself", Form::Unary(UnaryOp::Plus)),
    row("-", level::UNARY, "negative", "the value with the other sign", Form::Unary(UnaryOp::Minus)),
    row("~", level::UNARY, "invert", "not, bit by bit", Form::Unary(UnaryOp::Invert)),
    row(
        "**",
        level::POWER,
        "power",
        "power; groups to the right and binds tighter than a sign at its left",
        Form::Binary(BinaryOp::Pow),
    ),
    row("f()", level::POSTFIX, "call", "calls a function", Form::Syntax),
    row("x[]", level::POSTFIX, "index", "elements and slices; a view wherever one exists", Form::Syntax),
    row(
        "x.name",
        level::POSTFIX,
        "attribute",
        "an attribute, a member, or a function called with the value first",
        Form::Syntax,
    ),
];

fn find(form: Form) -> Option<&'static Operator> {
    OPERATORS.iter().find(|o| o.form == form)
}

impl BinaryOp {
    /// The row of the operator table.
    pub fn row(self) -> Option<&'static Operator> {
        find(Form::Binary(self))
    }

    /// What is written between the operands.
    pub fn symbol(self) -> &'static str {
        self.row().map_or("", |o| o.symbol)
    }

    /// How tightly it binds.
    pub fn level(self) -> u16 {
        self.row().map_or(level::ATOM, |o| o.level)
    }
}

impl CompareOp {
    pub fn symbol(self) -> &'static str {
        find(Form::Compare(self)).map_or("", |o| o.symbol)
    }
}

impl UnaryOp {
    pub fn symbol(self) -> &'static str {
        find(Form::Unary(self)).map_or("", |o| o.symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_of_the_tree_has_one_row() {
        use BinaryOp::*;
        for op in [Add, Sub, Mul, Div, FloorDiv, Mod, MatMul, Pow, Shl, Shr, BitAnd, BitXor, BitOr] {
            assert_eq!(OPERATORS.iter().filter(|o| o.form == Form::Binary(op)).count(), 1, "{op:?}");
        }
        use CompareOp::*;
        for op in [Eq, Ne, Lt, Le, Gt, Ge, In, NotIn] {
            assert_eq!(OPERATORS.iter().filter(|o| o.form == Form::Compare(op)).count(), 1, "{op:?}");
        }
        for op in [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Invert] {
            assert_eq!(OPERATORS.iter().filter(|o| o.form == Form::Unary(op)).count(), 1, "{op:?}");
        }
    }

    #[test]
    fn rows_stand_loosest_first() {
        assert!(OPERATORS.windows(2).all(|w| w[0].level <= w[1].level));
        assert_eq!((BinaryOp::Pow.symbol(), BinaryOp::Pow.level()), ("**", level::POWER));
    }
}
