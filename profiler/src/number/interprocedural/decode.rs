//! Interprocedural paths from their numbers.
//!
//! In: a number. Out: its [`InterPath`]. `[MR98]` Algorithm 5.2; for piecewise paths, whose decoder the paper leaves to its
//! reader, the same with the choice of a caller at an exit without open calls.
//!
//! From each vertex the path takes the step with the greatest value that does not exceed the rest of the number.
//! Deviation: Algorithm 5.2 compares with and subtracts from `numPaths`; it means `pathNum`.
//!
//! Invariant: every number below `num_paths` has a path, and no two have the same path.

use super::{Arrival, GlobalTarget, InterEnd, InterNumbering, InterPath, PathVertex};
use crate::graph::{Graph, Node};
use crate::number::ball_larus::StepKind;
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

impl InterNumbering {
    /// The path with this number; `None` if the number is not below `num_paths`, or if the path has more than `most`
    /// vertices. A path may have exponentially more vertices than there are blocks, as procedures call others twice.
    pub fn path_of(&self, supergraph: &Supergraph, number: u128, most: usize) -> Option<InterPath> {
        let mut walk = Walk::new(self, supergraph, number)?;
        loop {
            if walk.vertices.len() > most {
                return None;
            }
            if let Some(end) = walk.advance() {
                return Some(InterPath { vertices: walk.vertices, end });
            }
        }
    }

    /// The path that a failure cut short in its last vertex, from its number and its number of vertices.
    pub fn prefix_of(&self, supergraph: &Supergraph, number: u128, vertices: usize) -> Option<InterPath> {
        let mut walk = Walk::new(self, supergraph, number)?;
        while walk.vertices.len() < vertices {
            if walk.advance().is_some() {
                return None;
            }
        }
        Some(InterPath { vertices: walk.vertices, end: InterEnd::Failure })
    }
}

struct Walk<'a> {
    numbering: &'a InterNumbering,
    supergraph: &'a Supergraph,
    /// `pathNum`.
    rest: u128,
    vertices: Vec<PathVertex>,
    procedure: ProcedureId,
    at: Node,
    /// `numValidCompsFromExit`.
    completions: u128,
    /// `NVCStack` and `returnStack`.
    callers: Vec<(SiteId, u128)>,
    opened: Opened,
}

/// The parenthesis below those of the stack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// `(P`: the path started at the entry of a root.
    Root,
    /// None: it started behind a back edge of a piecewise path.
    Nothing,
}

