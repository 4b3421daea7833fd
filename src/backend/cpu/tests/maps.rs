use super::*;
use crate::kernel::{CastMode, FaultKind, RandomKind};

fn check_map(shape: &[usize], program: &Program, inputs: &[Input], out: &Lie) {
    let dtype = program.dtype();
    let kernel = Kernel::Map { shape: shape.into(), program: program.clone() };
    let got = run_everywhere(&kernel, inputs, || out.output(dtype, shape)).unwrap();
    let want: Vec<_> = (0..shape.iter().product()).map(|i| reference::eval(program, inputs, i, &[]).unwrap()).collect();
    assert_all_same(&got, &want, &format!("{program} over {shape:?}"));
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        6 => prop::collection::vec(prop_oneof![Just(1usize), Just(2), Just(3), Just(7), Just(16)], 0..=4),
        2 => Just(vec![5, 700]),
        2 => Just(vec![1500, 3]),
        1 => Just(vec![0, 3]),
        1 => Just(vec![4096]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_layout_of_any_dtype(
        shape in shapes(), lies in (lie(), lie(), lie()), seed in any::<u64>(),
        dtype in prop::sample::select(&DType::ALL[..]), mapped in any::<bool>(), conj in any::<bool>(),
    ) {
        let mut numbers = Numbers(seed);
        let mut a = lies.0.input(dtype, &shape, &mut numbers, true);
        let b = lies.1.input(dtype, &shape, &mut numbers, true);
        a.view.conj = conj && dtype.is_complex();
        let a = if mapped { unaligned(&a) } else { a };
        let mut p = Builder::default();
        let (x, y) = (p.load(0, dtype), p.load(1, dtype));
        let z = p.row("add", &[x, y], dtype);
        p.row("multiply", &[z, x], dtype);
        check_map(&shape, &p.0, &[a.clone(), b], &lies.2);
        check_map(&shape, &identity(dtype), &[a], &lies.2);
    }

    #[test]
    fn casts_between_any_two_dtypes(
        shape in shapes(), lies in (lie(), lie()), seed in any::<u64>(),
        from in prop::sample::select(&DType::ALL[..]), to in prop::sample::select(&DType::ALL[..]),
    ) {
        let a = lies.0.input(from, &shape, &mut Numbers(seed), false);
        let mut p = Builder::default();
        let x = p.load(0, from);
        p.op(InstrOp::Cast(CastMode::Saturate), &[x], to);
        check_map(&shape, &p.0, &[a], &lies.1);
    }
}

#[test]
fn positions_constants_and_random_numbers() {
    let shape = [3, 5, 400];
    let out = Lie::plain();
    let layout = Layout { shape: shape[..].into(), strides: vec![7, 0, -2].into(), offset: 11 };
    let view = View { layout, dtype: DType::I64, conj: false };
    let place = Input { buffer: Arc::new(Buffer::zeroed(0).unwrap()), view };
    for (kind, dtype) in [
        (RandomKind::Uniform, DType::F32),
        (RandomKind::Uniform, DType::F64),
        (RandomKind::Uniform, DType::F16),
        (RandomKind::Normal, DType::F32),
        (RandomKind::Normal, DType::BF16),
    ] {
        let mut p = Builder::default();
        let at = p.op(InstrOp::Position(0), &[], DType::I64);
        let drawn = p.op(InstrOp::Random { kind, seed: 42, stream: 7 }, &[at], dtype);
        let half = p.constant(Scalar::Float(0.5), dtype);
        p.row("add", &[drawn, half], dtype);
        check_map(&shape, &p.0, std::slice::from_ref(&place), &out);
    }
    let mut p = Builder::default();
    p.constant(Scalar::Int(-3), DType::I16);
    check_map(&shape, &p.0, &[], &out);
}

#[test]
fn narrow_floats_round_after_each_operator() {
    let shape = [3000];
    for dtype in [DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2] {
        let mut numbers = Numbers(5);
        let a = Lie::plain().input(dtype, &shape, &mut numbers, false);
        let b = Lie::plain().input(dtype, &shape, &mut numbers, false);
        let mut p = Builder::default();
        let (x, y) = (p.load(0, dtype), p.load(1, dtype));
        let product = p.row("multiply", &[x, y], dtype);
        let sum = p.row("add", &[product, x], dtype);
        p.row("multiply", &[sum, sum], dtype);
        check_map(&shape, &p.0, &[a, b], &Lie::plain());
    }
}

#[test]
fn a_dying_input_takes_the_result() {
    let shape = [5000];
    for name in ["add", "multiply"] {
        let (a, b) = (
            Lie::plain().input(DType::F32, &shape, &mut Numbers(1), false),
            Lie::plain().input(DType::F32, &shape, &mut Numbers(2), false),
        );
        let mut p = Builder::default();
        let (x, y) = (p.load(0, DType::F32), p.load(1, DType::F32));
        p.row(name, &[x, y], DType::F32);
        let want: Vec<_> = (0..5000).map(|i| reference::eval(&p.0, &[a.clone(), b.clone()], i, &[]).unwrap()).collect();
        let output = Output { buffer: a.buffer.clone(), view: a.view.clone() };
        let kernel = Kernel::Map { shape: shape[..].into(), program: p.0 };
        launch(&Cpu::eager(3), &kernel, &[a, b], &output).unwrap();
        assert_all_same(&values(&output), &want, name);
    }
}

#[test]
fn the_first_fault_is_reported_on_any_number_of_threads() {
    let shape = [40, 1000];
    let mut bytes = Vec::new();
    for i in 0..40_000 {
        let value = if i % 9000 == 8123 { f32::NAN } else { 1.5 };
        bytes.extend(value.to_le_bytes());
    }
    let layout = Layout::contiguous(&shape).unwrap();
    let view = View { layout, dtype: DType::F32, conj: false };
    let a = Input { buffer: Arc::new(Buffer::from_bytes(&bytes).unwrap()), view };
    let mut p = Builder::default();
    let x = p.load(0, DType::F32);
    p.op(InstrOp::Cast(CastMode::Checked), &[x], DType::I16);
    let kernel = Kernel::Map { shape: shape[..].into(), program: p.0 };
    let fault = run_everywhere(&kernel, &[a], || Lie::plain().output(DType::I16, &shape)).unwrap_err();
    assert_eq!(fault.position, Some(8123));
    assert_eq!(fault.kind, FaultKind::Cast { from: DType::F32, to: DType::I16, value: "nan".into() });
}

#[test]
fn the_lowest_lane_of_a_chunk_wins_over_the_order_of_instructions() {
    let ints = |zero: usize| {
        let values: Vec<i64> = (0..100).map(|i| i64::from(i != zero)).collect();
        let view = View { layout: Layout::contiguous(&[100]).unwrap(), dtype: DType::I64, conj: false };
        Input { buffer: Arc::new(Buffer::from_slice(&values).unwrap()), view }
    };
    let mut p = Builder::default();
    let (x, y) = (p.load(0, DType::I64), p.load(1, DType::I64));
    let first = p.row("floor_divide", &[y, x], DType::I64);
    p.row("floor_divide", &[first, y], DType::I64);
    let kernel = Kernel::Map { shape: [100][..].into(), program: p.0 };
    let output = Lie::plain().output(DType::I64, &[100]);
    let fault = launch(&Cpu::new(1), &kernel, &[ints(60), ints(20)], &output).unwrap_err();
    assert_eq!(fault.position, Some(20));
    assert!(matches!(fault.kind, FaultKind::Domain { .. }));
}

#[test]
fn a_set_flag_stops_a_kernel() {
    let a = Lie::plain().input(DType::F32, &[100], &mut Numbers(1), false);
    let output = Lie::plain().output(DType::F32, &[100]);
    let cancel = Cancel::default();
    cancel.set();
    let kernel = Kernel::Map { shape: [100][..].into(), program: identity(DType::F32) };
    for cpu in [Cpu::new(1), Cpu::eager(4)] {
        let fault = cpu.launch(&kernel, std::slice::from_ref(&a), &output, true, &cancel).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Interrupted);
    }
}

#[test]
fn counters_follow_the_counting_rule() {
    let cpu = Cpu::new(1);
    let row = Lie { broadcast: vec![true, false], ..Lie::plain() };
    let a = row.input(DType::F32, &[10, 20], &mut Numbers(1), false);
    let output = Lie::plain().output(DType::F32, &[10, 20]);
    let kernel = Kernel::Map { shape: [10, 20][..].into(), program: identity(DType::F32) };
    cpu.launch(&kernel, &[a], &output, true, &Cancel::default()).unwrap();
    let counted = cpu.counters();
    assert_eq!((counted.launches, counted.copies, counted.bytes_read, counted.bytes_written), (1, 1, 80, 800));
}

#[test]
#[should_panic(expected = "outside its buffer")]
fn a_layout_beyond_its_buffer_is_refused() {
    let mut a = Lie::plain().input(DType::F32, &[10], &mut Numbers(1), false);
    a.view.layout.offset = 2;
    let kernel = Kernel::Map { shape: [10][..].into(), program: identity(DType::F32) };
    let _ = launch(&Cpu::new(1), &kernel, &[a], &Lie::plain().output(DType::F32, &[10]));
}
