use super::*;
use crate::kernel::{CastMode, FaultKind};
use crate::op::Monoid;

const MONOIDS: [Monoid; 10] = [
    Monoid::Sum,
    Monoid::Prod,
    Monoid::Min,
    Monoid::Max,
    Monoid::FMin,
    Monoid::FMax,
    Monoid::Or,
    Monoid::And,
    Monoid::ArgMin,
    Monoid::ArgMax,
];

/// The accumulator that the graph asks for, and the dtype of the result.
pub(super) fn acc_and_result(monoid: Monoid, dtype: DType) -> (DType, DType) {
    match monoid {
        Monoid::Or | Monoid::And => (DType::Bool, DType::Bool),
        Monoid::ArgMin | Monoid::ArgMax => (DType::I64, DType::I64),
        Monoid::Sum | Monoid::Prod => match dtype {
            DType::Bool | DType::I8 | DType::I16 | DType::I32 => (DType::I64, DType::I64),
            DType::U8 | DType::U16 | DType::U32 => (DType::U64, DType::U64),
            d => (d.lane(), d),
        },
        _ => (dtype.lane(), dtype),
    }
}

/// Loads input 0; any and all look at its truth.
pub(super) fn prologue(monoid: Monoid, dtype: DType) -> Program {
    let mut p = Builder::default();
    let x = p.load(0, dtype);
    if matches!(monoid, Monoid::Or | Monoid::And) {
        p.op(InstrOp::Cast(CastMode::Wrap), &[x], DType::Bool);
    }
    p.0
}

fn close(got: Scalar, want: Scalar, scale: f64, dtype: DType) -> bool {
    if same(got, want) {
        return true;
    }
    let allowed = scale
        * match dtype {
            DType::F64 | DType::C128 => 1e-13,
            DType::F32 | DType::C64 => 1e-6,
            DType::F16 => 1e-3,
            DType::BF16 => 1e-2,
            DType::F8E4M3 | DType::F8E5M2 => 0.2,
            _ => 0.0,
        };
    let difference = got.to_complex() - want.to_complex();
    difference.re.abs() <= allowed && difference.im.abs() <= allowed
}

fn check(shape: &[usize], kept: usize, monoid: Monoid, input: &Input, out: &Lie) {
    let dtype = input.view.dtype;
    let (acc, result) = acc_and_result(monoid, dtype);
    let program = prologue(monoid, dtype);
    let kernel = Kernel::Reduce {
        shape: shape.into(),
        kept,
        program: program.clone(),
        program_inputs: 1,
        monoid,
        acc,
        epilogue: None,
    };
    let inputs = std::slice::from_ref(input);
    let got = run_everywhere(&kernel, inputs, || out.output(result, &shape[..kept])).unwrap();
    let length: usize = shape[kept..].iter().product();
    for (i, &got) in got.iter().enumerate() {
        let values: Vec<_> =
            (0..length).map(|j| reference::eval(&program, inputs, i * length + j, &[]).unwrap()).collect();
        // Wide, so that the reference itself does not round.
        let wide = if acc.is_complex() {
            DType::C128
        } else if acc.is_float() {
            DType::F64
        } else {
            acc
        };
        // A product that leaves the range on the way depends on the order; that is no fault.
        let exponents = values.iter().map(|v| v.to_complex().norm().log2().abs()).filter(|e| e.is_finite());
        if monoid == Monoid::Prod && !acc.is_int() && exponents.sum::<f64>() > 100.0 {
            continue;
        }
        let Some(want) = reference::join_all(monoid, wide, &values) else { continue };
        let want = want.cast(result, CastMode::Wrap).unwrap();
        let scale = match monoid {
            Monoid::Sum => values.iter().map(|v| v.to_complex().norm()).sum::<f64>().max(1.0),
            Monoid::Prod => want.to_complex().norm().max(1e-300) * 10.0,
            _ => 0.0,
        };
        assert!(
            close(got, want, scale, result),
            "{} of {dtype} {shape:?} kept {kept} {:?}: element {i} is {got:?}, not {want:?}",
            monoid.name(),
            input.view.layout,
        );
    }
}

