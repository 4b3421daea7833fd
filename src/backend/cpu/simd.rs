//! One body, compiled once for the plain machine and once for each SIMD level; the level is looked up at run time.

use std::sync::OnceLock;

/// What this processor offers beyond the base of its architecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Plain,
    Avx2,
}

pub(super) fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            return Level::Avx2;
        }
        Level::Plain
    })
}

/// `simd! { fn name<T: Bound>(a: A) -> R { body } }` defines `name::<T>()`, which returns the copy of the body for
/// this processor as a function pointer. The bodies have no reassociation and no contraction of multiply and add, so
/// that every level gives the same bits.
macro_rules! simd {
    ($(#[$doc:meta])* $vis:vis fn $name:ident<$($g:ident: $b:path),*>($($a:ident: $t:ty),* $(,)?) $(-> $r:ty)? $body:block) => {
        $(#[$doc])*
        $vis fn $name<$($g: $b),*>() -> unsafe fn($($t),*) $(-> $r)? {
            #[inline(always)]
            unsafe fn plain<$($g: $b),*>($($a: $t),*) $(-> $r)? {
                // SAFETY: the caller keeps the contract written at the function that the macro defines.
                unsafe { $body }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2")]
            unsafe fn avx2<$($g: $b),*>($($a: $t),*) $(-> $r)? {
                // SAFETY: the caller's contract.
                unsafe { plain::<$($g),*>($($a),*) }
            }
            match $crate::backend::cpu::simd::level() {
                #[cfg(target_arch = "x86_64")]
                $crate::backend::cpu::simd::Level::Avx2 => avx2::<$($g),*>,
                _ => plain::<$($g),*>,
            }
        }
    };
}
pub(super) use simd;
