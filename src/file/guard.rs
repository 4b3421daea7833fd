//! A file that is cut short while it is mapped: the processor faults where the lost pages are read. Here such a page
//! reads as zeros instead, and the map remembers that it is torn, so that whoever read it can tell.

use memmap2::Mmap;

/// Watches one map until it is dropped, which must come before the map is.
#[derive(Debug)]
pub(super) struct Guard(#[cfg(unix)] &'static unix::Slot);

impl Guard {
    pub fn new(map: &Mmap) -> Guard {
        #[cfg(unix)]
        return Guard(unix::watch(map.as_ptr() as usize, map.len()));
        #[cfg(not(unix))]
        {
            // Elsewhere a mapped file cannot be cut.
            let _ = map;
            Guard()
        }
    }

    /// Whether pages of the map were lost.
    pub fn is_torn(&self) -> bool {
        #[cfg(unix)]
        return self.0.is_torn();
        #[cfg(not(unix))]
        false
    }
}

#[cfg(unix)]
impl Drop for Guard {
    fn drop(&mut self) {
        self.0.release();
    }
}

#[cfg(unix)]
mod unix {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

    /// A map, in a list that the handler can walk at any moment: slots are never freed, only used again.
    #[derive(Debug)]
    pub struct Slot {
        start: AtomicUsize,
        /// Bytes; 0 while the slot is free or being filled.
        len: AtomicUsize,
        torn: AtomicBool,
        used: AtomicBool,
        /// Set before the slot is in the list, never changed after.
        next: AtomicPtr<Slot>,
    }

    impl Slot {
        pub fn is_torn(&self) -> bool {
            self.torn.load(Ordering::Acquire)
        }

        pub fn release(&self) {
            self.len.store(0, Ordering::Release);
            self.used.store(false, Ordering::Release);
        }

        fn take(&self, start: usize, len: usize) -> bool {
            if self.used.swap(true, Ordering::AcqRel) {
                return false;
            }
            self.torn.store(false, Ordering::Relaxed);
            self.start.store(start, Ordering::Relaxed);
            self.len.store(len, Ordering::Release);
            true
        }
    }

    static HEAD: AtomicPtr<Slot> = AtomicPtr::new(std::ptr::null_mut());

    fn slots() -> impl Iterator<Item = &'static Slot> {
        let mut at = HEAD.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: the list holds leaked slots only.
            let slot = unsafe { at.as_ref() }?;
            at = slot.next.load(Ordering::Acquire);
            Some(slot)
        })
    }

    pub fn watch(start: usize, len: usize) -> &'static Slot {
        static INSTALL: Once = Once::new();
        INSTALL.call_once(install);
        if let Some(slot) = slots().find(|slot| slot.take(start, len)) {
            return slot;
        }
        let slot: &'static Slot = Box::leak(Box::new(Slot {
            start: AtomicUsize::new(start),
            len: AtomicUsize::new(len),
            torn: AtomicBool::new(false),
            used: AtomicBool::new(true),
            next: AtomicPtr::new(std::ptr::null_mut()),
        }));
        let mut head = HEAD.load(Ordering::Acquire);
        loop {
            slot.next.store(head, Ordering::Release);
            let new = std::ptr::from_ref(slot).cast_mut();
            match HEAD.compare_exchange_weak(head, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return slot,
                Err(other) => head = other,
            }
        }
    }

    /// What handled the signal before: faults elsewhere are its business.
    struct Before(UnsafeCell<MaybeUninit<libc::sigaction>>);
    // SAFETY: written once in `install`, before the handler can run; only read after.
    unsafe impl Sync for Before {}
    static BEFORE: Before = Before(UnsafeCell::new(MaybeUninit::uninit()));
    static PAGE: AtomicUsize = AtomicUsize::new(4096);

    fn install() {
        // SAFETY: plain calls of the system with valid pointers; an all-zero sigaction is a valid one. BEFORE is filled
        // before the handler is set.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE);
            PAGE.store(usize::try_from(page).unwrap_or(4096), Ordering::Relaxed);
            let before = BEFORE.0.get().cast::<libc::sigaction>();
            if libc::sigaction(libc::SIGBUS, std::ptr::null(), before) != 0 {
                return;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
        }
    }

    /// Does nothing but what a signal handler may: atomics and system calls.
    extern "C" fn on_fault(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system hands a valid siginfo to a handler with SA_SIGINFO.
        let address = unsafe { (*info).si_addr() } as usize;
        let hit = slots().find(|slot| {
            let (len, start) = (slot.len.load(Ordering::Acquire), slot.start.load(Ordering::Relaxed));
            address.checked_sub(start).is_some_and(|at| at < len)
        });
        if let Some(slot) = hit
            && patch(slot, address)
        {
            slot.torn.store(true, Ordering::Release);
            return;
        }
        // SAFETY: BEFORE was filled by `install`. The fault happens again and goes where it went without us.
        unsafe { libc::sigaction(libc::SIGBUS, BEFORE.0.get().cast::<libc::sigaction>(), std::ptr::null_mut()) };
    }

    /// Puts zeros from the page of the fault to the end of the map: a file is cut at its end.
    fn patch(slot: &Slot, address: usize) -> bool {
        let page = PAGE.load(Ordering::Relaxed);
        let from = address / page * page;
        let end = slot.start.load(Ordering::Relaxed) + slot.len.load(Ordering::Acquire);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the pages belong to a map that its guard says is alive; it is read-only before and after, and was made
        // of bytes that may be anything. What is mapped here is unmapped with the rest of it.
        unsafe { libc::mmap(from as *mut libc::c_void, end - from, libc::PROT_READ, flags, -1, 0) != libc::MAP_FAILED }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn lost_pages_read_as_zeros_and_are_known() {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&[7; 40_000]).expect("space");
        // SAFETY: the bytes may change, and are only read as numbers.
        let map = unsafe { Mmap::map(&file) }.expect("a map");
        let guard = Guard::new(&map);
        assert_eq!((map[39_999], guard.is_torn()), (7, false));
        file.set_len(5000).expect("cut");
        let sum = map.iter().map(|b| u64::from(*b)).sum::<u64>();
        assert!(guard.is_torn());
        assert_eq!(sum, 5000 * 7, "what is left, and zeros");
        drop(guard);
        // The slot is free for the next map.
        let other = Guard::new(&map);
        assert!(!other.is_torn());
    }
}
