//! Memory for registers: aligned to cache lines, and handed from launch to launch of a thread.

use std::cell::RefCell;

/// Bytes of an alignment unit.
pub(super) const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Blocks that a thread keeps for its next launch, and the largest that it keeps (bytes).
const KEPT: usize = 8;
const KEPT_BYTES: usize = 1 << 20;

thread_local! {
    static SPARE: RefCell<Vec<Vec<Line>>> = const { RefCell::new(Vec::new()) };
}

/// A block of bytes of unspecified content, aligned to 64.
pub(super) struct Arena(Vec<Line>);

impl Arena {
    pub(super) fn new(bytes: usize) -> Arena {
        let lines = bytes.div_ceil(LINE);
        let spare = SPARE.with_borrow_mut(|spare| {
            let fit = spare.iter().position(|block| block.len() >= lines);
            fit.map(|i| spare.swap_remove(i))
        });
        Arena(spare.unwrap_or_else(|| vec![Line([0; LINE]); lines]))
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let block = std::mem::take(&mut self.0);
        if block.len() * LINE <= KEPT_BYTES {
            // The thread may be ending: then the block goes the usual way.
            let _ = SPARE.try_with(|spare| {
                let mut spare = spare.borrow_mut();
                if spare.len() < KEPT {
                    spare.push(block);
                }
            });
        }
    }
}
