//! Distinct values, and sets of them. Values are compared by keys that keep the order of their dtype.

use super::make::{Make, leaf, leaf_i64};
use super::sort::{flat_order, joint_keys, picked};
use super::{Args, Cx, Func};
use crate::base::Diag;
use crate::op::Group;
use crate::plan::{Tensor, build};
use crate::tensor::{DType, promote};
use crate::value::Value;
use std::collections::HashSet;

type Out = Result<Value, Diag>;

/// The distinct values of a tensor: positions that sort it, and where each run of equal ones starts in them.
struct Runs {
    order: Vec<i64>,
    starts: Vec<usize>,
}

impl Runs {
    fn of(cx: &mut Cx, x: &Tensor, equal_nan: bool) -> Result<Runs, Diag> {
        let keys = cx.order_keys(x)?;
        let order = flat_order(cx, x)?;
        let nan = x.dtype().is_float() && !equal_nan;
        let differs = |i: usize| {
            i == 0 || {
                let (a, b) = (keys[order[i - 1] as usize], keys[order[i] as usize]);
                a != b || (nan && a == u64::MAX)
            }
        };
        let starts = (0..order.len()).filter(|&i| differs(i)).collect();
        Ok(Runs { order, starts })
    }

    /// The first position of each distinct value.
    fn firsts(&self) -> Vec<i64> {
        self.starts.iter().map(|&s| self.order[s]).collect()
    }

    fn ends(&self) -> impl Iterator<Item = usize> + '_ {
        self.starts.iter().copied().skip(1).chain([self.order.len()])
    }

    fn counts(&self) -> Vec<i64> {
        self.starts.iter().zip(self.ends()).map(|(s, e)| (e - s) as i64).collect()
    }

    /// For each position the number of its distinct value.
    fn inverse(&self) -> Vec<i64> {
        let mut out = vec![0; self.order.len()];
        for (number, (&start, end)) in self.starts.iter().zip(self.ends()).enumerate() {
            self.order[start..end].iter().for_each(|&i| out[i as usize] = number as i64);
        }
        out
    }
}

/// The parts of a result that were asked for: one alone, several as a tuple.
fn asked(mut parts: Vec<Value>) -> Value {
    if parts.len() == 1 { parts.remove(0) } else { Value::tuple(parts) }
}

fn unique(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let flags = [args.bool(cx, 1)?, args.bool(cx, 2)?, args.bool(cx, 3)?];
    let equal_nan = args.bool(cx, 5)?;
    if !args.is_none(4) {
        let axis = args.axis(cx, 4, x.ndim())?;
        return unique_slabs(cx, &x, axis, flags);
    }
    let runs = Runs::of(cx, &x, equal_nan)?;
    let values = picked(cx, &x, &runs.firsts())?;
    let mut parts = vec![cx.give(values)];
    if flags[0] {
        parts.push(Value::tensor(leaf_i64(&runs.firsts())?));
    }
    if flags[1] {
        parts.push(Value::tensor(leaf(&runs.inverse(), DType::I64, x.shape())?));
    }
    if flags[2] {
        parts.push(Value::tensor(leaf_i64(&runs.counts())?));
    }
    Ok(asked(parts))
}

/// Distinct slabs along an axis, in lexicographic order.
fn unique_slabs(cx: &mut Cx, x: &Tensor, axis: usize, flags: [bool; 3]) -> Out {
    let make = Make::of(cx);
    let layout = x.view.layout.moveaxis(&[axis as i64], &[0]).map_err(|f| f.diag())?;
    let keys = cx.order_keys(&x.viewed(layout))?;
    let n = x.shape()[axis];
    let width = keys.len() / n.max(1);
    let row = |i: usize| &keys[i * width..(i + 1) * width];
    let mut order: Vec<i64> = (0..n as i64).collect();
    order.sort_by(|a, b| row(*a as usize).cmp(row(*b as usize)));
    let starts = (0..n).filter(|&i| i == 0 || row(order[i - 1] as usize) != row(order[i] as usize)).collect();
    let runs = Runs { order, starts };
    let values = make.take(x, axis, &leaf_i64(&runs.firsts())?)?;
    let mut parts = vec![cx.give(values)];
    for (flag, numbers) in flags.into_iter().zip([runs.firsts(), runs.inverse(), runs.counts()]) {
        if flag {
            parts.push(Value::tensor(leaf_i64(&numbers)?));
        }
    }
    Ok(asked(parts))
}

