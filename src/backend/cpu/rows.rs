//! Row-fused kernels: several reductions and a last map over the same rows, which stay in cache between the phases.

use super::arena::Arena;
use super::exec::{CHUNK, Code, Frame, Rate, Setting, compile};
use super::join::{Joiner, joiner};
use super::pool::Ctx;
use super::reduce::{TILE, lane_dtype};
use super::sink::Sink;
use super::states::tree;
use crate::kernel::{Fault, Input, Last, Output, Phase, RowFused};
use smallvec::SmallVec;

/// A phase made ready.
struct Stage<'a> {
    code: Code,
    joiner: Joiner,
    saves: &'a [(crate::kernel::Reg, usize)],
}

struct Job<'a> {
    stages: Vec<Stage<'a>>,
    sink: Sink,
    /// The last program runs once a row.
    by_row: bool,
    rows: usize,
    length: usize,
    /// Rows that share a chunk.
    group: usize,
    /// Bytes of a lane of each saved row.
    temps: SmallVec<[usize; 4]>,
}

/// One thread's registers, saved rows, row scalars and partial states.
struct Worker {
    frames: Vec<Frame>,
    last: Frame,
    temps: SmallVec<[Arena; 4]>,
    carries: SmallVec<[Arena; 4]>,
    states: Arena,
}

pub(super) fn run(ctx: &Ctx, spec: &RowFused, inputs: &[Input], output: &Output) -> Result<(), Fault> {
    let job = prepare(spec, inputs, output)?;
    if job.rows == 0 || (job.length == 0 && !job.by_row) {
        return Ok(());
    }
    let most = job.group * (TILE / (job.group * job.length.max(1))).max(1);
    let per_tile = ctx.tile(job.rows, job.group, most);
    let cost = job.stages.iter().map(|s| s.code.cost + 1).sum::<usize>() + job.sink.code.cost;
    let work = job.rows.saturating_mul(job.length.max(1)).saturating_mul(cost);
    ctx.tiles(
        job.rows.div_ceil(per_tile),
        work,
        || job.worker(),
        |worker, t| {
            let end = job.rows.min((t + 1) * per_tile);
            for first in (t * per_tile..end).step_by(job.group) {
                // SAFETY: the rows exist, and `group` of them fill no more than a chunk or are one row.
                unsafe { job.rows(worker, first, job.group.min(end - first))? };
            }
            Ok(())
        },
    )
}

fn prepare<'a>(spec: &'a RowFused, inputs: &[Input], output: &Output) -> Result<Job<'a>, Fault> {
    let rows = spec.shape[..spec.kept].iter().product::<usize>();
    let length = spec.shape[spec.kept..].iter().product::<usize>();
    let target = output.view.dtype;
    let kept = Some((spec.kept, length));
    let size = rows * length;
    let setting = Setting { inputs, order: None, kept, size, carry: Rate::Row, target, saves: &[], output: None };
    let stage = |phase: &'a Phase| {
        let target = lane_dtype(phase.monoid, &phase.program, phase.acc);
        let code = compile(&phase.program, &Setting { target, saves: &phase.saves, ..setting })?;
        Ok(Stage { code, joiner: joiner(phase.monoid, target), saves: &phase.saves })
    };
    let stages = spec.phases.iter().map(stage).collect::<Result<Vec<_>, Fault>>()?;
    let axes: SmallVec<[usize; 6]> = (0..spec.kept).collect();
    let (sink, by_row) = match &spec.last {
        Last::Map(program) => (Sink::new(program, &setting, output)?, false),
        Last::Row(program) => {
            let setting = Setting { order: Some(&axes), kept: None, size: rows, carry: Rate::Lane, ..setting };
            (Sink::new(program, &setting, output)?, true)
        }
    };
    let group = if length <= CHUNK { CHUNK / length.max(1) } else { 1 };
    let temps = spec.temps.iter().map(|d| d.lane().size()).collect();
    Ok(Job { stages, sink, by_row, rows, length, group, temps })
}

