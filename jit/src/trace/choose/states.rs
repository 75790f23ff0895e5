//! Loops that are state machines: which local says what state they are in, and whether they stay in it.
//!
//! In: a body, a profile of its paths. Out: for a loop, the local and the values worth a loop of their own.
//!
//! Phases: (1) a local is a state if it is assigned constants only, and some branch of the loop compares it with one; (2) along a path of the
//! loop, the comparisons tell the value it had at the start, by excluding all others; assignments tell the value at its end;
//! (3) the values with which most iterations start get loops, if most of these iterations end with the value they began with.
//! Savings are the comparisons, as far as an iteration takes longer than its recurrence (as in [`super::super::estimate`]); the cost is to find
//! the new state's loop.
//! Invariant: what is chosen is formed already.

use super::super::estimate::latency_of;
use super::super::nest::Nest;
use super::super::specialization::{Specialization, Specialized};
use super::super::split::{Split, states, test};
use crate::graph_of::block_of;
use crate::settings::estimate::{LOAD, SETTLED, WIDTH};
use crate::settings::split::MOST_VALUES;
use crate::settings::states::{LEAST_COVERED, LEAST_PART, LEAST_SAVED, LEAST_STAYING, MOST_STATES};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function, Inst, Liveness, Local, Operand, Terminator};
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
        let of_loop: Vec<&(Vec<Block>, u64)> = paths
            .iter()
            .filter(|(blocks, _)| blocks[0] == l.header && l.latches.contains(&blocks[blocks.len() - 1]))
            .collect();
        let locals = live.live_in(l.header).filter(|local| {
            let compares = l.blocks.iter().any(|block| test(&body.blocks[*block], *local).is_some());
            compares && is_assigned(body, &l.blocks, *local)
        });
        let mut judged: Vec<States> = locals.filter_map(|local| judge(body, l.header, local, &of_loop)).collect();
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

fn is_assigned(body: &Function, blocks: &[Block], local: Local) -> bool {
    blocks.iter().flat_map(|block| &body.blocks[*block].insts).any(|inst| inst.dst() == Some(local))
}

/// An iteration, by what a path tells of the state.
struct Iteration {
    count: f64,
    start: Option<i64>,
    end: Option<i64>,
    /// Number of its instructions without branches; of its branches; of these that compare the state.
    insts: f64,
    branches: f64,
    decided: f64,
    /// Cycles by which one that follows is later, if nothing but latencies takes time.
    recurrence: f64,
}

fn judge(body: &Function, header: Block, local: Local, paths: &[&(Vec<Block>, u64)]) -> Option<States> {
    let all = states(body, local).filter(|all| (2..=MOST_STATES).contains(&all.len()))?;
    let iterations: Vec<Iteration> =
        paths.iter().map(|(blocks, count)| iteration(body, (header, local, &all), blocks, *count)).collect();
    let total: f64 = iterations.iter().map(|one| one.count).sum();
    let starting = |value: i64| iterations.iter().filter(move |one| one.start == Some(value));
    let part = |value: &i64| starting(*value).map(|one| one.count).sum::<f64>() / total;
    let mut values: Vec<i64> = all.into_iter().filter(|value| total > 0.0 && part(value) >= LEAST_PART).collect();
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
        general += one.count * ((one.insts + one.branches) / WIDTH).max(one.recurrence);
        split_weight += one.count * (split_iteration(one, &values) / WIDTH).max(one.recurrence);
    }
    if split_weight > (1.0 - LEAST_SAVED) * general {
        return None;
    }
    Some(States {
        split: Split { header, local, values },
        coverage: covered,
        executions: total as u64,
        general: general / total,
        split_weight: split_weight / total,
    })
}

/// Micro-operations of an iteration in the loop of its value.
fn split_iteration(one: &Iteration, values: &[i64]) -> f64 {
    let dispatched = |value: i64| values.iter().position(|known| *known == value).unwrap_or(values.len()) as f64 + 1.0;
    match one.start.filter(|start| values.contains(start)) {
        None => one.insts + one.branches + dispatched(i64::MIN),
        // The comparison goes with its branch.
        Some(start) => {
            let kept = one.insts + one.branches - 2.0 * one.decided;
            if one.end == Some(start) { kept } else { kept + one.end.map_or(0.0, dispatched) }
        }
    }
}

fn iteration(body: &Function, (header, local, all): (Block, Local, &[i64]), blocks: &[Block], count: u64) -> Iteration {
    let mut possible = all.to_vec();
    let mut assigned: Option<i64> = None;
    let recurrence = recurrence(body, blocks);
    let mut one =
        Iteration { count: count as f64, start: None, end: None, insts: 0.0, branches: 0.0, decided: 0.0, recurrence };
    for (at, block) in blocks.iter().enumerate() {
        let data = &body.blocks[*block];
        one.insts += data.insts.len() as f64;
        for inst in &data.insts {
            if let Inst::Copy { dst, src: Operand::Int(value) } = inst
                && *dst == local
            {
                assigned = Some(*value);
            }
        }
        one.branches += f64::from(u8::from(!matches!(data.term, Terminator::Jump(_))));
        if let Some(test) = test(data, local) {
            one.decided += 1.0;
            let next = blocks.get(at + 1).copied().unwrap_or(header);
            if assigned.is_none() && test.same != test.other {
                possible.retain(|value| (*value == test.value) == (next == test.same));
            }
        }
    }
    one.start = match possible.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    one.end = assigned.or(one.start);
    one
}

/// Cycles by which the locals of a path are later each time that it is repeated: on the IR, as many candidates are looked at, and few formed.
fn recurrence(body: &Function, blocks: &[Block]) -> f64 {
    let mut ready: HashMap<Local, f64> = HashMap::new();
    let mut latest = [0.0; 2 * SETTLED];
    for round in &mut latest {
        for inst in blocks.iter().flat_map(|block| &body.blocks[*block].insts) {
            let mut start: f64 = 0.0;
            inst.operands(|operand| {
                if let Operand::Local(local) = operand {
                    start = start.max(ready.get(&local).copied().unwrap_or(0.0));
                }
            });
            if let Some(dst) = inst.dst() {
                ready.insert(dst, start + latency(inst));
            }
        }
        *round = ready.values().copied().fold(0.0, f64::max);
    }
    (latest[2 * SETTLED - 1] - latest[SETTLED - 1]) / SETTLED as f64
}

/// Cycles until a result arrives. Copies are renamed registers.
fn latency(inst: &Inst) -> f64 {
    match inst {
        Inst::Copy { .. } => 0.0,
        Inst::Binary { op, .. } => latency_of(*op),
        Inst::ElemGet { .. } => LOAD,
        _ => 1.0,
    }
}
