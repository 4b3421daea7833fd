//! Products over named axes: everything becomes strided contractions, reductions and views.

use super::make::{Make, t};
use crate::base::Diag;
use crate::op::Monoid;
use crate::plan::build::{self, ContractAxes};
use crate::plan::{Tensor, describe};
use crate::tensor::{Layout, promote};

/// An operand with a name for each axis.
#[derive(Clone)]
pub struct Term {
    pub x: Tensor,
    pub axes: Vec<char>,
}

/// Names of the axes behind `...`, counted from the right.
const ELLIPSIS: u32 = 0xE000;

/// Evaluates a pattern such as `ij,jk->ik`.
///
/// # Errors
/// E0120 for a pattern that does not fit its operands, E0217 where one name has two extents.
pub fn einsum(make: Make, pattern: &str, xs: Vec<Tensor>) -> Result<Tensor, Diag> {
    let text: String = pattern.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text.as_str(), None),
    };
    let parts: Vec<&str> = inputs.split(',').collect();
    if parts.len() != xs.len() {
        return Err(fault(format!("the pattern names {} operands, {} are given", parts.len(), xs.len())));
    }
    let mut terms = Vec::new();
    for (part, x) in parts.iter().zip(xs) {
        let axes = names(part, Some(x.ndim()))?;
        if axes.len() != x.ndim() {
            return Err(fault(format!("`{part}` names {} axes of {}", axes.len(), x.describe())));
        }
        terms.push(diagonal(Term { x, axes })?);
    }
    check_extents(&terms)?;
    let output = match output {
        Some(text) => explicit(text, &terms)?,
        None => implicit(&parts, &terms),
    };
    let result = product(make, terms, &output)?;
    arrange(result, &output)
}

fn fault(message: String) -> Diag {
    Diag::new("E0120", message).hint("a pattern reads `ij,jk->ik`: a letter an axis, a comma between operands")
}

/// The axis names of one part; `...` stands for as many as `ndim` leaves (or all that were seen, in the output).
fn names(part: &str, ndim: Option<usize>) -> Result<Vec<char>, Diag> {
    let (before, after) = match part.split_once("...") {
        Some((before, after)) => (before, Some(after)),
        None => (part, None),
    };
    let letters = |s: &str| -> Result<Vec<char>, Diag> {
        match s.chars().find(|c| !c.is_alphabetic()) {
            Some(c) => Err(fault(format!("`{c}` is no axis name"))),
            None => Ok(s.chars().collect()),
        }
    };
    let mut out = letters(before)?;
    if let Some(after) = after {
        let after = letters(after)?;
        let rest = ndim.unwrap_or(0).saturating_sub(out.len() + after.len());
        out.extend((0..rest).rev().filter_map(|i| char::from_u32(ELLIPSIS + i as u32)));
        out.extend(after);
    }
    Ok(out)
}

fn is_ellipsis(c: char) -> bool {
    ('\u{E000}'..='\u{F8FF}').contains(&c)
}

/// The names behind `...` of all operands, outermost first.
fn ellipsis(terms: &[Term]) -> Vec<char> {
    let mut out: Vec<char> = terms.iter().flat_map(|t| t.axes.iter().copied()).filter(|c| is_ellipsis(*c)).collect();
    out.sort_unstable_by(|a, b| b.cmp(a));
    out.dedup();
    out
}

fn explicit(text: &str, terms: &[Term]) -> Result<Vec<char>, Diag> {
    let mut out = names(&text.replace("...", ""), None)?;
    if let Some((before, _)) = text.split_once("...") {
        let at = before.chars().count();
        out.splice(at..at, ellipsis(terms));
    }
    for (i, c) in out.iter().enumerate() {
        if out[..i].contains(c) {
            return Err(fault(format!("the output names `{c}` twice")));
        }
        if !terms.iter().any(|t| t.axes.contains(c)) {
            return Err(fault(format!("no operand has the output's axis `{c}`")));
        }
    }
    Ok(out)
}

/// Names that the pattern holds once, in alphabetic order, behind those of `...`.
fn implicit(parts: &[&str], terms: &[Term]) -> Vec<char> {
    let all: Vec<char> = parts.iter().flat_map(|p| p.chars()).filter(|c| c.is_alphabetic()).collect();
    let mut once: Vec<char> = all.iter().copied().filter(|c| all.iter().filter(|d| *d == c).count() == 1).collect();
    once.sort_unstable();
    ellipsis(terms).into_iter().chain(once).collect()
}

