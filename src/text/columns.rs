use super::array::ArrayOptions;
use super::digits::Decimal;
use super::number::{exponent_text, special};
use crate::tensor::{DType, Kind, Scalar};

/// How the elements of one array are written, decided by all that are shown, so that they line up.
pub(super) enum Columns {
    Bool { padded: bool },
    Int { width: usize },
    Float(FloatColumn),
    Complex { re: FloatColumn, im: FloatColumn },
}

impl Columns {
    /// `shown` are all elements that will be written; `ndim` is that of the array.
    pub fn new(shown: &[Scalar], dtype: DType, ndim: usize, opts: &ArrayOptions) -> Columns {
        let part = |pick: fn(Scalar) -> f64, plus: bool| {
            let values: Vec<f64> = shown.iter().map(|&s| pick(s)).collect();
            FloatColumn::new(&values, dtype.real(), opts, plus)
        };
        match dtype.kind() {
            Kind::Bool => Columns::Bool { padded: ndim > 0 },
            Kind::Unsigned | Kind::Signed => {
                Columns::Int { width: shown.iter().map(|&s| int_text(s).len()).max().unwrap_or(0) }
            }
            Kind::Float => Columns::Float(part(Scalar::to_f64, false)),
            Kind::Complex => {
                Columns::Complex { re: part(|s| s.to_complex().re, false), im: part(|s| s.to_complex().im, true) }
            }
        }
    }

    pub fn write(&self, value: Scalar) -> String {
        match self {
            Columns::Bool { padded } => match (value.truthy(), padded) {
                (true, true) => " True".into(),
                (true, false) => "True".into(),
                (false, _) => "False".into(),
            },
            Columns::Int { width } => format!("{:>width$}", int_text(value)),
            Columns::Float(column) => column.write(value.to_f64()),
            Columns::Complex { re, im } => {
                let z = value.to_complex();
                let mut text = im.write(z.im);
                // The j follows the last digit; blanks that align the column come after it.
                text.insert(text.trim_end().len(), 'j');
                re.write(z.re) + &text
            }
        }
    }
}

fn int_text(value: Scalar) -> String {
    match value {
        Scalar::UInt(u) => u.to_string(),
        other => other.to_i64_wrapping().to_string(),
    }
}

/// One column of floats. Widths are in characters.
pub(super) struct FloatColumn {
    dtype: DType,
    plus: bool,
    /// Scientific, with an exponent of at least so many digits.
    exponent: Option<usize>,
    precision: usize,
    left: usize,
    right: usize,
}

impl FloatColumn {
    fn new(values: &[f64], dtype: DType, opts: &ArrayOptions, plus: bool) -> FloatColumn {
        let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        let mut column = FloatColumn { dtype, plus, exponent: None, precision: opts.precision, left: 0, right: 0 };
        if wants_exponent(&finite, dtype, opts.suppress) {
            column.measure_scientific(&finite);
        } else {
            for &x in &finite {
                let (whole, fraction) = column.positional(x);
                column.left = column.left.max(whole.len());
                column.right = column.right.max(fraction.len());
            }
        }
        if finite.len() < values.len() {
            let sign = usize::from(plus || values.contains(&f64::NEG_INFINITY));
            column.left = column.left.max((3 + sign).saturating_sub(column.right + 1));
        }
        column
    }

    /// All numbers get as many digits as the longest one needs.
    fn measure_scientific(&mut self, finite: &[f64]) {
        let (mut digits, mut exponent) = (0, 2);
        for &x in finite {
            let d = self.scientific(x, None);
            digits = digits.max(d.digits.len() - 1);
            exponent = exponent.max(d.exponent().unsigned_abs().to_string().len());
            self.left = self.left.max(1 + self.sign(x).len());
        }
        self.precision = digits;
        self.exponent = Some(exponent);
        // Point, fraction, `e`, sign and exponent: what stands right of the integer part, less the point.
        self.right = digits + 2 + exponent;
    }

    fn sign(&self, x: f64) -> &'static str {
        match (x.is_sign_negative(), self.plus) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        }
    }

    /// Shortest digits, cut (rounded from the exact value) at the precision; `exactly` asks for that many decimals.
    fn scientific(&self, x: f64, exactly: Option<usize>) -> Decimal {
        let shortest = Decimal::shortest(x, self.dtype);
        let decimals = shortest.digits.len() - 1;
        match exactly {
            Some(n) if n != decimals => Decimal::significant(x, n + 1),
            None if decimals > self.precision => {
                let mut cut = Decimal::significant(x, self.precision + 1);
                while cut.digits.len() > 1 && cut.digits.last() == Some(&b'0') {
                    cut.digits.pop();
                }
                cut
            }
            _ => shortest,
        }
    }

    /// Signed integer part and fraction without zeros at its end.
    fn positional(&self, x: f64) -> (String, String) {
        let (mut whole, mut fraction) = Decimal::shortest(x, self.dtype).positional();
        if fraction.len() > self.precision {
            (whole, fraction) = Decimal::fixed(x, self.precision);
            fraction.truncate(fraction.trim_end_matches('0').len());
        }
        whole.insert_str(0, self.sign(x));
        (whole, fraction)
    }

    fn write(&self, x: f64) -> String {
        let (left, right) = (self.left, self.right);
        if let Some(word) = special(x) {
            let plus = if self.plus && x != f64::NEG_INFINITY { "+" } else { "" };
            return format!("{:>1$}", format!("{plus}{word}"), left + right + 1);
        }
        let Some(width) = self.exponent else {
            let (whole, fraction) = self.positional(x);
            return format!("{whole:>left$}.{fraction:<right$}");
        };
        let d = self.scientific(x, Some(self.precision));
        let digits = std::str::from_utf8(&d.digits).unwrap_or_default();
        let whole = format!("{}{}", self.sign(x), &digits[..1]);
        format!("{whole:>left$}.{}{}", &digits[1..], exponent_text(d.exponent(), width))
    }
}

/// NumPy's rule: large, tiny or far apart. It computes in the dtype of the array, and "large" depends on how many
/// decimals the dtype holds.
fn wants_exponent(finite: &[f64], dtype: DType, suppress: bool) -> bool {
    let nonzero = finite.iter().map(|x| x.abs()).filter(|&x| x != 0.0);
    let (min, max) = nonzero.fold((f64::INFINITY, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
    if max == 0.0 {
        return false;
    }
    let large = match dtype {
        DType::F64 => 1e8,
        DType::F32 => 1e6,
        _ => 1e3,
    };
    max >= large || (!suppress && (min < rounded(1e-4, dtype) || rounded(max / min, dtype) > 1000.0))
}

/// `x` as `dtype` holds it; the 8-bit floats have no room for such bounds.
fn rounded(x: f64, dtype: DType) -> f64 {
    match dtype {
        DType::F32 => (x as f32).into(),
        DType::F16 => half::f16::from_f64(x).to_f64(),
        DType::BF16 => half::bf16::from_f64(x).to_f64(),
        _ => x,
    }
}
