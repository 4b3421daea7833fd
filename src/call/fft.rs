//! Fourier transforms along the last axis.

use super::{Part, Prepared, lay_out};
use crate::base::Diag;
use crate::kernel::{FaultKind, Opaque};
use crate::tensor::{DType, HostArray, Scalar, Shape};
use num_complex::Complex;
use realfft::RealFftPlanner;
use rustfft::{FftNum, FftPlanner};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transform {
    Fft,
    Ifft,
    /// Real to the first half of a Hermitian spectrum.
    Rfft,
    /// Back from there; `n` is the length of the real result.
    Irfft,
}

/// Where the factor 1/n stands: on the inverse, half on both, on the forward transform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Norm {
    Backward,
    Ortho,
    Forward,
}

impl Transform {
    fn is_forward(self) -> bool {
        matches!(self, Transform::Fft | Transform::Rfft)
    }
}

#[derive(Debug)]
struct Fourier {
    transform: Transform,
    norm: Norm,
    /// Length of the transform; inputs are cropped or filled with zeros.
    n: usize,
    /// Length of an input row.
    row: usize,
    out_row: usize,
    /// f32 or f64.
    real: DType,
}

impl Opaque for Fourier {
    fn name(&self) -> &str {
        match self.transform {
            Transform::Fft => "fft",
            Transform::Ifft => "ifft",
            Transform::Rfft => "rfft",
            Transform::Irfft => "irfft",
        }
    }

    fn key(&self) -> String {
        format!("{:?} {} {} {}", self.norm, self.n, self.row, self.real)
    }

    fn run(&self, inputs: &[HostArray], out: &mut [u8]) -> Result<(), FaultKind> {
        if self.real == DType::F32 { self.rows::<f32>(&inputs[0], out) } else { self.rows::<f64>(&inputs[0], out) }
    }
}

/// f32 and f64 with their bytes.
trait Float: FftNum {
    fn narrow(x: f64) -> Self;
    fn push(self, out: &mut [u8]);
}

impl Float for f32 {
    fn narrow(x: f64) -> f32 {
        x as f32
    }

    fn push(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_le_bytes());
    }
}

impl Float for f64 {
    fn narrow(x: f64) -> f64 {
        x
    }

    fn push(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_le_bytes());
    }
}

/// Transforms the row that its first argument reads, into the second.
type Line<T> = Box<dyn Fn(&dyn Fn(usize) -> Complex<T>, &mut Vec<Complex<T>>) -> Result<(), FaultKind>>;

impl Fourier {
    fn rows<T: Float>(&self, input: &HostArray, out: &mut [u8]) -> Result<(), FaultKind> {
        let element = self.real.size() * if self.transform == Transform::Irfft { 1 } else { 2 };
        if self.out_row == 0 || out.is_empty() {
            return Ok(());
        }
        let exponent = match (self.norm, self.transform.is_forward()) {
            (Norm::Backward, true) | (Norm::Forward, false) => 0.0,
            (Norm::Ortho, _) => -0.5,
            (Norm::Backward, false) | (Norm::Forward, true) => -1.0,
        };
        let scale = T::narrow((self.n as f64).powf(exponent));
        let line = self.line::<T>();
        let mut result = Vec::with_capacity(self.out_row);
        for (row, out) in out.chunks_exact_mut(self.out_row * element).enumerate() {
            result.clear();
            line(&|i| self.load(input, row, i), &mut result)?;
            for (z, out) in result.iter().zip(out.chunks_exact_mut(element)) {
                let (re, im) = out.split_at_mut(self.real.size());
                (z.re * scale).push(re);
                if !im.is_empty() {
                    (z.im * scale).push(im);
                }
            }
        }
        Ok(())
    }

