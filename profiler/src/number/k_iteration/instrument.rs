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
//! The values of dummy edges (section 4.1) are added at the start or the report of a path, not on the edges around.

use super::{KNumbering, KStartKind};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::number::ball_larus::StepKind;
use crate::plan::{Action, IterationWeight, Markers, Plan, append};

impl KNumbering {
    /// The plan that reports each path's id at its end.
    pub fn plan(&self, graph: &Graph, markers: Markers) -> Plan {
        let mut plan = Plan { skipped: self.num_paths() as i64, ..Plan::default() };
        append(&mut plan.entry, Action::SetPath(self.restart(graph.entry(), KStartKind::Free)));
        for (id, edge) in graph.edges() {
            if self.versions[edge.from].is_empty() {
                continue; // not reachable
            }
            match edge.kind {
                EdgeKind::Failure => {
                    let restart = Some(self.restart(edge.to, KStartKind::Free));
                    append(&mut plan.edges[id], self.prefix(edge.from, restart));
                }
                EdgeKind::Normal => self.instrument_edge(graph, id, &mut plan),
            }
        }
        for node in graph.nodes().filter(|&node| !self.versions[node].is_empty()) {
            append(&mut plan.aborts[node], self.prefix(node, None));
        }
        if graph.entry() == graph.exit() {
            append(&mut plan.entry, Action::FinishPath { add: 0, restart: None });
        }
        plan.mark_activations(graph, markers);
        plan
    }

    fn instrument_edge(&self, graph: &Graph, id: EdgeId, plan: &mut Plan) {
        let edge = graph.edge(id);
        let weights: Vec<IterationWeight> =
            (1..=self.iterations(edge.from)).map(|i| self.weight(edge.from, i, id)).collect();
        if self.around[edge.from].is_none() {
            append(&mut plan.edges[id], Action::AddPath(weights[0].val));
        } else if weights.iter().any(|w| (w.val, w.compensated) != (0, 0)) {
            let table = plan.iteration_weights.push(weights);
            append(&mut plan.edges[id], Action::AddIterations(table));
        }
        let list = &mut plan.edges[id];
        if self.is_iteration(graph, id) {
            let restart = self.restart(edge.to, KStartKind::Head);
            append(list, Action::NextIteration { k: self.iterations(edge.from), restart });
            return;
        }
        let cut = self.cut.contains(id);
        if self.around[edge.from].is_some() && (cut || self.around[edge.from] != self.around[edge.to]) {
            append(list, Action::LeaveLoop);
        }
        if cut {
            append(list, Action::FinishPath { add: 0, restart: Some(self.restart(edge.to, KStartKind::Free)) });
        } else if graph.is_return(id) {
            append(list, Action::FinishPath { add: 0, restart: None });
        }
    }

    /// The values that `edge` adds in iteration `i`: its own, or those of the end of a path.
    fn weight(&self, from: Node, i: u32, edge: EdgeId) -> IterationWeight {
        let steps = self.steps(from, i);
        let own = steps.iter().find(|step| step.kind == StepKind::Edge(edge));
        let step = own.or_else(|| steps.iter().find(|step| step.kind == StepKind::Cut));
        let step = step.expect("an edge is a way on, or ends a path");
        IterationWeight { val: step.val as i64, compensated: (step.val - step.cval) as i64 }
    }

    fn restart(&self, node: Node, kind: KStartKind) -> i64 {
        self.base(node, kind).expect("paths start at the target of a cut edge") as i64
    }

    fn prefix(&self, block: Node, restart: Option<i64>) -> Action {
        match self.around[block].expand() {
            Some(_) => Action::FinishIterationPrefix { block, restart },
            None => Action::FinishPrefix { block, add: 0, restart },
        }
    }
}
