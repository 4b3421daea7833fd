//! One matrix at a time, by faer on one thread (the same bits on any machine's thread count), with the edges that
//! a library leaves open: empty matrices, NaN and infinity.

use super::field::Field;
use super::matrix::all_finite;
use crate::kernel::FaultKind;
use faer::linalg::solvers::{DenseSolveCore, Llt, PartialPivLu, Qr, SelfAdjointEigen, Solve, Svd};
use faer::{Mat, MatRef, Side};

pub fn complaint(message: &str) -> FaultKind {
    FaultKind::Call { message: message.to_owned() }
}

fn check_finite<T: Field>(a: MatRef<'_, T>) -> Result<(), FaultKind> {
    if all_finite(a) { Ok(()) } else { Err(complaint("the matrix holds NaN or infinity")) }
}

fn all_nan<T: Field>(rows: usize, cols: usize) -> Mat<T> {
    Mat::from_fn(rows, cols, |_, _| T::from_real(f64::NAN))
}

/// `p, l, u` with `a = p l u` and rows as they were permuted.
pub struct Lu<T> {
    factors: PartialPivLu<T>,
    even: bool,
}

impl<T: Field> Lu<T> {
    /// None where the matrix is empty or holds NaN or infinity.
    pub fn new(a: MatRef<'_, T>) -> Option<Lu<T>> {
        if a.nrows() == 0 || a.ncols() == 0 || !all_finite(a) {
            return None;
        }
        let factors = PartialPivLu::new(a);
        let even = is_even(factors.P().arrays().0);
        Some(Lu { factors, even })
    }

    fn pivots(&self) -> impl Iterator<Item = T> + '_ {
        let u = self.factors.U();
        (0..u.nrows().min(u.ncols())).map(move |i| u[(i, i)])
    }

    fn is_singular(&self) -> bool {
        self.pivots().any(|x| x.size() == 0.0)
    }
}

/// Whether a permutation takes an even number of exchanges.
fn is_even(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut even = true;
    for start in 0..permutation.len() {
        let mut at = start;
        let mut length = 0;
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at];
            length += 1;
        }
        even ^= length > 0 && length % 2 == 0;
    }
    even
}

pub fn det<T: Field>(a: MatRef<'_, T>) -> T {
    if a.nrows() == 0 {
        return T::from_real(1.0);
    }
    if a.nrows() == 1 {
        return a[(0, 0)];
    }
    let Some(lu) = Lu::new(a) else { return T::from_real(f64::NAN) };
    let product = lu.pivots().fold(T::from_real(1.0), |product, x| product * x);
    if lu.even { product } else { -product }
}

/// The determinant's sign (on the unit circle, or 0) and the logarithm of its size.
pub fn slogdet<T: Field>(a: MatRef<'_, T>) -> (T, f64) {
    if a.nrows() == 0 {
        return (T::from_real(1.0), 0.0);
    }
    let Some(lu) = Lu::new(a) else { return (T::from_real(f64::NAN), f64::NAN) };
    if lu.is_singular() {
        return (T::from_real(0.0), f64::NEG_INFINITY);
    }
    let start = (T::from_real(if lu.even { 1.0 } else { -1.0 }), 0.0);
    lu.pivots().fold(start, |(sign, log), x| (sign * (x / T::from_real(x.size())), log + x.size().ln()))
}

pub fn inv<T: Field>(a: MatRef<'_, T>) -> Result<Mat<T>, FaultKind> {
    let n = a.nrows();
    match Lu::new(a) {
        None => Ok(all_nan(n, n)),
        Some(lu) if lu.is_singular() => Err(complaint("the matrix is singular")),
        Some(lu) => Ok(lu.factors.inverse()),
    }
}

pub fn solve<T: Field>(a: MatRef<'_, T>, b: MatRef<'_, T>) -> Result<Mat<T>, FaultKind> {
    match Lu::new(a) {
        None => Ok(all_nan(b.nrows(), b.ncols())),
        Some(lu) if lu.is_singular() => Err(complaint("the matrix is singular")),
        Some(_) if b.ncols() == 0 => Ok(Mat::zeros(b.nrows(), 0)),
        Some(lu) => Ok(lu.factors.solve(b)),
    }
}

/// `p, l, u` with `a = p @ l @ u`.
pub fn lu<T: Field>(a: MatRef<'_, T>) -> (Mat<T>, Mat<T>, Mat<T>) {
    let (m, n) = a.shape();
    let k = m.min(n);
    match Lu::new(a) {
        None if k == 0 => (Mat::identity(m, m), Mat::identity(m, k), Mat::zeros(k, n)),
        None => (all_nan(m, m), all_nan(m, k), all_nan(k, n)),
        Some(lu) => {
            let forward = lu.factors.P().arrays().0;
            let p = Mat::from_fn(m, m, |i, j| T::from_real(if forward[j] == i { 1.0 } else { 0.0 }));
            (p, lu.factors.L().to_owned(), lu.factors.U().to_owned())
        }
    }
}

