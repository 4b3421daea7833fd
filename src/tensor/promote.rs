//! Which dtype two dtypes meet in, which casts are allowed, and what a dtype can hold.

use super::{DType, Kind, Scalar};

/// How far a cast may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Casting {
    /// Every value survives (integers beyond 2^53 into f64 count as surviving, as in NumPy).
    Safe,
    /// Safe, or down within a kind, or up the ladder bool, unsigned, signed, float, complex.
    SameKind,
    Unsafe,
}

/// The dtype in which operands of two dtypes are computed. The 8-bit floats are storage: they count as f32, so that
/// even two of one kind give f32.
pub fn promote(a: DType, b: DType) -> DType {
    let (a, b) = (storage_to_f32(a), storage_to_f32(b));
    if a == b {
        return a;
    }
    let (low, high) = if a.kind() <= b.kind() { (a, b) } else { (b, a) };
    match (low.kind(), high.kind()) {
        (Kind::Unsigned, Kind::Signed) => unsigned_with_signed(low, high),
        (Kind::Float, Kind::Float) => floats(low, high),
        (Kind::Float, Kind::Complex) => {
            if low == DType::F64 {
                DType::C128
            } else {
                high
            }
        }
        (x, y) if x == y => {
            if low.size() > high.size() {
                low
            } else {
                high
            }
        }
        _ => high,
    }
}

fn storage_to_f32(d: DType) -> DType {
    match d {
        DType::F8E4M3 | DType::F8E5M2 => DType::F32,
        other => other,
    }
}

/// The smallest signed integer that holds both; f64 where there is none.
fn unsigned_with_signed(unsigned: DType, signed: DType) -> DType {
    let holds = match unsigned {
        DType::U8 => DType::I16,
        DType::U16 => DType::I32,
        DType::U32 => DType::I64,
        _ => return DType::F64,
    };
    if holds.size() > signed.size() { holds } else { signed }
}

fn floats(a: DType, b: DType) -> DType {
    match (a, b) {
        (DType::F16, DType::BF16) | (DType::BF16, DType::F16) => DType::F32,
        _ if a.size() > b.size() => a,
        _ => b,
    }
}

/// Whether values of `from` may be stored as `to` under the given rule.
pub fn can_cast(from: DType, to: DType, casting: Casting) -> bool {
    match casting {
        Casting::Unsafe => true,
        Casting::SameKind => from.kind() <= to.kind(),
        Casting::Safe => is_safe(from, to),
    }
}

fn is_safe(from: DType, to: DType) -> bool {
    if from == to || from == DType::Bool {
        return true;
    }
    let parts = to.real();
    match (from.kind(), to.kind()) {
        (Kind::Unsigned, Kind::Unsigned) | (Kind::Signed, Kind::Signed) => from.size() <= to.size(),
        (Kind::Unsigned, Kind::Signed) => from.size() < to.size(),
        (Kind::Unsigned | Kind::Signed, Kind::Float | Kind::Complex) => {
            // Value bits against the significand; 64-bit integers go into f64 as in NumPy.
            let bits = 8 * from.size() as u32 - u32::from(from.kind() == Kind::Signed);
            float_info(parts).is_some_and(|f| bits <= f.significand || parts == DType::F64)
        }
        (Kind::Float, Kind::Float | Kind::Complex) => match (float_info(from), float_info(parts)) {
            (Some(f), Some(t)) => {
                f.significand <= t.significand && f.max <= t.max && f.smallest_subnormal >= t.smallest_subnormal
            }
            _ => false,
        },
        (Kind::Complex, Kind::Complex) => from.size() <= to.size(),
        _ => false,
    }
}

/// What `finfo` tells, as numbers of the dtype (all exact in f64).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatInfo {
    /// Bits of storage.
    pub bits: u32,
    /// Bits of the significand, the hidden one included.
    pub significand: u32,
    /// Difference between 1 and the next larger number.
    pub eps: f64,
    pub max: f64,
    /// The smallest positive normal number (NumPy's `tiny`).
    pub smallest_normal: f64,
    pub smallest_subnormal: f64,
}

/// For floats, and for the parts of complex numbers; None otherwise.
pub fn float_info(dtype: DType) -> Option<FloatInfo> {
    // Significand bits, exponent of the smallest normal number, largest number.
    let (significand, low, max) = match dtype.real() {
        DType::F8E4M3 => (4, -6, 448.0),
        DType::F8E5M2 => (3, -14, 57344.0),
        DType::F16 => (11, -14, 65504.0),
        DType::BF16 => (8, -126, half::bf16::MAX.to_f64()),
        DType::F32 => (24, -126, f64::from(f32::MAX)),
        DType::F64 => (53, -1022, f64::MAX),
        _ => return None,
    };
    let power = |exponent: i32| libm::scalbn(1.0, exponent);
    Some(FloatInfo {
        bits: 8 * dtype.real().size() as u32,
        significand,
        eps: power(1 - significand as i32),
        max,
        smallest_normal: power(low),
        smallest_subnormal: power(low + 1 - significand as i32),
    })
}

