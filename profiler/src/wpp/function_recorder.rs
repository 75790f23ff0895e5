//! Tables of one function while a run is recorded: from path ids to pieces, and from hashes of blocks to traces.
//!
//! In: path ids, and ended activations. Out: piece and trace numbers of the function's [`FunctionTraces`], which grow.
//! Invariant: a piece or trace is added only if none has the same blocks.

use super::call_graph::{CallNode, TraceNumber, calls_of};
use super::function_traces::{FunctionTraces, PieceNumber};
use super::path_blocks::PathBlocks;
use super::rolling::{RollingHash, RollingPart};
use super::sequence::Sequence;
use crate::forest::slab::Packing;
use crate::graph::Node;
use crate::hash::{IdMap, KeyMap};
use crate::settings::wpp::{DENSE_IDS, LONGEST_RUN, MOST_WORDS};

/// Entry of the array for an id that was not seen yet.
const UNSEEN: PieceNumber = u32::MAX;

pub(super) struct FunctionRecorder {
    pub(super) decoder: Box<dyn PathBlocks + Send>,
    /// For functions whose words have several ids each, their layout.
    pub(super) packing: Option<Packing>,
    pub(super) pieces: Vec<KnownPiece>,
    /// Number of calls of each block.
    calls: Vec<u32>,
    dense: Vec<PieceNumber>,
    sparse: IdMap<PieceNumber>,
    /// The pieces of words with several ids.
    words: IdMap<PieceNumber>,
    /// The pieces of one path 2^n times, by its id and n.
    runs: KeyMap<(u64, u32), PieceNumber>,
    prefixes: KeyMap<(u32, u64), PieceNumber>,
    by_blocks: KeyMap<(u64, u64), PieceNumber>,
    traces: KeyMap<(u64, u64), TraceNumber>,
    /// The node of each trace without calls.
    leaves: Vec<Option<CallNode>>,
}

/// A piece as the recorder appends it.
pub(super) struct KnownPiece {
    pub(super) part: RollingPart,
    /// The calls that its blocks make.
    pub(super) calls: u64,
    /// Number of its blocks.
    pub(super) blocks: u32,
    /// The node of an activation that is this piece alone and calls nothing.
    pub(super) leaf: Option<CallNode>,
}

/// The number of traces at one moment, to which the tables can be taken back.
pub(super) struct Mark(u32);

impl Mark {
    pub(super) fn of(traces: &FunctionTraces) -> Mark {
        Mark(traces.len())
    }
}

impl FunctionRecorder {
    pub(super) fn new(
        decoder: Box<dyn PathBlocks + Send>,
        packing: Option<Packing>,
        calls: Vec<u32>,
    ) -> FunctionRecorder {
        FunctionRecorder {
            decoder,
            packing,
            words: IdMap::default(),
            runs: KeyMap::default(),
            calls,
            pieces: Vec::new(),
            dense: Vec::new(),
            sparse: IdMap::default(),
            prefixes: KeyMap::default(),
            by_blocks: KeyMap::default(),
            traces: KeyMap::default(),
            leaves: Vec::new(),
        }
    }

    /// The piece of a complete path.
    #[inline]
    pub(super) fn path(&mut self, id: u64, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        match self.dense.get(id as usize) {
            Some(&piece) if piece != UNSEEN => Some(piece),
            _ => self.rare_path(id, traces),
        }
    }

    #[cold]
    fn first_path(&mut self, id: u64, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        let blocks = self.decoder.path(id)?;
        let piece = self.piece(&blocks, traces)?;
        if id < DENSE_IDS {
            let len = self.dense.len().max((id as usize + 1).next_power_of_two());
            self.dense.resize(len, UNSEEN);
            self.dense[id as usize] = piece;
        } else {
            self.sparse.insert(id, piece);
        }
        Some(piece)
    }

    fn rare_path(&mut self, id: u64, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        match self.sparse.get(&id) {
            Some(&piece) => Some(piece),
            None => self.first_path(id, traces),
        }
    }

