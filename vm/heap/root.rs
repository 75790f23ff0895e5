//! Where marking starts: words that may hold references, and the stack of the running program.
//!
//! In: slices of words, and an optional range of stack memory. Out: every word of them, for the marker to judge.
//! Invariant: roots are conservative. Any word that is an address inside an object keeps it; any other does nothing.
//!
//! Contract: a [`StackRange`] is only made by code that runs on that very stack, and is used before that code returns.
#![expect(unsafe_code, reason = "reads the machine's stack and registers")]

use std::arch::asm;
use std::ops::Range;
use std::ptr::with_exposed_provenance;

/// Words to start from.
#[derive(Debug, Default)]
pub struct Roots<'a> {
    /// Memory in use as words: interpreter frames, globals, pins.
    pub words: Vec<&'a [u64]>,
    /// The running program's stack, from the collector's frame to its base.
    pub stack: Option<StackRange>,
}

/// The part of a stack that is in use, spilled registers included.
#[derive(Debug)]
pub struct StackRange(Range<usize>);

impl Roots<'_> {
    /// Calls `f` with each root word.
    pub(super) fn each(&self, mut f: impl FnMut(u64)) {
        self.words.iter().flat_map(|words| words.iter()).for_each(|word| f(*word));
        if let Some(StackRange(range)) = &self.stack {
            for address in range.clone().step_by(8) {
                // SAFETY: the range is in use, aligned, and its frames wait for us: see `with_stack`. The read is volatile
                // because the compiler knows nothing of these frames.
                f(unsafe { with_exposed_provenance::<u64>(address).read_volatile() });
            }
        }
    }
}

/// Stores the registers that calls preserve on the stack, then calls `f` with the range from them up to `base`.
///
/// # Safety
/// The caller runs on a stack whose memory is readable from here up to the address `base`.
#[inline(never)]
pub unsafe fn with_stack<R>(base: usize, f: impl FnOnce(StackRange) -> R) -> R {
    let mut saved = [0_u64; SAVED];
    spill(&mut saved);
    let start = (&raw const saved).expose_provenance();
    assert!(start <= base, "the program's stack is another one");
    let result = f(StackRange(start..base & !7));
    // The registers must stay in memory until the marker has read them.
    std::hint::black_box(&saved);
    result
}

#[cfg(target_arch = "x86_64")]
const SAVED: usize = 6;

#[cfg(target_arch = "x86_64")]
fn spill(saved: &mut [u64; SAVED]) {
    // SAFETY: only the array is written, within its bounds.
    unsafe {
        asm!(
            "mov [{0}], rbx", "mov [{0} + 8], rbp", "mov [{0} + 16], r12",
            "mov [{0} + 24], r13", "mov [{0} + 32], r14", "mov [{0} + 40], r15",
            in(reg) saved.as_mut_ptr(),
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(target_arch = "aarch64")]
const SAVED: usize = 12;

#[cfg(target_arch = "aarch64")]
fn spill(saved: &mut [u64; SAVED]) {
    // SAFETY: only the array is written, within its bounds.
    unsafe {
        asm!(
            "stp x19, x20, [{0}]", "stp x21, x22, [{0}, #16]", "stp x23, x24, [{0}, #32]",
            "stp x25, x26, [{0}, #48]", "stp x27, x28, [{0}, #64]", "stp x29, x30, [{0}, #80]",
            in(reg) saved.as_mut_ptr(),
            options(nostack, preserves_flags),
        );
    }
}
