//! Reductions. Where the reduced axes are the fast ones, rows are folded into wide accumulators (`reduce_rows`); where
//! a kept axis is, its lanes are accumulated side by side (`reduce_columns`). Tiles and the trees that join them follow
//! from shapes and layouts alone.

use super::axes::{Walk, walk};
use super::exec::{CHUNK, Code, Frame, Rate, Setting, compile};
use super::join::{Joiner, joiner};
use super::pool::Ctx;
use super::sink::Sink;
use super::{reduce_columns, reduce_rows};
use crate::kernel::{Fault, Input, Output, Program};
use crate::op::Monoid;
use crate::tensor::DType;

/// Lanes of a tile of a reduction: a part of its definition, because it shapes the tree.
pub(super) const TILE: usize = 64 * CHUNK;

/// A reduction made ready.
pub(super) struct Job {
    pub(super) walk: Walk,
    pub(super) code: Code,
    pub(super) sink: Sink,
    pub(super) joiner: Joiner,
}

/// The registers of one thread for program and epilogue, and room for a chunk of states.
pub(super) struct Worker {
    pub(super) frame: Frame,
    pub(super) sink: Frame,
    states: super::arena::Arena,
}

impl Worker {
    pub(super) fn states(&mut self) -> *mut u8 {
        self.states.as_mut_ptr()
    }
}

impl Job {
    pub(super) fn worker(&self) -> Worker {
        let states = super::arena::Arena::new(CHUNK * self.joiner.state.max(16));
        Worker { frame: self.code.frame(), sink: self.sink.frame(), states }
    }

    /// Kept positions of the result.
    pub(super) fn results(&self) -> usize {
        self.walk.outer * self.walk.inner
    }

    pub(super) fn work(&self) -> usize {
        self.results().saturating_mul(self.walk.length).saturating_mul(self.code.cost + 1)
    }

    /// Turns n states into results and writes them from kept position `start` on.
    ///
    /// # Safety
    /// `states` holds n <= CHUNK states; nobody else writes these positions.
    pub(super) unsafe fn write(&self, sink: &mut Frame, start: usize, n: usize, states: *mut u8) -> Result<(), Fault> {
        // SAFETY: results are not larger than states and may take their place.
        unsafe {
            (self.joiner.finish)(states, n, states);
            self.sink.emit_carry(sink, start, n, states)
        }
        .map_err(|mut fault| {
            // Positions count in the whole iteration shape; faulting epilogues are walked in its order.
            fault.position = fault.position.map(|p| p * self.walk.length);
            fault
        })
    }
}

/// What `Kernel::Reduce` says.
pub(super) struct Spec<'a> {
    pub(super) shape: &'a [usize],
    pub(super) kept: usize,
    pub(super) program: &'a Program,
    pub(super) monoid: Monoid,
    pub(super) acc: DType,
    pub(super) epilogue: Option<&'a Program>,
}

pub(super) fn run(ctx: &Ctx, spec: &Spec, inputs: &[Input], output: &Output) -> Result<(), Fault> {
    let job = prepare(spec, inputs, output)?;
    if job.results() == 0 {
        return Ok(());
    }
    if job.walk.length == 0 {
        return write_empty(ctx, &job);
    }
    if job.walk.inner == 1 { reduce_rows::run(ctx, &job) } else { reduce_columns::run(ctx, &job) }
}

fn prepare(spec: &Spec, inputs: &[Input], output: &Output) -> Result<Job, Fault> {
    let Spec { shape, kept, program, monoid, acc, epilogue } = *spec;
    let fixed = program.can_fault() || epilogue.is_some_and(Program::can_fault);
    let walk = walk(shape, kept, program, inputs, monoid, fixed);
    let target = lane_dtype(monoid, program, acc);
    let size = shape.iter().product();
    let order = Some(walk.axes.as_slice());
    let setting = Setting { inputs, order, kept: None, size, carry: Rate::Once, target, saves: &[], output: None };
    let code = compile(program, &setting)?;
    let joiner = joiner(monoid, target);
    let results = walk.outer * walk.inner;
    let sink = Sink::after(epilogue, joiner.result, inputs, output, results, Some(&walk.kept))?;
    Ok(Job { walk, code, sink, joiner })
}

/// The dtype in which lanes are joined: `acc`, but argmin and argmax look at the values as they are.
pub(super) fn lane_dtype(monoid: Monoid, program: &Program, acc: DType) -> DType {
    match monoid {
        Monoid::ArgMin | Monoid::ArgMax => program.dtype().lane(),
        Monoid::Or | Monoid::And => DType::Bool,
        _ => acc.lane(),
    }
}

/// Results of joining nothing.
fn write_empty(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let count = job.results();
    ctx.tiles(
        count.div_ceil(CHUNK),
        count,
        || job.worker(),
        |worker, t| {
            let n = CHUNK.min(count - t * CHUNK);
            let lanes = worker.states();
            // SAFETY: the worker has room for CHUNK results.
            unsafe {
                (job.joiner.empty)(lanes, n);
                job.sink.emit_carry(&mut worker.sink, t * CHUNK, n, lanes)
            }
        },
    )
}
