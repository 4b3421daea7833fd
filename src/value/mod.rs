//! What a name can be bound to.

mod bury;
mod json;
mod scope;
mod show;

pub use bury::bury;
pub use json::{json, write_json};
pub use scope::{Lookup, Scope, ScopeRef, SymbolMap};
pub use show::{displayed, header, nodes, quoted, repr, repr_until, tag, text, text_until};

use crate::base::{Span, Symbol};
use crate::file::{Archive, MetaArray};
use crate::func::Func;
use crate::lang::ast::FnDef;
use crate::plan::Tensor;
use crate::tensor::{DType, PackedFormat};
use num_complex::Complex64;
use std::sync::{Arc, Mutex, MutexGuard};

#[derive(Clone)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    /// A literal above 2^63 - 1: only a u64 can be made of it.
    BigInt(u64),
    Float(f64),
    Complex(Complex64),
    Str(Arc<str>),
    DType(DType),
    /// A packed format, which stands where dtypes stand for tensors of files.
    Packed(&'static PackedFormat),
    Tensor(Arc<Tensor>),
    /// Shared and changeable, as in Python.
    List(List),
    Tuple(Arc<[Value]>),
    Range(Range),
    Record(Arc<Record>),
    Closure(Arc<Closure>),
    /// A function of the table.
    Builtin(&'static Func),
    Module(Arc<Module>),
    Archive(Arc<Archive>),
    /// `m.blk`, `m.blk[0]`: the way to a tensor whose name has dots.
    Branch(Arc<Branch>),
    /// `m.meta`: what an archive says about itself.
    Meta(Arc<Archive>),
    /// An array of metadata, whose elements stay in the file until they are asked for.
    MetaArray(MetaArray),
    /// `...` as an argument or index
    Ellipsis,
    /// In `tsk check` only: a value that depends on data. Everything that touches it is Unknown too, and never a fault.
    Unknown,
}

#[derive(Clone, Default)]
pub struct List(Arc<Items>);

#[derive(Default)]
struct Items(Mutex<Vec<Value>>);

impl Drop for Items {
    fn drop(&mut self) {
        let items = self.0.get_mut().unwrap_or_else(|e| e.into_inner());
        std::mem::take(items).into_iter().for_each(bury);
    }
}

impl List {
    pub fn new(items: Vec<Value>) -> List {
        List(Arc::new(Items(Mutex::new(items))))
    }

    /// Hold it shortly: never while evaluating.
    pub fn lock(&self) -> MutexGuard<'_, Vec<Value>> {
        self.0.0.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn to_vec(&self) -> Vec<Value> {
        self.lock().clone()
    }

    /// The items where nobody else holds the list.
    fn own(&mut self) -> Option<&mut Vec<Value>> {
        Some(Arc::get_mut(&mut self.0)?.0.get_mut().unwrap_or_else(|e| e.into_inner()))
    }

    pub fn same(&self, other: &List) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Python's `range`: the integers from start to before stop by step (never 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
}

impl Range {
    pub fn len(&self) -> usize {
        let (start, stop, step) = (i128::from(self.start), i128::from(self.stop), i128::from(self.step));
        let count = if step > 0 { (stop - start + step - 1) / step } else { (start - stop - step - 1) / -step };
        usize::try_from(count.max(0)).unwrap_or(usize::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a position below `len`.
    pub fn get(&self, i: usize) -> i64 {
        (i128::from(self.start) + i as i128 * i128::from(self.step)) as i64
    }

    pub fn iter(self) -> impl Iterator<Item = i64> {
        (0..self.len()).map(move |i| self.get(i))
    }
}

/// `record(a=1, b=x)`: immutable, in order of the fields.
#[derive(Clone, Default)]
pub struct Record {
    pub fields: Vec<(Symbol, Value)>,
}

impl Drop for Record {
    fn drop(&mut self) {
        std::mem::take(&mut self.fields).into_iter().for_each(|(_, v)| bury(v));
    }
}

impl Record {
    pub fn get(&self, name: Symbol) -> Option<&Value> {
        self.fields.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }
}

/// A function of the user with the scope that it sees.
pub struct Closure {
    pub def: Arc<FnDef>,
    /// Values of the defaults, in the order of the parameters.
    pub defaults: Vec<Option<Value>>,
    pub scope: ScopeRef,
    /// Names that the body assigns: local to each call.
    pub locals: Arc<[Symbol]>,
}

/// All tensors of an archive whose names start with `path` and a dot.
pub struct Branch {
    pub archive: Archive,
    pub path: String,
}

pub struct Module {
    pub name: String,
    pub scope: ScopeRef,
}

impl Value {
    pub fn str(text: impl Into<Arc<str>>) -> Value {
        Value::Str(text.into())
    }

    pub fn tensor(t: Tensor) -> Value {
        Value::Tensor(Arc::new(t))
    }

    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(items.into())
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(List::new(items))
    }

    /// What errors call its kind: `integer`, `f32[2, 3]`, `list of 3`.
    pub fn describe(&self) -> String {
        match self {
            Value::None => "None".into(),
            Value::Bool(_) => "bool".into(),
            Value::Int(_) | Value::BigInt(_) => "integer".into(),
            Value::Float(_) => "float".into(),
            Value::Complex(_) => "complex number".into(),
            Value::Str(_) => "string".into(),
            Value::DType(_) => "dtype".into(),
            Value::Packed(_) => "packed format".into(),
            Value::Meta(_) => "metadata".into(),
            Value::MetaArray(a) => format!("metadata array of {}", a.len()),
            Value::Tensor(t) => t.describe(),
            Value::List(l) => format!("list of {}", l.lock().len()),
            Value::Tuple(t) => format!("tuple of {}", t.len()),
            Value::Range(_) => "range".into(),
            Value::Record(_) => "record".into(),
            Value::Closure(_) | Value::Builtin(_) => "function".into(),
            Value::Module(_) => "module".into(),
            Value::Archive(_) | Value::Branch(_) => "archive".into(),
            Value::Ellipsis => "...".into(),
            Value::Unknown => "unknown".into(),
        }
    }
}

/// A value and the expression that gave it.
#[derive(Clone)]
pub struct Spanned {
    pub value: Value,
    pub span: Span,
}
