use super::{Buffer, DType, Layout, Scalar};
use std::sync::Arc;

/// How an operand is read: a layout over a buffer, the dtype that its bytes are taken for, and a pending conjugate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    pub layout: Layout,
    pub dtype: DType,
    /// Complex values are conjugated as they are loaded (`conj(x)` copies nothing).
    pub conj: bool,
}

/// Values that are there: what display, JSON, files and host functions read.
#[derive(Clone)]
pub struct HostArray {
    pub buffer: Arc<Buffer>,
    pub view: View,
}

impl HostArray {
    /// The element at a row-major position of the shape.
    ///
    /// # Panics
    /// Never for `linear < size`.
    pub fn get(&self, linear: usize) -> Scalar {
        let at = self.view.layout.offset_of(linear) as usize;
        if let Some(format) = self.buffer.packed() {
            return Scalar::Float(format.element(self.buffer.bytes(), at).into());
        }
        let at = at * self.view.dtype.size();
        let value = Scalar::read(self.view.dtype, &self.buffer.bytes()[at..]);
        match value {
            Scalar::Complex(z) if self.view.conj => Scalar::Complex(z.conj()),
            other => other,
        }
    }
}
