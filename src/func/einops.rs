//! Patterns as einops writes them: `rearrange(x, "b (h w) c -> b c h w", h=4)`, `reduce`, `repeat`.

use super::make::Make;
use super::reduce::{Along, extreme, mean_of, total};
use super::{Args, Cx, Func, Memory, convert};
use crate::base::Diag;
use crate::op::{Group, Monoid};
use crate::plan::Tensor;
use crate::tensor::DType;
use crate::value::Value;

type Out = Result<Value, Diag>;

/// One axis of one side: the names joined in it; none for `1` and `()`.
type AxisGroup = Vec<String>;

const REST: &str = "…";

/// A pattern and the extents that are known of its names.
struct Pattern {
    left: Vec<AxisGroup>,
    right: Vec<AxisGroup>,
    sizes: Vec<(String, usize)>,
}

fn fault(args: &Args, message: impl Into<String>) -> Diag {
    args.fault(1, "E0120", message)
}

/// `b (h w) ... 1` into groups. Numbers other than 1 are names with a size of their own.
fn side(args: &Args, text: &str, sizes: &mut Vec<(String, usize)>) -> Result<Vec<AxisGroup>, Diag> {
    let spaced = text.replace("...", REST).replace('(', " ( ").replace(')', " ) ");
    let mut groups: Vec<AxisGroup> = Vec::new();
    let mut open = false;
    for word in spaced.split_whitespace() {
        match word {
            "(" if open => return Err(fault(args, "brackets in a pattern do not nest")),
            "(" => {
                open = true;
                groups.push(Vec::new());
            }
            ")" if !open => return Err(fault(args, "a `)` without its `(`")),
            ")" => open = false,
            name => {
                let named = match name.parse::<usize>() {
                    Ok(1) => None,
                    Ok(n) => {
                        let name = format!("{n}#{}", sizes.len());
                        sizes.push((name.clone(), n));
                        Some(name)
                    }
                    Err(_) if name == REST || name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                        Some(name.to_owned())
                    }
                    Err(_) => return Err(fault(args, format!("{name:?} is no axis name"))),
                };
                match (open, groups.last_mut()) {
                    (true, Some(group)) => group.extend(named),
                    _ => groups.push(named.into_iter().collect()),
                }
            }
        }
    }
    if open { Err(fault(args, "a `(` without its `)`")) } else { Ok(groups) }
}

impl Pattern {
    fn parse(cx: &mut Cx, args: &Args, text: &str, ndim: usize) -> Result<Pattern, Diag> {
        let (left, right) =
            text.split_once("->").ok_or_else(|| fault(args, "a pattern has an arrow: \"h w -> w h\""))?;
        let mut sizes = Vec::new();
        for (name, arg) in &args.keywords {
            let n = convert::int(cx, &arg.value, arg.span)?.and_then(|n| usize::try_from(n).ok());
            let n = n.ok_or_else(|| Diag::new("E0108", "the size of an axis is an integer").at(arg.span))?;
            sizes.push((name.as_str().to_owned(), n));
        }
        let mut pattern = Pattern { left: side(args, left, &mut sizes)?, right: side(args, right, &mut sizes)?, sizes };
        pattern.expand_rest(args, ndim)?;
        for groups in [&pattern.left, &pattern.right] {
            let mut seen: Vec<&String> = Vec::new();
            for name in groups.iter().flatten() {
                if seen.contains(&name) {
                    return Err(fault(args, format!("the axis {name} stands twice on one side")));
                }
                seen.push(name);
            }
        }
        Ok(pattern)
    }

    /// `...` becomes as many axes as are left over.
    fn expand_rest(&mut self, args: &Args, ndim: usize) -> Result<(), Diag> {
        let has_rest = |groups: &[AxisGroup]| groups.iter().flatten().any(|n| n == REST);
        let named = self.left.iter().filter(|g| !g.iter().any(|n| n == REST)).count();
        if !has_rest(&self.left) {
            if named != ndim {
                let message = format!("the pattern names {named} axes, the tensor has {ndim}");
                return Err(fault(args, message));
            }
            return if has_rest(&self.right) { Err(fault(args, "`...` has no partner at the left")) } else { Ok(()) };
        }
        let extra = ndim
            .checked_sub(named)
            .ok_or_else(|| fault(args, format!("the pattern names {named} axes, the tensor has {ndim}")))?;
        let names: Vec<String> = (0..extra).map(|i| format!("{REST}{i}")).collect();
        for groups in [&mut self.left, &mut self.right] {
            let mut out = Vec::new();
            for group in groups.drain(..) {
                if group == [REST] {
                    out.extend(names.iter().map(|n| vec![n.clone()]));
                } else {
                    let joined = group.into_iter().flat_map(|n| if n == REST { names.clone() } else { vec![n] });
                    out.push(joined.collect());
                }
            }
            *groups = out;
        }
        Ok(())
    }

