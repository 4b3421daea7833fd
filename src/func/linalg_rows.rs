//! The rows of `linalg`.

use super::Func;
use super::linalg::*;
use crate::op::Group;

pub static ROWS: [Func; 16] = [
    Func::new("det", det, Group::Linalg)
        .help("det(x)", "The determinant of square matrices [..., n, n].", &["det(array([[1.0, 2.0], [3.0, 4.0]]))"])
        .gives(
            "[..., n, n] gives [...]; floats and complex numbers keep their dtype, others give the \
            default float.",
        )
        .like("np.linalg.det", "torch.linalg.det")
        .see(&["slogdet", "inv"]),
    Func::new("slogdet", slogdet, Group::Linalg)
        .help(
            "slogdet(x)",
            "Sign and logarithm of the size of the determinant: det(x) is sign * exp(log). Neither \
             overflows. A singular \
             matrix gives 0 and -inf.",
            &["sign, log = slogdet(array([[2.0, 0.0], [0.0, -3.0]]))\nsign\nlog"],
        )
        .gives(
            "A tuple of two: [..., n, n] gives [...]; floats and complex numbers keep their dtype, \
            others give the default float.",
        )
        .like("np.linalg.slogdet", "torch.linalg.slogdet")
        .see(&["det"]),
    Func::new("inv", inv, Group::Linalg)
        .alias(&["inverse"])
        .help(
            "inv(x)",
            "The inverse of square matrices. A singular one is an error when the value is needed; \
             solve(a, b) is quicker \
             and more exact than inv(a) @ b.",
            &["inv(array([[2.0, 0.0], [0.0, 4.0]]))"],
        )
        .gives("[..., n, n]; floats and complex numbers keep their dtype, others give the default float.")
        .like("np.linalg.inv", "torch.linalg.inv")
        .see(&["solve", "pinv"]),
    Func::new("solve", solve, Group::Linalg)
        .help(
            "solve(a, b)",
            "The x with a @ x = b. b is one vector [n] or matrices [..., n, k]; the leading axes broadcast.",
            &["solve(array([[2.0, 1.0], [1.0, 3.0]]), array([3.0, 5.0]))"],
        )
        .gives(
            "The shape of b, leading axes broadcast; floats and complex numbers keep their dtype, \
            others give the default float.",
        )
        .like("np.linalg.solve", "torch.linalg.solve")
        .see(&["inv", "lstsq", "cholesky"]),
    Func::new("lstsq", lstsq, Group::Linalg)
        .help(
            "lstsq(a, b, rcond=None)",
            "The x that makes a @ x come nearest to b (the shortest of them), the squared residual \
             of each column, the \
             rank of a, and its singular values. Singular values below rcond times the largest count as zero.",
            &["lstsq(array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), array([1.0, 3.0, 5.0]))[0]"],
        )
        .gives("A tuple: x [k] or [k, c], the residuals [c], the rank (i64), the singular values.")
        .like("np.linalg.lstsq", "torch.linalg.lstsq")
        .see(&["solve", "pinv"]),
    Func::new("cholesky", cholesky, Group::Linalg)
        .help(
            "cholesky(x, upper=False)",
            "The lower triangular l with x = l @ l.H, of positive definite matrices; others are an \
             error when the value is \
             needed. Only the lower triangle is read. upper=True gives l.H.",
            &["cholesky(array([[4.0, 2.0], [2.0, 5.0]]))"],
        )
        .gives("[..., n, n]; floats and complex numbers keep their dtype, others give the default float.")
        .like("np.linalg.cholesky", "torch.linalg.cholesky")
        .see(&["eigh", "solve"]),
    Func::new("qr", qr, Group::Linalg)
        .help(
            "qr(x, mode=\"reduced\")",
            "q with orthonormal columns and r upper triangular, x = q @ r. \"complete\" makes q \
             square, \"r\" gives r alone.",
            &["q, r = qr(array([[3.0, 1.0], [4.0, 2.0]]))\nabs(q @ r)"],
        )
        .gives(
            "A tuple: [..., m, k] and [..., k, n] with k = min(m, n); floats and complex numbers keep \
            their dtype, others give the default float.",
        )
        .like("np.linalg.qr", "torch.linalg.qr")
        .see(&["svd", "lu"]),
    Func::new("svd", svd, Group::Linalg)
        .help(
            "svd(x, full_matrices=True, compute_uv=True)",
            "u, s, vh with x = (u * s) @ vh: s falls and is real, u and vh are unitary. \
             full_matrices=False leaves out the \
             columns of u and the rows of vh that meet no singular value. compute_uv=False gives s alone.",
            &["u, s, vh = svd(array([[3.0, 0.0], [0.0, 4.0]]))\ns"],
        )
        .gives(
            "A tuple: [..., m, m], [..., k], [..., n, n] with k = min(m, n) (k for the larger where \
            full_matrices=False); s is real.",
        )
        .like("np.linalg.svd", "torch.linalg.svd")
        .see(&["svdvals", "eigh", "pinv"]),
    Func::new("svdvals", svdvals, Group::Linalg)
        .help("svdvals(x)", "The singular values, largest first.", &["svdvals(array([[3.0, 0.0], [0.0, 4.0]]))"])
        .gives("[..., min(m, n)]; the real float dtype of x.")
        .like("np.linalg.svdvals", "torch.linalg.svdvals")
        .see(&["svd", "matrix_rank", "cond"]),
    Func::new("eigh", eigh, Group::Linalg)
        .help(
            "eigh(x, UPLO=\"L\")",
            "Eigenvalues (real, rising) and eigenvectors (the columns) of symmetric or Hermitian \
             matrices. One triangle \
             is read, the other taken for its mirror image.",
            &["w, v = eigh(array([[2.0, 0.0], [0.0, 1.0]]))\nw"],
        )
        .gives("A tuple: [..., n] in the real float dtype, [..., n, n] in the dtype of x.")
        .like("np.linalg.eigh", "torch.linalg.eigh")
        .see(&["eigvalsh", "svd"]),
    Func::new("eigvalsh", eigvalsh, Group::Linalg)
        .help(
            "eigvalsh(x, UPLO=\"L\")",
            "The eigenvalues of symmetric or Hermitian matrices, rising.",
            &["eigvalsh(array([[2.0, 1.0], [1.0, 2.0]]))"],
        )
        .gives("[..., n]; the real float dtype of x.")
        .like("np.linalg.eigvalsh", "torch.linalg.eigvalsh")
        .see(&["eigh"]),
    Func::new("pinv", pinv, Group::Linalg)
        .help(
            "pinv(x, rcond=None)",
            "The pseudo-inverse. Singular values below rcond times the largest count as zero.",
            &["pinv(array([[2.0, 0.0], [0.0, 0.0]]))"],
        )
        .gives(
            "[..., n, m] of [..., m, n]; floats and complex numbers keep their dtype, others give the \
            default float.",
        )
        .like("np.linalg.pinv", "torch.linalg.pinv")
        .see(&["inv", "lstsq"]),
    Func::new("lu", lu, Group::Linalg)
        .help(
            "lu(x)",
            "p, l, u with x = p @ l @ u: a permutation, a lower triangle with ones on its diagonal, \
             an upper triangle.",
            &["p, l, u = lu(array([[1.0, 2.0], [4.0, 4.0]]))\np @ l @ u"],
        )
        .gives(
            "A tuple: [..., m, m], [..., m, k], [..., k, n] with k = min(m, n); floats and complex \
            numbers keep their dtype, others give the default float.",
        )
        .like("scipy.linalg.lu", "torch.linalg.lu")
        .see(&["qr", "solve"]),
    Func::new("expm", expm, Group::Linalg)
        .alias(&["matrix_exp"])
        .help("expm(x)", "The matrix exponential of square matrices.", &["expm(array([[0.0, 1.0], [0.0, 0.0]]))"])
        .gives("[..., n, n]; floats and complex numbers keep their dtype, others give the default float.")
        .like("scipy.linalg.expm", "torch.linalg.matrix_exp")
        .see(&["matrix_power", "exp"]),
    Func::new("matrix_rank", matrix_rank, Group::Linalg)
        .help(
            "matrix_rank(x, tol=None, rtol=None)",
            "How many singular values are above tol, or above rtol times the largest (by default \
             the larger extent \
             times the dtype's epsilon).",
            &["matrix_rank(array([[1.0, 2.0], [2.0, 4.0]]))"],
        )
        .gives("[..., m, n] gives [...]; i64.")
        .like("np.linalg.matrix_rank", "torch.linalg.matrix_rank")
        .see(&["svdvals", "cond"]),
    Func::new("multi_dot", multi_dot, Group::Linalg)
        .help(
            "multi_dot(xs)",
            "The product of a list of matrices, in the order that takes the fewest multiplications.",
            &["multi_dot([ones((2, 3)), ones((3, 4)), ones((4, 2))])"],
        )
        .gives("[n, m] of the first and the last matrix; the promoted dtype.")
        .like("np.linalg.multi_dot", "torch.linalg.multi_dot")
        .see(&["matmul"]),
];
