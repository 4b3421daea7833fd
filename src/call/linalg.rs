//! The functions of linear algebra as calls: shapes first, then one matrix of the batch after another.

use super::decompose::{self, Fit};
use super::field::{Field, epsilon};
use super::matrix::{Writer, read};
use super::{Part, Prepared, lay_out};
use crate::base::Diag;
use crate::kernel::{FaultKind, Opaque};
use crate::tensor::{DType, HostArray, Layout, Scalar, Shape, broadcast_shapes};
use num_complex::Complex64;
use std::sync::Arc;

/// What `qr` returns: `k = min(m, n)` columns of q, all m of them, or r alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QrMode {
    Reduced,
    Complete,
    R,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Det,
    Slogdet,
    Inv,
    Solve,
    Lu,
    Cholesky,
    Qr(QrMode),
    Svd { full: bool },
    Svdvals,
    Eigh,
    Eigvalsh,
    Rank { relative: f64, absolute: Option<f64> },
    Pinv { relative: f64 },
    Lstsq { relative: f64 },
    Expm,
}

/// One function on batches of matrices; the second input, where there is one, broadcasts against the first.
#[derive(Debug)]
struct Linalg {
    what: What,
    /// Extents of the leading axes of the results.
    batch: Shape,
    /// Rows and columns of the first input's matrices.
    matrix: (usize, usize),
    /// Columns of the second input's matrices.
    columns: usize,
    /// For each input, how its batch axes lie against `batch` (in matrices).
    inputs: Vec<Layout>,
    dtype: DType,
    parts: Vec<Part>,
}

impl Opaque for Linalg {
    fn name(&self) -> &str {
        match self.what {
            What::Det => "det",
            What::Slogdet => "slogdet",
            What::Inv => "inv",
            What::Solve => "solve",
            What::Lu => "lu",
            What::Cholesky => "cholesky",
            What::Qr(_) => "qr",
            What::Svd { .. } => "svd",
            What::Svdvals => "svdvals",
            What::Eigh => "eigh",
            What::Eigvalsh => "eigvalsh",
            What::Rank { .. } => "matrix_rank",
            What::Pinv { .. } => "pinv",
            What::Lstsq { .. } => "lstsq",
            What::Expm => "expm",
        }
    }

    fn key(&self) -> String {
        format!("{:?} {:?} {:?} {} {:?} {}", self.what, self.batch, self.matrix, self.columns, self.inputs, self.dtype)
    }

    fn run(&self, inputs: &[HostArray], out: &mut [u8]) -> Result<(), FaultKind> {
        if self.dtype.is_complex() { self.compute::<Complex64>(inputs, out) } else { self.compute::<f64>(inputs, out) }
    }
}

impl Linalg {
    fn compute<T: Field>(&self, inputs: &[HostArray], out: &mut [u8]) -> Result<(), FaultKind> {
        let mut writer = Writer::new(out, &self.parts);
        let (rows, cols) = self.matrix;
        let batch: usize = self.batch.iter().product();
        for index in 0..batch {
            let a = read::<T>(&inputs[0], self.inputs[0].offset_of(index) as usize, rows, cols);
            let b = match (inputs.get(1), self.inputs.get(1)) {
                (Some(b), Some(layout)) => Some(read::<T>(b, layout.offset_of(index) as usize, rows, self.columns)),
                _ => None,
            };
            self.one(&mut writer, index, a.as_ref(), b.as_ref().map(|b| b.as_ref()))?;
        }
        Ok(())
    }

