//! Demand-driven queries about the data flow of one path trace.
//!
//! In: a [`DynamicGraph`], a [`GenKill`] problem for a fact `d`, and a query `<T, n>_d`: does `d` hold just before the executions of
//! node `n` at the timestamps `T`? Out: an [`Answer`], the timestamps of `T` by whether it does, and the number of queries issued.
//!
//! Propagation [ZG01 4.2] is backward. Notation: a [`Query`] holds a vector of slots, the timestamps at which the search has arrived
//! at its node, as an arithmetic series; `shift` is what was subtracted from all of them on the way. For a query at `n`:
//! 1. `(T - 1) / T(m)` is the part that arrives at the predecessor `m`. Series are shifted and intersected whole.
//! 2. What is in `DGEN(m)` is resolved as true and what is in `DKILL(m)` as false.
//! 3. The rest becomes a query at `m`. If `m` is the first node, slots which arrive at a timestamp that was asked from the start have
//!    the answer of that slot; they *meet* it and are not propagated. So the segments of the trace that slots travel are disjoint, and
//!    each timestamp of the trace is passed once at most.
//! 4. Slots that reach timestamp 0 are unresolved: the start of the trace answers, as from the caller.
//! 5. Slots that met others take their answers, from the earliest on.
//!
//! Deviation: [ZG01] lets slots travel past each other; step 3 only saves queries.

use super::dynamic_graph::{DynamicGraph, DynamicNode};
use super::series::Series;

/// The effect of a node on a fact, for some of its executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DynamicEffect {
    /// The executions behind which the fact holds: `DGEN`.
    pub generated: Series,
    /// The executions behind which it does not: `DKILL`. They are not in `DGEN`.
    pub killed: Series,
}

/// A GEN-KILL problem for one fact.
pub trait GenKill {
    /// The executions at `times` behind which the fact is generated and killed. `times` is a subset of `T(node)`.
    fn effect(&mut self, node: DynamicNode, times: &Series) -> DynamicEffect;
}

impl<F: FnMut(DynamicNode, &Series) -> DynamicEffect> GenKill for F {
    fn effect(&mut self, node: DynamicNode, times: &Series) -> DynamicEffect {
        self(node, times)
    }
}

/// The effect of one execution of a statement, or of a whole activation, on a fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The fact holds behind it.
    Generates,
    /// The fact does not hold behind it.
    Kills,
    /// It holds behind it iff it holds before.
    #[default]
    Transparent,
}

/// One query that propagation issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The node before which the fact is asked for.
    pub node: DynamicNode,
    /// The slots: timestamps of the node.
    pub slots: Series,
    /// The difference to the timestamps at which the question was asked.
    pub shift: u64,
}

/// A part of a question that a node resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The node.
    pub node: DynamicNode,
    /// Its executions that generate the fact.
    pub generated: Series,
    /// Its executions that kill it.
    pub killed: Series,
}

/// The answer to a question `<T, n>_d`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The timestamps of `T` at which the fact holds.
    pub holds: Series,
    /// Those at which it does not.
    pub fails: Series,
    /// Those before which no node generates or kills it.
    pub unresolved: Series,
    /// The executions that decide, by node.
    pub resolutions: Vec<Resolution>,
    /// The queries that were issued, the question first.
    pub queries: Vec<Query>,
}

impl Answer {
    /// Fraction of the question's timestamps at which the fact holds; that of a redundant load is its degree of redundancy.
    /// `None` if there are none.
    pub fn degree(&self) -> Option<f64> {
        let all = self.holds.len() + self.fails.len() + self.unresolved.len();
        (all > 0).then(|| self.holds.len() as f64 / all as f64)
    }
}

impl DynamicEffect {
    /// An effect that all executions have.
    pub fn of_all(times: &Series, outcome: Outcome) -> DynamicEffect {
        match outcome {
            Outcome::Generates => DynamicEffect { generated: times.clone(), killed: Series::default() },
            Outcome::Kills => DynamicEffect { generated: Series::default(), killed: times.clone() },
            Outcome::Transparent => DynamicEffect::default(),
        }
    }

    /// An effect that differs between executions: `GEN_f(T)` and `KILL_f(T)` of a call.
    pub fn of_each(times: &Series, mut outcome: impl FnMut(u64) -> Outcome) -> DynamicEffect {
        let mut effect = DynamicEffect::default();
        for time in times.iter() {
            match outcome(time) {
                Outcome::Generates => effect.generated.push(time),
                Outcome::Kills => effect.killed.push(time),
                Outcome::Transparent => {}
            }
        }
        effect
    }