/// The array API's forms take every nan for itself.
fn unique_parts(cx: &mut Cx, args: &Args, parts: &str) -> Out {
    let x = args.tensor(cx, 0)?;
    let runs = Runs::of(cx, &x, false)?;
    let values = picked(cx, &x, &runs.firsts())?;
    let mut out = vec![cx.give(values)];
    for part in parts.chars() {
        out.push(Value::tensor(match part {
            'f' => leaf_i64(&runs.firsts())?,
            'i' => leaf(&runs.inverse(), DType::I64, x.shape())?,
            _ => leaf_i64(&runs.counts())?,
        }));
    }
    Ok(asked(out))
}

fn unique_values(cx: &mut Cx, args: &Args) -> Out {
    unique_parts(cx, args, "")
}

fn unique_counts(cx: &mut Cx, args: &Args) -> Out {
    unique_parts(cx, args, "c")
}

fn unique_inverse(cx: &mut Cx, args: &Args) -> Out {
    unique_parts(cx, args, "i")
}

fn unique_all(cx: &mut Cx, args: &Args) -> Out {
    unique_parts(cx, args, "fic")
}

/// For each value of `a` whether `b` holds it. nan equals nothing.
fn members(cx: &mut Cx, a: &Tensor, b: &Tensor) -> Result<Vec<bool>, Diag> {
    let (a_keys, b_keys) = joint_keys(cx, a, b)?;
    let float = promote(a.dtype(), b.dtype()).is_float();
    let set: HashSet<u64> = b_keys.into_iter().collect();
    Ok(a_keys.into_iter().map(|k| set.contains(&k) && !(float && k == u64::MAX)).collect())
}

fn isin(cx: &mut Cx, args: &Args) -> Out {
    let (x, test) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let invert = args.bool(cx, 3)?;
    let found: Vec<u8> = members(cx, &x, &test)?.into_iter().map(|b| u8::from(b != invert)).collect();
    leaf(&found, DType::Bool, x.shape()).map(Value::tensor)
}

/// Both tensors flat, in their common dtype, one after the other.
fn joined(cx: &mut Cx, args: &Args) -> Result<(Tensor, Tensor, Tensor), Diag> {
    let make = Make::of(cx);
    let (a, b) = (args.tensor(cx, 0)?, args.tensor(cx, 1)?);
    let dtype = if a.dtype() == b.dtype() { a.dtype() } else { promote(a.dtype(), b.dtype()) };
    let (a, b) = (make.cast(&make.flat(&a)?, dtype)?, make.cast(&make.flat(&b)?, dtype)?);
    let both = Tensor::of(build::concat(&[a.operand(), b.operand()], 0, dtype, cx.span)?);
    Ok((a, b, both))
}

fn distinct(cx: &mut Cx, x: &Tensor) -> Out {
    let runs = Runs::of(cx, x, true)?;
    let values = picked(cx, x, &runs.firsts())?;
    Ok(cx.give(values))
}

fn union1d(cx: &mut Cx, args: &Args) -> Out {
    let (_, _, both) = joined(cx, args)?;
    distinct(cx, &both)
}

/// The distinct values of `a` that `b` does not hold (or does).
fn kept(cx: &mut Cx, a: &Tensor, b: &Tensor, inside: bool) -> Result<(Tensor, Vec<i64>), Diag> {
    let found = members(cx, a, b)?;
    let runs = Runs::of(cx, a, true)?;
    let firsts: Vec<i64> = runs.firsts().into_iter().filter(|i| found[*i as usize] == inside).collect();
    Ok((picked(cx, a, &firsts)?, firsts))
}

fn setdiff1d(cx: &mut Cx, args: &Args) -> Out {
    let (a, b, _) = joined(cx, args)?;
    let (out, _) = kept(cx, &a, &b, false)?;
    Ok(cx.give(out))
}

fn intersect1d(cx: &mut Cx, args: &Args) -> Out {
    let (a, b, _) = joined(cx, args)?;
    let (out, firsts) = kept(cx, &a, &b, true)?;
    let out = cx.give(out);
    if !args.bool(cx, 2)? {
        return Ok(out);
    }
    let (_, others) = kept(cx, &b, &a, true)?;
    Ok(Value::tuple(vec![out, Value::tensor(leaf_i64(&firsts)?), Value::tensor(leaf_i64(&others)?)]))
}

