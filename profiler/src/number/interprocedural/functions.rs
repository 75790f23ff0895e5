//! The functions psi and rho of a supergraph.
//!
//! In: a supergraph, its cut call graph, and the [`Base`] of the paths. Out: [`Functions`] of each procedure, and `psi` of
//! the return vertex of each call site. `[MR98]` Equations (19) to (24), procedures and vertices in reverse topological
//! order.
//!
//! `psi[v]` gives the number of valid completions of a path at `v`, and `rho[v -> w]` the value that the edge adds to its
//! number, both from the number of valid completions at the procedure's exit. `G*_fin` exists as these functions only:
//! - Transformation 1: `GExit_P` has `psi = lambda x. 1`;
//! - Transformation 2: a node that a back edge leaves has [`StepKind::Cut`], the surrogate to `GExit_P`; the targets of
//!   back edges are `surrogates`, from `Entry_P` or, in piecewise profiling, from `GEntry_P`;
//! - Transformation 3: a cut call site has its summary edge `c -> r`, any other only its call. In the variant of 9.2.1 a cut
//!   call site has a surrogate to `GExit_P` only, and its return site a surrogate like those of back edges.
//!
//! Targets of failure edges are `surrogates` like targets of back edges, as in 9.2.2; no path runs along a failure edge. Return sites behind
//! which failures are caught are `surrogates`, too.
//!
//! `Entry_P` is a vertex before the entry block, so that back edges to the entry block have a surrogate too. A block
//! without successors that is not the exit has an edge to `GExit_P`, [`StepKind::Stop`]: execution can only fail there.
//! Order, as in Figure 7: the entry's own edge before its surrogates, which are in the order of the depth-first search.
//! A surrogate to `GExit_P` comes before its source's other edges.
//!
//! Invariant: `rho` of a vertex's first step is 0, and at every `x >= 1` the values of its steps increase strictly.

use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::linear::Linear;
use super::path::{AtCut, Base};
use crate::graph::{DepthFirst, EdgeKind, Graph, Node};
use crate::number::ball_larus::{StepKind, steps_between_back_edges};
use crate::supergraph::call_graph::CallGraph;
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

/// One continuation of paths at a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearStep {
    /// Its kind.
    pub kind: StepKind,
    /// Its `rho`.
    pub rho: Linear,
}

/// A surrogate edge to a block at which paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surrogate {
    /// The target.
    pub to: Node,
    /// Its `rho`.
    pub rho: Linear,
}

/// The functions of one procedure; empty if main does not reach it.
#[derive(Clone, Debug, Default)]
pub(super) struct Functions {
    /// `psi` of each block.
    pub(super) psi: SecondaryMap<Node, Linear>,
    /// The steps of each block; none at the exit and at calls.
    pub(super) steps: SecondaryMap<Node, Vec<LinearStep>>,
    /// The surrogates from `Entry_P`, or from `GEntry_P`.
    pub(super) surrogates: Vec<Surrogate>,
    /// `psi` of `Entry_P`.
    pub(super) entry: Linear,
    /// `psi` of `GEntry_P`.
    pub(super) gentry: Linear,
}

/// The functions of every procedure and return vertex; `None` if a number does not fit.
pub(super) fn solve(
    supergraph: &Supergraph,
    calls: &CallGraph,
    base: Base,
    at_cut: AtCut,
) -> Option<(PrimaryMap<ProcedureId, Functions>, SecondaryMap<SiteId, Linear>)> {
    let mut solver = Solver { supergraph, calls, at_cut, functions: PrimaryMap::new(), returns: SecondaryMap::new() };
    for _ in supergraph.procedures() {
        solver.functions.push(Functions::default());
    }
    for &procedure in calls.topological().iter().rev() {
        solver.procedure(procedure, base)?;
    }
    Some((solver.functions, solver.returns))
}

struct Solver<'a> {
    supergraph: &'a Supergraph,
    calls: &'a CallGraph,
    at_cut: AtCut,
    functions: PrimaryMap<ProcedureId, Functions>,
    returns: SecondaryMap<SiteId, Linear>,
}

impl Solver<'_> {
    fn procedure(&mut self, procedure: ProcedureId, base: Base) -> Option<()> {
        let (graph, order) = (self.supergraph.graph(procedure), self.supergraph.order(procedure));
        let mut own = Functions::default();
        for &node in order.reverse_postorder().iter().rev() {
            let site = self.supergraph.site_at(procedure, node);
            let is_split = self.at_cut == AtCut::Split && site.is_some_and(|site| self.calls.is_cut(site));
            own.psi[node] = match site.filter(|&site| !self.calls.is_cut(site)) {
                Some(site) => self.call(site, graph, order, &own)?,
                // Equation (19).
                None if node == graph.exit() => Linear::IDENTITY,
                // Equations (22) and (24).
                None => {
                    let mut sum = Linear::ZERO;
                    for kind in
                        if is_split { vec![StepKind::Cut] } else { steps_between_back_edges(graph, order, node) }
                    {
                        own.steps[node].push(LinearStep { kind, rho: sum });
                        let further = match kind {
                            StepKind::Edge(edge) => own.psi[graph.edge(edge).to],
                            StepKind::Cut | StepKind::Stop => Linear::ONE,
                        };
                        sum = sum.plus(further)?;
                    }
                    sum
                }
            };
        }
        own.entry = own.psi[graph.entry()];
        match base {
            Base::Context => own.entry = own.add_surrogates(&self.restarts(procedure), own.entry)?,
            Base::Piecewise => own.gentry = own.add_surrogates(&self.restarts(procedure), Linear::ZERO)?,
        }
        self.functions[procedure] = own;
        Some(())
    }

    /// The blocks behind surrogates, each once: targets of back edges, return sites of calls that split paths, targets of failure edges, return sites
    /// behind which failures are caught.
    fn restarts(&self, procedure: ProcedureId) -> Vec<Node> {
        let (graph, order) = (self.supergraph.graph(procedure), self.supergraph.order(procedure));
        let cut = self.supergraph.sites(procedure).iter().filter(|&&site| self.calls.is_cut(site));
        let split = cut.filter(|_| self.at_cut == AtCut::Split).map(|&site| self.supergraph.site(site).edge);
        let mut restarts = Vec::new();
        let failure = graph.edges().filter(|(_, edge)| edge.kind == EdgeKind::Failure && order.is_reachable(edge.from));
        let resumed = self.supergraph.resumed(procedure);
        for edge in order.back_edges().iter().copied().chain(split).chain(failure.map(|(id, _)| id)).chain(resumed) {
            let to = graph.edge(edge).to;
            if !restarts.contains(&to) {
                restarts.push(to);
            }
        }
        restarts
    }

    /// Equation (21). The return vertex has one edge: the edge to the return site, or its surrogate if that is a back edge.
    fn call(&mut self, site: SiteId, graph: &Graph, order: &DepthFirst, own: &Functions) -> Option<Linear> {
        let call = self.supergraph.site(site);
        self.returns[site] =
            if order.is_back_edge(call.edge) { Linear::ONE } else { own.psi[graph.edge(call.edge).to] };
        self.functions[call.callee].entry.after(self.returns[site])
    }
}

impl Functions {
    /// Numbers the surrogates from a vertex whose other edges have the sum `first`. Returns the sum of all.
    fn add_surrogates(&mut self, restarts: &[Node], first: Linear) -> Option<Linear> {
        let mut sum = first;
        for &to in restarts {
            self.surrogates.push(Surrogate { to, rho: sum });
            sum = sum.plus(self.psi[to])?;
        }
        Some(sum)
    }
}
