//! Cuts of call sites that make numbers short.
//!
//! In: a supergraph, how often each call site was executed, and a limit. Out: an [`InterNumbering`] whose number of paths is
//! at most the limit. `[MR98]` section 8 applies Transformation 3 to call sites that are not recursive, and leaves open to
//! which; here it is the coldest first, as cutting these splits the fewest paths of an execution.
//!
//! Invariant: of two call sites the colder one is cut first, and of equally cold ones the first.

use cranelift_entity::SecondaryMap;

use super::{AtCut, Base, InterNumbering, TooManyPaths};
use crate::supergraph::call_graph::CallGraph;
use crate::supergraph::{SiteId, Supergraph};

/// Cuts the call sites of `first`, and as few further ones as bring the number of paths to at most 2^`bits`.
pub fn cut_coldest(
    supergraph: &Supergraph,
    (base, at_cut): (Base, AtCut),
    first: &[SiteId],
    executions: &SecondaryMap<SiteId, u64>,
    bits: u32,
) -> Result<InterNumbering, TooManyPaths> {
    let calls = CallGraph::new(supergraph, first);
    let mut sites: Vec<SiteId> = calls.topological().iter().flat_map(|&p| supergraph.sites(p)).copied().collect();
    sites.retain(|&site| !calls.is_cut(site));
    sites.sort_by_key(|&site| (executions[site], site));
    for further in 0..=sites.len() {
        let cut = [first, &sites[..further]].concat();
        if let Ok(numbering) = InterNumbering::new(supergraph, base, at_cut, &cut)
            && numbering.bits() <= bits
        {
            return Ok(numbering);
        }
    }
    Err(TooManyPaths { bits })
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;
    use crate::graph::{ExitKind, Graph, Node};
    use crate::supergraph::ProcedureId;

    /// A chain of procedures of 9 blocks: two branches, then two calls of the next one.
    fn chain(procedures: usize) -> Supergraph {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6), (6, 7), (7, 8)];
        let graph = Graph::from_pairs(9, &edges, 0, 8, ExitKind::Block).expect("a graph");
        let calls = |p: usize| [6, 7].map(|block| (Node::new(block), ProcedureId::new(p + 1))).to_vec();
        let bodies = (0..procedures).map(|p| (graph.clone(), if p + 1 < procedures { calls(p) } else { Vec::new() }));
        Supergraph::new(bodies.collect::<Vec<_>>(), ProcedureId::new(0)).expect("one successor")
    }

    #[test]
    fn numbers_pass_64_bits_and_stop_at_128() {
        // A procedure with its callees has 4 * n * n paths: 2, 6, 14, 30, 62, 126, 254 bits.
        for (procedures, bits) in [(1, 2), (2, 6), (5, 62), (6, 126)] {
            let numbering = InterNumbering::new(&chain(procedures), Base::Context, AtCut::Aside, &[]).expect("it fits");
            assert_eq!((numbering.bits(), numbering.num_paths()), (bits, 1 << bits));
        }
        let most = InterNumbering::new(&chain(6), Base::Context, AtCut::Aside, &[]).expect("it fits");
        let path = most.path_of(&chain(6), most.num_paths() - 1, 1000).expect("a path");
        assert_eq!(path.vertices.len(), 63 * 7);
        assert_eq!(most.path_of(&chain(6), most.num_paths() - 1, 100), None, "it is too long");
        let error = InterNumbering::new(&chain(7), Base::Context, AtCut::Aside, &[]).unwrap_err();
        assert_eq!(error.to_string(), "there are more interprocedural paths than numbers of 128 bits");
    }

    #[test]
    fn long_numbers_are_cut_to_64_bits() {
        let supergraph = chain(7);
        let mut executions = SecondaryMap::new();
        // The call sites of the fourth procedure are never executed.
        for (index, procedure) in supergraph.procedures().enumerate() {
            for &site in supergraph.sites(procedure) {
                executions[site] = if index == 3 { 0 } else { 10 };
            }
        }
        for base in [Base::Context, Base::Piecewise] {
            let numbering =
                cut_coldest(&supergraph, (base, AtCut::Aside), &[], &executions, 64).expect("cuts are enough");
            let cut = |p: usize| supergraph.sites(ProcedureId::new(p)).iter().map(|&s| numbering.calls().is_cut(s));
            assert!(cut(3).all(|is_cut| is_cut) && !cut(2).any(|is_cut| is_cut));
            assert_eq!(numbering.bits(), 31, "2^30 paths and 2^14");
        }
        assert_eq!(
            cut_coldest(&supergraph, (Base::Context, AtCut::Aside), &[], &executions, 1).unwrap_err(),
            TooManyPaths { bits: 1 }
        );
    }
}
