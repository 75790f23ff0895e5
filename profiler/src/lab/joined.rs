//! The procedures of the lab, joined by their calls.
//!
//! In: a program, and procedures that are to have no paths. Out: a [`Joined`] supergraph of the others. A call of a procedure without paths is no
//! call site; what such a procedure calls is entered as from outside.
//!
//! Invariant: procedures keep their ids, also those without paths, which nothing leads to.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;

use super::error::LabError;
use super::procedure::{Named, Program};
use crate::graph::Graph;
use crate::number::interprocedural::{AtCut, Base, InterNumbering};
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

/// A supergraph of the procedures with paths.
pub(super) struct Joined<'a> {
    pub(super) supergraph: Supergraph,
    without_paths: &'a BTreeSet<ProcedureId>,
}

impl Joined<'_> {
    /// Joins procedures by their calls.
    pub(super) fn new<'a>(program: &Program, without_paths: &'a BTreeSet<ProcedureId>) -> Result<Joined<'a>, LabError> {
        let has_paths = |procedure: &ProcedureId| !without_paths.contains(procedure);
        let body = |(id, named): (ProcedureId, &Named)| {
            let calls = named.calls.iter().map(|(&block, &(callee, _))| (block, callee));
            let calls = calls.filter(|(_, callee)| has_paths(&id) && has_paths(callee));
            (named.graph.clone(), calls.collect())
        };
        let mut entries: Vec<ProcedureId> = [program.main].into_iter().filter(&has_paths).collect();
        let called = called_by(program, without_paths).into_iter().filter(has_paths);
        entries.extend(called.filter(|callee| *callee != program.main));
        if entries.is_empty() {
            let name = program.procedures[program.main].name.clone();
            return Err(LabError::TooManyPaths(name));
        }
        let supergraph = Supergraph::with_entries(program.procedures.iter().map(body), entries);
        let supergraph = supergraph
            .map_err(|branches| LabError::CallBranches(program.qualified(branches.procedure, branches.block)))?;
        Ok(Joined { supergraph, without_paths })
    }

    /// The procedures of a program that have too many paths of their own: if all calls were cut, the paths of the others would add up to
    /// numbers of so many bits.
    pub(super) fn refused(program: &Program, base: Base, bits: u32) -> BTreeSet<ProcedureId> {
        let most = if bits >= u128::BITS { u128::MAX } else { 1 << bits };
        let share = most / (program.procedures.len() as u128 + 1);
        let fits = |named: &Named| paths_alone(&named.graph, base).is_some_and(|paths| paths <= share);
        program.procedures.iter().filter(|(_, named)| !fits(named)).map(|(id, _)| id).collect()
    }

    /// Returns whether a procedure has paths.
    pub(super) fn has_paths(&self, procedure: ProcedureId) -> bool {
        !self.without_paths.contains(&procedure)
    }

    /// The call sites of some blocks; those of procedures without paths, and the calls of these, are none.
    pub(super) fn sites(&self, program: &Program, blocks: &[String]) -> Result<Vec<SiteId>, LabError> {
        let mut sites = Vec::new();
        for name in blocks {
            let (procedure, block) = program.block(name)?;
            if !program.procedures[procedure].calls.contains_key(&block) {
                return Err(LabError::NoCall(name.clone()));
            }
            sites.extend(self.supergraph.site_at(procedure, block));
        }
        Ok(sites)
    }
}

/// The procedures that those without paths call, as far as main leads to these.
fn called_by(program: &Program, without_paths: &BTreeSet<ProcedureId>) -> BTreeSet<ProcedureId> {
    let callees = |id: ProcedureId| program.procedures[id].calls.values().map(|(callee, _)| *callee);
    let (mut reached, mut pending) = (BTreeSet::new(), vec![program.main]);
    while let Some(procedure) = pending.pop() {
        if reached.insert(procedure) {
            pending.extend(callees(procedure));
        }
    }
    reached.intersection(without_paths).flat_map(|&procedure| callees(procedure)).collect()
}

/// Number of paths of a procedure that calls nothing; `None` if it does not fit.
pub(super) fn paths_alone(graph: &Graph, base: Base) -> Option<u128> {
    let supergraph = Supergraph::new([(graph.clone(), Vec::new())], ProcedureId::new(0)).expect("it calls nothing");
    Some(InterNumbering::new(&supergraph, base, AtCut::Aside, &[]).ok()?.num_paths())
}
