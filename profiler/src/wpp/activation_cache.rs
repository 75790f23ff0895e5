//! Cache of short activations, by what the recorder heard of them.
//!
//! In: the function, the piece numbers and the children of an activation that ends. Out: its node of the call graph, if an equal one ended
//! lately. An entry is found by its hash and compared whole.
//! Invariant: the numbers determine the node, since they determine the blocks and what is missing of the calls. So the cache changes no
//! result; it is emptied when nodes are taken back.

use super::call_graph::CallNode;
use crate::event::FunctionId;
use crate::settings::wpp::{CACHED_ACTIVATIONS, CACHED_BRIEF, CACHED_LEAVES, CACHED_NUMBERS};

#[derive(Clone, Copy)]
struct Entry {
    function: u32,
    pieces: u16,
    children: u16,
    node: CallNode,
    numbers: [u32; CACHED_NUMBERS],
}

/// No activation has so many pieces.
const VACANT: Entry = Entry { function: 0, pieces: u16::MAX, children: 0, node: 0, numbers: [0; CACHED_NUMBERS] };

/// An activation in the cache, or the place where it belongs.
pub(super) enum Cached {
    Known(CallNode),
    At(usize),
    /// It is too long.
    Never,
}

/// The cache; it takes no memory before the first activation.
#[derive(Default)]
pub(super) struct ActivationCache {
    entries: Vec<Entry>,
    /// Activations of one word that call nothing: function, word and node.
    leaves: Vec<(u32, u64, CallNode)>,
    /// Activations of one word and few calls.
    brief: Vec<(BriefActivation, CallNode)>,
}

/// An activation of one word and at most two calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BriefActivation {
    function: u32,
    children: [CallNode; 2],
    word: u64,
}

impl BriefActivation {
    /// Such an activation; `None` if there are more calls.
    #[inline]
    pub(super) fn new(function: FunctionId, word: u64, children: &[CallNode]) -> Option<BriefActivation> {
        let children = match *children {
            [] => [NO_CALL; 2],
            [first] => [first, NO_CALL],
            [first, second] => [first, second],
            _ => return None,
        };
        Some(BriefActivation { function: function.as_u32(), children, word })
    }

    #[inline]
    fn place(&self) -> usize {
        let [first, second] = self.children.map(u64::from);
        let calls = (first << 32 | second).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let path = (u64::from(self.function) << 32 ^ self.word).wrapping_mul(0x2432_43f6_a888_5a31);
        ((calls ^ path) >> (u64::BITS - CACHED_BRIEF.ilog2())) as usize
    }
}

/// No node has this number.
const NO_CALL: CallNode = CallNode::MAX - 1;

/// No function has this number.
const NOBODY: u32 = u32::MAX;

impl ActivationCache {
    /// Looks an activation up.
    #[inline]
    pub(super) fn find(&mut self, function: FunctionId, pieces: &[u32], children: &[CallNode]) -> Cached {
        if pieces.len() + children.len() > CACHED_NUMBERS {
            return Cached::Never;
        }
        if self.entries.is_empty() {
            self.entries = vec![VACANT; CACHED_ACTIVATIONS];
        }
        let at = place(function, pieces, children);
        let entry = &self.entries[at];
        let (of_pieces, of_children) = entry.numbers.split_at(pieces.len());
        let is_it = entry.function == function.as_u32()
            && usize::from(entry.pieces) == pieces.len()
            && usize::from(entry.children) == children.len()
            && are_equal(of_pieces, pieces)
            && are_equal(of_children, children);
        if is_it { Cached::Known(entry.node) } else { Cached::At(at) }
    }

    /// Keeps an activation at the place that it was looked up at.
    pub(super) fn keep(&mut self, at: usize, function: FunctionId, parts: (&[u32], &[CallNode]), node: CallNode) {
        let (pieces, children) = parts;
        let mut numbers = [0; CACHED_NUMBERS];
        numbers[..pieces.len()].copy_from_slice(pieces);
        numbers[pieces.len()..][..children.len()].copy_from_slice(children);
        let (pieces, children) = (pieces.len() as u16, children.len() as u16);
        self.entries[at] = Entry { function: function.as_u32(), pieces, children, node, numbers };
    }

    /// The node of an activation that was kept as these.
    #[inline]
    pub(super) fn leaf(&self, function: FunctionId, word: u64) -> Option<CallNode> {
        let &(known, of, node) = self.leaves.get(leaf_place(function, word))?;
        (known == function.as_u32() && of == word).then_some(node)
    }

    /// Keeps the node of an activation of one word that calls nothing.
    pub(super) fn keep_leaf(&mut self, function: FunctionId, word: u64, node: CallNode) {
        if self.leaves.is_empty() {
            self.leaves = vec![(NOBODY, 0, 0); CACHED_LEAVES];
        }
        self.leaves[leaf_place(function, word)] = (function.as_u32(), word, node);
    }

    /// The node of an activation that was kept as this.
    #[inline]
    pub(super) fn brief(&self, activation: &BriefActivation) -> Option<CallNode> {
        let (known, node) = self.brief.get(activation.place())?;
        (known == activation).then_some(*node)
    }

    /// Keeps the node of an activation.
    pub(super) fn keep_brief(&mut self, activation: BriefActivation, node: CallNode) {
        if self.brief.is_empty() {
            let nobody = BriefActivation { function: NOBODY, children: [NO_CALL; 2], word: 0 };
            self.brief = vec![(nobody, 0); CACHED_BRIEF];
        }
        self.brief[activation.place()] = (activation, node);
    }

    /// Forgets all activations.
    pub(super) fn clear(&mut self) {
        self.brief.clear();
        self.entries.clear();
        self.leaves.clear();
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let leaves = self.leaves.capacity() * size_of::<(u32, u64, CallNode)>();
        let brief = self.brief.capacity() * size_of::<(BriefActivation, CallNode)>();
        (self.entries.capacity() * size_of::<Entry>() + leaves + brief) as u64
    }
}

/// Compares the first numbers of an entry; a loop, as a call costs more than these few numbers.
#[inline]
fn are_equal(first: &[u32], numbers: &[u32]) -> bool {
    first.iter().zip(numbers).all(|(a, b)| a == b)
}

#[inline]
fn leaf_place(function: FunctionId, word: u64) -> usize {
    let hash = (word ^ u64::from(function.as_u32()) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> (u64::BITS - CACHED_LEAVES.ilog2())) as usize
}

#[inline]
fn place(function: FunctionId, pieces: &[u32], children: &[CallNode]) -> usize {
    let start = u64::from(function.as_u32()) << 8 | pieces.len() as u64;
    // Multiplicative: each step is a bijection of the state, so that a single different number is seen.
    let step =
        |hash: u64, number: &u32| (hash.rotate_left(23) ^ u64::from(*number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = pieces.iter().chain(children).fold(start.wrapping_mul(0x9e37_79b9_7f4a_7c15), step);
    (hash >> (u64::BITS - CACHED_ACTIVATIONS.ilog2())) as usize
}
