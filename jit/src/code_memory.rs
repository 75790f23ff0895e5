//! Memory for machine code: spans of pages of one arena, never writable and executable at once (W^X).
//!
//! In: the sizes of codes. Out: places for them, by span: through a [`SpanProvider`] a `JITModule` fills a span and runs it,
//! [`CodeMemory::place`] does so for raw bytes. A span is writable until its code is complete, executable until it is freed,
//! then writable again and joined with its free neighbours.
//! Invariants: the arena's addresses are reserved whole at the start, so all code lies within 2 GiB; a page belongs to one
//! span at most, so that no protection changes while code of other functions runs.
#![expect(unsafe_code, reason = "maps memory, changes its protection and writes machine code into it")]

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::{ModuleError, ModuleResult};
use std::collections::BTreeMap;
use std::io;
use std::ptr;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const PAGE: usize = 4096;

/// Code starts at multiples of this, a cache line.
const LINE: usize = 64;

/// Pages are made writable and taken from the system so many bytes at a time: it is asked once for many spans.
const STEP: usize = 16 * PAGE;

/// The place of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRange {
    /// Address to run it at.
    pub start: usize,
    /// Bytes.
    pub len: usize,
}

impl CodeRange {
    /// The pages that the range lies in.
    fn span(self) -> CodeRange {
        let start = self.start / PAGE * PAGE;
        CodeRange { start, len: (self.start + self.len).next_multiple_of(PAGE) - start }
    }
}

/// No span of that many bytes is free, or the system protects no further one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfCodeMemory;

/// An arena of code memory with first-fit allocation.
#[derive(Debug)]
pub struct CodeMemory(Arc<Mutex<Arena>>);

impl CodeMemory {
    /// Reserves `size` bytes of address space; memory is taken as code is written.
    pub fn new(size: usize) -> io::Result<CodeMemory> {
        Ok(CodeMemory(Arc::new(Mutex::new(Arena::new(size)?))))
    }

    /// A provider of one span for a `JITModule`.
    pub(crate) fn provider(&self) -> SpanProvider {
        SpanProvider { arena: Arc::clone(&self.0), range: None, state: SpanState::Writable }
    }

    /// Places code that refers to no address of its own, and that stays for good.
    pub fn place(&self, code: &[u8]) -> Result<CodeRange, OutOfCodeMemory> {
        let mut provider = self.provider();
        let start = provider.take(code.len())?;
        // SAFETY: the span is writable, holds that many bytes from `start` on, and is known to nobody else yet.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), start, code.len()) };
        provider.make_executable()?;
        Ok(CodeRange { start: start.expose_provenance(), len: code.len() })
    }

    /// Bytes of the spans in use.
    pub fn used(&self) -> usize {
        lock(&self.0).used
    }
}

/// Nothing panics while the arena is locked but for faults of ours, which end the process.
fn lock(arena: &Mutex<Arena>) -> MutexGuard<'_, Arena> {
    arena.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Rights to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanState {
    Writable,
    Executable,
}

/// The memory of one `JITModule`: one span, for its one function. Dropped with executable code in the span, it leaves it there for good.
pub(crate) struct SpanProvider {
    arena: Arc<Mutex<Arena>>,
    range: Option<CodeRange>,
    state: SpanState,
}

impl SpanProvider {
    fn take(&mut self, len: usize) -> Result<*mut u8, OutOfCodeMemory> {
        assert!(self.range.is_none(), "a module has one function");
        let mut arena = lock(&self.arena);
        let range = arena.allocate(len)?;
        self.range = Some(range);
        Ok(arena.pointer(range))
    }

    fn make_executable(&mut self) -> Result<(), OutOfCodeMemory> {
        let range = self.range.expect("code is there before it is executable");
        lock(&self.arena).protect(range.span(), libc::PROT_READ | libc::PROT_EXEC)?;
        self.state = SpanState::Executable;
        Ok(())
    }

