//! Tables of paths that are counted one by one: what compiled code and the runtime agree on.
//!
//! ```text
//!   header | base | mask |     slot | word | count |
//!
//!   slot = base + (hash(word) & mask), then the slots behind it, until the word is that of the path (count += 1)
//!   or the word is 0: the runtime makes a slot
//! ```
//!
//! Code looks at the first slot itself. The rest of the search is in assembly (RuntimeCall::CountPath,
//! `jit/src/arch/x64/counting.rs`) and keeps all registers but for the flags, so that counting costs a loop no register.
//!
//! Invariant: a table moves only while the runtime is asked, so code keeps no address of a slot beyond.

/// Bytes of a slot.
pub const SLOT: u64 = 32;
/// Offset of the word; 0 in a free slot.
pub const WORD: i32 = 0;
/// Offset of the count.
pub const COUNT: i32 = 8;

/// In the header, offset of the address of the first slot.
pub const BASE: i32 = 0;
/// In the header, offset of the mask for offsets of slots: the table's bytes less one slot.
pub const MASK: i32 = 8;
/// Words of a header.
pub const HEADER_WORDS: usize = 2;

const _: () = assert!(SLOT == 32 && WORD == 0 && COUNT == 8 && BASE == 0 && MASK == 8);

/// In the hash of a path, of an item in a [row](crate::probes::step_table), and of bits in a
/// [`run_cell`](crate::probes::run_cell), the factor.
pub const FACTOR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;

/// The table of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathTable {
    /// The address of its header.
    pub header: usize,
}

/// The word of a path.
pub fn word_of(id: u64) -> u64 {
    id + 1
}

/// The path of a word.
pub fn id_of(word: u64) -> u64 {
    word - 1
}

/// The hash of a word: with the mask the offset of the slot where the search begins. The highest bits of a
/// product depend on all bits of its factors, and are the lowest of the hash: with others, long words that differ in
/// their highest bits alone would collide.
pub fn hash(word: u64) -> u64 {
    word.wrapping_mul(FACTOR as u64).swap_bytes()
}
