use super::lanes::LaneFn;
use crate::tensor::DType;
use smallvec::SmallVec;

/// What help, completion and the reference say about a function, whatever kind of row it has.
#[derive(Clone, Copy, Debug)]
pub struct Doc {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// `softmax(x, axis=-1)`: parameters and defaults; the binder reads it too.
    pub sig: &'static str,
    /// One paragraph; its first sentence stands alone in lists.
    pub help: &'static str,
    /// Runnable texts; each is executed by a test.
    pub examples: &'static [&'static str],
    /// Shape and dtype of the result; empty for elementwise rows, whose rule tells it.
    pub gives: &'static str,
    /// The NumPy and the PyTorch spelling; empty where one of them has none, both `none` where neither has.
    pub numpy: &'static str,
    pub torch: &'static str,
    pub see: &'static [&'static str],
    pub group: Group,
}

impl Doc {
    pub const fn new(name: &'static str, group: Group) -> Doc {
        Doc { name, aliases: &[], sig: "", help: "", examples: &[], gives: "", numpy: "", torch: "", see: &[], group }
    }

    /// A helper of other rows: found by its name, but shown by no list, page or suggestion.
    pub fn is_private(&self) -> bool {
        self.name.starts_with('_')
    }
}

/// The chapters of the reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Creation,
    Random,
    View,
    Join,
    Arithmetic,
    Elementary,
    Compare,
    Bits,
    Reduce,
    Scan,
    Linalg,
    Nn,
    Sort,
    Statistics,
    Fft,
    Types,
    Complex,
    Files,
    Plan,
    Python,
}

impl Group {
    pub const ALL: [Group; 20] = [
        Group::Creation,
        Group::Random,
        Group::View,
        Group::Join,
        Group::Arithmetic,
        Group::Elementary,
        Group::Compare,
        Group::Bits,
        Group::Reduce,
        Group::Scan,
        Group::Linalg,
        Group::Nn,
        Group::Sort,
        Group::Statistics,
        Group::Fft,
        Group::Types,
        Group::Complex,
        Group::Files,
        Group::Plan,
        Group::Python,
    ];

    /// The group written so in the source: `Nn`.
    pub fn named(name: &str) -> Option<Group> {
        Group::ALL.into_iter().find(|g| format!("{g:?}") == name)
    }
}

/// The dtypes in which a row computes: arguments are cast to `args` before, the result is `result`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    pub args: SmallVec<[DType; 3]>,
    pub result: DType,
}

/// Why a row does not take these dtypes; `eval` adds places and operand names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DtypeFault {
    pub message: String,
    pub hint: Option<String>,
}

/// Dtypes of the arguments (plain numbers already resolved against the tensors) and the session's default float.
pub type DtypeRule = fn(args: &[DType], default_float: DType) -> Result<Typed, DtypeFault>;

/// The body for arguments of these dtypes (those of [`Typed::args`]). Values of f16, bf16 and the 8-bit floats arrive
/// and leave in f32 lanes, rounded by the caller afterwards. None: the rule never asks for these.
pub type LaneRule = fn(args: &[DType]) -> Option<LaneFn>;

/// An elementwise function of one to three arguments.
pub struct MapRow {
    pub doc: Doc,
    pub arity: u8,
    pub rule: DtypeRule,
    pub lanes: LaneRule,
    /// The operator's symbol, where it has one.
    pub symbol: Option<&'static str>,
    /// Rough cost of an element in additions: decides whether recomputing beats storing, and tile sizes.
    pub cost: u8,
    /// May return a faulty lane: a write whose value holds such a row is computed at once.
    pub can_fault: bool,
}

/// Rows are written as chains of these, so that a table entry reads from the name to the small print.
impl MapRow {
    pub const fn new(name: &'static str, arity: u8, rule: DtypeRule, lanes: LaneRule, group: Group) -> MapRow {
        MapRow { doc: Doc::new(name, group), arity, rule, lanes, symbol: None, cost: 1, can_fault: false }
    }

    pub const fn alias(mut self, aliases: &'static [&'static str]) -> MapRow {
        self.doc.aliases = aliases;
        self
    }

    /// Signature, one paragraph of help, runnable examples.
    pub const fn help(mut self, sig: &'static str, help: &'static str, examples: &'static [&'static str]) -> MapRow {
        self.doc.sig = sig;
        self.doc.help = help;
        self.doc.examples = examples;
        self
    }

    /// The NumPy and the PyTorch spelling; empty where there is none.
    pub const fn like(mut self, numpy: &'static str, torch: &'static str) -> MapRow {
        self.doc.numpy = numpy;
        self.doc.torch = torch;
        self
    }

    pub const fn see(mut self, see: &'static [&'static str]) -> MapRow {
        self.doc.see = see;
        self
    }

    pub const fn symbol(mut self, symbol: &'static str) -> MapRow {
        self.symbol = Some(symbol);
        self
    }

    pub const fn cost(mut self, cost: u8) -> MapRow {
        self.cost = cost;
        self
    }

    pub const fn can_fault(mut self) -> MapRow {
        self.can_fault = true;
        self
    }

    /// The first argument chooses between the others and takes no part in their promotion.
    pub fn selects(&self) -> bool {
        self.doc.name == "where"
    }

    /// Compares exactly, so that a plain number need not fit the dtype beside it.
    pub fn compares(&self) -> bool {
        self.arity == 2 && self.doc.group == Group::Compare
    }
}

impl std::fmt::Debug for MapRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.doc.name)
    }
}

/// How a reduction or scan joins values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Monoid {
    Sum,
    Prod,
    /// NaN wins.
    Min,
    Max,
    /// NaN is ignored unless there is nothing else.
    FMin,
    FMax,
    Or,
    And,
    /// Row-major position within the reduced axes of the first smallest/largest; the first NaN wins. Result i64.
    ArgMin,
    ArgMax,
}

impl Monoid {
    pub fn name(self) -> &'static str {
        match self {
            Monoid::Sum => "sum",
            Monoid::Prod => "prod",
            Monoid::Min => "min",
            Monoid::Max => "max",
            Monoid::FMin => "nanmin",
            Monoid::FMax => "nanmax",
            Monoid::Or => "any",
            Monoid::And => "all",
            Monoid::ArgMin => "argmin",
            Monoid::ArgMax => "argmax",
        }
    }
}
