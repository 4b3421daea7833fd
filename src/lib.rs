pub mod base;
pub mod lang;