    /// Element `i` of a row, zero behind its end.
    fn load<T: Float>(&self, input: &HostArray, row: usize, i: usize) -> Complex<T> {
        if i >= self.row {
            return Complex::new(T::zero(), T::zero());
        }
        let view = &input.view;
        let at = (view.layout.offset as usize + row * self.row + i) * view.dtype.size();
        let z = Scalar::read(view.dtype, &input.buffer.bytes()[at..]).to_complex();
        Complex::new(T::narrow(z.re), T::narrow(if view.conj { -z.im } else { z.im }))
    }

    /// The transform of one row, which is read by a function; the plan is made once.
    fn line<T: Float>(&self) -> Line<T> {
        let n = self.n;
        let refused = |e: realfft::FftError| FaultKind::Call { message: e.to_string() };
        match self.transform {
            Transform::Fft | Transform::Ifft => {
                let mut planner = FftPlanner::<T>::new();
                let forward = self.transform == Transform::Fft;
                let plan = if forward { planner.plan_fft_forward(n) } else { planner.plan_fft_inverse(n) };
                Box::new(move |load, out| {
                    out.extend((0..n).map(load));
                    plan.process(out);
                    Ok(())
                })
            }
            Transform::Rfft => {
                let plan = RealFftPlanner::<T>::new().plan_fft_forward(n);
                Box::new(move |load, out| {
                    let mut input: Vec<T> = (0..n).map(|i| load(i).re).collect();
                    out.resize(n / 2 + 1, Complex::new(T::zero(), T::zero()));
                    plan.process(&mut input, out).map_err(refused)
                })
            }
            Transform::Irfft => {
                let plan = RealFftPlanner::<T>::new().plan_fft_inverse(n);
                Box::new(move |load, out| {
                    let mut input: Vec<Complex<T>> = (0..n / 2 + 1).map(load).collect();
                    // A real result has a real mean (and a real alternating part): what stands there instead does not count.
                    input[0].im = T::zero();
                    if n.is_multiple_of(2) {
                        input[n / 2].im = T::zero();
                    }
                    let mut real = vec![T::zero(); n];
                    plan.process(&mut input, &mut real).map_err(refused)?;
                    out.extend(real.into_iter().map(|x| Complex::new(x, T::zero())));
                    Ok(())
                })
            }
        }
    }
}

/// A transform of length `n` (default: the axis, or for `Irfft` twice its intervals) along the last axis of a contiguous
/// tensor. Real or complex input of f32 or f64 parts; the result is complex, of `Irfft` real.
pub fn transform(
    transform: Transform,
    shape: &[usize],
    dtype: DType,
    n: Option<usize>,
    norm: Norm,
) -> Result<Prepared, Diag> {
    let real = dtype.real();
    let name = format!("{transform:?}").to_lowercase();
    if !matches!(real, DType::F32 | DType::F64) || (transform == Transform::Rfft && dtype.is_complex()) {
        return Err(Diag::new("E0402", format!("{name} does not transform {dtype}")));
    }
    let Some((&row, batch)) = shape.split_last() else {
        return Err(Diag::new("E0201", format!("{name} takes a tensor of at least one axis")));
    };
    let n = n.unwrap_or(if transform == Transform::Irfft { 2 * row.saturating_sub(1) } else { row });
    if n == 0 {
        return Err(Diag::new("E0233", format!("{name} needs a length of at least 1"))
            .note(format!("the last axis has extent {row}")));
    }
    let out_row = if transform == Transform::Rfft { n / 2 + 1 } else { n };
    let complex = if real == DType::F32 { DType::C64 } else { DType::C128 };
    let output = if transform == Transform::Irfft { real } else { complex };
    let result: Shape = batch.iter().copied().chain([out_row]).collect();
    let (parts, size): (Vec<Part>, usize) = lay_out(output, &[(result, output)])
        .ok_or_else(|| Diag::new("E0206", format!("the result of {name} is too large")))?;
    let call = Fourier { transform, norm, n, row, out_row, real };
    Ok(Prepared { call: Arc::new(call), dtype: output, size, parts })
}
