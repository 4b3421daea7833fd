//! Functions as rows: what a call by name runs. Elementwise rows of `op` are lifted into this table; the others build
//! graph nodes or work on plain values.

mod args;
mod cx;

pub use args::{Arg, Args};
pub use cx::{Cx, Host, Options};

use crate::base::Diag;
use crate::op::Doc;
use crate::value::Value;

/// One function of the language.
pub struct Func {
    pub doc: Doc,
    pub call: Native,
    /// True for functions whose result is a view of their first argument.
    pub is_view: bool,
}

/// The arguments are bound to the signature's parameters; spans of the faults are added by the caller where missing.
pub type Native = fn(&mut Cx, &Args) -> Result<Value, Diag>;

impl std::fmt::Debug for Func {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.doc.name)
    }
}
