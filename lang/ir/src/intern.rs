//! Finds the id of a value that a map holds once. In: the map, which owns the values and may have grown by other
//! means since, and a value. Out: its id, the value added if it is new. Invariant: only ids are kept, so the map is the
//! truth, and two modules are equal without their interners being asked.

use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hash};

/// The ids of the first `known` values of a map, by their values.
#[derive(Clone)]
pub(super) struct Interner<K> {
    ids: HashTable<K>,
    hasher: DefaultHashBuilder,
    known: usize,
}

impl<K: EntityRef> Interner<K> {
    /// The id of `value` in `all`, where it is added if it is not there yet.
    pub(super) fn intern<V: Eq + Hash>(&mut self, all: &mut PrimaryMap<K, V>, value: V) -> K {
        while self.known < all.len() {
            self.enter(all, K::new(self.known));
            self.known += 1;
        }
        let hash = self.hasher.hash_one(&value);
        if let Some(&id) = self.ids.find(hash, |&id| all[id] == value) {
            return id;
        }
        let id = all.push(value);
        self.enter(all, id);
        self.known += 1;
        id
    }

    fn enter<V: Hash>(&mut self, all: &PrimaryMap<K, V>, id: K) {
        let hash = |id: &K| self.hasher.hash_one(&all[*id]);
        self.ids.insert_unique(hash(&id), id, hash);
    }
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { ids: HashTable::new(), hasher: DefaultHashBuilder::default(), known: 0 }
    }
}

impl<K> PartialEq for Interner<K> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<K> Eq for Interner<K> {}

impl<K> std::fmt::Debug for Interner<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interner").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entity::StrRef;
    use super::*;

    #[test]
    fn values_stand_once_whoever_added_them() {
        let (mut all, mut interner) = (PrimaryMap::<StrRef, &str>::new(), Interner::default());
        let a = interner.intern(&mut all, "a");
        let b = all.push("b");
        assert_eq!(interner.intern(&mut all, "b"), b);
        assert_eq!(interner.intern(&mut all, "a"), a);
        assert_eq!(all.len(), 2);
        (0..1000)
            .for_each(|n| assert_eq!(interner.intern(&mut all, if n % 2 == 0 { "c" } else { "a" }) == a, n % 2 == 1));
        assert_eq!(all.len(), 3);
    }
}
