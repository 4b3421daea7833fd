//! Programs and monoids on one element at a time.

use crate::kernel::{CastMode, Input, InstrOp, Program, philox};
use crate::op::Monoid;
use crate::op::lanes::FINE;
use crate::tensor::{DType, Scalar};

/// The value of every register at a row-major position; None where an instruction is a fault.
pub(crate) fn registers(
    program: &Program,
    inputs: &[Input],
    position: usize,
    carries: &[Scalar],
    temps: &[Scalar],
) -> Option<Vec<Scalar>> {
    let mut registers: Vec<Scalar> = Vec::new();
    for instr in &program.instrs {
        let arg = |i: usize| registers[instr.args[i] as usize];
        let dtype_of = |i: usize| program.instrs[instr.args[i] as usize].dtype;
        let value = match &instr.op {
            InstrOp::Load(slot) => element(&inputs[*slot], position),
            InstrOp::Const(value) => *value,
            InstrOp::Position(slot) => Scalar::Int(inputs[*slot].view.layout.offset_of(position) as i64),
            InstrOp::Cast(mode) => arg(0).cast(instr.dtype, *mode).ok()?,
            InstrOp::Carry(i) => carries[*i],
            InstrOp::Temp(i) => temps[*i],
            InstrOp::Random { kind, seed, stream } => {
                let words = philox::words(*seed, *stream, arg(0).to_i64_wrapping());
                Scalar::Float(philox::draw(*kind, words, instr.dtype))
            }
            InstrOp::Row(row) => {
                let dtypes: Vec<DType> = (0..instr.args.len()).map(dtype_of).collect();
                let body = (row.lanes)(&dtypes).unwrap();
                let mut lanes = [[0u128; 2]; 4];
                let mut pointers = [std::ptr::null(); 3];
                for (i, dtype) in dtypes.iter().enumerate() {
                    let mut bytes = Vec::new();
                    arg(i).write(dtype.lane(), &mut bytes);
                    bytemuck::cast_slice_mut(&mut lanes[i])[..bytes.len()].copy_from_slice(&bytes);
                    pointers[i] = lanes[i].as_ptr().cast();
                }
                let mut out = [0u128; 2];
                // SAFETY: each pointer holds one aligned lane.
                if unsafe { body(&pointers, out.as_mut_ptr().cast(), 1) } != FINE {
                    return None;
                }
                Scalar::read(instr.dtype.lane(), bytemuck::cast_slice(&out))
            }
        };
        registers.push(rounded(value, instr.dtype));
    }
    Some(registers)
}

pub(crate) fn eval(program: &Program, inputs: &[Input], position: usize, carries: &[Scalar]) -> Option<Scalar> {
    registers(program, inputs, position, carries, &[]).map(|r| r[program.output as usize])
}

pub(crate) fn rounded(value: Scalar, dtype: DType) -> Scalar {
    let mut bytes = Vec::new();
    value.write(dtype, &mut bytes);
    Scalar::read(dtype, &bytes)
}

pub(crate) fn element(input: &Input, position: usize) -> Scalar {
    let view = &input.view;
    let at = view.layout.offset_of(position) as usize * view.dtype.size();
    match Scalar::read(view.dtype, &input.buffer.bytes()[at..]) {
        Scalar::Complex(z) if view.conj => Scalar::Complex(z.conj()),
        other => other,
    }
}

/// All values joined in order; None where the monoid has no value for nothing.
pub(crate) fn join_all(monoid: Monoid, acc: DType, values: &[Scalar]) -> Option<Scalar> {
    if let Monoid::ArgMin | Monoid::ArgMax = monoid {
        return arg(values, monoid == Monoid::ArgMax);
    }
    let start = match monoid {
        Monoid::Sum | Monoid::Or => Scalar::Int(0),
        Monoid::Prod | Monoid::And => Scalar::Int(1),
        _ => *values.first()?,
    };
    let start = start.cast(acc, CastMode::Wrap).ok()?;
    Some(values.iter().fold(start, |a, &b| join(monoid, acc, a, b)))
}

pub(crate) fn join(monoid: Monoid, acc: DType, a: Scalar, b: Scalar) -> Scalar {
    let nan = |x: Scalar| matches!(x, Scalar::Float(f) if f.is_nan());
    match monoid {
        Monoid::Sum => arithmetic(acc, a, b, i64::wrapping_add, |x, y| x + y),
        Monoid::Prod => arithmetic(acc, a, b, i64::wrapping_mul, |x, y| x * y),
        Monoid::Or => Scalar::Bool(a.truthy() || b.truthy()),
        Monoid::And => Scalar::Bool(a.truthy() && b.truthy()),
        Monoid::Min | Monoid::Max if nan(a) => a,
        Monoid::Min | Monoid::Max if nan(b) => b,
        Monoid::FMin | Monoid::FMax if nan(a) => b,
        Monoid::FMin | Monoid::FMax if nan(b) => a,
        Monoid::Min | Monoid::FMin => {
            if below(b, a) {
                b
            } else {
                a
            }
        }
        _ => {
            if below(a, b) {
                b
            } else {
                a
            }
        }
    }
}

fn arithmetic(
    acc: DType,
    a: Scalar,
    b: Scalar,
    ints: fn(i64, i64) -> i64,
    floats: fn(num_complex::Complex64, num_complex::Complex64) -> num_complex::Complex64,
) -> Scalar {
    if acc.is_float() || acc.is_complex() {
        let z = floats(a.to_complex(), b.to_complex());
        return if acc.is_complex() { Scalar::Complex(z) } else { Scalar::Float(z.re) };
    }
    rounded(Scalar::Int(ints(a.to_i64_wrapping(), b.to_i64_wrapping())), acc)
}

fn below(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Bool(x), Scalar::Bool(y)) => !x & y,
        (Scalar::Int(x), Scalar::Int(y)) => x < y,
        (Scalar::UInt(x), Scalar::UInt(y)) => x < y,
        (Scalar::Complex(x), Scalar::Complex(y)) => (x.re, x.im) < (y.re, y.im),
        _ => a.to_f64() < b.to_f64(),
    }
}

fn arg(values: &[Scalar], most: bool) -> Option<Scalar> {
    let nan = |x: Scalar| matches!(x, Scalar::Float(f) if f.is_nan());
    let mut best = 0;
    for (i, &x) in values.iter().enumerate() {
        let b = *values.get(best)?;
        let better = if most { below(b, x) } else { below(x, b) };
        if !nan(b) && (nan(x) || better) {
            best = i;
        }
    }
    (!values.is_empty()).then_some(Scalar::Int(best as i64))
}
