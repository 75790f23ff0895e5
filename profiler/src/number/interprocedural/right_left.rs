//! Unbalanced-right-left paths from exits.
//!
//! In: the functions psi. Out: [`RightLeft`]: `numUnbalRLPaths` of each exit, and the value of each return edge.
//! `[MR98]` Equations (33) to (35), in topological order of the call graph.
//!
//! A path that started at some `GEntry_P` and has no open call may leave an exit to every caller, and to `Exit_global` if
//! the procedure is a root.
//! Order: the edge to `Exit_global` first, so that it has the value 0. Algorithm 6.1 relies on that, as it ends before it
//! adds the value of this edge. Then the return edges in the order of their call sites.
//!
//! Deviation: Algorithm 6.1 continues with `psi_r(numUnbalRLPaths[Exit_S])` completions at `Exit_S` after an open return to
//! `r` in `S`. These are the completions at `r`; those at `Exit_S` are `numUnbalRLPaths[Exit_S]`, as in Figure 17.
//!
//! Invariant: the values of an exit's edges increase strictly in their order.

use cranelift_entity::SecondaryMap;

use super::linear::Linear;
use crate::supergraph::call_graph::CallGraph;
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

/// Numbers of paths and values at exits.
#[derive(Clone, Debug)]
pub(super) struct RightLeft {
    /// `numUnbalRLPaths[Exit_P]`.
    pub(super) from_exit: SecondaryMap<ProcedureId, u128>,
    /// `edgeValue[Exit_P -> r]`.
    pub(super) edge_value: SecondaryMap<SiteId, u128>,
    /// The call sites that are not cut of each callee, in order.
    pub(super) callers: SecondaryMap<ProcedureId, Vec<SiteId>>,
}

impl RightLeft {
    /// Solves the equations; `None` if a number does not fit.
    pub(super) fn new(
        supergraph: &Supergraph,
        calls: &CallGraph,
        returns: &SecondaryMap<SiteId, Linear>,
    ) -> Option<RightLeft> {
        let mut found =
            RightLeft { from_exit: SecondaryMap::new(), edge_value: SecondaryMap::new(), callers: SecondaryMap::new() };
        for &caller in calls.topological() {
            for &site in supergraph.sites(caller).iter().filter(|&&site| !calls.is_cut(site)) {
                found.callers[supergraph.site(site).callee].push(site);
            }
        }
        for &procedure in calls.topological() {
            found.callers[procedure].sort_unstable();
            let mut sum = u128::from(calls.roots().contains(&procedure));
            for &site in &found.callers[procedure] {
                found.edge_value[site] = sum;
                let completions = found.from_exit[supergraph.site(site).caller];
                sum = sum.checked_add(returns[site].checked_at(completions)?)?;
            }
            found.from_exit[procedure] = sum;
        }
        Some(found)
    }
}
