//! Keeping a slab forest within a bound on memory.
//!
//! In: a forest over its limit. Out: the same forest without its coldest subtrees, at half the limit, and what they had counted.
//!
//! Phases: 1. sum counts upwards; 2. order nodes by the sum below them, children before parents; 3. drop from the cold end.
//! Nodes that an activation under way stands on, and their ancestors, stay: what follows hangs below them, so every later id is
//! still counted at the node that Definition 3 gives it. `[DD13]` leaves pruning to future work (section 4.2, Discussion).
//!
//! Invariant: an occurrence of a sequence is counted at one node, so no sequence loses more than the counts that were dropped.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::SlabForest;
use super::trie::TrieNode;

impl SlabForest {
    /// Drops the coldest subtrees until half the limit is free.
    pub(super) fn prune(&mut self) {
        let Some(limit) = self.limit else { return };
        let mut below: SecondaryMap<TrieNode, u64> = SecondaryMap::new();
        let mut stays: EntitySet<TrieNode> = EntitySet::new();
        for at in &self.activations {
            for node in [at.tau, at.beta].into_iter().filter_map(|node| node.expand()) {
                stays.insert(node);
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
        // Children come before their parents: they have no greater sum, and a stable sort keeps the descending order.
        cold.sort_by_key(|&node| below[node]);
        let excess = self.trie.node_count().saturating_sub(limit / 2 / self.trie.bytes_per_root());
        cold.truncate(excess);

        self.lost += cold.iter().map(|&node| self.trie.count(node)).sum::<u64>();
        self.pruned += cold.len() as u64;
        let mut dropped: EntitySet<TrieNode> = EntitySet::new();
        for &node in &cold {
            dropped.insert(node);
        }
        let (trie, moved) = self.trie.retain(|node| !dropped.contains(node));
        self.trie = trie;
        for at in &mut self.activations {
            at.tau = at.tau.expand().and_then(|node| moved[node].expand()).into();
            at.beta = at.beta.expand().and_then(|node| moved[node].expand()).into();
        }
        // Where live activations alone fill the bound, wait until as much again has come: not a prune for every id.
        self.prune_above = limit.max(2 * self.trie.bytes());
    }
}
