//! The k-iteration path forest, counted step by step.
//!
//! In: for each activation its place and the next id. Out: the place behind, a node to be counted; and the [`PathForest`] of all counts.
//! Compiled code counts steps between places, as often as they are taken, and asks only for those that are new.
//!
//! A node is a sequence of up to `k` ids. Its *link* is the sequence without its first id (the suffix links of E. M. McCreight, "A
//! Space-Economical Suffix Tree Construction Algorithm", JACM 1976). An id is counted at the longest sequence that it ends, of at most `k`
//! ids. So the count of a sequence is that of its node and of all that link to it, longer ones first.
//!
//! ```text
//!   k = 3, ids 6 2 0 2:    6, 6 2, 6 2 0 -> 2 0, 2 0 2        -> is a link, from which the next step goes on
//! ```
//!
//! A k-slab forest (`[DD13]` Definition 3) holds sequences of up to 2k-2 ids and needs no links for most of them, where a hash
//! table of roots is the dear part. Here each place has a row of steps, so that fewer places are what counts: on life, whose paths have no
//! pattern, 3,370,866 nodes become 214,003 with k = 8.
//! Invariant: a node's index is above those of its parent and its link.

use super::ipf::PathForest;
use super::trie::{Below, ChildKind, Trie, TrieNode};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

/// Sequences of up to `k` ids, with the counts of those that ended there as the longest.
#[derive(Clone, Debug)]
pub struct SuffixForest {
    k: u32,
    trie: Trie,
    /// The number of ids of each node.
    lengths: SecondaryMap<TrieNode, u32>,
    lost: u64,
}

/// The place of an activation: the node of the last id; none before the first.
pub type Place = PackedOption<TrieNode>;

impl SuffixForest {
    /// An empty forest for sequences of up to `k` ids; `k` is at least 2.
    pub fn new(k: u32) -> SuffixForest {
        assert!(k >= 2, "sequences of one id are ids");
        SuffixForest { k, trie: Trie::new(ChildKind::List), lengths: SecondaryMap::new(), lost: 0 }
    }

    /// Length of the longest sequences.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The place behind one more id, which is to be counted there.
    pub fn follow(&mut self, from: Place, id: u64) -> TrieNode {
        // Ids of a place whose link has no such child are added to the link first, and to its link before that.
        let mut shorter: SmallVec<[TrieNode; 16]> = SmallVec::new();
        let mut base = self.settled(from);
        let mut behind = loop {
            let Some(node) = base.expand() else { break self.root(id) };
            match self.trie.find_child(node, id) {
                Some(known) => break known,
                None => shorter.push(node),
            }
            base = self.trie.link(node).into();
        };
        while let Some(parent) = shorter.pop() {
            behind = self.trie.add_child(parent, id, Below::Linked(behind));
            self.lengths[behind] = self.lengths[parent] + 1;
        }
        behind
    }

    /// The same for an id that comes so many times: each place that is passed with the number of times, the last one at the end.
    pub fn follow_repeated(&mut self, from: Place, id: u64, times: u64) -> Vec<(TrieNode, u64)> {
        let mut passed: Vec<(TrieNode, u64)> = Vec::new();
        let mut at = from;
        for done in 0..times {
            let node = self.follow(at, id);
            match passed.last_mut() {
                // k ids lead back to themselves.
                Some((last, count)) if *last == node => {
                    *count += times - done;
                    break;
                }
                Some(_) | None => passed.push((node, 1)),
            }
            at = node.into();
        }
        passed
    }

    /// The place with the same future that has fewer than `k` ids.
    pub fn settled(&self, place: Place) -> Place {
        match place.expand() {
            Some(node) if self.lengths[node] == self.k => self.trie.link(node).into(),
            Some(_) | None => place,
        }
    }

    /// The number of ids of a place.
    pub fn length(&self, place: Place) -> u32 {
        place.expand().map_or(0, |node| self.lengths[node])
    }

    /// The place without its first id; none if it has no other.
    pub fn link(&self, node: TrieNode) -> Option<TrieNode> {
        self.trie.link(node)
    }

    /// Adds to the count of a place.
    pub fn add(&mut self, at: TrieNode, count: u64) {
        self.trie.add(at, count);
    }

    /// Notes that so many ids were not counted.
    pub fn lose(&mut self, ids: u64) {
        self.lost += ids;
    }

    /// The number of ids that were not counted.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.trie.node_count()
    }

    /// Bytes of the nodes.
    pub fn bytes(&self) -> usize {
        self.trie.bytes() + self.trie.node_count() * size_of::<u32>()
    }

    /// Every sequence with its count.
    pub fn path_forest(&self) -> PathForest {
        let mut trie = self.trie.clone();
        for node in trie.nodes().rev() {
            if let Some(link) = trie.link(node) {
                trie.add(link, trie.count(node));
            }
        }
        PathForest::of_counted(self.k, &trie)
    }

    fn root(&mut self, id: u64) -> TrieNode {
        let root = self.trie.root(id);
        self.lengths[root] = 1;
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forest::SlabForest;

    /// Ids with repetitions of all lengths.
    fn ids(seed: u64, count: usize, paths: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut all = Vec::new();
        while all.len() < count {
            let (id, times) = (next() % paths, if next() % 4 == 0 { next() % 12 } else { 1 });
            all.extend(std::iter::repeat_n(id, times as usize));
        }
        all
    }

    #[test]
    fn it_is_what_the_slab_forest_is_joined_to() {
        for k in 2..9 {
            for paths in [1, 2, 3, 5, 40] {
                let mut slabs = SlabForest::new(k, paths);
                let mut forest = SuffixForest::new(k);
                for activation in 0..20 {
                    let stream = ids(u64::from(k) + 100 * activation, 3 * activation as usize, paths);
                    slabs.enter();
                    slabs.process_bl_path_ids(&stream);
                    slabs.leave();
                    let mut at = Place::default();
                    for id in stream {
                        let node = forest.follow(at, id);
                        forest.add(node, 1);
                        at = forest.settled(node.into());
                    }
                }
                let expected = PathForest::of(&slabs);
                assert_eq!(forest.path_forest().sequences(), expected.sequences(), "k = {k}, {paths} paths");
            }
        }
    }

    #[test]
    fn a_repeated_id_is_counted_as_if_step_by_step() {
        for k in 2..7 {
            for times in 0..20 {
                let (mut one_by_one, mut at_once) = (SuffixForest::new(k), SuffixForest::new(k));
                let mut at = Place::default();
                for id in [0, 2].into_iter().chain(std::iter::repeat_n(1, times)).chain([2, 1]) {
                    let node = one_by_one.follow(at, id);
                    one_by_one.add(node, 1);
                    at = node.into();
                }
                let mut at = Place::default();
                for (id, times) in [(0, 1), (2, 1), (1, times as u64), (2, 1), (1, 1)] {
                    for (node, count) in at_once.follow_repeated(at, id, times) {
                        at_once.add(node, count);
                        at = node.into();
                    }
                }
                let [one_by_one, at_once] = [one_by_one, at_once].map(|forest| forest.path_forest().sequences());
                assert_eq!(at_once, one_by_one, "k = {k}, {times} times");
            }
        }
    }
}
