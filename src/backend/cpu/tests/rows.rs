use super::*;
use crate::kernel::{Last, Phase, RowFused};
use crate::op::Monoid;

/// `softmax` as the planner writes it: maximum, then exponentials kept and summed, then the quotient.
fn softmax(shape: &[usize], dtype: DType) -> Kernel {
    let mut first = Builder::default();
    first.load(0, dtype);
    let mut second = Builder::default();
    let x = second.load(0, dtype);
    let most = second.op(InstrOp::Carry(0), &[], dtype);
    let shifted = second.row("subtract", &[x, most], dtype);
    let power = second.row("multiply", &[shifted, shifted], dtype);
    let mut last = Builder::default();
    let kept = last.op(InstrOp::Temp(0), &[], dtype);
    let sum = last.op(InstrOp::Carry(1), &[], dtype);
    last.row("divide", &[kept, sum], dtype);
    let phase = |program, monoid, saves| Phase { program, monoid, acc: dtype, saves };
    Kernel::RowFused(RowFused {
        shape: shape.into(),
        kept: 1,
        phases: vec![phase(first.0, Monoid::Max, vec![]), phase(second.0, Monoid::Sum, vec![(power, 0)])],
        last: Last::Map(last.0),
        temps: vec![dtype],
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn phases_over_rows_of_any_length_and_layout(
        shape in prop::sample::select(vec![
            [1, 1], [7, 3], [200, 16], [3, 1000], [5, 1024], [4, 1025], [3, 5000], [2, 40_000], [0, 5], [3, 0],
        ]),
        lies in (lie(), lie()), seed in any::<u64>(), mapped in any::<bool>(),
    ) {
        let flat = Lie { broadcast: vec![false; 4], ..lies.0 };
        let input = flat.input(DType::F64, &shape, &mut Numbers(seed), false);
        let input = if mapped { unaligned(&input) } else { input };
        let kernel = softmax(&shape, DType::F64);
        let got = run_everywhere(&kernel, std::slice::from_ref(&input), || lies.1.output(DType::F64, &shape)).unwrap();
        for row in 0..shape[0] {
            let values: Vec<f64> =
                (0..shape[1]).map(|i| reference::element(&input, row * shape[1] + i).to_f64()).collect();
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = values.iter().map(|x| (x - most) * (x - most)).sum();
            for (i, x) in values.iter().enumerate() {
                let want = (x - most) * (x - most) / sum;
                let got = got[row * shape[1] + i].to_f64();
                let fine = (got - want).abs() <= 1e-12 * want.abs() || (got.is_nan() && want.is_nan());
                prop_assert!(fine, "row {row}, {i}: {got}, not {want}");
            }
        }
    }
}

/// A last program that runs once a row, with inputs that stand still along rows or everywhere.
#[test]
fn a_last_program_by_row() {
    for shape in [[300, 5], [6, 3000]] {
        let x = Lie::plain().input(DType::F32, &shape, &mut Numbers(2), false);
        let by_row = Lie { broadcast: vec![false, true, false, false], ..Lie::plain() };
        let w = by_row.input(DType::F32, &shape, &mut Numbers(3), false);
        let mut first = Builder::default();
        let (a, b) = (first.load(0, DType::F32), first.load(1, DType::F32));
        first.row("add", &[a, b], DType::F32);
        let mut second = Builder::default();
        second.load(0, DType::F32);
        let mut last = Builder::default();
        let (most, place) = (last.op(InstrOp::Carry(0), &[], DType::F32), last.op(InstrOp::Carry(1), &[], DType::I64));
        let place = last.op(InstrOp::Cast(crate::kernel::CastMode::Wrap), &[place], DType::F32);
        let scale = last.load(1, DType::F32);
        let product = last.row("multiply", &[most, scale], DType::F32);
        last.row("add", &[product, place], DType::F32);
        let phase = |program, monoid, acc| Phase { program, monoid, acc, saves: vec![] };
        let kernel = Kernel::RowFused(RowFused {
            shape: shape[..].into(),
            kept: 1,
            phases: vec![phase(first.0, Monoid::Max, DType::F32), phase(second.0, Monoid::ArgMin, DType::I64)],
            last: Last::Row(last.0),
            temps: vec![],
        });
        let inputs = [x.clone(), w.clone()];
        let got = run_everywhere(&kernel, &inputs, || Lie::plain().output(DType::F32, &shape[..1])).unwrap();
        for (row, got) in got.into_iter().enumerate() {
            let values: Vec<_> = (0..shape[1]).map(|i| reference::element(&x, row * shape[1] + i)).collect();
            let weight = reference::element(&w, row * shape[1]).to_f64();
            let most = values.iter().map(|v| (v.to_f64() + weight) as f32).fold(f32::NEG_INFINITY, f32::max);
            let place = reference::join_all(Monoid::ArgMin, DType::F32, &values).unwrap().to_f64();
            assert_eq!(got, Scalar::Float(f64::from(most * weight as f32 + place as f32)), "row {row}");
        }
    }
}