fn shapes() -> impl Strategy<Value = (Vec<usize>, usize)> {
    let dims = prop::collection::vec(prop_oneof![Just(1usize), Just(2), Just(3), Just(5), Just(17)], 0..=4);
    let large = prop::sample::select(vec![
        vec![3, 1500],
        vec![1500, 3],
        vec![2, 70, 40],
        vec![300, 20],
        vec![7, 900],
        vec![4, 0],
        vec![0, 4],
        vec![2000, 2],
        vec![150, 40],
    ]);
    prop_oneof![dims, large].prop_flat_map(|shape| {
        let axes = shape.len();
        (Just(shape), 0..=axes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_monoid_dtype_and_layout(
        (shape, kept) in shapes(), lies in (lie(), lie()), seed in any::<u64>(), mapped in any::<bool>(),
        monoid in prop::sample::select(&MONOIDS[..]), dtype in prop::sample::select(&DType::ALL[..]),
    ) {
        let nans = !matches!(monoid, Monoid::Sum | Monoid::Prod) && dtype.is_float();
        let input = lies.0.input(dtype, &shape, &mut Numbers(seed), nans);
        let input = if mapped { unaligned(&input) } else { input };
        check(&shape, kept, monoid, &input, &lies.1);
    }
}

#[test]
fn every_monoid_of_every_dtype_in_both_modes() {
    for monoid in MONOIDS {
        for dtype in DType::ALL {
            let nans = !matches!(monoid, Monoid::Sum | Monoid::Prod) && dtype.is_float();
            let columns = Lie { rank: vec![1, 0, 2, 3], ..Lie::plain() };
            for lie in [Lie::plain(), columns] {
                let input = lie.input(dtype, &[6, 50], &mut Numbers(9), nans);
                check(&[6, 50], 1, monoid, &input, &Lie::plain());
            }
        }
    }
}

/// Large enough for several tiles, in rows, in few columns and in many.
#[test]
fn large_reductions_use_their_trees() {
    let columns = Lie { rank: vec![1, 0, 2, 3], ..Lie::plain() };
    for monoid in [Monoid::Sum, Monoid::Max, Monoid::ArgMin] {
        for (lie, shape) in [
            (Lie::plain(), [1, 200_000]),
            (Lie::plain(), [3, 70_000]),
            (columns.clone(), [3, 150_000]),
            (columns.clone(), [64, 9000]),
            (columns.clone(), [1100, 300]),
        ] {
            let input = lie.input(DType::F32, &shape, &mut Numbers(3), monoid != Monoid::Sum);
            check(&shape, 1, monoid, &input, &Lie::plain());
        }
    }
}

#[test]
fn sums_of_f32_are_right_to_a_millionth() {
    let columns = Lie { rank: vec![1, 0, 2, 3], ..Lie::plain() };
    for (lie, kept) in [(Lie::plain(), 1), (columns.clone(), 2), (columns.clone(), 33), (columns, 200)] {
        let shape = [kept, 100_000];
        let (layout, count) = lie.layout(&shape, false);
        let mut numbers = Numbers(11);
        let data: Vec<f32> = (0..count).map(|_| (numbers.next() % 1_000_003) as f32 / 1_000_003.0 + 0.1).collect();
        let view = View { layout, dtype: DType::F32, conj: false };
        let input = Input { buffer: Arc::new(Buffer::from_slice(&data).unwrap()), view };
        let kernel = Kernel::Reduce {
            shape: shape[..].into(),
            kept: 1,
            program: identity(DType::F32),
            program_inputs: 1,
            monoid: Monoid::Sum,
            acc: DType::F32,
            epilogue: None,
        };
        let output = Lie::plain().output(DType::F32, &[kept]);
        launch(&Cpu::new(1), &kernel, std::slice::from_ref(&input), &output).unwrap();
        for (i, got) in values(&output).into_iter().enumerate() {
            let want: f64 = (0..100_000).map(|j| reference::element(&input, i * 100_000 + j).to_f64()).sum();
            assert!((got.to_f64() / want - 1.0).abs() < 1e-6, "{kept} columns: {got:?}, not {want}");
        }
    }
}

#[test]
fn nothing_sums_to_zero_and_multiplies_to_one() {
    for (monoid, want) in [(Monoid::Sum, 0.0), (Monoid::Prod, 1.0)] {
        let input = Lie::plain().input(DType::F16, &[5, 0], &mut Numbers(1), false);
        let kernel = Kernel::Reduce {
            shape: [5, 0][..].into(),
            kept: 1,
            program: identity(DType::F16),
            program_inputs: 1,
            monoid,
            acc: DType::F32,
            epilogue: None,
        };
        let got = run_everywhere(&kernel, &[input], || Lie::plain().output(DType::F16, &[5])).unwrap();
        assert_eq!(got, vec![Scalar::Float(want); 5]);
        assert!(got.iter().all(|x| x.to_f64().is_sign_positive()));
    }
}

/// `mean` of squares plus a bias along the kept axis, in rows and in columns.
#[test]
fn epilogues_get_the_joined_value_and_kept_inputs() {
    let columns = Lie { rank: vec![1, 0, 2, 3], ..Lie::plain() };
    for (lie, shape) in [(Lie::plain(), [7, 3000]), (columns.clone(), [7, 3000]), (columns, [400, 90])] {
        let x = lie.input(DType::F64, &shape, &mut Numbers(4), false);
        let bias = Lie::plain().input(DType::F64, &shape[..1], &mut Numbers(5), false);
        let mut square = Builder::default();
        let a = square.load(0, DType::F64);
        square.row("multiply", &[a, a], DType::F64);
        let mut after = Builder::default();
        let sum = after.op(InstrOp::Carry(0), &[], DType::F64);
        let scale = after.constant(Scalar::Float(1.0 / shape[1] as f64), DType::F64);
        let mean = after.row("multiply", &[sum, scale], DType::F64);
        let other = after.load(1, DType::F64);
        after.row("add", &[mean, other], DType::F64);
        let kernel = Kernel::Reduce {
            shape: shape[..].into(),
            kept: 1,
            program: square.0,
            program_inputs: 1,
            monoid: Monoid::Sum,
            acc: DType::F64,
            epilogue: Some(after.0),
        };
        let inputs = [x.clone(), bias.clone()];
        let got = run_everywhere(&kernel, &inputs, || Lie::plain().output(DType::F64, &shape[..1])).unwrap();
        for (i, got) in got.into_iter().enumerate() {
            let squares = (0..shape[1]).map(|j| reference::element(&x, i * shape[1] + j).to_f64().powi(2));
            let want = squares.sum::<f64>() / shape[1] as f64 + reference::element(&bias, i).to_f64();
            assert!((got.to_f64() - want).abs() < 1e-12 * want.abs(), "{got:?}, not {want}");
        }
    }
}

#[test]
fn a_fault_in_a_reduction_is_the_first_in_row_major_order() {
    let columns = Lie { rank: vec![1, 0, 2, 3], ..Lie::plain() };
    let shape = [50, 4000];
    let (layout, count) = columns.layout(&shape, false);
    let mut data = vec![1.0f64; count];
    for at in [3 * 4000 + 17, 2 * 4000 + 3999, 40 * 4000] {
        data[layout.offset_of(at) as usize] = 1e30;
    }
    let view = View { layout, dtype: DType::F64, conj: false };
    let input = Input { buffer: Arc::new(Buffer::from_slice(&data).unwrap()), view };
    let mut p = Builder::default();
    let x = p.load(0, DType::F64);
    p.op(InstrOp::Cast(CastMode::Checked), &[x], DType::I32);
    let kernel = Kernel::Reduce {
        shape: shape[..].into(),
        kept: 1,
        program: p.0,
        program_inputs: 1,
        monoid: Monoid::Sum,
        acc: DType::I64,
        epilogue: None,
    };
    let fault = run_everywhere(&kernel, &[input], || Lie::plain().output(DType::I64, &[50])).unwrap_err();
    assert_eq!(fault.position, Some(2 * 4000 + 3999));
    assert_eq!(fault.kind, FaultKind::Cast { from: DType::F64, to: DType::I32, value: "1e30".into() });
}
