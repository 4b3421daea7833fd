//! Products: `dest[batch, m, n] = epilogue(Σ_k a[batch, m, k] * b[batch, n, k])`.
//!
//! The shape alone decides the tiles (see [`tiling`]); each tile is summed on one thread, so that the bits do not depend on the
//! number of threads. Operands are read where they lie if each of their axis groups has one stride, else gathered a
//! panel at a time. The epilogue runs over a finished tile while it is in cache.

mod element;
mod exact;
mod finish;

mod pack;
#[cfg(test)]
mod tests;
mod tile;
mod tiling;
mod vector;

use super::exec::Frame;
use super::group::Group;
use super::lane::Bit;
use super::packed::Blocks;
use super::pool::Ctx;
use crate::base::Span;
use crate::kernel::{Contract, Fault, FaultKind, Input, Output};
use crate::tensor::{DType, View};
use element::{Element, Matrix};
use finish::Finish;
use num_complex::{Complex32, Complex64};
use pack::Operand;
use std::sync::Mutex;
use tile::{Factors, Stopped};
use tiling::{Size, Task, Tasks, Tiling};

pub(super) fn run(ctx: &Ctx<'_>, contract: &Contract, inputs: &[Input], output: &Output) -> Result<(), Fault> {
    match contract.acc {
        DType::Bool => multiply::<Bit>(ctx, contract, inputs, output),
        DType::U8 | DType::I8 => multiply::<u8>(ctx, contract, inputs, output),
        DType::U16 | DType::I16 => multiply::<u16>(ctx, contract, inputs, output),
        DType::U32 | DType::I32 => multiply::<u32>(ctx, contract, inputs, output),
        DType::U64 | DType::I64 => multiply::<u64>(ctx, contract, inputs, output),
        DType::F64 => multiply::<f64>(ctx, contract, inputs, output),
        DType::C64 => multiply::<Complex32>(ctx, contract, inputs, output),
        DType::C128 => multiply::<Complex64>(ctx, contract, inputs, output),
        DType::F8E4M3 | DType::F8E5M2 | DType::F16 | DType::BF16 | DType::F32 => {
            multiply::<f32>(ctx, contract, inputs, output)
        }
    }
}

/// A view of shape `[batch…, rows…, depth…]` as three groups.
fn operand(input: &Input, batch: usize, rows: usize) -> Operand {
    let View { layout, dtype, conj } = &input.view;
    let cut = |from: usize, to: usize| Group::new(&layout.shape[from..to], &layout.strides[from..to]);
    Operand {
        bytes: input.buffer.bytes().as_ptr(),
        dtype: *dtype,
        conj: *conj,
        packed: Blocks::new(&input.buffer, layout),
        offset: layout.offset,
        batch: cut(0, batch),
        rows: cut(batch, batch + rows),
        depth: cut(batch + rows, layout.shape.len()),
    }
}

fn multiply<T: Element>(ctx: &Ctx<'_>, contract: &Contract, inputs: &[Input], output: &Output) -> Result<(), Fault> {
    let (axes, m, n) = (contract.batch.len(), contract.m.len(), contract.n.len());
    let (a, b) = (operand(&inputs[0], axes, m), operand(&inputs[1], axes, n));
    let size = Size { batch: a.batch.size, m: a.rows.size, n: b.rows.size, k: a.depth.size };
    if size.batch == 0 || size.m == 0 || size.n == 0 {
        return Ok(());
    }
    let cheap = matches!(T::DTYPE, DType::F32 | DType::F64);
    let tasks = Tasks { size, tiling: Tiling::new(size, cheap) };
    let finish = Finish::new::<T>(contract, size, inputs, output)?;
    let product = Product { a, b, tasks, finish, ctx, fault: Mutex::new(None) };
    if tasks.tiling.splits > 1 { product.run_split::<T>() } else { product.run::<T>() }?;
    product.fault.into_inner().unwrap_or_else(|e| e.into_inner()).map_or(Ok(()), Err)
}

struct Product<'a> {
    a: Operand,
    b: Operand,
    tasks: Tasks,
    finish: Finish,
    ctx: &'a Ctx<'a>,
    /// The fault of the epilogue with the lowest position so far: tiles do not cover rising positions, so all are run.
    fault: Mutex<Option<Fault>>,
}

/// What a worker keeps between tasks.
struct Worker<'a, T> {
    factors: Factors<'a, T>,
    tile: Vec<T>,
    frame: Option<Frame>,
}

