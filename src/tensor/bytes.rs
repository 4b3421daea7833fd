use super::PackedFormat;
use crate::base::Diag;
use bytemuck::{Pod, Zeroable};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// From this size on, memory is mapped from the system: zero pages cost nothing until they are touched, and huge
/// pages can be asked for.
const PAGED: usize = 4 << 20;

/// Where bytes come from: owned memory, or a mapped file (read-only).
enum Storage {
    /// Small memory from the allocator. `len` is in bytes; the last line may be longer than needed.
    Lines { lines: Vec<Line>, len: usize },
    /// Large memory from the system.
    Pages(memmap2::MmapMut),
    /// `start..start + len` of the map; any alignment.
    Mapped { map: Arc<memmap2::Mmap>, start: usize, len: usize },
}

/// A cache line, so that owned memory is aligned to 64 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

// SAFETY: all-zero bytes are a valid [u8; 64].
unsafe impl Zeroable for Line {}
// SAFETY: size 64 equals the alignment, so that there is no padding, and any bytes are valid.
unsafe impl Pod for Line {}

/// The system has no room for a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllocFault {
    pub bytes: usize,
}

impl AllocFault {
    pub fn diag(&self) -> Diag {
        Diag::new("E0702", format!("out of memory: the system refuses {} bytes", self.bytes))
    }
}

/// A run of bytes that nodes share. Only the executor writes, and only while nobody else looks at what it writes.
///
/// Invariant: `ptr..ptr + len` are the bytes of `storage`, which never moves them; unless mapped they may be written
/// through `ptr`, which was made from a mutable borrow.
pub struct Buffer {
    storage: Storage,
    ptr: *mut u8,
    len: usize,
    packed: Option<&'static PackedFormat>,
    watch: Option<Arc<dyn Watch>>,
}

/// What stands behind mapped bytes: tells whether they are still what they were.
pub trait Watch: Send + Sync {
    /// E06 where the file was changed.
    fn unchanged(&self) -> Result<(), Diag>;
    /// Whether bytes were lost while they were mapped: those read since then are not the file's. Costs next to nothing.
    fn is_torn(&self) -> bool;
    /// The file.
    fn path(&self) -> &std::path::Path;
}

// SAFETY: the storage is Send and Sync; `ptr` only repeats where it lies (see the invariant).
unsafe impl Send for Buffer {}
// SAFETY: as above; writes through `ptr` are the executor's, who lets nobody read what it writes meanwhile.
unsafe impl Sync for Buffer {}

/// Bytes of owned buffers that are alive in the process.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Bytes of owned buffers that are alive in the process: what `--max-memory` limits.
pub fn live_bytes() -> u64 {
    LIVE.load(Ordering::Relaxed)
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if !self.is_mapped() {
            LIVE.fetch_sub(self.len as u64, Ordering::Relaxed);
        }
    }
}

impl Buffer {
    fn new(mut storage: Storage) -> Buffer {
        let (ptr, len) = match &mut storage {
            Storage::Lines { lines, len } => (lines.as_mut_ptr().cast::<u8>(), *len),
            Storage::Pages(pages) => (pages.as_mut_ptr(), pages.len()),
            Storage::Mapped { map, start, len } => (map[*start..*start + *len].as_ptr().cast_mut(), *len),
        };
        if !matches!(storage, Storage::Mapped { .. }) {
            LIVE.fetch_add(len as u64, Ordering::Relaxed);
        }
        Buffer { storage, ptr, len, packed: None, watch: None }
    }

