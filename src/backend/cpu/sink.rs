//! The end of every kernel: a program whose lanes go to the destination.

use super::access::{Dest, permuted};
use super::exec::{Code, Frame, Rate, Setting, compile};
use crate::base::Span;
use crate::kernel::{Fault, Input, InstrOp, Output, Program};
use crate::tensor::DType;

/// A program and where its output is written.
pub(super) struct Sink {
    pub(super) code: Code,
    dest: Dest,
}

impl Sink {
    /// The program's output, cast to the destination's dtype, goes to `output` in the order of `setting`.
    pub(super) fn new(program: &Program, setting: &Setting, output: &Output) -> Result<Sink, Fault> {
        let dest = match setting.order {
            Some(order) => Dest::with_layout(output, &permuted(&output.view.layout, order)),
            None => Dest::new(output),
        };
        let setting = Setting { target: dest.dtype, output: Some(output), ..*setting };
        Ok(Sink { code: compile(program, &setting)?, dest })
    }

    /// What follows a reduction or a product: `epilogue` (or nothing at all) on values of dtype `carry`, which the
    /// caller hands over as lanes in `frame.carries[0]`. `size` positions, walked in `order`.
    pub(super) fn after(
        epilogue: Option<&Program>,
        carry: DType,
        inputs: &[Input],
        output: &Output,
        size: usize,
        order: Option<&[usize]>,
    ) -> Result<Sink, Fault> {
        let setting =
            Setting { inputs, order, kept: None, size, carry: Rate::Lane, target: carry, saves: &[], output: None };
        if let Some(program) = epilogue {
            return Sink::new(program, &setting, output);
        }
        let mut program = Program::default();
        program.push(InstrOp::Carry(0), &[], carry, Span::default());
        Sink::new(&program, &setting, output)
    }

    pub(super) fn frame(&self) -> Frame {
        self.code.frame()
    }

    /// Computes positions `start..start + n` and writes them.
    ///
    /// # Safety
    /// As [`Code::run`]; nobody else writes these positions now.
    pub(super) unsafe fn emit(&self, frame: &mut Frame, start: usize, n: usize) -> Result<(), Fault> {
        let direct = self.dest.direct(start, n);
        // SAFETY: the destination has room at these positions; compile keeps arguments of the writing instruction
        // out of the destination's buffer.
        unsafe {
            let at = self.code.run(frame, start, n, direct)?;
            match direct {
                Some(to) if at == to.cast_const() => {}
                Some(to) => std::ptr::copy(at, to, n * self.dest.dtype.size()),
                None => self.dest.store(start, n, at),
            }
        }
        Ok(())
    }

    /// `emit` for an epilogue: `carry` holds n lanes.
    ///
    /// # Safety
    /// As `emit`.
    pub(super) unsafe fn emit_carry(
        &self,
        frame: &mut Frame,
        start: usize,
        n: usize,
        carry: *const u8,
    ) -> Result<(), Fault> {
        frame.carries.clear();
        frame.carries.push(carry);
        // SAFETY: the caller's contract.
        unsafe { self.emit(frame, start, n) }
    }
}