impl Product<'_> {
    fn worker<T: Element>(&self) -> Worker<'_, T> {
        Worker {
            factors: Factors::new(&self.a, &self.b, self.ctx.cancel),
            tile: Vec::new(),
            frame: self.finish.frame(),
        }
    }

    /// Multiplications of the whole product, for the decision whether to wake threads.
    fn work(&self) -> usize {
        let Size { batch, m, n, k } = self.tasks.size;
        batch.saturating_mul(m).saturating_mul(n).saturating_mul(k.max(1))
    }

    /// Runs `body` for every number below `count`, `group` of them a job.
    fn each<T: Element>(
        &self,
        count: usize,
        group: usize,
        body: impl Fn(&mut Worker<'_, T>, usize) -> Result<(), Fault> + Sync,
    ) -> Result<(), Fault> {
        self.ctx.tiles(
            count.div_ceil(group),
            self.work(),
            || self.worker::<T>(),
            |worker, job| (job * group..count.min((job + 1) * group)).try_for_each(|i| body(worker, i)),
        )
    }

    fn run<T: Element>(&self) -> Result<(), Fault> {
        self.each::<T>(self.tasks.tiles(), self.tasks.tiling.group, |worker, i| {
            let task = self.tasks.get(i);
            if let Some(dst) = self.finish.in_place::<T>(task) {
                // SAFETY: `in_place` points at this task's part of the output, which no other task writes.
                return unsafe { self.sum(&mut worker.factors, task, dst) };
            }
            let (dst, len) = room(&mut worker.tile, task);
            // SAFETY: `room` made place for the tile.
            unsafe { self.sum(&mut worker.factors, task, dst) }?;
            self.note(self.finish.store(task, &mut worker.tile[..len], &mut worker.frame));
            Ok(())
        })
    }

    /// Sums parts of k apart and joins them in their order.
    fn run_split<T: Element>(&self) -> Result<(), Fault> {
        let (splits, side) = (self.tasks.tiling.splits, self.tasks.tiling.m * self.tasks.tiling.n);
        let parts: Vec<Mutex<Vec<T>>> = (0..self.tasks.count()).map(|_| Mutex::new(Vec::new())).collect();
        self.each::<T>(self.tasks.count(), 1, |worker, i| {
            let task = self.tasks.get(i);
            let mut part = Vec::with_capacity(side);
            let (dst, _) = room(&mut part, task);
            // SAFETY: `room` made place for the tile.
            unsafe { self.sum(&mut worker.factors, task, dst) }?;
            *parts[i].lock().unwrap_or_else(|e| e.into_inner()) = part;
            Ok(())
        })?;
        self.each::<T>(self.tasks.tiles(), 1, |worker, i| {
            let task = self.tasks.get(i * splits);
            let (_, len) = room(&mut worker.tile, task);
            worker.tile[..len].fill(T::default());
            for part in &parts[i * splits..(i + 1) * splits] {
                let part = part.lock().unwrap_or_else(|e| e.into_inner());
                for (sum, &x) in worker.tile.iter_mut().zip(part.iter()) {
                    *sum = sum.join(x);
                }
            }
            self.note(self.finish.store(task, &mut worker.tile[..len], &mut worker.frame));
            Ok(())
        })
    }

    /// # Safety
    /// `dst` has room for the task's tile and nothing else writes it.
    unsafe fn sum<T: Element>(&self, factors: &mut Factors<'_, T>, task: Task, dst: Matrix<T>) -> Result<(), Fault> {
        let (from, to) = self.tasks.depth(task.split);
        let chunk = self.tasks.tiling.chunk;
        let done = if self.tasks.size.is_vector() {
            // SAFETY: the caller's promise.
            unsafe { self.sum_vector(task, from..to, dst) }
        } else {
            // SAFETY: the caller's promise; outputs overlap no factor.
            unsafe { factors.sum(task, from..to, chunk, dst) }
        };
        done.map_err(|Stopped| Fault { kind: FaultKind::Interrupted, span: Span::default(), position: None })
    }

    /// # Safety
    /// As `sum`.
    unsafe fn sum_vector<T: Element>(
        &self,
        task: Task,
        depth: std::ops::Range<usize>,
        dst: Matrix<T>,
    ) -> Result<(), Stopped> {
        let by_rows = self.tasks.size.n == 1;
        let (factors, rows, step) =
            if by_rows { ((&self.a, &self.b), task.m, dst.rows) } else { ((&self.b, &self.a), task.n, dst.cols) };
        let count = rows.1 - rows.0;
        let (chunk, cancel) = (self.tasks.tiling.chunk, self.ctx.cancel);
        if step == 1 || count == 1 {
            // SAFETY: the caller's promise: `count` elements in a row.
            let y = unsafe { std::slice::from_raw_parts_mut(dst.at, count) };
            return vector::sum(factors, task.batch, rows.0..rows.1, depth, chunk, y, cancel);
        }
        let mut y = vec![T::default(); count];
        vector::sum(factors, task.batch, rows.0..rows.1, depth, chunk, &mut y, cancel)?;
        for (i, y) in y.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { *dst.at.offset(i as isize * step) = y };
        }
        Ok(())
    }

    fn note(&self, result: Result<(), Fault>) {
        let Err(fault) = result else { return };
        let mut first = self.fault.lock().unwrap_or_else(|e| e.into_inner());
        if first.as_ref().is_none_or(|f| fault.position < f.position) {
            *first = Some(fault);
        }
    }
}

/// A row-major tile for `task` at the start of `tile`, and its number of elements.
fn room<T: Element>(tile: &mut Vec<T>, task: Task) -> (Matrix<T>, usize) {
    let (m, n) = (task.m.1 - task.m.0, task.n.1 - task.n.0);
    if tile.len() < m * n {
        tile.resize(m * n, T::default());
    }
    (Matrix { at: tile.as_mut_ptr(), rows: n as isize, cols: 1 }, m * n)
}
