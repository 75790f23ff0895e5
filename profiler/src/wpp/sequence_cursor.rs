//! A place in a sequence of which one piece at a time is in memory.
//!
//! In: a sequence, and indices. Out: its numbers. Invariant: neighbours are found without decompressing again.

use super::sequence::{PIECE, SequenceView};

/// Random access to a sequence, one piece at a time in memory.
#[derive(Clone, Debug)]
pub(super) struct SequenceCursor<'a> {
    view: SequenceView<'a>,
    pub(super) len: u64,
    loaded: Option<(usize, Vec<u32>)>,
}

impl<'a> SequenceCursor<'a> {
    pub(super) fn new(view: SequenceView<'a>) -> Self {
        SequenceCursor { view, len: view.len(), loaded: None }
    }

    /// The number at an index below the length.
    pub(super) fn at(&mut self, index: u64) -> u32 {
        if let SequenceView::Short(numbers) = self.view {
            return numbers[index as usize];
        }
        let (piece, place) = ((index / PIECE as u64) as usize, (index % PIECE as u64) as usize);
        match &self.loaded {
            Some((loaded, numbers)) if *loaded == piece => numbers[place],
            _ => {
                let numbers = self.view.piece(piece);
                let number = numbers[place];
                self.loaded = Some((piece, numbers));
                number
            }
        }
    }
}
