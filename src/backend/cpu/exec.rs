//! Programs over lanes.
//!
//! [`Code`] is a program made ready for one launch: instructions that give the same value everywhere run once, those
//! that depend on the row only run once a row, the others run over chunks. [`Frame`] is one thread's register file.

use super::access::{Axes, Source, is_uniform, positions, simplify};
use super::arena::{Arena, LINE};
use super::cast::{self, CastFn};
use super::compile;
use super::narrow::RoundFn;
use super::random::DrawFn;
use crate::base::Span;
use crate::kernel::{Fault, FaultKind, Reg};
use crate::op::lanes::{FINE, LaneFn};
use crate::tensor::DType;
use smallvec::SmallVec;

/// Lanes of a chunk.
pub(super) const CHUNK: usize = 1024;

/// How often an instruction runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rate {
    /// The same value everywhere.
    Once,
    /// The same value along a row.
    Row,
    Lane,
}

/// An instruction made ready.
pub(super) enum Op {
    Const([u8; 16]),
    Load {
        lanes: Source,
        rows: Option<Source>,
    },
    Position {
        lanes: (Axes, isize),
        rows: Option<(Axes, isize)>,
    },
    Row {
        body: LaneFn,
        name: &'static str,
    },
    Cast {
        body: CastFn,
        from: DType,
        to: DType,
    },
    /// Lanes as they are, for rounding to come.
    Copy,
    Random {
        body: DrawFn,
        seed: u64,
        stream: u64,
    },
    Carry(usize),
    Temp(usize),
}

pub(super) struct Step {
    pub(super) op: Op,
    pub(super) args: SmallVec<[Reg; 3]>,
    pub(super) reg: Reg,
    /// Bytes of a lane of the register.
    pub(super) size: usize,
    /// Where in the frame the register has its room (bytes).
    pub(super) slot: usize,
    /// Room for the values of rows, for registers of that rate.
    pub(super) row_slot: usize,
    pub(super) round: Option<RoundFn>,
    pub(super) span: Span,
}

/// A program ready to run in one launch.
pub(super) struct Code {
    pub(super) once: Vec<Step>,
    pub(super) rows: Vec<Step>,
    pub(super) lanes: Vec<Step>,
    pub(super) registers: usize,
    pub(super) output: Reg,
    /// Where saved registers stand, in the order of `Setting::saves`.
    pub(super) saved: SmallVec<[Reg; 4]>,
    /// Bytes of a frame.
    pub(super) bytes: usize,
    /// Lanes that a chunk has at most.
    pub(super) width: usize,
    /// Lanes of a row; 0 where the program knows no rows.
    pub(super) row: usize,
    /// Rough work for an element, in additions.
    pub(super) cost: usize,
}

/// The registers of one thread.
pub(super) struct Frame {
    memory: Arena,
    lanes: SmallVec<[*const u8; 24]>,
    rows: SmallVec<[*const u8; 24]>,
    /// What the kernel hands over: reduced values (lanes or rows) and saved rows.
    pub(super) carries: SmallVec<[*const u8; 4]>,
    pub(super) temps: SmallVec<[*const u8; 4]>,
    /// What the instructions that run once found.
    fault: Option<Fault>,
}

pub(super) use compile::{Setting, compile};

impl Code {
    /// A register file, with everything computed that is the same everywhere.
    pub(super) fn frame(&self) -> Frame {
        let mut frame = Frame {
            memory: Arena::new(self.bytes),
            lanes: SmallVec::from_elem(std::ptr::null(), self.registers),
            rows: SmallVec::from_elem(std::ptr::null(), self.registers),
            carries: SmallVec::new(),
            temps: SmallVec::new(),
            fault: None,
        };
        let base = frame.memory.as_mut_ptr();
        for step in &self.once {
            // SAFETY: compile gave every register room for `width` lanes in `bytes` bytes; arguments come first.
            unsafe {
                let room = base.add(step.slot);
                let (at, fault) = step.run(&frame, &frame.lanes, 0, 1, room);
                if let Some(fault) = fault {
                    frame.fault.get_or_insert(fault.1);
                }
                if at != room.cast_const() {
                    std::ptr::copy_nonoverlapping(at, room, step.size);
                }
                spread(room, 1, self.width, step.size, room);
                frame.lanes[step.reg as usize] = room;
                frame.rows[step.reg as usize] = room;
            }
        }
        frame
    }

