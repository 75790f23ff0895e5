//! Sequences of numbers in memory near their compressed size.
//!
//! In: numbers one by one. Out: the same in order, and random access to whole pieces.
//! A [`Sequence`] compresses each full piece of [`PIECE`] numbers. A [`SequenceTable`] keeps many sequences: the short
//! ones one behind the other in an arena.
//! Invariant: two sequences are equal iff their lengths and digests are, up to collisions of 122 bits.

use super::rolling::RollingHash;
use crate::hash::KeyMap;

/// Numbers of a piece, but for the last of a sequence.
pub const PIECE: usize = 1 << 16;

/// An append-only sequence, compressed piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    pieces: Vec<Piece>,
    /// The last numbers, fewer than a piece; none once they are compressed.
    tail: Vec<u32>,
    /// The hash of the pieces as they are compressed: far fewer numbers, and the same for the same pieces.
    hash: RollingHash,
}

/// Numbers, each in the fewest bytes that hold the greatest, compressed.
#[derive(Clone, Debug)]
struct Piece {
    width: usize,
    len: usize,
    bytes: Box<[u8]>,
}

impl Piece {
    fn of(numbers: &[u32]) -> Piece {
        let greatest = numbers.iter().copied().max().unwrap_or(0);
        let width = if greatest < 1 << 8 {
            1
        } else if greatest < 1 << 16 {
            2
        } else {
            4
        };
        // One plane a byte, lowest first: the higher ones are nearly constant.
        let mut plain = Vec::with_capacity(width * numbers.len());
        (0..width).for_each(|byte| plain.extend(numbers.iter().map(|number| (number >> (8 * byte)) as u8)));
        let bytes = zstd::bulk::compress(&plain, 1).expect("compression into memory does not fail");
        Piece { width, len: numbers.len(), bytes: bytes.into_boxed_slice() }
    }

    fn numbers(&self) -> Vec<u32> {
        let plain = zstd::bulk::decompress(&self.bytes, self.width * self.len).expect("the piece was compressed here");
        let mut numbers = vec![0; self.len];
        for (byte, plane) in plain.chunks_exact(numbers.len()).enumerate() {
            numbers.iter_mut().zip(plane).for_each(|(number, &bits)| *number |= u32::from(bits) << (8 * byte));
        }
        numbers
    }
}

impl Sequence {
    /// Number of numbers.
    pub fn len(&self) -> u64 {
        let full = self.pieces.len().saturating_sub(1) * PIECE + self.pieces.last().map_or(0, |piece| piece.len);
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
        let piece = Piece::of(&self.tail);
        self.hash.extend(&[piece.width as u32, piece.len as u32, piece.bytes.len() as u32]);
        piece.bytes.chunks(3).for_each(|bytes| {
            let bits = bytes.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
            self.hash.extend(&[bits]);
        });
        self.pieces.push(piece);
        self.tail.clear();
    }

    /// Compresses the last numbers, too. Nothing is appended any more.
    pub fn seal(mut self) -> Sequence {
        if !self.tail.is_empty() {
            self.compress_tail();
        }
        self.tail = Vec::new();
        self.pieces.shrink_to_fit();
        self
    }

    /// Appends numbers.
    pub fn extend(&mut self, numbers: &[u32]) {
        assert!(self.pieces.last().is_none_or(|piece| piece.len == PIECE), "a sealed sequence does not grow");
        let mut rest = numbers;
        while let Some((last, first)) = rest.split_at(rest.len().min(PIECE - self.tail.len())).0.split_last() {
            self.tail.extend_from_slice(first);
            self.push(*last);
            rest = &rest[first.len() + 1..];
        }
    }

    /// Number of pieces, the unfinished one among them.
    fn piece_count(&self) -> usize {
        self.pieces.len() + usize::from(!self.tail.is_empty())
    }

    /// The numbers from `index * PIECE` on, up to the next multiple.
    fn piece(&self, index: usize) -> Vec<u32> {
        self.pieces.get(index).map_or_else(|| self.tail.clone(), Piece::numbers)
    }

    /// The hash of all numbers.
    pub fn digest(&self) -> RollingHash {
        let mut hash = self.hash;
        hash.extend(&self.tail);
        hash
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let pieces: usize = self.pieces.iter().map(|piece| piece.bytes.len() + size_of::<Piece>()).sum();
        (pieces + self.tail.capacity() * size_of::<u32>()) as u64
    }

    /// The sequence as a view.
    pub fn view(&self) -> SequenceView<'_> {
        SequenceView::Long(self)
    }
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
        self.arena.extend_from_slice(numbers);
        self.close()
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
