//! Jump threading: edges into a block whose branch they decide go straight to where the branch would go.
//!
//! ```text
//!   P: jump J(true)    Q: jump J(c)    J(x): ...; branch x, T, N         P: jump J'    J': ...; jump T    Q, J: as before
//! ```
//!
//! An edge decides a branch if the arguments it passes, and what the branch it comes from tells of its condition, make the
//! condition a constant, through empty blocks too. The block is copied once for each way that edges decide on ([MW95]; [BGS97] moves such tests up
//! over procedures). Functions that return a `bool` and were inlined into a condition leave such blocks.
//!
//! Requires: no failure handlers. Preserves: everything. Headers of loops are not copied, so that loops stay natural loops.
//!
//! [BGS97] R. Bodik, R. Gupta, M. L. Soffa, "Interprocedural Conditional Branch Elimination", PLDI 1997.
//! [MW95] F. Mueller, D. B. Whalley, "Avoiding Conditional Branches by Code Replication", PLDI 1995.

use super::Changed;
use super::cfg::Graph;
use super::clone::clone_blocks;
use super::repair::repair;
use super::simplify::{fold_ints, fold_unary};
use super::ssa::{Block, Func, Op, Seen, Target, Term, Value};
use crate::settings::jump_threading::{MAX_COPIED, MAX_EMPTY, MAX_GROWTH, MAX_ROUNDS};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Operand};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let mut changed = Changed::No;
    let mut grown = 0;
    for _ in 0..MAX_ROUNDS {
        if round(func, &mut grown) == Changed::No {
            break;
        }
        changed = Changed::Yes;
    }
    changed
}

/// One look at every block. What copies decide is seen in the next round.
fn round(func: &mut Func, grown: &mut usize) -> Changed {
    let mut changed = Changed::No;
    let mut graph = Graph::compute(func);
    for block in graph.rpo.clone() {
        let size = func.blocks[block].insts.len() + 1;
        if *grown + size > MAX_GROWTH || !is_copyable(func, &graph, block) {
            continue;
        }
        if bypass(func, &graph, block) == Changed::Yes {
            graph = Graph::compute(func);
            changed = Changed::Yes;
        }
        let ways = decided(func, &graph, block);
        if ways.is_empty() {
            continue;
        }
        *grown += size * ways.len();
        thread(func, block, ways);
        graph = Graph::compute(func);
        changed = Changed::Yes;
    }
    changed
}

fn is_copyable(func: &Func, graph: &Graph, block: Block) -> bool {
    let data = &func.blocks[block];
    let branches = matches!(data.term, Term::Branch { .. } | Term::Switch { .. });
    let is_header = graph.loops.headed_by(block).is_some();
    let copies = |op: Op| !matches!(op, Op::Call(_) | Op::CallIndirect(_) | Op::OsrPoint | Op::Probe(_));
    branches
        && !is_header
        && block != func.entry
        && graph.preds[block].len() > 1
        && data.insts.len() <= MAX_COPIED
        && data.insts.iter().all(|inst| copies(func.insts[*inst].op))
}

/// Lets edges that lead through empty blocks to one whose branch they decide lead there directly.
fn bypass(func: &mut Func, graph: &Graph, block: Block) -> Changed {
    let mut changed = Changed::No;
    let is_empty = |func: &Func, at: Block| {
        let passes = matches!(func.blocks[at].term, Term::Jump(_)) && func.blocks[at].insts.is_empty();
        passes && at != func.entry && graph.loops.headed_by(at).is_none()
    };
    let jump = |func: &Func, at: Block| match &func.blocks[at].term {
        Term::Jump(to) => to.clone(),
        _ => unreachable!("an empty block jumps"),
    };
    let empty = graph.preds[block].iter().filter(|pred| is_empty(func, **pred));
    let mut pending: Vec<(Block, Target, usize)> = empty.map(|at| (*at, jump(func, *at), 1)).collect();
    while let Some((empty, to, passed)) = pending.pop() {
        for edge in edges_into(func, graph, empty) {
            let before = func.blocks[edge.0].term.targets()[edge.1].clone();
            let params = &func.blocks[empty].params;
            let arg = |arg: &Value| params.iter().position(|param| param == arg).map_or(*arg, |at| before.args[at]);
            let direct = Target { block, args: to.args.iter().map(arg).collect() };
            *func.blocks[edge.0].term.targets_mut()[edge.1] = direct.clone();
            if way(func, block, known(func, edge)).is_some() {
                changed = Changed::Yes;
                continue;
            }
            *func.blocks[edge.0].term.targets_mut()[edge.1] = before;
            if is_empty(func, edge.0) && passed < MAX_EMPTY {
                pending.push((edge.0, direct, passed + 1));
            }
        }
    }
    changed
}

/// An edge, by the block that it leaves and its place among the targets.
pub(super) type Edge = (Block, usize);

/// The edges that lead to a block.
pub(super) fn edges_into(func: &Func, graph: &Graph, block: Block) -> Vec<Edge> {
    let mut edges = Vec::new();
    for pred in &graph.preds[block] {
        let targets = func.blocks[*pred].term.targets();
        edges.extend((0..targets.len()).filter(|at| targets[*at].block == block).map(|at| (*pred, at)));
    }
    edges
}

/// The edges into a block that decide its branch, by the place of the target that they decide on.
fn decided(func: &Func, graph: &Graph, block: Block) -> Vec<(usize, Vec<Edge>)> {
    let mut ways: Vec<(usize, Vec<Edge>)> = Vec::new();
    for edge in edges_into(func, graph, block) {
        let Some(way) = way(func, block, known(func, edge)) else { continue };
        match ways.iter_mut().find(|(other, _)| *other == way) {
            Some((_, edges)) => edges.push(edge),
            None => ways.push((way, vec![edge])),
        }
    }
    ways
}

/// The constants that an edge passes, and what the condition of the branch that it leaves is on it.
fn known(func: &Func, (pred, at): Edge) -> HashMap<Value, Operand> {
    let mut known = passed(func, (pred, at));
    let term = &func.blocks[pred].term;
    if let Term::Branch { cond, then, otherwise } = term
        && then.block != otherwise.block
    {
        let (holds, target) = (Operand::Bool(at == 0), term.targets()[at]);
        let params = func.blocks[target.block].params.iter().zip(&target.args).filter(|(_, arg)| *arg == cond);
        params.for_each(|(param, _)| {
            known.insert(*param, holds);
        });
        known.insert(*cond, holds);
    }
    known
}

/// The constants that an edge passes to parameters.
pub(super) fn passed(func: &Func, (pred, at): Edge) -> HashMap<Value, Operand> {
    let target = func.blocks[pred].term.targets()[at];
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

/// Copies a block for each way, and lets the edges that decide on it lead to the copy.
fn thread(func: &mut Func, block: Block, ways: Vec<(usize, Vec<Edge>)>) {
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    for (way, edges) in ways {
        let copies = clone_blocks(func, &[block]);
        let copy = copies.blocks[&block];
        let to = func.blocks[copy].term.targets()[way].clone();
        func.blocks[copy].term = Term::Jump(to);
        func.blocks[copy].cold |= edges.iter().all(|(pred, _)| func.blocks[*pred].cold);
        // Nobody counted the executions by which way they came.
        func.blocks[copy].seen = Seen { weight: None, ..func.blocks[copy].seen };
        for (pred, at) in edges {
            func.blocks[pred].term.targets_mut()[at].block = copy;
        }
        pairs.extend(copies.values);
    }
    func.blocks[block].seen.weight = None;
    pairs.sort_unstable();
    repair(func, &pairs);
}
