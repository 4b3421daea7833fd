use super::*;
use crate::base::Diag;
use crate::kernel::FaultKind;
use crate::tensor::{Buffer, HostArray, Layout, Scalar, View};
use num_complex::Complex64;

type Values = Vec<Complex64>;

fn array(dtype: DType, shape: &[usize], values: &[Complex64]) -> HostArray {
    let mut bytes = Vec::new();
    values.iter().for_each(|&z| Scalar::Complex(z).write(dtype, &mut bytes));
    let view = View { layout: Layout::contiguous(shape).expect("small"), dtype, conj: false };
    HostArray { buffer: Arc::new(Buffer::from_bytes(&bytes).expect("room")), view }
}

/// The parts of a result as complex numbers.
fn run(prepared: Result<Prepared, Diag>, inputs: &[HostArray]) -> Result<Vec<Values>, FaultKind> {
    let prepared = prepared.expect("shapes fit");
    let mut out = Buffer::zeroed(prepared.size * prepared.dtype.size()).expect("room");
    prepared.call.run(inputs, out.bytes_mut().expect("owned"))?;
    let out = Arc::new(out);
    let part = |p: &Part| {
        let mut layout = Layout::contiguous(&p.shape).expect("small");
        layout.offset = p.offset as isize;
        let size = layout.size();
        let host = HostArray { buffer: out.clone(), view: View { layout, dtype: p.dtype, conj: false } };
        (0..size).map(|i| host.get(i).to_complex()).collect()
    };
    Ok(prepared.parts.iter().map(part).collect())
}

/// Values that look random, complex where the dtype is.
fn noise(dtype: DType, n: usize, seed: f64) -> Values {
    let x = |i: usize| {
        let mixed = (i as u64 + (seed * 1e4) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 40) as f64 / f64::from(1 << 22) - 2.0
    };
    (0..n).map(|i| Complex64::new(x(i), if dtype.is_complex() { x(i + 100_000) } else { 0.0 })).collect()
}

fn product(a: &[Complex64], b: &[Complex64], m: usize, k: usize, n: usize) -> Values {
    (0..m * n).map(|at| (0..k).map(|d| a[at / n * k + d] * b[d * n + at % n]).sum()).collect()
}

fn adjoint(a: &[Complex64], m: usize, n: usize) -> Values {
    (0..m * n).map(|at| a[at % m * n + at / m].conj()).collect()
}

fn eye(n: usize) -> Values {
    (0..n * n).map(|at| Complex64::from(f64::from(u8::from(at / n == at % n)))).collect()
}

#[track_caller]
fn close(got: &[Complex64], want: &[Complex64], dtype: DType) {
    let tolerance = if dtype.real() == DType::F64 { 1e-10 } else { 1e-4 };
    assert_eq!(got.len(), want.len());
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).norm() <= tolerance * (1.0 + w.norm()), "{dtype} at {i}: {g} for {w}\n{got:?}\n{want:?}");
    }
}

const FIELDS: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];

#[test]
fn inverses_and_solutions_undo_products() {
    for dtype in FIELDS {
        for n in [1, 2, 3, 7, 40] {
            let a = noise(dtype, n * n, 0.3);
            let host = array(dtype, &[n, n], &a);
            let inverse = run(inv(&[n, n], dtype), std::slice::from_ref(&host)).expect("regular");
            close(&product(&inverse[0], &a, n, n, n), &eye(n), dtype);
            let x = noise(dtype, n * 2, 9.0);
            let b = array(dtype, &[n, 2], &product(&a, &x, n, n, 2));
            close(&run(solve(&[n, n], &[n, 2], dtype), &[host.clone(), b]).expect("regular")[0], &x, dtype);
            let vector = array(dtype, &[n], &product(&a, &x[..n], n, n, 1));
            close(&run(solve(&[n, n], &[n], dtype), &[host, vector]).expect("regular")[0], &x[..n], dtype);
        }
    }
}

