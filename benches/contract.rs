//! Products, in the shapes that programs multiply: GFLOP/s (GB/s for matrix–vector), the best of several runs.

use std::sync::Arc;
use std::time::{Duration, Instant};
use tsk::backend::Cpu;
use tsk::kernel::{Backend, Cancel, Contract, Input, Kernel, Output};
use tsk::tensor::{Buffer, DType, Layout, Scalar, View};

fn input(dtype: DType, shape: &[usize], strides: &[isize]) -> Input {
    let layout = Layout { shape: shape.into(), strides: strides.into(), offset: 0 };
    let count = layout.bounds().map_or(0, |b| b.1 as usize + 1);
    let mut bytes = Vec::with_capacity(count * dtype.size());
    (0..count).for_each(|i| Scalar::Float((i % 13) as f64 - 6.0).write(dtype, &mut bytes));
    let buffer = Arc::new(Buffer::from_bytes(&bytes).expect("room"));
    Input { buffer, view: View { layout, dtype, conj: false } }
}

struct Case {
    name: &'static str,
    dtype: DType,
    batch: usize,
    size: [usize; 3],
    /// Whether k is the fast axis of a, of b.
    fast: [bool; 2],
}

fn measure(cpu: &Cpu, case: &Case) -> Duration {
    let Case { dtype, batch, size: [m, n, k], fast, .. } = *case;
    let operand = |rows: usize, fast: bool| {
        let (row, depth) = if fast { (k as isize, 1) } else { (1, rows as isize) };
        input(dtype, &[batch, rows, k], &[(rows * k) as isize, row, depth])
    };
    let inputs = [operand(m, fast[0]), operand(n, fast[1])];
    let layout = Layout::contiguous(&[batch, m, n]).expect("small");
    let buffer = Arc::new(Buffer::zeroed(batch * m * n * dtype.size()).expect("room"));
    let output = Output { buffer, view: View { layout, dtype, conj: false } };
    let one = |extent: usize| [extent].as_slice().into();
    let acc = dtype.lane();
    let kernel = Kernel::Contract(Contract {
        batch: one(batch),
        m: one(m),
        n: one(n),
        k: one(k),
        acc,
        product: dtype,
        epilogue: None,
    });
    let mut best = Duration::MAX;
    let (start, mut runs) = (Instant::now(), 0);
    while runs < 3 || start.elapsed() < Duration::from_millis(400) {
        let begin = Instant::now();
        cpu.launch(&kernel, &inputs, &output, false, &Cancel::default()).expect("no fault");
        best = best.min(begin.elapsed());
        runs += 1;
    }
    best
}

fn main() {
    let case = |name, dtype, batch, size, fast| Case { name, dtype, batch, size, fast };
    use DType::{BF16, C128, F16, F32, F64, I32, I64};
    let cases = [
        case("f32 1024^3 plain", F32, 1, [1024, 1024, 1024], [true, false]),
        case("f32 1024^3 a @ b.T", F32, 1, [1024, 1024, 1024], [true, true]),
        case("f32 1024^3 a.T @ b", F32, 1, [1024, 1024, 1024], [false, false]),
        case("f64 1024^3 plain", F64, 1, [1024, 1024, 1024], [true, false]),
        case("c128 512^3 plain", C128, 1, [512, 512, 512], [true, false]),
        case("f16 1024^3 plain", F16, 1, [1024, 1024, 1024], [true, false]),
        case("bf16 1024^3 a @ b.T", BF16, 1, [1024, 1024, 1024], [true, true]),
        case("i32 512^3 plain", I32, 1, [512, 512, 512], [true, false]),
        case("i64 512^3 plain", I64, 1, [512, 512, 512], [true, false]),
        case("f32 64 x 128^3", F32, 64, [128, 128, 128], [true, false]),
        case("f32 2000 x 16^3", F32, 2000, [16, 16, 16], [true, false]),
        case("f32 8^3", F32, 1, [8, 8, 8], [true, false]),
        case("f32 64^3", F32, 1, [64, 64, 64], [true, false]),
        case("f32 64x64x1M", F32, 1, [64, 64, 1 << 20], [false, false]),
        case("f32 4096 matvec rows", F32, 1, [4096, 1, 4096], [true, true]),
        case("f32 4096 matvec columns", F32, 1, [4096, 1, 4096], [false, true]),
        case("f16 4096 matvec rows", F16, 1, [4096, 1, 4096], [true, true]),
        case("f32 16M dot", F32, 1, [1, 1, 1 << 24], [true, true]),
    ];
    for threads in [1, std::thread::available_parallelism().map_or(1, |n| n.get())] {
        let cpu = Cpu::new(threads);
        println!("{threads} thread(s)");
        for case in &cases {
            let seconds = measure(&cpu, case).as_secs_f64();
            let [m, n, k] = case.size;
            let flops = 2.0 * (case.batch * m * n * k) as f64 / seconds / 1e9;
            let bytes = (case.batch * (m * k + n * k) * case.dtype.size()) as f64 / seconds / 1e9;
            println!("{:26} {:9.1} us {flops:8.2} GFLOP/s {bytes:7.2} GB/s read", case.name, seconds * 1e6);
        }
    }
}