    /// Computes what depends on the row only, for rows `first..first + count`.
    ///
    /// # Safety
    /// The rows exist, `count` times the row's length (or, with one row, a chunk of it) is at most the width, and
    /// the frame's carries hold `count` values each.
    pub(super) unsafe fn run_rows(&self, frame: &mut Frame, first: usize, count: usize) -> Result<(), Fault> {
        let base = frame.memory.as_mut_ptr();
        let mut fault = None;
        for step in &self.rows {
            // SAFETY: rooms as in `frame`; the arguments were computed before.
            unsafe {
                let (at, failed) = step.run(frame, &frame.rows, first, count, base.add(step.row_slot));
                if let Some((lane, mut failed)) = failed {
                    failed.position = Some((first + lane) * self.row);
                    keep_first(&mut fault, failed);
                }
                let room = base.add(step.slot);
                let each = if count == 1 { self.width.min(self.row.max(1)) } else { self.row };
                spread(at, count, each, step.size, room);
                frame.rows[step.reg as usize] = at;
                frame.lanes[step.reg as usize] = room;
            }
        }
        fault.map_or(Ok(()), Err)
    }

    /// Computes the lanes of positions `start..start + n` and says where the output's are. Where `dest` is given, they
    /// may have been written there.
    ///
    /// # Safety
    /// The positions exist, n <= width, `run_rows` has run for their rows, carries and temps of that rate hold n
    /// lanes, and `dest` has room for n lanes, aligned, which no argument of the output instruction overlaps.
    pub(super) unsafe fn run(
        &self,
        frame: &mut Frame,
        start: usize,
        n: usize,
        dest: Option<*mut u8>,
    ) -> Result<*const u8, Fault> {
        if let Some(fault) = &frame.fault {
            return Err(fault.clone());
        }
        let base = frame.memory.as_mut_ptr();
        let mut fault: Option<Fault> = None;
        let mut live = n;
        for step in &self.lanes {
            // SAFETY: rooms as in `frame`; a register's room is reused only after its last reader.
            unsafe {
                let room = match dest {
                    Some(dest) if step.reg == self.output => dest,
                    _ => base.add(step.slot),
                };
                let (at, failed) = step.run(frame, &frame.lanes, start, live, room);
                frame.lanes[step.reg as usize] = at;
                if let Some((lane, failed)) = failed {
                    // Later instructions may fail at a lower lane: look there, and only there.
                    live = lane;
                    fault = Some(failed);
                    if live == 0 {
                        break;
                    }
                }
            }
        }
        match fault {
            Some(fault) => Err(fault),
            None => Ok(frame.lanes[self.output as usize]),
        }
    }
}

impl Frame {
    /// Where the lanes of a register of the last chunk are.
    pub(super) fn lanes_of(&self, reg: Reg) -> *const u8 {
        self.lanes[reg as usize]
    }
}

/// The fault at the lower position.
pub(super) fn keep_first(slot: &mut Option<Fault>, fault: Fault) {
    if slot.as_ref().is_none_or(|other| fault.position < other.position) {
        *slot = Some(fault);
    }
}

