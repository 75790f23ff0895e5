//! Single words of heap memory, by address.
//!
//! Contract: callers inside `heap` pass addresses of words that lie in a block in use (or in a permanent object),
//! 8-byte aligned; they know this from the block table and the layouts of objects. No Rust reference to heap memory
//! lives across these calls.
#![expect(unsafe_code, reason = "heap memory is shared with compiled code and is reached by address")]

use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// Reads the word at the address.
///
/// # Safety
/// The address is that of a word of a block in use or of a permanent object.
#[inline]
pub(super) unsafe fn load(address: usize) -> u64 {
    debug_assert_eq!(address % 8, 0, "a misaligned word");
    // SAFETY: the caller vouches for the address.
    unsafe { with_exposed_provenance::<u64>(address).read() }
}

/// Writes the word at the address.
///
/// # Safety
/// As for [`load`]; and the word belongs to no object that anything but the caller relies on.
#[inline]
pub(super) unsafe fn store(address: usize, word: u64) {
    debug_assert_eq!(address % 8, 0, "a misaligned word");
    // SAFETY: the caller vouches for the address.
    unsafe { with_exposed_provenance_mut::<u64>(address).write(word) }
}

/// Sets `len` bytes from the address.
///
/// # Safety
/// As for [`store`], for every byte of the range.
pub(super) unsafe fn set_bytes(address: usize, byte: u8, len: usize) {
    // SAFETY: the caller vouches for the range.
    unsafe { with_exposed_provenance_mut::<u8>(address).write_bytes(byte, len) }
}

/// The most bytes that are cleared word by word: a call takes longer.
const FEW: usize = 128;

/// Clears whole words.
///
/// # Safety
/// As for [`store`], for every word of the range.
#[inline]
pub(super) unsafe fn clear(address: usize, len: usize) {
    debug_assert!(len.is_multiple_of(8), "{len} bytes are whole words");
    if len > FEW {
        // SAFETY: the caller vouches for the range.
        return unsafe { set_bytes(address, 0, len) };
    }
    for at in (0..len).step_by(8) {
        // SAFETY: the caller vouches for the range. A volatile write is not made a call again.
        unsafe { with_exposed_provenance_mut::<u64>(address + at).write_volatile(0) };
    }
}
