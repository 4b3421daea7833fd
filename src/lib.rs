pub mod backend;
pub mod base;
pub mod file;
pub mod kernel;
pub mod lang;
pub mod op;
pub mod plan;
pub mod tensor;