    /// Computes one matrix of the batch and writes its results.
    fn one<T: Field>(
        &self,
        to: &mut Writer<'_>,
        index: usize,
        a: faer::MatRef<'_, T>,
        b: Option<faer::MatRef<'_, T>>,
    ) -> Result<(), FaultKind> {
        match (self.what, b) {
            (What::Det, _) => to.put(0, index, decompose::det(a).scalar()),
            (What::Slogdet, _) => {
                let (sign, log) = decompose::slogdet(a);
                to.put(0, index, sign.scalar());
                to.put(1, index, Scalar::Float(log));
            }
            (What::Inv, _) => to.matrix(0, index, decompose::inv(a)?.as_ref()),
            (What::Solve, Some(b)) => to.matrix(0, index, decompose::solve(a, b)?.as_ref()),
            (What::Lu, _) => {
                let (p, l, u) = decompose::lu(a);
                to.matrix(0, index, p.as_ref());
                to.matrix(1, index, l.as_ref());
                to.matrix(2, index, u.as_ref());
            }
            (What::Cholesky, _) => to.matrix(0, index, decompose::cholesky(a)?.as_ref()),
            (What::Qr(mode), _) => {
                let (q, r) = decompose::qr(a, mode == QrMode::Complete);
                if mode != QrMode::R {
                    to.matrix(0, index, q.as_ref());
                }
                to.matrix(usize::from(mode != QrMode::R), index, r.as_ref());
            }
            (What::Svd { full }, _) => {
                let triple = decompose::svd(a, full)?;
                to.matrix(0, index, triple.u.as_ref());
                to.reals(1, index, &triple.s);
                let vh = faer::Mat::from_fn(triple.v.ncols(), triple.v.nrows(), |i, j| triple.v[(j, i)].conjugate());
                to.matrix(2, index, vh.as_ref());
            }
            (What::Svdvals, _) => to.reals(0, index, &decompose::svdvals(a)?),
            (What::Eigh, _) => {
                let (values, vectors) = decompose::eigh(a)?;
                to.reals(0, index, &values);
                to.matrix(1, index, vectors.as_ref());
            }
            (What::Eigvalsh, _) => to.reals(0, index, &decompose::eigvalsh(a)?),
            (What::Rank { relative, absolute }, _) => {
                let rank = decompose::rank(a, relative, absolute)?;
                to.put(0, index, Scalar::Int(rank as i64));
            }
            (What::Pinv { relative }, _) => to.matrix(0, index, decompose::pinv(a, relative)?.as_ref()),
            (What::Lstsq { relative }, Some(b)) => {
                let Fit { x, residuals, rank, s } = decompose::lstsq(a, b, relative)?;
                to.matrix(0, index, x.as_ref());
                to.reals(1, index, &residuals);
                to.put(2, index, Scalar::Int(rank as i64));
                to.reals(3, index, &s);
            }
            (What::Expm, _) => to.matrix(0, index, decompose::expm(a)?.as_ref()),
            (What::Solve | What::Lstsq { .. }, None) => return Err(decompose::complaint("the right side is missing")),
        }
        Ok(())
    }
}

/// Batch axes and the last two extents.
fn split(name: &str, shape: &[usize]) -> Result<(Shape, usize, usize), Diag> {
    match shape {
        [batch @ .., m, n] => Ok((batch.into(), *m, *n)),
        _ => Err(Diag::new("E0201", format!("{name} takes matrices: a tensor of at least two axes"))
            .note(format!("the shape is {shape:?}"))),
    }
}

fn square(name: &str, shape: &[usize]) -> Result<(Shape, usize), Diag> {
    let (batch, m, n) = split(name, shape)?;
    if m == n {
        return Ok((batch, n));
    }
    Err(Diag::new("E0231", format!("{name} takes square matrices"))
        .note(format!("these have {m} rows and {n} columns")))
}

fn check_dtype(name: &str, dtype: DType) -> Result<(), Diag> {
    match dtype {
        DType::F32 | DType::F64 | DType::C64 | DType::C128 => Ok(()),
        other => Err(Diag::new("E0402", format!("{name} computes in f32, f64, c64 or c128, not in {other}"))
            .hint("convert first: `astype(x, f32)`")),
    }
}

fn too_large(name: &str) -> Diag {
    Diag::new("E0206", format!("the result of {name} is too large"))
}

fn joined(batch: &[usize], rest: &[usize]) -> Shape {
    batch.iter().chain(rest).copied().collect()
}

/// A call with one input.
fn one_input(
    what: What,
    name: &str,
    shape: &[usize],
    dtype: DType,
    output: DType,
    results: &[(Shape, DType)],
) -> Result<Prepared, Diag> {
    check_dtype(name, dtype)?;
    let (batch, m, n) = split(name, shape)?;
    let (parts, size) = lay_out(output, results).ok_or_else(|| too_large(name))?;
    let inputs = vec![Layout::contiguous(&batch).map_err(|fault| fault.diag())?];
    let call = Linalg { what, batch, matrix: (m, n), columns: 0, inputs, dtype, parts: parts.clone() };
    Ok(Prepared { call: Arc::new(call), dtype: output, size, parts })
}

