/// Integer bodies. All wrap; where a value is a fault (division by zero, a negative exponent or shift) they return 0 and
/// the row's `unless` reports the lane.
pub trait Int: Copy + Ord {
    fn is_zero(self) -> bool;
    fn below_zero(self) -> bool;
    /// Rounds towards minus infinity.
    fn floor_div(self, by: Self) -> Self;
    /// Has the sign of `by`.
    fn floor_mod(self, by: Self) -> Self;
    /// Has the sign of `self`.
    fn trunc_mod(self, by: Self) -> Self;
    fn power(self, exponent: Self) -> Self;
    fn squared(self) -> Self;
    fn sign(self) -> Self;
    fn relu(self) -> Self;
    fn relu6(self) -> Self;
    /// `1 / self`, truncated.
    fn reciprocal(self) -> Self;
    /// Shifts by the width or more give 0.
    fn shift_left(self, count: Self) -> Self;
    /// Shifts by the width or more give 0, or -1 for negative numbers.
    fn shift_right(self, count: Self) -> Self;
    /// Of the magnitude: -1 has one bit.
    fn count_ones(self) -> u8;
    fn gcd(self, other: Self) -> Self;
    fn lcm(self, other: Self) -> Self;
}

#[inline(always)]
pub fn zero_divisor<T: Int>(_: T, by: T) -> bool {
    by.is_zero()
}

#[inline(always)]
pub fn negative_count<T: Int>(_: T, count: T) -> bool {
    count.below_zero()
}

macro_rules! shared {
    ($t:ty) => {
        #[inline(always)]
        fn is_zero(self) -> bool {
            self == 0
        }

        #[inline(always)]
        fn trunc_mod(self, by: Self) -> Self {
            if by == 0 { 0 } else { self.wrapping_rem(by) }
        }

        #[inline(always)]
        fn relu(self) -> Self {
            self.max(0)
        }

        #[inline(always)]
        fn relu6(self) -> Self {
            self.clamp(0, 6)
        }

        #[inline(always)]
        fn squared(self) -> Self {
            self.wrapping_mul(self)
        }

        #[inline(always)]
        fn reciprocal(self) -> Self {
            if self == 0 { 0 } else { (1 as $t).wrapping_div(self) }
        }

        #[inline(always)]
        fn shift_left(self, count: Self) -> Self {
            let small = (0..<$t>::BITS as $t).contains(&count);
            if small { self.wrapping_shl(count as u32) } else { 0 }
        }

        #[inline(always)]
        fn power(self, exponent: Self) -> Self {
            if exponent.below_zero() {
                return 0;
            }
            let (mut base, mut left, mut product) = (self, exponent, 1);
            while left != 0 {
                if left & 1 == 1 {
                    product = base.wrapping_mul(product);
                }
                base = base.wrapping_mul(base);
                left >>= 1;
            }
            product
        }
    };
}

macro_rules! unsigned {
    ($($t:ty)+) => { $(impl Int for $t {
        shared!($t);

        #[inline(always)]
        fn below_zero(self) -> bool {
            false
        }

        #[inline(always)]
        fn floor_div(self, by: Self) -> Self {
            self.checked_div(by).unwrap_or(0)
        }

        #[inline(always)]
        fn floor_mod(self, by: Self) -> Self {
            self.trunc_mod(by)
        }

        #[inline(always)]
        fn sign(self) -> Self {
            (self != 0) as $t
        }

        #[inline(always)]
        fn shift_right(self, count: Self) -> Self {
            if count < <$t>::BITS as $t { self.wrapping_shr(count as u32) } else { 0 }
        }

        #[inline(always)]
        fn count_ones(self) -> u8 {
            <$t>::count_ones(self) as u8
        }

        #[inline(always)]
        fn gcd(self, other: Self) -> Self {
            let (mut a, mut b) = (self, other);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }

        #[inline(always)]
        fn lcm(self, other: Self) -> Self {
            let gcd = self.gcd(other);
            if gcd == 0 { 0 } else { (self / gcd).wrapping_mul(other) }
        }
    })+ };
}

macro_rules! signed {
    ($($t:ty)+) => { $(impl Int for $t {
        shared!($t);

        #[inline(always)]
        fn below_zero(self) -> bool {
            self < 0
        }

        #[inline(always)]
        fn floor_div(self, by: Self) -> Self {
            if by == 0 {
                return 0;
            }
            let (quotient, rest) = (self.wrapping_div(by), self.wrapping_rem(by));
            if rest != 0 && (rest < 0) != (by < 0) { quotient - 1 } else { quotient }
        }

        #[inline(always)]
        fn floor_mod(self, by: Self) -> Self {
            let rest = self.trunc_mod(by);
            if rest != 0 && (rest < 0) != (by < 0) { rest + by } else { rest }
        }

        #[inline(always)]
        fn sign(self) -> Self {
            (self > 0) as $t - (self < 0) as $t
        }

        #[inline(always)]
        fn shift_right(self, count: Self) -> Self {
            let last = <$t>::BITS as $t - 1;
            self.wrapping_shr(count.clamp(0, last) as u32)
        }

        #[inline(always)]
        fn count_ones(self) -> u8 {
            self.unsigned_abs().count_ones() as u8
        }

        #[inline(always)]
        fn gcd(self, other: Self) -> Self {
            Int::gcd(self.unsigned_abs(), other.unsigned_abs()) as $t
        }

        #[inline(always)]
        fn lcm(self, other: Self) -> Self {
            Int::lcm(self.unsigned_abs(), other.unsigned_abs()) as $t
        }
    })+ };
}

unsigned!(u8 u16 u32 u64);
signed!(i8 i16 i32 i64);
