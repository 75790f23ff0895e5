//! The figures of `[DD13]` about a program's forests.
//!
//! In: the k-slab forest of each function. Out: [`ForestFigures`], summed over functions.
//!
//! Figure 6 of `[DD13]` looks a root up at every id with `n mod (k-1) = 0`. Each id is counted at one node: the first
//! of an activation on level 0, and the first ids of later slabs on level k-1. So the number of hash table operations
//! is the sum of the counts on these levels. Code here makes none: the row of a state has a slot for each path.
//!
//! Invariant: a figure that pruning would make wrong is absent after pruning.

use crate::settings::MOST_JOINED;
use cranelift_entity::SecondaryMap;
use serde::{Deserialize, Serialize};

use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::forest::trie::{Trie, TrieNode};

/// Figures of a program's forests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ForestFigures {
    /// Number of path ids read.
    pub ids: u64,
    /// Number of nodes of the slab forests.
    pub nodes: u64,
    /// Size of the slab forests in bytes.
    pub bytes: u64,
    /// Number of ids whose count was pruned.
    pub lost: u64,
    /// Operations on tables of roots that Figure 6 makes.
    pub hash_operations: u64,
    /// Shape of the k-IPFs; `None` if one is too large to be built or something was pruned.
    pub joined: Option<Shape>,
    /// Set if one k-IPF is too large.
    pub too_large: bool,
}

/// Sizes and depths of prefix forests, summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Shape {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of nodes with children.
    pub internal: u64,
    /// Number of children of all nodes.
    pub children: u64,
    /// Number of leaves.
    pub leaves: u64,
    /// Sum of the depths of the leaves; a root has depth 0.
    pub depths: u64,
}

impl ForestFigures {
    /// Adds the forest of one function.
    pub fn add(&mut self, slabs: &SlabForest) {
        let (trie, k) = (slabs.trie(), slabs.k());
        let levels = levels(trie);
        let on = |level: u32| trie.nodes().filter(move |&node| levels[node] == level);
        let first: u64 = on.clone()(0).map(|node| trie.count(node)).sum();
        let later: u64 = match k {
            0 | 1 => 0,
            _ => on(k - 1).map(|node| trie.count(node)).sum(),
        };
        self.ids += trie.nodes().map(|node| trie.count(node)).sum::<u64>() + slabs.lost();
        self.nodes += slabs.node_count() as u64;
        self.bytes += slabs.bytes() as u64;
        self.lost += slabs.lost();
        self.hash_operations += first + later;
        self.too_large |= slabs.node_count() > MOST_JOINED;
        if self.lost > 0 || self.too_large {
            self.joined = None;
        } else {
            self.joined.get_or_insert_default().add(PathForest::of(slabs).trie());
        }
    }

    /// Returns whether every count is exact.
    pub fn is_exact(&self) -> bool {
        self.lost == 0
    }
}

impl Shape {
    fn add(&mut self, trie: &Trie) {
        let levels = levels(trie);
        for node in trie.nodes() {
            self.nodes += 1;
            match trie.children(node).count() as u64 {
                0 => {
                    self.leaves += 1;
                    self.depths += u64::from(levels[node]);
                }
                children => {
                    self.internal += 1;
                    self.children += children;
                }
            }
        }
    }

    /// Figure 13: the average degree of nodes with children; `None` if there are none.
    pub fn average_degree(&self) -> Option<f64> {
        (self.internal > 0).then(|| self.children as f64 / self.internal as f64)
    }

    /// Figure 14: the average depth of leaves.
    pub fn average_depth(&self) -> Option<f64> {
        (self.leaves > 0).then(|| self.depths as f64 / self.leaves as f64)
    }
}

/// The level of each node. Parents come before children.
fn levels(trie: &Trie) -> SecondaryMap<TrieNode, u32> {
    let mut levels = SecondaryMap::new();
    for node in trie.nodes() {
        for child in trie.children(node) {
            levels[child] = levels[node] + 1;
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream of Figure 3 of `[DD13]`.
    const STREAM: [u64; 14] = [6, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 3];

    #[test]
    fn the_example_of_figures_3_and_5() {
        let mut slabs = SlabForest::new(4, 8);
        slabs.enter();
        slabs.process_bl_path_ids(&STREAM);
        slabs.leave();
        let mut figures = ForestFigures::default();
        figures.add(&slabs);
        // s1 to s5: n mod 3 = 0 at 5 of the 14 ids.
        assert_eq!((figures.ids, figures.hash_operations, figures.lost), (14, 5, 0));
        let joined = figures.joined.expect("it is small");
        let mut grams: Vec<&[u64]> = (1..=4).flat_map(|n| STREAM.windows(n)).collect();
        grams.sort_unstable();
        grams.dedup();
        assert_eq!(joined.nodes, grams.len() as u64);
        assert_eq!(joined.internal + joined.leaves, joined.nodes);
        // All nodes are children except the roots 0, 2, 3 and 6.
        assert_eq!(joined.children, joined.nodes - 4);
    }

    #[test]
    fn k_2_looks_every_id_up() {
        let mut slabs = SlabForest::new(2, 8);
        slabs.enter();
        slabs.process_bl_path_ids(&STREAM);
        let mut figures = ForestFigures::default();
        figures.add(&slabs);
        assert_eq!(figures.hash_operations, 14);
    }

    #[test]
    fn functions_add_up() {
        let mut figures = ForestFigures::default();
        for _ in 0..2 {
            let mut slabs = SlabForest::new(3, 8);
            slabs.enter();
            slabs.process_bl_path_ids(&[1, 2]);
            figures.add(&slabs);
        }
        let shape = figures.joined.expect("both are small");
        assert_eq!(shape, Shape { nodes: 6, internal: 2, children: 2, leaves: 4, depths: 2 });
        assert_eq!((shape.average_degree(), shape.average_depth()), (Some(1.0), Some(0.5)));
    }
}
