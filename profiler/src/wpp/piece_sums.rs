//! Sums over groups of pieces, of which a loop that repeats itself has few.
//!
//! In: so many pieces, one behind the other. Out: their sums, as of a single piece. An entry is found by its hash and compared whole.
//! Invariant: the sums are those of the pieces one by one, so the table changes no result.

use super::function_traces::PieceNumber;
use super::rolling::RollingPart;
use crate::settings::wpp::{GROUP, SUMMED_GROUPS};

/// A piece as the recorder appends it, or several.
#[derive(Clone, Copy)]
pub(super) struct PieceSum {
    pub(super) part: RollingPart,
    /// The calls that the blocks make.
    pub(super) calls: u64,
    /// Number of the blocks.
    pub(super) blocks: u64,
}

/// The sums of groups that were met lately.
#[derive(Default)]
pub(super) struct GroupSums {
    entries: Vec<([PieceNumber; GROUP], PieceSum)>,
}

/// No piece has this number.
const VACANT: [PieceNumber; GROUP] = [PieceNumber::MAX; GROUP];

impl GroupSums {
    /// The sums of a group of these pieces.
    pub(super) fn of(&mut self, group: &[PieceNumber; GROUP], pieces: &[PieceSum]) -> PieceSum {
        if self.entries.is_empty() {
            let nothing = PieceSum { part: RollingPart::of(&[]), calls: 0, blocks: 0 };
            self.entries = vec![(VACANT, nothing); SUMMED_GROUPS];
        }
        let entry = &mut self.entries[place(group)];
        if entry.0 != *group {
            *entry = (*group, sum(group, pieces));
        }
        entry.1
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<([PieceNumber; GROUP], PieceSum)>()
    }
}

fn sum(group: &[PieceNumber], pieces: &[PieceSum]) -> PieceSum {
    let mut sum = PieceSum { part: RollingPart::of(&[]), calls: 0, blocks: 0 };
    for &piece in group {
        let piece = &pieces[piece as usize];
        sum.part.append(&piece.part);
        sum.calls += piece.calls;
        sum.blocks += piece.blocks;
    }
    sum
}

/// Two hashes, so that they do not wait for each other: multiplicative, as that of [`super::activation_cache`].
fn place(group: &[PieceNumber; GROUP]) -> usize {
    let factor = 0x9e37_79b9_7f4a_7c15_u64;
    let step = |hash: u64, pair: &[PieceNumber]| {
        (hash.rotate_left(23) ^ u64::from(pair[0]) ^ u64::from(pair[1]) << 32).wrapping_mul(factor)
    };
    let (first, second) = group.split_at(GROUP / 2);
    let hashes = [first, second].map(|half| half.chunks_exact(2).fold(factor, step));
    let hash = (hashes[0] ^ hashes[1].rotate_left(32)).wrapping_mul(factor);
    (hash >> (u64::BITS - SUMMED_GROUPS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wpp::rolling::RollingHash;

    #[test]
    fn a_group_has_the_sums_of_its_pieces_whatever_was_there_before() {
        let texts: Vec<Vec<u32>> = (0..4).map(|piece| (piece..2 * piece + 1).collect()).collect();
        let piece = |text: &Vec<u32>| PieceSum { part: RollingPart::of(text), calls: 2, blocks: text.len() as u64 };
        let pieces: Vec<PieceSum> = texts.iter().map(piece).collect();
        let mut sums = GroupSums::default();
        for seed in (0..200_u32).chain(0..200) {
            let group: [PieceNumber; GROUP] = std::array::from_fn(|at| (seed >> (at % 8)) % 4);
            let text: Vec<u32> = group.iter().flat_map(|&piece| texts[piece as usize].clone()).collect();
            let sum = sums.of(&group, &pieces);
            assert_eq!((sum.part, sum.calls), (RollingPart::of(&text), 2 * GROUP as u64), "{seed}");
            assert_eq!(sum.blocks, text.len() as u64);
            let mut hash = RollingHash::default();
            hash.append(&sum.part);
            assert_eq!(hash, sum.part.hash());
        }
    }
}
