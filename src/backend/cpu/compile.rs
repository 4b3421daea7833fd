//! Making a program ready for a launch: rates, loads, rooms for registers.

use super::access::{Source, permuted};
use super::cast::cast_fn;
use super::exec::{CHUNK, Code, Op, Rate, Step, room, walk, walks_uniformly};
use super::narrow::round_fn;
use super::random::draw_fn;
use crate::base::Span;
use crate::kernel::{Fault, FaultKind, Input, Instr, InstrOp, Output, Program, RandomKind, Reg};
use crate::op::MapRow;
use crate::op::lanes::LaneFn;
use crate::tensor::{CastMode, DType, Layout, Scalar};
use smallvec::SmallVec;
use std::sync::Arc;

/// The setting in which a program runs.
pub(super) struct Setting<'a> {
    pub(super) inputs: &'a [Input],
    /// Order in which the iteration walks the axes; None for the order they have.
    pub(super) order: Option<&'a [usize]>,
    /// Outer axes (in that order) that make a row apart, and the length of a row; None without rows.
    pub(super) kept: Option<(usize, usize)>,
    /// Positions of the iteration.
    pub(super) size: usize,
    /// Whether carries differ from lane to lane.
    pub(super) carry: Rate,
    /// Dtype that the output shall have.
    pub(super) target: DType,
    /// Registers wanted besides the output.
    pub(super) saves: &'a [(Reg, usize)],
    /// The destination, where the output instruction may write straight into it.
    pub(super) output: Option<&'a Output>,
}

/// What is known of a register while compiling.
#[derive(Clone, Copy)]
struct Register {
    rate: Rate,
    /// The register that holds the same lanes.
    alias: Reg,
    wanted: bool,
}

/// Makes `program` ready.
///
/// Errors: Domain where a row has no body for its dtype, which its rule should have kept out.
pub(super) fn compile(program: &Program, setting: &Setting) -> Result<Code, Fault> {
    let mut instrs: SmallVec<[Instr; 8]> = program.instrs.iter().cloned().collect();
    let mut output = program.output;
    let have = instrs.get(output as usize).map_or(setting.target, |i| i.dtype);
    if have != setting.target {
        let span = instrs.get(output as usize).map_or(Span::default(), |i| i.span);
        let op = InstrOp::Cast(CastMode::Wrap);
        instrs.push(Instr { op, args: [output][..].into(), dtype: setting.target, span });
        output = (instrs.len() - 1) as Reg;
    }
    let mut registers = wanted(&instrs, output, setting.saves);
    let mut steps: SmallVec<[(Rate, Step); 8]> = SmallVec::new();
    let mut cost = 0;
    for (i, instr) in instrs.iter().enumerate() {
        if !registers[i].wanted {
            continue;
        }
        let args: SmallVec<[Reg; 3]> = instr.args.iter().map(|&a| registers[a as usize].alias).collect();
        let rate = args.iter().map(|&a| registers[a as usize].rate).max().unwrap_or(Rate::Once);
        let Some((op, own)) = prepare(instr, &instrs, setting)? else {
            registers[i].alias = args[0];
            registers[i].rate = rate;
            continue;
        };
        let rate = rate.max(own);
        registers[i].rate = rate;
        cost += if rate == Rate::Lane { weight(&instr.op) } else { 0 };
        let round = if matches!(op, Op::Load { .. } | Op::Const(_)) { None } else { round_fn(instr.dtype) };
        let size = instr.dtype.lane().size();
        steps.push((rate, Step { op, args, reg: i as Reg, size, slot: 0, row_slot: 0, round, span: instr.span }));
    }
    let output = registers[output as usize].alias;
    protect_in_place(&mut steps, output, setting);
    let width = CHUNK.min(setting.size.max(1));
    let saved: SmallVec<[Reg; 4]> = setting.saves.iter().map(|&(reg, _)| registers[reg as usize].alias).collect();
    let kept: SmallVec<[Reg; 4]> = saved.iter().copied().chain([output]).collect();
    let bytes = allocate(&mut steps, &kept, width);
    let mut code = Code {
        once: Vec::new(),
        rows: Vec::new(),
        lanes: Vec::new(),
        registers: instrs.len(),
        output,
        saved,
        bytes,
        width,
        row: setting.kept.map_or(0, |(_, row)| row),
        cost: cost.max(1),
    };
    for (rate, step) in steps {
        match rate {
            Rate::Once => code.once.push(step),
            Rate::Row => code.rows.push(step),
            Rate::Lane => code.lanes.push(step),
        }
    }
    Ok(code)
}

