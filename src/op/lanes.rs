//! The calling convention of scalar rows: a function computes a run of lanes.

/// Returned by a [`LaneFn`] that met no fault.
pub const FINE: usize = usize::MAX;

/// Computes `n` lanes. `args[i]` points to `n` elements of the argument's lane type, `out` to room for `n` elements of
/// the result's lane type. Returns [`FINE`], or the first lane whose value is a fault (integer division by zero, a
/// negative shift); lanes behind it may be unset.
///
/// # Safety
/// The pointers are valid for `n` elements, aligned for their type, and `out` overlaps no argument.
pub type LaneFn = unsafe fn(args: &[*const u8; 3], out: *mut u8, n: usize) -> usize;
