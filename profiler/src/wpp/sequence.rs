//! Sequences of numbers in memory near their compressed size.
//!
//! In: numbers one by one. Out: the same in order, and random access to whole pieces.
//! A [`Sequence`] compresses each full piece of [`PIECE`] numbers, and keeps equal ones once: a loop that repeats itself has few. A
//! [`SequenceTable`] keeps many sequences: the short ones one behind the other in an arena.
//! Invariant: two sequences are equal iff their lengths and digests are, up to collisions of 122 bits.

use std::sync::Arc;

use super::rolling::RollingHash;
use super::sequence_piece::{SequencePiece, key};
use crate::hash::KeyMap;
use crate::settings::wpp::GROWTH;

/// Numbers of a piece, but for the last of a sequence.
pub const PIECE: usize = 1 << 16;

/// An append-only sequence, compressed piece by piece.
#[derive(Clone, Debug)]
pub struct Sequence {
    pieces: Vec<Arc<SequencePiece>>,
    /// The places of different pieces among them, while it grows.
    known: KeyMap<(u64, u64), u32>,
    /// The last numbers, fewer than a piece; none once they are compressed.
    tail: Vec<u32>,
    /// The hash of the pieces' keys, which are far fewer numbers; `None` of pieces that were read, whose keys nobody asked for.
    hash: Option<RollingHash>,
}

impl Default for Sequence {
    fn default() -> Sequence {
        Sequence { pieces: Vec::new(), known: KeyMap::default(), tail: Vec::new(), hash: Some(RollingHash::default()) }
    }
}

impl Sequence {
    /// Number of numbers.
    pub fn len(&self) -> u64 {
        let full = self.pieces.len().saturating_sub(1) * PIECE + self.pieces.last().map_or(0, |piece| piece.len());
        (full + self.tail.len()) as u64
    }

    /// Returns whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a number.
    pub fn push(&mut self, number: u32) {
        self.tail.push(number);
        if self.tail.len() == PIECE {
            self.compress_tail();
        }
    }

    fn compress_tail(&mut self) {
        let piece = self.compressed(&self.tail);
        self.tail.clear();
        self.push_piece(piece);
    }

    fn compressed(&self, numbers: &[u32]) -> Arc<SequencePiece> {
        let key = key(numbers);
        match self.known.get(&key) {
            Some(&place) => Arc::clone(&self.pieces[place as usize]),
            None => Arc::new(SequencePiece::compressed(numbers, key)),
        }
    }

    /// Appends a piece, where all before it are full.
    fn push_piece(&mut self, piece: Arc<SequencePiece>) {
        assert!(self.tail.is_empty(), "a piece lies between others");
        if let Some(hash) = &mut self.hash {
            extend_by_key(hash, &piece);
        }
        self.known.entry(piece.key()).or_insert(self.pieces.len() as u32);
        self.pieces.push(piece);
    }

    /// The sequence of these pieces, of which only the last one may be shorter than the others.
    pub(super) fn of_pieces(pieces: Vec<Arc<SequencePiece>>) -> Sequence {
        Sequence { pieces, known: KeyMap::default(), tail: Vec::new(), hash: None }
    }

    /// Compresses the last numbers, too. Nothing is appended any more.
    pub fn seal(mut self) -> Sequence {
        if !self.tail.is_empty() {
            self.compress_tail();
        }
        (self.tail, self.known) = (Vec::new(), KeyMap::default());
        self.pieces.shrink_to_fit();
        self
    }

    /// Appends numbers.
    pub fn extend(&mut self, numbers: &[u32]) {
        assert!(self.pieces.last().is_none_or(|piece| piece.len() == PIECE), "a sealed sequence does not grow");
        let mut rest = numbers;
        while self.tail.is_empty()
            && let Some((piece, behind)) = rest.split_at_checked(PIECE)
        {
            let piece = self.compressed(piece);
            self.push_piece(piece);
            rest = behind;
        }
        while let Some((last, first)) = rest.split_at(rest.len().min(PIECE - self.tail.len())).0.split_last() {
            self.tail.extend_from_slice(first);
            self.push(*last);
            rest = &rest[first.len() + 1..];
        }
    }

    /// The pieces, of which only the last one may be shorter than the others, and the numbers behind them.
    pub(super) fn parts(&self) -> (&[Arc<SequencePiece>], &[u32]) {
        (&self.pieces, &self.tail)
    }

    /// Number of pieces, the unfinished one among them.
    fn piece_count(&self) -> usize {
        self.pieces.len() + usize::from(!self.tail.is_empty())
    }

    /// The numbers from `index * PIECE` on, up to the next multiple.
    fn piece(&self, index: usize) -> Vec<u32> {
        self.pieces.get(index).map_or_else(|| self.tail.clone(), |piece| piece.numbers())
    }

    /// The hash of all numbers.
    pub fn digest(&self) -> RollingHash {
        let mut hash = self.hash.unwrap_or_else(|| {
            let mut hash = RollingHash::default();
            self.pieces.iter().for_each(|piece| extend_by_key(&mut hash, piece));
            hash
        });
        hash.extend(&self.tail);
        hash
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        // Of a piece that is there several times each has its part.
        let part = |piece: &Arc<SequencePiece>| piece.bytes() / Arc::strong_count(piece) + size_of::<usize>();
        let pieces: usize = self.pieces.iter().map(part).sum();
        // An entry of a hash table has a byte of its own beside it.
        let known = self.known.capacity() * (size_of::<((u64, u64), u32)>() + 1);
        (pieces + known + self.tail.capacity() * size_of::<u32>()) as u64
    }

