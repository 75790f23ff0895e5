//! Calls of function values as choices among the functions that they may call (`[MR98]` 9.2.3).
//!
//! In: a program's functions. Out: [`Values`]: for each signature that paths cross calls of, a *dispatcher*: a procedure of the supergraph that
//! calls one of the functions whose value is taken somewhere and has this signature.
//!
//! ```text
//!   the paper: if fp == f { f() } else if fp == g { g() }       here: c --call--> entry --> c_f --> exit      c_f calls f
//!                                                                                      \--> c_g --/           c_g calls g
//! ```
//!
//! The chain of the paper stands in a procedure of its own, which all calls of the signature share. What its edge to `c_f` adds is a function of the
//! completions at its exit, which are those at the exit of f. So f adds it, where it is entered by value, and no call compares function values.
//!
//! A call is treated as a recursive one (the paper's other way) if it or the choice of a function is a back edge of the call graph, if one of the
//! functions has no paths, or if it is to be cut. So are all if code has run that the program does not have any more, as that may have taken
//! other values.
//! Invariant: no call site of a dispatcher is cut, and each dispatcher is called.

use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::cuts::Cuts;
use super::graphs::{CallPlace, Callee, ProgramGraphs};
use super::procedures::Procedures;
use super::segments::Segments;
use crate::graph::{Call, ExitKind, Graph, Node};
use crate::supergraph::call_graph::CallGraph;
use crate::supergraph::{ProcedureBody, ProcedureId, SiteId, Supergraph};

/// The calls of values that paths cross.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// Number of functions: dispatchers are the procedures behind them.
    functions: usize,
    /// The functions that each dispatcher calls, by signature, in their order.
    callees: BTreeMap<u32, Vec<ProcedureId>>,
    /// The signatures of the calls that paths cross.
    crossing: HashMap<CallPlace, u32>,
}

impl Values {
    /// No call of a value is crossed.
    pub(super) fn none(graphs: &ProgramGraphs) -> Values {
        Values { functions: graphs.bodies.len(), ..Values::default() }
    }

    /// All that can be crossed, as far as recursion does not matter.
    pub(super) fn find(graphs: &ProgramGraphs, procedures: &Procedures, cuts: Option<&Cuts<'_>>) -> Values {
        let mut found = Values::none(graphs);
        if !graphs.values_are_known {
            return found;
        }
        for value in taken(graphs).collect::<BTreeSet<_>>() {
            found.callees.entry(graphs.bodies[value].signature).or_default().push(value);
        }
        found.callees.retain(|_, callees| callees.iter().all(|callee| procedures.has_paths(*callee)));
        for (caller, body) in graphs.bodies.iter().filter(|(caller, _)| procedures.has_paths(*caller)) {
            for (&call, callee) in &body.callees {
                let Callee::Value(signature) = *callee else { continue };
                let Some(callees) = found.callees.get(&signature) else { continue };
                let is_cut = cuts.is_some_and(|cuts| callees.iter().any(|callee| cuts.has(caller, call, *callee)));
                if !is_cut {
                    found.crossing.insert((caller, call), signature);
                }
            }
        }
        found.drop_uncalled();
        found
    }

    /// Those that are not recursive; `None` if all are.
    pub(super) fn without_recursive(
        &self,
        supergraph: &Supergraph,
        segments: &PrimaryMap<ProcedureId, Segments>,
    ) -> Option<Values> {
        let calls = CallGraph::new(supergraph, &[]);
        let mut fewer = self.clone();
        for procedure in supergraph.procedures() {
            for &id in supergraph.sites(procedure).iter().filter(|site| calls.is_recursive(**site)) {
                let site = supergraph.site(id);
                if let Some(signature) = self.signature_of(site.caller) {
                    fewer.callees.remove(&signature);
                    fewer.crossing.retain(|_, of| *of != signature);
                } else if self.is_dispatcher(site.callee) {
                    let (block, number) = segments[site.caller].place(site.block);
                    fewer.crossing.remove(&(site.caller, Call { block, number }));
                }
            }
        }
        fewer.drop_uncalled();
        (fewer.crossing.len() < self.crossing.len()).then_some(fewer)
    }

    fn drop_uncalled(&mut self) {
        self.callees.retain(|signature, _| self.crossing.values().any(|called| called == signature));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.crossing.is_empty()
    }

    /// Returns whether a procedure is a dispatcher, and no function.
    pub(super) fn is_dispatcher(&self, procedure: ProcedureId) -> bool {
        procedure.index() >= self.functions
    }

    fn signature_of(&self, procedure: ProcedureId) -> Option<u32> {
        let nth = procedure.index().checked_sub(self.functions)?;
        self.callees.keys().nth(nth).copied()
    }

    fn dispatcher(&self, signature: u32) -> ProcedureId {
        let nth = self.callees.keys().position(|known| *known == signature).expect("a crossed call has a dispatcher");
        ProcedureId::new(self.functions + nth)
    }

    /// The procedure that a call enters if paths cross it.
    pub(super) fn entered_by(&self, place: CallPlace) -> Option<ProcedureId> {
        self.crossing.get(&place).map(|signature| self.dispatcher(*signature))
    }

    /// The functions, each once, that calls of values may enter where paths do not cross them.
    pub(super) fn entered_by_cut(&self, graphs: &ProgramGraphs) -> BTreeSet<ProcedureId> {
        let calls = graphs.bodies.iter().flat_map(|(caller, body)| body.callees.iter().map(move |call| (caller, call)));
        let cut = calls.filter_map(|(caller, (call, callee))| match callee {
            Callee::Value(signature) if !self.crossing.contains_key(&(caller, *call)) => Some(*signature),
            Callee::Value(_) | Callee::Known(_) => None,
        });
        let cut: BTreeSet<u32> = cut.collect();
        let may_enter = |function: &ProcedureId| cut.contains(&graphs.bodies[*function].signature);
        taken(graphs).filter(|function| !graphs.values_are_known || may_enter(function)).collect()
    }

    /// The dispatchers: from the entry to a call of each function, and on to the exit.
    pub(super) fn bodies(&self) -> impl Iterator<Item = ProcedureBody> {
        self.callees.values().map(|callees| {
            let exit = callees.len() + 1;
            let edges: Vec<(usize, usize)> = (1..exit).flat_map(|call| [(0, call), (call, exit)]).collect();
            let graph = Graph::from_pairs(exit + 1, &edges, 0, exit, ExitKind::Block).expect("no edge stands twice");
            (graph, (1..).map(Node::new).zip(callees.iter().copied()).collect())
        })
    }

    /// The dispatcher that calls a function, and its call site.
    pub(super) fn site_of(&self, supergraph: &Supergraph, function: ProcedureId) -> Option<(ProcedureId, SiteId)> {
        let called = |(&signature, callees): (&u32, &Vec<ProcedureId>)| {
            Some((self.dispatcher(signature), callees.binary_search(&function).ok()?))
        };
        let (dispatcher, nth) = self.callees.iter().find_map(called)?;
        Some((dispatcher, supergraph.site_at(dispatcher, Node::new(nth + 1)).expect("it is a call block")))
    }
}

/// The functions whose value is taken, as often as it is.
fn taken(graphs: &ProgramGraphs) -> impl Iterator<Item = ProcedureId> {
    graphs.bodies.values().flat_map(|body| &body.values).copied()
}
