//! Memory for machine code, never writable and executable at one address (W^X).
//!
//! In: finished code bytes. Out: a [`CodeRange`] to run them at, given back range by range.
//! One anonymous file is mapped twice: code is written through one view and run through the other,
//! so that no protection changes while code of other functions runs.
//! Invariant: the executable view is reserved whole at the start, so all code lies within 2 GiB.
#![expect(unsafe_code, reason = "maps memory and writes machine code into it")]

use std::collections::BTreeMap;
use std::io;
use std::ptr;

/// Code starts at multiples of this.
const ALIGN: usize = 32;

/// An allocated piece of code memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRange {
    /// Address to run it at.
    pub start: usize,
    /// Bytes.
    pub len: usize,
}

/// No range of that many bytes is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfCodeMemory;

/// A region of code memory with first-fit allocation; freed neighbours are joined.
#[derive(Debug)]
pub struct CodeMemory {
    write: *mut u8,
    run: *mut u8,
    size: usize,
    /// Offset -> bytes of each free range.
    free: BTreeMap<usize, usize>,
    used: usize,
}

// SAFETY: the mappings belong to this value alone; all access to them goes through `&mut self`.
unsafe impl Send for CodeMemory {}

impl CodeMemory {
    /// Reserves `size` bytes of address space; memory is taken as code is written.
    pub fn new(size: usize) -> io::Result<CodeMemory> {
        // SAFETY: plain system calls with a valid name; every result is checked.
        unsafe {
            let file = libc::memfd_create(c"holloway-code".as_ptr(), libc::MFD_CLOEXEC);
            if file < 0 {
                return Err(io::Error::last_os_error());
            }
            let sized = libc::ftruncate(file, size as libc::off_t) == 0;
            let map = |protection| libc::mmap(ptr::null_mut(), size, protection, libc::MAP_SHARED, file, 0);
            let write = map(libc::PROT_READ | libc::PROT_WRITE);
            let run = map(libc::PROT_READ | libc::PROT_EXEC);
            let failed = !sized || write == libc::MAP_FAILED || run == libc::MAP_FAILED;
            let error = io::Error::last_os_error();
            libc::close(file);
            if failed {
                return Err(error);
            }
            let free = BTreeMap::from([(0, size)]);
            Ok(CodeMemory { write: write.cast(), run: run.cast(), size, free, used: 0 })
        }
    }

    /// Takes a range for `len` bytes.
    pub fn allocate(&mut self, len: usize) -> Result<CodeRange, OutOfCodeMemory> {
        let len = len.max(1).next_multiple_of(ALIGN);
        let (&offset, &free) = self.free.iter().find(|(_, free)| **free >= len).ok_or(OutOfCodeMemory)?;
        self.free.remove(&offset);
        if free > len {
            self.free.insert(offset + len, free - len);
        }
        self.used += len;
        Ok(CodeRange { start: self.run as usize + offset, len })
    }

    /// Copies code into a range that nothing executes yet.
    pub fn write(&mut self, range: CodeRange, code: &[u8]) {
        assert!(code.len() <= range.len, "the code is longer than its range");
        let offset = self.offset(range);
        // SAFETY: the offset and the length lie inside the writable view, which `allocate` handed
        // out for this range alone.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), self.write.add(offset), code.len()) }
    }

    /// Gives a range back. No frame may be inside it any more.
    pub fn free(&mut self, range: CodeRange) {
        let (mut offset, mut len) = (self.offset(range), range.len);
        self.used -= len;
        if let Some(after) = self.free.remove(&(offset + len)) {
            len += after;
        }
        if let Some((&before, &before_len)) = self.free.range(..offset).next_back()
            && before + before_len == offset
        {
            self.free.remove(&before);
            offset = before;
            len += before_len;
        }
        self.free.insert(offset, len);
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.used
    }

    fn offset(&self, range: CodeRange) -> usize {
        let offset = range.start - self.run as usize;
        assert!(offset + range.len <= self.size, "the range is not from this memory");
        offset
    }
}

impl Drop for CodeMemory {
    fn drop(&mut self) {
        // SAFETY: both views were mapped with this size and are not used after this.
        unsafe {
            libc::munmap(self.write.cast(), self.size);
            libc::munmap(self.run.cast(), self.size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_neighbours_are_joined() {
        let mut memory = CodeMemory::new(4096).unwrap();
        let ranges: Vec<_> = (0..4).map(|_| memory.allocate(1024).unwrap()).collect();
        assert_eq!(memory.allocate(1), Err(OutOfCodeMemory));
        for at in [1, 3, 2] {
            memory.free(ranges[at]);
        }
        assert_eq!(memory.used(), 1024);
        let joined = memory.allocate(3072).unwrap();
        assert_eq!(joined.start, ranges[1].start);
        assert_eq!(memory.allocate(1), Err(OutOfCodeMemory));
    }

    #[test]
    fn written_code_runs() {
        let mut memory = CodeMemory::new(4096).unwrap();
        let range = memory.allocate(16).unwrap();
        // mov eax, 42; ret
        memory.write(range, &[0xb8, 42, 0, 0, 0, 0xc3]);
        // SAFETY: the range holds exactly the function written above.
        let function: extern "C" fn() -> i32 = unsafe { std::mem::transmute(range.start) };
        assert_eq!(function(), 42);
    }
}
