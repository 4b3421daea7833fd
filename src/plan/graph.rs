use crate::base::{Diag, Span};
use crate::kernel::{FaultKind, IndexAxis, Opaque, Program};
use crate::op::Monoid;
use crate::tensor::{Buffer, DType, Layout, PackedFormat, Shape, View};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

pub type NodeRef = Arc<Node>;

/// A value that is computed, or will be when somebody looks.
///
/// Invariants:
/// 1. Once `Done`, the buffer holds `shape` elements of `dtype`, row-major from element 0 (a leaf may be longer: its
///    shape is then one axis of all its elements).
/// 2. `Done` and `Failed` never change again; `Done` holds no operands, so the graph trims itself.
/// 3. `users` is the number of pending operands and cells that refer to the node.
pub struct Node {
    pub id: u64,
    pub shape: Shape,
    pub dtype: DType,
    pub op: NodeOp,
    /// The expression that made it.
    pub span: Span,
    /// Why it exists, where it is a copy that the layout forced or the user asked for.
    pub copy: Option<CopyReason>,
    state: Mutex<State>,
    pub(super) users: AtomicUsize,
    pub(super) cells: AtomicUsize,
    /// How often a plan computed it inside other kernels although a cell still holds it.
    pub recomputed: AtomicUsize,
    /// Running it, or a pending node that it reads, may end in a fault that only values show.
    pub can_fault: bool,
}

// A node lives on the heap and is pending first: the room is there anyway.
#[allow(clippy::large_enum_variant)]
pub enum State {
    Pending(SmallVec<[Operand; 3]>),
    Done { buffer: Arc<Buffer>, record: Option<Arc<Record>> },
    Failed(Arc<NodeFault>),
}

/// What stays known of how a value came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub what: String,
    pub kernel: &'static str,
    pub bytes_read: u64,
    pub bytes_written: u64,
    pub copy: Option<CopyReason>,
}

/// A fault met while running, kept at the node so that every later look tells the same.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFault {
    pub kind: FaultKind,
    /// Where the failing expression stands.
    pub span: Span,
    /// Coordinates of the first failing element, where one element failed.
    pub at: Option<Shape>,
}

/// Why bytes are copied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CopyReason {
    /// A reshape whose result no strides can express.
    NoStrides { from: Layout, to: Shape },
    /// A kernel that takes only contiguous operands.
    NeedsContiguous { kernel: String },
    /// The right side of a write reads what the write overwrites, elsewhere.
    Overlap,
    /// A version that somebody still needs is written to.
    SharedVersion,
    /// `copy`, `contiguous`, `flatten` and their kin.
    Asked { by: &'static str },
}

/// What a pending node does. Operand `i` of the node is operand `i` here; its view has the shape that is named.
#[derive(Clone, Debug)]
pub enum NodeOp {
    /// Values given from outside.
    Leaf,
    /// Operands are `Load(i)` of the program and have the node's shape.
    Map(Program),
    /// Operand 0 has the shape `[kept axes…, reduced axes…]`; the node's shape is the kept axes. The sum is formed in
    /// `acc` and rounded to the node's dtype.
    Reduce { kept: usize, monoid: Monoid, acc: DType },
    /// Along `axis` of operand 0, which has the node's shape.
    Scan { axis: usize, monoid: Monoid, acc: DType },
    /// Operand 0 `[batch…, m…, k…]`, operand 1 `[batch…, n…, k…]`, node `[batch…, m…, n…]`; the numbers count axes.
    Contract { batch: usize, m: usize, n: usize, k: usize, acc: DType },
    /// Operand `i` is written to `parts[i]`, a layout over the node's own contiguous buffer; parts are disjoint unless
    /// a later one overwrites an earlier, and cover everything.
    Assemble { name: &'static str, parts: Vec<Layout> },
    /// Operand 0 is the base viewed in the node's shape (stride 0 along indexed axes), the others are the positions.
    Take { indices: Vec<IndexAxis> },
    /// Operand 0 is the whole old version (flat), operand 1 the value in the shape of `dest`.
    Store { dest: View },
    /// As Store, at positions: operand 0 the old version, operand 1 the value, then the positions (all in `dest`'s shape).
    Put { dest: View, indices: Vec<IndexAxis>, accumulate: Option<Monoid> },
    /// Along `axis` of operand 0, which has the node's shape.
    Sort { axis: usize, indices: bool, descending: bool },
    /// Operands are made contiguous.
    Call(Arc<dyn Opaque>),
}

/// An edge of the graph: a node seen through a view. Counts itself at the node.
pub struct Operand {
    node: NodeRef,
    pub view: View,
    /// What plans call it: the name of the tensor that it was made from.
    pub origin: Option<Arc<str>>,
}

impl Operand {
    pub fn new(node: NodeRef, view: View) -> Operand {
        node.users.fetch_add(1, Ordering::Relaxed);
        Operand { node, view, origin: None }
    }