/// The lower factor; only the lower triangle is read.
pub fn cholesky<T: Field>(a: MatRef<'_, T>) -> Result<Mat<T>, FaultKind> {
    let n = a.nrows();
    if n == 0 {
        return Ok(Mat::zeros(0, 0));
    }
    let refused = || complaint("the matrix is not positive definite");
    let lower = Mat::from_fn(n, n, |i, j| if i >= j { a[(i, j)] } else { T::from_real(0.0) });
    if !all_finite(lower.as_ref()) {
        return Err(refused());
    }
    let factor = Llt::new(lower.as_ref(), Side::Lower).map_err(|_| refused())?.L().to_owned();
    if all_finite(factor.as_ref()) { Ok(factor) } else { Err(refused()) }
}

/// `q, r`: q with `k = min(m, n)` columns, or all m where `complete`.
pub fn qr<T: Field>(a: MatRef<'_, T>, complete: bool) -> (Mat<T>, Mat<T>) {
    let (m, n) = a.shape();
    let k = if complete { m } else { m.min(n) };
    if m == 0 || n == 0 {
        return (Mat::identity(m, k), Mat::zeros(k, n));
    }
    if !all_finite(a) {
        return (all_nan(m, k), all_nan(k, n));
    }
    let qr = Qr::new(a);
    let q = if complete { qr.compute_Q() } else { qr.compute_thin_Q() };
    let r = qr.thin_R();
    let r = Mat::from_fn(k, n, |i, j| if i <= j && i < r.nrows() { r[(i, j)] } else { T::from_real(0.0) });
    (q, r)
}

/// Singular values, largest first, with both sides' vectors.
pub struct Triple<T> {
    pub u: Mat<T>,
    pub s: Vec<f64>,
    /// The right vectors as columns: `a = u s v^H`.
    pub v: Mat<T>,
}

pub fn svd<T: Field>(a: MatRef<'_, T>, full: bool) -> Result<Triple<T>, FaultKind> {
    let (m, n) = a.shape();
    let k = m.min(n);
    if k == 0 {
        let side = |extent: usize| Mat::identity(extent, if full { extent } else { 0 });
        return Ok(Triple { u: side(m), s: Vec::new(), v: side(n) });
    }
    check_finite(a)?;
    let svd = if full { Svd::new(a) } else { Svd::new_thin(a) };
    let svd = svd.map_err(|_| complaint("the singular values do not converge"))?;
    let s = svd.S().column_vector();
    let s = (0..k).map(|i| s[i].size()).collect();
    Ok(Triple { u: svd.U().to_owned(), s, v: svd.V().to_owned() })
}

pub fn svdvals<T: Field>(a: MatRef<'_, T>) -> Result<Vec<f64>, FaultKind> {
    if a.nrows() == 0 || a.ncols() == 0 {
        return Ok(Vec::new());
    }
    check_finite(a)?;
    a.singular_values().map_err(|_| complaint("the singular values do not converge"))
}

/// Eigenvalues in rising order with their vectors as columns; only the lower triangle is read.
pub fn eigh<T: Field>(a: MatRef<'_, T>) -> Result<(Vec<f64>, Mat<T>), FaultKind> {
    let n = a.nrows();
    if n == 0 {
        return Ok((Vec::new(), Mat::zeros(0, 0)));
    }
    let whole = hermitian(a);
    check_finite(whole.as_ref())?;
    let eigen = SelfAdjointEigen::new(whole.as_ref(), Side::Lower);
    let eigen = eigen.map_err(|_| complaint("the eigenvalues do not converge"))?;
    let values = eigen.S().column_vector();
    Ok(((0..n).map(|i| faer::traits::ComplexField::real_part_impl(&values[i])).collect(), eigen.U().to_owned()))
}

pub fn eigvalsh<T: Field>(a: MatRef<'_, T>) -> Result<Vec<f64>, FaultKind> {
    if a.nrows() == 0 {
        return Ok(Vec::new());
    }
    let whole = hermitian(a);
    check_finite(whole.as_ref())?;
    whole.self_adjoint_eigenvalues(Side::Lower).map_err(|_| complaint("the eigenvalues do not converge"))
}

/// The lower triangle with its mirror image; the diagonal's imaginary part does not count.
fn hermitian<T: Field>(a: MatRef<'_, T>) -> Mat<T> {
    let n = a.nrows();
    Mat::from_fn(n, n, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Greater => a[(i, j)],
        std::cmp::Ordering::Less => a[(j, i)].conjugate(),
        std::cmp::Ordering::Equal => T::from_real(faer::traits::ComplexField::real_part_impl(&a[(i, i)])),
    })
}