impl<'a> Walk<'a> {
    /// A walk in the first vertex of the path.
    fn new(numbering: &'a InterNumbering, supergraph: &'a Supergraph, number: u128) -> Option<Walk<'a>> {
        if number >= numbering.total {
            return None;
        }
        let edge = numbering.edges[numbering.edges.partition_point(|edge| edge.value <= number) - 1];
        let (procedure, completions, opened) = match edge.to {
            GlobalTarget::Entry(procedure) => (procedure, 1, Opened::Root),
            GlobalTarget::GEntry(procedure) => {
                (procedure, numbering.right_left().from_exit[procedure], Opened::Nothing)
            }
        };
        let at = supergraph.graph(procedure).entry();
        let (rest, vertices, callers) = (number - edge.value, Vec::new(), Vec::new());
        let mut walk = Walk { numbering, supergraph, rest, vertices, procedure, at, completions, callers, opened };
        match opened {
            Opened::Root => walk.enter(Arrival::Start),
            Opened::Nothing => walk.take_surrogate(),
        }
        Some(walk)
    }

    fn graph(&self) -> &'a Graph {
        self.supergraph.graph(self.procedure)
    }

    fn reach(&mut self, block: Node, arrival: Arrival) {
        self.vertices.push(PathVertex { procedure: self.procedure, block, arrival });
        self.at = block;
    }

    /// Enters the procedure by its entry, from which context paths may take a surrogate.
    fn enter(&mut self, arrival: Arrival) {
        self.reach(self.graph().entry(), arrival);
        if self.numbering.right_left.is_none() {
            self.take_surrogate();
        }
    }

    fn take_surrogate(&mut self) {
        let mut surrogates = self.numbering.surrogates(self.procedure).iter();
        if let Some(chosen) = surrogates.rfind(|surrogate| surrogate.rho.at(self.completions) <= self.rest) {
            self.rest -= chosen.rho.at(self.completions);
            self.reach(chosen.to, Arrival::Surrogate);
        }
    }

    /// Goes on to the next vertex. Returns the end of the path if there is none.
    fn advance(&mut self) -> Option<InterEnd> {
        let site = self.supergraph.site_at(self.procedure, self.at);
        if let Some(site) = site.filter(|&site| !self.numbering.calls.is_cut(site)) {
            self.callers.push((site, self.completions));
            self.completions = self.numbering.returns[site].at(self.completions);
            self.procedure = self.supergraph.site(site).callee;
            self.enter(Arrival::Call);
            return None;
        }
        if self.at == self.graph().exit() {
            return self.leave();
        }
        let mut steps = self.numbering.steps(self.procedure, self.at).iter();
        let step = steps.rfind(|step| step.rho.at(self.completions) <= self.rest).expect("the first adds 0");
        self.rest -= step.rho.at(self.completions);
        match step.kind {
            StepKind::Edge(edge) => {
                self.reach(self.graph().edge(edge).to, Arrival::Edge);
                None
            }
            StepKind::Cut => Some(InterEnd::Cut),
            StepKind::Stop => Some(InterEnd::DeadEnd),
        }
    }

    /// Leaves the procedure by its exit: to the caller, to any caller if the path has no open call, or to `Exit_global`.
    fn leave(&mut self) -> Option<InterEnd> {
        let site = match (self.callers.pop(), self.opened) {
            (Some((site, completions)), _) => {
                self.completions = completions;
                site
            }
            (None, Opened::Root) => return Some(InterEnd::Return),
            (None, Opened::Nothing) => {
                let right_left = self.numbering.right_left();
                let mut callers = right_left.callers[self.procedure].iter().copied();
                let Some(site) = callers.rfind(|&site| right_left.edge_value[site] <= self.rest) else {
                    return Some(InterEnd::Return);
                };
                self.rest -= right_left.edge_value[site];
                self.completions = right_left.from_exit[self.supergraph.site(site).caller];
                site
            }
        };
        let call = self.supergraph.site(site);
        self.procedure = call.caller;
        if self.supergraph.order(call.caller).is_back_edge(call.edge) {
            return Some(InterEnd::CutAfterCall(site));
        }
        self.reach(self.graph().edge(call.edge).to, Arrival::Return(site));
        None
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;
    use crate::graph::ExitKind;
    use crate::number::interprocedural::{AtCut, Base};

    /// main: 0 -> 1 or 2, both call the leaf and return to 3. The leaf: 0 loops to itself, then 1.
    fn one_return_site() -> Supergraph {
        let [main, leaf] = [0, 1].map(ProcedureId::new);
        let graph = Graph::from_pairs(4, &[(0, 1), (0, 2), (1, 3), (2, 3)], 0, 3, ExitKind::Block).expect("a graph");
        let body = Graph::from_pairs(2, &[(0, 0), (0, 1)], 0, 1, ExitKind::Block).expect("a graph");
        let calls = [1, 2].map(|block| (Node::new(block), leaf)).to_vec();
        Supergraph::new([(graph, calls), (body, Vec::new())], main).expect("one successor")
    }

    #[test]
    fn open_returns_to_one_return_site_differ() {
        let supergraph = one_return_site();
        let numbering = InterNumbering::new(&supergraph, Base::Piecewise, AtCut::Aside, &[]).expect("it fits");
        // From GEntry of the leaf: its back edge, or its exit and one of two call sites.
        let first = numbering.global_edges().last().expect("the leaf has a loop").value;
        let path = |number| numbering.path_of(&supergraph, number, 10).expect("a path");
        let arrivals: Vec<Arrival> =
            (first..numbering.num_paths()).map(|n| path(n).vertices.last().unwrap().arrival).collect();
        let sites = supergraph.sites(supergraph.main());
        assert_eq!(arrivals, [Arrival::Surrogate, Arrival::Return(sites[0]), Arrival::Return(sites[1])]);
    }

    /// main: 0 calls a leaf of one block and is its own return site, or rather its edge there is a back edge; it never ends.
    #[test]
    fn a_path_may_end_behind_a_return() {
        let [main, leaf] = [0, 1].map(ProcedureId::new);
        let graph = Graph::from_pairs(2, &[(0, 0)], 0, 1, ExitKind::Block).expect("a graph");
        let body = Graph::from_pairs(1, &[], 0, 0, ExitKind::Block).expect("a graph");
        let supergraph =
            Supergraph::new([(graph, vec![(Node::new(0), leaf)]), (body, Vec::new())], main).expect("one successor");
        let numbering = InterNumbering::new(&supergraph, Base::Context, AtCut::Aside, &[]).expect("it fits");
        // The first iteration, and those behind a surrogate from the entry to itself.
        assert_eq!(numbering.num_paths(), 2);
        let path = numbering.path_of(&supergraph, 1, 10).expect("a path");
        assert_eq!((path.end, path.vertices.len()), (InterEnd::CutAfterCall(supergraph.sites(main)[0]), 3));
        assert_eq!((path.context().len(), path.active().len()), (1, 2));
    }
}
