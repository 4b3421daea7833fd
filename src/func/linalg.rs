//! Decompositions of matrices: the last two axes are the matrices, the others a batch.

use super::calls::{Typing, labelled, results};
use super::make::Make;
use super::{Args, Cx, attribute};
use crate::base::Diag;
use crate::call::{self, Prepared, QrMode};
use crate::plan::{Tensor, build};
use crate::tensor::DType;
use crate::value::Value;

pub(super) type Out = Result<Value, Diag>;

/// A function of one matrix: `prepare` gets shape and dtype.
fn single(
    cx: &mut Cx,
    args: &Args,
    prepare: impl FnOnce(&[usize], DType) -> Result<Prepared, Diag>,
) -> Result<Vec<Tensor>, Diag> {
    let x = args.tensor(cx, 0)?;
    let typing = Typing::of(Make::of(cx), &[&x]);
    let prepared = prepare(x.shape(), typing.work).map_err(|d| labelled(args, d, &[&x]))?;
    results(cx, prepared, &[&x], typing)
}

/// A function of matrices and right sides.
fn pair(
    cx: &mut Cx,
    args: &Args,
    prepare: impl FnOnce(&[usize], &[usize], DType) -> Result<Prepared, Diag>,
) -> Result<Vec<Tensor>, Diag> {
    let (a, b) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let typing = Typing::of(Make::of(cx), &[&a, &b]);
    let prepared = prepare(a.shape(), b.shape(), typing.work).map_err(|d| labelled(args, d, &[&a, &b]))?;
    results(cx, prepared, &[&a, &b], typing)
}

/// The first result alone.
fn first(cx: &mut Cx, results: Vec<Tensor>) -> Out {
    match results.into_iter().next() {
        Some(t) => Ok(cx.give(t)),
        None => Ok(Value::None),
    }
}

fn all(cx: &mut Cx, results: Vec<Tensor>) -> Out {
    let items = results.into_iter().map(|t| cx.give(t)).collect();
    Ok(Value::tuple(items))
}

pub fn det(cx: &mut Cx, args: &Args) -> Out {
    let out = single(cx, args, call::det)?;
    first(cx, out)
}

pub fn slogdet(cx: &mut Cx, args: &Args) -> Out {
    let out = single(cx, args, call::slogdet)?;
    all(cx, out)
}

pub fn inv(cx: &mut Cx, args: &Args) -> Out {
    let out = single(cx, args, call::inv)?;
    first(cx, out)
}

pub fn solve(cx: &mut Cx, args: &Args) -> Out {
    let out = pair(cx, args, call::solve)?;
    first(cx, out)
}

pub fn lstsq(cx: &mut Cx, args: &Args) -> Out {
    let rcond = args.opt_float(cx, 2)?;
    let out = pair(cx, args, |a, b, dtype| call::lstsq(a, b, dtype, rcond))?;
    all(cx, out)
}

pub fn cholesky(cx: &mut Cx, args: &Args) -> Out {
    let upper = args.bool(cx, 1)?;
    let mut out = single(cx, args, call::cholesky)?;
    if upper {
        out = out.iter().map(adjoint).collect::<Result<_, _>>()?;
    }
    first(cx, out)
}

fn adjoint(x: &Tensor) -> Result<Tensor, Diag> {
    attribute::transposed(x).map(|t| attribute::conjugated(&t))
}

pub fn qr(cx: &mut Cx, args: &Args) -> Out {
    let mode = match &*args.str(1)? {
        "reduced" => QrMode::Reduced,
        "complete" => QrMode::Complete,
        "r" => QrMode::R,
        _ => return Err(args.fault(1, "E0120", "`mode` is \"reduced\", \"complete\" or \"r\"")),
    };
    let out = single(cx, args, |shape, dtype| call::qr(shape, dtype, mode))?;
    if mode == QrMode::R { first(cx, out) } else { all(cx, out) }
}

pub fn svd(cx: &mut Cx, args: &Args) -> Out {
    let (full, vectors) = (args.bool(cx, 1)?, args.bool(cx, 2)?);
    if !vectors {
        return svdvals(cx, args);
    }
    let out = single(cx, args, |shape, dtype| call::svd(shape, dtype, full))?;
    all(cx, out)
}

pub fn svdvals(cx: &mut Cx, args: &Args) -> Out {
    let out = single(cx, args, call::svdvals)?;
    first(cx, out)
}

/// Whether the upper triangle is the one to read.
fn reads_upper(args: &Args) -> Result<bool, Diag> {
    match &*args.str(1)? {
        "L" | "l" => Ok(false),
        "U" | "u" => Ok(true),
        _ => Err(args.fault(1, "E0120", "`UPLO` is \"L\" or \"U\": which triangle is read")),
    }
}

