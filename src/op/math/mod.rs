//! Elementary functions that vectorise, and the special values of the complex ones.

pub mod complex;