    pub fn node(&self) -> &NodeRef {
        &self.node
    }

    pub fn shape(&self) -> &[usize] {
        &self.view.layout.shape
    }

    /// The same node through another view.
    pub fn with(&self, view: View) -> Operand {
        let mut operand = Operand::new(self.node.clone(), view);
        operand.origin = self.origin.clone();
        operand
    }

    pub fn with_layout(&self, layout: Layout) -> Operand {
        self.with(View { layout, dtype: self.view.dtype, conj: self.view.conj })
    }
}

impl Clone for Operand {
    fn clone(&self) -> Self {
        self.with(self.view.clone())
    }
}

impl Drop for Operand {
    fn drop(&mut self) {
        self.node.users.fetch_sub(1, Ordering::Relaxed);
    }
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl Node {
    pub fn pending(op: NodeOp, operands: SmallVec<[Operand; 3]>, shape: Shape, dtype: DType, span: Span) -> NodeRef {
        Node::with_copy(op, operands, shape, dtype, span, None)
    }

    pub fn with_copy(
        op: NodeOp,
        operands: SmallVec<[Operand; 3]>,
        shape: Shape,
        dtype: DType,
        span: Span,
        copy: Option<CopyReason>,
    ) -> NodeRef {
        Arc::new(Node::make(op, State::Pending(operands), shape, dtype, span, copy))
    }

    /// A node whose elements are there: one axis of everything in `buffer`.
    pub fn leaf(buffer: Arc<Buffer>, dtype: DType, span: Span) -> NodeRef {
        let shape = [buffer.elements(dtype.size())].into_iter().collect();
        Arc::new(Node::make(NodeOp::Leaf, State::Done { buffer, record: None }, shape, dtype, span, None))
    }

    fn make(op: NodeOp, state: State, shape: Shape, dtype: DType, span: Span, copy: Option<CopyReason>) -> Node {
        let own = match &op {
            NodeOp::Map(program) => program.can_fault(),
            NodeOp::Call(_) => true,
            _ => false,
        };
        let can_fault = own
            || match &state {
                State::Pending(operands) => operands.iter().any(|o| o.node.can_fault && !o.node.is_done()),
                _ => false,
            };
        Node {
            can_fault,
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            shape,
            dtype,
            op,
            span,
            copy,
            state: Mutex::new(state),
            users: AtomicUsize::new(0),
            cells: AtomicUsize::new(0),
            recomputed: AtomicUsize::new(0),
        }
    }

    /// Number of elements.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn nbytes(&self) -> usize {
        self.size() * self.dtype.size()
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn is_pending(&self) -> bool {
        matches!(*self.state(), State::Pending(_))
    }

    pub fn is_done(&self) -> bool {
        matches!(*self.state(), State::Done { .. })
    }

    pub fn buffer(&self) -> Option<Arc<Buffer>> {
        match &*self.state() {
            State::Done { buffer, .. } => Some(buffer.clone()),
            _ => None,
        }
    }

    /// The packed format of a value from a file or of `quantize`.
    pub fn packed(&self) -> Option<&'static PackedFormat> {
        if !matches!(self.op, NodeOp::Leaf) {
            return None;
        }
        match &*self.state() {
            State::Done { buffer, .. } => buffer.packed(),
            _ => None,
        }
    }

