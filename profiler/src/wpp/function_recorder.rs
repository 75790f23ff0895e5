//! Tables of one function while a run is recorded: from path ids to pieces, and from hashes of blocks to traces.
//!
//! In: path ids, and ended activations. Out: piece and trace numbers of the function's [`FunctionTraces`], which grow.
//! Invariant: a piece or trace is added only if none has the same blocks.

use super::call_graph::{CUT, CallNode, TraceNumber, calls_of};
use super::function_traces::{FunctionTraces, PieceNumber};
use super::path_blocks::PathBlocks;
use super::piece_sums::{GroupSums, PieceSum};
use super::rolling::{RollingHash, RollingPart};
use super::sequence::Sequence;
use crate::event::packing::Packing;
use crate::graph::Node;
use crate::hash::{IdMap, KeyMap};
use crate::settings::wpp::{
    DENSE_IDS, LONGEST_RUN, MOST_EXACT_RUNS, MOST_WORDS, PART_BITS, RECENT_RUNS, RECENT_WORDS, SHORT_WORDS,
};

/// Bound of the parts of words, the bit above their paths included.
const MOST_PARTS: u64 = 2 << PART_BITS;

/// Entry of the array for an id that was not seen yet.
const UNSEEN: PieceNumber = u32::MAX;

pub(super) struct FunctionRecorder {
    pub(super) decoder: Box<dyn PathBlocks + Send>,
    /// For functions whose words have several ids each, their layout.
    pub(super) packing: Option<Packing>,
    pub(super) pieces: Vec<PieceSum>,
    pub(super) groups: GroupSums,
    /// Number of calls of each block.
    calls: Vec<u32>,
    dense: Vec<PieceNumber>,
    sparse: IdMap<PieceNumber>,
    /// The pieces of words with several ids.
    words: IdMap<PieceNumber>,
    /// Some of them, each at a place that follows from the word.
    recent: [(u64, PieceNumber); RECENT_WORDS],
    /// The pieces of short words, and of parts of other words, by the word.
    parts: Vec<PieceNumber>,
    /// The pieces of one path several times, by its id and their number.
    runs: KeyMap<(u64, u64), PieceNumber>,
    /// Number of them whose times are no power of two.
    exact_runs: usize,
    /// Some of them, each at a place that follows from both.
    recent_runs: [((u64, u64), PieceNumber); RECENT_RUNS],
    prefixes: KeyMap<(u32, u64), PieceNumber>,
    by_blocks: KeyMap<(u64, u64), PieceNumber>,
    traces: KeyMap<(u64, u64), TraceNumber>,
    /// The node of each trace without calls.
    leaves: Vec<Option<CallNode>>,
    /// The node of an activation that has the paths of one short word and calls nothing, by the word; [`CUT`] if it is not known.
    known_leaves: Vec<CallNode>,
}

/// The number of traces at one moment, to which the tables can be taken back.
pub(super) struct Mark {
    traces: u32,
    uses: Vec<u64>,
}