    fn size(&self, name: &str) -> Option<usize> {
        self.sizes.iter().find(|(n, _)| n == name).map(|(_, size)| *size)
    }

    /// Learns the extents of all names at the left from the shape.
    fn solve(&mut self, args: &Args, x: &Tensor) -> Result<(), Diag> {
        for (axis, group) in self.left.clone().iter().enumerate() {
            let extent = x.shape()[axis];
            let unknown: Vec<&String> = group.iter().filter(|n| self.size(n).is_none()).collect();
            let known: usize = group.iter().filter_map(|n| self.size(n)).fold(1, usize::saturating_mul);
            let fits = match unknown.as_slice() {
                [] => known == extent,
                [_] => known > 0 && extent.is_multiple_of(known),
                _ => {
                    let names = group.join(" ");
                    return Err(fault(args, format!("only one size in ({names}) may be open"))
                        .hint(format!("give the others: {}=…", unknown[0])));
                }
            };
            if !fits {
                let names = group.join(" ");
                let code = "E0204";
                return Err(args
                    .fault(0, code, format!("axis {axis} of extent {extent} does not split into ({names})"))
                    .note(format!("the known sizes multiply to {known}")));
            }
            if let [name] = unknown.as_slice() {
                let name = (*name).clone();
                self.sizes.push((name, extent / known));
            }
        }
        Ok(())
    }

    fn extents(&self, groups: &[AxisGroup]) -> Result<Vec<usize>, String> {
        let one = |name: &String| self.size(name).ok_or_else(|| format!("the size of {name} is not known"));
        groups.iter().flatten().map(one).collect()
    }

    fn joined(&self, groups: &[AxisGroup]) -> Result<Vec<usize>, String> {
        let product = |group: &AxisGroup| -> Result<usize, String> {
            Ok(self.extents(std::slice::from_ref(group))?.into_iter().fold(1, usize::saturating_mul))
        };
        groups.iter().map(product).collect()
    }

    /// `x` with one axis for each name at the left.
    fn taken_apart(&self, make: Make, args: &Args, x: &Tensor) -> Result<Tensor, Diag> {
        let shape = self.extents(&self.left).map_err(|m| fault(args, m))?;
        make.reshape(x, &shape)
    }
}

/// Puts the axes named `names` (those of `x`, in order) together as the right side wants them.
fn put_together(make: Make, args: &Args, pattern: &Pattern, x: &Tensor, names: &[String]) -> Result<Tensor, Diag> {
    let order: Vec<i64> =
        (pattern.right.iter().flatten()).filter_map(|n| names.iter().position(|m| m == n)).map(|i| i as i64).collect();
    let layout = x.view.layout.permute(&order).map_err(|f| f.diag())?;
    let shape = pattern.joined(&pattern.right).map_err(|m| fault(args, m))?;
    make.reshape(&x.viewed(layout), &shape)
}

fn rearrange(cx: &mut Cx, args: &Args) -> Out {
    let x = one_tensor(cx, args)?;
    let text = args.str(1)?;
    let mut pattern = Pattern::parse(cx, args, &text, x.ndim())?;
    let mut left: Vec<String> = pattern.left.iter().flatten().cloned().collect();
    let mut right: Vec<String> = pattern.right.iter().flatten().cloned().collect();
    let names = left.clone();
    left.sort();
    right.sort();
    if left != right {
        return Err(fault(args, "both sides of a rearrangement name the same axes")
            .hint("`reduce` drops axes, `repeat` adds some"));
    }
    pattern.solve(args, &x)?;
    let make = Make::of(cx);
    let apart = pattern.taken_apart(make, args, &x)?;
    let out = put_together(make, args, &pattern, &apart, &names)?;
    drop(apart);
    Ok(cx.give(out))
}

/// A list of tensors is stacked along a new first axis.
fn one_tensor(cx: &mut Cx, args: &Args) -> Result<Tensor, Diag> {
    args.tensor(cx, 0)
}