    fn free(&mut self) {
        if let Some(range) = self.range.take() {
            lock(&self.arena).free(range, self.state);
        }
    }
}

impl JITMemoryProvider for SpanProvider {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        assert!(matches!(kind, JITMemoryKind::Executable), "a module has code only");
        assert!(align <= LINE as u64, "code is aligned to {align}");
        self.take(size).map_err(|_| io::ErrorKind::OutOfMemory.into())
    }

    unsafe fn free_memory(&mut self) {
        self.free();
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        let failed = |_| ModuleError::Allocation { err: io::ErrorKind::OutOfMemory.into() };
        self.make_executable().map_err(failed)
    }
}

impl Drop for SpanProvider {
    fn drop(&mut self) {
        if self.state == SpanState::Writable {
            self.free();
        }
    }
}

/// The addresses, and which of them are free.
#[derive(Debug)]
struct Arena {
    base: *mut u8,
    size: usize,
    /// Offset below which all was made writable once.
    ready: usize,
    /// Offset -> bytes of each free span. What is free is not executable.
    free: BTreeMap<usize, usize>,
    used: usize,
    /// Offset in a page at which the next code would start if all stood one behind another.
    cursor: usize,
}

// SAFETY: the mapping belongs to this value alone; what is handed out of it is handed out once.
unsafe impl Send for Arena {}

