//! Cells by which compiled code takes bursts of paths: what it and the runtime agree on.
//!
//! Each function has a cell. In a gap a path costs a decrement: code asks only when no path of the gap is left. In a
//! burst it always asks, and assembly (RuntimeCall::SamplePath, `jit/src/arch/x64/counting.rs`), which keeps all
//! registers, appends the path to a batch:
//!
//! ```text
//!   left -= 1;  left < 0: ask                        batch | tag, id, times | ...    tag + 1 if the activation began in this burst
//!   room = 0: the runtime is asked                   a gap or a burst ends, or the batch is full
//! ```
//!
//! A *tag* stands for the paths of one activation in one burst. An activation keeps its own in its frame. Tags rise, so
//! one below `first` is of an earlier burst or a gap: then the next path gets a new one. An activation that begins
//! copies `mark`, a number that is no tag: of the present burst, or in a gap of the last one.
//!
//! Behind that is a counter for each number of paths that activations may have, of which the last stands for k paths or
//! more.
//! Invariant: while room is 0 and a gap goes on, left is the number of its paths that are left.

/// Offset of the number of paths left in a gap; below 0 in a burst, as in a new cell after its first path.
pub const LEFT: i32 = 0;
/// Offset of the number of paths that the batch has room for in this burst, one an entry; 0 in a gap.
pub const ROOM: i32 = 8;
/// Offset of the address of the batch's next entry.
pub const NEXT: i32 = 16;
/// Offset of the least tag of the present burst.
pub const FIRST: i32 = 24;
/// Offset of what activations copy that begin.
pub const MARK: i32 = 32;
/// Offset of the next tag.
pub const TAG: i32 = 40;
/// Offset of the address of the counters of activations, as there is one before any array of counters.
pub const LENGTHS_ADDRESS: i32 = 48;
/// Offset of the first counter of activations.
pub const LENGTHS: i32 = 56;

/// Tags are this much apart, so that each has a number beside it that is none.
pub const TAG_STEP: u64 = 2;
/// Words of an entry of the batch: the tag, one more if the activation began in this burst and this is its first path;
/// the id; and how often it is repeated.
pub const ENTRY_WORDS: usize = 3;

const _: () = assert!(ROOM == 8 && NEXT == 16 && FIRST == 24 && MARK == 32 && TAG == 40 && TAG_STEP == 2);

/// The cell of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurstCell {
    /// Its address.
    pub address: usize,
    /// Length of the longest sequences.
    pub k: u32,
}

impl BurstCell {
    /// The address of the counters of activations.
    pub fn lengths(self) -> usize {
        self.address + LENGTHS as usize
    }
}
