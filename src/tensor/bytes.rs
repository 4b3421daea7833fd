use std::sync::Arc;

/// Where bytes come from: owned memory, or a mapped file (read-only).
pub enum Storage {
    /// Allocated in words of 16 bytes, so that every dtype is aligned. `len` is in bytes.
    Owned { words: Vec<u128>, len: usize },
    /// `start..start + len` of the map; any alignment.
    Mapped { map: Arc<memmap2::Mmap>, start: usize, len: usize },
}

/// A run of bytes that nodes share. Only the executor writes, and only while it is the single holder.
pub struct Buffer {
    storage: Storage,
}
