//! The unique path traces of one function.
//!
//! In: pieces of block sequences (the blocks of acyclic paths), and traces as sequences of piece numbers. Out: the blocks
//! of each trace.
//! Invariants: no two traces have the same blocks, though they may be cut into pieces elsewhere; no two pieces have the same
//! blocks, and none is empty.

use std::sync::{Arc, OnceLock};

use super::call_graph::TraceNumber;
use super::sequence::{Sequence, SequenceTable, SequenceView};
use super::sequence_piece::SequencePiece;
use crate::graph::Node;
use crate::hash::IdMap;
use crate::settings::wpp::LONGEST_SHORT;

/// Number of a piece among those of its function.
pub type PieceNumber = u32;

/// The unique path traces of one function, in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub struct FunctionTraces {
    pub(super) pieces: SequenceTable,
    traces: SequenceTable,
    /// Number of blocks of each trace; of traces that were read, none before one is asked for.
    blocks: OnceLock<Vec<u64>>,
    /// Occurrences of each piece in the traces, or more: those in duplicates may be counted. Nothing of traces that were read.
    pub(super) uses: Vec<u64>,
}

impl FunctionTraces {
    /// Counts pieces of a trace that is added later.
    pub(super) fn count_uses(&mut self, pieces: &[PieceNumber]) {
        self.uses.resize(self.pieces.len() as usize, 0);
        pieces.iter().for_each(|&piece| self.uses[piece as usize] += 1);
    }

    /// The pieces, the most used first.
    pub(super) fn by_use(&self) -> Vec<PieceNumber> {
        if self.uses.is_empty() {
            // They were read in this order.
            return (0..self.piece_count()).collect();
        }
        let uses = |piece: PieceNumber| self.uses.get(piece as usize).copied().unwrap_or(0);
        let mut order: Vec<PieceNumber> = (0..self.piece_count()).filter(|&piece| uses(piece) > 0).collect();
        order.sort_by_key(|&piece| (std::cmp::Reverse(uses(piece)), piece));
        order
    }

    /// Adds a trace of these pieces, which has so many blocks: `first`, which were counted before, and then `last`.
    pub(super) fn push(&mut self, first: Option<Sequence>, last: &[PieceNumber], blocks: u64) -> TraceNumber {
        self.add_blocks(blocks);
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

    fn add_blocks(&mut self, blocks: u64) {
        self.blocks.get_or_init(Vec::new);
        self.blocks.get_mut().expect("it was made").push(blocks);
    }

    /// Adds a trace that is read: `fill` gives its pieces, so many.
    pub(super) fn push_read_short<E>(
        &mut self,
        count: usize,
        fill: impl FnOnce(&mut [PieceNumber]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.traces.push_filled(|pieces| {
            let start = pieces.len();
            pieces.resize(start + count, 0);
            fill(&mut pieces[start..])
        })?;
        Ok(())
    }

    /// Adds a trace of these pieces that was read.
    pub(super) fn push_read(&mut self, pieces: Sequence) {
        self.traces.push_long(pieces);
    }

    /// Removes all traces from `len` on.
    pub(super) fn truncate(&mut self, len: u32) {
        self.traces.truncate(len);
        if let Some(blocks) = self.blocks.get_mut() {
            blocks.truncate(len as usize);
        }
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
        self.blocks.get_or_init(|| self.count_blocks())[trace as usize]
    }

    /// Counts the blocks of each trace. A part that several traces have, or one several times, is looked at once.
    fn count_blocks(&self) -> Vec<u64> {
        let lengths: Vec<u64> = (0..self.piece_count()).map(|piece| self.piece(piece).len() as u64).collect();
        let of =
            |pieces: &[PieceNumber]| pieces.iter().map(|&piece| lengths[piece as usize]).fold(0, u64::saturating_add);
        let mut known: IdMap<u64> = IdMap::default();
        let mut of_trace = |trace| match self.trace(trace) {
            SequenceView::Short(pieces) => of(pieces),
            SequenceView::Long(pieces) => {
                let (parts, tail) = pieces.parts();
                let of_part = |part: &Arc<SequencePiece>| {
                    *known.entry(Arc::as_ptr(part) as u64).or_insert_with(|| of(&part.numbers()))
                };
                parts.iter().map(of_part).fold(of(tail), u64::saturating_add)
            }
        };
        (0..self.len()).map(&mut of_trace).collect()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.pieces.bytes()
            + self.traces.bytes()
            + ((self.blocks.get().map_or(0, Vec::capacity) + self.uses.capacity()) * size_of::<u64>()) as u64
    }
}
