//! Text of values: NumPy's arrays, Python's numbers, strings and format specs, JSON. Sees `base` and `tensor` only.

mod array;
mod chars;
mod columns;
mod digits;
mod format;
mod json;
mod number;
mod spec;
mod string_ops;
mod strings;

pub use array::{ArrayOptions, array_repr, array_text};
pub use digits::Decimal;
pub use format::{FormatValue, format_value};
pub use json::{ValueMeta, diag_json, push_scalar, push_string, write_value};
pub use number::{complex_text, complex_text_as, float_text, float_text_as, scalar_text};
pub use strings::{STR_METHODS, StrArg, StrMethod, StrResult, str_method};
