//! Full pieces of a sequence of numbers, compressed or in the fewest bytes a number.
//!
//! In: numbers. Out: the same, and a key by which equal pieces are found, taken when it is asked for.
//! Invariant: the key depends on the numbers alone, not on how they are kept; different ones have different keys, up to collisions of 128 bits.

use std::cell::RefCell;
use std::sync::OnceLock;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::compress_bound;

use crate::settings::wpp::PIECE_LEVEL;

thread_local! {
    // Making these takes longer than a piece of some thousand numbers.
    static COMPRESSOR: RefCell<(Compressor<'static>, Vec<u8>)> =
        RefCell::new((Compressor::new(PIECE_LEVEL).expect("the level is one of zstd"), Vec::new()));
    static DECOMPRESSOR: RefCell<Decompressor<'static>> =
        RefCell::new(Decompressor::new().expect("zstd has memory"));
}

/// Numbers of a sequence, of which equal ones are kept once.
#[derive(Clone, Debug)]
pub(super) struct SequencePiece {
    key: OnceLock<(u64, u64)>,
    kept: Kept,
}

#[derive(Clone, Debug)]
enum Kept {
    Plain(PlainNumbers),
    Compressed(CompressedNumbers),
}

/// Numbers in the fewest bytes each that their bound allows.
#[derive(Clone, Debug)]
pub(super) enum PlainNumbers {
    Bytes(Box<[u8]>),
    Halves(Box<[u16]>),
    Words(Box<[u32]>),
}

/// The planes of the numbers' bytes, lowest first, after zstd: the higher ones are nearly constant.
#[derive(Clone, Debug)]
struct CompressedNumbers {
    /// Bytes of a number.
    width: usize,
    len: usize,
    bytes: Box<[u8]>,
}

/// Number of states.
const LANES: usize = 3;

/// Odd factors without a short period: 2^64 / golden ratio, and digits of pi.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x2432_43f6_a888_5a31];

/// The key of numbers. Each step is a bijection of the state, so that a single different number is seen. Words take turns in several
/// states, which need not wait for each other.
pub(super) fn key(numbers: &[u32]) -> (u64, u64) {
    let start = FACTORS.map(|factor| factor ^ numbers.len() as u64);
    let mut states = [start, start.map(|state| state.rotate_left(16)), start.map(|state| state.rotate_left(32))];
    let (groups, rest) = numbers.as_chunks::<{ 2 * LANES }>();
    for group in groups {
        for (lane, state) in states.iter_mut().enumerate() {
            *state = step(*state, u64::from(group[2 * lane]) | u64::from(group[2 * lane + 1]) << 32);
        }
    }
    for &number in rest {
        states[0] = step(states[0], number.into());
    }
    let [first, others @ ..] = states;
    let [a, b] = others.into_iter().flatten().fold(first, step).map(|state| state ^ state >> 32);
    (a, b)
}

#[inline]
fn step(state: [u64; 2], word: u64) -> [u64; 2] {
    let [a, b] = state;
    [(a.rotate_left(23) ^ word).wrapping_mul(FACTORS[0]), (b.rotate_left(29) ^ word).wrapping_mul(FACTORS[1])]
}

fn width(numbers: &[u32]) -> usize {
    match numbers.iter().copied().max().unwrap_or(0) {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        _ => 4,
    }
}

fn planes(numbers: &[u32], width: usize) -> Vec<u8> {
    let mut plain = Vec::with_capacity(width * numbers.len());
    (0..width).for_each(|byte| plain.extend(numbers.iter().map(|number| (number >> (8 * byte)) as u8)));
    plain
}

impl PlainNumbers {
    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        match self {
            PlainNumbers::Bytes(numbers) => size_of_val(&numbers[..]),
            PlainNumbers::Halves(numbers) => size_of_val(&numbers[..]),
            PlainNumbers::Words(numbers) => size_of_val(&numbers[..]),
        }
    }

    fn len(&self) -> usize {
        match self {
            PlainNumbers::Bytes(numbers) => numbers.len(),
            PlainNumbers::Halves(numbers) => numbers.len(),
            PlainNumbers::Words(numbers) => numbers.len(),
        }
    }

    fn numbers(&self) -> Vec<u32> {
        match self {
            PlainNumbers::Bytes(numbers) => numbers.iter().copied().map(u32::from).collect(),
            PlainNumbers::Halves(numbers) => numbers.iter().copied().map(u32::from).collect(),
            PlainNumbers::Words(numbers) => numbers.to_vec(),
        }
    }
}

