//! Data of the workloads: uniform numbers in [-1, 1), and tensors made of them.

use super::{Check, Made};
use std::sync::Arc;
use tsk::tensor::{Buffer, DType, HostArray, Layout, PackedFormat, Scalar, View};

/// xorshift64*: quick, and the same on every machine.
pub struct Rng(u64);

impl Rng {
    /// Seeded by the workload's id.
    pub fn new(id: &str) -> Rng {
        let seed = id.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        Rng(seed | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// `n` numbers, uniform in [-scale, scale).
    pub fn uniform(&mut self, n: usize, scale: f32) -> Arc<[f32]> {
        (0..n).map(|_| ((self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0) * scale).collect()
    }
}

/// An array of a workload, to be bound in a session.
pub struct Tensor {
    buffer: Buffer,
    dtype: DType,
    shape: Vec<usize>,
}

impl Tensor {
    pub fn f32(values: &[f32], shape: &[usize]) -> Tensor {
        let buffer = Buffer::from_slice(values).expect("memory for the data");
        Tensor { buffer, dtype: DType::F32, shape: shape.to_vec() }
    }

    pub fn f64(values: &[f64], shape: &[usize]) -> Tensor {
        let buffer = Buffer::from_slice(values).expect("memory for the data");
        Tensor { buffer, dtype: DType::F64, shape: shape.to_vec() }
    }

    pub fn i64(values: &[i64], shape: &[usize]) -> Tensor {
        let buffer = Buffer::from_slice(values).expect("memory for the data");
        Tensor { buffer, dtype: DType::I64, shape: shape.to_vec() }
    }

    /// Complex numbers as pairs of f32.
    pub fn c64(values: &[[f32; 2]], shape: &[usize]) -> Tensor {
        let buffer = Buffer::from_slice(values).expect("memory for the data");
        Tensor { buffer, dtype: DType::C64, shape: shape.to_vec() }
    }

    /// Blocks of a packed format, as they lie in files.
    pub fn packed(blocks: &[u8], format: &'static PackedFormat, shape: &[usize]) -> Tensor {
        let mut buffer = Buffer::from_slice(blocks).expect("memory for the data");
        buffer.set_packed(format);
        Tensor { buffer, dtype: DType::F32, shape: shape.to_vec() }
    }

    pub fn array(self) -> HostArray {
        let layout = Layout::contiguous(&self.shape).expect("small extents");
        HostArray { buffer: Arc::new(self.buffer), view: View { layout, dtype: self.dtype, conj: false } }
    }
}

/// Data with a reference that gives real numbers.
pub fn made(tensors: Vec<(&'static str, Tensor)>, samples: usize, reference: impl Fn(usize) -> f64 + 'static) -> Made {
    Made { tensors, check: Check::Values { samples, reference: Box::new(move |i| Scalar::Float(reference(i))) } }
}

/// Data with a reference that gives whole numbers or anything else.
pub fn made_of(
    tensors: Vec<(&'static str, Tensor)>,
    samples: usize,
    reference: impl Fn(usize) -> Scalar + 'static,
) -> Made {
    Made { tensors, check: Check::Values { samples, reference: Box::new(reference) } }
}

/// Named tensors, and their values in the same order.
pub type Arrays<const N: usize> = (Vec<(&'static str, Tensor)>, [Arc<[f32]>; N]);

/// Uniform arrays of these shapes, and their values in the same order.
pub fn uniform<const N: usize>(rng: &mut Rng, arrays: [(&'static str, &[usize]); N], scale: f32) -> Arrays<N> {
    let values = arrays.map(|(_, shape)| rng.uniform(shape.iter().product(), scale));
    let tensors = arrays.iter().zip(&values).map(|((name, shape), v)| (*name, Tensor::f32(v, shape))).collect();
    (tensors, values)
}
