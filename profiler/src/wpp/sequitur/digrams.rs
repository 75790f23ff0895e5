//! The index of digrams: for each digram of a grammar, the node at which it is.
//!
//! In: nodes of the [`Arena`]. Out: another node with the same digram. The table holds nodes only, four bytes each, and reads
//! the digram there: with a hundred million symbols keys of their own would be most of the memory.
//!
//! Invariant: a node in the table is in a body, as is the next one, and neither has changed since it was inserted.

use std::hash::Hasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::symbols::{Arena, NodeIndex, Symbol};
use crate::hash::IdHasher;

/// The index.
#[derive(Clone, Debug, Default)]
pub(super) struct Digrams {
    table: HashTable<NodeIndex>,
}

impl Digrams {
    /// The node at which the digram of `node` is indexed. `None` if there was none; now it is `node`.
    pub(super) fn find_or_insert(&mut self, arena: &Arena, node: NodeIndex) -> Option<NodeIndex> {
        let digram = arena.digram(node);
        let rehash = |&other: &NodeIndex| hash(arena.digram(other));
        match self.table.entry(hash(digram), |&other| arena.digram(other) == digram, rehash) {
            Entry::Occupied(found) => Some(*found.get()),
            Entry::Vacant(vacant) => {
                vacant.insert(node);
                None
            }
        }
    }

    /// Removes the digram of `node` if it is indexed there, and returns whether it was.
    pub(super) fn remove(&mut self, arena: &Arena, node: NodeIndex) -> bool {
        match self.table.find_entry(hash(arena.digram(node)), |&other| other == node) {
            Ok(found) => {
                found.remove();
                true
            }
            Err(_) => false,
        }
    }
}

fn hash((first, second): (Symbol, Symbol)) -> u64 {
    let mut hasher = IdHasher::default();
    hasher.write_u64(first.bits());
    hasher.write_u64(second.bits());
    hasher.finish()
}
