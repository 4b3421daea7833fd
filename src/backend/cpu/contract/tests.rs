use crate::backend::Cpu;
use crate::base::Span;
use crate::kernel::{Backend, Cancel, CastMode, Contract, Fault, FaultKind, Input, InstrOp, Kernel, Output, Program};
use crate::op::map_row;
use crate::tensor::{Buffer, DType, HostArray, Layout, Scalar, Shape, View};
use num_complex::Complex64;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Small integers (and halves for floats): exact in every dtype.
fn value(dtype: DType, i: usize) -> Scalar {
    let x = (i.wrapping_mul(7919) >> 3) % 7;
    match dtype {
        DType::Bool => Scalar::Bool(x < 2),
        d if d.is_complex() => Scalar::Complex(Complex64::new(x as f64 - 3.0, (i % 5) as f64 - 2.0)),
        d if d.is_float() => Scalar::Float((x as f64 - 3.0) / 2.0),
        _ => Scalar::Int(x as i64 - 3),
    }
}

fn filled(dtype: DType, elements: usize) -> Arc<Buffer> {
    let mut bytes = Vec::new();
    for i in 0..elements {
        value(dtype, i).write(dtype, &mut bytes);
    }
    Arc::new(Buffer::from_bytes(&bytes).expect("room"))
}

/// Room for everything that `layout` reaches, the layout being moved so that its lowest element is at 3.
fn input(dtype: DType, shape: &[usize], strides: &[isize], conj: bool) -> Input {
    let mut layout = Layout { shape: shape.into(), strides: strides.into(), offset: 0 };
    let (low, high) = layout.bounds().unwrap_or((0, 0));
    layout.offset = 3 - low;
    Input { buffer: filled(dtype, (high - low) as usize + 4), view: View { layout, dtype, conj } }
}

fn contiguous(shape: &[usize]) -> Vec<isize> {
    Layout::contiguous(shape).expect("small").strides.to_vec()
}

fn output(dtype: DType, layout: Layout) -> Output {
    let high = layout.bounds().map_or(0, |b| b.1) as usize + 1;
    let buffer = Buffer::zeroed(high * dtype.size()).expect("room");
    Output { buffer: Arc::new(buffer), view: View { layout, dtype, conj: false } }
}

fn acc(dtype: DType) -> DType {
    dtype.lane()
}

fn contract(batch: &[usize], m: &[usize], n: &[usize], k: &[usize], dtype: DType) -> Contract {
    Contract {
        batch: batch.into(),
        m: m.into(),
        n: n.into(),
        k: k.into(),
        acc: acc(dtype),
        product: dtype,
        epilogue: None,
    }
}

fn run(c: &Contract, a: &Input, b: &Input, out: &Output, threads: usize) -> Result<(), Fault> {
    let kernel = Kernel::Contract(c.clone());
    Cpu::new(threads).launch(&kernel, &[a.clone(), b.clone()], out, false, &Cancel::default())
}

fn host(input: &Input) -> HostArray {
    HostArray { buffer: input.buffer.clone(), view: input.view.clone() }
}

fn result(out: &Output) -> HostArray {
    HostArray { buffer: out.buffer.clone(), view: out.view.clone() }
}

/// Three loops over scalars.
fn naive(c: &Contract, a: &Input, b: &Input) -> Vec<Scalar> {
    let size = |s: &Shape| s.iter().product::<usize>();
    let (batch, m, n, k) = (size(&c.batch), size(&c.m), size(&c.n), size(&c.k));
    let (a, b) = (host(a), host(b));
    let mut out = Vec::new();
    for at in 0..batch * m * n {
        let (t, i, j) = (at / (m * n), at / n % m, at % n);
        let pairs = (0..k).map(|d| (a.get((t * m + i) * k + d), b.get((t * n + j) * k + d)));
        let sum = if c.product == DType::Bool {
            Scalar::Bool(pairs.fold(false, |s, (x, y)| s | (x.truthy() & y.truthy())))
        } else if c.product.is_int() {
            let sum = |s: i64, (x, y): (Scalar, Scalar)| {
                s.wrapping_add(x.to_i64_wrapping().wrapping_mul(y.to_i64_wrapping()))
            };
            Scalar::Int(pairs.fold(0, sum))
        } else {
            Scalar::Complex(pairs.fold(Complex64::default(), |s, (x, y)| s + x.to_complex() * y.to_complex()))
        };
        let mut bytes = Vec::new();
        sum.write(c.product, &mut bytes);
        out.push(Scalar::read(c.product, &bytes));
    }
    out
}

