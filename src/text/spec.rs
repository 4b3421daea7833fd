use crate::base::Diag;

/// Widths and precisions beyond this are a fault rather than a text that fills the memory.
const MOST: usize = 64 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Align {
    Left,
    Right,
    Center,
    /// Between the sign and the digits.
    Inside,
}

/// `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`, Python's format spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spec {
    pub fill: char,
    pub align: Align,
    /// `+`, `-` or a blank.
    pub sign: Option<char>,
    /// `z`: a negative zero loses its sign.
    pub no_negative_zero: bool,
    /// `#`: prefixes of integers, the point of floats.
    pub alternate: bool,
    /// In characters.
    pub width: usize,
    /// `,` or `_`.
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl Spec {
    /// Reads a spec for a value called `what` in faults; numbers stand right where nothing is said, strings left.
    pub fn parse(text: &str, what: &str, number: bool) -> Result<Spec, Diag> {
        let bad = || fault(format!("the format {text:?} does not fit a {what}"));
        let mut chars = Chars { rest: text };
        let (fill, align) = chars.fill_and_align();
        let sign = chars.take(|c| matches!(c, '+' | '-' | ' '));
        let no_negative_zero = chars.take(|c| c == 'z').is_some();
        let alternate = chars.take(|c| c == '#').is_some();
        let zero = fill.is_none() && chars.take(|c| c == '0').is_some();
        let width = chars.number()?.unwrap_or(0);
        let grouping = chars.take(|c| matches!(c, ',' | '_'));
        if grouping.is_some() && chars.take(|c| matches!(c, ',' | '_')).is_some() {
            return Err(fault("a format takes one of `,` and `_`".into()));
        }
        let precision = match chars.take(|c| c == '.') {
            Some(_) => Some(chars.number()?.ok_or_else(|| fault("a format needs digits behind `.`".into()))?),
            None => None,
        };
        let kind = chars.take(|_| true);
        if !chars.rest.is_empty() {
            return Err(bad());
        }
        let default = match (number, zero) {
            (true, true) => Align::Inside,
            (true, false) => Align::Right,
            (false, _) => Align::Left,
        };
        let spec = Spec {
            fill: fill.unwrap_or(if zero { '0' } else { ' ' }),
            align: align.unwrap_or(default),
            sign,
            no_negative_zero,
            alternate,
            width,
            grouping,
            precision,
            kind,
        };
        spec.check_grouping()?;
        Ok(spec)
    }

    fn check_grouping(&self) -> Result<(), Diag> {
        let (Some(separator), Some(kind)) = (self.grouping, self.kind) else { return Ok(()) };
        match kind {
            'd' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' => Ok(()),
            'b' | 'o' | 'x' | 'X' if separator == '_' => Ok(()),
            _ => Err(fault(format!("a format with `{kind}` takes no `{separator}`"))),
        }
    }

    pub fn zero_filled(&self) -> bool {
        self.fill == '0' && self.align == Align::Inside
    }

    /// Fills up to the width; `inside` is where the fill goes for numbers, in bytes.
    pub fn pad(&self, text: String, inside: usize) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        if missing == 0 {
            return text;
        }
        let left = match self.align {
            Align::Left => 0,
            Align::Right => missing,
            Align::Center => missing / 2,
            Align::Inside => {
                let fill: String = std::iter::repeat_n(self.fill, missing).collect();
                let (head, tail) = text.split_at(inside);
                return format!("{head}{fill}{tail}");
            }
        };
        let fill = |n: usize| std::iter::repeat_n(self.fill, n);
        fill(left).chain(text.chars()).chain(fill(missing - left)).collect()
    }
}

pub(super) fn fault(message: String) -> Diag {
    Diag::new("E0507", message)
}

struct Chars<'a> {
    rest: &'a str,
}

impl Chars<'_> {
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let c = self.rest.chars().next().filter(|&c| wanted(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// Any character is a fill where an alignment follows it.
    fn fill_and_align(&mut self) -> (Option<char>, Option<Align>) {
        let align = |c: char| match c {
            '<' => Some(Align::Left),
            '>' => Some(Align::Right),
            '^' => Some(Align::Center),
            '=' => Some(Align::Inside),
            _ => None,
        };
        let mut ahead = self.rest.chars();
        let (first, second) = (ahead.next(), ahead.next());
        if let Some(found) = second.and_then(align) {
            self.rest = ahead.as_str();
            return (first, Some(found));
        }
        (None, self.take(|c| align(c).is_some()).and_then(align))
    }

    fn number(&mut self) -> Result<Option<usize>, Diag> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(n) if n <= MOST => Ok(Some(n)),
            _ => Err(fault(format!("{digits} is too much in a format: at most {MOST}"))),
        }
    }
}
