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
use super::pending::{is_idle, work};
use super::ssa::{Block, Func, Op, Target, Term, Value};
use super::thread::{Edge, Way, edges_into, passed, thread, way};
use crate::settings::jump_threading::{MAX_COPIED, MAX_EMPTY, MAX_GROWTH, MAX_ROUNDS};
use hashbrown::HashMap;
use holloway_lang::ir::Operand;

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
    let mut graph = Graph::of(func);
    for block in graph.rpo.clone() {
        let size = work(func, block).len() + 1;
        if *grown + size > MAX_GROWTH || !is_copyable(func, &graph, block) {
            continue;
        }
        if bypass(func, &graph, block) == Changed::Yes {
            graph = Graph::of(func);
            changed = Changed::Yes;
        }
        let ways = decided(func, &graph, block);
        if ways.is_empty() {
            continue;
        }
        *grown += size * ways.len();
        thread(func, ways);
        graph = Graph::of(func);
        changed = Changed::Yes;
    }
    changed
}

fn is_copyable(func: &Func, graph: &Graph, block: Block) -> bool {
    let data = &func.blocks[block];
    let branches = matches!(data.term, Term::Branch { .. } | Term::Switch { .. });
    let is_header = graph.loops.headed_by(block).is_some();
    let insts = work(func, block);
    let copies = |op: Op| !op.polls() && op.is_copyable() && !(op.is_probe() && func.is_probed());
    branches
        && !is_header
        && block != func.entry
        && graph.preds[block].len() > 1
        && insts.len() <= MAX_COPIED
        && insts.iter().all(|inst| copies(func.insts[*inst].op))
}

/// Lets edges that lead through empty blocks to one whose branch they decide lead there directly. What is pending in an empty one need not be declared:
/// nothing fails there, and no edge from it goes back.
fn bypass(func: &mut Func, graph: &Graph, block: Block) -> Changed {
    let mut changed = Changed::No;
    let is_empty = |func: &Func, at: Block| {
        let passes = matches!(func.blocks[at].term, Term::Jump(_)) && is_idle(func, at);
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
            let before = func.blocks[edge.0].term.target(edge.1).clone();
            let params = &func.blocks[empty].params;
            let arg = |arg: &Value| params.iter().position(|param| param == arg).map_or(*arg, |at| before.args[at]);
            let direct = Target { block, args: to.args.iter().map(arg).collect() };
            *func.blocks[edge.0].term.target_mut(edge.1) = direct.clone();
            if way(func, block, known(func, edge)).is_some() {
                changed = Changed::Yes;
                continue;
            }
            *func.blocks[edge.0].term.target_mut(edge.1) = before;
            if is_empty(func, edge.0) && passed < MAX_EMPTY {
                pending.push((edge.0, direct, passed + 1));
            }
        }
    }
    changed
}

/// The edges into a block that decide its branch, a way for each target that they decide on.
fn decided(func: &Func, graph: &Graph, block: Block) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for edge in edges_into(func, graph, block) {
        let Some(target) = way(func, block, known(func, edge)) else { continue };
        let blocks = vec![(block, Some(target))];
        match ways.iter_mut().find(|other| other.blocks == blocks) {
            Some(other) => other.edges.push(edge),
            None => ways.push(Way { edges: vec![edge], blocks }),
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
        let (holds, target) = (Operand::Bool(at == 0), term.target(at));
        let params = func.blocks[target.block].params.iter().zip(&target.args).filter(|(_, arg)| *arg == cond);
        params.for_each(|(param, _)| {
            known.insert(*param, holds);
        });
        known.insert(*cond, holds);
    }
    known
}
