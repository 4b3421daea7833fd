use super::digits::Decimal;
use super::number::{complex_text, exponent_text, float_text, special};
use super::spec::{Align, Spec, fault};
use crate::base::{Diag, a as article};
use crate::tensor::DType;
use num_complex::Complex64;

/// What a format spec can be applied to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FormatValue<'a> {
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Complex(Complex64),
    Str(&'a str),
}

impl FormatValue<'_> {
    fn what(self) -> &'static str {
        match self {
            FormatValue::Bool(_) => "bool",
            FormatValue::Int(_) | FormatValue::UInt(_) => "int",
            FormatValue::Float(_) => "float",
            FormatValue::Complex(_) => "complex",
            FormatValue::Str(_) => "str",
        }
    }
}

/// Python's `format(value, spec)`. A spec that does not fit is E0507, without a place.
pub fn format_value(value: FormatValue, spec: &str) -> Result<String, Diag> {
    if spec.is_empty() {
        return Ok(match value {
            FormatValue::Bool(b) => if b { "True" } else { "False" }.into(),
            FormatValue::Int(i) => i.to_string(),
            FormatValue::UInt(u) => u.to_string(),
            FormatValue::Float(x) => float_text(x),
            FormatValue::Complex(z) => complex_text(z),
            FormatValue::Str(s) => s.into(),
        });
    }
    let what = value.what();
    let parsed = Spec::parse(spec, what, !matches!(value, FormatValue::Str(_)))?;
    let number = match value {
        FormatValue::Str(s) => return string(s, &parsed),
        FormatValue::Complex(z) => return complex(z, &parsed),
        FormatValue::Float(x) => return float(x, &parsed, what),
        FormatValue::Bool(b) => Int { negative: false, magnitude: b.into() },
        FormatValue::Int(i) => Int { negative: i < 0, magnitude: i.unsigned_abs() },
        FormatValue::UInt(u) => Int { negative: false, magnitude: u },
    };
    number.format(&parsed, what)
}

fn unknown(kind: char, what: &str) -> Diag {
    fault(format!("{} has no format `{kind}`", article(what)))
}

fn string(s: &str, spec: &Spec) -> Result<String, Diag> {
    let refuse = |what: &str| Err(fault(format!("a format of a str takes no {what}")));
    match spec {
        Spec { kind: Some(kind), .. } if *kind != 's' => Err(unknown(*kind, "str")),
        Spec { sign: Some(_), .. } => refuse("sign"),
        Spec { no_negative_zero: true, .. } => refuse("`z`"),
        Spec { alternate: true, .. } => refuse("`#`"),
        Spec { align: Align::Inside, .. } => refuse("`=`"),
        Spec { grouping: Some(separator), .. } => refuse(&format!("`{separator}`")),
        Spec { precision, .. } => Ok(spec.pad(s.chars().take(precision.unwrap_or(usize::MAX)).collect(), 0)),
    }
}

/// A number in pieces: what is filled and grouped differs between them.
#[derive(Default)]
struct Pieces {
    sign: &'static str,
    prefix: &'static str,
    /// Digits of the integer part; empty for `inf`, `nan` and characters.
    digits: String,
    /// Point, fraction, exponent, `%`.
    rest: String,
}

impl Pieces {
    /// Groups of `size` digits, zeros where they fill up to the width.
    fn write(self, spec: &Spec, size: usize) -> String {
        let Pieces { sign, prefix, digits, rest } = self;
        let around = sign.len() + prefix.len() + rest.len();
        let least = if spec.zero_filled() { spec.width.saturating_sub(around) } else { 0 };
        let digits = if digits.is_empty() { digits } else { grouped(&digits, spec.grouping, size, least) };
        let inside = sign.len() + prefix.len();
        spec.pad(format!("{sign}{prefix}{digits}{rest}"), inside)
    }
}

/// At least `least` characters, separators counted; no separator comes first.
fn grouped(digits: &str, separator: Option<char>, size: usize, least: usize) -> String {
    let Some(separator) = separator else { return format!("{digits:0>least$}") };
    let mut reversed = Vec::with_capacity(least.max(digits.len()) * 2);
    let mut left = digits.bytes().rev();
    let mut count = 0;
    while left.len() > 0 || reversed.len() < least {
        if count > 0 && count % size == 0 {
            reversed.push(separator as u8);
        }
        reversed.push(left.next().unwrap_or(b'0'));
        count += 1;
    }
    reversed.iter().rev().map(|&b| b as char).collect()
}

