//! Steps through a forest of path sequences, as compiled code takes them: what code and runtime agree on.
//!
//! A place in the forest is the *slot* of the step that led there. It says in which table the slots of the steps that lead
//! on are; which of them is a step's, its symbol says:
//!
//! ```text
//!   slot   | count | symbol | table | row, mask |   table[hash(symbol) & mask]: the slot of the next step,
//!                              |          |        if the symbol there is this one. Otherwise the runtime is
//!                              v          |        asked (Callout::Step), which makes it so.
//!   table  | slot | slot | ... | <--------/
//! ```
//!
//! A symbol is the id of a path, or many iterations of a loop that has one path: [`repeated`].
//! Invariant: tables stay where they are as long as code may run, and a slot always leads to a table, if an outdated one.

/// Bytes of a slot.
pub const SLOT: u64 = 32;
/// Offset of how often the step was taken.
pub const COUNT: i32 = 0;
/// Offset of the symbol.
pub const SYMBOL: i32 = 8;
/// Offset of the address of the table of the next steps.
pub const TABLE: i32 = 16;
/// Offset of the mask for offsets in that table: its bytes less one slot. Its high half is the runtime's name for the table.
pub const MASK: i32 = 24;

/// No path's symbol.
pub const NO_SYMBOL: u64 = u64::MAX;

/// Ids of paths that can be repeated are below.
pub const MOST_REPEATED_ID: i64 = 1 << 18;
/// Iterations that one symbol stands for at most: some hours of the shortest.
pub const MOST_TIMES: u64 = (1 << TIMES_BITS) - 1;

const TIMES_BITS: u32 = 44;
const REPEATED: u64 = 1 << 63;
const FACTOR: i32 = 0x9e37_79b1_u32 as i32;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// One path.
    Path(u64),
    /// A path so many times in a row.
    Repeated(u64, u64),
}

impl Symbol {
    /// What a symbol stands for.
    pub fn of(symbol: u64) -> Symbol {
        match symbol & REPEATED {
            0 => Symbol::Path(symbol),
            _ => Symbol::Repeated((symbol & !REPEATED) >> TIMES_BITS, symbol & MOST_TIMES),
        }
    }
}

/// The symbol for no iteration of a path, to which the number of iterations is added.
pub fn repeated(id: i64) -> i64 {
    debug_assert!((0..MOST_REPEATED_ID).contains(&id));
    (REPEATED | (id as u64) << TIMES_BITS) as i64
}

/// What is added to a number of iterations of a path before [`hash_factor`] is applied.
pub fn repeated_salt(id: i64) -> i64 {
    id.wrapping_mul(3).wrapping_add(0x2545)
}

/// What the symbol of a path, or a salted number of iterations, is multiplied with; then the low half of the
/// product is shifted to the right by [`HASH_SHIFT`].
pub fn hash_factor() -> i64 {
    i64::from(FACTOR)
}

/// So that the bits that a mask keeps are the middle ones of the product.
pub const HASH_SHIFT: u32 = 10;
/// A table has at most so many slots: beyond, hashes have no bits.
pub const MOST_SLOTS: usize = 1 << (32 - HASH_SHIFT - SLOT.trailing_zeros());

/// The hash of a symbol: with a table's mask it is the offset of the symbol's slot.
pub fn hash(symbol: u64) -> u64 {
    let salted = match Symbol::of(symbol) {
        Symbol::Path(id) => id,
        Symbol::Repeated(id, times) => times.wrapping_add_signed(repeated_salt(id as i64)),
    };
    u64::from(salted.wrapping_mul(hash_factor() as u64) as u32 >> HASH_SHIFT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_read_back() {
        assert_eq!(Symbol::of(17), Symbol::Path(17));
        assert_eq!(Symbol::of(repeated(17) as u64 + 5), Symbol::Repeated(17, 5));
        let most = repeated(MOST_REPEATED_ID - 1) as u64 + MOST_TIMES;
        assert_eq!(Symbol::of(most), Symbol::Repeated(MOST_REPEATED_ID as u64 - 1, MOST_TIMES));
        assert_ne!(most, NO_SYMBOL);
    }
}
