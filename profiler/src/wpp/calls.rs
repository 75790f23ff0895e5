//! Queries whose facts calls generate and kill.
//!
//! In: a [`CalledTraces`], which tells the effects of a node's statements in order, and which activation a call leads to; and a question
//! about a node of one activation. Out: the [`Answer`] of that activation's path trace, with `GEN_f(T(n))` and `KILL_f(T(n))` computed from
//! the traces of the callees [ZG01 4.2].
//!
//! The effect of an activation is that of the last statement of its trace which has one, a question like any other. It is kept: keys
//! stand for equal activations, as the nodes of a hash-consed call graph do, so a subtree of calls is walked once, however often the
//! program repeats it.
//!
//! Invariant: effects of callees are known before those of their caller are asked. So nothing recurses here, and calls may be as deep as
//! those of the program.

use std::hash::Hash;

use super::dynamic_graph::{DynamicGraph, DynamicNode};
use super::query::{Answer, DynamicEffect, Outcome, ask, outcome_of_trace};
use super::series::Series;
use crate::hash::KeyMap;

/// A statement of a dynamic basic block, as one fact sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactStep {
    /// A statement with the same effect whenever it is executed.
    Statement(Outcome),
    /// A call: its number in the node.
    Call(u32),
}

/// The path traces of activations, the effects of their nodes on one fact, and their calls.
pub trait CalledTraces {
    /// Name of an activation; equal activations may share it.
    type Activation: Copy + Eq + Hash;

    /// The path trace of an activation.
    fn trace(&self, activation: Self::Activation) -> &DynamicGraph;

    /// The statements of a node that may have an effect, in order.
    fn steps(&self, activation: Self::Activation, node: DynamicNode) -> Vec<FactStep>;

    /// The activation that a call of a node's execution entered; `None` if it entered none, or none that is traced.
    fn callee(&self, activation: Self::Activation, node: DynamicNode, time: u64, call: u32)
    -> Option<Self::Activation>;
}

/// Queries about one fact, with the effects of activations that were computed so far.
#[derive(Clone, Debug)]
pub struct FactQueries<'a, T: CalledTraces> {
    traces: &'a T,
    outcomes: KeyMap<T::Activation, Outcome>,
}

impl<'a, T: CalledTraces> FactQueries<'a, T> {
    /// Queries without any effect computed.
    pub fn new(traces: &'a T) -> FactQueries<'a, T> {
        FactQueries { traces, outcomes: KeyMap::default() }
    }

    /// Answers `<times, node>_d` just before the statement of the node with `before` steps before it.
    pub fn ask(&mut self, activation: T::Activation, node: DynamicNode, times: &Series, before: usize) -> Answer {
        self.retry(|queries, missing| {
            let steps = queries.traces.steps(activation, node);
            let earlier = queries.effect(activation, node, &steps[..before.min(steps.len())], times, missing);
            let mut problem = |node: DynamicNode, times: &Series| queries.node_effect(activation, node, times, missing);
            ask(queries.traces.trace(activation), &mut problem, node, times, &earlier)
        })
    }

    /// The effect of a whole activation.
    pub fn outcome(&mut self, activation: T::Activation) -> Outcome {
        if let Some(&known) = self.outcomes.get(&activation) {
            return known;
        }
        let outcome = self.retry(|queries, missing| queries.try_outcome(activation, missing));
        self.outcomes.insert(activation, outcome);
        outcome
    }

    /// Number of activations whose effect is known.
    pub fn known(&self) -> usize {
        self.outcomes.len()
    }

    /// Repeats an attempt until the effects of all callees that it asks for are known.
    fn retry<A>(&mut self, mut attempt: impl FnMut(&Self, &mut Vec<T::Activation>) -> A) -> A {
        loop {
            let mut missing = Vec::new();
            let result = attempt(self, &mut missing);
            if missing.is_empty() {
                return result;
            }
            while let Some(&callee) = missing.last() {
                if self.outcomes.contains_key(&callee) {
                    missing.pop();
                    continue;
                }
                let pending = missing.len();
                let outcome = self.try_outcome(callee, &mut missing);
                if missing.len() == pending {
                    self.outcomes.insert(callee, outcome);
                }
            }
        }
    }

    /// The effect of an activation. It counts only if no callee was missing.
    fn try_outcome(&self, activation: T::Activation, missing: &mut Vec<T::Activation>) -> Outcome {
        let mut problem = |node: DynamicNode, times: &Series| self.node_effect(activation, node, times, missing);
        outcome_of_trace(self.traces.trace(activation), &mut problem)
    }

    fn node_effect(
        &self,
        activation: T::Activation,
        node: DynamicNode,
        times: &Series,
        missing: &mut Vec<T::Activation>,
    ) -> DynamicEffect {
        self.effect(activation, node, &self.traces.steps(activation, node), times, missing)
    }

    /// The effect of some statements of a node. Later ones come first: what they decide, earlier ones are not asked about.
    fn effect(
        &self,
        activation: T::Activation,
        node: DynamicNode,
        steps: &[FactStep],
        times: &Series,
        missing: &mut Vec<T::Activation>,
    ) -> DynamicEffect {
        let mut effect = DynamicEffect::default();
        let mut open = times.clone();
        for step in steps.iter().rev() {
            if open.is_empty() {
                break;
            }
            let earlier = match *step {
                FactStep::Statement(outcome) => DynamicEffect::of_all(&open, outcome),
                FactStep::Call(call) => DynamicEffect::of_each(&open, |time| {
                    let Some(callee) = self.traces.callee(activation, node, time, call) else {
                        return Outcome::Transparent;
                    };
                    // An attempt that misses a callee is repeated; for now any answer ends the search.
                    self.outcomes.get(&callee).copied().unwrap_or_else(|| {
                        // Executions that miss the same callee are mostly neighbours.
                        if missing.last() != Some(&callee) {
                            missing.push(callee);
                        }
                        Outcome::Kills
                    })
                }),
            };
            open = open.difference(&earlier.generated).difference(&earlier.killed);
            effect = earlier.then(&effect);
        }
        effect
    }
}
