use super::lanes::LaneFn;
use crate::tensor::DType;
use smallvec::SmallVec;

/// What help, completion and the reference say about a function, whatever kind of row it has.
#[derive(Debug)]
pub struct Doc {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// `softmax(x, axis=-1)`: parameters and defaults; the binder reads it too.
    pub sig: &'static str,
    /// One paragraph; its first sentence stands alone in lists.
    pub help: &'static str,
    /// Runnable texts; each is executed by a test.
    pub examples: &'static [&'static str],
    /// The NumPy and the PyTorch spelling; empty where there is none.
    pub numpy: &'static str,
    pub torch: &'static str,
    pub see: &'static [&'static str],
    pub group: Group,
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

/// An elementwise function of one to three arguments.
pub struct MapRow {
    pub doc: Doc,
    pub arity: u8,
    pub rule: DtypeRule,
    /// The body for arguments of this dtype (the first argument decides; for `where` the second). f16, bf16 and f8 are
    /// asked for as f32 and rounded by the caller afterwards. None: the rule never lets this dtype through.
    pub lanes: fn(DType) -> Option<LaneFn>,
    /// The operator's symbol, where it has one.
    pub symbol: Option<&'static str>,
    /// Rough cost of an element in additions: decides whether recomputing beats storing, and tile sizes.
    pub cost: u8,
    /// May return a faulty lane: a write whose value holds such a row is computed at once.
    pub can_fault: bool,
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
