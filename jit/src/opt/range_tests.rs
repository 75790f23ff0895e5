//! Range tests: two branches that compare one value with both ends of a range become one unsigned comparison.
//!
//! ```text
//!   B: branch x < 97, N, D      D: branch x > 122, N, Y          B: branch x - 97 below 26, Y, N
//! ```
//!
//! A value below the range wraps to far above it, so one comparison sees both ends [Warren, section 4-1]. GCC and LLVM know the
//! transformation as range test optimization and as folding of compares.
//!
//! Requires: no failure handlers. Preserves: everything; what moves ahead of the first branch is pure and cheap.
//!
//! [Warren] H. S. Warren, "Hacker's Delight", 2nd edition, Addison-Wesley 2013.

use super::Changed;
use super::cfg::Edges;
use super::op::negated;
use super::ssa::{Block, Func, Op, Target, Term, Value};
use crate::settings::range_tests::MAX_VAIN;
use holloway_lang::ir::{BinaryOp, Scalar};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let edges = Edges::of(func);
    let mut changed = Changed::No;
    for block in edges.rpo.iter().rev() {
        if let Some(test) = outs(func, *block).into_iter().find_map(|out| merged(func, &edges, out)) {
            merge(func, *block, test);
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
}

/// The branch at the end of a block, read both ways; empty if it compares no value with a constant.
fn outs(func: &Func, block: Block) -> Vec<Out> {
    let Term::Branch { cond, then, otherwise } = &func.blocks[block].term else { return Vec::new() };
    let Some(Op::Binary(op)) = func.def_inst(*cond).map(|inst| func.insts[inst].op) else { return Vec::new() };
    let args = &func.insts[func.def_inst(*cond).expect("it was found")].args;
    let Some(constant) = func.as_int(args[1]) else { return Vec::new() };
    let out = |op: Option<BinaryOp>, onward: &Target, outside: &Target| {
        let inside = interval(op?, constant)?;
        Some(Out { tested: args[0], inside, onward: onward.clone(), outside: outside.clone() })
    };
    [out(Some(op), then, otherwise), out(negated(op), otherwise, then)].into_iter().flatten().collect()
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

/// The branch with the next one, if that tests the other end of a range and does nothing else.
fn merged(func: &Func, edges: &Edges, first: Out) -> Option<Out> {
    let next = first.onward.block;
    let data = &func.blocks[next];
    let alone = edges.preds[next].len() == 1 && data.params.is_empty() && data.insts.len() <= MAX_VAIN;
    if !alone || next == first.outside.block || !data.insts.iter().all(|inst| func.insts[*inst].op.is_speculable()) {
        return None;
    }
    outs(func, next).into_iter().find_map(|second| {
        let same = second.outside.block == first.outside.block && second.tested == first.tested;
        let least = first.inside.least.max(second.inside.least);
        let most = first.inside.most.min(second.inside.most);
        let ends = least > i64::MIN && most < i64::MAX && least < most && most.checked_sub(least)? < i64::MAX;
        let fits = same && ends && func.all_same(&second.outside.args, &first.outside.args);
        fits.then_some(Out { inside: Interval { least, most }, ..second })
    })
}

fn merge(func: &mut Func, block: Block, test: Out) {
    let emptied = match &func.blocks[block].term {
        Term::Branch { then, otherwise, .. } if then.block == test.outside.block => otherwise.block,
        Term::Branch { then, .. } => then.block,
        _ => unreachable!("a branch was found"),
    };
    let site = func.blocks[block].term_site;
    // Nothing leads to the second branch's block any more.
    let insts = std::mem::take(&mut func.blocks[emptied].insts);
    func.blocks[block].insts.extend(insts);
    let Interval { least, most } = test.inside;
    let (distance, count) = (func.int(least.wrapping_neg()), func.int(most - least + 1));
    let add = Op::Binary(BinaryOp::IntAdd);
    let from_least = match least {
        0 => test.tested,
        _ => func.push(block, add, [test.tested, distance], Some(Scalar::Int), site).expect("it has a result"),
    };
    let cond = func.push(block, Op::Below, [from_least, count], Some(Scalar::Bool), site);
    let cond = cond.expect("it has a result");
    func.blocks[block].term = Term::Branch { cond, then: test.onward, otherwise: test.outside };
}
