//! Sets of numbers that share what they have in common.
//!
//! In: numbers below [`MOST`], and unions. Out: sets by their ids: two of equal contents are one. Invariant: a set that
//! differs little from another one takes little memory, and a union of two that were united lately takes no time. Trees
//! are as high as their greatest number needs, so programs of few dependences have low ones.

use std::cmp::Ordering;

use crate::hash::KeyMap;

/// Levels of trees above their leaves, which have 64 numbers each.
const LEVELS: u8 = 14;
/// Numbers that sets may have.
pub(super) const MOST: u32 = 64 << LEVELS;
/// Unions that are kept, by a hash of what was united.
const KEPT: usize = 1 << 16;

/// A set; that of no numbers is the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct SetId(pub(super) u32);

/// The number of a tree: 0 is the one without numbers.
type TreeId = u32;

/// A tree of the numbers below 64 << level; it has some in its upper half, or it is a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Tree {
    level: u8,
    /// The lower half, as a tree of any lower level; of a leaf, its lower numbers as bits.
    low: u32,
    /// The upper half, counted from its first number, and the upper numbers.
    high: u32,
}

/// All sets.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    trees: Vec<Tree>,
    known: KeyMap<Tree, TreeId>,
    /// Two trees and their union.
    united: Vec<(TreeId, TreeId, TreeId)>,
}

impl Default for Sets {
    fn default() -> Self {
        Self { trees: vec![Tree::default()], known: KeyMap::default(), united: vec![(0, 0, 0); KEPT] }
    }
}

impl Sets {
    /// The set of one number.
    pub(super) fn of(&mut self, number: u32) -> SetId {
        let bits = 1_u64 << (number % 64);
        let mut tree = self.tree(Tree { level: 0, low: bits as u32, high: (bits >> 32) as u32 });
        for level in 1..=LEVELS {
            if (number / 64) >> (level - 1) & 1 != 0 {
                tree = self.tree(Tree { level, low: 0, high: tree });
            }
        }
        SetId(tree)
    }

    /// The union of two sets.
    pub(super) fn union(&mut self, a: SetId, b: SetId) -> SetId {
        SetId(self.unite(a.0, b.0))
    }

    fn unite(&mut self, a: TreeId, b: TreeId) -> TreeId {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == 0 {
            return b;
        }
        let hash = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (hash >> 40) as usize % KEPT;
        let (kept_a, kept_b, union) = self.united[slot];
        if (kept_a, kept_b) == (a, b) {
            return union;
        }
        let (of_a, of_b) = (self.trees[a as usize], self.trees[b as usize]);
        let (low, high) = match of_a.level.cmp(&of_b.level) {
            Ordering::Less => (self.unite(a, of_b.low), of_b.high),
            Ordering::Greater => (self.unite(of_a.low, b), of_a.high),
            Ordering::Equal if of_a.level == 0 => (of_a.low | of_b.low, of_a.high | of_b.high),
            Ordering::Equal => (self.unite(of_a.low, of_b.low), self.unite(of_a.high, of_b.high)),
        };
        let union = self.tree(Tree { level: of_a.level.max(of_b.level), low, high });
        self.united[slot] = (a, b, union);
        union
    }

    fn tree(&mut self, tree: Tree) -> TreeId {
        let trees = &mut self.trees;
        *self.known.entry(tree).or_insert_with(|| {
            trees.push(tree);
            trees.len() as TreeId - 1
        })
    }

    /// The numbers of a set, rising.
    pub(super) fn numbers(&self, set: SetId) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect(set.0, 0, &mut found);
        found
    }

    fn collect(&self, tree: TreeId, first: u32, found: &mut Vec<u32>) {
        let Tree { level, low, high } = self.trees[tree as usize];
        match level {
            0 => {
                let bits = u64::from(high) << 32 | u64::from(low);
                found.extend((0..64).filter(|bit| bits >> bit & 1 != 0).map(|bit| first + bit));
            }
            _ => {
                self.collect(low, first, found);
                self.collect(high, first + (64 << (level - 1)), found);
            }
        }
    }

    /// Trees in memory.
    pub(super) fn len(&self) -> usize {
        self.trees.len()
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
