//! Error, gamma and Bessel functions.

use crate::op::lanes::{LaneFn, kernel1, pick, wide1, wide2};
use crate::op::math::{erf, gamma};
use crate::op::{Group, MapRow, rule};
use crate::tensor::DType;

fn erf_(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: single => kernel1!(erf::erf_f32, T => T); double => kernel1!(erf::erf, T => T))
}

fn erfc(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => kernel1!(erf::erfc, T))
}

fn erfinv(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide1!(gamma::erfinv, T => T))
}

fn lgamma(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide1!(gamma::lgamma, T => T))
}

fn digamma(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide1!(gamma::digamma, T => T))
}

fn i0(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide1!(gamma::i0, T => T))
}

fn xlogy(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide2!(gamma::xlogy, T))
}

fn logit(args: &[DType]) -> Option<LaneFn> {
    pick!(args[0], T: floats => wide1!(gamma::logit, T => T))
}

pub static ROWS: &[MapRow] = &[
    MapRow::new("erf", 1, rule::real_float, erf_, Group::Elementary)
        .cost(60)
        .help(
            "erf(x)",
            "The error function: the chance that a normal number of variance 1/2 lies within x of 0, with the sign of x.",
            &["erf(array([0.0, 0.5, -inf]))"],
        )
        .like("", "torch.erf")
        .see(&["erfc", "erfinv", "gelu"]),
    MapRow::new("erfc", 1, rule::real_float, erfc, Group::Elementary)
        .cost(50)
        .help(
            "erfc(x)",
            "1 - erf(x), with all its digits where that is tiny.",
            &["erfc(array([0.0, 5.0]))", "1 - erf(array([5.0]))  # nothing is left"],
        )
        .like("", "torch.erfc")
        .see(&["erf"]),
    MapRow::new("erfinv", 1, rule::real_float, erfinv, Group::Elementary)
        .cost(200)
        .help("erfinv(x)", "The number whose erf is x: infinite at ±1, nan beyond.", &["erfinv(array([0.0, 0.5, 1.0]))"])
        .like("", "torch.erfinv")
        .see(&["erf"]),
    MapRow::new("lgamma", 1, rule::real_float, lgamma, Group::Elementary)
        .alias(&["gammaln"])
        .cost(120)
        .help(
            "lgamma(x)",
            "The logarithm of the magnitude of the gamma function; Γ(n) is the factorial of n - 1.",
            &["exp(lgamma(array([5.0])))  # 24"],
        )
        .like("", "torch.lgamma")
        .see(&["digamma"]),
    MapRow::new("digamma", 1, rule::real_float, digamma, Group::Elementary)
        .cost(120)
        .help("digamma(x)", "The derivative of lgamma.", &["digamma(array([1.0, 10.0]))"])
        .like("", "torch.digamma")
        .see(&["lgamma"]),
    MapRow::new("i0", 1, rule::real_float, i0, Group::Elementary)
        .cost(120)
        .help("i0(x)", "The modified Bessel function of the first kind, order 0.", &["i0(array([0.0, 1.0]))"])
        .like("np.i0", "torch.special.i0")
        .see(&["exp"]),
    MapRow::new("xlogy", 2, rule::real_float, xlogy, Group::Elementary)
        .cost(40)
        .help(
            "xlogy(x, y)",
            "x * log(y), and 0 where x is 0 even if y is 0 too: the term of an entropy.",
            &["p = array([0.5, 0.5, 0.0])\n-sum(xlogy(p, p))"],
        )
        .like("", "torch.xlogy")
        .see(&["log"]),
    MapRow::new("logit", 1, rule::real_float, logit, Group::Elementary)
        .cost(60)
        .help(
            "logit(x)",
            "log(x / (1 - x)), the inverse of sigmoid: infinite at 0 and 1, nan outside.",
            &["logit(array([0.5, 0.75, 1.0]))"],
        )
        .like("", "torch.logit")
        .see(&["sigmoid", "arctanh"]),
];