/// The call reads the lower triangle: the adjoint of a Hermitian matrix has the upper one there.
fn hermitian(
    cx: &mut Cx,
    args: &Args,
    prepare: impl FnOnce(&[usize], DType) -> Result<Prepared, Diag>,
) -> Result<Vec<Tensor>, Diag> {
    let upper = reads_upper(args)?;
    let x = args.tensor(cx, 0)?;
    let typing = Typing::of(Make::of(cx), &[&x]);
    let prepared = prepare(x.shape(), typing.work).map_err(|d| labelled(args, d, &[&x]))?;
    let read = if upper { adjoint(&x)? } else { x };
    results(cx, prepared, &[&read], typing)
}

pub fn eigh(cx: &mut Cx, args: &Args) -> Out {
    let out = hermitian(cx, args, call::eigh)?;
    all(cx, out)
}

pub fn eigvalsh(cx: &mut Cx, args: &Args) -> Out {
    let out = hermitian(cx, args, call::eigvalsh)?;
    first(cx, out)
}

pub fn pinv(cx: &mut Cx, args: &Args) -> Out {
    let rcond = args.opt_float(cx, 1)?;
    let out = single(cx, args, |shape, dtype| call::pinv(shape, dtype, rcond))?;
    first(cx, out)
}

pub fn lu(cx: &mut Cx, args: &Args) -> Out {
    let out = single(cx, args, call::lu)?;
    all(cx, out)
}

pub fn expm(cx: &mut Cx, args: &Args) -> Out {
    let out = single(cx, args, call::expm)?;
    first(cx, out)
}

/// As NumPy: vectors have rank 1 unless they are all zeros.
pub fn matrix_rank(cx: &mut Cx, args: &Args) -> Out {
    let (tol, rtol) = (args.opt_float(cx, 1)?, args.opt_float(cx, 2)?);
    let x = args.tensor(cx, 0)?;
    if x.ndim() < 2 {
        let rank = i64::from(!cx.nonzero(&x)?.is_empty());
        let make = Make::of(cx);
        let out = make.fill(&[], DType::I64, crate::tensor::Scalar::Int(rank))?;
        return Ok(cx.give(out));
    }
    let out = single(cx, args, |shape, dtype| call::matrix_rank(shape, dtype, tol, rtol))?;
    first(cx, out)
}

/// The product of a chain in the order that takes the fewest multiplications.
pub fn multi_dot(cx: &mut Cx, args: &Args) -> Out {
    let xs = args.tensors(cx, 0)?;
    if xs.is_empty() || xs.iter().any(|x| x.ndim() == 0 || x.ndim() > 2) {
        return Err(args.wrong(0, "a list of matrices (vectors at the ends)"));
    }
    if xs[1..xs.len().max(2) - 1].iter().any(|x| x.ndim() != 2) {
        return Err(args.fault(0, "E0201", "vectors stand only at the ends of a chain"));
    }
    let cuts = cheapest(&extents(&xs));
    let out = chain(cx, args, &xs, &cuts, 0, xs.len() - 1)?;
    Ok(cx.give(out))
}

/// Rows of the first matrix, then columns of each; a vector at the left is a row, at the right a column.
fn extents(xs: &[Tensor]) -> Vec<usize> {
    let rows = |x: &Tensor| if x.ndim() == 2 { x.shape()[0] } else { 1 };
    let last = xs.len() - 1;
    let columns = |(i, x): (usize, &Tensor)| match x.shape() {
        [_, n] => *n,
        [_] if i == last && last > 0 => 1,
        [n] => *n,
        _ => 1,
    };
    std::iter::once(rows(&xs[0])).chain(xs.iter().enumerate().map(columns)).collect()
}

/// Where to cut each run `i..=j` of the chain.
fn cheapest(extents: &[usize]) -> Vec<Vec<usize>> {
    let n = extents.len() - 1;
    let (mut cost, mut cuts) = (vec![vec![0f64; n]; n], vec![vec![0; n]; n]);
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            cost[i][j] = f64::INFINITY;
            for k in i..j {
                let product = extents[i] as f64 * extents[k + 1] as f64 * extents[j + 1] as f64;
                let total = cost[i][k] + cost[k + 1][j] + product;
                if total < cost[i][j] {
                    (cost[i][j], cuts[i][j]) = (total, k);
                }
            }
        }
    }
    cuts
}

fn chain(cx: &mut Cx, args: &Args, xs: &[Tensor], cuts: &[Vec<usize>], i: usize, j: usize) -> Result<Tensor, Diag> {
    if i == j {
        return Ok(xs[i].clone());
    }
    let k = cuts[i][j];
    let (a, b) = (chain(cx, args, xs, cuts, i, k)?, chain(cx, args, xs, cuts, k + 1, j)?);
    build::matmul(&a.operand(), &b.operand(), cx.span).map_err(|d| d.label(args.span(0), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_cut_where_it_is_cheapest() {
        // (10 x 100) (100 x 5) (5 x 50): 5000 + 2500 against 25000 + 50000.
        let cuts = cheapest(&[10, 100, 5, 50]);
        assert_eq!(cuts[0][2], 1);
        let cuts = cheapest(&[50, 5, 100, 10]);
        assert_eq!(cuts[0][2], 0);
    }
}
