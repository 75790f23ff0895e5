//! Steps through a forest of path sequences, as compiled code takes them: what code and runtime agree on.
//!
//! A place in the forest is the *slot* of the step that led there. It says in which table the slots of the steps that lead
//! on are; which of them is a step's, its symbol says:
//!
//! ```text
//!   slot   | count | symbol | table | row, mask |   table[hash(symbol) & mask]: the slot of the next step,
//!                              |          |        if the symbol there is this one. Otherwise the runtime is
//!                              v          |        asked (RuntimeCall::Step), which makes it so.
//!   table  | slot | slot | ... | <--------/
//! ```
//!
//! A symbol is the id of a path, or all that a loop with one path reports, with the path behind it: the path that its first
//! iteration ends, other iterations, the path that leads out of it. Leaving such a loop makes the symbol but for the last path,
//! which is *carried* to where that ends.
//!
//! Of many iterations only some are in the symbol. In a k-slab forest places recur after k-1 equal ids, so from two such
//! periods on each further one counts the same nodes: they are counted apart, by [`split`].
//!
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

/// No step's symbol.
pub const NO_SYMBOL: u64 = u64::MAX;

/// In a symbol: no such path. Ids of paths in functions with symbols for loops are below.
pub const NO_PATH: i64 = 0xffff;
/// The position in a symbol of the path that the first iteration ends; the last path is at 0.
pub const FIRST: u32 = 16;
/// The position in a symbol of the path of the other iterations.
pub const OTHERS: u32 = 32;
/// The position in a symbol of their number.
pub const TIMES: u32 = 48;
/// Periods that are equal ids at most in a symbol; three of them fit.
pub const MOST_PERIOD: u64 = 1 << 12;

const REPEATED: u64 = 1 << 63;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The meaning of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// One path.
    Path(u64),
    /// Iterations of a loop that has one path.
    Repeated {
        /// The path that the first iteration ends, unless another symbol has it.
        first: Option<u64>,
        /// The path of the others.
        id: u64,
        /// The number of others.
        times: u64,
        /// The path behind, unless it was cut short.
        last: Option<u64>,
    },
}

impl Symbol {
    /// The meaning of a symbol.
    pub fn of(symbol: u64) -> Symbol {
        if symbol & REPEATED == 0 {
            return Symbol::Path(symbol);
        }
        let field = |at: u32| symbol >> at & NO_PATH as u64;
        let path = |at: u32| Some(field(at)).filter(|id| *id != NO_PATH as u64);
        let times = (symbol & !REPEATED) >> TIMES;
        Symbol::Repeated { first: path(FIRST), id: field(OTHERS), times, last: path(0) }
    }

    /// The symbol.
    pub fn word(self) -> u64 {
        let path = |id: Option<u64>| id.unwrap_or(NO_PATH as u64);
        match self {
            Symbol::Path(id) => id,
            Symbol::Repeated { first, id, times, last } => {
                repeated(id as i64) as u64 | times << TIMES | path(first) << FIRST | path(last)
            }
        }
    }
}

/// The symbol for no iteration of a path, with no other: the other fields are added.
pub fn repeated(id: i64) -> i64 {
    (REPEATED | (id as u64) << OTHERS) as i64
}

/// The period in which places recur where sequences of up to `k` ids are counted.
pub fn period(k: u32) -> u64 {
    u64::from(k.saturating_sub(1)).max(1)
}

/// Splits a number of iterations into whole periods that are counted apart, and the rest.
pub fn split(times: u64, period: u64) -> (u64, u64) {
    let periods = times.saturating_sub(2 * period) / period;
    (periods, times - periods * period)
}

/// The factor of a symbol's hash; the product is shifted to the right by [`HASH_SHIFT`].
pub fn hash_factor() -> i64 {
    FACTOR as i64
}

/// So that the highest bits of the product are left.
pub const HASH_SHIFT: u32 = 42;
/// A table has at most so many slots: beyond, hashes have no bits.
pub const MOST_SLOTS: usize = 1 << (64 - HASH_SHIFT - SLOT.trailing_zeros());

/// The hash of a symbol: with a table's mask it is the offset of the symbol's slot.
pub fn hash(symbol: u64) -> u64 {
    symbol.wrapping_mul(FACTOR) >> HASH_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_read_back() {
        let most = NO_PATH as u64 - 1;
        for symbol in [
            Symbol::Path(17),
            Symbol::Repeated { first: Some(3), id: 17, times: 5, last: Some(4) },
            Symbol::Repeated { first: None, id: 0, times: 0, last: None },
            Symbol::Repeated { first: Some(most), id: most, times: 3 * MOST_PERIOD - 1, last: Some(most) },
        ] {
            assert_eq!(Symbol::of(symbol.word()), symbol);
            assert_ne!(symbol.word(), NO_SYMBOL);
        }
    }

    #[test]
    fn what_is_split_is_all_there() {
        for period in 1..5 {
            for times in 0..100 {
                let (periods, rest) = split(times, period);
                assert_eq!(periods * period + rest, times);
                assert!(rest < 3 * period && (periods == 0 || rest >= 2 * period));
            }
        }
    }
}
