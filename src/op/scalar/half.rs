//! Neighbours of f16 and bf16 values, which ride in f32 lanes: the one thing that rounding afterwards cannot give.

/// A 16-bit float by its bits.
pub trait Half {
    const INFINITY: u16;
    fn bits(x: f32) -> u16;
    fn value(bits: u16) -> f32;
}

pub struct F16;
pub struct Bf16;

impl Half for F16 {
    const INFINITY: u16 = 0x7c00;

    #[inline(always)]
    fn bits(x: f32) -> u16 {
        half::f16::from_f32(x).to_bits()
    }

    #[inline(always)]
    fn value(bits: u16) -> f32 {
        half::f16::from_bits(bits).to_f32()
    }
}

impl Half for Bf16 {
    const INFINITY: u16 = 0x7f80;

    #[inline(always)]
    fn bits(x: f32) -> u16 {
        half::bf16::from_f32(x).to_bits()
    }

    #[inline(always)]
    fn value(bits: u16) -> f32 {
        half::bf16::from_bits(bits).to_f32()
    }
}

const SIGN: u16 = 0x8000;

/// Both arguments are values of the format.
#[inline(always)]
pub fn next_after<H: Half>(x: f32, towards: f32) -> f32 {
    if x.is_nan() || towards.is_nan() {
        return f32::NAN;
    }
    if x == towards {
        return towards;
    }
    if x == 0.0 {
        return H::value(1).copysign(towards);
    }
    let away = (x < towards) == (x > 0.0);
    let bits = H::bits(x);
    H::value(if away { bits + 1 } else { bits - 1 })
}

#[inline(always)]
pub fn spacing<H: Half>(x: f32) -> f32 {
    let bits = H::bits(x);
    let size = bits & !SIGN;
    if size >= H::INFINITY {
        return f32::NAN;
    }
    (H::value(size + 1) - H::value(size)).copysign(x)
}
