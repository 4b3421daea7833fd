use crate::kernel::cost;
use crate::kernel::{Backend, Cancel, Counters, Fault, FaultKind, Input, Kernel, Output};
use crate::tensor::Buffer;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs every plan without computing: counts launches and bytes, owns no memory worth the name.
#[derive(Debug, Default)]
pub struct Null {
    counters: Mutex<Counters>,
}

impl Null {
    pub fn new() -> Self {
        Null::default()
    }
}

impl Backend for Null {
    fn name(&self) -> &'static str {
        "null"
    }

    /// An empty buffer, whatever the size: nobody looks at its bytes.
    fn alloc(&self, _bytes: usize) -> Result<Arc<Buffer>, FaultKind> {
        Buffer::zeroed(0).map(Arc::new).map_err(|fault| FaultKind::OutOfMemory { bytes: fault.bytes })
    }

    fn launch(
        &self,
        kernel: &Kernel,
        inputs: &[Input],
        output: &Output,
        is_copy: bool,
        _cancel: &Cancel,
    ) -> Result<(), Fault> {
        let cost = cost::of_launch(kernel, inputs, output);
        cost.count(&mut self.counters.lock().unwrap_or_else(PoisonError::into_inner), is_copy);
        Ok(())
    }

    fn flush(&self, _cancel: &Cancel) -> Result<(), Fault> {
        Ok(())
    }

    fn counters(&self) -> Counters {
        *self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn computes(&self) -> bool {
        false
    }
}
