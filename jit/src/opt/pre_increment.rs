//! Pre-increment form of counters: a loop that tests right in front of a latch which only steps counters steps them at
//! its start instead.
//!
//! ```text
//!   before -> H(i): ... T: test i -> L: i + 1 -> H         before -> H(p): i = p + 1 ... T: test i -> H
//!       first              \-> after                      first - 1           \-> after
//! ```
//!
//! Only where a comparison of a counter ends the loop, and in innermost loops: what inner loops add to a counter would
//! become a sum of two. Inclusive loops and those with a step are of the first form, as a counter must not wrap behind
//! its last value. In the second form the loop tests at its latch, as rotation has it for others [Muchnick97, section
//! 18.5], and what is tested is what the next iteration begins with.
//!
//! Requires: no failure handlers. Preserves: every value, as sums wrap; effects in their order.
//!
//! [Muchnick97] S. S. Muchnick, "Advanced Compiler Design and Implementation", Morgan Kaufmann 1997.

use super::Changed;
use super::cfg::{Graph, Loop};
use super::replacements::Replacements;
use super::ssa::{Block, Func, Inst, InstData, Op, Target, Term, Value};
use crate::range::is_comparison;
use holloway_lang::ir::{BinaryOp, Scalar};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let graph = Graph::of(func);
    let found: Vec<(&Loop, Block, Vec<Step>)> = graph
        .loops
        .iter()
        .filter(|(at, _)| graph.loops.is_innermost(*at))
        .filter_map(|(_, l)| {
            let (test, steps) = steps(func, &graph, l)?;
            Some((l, test, steps))
        })
        .collect();
    let changed = if found.is_empty() { Changed::No } else { Changed::Yes };
    for (l, test, steps) in found {
        steps.iter().for_each(|step| step_first(func, &graph, l, step));
        enter_from_test(func, l, test);
    }
    changed
}

/// A counter's step in a latch.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The position among the header's parameters.
    at: usize,
    by: i64,
    next: Value,
}

/// The block that tests, and the steps, if the latch does nothing else.
fn steps(func: &Func, graph: &Graph, l: &Loop) -> Option<(Block, Vec<Step>)> {
    let &[latch] = l.latches.as_slice() else { return None };
    let &[test] = &graph.preds[latch] else { return None };
    let data = &func.blocks[latch];
    let (Term::Jump(back), Term::Branch { cond, then, otherwise }) = (&data.term, &func.blocks[test].term) else {
        return None;
    };
    let leaves = |block: Block| !l.blocks.contains(&block);
    let is_test = then.block == latch && leaves(otherwise.block) || otherwise.block == latch && leaves(then.block);
    if latch == l.header || !is_test || !data.params.is_empty() || data.insts.is_empty() {
        return None;
    }
    let steps: Option<Vec<Step>> = data.insts.iter().map(|inst| step(func, l, back, *inst)).collect();
    let steps = steps?;
    // A loop that another value ends often ends in its first iteration, which rotation sets apart.
    let compared = &func.insts[func.def_inst(*cond)?];
    let params = &func.blocks[l.header].params;
    let is_counted = compares_such(compared, |arg| steps.iter().any(|step| params[step.at] == arg));
    is_counted.then_some((test, steps))
}

/// Returns whether an instruction compares integers of which one is such.
fn compares_such(data: &InstData, is: impl Fn(Value) -> bool) -> bool {
    matches!(data.op, Op::Binary(op) if is_comparison(op)) && data.args.iter().any(|arg| is(*arg))
}

fn step(func: &Func, l: &Loop, back: &Target, inst: Inst) -> Option<Step> {
    let data = &func.insts[inst];
    let &[x, by] = data.args.as_slice() else { return None };
    let by = func.as_int(by).filter(|by| *by != 0 && by.unsigned_abs() < 1 << 31)?;
    let at = func.blocks[l.header].params.iter().position(|param| *param == x)?;
    let is_step = data.op == Op::Binary(BinaryOp::IntAdd) && Some(back.args[at]) == data.result;
    let goes_elsewhere = back.args.iter().enumerate().any(|(other, arg)| other != at && *arg == back.args[at]);
    (is_step && !goes_elsewhere).then_some(Step { at, by, next: back.args[at] })
}

/// Lets a counter step at the start of an iteration: its parameter is what it was in the one before.
fn step_first(func: &mut Func, graph: &Graph, l: &Loop, step: &Step) {
    let param = func.blocks[l.header].params[step.at];
    let (by, site) = (func.int(step.by), func.blocks[l.header].term_site);
    for pred in graph.preds[l.header].iter().filter(|pred| !l.latches.contains(pred)) {
        let places = func.blocks[*pred].term.targets().enumerate().filter(|(_, to)| to.block == l.header);
        for place in places.map(|(place, _)| place).collect::<Vec<_>>() {
            let first = func.blocks[*pred].term.target(place).args[step.at];
            let before = match func.as_int(first) {
                Some(first) => func.int(first.wrapping_sub(step.by)),
                None => {
                    let back = func.int(step.by.wrapping_neg());
                    let before = func.push(*pred, Op::Binary(BinaryOp::IntAdd), [first, back], Some(Scalar::Int), site);
                    before.expect("an operator has a result")
                }
            };
            func.blocks[*pred].term.target_mut(place).args[step.at] = before;
        }
    }
    let inst = func.make_inst(Op::Binary(BinaryOp::IntAdd), [param, by], Some(Scalar::Int), site);
    let now = func.insts[inst].result.expect("an operator has a result");
    let mut with = Replacements::new(func);
    with.insert(param, now);
    // Nothing is replaced in what is in no block.
    let insts = std::mem::take(&mut func.blocks[l.latches[0]].insts);
    func.blocks[l.latches[0]].insts =
        insts.into_iter().filter(|other| func.insts[*other].result != Some(step.next)).collect();
    with.apply(func);
    func.blocks[l.header].insts.insert(0, inst);
    func.blocks[l.latches[0]].term.target_mut(0).args[step.at] = now;
}

/// Lets the test lead to the header, past the latch, which is empty now.
fn enter_from_test(func: &mut Func, l: &Loop, test: Block) {
    let Term::Jump(back) = func.blocks[l.latches[0]].term.clone() else { unreachable!("the latch jumps") };
    for target in func.blocks[test].term.targets_mut().filter(|target| target.block == l.latches[0]) {
        *target = back.clone();
    }
}
