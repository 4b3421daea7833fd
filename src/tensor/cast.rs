//! Conversion of single values between dtypes: where rounding and range are decided.

use super::{DType, Kind, Scalar, float_info, min_max};
use crate::base::Diag;
use num_complex::Complex64;

/// What a float outside an integer's range becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastMode {
    /// A fault.
    Checked,
    /// The low bits of the truncated value; NaN and infinities give 0.
    Wrap,
    /// The nearest value in range; NaN gives 0. Integers saturate too.
    Saturate,
}

/// A NaN or an out-of-range value on its way into an integer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CastFault {
    pub value: f64,
    pub to: DType,
}

impl CastFault {
    pub fn diag(&self) -> Diag {
        let CastFault { value, to } = self;
        let diag = if value.is_nan() {
            Diag::new("E0504", format!("cannot convert nan to {to}"))
        } else {
            let range = match min_max(*to) {
                (Scalar::UInt(low), Scalar::UInt(high)) => format!("{to} holds {low} to {high}"),
                (low, high) => format!("{to} holds {} to {}", low.to_i64_wrapping(), high.to_i64_wrapping()),
            };
            Diag::new("E0504", format!("cannot convert {value:?} to {to}: out of range")).note(range)
        };
        diag.hint("`astype(…, saturate=True)` clips, `astype(…, wrap=True)` takes the low bits")
    }
}

impl Scalar {
    /// This value as `to` holds it. Floats truncate towards zero into integers, integers wrap into integers, floats
    /// and integers round to the nearest float, ties to even, in one step. A complex number loses its imaginary part.
    pub fn cast(self, to: DType, mode: CastMode) -> Result<Scalar, CastFault> {
        match to.kind() {
            Kind::Bool => Ok(Scalar::Bool(self.truthy())),
            Kind::Unsigned | Kind::Signed => self.to_int(to, mode),
            Kind::Float => Ok(Scalar::Float(self.to_float(to))),
            Kind::Complex => Ok(Scalar::Complex(match self {
                Scalar::Complex(z) => Complex64::new(round_float(to.real(), z.re), round_float(to.real(), z.im)),
                other => Complex64::new(other.to_float(to.real()), 0.0),
            })),
        }
    }

    /// The nearest value of a float dtype, rounded once.
    pub(super) fn to_float(self, to: DType) -> f64 {
        let wide = match self {
            Scalar::Int(i) if to != DType::F64 => sticky(i.unsigned_abs()).copysign(i as f64),
            Scalar::UInt(u) if to != DType::F64 => sticky(u),
            other => other.to_f64(),
        };
        round_float(to, wide)
    }

    fn to_int(self, to: DType, mode: CastMode) -> Result<Scalar, CastFault> {
        let (low, high) = int_range(to);
        let value: i128 = match self {
            Scalar::Bool(b) => b.into(),
            Scalar::Int(i) => i.into(),
            Scalar::UInt(u) => u.into(),
            Scalar::Float(_) | Scalar::Complex(_) => {
                let float = self.to_f64();
                let whole = float.trunc();
                // low and 2^bits are exact in f64.
                let inside = whole >= low as f64 && whole < (high + 1) as f64;
                match mode {
                    _ if inside => whole as i128,
                    CastMode::Checked => return Err(CastFault { value: float, to }),
                    CastMode::Wrap => low_bits(whole),
                    CastMode::Saturate => whole as i128,
                }
            }
        };
        let value = if mode == CastMode::Saturate { value.clamp(low, high) } else { value };
        Ok(wrap(value, to))
    }
}

/// Smallest and largest value of an integer dtype.
fn int_range(dtype: DType) -> (i128, i128) {
    let bits = 8 * dtype.size() as u32;
    if dtype.kind() == Kind::Unsigned { (0, (1 << bits) - 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) }
}

/// The low bits of `value`, read as `to`.
fn wrap(value: i128, to: DType) -> Scalar {
    let unused = 64 - 8 * to.size() as u32;
    if to.kind() == Kind::Unsigned {
        Scalar::UInt((value as u64) << unused >> unused)
    } else {
        Scalar::Int((value as i64) << unused >> unused)
    }
}

/// A whole float modulo 2^64; 0 for what has no low bits.
fn low_bits(whole: f64) -> i128 {
    if whole.is_finite() { (whole % 2f64.powi(64)) as i128 } else { 0 }
}

/// An integer as f64 for further rounding: cut to 53 bits, with the last bit set where something was cut, so that
/// rounding again to at most 51 bits gives what rounding once would.
fn sticky(magnitude: u64) -> f64 {
    let cut = 11u32.saturating_sub(magnitude.leading_zeros());
    let kept = magnitude >> cut << cut;
    let odd = if kept == magnitude { 0 } else { 1 << cut };
    (kept | odd) as f64
}

/// The value of a float dtype nearest to `x`, ties to even, rounded once. Beyond the largest value comes infinity,
/// or NaN for f8e4m3, which has none. Other dtypes leave `x` as it is.
pub fn round_float(dtype: DType, x: f64) -> f64 {
    match dtype {
        DType::F32 => return f64::from(x as f32),
        DType::F16 | DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => {}
        _ => return x,
    }
    let Some(info) = float_info(dtype) else { return x };
    let rounded = if x == 0.0 || !x.is_finite() {
        x
    } else {
        // The distance of neighbours around x is 2^step; scaling by powers of two is exact here.
        let exponent = libm::ilogb(x).max(libm::ilogb(info.smallest_normal));
        let step = exponent - (info.significand as i32 - 1);
        libm::scalbn(libm::scalbn(x, -step).round_ties_even(), step)
    };
    if rounded.abs() <= info.max {
        rounded
    } else if dtype == DType::F8E4M3 {
        f64::NAN.copysign(x)
    } else if rounded.is_nan() {
        rounded
    } else {
        f64::INFINITY.copysign(x)
    }
}

/// The bits of an 8-bit float nearest to `x`.
pub(super) fn float8_bits(dtype: DType, x: f64) -> u8 {
    let rounded = round_float(dtype, x);
    let sign = u8::from(rounded.is_sign_negative()) << 7;
    match dtype {
        _ if rounded.is_nan() => sign | 0x7f,
        DType::F8E4M3 => float8::F8E4M3::from_f64(rounded).to_bits(),
        _ if rounded.is_infinite() => sign | 0x7c,
        _ => float8::F8E5M2::from_f64(rounded).to_bits(),
    }
}
