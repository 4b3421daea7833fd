//! Unknown extents, tried out: a script is checked under several choices of them, and a fault counts where every choice
//! has it and the two numbers that clash do so whatever the extents are. In the report they are names again.
//!
//! Nothing is reported that a lucky choice of extents would mend: `n` against `m`, or `n` against 784. What holds of
//! every choice are constants (784 against 10), multiples (`784*n` elements against `700*n`) and distances (`n` as an
//! index of an axis of extent `n`).

use crate::base::{Diag, Label, Span, Symbol};

/// The choices. The first two tell the names in numbers: every extent is its own there.
pub const TRIALS: [Choice; 6] = [Choice::Large, Choice::Other, Choice::Equal, Choice::One, Choice::Odd, Choice::Two];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Distinct multiples of numbers that shapes are often divided by.
    Large,
    Other,
    /// As large, all equal.
    Equal,
    /// 1 everywhere; 0 where data decides the extent.
    One,
    /// Distinct primes.
    Odd,
    Two,
}

/// What an unknown extent is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// In an annotation.
    Name(Symbol),
    /// The `i`th axis of what stands at a place: `_`, `...`, a selection.
    Place(Span, usize),
}

#[derive(Debug)]
pub struct Trial {
    pub choice: Choice,
    extents: Vec<(Key, usize)>,
    pub found: Vec<Diag>,
}

const PRIMES: [usize; 16] = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67];

impl Trial {
    pub fn new(choice: Choice) -> Trial {
        Trial { choice, extents: Vec::new(), found: Vec::new() }
    }

    /// The extent of this choice. `fine`: smaller ones, so that the product of many is a size.
    pub fn extent(&mut self, key: Key, fine: bool) -> usize {
        if let Some((_, extent)) = self.extents.iter().find(|(k, _)| *k == key) {
            return *extent;
        }
        let (i, unit) = (self.extents.len(), if fine { 12 } else { 960 });
        let extent = match self.choice {
            Choice::Large => unit * PRIMES[i % 16],
            Choice::Other => unit * PRIMES[(i * 5 + 3) % 16],
            Choice::Equal => 960,
            Choice::One => 1,
            Choice::Odd => PRIMES[(i * 3 + 5) % 16] + 60,
            Choice::Two => 2,
        };
        self.extents.push((key, extent));
        extent
    }

    /// Elements that data selects among `most`.
    pub fn count(&mut self, at: Span, most: usize) -> usize {
        let count = if self.choice == Choice::One { 0 } else { self.extent(Key::Place(at, 0), false) };
        count.min(if self.choice == Choice::Large || self.choice == Choice::Other { usize::MAX } else { most })
    }

    /// Axes that `...` stands for.
    pub fn rest(&self) -> usize {
        match self.choice {
            Choice::Large | Choice::Other | Choice::Two => 1,
            Choice::Equal | Choice::Odd => 0,
            Choice::One => 2,
        }
    }
}

/// The faults that every choice of extents has, with names for the extents.
pub fn proven(trials: &[Trial]) -> Vec<Diag> {
    let [first, second, ..] = trials else { return Vec::new() };
    let mut out = Vec::new();
    for diag in &first.found {
        let same = |t: &&Trial| t.found.iter().find(|d| d.code == diag.code && place(d) == place(diag)).cloned();
        let all: Vec<Diag> = trials.iter().map_while(|t| same(&t)).collect();
        if all.len() == trials.len() && always(&all) {
            out.push(Names::of(first, second).diag(diag, &all[1]));
        }
    }
    out
}

pub fn place(diag: &Diag) -> Span {
    diag.labels.first().map(|l| l.span).unwrap_or_default()
}

/// Whether a fault that was met in every trial is one whatever the extents are.
fn always(all: &[Diag]) -> bool {
    let pairs: Vec<[i128; 2]> = all.iter().filter_map(|d| d.conflict.as_deref()).map(|p| p.map(i128::from)).collect();
    if pairs.len() == all.len() {
        let [a, b] = pairs[0];
        let apart = pairs.iter().all(|[x, y]| x - y == a - b);
        let scaled = pairs.iter().all(|[x, y]| (x * b) == (a * y));
        return apart || scaled;
    }
    // The message of an attribute names the shape, on which it does not depend.
    let same = |d: &Diag| d.message == all[0].message || d.code == "E0102";
    pairs.is_empty()
        && all.iter().all(same)
        && match all[0].code {
            "E0110" | "E0111" | "E0120" => false,
            "E0201" | "E0210" | "E0302" | "E0303" => true,
            code => matches!(&code[..3], "E01" | "E04"),
        }
}

/// Names of extents, each with its value in two trials.
struct Names(Vec<(String, i128, i128)>);

impl Names {
    fn of(a: &Trial, b: &Trial) -> Names {
        let name = |(key, x): &(Key, usize)| {
            let (_, y) = b.extents.iter().find(|(k, _)| k == key)?;
            let name = match key {
                Key::Name(name) => name.to_string(),
                Key::Place(..) => "?".into(),
            };
            Some((name, *x as i128, *y as i128))
        };
        Names(a.extents.iter().filter_map(name).collect())
    }