fn setxor1d(cx: &mut Cx, args: &Args) -> Out {
    let (a, b, _) = joined(cx, args)?;
    let (x, _) = kept(cx, &a, &b, false)?;
    let (y, _) = kept(cx, &b, &a, false)?;
    let both = Tensor::of(build::concat(&[x.operand(), y.operand()], 0, x.dtype(), cx.span)?);
    distinct(cx, &both)
}

pub static ROWS: [Func; 10] = [
    Func::new("unique", unique, Group::Sort)
        .help(
            "unique(x, return_index=False, return_inverse=False, return_counts=False, axis=None, \
             equal_nan=True)",
            "The distinct values in ascending order; on request their first positions, the number \
             of the value at \
             each position, and how often each occurs. With an axis, distinct slabs.",
            &["unique(array([3, 1, 3]))", "values, counts = unique(array([3, 1, 3]), return_counts=True)\ncounts"],
        )
        .gives(
            "One axis, as long as there are distinct values; dtype of x. What is asked for besides \
            comes with it in a tuple, i64.",
        )
        .like("np.unique", "torch.unique")
        .see(&["unique_counts", "isin", "sort"]),
    Func::new("unique_values", unique_values, Group::Sort)
        .help(
            "unique_values(x)",
            "The distinct values in ascending order; each nan for itself.",
            &["unique_values(array([2, 1, 2]))"],
        )
        .gives("One axis, as long as there are distinct values; dtype of x.")
        .like("np.unique_values", "")
        .see(&["unique"]),
    Func::new("unique_counts", unique_counts, Group::Sort)
        .help(
            "unique_counts(x)",
            "The distinct values and how often each occurs.",
            &["unique_counts(array([2, 1, 2]))"],
        )
        .gives("A tuple: the values in the dtype of x, the others in i64.")
        .like("np.unique_counts", "")
        .see(&["unique", "bincount"]),
    Func::new("unique_inverse", unique_inverse, Group::Sort)
        .help(
            "unique_inverse(x)",
            "The distinct values and the number of the value at each position.",
            &["unique_inverse(array([2, 1, 2]))"],
        )
        .gives("A tuple: the values in the dtype of x, the others in i64.")
        .like("np.unique_inverse", "")
        .see(&["unique"]),
    Func::new("unique_all", unique_all, Group::Sort)
        .help(
            "unique_all(x)",
            "The distinct values, their first positions, the number at each position, the counts.",
            &["unique_all(array([2, 1, 2]))"],
        )
        .gives("A tuple: the values in the dtype of x, the others in i64.")
        .like("np.unique_all", "")
        .see(&["unique"]),
    Func::new("isin", isin, Group::Sort)
        .help(
            "isin(x, test, assume_unique=False, invert=False)",
            "Whether each element is among the test values. nan equals nothing.",
            &["isin(arange(5), [1, 3])"],
        )
        .gives("The shape of x; bool.")
        .like("np.isin", "torch.isin")
        .see(&["unique", "intersect1d"]),
    Func::new("union1d", union1d, Group::Sort)
        .help("union1d(x, y)", "The distinct values of both.", &["union1d([1, 2], [2, 3])"])
        .gives("One axis, as long as there are values; the promoted dtype.")
        .like("np.union1d", "")
        .see(&["intersect1d", "setdiff1d"]),
    Func::new("intersect1d", intersect1d, Group::Sort)
        .help(
            "intersect1d(x, y, return_indices=False)",
            "The distinct values that both hold; on request their first positions in each.",
            &["intersect1d([1, 2, 2], [2, 3])"],
        )
        .gives("One axis, as long as there are values; the promoted dtype.")
        .like("np.intersect1d", "")
        .see(&["union1d", "isin"]),
    Func::new("setdiff1d", setdiff1d, Group::Sort)
        .help(
            "setdiff1d(x, y)",
            "The distinct values of the first that the second does not hold.",
            &["setdiff1d([1, 2, 3], [2])"],
        )
        .gives("One axis, as long as there are values; the promoted dtype.")
        .like("np.setdiff1d", "")
        .see(&["setxor1d", "isin"]),
    Func::new("setxor1d", setxor1d, Group::Sort)
        .help("setxor1d(x, y)", "The distinct values that one of both holds.", &["setxor1d([1, 2], [2, 3])"])
        .gives("One axis, as long as there are values; the promoted dtype.")
        .like("np.setxor1d", "")
        .see(&["setdiff1d"]),
];
