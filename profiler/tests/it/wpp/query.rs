//! Queries about path traces, against walks of the raw trace, and the redundancy of [ZG01 Figure 9].
//!
//! In: random traces, and effects that differ between executions as those of calls do. Out: the walk's answers.

use holloway_profiler::graph::Node;
use holloway_profiler::wpp::dictionary::{Dictionary, TimestampedTrace};
use holloway_profiler::wpp::dynamic_graph::{DynamicGraph, DynamicNode, TimestampError};
use holloway_profiler::wpp::query::{DynamicEffect, Outcome, ask, outcome_of_trace};
use holloway_profiler::wpp::series::Series;
use proptest::prelude::*;

use super::{blocks, dynamic_blocks, graph_of, traces};
use crate::common::conformance;

/// Effects of a block: one for each of its executions in turn.
fn effects() -> impl Strategy<Value = Vec<Vec<Outcome>>> {
    let outcome =
        || prop_oneof![1 => Just(Outcome::Generates), 1 => Just(Outcome::Kills), 4 => Just(Outcome::Transparent)];
    let of_block = prop_oneof![
        3 => outcome().prop_map(|outcome| vec![outcome]),
        1 => prop::collection::vec(outcome(), 1..4),
    ];
    prop::collection::vec(of_block, 6)
}

fn outcome_at(effects: &[Vec<Outcome>], block: Node, time: u64) -> Outcome {
    let list = &effects[block.as_u32() as usize];
    list[time as usize % list.len()]
}

/// The last effect at the timestamps below `time`.
fn walk(trace: &[Node], effects: &[Vec<Outcome>], time: u64) -> Outcome {
    let mut latest = (1..time).rev().map(|at| outcome_at(effects, trace[at as usize - 1], at));
    latest.find(|outcome| *outcome != Outcome::Transparent).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(334))]

    #[test]
    fn answers_are_those_of_a_walk(trace in traces(), effects in effects(), every in 1..4_u64) {
        let graph = DynamicGraph::of_trace(trace.iter().copied());
        let mut problem = |node: DynamicNode, times: &Series| {
            DynamicEffect::of_each(times, |time| outcome_at(&effects, graph.blocks(node)[0], time))
        };
        for node in graph.nodes() {
            let asked: Series = graph.times(node).iter().filter(|time| time % every == 0).collect();
            let answer = ask(&graph, &mut problem, node, &asked, &DynamicEffect::default());
            let expected = |outcome| asked.iter().filter(|&at| walk(&trace, &effects, at) == outcome).collect::<Series>();
            prop_assert_eq!(answer.holds, expected(Outcome::Generates));
            prop_assert_eq!(answer.fails, expected(Outcome::Kills));
            prop_assert_eq!(answer.unresolved, expected(Outcome::Transparent));
            let passed: u64 = answer.queries.iter().map(|query| query.slots.len()).sum();
            prop_assert!(passed <= trace.len() as u64, "each timestamp is passed once at most");
        }
        let whole = walk(&trace, &effects, trace.len() as u64 + 1);
        prop_assert_eq!(outcome_of_trace(&graph, &mut problem), whole);
    }

    #[test]
    fn graphs_of_dynamic_blocks_are_walked_both_ways(trace in traces()) {
        let entries = dynamic_blocks(&trace);
        let dictionary = Dictionary::of(trace.iter().copied());
        let timestamped = TimestampedTrace::of(dictionary.compact(trace.iter().copied()));
        let graph = DynamicGraph::of_timestamped(&timestamped, &dictionary).unwrap();
        prop_assert_eq!(graph.size(), graph_of(&entries).size());
        let mut at = graph.at(1).map(|node| (node, 1));
        for entry in &entries {
            let (node, time) = at.unwrap();
            prop_assert_eq!(graph.blocks(node), &entry[..]);
            at = graph.behind(node, time);
            if let Some((next, later)) = at {
                prop_assert_eq!(graph.before(next, later), Some((node, time)));
                prop_assert!(graph.successors(node).contains(&next));
            }
        }
        prop_assert_eq!(at, None);
        let edges: std::collections::BTreeSet<_> = entries.windows(2).collect();
        let size = graph.size();
        prop_assert_eq!((size.edges, size.timestamps), (edges.len() as u64, entries.len() as u64));
        let numbers: usize = graph.nodes().map(|node| graph.times(node).words().count()).sum();
        prop_assert_eq!(size.numbers, numbers as u64);
    }

    #[test]
    fn the_last_execution_before_a_time_is_found(trace in traces(), time in 1..80_u64) {
        let graph = DynamicGraph::of_trace(trace.iter().copied());
        for node in graph.nodes() {
            let expected = graph.times(node).iter().rev().find(|&at| at < time);
            prop_assert_eq!(graph.last_before(node, time), expected);
        }
    }
}

