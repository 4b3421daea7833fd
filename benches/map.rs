//! How fast programs over lanes run: `cargo bench --bench map [THREADS]`. Medians of 7 runs; bytes as the counting rule
//! counts them.

use std::sync::Arc;
use std::time::Instant;
use tsk::backend::Cpu;
use tsk::base::Span;
use tsk::kernel::{Backend, Cancel, Input, InstrOp, Kernel, Last, Output, Phase, Program, Reg, RowFused, cost};
use tsk::op::{Monoid, map_row};
use tsk::tensor::{Buffer, DType, Layout, Scalar, View};

const F32: DType = DType::F32;
const MANY: usize = 16 << 20;

#[derive(Default)]
struct Builder(Program);

impl Builder {
    fn op(&mut self, op: InstrOp, args: &[Reg]) -> Reg {
        self.0.output = self.0.push(op, args, F32, Span::default());
        self.0.output
    }

    fn load(&mut self, slot: usize) -> Reg {
        self.op(InstrOp::Load(slot), &[])
    }

    /// None while the table has no such row.
    fn row(&mut self, name: &str, args: &[Reg]) -> Option<Reg> {
        Some(self.op(InstrOp::Row(map_row(name)?), args))
    }
}

fn view(layout: Layout) -> View {
    View { layout, dtype: F32, conj: false }
}

fn input(shape: &[usize]) -> Input {
    let layout = Layout::contiguous(shape).expect("small");
    let values: Vec<f32> = (0..layout.size()).map(|i| (i % 1013) as f32 / 506.0 - 1.0).collect();
    Input { buffer: Arc::new(Buffer::from_slice(&values).expect("memory")), view: view(layout) }
}

fn output(shape: &[usize]) -> Output {
    let layout = Layout::contiguous(shape).expect("small");
    Output { buffer: Arc::new(Buffer::zeroed(4 * layout.size()).expect("memory")), view: view(layout) }
}

fn report(cpu: &Cpu, name: &str, kernel: &Kernel, inputs: &[Input], shape: &[usize]) {
    let out = output(shape);
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let start = Instant::now();
            cpu.launch(kernel, inputs, &out, false, &Cancel::default()).expect("no fault");
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let cost = cost::of_launch(kernel, inputs, &out);
    let gigabytes = (cost.read + cost.written) as f64 / 1e9;
    println!("{name:36} {:9.3} ms {:7.2} GB/s", times[3] * 1e3, gigabytes / times[3]);
}

fn reduce(shape: &[usize], kept: usize, program: Program, monoid: Monoid) -> Kernel {
    let program_inputs = program.instrs.len();
    Kernel::Reduce { shape: shape.into(), kept, program, program_inputs, monoid, acc: F32, epilogue: None }
}

fn transposed(input: &Input) -> Input {
    let layout = input.view.layout.transposed();
    Input { buffer: input.buffer.clone(), view: view(layout) }
}

fn reductions(cpu: &Cpu) -> Option<()> {
    let (a, b, c) = (input(&[MANY]), input(&[MANY]), input(&[MANY]));
    let mut p = Builder::default();
    let (x, y, z) = (p.load(0), p.load(1), p.load(2));
    let product = p.row("multiply", &[x, y])?;
    let sum = p.row("add", &[product, z])?;
    let zero = p.op(InstrOp::Const(Scalar::Float(0.0)), &[]);
    p.row("maximum", &[sum, zero])?;
    let kernel = reduce(&[MANY], 0, p.0, Monoid::Sum);
    report(cpu, "sum(relu(a*b + c)) 16M", &kernel, &[a.clone(), b, c], &[]);
    let mut p = Builder::default();
    p.load(0);
    let square = input(&[4096, 4096]);
    for monoid in [Monoid::Sum, Monoid::Max] {
        let name = monoid.name();
        report(cpu, &format!("{name}(a) 16M"), &reduce(&[MANY], 0, p.0.clone(), monoid), std::slice::from_ref(&a), &[]);
        let kernel = reduce(&[4096, 4096], 1, p.0.clone(), monoid);
        report(cpu, &format!("{name}(a, axis=1) 4096²"), &kernel, std::slice::from_ref(&square), &[4096]);
        report(cpu, &format!("{name}(a, axis=0) 4096²"), &kernel, &[transposed(&square)], &[4096]);
    }
    let (tall, wide) = (input(&[1 << 20, 16]), input(&[16, 1 << 20]));
    let kernel = reduce(&[1 << 20, 16], 1, p.0.clone(), Monoid::Sum);
    report(cpu, "sum(a, axis=1) [1M, 16]", &kernel, std::slice::from_ref(&tall), &[1 << 20]);
    report(cpu, "sum(a, axis=0) [16, 1M]", &kernel, &[transposed(&wide)], &[1 << 20]);
    let kernel = reduce(&[16, 1 << 20], 1, p.0, Monoid::Sum);
    report(cpu, "sum(a, axis=0) [1M, 16]", &kernel, &[transposed(&tall)], &[16]);
    Some(())
}

