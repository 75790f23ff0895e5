//! Micro-operations of optimized code on the usual machine, and how often what is inlined in it is executed. Invariant:
//! a probe weighs nothing, as code is weighed that will run without.

use crate::opt::cfg::Graph;
use crate::opt::ssa::{Block, Func, Op, Term};
use crate::settings::estimate::{ALLOCATION, CALL, FLOAT_DIV, INT_DIV, SWITCH, WIDTH};
use holloway_lang::ir::BinaryOp;

pub(super) fn operations(func: &Func, block: Block) -> f64 {
    let data = &func.blocks[block];
    let end = match data.term {
        Term::Branch { .. } => 1.0,
        Term::Switch { .. } => SWITCH,
        Term::Jump(_) | Term::Return(_) | Term::Fail(..) | Term::Exit(_) => 0.0,
    };
    data.insts.iter().map(|inst| operations_of(func.insts[*inst].op)).sum::<f64>() + end
}

/// Micro-operations that an operation takes the place of: of one that keeps its unit busy as many as could start meanwhile.
pub(super) fn operations_of(op: Op) -> f64 {
    match op {
        Op::Binary(BinaryOp::IntDiv | BinaryOp::IntRem) => INT_DIV / 2.0 * WIDTH,
        Op::Binary(BinaryOp::FloatDiv) => FLOAT_DIV / 2.0 * WIDTH,
        Op::Call(_) | Op::CallIndirect(_) | Op::Builtin(_) => CALL * WIDTH,
        Op::NewRecord(_) | Op::NewArray(_) | Op::ArrayOf(_) => ALLOCATION * WIDTH,
        Op::OsrPoint | Op::Poll | Op::Sunk(..) | Op::Probe(_) => 0.0,
        _ => 1.0,
    }
}

/// Executions of a block of an inlined function for each execution of the block with the call, as far as they were counted.
pub(super) fn visits(func: &Func, graph: &Graph, block: Block) -> f64 {
    let data = &func.blocks[block];
    let mut before = std::iter::successors(graph.idom(block), |before| graph.idom(*before));
    let call = before.find(|before| !func.blocks[*before].origin.inlined).filter(|_| data.origin.inlined);
    match (data.seen.weight, call.and_then(|call| func.blocks[call].seen.weight)) {
        (Some(weight), Some(calls)) if calls > 0.0 => weight / calls,
        _ => 1.0,
    }
}
