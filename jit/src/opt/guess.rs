//! Branches on a bit of data, guessed to go either way where no profile says how they go.
//!
//! Requires: nothing. Preserves: the code; only [`Func::either_way`] grows, which later passes ask. Most branches mostly go one way, which
//! heuristics tell from what they compare [BL93]. A branch on a single bit is the exception, unless the bit is a counter's, whose pattern a
//! predictor learns.
//!
//! [BL93] T. Ball, J. R. Larus, "Branch Prediction for Free", PLDI 1993.

use super::Changed;
use super::cfg::Graph;
use super::counter::step;
use super::ssa::{Block, Def, Func, Op, Term, Value};
use super::thread::{Edge, edges_into};
use crate::settings::guess::MAX_DEPTH;
use holloway_lang::ir::BinaryOp;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_profile {
        return Changed::No;
    }
    let graph = Graph::of(func);
    let guessed: Vec<Block> = graph.rpo.iter().copied().filter(|block| tests_data_bit(func, &graph, *block)).collect();
    let mut changed = Changed::No;
    for block in guessed {
        if func.either_way.insert(func.blocks[block].term_site) {
            changed = Changed::Yes;
        }
    }
    changed
}

/// Returns whether a block ends in a branch on one bit of what is no counter.
fn tests_data_bit(func: &Func, graph: &Graph, block: Block) -> bool {
    let Term::Branch { cond, .. } = &func.blocks[block].term else { return false };
    let Some((Op::Binary(BinaryOp::IntEq | BinaryOp::IntNe), [bit, with])) = binary(func, *cond) else { return false };
    let Some((Op::Binary(BinaryOp::IntAnd), [of, mask])) = binary(func, bit) else { return false };
    let is_bit = |mask: i64| mask.count_ones() == 1 && func.as_int(with).is_some_and(|with| with == 0 || with == mask);
    func.as_int(mask).is_some_and(is_bit) && !counts(func, graph, of, MAX_DEPTH)
}

fn binary(func: &Func, value: Value) -> Option<(Op, [Value; 2])> {
    let data = &func.insts[func.def_inst(value)?];
    Some((data.op, data.args.as_slice().try_into().ok()?))
}

/// Returns whether a value is made of counters and constants only.
fn counts(func: &Func, graph: &Graph, value: Value, depth: u32) -> bool {
    match func.values[value].def {
        Def::Const(_) => true,
        Def::Param(header, at) => {
            let next = |(from, to): Edge| func.blocks[from].term.target(to).args[at as usize];
            edges_into(func, graph, header).into_iter().any(|edge| step(func, value, next(edge), &|_| false).is_some())
        }
        Def::Inst(_) if depth == 0 => false,
        Def::Inst(_) => match binary(func, value) {
            Some((Op::Binary(op), args)) if !op.can_fail() => {
                args.iter().all(|arg| counts(func, graph, *arg, depth - 1))
            }
            _ => false,
        },
    }
}
