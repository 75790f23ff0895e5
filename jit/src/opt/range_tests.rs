//! Range tests: two branches that compare one value with both ends of a range become one unsigned comparison.
//!
//! ```text
//!   B: branch x < 97, N, D      D: branch x > 122, N, Y          B: branch x - 97 below 26, Y, N
//! ```
//!
//! A value below the range wraps to far above it, so one comparison sees both ends [Warren, section 4-1]. GCC and LLVM know the
//! transformation as range test optimization and as folding of compares.
//!
//! If paths are counted, the ways to N add to the number of the path, each its own: then one block chooses between the numbers behind the test, by
//! the first condition.
//!
//! Requires: no failure handlers. Preserves: everything; what moves ahead of the first branch is pure and cheap.
//!
//! [Warren] H. S. Warren, "Hacker's Delight", 2nd edition, Addison-Wesley 2013.

use super::Changed;
use super::cfg::Edges;
use super::choice::Choice;
use super::op::negated;
use super::pending::{PendingPaths, work};
use super::ssa::{Block, Func, Op, Target, Term, Value};
use crate::settings::range_tests::{MAX_CHOSEN, MAX_VAIN};
use holloway_lang::ir::{BinaryOp, Scalar};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let edges = Edges::of(func);
    let mut changed = Changed::No;
    for block in edges.rpo.iter().rev() {
        let found = |first: Out| merged(func, &edges, *block, &first).map(|test| (first, test));
        if let Some((first, test)) = outs(func, *block).into_iter().find_map(found) {
            merge(func, *block, &first, test);
            changed = Changed::Yes;
        }
    }
    changed
}

/// The integers from `least` to `most`.
#[derive(Clone, Copy)]
struct Interval {
    least: i64,
    most: i64,
}

/// A branch as a test of a value: in the interval control goes onward, else to the target that both branches have.
struct Out {
    tested: Value,
    inside: Interval,
    onward: Target,
    outside: Target,
    /// The condition, and whether control goes onward where it holds.
    cond: (Value, bool),
}

/// The branch at the end of a block, read both ways; empty if it compares no value with a constant.
fn outs(func: &Func, block: Block) -> Vec<Out> {
    let Term::Branch { cond, then, otherwise } = &func.blocks[block].term else { return Vec::new() };
    let Some(Op::Binary(op)) = func.def_inst(*cond).map(|inst| func.insts[inst].op) else { return Vec::new() };
    let args = &func.insts[func.def_inst(*cond).expect("it was found")].args;
    let Some(constant) = func.as_int(args[1]) else { return Vec::new() };
    let out = |op: Option<BinaryOp>, onward: &Target, outside: &Target, holds: bool| {
        let inside = interval(op?, constant)?;
        let (onward, outside) = (onward.clone(), outside.clone());
        Some(Out { tested: args[0], inside, onward, outside, cond: (*cond, holds) })
    };
    [out(Some(op), then, otherwise, true), out(negated(op), otherwise, then, false)].into_iter().flatten().collect()
}

/// The integers that compare so with a constant.
fn interval(op: BinaryOp, constant: i64) -> Option<Interval> {
    Some(match op {
        BinaryOp::IntLt => Interval { least: i64::MIN, most: constant.checked_sub(1)? },
        BinaryOp::IntLe => Interval { least: i64::MIN, most: constant },
        BinaryOp::IntGt => Interval { least: constant.checked_add(1)?, most: i64::MAX },
        BinaryOp::IntGe => Interval { least: constant, most: i64::MAX },
        _ => return None,
    })
}

/// A way out of a branch to where all of them meet: straight, or through a block of its own that adds to the number of the path.
struct Leave {
    block: Option<Block>,
    pending: PendingPaths,
    to: Target,
}

fn leave(func: &Func, edges: &Edges, from: &PendingPaths, to: &Target) -> Leave {
    let data = &func.blocks[to.block];
    let own = edges.preds[to.block].len() == 1 && data.params.is_empty();
    match &data.term {
        Term::Jump(next) if own && func.is_probed() && is_vain(func, to.block, MAX_CHOSEN) => {
            Leave { block: Some(to.block), pending: from.followed_by(func, to.block), to: next.clone() }
        }
        _ => Leave { block: None, pending: from.clone(), to: to.clone() },
    }
}

/// Returns whether a block does so little at most that it may be executed in vain.
fn is_vain(func: &Func, block: Block, most: usize) -> bool {
    let insts = work(func, block);
    insts.len() <= most && insts.iter().all(|inst| func.insts[*inst].op.is_speculable())
}

