//! Forest of the first ids of a stream.
//!
//! In: the whole stream. Out: the forest of its first ids, so many at most: what a window can afford of a stream without a pattern,
//! which has as many sequences as ids.
//! Invariant: markers are always processed.

use crate::graph::Node;
use crate::machine::Sink;

use super::SlabForest;

/// Forest of the first ids of a stream.
#[derive(Clone, Debug)]
pub struct FirstIds {
    forest: SlabForest,
    /// Number of ids for which there is room.
    left: u64,
    /// Number of ids for which there was none.
    missed: u64,
}

impl FirstIds {
    /// Records the first `most` ids into `forest`.
    pub fn new(forest: SlabForest, most: u64) -> FirstIds {
        FirstIds { forest, left: most, missed: 0 }
    }

    /// The forest of the recorded ids.
    pub fn forest(&self) -> &SlabForest {
        &self.forest
    }

    /// Returns whether every id was recorded.
    pub fn is_complete(&self) -> bool {
        self.missed == 0
    }
}

impl Sink for FirstIds {
    fn path(&mut self, id: u64) {
        self.paths(&[id]);
    }

    fn paths(&mut self, ids: &[u64]) {
        let (recorded, missed) = ids.split_at(ids.len().min(self.left as usize));
        self.left -= recorded.len() as u64;
        self.missed += missed.len() as u64;
        if !recorded.is_empty() {
            self.forest.process_bl_path_ids(recorded);
        }
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        self.forest.restart();
    }

    fn enter(&mut self) {
        self.forest.enter();
    }

    fn leave(&mut self) {
        self.forest.leave();
    }
}
