//! Choices between cheap values become selects, which no branch predictor can get wrong.
//!
//! ```text
//!   B: branch c, T, J(x)    T: y = ...; jump J(y)         B: y = ...; z = select c, y, x; jump J(z)
//! ```
//!
//! Requires: no failure handlers. Preserves: everything; what is executed in vain is speculable and cheap. Floats keep
//! their branches, as the machine has no conditional move for them.

use super::Changed;
use super::cfg::Graph;
use super::ssa::{Block, Func, Inst, Op, Target, Term, Value};
use holloway_lang::ir::{BinaryOp, Scalar};

/// The most instructions executed in vain.
const MAX_VAIN: usize = 2;
/// The most selects made of one branch.
const MAX_SELECTS: usize = 1;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.blocks.values().any(|data| data.handler.is_some()) {
        return Changed::No;
    }
    let graph = Graph::compute(func);
    let mut changed = Changed::No;
    // Inner choices first: what they become may be part of outer ones.
    for block in graph.rpo.iter().rev() {
        changed = changed.or(convert(func, &graph, *block));
    }
    changed
}

/// One way from a branch to where its ways meet.
struct Side {
    insts: Vec<Inst>,
    to: Target,
}

fn convert(func: &mut Func, graph: &Graph, block: Block) -> Changed {
    let Term::Branch { cond, then, otherwise } = func.blocks[block].term.clone() else { return Changed::No };
    let (near, far) = (through(func, graph, &then), through(func, graph, &otherwise));
    let direct = |to: Target| Side { insts: Vec::new(), to };
    let (yes, no) = match (near, far) {
        (Some(yes), Some(no)) if yes.to.block == no.to.block => (yes, no),
        (Some(yes), _) if yes.to.block == otherwise.block => (yes, direct(otherwise)),
        (_, Some(no)) if no.to.block == then.block => (direct(then), no),
        _ => return Changed::No,
    };
    let meet = yes.to.block;
    let differing: Vec<usize> =
        (0..yes.to.args.len()).filter(|at| !same(func, yes.to.args[*at], no.to.args[*at])).collect();
    let fits = |at: &usize| matches!(func.values[yes.to.args[*at]].scalar, Scalar::Int | Scalar::Ref);
    let vain = yes.insts.len() + no.insts.len();
    if meet == block || vain > MAX_VAIN || differing.len() > MAX_SELECTS || !differing.iter().all(fits) {
        return Changed::No;
    }
    let site = func.blocks[block].term_site;
    func.blocks[block].insts.extend(yes.insts.iter().chain(&no.insts));
    let mut args = yes.to.args.clone();
    for at in differing {
        let scalar = func.values[args[at]].scalar;
        let choice = func.push(block, Op::Select, vec![cond, args[at], no.to.args[at]], Some(scalar), site);
        args[at] = choice.expect("a select has a result");
    }
    func.blocks[block].term = Term::Jump(Target { block: meet, args });
    Changed::Yes
}

fn same(func: &Func, a: Value, b: Value) -> bool {
    a == b || matches!((func.as_const(a), func.as_const(b)), (Some(a), Some(b)) if a == b)
}

/// The way on from a block that does nothing that it may not do in vain, and that has no other way in.
fn through(func: &Func, graph: &Graph, to: &Target) -> Option<Side> {
    let data = &func.blocks[to.block];
    let Term::Jump(next) = &data.term else { return None };
    let cheap = data.insts.iter().all(|inst| is_cheap(func.insts[*inst].op));
    let alone = graph.preds[to.block].len() == 1 && data.params.is_empty() && !data.cold && next.block != to.block;
    (cheap && alone).then(|| Side { insts: data.insts.clone(), to: next.clone() })
}

fn is_cheap(op: Op) -> bool {
    matches!(
        op,
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