/// Two branches as one.
struct Merged {
    inside: Interval,
    onward: Target,
    /// The ways out of the first and of the second.
    leaves: [Leave; 2],
    /// The state behind both.
    pending: PendingPaths,
}

/// The branch of a block with the next one, if that tests the other end of a range and does nothing else.
fn merged(func: &Func, edges: &Edges, block: Block, first: &Out) -> Option<Merged> {
    let next = first.onward.block;
    let data = &func.blocks[next];
    let alone =
        edges.preds[next].len() == 1 && data.params.is_empty() && is_vain(func, next, MAX_VAIN + most_chosen(func));
    if !alone || next == first.outside.block {
        return None;
    }
    let before = PendingPaths::of(func, block);
    let pending = before.followed_by(func, next);
    outs(func, next).into_iter().find_map(|second| {
        let leaves = [leave(func, edges, &before, &first.outside), leave(func, edges, &pending, &second.outside)];
        let same = leaves[0].to.block == leaves[1].to.block && second.tested == first.tested;
        let least = first.inside.least.max(second.inside.least);
        let most = first.inside.most.min(second.inside.most);
        let ends = least > i64::MIN && most < i64::MAX && least < most && most.checked_sub(least)? < i64::MAX;
        let merged =
            Merged { inside: Interval { least, most }, onward: second.onward, leaves, pending: pending.clone() };
        (same && ends && meets(func, &merged)).then_some(merged)
    })
}

/// The most values that the ways out may bring each its own.
fn most_chosen(func: &Func) -> usize {
    if func.is_probed() { MAX_CHOSEN } else { 0 }
}

/// Returns whether the ways out may become one: they bring the same, but for the number of the path.
fn meets(func: &Func, merged: &Merged) -> bool {
    let [first, second] = &merged.leaves;
    let pairs = || first.to.args.iter().zip(&second.to.args).filter(|(a, b)| !func.same(**a, **b));
    let are_ints = || pairs().all(|(a, _)| func.values[*a].scalar == Scalar::Int);
    pairs().count() <= most_chosen(func) && are_ints() && first.pending.has_slots_of(&second.pending)
}

fn merge(func: &mut Func, block: Block, first: &Out, test: Merged) {
    let next = first.onward.block;
    let site = func.blocks[block].term_site;
    let outside = outside(func, block, first, &test);
    let (before, insts) = (PendingPaths::of(func, block), work(func, next));
    // Nothing leads to the second branch's block any more.
    func.blocks[next].insts.clear();
    func.blocks[block].insts.extend(insts);
    if !before.is_same(func, &test.pending) {
        test.pending.declare(func, block);
    }
    let Interval { least, most } = test.inside;
    let (distance, count) = (func.int(least.wrapping_neg()), func.int(most - least + 1));
    let add = Op::Binary(BinaryOp::IntAdd);
    let from_least = match least {
        0 => first.tested,
        _ => func.push(block, add, [first.tested, distance], Some(Scalar::Int), site).expect("it has a result"),
    };
    let cond = func.push(block, Op::Below, [from_least, count], Some(Scalar::Bool), site);
    let cond = cond.expect("it has a result");
    func.blocks[block].term = Term::Branch { cond, then: test.onward, otherwise: outside };
}

/// The way out of both branches: the one that they have in common, or a block that chooses what is brought.
fn outside(func: &mut Func, block: Block, first: &Out, test: &Merged) -> Target {
    let [one, other] = &test.leaves;
    if one.block.is_none() && other.block.is_none() && func.all_same(&one.to.args, &other.to.args) {
        return one.to.clone();
    }
    let (origin, site) = (func.blocks[block].origin, func.blocks[block].term_site);
    let chosen = func.new_block(origin, None, site);
    func.blocks[chosen].cold = func.blocks[one.to.block].cold;
    for emptied in [one, other].into_iter().filter_map(|leave| leave.block) {
        let insts = work(func, emptied);
        func.blocks[emptied].insts.clear();
        func.blocks[chosen].insts.extend(insts);
    }
    let (cond, onward) = first.cond;
    let (yes, no) = if onward { (other, one) } else { (one, other) };
    let mut choice = Choice::new(chosen, cond, site);
    let pairs: Vec<[Value; 2]> = yes.to.args.iter().zip(&no.to.args).map(|(yes, no)| [*yes, *no]).collect();
    let args = pairs.into_iter().map(|ways| choice.between(func, ways)).collect();
    choice.declare(func, &yes.pending, &no.pending);
    func.blocks[chosen].term = Term::Jump(Target { block: one.to.block, args });
    Target { block: chosen, args: Default::default() }
}
