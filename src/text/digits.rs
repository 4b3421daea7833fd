use crate::tensor::DType;
use smallvec::SmallVec;
use std::fmt::Write;

/// A finite number as decimal digits: `0.DIGITS * 10^point`, sign apart.
///
/// The digits are ASCII, never empty; the first one is not 0 unless the number is zero (`0`, point 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    pub negative: bool,
    pub digits: SmallVec<[u8; 24]>,
    pub point: i32,
}

/// More decimals than any f64 has; what a caller asks beyond them is zeros.
const EXACT: usize = 1100;

impl Decimal {
    /// The shortest digits that no other value of `dtype` shares, the nearest such to `x`. `x` is finite and a value of
    /// `dtype`; the parts of a complex number have the dtype of its parts.
    pub fn shortest(x: f64, dtype: DType) -> Decimal {
        if x == 0.0 {
            return Decimal { negative: x.is_sign_negative(), digits: SmallVec::from_slice(b"0"), point: 1 };
        }
        let mut buffer = zmij::Buffer::new();
        match Grid::of(dtype.real()) {
            Some(grid) => grid.shortest(x),
            None if dtype.real() == DType::F32 => Decimal::parse(buffer.format_finite(x as f32)),
            None => Decimal::parse(buffer.format_finite(x)),
        }
    }

    /// `x` correctly rounded to `count` significant digits (halves to even), zeros at the end kept.
    pub fn significant(x: f64, count: usize) -> Decimal {
        let exact = count.clamp(1, EXACT);
        let mut out = Decimal::parse_all(&format!("{x:.*e}", exact - 1));
        out.digits.resize(count.max(1), b'0');
        out
    }

    /// `x` correctly rounded to `places` digits behind the point (halves to even), zeros at the end kept: the integer
    /// part without leading zeros (`0` for none) and the fraction. The sign is that of `x`.
    pub fn fixed(x: f64, places: usize) -> (String, String) {
        let text = format!("{:.*}", places.min(EXACT), x.abs());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let mut fraction = fraction.to_owned();
        fraction.extend(std::iter::repeat_n('0', places - fraction.len()));
        (whole.to_owned(), fraction)
    }

    /// The exponent of the first digit in scientific notation.
    pub fn exponent(&self) -> i32 {
        self.point - 1
    }

    /// Integer part and fraction, the latter without zeros at its end (empty for an integer).
    pub fn positional(&self) -> (String, String) {
        let split = usize::try_from(self.point).unwrap_or(0);
        let text = std::str::from_utf8(&self.digits).unwrap_or_default();
        let (mut whole, mut fraction) = (String::new(), String::new());
        if split == 0 {
            whole.push('0');
            fraction.extend(std::iter::repeat_n('0', self.point.unsigned_abs() as usize));
            fraction.push_str(text);
        } else {
            let cut = split.min(text.len());
            whole.push_str(&text[..cut]);
            whole.extend(std::iter::repeat_n('0', split - cut));
            fraction.push_str(&text[cut..]);
        }
        fraction.truncate(fraction.trim_end_matches('0').len());
        (whole, fraction)
    }

    fn parse(text: &str) -> Decimal {
        let mut out = Decimal::parse_all(text);
        while out.digits.len() > 1 && out.digits.last() == Some(&b'0') {
            out.digits.pop();
        }
        out
    }

    /// Reads `[-]D[.D][e[+-]D]` as Rust and zmij write it.
    fn parse_all(text: &str) -> Decimal {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let mut out = Decimal { negative: mantissa.starts_with('-'), digits: SmallVec::new(), point: 0 };
        let mantissa = mantissa.trim_start_matches('-');
        let whole = mantissa.find('.').unwrap_or(mantissa.len());
        out.point = whole as i32 + exponent.parse::<i32>().unwrap_or(0);
        for byte in mantissa.bytes().filter(u8::is_ascii_digit) {
            if byte == b'0' && out.digits.is_empty() {
                out.point -= 1;
            } else {
                out.digits.push(byte);
            }
        }
        if out.digits.is_empty() {
            out.digits.resize(mantissa.len().saturating_sub(1).max(1), b'0');
            out.point = 1;
        }
        out
    }
}

/// The values of a small float format: `bits` of significand, spacing `2^lowest` at zero.
struct Grid {
    bits: i32,
    lowest: i32,
}

impl Grid {
    fn of(dtype: DType) -> Option<Grid> {
        match dtype {
            DType::F16 => Some(Grid { bits: 11, lowest: -24 }),
            DType::BF16 => Some(Grid { bits: 8, lowest: -133 }),
            DType::F8E4M3 => Some(Grid { bits: 4, lowest: -9 }),
            DType::F8E5M2 => Some(Grid { bits: 3, lowest: -16 }),
            _ => None,
        }
    }

    /// Tries one digit more at a time: both neighbours with that many digits, the nearer first.
    fn shortest(&self, x: f64) -> Decimal {
        let interval = self.interval(x.abs());
        for count in 1..=5 {
            let near = Decimal::significant(x.abs(), count);
            let digits = near.digits.iter().fold(0i64, |n, d| n * 10 + i64::from(d - b'0'));
            let scale = near.point - count as i32;
            let above = interval.value(digits, scale) > x.abs();
            for digits in [digits, if above { digits - 1 } else { digits + 1 }] {
                if interval.holds(interval.value(digits, scale)) {
                    let mut out = Decimal::parse(&format!("{digits}e{scale}"));
                    out.negative = x < 0.0;
                    return out;
                }
            }
        }
        let mut out = Decimal::significant(x, 17);
        while out.digits.len() > 1 && out.digits.last() == Some(&b'0') {
            out.digits.pop();
        }
        out
    }