/// What is at most `relative` times the largest singular value counts as zero.
fn kept(s: &[f64], relative: f64) -> usize {
    let limit = s.first().copied().unwrap_or(0.0) * relative;
    s.iter().filter(|&&x| x > limit).count()
}

pub fn rank<T: Field>(a: MatRef<'_, T>, relative: f64, absolute: Option<f64>) -> Result<usize, FaultKind> {
    let s = svdvals(a)?;
    Ok(match absolute {
        Some(limit) => s.iter().filter(|&&x| x > limit).count(),
        None => kept(&s, relative),
    })
}

/// `v diag(1 / s) u^H b` over the singular values that count, and how many they are.
fn apply_inverse<T: Field>(triple: &Triple<T>, b: MatRef<'_, T>, relative: f64) -> (Mat<T>, usize) {
    let rank = kept(&triple.s, relative);
    let (n, k) = (triple.v.nrows(), b.ncols());
    if rank == 0 || k == 0 {
        return (Mat::zeros(n, k), rank);
    }
    let (u, v) = (triple.u.as_ref().subcols(0, rank), triple.v.as_ref().subcols(0, rank));
    let mut inner = u.adjoint() * b;
    for (i, s) in triple.s[..rank].iter().enumerate() {
        for j in 0..k {
            let x = inner[(i, j)];
            inner[(i, j)] = x / T::from_real(*s);
        }
    }
    (v * inner, rank)
}

pub fn pinv<T: Field>(a: MatRef<'_, T>, relative: f64) -> Result<Mat<T>, FaultKind> {
    let eye = Mat::<T>::identity(a.nrows(), a.nrows());
    Ok(apply_inverse(&svd(a, false)?, eye.as_ref(), relative).0)
}

/// A least squares solution, its squared residuals by column, the rank, and the singular values.
pub struct Fit<T> {
    pub x: Mat<T>,
    pub residuals: Vec<f64>,
    pub rank: usize,
    pub s: Vec<f64>,
}

pub fn lstsq<T: Field>(a: MatRef<'_, T>, b: MatRef<'_, T>, relative: f64) -> Result<Fit<T>, FaultKind> {
    check_finite(b)?;
    let triple = svd(a, false)?;
    let (x, rank) = apply_inverse(&triple, b, relative);
    let rest = if a.ncols() == 0 { b.to_owned() } else { b - a * &x };
    let residuals = (0..b.ncols()).map(|j| (0..b.nrows()).map(|i| rest[(i, j)].size().powi(2)).sum::<f64>()).collect();
    Ok(Fit { x, residuals, rank, s: triple.s })
}

/// The matrix exponential by scaling, a Padé approximant of order 13 and squaring (Higham 2005).
pub fn expm<T: Field>(a: MatRef<'_, T>) -> Result<Mat<T>, FaultKind> {
    const B: [f64; 14] = [
        64764752532480000.0,
        32382376266240000.0,
        7771770303897600.0,
        1187353796428800.0,
        129060195264000.0,
        10559470521600.0,
        670442572800.0,
        33522128640.0,
        1323241920.0,
        40840800.0,
        960960.0,
        16380.0,
        182.0,
        1.0,
    ];
    /// The largest 1-norm for which the approximant is exact to f64.
    const THETA: f64 = 5.371920351148152;
    let n = a.nrows();
    if n == 0 {
        return Ok(Mat::zeros(0, 0));
    }
    check_finite(a)?;
    let norm = (0..n).map(|j| (0..n).map(|i| a[(i, j)].size()).sum::<f64>()).fold(0.0, f64::max);
    let squarings = if norm > THETA { (norm / THETA).log2().ceil().min(1100.0) as i32 } else { 0 };
    let scale = 0.5f64.powi(squarings);
    let a = Mat::from_fn(n, n, |i, j| a[(i, j)] * T::from_real(scale));
    let eye = Mat::<T>::identity(n, n);
    let a2 = &a * &a;
    let a4 = &a2 * &a2;
    let a6 = &a4 * &a2;
    let mix = |c: [f64; 4]| {
        let term = |c: f64, m: &Mat<T>, i: usize, j: usize| T::from_real(c) * m[(i, j)];
        Mat::from_fn(n, n, |i, j| {
            term(c[0], &a6, i, j) + term(c[1], &a4, i, j) + term(c[2], &a2, i, j) + term(c[3], &eye, i, j)
        })
    };
    let u = &a * (&a6 * mix([B[13], B[11], B[9], 0.0]) + mix([B[7], B[5], B[3], B[1]]));
    let v = &a6 * mix([B[12], B[10], B[8], 0.0]) + mix([B[6], B[4], B[2], B[0]]);
    let mut result = solve((&v - &u).as_ref(), (&v + &u).as_ref())?;
    for _ in 0..squarings {
        result = &result * &result;
    }
    Ok(result)
}
