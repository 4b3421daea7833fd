use crate::base::Span;
use crate::op::MapRow;
use crate::tensor::{CastMode, DType, Scalar};
use smallvec::SmallVec;
use std::fmt;

/// The result of the instruction with this index.
pub type Reg = u16;

/// Straight-line code over lanes in single assignment form: instruction `i` defines register `i`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub instrs: Vec<Instr>,
    /// Registers handed to the kernel: what is stored, reduced or scanned.
    pub output: Reg,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Instr {
    pub op: InstrOp,
    pub args: SmallVec<[Reg; 3]>,
    /// Dtype of the register. Lanes have type `dtype.lane()`; values of f16, bf16 and f8 are rounded to it.
    pub dtype: DType,
    /// The expression it comes from, for faults.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum InstrOp {
    /// Reads an input of the launch (dtype and conjugate by its view).
    Load(usize),
    Const(Scalar),
    /// The row-major position in a layout that is given as an input's view without bytes: `offset + Σ coordinate * stride`, i64.
    Position(usize),
    /// A row of the table; `args` are of the dtypes that its rule asked for.
    Row(&'static MapRow),
    Cast(CastMode),
    /// Counter-based random numbers; the argument register holds the i64 counter.
    Random {
        kind: RandomKind,
        seed: u64,
        stream: u64,
    },
    /// The value handed over by the kernel: the reduced or contracted value, or a row scalar.
    Carry(usize),
    /// A row saved by an earlier phase.
    Temp(usize),
}

/// What a random instruction draws from the generator philox4x32-10 (Salmon et al. 2011).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RandomKind {
    /// 64 random bits as u64.
    Bits,
    /// Uniform in [0, 1), with the full mantissa of the register's dtype (f32: 24 bits, f64: 53 bits).
    Uniform,
    /// Standard normal, Box–Muller of two uniforms of the same counter.
    Normal,
}

impl PartialEq for InstrOp {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (InstrOp::Load(a), InstrOp::Load(b)) | (InstrOp::Position(a), InstrOp::Position(b)) => a == b,
            (InstrOp::Carry(a), InstrOp::Carry(b)) | (InstrOp::Temp(a), InstrOp::Temp(b)) => a == b,
            (InstrOp::Const(a), InstrOp::Const(b)) => same_bits(a, b),
            (InstrOp::Row(a), InstrOp::Row(b)) => std::ptr::eq(*a, *b),
            (InstrOp::Cast(a), InstrOp::Cast(b)) => a == b,
            (InstrOp::Random { kind: a, seed: b, stream: c }, InstrOp::Random { kind: x, seed: y, stream: z }) => {
                (a, b, c) == (x, y, z)
            }
            _ => false,
        }
    }
}

/// 0.0 and -0.0 are different constants, NaN is the same as itself.
fn same_bits(a: &Scalar, b: &Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(x), Scalar::Float(y)) => x.to_bits() == y.to_bits(),
        (Scalar::Complex(x), Scalar::Complex(y)) => {
            (x.re.to_bits(), x.im.to_bits()) == (y.re.to_bits(), y.im.to_bits())
        }
        _ => a == b,
    }
}

impl Program {
    /// Appends an instruction unless the same one (same operation, arguments and dtype) is there already.
    pub fn push(&mut self, op: InstrOp, args: &[Reg], dtype: DType, span: Span) -> Reg {
        if let Some(i) = self.instrs.iter().position(|x| x.op == op && x.args.as_slice() == args && x.dtype == dtype) {
            return i as Reg;
        }
        self.instrs.push(Instr { op, args: args.into(), dtype, span });
        (self.instrs.len() - 1) as Reg
    }

    /// The dtype of the output register.
    pub fn dtype(&self) -> DType {
        self.instrs.get(self.output as usize).map_or(DType::F32, |i| i.dtype)
    }

    /// True for a program that only loads one input and hands it on.
    pub fn is_identity(&self) -> bool {
        matches!(self.instrs.as_slice(), [Instr { op: InstrOp::Load(_), .. }])
    }

    /// True for a program that hands the kernel's own value on unchanged.
    pub fn is_carry(&self) -> bool {
        matches!(self.instrs.as_slice(), [Instr { op: InstrOp::Carry(_), .. }])
    }

    /// Renumbers the inputs: `n` others come first.
    pub fn shift_slots(&mut self, n: usize) {
        for instr in &mut self.instrs {
            if let InstrOp::Load(slot) | InstrOp::Position(slot) = &mut instr.op {
                *slot += n;
            }
        }
    }

    /// Names of the rows in order.
    pub fn names(&self) -> Vec<&'static str> {
        let name = |i: &Instr| match &i.op {
            InstrOp::Row(row) => Some(row.doc.name),
            InstrOp::Cast(_) => Some("cast"),
            InstrOp::Random { .. } => Some("random"),
            _ => None,
        };
        self.instrs.iter().filter_map(name).collect()
    }

    pub fn can_fault(&self) -> bool {
        self.instrs.iter().any(|i| match &i.op {
            InstrOp::Row(row) => row.can_fault,
            InstrOp::Cast(CastMode::Checked) => {
                let from = self.instrs[i.args[0] as usize].dtype;
                from.is_float() && i.dtype.is_int()
            }
            _ => false,
        })
    }
}

/// `%2 = mul f32 %0 %1`, one instruction a line.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, instr) in self.instrs.iter().enumerate() {
            let name = match &instr.op {
                InstrOp::Load(slot) => format!("load {slot}"),
                InstrOp::Const(value) => format!("const {value:?}"),
                InstrOp::Position(slot) => format!("position {slot}"),
                InstrOp::Row(row) => row.doc.name.to_owned(),
                InstrOp::Cast(mode) => format!("cast {mode:?}").to_lowercase(),
                InstrOp::Random { kind, .. } => format!("random {kind:?}").to_lowercase(),
                InstrOp::Carry(slot) => format!("carry {slot}"),
                InstrOp::Temp(slot) => format!("temp {slot}"),
            };
            write!(f, "%{i} = {name} {}", instr.dtype)?;
            for arg in &instr.args {
                write!(f, " %{arg}")?;
            }
            writeln!(f)?;
        }
        write!(f, "-> %{}", self.output)
    }
}
