//! The table: every operator is one row. Rows hold scalar bodies, dtype rules and documentation; they know nothing of
//! graphs, plans or devices.

pub mod lanes;
mod row;

pub use row::{Doc, DtypeFault, DtypeRule, Group, LaneRule, MapRow, Monoid, Typed};
