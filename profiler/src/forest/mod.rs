//! The k-slab forest: counts of concatenations of up to `k` acyclic paths, built from a stream of path ids.
//!
//! In: activation markers and path ids, through [`Sink`]. Out: a [`SlabForest`], which [`ipf::PathForest::of`] turns
//! into the k-IPF: every sequence of 1..k ids with its exact count.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013:
//! Definition 3 and Figure 6. Notation: `tau` is the current node in the upper part of the forest (levels 0 to k-2),
//! `beta` the one in the lower part (k-1 to 2k-3), `n` the number of ids since the activation started, kept modulo k-1.
//!
//! ```text
//!   stream  * 6 2 0 | 0 2 2 | 0 0 2 ...      k = 4: cut every 3 ids. A slab enters the trie twice:
//!           s1 = 6 2 0, s2 = 0 2 2           from a root (tau), and below the slab before it (beta).
//! ```
//!
//! The paper's stream is that of one routine without recursion; here a stack holds a place for each live activation.
//! A failure ends a path as a prefix. A prefix is no id of the stream, and no sequence crosses it: it acts as a marker
//! `*`. Definition 3 does not cover `k = 1`; here it counts single ids at the roots.
//!
//! Figure 6 advances both `tau` and `beta` for each id. Here only one pointer advances, because `beta` determines
//! `tau`: a lower node spells a slab and the part of the next slab so far, and `tau` is the upper node that spells that
//! part. When a lower node is created, its `tau` is stored as its link. So the place of an activation is the node that
//! counted its last id. A step goes to a child of that node, or from the last level to a child of its link.
//!
//! Measured 2026-11-21, AMD EPYC, two shared cores, best of five, by
//! `cargo run --release -p holloway-profiler --example measure_sinks`, ns an id with decoding, activations of a million
//! ids:
//!
//! | stream | hash table | k = 2 | 3 | 4 | 8 | 16 |
//! |---|---|---|---|---|---|---|
//! | one path of 100 | 4.1 | 4.0 | 3.3 | 2.8 | 2.5 | 2.4 |
//! | period of 7 paths | 4.0 | 3.9 | 3.3 | 2.9 | 2.6 | 2.5 |
//! | period of 100 | 4.1 | 3.9 | 3.2 | 2.9 | 3.0 | 2.5 |
//! | 2 paths at random | 4.0 | 3.2 | 3.1 | 3.1 | 6.8 | 108 |
//! | 16 paths at random | 3.9 | 33 | 134 | 350 | 179 | 90 |
//!
//! Without a pattern there are as many sequences as ids, and the forest outgrows the caches. With one, a forest is
//! cheaper than a hash table.
//!
//! Invariants: each id of the stream is counted at exactly one node. Without pruning every count of the k-IPF is exact;
//! with pruning a count is too low by at most [`SlabForest::lost`].

pub mod bursts;
pub mod cycles;
pub mod first;
mod follow;
pub mod ipf;
pub mod long_cycles;
pub mod prune;
pub mod sample;
pub mod suffix;
pub mod trie;

use crate::graph::Node;
use crate::machine::Sink;
use cranelift_entity::packed_option::PackedOption;
use trie::{ChildKind, ROOTS, Trie, TrieNode};

/// The k-slab forest of the part of a stream that was read so far.
#[derive(Clone, Debug)]
pub struct SlabForest {
    k: u32,
    trie: Trie,
    /// The live activations, innermost last.
    activations: Vec<Activation>,
    limit: Option<usize>,
    prune_above: usize,
    lost: u64,
    pruned: u64,
    uncertain: u64,
}

/// State of one activation.
#[derive(Clone, Copy, Debug, Default)]
struct Activation {
    place: ForestPosition,
    /// Number of coming ids that may end a sequence which began in a gap of the stream.
    resumed: u32,
}

/// Position of an activation in the forest; by default before its first id, or after a marker `*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ForestPosition {
    /// The node that counted the last id: `beta`, or `tau` in the first slab; `None` before the first id.
    at: PackedOption<TrieNode>,
    /// The node's level.
    level: u32,
}

impl ForestPosition {
    /// The node that counts the last id.
    pub fn node(self) -> Option<TrieNode> {
        self.at.expand()
    }
}

impl SlabForest {
    /// An empty forest for sequences of up to `k` ids below `num_paths`; `k` is at least 1.
    pub fn new(k: u32, num_paths: u64) -> SlabForest {
        SlabForest::with_children(k, ChildKind::for_paths(num_paths))
    }

    /// An empty forest with the given storage of children.
    pub fn with_children(k: u32, children: ChildKind) -> SlabForest {
        assert!(k >= 1, "a sequence has at least one id");
        SlabForest {
            k,
            trie: Trie::new(children),
            activations: Vec::new(),
            limit: None,
            prune_above: usize::MAX,
            lost: 0,
            pruned: 0,
            uncertain: 0,
        }
    }

    /// Bounds the memory: above `bytes`, cold subtrees are pruned and their counts are added to [`SlabForest::lost`].
    ///
    /// Nodes of live activations are kept, so a deep recursion may take more.
    pub fn with_limit(mut self, bytes: usize) -> SlabForest {
        self.limit = Some(bytes);
        self.prune_above = bytes;
        self
    }

    /// Starts an activation (the marker `*`); the place of the enclosing one is kept.
    pub fn enter(&mut self) {
        self.activations.push(Activation::default());
    }

    /// Ends the innermost activation.
    pub fn leave(&mut self) {
        self.activations.pop();
    }

