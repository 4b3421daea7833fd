//! What runs kernels. A backend knows nothing of graphs: it gets a [`crate::kernel::Kernel`], views and buffers.

pub mod cpu;
mod null;

pub use cpu::{BINS, Comparison, Cpu, Survey, Tolerance, Watched};
pub use null::Null;
