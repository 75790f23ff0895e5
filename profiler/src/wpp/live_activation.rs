//! A live activation of a run that is recorded: its part of the recorder's stacks, and what was taken off them before it ended.
//!
//! In: pieces and children that were pushed since it began. Out: the hash of its blocks, their number and their calls; the first
//! parts of a long activation, compressed.
//! Invariant: the sums are those of all its pieces up to `settled`, wherever these are now.

use super::call_graph::CallNode;
use super::function_recorder::FunctionRecorder;
use super::function_traces::{FunctionTraces, PieceNumber};
use super::piece_sums::PieceSum;
use super::rolling::RollingHash;
use super::sequence::{PIECE, Sequence};
use crate::event::FunctionId;

/// A live activation.
#[derive(Clone)]
pub(super) struct LiveActivation {
    pub(super) function: FunctionId,
    /// The start of its part of the stacks.
    pub(super) pieces: usize,
    pub(super) children: usize,
    /// Nothing of most activations.
    pub(super) first: Option<Box<FirstParts>>,
}

/// The sums of pieces of an activation, and those parts that were taken off the stacks.
#[derive(Clone, Default)]
pub(super) struct FirstParts {
    /// The end, on the stack, of the pieces that are in the sums.
    settled: usize,
    /// The hash of the blocks.
    pub(super) hash: RollingHash,
    /// Their number.
    pub(super) blocks: u64,
    /// The calls that they make.
    calls: u64,
    pub(super) pieces: Sequence,
    pub(super) children: Sequence,
}

impl FirstParts {
    /// Takes all pieces of the stack into the sums.
    pub(super) fn settle(&mut self, function: &mut FunctionRecorder, pieces: &[PieceNumber]) {
        let (groups, rest) = pieces[self.settled..].as_chunks();
        for group in groups {
            self.add(&function.groups.of(group, &function.pieces));
        }
        rest.iter().for_each(|&piece| self.add(&function.pieces[piece as usize]));
        self.settled = pieces.len();
    }

    #[inline]
    fn add(&mut self, sum: &PieceSum) {
        self.hash.append(&sum.part);
        self.blocks += sum.blocks;
        self.calls += sum.calls;
    }

    /// The calls that the blocks make and that were not made, where the stack has so many children of the activation.
    pub(super) fn missing_children(&self, on_stack: usize) -> usize {
        usize::try_from(self.calls.saturating_sub(self.children.len() + on_stack as u64)).expect("calls are in memory")
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.pieces.bytes() + self.children.bytes()
    }
}

impl LiveActivation {
    /// The sums, which are those of nothing at first.
    pub(super) fn sums(&mut self) -> &mut FirstParts {
        let start = self.pieces;
        self.first.get_or_insert_with(|| Box::new(FirstParts { settled: start, ..FirstParts::default() }))
    }

    /// The sums, of an activation that ends.
    pub(super) fn into_sums(self) -> FirstParts {
        let start = self.pieces;
        self.first.map_or_else(|| FirstParts { settled: start, ..FirstParts::default() }, |first| *first)
    }

    /// Takes the pieces off the stack if they are many.
    #[inline]
    pub(super) fn spill_pieces(
        &mut self,
        function: &mut FunctionRecorder,
        traces: &mut FunctionTraces,
        pieces: &mut Vec<PieceNumber>,
    ) {
        let start = self.pieces;
        if pieces.len() - start >= PIECE {
            let sums = self.sums();
            sums.settle(function, pieces);
            traces.count_uses(&pieces[start..]);
            sums.pieces.extend(&pieces[start..]);
            sums.settled = start;
            pieces.truncate(start);
        }
    }

    /// Takes the children off the stack if they are many.
    #[inline]
    pub(super) fn spill_children(&mut self, children: &mut Vec<CallNode>) {
        let start = self.children;
        if children.len() - start >= PIECE {
            self.sums().children.extend(&children[start..]);
            children.truncate(start);
        }
    }
}
