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

#[cfg(test)]
mod tests {
    use super::*;
    use CastMode::*;

    fn f16_bits(x: f64) -> u16 {
        let mut out = Vec::new();
        Scalar::Float(x).write(DType::F16, &mut out);
        u16::from_le_bytes([out[0], out[1]])
    }

    fn bf16_bits(x: f64) -> u16 {
        let mut out = Vec::new();
        Scalar::Float(x).write(DType::BF16, &mut out);
        u16::from_le_bytes([out[0], out[1]])
    }

    /// Fact 50.
    #[test]
    fn half_precision_vectors() {
        let p = |e| 2f64.powi(e);
        let cases = [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.5, 0x3800),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (p(-14), 0x0400),
            (1023.0 * p(-24), 0x03ff),
            (p(-24), 0x0001),
            (p(-25), 0x0000),
            (1.0 + p(-11), 0x3c00),
            (1.0 + 3.0 * p(-11), 0x3c02),
            (-0.0, 0x8000),
            (f64::NEG_INFINITY, 0xfc00),
            (f64::MIN_POSITIVE, 0),
            (f64::MAX, 0x7c00),
        ];
        for (x, bits) in cases {
            assert_eq!(f16_bits(x), bits, "{x:e}");
        }
        // NaN never becomes infinity, whatever its payload.
        for payload in [1, 1 << 51, (1 << 52) - 1] {
            assert!(half::f16::from_bits(f16_bits(f64::from_bits(0x7ff << 52 | payload))).is_nan());
        }
    }

    /// Just above a tie rounds up: a detour through f32, or dropping the low 32 bits, would see the tie.
    #[test]
    fn wide_floats_round_once() {
        let hair = 2f64.powi(-50);
        assert_eq!(f16_bits(1.0 + 2f64.powi(-11) + hair), 0x3c01);
        assert_eq!(f16_bits(1.0 + 2f64.powi(-11) - hair), 0x3c00);
        assert_eq!(f16_bits(2f64.powi(-25) * (1.0 + hair)), 0x0001);
        assert_eq!(bf16_bits(1.0 + 2f64.powi(-8) + hair), 0x3f81);
        assert_eq!(bf16_bits(1.0 + 2f64.powi(-8)), 0x3f80);
        assert_eq!(round_float(DType::F8E4M3, 1.0 + 2f64.powi(-4) + hair), 1.125);
    }

    /// Fact 51, with round to nearest even.
    #[test]
    fn bf16_rounds_to_nearest_even() {
        assert_eq!(bf16_bits(f64::from(f32::from_bits(0x3fff_ffff))), 0x4000);
        assert_eq!(bf16_bits(f64::from(f32::from_bits(0x7f80_0001))) & 0x7fc0, 0x7fc0);
        assert_eq!(bf16_bits(f64::from(f32::MAX)), 0x7f80);
    }

    /// Every 16-bit float survives, and the midpoint to its successor goes to the even one.
    #[test]
    fn all_halves_and_their_midpoints() {
        for bits in 0..0x7c00u16 {
            let x = half::f16::from_bits(bits).to_f64();
            assert_eq!(f16_bits(x), bits);
            let next = if bits == 0x7bff { 65536.0 } else { half::f16::from_bits(bits + 1).to_f64() };
            assert_eq!(f16_bits((x + next) / 2.0), bits + (bits & 1), "above {bits:#x}");
        }
        for bits in 0..0x7f7fu16 {
            let (x, next) = (half::bf16::from_bits(bits).to_f64(), half::bf16::from_bits(bits + 1).to_f64());
            assert_eq!(bf16_bits(x), bits);
            assert_eq!(bf16_bits((x + next) / 2.0), bits + (bits & 1), "above {bits:#x}");
        }
    }

    /// All 8-bit floats against their definition, both ways.
    #[test]
    fn all_eight_bit_floats() {
        for (dtype, mantissa, bias) in [(DType::F8E4M3, 3, 7), (DType::F8E5M2, 2, 15)] {
            for bits in 0..=255u8 {
                let exponent = i32::from(bits & 0x7f) >> mantissa;
                let fraction = f64::from(bits & ((1 << mantissa) - 1)) / f64::from(1 << mantissa);
                let magnitude = match exponent {
                    0 => fraction * 2f64.powi(1 - bias),
                    _ => (1.0 + fraction) * 2f64.powi(exponent - bias),
                };
                let value = if bits < 0x80 { magnitude } else { -magnitude };
                let special = if dtype == DType::F8E4M3 { bits & 0x7f == 0x7f } else { exponent == 31 };
                let Scalar::Float(read) = Scalar::read(dtype, &[bits]) else { panic!("a float") };
                if !special {
                    assert_eq!(read, value, "{dtype} {bits:#x}");
                    assert_eq!(float8_bits(dtype, value), bits, "{dtype} {value}");
                } else if dtype == DType::F8E5M2 && fraction == 0.0 {
                    assert!(read.is_infinite() && float8_bits(dtype, read) == bits);
                } else {
                    assert!(read.is_nan() && float8_bits(dtype, read) & 0x7f == 0x7f);
                }
            }
        }
        assert_eq!(round_float(DType::F8E4M3, 464.0), 448.0);
        assert!(round_float(DType::F8E4M3, 465.0).is_nan());
        assert_eq!(round_float(DType::F8E5M2, 61439.0), 57344.0);
        assert_eq!(round_float(DType::F8E5M2, -61440.0), f64::NEG_INFINITY);
    }

    #[test]
    fn integers_round_once_into_floats() {
        let cast = |x: Scalar, to| x.cast(to, Checked).expect("to a float");
        // One above the tie of f32 at 2^60: f64 alone would land on the tie.
        let above = (1i64 << 60) + (1 << 36) + 1;
        assert_eq!(cast(Scalar::Int(above), DType::F32), Scalar::Float(above as f32 as f64));
        assert_eq!(cast(Scalar::Int(-above), DType::F32), Scalar::Float(-above as f32 as f64));
        let above = (1u64 << 63) + (1 << 55) + 1;
        assert_eq!(cast(Scalar::UInt(above), DType::BF16), Scalar::Float(2f64.powi(63) * 1.0078125));
        assert_eq!(cast(Scalar::UInt(u64::MAX), DType::F64), Scalar::Float(2f64.powi(64)));
        assert_eq!(cast(Scalar::Int(i64::MIN), DType::F32), Scalar::Float(-2f64.powi(63)));
        assert_eq!(cast(Scalar::Int(70000), DType::F16), Scalar::Float(f64::INFINITY));
        assert_eq!(cast(Scalar::Int(300), DType::C64), Scalar::Complex(Complex64::new(300.0, 0.0)));
    }

    #[test]
    fn floats_into_integers() {
        let cast = |x: f64, to, mode| Scalar::Float(x).cast(to, mode);
        assert_eq!(cast(-3.9, DType::I32, Checked), Ok(Scalar::Int(-3)));
        assert_eq!(cast(-0.9, DType::U8, Checked), Ok(Scalar::UInt(0)));
        assert_eq!(cast(255.9, DType::U8, Checked), Ok(Scalar::UInt(255)));
        for (x, to) in [(256.0, DType::U8), (-1.0, DType::U8), (2f64.powi(63), DType::I64), (f64::INFINITY, DType::I8)]
        {
            assert_eq!(cast(x, to, Checked), Err(CastFault { value: x, to }));
        }
        assert!(cast(f64::NAN, DType::I64, Checked).is_err());
        assert_eq!(cast(-(2f64.powi(63)), DType::I64, Checked), Ok(Scalar::Int(i64::MIN)));
        let wrapped = [300.7, -5.2, 256.0].map(|x| cast(x, DType::U8, Wrap));
        assert_eq!(wrapped, [Ok(Scalar::UInt(44)), Ok(Scalar::UInt(251)), Ok(Scalar::UInt(0))]);
        assert_eq!(cast(68469.125, DType::U16, Wrap), Ok(Scalar::UInt(2933)));
        for x in [f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(cast(x, DType::I32, Wrap), Ok(Scalar::Int(0)), "{x}");
        }
        assert_eq!(cast(1e10, DType::I16, Saturate), Ok(Scalar::Int(32767)));
        assert_eq!(cast(f64::NEG_INFINITY, DType::I64, Saturate), Ok(Scalar::Int(i64::MIN)));
        assert_eq!(cast(f64::INFINITY, DType::U64, Saturate), Ok(Scalar::UInt(u64::MAX)));
        assert_eq!(cast(f64::NAN, DType::U8, Saturate), Ok(Scalar::UInt(0)));
        assert_eq!(cast(f64::NAN, DType::Bool, Checked), Ok(Scalar::Bool(true)));
        let diag = CastFault { value: 300.0, to: DType::U8 }.diag();
        assert_eq!(diag.message, "cannot convert 300.0 to u8: out of range");
        assert_eq!(diag.notes, ["u8 holds 0 to 255"]);
    }

    #[test]
    fn integers_into_integers() {
        let cast = |x: i64, to, mode| Scalar::Int(x).cast(to, mode).expect("never fails");
        assert_eq!([300, -1, 128].map(|x| cast(x, DType::U8, Checked)), [44, 255, 128].map(Scalar::UInt));
        assert_eq!([300, -1, 128].map(|x| cast(x, DType::U8, Saturate)), [255, 0, 128].map(Scalar::UInt));
        assert_eq!(cast(200, DType::I8, Wrap), Scalar::Int(-56));
        assert_eq!(cast(-1, DType::U64, Checked), Scalar::UInt(u64::MAX));
        assert_eq!(Scalar::UInt(u64::MAX).cast(DType::I64, Checked), Ok(Scalar::Int(-1)));
        assert_eq!(Scalar::UInt(u64::MAX).cast(DType::I64, Saturate), Ok(Scalar::Int(i64::MAX)));
    }
}
