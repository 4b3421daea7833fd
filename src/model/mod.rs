//! Files as a whole: what they hold, folded for reading; statistics, comparing and converting, tensor by tensor.
//!
//! Facts come out as data; `cli` gives them words and columns.

mod contents;
mod fold;
mod inventory;
mod statistics;

pub use contents::Contents;
pub use fold::{Group, fold};
pub use inventory::{Inventory, Row, Share, inventory};
pub use statistics::{Bin, histogram, input, picture};