/// Values are small, so that f32 sums are exact whatever the order.
fn check(c: &Contract, a: &Input, b: &Input, layout: Option<Layout>) {
    let shape: Vec<usize> = c.batch.iter().chain(&c.m).chain(&c.n).copied().collect();
    let layout = layout.unwrap_or_else(|| Layout::contiguous(&shape).expect("small"));
    let out = output(c.product, layout);
    run(c, a, b, &out, 2).expect("no fault");
    let (got, want) = (result(&out), naive(c, a, b));
    for (i, want) in want.iter().enumerate() {
        assert_eq!(got.get(i), *want, "at {i} of {c:?}\n{:?}\n{:?}", a.view, b.view);
    }
}

#[test]
fn every_dtype_in_odd_layouts() {
    let (m, n, k) = (5, 7, 6);
    let a_strides: [[isize; 2]; 6] = [[6, 1], [1, 5], [-6, 1], [12, 2], [0, 1], [7, -1]];
    let b_strides: [[isize; 2]; 6] = [[6, 1], [1, 7], [6, -1], [1, 0], [0, 0], [-18, 3]];
    for dtype in DType::ALL {
        let c = contract(&[], &[m], &[n], &[k], dtype);
        for a in a_strides {
            for b in b_strides {
                for conj in [false, true] {
                    if conj && !dtype.is_complex() {
                        continue;
                    }
                    check(&c, &input(dtype, &[m, k], &a, conj), &input(dtype, &[n, k], &b, conj), None);
                }
            }
        }
    }
}

#[test]
fn every_dtype_where_tiles_end_amid_the_extents() {
    for dtype in DType::ALL {
        let (batch, m, n, k) = (2, 70, 67, 70);
        let c = contract(&[batch], &[m], &[n], &[k], dtype);
        let a = input(dtype, &[batch, m, k], &contiguous(&[batch, m, k]), false);
        let b = input(dtype, &[batch, n, k], &[(n * k) as isize, 1, n as isize], false);
        check(&c, &a, &b, None);
    }
}

#[test]
fn axis_groups_that_do_not_merge() {
    // A convolution's windows: k runs over channel, row and column of a [2, 3, 9, 8] image, m over the 7 x 6 places.
    for dtype in [DType::F32, DType::F16, DType::I32, DType::C64, DType::Bool] {
        let c = contract(&[2], &[7, 6], &[4], &[3, 3, 3], dtype);
        let a = input(dtype, &[2, 7, 6, 3, 3, 3], &[216, 8, 1, 72, 8, 1], false);
        let b = input(dtype, &[2, 4, 3, 3, 3], &[0, 27, 9, 3, 1], false);
        check(&c, &a, &b, None);
        // Written as [batch, n, m…]: the output is permuted.
        let layout =
            Layout { shape: [2, 7, 6, 4].as_slice().into(), strides: [168, 6, 1, 42].as_slice().into(), offset: 0 };
        check(&c, &a, &b, Some(layout));
        let stepped =
            Layout { shape: [2, 7, 6, 4].as_slice().into(), strides: [500, -70, 11, 2].as_slice().into(), offset: 420 };
        check(&c, &a, &b, Some(stepped));
    }
}

