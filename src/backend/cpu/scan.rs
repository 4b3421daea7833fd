//! Running joins along the last axis of the iteration shape.

use super::arena::Arena;
use super::axes::{Walk, walk};
use super::exec::{CHUNK, Code, Frame, Rate, Setting, compile};
use super::join::{Joiner, joiner};
use super::pool::Ctx;
use super::reduce::{TILE, lane_dtype};
use super::sink::Sink;
use crate::kernel::{Fault, Input, Output, Program};
use crate::op::Monoid;
use crate::tensor::DType;

/// Columns from which on scanning them side by side pays.
const COLUMNS: usize = 32;

/// What `Kernel::Scan` says.
pub(super) struct Spec<'a> {
    pub(super) shape: &'a [usize],
    pub(super) program: &'a Program,
    pub(super) monoid: Monoid,
    pub(super) acc: DType,
}

struct Job {
    walk: Walk,
    code: Code,
    sink: Sink,
    joiner: Joiner,
}

struct Worker {
    frame: Frame,
    sink: Frame,
    /// Running states, and the lanes that come out.
    states: Arena,
    out: Arena,
}

pub(super) fn run(ctx: &Ctx, spec: &Spec, inputs: &[Input], output: &Output) -> Result<(), Fault> {
    let size = spec.shape.iter().product::<usize>();
    if size == 0 {
        return Ok(());
    }
    let job = prepare(spec, size, inputs, output)?;
    if job.walk.inner > 1 { columns(ctx, &job) } else { rows(ctx, &job) }
}

fn prepare(spec: &Spec, size: usize, inputs: &[Input], output: &Output) -> Result<Job, Fault> {
    let Spec { shape, program, monoid, acc } = *spec;
    let kept = shape.len().saturating_sub(1);
    let target = lane_dtype(monoid, program, acc);
    let joiner = joiner(monoid, target);
    let mut way = walk(shape, kept, program, inputs, monoid, program.can_fault());
    if way.inner < COLUMNS || joiner.lane != joiner.state {
        way = walk(shape, kept, program, inputs, monoid, true);
    }
    let order = Some(way.axes.as_slice());
    let setting = Setting { inputs, order, kept: None, size, carry: Rate::Once, target, saves: &[], output: None };
    let code = compile(program, &setting)?;
    let sink = Sink::after(None, joiner.result, inputs, output, size, order)?;
    Ok(Job { walk: way, code, sink, joiner })
}

impl Job {
    fn worker(&self) -> Worker {
        let room = || Arena::new(CHUNK * self.joiner.state.max(8));
        Worker { frame: self.code.frame(), sink: self.sink.frame(), states: room(), out: room() }
    }

    fn work(&self) -> usize {
        let walk = &self.walk;
        (walk.outer * walk.length * walk.inner).saturating_mul(self.code.cost + 1)
    }
}

/// Row by row; short rows share a chunk.
fn rows(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let (rows, length) = (job.walk.outer, job.walk.length);
    let group = (CHUNK / length).max(1);
    let per_tile = ctx.tile(rows, group, group * (TILE / (group * length)).max(1));
    ctx.tiles(
        rows.div_ceil(per_tile),
        job.work(),
        || job.worker(),
        |worker, t| {
            let end = rows.min((t + 1) * per_tile);
            for first in (t * per_tile..end).step_by(group) {
                // SAFETY: the rows exist; several of them fit a chunk.
                unsafe { scan_group(ctx, job, worker, first, group.min(end - first))? };
            }
            Ok(())
        },
    )
}

/// # Safety
/// The rows exist; `count` is 1, or `count` rows fit a chunk.
unsafe fn scan_group(ctx: &Ctx, job: &Job, worker: &mut Worker, first: usize, count: usize) -> Result<(), Fault> {
    let (length, joiner) = (job.walk.length, &job.joiner);
    let (state, out) = (worker.states.as_mut_ptr(), worker.out.as_mut_ptr());
    let total = count * length;
    // SAFETY: a chunk of lanes has room in `out`; rows begin with a fresh state.
    unsafe {
        (joiner.fill)(state, 1);
        for start in (0..total).step_by(CHUNK) {
            if start % TILE == 0 {
                ctx.poll()?;
            }
            let n = CHUNK.min(total - start);
            let lanes = job.code.run(&mut worker.frame, first * length + start, n, None)?;
            let run = length.min(n);
            for row in (0..n).step_by(run) {
                if count > 1 {
                    (joiner.fill)(state, 1);
                }
                let to = out.add(row * joiner.result.size());
                (joiner.scan)(state, lanes.add(row * joiner.lane), run, start, to);
            }
            job.sink.emit_carry(&mut worker.sink, first * length + start, n, out)?;
        }
    }
    Ok(())
}

/// Columns side by side: each position joins the running states, which are the result there.
fn columns(ctx: &Ctx, job: &Job) -> Result<(), Fault> {
    let Walk { outer, length, inner, .. } = job.walk;
    let width = inner.min(CHUNK);
    let tiles = inner.div_ceil(width);
    ctx.tiles(
        outer * tiles,
        job.work(),
        || job.worker(),
        |worker, t| {
            let first = t % tiles * width;
            let n = width.min(inner - first);
            let states = worker.states.as_mut_ptr();
            // SAFETY: the columns are this tile's own, and a chunk of states has room.
            unsafe {
                (job.joiner.fill)(states, n);
                for place in 0..length {
                    if place % 64 == 0 {
                        ctx.poll()?;
                    }
                    let start = (t / tiles * length + place) * inner + first;
                    let lanes = job.code.run(&mut worker.frame, start, n, None)?;
                    (job.joiner.columns)(states, n, lanes, n, place, n);
                    job.sink.emit_carry(&mut worker.sink, start, n, states)?;
                }
            }
            Ok(())
        },
    )
}
