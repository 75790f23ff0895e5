//! The stack that programs run on: its own mapping, so that its size is the same for every host thread.
//!
//! In: a size. Out: a stack with an inaccessible page below it.
//! Invariant: memory is taken only as the stack grows into it.
#![expect(unsafe_code, reason = "maps the memory of the stack")]

use super::settings::GUARD;
use std::io;
use std::ptr;

/// A program stack.
#[derive(Debug)]
pub(super) struct ProgramStack {
    base: *mut libc::c_void,
    size: usize,
}

// SAFETY: the mapping belongs to this value alone; nothing in it is tied to a thread.
unsafe impl Send for ProgramStack {}

impl ProgramStack {
    /// Reserves a stack of `size` bytes, a multiple of the page size.
    pub(super) fn new(size: usize) -> io::Result<ProgramStack> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh anonymous mapping touches no memory in use.
        let base = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let stack = ProgramStack { base, size };
        // SAFETY: the pages are the lowest of the mapping just made.
        match unsafe { libc::mprotect(base, GUARD, libc::PROT_NONE) } {
            0 => Ok(stack),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The address above the stack, where it starts to grow down from.
    pub(super) fn top(&self) -> usize {
        self.base as usize + self.size
    }

    /// The lowest address that may be used.
    pub(super) fn bottom(&self) -> usize {
        self.base as usize + GUARD
    }
}

impl Drop for ProgramStack {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this size; nothing runs on it any more.
        unsafe { libc::munmap(self.base, self.size) };
    }
}
