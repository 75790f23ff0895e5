//! Loops with a single path.
//!
//! In: a graph with a plan of Ball-Larus paths, or with its regions. Out: the innermost loops whose iterations all take one path, with
//! the id that a complete iteration reports. An executor of the plan may count the iterations of such a loop in a register
//! and report them together when it leaves the loop, instead of reporting each at the back edge.
//!
//! A loop whose region is folded reports no id: the iterations of the region are counted.
//!
//! Invariant of ids: the first iteration after an entry of the loop reports the path register's value at the entry plus
//! [`Repeat::first`], every other iteration reports [`Repeat::id`]. Steps within an iteration only add to the register.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::loops::{Loop, LoopNest};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::persistence::Regions;
use crate::plan::{Action, Plan};

/// A loop with a single path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepeatId(u32);
entity_impl!(RepeatId, "repeat");

/// A loop with a single path, and its ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Its header.
    pub header: Node,
    /// The edge that ends an iteration.
    pub back_edge: EdgeId,
    /// The path register's value at the start of every iteration but the first.
    pub restart: i64,
    /// The id of an iteration; of a region the index of its register.
    pub id: i64,
}

impl Repeat {
    /// The first iteration's id less the path register's value at the loop's entry.
    pub fn first(&self) -> i64 {
        self.id.wrapping_sub(self.restart)
    }
}

/// The loops of one graph that have a single path.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    all: PrimaryMap<RepeatId, Repeat>,
    of: SecondaryMap<Node, PackedOption<RepeatId>>,
    offsets: SecondaryMap<Node, i64>,
}

impl Repeats {
    /// Finds these loops.
    pub fn find(graph: &Graph, plan: &Plan) -> Repeats {
        Repeats::among(graph, plan, |_| true)
    }

    /// Finds those that call nothing: other activations of the function report no path before theirs are.
    pub fn without_calls(graph: &Graph, plan: &Plan) -> Repeats {
        Repeats::among(graph, plan, |looped| looped.members.iter().all(|member| graph.calls(*member).next().is_none()))
    }

    fn among(graph: &Graph, plan: &Plan, is_wanted: impl Fn(&Loop) -> bool) -> Repeats {
        let nest = LoopNest::of(graph);
        let mut found = Repeats::default();
        for (id, looped) in nest.iter() {
            let is_innermost = looped.members.iter().all(|&member| nest.innermost(member) == Some(id));
            let is_one = is_innermost && is_wanted(looped);
            let Some((repeat, offsets)) = is_one.then(|| way_round(graph, plan, looped)).flatten() else {
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

    /// Finds the loops whose regions have a single path.
    pub fn of_regions(graph: &Graph, regions: &Regions) -> Repeats {
        let nest = regions.nest();
        let mut found = Repeats::default();
        for (id, looped) in nest.iter() {
            let is_innermost = looped.members.iter().all(|&member| nest.innermost(member) == Some(id));
            let &[back_edge] = looped.back_edges.as_slice() else { continue };
            let register = regions.loop_at(looped.header).expect("every loop has a region");
            let is_normal = graph.edge(back_edge).kind == EdgeKind::Normal;
            if !is_innermost || !is_normal || regions.single_path(graph, register).is_none() {
                continue;
            }
            let repeat = Repeat { header: looped.header, back_edge, restart: 0, id: register.index() as i64 };
            let repeat = found.all.push(repeat);
            looped.members.iter().for_each(|&member| found.of[member] = repeat.into());
        }
        found
    }

    /// Every such loop.
    pub fn iter(&self) -> impl Iterator<Item = &Repeat> {
        self.all.values()
    }

    /// The loop that a node is in.
    pub fn of(&self, node: Node) -> Option<&Repeat> {
        self.of[node].expand().map(|id| &self.all[id])
    }

    /// The sum of additions to the path register from the start of an iteration to `node`, a member of such a loop.
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

    /// Returns whether there are no such loops.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// The single path of a loop, with the sum of additions up to each member; `None` if the loop has several paths, or if
/// its path has other steps. The members' reverse postorder is their order on the path.
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
        let has_steps =
            !plan.blocks[member].is_empty() || graph.calls(member).any(|call| plan.calls.contains_key(&call));
        if graph.edge(edge).kind != EdgeKind::Normal || has_steps {
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
