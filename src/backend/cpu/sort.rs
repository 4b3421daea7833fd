use super::pool::Ctx;
use crate::kernel::{Fault, Input, Output};

pub(super) fn run(
    ctx: &Ctx,
    _shape: &[usize],
    _indices: bool,
    _descending: bool,
    _inputs: &[Input],
    _output: &Output,
) -> Result<(), Fault> {
    ctx.poll()
}