/// The smallest and the largest finite value; of the parts for complex numbers.
pub fn min_max(dtype: DType) -> (Scalar, Scalar) {
    let bits = 8 * dtype.size() as u32;
    match dtype.kind() {
        Kind::Bool => (Scalar::Bool(false), Scalar::Bool(true)),
        Kind::Unsigned => (Scalar::UInt(0), Scalar::UInt(u64::MAX >> (64 - bits))),
        Kind::Signed => (Scalar::Int(i64::MIN >> (64 - bits)), Scalar::Int(i64::MAX >> (64 - bits))),
        Kind::Float | Kind::Complex => {
            let max = float_info(dtype).map_or(f64::MAX, |f| f.max);
            (Scalar::Float(-max), Scalar::Float(max))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DType::*;
    use super::*;

    /// The lattice, one row a left operand, columns in the same order.
    #[test]
    fn promotion_table() {
        let order = [Bool, U8, U16, U32, U64, I8, I16, I32, I64, F16, BF16, F32, F64, C64, C128];
        let rows = [
            "bool u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128",
            "u8 u8 u16 u32 u64 i16 i16 i32 i64 f16 bf16 f32 f64 c64 c128",
            "u16 u16 u16 u32 u64 i32 i32 i32 i64 f16 bf16 f32 f64 c64 c128",
            "u32 u32 u32 u32 u64 i64 i64 i64 i64 f16 bf16 f32 f64 c64 c128",
            "u64 u64 u64 u64 u64 f64 f64 f64 f64 f16 bf16 f32 f64 c64 c128",
            "i8 i16 i32 i64 f64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128",
            "i16 i16 i32 i64 f64 i16 i16 i32 i64 f16 bf16 f32 f64 c64 c128",
            "i32 i32 i32 i64 f64 i32 i32 i32 i64 f16 bf16 f32 f64 c64 c128",
            "i64 i64 i64 i64 f64 i64 i64 i64 i64 f16 bf16 f32 f64 c64 c128",
            "f16 f16 f16 f16 f16 f16 f16 f16 f16 f16 f32 f32 f64 c64 c128",
            "bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16 f32 f64 c64 c128",
            "f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64 c64 c128",
            "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
            "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c128",
            "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
        ];
        for (a, row) in order.into_iter().zip(rows) {
            for (b, expected) in order.into_iter().zip(row.split(' ')) {
                assert_eq!(promote(a, b).name(), expected, "{a} with {b}");
            }
        }
        for other in DType::ALL {
            assert_eq!(promote(F8E4M3, other), promote(F32, other), "f8e4m3 with {other}");
            assert_eq!(promote(other, F8E5M2), promote(other, F32), "{other} with f8e5m2");
        }
    }

    #[test]
    fn casts_are_allowed_as_numpy_allows_them() {
        let safe = |a, b| can_cast(a, b, Casting::Safe);
        let yes = [
            (Bool, I8),
            (U8, U16),
            (U8, I16),
            (I8, F16),
            (U8, F16),
            (U8, BF16),
            (U16, F32),
            (I32, F64),
            (U64, F64),
            (I64, C128),
            (F16, F32),
            (BF16, C64),
            (F64, C128),
            (F8E4M3, F16),
            (F8E5M2, F16),
            (F8E4M3, BF16),
            (C64, C128),
        ];
        for (a, b) in yes {
            assert!(safe(a, b), "{a} to {b}");
        }
        let no = [
            (U8, I8),
            (I8, U64),
            (I16, F16),
            (I32, F32),
            (I32, C64),
            (F16, BF16),
            (BF16, F16),
            (F64, C64),
            (F32, F16),
            (F16, F8E5M2),
            (F32, I64),
            (C64, F64),
            (C128, C64),
            (I8, Bool),
        ];
        for (a, b) in no {
            assert!(!safe(a, b), "{a} to {b}");
        }
        let same_kind = |a, b| can_cast(a, b, Casting::SameKind);
        assert!(same_kind(F64, F16) && same_kind(I64, I8) && same_kind(U64, I8) && same_kind(I64, F16));
        assert!(!same_kind(F32, I64) && !same_kind(I8, U64) && !same_kind(C64, F64) && !same_kind(U8, Bool));
        assert!(can_cast(C64, Bool, Casting::Unsafe));
    }

    #[test]
    fn what_dtypes_hold() {
        let f32_info = float_info(C64).expect("parts are f32");
        assert_eq!((f32_info.eps, f32_info.max), (f64::from(f32::EPSILON), f64::from(f32::MAX)));
        assert_eq!(f32_info.smallest_normal, f64::from(f32::MIN_POSITIVE));
        let f64_info = float_info(F64).expect("a float");
        assert_eq!(f64_info.smallest_subnormal.to_bits(), 1);
        assert_eq!((f64_info.eps, f64_info.smallest_normal), (f64::EPSILON, f64::MIN_POSITIVE));
        let f16_info = float_info(F16).expect("a float");
        assert_eq!((f16_info.eps, f16_info.smallest_subnormal), (2f64.powi(-10), 2f64.powi(-24)));
        assert_eq!(float_info(F8E4M3).map(|f| (f.eps, f.smallest_subnormal)), Some((0.125, 2f64.powi(-9))));
        assert_eq!(float_info(I32), None);
        assert_eq!(min_max(I8), (Scalar::Int(-128), Scalar::Int(127)));
        assert_eq!(min_max(U64), (Scalar::UInt(0), Scalar::UInt(u64::MAX)));
        assert_eq!(min_max(I64), (Scalar::Int(i64::MIN), Scalar::Int(i64::MAX)));
        assert_eq!(min_max(F16), (Scalar::Float(-65504.0), Scalar::Float(65504.0)));
    }
}
