//! The table: every operator is one row. Rows hold scalar bodies, dtype rules and documentation; they know nothing of
//! graphs, plans or devices.

pub mod lanes;
mod map;
pub mod math;
mod row;
pub mod rule;
pub mod scalar;

pub use map::{map_row, map_rows};
pub use row::{Doc, DtypeFault, DtypeRule, Group, LaneRule, MapRow, Monoid, Typed};
