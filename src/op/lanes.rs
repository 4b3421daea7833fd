//! The calling convention of scalar rows: a function computes a run of lanes.
//!
//! A row writes a scalar body; [`map1`], [`map2`] and [`map3`] put it into a loop that the compiler vectorises, once for
//! any machine and once for those with AVX2 and FMA; [`kernel1`] and [`kernel2`], for bodies that compute much, once more
//! for AVX-512. All give the same bits: `mul_add` is one rounding everywhere, and nothing else is contracted.

/// Returned by a [`LaneFn`] that met no fault.
pub const FINE: usize = usize::MAX;

/// Computes `n` lanes. `args[i]` points to `n` elements of the argument's lane type, `out` to room for `n` elements of
/// the result's lane type. Returns [`FINE`], or the first lane whose value is a fault (integer division by zero, a
/// negative shift); lanes behind it may be unset.
///
/// # Safety
/// The pointers are valid for `n` elements, aligned for their type, and `out` overlaps no argument.
pub type LaneFn = unsafe fn(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize;

/// The lane of a bool: one byte. Any byte but 0 reads as true (files and reinterpreted bytes may hold others), only 0
/// and 1 are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct Flag(u8);

impl Flag {
    #[inline(always)]
    pub fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Flag {
    #[inline(always)]
    fn from(value: bool) -> Flag {
        Flag(value as u8)
    }
}

/// What the machine can run. Found once a process (std caches it).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Plain,
    Avx2,
    Avx512,
}

#[cfg(target_arch = "x86_64")]
pub(super) fn level() -> Level {
    use std::arch::is_x86_feature_detected as has;
    #[cfg(test)]
    if let Some(level) = testing::LEVEL.get() {
        return level;
    }
    if !(has!("avx2") && has!("fma")) {
        Level::Plain
    } else if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
        Level::Avx512
    } else {
        Level::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn level() -> Level {
    Level::Plain
}

/// A [`LaneFn`] of a block over `args`, `out` and `n`, compiled for two levels, with `wide` in front for three.
/// Everything that the block calls must be `#[inline(always)]` to be vectorised with it.
macro_rules! lane_fn {
    (|$args:ident, $out:ident, $n:ident| $body:block) => {{
        use $crate::op::lanes::{LaneFn, Level, level, lane_fn};
        lane_fn!(@bodies |$args, $out, $n| $body);
        let chosen: LaneFn = if level() == Level::Plain { plain } else { avx2 };
        chosen
    }};
    (wide |$args:ident, $out:ident, $n:ident| $body:block) => {{
        use $crate::op::lanes::{LaneFn, Level, level, lane_fn};
        lane_fn!(@bodies |$args, $out, $n| $body);
        // SAFETY: as `body`; chosen only where the machine has the features.
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma"))]
        unsafe fn avx512(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize {
            unsafe { body(args, out, n) }
        }
        let chosen: LaneFn = match level() {
            Level::Plain => plain,
            Level::Avx2 => avx2,
            Level::Avx512 => avx512,
        };
        chosen
    }};
    (@bodies |$args:ident, $out:ident, $n:ident| $body:block) => {
        // SAFETY: the block keeps the contract of `LaneFn`: it reads lanes 0..n of its arguments, writes lanes 0..n.
        #[inline(always)]
        unsafe fn body($args: &[*const u8; 3], $out: *mut u8, $n: usize) -> usize {
            unsafe { $body }
        }
        unsafe fn plain(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize {
            unsafe { body(args, out, n) }
        }
        // SAFETY: as `body`; chosen only where the machine has the features.
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
        unsafe fn avx2(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize {
            unsafe { body(args, out, n) }
        }
    };
}

/// `map1!(f, A => R)`: lanes of a total function of one argument. With `unless bad`, a lane for which `bad(a)` holds is a
/// fault; `f` must still return something there.
macro_rules! map1 {
    ($f:expr, $a:ty => $r:ty) => {
        $crate::op::lanes::lane_fn!(|args, out, n| {
            let (a, out) = (args[0].cast::<$a>(), out.cast::<$r>());
            for i in 0..n {
                out.add(i).write($f(a.add(i).read()));
            }
            $crate::op::lanes::FINE
        })
    };
    ($f:expr, $a:ty => $r:ty, unless $bad:expr) => {
        $crate::op::lanes::lane_fn!(|args, out, n| {
            let (a, out) = (args[0].cast::<$a>(), out.cast::<$r>());
            let mut any = false;
            for i in 0..n {
                let x = a.add(i).read();
                any |= $bad(x);
                out.add(i).write($f(x));
            }
            if any {
                return (0..n).find(|&i| $bad(a.add(i).read())).unwrap_or($crate::op::lanes::FINE);
            }
            $crate::op::lanes::FINE
        })
    };
}

/// The same for two arguments.
macro_rules! map2 {
    ($f:expr, $a:ty, $b:ty => $r:ty) => {
        $crate::op::lanes::lane_fn!(|args, out, n| {
            let (a, b, out) = (args[0].cast::<$a>(), args[1].cast::<$b>(), out.cast::<$r>());
            for i in 0..n {
                out.add(i).write($f(a.add(i).read(), b.add(i).read()));
            }
            $crate::op::lanes::FINE
        })
    };
    ($f:expr, $a:ty, $b:ty => $r:ty, unless $bad:expr) => {
        $crate::op::lanes::lane_fn!(|args, out, n| {
            let (a, b, out) = (args[0].cast::<$a>(), args[1].cast::<$b>(), out.cast::<$r>());
            let mut any = false;
            for i in 0..n {
                let (x, y) = (a.add(i).read(), b.add(i).read());
                any |= $bad(x, y);
                out.add(i).write($f(x, y));
            }
            if any {
                return (0..n).find(|&i| $bad(a.add(i).read(), b.add(i).read())).unwrap_or($crate::op::lanes::FINE);
            }
            $crate::op::lanes::FINE
        })
    };
    ($f:expr, $a:ty, $b:ty => $r:ty, $rare:expr => $slow:expr) => {
        $crate::op::lanes::lane_fn!(|args, out, n| {
            let (a, b, out) = (args[0].cast::<$a>(), args[1].cast::<$b>(), out.cast::<$r>());
            let mut any = false;
            for i in 0..n {
                let (x, y) = (a.add(i).read(), b.add(i).read());
                any |= $rare(x, y);
                out.add(i).write($f(x, y));
            }
            if any {
                for i in 0..n {
                    let (x, y) = (a.add(i).read(), b.add(i).read());
                    if $rare(x, y) {
                        out.add(i).write($slow(x, y));
                    }
                }
            }
            $crate::op::lanes::FINE
        })
    };
}

/// The same for three arguments, total functions only.
macro_rules! map3 {
    ($f:expr, $a:ty, $b:ty, $c:ty => $r:ty) => {
        $crate::op::lanes::lane_fn!(|args, out, n| {
            let (a, b) = (args[0].cast::<$a>(), args[1].cast::<$b>());
            let (c, out) = (args[2].cast::<$c>(), out.cast::<$r>());
            for i in 0..n {
                out.add(i).write($f(a.add(i).read(), b.add(i).read(), c.add(i).read()));
            }
            $crate::op::lanes::FINE
        })
    };
}

/// Lanes of a function that computes much: `kernel1!(f, T => T)` of T itself, `kernel1!(f, T)` of an f64 function for T
/// of either precision (see `scalar::Wide`). With `rare => slow`, lanes for which `rare(a)` holds are computed again by
/// `slow`: the common path stays free of branches.
macro_rules! kernel1 {
    ($f:expr, $a:ty => $r:ty) => {
        $crate::op::lanes::lane_fn!(
            wide | args,
            out,
            n | {
                let (a, out) = (args[0].cast::<$a>(), out.cast::<$r>());
                for i in 0..n {
                    out.add(i).write($f(a.add(i).read()));
                }
                $crate::op::lanes::FINE
            }
        )
    };
    ($f:expr, $a:ty => $r:ty, $rare:expr => $slow:expr) => {
        $crate::op::lanes::lane_fn!(
            wide | args,
            out,
            n | {
                let (a, out) = (args[0].cast::<$a>(), out.cast::<$r>());
                let mut any = false;
                for i in 0..n {
                    let x = a.add(i).read();
                    any |= $rare(x);
                    out.add(i).write($f(x));
                }
                if any {
                    for i in 0..n {
                        let x = a.add(i).read();
                        if $rare(x) {
                            out.add(i).write($slow(x));
                        }
                    }
                }
                $crate::op::lanes::FINE
            }
        )
    };
    ($f:expr, $t:ty) => {
        $crate::op::lanes::lane_fn!(
            wide | args,
            out,
            n | {
                use $crate::op::scalar::Wide;
                let (a, out) = (args[0].cast::<$t>(), out.cast::<$t>());
                for i in 0..n {
                    out.add(i).write(<$t as Wide>::narrow($f(a.add(i).read().wide())));
                }
                $crate::op::lanes::FINE
            }
        )
    };
}

/// The same for two arguments.
macro_rules! kernel2 {
    ($f:expr, $t:ty) => {
        $crate::op::lanes::lane_fn!(
            wide | args,
            out,
            n | {
                use $crate::op::scalar::Wide;
                let (a, b, out) = (args[0].cast::<$t>(), args[1].cast::<$t>(), out.cast::<$t>());
                for i in 0..n {
                    let (x, y) = (a.add(i).read().wide(), b.add(i).read().wide());
                    out.add(i).write(<$t as Wide>::narrow($f(x, y)));
                }
                $crate::op::lanes::FINE
            }
        )
    };
}

/// Lanes of a function of one precision for both (see `scalar::Wide`): calls, not vectors.
macro_rules! wide1 {
    ($f:expr, $a:ty => $r:ty) => {{
        use $crate::op::scalar::Wide;
        unsafe fn lanes(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize {
            let (a, out) = (args[0].cast::<$a>(), out.cast::<$r>());
            for i in 0..n {
                // SAFETY: the contract of `LaneFn`: lane i of `n` is valid.
                unsafe { out.add(i).write(<$r as Wide>::narrow($f(a.add(i).read().wide()))) };
            }
            $crate::op::lanes::FINE
        }
        let lanes: $crate::op::lanes::LaneFn = lanes;
        lanes
    }};
}

/// The same for two arguments of one type.
macro_rules! wide2 {
    ($f:expr, $t:ty) => {{
        use $crate::op::scalar::Wide;
        unsafe fn lanes(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize {
            let (a, b, out) = (args[0].cast::<$t>(), args[1].cast::<$t>(), out.cast::<$t>());
            for i in 0..n {
                // SAFETY: the contract of `LaneFn`: lane i of `n` is valid.
                unsafe {
                    let (x, y) = (a.add(i).read().wide(), b.add(i).read().wide());
                    out.add(i).write(<$t as Wide>::narrow($f(x, y)));
                }
            }
            $crate::op::lanes::FINE
        }
        let lanes: $crate::op::lanes::LaneFn = lanes;
        lanes
    }};
}

/// `pick!(dtype, T: ints => lanes over T; floats complex => …)`: the lanes for the Rust type of `dtype`'s lane, None
/// outside the sets named (`flag ints signed unsigned floats single double complex`). `T` is a type alias inside the expressions.
macro_rules! pick {
    ($dtype:expr, $t:ident : $($($set:ident)+ => $lanes:expr);+) => {{
        use $crate::tensor::DType;
        let dtype: DType = DType::lane($dtype);
        None$($(.or_else(|| $crate::op::lanes::pick!(@$set dtype, $t, $lanes)))+)+
    }};
    (@flag $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e; Bool $crate::op::lanes::Flag)
    };
    (@unsigned $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e; U8 u8, U16 u16, U32 u32, U64 u64)
    };
    (@signed $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e; I8 i8, I16 i16, I32 i32, I64 i64)
    };
    (@ints $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e;
            U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64)
    };
    (@floats $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e; F32 f32, F64 f64)
    };
    (@single $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e; F32 f32)
    };
    (@double $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e; F64 f64)
    };
    (@complex $d:ident, $t:ident, $e:expr) => {
        $crate::op::lanes::pick!(@arms $d, $t, $e;
            C64 ::num_complex::Complex<f32>, C128 ::num_complex::Complex<f64>)
    };
    (@arms $d:ident, $t:ident, $e:expr; $($name:ident $lane:ty),+) => {
        match $d {
            $(DType::$name => {
                type $t = $lane;
                Some($e)
            })+
            _ => None,
        }
    };
}

pub(super) use {kernel1, kernel2, lane_fn, map1, map2, map3, pick, wide1, wide2};

#[cfg(test)]
pub(super) mod testing {
    use std::cell::Cell;

    use super::Level;

    thread_local! {
        /// Makes this thread's rows answer for another level, to compare them.
        pub static LEVEL: Cell<Option<Level>> = const { Cell::new(None) };
    }
}
