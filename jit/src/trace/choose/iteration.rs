//! Iterations of a loop by what their paths tell of its state.
//!
//! In: a path of the loop with its count, a state, the values that it may have. Out: the value at its start and at its end, and what is saved
//! where that value is known.
//! Invariant: a value is told only if the path cannot be that of another one. What may change the state, as a call, is taken to leave it as
//! it was until a branch tells otherwise.

use super::super::facts::{Facts, Use};
use super::super::recurrence::latency_of;
use super::super::state::{Holder, State};
use crate::settings::estimate::{LOAD, SETTLED, SWITCH};
use crate::settings::states::{RETEST, RETEST_OBJECT};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function, Inst, Local, Operand, Terminator};

/// A path through a loop, from its header to the back edge.
pub(super) struct LoopPath<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) count: f64,
    /// Micro-operations of an iteration.
    operations: f64,
    /// Cycles by which one that follows is later, if nothing but latencies takes time.
    pub(super) recurrence: f64,
}

/// An iteration, by what its path tells of the state.
pub(super) struct Iteration {
    pub(super) count: f64,
    pub(super) recurrence: f64,
    /// The value at its start, if it is known, and at its end.
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    /// Micro-operations as it is, and in the loop of its value.
    pub(super) general: f64,
    pub(super) split: f64,
}

impl<'a> LoopPath<'a> {
    pub(super) fn new(body: &Function, blocks: &'a [Block], count: u64) -> LoopPath<'a> {
        let of_block = |block: &Block| body.blocks[*block].insts.len() as f64 + branching(&body.blocks[*block].term);
        let operations = blocks.iter().map(of_block).sum();
        LoopPath { blocks, count: count as f64, operations, recurrence: recurrence(body, blocks) }
    }

    /// The iteration that it is, by the values that the state may have.
    pub(super) fn iteration(&self, body: &Function, state: State, all: &[i64]) -> Iteration {
        let mut possible = all.iter().filter_map(|value| Some((*value, self.follow(body, state, *value)?)));
        let mut one = Iteration {
            count: self.count,
            recurrence: self.recurrence,
            start: None,
            end: None,
            general: self.operations,
            split: self.operations,
        };
        if let (Some((value, followed)), None) = (possible.next(), possible.next()) {
            one.start = Some(value);
            one.end = followed.end;
            one.split = self.operations + followed.tests - followed.saved;
        }
        one
    }

    /// Follows the path from a value of the state; `None` if it is not that value's.
    fn follow(&self, body: &Function, state: State, value: i64) -> Option<Followed> {
        let mut facts = Facts::new(state, value);
        let mut followed = Followed { end: None, saved: 0.0, tests: 0.0 };
        let (mut is_loaded, mut was_disturbed) = (false, false);
        for (at, block) in self.blocks.iter().enumerate() {
            let data = &body.blocks[*block];
            let mut needs_test = false;
            for inst in &data.insts {
                let before = facts.value();
                match facts.follow(inst) {
                    Use::Nothing => {}
                    // Loads with nothing between them are one.
                    Use::Read(_) => {
                        followed.saved += f64::from(u8::from(!is_loaded));
                        is_loaded = true;
                    }
                    Use::Written => needs_test = facts.value().is_none(),
                    Use::Disturbed => {
                        (is_loaded, was_disturbed, needs_test) = (false, true, true);
                        before.into_iter().for_each(|value| facts.suppose(value));
                    }
                }
            }
            followed.tests += if needs_test { retest(state) } else { 0.0 };
            let Some(to) = facts.decided(&data.term) else { continue };
            let next = self.blocks.get(at + 1).unwrap_or(&self.blocks[0]);
            if to == *next {
                followed.saved += decided(&data.term);
            } else if was_disturbed {
                // It was changed.
                return Some(followed);
            } else {
                return None;
            }
        }
        followed.end = facts.value();
        Some(followed)
    }
}

/// Outcome of an iteration that starts with a value.
struct Followed {
    end: Option<i64>,
    /// Micro-operations that are saved.
    saved: f64,
    /// Those of tests of the state behind what may have changed it.
    tests: f64,
}

/// Micro-operations of a terminator.
fn branching(term: &Terminator) -> f64 {
    match term {
        Terminator::Jump(_) => 0.0,
        Terminator::Switch { .. } => SWITCH,
        Terminator::Branch { .. } | Terminator::Return(_) | Terminator::Fail { .. } | Terminator::Exit(_) => 1.0,
    }
}

/// Micro-operations of a branch by the state: a comparison goes with its branch.
fn decided(term: &Terminator) -> f64 {
    let compares = matches!(term, Terminator::Branch { .. });
    branching(term) + f64::from(u8::from(compares))
}

fn retest(state: State) -> f64 {
    match state.holder() {
        Some(Holder::Global(_)) => RETEST_OBJECT,
        Some(Holder::Local(_)) | None => RETEST,
    }
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