fn reduce(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let text = args.str(1)?;
    let how = args.str(2)?;
    let mut pattern = Pattern::parse(cx, args, &text, x.ndim())?;
    let left: Vec<String> = pattern.left.iter().flatten().cloned().collect();
    let right: Vec<String> = pattern.right.iter().flatten().cloned().collect();
    if let Some(new) = right.iter().find(|n| !left.contains(n)) {
        return Err(fault(args, format!("the axis {new} stands at the right only")).hint("`repeat` adds axes"));
    }
    pattern.solve(args, &x)?;
    let make = Make::of(cx);
    let out = {
        let apart = pattern.taken_apart(make, args, &x)?;
        let axes: Vec<usize> = (0..left.len()).filter(|&i| !right.contains(&left[i])).collect();
        let along = Along { x: apart, axes, keepdims: false };
        let reduced = match &*how {
            "sum" => total(make, &along, Monoid::Sum, None)?,
            "prod" => total(make, &along, Monoid::Prod, None)?,
            "mean" => mean_of(make, &along, None)?,
            "min" | "max" => {
                along.nonempty(args)?;
                extreme(make, &along, if &*how == "min" { Monoid::Min } else { Monoid::Max })?
            }
            "any" | "all" => {
                let monoid = if &*how == "any" { Monoid::Or } else { Monoid::And };
                make.reduce(&make.cast(&along.x, DType::Bool)?, &along.axes, false, monoid, DType::Bool)?
            }
            other => {
                return Err(args
                    .fault(2, "E0120", format!("no reduction {other:?}"))
                    .hint("sum, mean, max, min, prod, any, all"));
            }
        };
        let names: Vec<String> = left.iter().filter(|n| right.contains(n)).cloned().collect();
        put_together(make, args, &pattern, &reduced, &names)?
    };
    Ok(cx.give(out))
}

pub(super) fn repeat(cx: &mut Cx, args: &Args, text: &str) -> Out {
    let x = args.tensor(cx, 0)?;
    let mut pattern = Pattern::parse(cx, args, text, x.ndim())?;
    let left: Vec<String> = pattern.left.iter().flatten().cloned().collect();
    let right: Vec<String> = pattern.right.iter().flatten().cloned().collect();
    if let Some(gone) = left.iter().find(|n| !right.contains(n)) {
        return Err(fault(args, format!("the axis {gone} stands at the left only")).hint("`reduce` drops axes"));
    }
    pattern.solve(args, &x)?;
    let make = Make::of(cx);
    let out = {
        let apart = pattern.taken_apart(make, args, &x)?;
        // New axes go in front with stride 0.
        let new: Vec<String> = right.iter().filter(|n| !left.contains(n)).cloned().collect();
        let extents = pattern.extents(std::slice::from_ref(&new)).map_err(|m| fault(args, m).hint("give it: n=3"))?;
        let shape: Vec<usize> = extents.iter().chain(apart.shape()).copied().collect();
        let wide = apart.viewed(apart.view.layout.broadcast_to(&shape).map_err(|f| f.diag())?);
        let names: Vec<String> = new.into_iter().chain(left).collect();
        put_together(make, args, &pattern, &wide, &names)?
    };
    let out = if out.is_view { make.fresh(&out, None, "repeat")? } else { out };
    Ok(cx.give(out))
}

pub static ROWS: [Func; 2] = [
    Func::new("rearrange", rearrange, Group::Join)
        .help(
            "rearrange(tensor, pattern, **sizes)",
            "Axes renamed, split and joined by a pattern, as einops does: names stand for axes, \
             brackets join them, 1 \
             is a unit axis, ... the rest.",
            &["rearrange(arange(6), \"(h w) -> h w\", h=2)", "rearrange(ones((2, 3, 4)), \"a b c -> c (a b)\").shape"],
        )
        .memory(Memory::ViewOrCopy)
        .gives("The shape that the right side of the pattern says; dtype of x.")
        .like("einops.rearrange", "einops.rearrange")
        .see(&["reduce", "repeat", "permute", "reshape"]),
    Func::new("reduce", reduce, Group::Join)
        .help(
            "reduce(tensor, pattern, reduction, **sizes)",
            "A reduction over the axes that the right side of the pattern leaves out: sum, mean, \
             max, min, prod, any, \
             all.",
            &[
                "reduce(arange(6).reshape(2, 3), \"a b -> a\", \"sum\")",
                "reduce(ones((4, 4)), \"(h a) (w b) -> h w\", \"mean\", a=2, b=2)",
            ],
        )
        .gives(
            "The shape that the right side of the pattern says; dtypes as the reduction of that name \
            gives.",
        )
        .like("einops.reduce", "einops.reduce")
        .see(&["rearrange", "sum", "mean"]),
];
