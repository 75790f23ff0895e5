//! Words of the host that keep what they refer to.
//!
//! In: a word. Out: [`Root`], whose clones share it. Invariants: what a root refers to is kept as long as any clone is there;
//! the list of roots has one of its own. The list is at most some times as long as the host has roots.

use std::sync::Arc;

/// Roots that are there at least before those that nobody has any more are looked for.
const LEAST_ROOTS: usize = 256;

/// A word of the host that keeps what it refers to.
#[derive(Clone, Debug)]
pub struct Root(Arc<u64>);

impl Root {
    fn new(word: u64) -> Root {
        Root(Arc::new(word))
    }

    /// The word.
    pub fn word(&self) -> u64 {
        *self.0
    }

    /// True if there is a clone of it.
    fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

/// The roots that the host has, or had a while ago.
#[derive(Default)]
pub(crate) struct RootList {
    roots: Vec<Root>,
    /// Roots that are there before those that nobody else has are forgotten.
    most: usize,
}

impl RootList {
    /// Adds a root of a word.
    pub(crate) fn add(&mut self, word: u64) -> Root {
        // Where nothing is allocated, no collection forgets them.
        if self.roots.len() >= self.most {
            self.forget();
            self.most = LEAST_ROOTS.max(2 * self.roots.len());
        }
        let root = Root::new(word);
        self.roots.push(root.clone());
        root
    }

    /// Forgets the roots that nobody else has.
    pub(crate) fn forget(&mut self) {
        self.roots.retain(Root::is_shared);
    }

    /// The words of all roots.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.roots.iter().map(Root::word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that takes and drops values of a program without an allocation does not fill the list.
    #[test]
    fn roots_that_nobody_has_are_forgotten_without_collections() {
        let mut list = RootList::default();
        let kept: Vec<Root> = (0..1000).map(|word| list.add(8 * word)).collect();
        (0..100_000).for_each(|word| drop(list.add(8 * word)));
        assert!(list.roots.len() < 4 * kept.len(), "{}", list.roots.len());
        assert!(kept.iter().all(Root::is_shared));
        drop(kept);
        (0..10_000).for_each(|word| drop(list.add(8 * word)));
        assert!(list.roots.len() <= 2 * LEAST_ROOTS, "{}", list.roots.len());
    }
}