#[test]
fn solve_broadcasts_batches() {
    let dtype = DType::F64;
    let a = noise(dtype, 2 * 9, 0.1);
    let b = noise(dtype, 3, 4.0);
    let got =
        run(solve(&[2, 3, 3], &[3], dtype), &[array(dtype, &[2, 3, 3], &a), array(dtype, &[3], &b)]).expect("regular");
    for i in 0..2 {
        close(&product(&a[i * 9..i * 9 + 9], &got[0][i * 3..i * 3 + 3], 3, 3, 1), &b, dtype);
    }
    let b = noise(dtype, 5 * 3 * 2, 4.0);
    let (x, y) = (array(dtype, &[1, 3, 3], &a[..9]), array(dtype, &[5, 3, 2], &b));
    let prepared = solve(&[1, 3, 3], &[5, 3, 2], dtype);
    assert_eq!(prepared.as_ref().expect("fits").parts[0].shape.as_slice(), [5, 3, 2]);
    let got = run(prepared, &[x, y]).expect("regular");
    for i in 0..5 {
        close(&product(&a[..9], &got[0][i * 6..i * 6 + 6], 3, 3, 2), &b[i * 6..i * 6 + 6], dtype);
    }
}

#[test]
fn determinants() {
    let real = |x: &[f64]| x.iter().map(|&x| Complex64::from(x)).collect::<Values>();
    for dtype in FIELDS {
        let a = real(&[0.0, 2.0, 1.0, 3.0, 0.0, 5.0, 1.0, 1.0, 1.0]);
        let host = array(dtype, &[1, 3, 3], &a);
        // By the rule of Sarrus: 2 * 5 * 1 + 1 * 3 * 1 - 2 * 3 * 1 = 7.
        close(&run(det(&[1, 3, 3], dtype), std::slice::from_ref(&host)).expect("fine")[0], &real(&[7.0]), dtype);
        let got = run(slogdet(&[1, 3, 3], dtype), &[host]).expect("fine");
        close(&got[0], &real(&[1.0]), dtype);
        close(&got[1], &real(&[7.0f64.ln()]), dtype);
        let singular = array(dtype, &[2, 2], &real(&[1.0, 2.0, 2.0, 4.0]));
        close(&run(det(&[2, 2], dtype), std::slice::from_ref(&singular)).expect("fine")[0], &real(&[0.0]), dtype);
        let got = run(slogdet(&[2, 2], dtype), &[singular]).expect("fine");
        assert_eq!((got[0][0].re, got[1][0].re), (0.0, f64::NEG_INFINITY));
        let swapped = array(dtype, &[2, 2], &real(&[0.0, 1.0, 1.0, 0.0]));
        close(&run(slogdet(&[2, 2], dtype), &[swapped]).expect("fine")[0], &real(&[-1.0]), dtype);
    }
    let z = [Complex64::new(1.0, 1.0), 0.0.into(), 0.0.into(), 2.0.into()];
    let got = run(det(&[2, 2], DType::C64), &[array(DType::C64, &[2, 2], &z)]).expect("fine");
    close(&got[0], &[Complex64::new(2.0, 2.0)], DType::C64);
}

#[test]
fn factors_multiply_to_the_matrix() {
    for dtype in FIELDS {
        for (m, n) in [(1, 1), (3, 3), (5, 3), (3, 5), (40, 20), (20, 45), (1, 4), (4, 1)] {
            let (a, k) = (noise(dtype, m * n, 0.7), m.min(n));
            let host = [array(dtype, &[m, n], &a)];
            let f = run(lu(&[m, n], dtype), &host).expect("fine");
            close(&product(&product(&f[0], &f[1], m, m, k), &f[2], m, k, n), &a, dtype);
            for (mode, k) in [(QrMode::Reduced, k), (QrMode::Complete, m)] {
                let f = run(qr(&[m, n], dtype, mode), &host).expect("fine");
                close(&product(&f[0], &f[1], m, k, n), &a, dtype);
                close(&product(&adjoint(&f[0], m, k), &f[0], k, m, k), &eye(k), dtype);
                assert!((0..k * n).all(|at| at / n <= at % n || f[1][at].norm() == 0.0), "r is upper triangular");
            }
            for full in [false, true] {
                let f = run(svd(&[m, n], dtype, full), &host).expect("fine");
                let (left, right) = if full { (m, n) } else { (k, k) };
                let scaled: Values = (0..m * k).map(|at| f[0][at / k * left + at % k] * f[1][at % k]).collect();
                close(&product(&scaled, &f[2][..k * n], m, k, n), &a, dtype);
                close(&product(&adjoint(&f[0], m, left), &f[0], left, m, left), &eye(left), dtype);
                close(&product(&f[2], &adjoint(&f[2], right, n), right, n, right), &eye(right), dtype);
                assert!(f[1].windows(2).all(|s| s[0].re >= s[1].re && s[1].re >= 0.0));
                close(&run(svdvals(&[m, n], dtype), &host).expect("fine")[0], &f[1], dtype);
            }
        }
    }
}

