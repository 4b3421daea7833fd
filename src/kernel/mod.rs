//! The contract between plan and backend: what a kernel is, what it may read, what it costs, how it fails.

pub mod cost;
pub mod philox;
mod program;

pub use crate::tensor::CastMode;
pub use program::{Instr, InstrOp, Program, RandomKind, Reg};

use crate::base::Span;
use crate::op::Monoid;
use crate::tensor::{Buffer, DType, Shape, View};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One launch's work. `inputs` of the launch are numbered by the programs' `Load(slot)`; each input's view has the
/// shape named here (strides 0 where it is broadcast).
#[derive(Clone, Debug)]
pub enum Kernel {
    /// `dest[c] = program(inputs at c)` for every coordinate of `shape`.
    Map { shape: Shape, program: Program },
    /// `dest[kept] = epilogue(monoid over the reduced axes of program)`. `shape` is `[kept axes…, reduced axes…]`.
    /// Inputs `0..program_inputs` have that shape, the others (read by the epilogue, which gets the joined value as
    /// `Carry(0)` in dtype `acc`) have the kept shape.
    Reduce {
        shape: Shape,
        kept: usize,
        program: Program,
        program_inputs: usize,
        monoid: Monoid,
        acc: DType,
        epilogue: Option<Program>,
    },
    /// Several reductions and a last map over the same rows, one pass over memory: see [`RowFused`].
    RowFused(RowFused),
    /// Running monoid along the last axis of `shape`. `dest` has that shape too.
    Scan { shape: Shape, program: Program, monoid: Monoid, acc: DType },
    /// Products summed over k: see [`Contract`].
    Contract(Contract),
    /// `dest[c] = input 0 at (its view's offset for c + Σ index_k[c] * stride_k)`. Index inputs are i64 views of `shape`,
    /// already checked and non-negative.
    Take { shape: Shape, indices: Vec<IndexAxis> },
    /// `dest at (dest view's offset for c + Σ index_k[c] * stride_k) = input 0 at c`, in row-major order of c (the last
    /// write wins); `accumulate` joins with what is there instead.
    Put { shape: Shape, indices: Vec<IndexAxis>, accumulate: Option<Monoid> },
    /// Sorts along the last axis of `shape`, NaN last; stable, so ties of `indices` come lowest first.
    Sort { shape: Shape, indices: bool, descending: bool },
    /// What a library does better (decompositions, FFT). Inputs are contiguous.
    Call { call: Arc<dyn Opaque>, shape: Shape },
}

/// One indexed axis of Take or Put.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IndexAxis {
    /// The launch input that holds the positions.
    pub slot: usize,
    /// Elements between neighbours along the indexed axis.
    pub stride: isize,
    pub extent: usize,
}

/// Phases run in order for each row (each coordinate of the kept axes); a row is all the reduced axes.
///
/// Phase `i` reduces its program over the row into the row scalar `Carry(i)` (uniform over the row). Programs of later
/// phases and of `last` read row scalars by `Carry`, rows saved before by `Temp(t)`, and inputs by `Load`. All inputs
/// have the full `shape`.
#[derive(Clone, Debug)]
pub struct RowFused {
    /// `[kept axes…, reduced axes…]`
    pub shape: Shape,
    pub kept: usize,
    pub phases: Vec<Phase>,
    pub last: Last,
    /// Lane dtypes of the saved rows.
    pub temps: Vec<DType>,
}

#[derive(Clone, Debug)]
pub struct Phase {
    pub program: Program,
    pub monoid: Monoid,
    pub acc: DType,
    /// Registers of the program that are kept as row `temp`.
    pub saves: Vec<(Reg, usize)>,
}

#[derive(Clone, Debug)]
pub enum Last {
    /// Writes the full shape.
    Map(Program),
    /// Reads carries only (and inputs along kept axes) and writes the kept shape.
    Row(Program),
}

/// `dest[batch, m, n] = epilogue(Σ_k a[batch, m, k] * b[batch, n, k])`.
///
/// Input 0 has the shape `[batch…, m…, k…]`, input 1 `[batch…, n…, k…]`, the epilogue's inputs (2, …) and `dest`
/// `[batch…, m…, n…]`; the epilogue gets the product as `Carry(0)` in dtype `acc`. Any strides, zero and negative too.
/// bool joins by or of ands.
#[derive(Clone, Debug)]
pub struct Contract {
    pub batch: Shape,
    pub m: Shape,
    pub n: Shape,
    pub k: Shape,
    /// Dtype of the accumulated product before it is rounded to the node's dtype: f32 for f16 and bf16.
    pub acc: DType,
    /// Dtype to which the sum is rounded before the epilogue sees it as `Carry(0)`.
    pub product: DType,
    pub epilogue: Option<Program>,
}

/// A library call as data: what it is called in plans, how many passes it makes, how to run it.
pub trait Opaque: Send + Sync + std::fmt::Debug {
    fn name(&self) -> &str;
    /// Passes over its inputs and outputs, for the cost model.
    fn passes(&self) -> usize {
        1
    }
    /// Parameters that distinguish two calls of one name (for the plan's cache key).
    fn key(&self) -> String {
        String::new()
    }
    /// Fills `out` (contiguous, row-major, zeroed before). Runs on a worker; polls nothing: its result is abandoned on Ctrl-C.
    fn run(&self, inputs: &[crate::tensor::HostArray], out: &mut [u8]) -> Result<(), FaultKind>;
}

/// A buffer and how the kernel reads it.
#[derive(Clone)]
pub struct Input {
    pub buffer: Arc<Buffer>,
    pub view: View,
}

/// Where the result goes. The executor promises that nobody else reads or writes the bytes that `view` reaches while the
/// kernel runs, except this launch's own inputs with the very same layout (in-place reuse).
pub struct Output {
    pub buffer: Arc<Buffer>,
    pub view: View,
}

/// Work counted by a backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub launches: u64,
    /// Materialising launches among them.
    pub copies: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
}

/// Set by Ctrl-C; every kernel polls it once a tile.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A kernel's failure. `position` is the row-major position in the kernel's iteration shape of the first fault, whatever the thread count.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    /// The expression whose instruction failed.
    pub span: Span,
    pub position: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FaultKind {
    /// An integer row met a value it cannot take (`//` by zero, a negative shift).
    Domain {
        row: &'static str,
    },
    /// A checked cast met NaN or an out-of-range value.
    Cast {
        from: DType,
        to: DType,
        value: String,
    },
    /// A library call's own complaint (`matrix is singular`).
    Call {
        message: String,
    },
    OutOfMemory {
        bytes: usize,
    },
    Interrupted,
}

/// What runs plans. Six methods, so that a device is small.
pub trait Backend: Send + Sync {
    fn name(&self) -> &'static str;
    /// Room for `bytes` bytes, contents unspecified.
    fn alloc(&self, bytes: usize) -> Result<Arc<Buffer>, FaultKind>;
    fn launch(
        &self,
        kernel: &Kernel,
        inputs: &[Input],
        output: &Output,
        is_copy: bool,
        cancel: &Cancel,
    ) -> Result<(), Fault>;
    fn flush(&self, cancel: &Cancel) -> Result<(), Fault>;
    fn counters(&self) -> Counters;
    /// Tiles done and all tiles of the launch that runs; None between launches, and where it is not known.
    fn progress(&self) -> Option<(u64, u64)> {
        None
    }
    /// Threads that compute.
    fn threads(&self) -> usize {
        1
    }
    /// The null device computes nothing: values must not be looked at.
    fn computes(&self) -> bool {
        true
    }
}