#[test]
fn matrix_times_vector_in_every_orientation() {
    for dtype in DType::ALL {
        let (rows, k) = (37, 41);
        for strides in [[41, 1], [1, 37], [-41, 1], [82, 2], [0, 1], [1, 0], [-1, 37]] {
            let matrix = input(dtype, &[rows, k], &strides, false);
            for step in [1, -2, 0] {
                let vector = input(dtype, &[1, k], &[5, step], false);
                check(&contract(&[], &[rows], &[1], &[k], dtype), &matrix, &vector, None);
                check(&contract(&[], &[1], &[rows], &[k], dtype), &vector, &matrix, None);
            }
        }
        let (x, y) = (input(dtype, &[k], &[1], false), input(dtype, &[k], &[-1], false));
        check(&contract(&[], &[], &[], &[k], dtype), &x, &y, None);
        check(&contract(&[], &[4, 3], &[], &[k], dtype), &input(dtype, &[4, 3, k], &[3, 1, 12], false), &y, None);
    }
}

#[test]
fn empty_axes_give_zeros_or_nothing() {
    for dtype in DType::ALL {
        for (m, n) in [(3, 2), (3, 1), (1, 1), (0, 2)] {
            let c = contract(&[2], &[m], &[n], &[0], dtype);
            let a = input(dtype, &[2, m, 0], &contiguous(&[2, m, 0]), false);
            let b = input(dtype, &[2, n, 0], &contiguous(&[2, n, 0]), false);
            let out = output(dtype, Layout::contiguous(&[2, m, n]).expect("small"));
            let mut dirty = Buffer::zeroed(out.buffer.len()).expect("room");
            dirty.bytes_mut().expect("owned").fill(1);
            let out = Output { buffer: Arc::new(dirty), view: out.view };
            run(&c, &a, &b, &out, 2).expect("no fault");
            for i in 0..2 * m * n {
                assert_eq!(result(&out).get(i).to_complex(), Complex64::default(), "{dtype}");
            }
        }
    }
}

fn bits(c: &Contract, a: &Input, b: &Input, threads: usize) -> Vec<u8> {
    let shape: Vec<usize> = c.batch.iter().chain(&c.m).chain(&c.n).copied().collect();
    let out = output(c.product, Layout::contiguous(&shape).expect("small"));
    run(c, a, b, &out, threads).expect("no fault");
    out.buffer.bytes().to_vec()
}

/// Values whose sums round.
fn rough(dtype: DType, shape: &[usize], strides: &[isize]) -> Input {
    let input = input(dtype, shape, strides, false);
    let mut bytes = Vec::new();
    for i in 0..input.buffer.len() / dtype.size() {
        let x = ((i as f64) * 0.7366).sin();
        Scalar::Complex(Complex64::new(x, -x * x)).write(dtype, &mut bytes);
    }
    Input { buffer: Arc::new(Buffer::from_bytes(&bytes).expect("room")), view: input.view }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let sizes: [(usize, usize, usize, usize); 7] = [
        (1, 130, 140, 150),
        (3, 65, 64, 33),
        (1, 20, 30, 20_000),
        (1, 1, 1, 300_000),
        (1, 2000, 1, 300),
        (1, 1, 500, 3000),
        (50, 8, 9, 10),
    ];
    for dtype in [DType::F32, DType::F64, DType::F16, DType::C64, DType::C128] {
        for (batch, m, n, k) in sizes {
            let c = contract(&[batch], &[m], &[n], &[k], dtype);
            let a = rough(dtype, &[batch, m, k], &contiguous(&[batch, m, k]));
            let b = rough(dtype, &[batch, n, k], &[(n * k) as isize, 1, n as isize]);
            let one = bits(&c, &a, &b, 1);
            for threads in [2, 16] {
                assert!(bits(&c, &a, &b, threads) == one, "{dtype} {:?} on {threads} threads", (batch, m, n, k));
            }
        }
    }
}

#[test]
fn sums_are_as_accurate_as_promised() {
    for (m, n) in [(1, 1), (3, 1), (2, 3)] {
        for k in [100_000, 40_000] {
            let c = contract(&[], &[m], &[n], &[k], DType::F32);
            let a = rough(DType::F32, &[m, k], &contiguous(&[m, k]));
            let b = rough(DType::F32, &[n, k], &[1, n as isize]);
            let out = output(DType::F32, Layout::contiguous(&[m, n]).expect("small"));
            run(&c, &a, &b, &out, 2).expect("no fault");
            let exact = Contract { acc: DType::F64, product: DType::F64, ..c.clone() };
            for (i, want) in naive(&exact, &a, &b).into_iter().enumerate() {
                let (got, want) = (result(&out).get(i).to_f64(), want.to_f64());
                // Relative to the sum of the sizes of the terms, about k / 2.
                assert!((got - want).abs() / (k as f64) < 2e-7, "{m} {n} {k}: {got} against {want}");
            }
        }
    }
}

