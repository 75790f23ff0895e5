//! Allocation with collection behind it: the one module that knows both the heap and all roots.
//!
//! In: the object to allocate, and the objects that only the calling Rust code knows (`keep`). Out: an initialised
//! object, every field and element 0, or out of memory. The bytes of strings are for the caller to write.
//! Invariant: a collection keeps everything reachable from globals, interpreter frames, the caught message, pins, the roots
//! that the host has, `keep` and the program's stack: the compiled frames from the one that called the runtime up to the base given to
//! [`Runtime::enter_stack`], and the saved registers of that frame. The frames of Rust code are not scanned, for the
//! remains of returned functions in them would keep dead objects alive. So builtins name the objects they still need in
//! `keep`.
#![expect(unsafe_code, reason = "names the range of the running program's stack")]

use super::Runtime;
use crate::failure::FailureKind;
use crate::heap::buffer::{self, NewBuffer};
use crate::heap::class::Class;
use crate::heap::root::StackRange;
use crate::heap::{Cell, FreeLists, Heap, Obj, Refused, Roots};
use crate::rooted::Root;
use holloway_abi as abi;
use holloway_ir::{Elem, RecordRef, StrRef};

impl Runtime {
    /// A record whose fields are all 0.
    pub fn alloc_record(&mut self, record: RecordRef, keep: &[Obj]) -> Result<Obj, FailureKind> {
        let size = self.heap.layouts()[record].size;
        self.alloc_as(size, keep, |cell| cell.into_record(record, size))
    }

    /// An array whose elements are all 0.
    pub fn alloc_array(&mut self, elem: Elem, len: usize, keep: &[Obj]) -> Result<Obj, FailureKind> {
        let size = len.checked_mul(elem.size()).and_then(|size| size.checked_add(abi::ELEMENTS as usize));
        let Some(size) = size else { return Err(FailureKind::OutOfMemory) };
        self.alloc_as(size, keep, |cell| cell.into_array(elem, len))
    }

    /// A string whose bytes are whatever lies there, all to be written before the program sees it.
    pub fn alloc_str(&mut self, len: usize, keep: &[Obj]) -> Result<Obj, FailureKind> {
        let Some(size) = len.checked_add(abi::CHARS as usize) else { return Err(FailureKind::OutOfMemory) };
        self.alloc_as(size, keep, |cell| cell.into_str(len))
    }

    /// A string of the bytes of two, in a buffer: in that of one of them if it has room, else in a new one. `None` if
    /// they are too short for that, or there is no memory for more than their bytes.
    pub fn alloc_in_buffer(&mut self, a: Obj, b: Obj) -> Result<Option<Obj>, FailureKind> {
        if let Some(room) = buffer::room_for(a, b) {
            return self.alloc_as(buffer::STRING_SIZE, &[a, b], |cell| room.join(cell, a, b)).map(Some);
        }
        let Some(new) = NewBuffer::of(a, b) else { return Ok(None) };
        let Ok(cell) = self.alloc(new.size(), &[a, b]) else { return Ok(None) };
        let buffer = new.fill(cell, a, b);
        self.alloc_as(buffer::STRING_SIZE, &[buffer], |cell| new.string(cell, buffer)).map(Some)
    }

    /// A string of bytes that lie outside of the heap.
    pub fn new_str(&mut self, bytes: &[u8], keep: &[Obj]) -> Result<Obj, FailureKind> {
        let mut object = self.alloc_str(bytes.len(), keep)?;
        // SAFETY: nobody else has a string that was just made.
        unsafe { object.bytes_mut() }.copy_from_slice(bytes);
        Ok(object)
    }

