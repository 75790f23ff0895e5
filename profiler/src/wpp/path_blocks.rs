//! Blocks of path ids, as a recorder asks for them.
//!
//! In: an id, of a complete path or of one that a failure cut short. Out: its blocks. Invariant: an id stands for the same blocks as long
//! as the decoder lives.

use crate::graph::{Graph, Node};
use crate::number::ball_larus::Numbering;
use crate::path_id::{path_of, prefix_of};

/// Decoder of a function's path ids.
pub trait PathBlocks {
    /// Blocks of a complete path; `None` if there is no path with this id.
    fn path(&self, id: u64) -> Option<Vec<Node>>;
    /// Blocks of a path that a failure in `block` cut short, `block` the last.
    fn prefix(&self, block: Node, id: u64) -> Option<Vec<Node>>;
}

/// Decoder for a numbering of acyclic paths.
#[derive(Clone, Debug)]
pub struct NumberedPaths {
    /// The function's graph.
    pub graph: Graph,
    /// Its numbering.
    pub numbering: Numbering,
}

impl PathBlocks for NumberedPaths {
    fn path(&self, id: u64) -> Option<Vec<Node>> {
        path_of(&self.graph, &self.numbering, id).map(|path| path.blocks)
    }

    fn prefix(&self, block: Node, id: u64) -> Option<Vec<Node>> {
        prefix_of(&self.graph, &self.numbering, block, id).map(|path| path.blocks)
    }
}
