//! The k-iteration path forest: every sequence of up to `k` ids, once, with its count.
//!
//! In: a slab forest. Out: a [`PathForest`], Definition 2 of `[DD13]`.
//!
//! Algorithm (Figure 7): each node of the slab forest starts a sequence somewhere in the stream, so the subtree below each, `k` levels
//! of it, is joined into one trie, adding up counts. An explicit stack stands for `join_subtree`'s recursion: `k` may be large.
//!
//! Deviation: Figure 7 starts `join_subtree` at `d = k` and goes on while `d > 0`, which would join sequences of `k + 1` ids. Definition 2
//! has none longer than `k`, so a node goes on to its children only while `d > 1`.
//!
//! Invariant: a count is at least the sum of the children's (Property 1); sequences that pruning emptied are left out.

use super::SlabForest;
use super::trie::{ChildKind, Trie, TrieNode};

/// A k-IPF.
#[derive(Clone, Debug)]
pub struct PathForest {
    k: u32,
    trie: Trie,
}

impl PathForest {
    /// Figure 7: `make_k_ipf`.
    pub fn of(slabs: &SlabForest) -> PathForest {
        let from = slabs.trie();
        // Rows would be for every node here, leaves too.
        let mut trie = Trie::new(ChildKind::List);
        let mut work = Vec::new();
        for rho in from.nodes() {
            let delta = trie.root(from.label(rho));
            work.push((rho, delta, slabs.k()));
            while let Some((rho, delta, d)) = work.pop() {
                trie.add(delta, from.count(rho));
                if d > 1 {
                    for sigma in from.children(rho) {
                        work.push((sigma, trie.child(delta, from.label(sigma)), d - 1));
                    }
                }
            }
        }
        let (trie, _) = trie.retain(|node| trie.count(node) > 0);
        PathForest { k: slabs.k(), trie }
    }

    /// The longest sequences.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Number of nodes, that is, of sequences.
    pub fn node_count(&self) -> usize {
        self.trie.node_count()
    }

    /// Every sequence with its count, in lexicographic order.
    pub fn sequences(&self) -> Vec<(Vec<u64>, u64)> {
        self.trie.sequences()
    }

    /// How often a sequence occurred.
    pub fn count(&self, sequence: &[u64]) -> u64 {
        self.trie.find(sequence).map_or(0, |node| self.trie.count(node))
    }

    /// The nodes, to walk from the hottest on.
    pub fn trie(&self) -> &Trie {
        &self.trie
    }

    /// The child with the highest count; the lower label where two have it.
    pub fn likeliest_child(&self, node: TrieNode) -> Option<TrieNode> {
        let heat = |&child: &TrieNode| (self.trie.count(child), std::cmp::Reverse(self.trie.label(child)));
        self.trie.children(node).max_by_key(heat)
    }
}