/// Axes of one operand that share a name become their diagonal: a view.
fn diagonal(term: Term) -> Result<Term, Diag> {
    let layout = &term.x.view.layout;
    let mut out = Layout { offset: layout.offset, ..Layout::default() };
    let mut axes: Vec<char> = Vec::new();
    let mut joined = false;
    for (i, &c) in term.axes.iter().enumerate() {
        match axes.iter().position(|a| *a == c) {
            Some(j) if out.shape[j] == layout.shape[i] => {
                out.strides[j] += layout.strides[i];
                joined = true;
            }
            Some(j) => return Err(extents(c, out.shape[j], layout.shape[i])),
            None => {
                axes.push(c);
                out.shape.push(layout.shape[i]);
                out.strides.push(layout.strides[i]);
            }
        }
    }
    let x = if joined { term.x.viewed(out) } else { term.x };
    Ok(Term { x, axes })
}

fn extents(name: char, a: usize, b: usize) -> Diag {
    let name = if is_ellipsis(name) { "...".into() } else { name.to_string() };
    Diag::new("E0217", format!("axis `{name}` has two extents: {a} and {b}")).between(a, b)
}

fn check_extents(terms: &[Term]) -> Result<(), Diag> {
    for (i, term) in terms.iter().enumerate() {
        for (c, &extent) in term.axes.iter().zip(term.x.shape()) {
            for other in &terms[..i] {
                if let Some(j) = other.axes.iter().position(|a| a == c) {
                    let known = other.x.shape()[j];
                    if known != extent && known != 1 && extent != 1 {
                        return Err(extents(*c, known, extent));
                    }
                }
            }
        }
    }
    Ok(())
}

/// All operands joined, two at a time, those with the smallest result first.
fn product(make: Make, mut terms: Vec<Term>, output: &[char]) -> Result<Term, Diag> {
    while terms.len() > 1 {
        let mut best = (0, 1, f64::INFINITY);
        for i in 0..terms.len() {
            for j in i + 1..terms.len() {
                let size = joined_size(&terms, i, j, output);
                if size < best.2 {
                    best = (i, j, size);
                }
            }
        }
        let (i, j, _) = best;
        let b = terms.remove(j);
        let a = terms.remove(i);
        let keep: Vec<char> = output.iter().copied().chain(terms.iter().flat_map(|t| t.axes.iter().copied())).collect();
        terms.insert(i, pair(make, a, b, &keep, output)?);
    }
    match terms.pop() {
        Some(term) => sum_out(make, term, output),
        None => Err(fault("no operands".into())),
    }
}

fn joined_size(terms: &[Term], i: usize, j: usize, output: &[char]) -> f64 {
    let needed =
        |c: &char| output.contains(c) || terms.iter().enumerate().any(|(n, t)| n != i && n != j && t.axes.contains(c));
    let mut size = 1.0;
    let mut seen: Vec<char> = Vec::new();
    for term in [&terms[i], &terms[j]] {
        for (c, &extent) in term.axes.iter().zip(term.x.shape()) {
            if needed(c) && !seen.contains(c) {
                seen.push(*c);
                size *= extent as f64;
            }
        }
    }
    size
}

/// Sums over the axes that nobody needs any more.
fn sum_out(make: Make, term: Term, keep: &[char]) -> Result<Term, Diag> {
    let gone: Vec<usize> = (0..term.axes.len()).filter(|&i| !keep.contains(&term.axes[i])).collect();
    if gone.is_empty() {
        return Ok(term);
    }
    let dtype = term.x.dtype();
    let monoid = if dtype == crate::tensor::DType::Bool { Monoid::Or } else { Monoid::Sum };
    let x = make.reduce(&term.x, &gone, false, monoid, dtype)?;
    let axes = term.axes.iter().copied().filter(|c| keep.contains(c)).collect();
    Ok(Term { x, axes })
}

/// Two operands: shared axes that are still needed are the batch, shared ones that are not are summed.
fn pair(make: Make, a: Term, b: Term, keep: &[char], output: &[char]) -> Result<Term, Diag> {
    let needed = |other: &Term| -> Vec<char> { keep.iter().chain(&other.axes).copied().collect() };
    let (keep_a, keep_b) = (needed(&b), needed(&a));
    let (a, b) = (sum_out(make, a, &keep_a)?, sum_out(make, b, &keep_b)?);
    let shared = |c: &&char| b.axes.contains(c) && a.axes.contains(c);
    let batch: Vec<char> = a.axes.iter().filter(|c| shared(c) && keep.contains(c)).copied().collect();
    let k: Vec<char> = a.axes.iter().filter(|c| shared(c) && !keep.contains(c)).copied().collect();
    let only =
        |x: &Term| -> Vec<char> { x.axes.iter().filter(|c| !batch.contains(c) && !k.contains(c)).copied().collect() };
    let (m, n) = (only(&a), only(&b));
    // The operand whose own axes come first in the output goes first, so that the result lies as it is wanted.
    let place =
        |axes: &[char]| axes.iter().filter_map(|c| output.iter().position(|o| o == c)).min().unwrap_or(usize::MAX);
    if place(&n) < place(&m) {
        return contract(make, b, a, sorted(&batch, output), sorted(&n, output), sorted(&m, output), k);
    }
    contract(make, a, b, sorted(&batch, output), sorted(&m, output), sorted(&n, output), k)
}

