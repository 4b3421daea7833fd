//! Kernels on the processor.
//!
//! A launch compiles its programs to [`exec::Code`] (register slots, loads, function pointers), cuts its iteration
//! space into tiles that depend on shapes and layouts only, and lets threads take tiles in rising order. Inside a tile
//! the program runs over chunks of [`exec::CHUNK`] lanes.

mod access;
mod arena;
mod arg;
mod axes;
mod call;
mod cast;
mod compile;
mod contract;
mod encode;
mod exec;
mod group;
mod indexed;
#[cfg(test)]
mod indexed_tests;
mod join;
mod lane;
mod map;
mod narrow;
mod packed;
mod pool;
mod put;
mod random;
mod reduce;
mod reduce_columns;
mod reduce_rows;
mod rows;
mod scan;
mod simd;
mod sink;
mod sort;
mod states;
mod survey;
mod take;
#[cfg(test)]
mod tests;

use crate::kernel::{Backend, Cancel, Counters, Fault, FaultKind, Input, Kernel, Output, cost};
use crate::tensor::Buffer;
use pool::{Ctx, Pool};
use std::sync::{Arc, Mutex, PoisonError};
pub use survey::{BINS, Comparison, Survey, Tolerance, Watched};

/// The processor of this machine.
pub struct Cpu {
    pool: Pool,
    counters: Mutex<Counters>,
}

impl Cpu {
    /// Computes with at most `threads` threads (at least one); they start when there is work for them.
    pub fn new(threads: usize) -> Self {
        Cpu { pool: Pool::new(threads), counters: Mutex::default() }
    }

    /// Wakes its threads for any work, however small.
    #[cfg(test)]
    fn eager(threads: usize) -> Self {
        Cpu { pool: Pool::eager(threads), counters: Mutex::default() }
    }
}

impl Backend for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn alloc(&self, bytes: usize) -> Result<Arc<Buffer>, FaultKind> {
        Buffer::zeroed(bytes).map(Arc::new).map_err(|fault| FaultKind::OutOfMemory { bytes: fault.bytes })
    }

    fn launch(
        &self,
        kernel: &Kernel,
        inputs: &[Input],
        output: &Output,
        is_copy: bool,
        cancel: &Cancel,
    ) -> Result<(), Fault> {
        let ctx = Ctx { pool: &self.pool, cancel };
        cost::of_launch(kernel, inputs, output)
            .count(&mut self.counters.lock().unwrap_or_else(PoisonError::into_inner), is_copy);
        match kernel {
            Kernel::Map { shape, program } => map::run(&ctx, shape, program, inputs, output),
            Kernel::Contract(contract) => contract::run(&ctx, contract, inputs, output),
            Kernel::Take { shape, indices } => take::run(&ctx, shape, indices, inputs, output),
            Kernel::Put { shape, indices, accumulate } => put::run(&ctx, shape, indices, *accumulate, inputs, output),
            Kernel::Sort { shape, indices, descending } => {
                sort::run(&ctx, shape, *indices, *descending, inputs, output)
            }
            Kernel::Call { call, shape } => call::run(&ctx, call, shape, inputs, output),
            Kernel::Reduce { shape, kept, program, monoid, acc, epilogue, .. } => {
                let (epilogue, kept, monoid, acc) = (epilogue.as_ref(), *kept, *monoid, *acc);
                reduce::run(&ctx, &reduce::Spec { shape, kept, program, monoid, acc, epilogue }, inputs, output)
            }
            Kernel::RowFused(fused) => rows::run(&ctx, fused, inputs, output),
            Kernel::Scan { shape, program, monoid, acc } => {
                scan::run(&ctx, &scan::Spec { shape, program, monoid: *monoid, acc: *acc }, inputs, output)
            }
        }
    }

    fn progress(&self) -> Option<(u64, u64)> {
        self.pool.progress()
    }

    fn threads(&self) -> usize {
        self.pool.threads()
    }

    fn flush(&self, _cancel: &Cancel) -> Result<(), Fault> {
        Ok(())
    }

    fn counters(&self) -> Counters {
        *self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