#[test]
fn half_precision_accumulates_in_f32_and_rounds_once() {
    let c = contract(&[], &[4], &[1], &[300], DType::F16);
    let put = |x: f64, shape: &[usize]| {
        let mut bytes = Vec::new();
        (0..shape.iter().product()).for_each(|_: usize| Scalar::Float(x).write(DType::F16, &mut bytes));
        let layout = Layout::contiguous(shape).expect("small");
        let buffer = Arc::new(Buffer::from_bytes(&bytes).expect("room"));
        Input { buffer, view: View { layout, dtype: DType::F16, conj: false } }
    };
    let out = output(DType::F16, Layout::contiguous(&[4, 1]).expect("small"));
    run(&c, &put(0.1, &[4, 300]), &put(1.0, &[1, 300]), &out, 1).expect("no fault");
    // 300 times the f16 next to 0.1 is 29.99267…, whose nearest f16 is 30.
    assert_eq!(result(&out).get(3), Scalar::Float(30.0));
}

#[test]
fn infinity_and_nan_spread_as_in_numpy() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::C64] {
        for (m, n, k) in [(1, 1, 3), (4, 1, 3), (4, 5, 3), (70, 70, 3), (4, 5, 2), (4, 5, 1)] {
            let fill = |rows: usize, special: f64, other: f64| {
                let mut bytes = Vec::new();
                for i in 0..rows * k {
                    Scalar::Float(if i % k == 0 { special } else { other }).write(dtype, &mut bytes);
                }
                let layout = Layout::contiguous(&[rows, k]).expect("small");
                let buffer = Arc::new(Buffer::from_bytes(&bytes).expect("room"));
                Input { buffer, view: View { layout, dtype, conj: false } }
            };
            let c = contract(&[], &[m], &[n], &[k], dtype);
            for (x, y) in [(0.0, f64::INFINITY), (f64::NAN, 0.0), (f64::INFINITY, 0.0)] {
                let out = output(dtype, Layout::contiguous(&[m, n]).expect("small"));
                run(&c, &fill(m, x, 1.0), &fill(n, y, 1.0), &out, 2).expect("no fault");
                for i in 0..m * n {
                    assert!(result(&out).get(i).to_f64().is_nan(), "{dtype} {m} {n} {k}: {x} times {y}");
                }
            }
        }
    }
}

#[test]
fn a_large_product_stops_at_once() {
    let n = 4096;
    let c = contract(&[], &[n], &[n], &[n], DType::F32);
    let zeros = |strides: [isize; 2]| Input {
        buffer: Arc::new(Buffer::zeroed(n * n * 4).expect("room")),
        view: View {
            layout: Layout { shape: [n, n].as_slice().into(), strides: strides.as_slice().into(), offset: 0 },
            dtype: DType::F32,
            conj: false,
        },
    };
    let (a, b) = (zeros([n as isize, 1]), zeros([1, n as isize]));
    let out = output(DType::F32, Layout::contiguous(&[n, n]).expect("small"));
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let watch = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        stop.set();
        Instant::now()
    });
    let done = Cpu::new(2).launch(&Kernel::Contract(c), &[a, b], &out, false, &cancel);
    let ended = Instant::now();
    let set = watch.join().expect("fine");
    assert_eq!(done.map_err(|f| f.kind), Err(FaultKind::Interrupted));
    // 100 ms is the promise; the machine that runs tests may be busy.
    assert!(ended - set < Duration::from_millis(400), "{:?}", ended - set);
}

