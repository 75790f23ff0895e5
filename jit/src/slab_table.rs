//! Tables of slabs: what compiled code and the runtime agree on.
//!
//! Code gathers the ids of paths in a word, a [slab](holloway_profiler::forest::slab), and counts each full one by its *state*, which is
//! what the slabs before it in the activation say about the sequences that it continues:
//!
//! ```text
//!   header | base | mask | repeated |        slot | word | state | count | next state |
//!
//!   slot = base + (hash(word, state) & mask), then the slots behind it, until word and state are these (count += 1; state = next)
//!   or the word is 0: the runtime is asked (RuntimeCall::CountSlab), which makes a slot
//! ```
//!
//! Acyclic paths that are counted one by one are slabs of one id each, always in the first state.
//! Invariant: a table moves only while the runtime is asked, so code keeps no address of a slot beyond.

use holloway_profiler::forest::slab::Packing;

/// Bytes of a slot.
pub const SLOT: u64 = 32;
/// Offset of the word; 0 in a free slot.
pub const WORD: i32 = 0;
/// Offset of the state in which it is counted.
pub const STATE: i32 = 8;
/// Offset of the count.
pub const COUNT: i32 = 16;
/// Offset of the state behind.
pub const NEXT: i32 = 24;

/// In the header, offset of the address of the first slot.
pub const BASE: i32 = 0;
/// In the header, offset of the mask for offsets of slots: the table's bytes less one slot.
pub const MASK: i32 = 8;
/// In the header, offset of the number of slabs of one id that were counted together with another.
pub const REPEATED: i32 = 16;
/// Words of the header.
pub const HEADER_WORDS: usize = 3;

/// The state of an activation that starts.
pub const FIRST_STATE: u64 = 0;

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const STATE_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
/// A product is shifted to the right by so much: its highest bits depend on all bits of the factors.
pub const HASH_SHIFT: u32 = 32;

/// The table of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlabTable {
    /// The address of its header.
    pub header: usize,
    /// The runtime's name for it.
    pub number: u32,
    /// The layout of its words.
    pub packing: Packing,
}

/// The factors of a hash: of the state, and of the word mixed with that product.
pub fn hash_factors() -> (i64, i64) {
    (STATE_FACTOR as i64, FACTOR as i64)
}

/// The hash of a word in a state: with the mask the offset of the slot where the search begins.
pub fn hash(word: u64, state: u64) -> u64 {
    (word ^ state.wrapping_mul(STATE_FACTOR)).wrapping_mul(FACTOR) >> HASH_SHIFT
}
