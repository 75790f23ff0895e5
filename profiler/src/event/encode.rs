//! Encoding of events as words, which compiled probes and the unwinder write.
//!
//! In: the constant parts of an event. Out: its first word; [`Event::write`] gives all words.
//!
//! ```text
//!   0 path id (63 bits)                                  Path
//!   1 1 function (28) path id (34)                       Lone
//!   1 0 kind (4) function (28) low part (30)             the others
//!
//!   kind              low part             further words
//!   Enter             0                    -
//!   Leave             0                    -               (function 0)
//!   Prefix            block                id              (function 0)
//!   LonePrefix        block                id
//!   Fold              register (16),       repeat count, then the register's words
//!                     its words (14)
//!   PrefixAt          block                iteration or start block, id
//!   Repeat            0                    id, count       (function 0)
//!   Leaf              word of paths        -
//!   Last              word of paths: 58 bits, those of the function among them
//! ```
//!
//! A probe that has the id in a register adds it to the constant first word.
//! Invariant: the first word determines the number of words.

use super::path_event::{Event, FunctionId};
use crate::graph::Node;
use crate::plan::BitRegister;

/// The bit that is set in a marker and clear in a path id.
pub const MARKER: u64 = 1 << 63;

/// Bound of function ids; the language allows far fewer functions in a program.
pub const MOST_FUNCTIONS: u64 = 1 << 28;
/// Bound of the blocks of a function.
pub const MOST_BLOCKS: u64 = 1 << LOW_BITS;
/// Bound of the ids of lone paths; a function with more paths writes the long form, `Enter`, `Path`, `Leave`.
pub const MOST_LONE_PATHS: u64 = 1 << LONE_BITS;
/// Bound of the registers of a function that is profiled by regions.
pub const MOST_REGISTERS: u64 = 1 << 16;
/// Bound of the 64-bit words of such a register.
pub const MOST_REGISTER_WORDS: u64 = 1 << WORDS_BITS;

/// Bound of the words of paths that [`Event::Leaf`] has room for.
pub const MOST_LEAF_WORD: u64 = 1 << LOW_BITS;
/// Bound of those that [`Event::Last`] has room for.
pub const MOST_LAST_WORD: u64 = 1 << KIND_SHIFT;

const LOW_BITS: u32 = 30;
const LONE_BITS: u32 = 34;
const WORDS_BITS: u32 = 14;
const KIND_SHIFT: u32 = 58;

const LONE: u64 = 0b11 << 62;

/// Kind of the event that a marker begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Enter,
    Leave,
    Prefix,
    LonePrefix,
    Fold,
    PrefixAt,
    Repeat,
    Leaf,
    Last,
}

impl Kind {
    pub(super) const ALL: [Kind; 9] = [
        Kind::Enter,
        Kind::Leave,
        Kind::Prefix,
        Kind::LonePrefix,
        Kind::Fold,
        Kind::PrefixAt,
        Kind::Repeat,
        Kind::Leaf,
        Kind::Last,
    ];
}

/// A decoded first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Path(u64),
    Lone { function: FunctionId, id: u64 },
    Last { word: u64 },
    Marker { kind: Kind, function: FunctionId, low: u32 },
    Unknown,
}

impl First {
    #[inline]
    pub(super) fn of(word: u64) -> First {
        if word & MARKER == 0 {
            return First::Path(word);
        }
        if word >> 62 == LONE >> 62 {
            let function = FunctionId::from_u32((word >> LONE_BITS & (MOST_FUNCTIONS - 1)) as u32);
            return First::Lone { function, id: word & (MOST_LONE_PATHS - 1) };
        }
        match Kind::ALL.get((word >> KIND_SHIFT & 0xf) as usize) {
            Some(Kind::Last) => First::Last { word: word & (MOST_LAST_WORD - 1) },
            Some(&kind) => {
                let function = FunctionId::from_u32((word >> LOW_BITS & (MOST_FUNCTIONS - 1)) as u32);
                First::Marker { kind, function, low: (word & (MOST_BLOCKS - 1)) as u32 }
            }
            None => First::Unknown,
        }
    }
}