    /// Puts a marker `*` into the innermost activation: no sequence crosses this point.
    pub fn restart(&mut self) {
        match self.activations.last_mut() {
            Some(innermost) => *innermost = Activation::default(),
            None => self.enter(),
        }
    }

    /// Forgets the activations under way; those that go on are entered again by their next ids.
    pub fn forget_activations(&mut self) {
        self.activations.clear();
    }

    /// Notes that ids were left out: no counted sequence of any activation crosses this point, though one of the
    /// program might.
    pub fn resume_after_gap(&mut self) {
        self.activations.fill(Activation { resumed: self.k - 1, ..Activation::default() });
    }

    /// Figure 6: the innermost activation completes path `r`.
    pub fn process_bl_path_id(&mut self, r: u64) {
        self.process_bl_path_ids(&[r]);
    }

    /// Figure 6 for each of `ids` in order.
    pub fn process_bl_path_ids(&mut self, ids: &[u64]) {
        if self.activations.is_empty() {
            self.enter();
        }
        let innermost = self.activations.last_mut().expect("an activation is under way");
        if innermost.resumed > 0 {
            let resumed = ids.len().min(innermost.resumed as usize);
            innermost.resumed -= resumed as u32;
            self.uncertain += resumed as u64;
        }
        if self.k == 1 {
            return ids.iter().for_each(|&r| self.count_root(r));
        }
        let mut rest = ids;
        while !rest.is_empty() {
            let known = match self.trie.kind() {
                ChildKind::List => self.follow_lists(rest),
                ChildKind::Dense(width) => self.follow_rows(width, rest),
            };
            rest = &rest[known..];
            if let Some((&r, others)) = rest.split_first() {
                self.step(r);
                rest = others;
            }
        }
    }

    fn count_root(&mut self, r: u64) {
        let root = self.trie.root(r);
        self.trie.add(root, 1);
        if self.trie.bytes() > self.prune_above {
            self.prune();
        }
    }

    /// Counts ids while each is at the front of its list of children; returns their number.
    fn follow_lists(&mut self, ids: &[u64]) -> usize {
        let last_level = self.last_level();
        let first_lower = self.k - 1;
        let innermost = self.activations.last_mut().expect("an activation is under way");
        let ForestPosition { at, mut level } = innermost.place;
        let Some(mut at) = at.expand() else { return 0 };
        let mut known = 0;
        for &r in ids {
            let (base, next) = if level == last_level {
                (self.trie.link(at).expect("the last level has links"), first_lower)
            } else {
                (at, level + 1)
            };
            let Some(child) = self.trie.count_first_child(base, r) else { break };
            at = child;
            level = next;
            known += 1;
        }
        innermost.place = ForestPosition { at: at.into(), level };
        known
    }

    /// Counts ids while their nodes exist; returns their number.
    fn follow_rows(&mut self, width: u32, ids: &[u64]) -> usize {
        let last_level = self.last_level();
        let innermost = self.activations.last_mut().expect("an activation is under way");
        let (row, before) = match innermost.place.node() {
            Some(at) => (self.trie.next_row(at), innermost.place.level as usize + 1),
            None => (ROOTS, 0),
        };
        let (known, at, _) = self.trie.count_along(width, row, ids);
        if let Some(at) = at {
            let level = before + known - 1;
            let beyond = level.saturating_sub(last_level as usize);
            // After the last level, levels repeat with the length of a slab.
            let level = match beyond {
                0 => level as u32,
                _ => self.k - 1 + (beyond - 1) as u32 % (self.k - 1),
            };
            innermost.place = ForestPosition { at: at.into(), level };
        }
        known
    }

    /// Counts one id; creates the nodes that it needs.
    fn step(&mut self, r: u64) {
        let nodes = self.trie.node_count();
        let before = self.activations.last().expect("an activation is under way").place;
        let place = self.follow(before, r);
        self.add_at(place, 1);
        self.activations.last_mut().expect("it is still").place = place;
        if self.trie.node_count() > nodes && self.trie.bytes() > self.prune_above {
            self.prune();
        }
    }

    /// The level of nodes whose steps go to a child of the link; k is above 1.
    fn last_level(&self) -> u32 {
        2 * self.k - 3
    }

    /// Length of the longest sequences.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The trie of nodes with labels and counts.
    pub fn trie(&self) -> &Trie {
        &self.trie
    }

    /// The bytes above which cold subtrees are pruned, if that was said.
    pub fn limit(&self) -> Option<usize> {
        self.limit
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.trie.node_count()
    }

    /// Bytes of the nodes and of the table of roots.
    pub fn bytes(&self) -> usize {
        self.trie.bytes()
    }

    /// Number of ids whose count was pruned, by which counts of the k-IPF are too low at most; with 0 all counts are
    /// exact.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Number of ids that may end a sequence which began in a gap and was therefore not counted.
    pub fn uncertain(&self) -> u64 {
        self.uncertain
    }

    /// Number of pruned nodes.
    pub fn pruned_nodes(&self) -> u64 {
        self.pruned
    }
}

impl Sink for SlabForest {
    fn path(&mut self, id: u64) {
        self.process_bl_path_id(id);
    }

    fn paths(&mut self, ids: &[u64]) {
        self.process_bl_path_ids(ids);
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        self.restart();
    }

    fn enter(&mut self) {
        SlabForest::enter(self);
    }

    fn leave(&mut self) {
        SlabForest::leave(self);
    }
}