    fn diag(&self, a: &Diag, b: &Diag) -> Diag {
        let text = |a: &str, b: &str| self.text(a, b).unwrap_or_else(|| a.to_string());
        let label = |(a, b): (&Label, &Label)| Label { span: a.span, text: text(&a.text, &b.text) };
        let hint = a.hint.as_ref().zip(b.hint.as_ref());
        Diag {
            message: text(&a.message, &b.message),
            labels: a.labels.iter().zip(&b.labels).map(label).collect(),
            hint: hint.and_then(|(a, b)| self.text(a, b)).filter(|h| !h.contains('?')),
            notes: a.notes.iter().zip(&b.notes).map(|(a, b)| text(a, b)).collect(),
            ..a.clone()
        }
    }

    /// A text with the numbers in which the trials differ as names; None where more than numbers differs.
    fn text(&self, a: &str, b: &str) -> Option<String> {
        let (a, b) = (pieces(a), pieces(b));
        if a.len() != b.len() {
            return None;
        }
        let mut out = String::new();
        for (x, y) in a.into_iter().zip(b) {
            match (x.parse::<i128>(), y.parse::<i128>()) {
                _ if x == y => out.push_str(x),
                (Ok(x), Ok(y)) => out.push_str(&self.spelled(x, y).unwrap_or_else(|| "?".into())),
                _ => return None,
            }
        }
        Some(out)
    }

    /// What a number is in both trials: `n`, `4*n`, `n*m`, `n//2`, `n + 1`.
    fn spelled(&self, x: i128, y: i128) -> Option<String> {
        let names = &self.0;
        for (i, (a, ax, ay)) in names.iter().enumerate() {
            if let Some(text) = monomial(a, (*ax, *ay), (x, y)) {
                return Some(text);
            }
            if x - ax == y - ay {
                let sign = if x < *ax { '-' } else { '+' };
                return Some(format!("{a} {sign} {}", (x - ax).abs()));
            }
            for (j, (b, bx, by)) in names.iter().enumerate().skip(i) {
                if let Some(text) = monomial(&format!("{a}*{b}"), (ax * bx, ay * by), (x, y)) {
                    return Some(text);
                }
                for (c, cx, cy) in &names[j..] {
                    if let Some(text) = monomial(&format!("{a}*{b}*{c}"), (ax * bx * cx, ay * by * cy), (x, y)) {
                        return Some(text);
                    }
                }
            }
        }
        None
    }
}

/// A constant times the name, or the name divided by one.
fn monomial(name: &str, (a, b): (i128, i128), (x, y): (i128, i128)) -> Option<String> {
    if a == 0 || x == 0 || x.checked_mul(b)? != y.checked_mul(a)? {
        return None;
    }
    match (x / a, x % a) {
        (1, 0) => Some(name.into()),
        (c, 0) => Some(format!("{c}*{name}")),
        _ if a % x == 0 => Some(format!("{name}//{}", a / x)),
        _ => None,
    }
}

/// Numbers, and what stands between them. The digits of `f32` are none.
fn pieces(text: &str) -> Vec<&str> {
    let (mut out, mut start, mut before) = (Vec::new(), 0, ' ');
    let mut number = false;
    for (i, c) in text.char_indices() {
        let digit = c.is_ascii_digit() && (number || !(before.is_alphanumeric() || before == '_' || before == '.'));
        if digit != number {
            out.push(&text[start..i]);
            (start, number) = (i, digit);
        }
        before = c;
    }
    out.push(&text[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_names_again() {
        let (mut a, mut b) = (Trial::new(Choice::Large), Trial::new(Choice::Other));
        for name in ["n", "m"] {
            a.extent(Key::Name(name.into()), false);
            b.extent(Key::Name(name.into()), false);
        }
        let (n, m) = ((6720, 16320), (10560, 35520));
        assert_eq!((a.extents[0].1, b.extents[0].1, a.extents[1].1, b.extents[1].1), (n.0, n.1, m.0, m.1));
        let names = Names::of(&a, &b);
        let text = |f: &dyn Fn(usize, usize) -> String| names.text(&f(n.0, m.0), &f(n.1, m.1));
        assert_eq!(text(&|n, _| format!("f32[{n}, 784]")).as_deref(), Some("f32[n, 784]"));
        assert_eq!(text(&|n, m| format!("[{}, {}]", n * m * 4, n / 12)).as_deref(), Some("[4*n*m, n//12]"));
        assert_eq!(text(&|n, m| format!("{} {}", n - 1, m + 3)).as_deref(), Some("n - 1 m + 3"));
        assert_eq!(text(&|n, m| format!("{}", n + m)).as_deref(), Some("?"));
        assert_eq!(text(&|n, _| if n > 7000 { "x".into() } else { "y".into() }), None);
    }

    #[test]
    fn constants_multiples_and_distances_always_clash() {
        let pairs = |list: &[(u64, u64)]| {
            let diag = |(a, b): &(u64, u64)| Diag::new("E0203", "").between(*a, *b);
            always(&list.iter().map(diag).collect::<Vec<_>>())
        };
        assert!(pairs(&[(784, 10), (784, 10)]) && pairs(&[(6, 3), (10, 5)]) && pairs(&[(6, 7), (10, 11)]));
        assert!(!pairs(&[(784, 6), (784, 7)]) && !pairs(&[(5, 7), (6, 11)]));
    }
}
