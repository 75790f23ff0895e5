//! Tables of paths: what code that counts each path by itself and the runtime agree on.
//!
//! ```text
//!   header | base | mask |     slot | word | count |
//!
//!   slot = base + (hash(word) & mask), then the slots behind it, until the word is this one (count += 1) or 0: the runtime makes a slot
//! ```
//!
//! Code looks into the first slot itself. The search goes on in assembly (RuntimeCall::Tally, `jit/src/arch/x64/entries.rs`) and
//! keeps all registers but for the flags, so that counting costs a loop no register.
//! Invariant: a table moves only while the runtime is asked, so code keeps no address of a slot beyond.

/// Bytes of a slot.
pub const SLOT: u64 = 16;
/// Offset of the word: the id and one more, so that 0 is a free slot.
pub const WORD: i32 = 0;
/// Offset of the count.
pub const COUNT: i32 = 8;

/// In the header, offset of the address of the first slot.
pub const BASE: i32 = 0;
/// In the header, offset of the mask for offsets of slots: the table's bytes less one slot.
pub const MASK: i32 = 8;

const _: () = assert!(SLOT == 16 && WORD == 0 && COUNT == 8 && BASE == 0 && MASK == 8);

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// A product is shifted to the right by so much: its highest bits depend on all bits of the factors.
pub const HASH_SHIFT: u32 = 32;

/// The table of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TallyTable {
    /// The address of its header.
    pub header: usize,
}

/// The factor of a word.
pub fn hash_factor() -> i64 {
    FACTOR as i64
}

/// The hash of a word: with the mask the offset of the slot where the search begins.
pub fn hash(word: u64) -> u64 {
    word.wrapping_mul(FACTOR) >> HASH_SHIFT
}