impl Step {
    /// Computes n lanes into `room` or finds them in place. A fault comes with its lane.
    ///
    /// # Safety
    /// As `Code::run`; `registers` holds the arguments.
    #[inline]
    unsafe fn run(
        &self,
        frame: &Frame,
        registers: &[*const u8],
        start: usize,
        n: usize,
        room: *mut u8,
    ) -> (*const u8, Option<(usize, Fault)>) {
        let arg = |i: usize| registers[self.args[i] as usize];
        let by_rows = std::ptr::eq(registers.as_ptr(), frame.rows.as_ptr());
        // SAFETY: the caller's contract.
        let at = unsafe {
            match &self.op {
                Op::Load { lanes, rows } => rows.as_ref().filter(|_| by_rows).unwrap_or(lanes).load(start, n, room),
                Op::Row { body, name } => {
                    let mut args = [std::ptr::null(); 3];
                    for (to, &reg) in args.iter_mut().zip(&self.args) {
                        *to = registers[reg as usize];
                    }
                    let bad = body(&args, room, n);
                    if bad != FINE {
                        return (room, Some((bad, self.fault(FaultKind::Domain { row: name }, start + bad))));
                    }
                    room
                }
                Op::Cast { body, from, to } => {
                    let bad = body(arg(0), room, n);
                    if bad != FINE {
                        let kind = cast::fault(*from, *to, arg(0).add(bad * from.lane().size()));
                        return (room, Some((bad, self.fault(kind, start + bad))));
                    }
                    room
                }
                Op::Const(bytes) => {
                    for i in 0..n {
                        std::ptr::copy_nonoverlapping(bytes.as_ptr(), room.add(i * self.size), self.size);
                    }
                    room
                }
                Op::Position { lanes, rows } => {
                    let (axes, offset) = rows.as_ref().filter(|_| by_rows).unwrap_or(lanes);
                    positions(axes, *offset, start, n, room.cast());
                    room
                }
                Op::Random { body, seed, stream } => {
                    body(*seed, *stream, arg(0).cast(), n, room);
                    room
                }
                Op::Copy => {
                    std::ptr::copy_nonoverlapping(arg(0), room, n * self.size);
                    room
                }
                Op::Carry(i) => self.hand_over(frame.carries[*i], n, room),
                Op::Temp(i) => self.hand_over(frame.temps[*i], n, room),
            }
        };
        if let Some(round) = self.round {
            // SAFETY: n f32 lanes stand in `room`: every operation that rounds has written there.
            unsafe { round(room.cast(), n) };
        }
        (at, None)
    }

    /// Values of the kernel: in place, or in `room` where they are going to be rounded.
    ///
    /// # Safety
    /// As `run`.
    unsafe fn hand_over(&self, from: *const u8, n: usize, room: *mut u8) -> *const u8 {
        if self.round.is_none() {
            return from;
        }
        // SAFETY: the caller's contract.
        unsafe { std::ptr::copy_nonoverlapping(from, room, n * self.size) };
        room
    }

    #[cold]
    fn fault(&self, kind: FaultKind, position: usize) -> Fault {
        Fault { kind, span: self.span, position: Some(position) }
    }
}

/// Repeats each of `count` values `each` times. With one value `to` may be its own place.
///
/// # Safety
/// `from` holds `count` values of `size` bytes, `to` has room for `count * each`, both aligned.
unsafe fn spread(from: *const u8, count: usize, each: usize, size: usize, to: *mut u8) {
    /// # Safety
    /// As `spread`.
    unsafe fn typed<T: Copy>(from: *const u8, count: usize, each: usize, to: *mut u8) {
        for i in 0..count {
            // SAFETY: the caller's contract.
            unsafe {
                let value = from.cast::<T>().add(i).read();
                std::slice::from_raw_parts_mut(to.cast::<T>().add(i * each), each).fill(value);
            }
        }
    }
    // SAFETY: the caller's contract; a c128 is aligned to 8 only.
    unsafe {
        match size {
            1 => typed::<u8>(from, count, each, to),
            2 => typed::<u16>(from, count, each, to),
            4 => typed::<u32>(from, count, each, to),
            8 => typed::<u64>(from, count, each, to),
            _ => typed::<[u64; 2]>(from, count, each, to),
        }
    }
}

/// Room for n lanes of `size` bytes: whole lines, an odd number of them, so that registers do not fall on each other in
/// the cache.
pub(super) fn room(n: usize, size: usize) -> usize {
    (n * size).div_ceil(LINE) * LINE + LINE
}

/// The simplified axes and the offset of a layout, for positions.
pub(super) fn walk(layout: &crate::tensor::Layout) -> (Axes, isize) {
    (simplify(layout), layout.offset)
}

pub(super) fn walks_uniformly(walk: &(Axes, isize)) -> bool {
    is_uniform(&walk.0)
}