/// The degree of redundancy of 4_Load: 60 executions of 1 and 4, and 40 of 1 and 6, however they alternate.
#[test]
fn the_load_of_figure_9_is_redundant() {
    let example = conformance("twpp-redundancy-fig9");
    let [load, store] = [[1, 2, 3, 4, 7], [1, 2, 5, 6, 7]];
    let in_turn = |first: usize, second: usize| {
        let turn = [vec![load; first], vec![store; second]].concat().concat();
        blocks(&turn.repeat(60 / first))
    };
    for trace in [in_turn(60, 40), in_turn(3, 2), in_turn(30, 20)] {
        let graph = DynamicGraph::of_trace(trace);
        let mut problem = |node: DynamicNode, times: &Series| {
            let outcome = match graph.blocks(node)[0].as_u32() {
                1 | 4 => Outcome::Generates,
                6 => Outcome::Kills,
                _ => Outcome::Transparent,
            };
            DynamicEffect::of_all(times, outcome)
        };
        let (node, _) = graph.home(blocks(&[4])[0]).unwrap();
        let answer = ask(&graph, &mut problem, node, graph.times(node), &DynamicEffect::default());
        assert_eq!(answer.degree(), example["degree_of_redundancy"].as_f64());
        assert_eq!(answer.holds.len(), example["redundant_count"].as_u64().unwrap());
        assert!(answer.queries.len() as u64 <= example["queries_at_most"].as_u64().unwrap());
    }
}

/// A fact from before a long loop is found without a step for each iteration: the iterations share one answer.
#[test]
fn iterations_share_what_was_before_the_loop() {
    let trace: Vec<u64> = [0].into_iter().chain((0..100_000).flat_map(|_| [1, 2])).collect();
    let graph = DynamicGraph::of_trace(blocks(&trace));
    let (first, _) = graph.home(blocks(&[0])[0]).unwrap();
    let mut problem = |node: DynamicNode, times: &Series| {
        DynamicEffect::of_all(times, if node == first { Outcome::Generates } else { Outcome::Transparent })
    };
    let (node, _) = graph.home(blocks(&[2])[0]).unwrap();
    let answer = ask(&graph, &mut problem, node, graph.times(node), &DynamicEffect::default());
    assert_eq!((answer.holds.len(), answer.queries.len()), (100_000, 2));
}

#[test]
fn timestamps_that_are_no_partition_are_refused() {
    let [a, b] = [blocks(&[0]), blocks(&[1])];
    let graph = |first: &[u64], second: &[u64]| {
        let series = |times: &[u64]| times.iter().copied().collect::<Series>();
        DynamicGraph::new([(a.clone(), series(first)), (b.clone(), series(second))]).err()
    };
    assert_eq!(graph(&[1, 3], &[2]), None);
    assert_eq!(graph(&[1, 3], &[2, 3]), Some(TimestampError::NotPartitioned));
    assert_eq!(graph(&[1, 4], &[2]), Some(TimestampError::NotPartitioned));
    assert_eq!(graph(&[2, 3], &[4]), Some(TimestampError::NotPartitioned));
    assert_eq!(graph(&[1], &[]), Some(TimestampError::EmptyNode));
    assert_eq!(
        DynamicGraph::new([(a.clone(), Series::range(1, 1)), (a.clone(), Series::range(2, 2))]).err(),
        Some(TimestampError::RepeatedBlock(a[0]))
    );
}
