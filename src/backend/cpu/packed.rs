//! Packed operands, decoded where they are read: a tile never holds more than its own elements and one block.

use crate::tensor::{Buffer, Layout, PackedFormat};
use smallvec::SmallVec;

/// The blocks of a packed buffer, as elements numbered from 0.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    format: &'static PackedFormat,
    bytes: *const u8,
    count: usize,
}

// SAFETY: blocks are only read, and outlive the launch (the launch holds the buffer).
unsafe impl Send for Blocks {}
// SAFETY: as above.
unsafe impl Sync for Blocks {}

/// The block decoded last.
struct Last {
    number: usize,
    values: SmallVec<[f32; 256]>,
}

impl Blocks {
    /// None for plain elements.
    ///
    /// # Panics
    /// Where the layout reaches outside the buffer: a broken plan must not touch foreign memory.
    pub(super) fn new(buffer: &Buffer, layout: &Layout) -> Option<Blocks> {
        let format = buffer.packed()?;
        let count = buffer.len() / format.bytes;
        if let Some((low, high)) = layout.bounds() {
            let inside = low >= 0 && (high as usize) < count * format.block;
            assert!(inside, "a layout reaches outside its packed buffer");
        }
        Some(Blocks { format, bytes: buffer.as_ptr(), count })
    }

    /// Decodes the elements `first + at(i)`.
    ///
    /// # Safety
    /// The buffer lives, and the elements lie inside it.
    pub(super) unsafe fn at(&self, first: isize, at: impl Fn(usize) -> isize, out: &mut [f32]) {
        let mut last = Last { number: usize::MAX, values: SmallVec::from_elem(0.0, self.format.block) };
        for (i, out) in out.iter_mut().enumerate() {
            let element = (first + at(i)) as usize;
            // SAFETY: the caller's promise.
            *out = unsafe { self.block(element, &mut last) }[element % self.format.block];
        }
    }

    /// Decodes `first, first + stride, …`; neighbours a run of blocks at a time.
    ///
    /// # Safety
    /// As [`Blocks::at`].
    pub(super) unsafe fn run(&self, first: isize, stride: isize, out: &mut [f32]) {
        if stride != 1 || out.is_empty() {
            // SAFETY: the caller's promise.
            return unsafe { self.at(first, |i| i as isize * stride, out) };
        }
        let (block, start) = (self.format.block, first as usize);
        let head = (start.next_multiple_of(block) - start).min(out.len());
        let (head, rest) = out.split_at_mut(head);
        let (middle, tail) = rest.split_at_mut(rest.len() / block * block);
        let from = (start + head.len()) / block;
        // SAFETY: the caller's promise.
        unsafe {
            if !head.is_empty() {
                self.at(first, |i| i as isize, head);
            }
            self.format.decode(self.slice(from, middle.len() / block), middle);
            if !tail.is_empty() {
                self.at((from * block + middle.len()) as isize, |i| i as isize, tail);
            }
        }
    }

    /// # Safety
    /// The buffer lives, and the element lies inside it.
    unsafe fn block<'a>(&self, element: usize, last: &'a mut Last) -> &'a [f32] {
        let number = element / self.format.block;
        if number != last.number {
            // SAFETY: the caller's promise.
            self.format.decode(unsafe { self.slice(number, 1) }, &mut last.values);
            last.number = number;
        }
        &last.values
    }

    /// # Safety
    /// The buffer lives; the blocks exist.
    unsafe fn slice<'a>(&self, from: usize, count: usize) -> &'a [u8] {
        debug_assert!(from + count <= self.count);
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.bytes.add(from * self.format.bytes), count * self.format.bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::PackedFormat;

    #[test]
    fn runs_and_steps_decode_alike() {
        let format = PackedFormat::from_name("q8_0").expect("known");
        let values: Vec<f32> = (0..128).map(|i| i as f32 - 60.0).collect();
        let mut bytes = vec![0; 4 * format.bytes];
        assert!(format.encode(&values, &mut bytes));
        let mut whole = vec![0.0; 128];
        format.decode(&bytes, &mut whole);
        let mut buffer = Buffer::from_bytes(&bytes).expect("room");
        buffer.set_packed(format);
        let layout = Layout::contiguous(&[128]).expect("small");
        let blocks = Blocks::new(&buffer, &layout).expect("packed");
        for (first, count) in [(0, 128), (5, 100), (31, 2), (40, 10), (64, 64), (7, 0)] {
            let mut out = vec![0.0; count];
            // SAFETY: the buffer lives and holds 128 elements.
            unsafe { blocks.run(first, 1, &mut out) };
            assert_eq!(out, whole[first as usize..first as usize + count], "{first} {count}");
        }
        let mut out = vec![0.0; 40];
        // SAFETY: as above.
        unsafe { blocks.run(120, -3, &mut out) };
        assert_eq!(out, (0..40).map(|i| whole[120 - 3 * i]).collect::<Vec<_>>());
    }

    #[test]
    #[should_panic(expected = "outside")]
    fn a_layout_beyond_the_buffer_is_refused() {
        let format = PackedFormat::from_name("q8_0").expect("known");
        let mut buffer = Buffer::zeroed(format.bytes).expect("room");
        buffer.set_packed(format);
        Blocks::new(&buffer, &Layout::contiguous(&[33]).expect("small"));
    }
}
