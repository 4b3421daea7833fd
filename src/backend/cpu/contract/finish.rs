//! What happens to a finished tile: rounding, the epilogue, the way to the output.

use super::super::exec::{CHUNK, Frame};
use super::super::group::Group;
use super::super::narrow::round_fn;
use super::super::sink::Sink;
use super::element::{Element, Matrix};
use super::pack::native;
use super::tiling::{Size, Task};
use crate::kernel::{Contract, Fault, Input, Output};
use crate::tensor::DType;

/// Where sums go.
pub enum Finish {
    /// To the output as they are.
    InPlace(Place),
    /// Through the epilogue (or none) into any layout and dtype.
    Program { sink: Sink, product: DType, size: Size },
}

/// The output's layout as the groups `[batch, m, n]`.
pub struct Place {
    bytes: *mut u8,
    offset: isize,
    batch: Group,
    m: Group,
    n: Group,
}

// SAFETY: tasks write disjoint parts of the output, which the executor keeps from everybody else during the launch.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Finish {
    pub fn new<T: Element>(
        contract: &Contract,
        size: Size,
        inputs: &[Input],
        output: &Output,
    ) -> Result<Finish, Fault> {
        let place = Place::new(contract, output);
        let aligned = (place.bytes as usize).is_multiple_of(align_of::<T>());
        let exact = native::<T>(output.view.dtype) && native::<T>(contract.product) && contract.epilogue.is_none();
        if aligned && exact && place.m.stride.is_some() && place.n.stride.is_some() {
            return Ok(Finish::InPlace(place));
        }
        let count = size.batch.saturating_mul(size.m).saturating_mul(size.n);
        let sink = Sink::after(contract.epilogue.as_ref(), contract.product, inputs, output, count, None)?;
        Ok(Finish::Program { sink, product: contract.product, size })
    }

    /// The task's part of the output as a matrix, where sums may be written there as they are.
    pub fn in_place<T: Element>(&self, task: Task) -> Option<Matrix<T>> {
        match self {
            Finish::InPlace(place) => place.window(task),
            Finish::Program { .. } => None,
        }
    }

    /// What `store` needs of a worker.
    pub fn frame(&self) -> Option<Frame> {
        match self {
            Finish::InPlace(_) => None,
            Finish::Program { sink, .. } => Some(sink.frame()),
        }
    }

    /// Rounds a row-major tile and hands it on. The lowest fault of the tile comes back.
    pub fn store<T: Element>(&self, task: Task, tile: &mut [T], frame: &mut Option<Frame>) -> Result<(), Fault> {
        let (sink, product, size, frame) = match (self, frame) {
            (Finish::Program { sink, product, size }, Some(frame)) => (sink, *product, size, frame),
            (Finish::InPlace(place), _) => {
                place.copy(task, tile);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let width = task.n.1 - task.n.0;
        let first = (task.batch * size.m + task.m.0) * size.n + task.n.0;
        // Whole rows of the output follow each other.
        let run = if width == size.n { tile.len() } else { width };
        let mut room = Vec::new();
        for (row, line) in tile.chunks_mut(run).enumerate() {
            for (chunk, values) in line.chunks_mut(CHUNK).enumerate() {
                let start = first + row * size.n + chunk * CHUNK;
                let n = values.len();
                let lanes = lanes(values, product, &mut room);
                // SAFETY: the positions are this task's; the lanes hold n values of the product's lane type.
                unsafe { sink.emit_carry(frame, start, n, lanes) }?;
            }
        }
        Ok(())
    }
}

impl Place {
    fn new(contract: &Contract, output: &Output) -> Place {
        let layout = &output.view.layout;
        let (batch, m) = (contract.batch.len(), contract.m.len());
        let cut = |from: usize, to: usize| Group::new(&layout.shape[from..to], &layout.strides[from..to]);
        Place {
            bytes: output.buffer.as_ptr().cast_mut(),
            offset: layout.offset,
            batch: cut(0, batch),
            m: cut(batch, batch + m),
            n: cut(batch + m, layout.shape.len()),
        }
    }

    fn window<T: Element>(&self, task: Task) -> Option<Matrix<T>> {
        let (rows, cols) = (self.m.stride?, self.n.stride?);
        let at = self.offset + self.batch.offset(task.batch) + task.m.0 as isize * rows + task.n.0 as isize * cols;
        // SAFETY: the output's layout keeps every coordinate inside its buffer.
        Some(Matrix { at: unsafe { self.bytes.cast::<T>().offset(at) }, rows, cols })
    }

    fn copy<T: Element>(&self, task: Task, tile: &[T]) {
        let Some(to) = self.window::<T>(task) else { return };
        for (row, line) in tile.chunks(task.n.1 - task.n.0).enumerate() {
            for (column, &value) in line.iter().enumerate() {
                // SAFETY: the coordinate is the task's.
                unsafe { *to.at.offset(row as isize * to.rows + column as isize * to.cols) = value };
            }
        }
    }
}

/// The values as lanes of `product`, rounded to it: in place where the type is the same.
fn lanes<T: Element>(values: &mut [T], product: DType, room: &mut Vec<u128>) -> *const u8 {
    let lane = product.lane();
    let at: *mut u8 = if native::<T>(lane) {
        values.as_mut_ptr().cast()
    } else {
        let mut bytes = Vec::with_capacity(values.len() * lane.size());
        values.iter().for_each(|x| x.to_scalar().write(lane, &mut bytes));
        room.resize(bytes.len().div_ceil(16), 0);
        bytemuck::cast_slice_mut(room)[..bytes.len()].copy_from_slice(&bytes);
        room.as_mut_ptr().cast()
    };
    if let Some(round) = round_fn(product) {
        // SAFETY: a dtype that needs rounding has f32 lanes, and as many stand here.
        unsafe { round(at.cast(), values.len()) };
    }
    at
}
