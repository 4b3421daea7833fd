use super::reduces::acc_and_result;
use super::*;
use crate::kernel::CastMode;
use crate::op::Monoid;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn running_joins_of_any_layout(
        shape in prop::sample::select(vec![
            vec![5], vec![1], vec![3000], vec![300, 4], vec![2, 40, 30], vec![40, 33], vec![3, 2000], vec![0, 2], vec![2, 0],
        ]),
        lies in (lie(), lie()), seed in any::<u64>(), columns in any::<bool>(),
        monoid in prop::sample::select(&[Monoid::Sum, Monoid::Prod, Monoid::Min, Monoid::Max][..]),
        dtype in prop::sample::select(&DType::ALL[..]),
    ) {
        let nans = !matches!(monoid, Monoid::Sum | Monoid::Prod) && dtype.is_float();
        let mut lie = lies.0;
        if columns {
            lie = Lie { rank: vec![3, 2, 1, 0], ..Lie::plain() };
        }
        let input = lie.input(dtype, &shape, &mut Numbers(seed), nans);
        let (acc, result) = acc_and_result(monoid, dtype);
        let kernel = Kernel::Scan { shape: shape.as_slice().into(), program: identity(dtype), monoid, acc };
        let inputs = std::slice::from_ref(&input);
        let got = run_everywhere(&kernel, inputs, || lies.1.output(result, &shape)).unwrap();
        let length = *shape.last().unwrap();
        for row in 0..shape.iter().product::<usize>() / length.max(1) {
            let mut running: Option<Scalar> = None;
            for i in 0..length {
                let value = reference::element(&input, row * length + i).cast(acc, CastMode::Wrap).unwrap();
                // Sequential and in the accumulator's precision: the very same steps.
                let next = running.map_or(value, |r| reference::rounded(reference::join(monoid, acc, r, value), acc));
                running = Some(next);
                let want = reference::rounded(next, result);
                let got = got[row * length + i];
                // Complex products of the reference round once, those of lanes after each step.
                let near = (got.to_complex() - want.to_complex()).norm() <= 1e-3 * want.to_complex().norm();
                prop_assert!(same(got, want) || (acc.is_complex() && near), "{} {dtype} {row} {i}: {got:?}, not {want:?}", monoid.name());
                if acc.is_complex() && !want.to_complex().norm().is_finite() { break; }
            }
        }
    }
}
