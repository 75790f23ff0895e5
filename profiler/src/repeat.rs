//! Loops with a single path.
//!
//! In: a graph with a plan of Ball-Larus or k-iteration paths, or with its regions. Out: the innermost loops whose iterations all take one
//! path, with the id that a complete iteration reports. An executor of the plan may count the iterations of such a loop in a register
//! and report them together when it leaves the loop, instead of reporting each at the back edge. Then it needs no accumulators of
//! k-iteration paths: what they hold follows from the number of iterations.
//!
//! A loop whose region is folded reports no id: the iterations of the region are counted.
//!
//! Invariant of ids, for paths of k iterations: the first k-1 iterations after an entry of the loop report nothing, the kth reports the
//! path register's value at the entry plus [`Repeat::first`], every other iteration reports [`Repeat::id`]. Steps within an iteration
//! only add to registers.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::loops::{Loop, LoopNest};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::persistence::Regions;
use crate::plan::{Action, IterationWeight, Plan};

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
    /// Number of iterations that a path spans.
    pub k: u32,
    /// The register of the oldest path at the start of every iteration behind the first k.
    pub restart: i64,
    /// The id of an iteration; of a region the index of its register.
    pub id: i64,
    /// The id that the kth iteration reports, less the path register's value at the loop's entry.
    pub first: i64,
}

impl Repeat {
    /// Number of ids that so many iterations since the loop's entry report.
    pub fn reported(&self, times: u64) -> u64 {
        times.saturating_sub(u64::from(self.k) - 1)
    }

    /// The oldest path's register at the start of its kth iteration, less the path register's value at the loop's entry.
    fn lead(&self) -> i64 {
        self.first.wrapping_sub(self.id.wrapping_sub(self.restart))
    }
}

/// The loops of one graph that have a single path.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    all: PrimaryMap<RepeatId, Repeat>,
    of: SecondaryMap<Node, PackedOption<RepeatId>>,
    /// Of each member and number of iterations below k: what was added since the loop's entry.
    added: SecondaryMap<Node, Vec<i64>>,
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
            let Some((repeat, added)) = is_one.then(|| way_round(graph, plan, looped)).flatten() else {
                continue;
            };
            let repeat = found.all.push(repeat);
            for (&member, added) in looped.members.iter().zip(added) {
                found.of[member] = repeat.into();
                found.added[member] = added;
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
            let id = register.index() as i64;
            let repeat = Repeat { header: looped.header, back_edge, k: 1, restart: 0, id, first: id };
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

    /// The oldest path's register in `node`, a member of such a loop, less the path register at the loop's entry: after 0 to k-1 iterations.
    /// Of regions, nothing.
    pub fn added(&self, node: Node) -> &[i64] {
        &self.added[node]
    }

    /// The sum of additions to the oldest path's register from the start of its kth iteration to `node`.
    pub fn offset(&self, repeat: &Repeat, node: Node) -> i64 {
        self.added[node].last().map_or(0, |added| added.wrapping_sub(repeat.lead()))
    }

    /// The oldest path's register in `node`, `times` iterations after the loop was entered with `before` in the path register.
    pub fn oldest(&self, repeat: &Repeat, node: Node, (times, before): (u64, i64)) -> i64 {
        if times >= u64::from(repeat.k) {
            return repeat.restart.wrapping_add(self.offset(repeat, node));
        }
        before.wrapping_add(self.added[node].get(times as usize).copied().unwrap_or(0))
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

/// The single path of a loop, with what was added up to each member since the entry, for each number of iterations below k; `None` if the loop
/// has several paths, or if its path has other steps. The members' reverse postorder is their order on the path.
fn way_round(graph: &Graph, plan: &Plan, looped: &Loop) -> Option<(Repeat, Vec<Vec<i64>>)> {
    let &[back_edge] = looped.back_edges.as_slice() else { return None };
    let (k, restart) = match *plan.edges[back_edge].last()? {
        Action::FinishPath { restart: Some(restart), .. } => (1, restart),
        Action::NextIteration { k, restart } => (k, restart),
        _ => return None,
    };
    let mut sums = vec![IterationWeight::default(); k as usize];
    let mut offsets = Vec::with_capacity(looped.members.len());
    for &member in &looped.members {
        offsets.push(sums.iter().map(|sum| sum.val).collect::<Vec<i64>>());
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
        add_weights(plan, edge, &mut sums)?;
    }
    let mut since_entry: i64 = 0;
    for (i, sum) in sums.iter().enumerate() {
        offsets.iter_mut().for_each(|offset| offset[i] = offset[i].wrapping_add(since_entry));
        since_entry = since_entry.wrapping_add(sum.val);
    }
    let (last, younger) = sums.split_last().expect("a path spans some iterations");
    let restart = younger.iter().fold(restart, |sum, weight| sum.wrapping_add(weight.compensated));
    let id = restart.wrapping_add(last.val);
    Some((Repeat { header: looped.header, back_edge, k, restart, id, first: since_entry }, offsets))
}

/// Adds what an edge adds in each iteration; `None` if it has other steps.
fn add_weights(plan: &Plan, edge: EdgeId, sums: &mut [IterationWeight]) -> Option<()> {
    for step in &plan.edges[edge] {
        let weights = match *step {
            Action::AddPath(val) | Action::FinishPath { add: val, .. } if sums.len() == 1 => {
                &[IterationWeight { val, compensated: val }]
            }
            Action::AddIterations(table) => plan.iteration_weights[table].as_slice(),
            Action::NextIteration { .. } => continue,
            _ => return None,
        };
        for (sum, weight) in sums.iter_mut().zip(weights) {
            sum.val = sum.val.wrapping_add(weight.val);
            sum.compensated = sum.compensated.wrapping_add(weight.compensated);
        }
    }
    Some(())
}
