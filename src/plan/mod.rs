//! The lazy graph and its plans. Nodes compute, edges view: a view operation rewrites a layout and never makes a node.

pub mod build;
mod graph;
mod write;

pub use graph::{Cell, CopyReason, Held, Node, NodeFault, NodeOp, NodeRef, Operand, Record, State, Tensor};
pub use write::{picked_shape, writable};