fn sign(negative: bool, spec: &Spec) -> &'static str {
    match (negative, spec.sign) {
        (true, _) => "-",
        (false, Some('+')) => "+",
        (false, Some(' ')) => " ",
        _ => "",
    }
}

#[derive(Clone, Copy)]
struct Int {
    negative: bool,
    magnitude: u64,
}

impl Int {
    fn format(self, spec: &Spec, what: &str) -> Result<String, Diag> {
        let n = self.magnitude;
        let (prefix, digits, size) = match spec.kind {
            None | Some('d' | 'n') => ("", n.to_string(), 3),
            Some('b') => ("0b", format!("{n:b}"), 4),
            Some('o') => ("0o", format!("{n:o}"), 4),
            Some('x') => ("0x", format!("{n:x}"), 4),
            Some('X') => ("0X", format!("{n:X}"), 4),
            Some('c') => return self.character(spec),
            Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
                let x = n as f64;
                return float(if self.negative { -x } else { x }, spec, what);
            }
            Some(kind) => return Err(unknown(kind, what)),
        };
        whole_only(spec)?;
        let prefix = if spec.alternate { prefix } else { "" };
        Ok(Pieces { sign: sign(self.negative, spec), prefix, digits, rest: String::new() }.write(spec, size))
    }

    fn character(self, spec: &Spec) -> Result<String, Diag> {
        whole_only(spec)?;
        if spec.sign.is_some() || spec.alternate {
            return Err(fault("a format with `c` takes no sign and no `#`".into()));
        }
        let c = u32::try_from(self.magnitude).ok().filter(|_| !self.negative).and_then(char::from_u32);
        let c = c.ok_or_else(|| fault("no character has this number".into()))?;
        Ok(spec.pad(c.into(), 0))
    }
}

fn whole_only(spec: &Spec) -> Result<(), Diag> {
    match spec {
        Spec { precision: Some(_), .. } => Err(fault("a format of an int takes no precision".into())),
        Spec { no_negative_zero: true, .. } => Err(fault("a format of an int takes no `z`".into())),
        _ => Ok(()),
    }
}

/// How a float is written.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Fixed,
    Scientific,
    /// Fixed or scientific, so many digits in all.
    General,
    /// Shortest digits.
    Repr,
}

fn float(x: f64, spec: &Spec, what: &str) -> Result<String, Diag> {
    let (style, point) = match (spec.kind, spec.precision) {
        (None, None) => (Style::Repr, true),
        (None, Some(_)) => (Style::General, true),
        (Some('e' | 'E'), _) => (Style::Scientific, false),
        (Some('f' | 'F' | '%'), _) => (Style::Fixed, false),
        (Some('g' | 'G' | 'n'), _) => (Style::General, false),
        (Some(kind), _) => return Err(unknown(kind, what)),
    };
    let percent = spec.kind == Some('%');
    let x = if percent { x * 100.0 } else { x };
    let mut pieces = float_pieces(x, spec, style, point);
    if percent {
        pieces.rest.push('%');
    }
    Ok(pieces.write(spec, 3))
}

/// `point`: an integer gets `.0` unless it has an exponent.
fn float_pieces(x: f64, spec: &Spec, style: Style, point: bool) -> Pieces {
    let upper = matches!(spec.kind, Some('E' | 'F' | 'G'));
    let case = |text: String| if upper { text.to_uppercase() } else { text };
    if let Some(word) = special(x.abs()) {
        let sign = sign(x == f64::NEG_INFINITY, spec);
        return Pieces { sign, rest: case(word.into()), ..Default::default() };
    }
    let (digits, fraction, exponent) = match style {
        Style::Fixed => {
            let (whole, fraction) = Decimal::fixed(x, spec.precision.unwrap_or(6));
            (whole, fraction, String::new())
        }
        Style::Scientific => scientific(Decimal::significant(x, spec.precision.unwrap_or(6) + 1)),
        Style::General => general(x, spec, point),
        Style::Repr => {
            let d = Decimal::shortest(x, DType::F64);
            if (-4..16).contains(&d.exponent()) {
                let (whole, fraction) = d.positional();
                (whole, fraction, String::new())
            } else {
                scientific(d)
            }
        }
    };
    let zero = [&digits, &fraction].iter().all(|t| t.bytes().all(|b| b == b'0'));
    let negative = x.is_sign_negative() && !(spec.no_negative_zero && zero);
    let mut rest = match fraction.is_empty() {
        true if point && exponent.is_empty() => ".0".to_owned(),
        true if spec.alternate => ".".to_owned(),
        true => String::new(),
        false => format!(".{fraction}"),
    };
    rest.push_str(&exponent);
    Pieces { sign: sign(negative, spec), prefix: "", digits, rest: case(rest) }
}

