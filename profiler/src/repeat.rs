//! Loops with a single path.
//!
//! In: a graph with a plan that numbers paths, or with its regions. Out: the innermost loops whose iterations all take one
//! path, with the id that a complete iteration reports. An executor of the plan may count the iterations of such a loop in a register
//! and report them together when it leaves the loop, instead of reporting each at the back edge. Then it needs no accumulators of
//! k-iteration paths: what they hold follows from the number of iterations.
//!
//! A loop whose region is folded reports no id: the iterations of the region are counted.
//!
//! Invariant of ids, for paths of k iterations: the first k-1 iterations after an entry of the loop report nothing, the kth reports the
//! path register's value at the entry plus [`Repeat::first`], every other iteration reports [`Repeat::id`]. Steps within an iteration
//! only add to registers. Of paths that keep a context or run across calls all these are functions of the completions at the loop's entry,
//! which change behind the first iteration only to [`Repeat::detached`]; of others they are constants.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::loops::{Loop, LoopNest};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::persistence::Regions;
use crate::plan::across::{CrossStep, Saved, Scaled};
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
    /// Number of iterations that a path spans.
    pub k: u32,
    /// The register of the oldest path at the start of every iteration behind the first k, less what is saved in `from`.
    pub restart: Scaled,
    /// The id of an iteration, less what is saved in `from`; of a region the index of its register.
    pub id: Scaled,
    /// The id that the kth iteration reports, less the path register's value at the loop's entry.
    pub first: Scaled,
    /// The register from which paths go on behind an iteration, with their context.
    pub from: Option<Saved>,
    /// Completions behind the first iteration, if that detaches the path.
    pub detached: Option<i64>,
}

impl Repeat {
    /// Number of ids that so many iterations since the loop's entry report.
    pub fn reported(&self, times: u64) -> u64 {
        times.saturating_sub(u64::from(self.k) - 1)
    }

    /// The oldest path's register at the start of its kth iteration, less the path register's value at the loop's entry.
    fn lead(&self) -> Scaled {
        if self.k == 1 { Scaled::NOTHING } else { self.first.minus(self.id.minus(self.restart)) }
    }

    /// A sum of additions behind the first iteration.
    fn behind(&self, added: Scaled) -> Scaled {
        self.detached.map_or(added, |completions| Scaled { a: 0, b: added.at(completions) })
    }
}