/// The register and its number of words, from the low part of a fold's marker.
pub(super) fn fold_parts(low: u32) -> (BitRegister, usize) {
    (BitRegister::from_u32(low >> WORDS_BITS), (u64::from(low) & (MOST_REGISTER_WORDS - 1)) as usize)
}

fn marker(kind: Kind, function: u32, low: u64) -> u64 {
    assert!(u64::from(function) < MOST_FUNCTIONS && low < MOST_BLOCKS, "functions and blocks fit the stream");
    MARKER | (kind as u64) << KIND_SHIFT | u64::from(function) << LOW_BITS | low
}

/// First word of [`Event::Enter`].
pub fn enter(function: FunctionId) -> u64 {
    marker(Kind::Enter, function.as_u32(), 0)
}

/// The word of [`Event::Leave`].
pub fn leave() -> u64 {
    marker(Kind::Leave, 0, 0)
}

/// First word of [`Event::Prefix`]; the id follows.
pub fn prefix(block: Node) -> u64 {
    marker(Kind::Prefix, 0, u64::from(block.as_u32()))
}

/// The word of [`Event::Lone`] with id 0; the probe adds the id, which is below [`MOST_LONE_PATHS`].
pub fn lone(function: FunctionId) -> u64 {
    assert!(u64::from(function.as_u32()) < MOST_FUNCTIONS, "functions fit the stream");
    LONE | u64::from(function.as_u32()) << LONE_BITS
}

/// First word of [`Event::LonePrefix`]; the id follows.
pub fn lone_prefix(function: FunctionId, block: Node) -> u64 {
    marker(Kind::LonePrefix, function.as_u32(), u64::from(block.as_u32()))
}

/// First word of [`Event::Fold`]; the repeat count and the register's `words` follow.
pub fn fold(function: FunctionId, register: BitRegister, words: u32) -> u64 {
    let (register, words) = (u64::from(register.as_u32()), u64::from(words));
    assert!(register < MOST_REGISTERS && words < MOST_REGISTER_WORDS, "registers fit the stream");
    marker(Kind::Fold, function.as_u32(), register << WORDS_BITS | words)
}

/// First word of [`Event::PrefixAt`]; the iteration or start block and the id follow.
pub fn prefix_at(function: FunctionId, block: Node) -> u64 {
    marker(Kind::PrefixAt, function.as_u32(), u64::from(block.as_u32()))
}

/// First word of [`Event::Repeat`]; the id and the count follow.
pub fn repeat() -> u64 {
    marker(Kind::Repeat, 0, 0)
}

/// The word of [`Event::Leaf`] with a word of paths of 0; the probe adds that word, which is below [`MOST_LEAF_WORD`].
pub fn leaf(function: FunctionId) -> u64 {
    marker(Kind::Leaf, function.as_u32(), 0)
}

/// The word of [`Event::Last`] with a word of paths of 0; the probe adds that word, which is below [`MOST_LAST_WORD`].
pub fn last() -> u64 {
    marker(Kind::Last, 0, 0)
}

impl Event<'_> {
    /// Appends the event's words.
    pub fn write(&self, words: &mut Vec<u64>) {
        match *self {
            Event::Enter(function) => words.push(enter(function)),
            Event::Path(id) => words.push(id & !MARKER),
            Event::Prefix { block, id } => words.extend([prefix(block), id & !MARKER]),
            Event::Repeat { id, count } => words.extend([repeat(), id & !MARKER, count]),
            Event::Leave => words.push(leave()),
            Event::Leaf { function, word } => {
                assert!(word < MOST_LEAF_WORD, "the word of a leaf fits beside its function");
                words.push(leaf(function) + word);
            }
            Event::Last { word } => {
                assert!(word < MOST_LAST_WORD, "the last word of an activation fits beside its kind");
                words.push(last() + word);
            }
            Event::Lone { function, id } => {
                assert!(id < MOST_LONE_PATHS, "the id of a lone path fits beside its function");
                words.push(lone(function) + id);
            }
            Event::LonePrefix { function, block, id } => words.extend([lone_prefix(function, block), id & !MARKER]),
            Event::Fold { function, register, count, bits } => {
                words.extend([fold(function, register, bits.len() as u32), count]);
                words.extend(bits);
            }
            Event::PrefixAt { function, block, at, id } => words.extend([prefix_at(function, block), at.into(), id]),
        }
    }
}
