//! Facts that calls generate and kill, against a walk of the whole program path.
//!
//! In: random trees of activations. Out: the answers of the walk for every execution of every node, and how many activations
//! were looked at.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::calls::{CalledTraces, FactQueries, FactStep};
use holloway_profiler::wpp::dynamic_graph::{DynamicGraph, DynamicNode};
use holloway_profiler::wpp::query::Outcome;
use holloway_profiler::wpp::series::Series;
use proptest::prelude::*;

use super::{blocks, traces};

/// Activations as a hash-consed call graph has them: each calls some of those before it.
#[derive(Clone, Debug)]
struct Tree {
    /// For each activation its trace, and its callees in the order of the calls.
    activations: Vec<(DynamicGraph, Vec<usize>)>,
    /// For each block its statements.
    steps: Vec<Vec<FactStep>>,
}

fn trees() -> impl Strategy<Value = Tree> {
    let step = prop_oneof![
        1 => Just(FactStep::Statement(Outcome::Generates)),
        1 => Just(FactStep::Statement(Outcome::Kills)),
        3 => Just(FactStep::Statement(Outcome::Transparent)),
        3 => Just(FactStep::Call(0)),
    ];
    let activation = (traces(), prop::collection::vec(any::<prop::sample::Index>(), 1..5));
    (prop::collection::vec(activation, 1..5), prop::collection::vec(prop::collection::vec(step, 0..3), 6)).prop_map(
        |(activations, mut steps)| {
            for block in &mut steps {
                let calls = block.iter_mut().filter_map(|step| match step {
                    FactStep::Call(number) => Some(number),
                    FactStep::Statement(_) => None,
                });
                (0..).zip(calls).for_each(|(number, call)| *call = number);
            }
            let activation = |(id, (trace, callees)): (usize, (Vec<Node>, Vec<prop::sample::Index>))| {
                let callees = callees.iter().filter(|_| id > 0).map(|callee| callee.index(id)).collect();
                (DynamicGraph::of_trace(trace), callees)
            };
            Tree { activations: activations.into_iter().enumerate().map(activation).collect(), steps }
        },
    )
}

impl CalledTraces for Tree {
    type Activation = usize;

    fn trace(&self, activation: usize) -> &DynamicGraph {
        &self.activations[activation].0
    }

    fn steps(&self, activation: usize, node: DynamicNode) -> Vec<FactStep> {
        self.steps[self.trace(activation).blocks(node)[0].index()].clone()
    }

    fn callee(&self, activation: usize, node: DynamicNode, time: u64, call: u32) -> Option<usize> {
        let callees = &self.activations[activation].1;
        callees.get((time as usize + node.index() + call as usize) % (callees.len() + 1)).copied()
    }
}

impl Tree {
    /// Executes an activation from a fact's state to its state at the end, and notes it before each statement.
    fn walk(&self, activation: usize, before: Outcome, seen: &mut BTreeMap<(u64, usize), Outcome>) -> Outcome {
        let mut state = before;
        let graph = self.trace(activation);
        for time in 1..=graph.len() {
            let node = graph.at(time).unwrap();
            let steps = self.steps(activation, node);
            for (position, step) in steps.iter().enumerate() {
                seen.insert((time, position), state);
                state = match *step {
                    FactStep::Statement(Outcome::Transparent) => state,
                    FactStep::Statement(outcome) => outcome,
                    FactStep::Call(call) => match self.callee(activation, node, time, call) {
                        Some(callee) => self.walk(callee, state, &mut BTreeMap::new()),
                        None => state,
                    },
                };
            }
            seen.insert((time, steps.len()), state);
        }
        state
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(67))]

    #[test]
    fn answers_are_those_of_a_walk_through_the_calls(tree in trees()) {
        let mut queries = FactQueries::new(&tree);
        for activation in 0..tree.activations.len() {
            let mut seen = BTreeMap::new();
            let end = tree.walk(activation, Outcome::Transparent, &mut seen);
            let graph = tree.trace(activation);
            for node in graph.nodes() {
                for before in 0..=tree.steps(activation, node).len() {
                    let answer = queries.ask(activation, node, graph.times(node), before);
                    let expected =
                        |state| graph.times(node).iter().filter(|&time| seen[&(time, before)] == state).collect::<Series>();
                    prop_assert_eq!(answer.holds, expected(Outcome::Generates));
                    prop_assert_eq!(answer.fails, expected(Outcome::Kills));
                    prop_assert_eq!(answer.unresolved, expected(Outcome::Transparent));
                }
            }
            prop_assert_eq!(queries.outcome(activation), end);
        }
        prop_assert!(queries.known() <= tree.activations.len());
    }
}

/// Each activation calls the one before twice: 2^60 activations, and 61 of them differ.
#[test]
fn equal_activations_are_looked_at_once() {
    let generates = vec![FactStep::Statement(Outcome::Generates)];
    let calls = vec![FactStep::Call(0), FactStep::Call(1)];
    let mut activations = vec![(DynamicGraph::of_trace(blocks(&[0])), Vec::new())];
    activations.extend((0..60).map(|id| (DynamicGraph::of_trace(blocks(&[1, 1])), vec![id; 9])));
    let tree = Tree { activations, steps: vec![generates, calls] };
    let mut queries = FactQueries::new(&tree);
    let (node, _) = tree.trace(60).home(blocks(&[1])[0]).unwrap();
    let answer = queries.ask(60, node, &Series::range(2, 2), 0);
    assert_eq!(answer.degree(), Some(1.0));
    assert!(queries.known() <= 61);
}
