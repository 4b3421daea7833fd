//! What names hold: cells with their versions, and tensors, which are views of cells.

use super::graph::{Node, NodeRef, Operand, describe};
use crate::base::Span;
use crate::tensor::{DType, Encoding, HostArray, Layout, PackedFormat, View};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// A node held by a cell.
pub struct Held(NodeRef);

impl Held {
    pub fn new(node: NodeRef) -> Held {
        node.users.fetch_add(1, Ordering::Relaxed);
        node.cells.fetch_add(1, Ordering::Relaxed);
        Held(node)
    }

    pub fn node(&self) -> &NodeRef {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.cells.fetch_sub(1, Ordering::Relaxed);
        self.0.users.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What names hold: the current version of some elements. Every view of the cell sees a new version.
pub struct Cell {
    version: Mutex<Held>,
    /// Why it cannot be written, where it cannot: file-backed data.
    pub read_only: Option<&'static str>,
    /// The cell whose buffer a 0-d read shares without following its versions.
    pub base: Option<Arc<Cell>>,
}

impl Cell {
    pub fn new(node: NodeRef) -> Arc<Cell> {
        Arc::new(Cell { version: Mutex::new(Held::new(node)), read_only: None, base: None })
    }

    pub fn read_only(node: NodeRef, why: &'static str) -> Arc<Cell> {
        Arc::new(Cell { version: Mutex::new(Held::new(node)), read_only: Some(why), base: None })
    }

    /// A cell of its own over the version that `base` has now.
    pub fn snapshot(base: &Arc<Cell>) -> Arc<Cell> {
        Arc::new(Cell {
            version: Mutex::new(Held::new(base.version())),
            read_only: base.read_only,
            base: Some(base.clone()),
        })
    }

    pub fn version(&self) -> NodeRef {
        self.version.lock().unwrap_or_else(|e| e.into_inner()).node().clone()
    }

    pub fn set_version(&self, node: NodeRef) {
        let held = Held::new(node);
        let old = std::mem::replace(&mut *self.version.lock().unwrap_or_else(|e| e.into_inner()), held);
        drop(old);
    }
}

/// A value of the language: a view of a cell.
#[derive(Clone)]
pub struct Tensor {
    pub cell: Arc<Cell>,
    pub view: View,
    /// Made by a layout operation (as opposed to: a fresh result).
    pub is_view: bool,
    /// Where it comes from, for errors, plans and headers: `w`, `w[1:3]`.
    pub origin: Option<Arc<str>>,
}

impl Tensor {
    /// A fresh result: the whole of a node.
    pub fn of(node: NodeRef) -> Tensor {
        let layout = Layout::contiguous(&node.shape).unwrap_or_default();
        let view = View { layout, dtype: node.dtype, conj: false };
        Tensor { cell: Cell::new(node), view, is_view: false, origin: None }
    }

    /// Values that are there; `array`'s view becomes the tensor's.
    pub fn from_array(array: HostArray, read_only: Option<&'static str>) -> Tensor {
        let node = Node::leaf(array.buffer, array.view.dtype, Span::default());
        let cell = match read_only {
            Some(why) => Cell::read_only(node, why),
            None => Cell::new(node),
        };
        Tensor { cell, view: array.view, is_view: false, origin: None }
    }

    /// An edge to the version that the tensor has now.
    pub fn operand(&self) -> Operand {
        let mut operand = Operand::new(self.cell.version(), self.view.clone());
        operand.origin = self.origin.clone();
        operand
    }

    /// Another view of the same cell.
    pub fn viewed(&self, layout: Layout) -> Tensor {
        self.viewed_as(View { layout, dtype: self.view.dtype, conj: self.view.conj })
    }

    pub fn viewed_as(&self, view: View) -> Tensor {
        Tensor { cell: self.cell.clone(), view, is_view: true, origin: self.origin.clone() }
    }

    pub fn shape(&self) -> &[usize] {
        &self.view.layout.shape
    }

    pub fn dtype(&self) -> DType {
        self.view.dtype
    }

    /// The packed format whose blocks the tensor's bytes are. Such a tensor reads as f32 and is never written.
    pub fn packed(&self) -> Option<&'static PackedFormat> {
        if self.cell.read_only.is_none() { None } else { self.cell.version().packed() }
    }

    pub fn encoding(&self) -> Encoding {
        self.packed().map_or(Encoding::Plain(self.dtype()), Encoding::Packed)
    }

    /// Strides and offset as scripts see them: in elements, in blocks of a packed tensor.
    pub fn units(&self) -> Layout {
        match self.packed() {
            Some(format) => format.blocks(&self.view.layout).unwrap_or_else(|_| self.view.layout.clone()),
            None => self.view.layout.clone(),
        }
    }

    /// Bytes of the elements (or blocks) in view.
    pub fn nbytes(&self) -> usize {
        match self.packed() {
            Some(format) => self.size() / format.block * format.bytes,
            None => self.size() * self.dtype().size(),
        }
    }

    pub fn size(&self) -> usize {
        self.view.layout.size()
    }

    pub fn ndim(&self) -> usize {
        self.view.layout.shape.len()
    }

    /// Made by a layout operation from a buffer that another live value also holds.
    pub fn shares_a_base(&self) -> bool {
        self.is_view
            && (Arc::strong_count(&self.cell) > 1 || self.cell.base.as_ref().is_some_and(|b| Arc::strong_count(b) > 1))
    }

    /// `f32[32, 256]`, as labels and headers show it.
    pub fn describe(&self) -> String {
        match self.packed() {
            Some(format) => format!("{}{:?}", format.name(), self.shape()),
            None => describe(self.dtype(), self.shape()),
        }
    }

    /// The values where they are there already.
    pub fn array(&self) -> Option<HostArray> {
        self.cell.version().buffer().map(|buffer| HostArray { buffer, view: self.view.clone() })
    }
}
