//! The plan of one function from the numbering of the whole program.
//!
//! In: a numbering of the supergraph, and a function of it. Out: its [`Plan`]. `[MR98]` sections 5.5 and 6.3, with these changes:
//! - `pathNum` is a register of each activation. A call passes it on if paths go on in the callee, and a return passes it back. So a path
//!   that waits at a cut call is kept by its activation, and there is no stack of pending paths.
//! - A return passes its path back in any case. Behind a cut call the caller reports it: it knows that the callee began the path, which the
//!   callee, entered from elsewhere too, does not.
//! - The number of open calls is never counted: see [`crate::plan::across`].
//! - Additions are where [`DeferredIncrements`] leave them.
//!
//! Invariant: what is read behind a place was passed at the place before: a callee without paths passes an id that is nobody's.

use cranelift_entity::EntityRef;

use super::deferred_increments::DeferredIncrements;
use super::graphs::{Callee, ProgramBody};
use super::numbered::{Numbered, number, scaled};
use super::procedures::Procedures;
use super::segments::Segments;
use crate::graph::{Call, EdgeId, EdgeKind, Graph, Node};
use crate::number::ball_larus::StepKind;
use crate::number::interprocedural::GlobalTarget;
use crate::plan::across::{CrossStep, Origin, Saved, Scaled};
use crate::plan::{Action, CallSteps, Crossing, CutShort, Plan, append};
use crate::supergraph::ProcedureId;

/// The step that begins a path in the callee.
const BEGIN: Action = Action::Across(CrossStep::PassCompletions(Scaled { a: 0, b: 0 }));

/// The plan of a function that has no paths: what it calls begins paths of its own.
pub(super) fn without_paths(body: &ProgramBody, procedures: &Procedures, nobodys: i64) -> Plan {
    let mut plan = Plan { cut_short: CutShort::Nobody, ..Plan::default() };
    for (&call, &callee) in &body.callees {
        plan.calls.extend(cut_call(call, callee, procedures));
    }
    for (edge, _) in body.graph.edges().filter(|(edge, _)| body.graph.is_return(*edge)) {
        plan.edges[edge] = vec![Action::SetPath(nobodys), Action::Pass { add: 0 }];
    }
    plan
}

/// The steps around a call that paths do not cross.
fn cut_call(call: Call, callee: Callee, procedures: &Procedures) -> Option<(Call, CallSteps)> {
    match callee {
        Callee::Known(callee) if !procedures.has_paths(callee) => None,
        Callee::Known(_) | Callee::Value(_) => {
            let after = vec![Action::Across(CrossStep::FinishPassed)];
            Some((call, CallSteps { before: vec![BEGIN], after, crossing: Crossing::Waits }))
        }
    }
}

/// The plan of a function with paths.
pub(super) fn with_paths(of: Numbered<'_>, procedure: ProcedureId, body: &ProgramBody, segments: &Segments) -> Plan {
    let mut planner = Planner::new(of, procedure, segments);
    planner.enter();
    for (&call, &callee) in &body.callees {
        planner.call(call, callee);
    }
    for (edge, _) in body.graph.edges() {
        planner.edge(&body.graph, edge);
    }
    for block in body.graph.nodes() {
        planner.note_deferred(&body.graph, block);
    }
    planner.plan
}

struct Planner<'a> {
    of: Numbered<'a>,
    procedure: ProcedureId,
    segments: &'a Segments,
    origin: Origin,
    /// The register that tells, of a function that a dispatcher calls, whether it was entered by value, and the value of the return to the dispatcher.
    by_value: Option<(Saved, i64)>,
    deferred: DeferredIncrements,
    plan: Plan,
}

