/// Bodies on real floats.
pub trait Real: Copy + PartialOrd {
    /// What a division rounded towards zero leaves, with the sign of `self`: exact unless `is_far_quotient`.
    fn rest(self, by: Self) -> Self;
    /// The quotient has too many digits for [`Real::rest`], or is none: such lanes take the `far_` functions.
    fn is_far_quotient(self, by: Self) -> bool;
    /// Rounds towards minus infinity; by zero it is the plain quotient.
    fn floor_div(self, by: Self) -> Self;
    fn far_floor_div(self, by: Self) -> Self;
    /// Has the sign of `by`.
    fn floor_mod(self, by: Self) -> Self;
    fn far_floor_mod(self, by: Self) -> Self;
    /// Has the sign of `self`.
    fn trunc_mod(self, by: Self) -> Self;
    fn far_trunc_mod(self, by: Self) -> Self;
    fn sign(self) -> Self;
    /// NaN wins.
    fn maximum(self, other: Self) -> Self;
    fn minimum(self, other: Self) -> Self;
    /// NaN is ignored.
    fn fmax(self, other: Self) -> Self;
    fn fmin(self, other: Self) -> Self;
    fn heaviside(self, at_zero: Self) -> Self;
    fn relu(self) -> Self;
    fn relu6(self) -> Self;
    fn leaky_relu(self, slope: Self) -> Self;
    fn hard_sigmoid(self) -> Self;
    fn hard_swish(self) -> Self;
    fn next_after(self, towards: Self) -> Self;
    /// The distance to the next number away from zero.
    fn spacing(self) -> Self;
    fn load_exponent(self, n: i64) -> Self;
}

/// The quotient rounded down, from what the division rounded towards zero leaves.
macro_rules! floor_quotient {
    ($a:expr, $by:expr, $rest:expr, $t:ty) => {{
        let (a, by, rest) = ($a, $by, $rest);
        let exact = (a - rest) / by;
        let exact = if rest != 0.0 && (rest < 0.0) != (by < 0.0) { exact - 1.0 } else { exact };
        // `exact` is a whole number up to rounding.
        let floor = exact.floor();
        let nearest = if exact - floor > 0.5 { floor + 1.0 } else { floor };
        if exact == 0.0 { (0.0 as $t).copysign(a / by) } else { nearest }
    }};
}

/// The same for what is left.
macro_rules! floor_rest {
    ($rest:expr, $by:expr) => {{
        let (rest, by) = ($rest, $by);
        let turned = if (rest < 0.0) != (by < 0.0) { rest + by } else { rest };
        if rest == 0.0 { rest.copysign(by) } else { turned }
    }};
}

macro_rules! real {
    ($($t:ident $scale:ident $near:literal);+) => { $(impl Real for $t {
        #[inline(always)]
        fn rest(self, by: Self) -> Self {
            let quotient = (self / by).trunc();
            let rest = (-quotient).mul_add(by, self);
            // The division may have rounded up to the next whole number.
            let beyond = rest != 0.0 && (rest < 0.0) != (self < 0.0);
            let rest = if beyond { rest + by.abs().copysign(self) } else { rest };
            if rest == 0.0 { rest.copysign(self) } else { rest }
        }

        #[inline(always)]
        fn is_far_quotient(self, by: Self) -> bool {
            // Written so that nan is far too.
            let near = (self / by).abs() < $near;
            !near | by.is_infinite()
        }

        #[inline(always)]
        fn floor_div(self, by: Self) -> Self {
            floor_quotient!(self, by, self.rest(by), $t)
        }

        fn far_floor_div(self, by: Self) -> Self {
            if by == 0.0 { self / by } else { floor_quotient!(self, by, self % by, $t) }
        }

        #[inline(always)]
        fn floor_mod(self, by: Self) -> Self {
            floor_rest!(self.rest(by), by)
        }

        fn far_floor_mod(self, by: Self) -> Self {
            if by == 0.0 { self % by } else { floor_rest!(self % by, by) }
        }

        #[inline(always)]
        fn trunc_mod(self, by: Self) -> Self {
            self.rest(by)
        }

        fn far_trunc_mod(self, by: Self) -> Self {
            self % by
        }

        #[inline(always)]
        fn sign(self) -> Self {
            let sign = if self > 0.0 { 1.0 } else { self };
            if self < 0.0 { -1.0 } else if self == 0.0 { 0.0 } else { sign }
        }

        #[inline(always)]
        fn maximum(self, other: Self) -> Self {
            let larger = if self > other { self } else { other };
            if self.is_nan() { self } else { larger }
        }

        #[inline(always)]
        fn minimum(self, other: Self) -> Self {
            let smaller = if self < other { self } else { other };
            if self.is_nan() { self } else { smaller }
        }

        #[inline(always)]
        fn fmax(self, other: Self) -> Self {
            let larger = if self > other { self } else { other };
            if other.is_nan() { self } else { larger }
        }

        #[inline(always)]
        fn fmin(self, other: Self) -> Self {
            let smaller = if self < other { self } else { other };
            if other.is_nan() { self } else { smaller }
        }

        #[inline(always)]
        fn heaviside(self, at_zero: Self) -> Self {
            let step = if self < 0.0 { 0.0 } else { 1.0 };
            let value = if self == 0.0 { at_zero } else { step };
            if self.is_nan() { self } else { value }
        }

        #[inline(always)]
        fn relu(self) -> Self {
            if self <= 0.0 { 0.0 } else { self }
        }

        #[inline(always)]
        fn relu6(self) -> Self {
            let x = self.relu();
            if x > 6.0 { 6.0 } else { x }
        }

        #[inline(always)]
        fn leaky_relu(self, slope: Self) -> Self {
            if self > 0.0 { self } else { self * slope }
        }

        #[inline(always)]
        fn hard_sigmoid(self) -> Self {
            (self + 3.0).relu6() / 6.0
        }

        #[inline(always)]
        fn hard_swish(self) -> Self {
            self * (self + 3.0).relu6() / 6.0
        }

        #[inline(always)]
        fn next_after(self, towards: Self) -> Self {
            if self.is_nan() || towards.is_nan() {
                return self + towards;
            }
            if self == towards {
                return towards;
            }
            if self == 0.0 {
                return $t::from_bits(1).copysign(towards);
            }
            let away = (self < towards) == (self > 0.0);
            let bits = self.to_bits();
            $t::from_bits(if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) })
        }

        #[inline(always)]
        fn spacing(self) -> Self {
            if self.is_infinite() { $t::NAN } else { self.next_after($t::INFINITY.copysign(self)) - self }
        }

        #[inline(always)]
        fn load_exponent(self, n: i64) -> Self {
            libm::$scale(self, n.clamp(-10_000, 10_000) as i32)
        }
    })+ };
}

real!(f32 scalbnf 4194304.0; f64 scalbn 2251799813685248.0);
