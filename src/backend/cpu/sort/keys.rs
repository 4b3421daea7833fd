//! Order-preserving keys: unsigned numbers that compare as the values do, NaN last.

/// Something to sort by, and its digits of eight bits for the radix passes (none: compare instead).
pub trait Key: Copy + Ord + Default + Send + Sync + 'static {
    const DIGITS: usize;
    fn digit(self, at: usize) -> usize;
}

macro_rules! number_key {
    ($($t:ty),*) => {$(
        impl Key for $t {
            const DIGITS: usize = size_of::<$t>();

            #[inline(always)]
            fn digit(self, at: usize) -> usize {
                (self >> (8 * at)) as usize & 255
            }
        }
    )*};
}

number_key!(u8, u16, u32, u64);

/// A complex number's order: first where NaN stands (nowhere, imaginary part, real part, both), then the parts that
/// are numbers.
pub type Complex = (u8, u64, u64);

impl Key for Complex {
    const DIGITS: usize = 0;

    fn digit(self, _at: usize) -> usize {
        0
    }
}

/// Keys of stored elements of one dtype.
pub trait Stored: Copy {
    type Key: Key;

    fn key(self) -> Self::Key;

    /// The conjugate of a complex number.
    fn conj(self) -> Self {
        self
    }

    /// The value with this key; None where keys tell less than values (complex numbers).
    fn value(key: Self::Key) -> Option<Self>;

    /// Whether another value has the same key: zeros of both signs are equal, and so are all NaNs.
    fn ambiguous(self) -> bool;

    /// The key for descending order: NaN still last.
    fn reversed(key: Self::Key) -> Self::Key;
}

macro_rules! int_stored {
    ($($t:ty => $u:ty, $flip:expr);*) => {$(
        impl Stored for $t {
            type Key = $u;

            #[inline(always)]
            fn key(self) -> $u {
                (self as $u) ^ $flip
            }

            #[inline(always)]
            fn value(key: $u) -> Option<$t> {
                Some((key ^ $flip) as $t)
            }

            fn ambiguous(self) -> bool {
                false
            }

            #[inline(always)]
            fn reversed(key: $u) -> $u {
                !key
            }
        }
    )*};
}

int_stored!(
    u8 => u8, 0; u16 => u16, 0; u32 => u32, 0; u64 => u64, 0;
    i8 => u8, 1 << 7; i16 => u16, 1 << 15; i32 => u32, 1 << 31; i64 => u64, 1 << 63
);

/// Stored floats by their bits: `$infinity` is the largest magnitude that is no NaN.
macro_rules! float_stored {
    ($name:ident, $bits:ty, $infinity:expr, $nan:expr) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(pub $bits);

        impl $name {
            const SIGN: $bits = 1 << (<$bits>::BITS - 1);
        }

        impl Stored for $name {
            type Key = $bits;

            #[inline(always)]
            fn key(self) -> $bits {
                let magnitude = self.0 & !Self::SIGN;
                if magnitude > $infinity {
                    <$bits>::MAX
                } else if self.0 == magnitude || magnitude == 0 {
                    Self::SIGN | magnitude
                } else {
                    !self.0
                }
            }

            #[inline(always)]
            fn value(key: $bits) -> Option<$name> {
                Some($name(if key == <$bits>::MAX {
                    $nan
                } else if key & Self::SIGN != 0 {
                    key ^ Self::SIGN
                } else {
                    !key
                }))
            }

            #[inline(always)]
            fn ambiguous(self) -> bool {
                self.0 == Self::SIGN || (self.0 & !Self::SIGN > $infinity && self.0 != $nan)
            }

            #[inline(always)]
            fn reversed(key: $bits) -> $bits {
                if key == <$bits>::MAX { key } else { !key - 1 }
            }
        }
    };
}

float_stored!(F8E4M3, u8, 0x7e, 0x7f);
float_stored!(F8E5M2, u8, 0x7c, 0x7e);
float_stored!(F16, u16, 0x7c00, 0x7e00);
float_stored!(BF16, u16, 0x7f80, 0x7fc0);
float_stored!(F32, u32, 0x7f80_0000, 0x7fc0_0000);
float_stored!(F64, u64, 0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000);

