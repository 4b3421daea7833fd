//! Parts of complex numbers as rows, for programs: on whole tensors `real`, `imag` and `conj` are views.

use crate::op::lanes::{LaneFn, map1, pick, wide1};
use crate::op::math::complex;
use crate::op::scalar::{itself, zero};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;

fn conj(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag ints floats => map1!(itself, T => T);
        complex => wide1!(complex::conj, T => T))
}

fn real(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag ints floats => map1!(itself, T => T);
        complex => wide1!(complex::real, T => <T as Wide>::Re))
}

fn imag(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T:
        flag ints floats => map1!(zero, T => T);
        complex => wide1!(complex::imag, T => <T as Wide>::Re))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("conj", 1, rule::keep, conj, Group::Complex)
        .alias(&["conjugate"])
        .help(
            "conj(x)",
            "The complex conjugate: the imaginary part with its sign turned. Nothing is copied; real tensors are \
             themselves.",
            &["conj(array([1 + 2j, 3 - 1j]))"],
        )
        .like("np.conj", "torch.conj")
        .see(&["real", "imag", "vdot"]),
    MapRow::new("real", 1, rule::parts, real, Group::Complex)
        .help(
            "real(x)",
            "The real part, a view: writing through it changes x.",
            &["real(array([1 + 2j, 3 - 1j]))", "x = array([3 + 4j, 1j])\nx.real[0] = 10\nx"],
        )
        .like("np.real", "torch.real")
        .see(&["imag", "conj", "angle"]),
    MapRow::new("imag", 1, rule::parts, imag, Group::Complex)
        .help(
            "imag(x)",
            "The imaginary part, a view of a complex tensor; zeros for a real one.",
            &["imag(array([1 + 2j, 3 - 1j]))"],
        )
        .like("np.imag", "torch.imag")
        .see(&["real", "conj", "angle"]),
];
