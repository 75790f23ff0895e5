//! The functions of a program that have paths, and how these are entered.
//!
//! In: which have paths, then a numbering. Out: questions about one of them.

use cranelift_entity::EntitySet;

use crate::number::interprocedural::InterNumbering;
use crate::supergraph::{ProcedureId, Supergraph};

/// Which functions have paths, and how they are entered.
#[derive(Debug, Default)]
pub(super) struct Procedures {
    pub(super) with_paths: EntitySet<ProcedureId>,
    /// Those that a call site that is not cut calls.
    crossed: EntitySet<ProcedureId>,
    /// Those in which a path may begin that a caller does not know.
    detaching: EntitySet<ProcedureId>,
}

impl Procedures {
    pub(super) fn has_paths(&self, procedure: ProcedureId) -> bool {
        self.with_paths.contains(procedure)
    }

    pub(super) fn is_crossed(&self, procedure: ProcedureId) -> bool {
        self.crossed.contains(procedure)
    }

    pub(super) fn may_detach(&self, procedure: ProcedureId) -> bool {
        self.detaching.contains(procedure)
    }

    /// Finds how they are entered, from a numbering.
    pub(super) fn enter_by(&mut self, supergraph: &Supergraph, numbering: &InterNumbering) {
        for &caller in numbering.calls().topological().iter().rev() {
            if !numbering.surrogates(caller).is_empty() {
                self.detaching.insert(caller);
            }
            for &site in supergraph.sites(caller).iter().filter(|site| !numbering.calls().is_cut(**site)) {
                let callee = supergraph.site(site).callee;
                self.crossed.insert(callee);
                if self.detaching.contains(callee) {
                    self.detaching.insert(caller);
                }
            }
        }
    }
}