fn maps(cpu: &Cpu) -> Option<()> {
    let (a, b, c) = (input(&[MANY]), input(&[MANY]), input(&[MANY]));
    let shape = [4096, 4096];
    let mut p = Builder::default();
    let (x, y) = (p.load(0), p.load(1));
    p.row("add", &[x, y])?;
    let add = Kernel::Map { shape: shape[..].into(), program: p.0 };
    let square = input(&shape);
    report(cpu, "a + b 4096²", &add, &[square.clone(), input(&shape)], &shape);
    report(cpu, "a + b.T 4096²", &add, &[square.clone(), transposed(&square)], &shape);
    let mut p = Builder::default();
    let (x, y, z) = (p.load(0), p.load(1), p.load(2));
    let tanh = p.row("tanh", &[x])?;
    let product = p.row("multiply", &[tanh, y])?;
    let minus = p.row("negative", &[z])?;
    let exp = p.row("exp", &[minus])?;
    p.row("add", &[product, exp])?;
    let kernel = Kernel::Map { shape: [MANY][..].into(), program: p.0 };
    report(cpu, "tanh(a)*b + exp(-c) 16M", &kernel, &[a, b, c], &[MANY]);
    Some(())
}

fn softmax(cpu: &Cpu, shape: [usize; 2]) -> Option<()> {
    let mut first = Builder::default();
    first.load(0);
    let mut second = Builder::default();
    let (x, most) = (second.load(0), second.op(InstrOp::Carry(0), &[]));
    let shifted = second.row("subtract", &[x, most])?;
    let power = second.row("exp", &[shifted])?;
    let mut last = Builder::default();
    let (kept, sum) = (last.op(InstrOp::Temp(0), &[]), last.op(InstrOp::Carry(1), &[]));
    last.row("divide", &[kept, sum])?;
    let phase = |program, monoid, saves| Phase { program, monoid, acc: F32, saves };
    let kernel = Kernel::RowFused(RowFused {
        shape: shape[..].into(),
        kept: 1,
        phases: vec![phase(first.0, Monoid::Max, vec![]), phase(second.0, Monoid::Sum, vec![(power, 0)])],
        last: Last::Map(last.0),
        temps: vec![F32],
    });
    report(cpu, &format!("softmax(x) {shape:?}"), &kernel, &[input(&shape)], &shape);
    Some(())
}

fn small(cpu: &Cpu) -> Option<()> {
    let (a, b, out) = (input(&[4]), input(&[4]), output(&[4]));
    let mut p = Builder::default();
    let (x, y) = (p.load(0), p.load(1));
    p.row("add", &[x, y])?;
    let kernel = Kernel::Map { shape: [4][..].into(), program: p.0 };
    let inputs = [a, b];
    let (rounds, start) = (200_000, Instant::now());
    for _ in 0..rounds {
        cpu.launch(&kernel, &inputs, &out, false, &Cancel::default()).expect("no fault");
    }
    println!("{:36} {:9.1} ns", "launch of a + b on 4 elements", start.elapsed().as_secs_f64() * 1e9 / rounds as f64);
    Some(())
}

fn main() {
    let threads = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(2);
    let cpu = Cpu::new(threads);
    println!("{threads} threads");
    let done = [small(&cpu), reductions(&cpu), maps(&cpu), softmax(&cpu, [16_384, 1024]), softmax(&cpu, [1 << 20, 16])];
    if done.contains(&None) {
        println!("some rows are not in the table yet");
    }
}
