//! States of reductions in memory, and the trees that join them.

use super::join::Joiner;
use crate::base::Span;
use crate::kernel::{Fault, FaultKind};

/// A block of states that threads fill at different places.
pub(super) struct States {
    words: Vec<u128>,
    base: *mut u8,
    /// Bytes of a state.
    size: usize,
}

// SAFETY: plain bytes; tiles write disjoint states.
unsafe impl Sync for States {}
// SAFETY: as above.
unsafe impl Send for States {}

impl States {
    /// `count` identities.
    ///
    /// Errors: OutOfMemory.
    pub(super) fn new(joiner: &Joiner, count: usize) -> Result<States, Fault> {
        let size = joiner.state;
        let fault = |bytes| Fault { kind: FaultKind::OutOfMemory { bytes }, span: Span::default(), position: None };
        let bytes = count.checked_mul(size).ok_or_else(|| fault(usize::MAX))?;
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.div_ceil(16)).map_err(|_| fault(bytes))?;
        words.resize(bytes.div_ceil(16), 0);
        let mut states = States { words, base: std::ptr::null_mut(), size };
        states.base = states.words.as_mut_ptr().cast();
        // SAFETY: there is room for `count` states.
        unsafe { (joiner.fill)(states.base, count) };
        Ok(states)
    }

    /// The state with this number.
    pub(super) fn at(&self, index: usize) -> *mut u8 {
        debug_assert!(index * self.size <= self.words.len() * 16);
        self.base.wrapping_add(index * self.size)
    }
}

/// Joins `count` blocks of `width` states, which stand one behind the other, as a balanced tree into the first.
///
/// # Safety
/// `base` holds `count * width` states that nobody else touches.
pub(super) unsafe fn tree(joiner: &Joiner, base: *mut u8, count: usize, width: usize) {
    let block = width * joiner.state;
    let mut gap = 1;
    while gap < count {
        for i in (0..count - gap).step_by(2 * gap) {
            // SAFETY: both blocks lie inside, apart from each other.
            unsafe { (joiner.join)(base.add(i * block), base.add((i + gap) * block), width) };
        }
        gap *= 2;
    }
}

/// Joins blocks of states as they come, in the shape of a balanced tree: block i waits on level l until its neighbour of
/// the same size is there.
pub(super) struct Stack {
    levels: States,
    used: u64,
    width: usize,
}

impl Stack {
    /// For blocks of `width` states; 2^40 of them at most.
    pub(super) fn new(joiner: &Joiner, width: usize, blocks: usize) -> Result<Stack, Fault> {
        let levels = blocks.max(1).ilog2() as usize + 2;
        Ok(Stack { levels: States::new(joiner, levels * width)?, used: 0, width })
    }

    /// Takes in the block at `states` and leaves identities there.
    ///
    /// # Safety
    /// `states` holds `width` states; there come no more blocks than were announced.
    pub(super) unsafe fn push(&mut self, joiner: &Joiner, states: *mut u8) {
        let mut level = 0;
        // SAFETY: levels below log2(blocks) + 2 exist, and they lie apart from `states`.
        unsafe {
            while self.used >> level & 1 == 1 {
                let waiting = self.levels.at(level * self.width);
                (joiner.join)(waiting, states, self.width);
                std::ptr::copy_nonoverlapping(waiting, states, self.width * joiner.state);
                level += 1;
            }
            let place = self.levels.at(level * self.width);
            std::ptr::copy_nonoverlapping(states, place, self.width * joiner.state);
            (joiner.fill)(states, self.width);
        }
        self.used += 1;
    }

    /// Everything taken in, joined with the states at `states` (which come last); the stack is empty then.
    ///
    /// # Safety
    /// As `push`.
    pub(super) unsafe fn finish(&mut self, joiner: &Joiner, states: *mut u8) {
        for level in 0..64 {
            if self.used >> level & 1 == 1 {
                // SAFETY: as in `push`.
                unsafe {
                    let waiting = self.levels.at(level * self.width);
                    (joiner.join)(waiting, states, self.width);
                    std::ptr::copy_nonoverlapping(waiting, states, self.width * joiner.state);
                }
            }
        }
        self.used = 0;
    }
}