/// `maximum(product + input 2, 0)` in the product's dtype.
fn bias_and_relu(dtype: DType) -> Program {
    let mut program = Program::default();
    let span = Span::default();
    let (add, maximum) = (map_row("add").expect("a row"), map_row("maximum").expect("a row"));
    let carry = program.push(InstrOp::Carry(0), &[], dtype, span);
    let bias = program.push(InstrOp::Load(2), &[], dtype, span);
    let sum = program.push(InstrOp::Row(add), &[carry, bias], dtype, span);
    let zero = program.push(InstrOp::Const(Scalar::Float(0.0)), &[], dtype, span);
    program.output = program.push(InstrOp::Row(maximum), &[sum, zero], dtype, span);
    program
}

#[test]
fn epilogues_run_over_finished_tiles() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        for (m, n, k) in [(3, 4, 5), (130, 70, 33), (2000, 1, 3), (1, 3000, 2), (3, 2, 40_000)] {
            let plain = contract(&[2], &[m], &[n], &[k], dtype);
            let a = input(dtype, &[2, m, k], &contiguous(&[2, m, k]), false);
            let b = input(dtype, &[2, n, k], &[0, 1, n as isize], false);
            let bias = input(dtype, &[2, m, n], &[0, 0, 1], false);
            let fused = Contract { epilogue: Some(bias_and_relu(dtype)), ..plain.clone() };
            let out = output(dtype, Layout::contiguous(&[2, m, n]).expect("small"));
            let inputs = [a.clone(), b.clone(), bias.clone()];
            Cpu::new(2).launch(&Kernel::Contract(fused), &inputs, &out, false, &Cancel::default()).expect("no fault");
            let (got, bias) = (result(&out), host(&bias));
            for (i, sum) in naive(&plain, &a, &b).into_iter().enumerate() {
                let mut bytes = Vec::new();
                Scalar::Float((sum.to_f64() + bias.get(i).to_f64()).max(0.0)).write(dtype, &mut bytes);
                assert_eq!(got.get(i), Scalar::read(dtype, &bytes), "{dtype} {m} {n} {k} at {i}");
            }
        }
    }
}

#[test]
fn the_first_fault_of_an_epilogue_is_reported_whatever_the_tiles() {
    let (m, n) = (300, 300);
    let mut program = Program::default();
    let carry = program.push(InstrOp::Carry(0), &[], DType::F32, Span::default());
    program.output = program.push(InstrOp::Cast(CastMode::Checked), &[carry], DType::I64, Span::default());
    let c = Contract { epilogue: Some(program), ..contract(&[], &[m], &[n], &[1], DType::F32) };
    let column = |bad: usize, len: usize| {
        let values: Vec<f32> = (0..len).map(|i| if i >= bad { f32::NAN } else { 1.0 }).collect();
        let layout = Layout::contiguous(&[len, 1]).expect("small");
        let buffer = Arc::new(Buffer::from_slice(&values).expect("room"));
        Input { buffer, view: View { layout, dtype: DType::F32, conj: false } }
    };
    // Row 290 is all NaN and so is column 280: the first fault is in row 0.
    let out = output(DType::I64, Layout::contiguous(&[m, n]).expect("small"));
    for threads in [1, 2, 16] {
        let fault = run(&c, &column(290, m), &column(280, n), &out, threads).expect_err("NaN is no i64");
        assert_eq!(fault.position, Some(280), "{threads} threads");
    }
}

#[test]
fn any_byte_but_zero_is_true() {
    let c = contract(&[], &[3], &[2], &[2], DType::Bool);
    let bytes = |values: &[u8], rows: usize| Input {
        buffer: Arc::new(Buffer::from_bytes(values).expect("room")),
        view: View { layout: Layout::contiguous(&[rows, 2]).expect("small"), dtype: DType::Bool, conj: false },
    };
    let (a, b) = (bytes(&[1, 2, 0, 4, 0, 0], 3), bytes(&[2, 1, 0, 8], 2));
    check(&c, &a, &b, None);
    let out = output(DType::Bool, Layout::contiguous(&[3, 2]).expect("small"));
    run(&c, &a, &b, &out, 1).expect("no fault");
    assert_eq!(out.buffer.bytes(), [1, 1, 1, 1, 0, 0]);
}
