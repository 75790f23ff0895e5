//! Copies of blocks for the edges that lead to them: what jump threading, state threading and dispatch replication share.
//!
//! In: edges, and blocks one behind the other from where they lead. Out: the branch that constants decide in a block ([`way`]); the blocks copied for
//! some of the edges ([`thread`]).
//! Requires: no failure handlers. Invariant: each copy is executed where its block would have been, and every use reads the definition that reaches it.

use super::cfg::Graph;
use super::clone::clone_blocks;
use super::repair::repair;
use super::simplify::{fold_ints, fold_unary};
use super::ssa::{Block, Func, Op, Term, Value};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Operand};

/// An edge, by the block that it leaves and its place among the targets.
pub(super) type Edge = (Block, usize);

/// The edges that lead to a block.
pub(super) fn edges_into(func: &Func, graph: &Graph, block: Block) -> Vec<Edge> {
    let mut edges = Vec::new();
    for pred in &graph.preds[block] {
        let targets = func.blocks[*pred].term.targets().enumerate();
        edges.extend(targets.filter(|(_, target)| target.block == block).map(|(at, _)| (*pred, at)));
    }
    edges
}

/// Edges, the blocks to copy for them, and the place of the target that they decide on in each, if they do.
pub(super) struct Way {
    pub(super) edges: Vec<Edge>,
    pub(super) blocks: Vec<(Block, Option<usize>)>,
}

/// The constants that an edge passes to parameters.
pub(super) fn passed(func: &Func, (pred, at): Edge) -> HashMap<Value, Operand> {
    let target = func.blocks[pred].term.target(at);
    let params = func.blocks[target.block].params.iter().zip(&target.args);
    params.filter_map(|(param, arg)| Some((*param, func.as_const(*arg)?))).collect()
}

/// The place of the target that the branch of a block chooses, given what is known of values ahead of it.
pub(super) fn way(func: &Func, block: Block, mut known: HashMap<Value, Operand>) -> Option<usize> {
    let data = &func.blocks[block];
    for inst in &data.insts {
        let data = &func.insts[*inst];
        let Some(result) = data.result else { continue };
        let constant = |at: usize| known.get(&data.args[at]).copied().or_else(|| func.as_const(data.args[at]));
        let made = match data.op {
            Op::Unary(op) => constant(0).and_then(|x| fold_unary(op, x)),
            Op::Binary(op) => match (op, constant(0), constant(1)) {
                (_, Some(Operand::Int(a)), Some(Operand::Int(b))) => fold_ints(op, a, b),
                (BinaryOp::BoolAnd, Some(Operand::Bool(false)), _)
                | (BinaryOp::BoolAnd, _, Some(Operand::Bool(false))) => Some(Operand::Bool(false)),
                (BinaryOp::BoolOr, Some(Operand::Bool(true)), _) | (BinaryOp::BoolOr, _, Some(Operand::Bool(true))) => {
                    Some(Operand::Bool(true))
                }
                _ => None,
            },
            Op::Select => match constant(0) {
                Some(Operand::Bool(cond)) => constant(if cond { 1 } else { 2 }),
                _ => None,
            },
            _ => None,
        };
        if let Some(made) = made {
            known.insert(result, made);
        }
    }
    let tested = data.term.operand()?;
    match (&data.term, known.get(&tested)?) {
        (Term::Branch { .. }, Operand::Bool(holds)) => Some(usize::from(!holds)),
        (Term::Switch { cases, .. }, Operand::Int(value)) => {
            Some(cases.iter().position(|(case, _)| case == value).unwrap_or(cases.len()))
        }
        _ => None,
    }
}

/// Copies the blocks of each way, and lets its edges lead to the copies.
pub(super) fn thread(func: &mut Func, ways: Vec<Way>) {
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    for way in ways {
        let cold = way.edges.iter().all(|(pred, _)| func.blocks[*pred].cold);
        let mut next: Option<(Block, Block)> = None;
        for (block, decided) in way.blocks.into_iter().rev() {
            // One by one: a latch reads values of the header that it came from, not of the one that it leads to.
            let copies = clone_blocks(func, &[block]);
            let copy = copies.blocks[&block];
            if let Some(at) = decided {
                let to = func.blocks[copy].term.target(at).clone();
                func.blocks[copy].term = Term::Jump(to);
            }
            for target in func.blocks[copy].term.targets_mut() {
                if let Some((ahead, copied)) = next
                    && target.block == ahead
                {
                    target.block = copied;
                }
            }
            func.blocks[copy].cold |= cold;
            // Nobody counted the executions by the edge that they came from.
            func.blocks[copy].seen.weight = None;
            func.blocks[block].seen.weight = None;
            pairs.extend(copies.values);
            next = Some((block, copy));
        }
        let (_, first) = next.expect("a way has blocks");
        for (pred, at) in way.edges {
            func.blocks[pred].term.target_mut(at).block = first;
        }
    }
    pairs.sort_unstable();
    repair(func, &pairs);
}