/// In the order of the output; others behind.
fn sorted(axes: &[char], output: &[char]) -> Vec<char> {
    let mut out = axes.to_vec();
    out.sort_by_key(|c| output.iter().position(|o| o == c).unwrap_or(usize::MAX));
    out
}

fn contract(
    make: Make,
    a: Term,
    b: Term,
    batch: Vec<char>,
    m: Vec<char>,
    n: Vec<char>,
    k: Vec<char>,
) -> Result<Term, Diag> {
    let extent = |c: &char| {
        let of = |t: &Term| t.axes.iter().position(|d| d == c).map(|i| t.x.shape()[i]);
        of(&a).into_iter().chain(of(&b)).max_by_key(|&e| if e == 1 { 0 } else { e + 1 }).unwrap_or(1)
    };
    let spread = |t: &Term, order: &[&[char]]| -> Result<Layout, Diag> {
        let from = &t.x.view.layout;
        let mut layout = Layout { offset: from.offset, ..Layout::default() };
        for c in order.iter().flat_map(|group| group.iter()) {
            let own = t.axes.iter().position(|d| d == c);
            layout.shape.push(extent(c));
            layout.strides.push(own.filter(|&i| from.shape[i] != 1).map_or(0, |i| from.strides[i]));
        }
        Ok(layout)
    };
    let axes: Vec<char> = batch.iter().chain(&m).chain(&n).copied().collect();
    if k.is_empty() {
        let (la, lb) = (spread(&a, &[&batch, &m, &n])?, spread(&b, &[&batch, &m, &n])?);
        let x = make.row("multiply", &[t(&a.x.viewed(la)), t(&b.x.viewed(lb))])?;
        return Ok(Term { x, axes });
    }
    let dtype = promote(a.x.dtype(), b.x.dtype());
    let (la, lb) = (spread(&a, &[&batch, &m, &k])?, spread(&b, &[&batch, &n, &k])?);
    let x = build::as_dtype(a.x.operand().with_layout(la), dtype, make.span)?;
    let y = build::as_dtype(b.x.operand().with_layout(lb), dtype, make.span)?;
    let counts = ContractAxes { batch: batch.len(), m: m.len(), n: n.len(), k: k.len() };
    Ok(Term { x: Tensor::of(build::contract(x, y, counts, make.span)?), axes })
}

/// The axes in the output's order.
fn arrange(term: Term, output: &[char]) -> Result<Tensor, Diag> {
    let order: Vec<i64> =
        output.iter().filter_map(|c| term.axes.iter().position(|a| a == c)).map(|i| i as i64).collect();
    if order.iter().enumerate().all(|(i, &a)| i as i64 == a) {
        return Ok(term.x);
    }
    let layout = term.x.view.layout.permute(&order).map_err(|f| f.diag())?;
    Ok(term.x.viewed(layout))
}

/// `tensordot`: the named axes of both are summed; the rest of x's come first.
pub fn tensordot(make: Make, x: &Tensor, y: &Tensor, ax: &[usize], ay: &[usize]) -> Result<Tensor, Diag> {
    for (&i, &j) in ax.iter().zip(ay) {
        if x.shape()[i] != y.shape()[j] {
            let note = format!(
                "axis {i} of {} against axis {j} of {}",
                describe(x.dtype(), x.shape()),
                describe(y.dtype(), y.shape())
            );
            let diag = Diag::new("E0210", "extents of the summed axes differ").note(note);
            return Err(diag.between(x.shape()[i], y.shape()[j]));
        }
    }
    let mut next = 'A' as u32;
    let mut fresh = || {
        next += 1;
        char::from_u32(next + 0x4E00).unwrap_or('A')
    };
    let first: Vec<char> = (0..x.ndim()).map(|_| fresh()).collect();
    let second: Vec<char> =
        (0..y.ndim()).map(|j| ay.iter().position(|a| *a == j).map_or_else(&mut fresh, |p| first[ax[p]])).collect();
    let free_x = first.iter().enumerate().filter(|(i, _)| !ax.contains(i)).map(|(_, c)| *c);
    let free_y = second.iter().enumerate().filter(|(j, _)| !ay.contains(j)).map(|(_, c)| *c);
    let output: Vec<char> = free_x.chain(free_y).collect();
    let terms = vec![Term { x: x.clone(), axes: first }, Term { x: y.clone(), axes: second }];
    let result = product(make, terms, &output)?;
    arrange(result, &output)
}
