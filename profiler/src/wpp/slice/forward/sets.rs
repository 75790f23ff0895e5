//! Sets of numbers that share what they have in common.
//!
//! In: numbers below [`MOST`], and unions. Out: sets by their ids: two of equal contents are one. Invariant: a set that differs little from another one takes
//! little memory, and a union of two that were united lately takes no time.

use crate::hash::KeyMap;

/// Levels of nodes above the leaves, which have 64 numbers each.
const LEVELS: u32 = 14;
/// Numbers that sets may have.
pub(super) const MOST: u32 = 64 << LEVELS;
/// Unions that are kept, by a hash of what was united.
const KEPT: usize = 1 << 16;

/// A set; that of no numbers is the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct SetId(pub(super) u32);

/// A node or a leaf: 0 is one without numbers.
type Tree = u32;

/// All sets.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    leaves: Vec<u64>,
    leaf_of: KeyMap<u64, Tree>,
    nodes: Vec<(Tree, Tree)>,
    /// By both children as one number.
    node_of: KeyMap<u64, Tree>,
    /// Two trees, their level, and the union.
    united: Vec<(Tree, Tree, u32, Tree)>,
}

impl Default for Sets {
    fn default() -> Self {
        Self {
            leaves: vec![0],
            leaf_of: KeyMap::default(),
            nodes: vec![(0, 0)],
            node_of: KeyMap::default(),
            united: vec![(0, 0, 0, 0); KEPT],
        }
    }
}

impl Sets {
    /// The set of one number.
    pub(super) fn of(&mut self, number: u32) -> SetId {
        let mut tree = self.leaf(1 << (number % 64));
        for level in 0..LEVELS {
            let is_right = (number / 64) >> level & 1 != 0;
            tree = if is_right { self.node(0, tree) } else { self.node(tree, 0) };
        }
        SetId(tree)
    }

    /// The union of two sets.
    pub(super) fn union(&mut self, a: SetId, b: SetId) -> SetId {
        SetId(self.unite(a.0, b.0, LEVELS))
    }

    fn unite(&mut self, a: Tree, b: Tree, level: u32) -> Tree {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == 0 {
            return b;
        }
        let hash =
            (u64::from(a) << 32 | u64::from(b)).wrapping_add(u64::from(level)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (hash >> 40) as usize % KEPT;
        let (kept_a, kept_b, kept_level, union) = self.united[slot];
        if (kept_a, kept_b, kept_level) == (a, b, level) {
            return union;
        }
        let union = match level {
            0 => self.leaf(self.leaves[a as usize] | self.leaves[b as usize]),
            _ => {
                let ((a, b), (c, d)) = (self.nodes[a as usize], self.nodes[b as usize]);
                let (left, right) = (self.unite(a, c, level - 1), self.unite(b, d, level - 1));
                self.node(left, right)
            }
        };
        self.united[slot] = (a, b, level, union);
        union
    }

    fn leaf(&mut self, numbers: u64) -> Tree {
        let leaves = &mut self.leaves;
        *self.leaf_of.entry(numbers).or_insert_with(|| {
            leaves.push(numbers);
            leaves.len() as Tree - 1
        })
    }

    fn node(&mut self, left: Tree, right: Tree) -> Tree {
        let nodes = &mut self.nodes;
        *self.node_of.entry(u64::from(left) << 32 | u64::from(right)).or_insert_with(|| {
            nodes.push((left, right));
            nodes.len() as Tree - 1
        })
    }

    /// The numbers of a set, rising.
    pub(super) fn numbers(&self, set: SetId) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect(set.0, LEVELS, 0, &mut found);
        found
    }

    fn collect(&self, tree: Tree, level: u32, first: u32, found: &mut Vec<u32>) {
        match level {
            _ if tree == 0 => {}
            0 => {
                let numbers = self.leaves[tree as usize];
                found.extend((0..64).filter(|bit| numbers >> bit & 1 != 0).map(|bit| first * 64 + bit));
            }
            _ => {
                let (left, right) = self.nodes[tree as usize];
                self.collect(left, level - 1, first, found);
                self.collect(right, level - 1, first | 1 << (level - 1), found);
            }
        }
    }

    /// Nodes and leaves in memory.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.leaves.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn unions_have_the_numbers_of_both_and_equal_ones_are_one() {
        let mut sets = Sets::default();
        let mut all: Vec<(SetId, BTreeSet<u32>)> = vec![(SetId::default(), BTreeSet::new())];
        let mut random = 1_u64;
        for _ in 0..2_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (random >> 33) as u32 % if random.is_multiple_of(3) { MOST } else { 200 };
            let (a, b) = ((random >> 7) as usize % all.len(), (random >> 17) as usize % all.len());
            let one = sets.of(number);
            let with = sets.union(all[a].0, one);
            let union = sets.union(with, all[b].0);
            let expected: BTreeSet<u32> = all[a].1.union(&all[b].1).copied().chain([number]).collect();
            assert_eq!(sets.numbers(union), expected.iter().copied().collect::<Vec<_>>());
            if let Some((known, _)) = all.iter().find(|(_, numbers)| *numbers == expected) {
                assert_eq!(*known, union);
            }
            all.push((union, expected));
        }
        assert!(sets.len() < 200_000);
    }
}
