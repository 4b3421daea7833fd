use super::digits::Decimal;
use crate::tensor::{DType, Scalar};
use num_complex::Complex64;

/// Python's `repr` of a float: shortest digits, an exponent below 1e-4 and from 1e16 on, `.0` behind integers.
pub fn float_text(x: f64) -> String {
    float_text_as(x, DType::F64)
}

/// The same with the digits that tell values of `dtype` apart; `x` is a value of `dtype`.
pub fn float_text_as(x: f64, dtype: DType) -> String {
    repr(x, dtype, true)
}

/// Python's `repr` of a complex number: `(1+2j)`, `2j`.
pub fn complex_text(z: Complex64) -> String {
    complex_text_as(z, DType::C128)
}

/// The same with the digits that tell values of `dtype` apart.
pub fn complex_text_as(z: Complex64, dtype: DType) -> String {
    let im = repr(z.im, dtype, false);
    if z.re == 0.0 && z.re.is_sign_positive() {
        return format!("{im}j");
    }
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{im}j)", repr(z.re, dtype, false))
}

/// An element as Python's `str` writes a number of that kind: `True`, `-3`, `0.1`, `(1+2j)`.
pub fn scalar_text(value: Scalar, dtype: DType) -> String {
    match value {
        Scalar::Bool(true) => "True".into(),
        Scalar::Bool(false) => "False".into(),
        Scalar::Int(i) => i.to_string(),
        Scalar::UInt(u) => u.to_string(),
        Scalar::Float(x) => float_text_as(x, dtype),
        Scalar::Complex(z) => complex_text_as(z, dtype),
    }
}

/// `nan`, `inf`, `-inf`; None for a finite number.
pub(super) fn special(x: f64) -> Option<&'static str> {
    match x {
        _ if x.is_nan() => Some("nan"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    }
}

/// `e+05`, at least two digits.
pub(super) fn exponent_text(exponent: i32, width: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:0width$}", exponent.unsigned_abs())
}

fn repr(x: f64, dtype: DType, point: bool) -> String {
    if let Some(word) = special(x) {
        return word.into();
    }
    let d = Decimal::shortest(x, dtype);
    let sign = if d.negative { "-" } else { "" };
    if !(-4..16).contains(&d.exponent()) {
        let digits = std::str::from_utf8(&d.digits).unwrap_or_default();
        let dot = if digits.len() > 1 { "." } else { "" };
        return format!("{sign}{}{dot}{}{}", &digits[..1], &digits[1..], exponent_text(d.exponent(), 2));
    }
    match d.positional() {
        (whole, fraction) if fraction.is_empty() => format!("{sign}{whole}{}", if point { ".0" } else { "" }),
        (whole, fraction) => format!("{sign}{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_as_python() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (9007199254740993.0, "9007199254740992.0"),
            (f64::NAN, "nan"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (x, text) in cases {
            assert_eq!(float_text(x), text);
        }
        assert_eq!(float_text_as(0.1f32.into(), DType::F32), "0.1");
        assert_eq!(float_text_as(16777216.0, DType::F32), "16777216.0");
    }

    #[test]
    fn complex_as_python() {
        let cases = [
            (1.0, 2.0, "(1+2j)"),
            (0.0, 2.0, "2j"),
            (0.0, -2.0, "-2j"),
            (-0.0, 2.0, "(-0+2j)"),
            (0.0, -0.0, "-0j"),
            (1e10, 1.5, "(10000000000+1.5j)"),
            (1.0, f64::NAN, "(1+nanj)"),
            (1.0, f64::NEG_INFINITY, "(1-infj)"),
            (1e-5, 1e17, "(1e-05+1e+17j)"),
            (1.0 / 3.0, 0.0, "(0.3333333333333333+0j)"),
        ];
        for (re, im, text) in cases {
            assert_eq!(complex_text(Complex64::new(re, im)), text);
        }
        assert_eq!(complex_text_as(Complex64::new(0.1f32.into(), 0.0), DType::C64), "(0.1+0j)");
    }

    #[test]
    fn elements_as_python() {
        assert_eq!(scalar_text(Scalar::Bool(true), DType::Bool), "True");
        assert_eq!(scalar_text(Scalar::UInt(u64::MAX), DType::U64), "18446744073709551615");
        assert_eq!(scalar_text(Scalar::Int(i64::MIN), DType::I64), "-9223372036854775808");
        assert_eq!(scalar_text(Scalar::Float(2.5), DType::F16), "2.5");
    }
}
