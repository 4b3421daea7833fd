use num_complex::{Complex, Complex64};

/// Lanes that functions of one precision serve both of: f32 and c64 compute in f64 and c128 and round once.
pub trait Wide: Copy {
    type Wide;
    /// The dtype of the parts.
    type Re;
    fn wide(self) -> Self::Wide;
    fn narrow(value: Self::Wide) -> Self;
}

impl Wide for f32 {
    type Wide = f64;
    type Re = f32;

    #[inline(always)]
    fn wide(self) -> f64 {
        self as f64
    }

    #[inline(always)]
    fn narrow(value: f64) -> f32 {
        value as f32
    }
}

impl Wide for f64 {
    type Wide = f64;
    type Re = f64;

    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn narrow(value: f64) -> f64 {
        value
    }
}

impl<T: Wide<Wide = f64>> Wide for Complex<T> {
    type Wide = Complex64;
    type Re = T;

    #[inline(always)]
    fn wide(self) -> Complex64 {
        Complex64::new(self.re.wide(), self.im.wide())
    }

    #[inline(always)]
    fn narrow(value: Complex64) -> Complex<T> {
        Complex::new(T::narrow(value.re), T::narrow(value.im))
    }
}
