//! Hash tables keyed by path ids, with a fixed hash function.
//!
//! In: ids. Out: tables whose contents and iteration order are the same in every run. The crate is deterministic; a
//! randomly seeded hasher would make even debug output differ. Ids come from the crate's own numberings, so nobody can
//! choose them to collide.

use std::hash::{BuildHasherDefault, Hasher};

/// A map from ids.
pub type IdMap<V> = hashbrown::HashMap<u64, V, BuildHasherDefault<IdHasher>>;

/// A map from any small key, with the same hash function.
pub type KeyMap<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<IdHasher>>;

/// A set of ids.
pub type IdSet = hashbrown::HashSet<u64, BuildHasherDefault<IdHasher>>;

/// Multiplicative hashing with the high half folded in, so that both the table's index and its tag bits vary.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        // 2^64 / golden ratio, odd.
        let product = u128::from(self.0 ^ value) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(32) ^ (product as u64).rotate_left(25);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