#[test]
fn hermitian_matrices() {
    for dtype in FIELDS {
        for n in [1, 2, 5, 40] {
            let b = noise(dtype, n * n, 2.2);
            let mut a = product(&b, &adjoint(&b, n, n), n, n, n);
            (0..n).for_each(|i| a[i * n + i] += Complex64::from(1.0));
            let mut lower = a.clone();
            // Neither function reads above the diagonal.
            (0..n).for_each(|i| (i + 1..n).for_each(|j| lower[i * n + j] = 77.0.into()));
            let host = [array(dtype, &[n, n], &lower)];
            let l = run(cholesky(&[n, n], dtype), &host).expect("positive");
            close(&product(&l[0], &adjoint(&l[0], n, n), n, n, n), &a, dtype);
            let f = run(eigh(&[n, n], dtype), &host).expect("converges");
            let scaled: Values = (0..n * n).map(|at| f[1][at] * f[0][at % n]).collect();
            close(&product(&scaled, &adjoint(&f[1], n, n), n, n, n), &a, dtype);
            assert!(f[0].windows(2).all(|w| w[0].re <= w[1].re));
            close(&run(eigvalsh(&[n, n], dtype), &host).expect("converges")[0], &f[0], dtype);
        }
    }
}

#[test]
fn least_squares_ranks_and_pseudo_inverses() {
    for dtype in FIELDS {
        let (m, n) = (5, 3);
        let a = noise(dtype, m * n, 0.9);
        let host = array(dtype, &[m, n], &a);
        let inverse = run(pinv(&[m, n], dtype, None), std::slice::from_ref(&host)).expect("fine");
        close(&product(&inverse[0], &a, n, m, n), &eye(n), dtype);
        let x = noise(dtype, n, 5.0);
        let b = array(dtype, &[m], &product(&a, &x, m, n, 1));
        let fit = run(lstsq(&[m, n], &[m], dtype, None), &[host.clone(), b]).expect("fine");
        close(&fit[0], &x, dtype);
        assert!(fit[1].len() == 1 && fit[1][0].re < 1e-8, "{:?}", fit[1]);
        assert_eq!((fit[2][0].re, fit[3].len()), (3.0, 3));
        assert_eq!(run(matrix_rank(&[m, n], dtype, None, None), &[host]).expect("fine")[0], [Complex64::from(3.0)]);
        // Rank 1: the shortest solution is spread evenly.
        let ones = array(dtype, &[2, 2], &[1.0.into(); 4]);
        let b = array(dtype, &[2], &[2.0.into(); 2]);
        let fit = run(lstsq(&[2, 2], &[2], dtype, None), &[ones.clone(), b]).expect("fine");
        close(&fit[0], &[1.0.into(); 2], dtype);
        close(
            &run(pinv(&[2, 2], dtype, None), std::slice::from_ref(&ones)).expect("fine")[0],
            &[0.25.into(); 4],
            dtype,
        );
        assert_eq!(run(matrix_rank(&[2, 2], dtype, None, None), &[ones]).expect("fine")[0], [Complex64::from(1.0)]);
    }
    let line: Values = [1.0, 0.0, 1.0, 1.0, 1.0, 2.0].map(Complex64::from).to_vec();
    let b = array(DType::F64, &[3], &[1.0, 3.0, 6.0].map(Complex64::from));
    let fit = run(lstsq(&[3, 2], &[3], DType::F64, None), &[array(DType::F64, &[3, 2], &line), b]).expect("fine");
    // The line through (0, 1), (1, 3), (2, 6): 5/6 + 5/2 t, with squared distances 1/6.
    close(&fit[0], &[(5.0 / 6.0).into(), 2.5.into()], DType::F64);
    close(&fit[1], &[(1.0 / 6.0).into()], DType::F64);
}