impl CompressedNumbers {
    fn of(numbers: &[u32]) -> CompressedNumbers {
        let width = width(numbers);
        let plain = planes(numbers, width);
        // Into memory that is there for all pieces: what is kept has just its own length.
        let bytes = COMPRESSOR.with_borrow_mut(|(compressor, room)| {
            room.resize(room.len().max(compress_bound(plain.len())), 0);
            let len = compressor.compress_to_buffer(&plain, room.as_mut_slice());
            Box::from(&room[..len.expect("compression into memory does not fail")])
        });
        CompressedNumbers { width, len: numbers.len(), bytes }
    }

    fn numbers(&self) -> Vec<u32> {
        let plain = DECOMPRESSOR
            .with_borrow_mut(|decompressor| decompressor.decompress(&self.bytes, self.width * self.len))
            .expect("the piece was compressed here");
        if self.width == 1 {
            return plain.into_iter().map(u32::from).collect();
        }
        let mut numbers = vec![0; self.len];
        for (byte, plane) in plain.chunks_exact(numbers.len()).enumerate() {
            numbers.iter_mut().zip(plane).for_each(|(number, &bits)| *number |= u32::from(bits) << (8 * byte));
        }
        numbers
    }
}

impl SequencePiece {
    /// Keeps numbers compressed.
    pub(super) fn compressed(numbers: &[u32], key: (u64, u64)) -> SequencePiece {
        SequencePiece { key: key.into(), kept: Kept::Compressed(CompressedNumbers::of(numbers)) }
    }

    /// Keeps numbers as they are.
    pub(super) fn plain(numbers: PlainNumbers) -> SequencePiece {
        SequencePiece { key: OnceLock::new(), kept: Kept::Plain(numbers) }
    }

    /// Keeps numbers compressed that were plain.
    pub(super) fn packed(numbers: &PlainNumbers) -> SequencePiece {
        SequencePiece { key: OnceLock::new(), kept: Kept::Compressed(CompressedNumbers::of(&numbers.numbers())) }
    }

    /// Equal for equal numbers.
    pub(super) fn key(&self) -> (u64, u64) {
        *self.key.get_or_init(|| key(&self.numbers()))
    }

    /// Number of numbers.
    pub(super) fn len(&self) -> usize {
        match &self.kept {
            Kept::Plain(numbers) => numbers.len(),
            Kept::Compressed(numbers) => numbers.len,
        }
    }

    /// Its numbers.
    pub(super) fn numbers(&self) -> Vec<u32> {
        match &self.kept {
            Kept::Plain(numbers) => numbers.numbers(),
            Kept::Compressed(numbers) => numbers.numbers(),
        }
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let kept = match &self.kept {
            Kept::Plain(numbers) => numbers.bytes(),
            Kept::Compressed(numbers) => numbers.bytes.len(),
        };
        kept + size_of::<SequencePiece>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_come_back() {
        for (factor, plain) in [(1, narrow as fn(&[u32]) -> PlainNumbers), (300, half), (70_000, whole)] {
            let numbers: Vec<u32> = (0..1_000).map(|at| at % 200 * factor).collect();
            let plain = plain(&numbers);
            let kept = [
                SequencePiece::packed(&plain),
                SequencePiece::plain(plain),
                SequencePiece::compressed(&numbers, key(&numbers)),
            ];
            for piece in kept {
                assert_eq!((piece.numbers(), piece.len(), piece.key()), (numbers.clone(), 1_000, key(&numbers)));
            }
        }
    }

    fn narrow(numbers: &[u32]) -> PlainNumbers {
        PlainNumbers::Bytes(numbers.iter().map(|&number| number as u8).collect())
    }

    fn half(numbers: &[u32]) -> PlainNumbers {
        PlainNumbers::Halves(numbers.iter().map(|&number| number as u16).collect())
    }

    fn whole(numbers: &[u32]) -> PlainNumbers {
        PlainNumbers::Words(numbers.into())
    }

    #[test]
    fn neighbouring_numbers_have_other_keys() {
        let numbers = vec![7; 1_001];
        let mut keys = std::collections::HashSet::from([key(&numbers), key(&numbers[1..])]);
        for at in 0..numbers.len() {
            let mut other = numbers.clone();
            other[at] += 1;
            keys.insert(key(&other));
        }
        assert_eq!(keys.len(), 1_003);
    }
}
