//! Tables of path counts: an array or a hash table behind one interface.
//!
//! In: the id of each path that ends. Out: counts in id order. Prefixes (paths that a failure cut short) are counted
//! apart.
//!
//! Invariant: a table never loses a count. An id that is not below the number of paths is a bug and panics in the
//! array.

use crate::graph::Node;
use crate::hash::{IdMap, KeyMap};
use crate::machine::Sink;
use crate::settings::counts::ARRAY_MAX_PATHS;

/// Storage of a table's counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// One counter for each possible path.
    Array,
    /// One counter for each path that was taken.
    Hash,
}

impl TableKind {
    /// The kind for a function with `num_paths` paths.
    pub fn for_paths(num_paths: u64) -> TableKind {
        if num_paths <= ARRAY_MAX_PATHS { TableKind::Array } else { TableKind::Hash }
    }
}

/// Counts by path id.
#[derive(Clone, Debug)]
pub enum Counts {
    /// See [`TableKind::Array`].
    Array(Vec<u64>),
    /// See [`TableKind::Hash`].
    Hash(IdMap<u64>),
}

impl Counts {
    /// An empty table of the kind for `num_paths`.
    pub fn new(num_paths: u64) -> Counts {
        Counts::of_kind(TableKind::for_paths(num_paths), num_paths)
    }

    /// An empty table of a given kind.
    pub fn of_kind(kind: TableKind, num_paths: u64) -> Counts {
        match kind {
            TableKind::Array => {
                Counts::Array(vec![0; usize::try_from(num_paths).expect("an array's paths fit memory")])
            }
            TableKind::Hash => Counts::Hash(IdMap::default()),
        }
    }

    /// The storage of the counts.
    pub fn kind(&self) -> TableKind {
        match self {
            Counts::Array(_) => TableKind::Array,
            Counts::Hash(_) => TableKind::Hash,
        }
    }

    /// Adds `count` to a path.
    pub fn add(&mut self, id: u64, count: u64) {
        match self {
            Counts::Array(counts) => counts[id as usize] += count,
            Counts::Hash(counts) => *counts.entry(id).or_insert(0) += count,
        }
    }

    /// A path's count.
    pub fn get(&self, id: u64) -> u64 {
        match self {
            Counts::Array(counts) => usize::try_from(id).ok().and_then(|id| counts.get(id)).copied().unwrap_or(0),
            Counts::Hash(counts) => counts.get(&id).copied().unwrap_or(0),
        }
    }

    /// The paths that were taken, with their counts, by increasing id.
    pub fn taken(&self) -> Vec<(u64, u64)> {
        match self {
            Counts::Array(counts) => (0..).zip(counts.iter().copied()).filter(|&(_, n)| n > 0).collect(),
            Counts::Hash(counts) => {
                let mut taken: Vec<(u64, u64)> = counts.iter().map(|(&id, &n)| (id, n)).collect();
                taken.sort_unstable();
                taken
            }
        }
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        match self {
            Counts::Array(counts) => counts.iter().sum(),
            Counts::Hash(counts) => counts.values().sum(),
        }
    }
}

/// The size of counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Counters: paths taken, or nodes of a forest.
    pub entries: u64,
    /// Bytes that hold them.
    pub bytes: u64,
}

/// The path profile of one function: complete paths, and prefixes apart.
#[derive(Clone, Debug)]
pub struct PathCounts {
    /// Complete paths.
    pub paths: Counts,
    prefixes: KeyMap<(Node, u32, u64), u64>,
}

impl PathCounts {
    /// An empty profile.
    pub fn new(num_paths: u64) -> PathCounts {
        PathCounts::of_kind(TableKind::for_paths(num_paths), num_paths)
    }

    /// An empty profile with a table of the given kind for `num_paths` paths.
    pub fn of_kind(kind: TableKind, num_paths: u64) -> PathCounts {
        PathCounts { paths: Counts::of_kind(kind, num_paths), prefixes: KeyMap::default() }
    }

    /// Paths taken and prefixes, and the bytes of their counters.
    pub fn size(&self) -> Size {
        // Of each prefix: block, iteration, id and count.
        let prefixes = self.prefixes.len() as u64;
        let bytes = match &self.paths {
            Counts::Array(counts) => 8 * counts.len() as u64,
            Counts::Hash(counts) => 16 * counts.capacity() as u64,
        };
        Size { entries: self.paths.taken().len() as u64 + prefixes, bytes: bytes + 24 * prefixes }
    }

    /// Returns true if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.paths.total() == 0 && self.prefixes.is_empty()
    }

    /// Adds `count` to a prefix that ends in `block`, in the given iteration of the loop around.
    pub fn add_prefix(&mut self, block: Node, iteration: u32, id: u64, count: u64) {
        *self.prefixes.entry((block, iteration, id)).or_insert(0) += count;
    }

    /// The prefixes by block, iteration and id. The iteration is above 1 for k-iteration paths only.
    pub fn prefixes(&self) -> Vec<(Node, u32, u64, u64)> {
        let mut all: Vec<_> = self.prefixes.iter().map(|(&(block, i, id), &n)| (block, i, id, n)).collect();
        all.sort_unstable();
        all
    }
}

impl Sink for PathCounts {
    fn path(&mut self, id: u64) {
        self.paths.add(id, 1);
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.add_prefix(block, 1, id, 1);
    }

    fn prefix_at(&mut self, block: Node, iteration: u32, id: u64) {
        self.add_prefix(block, iteration, id, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_say_the_same() {
        let mut array = Counts::of_kind(TableKind::Array, 100);
        let mut hash = Counts::of_kind(TableKind::Hash, 100);
        for id in [7, 3, 99, 3, 0, 7, 3] {
            array.add(id, 1);
            hash.add(id, 1);
        }
        assert_eq!(array.taken(), [(0, 1), (3, 3), (7, 2), (99, 1)]);
        assert_eq!(array.taken(), hash.taken());
        assert_eq!((array.total(), hash.total()), (7, 7));
        assert_eq!((array.get(3), hash.get(3), array.get(1000), hash.get(1)), (3, 3, 0, 0));
    }

    #[test]
    fn the_kind_follows_the_threshold() {
        assert_eq!(Counts::new(ARRAY_MAX_PATHS).kind(), TableKind::Array);
        assert_eq!(Counts::new(ARRAY_MAX_PATHS + 1).kind(), TableKind::Hash);
        assert_eq!(Counts::new(u64::MAX).kind(), TableKind::Hash);
    }
}