    /// The sequence as a view.
    pub fn view(&self) -> SequenceView<'_> {
        SequenceView::Long(self)
    }
}

fn extend_by_key(hash: &mut RollingHash, piece: &SequencePiece) {
    let (a, b) = piece.key();
    hash.extend(&[a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]);
}

/// A sequence to be read.
#[derive(Clone, Copy, Debug)]
pub enum SequenceView<'a> {
    /// One of an arena.
    Short(&'a [u32]),
    /// A compressed one.
    Long(&'a Sequence),
}

impl<'a> SequenceView<'a> {
    /// Number of numbers.
    pub fn len(self) -> u64 {
        match self {
            SequenceView::Short(numbers) => numbers.len() as u64,
            SequenceView::Long(sequence) => sequence.len(),
        }
    }

    /// Returns whether there is no number.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Number of pieces of up to [`PIECE`] numbers.
    pub fn piece_count(self) -> usize {
        match self {
            SequenceView::Short(numbers) => numbers.len().div_ceil(PIECE),
            SequenceView::Long(sequence) => sequence.piece_count(),
        }
    }

    /// The numbers from `index * PIECE` on, up to the next multiple; empty beyond the end.
    pub fn piece(self, index: usize) -> Vec<u32> {
        match self {
            SequenceView::Short(numbers) => numbers.chunks(PIECE).nth(index).unwrap_or_default().to_vec(),
            SequenceView::Long(sequence) if index < sequence.piece_count() => sequence.piece(index),
            SequenceView::Long(_) => Vec::new(),
        }
    }

    /// Shows all numbers in order, many at a time.
    pub fn try_for_each_piece<E>(self, mut look: impl FnMut(&[u32]) -> Result<(), E>) -> Result<(), E> {
        match self {
            SequenceView::Short(numbers) => look(numbers),
            SequenceView::Long(sequence) => {
                sequence.pieces.iter().try_for_each(|piece| look(&piece.numbers()))?;
                look(&sequence.tail)
            }
        }
    }

    /// Shows all numbers in order, equal neighbours together with their number.
    pub fn try_for_each_run<E>(self, mut look: impl FnMut(u32, u64) -> Result<(), E>) -> Result<(), E> {
        self.try_for_each_piece(|numbers| {
            numbers.chunk_by(|a, b| a == b).try_for_each(|run| look(run[0], run.len() as u64))
        })
    }

    /// Every number in order; one piece at a time is in memory.
    pub fn iter(self) -> impl Iterator<Item = u32> + 'a {
        let (short, pieces) = match self {
            SequenceView::Short(numbers) => (numbers, 0..0),
            SequenceView::Long(sequence) => ([].as_slice(), 0..sequence.piece_count()),
        };
        short.iter().copied().chain(pieces.flat_map(move |index| self.piece(index)))
    }
}

/// Many sequences, by number.
#[derive(Clone, Debug, Default)]
pub struct SequenceTable {
    arena: Vec<u32>,
    /// The end of each sequence in the arena; that of a long one is empty there.
    ends: Vec<u32>,
    long: KeyMap<u32, Sequence>,
}

impl SequenceTable {
    /// Number of sequences.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns whether there is no sequence.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a short sequence; returns its number.
    pub fn push(&mut self, numbers: &[u32]) -> u32 {
        if self.arena.capacity() - self.arena.len() < numbers.len() {
            self.arena.reserve_exact(numbers.len().max(self.arena.len() / GROWTH));
        }
        self.arena.extend_from_slice(numbers);
        self.close()
    }

    /// Adds a short sequence that `fill` appends to the others.
    pub(super) fn push_filled<E>(&mut self, fill: impl FnOnce(&mut Vec<u32>) -> Result<(), E>) -> Result<u32, E> {
        fill(&mut self.arena)?;
        Ok(self.close())
    }

    /// Adds a long sequence; returns its number.
    pub fn push_long(&mut self, sequence: Sequence) -> u32 {
        let number = self.close();
        self.long.insert(number, sequence.seal());
        number
    }

    fn close(&mut self) -> u32 {
        let number = self.len();
        self.ends.push(u32::try_from(self.arena.len()).expect("short sequences take less than 16 GiB"));
        number
    }

    /// Removes all sequences from `len` on.
    pub fn truncate(&mut self, len: u32) {
        (len..self.len()).for_each(|number| drop(self.long.remove(&number)));
        self.ends.truncate(len as usize);
        self.arena.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// One sequence.
    pub fn get(&self, number: u32) -> SequenceView<'_> {
        let (start, end) = self.range(number);
        match self.arena.get(start..end) {
            Some(numbers) if start < end || self.long.is_empty() => SequenceView::Short(numbers),
            _ => self.long.get(&number).map_or(SequenceView::Short(&[]), SequenceView::Long),
        }
    }

    fn range(&self, number: u32) -> (usize, usize) {
        let end = |number: u32| self.ends.get(number as usize).map_or(0, |&end| end as usize);
        (if number == 0 { 0 } else { end(number - 1) }, end(number))
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let long: u64 = self.long.values().map(Sequence::bytes).sum();
        long + ((self.arena.capacity() + self.ends.capacity()) * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_of_pieces_has_the_digest_of_its_numbers() {
        let mut pushed = Sequence::default();
        (0..2 * PIECE as u32 + 9).for_each(|number| pushed.push(number % 1_000));
        let pushed = pushed.seal();
        let read = Sequence::of_pieces(pushed.parts().0.to_vec());
        assert_eq!((read.len(), read.digest()), (pushed.len(), pushed.digest()));
        assert_ne!(read.digest(), Sequence::default().digest());
    }
}
