//! Edge counts of several runs.
//!
//! In: the counts of inputs that ran apart. Out: their sum with the engine's own. Invariant: counts of a body that was
//! replaced are in no sum.

use std::sync::Arc;

use hashbrown::HashMap;
use holloway_lang::ir::{FuncRef, Function};

use holloway::{Engine, FunctionEdges};

/// Edge counts summed over several runs, with the bodies they belong to.
#[derive(Default)]
pub(super) struct Tally(HashMap<FuncRef, (Arc<Function>, FunctionEdges)>);

impl Tally {
    /// Returns true if nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the counts of a run.
    pub(super) fn add(&mut self, engine: &Engine, profile: Vec<FunctionEdges>) {
        for edges in profile {
            let body = engine.module().function(edges.func);
            match self.0.get_mut(&edges.func) {
                Some((of, sum)) if Arc::ptr_eq(of, body) => add(sum, &edges),
                Some(_) | None => _ = self.0.insert(edges.func, (Arc::clone(body), edges)),
            }
        }
    }

    /// The sum of these counts and the engine's own.
    pub(super) fn with_own(&self, engine: &Engine) -> Vec<FunctionEdges> {
        let mut profile = engine.edge_profile();
        for edges in &mut profile {
            let body = engine.module().function(edges.func);
            if let Some((_, sum)) = self.0.get(&edges.func).filter(|(of, _)| Arc::ptr_eq(of, body)) {
                add(edges, sum);
            }
        }
        profile
    }
}

fn add(sum: &mut FunctionEdges, more: &FunctionEdges) {
    sum.calls += more.calls;
    for ((_, _, count), (_, _, more)) in sum.edges.iter_mut().zip(&more.edges) {
        *count += more;
    }
    for (count, more) in sum.blocks.iter_mut().zip(&more.blocks) {
        *count += more;
    }
}