    /// How the value came about, once it is there.
    pub fn record(&self) -> Option<Arc<Record>> {
        match &*self.state() {
            State::Done { record, .. } => record.clone(),
            _ => None,
        }
    }

    pub fn fault(&self) -> Option<Arc<NodeFault>> {
        match &*self.state() {
            State::Failed(fault) => Some(fault.clone()),
            _ => None,
        }
    }

    /// A copy of the operands while pending; empty otherwise.
    pub fn operands(&self) -> SmallVec<[Operand; 3]> {
        match &*self.state() {
            State::Pending(operands) => operands.clone(),
            _ => SmallVec::new(),
        }
    }

    /// The nodes behind the operands while pending, without counting as users.
    pub fn producers(&self) -> Vec<NodeRef> {
        match &*self.state() {
            State::Pending(operands) => operands.iter().map(|o| o.node.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Pending operands and cells that refer to this node.
    pub fn users(&self) -> usize {
        self.users.load(Ordering::Relaxed)
    }

    /// Cells among the users: somebody may look at the value later.
    pub fn held(&self) -> bool {
        self.cells.load(Ordering::Relaxed) > 0
    }

    /// Ends the pending state and lets go of the operands.
    pub fn finish(&self, state: State) {
        let old = std::mem::replace(&mut *self.state(), state);
        release(old);
    }

    /// Takes the buffer away from a node that only its caller still uses.
    pub fn take_buffer(&self) -> Option<Arc<Buffer>> {
        let mut state = self.state();
        match &*state {
            State::Done { .. } => match std::mem::replace(&mut *state, State::Pending(SmallVec::new())) {
                State::Done { buffer, .. } => Some(buffer),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(|e| e.into_inner());
        release(std::mem::replace(state, State::Pending(SmallVec::new())));
    }
}

/// Drops a chain of pending nodes without recursion: a chain may be longer than the stack.
fn release(state: State) {
    let State::Pending(operands) = state else { return };
    let mut queue: Vec<Operand> = operands.into_iter().collect();
    while let Some(operand) = queue.pop() {
        let node = operand.node.clone();
        drop(operand);
        if let Ok(mut node) = Arc::try_unwrap(node) {
            let state = node.state.get_mut().unwrap_or_else(|e| e.into_inner());
            if let State::Pending(operands) = std::mem::replace(state, State::Pending(SmallVec::new())) {
                queue.extend(operands);
            }
        }
    }
}

/// `f32[32, 256]`
pub fn describe(dtype: DType, shape: &[usize]) -> String {
    let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("{dtype}[{}]", extents.join(", "))
}

/// What the integer rows refuse.
fn refused(row: &str) -> &'static str {
    match row {
        "floor_divide" | "remainder" | "fmod" | "reciprocal" => "of integers: division by zero",
        "power" => "of integers: a negative power is no integer",
        "left_shift" | "right_shift" => "of integers: the shift count is negative",
        _ => "met a value that it cannot take",
    }
}

impl FaultKind {
    /// The message and code of a fault; `run` adds the places.
    pub fn diag(&self) -> Diag {
        match self {
            FaultKind::Domain { row } => Diag::new("E0503", format!("`{row}` {}", refused(row))),
            FaultKind::Cast { from, to, value } => {
                Diag::new("E0504", format!("{value} does not fit {to} (cast from {from})"))
                    .hint("`astype(…, wrap=True)` or `saturate=True` choose what to do with such values")
            }
            FaultKind::Call { message } => Diag::new("E0505", message.clone()),
            FaultKind::OutOfMemory { bytes } => Diag::new("E0702", format!("no memory for {bytes} bytes")),
            FaultKind::Interrupted => Diag::interrupted(),
        }
    }
}
