//! The unique path traces of one function.
//!
//! In: pieces of block sequences (the blocks of acyclic paths), and traces as sequences of piece numbers. Out: the blocks
//! of each trace.
//! Invariants: no two traces have the same blocks, though they may be cut into pieces elsewhere; no two pieces have the same
//! blocks, and none is empty.

use super::call_graph::TraceNumber;
use super::sequence::{Sequence, SequenceTable, SequenceView};
use crate::graph::Node;
use crate::settings::wpp::LONGEST_SHORT;

/// Number of a piece among those of its function.
pub type PieceNumber = u32;

/// The unique path traces of one function, in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub struct FunctionTraces {
    pub(super) pieces: SequenceTable,
    traces: SequenceTable,
    /// Number of blocks of each trace.
    blocks: Vec<u64>,
    /// Occurrences of each piece in the traces, or more: those in duplicates may be counted.
    pub(super) uses: Vec<u64>,
}

impl FunctionTraces {
    /// Counts pieces of a trace that is added later.
    pub(super) fn count_uses(&mut self, pieces: &[PieceNumber]) {
        self.count_uses_times(pieces, 1);
    }

    /// Counts pieces that come so often.
    pub(super) fn count_uses_times(&mut self, pieces: &[PieceNumber], times: u64) {
        self.uses.resize(self.pieces.len() as usize, 0);
        pieces.iter().for_each(|&piece| self.uses[piece as usize] += times);
    }

    /// The pieces, the most used first.
    pub(super) fn by_use(&self) -> Vec<PieceNumber> {
        let uses = |piece: PieceNumber| self.uses.get(piece as usize).copied().unwrap_or(0);
        let mut order: Vec<PieceNumber> = (0..self.piece_count()).filter(|&piece| uses(piece) > 0).collect();
        order.sort_by_key(|&piece| (std::cmp::Reverse(uses(piece)), piece));
        order
    }

    /// Adds a trace of these pieces, which has so many blocks: `first`, which were counted before, and then `last`.
    pub(super) fn push(&mut self, first: Option<Sequence>, last: &[PieceNumber], blocks: u64) -> TraceNumber {
        self.blocks.push(blocks);
        self.count_uses(last);
        match first {
            None if last.len() <= LONGEST_SHORT => self.traces.push(last),
            first => {
                let mut sequence = first.unwrap_or_default();
                sequence.extend(last);
                self.traces.push_long(sequence)
            }
        }
    }

    /// Adds a trace of these pieces, which were counted before, and which have so many blocks.
    pub(super) fn push_sequence(&mut self, pieces: Sequence, blocks: u64) -> TraceNumber {
        self.blocks.push(blocks);
        self.traces.push_long(pieces)
    }

    /// Removes all traces from `len` on.
    pub(super) fn truncate(&mut self, len: u32) {
        self.traces.truncate(len);
        self.blocks.truncate(len as usize);
    }

    /// Number of unique traces.
    pub fn len(&self) -> u32 {
        self.traces.len()
    }

    /// Returns whether the function was never called.
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// Number of pieces.
    pub fn piece_count(&self) -> u32 {
        self.pieces.len()
    }

    /// The pieces of a trace.
    pub fn trace(&self, trace: TraceNumber) -> SequenceView<'_> {
        self.traces.get(trace)
    }

    /// The blocks of a piece, as indices of nodes.
    pub fn piece(&self, piece: PieceNumber) -> &[u32] {
        match self.pieces.get(piece) {
            SequenceView::Short(blocks) => blocks,
            SequenceView::Long(_) => &[],
        }
    }

    /// The blocks of a trace, in order.
    pub fn blocks(&self, trace: TraceNumber) -> impl Iterator<Item = Node> + '_ {
        self.trace(trace).iter().flat_map(|piece| self.piece(piece)).map(|&block| Node::from_u32(block))
    }

    /// Number of blocks of a trace.
    ///
    /// # Panics
    /// If there is no such trace.
    pub fn block_count(&self, trace: TraceNumber) -> u64 {
        self.blocks[trace as usize]
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.pieces.bytes()
            + self.traces.bytes()
            + ((self.blocks.capacity() + self.uses.capacity()) * size_of::<u64>()) as u64
    }
}
