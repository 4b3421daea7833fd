//! Functions as rows: what a call by name runs. Elementwise rows of `op` are lifted into this table; the others build
//! graph nodes, work on plain values, or are written in the language itself (`prelude.tsk`).

mod args;
pub mod attribute;
mod basic;
mod bind;
mod bits;
mod calls;
pub mod convert;
mod counting;
mod creation;
mod cx;
mod einops;
mod einsum;
mod fft;
mod file_rows;
pub mod files;
pub mod format;
mod inspect;
mod join;
mod linalg;
mod linalg_rows;
mod make;
mod matrices;
mod members;
mod norms;
mod packing;
mod pad;
mod plain;
pub mod prelude;
mod products;
mod python;
mod python_rows;
mod quantile;
mod random;
mod random_rows;
mod reduce;
mod reduce_rows;
mod saving;
mod scans;
mod scatter;
mod search;
mod sets;
mod sort;
mod spacing;
mod stats;
pub mod strings;
mod table;
mod type_rows;
mod types;
mod view_rows;
mod views;

pub use args::{Arg, Args};
pub use bind::{Given, Signature, bind, parameters};
pub use cx::{Cx, Host, Options, label_operands};
pub use table::{all, helpers, lookup, named_like, nearest};

use crate::base::Diag;
use crate::op::{Doc, Group, MapRow};
use crate::value::Value;

/// One function of the language.
pub struct Func {
    pub doc: Doc,
    pub body: Body,
    pub memory: Memory,
}

/// Where the elements of a function's result lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    New,
    /// In the buffer of the first argument.
    View,
    /// There where strides can express it, else in a copy.
    ViewOrCopy,
    /// The argument itself where it is already what is asked for, else a copy.
    ItselfOrCopy,
}

/// How a function runs.
#[derive(Clone, Copy)]
pub enum Body {
    Native(Native),
    /// An elementwise row.
    Map(&'static MapRow),
    /// A definition in `prelude.tsk`.
    Prelude(&'static prelude::Entry),
}

/// The arguments are bound to the signature's parameters; spans of the faults are added by the caller where missing.
pub type Native = fn(&mut Cx, &Args) -> Result<Value, Diag>;

/// Rows are written as chains of these, so that a table entry reads from the name to the small print.
impl Func {
    /// A function that runs another way than by a native function.
    fn of(doc: Doc, body: Body) -> Func {
        Func { doc, body, memory: Memory::New }
    }

    pub const fn new(name: &'static str, call: Native, group: Group) -> Func {
        Func { doc: Doc::new(name, group), body: Body::Native(call), memory: Memory::New }
    }

    /// Signature, one paragraph of help, runnable examples.
    pub const fn help(mut self, sig: &'static str, help: &'static str, examples: &'static [&'static str]) -> Func {
        self.doc.sig = sig;
        self.doc.help = help;
        self.doc.examples = examples;
        self
    }

    pub const fn alias(mut self, aliases: &'static [&'static str]) -> Func {
        self.doc.aliases = aliases;
        self
    }

    /// Shape and dtype of the result.
    pub const fn gives(mut self, rule: &'static str) -> Func {
        self.doc.gives = rule;
        self
    }

    /// The NumPy and the PyTorch spelling; empty where one has none, `none` twice where neither has.
    pub const fn like(mut self, numpy: &'static str, torch: &'static str) -> Func {
        self.doc.numpy = numpy;
        self.doc.torch = torch;
        self
    }

    pub const fn see(mut self, see: &'static [&'static str]) -> Func {
        self.doc.see = see;
        self
    }

    pub const fn view(mut self) -> Func {
        self.memory = Memory::View;
        self
    }

    pub const fn memory(mut self, memory: Memory) -> Func {
        self.memory = memory;
        self
    }
}

impl std::fmt::Debug for Func {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.doc.name)
    }
}
