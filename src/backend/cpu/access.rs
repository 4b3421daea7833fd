//! Reading lanes from buffers and writing them back, through any layout.
//!
//! A range of row-major positions is walked as runs along the innermost axis of the simplified layout, so that short
//! axes are packed into full chunks.

use super::exec::CHUNK;
use super::lane::Bit;
use super::narrow;
use super::packed::Blocks;
use super::simd::simd;
use crate::kernel::{Input, Output};
use crate::tensor::{DType, Layout};
use smallvec::SmallVec;

/// Extents and strides (elements) of a simplified layout, outermost first.
pub(super) type Axes = SmallVec<[(usize, isize); 4]>;

pub(super) fn simplify(layout: &Layout) -> Axes {
    let simple = layout.simplified();
    simple.shape.into_iter().zip(simple.strides).collect()
}

/// The layout with its axes in this order.
pub(super) fn permuted(layout: &Layout, order: &[usize]) -> Layout {
    Layout {
        shape: order.iter().map(|&a| layout.shape[a]).collect(),
        strides: order.iter().map(|&a| layout.strides[a]).collect(),
        offset: layout.offset,
    }
}

/// Whether all elements of the layout are the same one.
pub(super) fn is_uniform(axes: &Axes) -> bool {
    axes.iter().all(|&(_, stride)| stride == 0)
}

/// Calls `run(offset, stride, length, done)` for each piece of the positions `start..start + n` that lies along the
/// innermost axis; `done` positions came before it.
#[inline(always)]
fn runs(axes: &Axes, start: usize, n: usize, mut run: impl FnMut(isize, isize, usize, usize)) {
    let Some((&(extent, stride), outer)) = axes.split_last() else {
        return run(0, 0, n, 0);
    };
    let mut at: SmallVec<[usize; 6]> = SmallVec::from_elem(0, outer.len());
    let (mut row, mut inner) = if outer.is_empty() { (0, start) } else { (start / extent, start % extent) };
    let mut base = 0isize;
    for (at, &(extent, stride)) in at.iter_mut().zip(outer).rev() {
        *at = row % extent;
        row /= extent;
        base += *at as isize * stride;
    }
    let mut done = 0;
    loop {
        let length = (extent - inner).min(n - done);
        run(base + inner as isize * stride, stride, length, done);
        done += length;
        if done == n {
            return;
        }
        inner = 0;
        for (at, &(extent, stride)) in at.iter_mut().zip(outer).rev() {
            *at += 1;
            base += stride;
            if *at < extent {
                break;
            }
            base -= extent as isize * stride;
            *at = 0;
        }
    }
}

/// Elements moved as bits.
pub(super) trait Word: Copy {}
impl Word for u8 {}
impl Word for u16 {}
impl Word for u32 {}
impl Word for u64 {}
impl Word for u128 {}

type GatherFn = unsafe fn(&Axes, *const u8, usize, usize, *mut u8);
type ScatterFn = unsafe fn(&Axes, *mut u8, usize, usize, *const u8);

simd! {
    /// Collects the elements at positions `start..start + n`.
    /// # Safety
    /// `base` points to the element at position 0 and every position lies inside the buffer (any alignment);
    /// `dst` has room for n elements and is aligned. It may be the very place that is read, where the elements stand
    /// there side by side.
    fn gather<T: Word>(axes: &Axes, base: *const u8, start: usize, n: usize, dst: *mut u8) {
        let (base, dst) = (base.cast::<T>(), dst.cast::<T>());
        runs(axes, start, n, |offset, stride, length, done| {
            let (src, dst) = (base.offset(offset), dst.add(done));
            match stride {
                0 => {
                    let value = src.read_unaligned();
                    for i in 0..length {
                        dst.add(i).write(value);
                    }
                }
                1 if length >= 16 => {
                    let bytes = length * size_of::<T>();
                    std::ptr::copy(src.cast::<u8>(), dst.cast::<u8>(), bytes);
                }
                1 => {
                    for i in 0..length {
                        dst.add(i).write(src.add(i).read_unaligned());
                    }
                }
                -1 => {
                    let last = src.sub(length - 1);
                    for i in 0..length {
                        dst.add(i).write(last.add(length - 1 - i).read_unaligned());
                    }
                }
                2 => {
                    for i in 0..length {
                        dst.add(i).write(src.add(2 * i).read_unaligned());
                    }
                }
                _ => {
                    for i in 0..length {
                        dst.add(i).write(src.offset(i as isize * stride).read_unaligned());
                    }
                }
            }
        });
    }
}

