//! The rows of the reductions.

use super::Func;
use super::reduce::*;
use crate::op::Group;

pub static ROWS: [Func; 18] = [
    Func::new("prod", prod, Group::Reduce)
        .help(
            "prod(x, axis=None, keepdims=False, dtype=None)",
            "The product along axes. Integers widen to 64 bits, 16-bit floats are multiplied in f32 \
             and rounded once.",
            &["prod(array([1, 2, 3, 4]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); integers and bools widen to 64 \
            bits, other dtypes stay, or the dtype given.",
        )
        .like("np.prod", "torch.prod")
        .see(&["sum", "cumprod"]),
    Func::new("mean", mean, Group::Reduce)
        .help(
            "mean(x, axis=None, keepdims=False, dtype=None)",
            "The mean along axes. Integers give the default float; 16-bit floats are summed in f32 \
             and rounded once.",
            &["mean(array([[1, 2], [3, 4]]), axis=0)", "arange(5).mean()"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats and complex numbers keep \
            their dtype, others give the default float.",
        )
        .like("np.mean", "torch.mean")
        .see(&["average", "median", "nanmean"]),
    Func::new("var", var, Group::Reduce)
        .help(
            "var(x, axis=None, ddof=0, keepdims=False)",
            "The variance along axes: squared distances from the mean, summed and divided by n - ddof.",
            &["var(array([1.0, 2.0, 4.0]))", "var(array([1.0, 2.0, 4.0]), ddof=1)"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, complex \
            numbers give their real one, others the default float.",
        )
        .like("np.var", "torch.var")
        .see(&["std", "nanvar"]),
    Func::new("std", std, Group::Reduce)
        .help(
            "std(x, axis=None, ddof=0, keepdims=False)",
            "The standard deviation along axes: the root of var.",
            &["std(array([1.0, 2.0, 4.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, complex \
            numbers give their real one, others the default float.",
        )
        .like("np.std", "torch.std")
        .see(&["var", "nanstd"]),
    Func::new("argmin", argmin, Group::Reduce)
        .help(
            "argmin(x, axis=None, keepdims=False)",
            "The position of the first smallest element, in the flat tensor without an axis. The \
             first nan wins.",
            &["argmin(array([3, 1, 2]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("np.argmin", "torch.argmin")
        .see(&["argmax", "min", "argsort"]),
    Func::new("argmax", argmax, Group::Reduce)
        .help(
            "argmax(x, axis=None, keepdims=False)",
            "The position of the first largest element, in the flat tensor without an axis. The \
             first nan wins.",
            &["argmax(array([[3, 1], [2, 5]]), axis=1)"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("np.argmax", "torch.argmax")
        .see(&["argmin", "max", "topk"]),
    Func::new("count_nonzero", count_nonzero, Group::Reduce)
        .help(
            "count_nonzero(x, axis=None, keepdims=False)",
            "How many elements are not zero; i64.",
            &["count_nonzero(array([0, 1, 2, 0]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("np.count_nonzero", "torch.count_nonzero")
        .see(&["nonzero", "sum", "sparsity"]),
    Func::new("ptp", ptp, Group::Reduce)
        .help("ptp(x, axis=None, keepdims=False)", "The largest less the smallest element.", &["ptp(array([3, 9, 4]))"])
        .gives("The extents without those of axis (1 with keepdims); dtype of x.")
        .like("np.ptp", "")
        .see(&["max", "min"]),
    Func::new("nansum", nansum, Group::Reduce)
        .help(
            "nansum(x, axis=None, keepdims=False, dtype=None)",
            "The sum without nan.",
            &["nansum(array([1.0, nan, 2.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); integers and bools widen to 64 \
            bits, other dtypes stay, or the dtype given.",
        )
        .like("np.nansum", "torch.nansum")
        .see(&["sum", "nanmean"]),
    Func::new("nanprod", nanprod, Group::Reduce)
        .help(
            "nanprod(x, axis=None, keepdims=False, dtype=None)",
            "The product without nan.",
            &["nanprod(array([2.0, nan, 3.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); integers and bools widen to 64 \
            bits, other dtypes stay, or the dtype given.",
        )
        .like("np.nanprod", "")
        .see(&["prod", "nansum"]),
    Func::new("nanmean", nanmean, Group::Reduce)
        .help(
            "nanmean(x, axis=None, keepdims=False)",
            "The mean of the elements that are not nan.",
            &["nanmean(array([1.0, nan, 3.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("np.nanmean", "torch.nanmean")
        .see(&["mean", "nansum"]),
    Func::new("nanvar", nanvar, Group::Reduce)
        .help(
            "nanvar(x, axis=None, ddof=0, keepdims=False)",
            "The variance of the elements that are not nan.",
            &["nanvar(array([1.0, nan, 3.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("np.nanvar", "")
        .see(&["var", "nanstd"]),
    Func::new("nanstd", nanstd, Group::Reduce)
        .help(
            "nanstd(x, axis=None, ddof=0, keepdims=False)",
            "The standard deviation of the elements that are not nan.",
            &["nanstd(array([1.0, nan, 3.0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, integers \
            and bools give the default float.",
        )
        .like("np.nanstd", "")
        .see(&["std", "nanvar"]),
    Func::new("nanmin", nanmin, Group::Reduce)
        .help(
            "nanmin(x, axis=None, keepdims=False)",
            "The smallest element that is not nan.",
            &["nanmin(array([2.0, nan, 1.0]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); dtype of x.")
        .like("np.nanmin", "")
        .see(&["min", "nanmax"]),
    Func::new("nanmax", nanmax, Group::Reduce)
        .help(
            "nanmax(x, axis=None, keepdims=False)",
            "The largest element that is not nan.",
            &["nanmax(array([2.0, nan, 1.0]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); dtype of x.")
        .like("np.nanmax", "")
        .see(&["max", "nanmin"]),
    Func::new("nanargmin", nanargmin, Group::Reduce)
        .help(
            "nanargmin(x, axis=None, keepdims=False)",
            "The position of the first smallest element that is not nan.",
            &["nanargmin(array([nan, 2.0, 1.0]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("np.nanargmin", "")
        .see(&["argmin"]),
    Func::new("nanargmax", nanargmax, Group::Reduce)
        .help(
            "nanargmax(x, axis=None, keepdims=False)",
            "The position of the first largest element that is not nan.",
            &["nanargmax(array([nan, 2.0, 1.0]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); i64.")
        .like("np.nanargmax", "")
        .see(&["argmax"]),
    Func::new("average", average, Group::Reduce)
        .help(
            "average(x, axis=None, weights=None, keepdims=False, returned=False)",
            "The weighted mean. Weights have the shape of x, or are a vector along the axis.",
            &["average(array([1.0, 2.0, 3.0]), weights=array([3, 1, 0]))"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); floats keep their dtype, others \
            give the default float. With returned=True a tuple with the sums of the weights.",
        )
        .like("np.average", "")
        .see(&["mean"]),
];