fn scientific(d: Decimal) -> (String, String, String) {
    let text = std::str::from_utf8(&d.digits).unwrap_or_default();
    (text[..1].to_owned(), text[1..].to_owned(), exponent_text(d.exponent(), 2))
}

/// `g`: so many significant digits, zeros at the end only with `#`.
fn general(x: f64, spec: &Spec, point: bool) -> (String, String, String) {
    let count = spec.precision.unwrap_or(6).max(1);
    let mut d = Decimal::significant(x, count);
    let limit = count as i64 - i64::from(point);
    let exponential = d.exponent() < -4 || i64::from(d.exponent()) >= limit;
    if !spec.alternate {
        while d.digits.len() > 1 && d.digits.last() == Some(&b'0') {
            d.digits.pop();
        }
    }
    if exponential {
        return scientific(d);
    }
    let (whole, mut fraction) = d.positional();
    if spec.alternate {
        let places = (count as i64 - i64::from(d.point)).max(0) as usize;
        fraction.extend(std::iter::repeat_n('0', places.saturating_sub(fraction.len())));
    }
    (whole, fraction, String::new())
}

/// Both parts with the same spec, filled as one text; in brackets where no type is said.
fn complex(z: Complex64, spec: &Spec) -> Result<String, Diag> {
    let refuse = |what: &str| Err(fault(format!("a format of a complex number takes no {what}")));
    if spec.fill == '0' {
        return refuse("filling with zeros");
    }
    if spec.align == Align::Inside {
        return refuse("`=`");
    }
    let style = match (spec.kind, spec.precision) {
        (None, None) => Style::Repr,
        (None | Some('g' | 'G' | 'n'), _) => Style::General,
        (Some('e' | 'E'), _) => Style::Scientific,
        (Some('f' | 'F'), _) => Style::Fixed,
        (Some(kind), _) => return Err(unknown(kind, "complex")),
    };
    let bare = Spec { width: 0, ..spec.clone() };
    let signed = Spec { sign: Some('+'), ..bare.clone() };
    let imaginary_only = spec.kind.is_none() && z.re == 0.0 && z.re.is_sign_positive();
    let text = if imaginary_only {
        format!("{}j", float_pieces(z.im, &bare, style, false).write(&bare, 3))
    } else {
        let re = float_pieces(z.re, &bare, style, false).write(&bare, 3);
        let im = float_pieces(z.im, &signed, style, false).write(&signed, 3);
        if spec.kind.is_none() { format!("({re}{im}j)") } else { format!("{re}{im}j") }
    };
    Ok(spec.pad(text, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_formats() {
        let f = |x: f64, spec: &str| format_value(FormatValue::Float(x), spec).unwrap();
        assert_eq!(f(3.14259, ".3f"), "3.143");
        assert_eq!(f(2.675, ".2f"), "2.67");
        assert_eq!(f(0.5, ".0f"), "0");
        assert_eq!(f(0.256, ".1%"), "25.6%");
        assert_eq!(f(1234567.891, "15,.2f"), "   1,234,567.89");
        assert_eq!(f(-0.001, "z.2f"), "0.00");
        let i = |n: i64, spec: &str| format_value(FormatValue::Int(n), spec).unwrap();
        assert_eq!(i(1234567, ","), "1,234,567");
        assert_eq!(i(255, "#o"), "0o377");
        assert_eq!(i(7, "04d"), "0007");
        assert_eq!(i(i64::MIN, "_x"), "-8000_0000_0000_0000");
        assert_eq!(format_value(FormatValue::UInt(u64::MAX), "d").unwrap(), "18446744073709551615");
        assert_eq!(format_value(FormatValue::Str("漢字"), "ä^6").unwrap(), "ää漢字ää");
    }

    #[test]
    fn huge_widths_are_faults() {
        for spec in ["999999999999", ".999999999999f", "99999999999999999999999", "067108865d"] {
            assert_eq!(format_value(FormatValue::Float(1.0), spec).unwrap_err().code, "E0507", "{spec}");
        }
        let text = format_value(FormatValue::Float(0.1), ".70000f").unwrap();
        assert_eq!(text.len(), 70002);
        assert!(text.starts_with("0.1000000000000000055511151231257827021181583404541015625000"));
        assert_eq!(format_value(FormatValue::Float(1.5), ".70000e").unwrap().len(), 70006);
        assert_eq!(format_value(FormatValue::Float(1.5), ".70000g").unwrap(), "1.5");
    }
}
