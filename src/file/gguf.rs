//! `.gguf`.

mod value;
pub(super) use value::{read_value, skip_value};
