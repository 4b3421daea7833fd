//! What a launch moves: the counting rule that plans, the null device and the CPU share.
//!
//! A launch reads the elements of each distinct operand once (axes of stride 0 count once; the same buffer through the
//! same view counts once) and writes those of its destination. A library call counts as many launches, and as many
//! times the bytes, as the passes it makes.

use super::{Contract, Counters, Input, InstrOp, Kernel, Last, Output, Program};
use crate::tensor::{PackedFormat, View};
use std::sync::Arc;

/// Bytes and launches of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    pub launches: u64,
    pub read: u64,
    pub written: u64,
}

impl Cost {
    /// Adds a launch that was made to `counters`.
    pub fn count(self, counters: &mut Counters, is_copy: bool) {
        counters.launches += self.launches;
        counters.copies += u64::from(is_copy);
        counters.bytes_read += self.read;
        counters.bytes_written += self.written;
    }
}

/// The cost of a launch with these operands.
pub fn of_launch(kernel: &Kernel, inputs: &[Input], output: &Output) -> Cost {
    let reads = |i| {
        let Input { buffer, view }: &Input = i;
        Read { number: Arc::as_ptr(buffer) as usize, view, packed: buffer.packed() }
    };
    let views: Vec<_> = inputs.iter().map(reads).collect();
    of_views(kernel, &views, &output.view)
}

/// What is known of an input before there are buffers.
#[derive(Clone, Copy, PartialEq)]
pub struct Read<'a> {
    /// Tells its buffer from others.
    pub number: usize,
    pub view: &'a View,
    /// Whose blocks are read, where the buffer is packed.
    pub packed: Option<&'static PackedFormat>,
}

