//! The k-iteration path forest (k-IPF): every sequence of up to `k` ids, once, with its count.
//!
//! In: a slab forest. Out: a [`PathForest`], Definition 2 of `[DD13]`.
//!
//! Algorithm (Figure 7): each node of the slab forest is the first id of sequences of the stream. So `k` levels of the
//! subtree of each node are joined into one trie, and their counts are added. An explicit stack replaces the recursion
//! of `join_subtree`, since `k` may be large.
//!
//! Deviation: Figure 7 calls `join_subtree` with `d = k` and recurs while `d > 0`, which joins sequences of `k + 1`
//! ids. Definition 2 allows at most `k` ids, so here a node's children are joined only while `d > 1`.
//!
//! [`PathForest::frequent`] leaves rare sequences out as it goes: all that extend a rare one are rare. Without a pattern most sequences are, so
//! that a stream takes little more time than its slabs.
//!
//! Invariant: a count is at least the sum of the children's counts (Property 1). Sequences whose nodes were all pruned
//! are absent.

use super::SlabForest;
use super::trie::{Below, ChildKind, Trie, TrieNode};

/// A k-IPF.
#[derive(Clone, Debug)]
pub struct PathForest {
    k: u32,
    trie: Trie,
}

impl PathForest {
    /// Builds the k-IPF (Figure 7: `make_k_ipf`).
    pub fn of(slabs: &SlabForest) -> PathForest {
        let from = slabs.trie();
        // With rows of slots every node, also a leaf, would have a row.
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
        PathForest::of_counted(slabs.k(), &trie)
    }

    /// Builds the part of the k-IPF whose sequences occur at least `least` times, each with its count.
    pub fn frequent(slabs: &SlabForest, least: u64) -> PathForest {
        let from = slabs.trie();
        let mut trie = Trie::new(ChildKind::List);
        // Each entry: a sequence, its length, and where its ends begin, which go on to those of the next entry.
        let mut work: Vec<(TrieNode, u32, usize)> = Vec::new();
        let mut ends: Vec<End> = Vec::new();
        let (mut parent, mut length) = (None, 1);
        let mut longer: Vec<End> = from.nodes().map(|node| End::of(from, node)).collect();
        loop {
            longer.sort_unstable_by_key(|end| end.label);
            for alike in longer.chunk_by(|a, b| a.label == b.label) {
                let count: u64 = alike.iter().map(|end| end.count).sum();
                if count < least.max(1) {
                    continue;
                }
                let delta = match parent {
                    None => trie.root(alike[0].label),
                    Some(parent) => trie.add_child(parent, alike[0].label, Below::Own),
                };
                trie.add(delta, count);
                if length < slabs.k() {
                    work.push((delta, length, ends.len()));
                    ends.extend_from_slice(alike);
                }
            }
            let Some((delta, shorter, first)) = work.pop() else { break };
            longer.clear();
            let children = ends[first..].iter().flat_map(|end| from.children(end.node));
            longer.extend(children.map(|child| End::of(from, child)));
            ends.truncate(first);
            (parent, length) = (Some(delta), shorter + 1);
        }
        PathForest { k: slabs.k(), trie }
    }

    /// The forest of the sequences in a trie that occurred, with their counts.
    pub(super) fn of_counted(k: u32, trie: &Trie) -> PathForest {
        let (trie, _) = trie.retain(|node| trie.count(node) > 0);
        PathForest { k, trie }
    }

    /// Length of the longest sequences.
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

    /// The count of a sequence; 0 if it did not occur.
    pub fn count(&self, sequence: &[u64]) -> u64 {
        self.trie.find(sequence).map_or(0, |node| self.trie.count(node))
    }

    /// The trie, for searches from the hottest node on.
    pub fn trie(&self) -> &Trie {
        &self.trie
    }

    /// The child with the highest count; of several, the one with the least label.
    pub fn likeliest_child(&self, node: TrieNode) -> Option<TrieNode> {
        let heat = |&child: &TrieNode| (self.trie.count(child), std::cmp::Reverse(self.trie.label(child)));
        self.trie.children(node).max_by_key(heat)
    }
}

/// A node of the slab forest that ends a sequence, with what is asked of it at hand.
#[derive(Clone, Copy)]
struct End {
    label: u64,
    count: u64,
    node: TrieNode,
}

impl End {
    fn of(trie: &Trie, node: TrieNode) -> End {
        End { label: trie.label(node), count: trie.count(node), node }
    }
}