/// Marks what the output and the saved registers need.
fn wanted(instrs: &[Instr], output: Reg, saves: &[(Reg, usize)]) -> SmallVec<[Register; 16]> {
    let mut registers: SmallVec<[Register; 16]> =
        (0..instrs.len()).map(|i| Register { rate: Rate::Once, alias: i as Reg, wanted: false }).collect();
    for reg in saves.iter().map(|s| s.0).chain([output]) {
        registers[reg as usize].wanted = true;
    }
    for (i, instr) in instrs.iter().enumerate().rev() {
        if registers[i].wanted {
            instr.args.iter().for_each(|&a| registers[a as usize].wanted = true);
        }
    }
    registers
}

/// The operation of an instruction and the rate that it has of its own; None where it changes no lane.
fn prepare(instr: &Instr, instrs: &[Instr], setting: &Setting) -> Result<Option<(Op, Rate)>, Fault> {
    Ok(Some(match &instr.op {
        InstrOp::Const(value) => (Op::Const(lane_bytes(*value, instr.dtype)), Rate::Once),
        InstrOp::Load(slot) => load(&setting.inputs[*slot], setting),
        InstrOp::Position(slot) => position(&setting.inputs[*slot].view.layout, setting),
        InstrOp::Row(row) => (Op::Row { body: body(row, instr, instrs)?, name: row.doc.name }, Rate::Once),
        InstrOp::Cast(mode) => {
            let from = instrs[instr.args[0] as usize].dtype;
            match cast_fn(from, instr.dtype, *mode) {
                Some(body) => (Op::Cast { body, from, to: instr.dtype }, Rate::Once),
                None if round_fn(instr.dtype).is_some() && from != instr.dtype => (Op::Copy, Rate::Once),
                None => return Ok(None),
            }
        }
        InstrOp::Random { kind, seed, stream } => match draw_fn(*kind, instr.dtype) {
            Some(body) => (Op::Random { body, seed: *seed, stream: *stream }, Rate::Once),
            None => return Err(broken("random", instr.span)),
        },
        InstrOp::Carry(i) => (Op::Carry(*i), setting.carry),
        InstrOp::Temp(i) => (Op::Temp(*i), Rate::Lane),
    }))
}

/// What no program should hold; said as a fault, so that nothing breaks.
fn broken(row: &'static str, span: Span) -> Fault {
    Fault { kind: FaultKind::Domain { row }, span, position: None }
}

fn body(row: &'static MapRow, instr: &Instr, instrs: &[Instr]) -> Result<LaneFn, Fault> {
    let dtypes: SmallVec<[DType; 3]> = instr.args.iter().map(|&a| instrs[a as usize].dtype).collect();
    (row.lanes)(&dtypes).ok_or_else(|| broken(row.doc.name, instr.span))
}

fn lane_bytes(value: Scalar, dtype: DType) -> [u8; 16] {
    let mut stored = Vec::with_capacity(16);
    value.write(dtype, &mut stored);
    if dtype != dtype.lane() {
        let rounded = Scalar::read(dtype, &stored);
        stored.clear();
        rounded.write(dtype.lane(), &mut stored);
    }
    let mut bytes = [0; 16];
    bytes[..stored.len()].copy_from_slice(&stored);
    bytes
}

