//! Shapes, layouts, dtypes, bytes. Knows nothing of operators, plans or the language.

mod bytes;
mod cast;
mod dtype;
mod exact;
mod fault;
mod layout;
mod packed;
mod promote;
mod reshape;
mod scalar;
mod slice;
mod view;
mod views;
mod walk;

pub use bytes::{AllocFault, Buffer, Watch, live_bytes};
pub use cast::{CastFault, CastMode, round_float};
pub use dtype::{DType, Kind};
pub use fault::{LayoutFault, axes_of};
pub use layout::{Dims, Layout, Offsets, Shape, Strides, axes, axis, broadcast_shapes, coordinates};
pub use packed::{Codes, Encoding, PACKED_CODES, PackedFormat, UserFormat};
pub use promote::{Casting, FloatInfo, can_cast, float_info, min_max, promote};
pub use reshape::Reshape;
pub use scalar::Scalar;
pub use view::{HostArray, View};
pub use walk::{Merged, merge, shares_memory};
