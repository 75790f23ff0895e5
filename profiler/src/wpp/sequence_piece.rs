//! Full pieces of a sequence of numbers, compressed or in the fewest bytes a number.
//!
//! In: numbers. Out: the same, and a key by which equal pieces are found.
//! Invariant: the key depends on the numbers alone, not on how they are kept; different ones have different keys, up to collisions of 128 bits.

use std::cell::RefCell;

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
    key: (u64, u64),
    /// Bytes of a number.
    width: usize,
    len: usize,
    kept: Kept,
}

/// The planes of the numbers' bytes, lowest first: the higher ones are nearly constant.
#[derive(Clone, Debug)]
enum Kept {
    Plain(Box<[u8]>),
    /// After zstd.
    Compressed(Box<[u8]>),
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

impl SequencePiece {
    /// Keeps numbers compressed.
    pub(super) fn compressed(numbers: &[u32], key: (u64, u64)) -> SequencePiece {
        let width = width(numbers);
        let plain = planes(numbers, width);
        // Into memory that is there for all pieces: what is kept has just its own length.
        let bytes = COMPRESSOR.with_borrow_mut(|(compressor, room)| {
            room.resize(room.len().max(compress_bound(plain.len())), 0);
            let len = compressor.compress_to_buffer(&plain, room.as_mut_slice());
            Box::from(&room[..len.expect("compression into memory does not fail")])
        });
        SequencePiece { key, width, len: numbers.len(), kept: Kept::Compressed(bytes) }
    }

    /// Keeps numbers as they are, in up to 4 bytes each.
    pub(super) fn plain(numbers: &[u32]) -> SequencePiece {
        let width = width(numbers);
        let kept = Kept::Plain(planes(numbers, width).into_boxed_slice());
        SequencePiece { key: key(numbers), width, len: numbers.len(), kept }
    }

    /// Equal for equal numbers.
    pub(super) fn key(&self) -> (u64, u64) {
        self.key
    }

    /// Number of numbers.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Its numbers.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let decompressed;
        let plain = match &self.kept {
            Kept::Plain(plain) => plain,
            Kept::Compressed(bytes) => {
                let len = self.width * self.len;
                decompressed = DECOMPRESSOR
                    .with_borrow_mut(|decompressor| decompressor.decompress(bytes, len))
                    .expect("the piece was compressed here");
                decompressed.as_slice()
            }
        };
        if self.width == 1 {
            return plain.iter().map(|&byte| u32::from(byte)).collect();
        }
        let mut numbers = vec![0; self.len];
        for (byte, plane) in plain.chunks_exact(numbers.len()).enumerate() {
            numbers.iter_mut().zip(plane).for_each(|(number, &bits)| *number |= u32::from(bits) << (8 * byte));
        }
        numbers
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let (Kept::Plain(bytes) | Kept::Compressed(bytes)) = &self.kept;
        bytes.len() + size_of::<SequencePiece>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_come_back() {
        for factor in [1, 300, 70_000] {
            let numbers: Vec<u32> = (0..1_000).map(|at| at % 200 * factor).collect();
            let (plain, compressed) =
                (SequencePiece::plain(&numbers), SequencePiece::compressed(&numbers, key(&numbers)));
            assert_eq!((plain.numbers(), compressed.numbers()), (numbers.clone(), numbers));
            assert_eq!(plain.key(), compressed.key());
        }
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
