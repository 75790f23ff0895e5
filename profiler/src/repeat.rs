//! Loops each of whose iterations is the same path.
//!
//! In: a graph with a plan of Ball-Larus paths. Out: the innermost loops that have one way round, with the id that a whole
//! iteration reports. Whoever carries the plan out may count the iterations of such a loop and report them together when it is
//! left, in place of a report on each back edge.
//!
//! Invariant: the first iteration since the loop was entered reports the path register at the entry plus
//! [`Repeat::first`], every other one [`Repeat::id`]; on the way round the register is only added to.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::loops::{Loop, LoopNest};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::plan::{Action, Plan};

/// A loop with one way round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepeatId(u32);
entity_impl!(RepeatId, "repeat");

/// What is known of such a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Its header.
    pub header: Node,
    /// The edge that ends an iteration.
    pub back_edge: EdgeId,
    /// What the path register is where an iteration starts, but for the first one.
    pub restart: i64,
    /// The id of an iteration.
    pub id: i64,
}

impl Repeat {
    /// What the first iteration adds to the path register at the entry to make its id.
    pub fn first(&self) -> i64 {
        self.id.wrapping_sub(self.restart)
    }
}

/// The loops of one graph that have one way round.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    all: PrimaryMap<RepeatId, Repeat>,
    of: SecondaryMap<Node, PackedOption<RepeatId>>,
    offsets: SecondaryMap<Node, i64>,
}

impl Repeats {
    /// Finds them.
    pub fn find(graph: &Graph, plan: &Plan) -> Repeats {
        let nest = LoopNest::of(graph);
        let mut found = Repeats::default();
        for (id, looped) in nest.iter() {
            let is_innermost = looped.members.iter().all(|&member| nest.innermost(member) == Some(id));
            let Some((repeat, offsets)) = is_innermost.then(|| way_round(graph, plan, looped)).flatten() else {
                continue;
            };
            let repeat = found.all.push(repeat);
            for (&member, offset) in looped.members.iter().zip(offsets) {
                found.of[member] = repeat.into();
                found.offsets[member] = offset;
            }
        }
        found
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Repeat> {
        self.all.values()
    }

    /// The loop that a node is in.
    pub fn of(&self, node: Node) -> Option<&Repeat> {
        self.of[node].expand().map(|id| &self.all[id])
    }

    /// For a node in such a loop: what was added to the path register since the iteration started.
    pub fn offset(&self, node: Node) -> i64 {
        self.offsets[node]
    }

    /// The loop that an edge enters from outside.
    pub fn entered(&self, graph: &Graph, edge: EdgeId) -> Option<&Repeat> {
        let edge = graph.edge(edge);
        self.of(edge.to).filter(|_| self.of[edge.from] != self.of[edge.to])
    }

    /// The loop that an edge leaves.
    pub fn left(&self, graph: &Graph, edge: EdgeId) -> Option<&Repeat> {
        let edge = graph.edge(edge);
        self.of(edge.from).filter(|_| self.of[edge.from] != self.of[edge.to])
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// The one way round a loop, with what is added to the path register up to each member; none if there is another way, or if more
/// is done on it than that. In reverse postorder members come as on the way.
fn way_round(graph: &Graph, plan: &Plan, looped: &Loop) -> Option<(Repeat, Vec<i64>)> {
    let &[back_edge] = looped.back_edges.as_slice() else { return None };
    let &[Action::FinishPath { add, restart: Some(restart) }] = plan.edges[back_edge].as_slice() else { return None };
    let mut sum: i64 = 0;
    let mut offsets = Vec::with_capacity(looped.members.len());
    for &member in &looped.members {
        offsets.push(sum);
        let inside: Vec<EdgeId> = graph
            .successors(member)
            .iter()
            .copied()
            .filter(|&edge| looped.members.contains(&graph.edge(edge).to))
            .collect();
        let &[edge] = inside.as_slice() else { return None };
        if graph.edge(edge).kind != EdgeKind::Normal || !plan.blocks[member].is_empty() {
            return None;
        }
        match plan.edges[edge].as_slice() {
            [] => {}
            &[Action::AddPath(more)] => sum = sum.wrapping_add(more),
            _ if edge == back_edge => {}
            _ => return None,
        }
    }
    let id = restart.wrapping_add(sum).wrapping_add(add);
    Some((Repeat { header: looped.header, back_edge, restart, id }, offsets))
}
