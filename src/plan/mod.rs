//! The lazy graph and its plans. Nodes compute, edges view: a view operation rewrites a layout and never makes a node.

pub mod build;
mod cell;
mod emit;
mod epilogue;
mod explain;
mod graph;
mod lower;
mod order;
mod pull;
mod rows;
mod slab;
mod step;
mod write;

pub use cell::{Cell, Held, Tensor};
pub use explain::Totals;
pub use graph::{CopyReason, Node, NodeFault, NodeOp, NodeRef, Operand, Record, State, describe};
pub use lower::{failed, lower};
pub use slab::Slabs;
pub use step::{Begin, Plan, Source, Step, StepInput};
pub use write::{picked_shape, writable};