/// The cost before there are buffers.
pub fn of_views(kernel: &Kernel, inputs: &[Read<'_>], output: &View) -> Cost {
    let passes = if let Kernel::Call { call, .. } = kernel { call.passes() as u64 } else { 1 };
    let mut seen: Vec<Read<'_>> = Vec::with_capacity(inputs.len());
    let mut read = 0u64;
    for (slot, input) in inputs.iter().enumerate() {
        if loads(kernel, slot) && !seen.contains(input) {
            seen.push(*input);
            read = read.saturating_add(input_bytes(kernel, slot, input));
        }
    }
    let mut written = view_bytes(output);
    if let Kernel::Put { shape, accumulate, .. } = kernel {
        written = elements(shape.iter().copied()) * output.dtype.size() as u64;
        read = read.saturating_add(if accumulate.is_some() { written } else { 0 });
    }
    Cost { launches: passes, read: read.saturating_mul(passes), written: written.saturating_mul(passes) }
}

/// Arithmetic operations of a launch: one for each row of a program and each joined value, whatever they cost; two for
/// each pair of a product. Gathers, sorts and library calls count none.
pub fn flops(kernel: &Kernel) -> u64 {
    let rows = |program: &Program| program.instrs.iter().filter(|i| matches!(i.op, InstrOp::Row(_))).count() as u64;
    let size = |shape: &[usize]| elements(shape.iter().copied());
    match kernel {
        Kernel::Map { shape, program } => size(shape).saturating_mul(rows(program)),
        Kernel::Scan { shape, program, .. } => size(shape).saturating_mul(rows(program) + 1),
        Kernel::Reduce { shape, kept, program, epilogue, .. } => {
            let after = size(&shape[..*kept]).saturating_mul(epilogue.as_ref().map_or(0, rows));
            size(shape).saturating_mul(rows(program) + 1).saturating_add(after)
        }
        Kernel::RowFused(fused) => {
            let phases: u64 = fused.phases.iter().map(|phase| rows(&phase.program) + 1).sum();
            let (last, shape) = match &fused.last {
                Last::Map(program) => (program, &fused.shape[..]),
                Last::Row(program) => (program, &fused.shape[..fused.kept]),
            };
            size(&fused.shape).saturating_mul(phases).saturating_add(size(shape).saturating_mul(rows(last)))
        }
        Kernel::Contract(Contract { batch, m, n, k, epilogue, .. }) => {
            let results = [batch, m, n].iter().fold(1u64, |all, axes| all.saturating_mul(size(axes)));
            results.saturating_mul(size(k).saturating_mul(2).saturating_add(epilogue.as_ref().map_or(0, rows)))
        }
        Kernel::Take { .. } | Kernel::Put { .. } | Kernel::Sort { .. } | Kernel::Call { .. } => 0,
    }
}

/// Bytes of the elements that a view reaches, broadcast axes counted once.
pub fn view_bytes(view: &View) -> u64 {
    let layout = &view.layout;
    let extents = layout.shape.iter().zip(&layout.strides).map(|(&n, &s)| if s == 0 { n.min(1) } else { n });
    elements(extents).saturating_mul(view.dtype.size() as u64)
}

fn elements(extents: impl Iterator<Item = usize>) -> u64 {
    extents.fold(1u64, |n, extent| n.saturating_mul(extent as u64))
}

/// A gather reads one element for each position; everything else reads its view.
fn input_bytes(kernel: &Kernel, slot: usize, input: &Read<'_>) -> u64 {
    let view = input.view;
    let bytes = match kernel {
        Kernel::Take { shape, .. } if slot == 0 => {
            elements(shape.iter().copied()).saturating_mul(view.dtype.size() as u64)
        }
        _ => view_bytes(view),
    };
    match input.packed {
        Some(format) => bytes / view.dtype.size() as u64 * format.bytes as u64 / format.block as u64,
        None => bytes,
    }
}

/// Whether the kernel reads bytes of this input: slots that only give a layout to `Position` cost nothing.
fn loads(kernel: &Kernel, slot: usize) -> bool {
    let in_program = |program: &Program| program.instrs.iter().any(|i| matches!(i.op, InstrOp::Load(s) if s == slot));
    match kernel {
        Kernel::Map { program, .. } | Kernel::Scan { program, .. } => in_program(program),
        Kernel::Reduce { program, epilogue, .. } => in_program(program) || epilogue.as_ref().is_some_and(in_program),
        Kernel::RowFused(rows) => {
            let last = match &rows.last {
                Last::Map(program) | Last::Row(program) => program,
            };
            in_program(last) || rows.phases.iter().any(|phase| in_program(&phase.program))
        }
        Kernel::Contract(contract) => slot < 2 || contract.epilogue.as_ref().is_some_and(in_program),
        Kernel::Take { .. } | Kernel::Put { .. } | Kernel::Sort { .. } | Kernel::Call { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::tensor::{DType, Layout};

    fn view(shape: &[usize], strides: &[isize], dtype: DType) -> View {
        let layout = Layout { shape: shape.into(), strides: strides.into(), offset: 0 };
        View { layout, dtype, conj: false }
    }

    #[test]
    fn broadcast_axes_and_equal_operands_count_once() {
        let mut program = Program::default();
        for slot in 0..3 {
            program.push(InstrOp::Load(slot), &[], DType::F32, Span::default());
        }
        program.push(InstrOp::Position(3), &[], DType::I64, Span::default());
        let kernel = Kernel::Map { shape: [256, 1024][..].into(), program };
        let full = view(&[256, 1024], &[1024, 1], DType::F32);
        let row = view(&[256, 1024], &[0, 1], DType::F32);
        let read = |number, view| Read { number, view, packed: None };
        let cost = of_views(&kernel, &[read(1, &full), read(1, &full), read(2, &row), read(3, &full)], &full);
        assert_eq!(cost, Cost { launches: 1, read: 4 * (256 * 1024 + 1024), written: 4 * 256 * 1024 });
    }

    #[test]
    fn rows_and_joins_count_once_for_each_element() {
        let mut program = Program::default();
        let x = program.push(InstrOp::Load(0), &[], DType::F32, Span::default());
        let add = crate::op::map_row("add").expect("a row");
        program.output = program.push(InstrOp::Row(add), &[x, x], DType::F32, Span::default());
        let kernel = Kernel::Map { shape: [6, 10][..].into(), program: program.clone() };
        assert_eq!(flops(&kernel), 60);
        let (monoid, acc) = (crate::op::Monoid::Sum, DType::F32);
        let kernel = Kernel::Reduce {
            shape: [6, 10][..].into(),
            kept: 1,
            program: program.clone(),
            program_inputs: 1,
            monoid,
            acc,
            epilogue: Some(program),
        };
        assert_eq!(flops(&kernel), 126);
    }

    #[test]
    fn a_gather_reads_what_it_takes_and_an_empty_view_nothing() {
        let kernel = Kernel::Take { shape: [100, 64][..].into(), indices: Vec::new() };
        let table = view(&[100, 64], &[0, 1], DType::F16);
        let out = view(&[100, 64], &[64, 1], DType::F16);
        assert_eq!(
            of_views(&kernel, &[Read { number: 0, view: &table, packed: None }], &out),
            Cost { launches: 1, read: 12_800, written: 12_800 }
        );
        assert_eq!(view_bytes(&view(&[0, 5], &[0, 0], DType::F64)), 0);
    }
}
