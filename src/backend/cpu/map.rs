//! Elementwise kernels.

use super::exec::{CHUNK, Rate, Setting};
use super::pool::Ctx;
use super::sink::Sink;
use crate::kernel::{Fault, Input, Output, Program};

/// Lanes of a tile: enough to make handing it out cheap, few enough to answer Ctrl-C.
const TILE: usize = 64 * CHUNK;

pub(super) fn run(
    ctx: &Ctx,
    shape: &[usize],
    program: &Program,
    inputs: &[Input],
    output: &Output,
) -> Result<(), Fault> {
    let size = shape.iter().product::<usize>();
    if size == 0 {
        return Ok(());
    }
    let target = output.view.dtype;
    let setting =
        Setting { inputs, order: None, kept: None, size, carry: Rate::Once, target, saves: &[], output: None };
    let sink = Sink::new(program, &setting, output)?;
    let tile = ctx.tile(size, 4 * CHUNK, TILE);
    ctx.tiles(
        size.div_ceil(tile),
        size.saturating_mul(sink.code.cost),
        || sink.frame(),
        |frame, t| {
            let end = size.min((t + 1) * tile);
            for start in (t * tile..end).step_by(CHUNK) {
                // SAFETY: the positions exist, no other tile has them.
                unsafe { sink.emit(frame, start, CHUNK.min(end - start))? };
            }
            Ok(())
        },
    )
}
