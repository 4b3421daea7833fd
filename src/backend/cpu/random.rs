//! Random lanes from counters.

use super::lane::Lane;
use super::simd::simd;
use crate::kernel::{RandomKind, philox};
use crate::tensor::DType;

/// `draw(seed, stream, counters, n, out)`.
pub(super) type DrawFn = unsafe fn(u64, u64, *const i64, usize, *mut u8);

/// A type with random lanes and how they come about.
trait Draw: 'static {
    type Out: Lane;
    fn draw(words: [u32; 4]) -> Self::Out;
}

macro_rules! draw {
    ($($name:ident $out:ty = |$words:ident| $e:expr;)*) => {$(
        struct $name;
        impl Draw for $name {
            type Out = $out;
            #[inline(always)]
            fn draw($words: [u32; 4]) -> $out {
                $e
            }
        }
    )*};
}

draw! {
    Bits u64 = |words| philox::bits(words);
    Uniform32 f32 = |words| philox::uniform(words, DType::F32) as f32;
    Uniform64 f64 = |words| philox::uniform(words, DType::F64);
    Uniform16 f32 = |words| philox::uniform(words, DType::F16) as f32;
    UniformB16 f32 = |words| philox::uniform(words, DType::BF16) as f32;
    Uniform43 f32 = |words| philox::uniform(words, DType::F8E4M3) as f32;
    Uniform52 f32 = |words| philox::uniform(words, DType::F8E5M2) as f32;
    Normal32 f32 = |words| philox::normal(words, DType::F32) as f32;
    Normal64 f64 = |words| philox::normal(words, DType::F64);
}

/// None for dtypes that have no such numbers.
pub(super) fn draw_fn(kind: RandomKind, dtype: DType) -> Option<DrawFn> {
    match (kind, dtype) {
        (RandomKind::Bits, DType::U64) => Some(draw::<Bits>()),
        (RandomKind::Uniform, DType::F64) => Some(draw::<Uniform64>()),
        (RandomKind::Uniform, DType::F32) => Some(draw::<Uniform32>()),
        (RandomKind::Uniform, DType::F16) => Some(draw::<Uniform16>()),
        (RandomKind::Uniform, DType::BF16) => Some(draw::<UniformB16>()),
        (RandomKind::Uniform, DType::F8E4M3) => Some(draw::<Uniform43>()),
        (RandomKind::Uniform, DType::F8E5M2) => Some(draw::<Uniform52>()),
        (RandomKind::Normal, DType::F64) => Some(draw::<Normal64>()),
        (RandomKind::Normal, d) if d.lane() == DType::F32 => Some(draw::<Normal32>()),
        _ => None,
    }
}

simd! {
    /// # Safety
    /// `counters` holds n values, `out` has room for n lanes, aligned.
    fn draw<D: Draw>(seed: u64, stream: u64, counters: *const i64, n: usize, out: *mut u8) {
        let counters = std::slice::from_raw_parts(counters, n);
        let out = std::slice::from_raw_parts_mut(out.cast::<D::Out>(), n);
        for (out, &counter) in out.iter_mut().zip(counters) {
            *out = D::draw(philox::words(seed, stream, counter));
        }
    }
}
