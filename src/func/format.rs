//! Format specs of f-strings and `format`.

use crate::base::Diag;
use crate::value::Value;

/// `format(value, spec)` of a plain value.
pub fn apply(value: &Value, spec: &str) -> Result<String, Diag> {
    Err(Diag::new("E0507", format!("the format {spec:?} does not fit a {}", value.describe())))
}
