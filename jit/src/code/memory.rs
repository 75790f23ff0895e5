//! Memory for machine code, never writable and executable at one address (W^X).
//!
//! In: the sizes of codes. Out: places for them: through a [`CodeProvider`] a `JITModule` fills its place,
//! [`CodeMemory::place`] does so for raw bytes.
//! Shared memory is mapped twice: code is written through one view and run through the other, so that codes stand
//! one behind another and no protection changes while code of other functions runs.
//! Invariant: the executable view is reserved whole at the start, so all code lies within 2 GiB.
#![expect(unsafe_code, reason = "maps memory and writes machine code into it")]

use super::poll_in_place::PollInPlace;
use crate::arch;
use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::ModuleResult;
use holloway_abi::{PollSites, Site};
use std::collections::BTreeMap;
use std::io;
use std::iter;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Code starts at multiples of this, a cache line.
pub(crate) const ALIGN: usize = 64;

/// The place of a piece of code.
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

/// An arena of code memory with first-fit allocation; freed neighbours are joined.
#[derive(Clone, Debug)]
pub struct CodeMemory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    arena: Mutex<Arena>,
    polls: PollSites,
}

impl Drop for Shared {
    fn drop(&mut self) {
        let arena = self.arena.get_mut().unwrap_or_else(PoisonError::into_inner);
        let start = arena.run.addr();
        self.polls.remove(start..start + arena.size);
    }
}

impl CodeMemory {
    /// Reserves `size` bytes of address space; memory is taken as code is written, and polls in it are added to those
    /// given.
    pub fn new(size: usize, polls: PollSites) -> io::Result<CodeMemory> {
        Ok(CodeMemory(Arc::new(Shared { arena: Mutex::new(Arena::new(size)?), polls })))
    }

    /// The same with `most` bytes, or if the system has not so many, with half of what it has, but at least `least`.
    pub fn within(least: usize, most: usize, polls: &PollSites) -> io::Result<CodeMemory> {
        let reserved = CodeMemory::new(most, polls.clone());
        if reserved.is_ok() {
            return reserved;
        }
        let mut smaller = iter::successors(Some(most / 2), |size| Some(size / 2)).take_while(|size| *size > least);
        let there = smaller.find(|size| CodeMemory::new(*size, polls.clone()).is_ok());
        CodeMemory::new(there.map_or(least, |size| least.max(size / 2)), polls.clone())
    }

    /// A provider of one place for a `JITModule`.
    pub(crate) fn provider(&self) -> CodeProvider {
        CodeProvider { memory: self.clone(), place: None, is_complete: false }
    }

    /// The address to run code at that was written at a pointer which a provider gave.
    pub(crate) fn run_address(&self, written: *const u8) -> usize {
        let arena = self.lock();
        arena.run.addr() + (written.addr() - arena.write.addr())
    }

    /// Places code that refers to no address of its own, and that stays for good.
    pub fn place(&self, code: &[u8]) -> Result<CodeRange, OutOfCodeMemory> {
        let mut provider = self.provider();
        let start = provider.take(code.len())?;
        // SAFETY: that many bytes from `start` on are writable, and known to nobody else yet.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), start, code.len()) };
        provider.is_complete = true;
        Ok(CodeRange { start: self.run_address(start), len: code.len() })
    }

    /// Takes over the polls of code that is complete, but not executed yet, and the stub that they call if they call.
    pub(crate) fn add_polls(&self, code: CodeRange, polls: &[PollInPlace], stub: usize) {
        let arena = self.lock();
        let site = |poll: &PollInPlace| {
            let run = code.start + poll.offset as usize;
            // SAFETY: the poll lies in the code, which lies in both views.
            let opcode = unsafe { arena.write.add(run - arena.run.addr()) };
            if poll.opcodes == arch::CALLS {
                let operand = arch::poll_operand(run, stub);
                // SAFETY: the operand is behind the opcode, and nobody else writes there.
                unsafe { ptr::copy_nonoverlapping(operand.as_ptr(), opcode.add(1), operand.len()) };
            }
            Site { opcode, opcodes: poll.opcodes, reasons: poll.reasons }
        };
        let sites = polls.iter().map(site).collect();
        drop(arena);
        // SAFETY: they lie in the writable view of code that is loaded, whose polls are removed before it is freed.
        unsafe { self.0.polls.add(code.start, sites) };
    }