/// Determinants: `[…, n, n]` to `[…]`.
pub fn det(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (batch, _) = square("det", shape)?;
    one_input(What::Det, "det", shape, dtype, dtype, &[(batch, dtype)])
}

/// Sign and logarithm of the size of determinants (the logarithm is real).
pub fn slogdet(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (batch, _) = square("slogdet", shape)?;
    one_input(What::Slogdet, "slogdet", shape, dtype, dtype, &[(batch.clone(), dtype), (batch, dtype.real())])
}

/// Inverses. Singular matrices are a fault of the call.
pub fn inv(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    square("inv", shape)?;
    one_input(What::Inv, "inv", shape, dtype, dtype, &[(shape.into(), dtype)])
}

/// `p, l, u` with `a = p @ l @ u`.
pub fn lu(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (batch, m, n) = split("lu", shape)?;
    let k = m.min(n);
    let results = [[m, m], [m, k], [k, n]].map(|s| (joined(&batch, &s), dtype));
    one_input(What::Lu, "lu", shape, dtype, dtype, &results)
}

/// Lower factors `l` with `a = l @ l.H`; the upper triangle is not read.
pub fn cholesky(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    square("cholesky", shape)?;
    one_input(What::Cholesky, "cholesky", shape, dtype, dtype, &[(shape.into(), dtype)])
}

/// `q, r`, or r alone.
pub fn qr(shape: &[usize], dtype: DType, mode: QrMode) -> Result<Prepared, Diag> {
    let (batch, m, n) = split("qr", shape)?;
    let k = if mode == QrMode::Complete { m } else { m.min(n) };
    let (q, r) = ((joined(&batch, &[m, k]), dtype), (joined(&batch, &[k, n]), dtype));
    let results = if mode == QrMode::R { vec![r] } else { vec![q, r] };
    one_input(What::Qr(mode), "qr", shape, dtype, dtype, &results)
}

/// `u, s, vh` with `a = (u * s) @ vh`; `full`: u and vh are square. s is real and descends.
pub fn svd(shape: &[usize], dtype: DType, full: bool) -> Result<Prepared, Diag> {
    let (batch, m, n) = split("svd", shape)?;
    let k = m.min(n);
    let (left, right) = if full { (m, n) } else { (k, k) };
    let results = [
        (joined(&batch, &[m, left]), dtype),
        (joined(&batch, &[k]), dtype.real()),
        (joined(&batch, &[right, n]), dtype),
    ];
    one_input(What::Svd { full }, "svd", shape, dtype, dtype, &results)
}

/// Singular values, largest first. The call's dtype is real.
pub fn svdvals(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (batch, m, n) = split("svdvals", shape)?;
    let real = dtype.real();
    one_input(What::Svdvals, "svdvals", shape, dtype, real, &[(joined(&batch, &[m.min(n)]), real)])
}

/// Eigenvalues (real, rising) and vectors of Hermitian matrices; the upper triangle is not read.
pub fn eigh(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (batch, n) = square("eigh", shape)?;
    let results = [(joined(&batch, &[n]), dtype.real()), (shape.into(), dtype)];
    one_input(What::Eigh, "eigh", shape, dtype, dtype, &results)
}

/// Eigenvalues alone. The call's dtype is real.
pub fn eigvalsh(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (batch, n) = square("eigvalsh", shape)?;
    let real = dtype.real();
    one_input(What::Eigvalsh, "eigvalsh", shape, dtype, real, &[(joined(&batch, &[n]), real)])
}

/// Below which part of the largest singular value the others count as zero, unless told.
fn cutoff(told: Option<f64>, m: usize, n: usize, dtype: DType) -> f64 {
    told.unwrap_or(epsilon(dtype) * m.max(n) as f64)
}

/// Numbers of singular values above `tol`, or above `rtol` times the largest (by default the larger extent times the
/// dtype's epsilon). The call's dtype is i64.
pub fn matrix_rank(shape: &[usize], dtype: DType, tol: Option<f64>, rtol: Option<f64>) -> Result<Prepared, Diag> {
    let (batch, m, n) = split("matrix_rank", shape)?;
    let what = What::Rank { relative: cutoff(rtol, m, n, dtype), absolute: tol };
    one_input(what, "matrix_rank", shape, dtype, DType::I64, &[(batch, DType::I64)])
}

