//! Counters that stay in one register when they are stepped.
//!
//! In: an optimized function. Out: the steps behind which the counter as it was is needed for sums with constants alone, and these sums as sums with
//! the stepped one.
//!
//! ```text
//!   i1 = i + 1, passed on             i1 = i + 1
//!   load [a + i + 1]                  load [a + i1]
//!   i2 = i + 2                        i2 = i1 + 1
//!   i = i1, a move                    i = i1, one register
//! ```
//!
//! An address takes a constant for nothing, so both the translation and Cranelift read the counter before the step in it, and reassociation makes all
//! sums of the first counter. Then both are live, and what they are passed to begins with a move, often with a jump for it. So these steps are set
//! apart from what they are computed of.
//! Invariant: a sum is made of a step that dominates it.

use crate::opt::cfg::Graph;
use crate::opt::ssa::{Block, Func, Inst, InstData, Op, Value};
use cranelift_entity::EntitySet;
use hashbrown::HashMap;
use holloway_lang::ir::BinaryOp;

/// The counters of a function.
#[derive(Default)]
pub(super) struct Counters {
    /// The results that are set apart from what they are computed of.
    steps: EntitySet<Value>,
    /// Other sums of these counters, by their instructions.
    sums: HashMap<Inst, Sum>,
}

/// A value and a constant.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub(super) of: Value,
    pub(super) and: i64,
}

/// A counter that is stepped.
struct Step {
    /// The instruction, and where it stands.
    inst: Inst,
    block: Block,
    by: i64,
    /// The sums behind it, with their constants.
    sums: Vec<(Inst, i64)>,
}

impl Counters {
    /// Finds them.
    pub(super) fn find(ssa: &Func, graph: &Graph) -> Counters {
        let passed = passed_on(ssa, graph);
        let mut steps: HashMap<Value, Step> = HashMap::new();
        let mut needed: EntitySet<Value> = EntitySet::new();
        for block in &graph.rpo {
            let data = &ssa.blocks[*block];
            for inst in &data.insts {
                if let Some(Sum { of, and }) = sum(ssa, *inst) {
                    let result = ssa.insts[*inst].result.expect("a sum has a result");
                    match steps.get_mut(&of) {
                        None if passed.contains(result) => {
                            steps.insert(of, Step { inst: *inst, block: *block, by: and, sums: Vec::new() });
                        }
                        Some(step) if graph.dominates(step.block, *block) => step.sums.push((*inst, and)),
                        Some(_) => _ = needed.insert(of),
                        None => {}
                    }
                } else {
                    need(&steps, &mut needed, ssa.insts[*inst].args.iter().copied());
                }
            }
            need(&steps, &mut needed, data.term.targets().flat_map(|to| &to.args).copied().chain(data.term.operand()));
        }
        let mut counters = Counters::default();
        for (counter, step) in steps {
            if needed.contains(counter) {
                continue;
            }
            let of = ssa.insts[step.inst].result.expect("a sum has a result");
            counters.steps.insert(of);
            let from_step = |(inst, by): (Inst, i64)| (inst, Sum { of, and: by.wrapping_sub(step.by) });
            counters.sums.extend(step.sums.into_iter().map(from_step));
        }
        counters
    }

    /// True iff a result is to be set apart from what it is computed of.
    pub(super) fn is_step(&self, value: Value) -> bool {
        self.steps.contains(value)
    }

    /// A sum of a counter that was stepped, as one of the step.
    pub(super) fn behind_step(&self, inst: Inst) -> Option<Sum> {
        self.sums.get(&inst).copied()
    }

    /// A sum with a constant as it is made; `None` if that is no sum, or a step.
    pub(super) fn sum(&self, ssa: &Func, inst: Inst) -> Option<Sum> {
        let is_step = ssa.insts[inst].result.is_some_and(|result| self.is_step(result));
        self.behind_step(inst).or_else(|| sum(ssa, inst).filter(|_| !is_step))
    }
}

/// Notes which of the stepped counters are used.
fn need(steps: &HashMap<Value, Step>, needed: &mut EntitySet<Value>, used: impl Iterator<Item = Value>) {
    used.filter(|value| steps.contains_key(value)).for_each(|value| _ = needed.insert(value));
}

/// A sum of a value and a constant.
fn sum(ssa: &Func, inst: Inst) -> Option<Sum> {
    let InstData { op, args, .. } = &ssa.insts[inst];
    match op {
        Op::Binary(BinaryOp::IntAdd) => Some(Sum { of: args[0], and: ssa.as_int(args[1])? }),
        _ => None,
    }
}

/// The values that blocks pass on to others in the same loop, or further in.
fn passed_on(ssa: &Func, graph: &Graph) -> EntitySet<Value> {
    let mut passed = EntitySet::new();
    for block in &graph.rpo {
        let depth = graph.loop_depth(*block);
        let goes_on = |to: Block| graph.loop_depth(to) >= depth && !ssa.blocks[to].cold;
        for target in ssa.blocks[*block].term.targets().filter(|target| depth > 0 && goes_on(target.block)) {
            target.args.iter().for_each(|value| _ = passed.insert(*value));
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opt::parse;

    /// The sums of a function that are made of steps, as text: the result, the step and the constant.
    fn behind_steps(text: &str) -> Vec<(String, String, i64)> {
        let func = parse::function(text).unwrap_or_else(|error| panic!("{error}"));
        let graph = Graph::of(&func);
        let counters = Counters::find(&func, &graph);
        let insts = graph.rpo.iter().flat_map(|block| &func.blocks[*block].insts);
        let found = insts.filter_map(|inst| Some((func.insts[*inst].result?, counters.behind_step(*inst)?)));
        found.map(|(result, sum)| (result.to_string(), sum.of.to_string(), sum.and)).collect()
    }

    /// A loop that reads two elements behind its counter, with something in the place of the last instruction.
    fn reads(last: &str) -> String {
        format!(
            "ssa {{
b0(%0: ref, %1: int) from block0:
    jump b1(0)
b1(%2: int) from block0:
    %3: int = iadd %2, 1
    %4: int = load elem int %0, %3
    %5: int = iadd %2, 2
    %6: int = load elem int %0, %5
    {last}
    %8: bool = ilt %3, %1
    branch %8, b1(%3), b2()
b2() from block0:
    return
}}"
        )
    }

    #[test]
    fn sums_behind_a_step_are_made_of_it() {
        let found = behind_steps(&reads("%7: int = iadd %4, %6"));
        assert_eq!(found, [("%5".to_owned(), "%3".to_owned(), 1)]);
    }

    #[test]
    fn a_counter_that_is_needed_behind_its_step_keeps_its_register() {
        assert_eq!(behind_steps(&reads("%7: int = imul %4, %2")), []);
    }
}
