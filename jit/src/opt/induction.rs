//! Induction variables: congruent ones become one, and final values behind a loop are computed.
//!
//! In: parameters that every iteration changes by the same constant, the basic induction variables of [CK77]. Out: of two with
//! the same step, which differ by what they differed by at the entry, one is left; behind a loop whose only exit is its
//! counter's test and whose trip count is known, each that started from a constant is a constant [Wolfe92].
//!
//! Requires: loops with one latch and one entry. Preserves: every value. `sweep` removes the parameters that nobody reads any
//! more.
//!
//! [CK77] J. Cocke, K. Kennedy, "An Algorithm for Reduction of Operator Strength", CACM 20(11), 1977.
//! [Wolfe92] M. Wolfe, "Beyond Induction Variables", PLDI 1992.

use super::Changed;
use super::cfg::{Graph, Loop};
use super::counter::{Step, counter};
use super::loops;
use super::replacements::Replacements;
use super::ssa::{Args, Block, Func, Op, Value};
use super::unroll::trip_count;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// A parameter of a header that every iteration changes by the same constant.
#[derive(Clone, Copy, Debug)]
struct Induction {
    param: Value,
    first: Value,
    next: Value,
    step: i64,
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let graph = Graph::of(func);
    let mut same = Replacements::new(func);
    let mut changed = Changed::No;
    for l in graph.loops.values() {
        let Some((before, mut all)) = inductions(func, &graph, l) else { continue };
        let defined = loops::defined(func, l);
        if let Some(counter) = counter(func, l, &|value| !defined.contains(value)) {
            // What the test looks at stays as it is.
            all.sort_by_key(|induction| induction.param != counter.param);
        }
        changed = changed.or(write_down_exits(func, &graph, l, &all));
        join(func, l, before, &all, &mut same);
    }
    if !same.is_empty() {
        same.apply(func);
        changed = Changed::Yes;
    }
    changed
}

/// The block before a loop, and its induction variables.
fn inductions(func: &Func, graph: &Graph, l: &Loop) -> Option<(Block, Vec<Induction>)> {
    let &[latch] = l.latches.as_slice() else { return None };
    let first = func.blocks[l.header].insts.first().map(|inst| func.insts[*inst].op);
    if first == Some(Op::CatchMessage) {
        // What leads a handler in stays its first instruction.
        return None;
    }
    let outside: Vec<Block> = graph.preds[l.header].iter().copied().filter(|pred| *pred != latch).collect();
    let &[before] = outside.as_slice() else { return None };
    let to_header = |block: Block| {
        let targets = func.blocks[block].term.targets();
        let found: Vec<Args> = targets.filter(|to| to.block == l.header).map(|to| to.args.clone()).collect();
        <[Args; 1]>::try_from(found).ok().map(|[args]| args)
    };
    let (firsts, nexts) = (to_header(before)?, to_header(latch)?);
    let params = func.blocks[l.header].params.iter();
    let all = params.zip(firsts.into_iter().zip(nexts)).filter_map(|(&param, (first, next))| {
        let data = &func.insts[func.def_inst(next)?];
        let &[x, by] = data.args.as_slice() else { return None };
        let step = func.as_int(by).filter(|step| *step != 0)?;
        (x == param && data.op == Op::Binary(BinaryOp::IntAdd)).then_some(Induction { param, first, next, step })
    });
    Some((before, all.collect()))
}

/// Lets those with equal steps be computed from the first of them.
fn join(func: &mut Func, l: &Loop, before: Block, all: &[Induction], same: &mut Replacements) {
    for (at, other) in all.iter().enumerate() {
        let Some(kept) = all[..at].iter().find(|kept| kept.step == other.step && !same.contains(kept.param)) else {
            continue;
        };
        let with = match difference(func, before, other.first, kept.first) {
            None => {
                advance_first(func, l, kept.next);
                same.insert(other.next, kept.next);
                kept.param
            }
            Some(further) => {
                let site = func.blocks[l.header].term_site;
                let op = Op::Binary(BinaryOp::IntAdd);
                let inst = func.make_inst(op, [kept.param, further], Some(Scalar::Int), site);
                func.blocks[l.header].insts.insert(0, inst);
                func.insts[inst].result.expect("an operator has a result")
            }
        };
        same.insert(other.param, with);
    }
}

/// Moves what a parameter is in the next iteration to the start of the loop, where it is known for whoever may want it.
fn advance_first(func: &mut Func, l: &Loop, next: Value) {
    let inst = func.def_inst(next).expect("a round adds to it");
    for block in &l.blocks {
        func.blocks[*block].insts.retain(|other| *other != inst);
    }
    func.blocks[l.header].insts.insert(0, inst);
}

/// `x - y` at the end of a block; none if it is 0.
fn difference(func: &mut Func, before: Block, x: Value, y: Value) -> Option<Value> {
    if x == y {
        return None;
    }
    match (func.as_int(x), func.as_int(y)) {
        (Some(x), Some(y)) if x == y => None,
        (Some(x), Some(y)) => Some(func.int(x.wrapping_sub(y))),
        (_, Some(0)) => Some(x),
        _ => {
            let site = func.blocks[before].term_site;
            func.push(before, Op::Binary(BinaryOp::IntSub), [x, y], Some(Scalar::Int), site)
        }
    }
}

/// Behind a loop with a known trip count, induction variables that started from constants are constants.
fn write_down_exits(func: &mut Func, graph: &Graph, l: &Loop, all: &[Induction]) -> Changed {
    let inside = loops::blocks(l);
    let leaves = |block: &Block| func.blocks[*block].term.targets().filter(|to| !inside.contains(to.block)).count();
    if l.blocks.iter().map(leaves).sum::<usize>() != 1 || leaves(&l.latches[0]) != 1 {
        return Changed::No;
    }
    if l.blocks.iter().any(|block| func.blocks[*block].handler.is_some()) {
        return Changed::No;
    }
    let defined = loops::defined(func, l);
    let Some(counter) = counter(func, l, &|value| !defined.contains(value)) else { return Changed::No };
    let Step::Known(step) = counter.step else { return Changed::No };
    let Some(trip_count) = trip_count(func, graph, l, counter, step) else { return Changed::No };
    let mut known: HashMap<Value, Value> = HashMap::new();
    for induction in all {
        let Some(first) = func.as_int(induction.first) else { continue };
        let last = first.wrapping_add(induction.step.wrapping_mul(trip_count as i64));
        let next = func.int(last);
        let param = func.int(last.wrapping_sub(induction.step));
        known.extend([(induction.next, next), (induction.param, param)]);
    }
    replace_behind(func, l, &known)
}

fn replace_behind(func: &mut Func, l: &Loop, known: &HashMap<Value, Value>) -> Changed {
    let inside = loops::blocks(l);
    let mut changed = Changed::No;
    let mut rename = |value: &mut Value| {
        if let Some(with) = known.get(value) {
            *value = *with;
            changed = Changed::Yes;
        }
    };
    let Func { blocks, insts, .. } = func;
    for (block, data) in blocks.iter_mut() {
        let is_inside = inside.contains(block);
        if !is_inside {
            data.insts.iter().for_each(|inst| insts[*inst].args.iter_mut().for_each(&mut rename));
            data.term.operand_mut().into_iter().for_each(&mut rename);
        }
        for target in data.term.targets_mut() {
            if !is_inside || !inside.contains(target.block) {
                target.args.iter_mut().for_each(&mut rename);
            }
        }
    }
    changed
}
