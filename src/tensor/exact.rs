//! Exact answers about strided ranges: does `sum factor[k] * x[k] = target` have a solution in a box?

use smallvec::SmallVec;

/// One unknown: `0 <= x <= most`, multiplied by a non-negative factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub factor: i128,
    pub most: i128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Yes,
    No,
    /// The search gave up.
    Unknown,
}

/// Search steps before giving up. Layouts made by slicing, transposing and windows need fewer than a hundred.
const STEPS: u32 = 200_000;

/// Whether the box holds a solution. Each reach `factor * most` fits in 2^100 (byte offsets do).
pub(super) fn solvable(terms: Vec<Term>, target: i128) -> Verdict {
    let terms = normalised(terms);
    let levels = levels(&terms);
    let mut steps = STEPS;
    search(&levels, target, &mut steps)
}

/// Drops what cannot matter, joins equal factors, largest factor first.
fn normalised(mut terms: Vec<Term>) -> Vec<Term> {
    terms.retain(|t| t.factor > 0 && t.most > 0);
    terms.sort_unstable_by_key(|t| std::cmp::Reverse(t.factor));
    terms.dedup_by(|later, kept| {
        let same = later.factor == kept.factor;
        if same {
            kept.most += later.most;
        }
        same
    });
    terms
}

/// A term with what the terms from it on can make: sums of 0..=reach, multiples of gcd.
struct Level {
    term: Term,
    reach: i128,
    gcd: i128,
}

fn levels(terms: &[Term]) -> SmallVec<[Level; 8]> {
    let mut out: SmallVec<[Level; 8]> = SmallVec::new();
    let (mut reach, mut divisor) = (0, 0);
    for &term in terms.iter().rev() {
        reach += term.factor * term.most;
        divisor = gcd(term.factor, divisor);
        out.push(Level { term, reach, gcd: divisor });
    }
    out.reverse();
    out
}

fn search(levels: &[Level], target: i128, steps: &mut u32) -> Verdict {
    let Some((first, rest)) = levels.split_first() else {
        return if target == 0 { Verdict::Yes } else { Verdict::No };
    };
    if target < 0 || target > first.reach || target % first.gcd != 0 {
        return Verdict::No;
    }
    let Term { factor, most } = first.term;
    let Some(next) = rest.first() else {
        return Verdict::Yes; // divisible by the only factor, and within reach
    };
    // factor * x ≡ target (mod gcd of the rest) has the solutions x0, x0 + stride, …
    let g = gcd(factor, next.gcd);
    let stride = next.gcd / g;
    let Some(product) = (target / g).rem_euclid(stride).checked_mul(inverse(factor / g, stride)) else {
        return Verdict::Unknown;
    };
    let x0 = product % stride;
    let low = (target - next.reach + factor - 1).div_euclid(factor).max(0);
    let high = most.min(target / factor);
    let first_x = low + (x0 - low).rem_euclid(stride);
    if first_x > high {
        return Verdict::No;
    }
    if rest.len() == 1 {
        return Verdict::Yes; // the rest is a multiple of its only factor, and within its reach
    }
    let mut x = high - (high - first_x) % stride;
    let mut verdict = Verdict::No;
    while x >= first_x {
        if *steps == 0 {
            return Verdict::Unknown;
        }
        *steps -= 1;
        match search(rest, target - factor * x, steps) {
            Verdict::Yes => return Verdict::Yes,
            Verdict::Unknown => verdict = Verdict::Unknown,
            Verdict::No => {}
        }
        x -= stride;
    }
    verdict
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The inverse of `a` modulo `m`, for coprime a and m; 0 for m = 1.
fn inverse(a: i128, m: i128) -> i128 {
    let (mut old, mut new) = ((a.rem_euclid(m), 1), (m, 0));
    while new.0 != 0 {
        let q = old.0 / new.0;
        (old, new) = (new, (old.0 - q * new.0, old.1 - q * new.1));
    }
    old.1.rem_euclid(m)
}