impl<'a> Planner<'a> {
    fn new(of: Numbered<'a>, procedure: ProcedureId, segments: &'a Segments) -> Planner<'a> {
        let target = GlobalTarget::Entry(procedure);
        let own = of.numbering.global_edges().iter().find(|edge| edge.to == target).map(|edge| number(edge.value));
        let is_crossed = of.procedures.is_crossed(procedure);
        let origin = match own {
            Some(value) if is_crossed => Origin::Either(value),
            Some(value) => Origin::Own(value),
            None => Origin::Passed,
        };
        let plan = Plan { cut_short: CutShort::ByUnwinder, ..Plan::default() };
        let deferred = DeferredIncrements::new(of, procedure, segments);
        Planner { of, procedure, segments, origin, by_value: None, deferred, plan }
    }

    fn is_piecewise(&self) -> bool {
        self.of.numbering.unbalanced_paths_from_exit(self.procedure).is_some()
    }

    /// `pathNumOnEntry`.
    fn on_entry() -> Saved {
        Saved::new(0)
    }

    fn enter(&mut self) {
        self.plan.entry.push(Action::Across(CrossStep::Begin(self.origin)));
        self.enter_by_value();
        if !self.is_piecewise() && !self.of.numbering.surrogates(self.procedure).is_empty() {
            self.plan.entry.push(Action::Across(CrossStep::Save(Planner::on_entry())));
        }
    }

    /// A function that a dispatcher calls adds what the choice of it adds. Negative completions tell it from a direct call.
    fn enter_by_value(&mut self) {
        let Some((dispatcher, site)) = self.of.values.site_of(self.of.supergraph, self.procedure) else { return };
        let block = self.of.supergraph.site(site).block;
        let graph = self.of.supergraph.graph(dispatcher);
        let choice = graph.find_edge(graph.entry(), block).expect("a dispatcher chooses among its calls");
        let steps = self.of.numbering.steps(dispatcher, graph.entry());
        let rho = steps.iter().find(|step| step.kind == StepKind::Edge(choice)).expect("it is numbered").rho;
        let value = self.of.numbering.return_value(site).map_or(0, number);
        self.by_value = (value != 0 && self.may_detach()).then(|| (Planner::returns_by_value(), value));
        let flag = self.by_value.map(|(flag, _)| flag);
        self.plan.entry.push(Action::Across(CrossStep::EnterByValue { by: scaled(rho), flag }));
    }

    /// The only saved register, as paths are pieces.
    fn returns_by_value() -> Saved {
        Saved::new(0)
    }

    /// Returns whether a path may begin here that a caller does not know.
    fn may_detach(&self) -> bool {
        self.is_piecewise() && self.of.procedures.may_detach(self.procedure)
    }

    /// Returns whether a dispatcher chooses among this function and some in which paths may begin: then callers ask every one of them.
    fn is_chosen_among_detaching(&self) -> bool {
        let chooser = self.of.values.site_of(self.of.supergraph, self.procedure).map(|(dispatcher, _)| dispatcher);
        self.is_piecewise() && chooser.is_some_and(|dispatcher| self.of.procedures.may_detach(dispatcher))
    }

    fn call(&mut self, call: Call, callee: Callee) {
        let segment = self.segments.of_call(call);
        let crossed = self.of.supergraph.site_at(self.procedure, segment);
        let Some(site) = crossed.filter(|&site| !self.of.numbering.calls().is_cut(site)) else {
            self.plan.calls.extend(cut_call(call, callee, self.of.procedures));
            return;
        };
        let mut completions = scaled(self.of.numbering.completions_at_return(site));
        if self.of.values.is_dispatcher(self.of.supergraph.site(site).callee) {
            completions = Scaled { a: -completions.a, b: -completions.b };
        }
        let before = vec![Action::Pass { add: 0 }, Action::Across(CrossStep::PassCompletions(completions))];
        let mut after = vec![Action::Receive];
        if let Some(value) = self.of.numbering.return_value(site)
            && self.of.procedures.may_detach(self.of.supergraph.site(site).callee)
        {
            let completions = self.completions_at_exit();
            after.push(Action::Across(CrossStep::ReceiveDetached { value: number(value), completions }));
        }
        self.plan.calls.insert(call, CallSteps { before, after, crossing: Crossing::Continues });
    }

    /// Completions at the exit for paths without open calls.
    fn completions_at_exit(&self) -> i64 {
        number(self.of.numbering.unbalanced_paths_from_exit(self.procedure).expect("the paths are piecewise"))
    }

    fn edge(&mut self, graph: &Graph, edge: EdgeId) {
        let split = self.segments.edge(edge);
        let ends = self.segments.graph.edge(split);
        let order = self.of.supergraph.order(self.procedure);
        if !order.is_reachable(ends.from) {
            return;
        }
        let mut steps = Vec::new();
        match ends.kind {
            EdgeKind::Failure => self.restart(ends.to, &mut steps),
            EdgeKind::Normal if order.is_back_edge(split) => {
                let rho = self.rho(ends.from, StepKind::Cut);
                add(rho.plus(self.deferred.of(ends.from)), &mut steps);
                append(&mut steps, Action::FinishPath { add: 0, restart: None });
                self.restart(ends.to, &mut steps);
            }
            EdgeKind::Normal => {
                let rho = self.rho(ends.from, StepKind::Edge(split));
                add(rho.plus(self.deferred.of(ends.from)).minus(self.deferred.of(ends.to)), &mut steps);
            }
        }
        if graph.is_return(edge) {
            if let Some((flag, value)) = self.by_value {
                steps.push(Action::Across(CrossStep::LeaveByValue { flag, value }));
            }
            append(&mut steps, Action::Pass { add: 0 });
            if self.may_detach() || self.is_chosen_among_detaching() {
                steps.push(Action::Across(CrossStep::PassDetached));
            }
        }
        self.plan.edges[edge] = steps;
    }

    fn rho(&self, from: Node, kind: StepKind) -> Scaled {
        let steps = self.of.numbering.steps(self.procedure, from);
        scaled(steps.iter().find(|step| step.kind == kind).expect("a reachable edge is numbered").rho)
    }

    /// Notes what the register lacks in a block, should something fail there.
    fn note_deferred(&mut self, graph: &Graph, block: Node) {
        for number in 0..=graph.calls(block).count() as u32 {
            let deferred = self.deferred.of(self.segments.of(block, number));
            if deferred != Scaled::NOTHING {
                self.plan.deferred.insert(Call { block, number }, deferred);
            }
        }
    }

    /// A new path at the target of a back edge or of a failure edge.
    fn restart(&self, to: Node, steps: &mut Vec<Action>) {
        let numbering = self.of.numbering;
        let surrogate = numbering.surrogates(self.procedure).iter().find(|surrogate| surrogate.to == to);
        let by =
            scaled(surrogate.expect("a block at which paths start has a surrogate").rho).minus(self.deferred.of(to));
        if !self.is_piecewise() {
            // The number at the entry is a constant where the function is only entered by cut calls.
            match self.origin {
                Origin::Own(value) => append(steps, Action::SetPath(value + by.at(1))),
                Origin::Passed | Origin::Either(_) => {
                    let from = Planner::on_entry();
                    append(steps, Action::Across(CrossStep::Resume { from, by }));
                }
            }
            return;
        }
        let completions = self.completions_at_exit();
        let target = GlobalTarget::GEntry(self.procedure);
        let edge = numbering.global_edges().iter().find(|edge| edge.to == target);
        let from = number(edge.expect("a function with surrogates has an edge to them").value);
        append(steps, Action::SetPath(from.wrapping_add(by.at(completions))));
        append(steps, Action::Across(CrossStep::Detach { completions }));
    }
}

fn add(by: Scaled, steps: &mut Vec<Action>) {
    match by.a {
        0 => append(steps, Action::AddPath(by.b)),
        _ => append(steps, Action::Across(CrossStep::Add(by))),
    }
}