#[test]
fn exponentials_of_matrices() {
    for dtype in FIELDS {
        let turn = [0.0, -2.0, 2.0, 0.0].map(Complex64::from);
        let got = run(expm(&[2, 2], dtype), &[array(dtype, &[2, 2], &turn)]).expect("fine");
        let (c, s) = (2.0f64.cos(), 2.0f64.sin());
        close(&got[0], &[c, -s, s, c].map(Complex64::from), dtype);
        let large = [30.0, 0.0, 0.0, -30.0].map(Complex64::from);
        let got = run(expm(&[2, 2], dtype), &[array(dtype, &[2, 2], &large)]).expect("fine");
        close(&got[0], &[30.0f64.exp(), 0.0, 0.0, (-30.0f64).exp()].map(Complex64::from), dtype);
    }
}

#[test]
fn what_has_no_answer_is_a_complaint() {
    let says = |done: Result<Vec<Values>, FaultKind>| match done {
        Err(FaultKind::Call { message }) => message,
        other => panic!("{other:?}"),
    };
    for dtype in FIELDS {
        let singular = [array(dtype, &[2, 2], &[1.0, 2.0, 2.0, 4.0].map(Complex64::from))];
        assert_eq!(says(run(inv(&[2, 2], dtype), &singular)), "the matrix is singular");
        let zeros = [array(dtype, &[2, 2], &[0.0.into(); 4]), array(dtype, &[2], &[1.0.into(); 2])];
        assert_eq!(says(run(solve(&[2, 2], &[2], dtype), &zeros)), "the matrix is singular");
        let indefinite = [array(dtype, &[2, 2], &[1.0, 2.0, 2.0, 1.0].map(Complex64::from))];
        assert_eq!(says(run(cholesky(&[2, 2], dtype), &indefinite)), "the matrix is not positive definite");
        for bad in [f64::NAN, f64::INFINITY] {
            let host = [array(dtype, &[2, 2], &[1.0, bad, bad, 1.0].map(Complex64::from))];
            for call in
                [svd(&[2, 2], dtype, true), eigh(&[2, 2], dtype), pinv(&[2, 2], dtype, None), svdvals(&[2, 2], dtype)]
            {
                assert_eq!(says(run(call, &host)), "the matrix holds NaN or infinity");
            }
            assert_eq!(says(run(cholesky(&[2, 2], dtype), &host)), "the matrix is not positive definite");
            for call in
                [det(&[2, 2], dtype), inv(&[2, 2], dtype), lu(&[2, 2], dtype), qr(&[2, 2], dtype, QrMode::Reduced)]
            {
                assert!(run(call, &host).expect("NaN, not a fault")[0].iter().all(|z| z.re.is_nan()));
            }
        }
    }
}

#[test]
fn empty_matrices() {
    let one = [Complex64::from(1.0)];
    for dtype in FIELDS {
        let none = |shape: &[usize]| [array(dtype, shape, &[])];
        assert_eq!(run(det(&[0, 0], dtype), &none(&[0, 0])).expect("fine")[0], one);
        assert_eq!(run(slogdet(&[0, 0], dtype), &none(&[0, 0])).expect("fine")[0], one);
        assert_eq!(run(det(&[0, 3, 3], dtype), &none(&[0, 3, 3])).expect("fine")[0], []);
        for (m, n) in [(0, 3), (3, 0), (0, 0)] {
            let f = run(svd(&[m, n], dtype, true), &none(&[m, n])).expect("fine");
            assert_eq!((&f[0], f[1].len(), &f[2]), (&eye(m), 0, &eye(n)));
            let f = run(qr(&[m, n], dtype, QrMode::Complete), &none(&[m, n])).expect("fine");
            assert_eq!((&f[0], f[1].len()), (&eye(m), 0));
            assert_eq!(run(pinv(&[m, n], dtype, None), &none(&[m, n])).expect("fine")[0], []);
            assert_eq!(run(matrix_rank(&[m, n], dtype, None, None), &none(&[m, n])).expect("fine")[0][0].re, 0.0);
            assert_eq!(run(lu(&[m, n], dtype), &none(&[m, n])).expect("fine")[0], eye(m));
        }
        for call in [inv(&[0, 0], dtype), cholesky(&[0, 0], dtype), eigvalsh(&[0, 0], dtype), expm(&[0, 0], dtype)] {
            assert_eq!(run(call, &none(&[0, 0])).expect("fine")[0], []);
        }
        let pair = [array(dtype, &[2, 2], &eye(2)), array(dtype, &[2, 0], &[])];
        assert_eq!(run(solve(&[2, 2], &[2, 0], dtype), &pair).expect("fine")[0], []);
        assert_eq!(run(lstsq(&[2, 2], &[2, 0], dtype, None), &pair).expect("fine")[0], []);
        let pair = [array(dtype, &[0, 2], &[]), array(dtype, &[0], &[])];
        assert_eq!(run(lstsq(&[0, 2], &[0], dtype, None), &pair).expect("fine")[0], [Complex64::from(0.0); 2]);
    }
}