    /// `bytes` zero bytes, aligned to 64.
    pub fn zeroed(bytes: usize) -> Result<Buffer, AllocFault> {
        let fault = AllocFault { bytes };
        if bytes >= PAGED {
            if bytes > isize::MAX as usize {
                return Err(fault);
            }
            let pages = memmap2::MmapMut::map_anon(bytes).map_err(|_| fault)?;
            // Advice only: where the system has no huge pages, small ones do.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            return Ok(Buffer::new(Storage::Pages(pages)));
        }
        let count = bytes.div_ceil(64);
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).map_err(|_| fault)?;
        lines.resize(count, Line([0; 64]));
        Ok(Buffer::new(Storage::Lines { lines, len: bytes }))
    }

    /// A copy of `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Buffer, AllocFault> {
        let mut buffer = Buffer::zeroed(bytes.len())?;
        if let Some(to) = buffer.bytes_mut() {
            to.copy_from_slice(bytes);
        }
        Ok(buffer)
    }

    /// A copy of `values` as they lie in memory.
    pub fn from_slice<T: Pod>(values: &[T]) -> Result<Buffer, AllocFault> {
        Buffer::from_bytes(bytemuck::cast_slice(values))
    }

    /// `len` bytes of a mapped file from byte `start` on; None where the map is shorter.
    pub fn mapped(map: Arc<memmap2::Mmap>, start: usize, len: usize) -> Option<Buffer> {
        let end = start.checked_add(len)?;
        (end <= map.len()).then(|| Buffer::new(Storage::Mapped { map, start, len }))
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: by the invariant; the executor writes only what nobody reads meanwhile.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// None for a mapped file, which is read-only.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        // SAFETY: by the invariant; `&mut self` excludes every other access.
        (!self.is_mapped()).then(|| unsafe { std::slice::from_raw_parts_mut(self.ptr, self.len) })
    }

    /// The bytes as values; None where a mapped file is not aligned for T, or the length is no multiple of its size.
    pub fn typed<T: Pod>(&self) -> Option<&[T]> {
        bytemuck::try_cast_slice(self.bytes()).ok()
    }

    /// As `typed`, to write; None for a mapped file.
    pub fn typed_mut<T: Pod>(&mut self) -> Option<&mut [T]> {
        bytemuck::try_cast_slice_mut(self.bytes_mut()?).ok()
    }

    /// Takes the bytes for blocks of a packed format: layouts over them count elements as though they were decoded.
    pub fn set_packed(&mut self, format: &'static PackedFormat) {
        self.packed = Some(format);
    }

    /// The format whose blocks the bytes are; None for plain elements.
    pub fn packed(&self) -> Option<&'static PackedFormat> {
        self.packed
    }

    /// Elements of `size` bytes, or those of all blocks.
    pub fn elements(&self, size: usize) -> usize {
        self.packed.map_or(self.len / size, |format| self.len / format.bytes * format.block)
    }

    pub fn set_watch(&mut self, watch: Arc<dyn Watch>) {
        self.watch = Some(watch);
    }

    /// Whether the bytes are what they were when the buffer was made: memory always, a file unless it was changed.
    pub fn unchanged(&self) -> Result<(), Diag> {
        self.watch.as_ref().map_or(Ok(()), |watch| watch.unchanged())
    }

    /// Whether mapped bytes were lost since the buffer was made.
    pub fn is_torn(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_torn())
    }

    /// The file whose bytes these are; None for memory.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.watch.as_ref().map(|watch| watch.path())
    }

    /// Whether the bytes belong to a file.
    pub fn is_mapped(&self) -> bool {
        matches!(self.storage, Storage::Mapped { .. })
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.ptr
    }

    /// Where an executor writes, by the promise of [`crate::kernel::Output`]. Null for a mapped file.
    pub fn write_ptr(&self) -> *mut u8 {
        if self.is_mapped() { std::ptr::null_mut() } else { self.ptr }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_mapped() { "mapped" } else { "owned" };
        write!(f, "Buffer({} bytes, {kind})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn zeroed_memory_is_zero_aligned_and_of_the_length_asked() {
        for bytes in [0, 1, 63, 64, 65, 1000, PAGED - 1, PAGED, PAGED + 7] {
            let buffer = Buffer::zeroed(bytes).expect("little memory");
            assert_eq!((buffer.len(), buffer.bytes().len(), buffer.is_mapped()), (bytes, bytes, false));
            assert!(buffer.bytes().iter().all(|&b| b == 0));
            assert_eq!(buffer.as_ptr() as usize % 64, 0, "{bytes}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn large_zeroed_memory_costs_nothing_until_touched() {
        let resident_pages = || -> usize {
            let text = std::fs::read_to_string("/proc/self/statm").expect("procfs");
            text.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number")
        };
        let before = resident_pages();
        let mut buffer = Buffer::zeroed(1 << 30).expect("address space");
        if let Some(bytes) = buffer.bytes_mut() {
            bytes[(1 << 30) - 1] = 7;
        }
        assert_eq!(buffer.bytes()[(1 << 30) - 1], 7);
        // A quarter of the buffer is far more than the other tests of this process take meanwhile.
        assert!(resident_pages() < before + (1 << 28) / 4096);
    }

    #[test]
    fn what_the_system_refuses_is_a_fault() {
        for bytes in [usize::MAX, isize::MAX as usize, 1 << 60] {
            assert_eq!(Buffer::zeroed(bytes).map(|b| b.len()), Err(AllocFault { bytes }));
        }
    }

    #[test]
    fn values_and_bytes_are_the_same_memory() {
        let mut buffer = Buffer::from_slice(&[1.0f32, -2.0]).expect("little memory");
        assert_eq!(buffer.bytes(), [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
        assert_eq!(buffer.typed::<f32>(), Some(&[1.0, -2.0][..]));
        assert_eq!(buffer.typed::<[u8; 3]>(), None);
        if let Some(values) = buffer.typed_mut::<f32>() {
            values[1] = 0.5;
        }
        assert_eq!(buffer.typed::<f32>(), Some(&[1.0, 0.5][..]));
        assert!(!buffer.write_ptr().is_null());
    }

    #[test]
    fn mapped_files_are_read_only_and_may_be_misaligned() {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&[0, 1, 0, 0, 0, 2, 0, 0, 0]).expect("space");
        // SAFETY: nobody else knows the temporary file, so that it is not cut short under the map.
        let map = Arc::new(unsafe { memmap2::Mmap::map(&file) }.expect("a map"));
        let mut buffer = Buffer::mapped(map.clone(), 1, 8).expect("inside");
        assert_eq!((buffer.len(), buffer.is_mapped()), (8, true));
        assert_eq!(buffer.bytes(), [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(buffer.typed::<u32>(), None, "byte 1 is not aligned for u32");
        assert_eq!((buffer.bytes_mut().is_none(), buffer.write_ptr().is_null()), (true, true));
        assert!(Buffer::mapped(map.clone(), 2, 8).is_none());
        assert!(Buffer::mapped(map.clone(), usize::MAX, 2).is_none());
        assert_eq!(Buffer::mapped(map, 9, 0).map(|b| b.len()), Some(0));
    }
}
