//! Expected gain of a trace: the optimizer's work on it, weighed against its work on the general loop.
//!
//! In: plain optimized code of a function, a trace formed on it. Out: the weight of one execution of the walk on the trace and in the
//! general loop, after all passes but unrolling. Weights are cycles, roughly: how long a result takes to arrive.

use super::counted::{Head, Traces};
use super::spec::TraceSpec;
use super::specialization::{Specialization, Specialized};
use crate::compile::ssa;
use crate::opt::cfg::Graph;
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Func, Inst, Mem, Op, Term};
use crate::request::{Env, Request};
use crate::settings::estimate::{
    ALLOCATION, BRANCH, CALL, FLOAT_ARITHMETIC, FLOAT_DIV, GUARD, INT_DIV, INT_MUL, LOAD, LOAD_NEAR, SWITCH,
};
use holloway_lang::ir::{self, BinaryOp};
use std::sync::Arc;

/// Weights of one execution of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// On the trace.
    pub trace: f64,
    /// In the general loop.
    pub general: f64,
}

/// Estimates what a trace gains; `None` if it is none, or the optimizer leaves no loop of it.
pub fn estimate(env: &Env, plain: &Request, specialized: &Specialized) -> Option<Estimate> {
    let Specialization::Trace(spec, shape) = &specialized.specialization else { return None };
    let formed = Arc::clone(&specialized.formed);
    let head = formed.head;
    let traces = Traces::new(formed, vec![Head { block: head, iterations: 1 }]);
    let counter = traces.counted().blocks[&head];
    let mut request = plain.clone();
    // What was rare when baseline code ran may be on the walk by now, and is weighed.
    request.passes.disabled.extend(["unroll".to_owned(), "layout".to_owned()]);
    let general = general(&ssa(&env.module, &request), spec);
    request.traces = Some(Arc::new(traces));
    let trace = trace(&ssa(&env.module, &request), counter)? / f64::from(shape.unroll);
    Some(Estimate { trace, general })
}

/// Each block of the walk weighs what the blocks that came from it weigh.
fn general(func: &Func, spec: &TraceSpec) -> f64 {
    let graph = Graph::compute(func);
    let from = |origin: ir::Block| {
        let blocks =
            graph.rpo.iter().filter(move |block| func.blocks[**block].origin == origin && !func.blocks[**block].cold);
        let inside: Vec<f64> = blocks
            .filter(|block| graph.loop_depth(**block) > 0)
            .map(|block| block_weight(func, *block, BRANCH))
            .collect();
        inside.iter().copied().fold(0.0, f64::max)
    };
    spec.blocks().map(from).sum()
}

/// The loop that counts its rounds, all blocks that are not cold, by the rounds it counts.
fn trace(func: &Func, counter: usize) -> Option<f64> {
    let graph = Graph::compute(func);
    let counts = |block: &&Block| {
        let is_count = |inst: &&Inst| func.insts[**inst].op == Op::Probe(Probe::Count(counter));
        func.blocks[**block].insts.iter().filter(is_count).count()
    };
    let counted = graph.rpo.iter().filter(|block| counts(block) > 0).max_by_key(|block| graph.loop_depth(**block))?;
    let l = &graph.loops[graph.innermost(*counted)?];
    let rounds: usize = l.blocks.iter().map(|block| counts(&block)).sum();
    let blocks = l.blocks.iter().filter(|block| !func.blocks[**block].cold);
    let weight: f64 = blocks.map(|block| block_weight(func, *block, GUARD)).sum();
    Some(weight / rounds.max(1) as f64)
}

fn block_weight(func: &Func, block: Block, branch: f64) -> f64 {
    let data = &func.blocks[block];
    let end = match data.term {
        Term::Branch { .. } => branch,
        Term::Switch { .. } => SWITCH,
        Term::Jump(_) | Term::Return(_) | Term::Fail(..) | Term::Exit(_) => 0.0,
    };
    data.insts.iter().map(|inst| weight(func.insts[*inst].op)).sum::<f64>() + end
}

fn weight(op: Op) -> f64 {
    match op {
        Op::Binary(BinaryOp::IntDiv | BinaryOp::IntRem) => INT_DIV,
        Op::Binary(BinaryOp::FloatDiv) => FLOAT_DIV,
        Op::Binary(BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul) => FLOAT_ARITHMETIC,
        Op::Binary(BinaryOp::IntMul) => INT_MUL,
        Op::Load(Mem::Slot(_) | Mem::State(_)) => LOAD_NEAR,
        Op::Load(_) => LOAD,
        Op::Call(_) | Op::CallIndirect(_) | Op::Builtin(_) => CALL,
        Op::NewRecord(_) | Op::NewArray(_) | Op::ArrayOf(_) => ALLOCATION,
        Op::OsrPoint | Op::Probe(_) => 0.0,
        _ => 1.0,
    }
}
