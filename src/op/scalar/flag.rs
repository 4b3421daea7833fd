use crate::op::lanes::Flag;
use num_complex::Complex;

/// What a lane is as a condition: anything but zero holds, NaN too.
pub trait Truth: Copy {
    fn truth(self) -> bool;
}

impl Truth for Flag {
    #[inline(always)]
    fn truth(self) -> bool {
        self.get()
    }
}

macro_rules! truth {
    ($($t:ty, $zero:literal);+) => {
        $(impl Truth for $t {
            #[inline(always)]
            fn truth(self) -> bool {
                self != $zero
            }
        })+
    };
}

truth!(u8, 0; u16, 0; u32, 0; u64, 0; i8, 0; i16, 0; i32, 0; i64, 0; f32, 0.0; f64, 0.0);

impl<T: Truth> Truth for Complex<T> {
    #[inline(always)]
    fn truth(self) -> bool {
        self.re.truth() | self.im.truth()
    }
}

#[inline(always)]
pub fn or(a: Flag, b: Flag) -> Flag {
    (a.get() | b.get()).into()
}

#[inline(always)]
pub fn and(a: Flag, b: Flag) -> Flag {
    (a.get() & b.get()).into()
}

#[inline(always)]
pub fn xor(a: Flag, b: Flag) -> Flag {
    (a.get() ^ b.get()).into()
}

#[inline(always)]
pub fn not(a: Flag) -> Flag {
    (!a.get()).into()
}