macro_rules! complex_stored {
    ($name:ident, $part:ident, $bits:ty) => {
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $name(pub $bits, pub $bits);

        impl Stored for $name {
            type Key = Complex;

            fn key(self) -> Complex {
                let (re, im) = ($part(self.0).key(), $part(self.1).key());
                let nan = <$bits>::MAX;
                let class = u8::from(re == nan) * 2 + u8::from(im == nan);
                (class, re.into(), im.into())
            }

            fn conj(self) -> $name {
                $name(self.0, self.1 ^ (1 << (<$bits>::BITS - 1)))
            }

            fn value(_key: Complex) -> Option<$name> {
                None
            }

            fn ambiguous(self) -> bool {
                true
            }

            fn reversed((class, re, im): Complex) -> Complex {
                (class, !re, !im)
            }
        }
    };
}

complex_stored!(C64, F32, u32);
complex_stored!(C128, F64, u64);

/// Calls `$run::<S>($args)` for the stored type of a dtype.
macro_rules! for_stored {
    ($dtype:expr, $run:ident($($arg:expr),*)) => {
        match $dtype {
            DType::Bool | DType::U8 => $run::<u8>($($arg),*),
            DType::U16 => $run::<u16>($($arg),*),
            DType::U32 => $run::<u32>($($arg),*),
            DType::U64 => $run::<u64>($($arg),*),
            DType::I8 => $run::<i8>($($arg),*),
            DType::I16 => $run::<i16>($($arg),*),
            DType::I32 => $run::<i32>($($arg),*),
            DType::I64 => $run::<i64>($($arg),*),
            DType::F8E4M3 => $run::<keys::F8E4M3>($($arg),*),
            DType::F8E5M2 => $run::<keys::F8E5M2>($($arg),*),
            DType::F16 => $run::<keys::F16>($($arg),*),
            DType::BF16 => $run::<keys::BF16>($($arg),*),
            DType::F32 => $run::<keys::F32>($($arg),*),
            DType::F64 => $run::<keys::F64>($($arg),*),
            DType::C64 => $run::<keys::C64>($($arg),*),
            DType::C128 => $run::<keys::C128>($($arg),*),
        }
    };
}
pub(super) use for_stored;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::DType;

    #[test]
    fn keys_order_floats_as_comparison_does() {
        let values = [f32::NEG_INFINITY, -1e30, -1.5, -1e-45, 0.0, 1e-45, 1.0, 2.5, f32::MAX, f32::INFINITY, f32::NAN];
        let keys: Vec<u32> = values.iter().map(|x| F32(x.to_bits()).key()).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        assert_eq!(F32((-0.0f32).to_bits()).key(), F32(0).key());
        assert_eq!(F32((-f32::NAN).to_bits()).key(), u32::MAX);
        for (x, key) in values.iter().zip(&keys) {
            assert_eq!(F32::value(*key).map(|v| v.0), Some(x.to_bits()));
        }
        let down: Vec<u32> = keys.iter().map(|k| F32::reversed(*k)).collect();
        assert!(down[..10].is_sorted_by(|a, b| a > b) && down[10] == u32::MAX && down[0] < u32::MAX, "{down:?}");
    }

    #[test]
    fn every_small_float_comes_back_from_its_key() {
        for bits in 0..=u8::MAX {
            for dtype in [DType::F8E4M3, DType::F8E5M2] {
                let (back, unclear) = if dtype == DType::F8E4M3 {
                    (F8E4M3::value(F8E4M3(bits).key()).map(|v| v.0), F8E4M3(bits).ambiguous())
                } else {
                    (F8E5M2::value(F8E5M2(bits).key()).map(|v| v.0), F8E5M2(bits).ambiguous())
                };
                assert!(unclear || back == Some(bits), "{dtype} {bits:#x} came back as {back:?}");
            }
        }
    }
}