/// The layout as the iteration walks it.
fn ordered(layout: &Layout, setting: &Setting) -> Layout {
    setting.order.map_or_else(|| layout.clone(), |order| permuted(layout, order))
}

/// The kept axes of a layout, where it does not move along the others.
fn along_rows(layout: &Layout, setting: &Setting) -> Option<Layout> {
    let (kept, _) = setting.kept?;
    let still = layout.shape[kept..].iter().zip(&layout.strides[kept..]).all(|(&n, &s)| n == 1 || s == 0);
    let (shape, strides) = (layout.shape[..kept].into(), layout.strides[..kept].into());
    still.then_some(Layout { shape, strides, offset: layout.offset })
}

fn load(input: &Input, setting: &Setting) -> (Op, Rate) {
    let layout = ordered(&input.view.layout, setting);
    let lanes = Source::new(input, &layout);
    if lanes.is_uniform() {
        return (Op::Load { lanes, rows: None }, Rate::Once);
    }
    let rows = along_rows(&layout, setting).map(|layout| Source::new(input, &layout));
    let rate = if rows.is_some() { Rate::Row } else { Rate::Lane };
    (Op::Load { lanes, rows }, rate)
}

fn position(layout: &Layout, setting: &Setting) -> (Op, Rate) {
    let layout = ordered(layout, setting);
    let lanes = walk(&layout);
    if walks_uniformly(&lanes) {
        return (Op::Position { lanes, rows: None }, Rate::Once);
    }
    let rows = along_rows(&layout, setting).map(|layout| walk(&layout));
    let rate = if rows.is_some() { Rate::Row } else { Rate::Lane };
    (Op::Position { lanes, rows }, rate)
}

/// Rough work for an element, in additions.
fn weight(op: &InstrOp) -> usize {
    match op {
        InstrOp::Random { kind: RandomKind::Normal, .. } => 40,
        InstrOp::Random { .. } => 15,
        InstrOp::Row(row) => usize::from(row.cost).max(1),
        InstrOp::Cast(_) => 2,
        _ => 1,
    }
}

/// An input that lies where the output goes must not be read in place by the instruction that writes there.
fn protect_in_place(steps: &mut [(Rate, Step)], output: Reg, setting: &Setting) {
    let Some(destination) = setting.output else { return };
    let readers = steps.iter().find(|(_, step)| step.reg == output).map(|(_, step)| step.args.clone());
    for (_, step) in steps {
        if let Op::Load { lanes, .. } = &mut step.op
            && readers.as_ref().is_some_and(|args| args.contains(&step.reg))
            && setting.inputs.iter().any(|i| Arc::ptr_eq(&i.buffer, &destination.buffer))
        {
            lanes.forbid_direct();
        }
    }
}

/// Gives each register its room: those of chunks are used again once their last reader has run.
fn allocate(steps: &mut [(Rate, Step)], kept: &[Reg], width: usize) -> usize {
    let size = steps.iter().map(|(_, step)| step.size).max().unwrap_or(1);
    let room = room(width, size);
    let mut next = 0;
    let mut fresh = || {
        next += room;
        next - room
    };
    let mut free: SmallVec<[usize; 8]> = SmallVec::new();
    let last_use: SmallVec<[Option<usize>; 16]> = steps
        .iter()
        .map(|(_, step)| {
            let reader = steps.iter().rposition(|(_, other)| other.args.contains(&step.reg));
            if kept.contains(&step.reg) { None } else { reader }
        })
        .collect();
    for i in 0..steps.len() {
        let slot = if steps[i].0 == Rate::Lane { free.pop().unwrap_or_else(&mut fresh) } else { fresh() };
        steps[i].1.slot = slot;
        if steps[i].0 == Rate::Row {
            steps[i].1.row_slot = fresh();
        }
        for j in 0..i {
            if steps[j].0 == Rate::Lane && last_use[j] == Some(i) {
                free.push(steps[j].1.slot);
            }
        }
    }
    next
}
