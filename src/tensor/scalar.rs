use super::DType;
use super::cast::float8_bits;
use num_complex::Complex64;

/// One element as a number, wide enough for every dtype of its kind. The dtype stands beside it wherever it matters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Complex(Complex64),
}

impl Scalar {
    /// Reads one little-endian element. `bytes` holds at least `dtype.size()` bytes.
    pub fn read(dtype: DType, bytes: &[u8]) -> Scalar {
        fn le<const N: usize>(b: &[u8]) -> [u8; N] {
            let mut out = [0; N];
            out.copy_from_slice(&b[..N]);
            out
        }
        match dtype {
            DType::Bool => Scalar::Bool(bytes[0] != 0),
            DType::U8 => Scalar::UInt(bytes[0].into()),
            DType::U16 => Scalar::UInt(u16::from_le_bytes(le(bytes)).into()),
            DType::U32 => Scalar::UInt(u32::from_le_bytes(le(bytes)).into()),
            DType::U64 => Scalar::UInt(u64::from_le_bytes(le(bytes))),
            DType::I8 => Scalar::Int((bytes[0] as i8).into()),
            DType::I16 => Scalar::Int(i16::from_le_bytes(le(bytes)).into()),
            DType::I32 => Scalar::Int(i32::from_le_bytes(le(bytes)).into()),
            DType::I64 => Scalar::Int(i64::from_le_bytes(le(bytes))),
            DType::F8E4M3 => Scalar::Float(float8::F8E4M3::from_bits(bytes[0]).to_f64()),
            DType::F8E5M2 => Scalar::Float(float8::F8E5M2::from_bits(bytes[0]).to_f64()),
            DType::F16 => Scalar::Float(half::f16::from_le_bytes(le(bytes)).to_f64()),
            DType::BF16 => Scalar::Float(half::bf16::from_le_bytes(le(bytes)).to_f64()),
            DType::F32 => Scalar::Float(f32::from_le_bytes(le(bytes)).into()),
            DType::F64 => Scalar::Float(f64::from_le_bytes(le(bytes))),
            DType::C64 => {
                let (re, im) = (f32::from_le_bytes(le(bytes)), f32::from_le_bytes(le(&bytes[4..])));
                Scalar::Complex(Complex64::new(re.into(), im.into()))
            }
            DType::C128 => {
                Scalar::Complex(Complex64::new(f64::from_le_bytes(le(bytes)), f64::from_le_bytes(le(&bytes[8..]))))
            }
        }
    }

    /// Appends the element to `out` as `dtype` stores it (little-endian), converting as `as` does:
    /// integers wrap, floats round to nearest even and saturate into integers, a complex number loses its imaginary part.
    pub fn write(self, dtype: DType, out: &mut Vec<u8>) {
        match dtype {
            DType::Bool => out.push(self.truthy().into()),
            DType::U8 | DType::I8 => out.push(self.to_i64_wrapping() as u8),
            DType::U16 | DType::I16 => out.extend((self.to_i64_wrapping() as u16).to_le_bytes()),
            DType::U32 | DType::I32 => out.extend((self.to_i64_wrapping() as u32).to_le_bytes()),
            DType::U64 | DType::I64 => out.extend(self.to_i64_wrapping().to_le_bytes()),
            DType::F8E4M3 | DType::F8E5M2 => out.push(float8_bits(dtype, self.to_float(dtype))),
            DType::F16 => out.extend(half::f16::from_f64(self.to_float(dtype)).to_le_bytes()),
            DType::BF16 => out.extend(half::bf16::from_f64(self.to_float(dtype)).to_le_bytes()),
            DType::F32 => out.extend((self.to_float(dtype) as f32).to_le_bytes()),
            DType::F64 => out.extend(self.to_f64().to_le_bytes()),
            DType::C64 => {
                let z = self.to_complex();
                out.extend((z.re as f32).to_le_bytes());
                out.extend((z.im as f32).to_le_bytes());
            }
            DType::C128 => {
                let z = self.to_complex();
                out.extend(z.re.to_le_bytes());
                out.extend(z.im.to_le_bytes());
            }
        }
    }

    pub fn truthy(self) -> bool {
        match self {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::UInt(u) => u != 0,
            Scalar::Float(f) => f != 0.0,
            Scalar::Complex(z) => z.re != 0.0 || z.im != 0.0,
        }
    }

    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Int(i) => i as f64,
            Scalar::UInt(u) => u as f64,
            Scalar::Float(f) => f,
            Scalar::Complex(z) => z.re,
        }
    }

    pub fn to_complex(self) -> Complex64 {
        match self {
            Scalar::Complex(z) => z,
            other => Complex64::new(other.to_f64(), 0.0),
        }
    }

    /// The 64 low bits; u64 values above i64::MAX come out negative.
    pub fn to_i64_wrapping(self) -> i64 {
        match self {
            Scalar::Bool(b) => b.into(),
            Scalar::Int(i) => i,
            Scalar::UInt(u) => u as i64,
            Scalar::Float(f) => f as i64,
            Scalar::Complex(z) => z.re as i64,
        }
    }
}
