//! The call graph of a supergraph, and its cuts.
//!
//! In: a supergraph, and call sites to be cut beside the recursive ones. Out: a [`CallGraph`]: the sites that are cut, an
//! order of the procedures, the roots, and `max_enters`.
//!
//! Recursive call sites are the back edges of a depth-first search from main, which follows a procedure's call sites in the
//! order of their blocks. `[MR98]` section 3.2, Transformation 3, cuts them; section 8 cuts others in the same way.
//! The roots are the procedures P with an edge `Entry_global -> Entry_P`: main, other entries of the supergraph, and those called at
//! cut sites.
//!
//! Deviation: the paper's equation for `maxEnters` gives 0 for a procedure that is called at cut sites only, which section
//! 8 makes possible. A path may start at any root, so a root has at least 1.
//!
//! Invariants: without the cut sites the call graph is acyclic, and `topological` has callers before callees; procedures
//! that no entry reaches are in no list.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::{ProcedureId, SiteId, Supergraph};
use crate::graph::order;

/// A call graph with its cuts.
#[derive(Clone, Debug)]
pub struct CallGraph {
    recursive: EntitySet<SiteId>,
    cut: EntitySet<SiteId>,
    topological: Vec<ProcedureId>,
    roots: Vec<ProcedureId>,
    max_enters: SecondaryMap<ProcedureId, u128>,
}

impl CallGraph {
    /// Cuts the recursive call sites, and those of `further`.
    pub fn new(supergraph: &Supergraph, further: &[SiteId]) -> CallGraph {
        let (topological, recursive) = search(supergraph);
        let mut cut = recursive.clone();
        for &site in further {
            cut.insert(site);
        }
        let mut is_root: EntitySet<ProcedureId> = EntitySet::new();
        for &caller in &topological {
            for &site in supergraph.sites(caller).iter().filter(|&&site| cut.contains(site)) {
                is_root.insert(supergraph.site(site).callee);
            }
        }
        let mut roots = supergraph.entries().to_vec();
        roots.extend(supergraph.procedures().filter(|p| is_root.contains(*p) && !supergraph.entries().contains(p)));
        let mut graph = CallGraph { recursive, cut, topological, roots, max_enters: SecondaryMap::new() };
        graph.bound_enters(supergraph);
        graph
    }

    fn bound_enters(&mut self, supergraph: &Supergraph) {
        for &root in &self.roots {
            self.max_enters[root] = 1;
        }
        let mut entered: SecondaryMap<ProcedureId, u128> = SecondaryMap::new();
        for &caller in &self.topological {
            let most = entered[caller].max(self.max_enters[caller]);
            self.max_enters[caller] = most;
            for &site in supergraph.sites(caller).iter().filter(|&&site| !self.cut.contains(site)) {
                let callee = supergraph.site(site).callee;
                entered[callee] = entered[callee].saturating_add(most);
            }
        }
    }

    /// Returns whether paths do not cross this call site.
    pub fn is_cut(&self, site: SiteId) -> bool {
        self.cut.contains(site)
    }

    /// Returns whether the call site is a back edge of the call graph.
    pub fn is_recursive(&self, site: SiteId) -> bool {
        self.recursive.contains(site)
    }

    /// The procedures that the entries reach, callers before callees.
    pub fn topological(&self) -> &[ProcedureId] {
        &self.topological
    }

    /// The procedures at whose entry paths start: the entries, then the others in the order in which they were given.
    pub fn roots(&self) -> &[ProcedureId] {
        &self.roots
    }

    /// An upper bound on how often one path enters the procedure by its entry; `u128::MAX` if it is greater.
    pub fn max_enters(&self, procedure: ProcedureId) -> u128 {
        self.max_enters[procedure]
    }
}

/// Reverse postorder of the procedures, and the back edges.
fn search(supergraph: &Supergraph) -> (Vec<ProcedureId>, EntitySet<SiteId>) {
    let callee = |procedure: ProcedureId, nth: usize| {
        let site = *supergraph.sites(procedure).get(nth)?;
        Some((site, supergraph.site(site).callee))
    };
    let (order, recursive) = order::search(supergraph.entries().iter().copied(), callee);
    let mut sites = EntitySet::new();
    recursive.into_iter().for_each(|site| _ = sites.insert(site));
    (order, sites)
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;
    use crate::graph::{ExitKind, Graph, Node};

    /// Procedures of straight code, each with a call block for each of its callees.
    fn straight(callees: &[&[usize]]) -> Supergraph {
        let bodies = callees.iter().map(|callees| {
            let edges: Vec<(usize, usize)> = (0..callees.len()).map(|block| (block, block + 1)).collect();
            let graph = Graph::from_pairs(callees.len() + 1, &edges, 0, callees.len(), ExitKind::Block);
            let calls = callees.iter().enumerate().map(|(block, &p)| (Node::new(block), ProcedureId::new(p)));
            (graph.expect("a chain"), calls.collect())
        });
        Supergraph::new(bodies.collect::<Vec<_>>(), ProcedureId::new(0)).expect("one successor each")
    }

    fn enters(supergraph: &Supergraph, calls: &CallGraph) -> Vec<u128> {
        supergraph.procedures().map(|procedure| calls.max_enters(procedure)).collect()
    }

    #[test]
    fn recursive_sites_are_the_back_edges() {
        // main calls a and b; a calls b; b calls a and itself. The last procedure is not reached.
        let supergraph = straight(&[&[1, 2], &[2], &[1, 2], &[0]]);
        let calls = CallGraph::new(&supergraph, &[]);
        let cut: Vec<bool> =
            supergraph.procedures().flat_map(|p| supergraph.sites(p)).map(|&s| calls.is_cut(s)).collect();
        assert_eq!(cut, [false, false, false, true, true, false]);
        let index = |list: &[ProcedureId]| list.iter().map(|p| p.index()).collect::<Vec<_>>();
        assert_eq!(index(calls.topological()), [0, 1, 2]);
        assert_eq!(index(calls.roots()), [0, 1, 2]);
        assert_eq!(enters(&supergraph, &calls), [1, 1, 2, 0]);
    }

    #[test]
    fn a_procedure_called_at_cut_sites_only_is_entered_once() {
        let supergraph = straight(&[&[1, 1], &[2, 2, 2], &[]]);
        assert_eq!(enters(&supergraph, &CallGraph::new(&supergraph, &[])), [1, 2, 6]);
        let cut = supergraph.sites(supergraph.main()).to_vec();
        assert_eq!(enters(&supergraph, &CallGraph::new(&supergraph, &cut)), [1, 1, 3]);
    }

    #[test]
    fn bounds_that_do_not_fit_are_the_greatest_number() {
        let doubling: Vec<Vec<usize>> = (1..140).map(|p| vec![p, p]).chain([Vec::new()]).collect();
        let supergraph = straight(&doubling.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let calls = CallGraph::new(&supergraph, &[]);
        assert_eq!(enters(&supergraph, &calls)[127..130], [1 << 127, u128::MAX, u128::MAX]);
    }
}
