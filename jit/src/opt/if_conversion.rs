//! If-conversion [AKPW83]: branches around cheap values become selects, which no branch predictor can get wrong.
//!
//! ```text
//!   B: branch c, T, J(x)    T: y = ...; jump J(y)         B: y = ...; z = select c, y, x; jump J(z)
//! ```
//!
//! A value that a way changes to what the other way finds it equal to needs no select: behind `if y != x { x = y }`, x is y either way.
//!
//! A branch that goes either way, by a profile or a guess, is worth more: see [`EITHER_WAY`]. Where it is predicted well, code runs ahead
//! instead of waiting for the comparison, so of the others only the cheapest are converted. One that chooses the next state of a loop that is
//! a state machine stays, since each of its ways decides branches that come later: see `state_threading`, which undoes the cheapest selects.
//!
//! Requires: no failure handlers. Preserves: everything; what is executed speculatively is cheap and cannot trap. Floats keep
//! their branches, as the machine has no conditional move for them.
//!
//! [AKPW83] J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, "Conversion of Control Dependence to Data Dependence", POPL 1983.

use super::Changed;
use super::cfg::Graph;
use super::choice::Choice;
use super::pending::{PendingPaths, is_idle, work};
use super::ssa::{Block, Def, Func, Inst, Op, Target, Term, Value};
use super::state_threading::states;
use crate::settings::if_conversion::{
    EITHER_WAY_SELECTS, EITHER_WAY_VAIN, FORESEEN_SELECTS, FORESEEN_VAIN, PATH_SELECTS, PATH_VAIN,
};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{BinaryOp, Scalar};

/// The most that a branch may cost when it is converted.
#[derive(Clone, Copy)]
struct Limits {
    /// The most instructions executed in vain.
    vain: usize,
    /// The most selects made of one branch.
    selects: usize,
    is_cheap: fn(&Func, Inst) -> bool,
    /// True if it may have a way in common with another branch.
    shared: bool,
}

/// Of a branch that may well be foreseen.
const FORESEEN: Limits = Limits { vain: FORESEEN_VAIN, selects: FORESEEN_SELECTS, is_cheap, shared: false };
/// Of one that goes either way.
const EITHER_WAY: Limits =
    Limits { vain: EITHER_WAY_VAIN, selects: EITHER_WAY_SELECTS, is_cheap: is_bearable, shared: true };

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let graph = Graph::of(func);
    let states = states(func, &graph);
    let mut changed = Changed::No;
    // Inner choices first: what they become may be part of outer ones.
    for block in graph.rpo.iter().rev() {
        changed = changed.or(convert(func, &graph, &states, *block));
    }
    changed
}

/// The limits of a branch. Where paths are counted, each way adds to the number of the path, which is chosen with what else differs: else such
/// code would keep branches that other code does not have.
fn limits(func: &Func, either_way: bool) -> Limits {
    let limits = if either_way { EITHER_WAY } else { FORESEEN };
    match func.is_probed() {
        false => limits,
        true => Limits { vain: limits.vain + PATH_VAIN, selects: limits.selects + PATH_SELECTS, ..limits },
    }
}

/// One way from a branch to where its ways meet: through a block, or straight.
struct Side {
    /// The block, if nothing else leads there.
    block: Option<Block>,
    insts: Vec<Inst>,
    /// The state at its end.
    pending: PendingPaths,
    to: Target,
}

