//! Interprocedural paths, numbered statically.
//!
//! In: a supergraph, a [`Base`], and call sites to be cut. Out: an [`InterNumbering`], by which each path has its own number in
//! `0..num_paths`; an [`encode::Encoder`] that computes the numbers along an execution; and the paths of numbers.
//!
//! `[MR98]` D. Melski, T. Reps, "Interprocedural Path Profiling", TR 1382, University of Wisconsin-Madison, 1998.
//! Notation: `psi`, `rho`, `numValidCompsFromExit`, `numUnbalRLPaths`, `edgeValue`, `Entry_P`, `GEntry_P`, `GExit_P` as
//! there.
//!
//! - Context paths (section 5) are the unbalanced-left paths from `Entry_global` to `Exit_global`: a context prefix that
//!   leads from a root to a loop, and an active suffix from the loop's header.
//! - Piecewise paths (section 6) are the unbalanced-right-left paths: they start at a root or at a loop's header, and may
//!   return to callers that they did not come from.
//! - Hybrid paths (section 8) are either, with further call sites cut like the recursive ones ([`hybrid`]).
//!
//! Phases: 1. psi and rho ([`functions`]); 2. numbers at exits, for piecewise paths ([`right_left`]); 3. values of the edges
//! from `Entry_global` ([`InterNumbering::new`]). Section 4 proves why the result is dense: the value of an edge is the sum of
//! the valid completions of the edges before it.
//! Order of the edges from `Entry_global`: `Entry_main`, `Entry_P` of the other roots, then each `GEntry_P`, in the order of
//! the procedures.
//!
//! Invariant: numbers are below `num_paths`, which fits 128 bits; if it does not fit, there is no numbering.

pub mod encode;
pub mod hybrid;

mod decode;
mod functions;
mod linear;
mod path;
mod right_left;

use std::fmt;

use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::graph::Node;
use crate::supergraph::call_graph::CallGraph;
use crate::supergraph::{ProcedureId, SiteId, Supergraph};
use functions::Functions;
use right_left::RightLeft;

pub use functions::{LinearStep, Surrogate};
pub use linear::Linear;
pub use path::{Arrival, AtCut, Base, InterEnd, InterPath, PathVertex};

/// An edge from `Entry_global`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalEdge {
    /// Its target.
    pub to: GlobalTarget,
    /// The least number of the paths that start with it.
    pub value: u128,
}

/// Target of an edge from `Entry_global`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalTarget {
    /// The entry of a root.
    Entry(ProcedureId),
    /// The vertex with the surrogates of a procedure.
    GEntry(ProcedureId),
}

/// There are more paths than numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPaths {
    /// The bits that numbers may have.
    pub bits: u32,
}

impl fmt::Display for TooManyPaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are more interprocedural paths than numbers of {} bits", self.bits)
    }
}

impl std::error::Error for TooManyPaths {}

/// The numbered interprocedural paths of a supergraph.
#[derive(Clone, Debug)]
pub struct InterNumbering {
    calls: CallGraph,
    at_cut: AtCut,
    functions: PrimaryMap<ProcedureId, Functions>,
    returns: SecondaryMap<SiteId, Linear>,
    /// For piecewise paths.
    right_left: Option<RightLeft>,
    edges: Vec<GlobalEdge>,
    total: u128,
}

impl InterNumbering {
    /// Numbers the paths of `supergraph`, with the recursive call sites and those of `cut` cut.
    pub fn new(
        supergraph: &Supergraph,
        base: Base,
        at_cut: AtCut,
        cut: &[SiteId],
    ) -> Result<InterNumbering, TooManyPaths> {
        InterNumbering::build(supergraph, base, at_cut, cut).ok_or(TooManyPaths { bits: u128::BITS })
    }

