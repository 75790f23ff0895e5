//! Pruning of a slab forest to a bound on memory.
//!
//! In: a forest over its limit. Out: the forest without its coldest subtrees, at half the limit; their counts are added
//! to `lost`.
//!
//! Phases: 1. sum counts upwards; 2. order nodes by the sum of their subtree, children before parents; 3. drop the
//! coldest nodes; 4. drop also the descendants of dropped nodes and the nodes that link to them. The nodes of live
//! activations, their links and their ancestors are kept: later ids become their descendants, so every later id is
//! still counted at its node of Definition 3. `[DD13]` leaves pruning to future work (section 4.2, Discussion).
//!
//! Invariant: an occurrence of a sequence is counted at one node, so a sequence loses at most the sum of the dropped
//! counts.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::SlabForest;
use super::trie::TrieNode;

impl SlabForest {
    /// Drops the coldest subtrees until half of the limit is free.
    pub(super) fn prune(&mut self) {
        let Some(limit) = self.limit else { return };
        let mut below: SecondaryMap<TrieNode, u64> = SecondaryMap::new();
        let mut stays: EntitySet<TrieNode> = EntitySet::new();
        for at in &self.activations {
            if let Some(node) = at.place.node() {
                stays.insert(node);
                if let Some(link) = self.trie.link(node) {
                    stays.insert(link);
                }
            }
        }
        let mut cold: Vec<TrieNode> = Vec::new();
        for node in self.trie.nodes().rev() {
            below[node] = self.trie.count(node);
            for child in self.trie.children(node) {
                below[node] += below[child];
                if stays.contains(child) {
                    stays.insert(node);
                }
            }
            if !stays.contains(node) {
                cold.push(node);
            }
        }
        // Children come before their parents: their sum is no greater, and a stable sort keeps the descending order.
        cold.sort_by_key(|&node| below[node]);
        let excess = self.trie.node_count().saturating_sub(limit / 2 / self.trie.bytes_per_root());
        cold.truncate(excess);

        let mut dropped: EntitySet<TrieNode> = EntitySet::new();
        for &node in &cold {
            dropped.insert(node);
        }
        for node in self.trie.nodes() {
            // Parents and links have lower indices than the nodes that need them, so they are decided first.
            if self.trie.link(node).is_some_and(|link| dropped.contains(link)) {
                dropped.insert(node);
            }
            if dropped.contains(node) {
                self.lost += self.trie.count(node);
                self.pruned += 1;
                for child in self.trie.children(node) {
                    dropped.insert(child);
                }
            }
        }
        let (trie, moved) = self.trie.retain(|node| !dropped.contains(node));
        self.trie = trie;
        for at in &mut self.activations {
            at.place.at = at.place.node().map(|node| moved[node].expect("where an activation stands stays")).into();
        }
        // If the nodes of live activations alone exceed the limit, prune again only after the size has doubled, not at
        // every id.
        self.prune_above = limit.max(2 * self.trie.bytes());
    }
}
