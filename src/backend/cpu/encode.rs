//! Packing values into blocks, many at a time.

use super::Cpu;
use super::pool::Ctx;
use crate::kernel::{Cancel, Fault};
use crate::tensor::PackedFormat;

/// Elements of a tile.
const TILE: usize = 1 << 14;

/// Where tiles write, each in a place of its own.
struct Out(*mut u8);

// SAFETY: tiles write disjoint ranges of memory that outlives them.
unsafe impl Sync for Out {}

impl Cpu {
    /// Encodes whole blocks of `values` into `out`, as many as both hold. The format has an encoder. Fails only when it
    /// is interrupted.
    pub fn encode(
        &self,
        format: &'static PackedFormat,
        values: &[f32],
        out: &mut [u8],
        cancel: &Cancel,
    ) -> Result<(), Fault> {
        let blocks = (values.len() / format.block).min(out.len() / format.bytes);
        let each = (TILE / format.block).max(1);
        let room = Out(out.as_mut_ptr());
        let ctx = Ctx { pool: &self.pool, cancel };
        // Encoders search for their scales: a value costs much more than an addition.
        let work = values.len().saturating_mul(16);
        ctx.tiles(
            blocks.div_ceil(each),
            work,
            || (),
            |(), t| {
                let (first, last) = (t * each, blocks.min((t + 1) * each));
                let room = &room;
                // SAFETY: blocks `first..last` lie inside `out`, and no other tile has them.
                let out = unsafe {
                    let start = room.0.add(first * format.bytes);
                    std::slice::from_raw_parts_mut(start, (last - first) * format.bytes)
                };
                format.encode(&values[first * format.block..last * format.block], out);
                Ok(())
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_threads_write_what_one_writes() {
        let values: Vec<f32> = (0..100_352).map(|i| ((i * 37 % 1001) as f32 - 500.0) / 77.0).collect();
        for name in ["q8_0", "q4_k", "q6_k"] {
            let format = PackedFormat::from_name(name).expect("known");
            let mut whole = vec![0; values.len() / format.block * format.bytes];
            format.encode(&values, &mut whole);
            for threads in [1, 3] {
                let mut out = vec![0; whole.len()];
                Cpu::eager(threads).encode(format, &values, &mut out, &Cancel::default()).expect("runs");
                assert!(out == whole, "{name} {threads}");
            }
        }
    }
}
