//! Cells in which compiled code folds executions, run by run: what it and the runtime agree on.
//!
//! A cell is of one region, or of the branch histories that start in one block. A *run* is a number of consecutive
//! executions with equal bits, which are the region's register or the history. As long as a run goes on, an execution
//! costs a comparison and an increment. Its end is folded in assembly (RuntimeCall::EndRun,
//! `jit/src/arch/x64/counting.rs`), which keeps all registers but for the flags:
//!
//! ```text
//!   bits, count: the present run
//!   slots of paths, behind the cell by the index in the bits, or in an open-addressing table at base; slot: that of the present run
//!
//!   slot.executions += count;  least, least + span: the shortest and the longest run      [NGF03] 3.6; section 3, list
//!   or |= bits;  left -= count                                                            [NGF03] 3.2
//!   left <= 0: the window is full.  it has one run: slot.persistent += k, and k for each further k of the run;
//!                                   else taken += ones(or & places)
//! ```
//!
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.
//!
//! Invariant: a table moves only while the runtime is asked, so that the cell's slot stays where it is otherwise.

use std::fmt;

/// Words of a cell, which begins with a line of the cache.
pub const CELL_WORDS: usize = 16;
/// Bytes of a cell.
pub const CELL: u64 = 8 * CELL_WORDS as u64;

/// Offset of the bits of the present run; in a new cell bits that no execution has.
pub const BITS: i32 = 0;
/// Offset of the executions of the present run. A region with a single path has only these.
pub const COUNT: i32 = 8;
/// Offset of the executions until the window is full, those of the present run among them.
pub const LEFT: i32 = 16;
/// Offset of OR, over the runs of the window that ended.
pub const OR: i32 = 24;
/// Offset of the executions of the shortest run.
pub const LEAST: i32 = 32;
/// Offset of those of the longest run, less those of the shortest.
pub const SPAN: i32 = 40;
/// Offset of the places of OR, summed over windows with several paths.
pub const TAKEN: i32 = 48;
/// Offset of the address of the slot of the present run, if the cell has a table; else 0.
pub const SLOT: i32 = 56;
/// Offset of the executions of a window.
pub const K: i32 = 64;
/// Offset of the position of the index in the bits; 0 if they have none.
pub const SHIFT: i32 = 72;
/// Offset of the mask of the places in the bits.
pub const PLACES: i32 = 80;
/// Offset of the address of the table's first slot.
pub const BASE: i32 = 88;
/// Offset of the mask for offsets of slots: the table's bytes less one slot.
pub const MASK: i32 = 96;
/// Offset of the bits of a free slot, which no execution has.
pub const FREE: i32 = 104;
/// Offset of the cell's own address: to code that loads it, it is no constant to be made anew for each use.
pub const SELF: i32 = 112;

/// Offset of the executions of a path.
pub const SLOT_EXECUTIONS: i32 = 0;
/// Offset of those of them in persistent windows.
pub const SLOT_PERSISTENT: i32 = 8;
/// Offset of the bits, in a table.
pub const SLOT_BITS: i32 = 16;
/// Bytes of a slot of a table.
pub const SLOT_BYTES: u64 = 32;
/// Logarithm of the bytes of a slot behind the cell.
pub const INDEXED_SLOT: u32 = 4;

const _: () = assert!(BITS == 0 && COUNT == 8 && LEFT == 16 && OR == 24 && LEAST == 32 && SPAN == 40 && TAKEN == 48);
const _: () = assert!(SLOT == 56 && K == 64 && SHIFT == 72 && PLACES == 80 && BASE == 88 && MASK == 96 && FREE == 104);
const _: () = assert!(CELL == 128 && SLOT_EXECUTIONS == 0 && SLOT_PERSISTENT == 8 && SLOT_BITS == 16);
const _: () = assert!(SLOT_BYTES == 32 && INDEXED_SLOT == 4);

/// The slots of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slots {
    /// In a table, by the hash of the bits.
    Hashed,
    /// Behind the cell, by the bits from this one on.
    Indexed(u32),
}

impl fmt::Display for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slots::Hashed => f.write_str("hashed"),
            Slots::Indexed(shift) => write!(f, "indexed {shift}"),
        }
    }
}
