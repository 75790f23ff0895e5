//! Supergraphs: the control-flow graphs of several procedures, joined by their calls.
//!
//! In: a graph for each procedure, and its call blocks. Out: a [`Supergraph`], with its call graph in [`call_graph`].
//!
//! `[MR98]` D. Melski, T. Reps, "Interprocedural Path Profiling", TR 1382, University of Wisconsin-Madison, 1998;
//! section 2.2.
//!
//! ```text
//!   Entry_main -> ... -> c ----- call ----> Entry_P -> ... -> Exit_P
//!                        .                                      |         c and r make one call site. The graph of
//!                        r <-------------- return --------------+         main has the edge c -> r.
//! ```
//!
//! The return vertex of a call site is a vertex of its own, between the return and the target of the edge `c -> r`. So
//! that edge may be a back edge, and a block may be the return site of several calls or have other predecessors.
//!
//! A failure edge leads to a block at which paths start; none runs along it. So does the edge `c -> r` of a call behind which failures of the
//! callee are caught, but paths run along it as well.
//!
//! Invariants: a call block has one normal successor, its return site, and the exit is no call block.

use std::collections::BTreeSet;
use std::fmt;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::{DepthFirst, EdgeId, Graph, Node};

pub mod call_graph;

/// A procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(u32);
entity_impl!(ProcedureId, "p");

/// A call site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(u32);
entity_impl!(SiteId, "site");

/// One call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The procedure that calls.
    pub caller: ProcedureId,
    /// The call block, `c`.
    pub block: Node,
    /// The caller's edge to the return site, `c -> r`.
    pub edge: EdgeId,
    /// The procedure that is called.
    pub callee: ProcedureId,
}

/// Several procedures.
#[derive(Clone, Debug)]
pub struct Supergraph {
    /// The procedures that are entered from outside; main is the first.
    entries: Vec<ProcedureId>,
    procedures: PrimaryMap<ProcedureId, Procedure>,
    sites: PrimaryMap<SiteId, CallSite>,
}

#[derive(Clone, Debug)]
struct Procedure {
    graph: Graph,
    order: DepthFirst,
    /// Its reachable call sites, in the order of their blocks.
    sites: Vec<SiteId>,
    site_at: SecondaryMap<Node, PackedOption<SiteId>>,
    /// Edges behind calls that failures may pass.
    resumed: BTreeSet<EdgeId>,
}

/// One procedure, as it is given: its graph, and its call blocks with what they call.
pub type ProcedureBody = (Graph, Vec<(Node, ProcedureId)>);

/// A call block that leads elsewhere than to one return site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallBranches {
    /// Its procedure.
    pub procedure: ProcedureId,
    /// The block.
    pub block: Node,
}

impl fmt::Display for CallBranches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the call block {} of {} must have one successor, its return site", self.block, self.procedure)
    }
}

impl std::error::Error for CallBranches {}

impl Supergraph {
    /// Joins procedures by their calls.
    pub fn new(bodies: impl IntoIterator<Item = ProcedureBody>, main: ProcedureId) -> Result<Supergraph, CallBranches> {
        Supergraph::with_entries(bodies, vec![main])
    }

    /// Joins procedures by their calls; several are entered from outside, each of them named once.
    pub fn with_entries(
        bodies: impl IntoIterator<Item = ProcedureBody>,
        entries: Vec<ProcedureId>,
    ) -> Result<Supergraph, CallBranches> {
        let (mut procedures, mut sites) = (PrimaryMap::new(), PrimaryMap::new());
        for (graph, mut calls) in bodies {
            calls.sort_unstable();
            let (caller, order) = (procedures.next_key(), DepthFirst::new(&graph));
            let (mut own, mut site_at) = (Vec::new(), SecondaryMap::new());
            for (block, callee) in calls {
                let normal: Vec<EdgeId> = graph.normal_successors(block).collect();
                let &[edge] = normal.as_slice() else {
                    return Err(CallBranches { procedure: caller, block });
                };
                let site: SiteId = sites.push(CallSite { caller, block, edge, callee });
                site_at[block] = site.into();
                if order.is_reachable(block) {
                    own.push(site);
                }
            }
            procedures.push(Procedure { graph, order, sites: own, site_at, resumed: BTreeSet::new() });
        }
        Ok(Supergraph { entries, procedures, sites })
    }

    /// Lets paths start behind a call, along the edge to its return site: a failure of what it calls is caught there.
    pub fn resume(&mut self, procedure: ProcedureId, edge: EdgeId) {
        self.procedures[procedure].resumed.insert(edge);
    }

    /// The edges behind calls that failures may pass.
    pub fn resumed(&self, procedure: ProcedureId) -> impl Iterator<Item = EdgeId> + '_ {
        self.procedures[procedure].resumed.iter().copied()
    }

    /// The procedure that is entered first.
    pub fn main(&self) -> ProcedureId {
        self.entries[0]
    }

    /// The procedures that are entered from outside.
    pub fn entries(&self) -> &[ProcedureId] {
        &self.entries
    }

    /// Every procedure, in the order in which they were given.
    pub fn procedures(&self) -> impl DoubleEndedIterator<Item = ProcedureId> + use<> {
        self.procedures.keys()
    }

    /// The graph of a procedure.
    pub fn graph(&self, procedure: ProcedureId) -> &Graph {
        &self.procedures[procedure].graph
    }

    /// The depth-first order of a procedure's graph.
    pub fn order(&self, procedure: ProcedureId) -> &DepthFirst {
        &self.procedures[procedure].order
    }

    /// One call site.
    pub fn site(&self, id: SiteId) -> CallSite {
        self.sites[id]
    }

    /// The reachable call sites of a procedure, in the order of their blocks.
    pub fn sites(&self, procedure: ProcedureId) -> &[SiteId] {
        &self.procedures[procedure].sites
    }

    /// The call site of a block, if it is a call block.
    pub fn site_at(&self, procedure: ProcedureId, block: Node) -> Option<SiteId> {
        self.procedures[procedure].site_at[block].expand()
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;
    use crate::graph::ExitKind;

    #[test]
    fn a_call_block_has_one_successor() {
        let graph = Graph::from_pairs(3, &[(0, 1), (0, 2), (1, 2)], 0, 2, ExitKind::Block).expect("a graph");
        let main = ProcedureId::new(0);
        let with_call = |block| Supergraph::new([(graph.clone(), vec![(Node::new(block), main)])], main);
        let refused = |block| CallBranches { procedure: main, block: Node::new(block) };
        assert_eq!(with_call(0).unwrap_err(), refused(0));
        assert_eq!(with_call(2).unwrap_err(), refused(2), "the exit leads nowhere");
        let supergraph = with_call(1).expect("one successor");
        assert_eq!(supergraph.site_at(main, Node::new(1)), Some(supergraph.sites(main)[0]));
        assert_eq!(supergraph.site_at(main, Node::new(0)), None);
    }

    #[test]
    fn unreachable_call_sites_are_in_no_list() {
        let graph = Graph::from_pairs(3, &[(0, 2), (1, 2)], 0, 2, ExitKind::Block).expect("a graph");
        let main = ProcedureId::new(0);
        let supergraph = Supergraph::new([(graph, vec![(Node::new(1), main)])], main).expect("one successor");
        assert!(supergraph.sites(main).is_empty());
    }
}