simd! {
    /// Writes n elements to positions `start..start + n`.
    /// # Safety
    /// As `gather`, with the roles exchanged.
    fn scatter<T: Word>(axes: &Axes, base: *mut u8, start: usize, n: usize, src: *const u8) {
        let (base, src) = (base.cast::<T>(), src.cast::<T>());
        runs(axes, start, n, |offset, stride, length, done| {
            let (dst, src) = (base.offset(offset), src.add(done));
            if stride == 1 {
                std::ptr::copy(src.cast::<u8>(), dst.cast::<u8>(), length * size_of::<T>());
            } else {
                for i in 0..length {
                    dst.offset(i as isize * stride).write_unaligned(src.add(i).read());
                }
            }
        });
    }
}

/// Writes the offsets (elements) of positions `start..start + n` of a layout with this offset.
///
/// # Safety
/// `dst` has room for n values.
pub(super) unsafe fn positions(axes: &Axes, offset: isize, start: usize, n: usize, dst: *mut i64) {
    runs(axes, start, n, |run, stride, length, done| {
        for i in 0..length {
            // SAFETY: done + i < n.
            unsafe { dst.add(done + i).write((offset + run + i as isize * stride) as i64) };
        }
    });
}

fn gather_fn(size: usize) -> GatherFn {
    match size {
        1 => gather::<u8>(),
        2 => gather::<u16>(),
        4 => gather::<u32>(),
        8 => gather::<u64>(),
        _ => gather::<u128>(),
    }
}

fn scatter_fn(size: usize) -> ScatterFn {
    match size {
        1 => scatter::<u8>(),
        2 => scatter::<u16>(),
        4 => scatter::<u32>(),
        8 => scatter::<u64>(),
        _ => scatter::<u128>(),
    }
}

/// Where in its run a range lies, when it lies in one run of neighbours.
fn neighbours(axes: &Axes, start: usize, n: usize) -> Option<isize> {
    match axes.as_slice() {
        [] if n <= 1 => Some(0),
        [(_, 1)] => Some(start as isize),
        [outer @ .., (extent, 1)] if start % extent + n <= *extent => {
            let mut offset = (start % extent) as isize;
            let mut row = start / extent;
            for &(extent, stride) in outer.iter().rev() {
                offset += (row % extent) as isize * stride;
                row /= extent;
            }
            Some(offset)
        }
        _ => None,
    }
}

/// What stands between stored bits and lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// Nothing: lanes can be used where they are.
    Same,
    /// f16 and its kin ride in f32 lanes.
    Narrow,
    /// Any byte but 0 is true: mapped files hold what they like.
    Bool,
    /// The imaginary part changes its sign.
    Conj,
    /// Blocks are decoded.
    Packed,
}

fn change(dtype: DType, conj: bool) -> Change {
    match dtype {
        DType::Bool => Change::Bool,
        _ if dtype != dtype.lane() => Change::Narrow,
        DType::C64 | DType::C128 if conj => Change::Conj,
        _ => Change::Same,
    }
}

/// Flips the sign of imaginary parts.
///
/// # Safety
/// `lanes` holds n complex numbers of `dtype`.
unsafe fn conjugate(dtype: DType, lanes: *mut u8, n: usize) {
    for i in 0..n {
        // SAFETY: i < n, and the imaginary part stands behind the real one.
        unsafe {
            if dtype == DType::C64 {
                let im = lanes.cast::<f32>().add(2 * i + 1);
                im.write(-im.read());
            } else {
                let im = lanes.cast::<f64>().add(2 * i + 1);
                im.write(-im.read());
            }
        }
    }
}

/// Alignment that lanes of a dtype need, in bytes.
fn lane_align(dtype: DType) -> usize {
    dtype.real().lane().size()
}