    /// A string of so many bytes, all of which `fill` writes.
    pub(crate) fn new_str_with(
        &mut self,
        len: usize,
        keep: &[Obj],
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<Obj, FailureKind> {
        let mut object = self.alloc_str(len, keep)?;
        // SAFETY: nobody else has a string that was just made.
        fill(unsafe { object.bytes_mut() });
        Ok(object)
    }

    /// The object of a string constant; it never moves or goes away.
    #[inline]
    pub fn constant(&self, string: StrRef) -> Obj {
        // SAFETY: constants live as long as the runtime, behind whose end no object is used.
        unsafe { self.constants[string].object() }
    }

    /// The message of a failure for which there is no memory.
    pub(super) fn out_of_memory_message(&self) -> Obj {
        // SAFETY: as for constants.
        unsafe { self.out_of_memory.object() }
    }

    /// Collects now.
    #[cold]
    pub fn collect(&mut self, keep: &[Obj]) {
        let keep: Vec<u64> = keep.iter().map(|object| object.word()).collect();
        // Those that nobody else has are gone.
        self.roots.forget();
        let rooted = self.roots.words();
        let (caught, registers) = ([self.context.caught()], self.context.exit_registers());
        let mut roots = Roots {
            words: vec![self.globals.words(), &self.registers, &caught, &self.pins, &rooted, &keep],
            stack: None,
        };
        if let Some(base) = self.stack_base {
            roots.words.push(&registers);
            // SAFETY: the caller of `enter_stack` vouched for the frames of compiled code, and all of them wait for us.
            roots.stack = Some(unsafe { StackRange::new(self.context.exit_sp()..base) });
        }
        self.heap.collect(self.context.free_lists(), &roots);
        self.host_values.retain(|object| self.heap.was_found(object));
        if self.stack_base.is_none() {
            self.host_values.drop_lost();
        }
    }

    /// Puts at least one cell on a list of compiled code.
    pub fn refill(&mut self, class: Class) -> Result<(), FailureKind> {
        self.with_collection(&[], |heap, free| heap.provide(free, class))
    }

    /// An object that is made of a cell. One from the free list of its class stays in registers: in memory, its halves
    /// would be written one by one and read together, for which processors wait.
    #[inline]
    fn alloc_as(&mut self, size: usize, keep: &[Obj], make: impl FnOnce(Cell) -> Obj) -> Result<Obj, FailureKind> {
        match self.heap.alloc_free(self.context.free_lists(), size) {
            Some(cell) => Ok(make(cell)),
            None => Ok(make(self.alloc(size, keep)?)),
        }
    }

    #[cold]
    fn alloc(&mut self, size: usize, keep: &[Obj]) -> Result<Cell, FailureKind> {
        self.with_collection(keep, |heap, free| heap.alloc(free, size))
    }

    /// Allocates from the heap, and again after a collection if that may help.
    fn with_collection<T>(
        &mut self,
        keep: &[Obj],
        ask: impl Fn(&mut Heap, &mut FreeLists) -> Result<T, Refused>,
    ) -> Result<T, FailureKind> {
        match ask(&mut self.heap, self.context.free_lists()) {
            Ok(given) => Ok(given),
            Err(Refused::TooLarge) => Err(FailureKind::OutOfMemory),
            Err(Refused::CollectionDue | Refused::Full) => {
                self.collect(keep);
                ask(&mut self.heap, self.context.free_lists()).map_err(|_| FailureKind::OutOfMemory)
            }
        }
    }

    /// Declares that the program now runs on the stack that ends at `base`, so that collections scan it for references.
    /// Returns the previous base, for [`Runtime::leave_stack`].
    ///
    /// # Safety
    /// Until `leave_stack`, every caller into the runtime records the stack pointer and registers of its frame in the
    /// context, and the stack's memory is readable from there up to `base`.
    #[inline]
    pub unsafe fn enter_stack(&mut self, base: usize) -> Option<usize> {
        self.stack_base.replace(base)
    }

    /// Declares that the program no longer runs on its stack. Values of the host that it lost are dropped now.
    #[inline]
    pub fn leave_stack(&mut self, before: Option<usize>) {
        self.stack_base = before;
        self.host_values.drop_lost();
    }

    /// Keeps the object that a word refers to, if any, until [`Runtime::unpin_all`].
    pub fn pin(&mut self, word: u64) {
        self.pins.push(word);
    }

    /// Keeps what words refer to, if anything, until [`Runtime::unpin_to`] with the number that comes out.
    pub fn pin_all(&mut self, words: &[u64]) -> usize {
        let before = self.pins.len();
        self.pins.extend_from_slice(words);
        before
    }

    /// The number of pins, for [`Runtime::unpin_to`].
    #[inline]
    pub fn pinned(&self) -> usize {
        self.pins.len()
    }

    /// Releases the pins beyond so many.
    #[inline]
    pub fn unpin_to(&mut self, before: usize) {
        self.pins.truncate(before);
    }

    /// Keeps what a word refers to, if anything, for as long as the root or a clone of it is there.
    pub fn root(&mut self, word: u64) -> Root {
        self.roots.add(word)
    }

    /// Releases all pins.
    pub fn unpin_all(&mut self) {
        self.pins.clear();
    }

    /// The heap, for its statistics.
    pub fn heap(&self) -> &Heap {
        &self.heap
    }
}