    /// Forgets the polls of code that is about to be freed.
    pub(crate) fn remove_polls(&self, code: CodeRange) {
        self.0.polls.remove(code.start..code.start + 1);
    }

    /// Gives back the place of complete code.
    ///
    /// # Safety
    /// The place was taken here and is given back once; no frame is in the code, and nothing leads to it any more.
    pub(crate) unsafe fn free(&self, code: CodeRange) {
        let mut arena = self.lock();
        let offset = code.start - arena.run.addr();
        arena.free(CodePlace { offset, len: len_of_place(code.len) });
    }

    /// The number of polls in place, in this and in other code of their context.
    pub fn polls_in_place(&self) -> usize {
        self.0.polls.count()
    }

    /// The addresses that code runs at, now and later.
    pub fn addresses(&self) -> Range<usize> {
        let arena = self.lock();
        arena.run.addr()..arena.run.addr() + arena.size
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.lock().used
    }

    /// Nothing panics while the arena is locked but for faults of ours, which end the process.
    fn lock(&self) -> MutexGuard<'_, Arena> {
        self.0.arena.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory of one `JITModule`: the place of its one function. Dropped with complete code, it leaves it there for
/// good.
pub(crate) struct CodeProvider {
    memory: CodeMemory,
    place: Option<CodePlace>,
    is_complete: bool,
}

impl CodeProvider {
    fn take(&mut self, len: usize) -> Result<*mut u8, OutOfCodeMemory> {
        assert!(self.place.is_none(), "a module has one function");
        let mut arena = self.memory.lock();
        let place = self.place.insert(arena.allocate(len)?);
        // SAFETY: what is allocated lies inside the view.
        Ok(unsafe { arena.write.add(place.offset) })
    }

    fn free(&mut self) {
        if let Some(place) = self.place.take() {
            self.memory.lock().free(place);
        }
    }
}

impl JITMemoryProvider for CodeProvider {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        assert!(matches!(kind, JITMemoryKind::Executable), "a module has code only");
        assert!(align <= ALIGN as u64, "code is aligned to {align}");
        self.take(size).map_err(|_| io::ErrorKind::OutOfMemory.into())
    }