/// The loops of one graph that have a single path.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    all: PrimaryMap<RepeatId, Repeat>,
    of: SecondaryMap<Node, PackedOption<RepeatId>>,
    /// Of each member and number of iterations below k: what was added since the loop's entry.
    added: SecondaryMap<Node, Vec<Scaled>>,
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
            let is_innermost = nest.is_innermost(id);
            let is_one = is_innermost && is_wanted(looped);
            let Some((repeat, added)) = is_one.then(|| single_path(graph, plan, looped)).flatten() else {
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
            let is_innermost = nest.is_innermost(id);
            let &[back_edge] = looped.back_edges.as_slice() else { continue };
            let register = regions.loop_at(looped.header).expect("every loop has a region");
            let is_normal = graph.edge(back_edge).kind == EdgeKind::Normal;
            if !is_innermost || !is_normal || regions.single_path(graph, register).is_none() {
                continue;
            }
            let (restart, id) = (Scaled::NOTHING, Scaled { a: 0, b: register.index() as i64 });
            let repeat =
                Repeat { header: looped.header, back_edge, k: 1, restart, id, first: id, from: None, detached: None };
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
    pub fn added(&self, node: Node) -> &[Scaled] {
        &self.added[node]
    }

    /// The sum of additions to the oldest path's register from the start of any iteration behind the first k to `node`.
    pub fn offset(&self, repeat: &Repeat, node: Node) -> Scaled {
        let behind = |added: &Scaled| repeat.behind(added.minus(repeat.lead()));
        self.added[node].last().map_or(Scaled::NOTHING, behind)
    }

    /// The oldest path's register in `node`, where iterations of `repeat` are counted.
    pub fn oldest(&self, repeat: &Repeat, node: Node, Iterated { times, before, saved, completions }: Iterated) -> i64 {
        if times >= u64::from(repeat.k) {
            return saved.wrapping_add(repeat.restart.plus(self.offset(repeat, node)).at(completions));
        }
        let added = self.added[node].get(times as usize).copied().unwrap_or_default();
        before.wrapping_add(added.at(completions))
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

/// State of an executor in a loop with a single path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Iterated {
    /// Iterations since the loop was entered.
    pub times: u64,
    /// The path register at the entry.
    pub before: i64,
    /// The register in [`Repeat::from`], or 0.
    pub saved: i64,
    /// Completions at the entry.
    pub completions: i64,
}

/// The path that starts where an iteration ends.
struct NextPath {
    k: u32,
    restart: Scaled,
    from: Option<Saved>,
    detached: Option<i64>,
}

impl NextPath {
    /// Reads the steps of a back edge; gives those before the next path starts, too.
    fn after(steps: &[Action]) -> Option<(NextPath, &[Action])> {
        let simple = |k, b| NextPath { k, restart: Scaled { a: 0, b }, from: None, detached: None };
        let next = match *steps {
            [.., Action::FinishPath { restart: Some(restart), .. }] => (simple(1, restart), steps),
            [.., Action::NextIteration { k, restart }] => (simple(k, restart), steps),
            [ref ending @ .., Action::Across(CrossStep::Detach { completions })] => {
                let Some(Action::FinishPath { restart: Some(restart), .. }) = ending.last() else { return None };
                (NextPath { detached: Some(completions), ..simple(1, *restart) }, ending)
            }
            [ref ending @ .., Action::Across(CrossStep::Resume { from, by })] => {
                let Some(Action::FinishPath { restart: None, .. }) = ending.last() else { return None };
                (NextPath { k: 1, restart: by, from: Some(from), detached: None }, ending)
            }
            _ => return None,
        };
        Some(next)
    }
}

/// The values that edges add in an iteration, to the oldest path and to a younger one.
#[derive(Clone, Copy, Default)]
struct Sum {
    val: Scaled,
    compensated: Scaled,
}

/// The single path of a loop, with what was added up to each member since the entry, for each number of iterations below k; `None` if the loop
/// has several paths, or if its path has other steps. The members' reverse postorder is their order on the path.
fn single_path(graph: &Graph, plan: &Plan, looped: &Loop) -> Option<(Repeat, Vec<Vec<Scaled>>)> {
    let &[back_edge] = looped.back_edges.as_slice() else { return None };
    let (next, ending) = NextPath::after(&plan.edges[back_edge])?;
    let mut sums = vec![Sum::default(); next.k as usize];
    let mut offsets = Vec::with_capacity(looped.members.len());
    for &member in &looped.members {
        offsets.push(sums.iter().map(|sum| sum.val).collect::<Vec<Scaled>>());
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
        let steps = if edge == back_edge { ending } else { &plan.edges[edge] };
        if edge != back_edge && steps.iter().any(|step| matches!(step, Action::FinishPath { .. })) {
            return None;
        }
        add_weights(plan, steps, &mut sums)?;
    }
    let mut since_entry = Scaled::NOTHING;
    for (i, sum) in sums.iter().enumerate() {
        offsets.iter_mut().for_each(|offset| offset[i] = offset[i].plus(since_entry));
        since_entry = since_entry.plus(sum.val);
    }
    let (last, younger) = sums.split_last().expect("a path spans some iterations");
    let NextPath { k, restart, from, detached } = next;
    let restart = younger.iter().fold(restart, |sum, weight| sum.plus(weight.compensated));
    let repeat =
        Repeat { header: looped.header, back_edge, k, restart, id: restart, first: since_entry, from, detached };
    Some((Repeat { id: restart.plus(repeat.behind(last.val)), ..repeat }, offsets))
}

/// Adds what an edge adds in each iteration; `None` if it has other steps.
fn add_weights(plan: &Plan, steps: &[Action], sums: &mut [Sum]) -> Option<()> {
    let k = sums.len();
    let constant = |b| Scaled { a: 0, b };
    let mut add = |n: usize, val: Scaled, compensated: Scaled| {
        let sum = &mut sums[n];
        *sum = Sum { val: sum.val.plus(val), compensated: sum.compensated.plus(compensated) };
    };
    for step in steps {
        match *step {
            Action::AddPath(val) | Action::FinishPath { add: val, .. } if k == 1 => {
                add(0, constant(val), constant(val));
            }
            Action::Across(CrossStep::Add(by)) if k == 1 => add(0, by, by),
            Action::AddIterations(table) => {
                for (n, weight) in plan.iteration_weights[table].iter().enumerate().take(k) {
                    add(n, constant(weight.val), constant(weight.compensated));
                }
            }
            Action::NextIteration { .. } => {}
            _ => return None,
        }
    }
    Some(())
}
