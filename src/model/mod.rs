//! Files as a whole: what they hold, folded for reading; statistics, comparing and converting, tensor by tensor.
//!
//! Facts come out as data; `cli` gives them words and columns.

mod contents;
mod convert;
mod difference;
mod fold;
mod inventory;
mod soundness;
mod statistics;

pub use contents::Contents;
pub use convert::{Change, Converted, Planned, plan, renamed};
pub use difference::{Outcome, Pairs, Values, compare, pairs};
pub use fold::{Group, fold};
pub use inventory::{Inventory, Row, Share, inventory};
pub use soundness::{checksum, sound};
pub use statistics::{Bin, histogram, input, picture};