impl Job<'_> {
    fn worker(&self) -> Worker {
        let lanes = self.length.max(self.group.min(self.rows) * self.length);
        let chunks = self.length.div_ceil(CHUNK).max(self.group);
        // A state is at most a c128 with its place.
        let states = Arena::new(chunks * 32);
        let mut worker = Worker {
            frames: self.stages.iter().map(|s| s.code.frame()).collect(),
            last: self.sink.frame(),
            temps: self.temps.iter().map(|size| Arena::new(lanes * size)).collect(),
            carries: self.stages.iter().map(|_| Arena::new(self.group * 32)).collect(),
            states,
        };
        let carries: SmallVec<[*const u8; 4]> =
            worker.carries.iter_mut().map(|c| c.as_mut_ptr().cast_const()).collect();
        for frame in worker.frames.iter_mut().chain([&mut worker.last]) {
            frame.carries = carries.clone();
        }
        worker
    }

    /// All phases for rows `first..first + count`.
    ///
    /// # Safety
    /// The rows exist; `count` is 1, or `count` rows fit a chunk.
    unsafe fn rows(&self, worker: &mut Worker, first: usize, count: usize) -> Result<(), Fault> {
        // SAFETY: the carries have room for a group of results, temps for a group of rows.
        unsafe {
            for (i, stage) in self.stages.iter().enumerate() {
                self.phase(stage, worker, i, first, count)?;
            }
            if self.by_row {
                return self.sink.emit(&mut worker.last, first, count);
            }
            self.sink.code.run_rows(&mut worker.last, first, count)?;
            let lanes = count * self.length;
            for start in (0..lanes).step_by(CHUNK) {
                self.set_temps(&mut worker.last, &mut worker.temps, start);
                self.sink.emit(&mut worker.last, first * self.length + start, CHUNK.min(lanes - start))?;
            }
        }
        Ok(())
    }

    /// # Safety
    /// As `rows`.
    unsafe fn phase(
        &self,
        stage: &Stage,
        worker: &mut Worker,
        index: usize,
        first: usize,
        count: usize,
    ) -> Result<(), Fault> {
        let joiner = &stage.joiner;
        let carry = worker.carries[index].as_mut_ptr();
        let states = worker.states.as_mut_ptr();
        // SAFETY: as `rows`; there is room for a state of each row of a group, or of each chunk of a row.
        unsafe {
            if self.length == 0 {
                (joiner.empty)(carry, count);
                return Ok(());
            }
            stage.code.run_rows(&mut worker.frames[index], first, count)?;
            let chunks = if count == 1 { self.length.div_ceil(CHUNK) } else { 1 };
            (joiner.fill)(states, chunks.max(count));
            for chunk in 0..chunks {
                let start = chunk * CHUNK;
                let n = CHUNK.min(count * self.length - start);
                let frame = &mut worker.frames[index];
                self.set_temps(frame, &mut worker.temps, start);
                let lanes = stage.code.run(frame, first * self.length + start, n, None)?;
                for (&reg, &(_, temp)) in stage.code.saved.iter().zip(stage.saves) {
                    let size = self.temps[temp];
                    let to = worker.temps[temp].as_mut_ptr().add(start * size);
                    std::ptr::copy(frame.lanes_of(reg), to, n * size);
                }
                if count == 1 {
                    (joiner.fold)(lanes, n, start, states.add(chunk * joiner.state));
                } else {
                    for row in 0..count {
                        let lanes = lanes.add(row * self.length * joiner.lane);
                        (joiner.fold)(lanes, self.length, 0, states.add(row * joiner.state));
                    }
                }
            }
            if count == 1 {
                tree(joiner, states, chunks, 1);
            }
            (joiner.finish)(states, count, carry);
        }
        Ok(())
    }

    /// Points a frame at the saved lanes of the chunk that begins `start` lanes behind the first row's beginning.
    fn set_temps(&self, frame: &mut Frame, temps: &mut [Arena], start: usize) {
        frame.temps.clear();
        for (temp, size) in temps.iter_mut().zip(&self.temps) {
            frame.temps.push(temp.as_mut_ptr().wrapping_add(start * size).cast_const());
        }
    }
}