impl Arena {
    fn new(size: usize) -> io::Result<Arena> {
        let size = size.next_multiple_of(PAGE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: an anonymous mapping at an address of the system's choice touches no memory that is in use.
        let base = unsafe { libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        base.expose_provenance();
        Ok(Arena { base: base.cast(), size, ready: 0, free: BTreeMap::from([(0, size)]), used: 0, cursor: 0 })
    }

    /// Takes a writable span for `len` bytes. Codes start where in a page the one before ended, so far as the last page has
    /// room: if all started at its beginning, they would compete for the same few sets of the caches.
    fn allocate(&mut self, len: usize) -> Result<CodeRange, OutOfCodeMemory> {
        let len = len.max(1);
        let span = len.next_multiple_of(PAGE);
        let (&offset, &free) = self.free.iter().find(|(_, free)| **free >= span).ok_or(OutOfCodeMemory)?;
        self.make_ready(offset + span)?;
        self.free.remove(&offset);
        if free > span {
            self.free.insert(offset + span, free - span);
        }
        self.used += span;
        let color = (self.cursor % (span - len + 1)) / LINE * LINE;
        self.cursor = (color + len).next_multiple_of(LINE) % PAGE;
        Ok(CodeRange { start: self.base.addr() + offset + color, len })
    }

    /// Makes the arena writable up to an offset where it never was in use.
    fn make_ready(&mut self, end: usize) -> Result<(), OutOfCodeMemory> {
        if end > self.ready {
            let to = end.next_multiple_of(STEP).min(self.size);
            let fresh = CodeRange { start: self.base.addr() + self.ready, len: to - self.ready };
            self.protect(fresh, libc::PROT_READ | libc::PROT_WRITE)?;
            // SAFETY: the pages lie inside this mapping and are writable. A system that does not know the advice, or has no memory
            // to give yet, gives each page when it is first written.
            unsafe { libc::madvise(self.pointer(fresh).cast(), fresh.len, libc::MADV_POPULATE_WRITE) };
            self.ready = to;
        }
        Ok(())
    }

    /// Gives the span of a range back. No frame may be inside it any more.
    fn free(&mut self, range: CodeRange, state: SpanState) {
        let span = range.span();
        let is_writable = state == SpanState::Writable;
        if !is_writable && self.protect(span, libc::PROT_READ | libc::PROT_WRITE).is_err() {
            // The system divides its mappings no further; the span stays as it is, in use by nobody.
            return;
        }
        let (mut offset, mut len) = (span.start - self.base.addr(), span.len);
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

    fn protect(&self, span: CodeRange, protection: i32) -> Result<(), OutOfCodeMemory> {
        // SAFETY: the pages lie inside this mapping and are free, or their owner asks for it.
        let status = unsafe { libc::mprotect(self.pointer(span).cast(), span.len, protection) };
        if status == 0 { Ok(()) } else { Err(OutOfCodeMemory) }
    }

    /// The pointer to a range.
    fn pointer(&self, range: CodeRange) -> *mut u8 {
        let offset = range.start - self.base.addr();
        assert!(offset + range.len <= self.size, "the range is not from this memory");
        // SAFETY: the offset lies inside the mapping.
        unsafe { self.base.add(offset) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this size; whoever has a span of it keeps the arena.
        unsafe { libc::munmap(self.base.cast(), self.size) };
    }
}

/// The bytes of a range of code.
///
/// # Safety
/// The range is executable code of an arena, and is not freed while the bytes are borrowed.
pub(crate) unsafe fn bytes<'a>(range: CodeRange) -> &'a [u8] {
    // SAFETY: executable spans are readable and not written to; the arena's provenance is exposed.
    unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(range.start), range.len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code of that many bytes in a span of its own.
    fn take(memory: &CodeMemory, len: usize) -> Result<SpanProvider, OutOfCodeMemory> {
        let mut provider = memory.provider();
        provider.take(len)?;
        provider.make_executable()?;
        Ok(provider)
    }

    fn page(provider: &SpanProvider) -> usize {
        provider.range.unwrap().span().start
    }

    #[test]
    fn freed_neighbours_are_joined() {
        let memory = CodeMemory::new(4 * PAGE).unwrap();
        let mut spans: Vec<_> = (0..4).map(|_| take(&memory, 1024).unwrap()).collect();
        assert_eq!(take(&memory, 1).err(), Some(OutOfCodeMemory));
        let second = page(&spans[1]);
        for at in [1, 3, 2] {
            spans[at].free();
        }
        assert_eq!(memory.used(), PAGE);
        let joined = take(&memory, 3 * PAGE).unwrap();
        assert_eq!(page(&joined), second);
        assert_eq!(take(&memory, 1).err(), Some(OutOfCodeMemory));
    }

    #[test]
    fn a_span_without_finished_code_is_given_back() {
        let memory = CodeMemory::new(PAGE).unwrap();
        let mut provider = memory.provider();
        provider.take(1).unwrap();
        drop(provider);
        assert_eq!(memory.used(), 0);
        drop(take(&memory, 1).unwrap());
        assert_eq!(memory.used(), PAGE);
    }

    #[test]
    fn codes_start_at_different_lines_of_their_pages() {
        let memory = CodeMemory::new(32 * PAGE).unwrap();
        let spans: Vec<_> = (0..32).map(|_| take(&memory, 100).unwrap()).collect();
        let mut offsets: Vec<_> = spans.iter().map(|span| span.range.unwrap().start % PAGE).collect();
        assert!(offsets.iter().all(|offset| offset % LINE == 0));
        offsets.sort_unstable();
        offsets.dedup();
        assert!(offsets.len() >= 30, "{offsets:?}");
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
    fn no_page_is_writable_and_executable() {
        let memory = CodeMemory::new(3 * STEP).unwrap();
        let mut provider = memory.provider();
        let start = provider.take(10).unwrap().addr();
        assert_eq!(rights(start), "rw-");
        provider.make_executable().unwrap();
        assert_eq!(
            (rights(start), rights(start + PAGE), rights(start + STEP)),
            ("r-x".into(), "rw-".into(), "---".into())
        );
        provider.free();
        assert_eq!(rights(start), "rw-");
    }

    #[test]
    fn placed_code_runs() {
        let memory = CodeMemory::new(PAGE).unwrap();
        // mov eax, 42; ret
        let range = memory.place(&[0xb8, 42, 0, 0, 0, 0xc3]).unwrap();
        // SAFETY: the range holds exactly the function written above.
        let function: extern "C" fn() -> i32 = unsafe { std::mem::transmute(range.start) };
        assert_eq!(function(), 42);
    }
}