impl Mark {
    pub(super) fn of(traces: &FunctionTraces) -> Mark {
        Mark { traces: traces.len(), uses: traces.uses.clone() }
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
            // No word is 0, and no path comes 0 times.
            recent: [(0, UNSEEN); RECENT_WORDS],
            parts: Vec::new(),
            runs: KeyMap::default(),
            exact_runs: 0,
            recent_runs: [((0, 0), UNSEEN); RECENT_RUNS],
            calls,
            pieces: Vec::new(),
            groups: GroupSums::default(),
            dense: Vec::new(),
            sparse: IdMap::default(),
            prefixes: KeyMap::default(),
            by_blocks: KeyMap::default(),
            traces: KeyMap::default(),
            leaves: Vec::new(),
            known_leaves: Vec::new(),
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
    #[inline]
    pub(super) fn word(&mut self, word: u64, packing: Packing, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        if let Some(&piece) = self.parts.get(word as usize)
            && piece != UNSEEN
        {
            return Some(piece);
        }
        let at = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - RECENT_WORDS.ilog2())) as usize;
        let (known, piece) = self.recent[at];
        if known == word {
            return Some(piece);
        }
        let piece = self.other_word(word, packing, traces)?;
        self.recent[at] = (word, piece);
        Some(piece)
    }

    fn other_word(&mut self, word: u64, packing: Packing, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        if word < MOST_PARTS {
            let piece = self.word_piece(word, packing, traces)?;
            self.parts.resize(self.parts.len().max((word as usize + 1).next_power_of_two()), UNSEEN);
            self.parts[word as usize] = piece;
            return Some(piece);
        }
        if let Some(&piece) = self.words.get(&word) {
            return Some(piece);
        }
        if self.words.len() >= MOST_WORDS {
            return None;
        }
        let piece = self.word_piece(word, packing, traces)?;
        self.words.insert(word, piece);
        Some(piece)
    }

    /// Appends the pieces of a word part by part; false if there is no such path.
    pub(super) fn parts(
        &mut self,
        word: u64,
        packing: Packing,
        to: &mut Vec<u32>,
        traces: &mut FunctionTraces,
    ) -> bool {
        let ids_of_part = PART_BITS / packing.bits;
        if ids_of_part < 2 {
            return packing.ids(word).all(|id| self.path(id, traces).map(|piece| to.push(piece)).is_some());
        }
        self.parts.resize(MOST_PARTS as usize, UNSEEN);
        let mut left = packing.len(word);
        while left > 0 {
            let ids = left.min(ids_of_part);
            left -= ids;
            let part = packing.suffix(word >> (left * packing.bits), ids);
            let piece = match self.parts[part as usize] {
                UNSEEN => match self.word_piece(part, packing, traces) {
                    Some(piece) => piece,
                    None => return false,
                },
                piece => piece,
            };
            self.parts[part as usize] = piece;
            to.push(piece);
        }
        true
    }

    /// The piece of the paths of a word.
    fn word_piece(&mut self, word: u64, packing: Packing, traces: &mut FunctionTraces) -> Option<PieceNumber> {
        let paths: Option<Vec<Vec<Node>>> = packing.ids(word).map(|id| self.decoder.path(id)).collect();
        self.piece(&paths?.concat(), traces)
    }

    /// The piece of a path at most `count` times, and how often that is; `None` if there is no such path.
    ///
    /// The first numbers have a piece each; of others the greatest power of two has, so that there are few pieces.
    #[inline]
    pub(super) fn run(&mut self, id: u64, count: u64, traces: &mut FunctionTraces) -> Option<(PieceNumber, u64)> {
        let at = |count: u64| id.wrapping_mul(7).wrapping_add(count) as usize % RECENT_RUNS;
        let (known, piece) = self.recent_runs[at(count)];
        if known == (id, count) {
            return Some((piece, count));
        }
        let (piece, taken) = self.other_run(id, count, traces)?;
        self.recent_runs[at(taken)] = ((id, taken), piece);
        Some((piece, taken))
    }

    fn other_run(&mut self, id: u64, count: u64, traces: &mut FunctionTraces) -> Option<(PieceNumber, u64)> {
        if let Some(&piece) = self.runs.get(&(id, count)) {
            return Some((piece, count));
        }
        let single = self.path(id, traces)?;
        let longest = (LONGEST_RUN as u64 / self.pieces[single as usize].blocks).max(1);
        let is_exact = self.exact_runs < MOST_EXACT_RUNS && count <= longest;
        let taken = if is_exact { count } else { 1 << count.min(longest).ilog2() };
        if taken == 1 {
            return Some((single, 1));
        }
        if let Some(&piece) = self.runs.get(&(id, taken)) {
            return Some((piece, taken));
        }
        let blocks = self.decoder.path(id)?;
        let piece = self.piece(&blocks.repeat(taken as usize), traces)?;
        self.exact_runs += usize::from(!taken.is_power_of_two());
        self.runs.insert((id, taken), piece);
        Some((piece, taken))
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
            pieces.push(PieceSum { part, calls, blocks: indices.len() as u64 });
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

    pub(super) fn set_leaf(&mut self, trace: TraceNumber, node: CallNode) {
        self.leaves[trace as usize] = Some(node);
    }

    /// The node of an activation with the paths of a short word and no calls, if it was kept.
    #[inline]
    pub(super) fn known_leaf(&self, word: u64) -> Option<CallNode> {
        self.known_leaves.get(word as usize).copied().filter(|&node| node != CUT)
    }

    /// Keeps the node of such an activation; false if the word is not short.
    pub(super) fn keep_leaf(&mut self, word: u64, node: CallNode) -> bool {
        if word >= SHORT_WORDS {
            return false;
        }
        let len = self.known_leaves.len().max((word as usize + 1).next_power_of_two());
        self.known_leaves.resize(len, CUT);
        self.known_leaves[word as usize] = node;
        true
    }

    /// Forgets the traces that were added since, and the nodes from `nodes` on.
    pub(super) fn back_to(&mut self, mark: &Mark, nodes: CallNode, traces: &mut FunctionTraces) {
        if traces.len() > mark.traces {
            self.traces.retain(|_, trace| *trace < mark.traces);
            traces.truncate(mark.traces);
            self.leaves.truncate(mark.traces as usize);
        }
        traces.uses.clone_from(&mark.uses);
        let is_old = |leaf: &mut Option<CallNode>| *leaf = leaf.filter(|&node| node < nodes);
        self.leaves.iter_mut().for_each(is_old);
        self.known_leaves.iter_mut().filter(|node| **node >= nodes).for_each(|node| *node = CUT);
    }

    /// Memory in use, in bytes, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let words = self.words.capacity() * 16 + self.runs.capacity() * 32;
        let tables = words + self.sparse.capacity() * 16 + (self.prefixes.capacity() + self.by_blocks.capacity()) * 24;
        let numbers = self.dense.capacity() + self.parts.capacity() + self.known_leaves.capacity();
        let arrays = self.groups.bytes() + self.pieces.capacity() * size_of::<PieceSum>() + numbers * size_of::<u32>();
        (tables + arrays + self.traces.capacity() * 25 + self.leaves.capacity() * 8) as u64
    }
}
