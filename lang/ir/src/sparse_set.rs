//! Sets of entities of which a function has many and a set has few, close to each other.
//!
//! In: entities. Out: their sets, as the words of a bit set that are not zero, in order. Invariant: a set takes
//! memory for what is in it, whatever the numbers are: one such set for each block takes space that grows with the
//! function, where bit sets take its square.

use cranelift_entity::EntityRef;
use holloway_flow::steps;
use std::marker::PhantomData;

/// A set of entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SparseSet<K> {
    /// The number of each word, and its bits.
    words: Vec<(u32, u64)>,
    keys: PhantomData<K>,
}

impl<K> Default for SparseSet<K> {
    fn default() -> Self {
        SparseSet { words: Vec::new(), keys: PhantomData }
    }
}

fn place<K: EntityRef>(key: K) -> (u32, u64) {
    ((key.index() / 64) as u32, 1 << (key.index() % 64))
}

impl<K: EntityRef> SparseSet<K> {
    /// An empty set.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Returns true if an entity is in it.
    pub(super) fn contains(&self, key: K) -> bool {
        let (number, bit) = place(key);
        self.find(number).is_ok_and(|at| self.words[at].1 & bit != 0)
    }

    /// Adds an entity; true if it was not there.
    pub(super) fn insert(&mut self, key: K) -> bool {
        let (number, bit) = place(key);
        match self.find(number) {
            Ok(at) => {
                let word = &mut self.words[at].1;
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
            Err(at) => {
                self.words.insert(at, (number, bit));
                true
            }
        }
    }

    /// Removes an entity; true if it was there.
    pub(super) fn remove(&mut self, key: K) -> bool {
        let (number, bit) = place(key);
        let Ok(at) = self.find(number) else { return false };
        let word = &mut self.words[at].1;
        let was_there = *word & bit != 0;
        *word &= !bit;
        if *word == 0 {
            self.words.remove(at);
        }
        was_there
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds all that is in another set; true if that changed it.
    pub(super) fn add_all(&mut self, other: &Self) -> bool {
        steps::count(other.words.len());
        let (mut at, mut changed, mut missing) = (0, false, 0);
        for &(number, bits) in &other.words {
            at += self.words[at..].partition_point(|(here, _)| *here < number);
            match self.words.get_mut(at).filter(|(here, _)| *here == number) {
                Some((_, word)) => {
                    changed |= bits & !*word != 0;
                    *word |= bits;
                }
                None => missing += 1,
            }
        }
        if missing > 0 {
            self.words.reserve(missing);
            let present = self.words.len();
            let is_missing =
                |number: u32| self.words[..present].binary_search_by_key(&number, |(here, _)| *here).is_err();
            let added: Vec<(u32, u64)> =
                other.words.iter().copied().filter(|(number, _)| is_missing(*number)).collect();
            self.words.extend(added);
            // Two runs in order, which this merges.
            self.words.sort_by_key(|(number, _)| *number);
        }
        changed || missing > 0
    }

    /// Its entities, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().flat_map(|&(number, bits)| {
            let rest = std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|bits| *bits != 0);
            rest.map(move |bits| K::new(number as usize * 64 + bits.trailing_zeros() as usize))
        })
    }

    fn find(&self, number: u32) -> Result<usize, usize> {
        match self.words.last() {
            Some((last, _)) if *last < number => Err(self.words.len()),
            Some((last, _)) if *last == number => Ok(self.words.len() - 1),
            _ => self.words.binary_search_by_key(&number, |(here, _)| *here),
        }
    }
}

impl<K: EntityRef> FromIterator<K> for SparseSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        keys.into_iter().for_each(|key| _ = set.insert(key));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Local;
    use std::collections::BTreeSet;

    #[test]
    fn random_operations_agree_with_an_ordered_set() {
        let mut state = 3_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let mut sets: Vec<(SparseSet<Local>, BTreeSet<usize>)> = vec![Default::default(); 4];
        for _ in 0..20_000 {
            let (at, other, key) = (below(4), below(4), [64, 300, 100_000][below(3)]);
            let key = below(key);
            let local = Local::new(key);
            match below(8) {
                0..3 => assert_eq!(sets[at].0.insert(local), sets[at].1.insert(key)),
                3..5 => assert_eq!(sets[at].0.remove(local), sets[at].1.remove(&key)),
                5 => assert_eq!(sets[at].0.contains(local), sets[at].1.contains(&key)),
                6 => {
                    let (from, model) = sets[other].clone();
                    let before = sets[at].1.len();
                    sets[at].1.extend(model);
                    assert_eq!(sets[at].0.add_all(&from), sets[at].1.len() > before);
                }
                _ if below(50) == 0 => {
                    sets[at].0.clear();
                    sets[at].1.clear();
                }
                _ => {}
            }
            let (set, model) = &sets[at];
            assert!(set.iter().map(EntityRef::index).eq(model.iter().copied()));
        }
    }
}
