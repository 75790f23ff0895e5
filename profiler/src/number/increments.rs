//! Placement of a path number's additions on the fewest and coldest edges, and the plan with them.
//!
//! In: a numbering and edge weights. Out: [`Potentials`]: at each node, a constant that the path register lacks to the
//! sum of values; and the plan. An edge `u -> w` then adds `val + potential(u) - potential(w)`, which is 0 on every edge of a maximum
//! spanning forest of the kept edges. Constants at starts and ends of paths are free, since the register is set or
//! reported there anyway.
//!
//! `[BL96]` (event counting after `[B94]`: increments on the chords of a spanning tree). There the tree includes ENTRY
//! and EXIT. Here it does not, because their edges carry a `SetPath` or `FinishPath` in any case.
//!
//! Invariant: for each path the register plus the final constant is the id that [`Potentials::direct`] gives, modulo
//! 2^64.

use cranelift_entity::SecondaryMap;

use super::ball_larus::Numbering;
use super::spanning_forest::maximum_forest;
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::plan::{Action, Markers, Plan, append};

/// The constant that the path register lacks at each node.
#[derive(Clone, Debug, Default)]
pub struct Potentials(SecondaryMap<Node, i64>);

impl Potentials {
    /// Potentials of 0: each edge adds its own value.
    pub fn direct() -> Potentials {
        Potentials::default()
    }

    /// Potentials that need no addition on the edges of a maximum spanning forest by `weights`.
    pub fn chords(graph: &Graph, numbering: &Numbering, weights: &SecondaryMap<EdgeId, u64>) -> Potentials {
        let dag = numbering.dag();
        // Edges to the exit report the id, so their addition is free.
        let edges: Vec<EdgeId> =
            dag.topological().iter().flat_map(|&node| dag.kept(graph, node)).filter(|&e| !graph.is_return(e)).collect();
        let forest = maximum_forest(graph, edges, weights);
        let mut potential: SecondaryMap<Node, Option<i64>> = SecondaryMap::new();
        let mut result = Potentials::default();
        for &root in dag.topological() {
            if potential[root].is_some() {
                continue;
            }
            potential[root] = Some(0);
            let mut work = vec![(root, 0_i64)];
            while let Some((node, at)) = work.pop() {
                result.0[node] = at;
                for &(edge, other, direction) in &forest[node] {
                    if potential[other].is_none() {
                        let val = numbering.val(graph, edge).expect("a kept edge has a value");
                        let there = direction.step(at, val);
                        potential[other] = Some(there);
                        work.push((other, there));
                    }
                }
            }
        }
        result
    }

    /// The constant that the register lacks at `node`.
    pub fn of(&self, node: Node) -> i64 {
        self.0[node]
    }
}

impl Numbering {
    /// The plan that reports each path's id at its end, with additions at the edges that `potentials` leave.
    pub fn plan(&self, graph: &Graph, potentials: &Potentials, markers: Markers) -> Plan {
        let mut plan = Plan::default();
        let start = |node: Node| {
            let base = self.base(node).expect("paths start at the target of a cut edge");
            (base as i64).wrapping_sub(potentials.of(node))
        };
        append(&mut plan.entry, Action::SetPath(start(graph.entry())));
        for (id, edge) in graph.edges() {
            if self.steps(edge.from).is_empty() {
                continue; // not reachable
            }
            let list = &mut plan.edges[id];
            match edge.kind {
                EdgeKind::Failure => {
                    let (block, add) = (edge.from, potentials.of(edge.from));
                    append(list, Action::FinishPrefix { block, add, restart: Some(start(edge.to)) });
                }
                EdgeKind::Normal if self.dag().is_cut(id) => {
                    let add = potentials.of(edge.from).wrapping_add(self.cut_val(edge.from) as i64);
                    append(list, Action::FinishPath { add, restart: Some(start(edge.to)) });
                }
                EdgeKind::Normal => {
                    let val = self.val(graph, id).expect("a kept edge has a value") as i64;
                    let moved = potentials.of(edge.from).wrapping_sub(potentials.of(edge.to));
                    append(list, Action::AddPath(val.wrapping_add(moved)));
                    if graph.is_return(id) {
                        let add = potentials.of(edge.to);
                        append(list, Action::FinishPath { add, restart: None });
                    }
                }
            }
        }
        for &block in self.dag().topological() {
            let add = potentials.of(block);
            append(&mut plan.aborts[block], Action::FinishPrefix { block, add, restart: None });
        }
        if graph.entry() == graph.exit() {
            append(&mut plan.entry, Action::FinishPath { add: 0, restart: None });
        }
        plan.mark_activations(graph, markers);
        plan
    }
}
