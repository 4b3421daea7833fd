//! Shapes, layouts, dtypes, bytes. Knows nothing of operators, plans or the language.

mod bytes;
mod dtype;
mod layout;
mod scalar;
mod view;

pub use bytes::{Buffer, Storage};
pub use dtype::{DType, Kind};
pub use layout::{Dims, Layout, Shape, Strides};
pub use scalar::Scalar;
pub use view::{HostArray, View};
