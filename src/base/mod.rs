//! Spans, sources, diagnostics as data, suggestions. Imports nothing of the crate, formats no text for a terminal.

mod article;
pub mod codes;
mod diag;
pub mod foreign;
mod size;
mod source;
mod suggest;
mod symbol;

pub use article::a;
pub use diag::{Diag, Label};
pub use size::{parse_size, size};
pub use source::{Source, SourceId, SourceMap, Span};
pub use suggest::nearest;
pub use symbol::Symbol;
