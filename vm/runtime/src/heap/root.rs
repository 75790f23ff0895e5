//! Roots of marking: words that may hold references, and the stack of the running program.
//!
//! In: slices of words, and an optional range of stack memory. Out: every word of them, for the marker to judge.
//! Invariant: roots are conservative. Any word that is an address inside an object keeps it; any other does nothing.
//!
//! Contract: the frames in a [`StackRange`] do not run while it exists.
#![expect(unsafe_code, reason = "reads the memory of the program's stack")]

use std::ops::Range;
use std::ptr::with_exposed_provenance;

/// The root words.
#[derive(Debug, Default)]
pub struct Roots<'a> {
    /// Memory in use as words: interpreter frames, globals, pins.
    pub words: Vec<&'a [u64]>,
    /// The running program's stack.
    pub stack: Option<StackRange>,
}

/// The part of a stack that is in use.
#[derive(Debug)]
pub struct StackRange(Range<usize>);

impl StackRange {
    /// The addresses from a stack pointer up to the stack's base.
    ///
    /// # Safety
    /// The memory between is readable, and nothing writes it while this value exists.
    pub unsafe fn new(range: Range<usize>) -> StackRange {
        assert!(range.start <= range.end, "the program's stack is another one");
        StackRange(range.start.next_multiple_of(8)..range.end & !7)
    }
}

impl Roots<'_> {
    /// Bytes of all root words.
    pub(super) fn bytes(&self) -> usize {
        let words: usize = self.words.iter().map(|words| words.len()).sum();
        words * 8 + self.stack.as_ref().map_or(0, |StackRange(range)| range.len())
    }

    /// Calls `f` with each root word.
    pub(super) fn each(&self, mut f: impl FnMut(u64)) {
        self.words.iter().flat_map(|words| words.iter()).for_each(|word| f(*word));
        if let Some(StackRange(range)) = &self.stack {
            for address in range.clone().step_by(8) {
                // SAFETY: the range is readable and aligned, by the contract of `new`. The read is volatile because the
                // compiler knows nothing of these frames.
                f(unsafe { with_exposed_provenance::<u64>(address).read_volatile() });
            }
        }
    }
}