    fn build(supergraph: &Supergraph, base: Base, at_cut: AtCut, cut: &[SiteId]) -> Option<InterNumbering> {
        let calls = CallGraph::new(supergraph, cut);
        let (functions, returns) = functions::solve(supergraph, &calls, base, at_cut)?;
        let right_left = match base {
            Base::Context => None,
            Base::Piecewise => Some(RightLeft::new(supergraph, &calls, &returns)?),
        };
        let mut numbering =
            InterNumbering { calls, at_cut, functions, returns, right_left, edges: Vec::new(), total: 0 };
        for target in numbering.targets(supergraph) {
            numbering.edges.push(GlobalEdge { to: target, value: numbering.total });
            numbering.total = numbering.total.checked_add(numbering.paths_from(target)?)?;
        }
        Some(numbering)
    }

    fn targets(&self, supergraph: &Supergraph) -> Vec<GlobalTarget> {
        let mut targets: Vec<GlobalTarget> = self.calls.roots().iter().copied().map(GlobalTarget::Entry).collect();
        if self.right_left.is_some() {
            let with_surrogates = supergraph.procedures().filter(|&p| !self.functions[p].surrogates.is_empty());
            targets.extend(with_surrogates.map(GlobalTarget::GEntry));
        }
        targets
    }

    /// Equations (26), and the two below Equation (35).
    fn paths_from(&self, target: GlobalTarget) -> Option<u128> {
        match target {
            GlobalTarget::Entry(procedure) => self.functions[procedure].entry.checked_at(1),
            GlobalTarget::GEntry(procedure) => {
                self.functions[procedure].gentry.checked_at(self.right_left().from_exit[procedure])
            }
        }
    }

    /// Number of paths; every number is below it.
    pub fn num_paths(&self) -> u128 {
        self.total
    }

    /// The bits that a number needs.
    pub fn bits(&self) -> u32 {
        u128::BITS - (self.total - 1).leading_zeros()
    }

    /// The call graph with the cuts.
    pub fn calls(&self) -> &CallGraph {
        &self.calls
    }

    /// The edges from `Entry_global`, by increasing value.
    pub fn global_edges(&self) -> &[GlobalEdge] {
        &self.edges
    }

    /// `psi` of a block.
    pub fn psi(&self, procedure: ProcedureId, block: Node) -> Linear {
        self.functions[procedure].psi[block]
    }

    /// `psi` of `Entry_P`, which counts the surrogates from it, too.
    pub fn entry_psi(&self, procedure: ProcedureId) -> Linear {
        self.functions[procedure].entry
    }

    /// The steps of a block with their `rho`, by increasing value; none at the exit and at calls that paths enter.
    pub fn steps(&self, procedure: ProcedureId, block: Node) -> &[LinearStep] {
        &self.functions[procedure].steps[block]
    }

    /// The surrogates to targets of back edges, and to return sites of calls that split paths, by increasing value.
    pub fn surrogates(&self, procedure: ProcedureId) -> &[Surrogate] {
        &self.functions[procedure].surrogates
    }

    /// `numUnbalRLPaths` of the exit; `None` for context paths.
    pub fn unbalanced_paths_from_exit(&self, procedure: ProcedureId) -> Option<u128> {
        self.right_left.as_ref().map(|right_left| right_left.from_exit[procedure])
    }

    /// The value of the edge from the callee's exit to the return vertex of a call site, for a path without open calls;
    /// `None` for context paths.
    pub fn return_value(&self, site: SiteId) -> Option<u128> {
        self.right_left.as_ref().map(|right_left| right_left.edge_value[site])
    }

    /// Completions at the callee's exit, from those at the caller's: `psi` of the return vertex of a call site.
    pub fn completions_at_return(&self, site: SiteId) -> Linear {
        self.returns[site]
    }

    fn right_left(&self) -> &RightLeft {
        self.right_left.as_ref().expect("only piecewise paths have no open call")
    }

    fn edge_value(&self, target: GlobalTarget) -> u128 {
        let edge = self.edges.iter().find(|edge| edge.to == target);
        edge.expect("paths start at roots and behind back edges").value
    }
}