    /// The piece of all paths of a word; `None` if it is better taken path by path.
    pub(super) fn word(&mut self, word: u64, packing: Packing, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        if let Some(&piece) = self.words.get(&word) {
            return Some(piece);
        }
        if self.words.len() >= MOST_WORDS {
            return None;
        }
        let paths: Option<Vec<Vec<Node>>> = packing.ids(word).map(|id| self.decoder.path(id)).collect();
        let piece = self.piece(&paths?.concat(), traces)?;
        self.words.insert(word, piece);
        Some(piece)
    }

    /// The piece of a path `2^log` times; `None` if there is no such path, or it would be long.
    pub(super) fn run(&mut self, id: u64, log: u32, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        if log == 0 {
            return self.path(id, traces);
        }
        if let Some(&piece) = self.runs.get(&(id, log)) {
            return Some(piece);
        }
        let blocks = self.decoder.path(id)?;
        if blocks.len() << log > LONGEST_RUN {
            return None;
        }
        let piece = self.piece(&blocks.repeat(1 << log), traces)?;
        self.runs.insert((id, log), piece);
        Some(piece)
    }

    /// The piece of a path that a failure cut short.
    pub(super) fn prefix(&mut self, block: Node, id: u64, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        let key = (block.as_u32(), id);
        if let Some(&piece) = self.prefixes.get(&key) {
            return Some(piece);
        }
        let blocks = self.decoder.prefix(block, id)?;
        let piece = self.piece(&blocks, traces)?;
        self.prefixes.insert(key, piece);
        Some(piece)
    }

    /// The piece with these blocks; `None` if there are none or too many.
    fn piece(&mut self, blocks: &[Node], traces: &mut FunctionTraces) -> Option<PieceNumber> {
        if blocks.is_empty() {
            return None;
        }
        let indices: Vec<u32> = blocks.iter().map(|block| block.as_u32()).collect();
        let part = RollingPart::of(&indices);
        let calls = calls_of(blocks, &self.calls);
        let pieces = &mut self.pieces;
        Some(*self.by_blocks.entry(part.hash().key()).or_insert_with(|| {
            pieces.push(KnownPiece { part, calls, blocks: indices.len() as u32, leaf: None });
            traces.pieces.push(&indices)
        }))
    }

    /// The trace with this hash and so many blocks, which is `first` and then `last`.
    pub(super) fn trace(
        &mut self,
        (hash, blocks): (RollingHash, u64),
        first: Option<Sequence>,
        last: &[PieceNumber],
        traces: &mut FunctionTraces,
    ) -> TraceNumber {
        *self.traces.entry(hash.key()).or_insert_with(|| {
            self.leaves.push(None);
            traces.push(first, last, blocks)
        })
    }

    /// The node of this trace without calls.
    pub(super) fn leaf(&self, trace: TraceNumber) -> Option<CallNode> {
        self.leaves[trace as usize]
    }

    pub(super) fn set_leaf(&mut self, trace: TraceNumber, single: Option<PieceNumber>, node: CallNode) {
        self.leaves[trace as usize] = Some(node);
        if let Some(piece) = single {
            self.pieces[piece as usize].leaf = Some(node);
        }
    }

    /// Forgets the traces that were added since, and the nodes from `nodes` on.
    pub(super) fn back_to(&mut self, mark: &Mark, nodes: CallNode, traces: &mut FunctionTraces) {
        if traces.len() > mark.0 {
            self.traces.retain(|_, trace| *trace < mark.0);
            traces.truncate(mark.0);
            self.leaves.truncate(mark.0 as usize);
        }
        let is_old = |leaf: &mut Option<CallNode>| *leaf = leaf.filter(|&node| node < nodes);
        self.leaves.iter_mut().for_each(is_old);
        self.pieces.iter_mut().for_each(|piece| is_old(&mut piece.leaf));
    }

    /// Memory in use, in bytes, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let words = self.words.capacity() * 16 + self.runs.capacity() * 24;
        let tables = words + self.sparse.capacity() * 16 + (self.prefixes.capacity() + self.by_blocks.capacity()) * 24;
        let arrays = self.pieces.capacity() * size_of::<KnownPiece>() + self.dense.capacity() * 4;
        (tables + arrays + self.traces.capacity() * 25 + self.leaves.capacity() * 8) as u64
    }
}
