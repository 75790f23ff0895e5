//! Memory taken from the system in whole pages: an address range is reserved once and made usable piece by piece.
//! In: lengths. Out: addresses that stay valid and do not move until the [`Mapping`] is dropped.
//!
//! Contract: a `Mapping` owns its range alone; nobody else maps, protects or unmaps any of it.
#![expect(unsafe_code, reason = "memory that never moves, at chosen addresses, comes from the system only")]

use std::io;
use std::ptr::NonNull;

/// An owned range of addresses.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: a mapping is a range of addresses; it belongs to the process, not to a thread.
unsafe impl Send for Mapping {}
// SAFETY: a shared reference only gives its bounds and changes the protection of its pages.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Reserves at least `len` bytes of addresses that cannot be used before [`Mapping::commit`].
    pub fn reserve(len: usize) -> io::Result<Mapping> {
        map(0, len, libc::PROT_NONE, 0)
    }

    /// As [`Mapping::reserve`], from an address on, if nothing is there.
    pub fn reserve_at(address: usize, len: usize) -> io::Result<Mapping> {
        map(address, len, libc::PROT_NONE, libc::MAP_FIXED_NOREPLACE)
    }

    /// Maps at least `len` bytes of zeroes, usable at once; pages take memory when they are first touched. They lie below 2 GiB if there
    /// is room, so that compiled code can hold the address in 32 bits; else anywhere.
    pub fn zeroed(len: usize) -> io::Result<Mapping> {
        let usable = libc::PROT_READ | libc::PROT_WRITE;
        map(0, len, usable, libc::MAP_32BIT).or_else(|_| map(0, len, usable, 0))
    }

    /// Makes `len` bytes from `offset` usable; they read as zero until they are first written.
    pub fn commit(&self, offset: usize, len: usize) -> io::Result<()> {
        assert!(offset.checked_add(len).is_some_and(|end| end <= self.len), "a commit outside of the mapping");
        // SAFETY: the range lies inside this mapping, which is ours, and only gains rights.
        let status =
            unsafe { libc::mprotect(self.base.add(offset).as_ptr().cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Asks for pages of two megabytes from `offset` to the end, which need fewer entries of the translation buffer; where the
    /// system has none, pages stay as they are.
    pub fn prefer_huge_pages(&self, offset: usize) {
        let Some(len) = self.len.checked_sub(offset) else { return };
        // SAFETY: the range lies inside this mapping; the advice changes no content and no right.
        unsafe { libc::madvise(self.base.add(offset).as_ptr().cast(), len, libc::MADV_HUGEPAGE) };
    }

    /// The first address.
    pub fn base(&self) -> usize {
        self.base.as_ptr().expose_provenance()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is ours alone, and with its owner gone nobody uses it any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

fn map(address: usize, len: usize, protection: i32, flags: i32) -> io::Result<Mapping> {
    let len = len.max(1).checked_next_multiple_of(4096).ok_or(io::ErrorKind::OutOfMemory)?;
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let wanted = std::ptr::without_provenance_mut(address);
    // SAFETY: an anonymous mapping at an address of the system's choice, or one that replaces nothing, touches no memory that is in use.
    let base = unsafe { libc::mmap(wanted, len, protection, flags, -1, 0) };
    match NonNull::new(base.cast()) {
        Some(base) if base.as_ptr() != libc::MAP_FAILED.cast() => Ok(Mapping { base, len }),
        _ => Err(io::Error::last_os_error()),
    }
}