/// An input of a launch as the lanes read it.
pub(super) struct Source {
    base: *const u8,
    axes: Axes,
    dtype: DType,
    change: Change,
    gather: GatherFn,
    /// Lanes may be read in place.
    direct: bool,
    /// Of a packed buffer: its blocks, and the element at position 0.
    packed: Option<(Blocks, isize)>,
}

// SAFETY: a source only reads, and the launch holds the buffer.
unsafe impl Send for Source {}
// SAFETY: as above.
unsafe impl Sync for Source {}

impl Source {
    /// `layout` is the input's, perhaps with permuted or dropped axes.
    pub(super) fn new(input: &Input, layout: &Layout) -> Source {
        let dtype = input.view.dtype;
        if let Some(blocks) = Blocks::new(&input.buffer, layout) {
            let packed = Some((blocks, layout.offset));
            let (base, axes) = (input.buffer.as_ptr(), simplify(layout));
            return Source { base, axes, dtype, change: Change::Packed, gather: gather_fn(1), direct: false, packed };
        }
        let (base, axes) = anchor(input.buffer.as_ptr(), input.buffer.len(), layout, dtype);
        let change = change(dtype, input.view.conj);
        let direct = change == Change::Same && base.addr().is_multiple_of(lane_align(dtype));
        Source { base, axes, dtype, change, gather: gather_fn(dtype.size()), direct, packed: None }
    }

    /// Reads always copy: for inputs that the writing instruction would otherwise overlap.
    pub(super) fn forbid_direct(&mut self) {
        self.direct = false;
    }

    pub(super) fn is_uniform(&self) -> bool {
        is_uniform(&self.axes)
    }

    /// Lanes of the positions `start..start + n`: in place, or in `room`.
    ///
    /// # Safety
    /// The positions exist, n <= CHUNK, and `room` has room for n lanes, aligned.
    #[inline]
    pub(super) unsafe fn load(&self, start: usize, n: usize, room: *mut u8) -> *const u8 {
        // SAFETY: `anchor` has checked that every position lies inside the buffer.
        unsafe {
            if self.direct
                && let Some(at) = neighbours(&self.axes, start, n)
            {
                return self.base.offset(at * self.dtype.size() as isize);
            }
            match self.change {
                Change::Narrow => self.load_narrow(start, n, room.cast()),
                Change::Packed => self.load_packed(start, n, room.cast()),
                change => {
                    (self.gather)(&self.axes, self.base, start, n, room);
                    match change {
                        Change::Bool => {
                            for bit in std::slice::from_raw_parts_mut(room, n) {
                                *bit = u8::from(*bit != 0);
                            }
                        }
                        Change::Conj => conjugate(self.dtype, room, n),
                        Change::Same | Change::Narrow | Change::Packed => {}
                    }
                }
            }
        }
        room
    }

    /// # Safety
    /// As `load`.
    unsafe fn load_packed(&self, start: usize, n: usize, room: *mut f32) {
        let Some((blocks, first)) = &self.packed else { return };
        runs(&self.axes, start, n, |offset, stride, length, done| {
            // SAFETY: as `load`; `Blocks::new` has checked the bounds of every position.
            unsafe { blocks.run(first + offset, stride, std::slice::from_raw_parts_mut(room.add(done), length)) };
        });
    }

    /// # Safety
    /// As `load`.
    unsafe fn load_narrow(&self, start: usize, n: usize, room: *mut f32) {
        let size = self.dtype.size();
        // SAFETY: as `load`; the scratch holds CHUNK elements of at most two bytes.
        unsafe {
            if let Some(at) = neighbours(&self.axes, start, n) {
                let from = self.base.offset(at * size as isize);
                if from.addr().is_multiple_of(size) {
                    return narrow::widen(self.dtype, from, n, room);
                }
            }
            let mut scratch = std::mem::MaybeUninit::<[u16; CHUNK]>::uninit();
            let scratch = scratch.as_mut_ptr().cast::<u8>();
            (self.gather)(&self.axes, self.base, start, n, scratch);
            narrow::widen(self.dtype, scratch, n, room);
        }
    }
}