/// Pseudo-inverses: `[…, m, n]` to `[…, n, m]`; `rcond` as `rtol` of `matrix_rank`.
pub fn pinv(shape: &[usize], dtype: DType, rcond: Option<f64>) -> Result<Prepared, Diag> {
    let (batch, m, n) = split("pinv", shape)?;
    let what = What::Pinv { relative: cutoff(rcond, m, n, dtype) };
    one_input(what, "pinv", shape, dtype, dtype, &[(joined(&batch, &[n, m]), dtype)])
}

/// Matrix exponentials.
pub fn expm(shape: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    square("expm", shape)?;
    one_input(What::Expm, "expm", shape, dtype, dtype, &[(shape.into(), dtype)])
}

/// A right side: its batch axes, its columns, and whether it is one vector.
fn right_side(name: &str, a: &[usize], b: &[usize], rows: usize) -> Result<(Shape, usize, bool), Diag> {
    let (batch, have, columns, vector) = match b {
        [n] => (Shape::new(), *n, 1, true),
        [batch @ .., n, columns] => (batch.into(), *n, *columns, false),
        [] => return Err(Diag::new("E0201", format!("{name} takes a vector or matrices as right side, not a scalar"))),
    };
    if have == rows {
        return Ok((batch, columns, vector));
    }
    Err(Diag::new("E0232", format!("the right side of {name} does not fit"))
        .note(format!("matrices have {rows} rows, right sides {have}"))
        .note(format!("the shapes are {a:?} and {b:?}")))
}

/// A call with a right side.
fn two_inputs(
    (what, name): (What, &str),
    (a, b): (&[usize], &[usize]),
    dtype: DType,
    results: impl FnOnce(&[usize], usize, bool) -> Vec<(Shape, DType)>,
) -> Result<Prepared, Diag> {
    check_dtype(name, dtype)?;
    let (a_batch, m, n) = split(name, a)?;
    let (b_batch, columns, vector) = right_side(name, a, b, m)?;
    let batch = broadcast_shapes(&[&a_batch, &b_batch]).map_err(|fault| fault.diag())?;
    let lie = |own: &[usize]| Layout::contiguous(own)?.broadcast_to(&batch);
    let inputs = vec![lie(&a_batch).map_err(|f| f.diag())?, lie(&b_batch).map_err(|f| f.diag())?];
    let (parts, size) = lay_out(dtype, &results(&batch, columns, vector)).ok_or_else(|| too_large(name))?;
    let call = Linalg { what, batch, matrix: (m, n), columns, inputs, dtype, parts: parts.clone() };
    Ok(Prepared { call: Arc::new(call), dtype, size, parts })
}

/// `x` with `a @ x = b`: a `[…, n, n]`, b `[n]` or `[…, n, k]`, the batch axes broadcast. Singular matrices are a fault of
/// the call.
pub fn solve(a: &[usize], b: &[usize], dtype: DType) -> Result<Prepared, Diag> {
    let (_, n) = square("solve", a)?;
    two_inputs((What::Solve, "solve"), (a, b), dtype, |batch, columns, vector| {
        let shape = if vector { joined(batch, &[n]) } else { joined(batch, &[n, columns]) };
        vec![(shape, dtype)]
    })
}

/// `x, residuals, rank, s`: the least squares solution (the shortest one), the squared residual of each column (always;
/// NumPy leaves them out where the rank is below n or m <= n), the rank (i64), the singular values.
pub fn lstsq(a: &[usize], b: &[usize], dtype: DType, rcond: Option<f64>) -> Result<Prepared, Diag> {
    let (_, m, n) = split("lstsq", a)?;
    let what = What::Lstsq { relative: cutoff(rcond, m, n, dtype) };
    two_inputs((what, "lstsq"), (a, b), dtype, |batch, columns, vector| {
        let x = if vector { joined(batch, &[n]) } else { joined(batch, &[n, columns]) };
        vec![
            (x, dtype),
            (joined(batch, &[columns]), dtype.real()),
            (batch.into(), DType::I64),
            (joined(batch, &[m.min(n)]), dtype.real()),
        ]
    })
}