#[test]
fn shapes_that_do_not_fit_are_told_with_their_extents() {
    let code = |r: Result<Prepared, Diag>| r.err().map(|d| d.code);
    assert_eq!(code(inv(&[3, 2], DType::F32)), Some("E0231"));
    assert_eq!(code(det(&[3], DType::F32)), Some("E0201"));
    assert_eq!(code(solve(&[3, 3], &[2], DType::F32)), Some("E0232"));
    assert_eq!(code(solve(&[3, 3], &[], DType::F32)), Some("E0201"));
    assert_eq!(code(solve(&[2, 3, 3], &[4, 3, 1], DType::F32)), Some("E0203"));
    assert_eq!(code(svd(&[3, 3], DType::F16, true)), Some("E0402"));
    assert_eq!(code(transform(Transform::Fft, &[], DType::F32, None, Norm::Backward)), Some("E0201"));
    assert_eq!(code(transform(Transform::Fft, &[0], DType::F32, None, Norm::Backward)), Some("E0233"));
    assert_eq!(code(transform(Transform::Rfft, &[4], DType::C64, None, Norm::Backward)), Some("E0402"));
    assert_eq!(code(svd(&[1 << 40, 1 << 20], DType::F64, true)), Some("E0206"));
}

/// The definition.
fn naive(x: &[Complex64], n: usize, sign: f64) -> Values {
    let turn =
        |k: usize, j: usize| Complex64::from_polar(1.0, sign * std::f64::consts::TAU * ((k * j) % n) as f64 / n as f64);
    (0..n).map(|k| x.iter().take(n).enumerate().map(|(j, z)| z * turn(k, j)).sum()).collect()
}

#[test]
fn transforms_agree_with_the_definition() {
    for dtype in FIELDS {
        for row in [1usize, 2, 3, 8, 13, 30] {
            for n in [None, Some(row + 3), Some(row.div_ceil(2)), Some(7)] {
                for (norm, forward, back) in
                    [(Norm::Backward, 0.0, 1.0), (Norm::Ortho, 0.5, 0.5), (Norm::Forward, 1.0, 0.0)]
                {
                    let x = noise(dtype, 2 * row, 3.0);
                    let host = [array(dtype, &[2, row], &x)];
                    let len = n.unwrap_or(row);
                    let (down, up) = ((len as f64).powf(-forward), (len as f64).powf(-back));
                    let fft = run(transform(Transform::Fft, &[2, row], dtype, n, norm), &host).expect("fine");
                    let ifft = run(transform(Transform::Ifft, &[2, row], dtype, n, norm), &host).expect("fine");
                    for i in 0..2 {
                        let line = &x[i * row..(i + 1) * row];
                        let want: Values = naive(line, len, -1.0).iter().map(|z| z * down).collect();
                        close(&fft[0][i * len..(i + 1) * len], &want, dtype);
                        let inverse: Values = naive(line, len, 1.0).iter().map(|z| z * up).collect();
                        close(&ifft[0][i * len..(i + 1) * len], &inverse, dtype);
                        if !dtype.is_complex() {
                            let half = len / 2 + 1;
                            let rfft = run(transform(Transform::Rfft, &[2, row], dtype, n, norm), &host).expect("fine");
                            close(&rfft[0][i * half..(i + 1) * half], &want[..half], dtype);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn irfft_undoes_rfft() {
    for (real, complex) in [(DType::F32, DType::C64), (DType::F64, DType::C128)] {
        for n in [1, 2, 3, 8, 13] {
            let x = noise(real, n, 1.0);
            let spectrum = run(transform(Transform::Rfft, &[n], real, None, Norm::Ortho), &[array(real, &[n], &x)]);
            let spectrum = spectrum.expect("fine").remove(0);
            let host = array(complex, &[n / 2 + 1], &spectrum);
            let back = transform(Transform::Irfft, &[n / 2 + 1], complex, Some(n), Norm::Ortho);
            assert_eq!(back.as_ref().expect("fits").dtype, real);
            close(&run(back, &[host]).expect("fine")[0], &x, real);
        }
    }
}