/// The destination of a launch.
pub(super) struct Dest {
    base: *mut u8,
    axes: Axes,
    pub(super) dtype: DType,
    conj: bool,
    scatter: ScatterFn,
    direct: bool,
}

// SAFETY: the executor promises that nobody else touches the destination's bytes, and tiles write disjoint positions.
unsafe impl Send for Dest {}
// SAFETY: as above.
unsafe impl Sync for Dest {}

impl Dest {
    pub(super) fn new(output: &Output) -> Dest {
        Dest::with_layout(output, &output.view.layout)
    }

    /// `layout` is the output's, perhaps with permuted axes.
    pub(super) fn with_layout(output: &Output, layout: &Layout) -> Dest {
        assert!(!output.buffer.is_mapped(), "a mapped file is no destination");
        let dtype = output.view.dtype;
        let (base, axes) = anchor(output.buffer.as_ptr(), output.buffer.len(), layout, dtype);
        let base = base.cast_mut();
        let conj = output.view.conj && dtype.is_complex();
        let direct = dtype == dtype.lane() && !conj && base.addr().is_multiple_of(lane_align(dtype));
        Dest { base, axes, dtype, conj, scatter: scatter_fn(dtype.size()), direct }
    }

    /// Where lanes of the positions `start..start + n` can be written as they are.
    #[inline]
    pub(super) fn direct(&self, start: usize, n: usize) -> Option<*mut u8> {
        let at = if self.direct { neighbours(&self.axes, start, n) } else { None }?;
        // SAFETY: `anchor` has checked the bounds of every position.
        Some(unsafe { self.base.offset(at * self.dtype.size() as isize) })
    }

    /// Stores lanes of the destination's dtype (already rounded to it) at positions `start..start + n`.
    ///
    /// # Safety
    /// The positions exist, n <= CHUNK, `lanes` holds n lanes, and nobody else writes these positions now.
    pub(super) unsafe fn store(&self, start: usize, n: usize, lanes: *const u8) {
        let size = self.dtype.size();
        // SAFETY: the scratch holds CHUNK elements of the largest dtype; the rest is the caller's contract.
        unsafe {
            if self.dtype != self.dtype.lane() {
                if let Some(at) = neighbours(&self.axes, start, n) {
                    let to = self.base.offset(at * size as isize);
                    if to.addr().is_multiple_of(size) {
                        return narrow::shrink(self.dtype, lanes.cast(), n, to);
                    }
                }
                let mut scratch = std::mem::MaybeUninit::<[u16; CHUNK]>::uninit();
                let scratch = scratch.as_mut_ptr().cast::<u8>();
                narrow::shrink(self.dtype, lanes.cast(), n, scratch);
                return (self.scatter)(&self.axes, self.base, start, n, scratch);
            }
            if self.conj {
                let mut scratch = std::mem::MaybeUninit::<[u128; CHUNK]>::uninit();
                let scratch = scratch.as_mut_ptr().cast::<u8>();
                std::ptr::copy_nonoverlapping(lanes, scratch, n * size);
                conjugate(self.dtype, scratch, n);
                return (self.scatter)(&self.axes, self.base, start, n, scratch);
            }
            (self.scatter)(&self.axes, self.base, start, n, lanes);
        }
    }
}

/// The address of position 0 and the simplified axes.
///
/// # Panics
/// Where the layout reaches outside the buffer: a broken plan must not touch foreign memory.
fn anchor(start: *const u8, len: usize, layout: &Layout, dtype: DType) -> (*const u8, Axes) {
    let Some((low, high)) = layout.bounds() else {
        return (start, simplify(layout));
    };
    let end = usize::try_from(high).ok().and_then(|h| h.checked_add(1)?.checked_mul(dtype.size()));
    assert!(low >= 0 && end.is_some_and(|end| end <= len), "a layout reaches outside its buffer");
    // SAFETY: the offset lies between the bounds just checked.
    (unsafe { start.offset(layout.offset * dtype.size() as isize) }, simplify(layout))
}

const _: () = assert!(size_of::<Bit>() == 1);