    /// The effect of this and then another one: what the later one leaves alone is decided by the earlier.
    pub fn then(&self, later: &DynamicEffect) -> DynamicEffect {
        let kept = |earlier: &Series| earlier.difference(&later.generated).difference(&later.killed);
        DynamicEffect {
            generated: later.generated.union(&kept(&self.generated)),
            killed: later.killed.union(&kept(&self.killed)),
        }
    }
}

/// Answers `<times, node>_d` for the fact of `problem`. `before` is the effect of the statements of the node itself that precede
/// the point of the question, at those times; none if the question is about the node's beginning.
pub fn ask(
    graph: &DynamicGraph,
    problem: &mut impl GenKill,
    node: DynamicNode,
    times: &Series,
    before: &DynamicEffect,
) -> Answer {
    let mut answer = Answer { holds: before.generated.clone(), fails: before.killed.clone(), ..Answer::default() };
    if !before.generated.is_empty() || !before.killed.is_empty() {
        let (generated, killed) = (before.generated.clone(), before.killed.clone());
        answer.resolutions.push(Resolution { node, generated, killed });
    }
    let asked = times.difference(&before.generated).difference(&before.killed);
    answer.propagate(graph, problem, (Query { node, slots: asked, shift: 0 }, times));
    answer
}

/// The effect of a whole path trace: that of its last node which has one.
pub fn outcome_of_trace(graph: &DynamicGraph, problem: &mut impl GenKill) -> Outcome {
    let Some(last) = graph.at(graph.len()) else { return Outcome::Transparent };
    let time = Series::range(graph.len(), graph.len());
    let effect = problem.effect(last, &time);
    let answer = ask(graph, problem, last, &time, &effect);
    match (answer.holds.is_empty(), answer.fails.is_empty()) {
        (false, _) => Outcome::Generates,
        (_, false) => Outcome::Kills,
        (true, true) => Outcome::Transparent,
    }
}

impl Answer {
    fn propagate(&mut self, graph: &DynamicGraph, problem: &mut impl GenKill, (question, times): (Query, &Series)) {
        let first = question.node;
        let mut met = Series::default();
        let mut next = self.queries.len();
        self.queries.push(question);
        while let Some(query) = self.queries.get(next).cloned() {
            next += 1;
            let shift = query.shift + 1;
            let earlier = query.slots.shifted(-1);
            if query.slots.first() == Some(1) {
                self.unresolved = self.unresolved.union(&Series::range(shift, shift));
            }
            for &node in graph.predecessors(query.node) {
                let arrived = earlier.intersection(graph.times(node));
                if arrived.is_empty() {
                    continue;
                }
                let DynamicEffect { generated, killed } = problem.effect(node, &arrived);
                let mut slots = arrived.difference(&generated).difference(&killed);
                let asked_at = |slots: &Series| slots.shifted(shift as i64);
                self.holds = self.holds.union(&asked_at(&generated));
                self.fails = self.fails.union(&asked_at(&killed));
                if !generated.is_empty() || !killed.is_empty() {
                    self.resolutions.push(Resolution { node, generated, killed });
                }
                if node == first {
                    met = met.union(&asked_at(&slots.intersection(times)));
                    slots = slots.difference(times);
                }
                if !slots.is_empty() {
                    self.queries.push(Query { node, slots, shift });
                }
            }
        }
        self.share(&met);
    }

    /// Gives the slots that met another one its answer: that of the latest earlier timestamp of the question.
    fn share(&mut self, met: &Series) {
        let (mut holds, mut fails, mut unresolved) = (Series::default(), Series::default(), Series::default());
        let mut latest = [&self.holds, &self.fails, &self.unresolved].map(|series| series.iter().peekable());
        let mut current = None;
        for time in met.iter() {
            for (which, times) in latest.iter_mut().enumerate() {
                while let Some(decided) = times.next_if(|&decided| decided < time) {
                    current = current.max(Some((decided, which)));
                }
            }
            match current.expect("the earliest timestamp of a question meets no other").1 {
                0 => holds.push(time),
                1 => fails.push(time),
                _ => unresolved.push(time),
            }
        }
        drop(latest);
        self.holds = self.holds.union(&holds);
        self.fails = self.fails.union(&fails);
        self.unresolved = self.unresolved.union(&unresolved);
    }
}
