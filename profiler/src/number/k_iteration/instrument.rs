//! Instrumentation for k-iteration paths.
//!
//! In: a numbering. Out: a [`Plan`]. Algorithm 3 of `[RS09]`: `c[j]` holds the path that is in its iteration `j + 1`,
//! `itr` is the index of the oldest path. The path register is `c[0]`, so outside loops with iterations a plan is an
//! ordinary Ball-Larus plan.
//!
//! Deviation: Algorithm 3 adds to `c[i-1]` with `i` from 0 to k-1; it means the iteration, counted from 1.
//! Deviation: Algorithm 3 adds the compensated value if the flag `f_delta` is set, which is after k-1 iterations. From
//! k = 3 on, that is too late: `c[j]` with `j < itr` started at the head and must be compensated from its first edge
//! on, by equation (1). Only `c[itr]` may have started elsewhere, and when `itr` is k-1 it needs no compensation. So
//! the condition is `j < itr`, and the flag is unnecessary.
//! The values of dummy edges (section 4.1) are added at the start or the report of a path, not on the edges around. Additions are where
//! [`KPotentials`] leave them.
//!
//! Code needs no `itr`: an accumulator above `itr` has a value that no other has ([`Unfinished`]). It adds values like the others, as a path that
//! started too late would, and what it reports is passed over.

use super::increments::KPotentials;
use super::{KNumbering, KStartKind};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::number::ball_larus::StepKind;
use crate::plan::{Action, IterationWeight, Markers, Plan, Unfinished, append};

impl KNumbering {
    /// The plan that reports each path's id at its end, with additions at the edges that `potentials` leave.
    pub fn plan(&self, graph: &Graph, potentials: &KPotentials, markers: Markers) -> Plan {
        Instrument { numbering: self, potentials, graph }.plan(markers)
    }

    /// The most paths that an accumulator of a path in its second iteration counts; `None` without iterations.
    fn longest(&self) -> Option<u64> {
        let reported = |header: Node| self.versions[header][1].num_paths as u64;
        self.loops().map(|(header, _)| reported(header)).max()
    }
}

/// Values of accumulators above `itr`, apart from all others. An accumulator and the sum of values differ by at most the constants of some
/// potentials, and one above `itr` starts with other constants than at the loop's head.
pub(super) fn unfinished(parts: &[(&KNumbering, &KPotentials)]) -> Unfinished {
    let paths = parts.iter().map(|(numbering, _)| numbering.end).max().unwrap_or(0) as i64;
    let most = parts.iter().map(|(_, potentials)| potentials.most()).max().unwrap_or(0) as i64;
    match parts.iter().filter_map(|(numbering, _)| numbering.longest()).max() {
        None => Unfinished { start: paths, from: paths, end: paths, id: paths },
        Some(longest) => {
            let start = paths + 3 * most;
            Unfinished { start, from: paths + most, end: start + most + longest as i64, id: paths }
        }
    }
}

struct Instrument<'a> {
    numbering: &'a KNumbering,
    potentials: &'a KPotentials,
    graph: &'a Graph,
}