    unsafe fn free_memory(&mut self) {
        self.free();
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for CodeProvider {
    fn drop(&mut self) {
        if !self.is_complete {
            self.free();
        }
    }
}

/// A part of both views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CodePlace {
    offset: usize,
    len: usize,
}

/// Bytes that so many bytes of code take.
fn len_of_place(len: usize) -> usize {
    len.max(1).next_multiple_of(ALIGN)
}

/// The two views, and which parts of them are free.
#[derive(Debug)]
struct Arena {
    write: *mut u8,
    run: *mut u8,
    size: usize,
    /// Offset -> bytes of each free part.
    free: BTreeMap<usize, usize>,
    used: usize,
}

// SAFETY: the mappings belong to this value alone; what is handed out of them is handed out once.
unsafe impl Send for Arena {}

impl Arena {
    fn new(size: usize) -> io::Result<Arena> {
        // Shared memory without a file: Linux perf takes what is mapped of a file for code of that file, and of no map of ours.
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: plain system calls; every result is checked. Of shared memory, `mremap` of no bytes maps the same pages once more.
        unsafe {
            let write = libc::mmap(ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            if write == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let run = libc::mremap(write, 0, size, libc::MREMAP_MAYMOVE);
            if run == libc::MAP_FAILED || libc::mprotect(run, size, libc::PROT_READ | libc::PROT_EXEC) != 0 {
                let error = io::Error::last_os_error();
                for view in [write, run].into_iter().filter(|view| *view != libc::MAP_FAILED) {
                    libc::munmap(view, size);
                }
                return Err(error);
            }
            run.expose_provenance();
            let free = BTreeMap::from([(0, size)]);
            Ok(Arena { write: write.cast(), run: run.cast(), size, free, used: 0 })
        }
    }

    fn allocate(&mut self, len: usize) -> Result<CodePlace, OutOfCodeMemory> {
        let len = len_of_place(len);
        let (&offset, &free) = self.free.iter().find(|(_, free)| **free >= len).ok_or(OutOfCodeMemory)?;
        self.free.remove(&offset);
        if free > len {
            self.free.insert(offset + len, free - len);
        }
        self.used += len;
        Ok(CodePlace { offset, len })
    }

    /// Gives a place back. No frame may be inside it any more.
    fn free(&mut self, CodePlace { mut offset, mut len }: CodePlace) {
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
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: both views were mapped with this size; whoever has a place in them keeps the arena.
        unsafe {
            libc::munmap(self.write.cast(), self.size);
            libc::munmap(self.run.cast(), self.size);
        }
    }
}

/// The bytes of a range of code, as they are at present: polls in place change theirs.
///
/// # Safety
/// The range is complete code of an arena that is not freed meanwhile.
pub(crate) unsafe fn bytes(range: CodeRange) -> Vec<u8> {
    let code: *mut u8 = ptr::with_exposed_provenance_mut(range.start);
    // SAFETY: complete code is readable, and what is still written to it is written as atomics; the view's provenance is exposed.
    let byte = |at| unsafe { AtomicU8::from_ptr(code.add(at)) }.load(Ordering::Relaxed);
    (0..range.len).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place of that many bytes, with complete code.
    fn take(memory: &CodeMemory, len: usize) -> Result<CodeProvider, OutOfCodeMemory> {
        let mut provider = memory.provider();
        provider.take(len)?;
        provider.is_complete = true;
        Ok(provider)
    }

    #[test]
    fn freed_neighbours_are_joined() {
        let memory = CodeMemory::new(4096, PollSites::default()).unwrap();
        let mut places: Vec<_> = (0..4).map(|_| take(&memory, 1024).unwrap()).collect();
        assert_eq!(take(&memory, 1).err(), Some(OutOfCodeMemory));
        let second = places[1].place.unwrap().offset;
        for at in [1, 3, 2] {
            places[at].free();
        }
        assert_eq!(memory.used(), 1024);
        let joined = take(&memory, 3072).unwrap();
        assert_eq!(joined.place.unwrap().offset, second);
        assert_eq!(take(&memory, 1).err(), Some(OutOfCodeMemory));
    }

    #[test]
    fn a_place_without_complete_code_is_given_back() {
        let memory = CodeMemory::new(4096, PollSites::default()).unwrap();
        let mut provider = memory.provider();
        provider.take(1).unwrap();
        drop(provider);
        assert_eq!(memory.used(), 0);
        drop(take(&memory, 1).unwrap());
        assert_eq!(memory.used(), ALIGN);
    }

    /// The rights to the page of an address, as `/proc/self/maps` writes them.
    fn rights(address: usize) -> String {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let holds = |line: &&str| {
            let (start, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
            let at = |text| usize::from_str_radix(text, 16).unwrap();
            (at(start)..at(end)).contains(&address)
        };
        maps.lines().find(holds).unwrap().split(' ').nth(1).unwrap()[..3].to_owned()
    }

    #[test]
    fn no_view_is_writable_and_executable() {
        let memory = CodeMemory::new(4096, PollSites::default()).unwrap();
        let written = memory.provider().take(10).unwrap();
        assert_eq!(rights(written.addr()), "rw-");
        assert_eq!(rights(memory.run_address(written)), "r-x");
    }

    #[test]
    fn placed_code_runs() {
        let memory = CodeMemory::new(4096, PollSites::default()).unwrap();
        // mov eax, 42; ret
        let range = memory.place(&[0xb8, 42, 0, 0, 0, 0xc3]).unwrap();
        // SAFETY: the range holds exactly the function written above.
        let function: extern "C" fn() -> i32 = unsafe { std::mem::transmute(range.start) };
        assert_eq!(function(), 42);
    }
}
