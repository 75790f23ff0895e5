//! Call sites that hybrid paths do not cross, by a strategy of `[MR98]` section 8.
//!
//! In: the functions of a program, and a [`CutStrategy`]. Out: the calls to which Transformation 3 is applied beside the recursive ones.
//! Invariant: a strategy tells from the program's text alone; what it leaves is cut further, coldest first, if numbers do not fit.

use cranelift_entity::{EntitySet, PrimaryMap};

use super::graphs::ProgramBody;
use crate::graph::Call;
use crate::scheme::cut_strategy::CutStrategy;
use crate::supergraph::ProcedureId;

/// Decides about calls.
pub(super) struct Cuts<'a> {
    bodies: &'a PrimaryMap<ProcedureId, ProgramBody>,
    strategy: CutStrategy,
    /// Functions that another file than their own calls, or takes the value of.
    exported: EntitySet<ProcedureId>,
}

impl Cuts<'_> {
    /// By a strategy.
    pub(super) fn new(bodies: &PrimaryMap<ProcedureId, ProgramBody>, strategy: CutStrategy) -> Cuts<'_> {
        let mut exported = EntitySet::new();
        for body in bodies.values() {
            let called = body.callees.values().filter_map(|callee| callee.known());
            for named in called.chain(body.values.iter().copied()).filter(|named| bodies[*named].file != body.file) {
                exported.insert(named);
            }
        }
        Cuts { bodies, strategy, exported }
    }

    /// Returns whether a call is cut.
    pub(super) fn has(&self, caller: ProcedureId, call: Call, callee: ProcedureId) -> bool {
        match self.strategy {
            CutStrategy::Coldest => false,
            CutStrategy::All => true,
            CutStrategy::OtherFiles => self.bodies[caller].file != self.bodies[callee].file,
            CutStrategy::Exported => self.exported.contains(callee),
            CutStrategy::NonLeaves => !self.bodies[callee].callees.is_empty(),
            CutStrategy::Listed(calls) => calls.iter().any(|cut| {
                cut.caller == self.bodies[caller].name && (cut.block, cut.number) == (call.block, call.number)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{ExitKind, Graph, Node};
    use crate::scheme::{Callee, CutCall};
    use cranelift_entity::EntityRef;
    use hashbrown::HashMap;

    const MAIN: u32 = 0;
    const HELPER: u32 = 1;
    const LEAF: u32 = 2;
    const FAR: u32 = 3;

    fn call(number: u32) -> Call {
        Call { block: Node::new(0), number }
    }

    fn body(name: &str, file: u32, callees: &[u32]) -> ProgramBody {
        let graph = Graph::from_pairs(2, &[(0, 1)], 0, 1, ExitKind::Block).expect("a graph");
        let callees: HashMap<Call, Callee> = (0..)
            .zip(callees)
            .map(|(number, callee)| (call(number), Callee::Known(ProcedureId::from_u32(*callee))))
            .collect();
        ProgramBody { name: name.to_owned(), file, signature: 0, graph, callees, values: Vec::new() }
    }

    /// main and helper in one file, leaf and far in another; main calls all, helper and far call leaf.
    fn bodies() -> PrimaryMap<ProcedureId, ProgramBody> {
        let mut bodies = PrimaryMap::new();
        bodies.push(body("main", 0, &[HELPER, LEAF, FAR]));
        bodies.push(body("helper", 0, &[LEAF]));
        bodies.push(body("leaf", 1, &[]));
        bodies.push(body("far", 1, &[LEAF]));
        bodies
    }

    #[test]
    fn strategies_cut_what_the_paper_says() {
        let bodies = bodies();
        let sites = [(MAIN, 0, HELPER), (MAIN, 1, LEAF), (MAIN, 2, FAR), (HELPER, 0, LEAF), (FAR, 0, LEAF)];
        let cut = |strategy| {
            let cuts = Cuts::new(&bodies, strategy);
            sites.map(|(caller, number, callee)| {
                cuts.has(ProcedureId::from_u32(caller), call(number), ProcedureId::from_u32(callee))
            })
        };
        assert_eq!(cut(CutStrategy::Coldest), [false; 5]);
        assert_eq!(cut(CutStrategy::All), [true; 5]);
        assert_eq!(cut(CutStrategy::OtherFiles), [false, true, true, true, false]);
        // leaf and far are named by the other file, helper only by its own.
        assert_eq!(cut(CutStrategy::Exported), [false, true, true, true, true]);
        assert_eq!(cut(CutStrategy::NonLeaves), [true, false, true, false, false]);
        // Example 8.1: one of the calls of leaf.
        let one = CutCall { caller: "helper".to_owned(), block: Node::new(0), number: 0 };
        assert_eq!(cut(CutStrategy::listed(vec![one])), [false, false, false, true, false]);
    }
}