fn convert(func: &mut Func, graph: &Graph, states: &EntitySet<Value>, block: Block) -> Changed {
    let Term::Branch { cond, then, otherwise } = func.blocks[block].term.clone() else { return Changed::No };
    if then.block == otherwise.block {
        return Changed::No;
    }
    let either_way = func.goes_either_way(block);
    let limits = limits(func, either_way);
    let before = PendingPaths::of(func, block);
    let side = |to: &Target| through(func, graph, &before, to, limits);
    let (near, far) = (side(&then), side(&otherwise));
    let direct = |to: Target| Side { block: None, insts: Vec::new(), pending: before.clone(), to };
    let (mut yes, mut no) = match (near, far) {
        (Some(yes), Some(no)) if yes.to.block == no.to.block => (yes, no),
        (Some(yes), _) if yes.to.block == otherwise.block => (yes, direct(otherwise)),
        (_, Some(no)) if no.to.block == then.block => (direct(then), no),
        _ => return Changed::No,
    };
    let meet = yes.to.block;
    assume_equality(func, cond, &mut yes.to, &mut no.to);
    let differing: Vec<usize> =
        (0..yes.to.args.len()).filter(|at| !func.same(yes.to.args[*at], no.to.args[*at])).collect();
    let fits = |at: &usize| matches!(func.values[yes.to.args[*at]].scalar, Scalar::Int | Scalar::Ref);
    let next_state = |at: &usize| {
        let is_known = |to: &Target| func.as_int(to.args[*at]).is_some();
        states.contains(func.blocks[meet].params[*at]) && (is_known(&yes.to) || is_known(&no.to))
    };
    let vain = yes.insts.len() + no.insts.len();
    if meet == block || vain > limits.vain || differing.len() > limits.selects || !differing.iter().all(fits) {
        return Changed::No;
    }
    if !yes.pending.has_slots_of(&no.pending) || either_way && differing.iter().any(next_state) {
        return Changed::No;
    }
    let site = func.blocks[block].term_site;
    func.blocks[block].insts.extend(yes.insts.iter().chain(&no.insts));
    // What was there is here now, and nothing leads there any more.
    yes.block.into_iter().chain(no.block).for_each(|emptied| func.blocks[emptied].insts.clear());
    let mut choice = Choice::new(block, cond, site);
    let mut args = yes.to.args.clone();
    for at in differing {
        args[at] = choice.between(func, [args[at], no.to.args[at]]);
        if let Some(record) = &mut func.record {
            record.selected(args[at], func.blocks[meet].params[at]);
        }
    }
    choice.declare(func, &yes.pending, &no.pending);
    func.blocks[block].term = Term::Jump(Target { block: meet, args });
    Changed::Yes
}

/// Lets the way on which two compared values are equal bring the one of them that the other way brings.
fn assume_equality(func: &Func, cond: Value, yes: &mut Target, no: &mut Target) {
    let Def::Inst(inst) = func.values[cond].def else { return };
    let data = &func.insts[inst];
    let (equal, other) = match data.op {
        Op::Binary(BinaryOp::IntEq) => (yes, no),
        Op::Binary(BinaryOp::IntNe) => (no, yes),
        _ => return,
    };
    let (a, b) = (data.args[0], data.args[1]);
    for (here, there) in equal.args.iter_mut().zip(&other.args) {
        let are = |x, y| func.same(*here, x) && func.same(*there, y);
        if are(a, b) || are(b, a) {
            *here = *there;
        }
    }
}

/// The way on from a block that does nothing that it may not do in vain, and that has no other way in or is idle.
fn through(func: &Func, graph: &Graph, before: &PendingPaths, to: &Target, limits: Limits) -> Option<Side> {
    let data = &func.blocks[to.block];
    let Term::Jump(next) = &data.term else { return None };
    let insts = work(func, to.block);
    let cheap = insts.iter().all(|inst| (limits.is_cheap)(func, *inst));
    let alone = graph.preds[to.block].len() == 1;
    let has_room = alone || (limits.shared && is_idle(func, to.block));
    let passes = has_room && data.params.is_empty() && !data.cold && next.block != to.block;
    let pending = || before.followed_by(func, to.block);
    let block = alone.then_some(to.block);
    (cheap && passes).then(|| Side { block, insts, pending: pending(), to: next.clone() })
}

/// Some cycles, but fewer than a branch that is not foreseen.
fn is_bearable(func: &Func, inst: Inst) -> bool {
    let data = &func.insts[inst];
    match data.op {
        // A division by a power of two is a shift or two.
        Op::Binary(BinaryOp::IntDiv | BinaryOp::IntRem) => {
            func.as_int(data.args[1]).is_some_and(|divisor| divisor > 0 && divisor & (divisor - 1) == 0)
        }
        Op::Binary(BinaryOp::IntMul) | Op::Select => true,
        _ => is_cheap(func, inst),
    }
}

fn is_cheap(func: &Func, inst: Inst) -> bool {
    matches!(
        func.insts[inst].op,
        Op::Binary(
            BinaryOp::IntAdd
                | BinaryOp::IntSub
                | BinaryOp::IntAnd
                | BinaryOp::IntOr
                | BinaryOp::IntXor
                | BinaryOp::IntShl
                | BinaryOp::IntShr
                | BinaryOp::IntUshr
        )
    )
}