    /// The reals that round to `x > 0`.
    fn interval(&self, x: f64) -> Interval {
        let exponent = ((x.to_bits() >> 52) as i32) - 1023;
        let ulp = (exponent - self.bits + 1).max(self.lowest);
        let power_of_two = x.to_bits() << 12 == 0 && ulp > self.lowest;
        let (above, step) = (pow2(ulp) / 2.0, x / pow2(ulp));
        let below = if power_of_two { above / 2.0 } else { above };
        Interval { low: x - below, high: x + above, closed: step % 2.0 == 0.0 }
    }
}

struct Interval {
    low: f64,
    high: f64,
    closed: bool,
}

impl Interval {
    /// Correctly rounded, so that comparing it with the ends (few bits, exact in f64) is exact enough: a decimal of
    /// five digits that near an end is the end.
    fn value(&self, digits: i64, scale: i32) -> f64 {
        let mut text = String::with_capacity(16);
        let _ = write!(text, "{digits}e{scale}");
        text.parse().unwrap_or(0.0)
    }

    fn holds(&self, v: f64) -> bool {
        if self.closed { self.low <= v && v <= self.high } else { self.low < v && v < self.high }
    }
}

/// `2^n` for exponents of normal f64.
fn pow2(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(x: f64, dtype: DType) -> String {
        let d = Decimal::shortest(x, dtype);
        format!("{}{}@{}", if d.negative { "-" } else { "" }, std::str::from_utf8(&d.digits).unwrap(), d.point)
    }

    #[test]
    fn shortest_digits_depend_on_the_dtype() {
        assert_eq!(text(0.1f32.into(), DType::F32), "1@0");
        assert_eq!(text(0.1f32.into(), DType::F64), "10000000149011612@0");
        assert_eq!(text(half::f16::from_f64(0.1).to_f64(), DType::F16), "1@0");
        assert_eq!(text(half::f16::from_f64(1.0 / 3.0).to_f64(), DType::F16), "3333@0");
        assert_eq!(text(half::bf16::from_f64(1.0 / 3.0).to_f64(), DType::BF16), "334@0");
        assert_eq!(text(65504.0, DType::F16), "655@5");
        assert_eq!(text(-448.0, DType::F8E4M3), "-45@3");
        assert_eq!(text(0.0, DType::F32), "0@1");
        assert_eq!(text(-0.0, DType::F32), "-0@1");
        assert_eq!(text(5e-324, DType::F64), "5@-323");
        assert_eq!(text(1e23, DType::F64), "1@24");
        assert_eq!(text(1200.0, DType::F64), "12@4");
    }

    #[test]
    fn every_small_float_reads_back() {
        for bits in 0..=u16::MAX {
            let (a, b) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
            for (x, dtype) in [(a.to_f64(), DType::F16), (b.to_f64(), DType::BF16)] {
                if !x.is_finite() {
                    continue;
                }
                let d = Decimal::shortest(x, dtype);
                let text = format!("0.{}e{}", std::str::from_utf8(&d.digits).unwrap(), d.point);
                let read: f64 = text.parse().unwrap();
                let value = |bits: u16| match dtype {
                    DType::F16 => half::f16::from_bits(bits).to_f64(),
                    _ => half::bf16::from_bits(bits).to_f64(),
                };
                let magnitude = bits & 0x7fff;
                let distance = (read - value(magnitude)).abs();
                let near = |other: u16| (read - value(other)).abs();
                let even = bits % 2 == 0;
                for other in [magnitude.saturating_sub(1), magnitude + 1].into_iter().filter(|&o| o != magnitude) {
                    assert!(distance < near(other) || (even && distance == near(other)), "{dtype} {x} {text}");
                }
                assert!(d.digits.len() <= 5);
            }
        }
    }

    #[test]
    fn rounding_is_exact() {
        assert_eq!(Decimal::fixed(2.675, 2), ("2".into(), "67".into()));
        assert_eq!(Decimal::fixed(0.5, 0), ("0".into(), "".into()));
        assert_eq!(Decimal::fixed(1.5, 0), ("2".into(), "".into()));
        assert_eq!(Decimal::fixed(-0.25, 1), ("0".into(), "2".into()));
        assert_eq!(Decimal::fixed(1.0, 2000).1.len(), 2000);
        let d = Decimal::significant(0.1, 20);
        assert_eq!((d.digits.as_slice(), d.point), (&b"10000000000000000555"[..], 0));
        assert_eq!(Decimal::significant(0.0, 3).digits.as_slice(), b"000");
        assert_eq!(Decimal::significant(9.99, 2).point, 2);
    }

    #[test]
    fn positional_splits_at_the_point() {
        let split = |x: f64| Decimal::shortest(x, DType::F64).positional();
        assert_eq!(split(1234.5), ("1234".into(), "5".into()));
        assert_eq!(split(0.00012), ("0".into(), "00012".into()));
        assert_eq!(split(120000.0), ("120000".into(), "".into()));
        assert_eq!(split(0.0), ("0".into(), "".into()));
    }
}
