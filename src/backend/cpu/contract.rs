use super::pool::Ctx;
use crate::kernel::{Contract, Fault, Input, Output};

pub(super) fn run(ctx: &Ctx, _contract: &Contract, _inputs: &[Input], _output: &Output) -> Result<(), Fault> {
    ctx.poll()
}
