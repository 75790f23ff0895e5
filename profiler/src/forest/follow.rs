//! Steps through a slab forest from any place, for a caller that keeps the places of activations.
//!
//! In: a place and the next ids. Out: the place after them, and the number of times that each node passed has to be
//! counted; missing nodes are created. Compiled code keeps an activation's place in a register and counts later.
//!
//! Invariant: following ids and counting each place once gives the forest that [`SlabForest::process_bl_path_ids`]
//! gives.

use super::trie::{Below, TrieNode};
use super::{ForestPosition, SlabForest};

impl SlabForest {
    /// Figure 6 without counting: the place after the id `r`.
    pub fn follow(&mut self, from: ForestPosition, r: u64) -> ForestPosition {
        let (node, level) = match from.node() {
            _ if self.k == 1 => (self.trie.root(r), 0),
            None => (self.trie.root(r), 0),
            Some(before) if from.level < self.k - 2 => (self.trie.child(before, r), from.level + 1),
            Some(before) => {
                // A slab is complete on levels k-2 and 2k-3: the next one begins at a root.
                let is_last = from.level == self.last_level();
                let base = if is_last { self.trie.link(before) } else { None }.unwrap_or(before);
                let level = if is_last { self.k - 1 } else { from.level + 1 };
                let below = match self.trie.find_child(base, r) {
                    Some(child) => child,
                    None => self.add_lower(before, base, level, r),
                };
                (below, level)
            }
        };
        ForestPosition { at: node.into(), level }
    }

    /// Adds a node of the lower part and links it to its `tau`, the upper node that spells the current slab so far.
    fn add_lower(&mut self, before: TrieNode, base: TrieNode, level: u32, r: u64) -> TrieNode {
        let tau = match self.trie.link(before).filter(|_| level > self.k - 1) {
            Some(tau) => self.trie.child(tau, r),
            None => self.trie.root(r),
        };
        let below = if level == self.last_level() { Below::Instead(tau) } else { Below::Linked(tau) };
        self.trie.add_child(base, r, below)
    }

    /// The canonical place of those with the same future: a place on the last level becomes that of its link.
    pub fn settle(&self, place: ForestPosition) -> ForestPosition {
        let Some(node) = place.node().filter(|_| self.k > 1) else { return ForestPosition::default() };
        if place.level < self.last_level() {
            return place;
        }
        ForestPosition { at: self.trie.link(node).into(), level: self.k - 2 }
    }

    /// Follows the id `r` `times` times without counting; returns each place passed with its number of passes, and the
    /// last place.
    ///
    /// Places recur after one slab, so this takes at most two slabs of steps.
    pub fn follow_repeated(
        &mut self,
        from: ForestPosition,
        r: u64,
        times: u64,
    ) -> (Vec<(ForestPosition, u64)>, ForestPosition) {
        let mut passed: Vec<(ForestPosition, u64)> = Vec::new();
        let mut at = from;
        for done in 0..times {
            at = self.follow(at, r);
            if let Some(first) = passed.iter().position(|(place, _)| *place == at) {
                let (period, left) = ((passed.len() - first) as u64, times - done);
                for (nth, (_, count)) in (0..).zip(&mut passed[first..]) {
                    *count += left / period + u64::from(nth < left % period);
                }
                at = passed[first + ((left - 1) % period) as usize].0;
                break;
            }
            passed.push((at, 1));
        }
        (passed, at)
    }

    /// Notes `ids` ids as not counted, with no sequence across them: each is in at most `k` occurrences of a sequence.
    pub fn lose(&mut self, ids: u64) {
        self.lost += ids * u64::from(self.k);
    }

    /// Adds activations of one id each.
    pub fn count_roots(&mut self, id: u64, activations: u64) {
        let root = self.follow(ForestPosition::default(), id);
        self.add_at(root, activations);
    }

    /// Adds `count` to the node of a place that is not before the first id.
    pub fn add_at(&mut self, place: ForestPosition, count: u64) {
        let node = place.node().expect("some id was followed");
        self.trie.add(node, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forest::trie::ChildKind;

    fn ids(seed: u64, len: usize) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut all = Vec::new();
        while all.len() < len {
            let (id, times) = (next() % 3, next() % 9);
            all.extend(std::iter::repeat_n(id, times as usize));
        }
        all
    }

    #[test]
    fn following_and_counting_is_processing() {
        for k in 1..7 {
            for children in [ChildKind::List, ChildKind::Dense(3)] {
                let stream = ids(u64::from(k), 300);
                let mut expected = SlabForest::with_children(k, children);
                expected.process_bl_path_ids(&stream);
                let mut found = SlabForest::with_children(k, children);
                let mut at = ForestPosition::default();
                for &id in &stream {
                    at = found.follow(at, id);
                    found.add_at(at, 1);
                    at = found.settle(at);
                }
                assert_eq!(found.trie().sequences(), expected.trie().sequences(), "k = {k}");
            }
        }
    }

    #[test]
    fn a_repeated_id_is_counted_as_if_followed_step_by_step() {
        for k in 1..7 {
            for times in 0..40 {
                let mut expected = SlabForest::new(k, 3);
                let mut found = SlabForest::new(k, 3);
                let mut place = ForestPosition::default();
                for id in [2, 0, 1] {
                    expected.process_bl_path_id(id);
                    place = found.follow(place, id);
                    found.add_at(place, 1);
                }
                expected.process_bl_path_ids(&vec![1; times as usize]);
                let (passed, last) = found.follow_repeated(place, 1, times);
                passed.iter().for_each(|(place, count)| found.add_at(*place, *count));
                // The next places are the same, too.
                expected.process_bl_path_ids(&[0, 2]);
                let next = found.follow(last, 0);
                found.add_at(next, 1);
                let next = found.follow(next, 2);
                found.add_at(next, 1);
                assert_eq!(found.trie().sequences(), expected.trie().sequences(), "k = {k}, {times} times");
            }
        }
    }
}
