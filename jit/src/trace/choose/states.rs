//! Loops that are state machines: which place says what state they are in, and whether they stay in it.
//!
//! In: a body, a profile of its paths. Out: for a loop, the place and the values worth a loop of their own.
//!
//! Phases: (1) what the loop compares with constants may be its state (`state.rs` in the folder above); (2) along a path of the
//! loop, the branches tell the value it had at the start, by excluding all others; stores tell the value at its end;
//! (3) the values with which most iterations start get loops, if most of these iterations end with the value they began with.
//! Savings are the comparisons and loads, as far as an iteration takes longer than its recurrence (as in [`super::super::estimate`]); the cost is
//! to find the new state's loop.
//! Invariant: what is chosen is formed already.

use super::super::nest::Nest;
use super::super::specialization::{Specialization, Specialized};
use super::super::split::Split;
use super::super::state::{State, states_in, values};
use super::iteration::{Iteration, LoopPath};
use crate::graph_of::block_of;
use crate::settings::estimate::WIDTH;
use crate::settings::split::MOST_VALUES;
use crate::settings::states::{LEAST_COVERED, LEAST_PART, LEAST_SAVED, LEAST_STAYING, MOST_RARE, MOST_STATES};
use holloway_lang::ir::{Block, Function, Liveness};
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::graph::Graph;
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, path_of};
use std::sync::Arc;

/// A split, with what it should save.
#[derive(Clone, Debug, PartialEq)]
pub struct States {
    /// The split.
    pub split: Split,
    /// The part of iterations that start with one of its values.
    pub coverage: f64,
    /// Iterations that were seen.
    pub executions: u64,
    /// Cycles of an iteration as it is.
    pub general: f64,
    /// Cycles of an iteration after the split.
    pub split_weight: f64,
}

/// The best split of each loop that has one, formed.
pub fn from_paths(
    body: &Arc<Function>,
    graph: &Graph,
    numbering: &Numbering,
    forest: &PathForest,
) -> Vec<(States, Specialized)> {
    let nest = Nest::of(body);
    let trie = forest.trie();
    let mut paths: Vec<(Vec<Block>, u64)> = Vec::new();
    for root in trie.roots() {
        let Some(path) = path_of(graph, numbering, trie.label(root)).filter(|path| path.end == PathEnd::Cut) else {
            continue;
        };
        paths.push((path.blocks.iter().map(|node| block_of(*node)).collect(), trie.count(root)));
    }
    let live = Liveness::compute(body, &nest.cfg);
    let mut found = Vec::new();
    for (id, l) in nest.loops.iter() {
        if nest.loops.iter().any(|(_, inner)| inner.parent == Some(id)) {
            continue;
        }
        let of_loop: Vec<LoopPath<'_>> = paths
            .iter()
            .filter(|(blocks, _)| blocks[0] == l.header && l.latches.contains(&blocks[blocks.len() - 1]))
            .map(|(blocks, count)| LoopPath::new(body, blocks, *count))
            .collect();
        let states = states_in(body, &nest, &live, id).into_iter();
        let mut judged: Vec<States> = states
            .filter_map(|state| judge(body, (l.header, &l.blocks), (state, &values(body, &l.blocks, state)), &of_loop))
            .collect();
        judged.sort_by(|a, b| saved(a).total_cmp(&saved(b)));
        found.extend(judged.into_iter().rev().find_map(|states| {
            let specialized = Specialized::form(body, Specialization::Split(states.split.clone())).ok()?;
            Some((states, specialized))
        }));
    }
    found
}

fn saved(states: &States) -> f64 {
    1.0 - states.split_weight / states.general
}

fn judge(
    body: &Function,
    (header, blocks): (Block, &[Block]),
    (state, all): (State, &[i64]),
    paths: &[LoopPath<'_>],
) -> Option<States> {
    if !(2..=MOST_STATES).contains(&all.len()) {
        return None;
    }
    let iterations: Vec<Iteration> = paths.iter().map(|path| path.iteration(body, state, all)).collect();
    let total: f64 = iterations.iter().map(|one| one.count).sum();
    let starting = |value: i64| iterations.iter().filter(move |one| one.start == Some(value));
    let part = |value: &i64| starting(*value).map(|one| one.count).sum::<f64>() / total;
    let mut values = all.to_vec();
    values.retain(|value| total > 0.0 && part(value) >= LEAST_PART);
    values.sort_by(|a, b| part(b).total_cmp(&part(a)).then(a.cmp(b)));
    values.truncate(MOST_VALUES);
    let leaves = |value: &i64| {
        let leaving = starting(*value).filter(|one| one.end != one.start && one.end.is_some());
        leaving.map(|one| one.count).sum::<f64>()
    };
    if let Some(first) = (0..values.len()).max_by(|a, b| leaves(&values[*a]).total_cmp(&leaves(&values[*b]))) {
        values[..=first].rotate_right(1);
    }
    let covered: f64 = values.iter().map(part).sum();
    let stays = |one: &&Iteration| one.end == one.start;
    let staying: f64 = values.iter().flat_map(|value| starting(*value).filter(stays)).map(|one| one.count).sum();
    if values.is_empty() || covered < LEAST_COVERED || staying < LEAST_STAYING * covered * total {
        return None;
    }
    let (mut general, mut split_weight) = (0.0, 0.0);
    for one in &iterations {
        general += one.count * (one.general / WIDTH).max(one.recurrence);
        split_weight += one.count * (split_iteration(one, &values) / WIDTH).max(one.recurrence);
    }
    if split_weight > (1.0 - LEAST_SAVED) * general {
        return None;
    }
    Some(States {
        split: Split { header, state, values, rare: rare(blocks, paths, total) },
        coverage: covered,
        executions: total as u64,
        general: general / total,
        split_weight: split_weight / total,
    })
}

/// Blocks of the loop that few iterations execute, by rising number.
fn rare(blocks: &[Block], paths: &[LoopPath<'_>], total: f64) -> Vec<Block> {
    let executions = |block: &Block| {
        let through = paths.iter().filter(|path| path.blocks.contains(block));
        through.map(|path| path.count).sum::<f64>()
    };
    let mut rare: Vec<Block> = blocks.iter().copied().filter(|block| executions(block) < MOST_RARE * total).collect();
    rare.sort_unstable();
    rare
}

/// Micro-operations of an iteration in the loop of its value, with the tests that lead to the next one's.
fn split_iteration(one: &Iteration, values: &[i64]) -> f64 {
    let tests = |value: i64| values.iter().position(|known| *known == value).unwrap_or(values.len()) as f64 + 1.0;
    match one.start.filter(|start| values.contains(start)) {
        None => one.general + tests(i64::MIN),
        Some(start) if one.end == Some(start) => one.split,
        Some(_) => one.split + one.end.map_or(values.len() as f64, tests),
    }
}
