//! Numbers of context paths along an activation.
//!
//! In: the edges of an activation. Out: [`ContextCounts`]. `[MR98]` section 7: `saved` holds `pathNumOnEntryToV` of each
//! header. An edge to a header that is no back edge saves the number; a back edge counts it, and goes on with what was saved,
//! through the surrogate.
//!
//! Invariant: the sum of the counts grows by one for each back edge and each return.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;

use super::ContextNumbering;
use crate::graph::{EdgeId, Graph, Node};

/// Counts of context paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextCounts {
    /// Complete paths by number.
    pub paths: BTreeMap<u128, u64>,
    /// Prefixes by last block and number.
    pub prefixes: BTreeMap<(Node, u128), u64>,
}

/// An activation under way.
#[derive(Clone, Debug)]
pub struct Activation {
    /// `pathNum`.
    number: u128,
    /// `pathNumOnEntryToV`.
    saved: SecondaryMap<Node, u128>,
}

impl Activation {
    /// A new activation, in the entry. A path there has the number 0, so nothing is to be saved if the entry is a header.
    pub fn start() -> Activation {
        Activation { number: 0, saved: SecondaryMap::new() }
    }

    /// Takes an edge.
    pub fn take(&mut self, graph: &Graph, numbering: &ContextNumbering, edge: EdgeId, counts: &mut ContextCounts) {
        let to = graph.edge(edge).to;
        self.number += numbering.val(graph, edge).expect("an edge that is taken is reachable");
        if numbering.order.is_back_edge(edge) {
            *counts.paths.entry(self.number).or_default() += 1;
            self.number = self.saved[to] + numbering.num_paths[to];
        } else if numbering.headers.contains(to) {
            self.saved[to] = self.number;
        }
    }

    /// Returns: the activation is at its exit.
    pub fn leave(self, counts: &mut ContextCounts) {
        *counts.paths.entry(self.number).or_default() += 1;
    }

    /// Fails in the middle of `block`.
    pub fn abort(self, block: Node, counts: &mut ContextCounts) {
        *counts.prefixes.entry((block, self.number)).or_default() += 1;
    }
}
