//! From text to syntax tree and back: lexer, bracket pass, parser, formatter. Sees `base` only.

pub mod ast;
pub mod bracket;
pub mod codes;
mod complete;
pub mod cursor;
mod fscan;
mod literal;
pub mod operators;
mod parse;
pub mod print;
pub mod token;

pub use codes::CODES;
pub use complete::{StatementReader, is_complete};
pub use operators::{KEYWORDS, OPERATORS};
pub use parse::{MAX_LINE, MAX_SOURCE, Parsed, decode, parse};
pub use print::{format_source, print_expr, print_script};