impl Instrument<'_> {
    fn plan(&self, markers: Markers) -> Plan {
        let (numbering, graph) = (self.numbering, self.graph);
        let mut plan = Plan { unfinished: unfinished(&[(numbering, self.potentials)]), ..Plan::default() };
        append(&mut plan.entry, Action::SetPath(self.restart(graph.entry(), KStartKind::Free)));
        for (id, edge) in graph.edges() {
            if numbering.versions[edge.from].is_empty() {
                continue; // not reachable
            }
            match edge.kind {
                EdgeKind::Failure => {
                    let restart = Some(self.restart(edge.to, KStartKind::Free));
                    let steps = self.prefix(edge.from, restart, &mut plan);
                    plan.edges[id] = steps;
                }
                EdgeKind::Normal => self.instrument_edge(id, &mut plan),
            }
        }
        for node in graph.nodes().filter(|&node| !numbering.versions[node].is_empty()) {
            let steps = self.prefix(node, None, &mut plan);
            plan.aborts[node] = steps;
        }
        if graph.entry() == graph.exit() {
            let add = self.potentials.of(graph.entry(), 1).val;
            append(&mut plan.entry, Action::FinishPath { add, restart: None });
        }
        plan.mark_activations(graph, markers);
        plan
    }

    fn instrument_edge(&self, id: EdgeId, plan: &mut Plan) {
        let (numbering, graph) = (self.numbering, self.graph);
        let edge = graph.edge(id);
        let around = &numbering.around;
        let weights: Vec<IterationWeight> = (1..=numbering.iterations(edge.from)).map(|i| self.weight(id, i)).collect();
        if around[edge.from].is_none() {
            append(&mut plan.edges[id], Action::AddPath(weights[0].val));
        } else {
            let step = add_iterations(weights, plan);
            plan.edges[id].extend(step);
        }
        let list = &mut plan.edges[id];
        if numbering.is_iteration(graph, id) {
            let restart = self.restart(edge.to, KStartKind::Head);
            append(list, Action::NextIteration { k: numbering.iterations(edge.from), restart });
            return;
        }
        let cut = numbering.cut.contains(id);
        if around[edge.from].is_some() && (cut || around[edge.from] != around[edge.to]) {
            append(list, Action::LeaveLoop);
        }
        if cut {
            append(list, Action::FinishPath { add: 0, restart: Some(self.restart(edge.to, KStartKind::Free)) });
        } else if graph.is_return(id) {
            append(list, Action::FinishPath { add: 0, restart: None });
        }
    }

    /// The values that an edge adds in iteration `i`: its own, or those of the end of a path; and the difference of constants.
    fn weight(&self, id: EdgeId, i: u32) -> IterationWeight {
        let (numbering, edge) = (self.numbering, self.graph.edge(id));
        let own = numbering.step_of(self.graph, id, i);
        let end = || numbering.steps(edge.from, i).last().filter(|step| step.kind == StepKind::Cut);
        let step = own.or_else(end);
        let step = step.expect("an edge is a way on, or ends a path");
        let from = self.potentials.of(edge.from, i);
        let (val, compensated) = (step.val as i64, (step.val - step.cval) as i64);
        let to = match step.to {
            // The path is complete there.
            _ if self.graph.is_return(id) => Default::default(),
            Some((to, there)) => self.potentials.of(to, there),
            None => Default::default(),
        };
        let stays = step.to.is_some_and(|(to, _)| numbering.around[to] == numbering.around[edge.from]);
        let val = val.wrapping_add(from.val).wrapping_sub(to.val);
        let compensated = compensated.wrapping_add(from.compensated).wrapping_sub(to.compensated);
        // Where the loop is left only the oldest path goes on.
        IterationWeight { val, compensated: if stays { compensated } else { val } }
    }

    fn restart(&self, node: Node, kind: KStartKind) -> i64 {
        let base = self.numbering.base(node, kind).expect("paths start at the target of a cut edge") as i64;
        let lacks = self.potentials.of(node, 1);
        base.wrapping_sub(match kind {
            KStartKind::Free => lacks.val,
            KStartKind::Head => lacks.compensated,
        })
    }

    fn prefix(&self, block: Node, restart: Option<i64>, plan: &mut Plan) -> Vec<Action> {
        let lacks = |i| {
            let val = self.potentials.of(block, i).val;
            IterationWeight { val, compensated: val }
        };
        if self.numbering.around[block].is_none() {
            return vec![Action::FinishPrefix { block, add: lacks(1).val, restart }];
        }
        let added = add_iterations((1..=self.numbering.iterations(block)).map(lacks).collect(), plan);
        added.into_iter().chain([Action::FinishIterationPrefix { block, restart }]).collect()
    }
}

/// The step that adds these weights, unless they are nothing.
fn add_iterations(weights: Vec<IterationWeight>, plan: &mut Plan) -> Option<Action> {
    let is_something = weights.iter().any(|weight| *weight != IterationWeight::default());
    is_something.then(|| Action::AddIterations(plan.iteration_weights.push(weights)))
}
