//! Loop rotation, or loop inversion: a loop that tests in its header is entered through a copy of the test and then tests at its
//! latch [Muchnick97, section 18.5].
//!
//! ```text
//!   before -> H: test -> B ... -> L -> H          before -> G: test -> B ... -> L -> H: test -> B
//!                 \-> after                                   \-> after                 \-> after
//! ```
//!
//! Requires: no failure handlers. Preserves: the order of effects and how often each is executed; the header becomes the
//! latch. Afterwards what the body does first is executed whenever the loop is entered, which invariant motion builds on. Values
//! of the header, lengths among them, become parameters.
//!
//! [Muchnick97] S. S. Muchnick, "Advanced Compiler Design and Implementation", Morgan Kaufmann 1997.

use super::Changed;
use super::cfg::{Graph, Loop};
use super::clone::clone_blocks;
use super::pending::work;
use super::repair::repair;
use super::ssa::{Block, Func, Term, Value};
use super::visit::one_by_one;
use crate::settings::rotate::MAX_HEADER;
use cranelift_entity::EntitySet;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    // Innermost first. One that cannot be rotated may be once another one is.
    let next = |func: &Func, graph: &Graph, done: &EntitySet<Block>| {
        graph.loops.keys().rev().find(|at| {
            let l = &graph.loops[*at];
            !done.contains(l.header) && is_rotatable(func, graph, l)
        })
    };
    one_by_one(func, next, |func, graph, l| Some(enter_through_copy(func, graph, l)))
}

fn is_rotatable(func: &Func, graph: &Graph, l: &Loop) -> bool {
    let data = &func.blocks[l.header];
    let Term::Branch { then, otherwise, .. } = &data.term else { return false };
    let leaves = |block: Block| !l.blocks.contains(&block);
    let body = match (leaves(then.block), leaves(otherwise.block)) {
        (true, false) => otherwise.block,
        (false, true) => then.block,
        _ => return false,
    };
    let is_test_only = !l.latches.contains(&l.header) && work(func, l.header).len() <= MAX_HEADER;
    is_test_only && graph.preds[body].len() == 1 && body != l.header
}

/// Lets what enters a loop go through a copy of its header. Gives what was the header.
pub(super) fn enter_through_copy(func: &mut Func, graph: &Graph, l: &Loop) -> Block {
    let copies = clone_blocks(func, &[l.header]);
    let guard = copies.blocks[&l.header];
    func.blocks[guard].seen.rounds = None;
    for pred in &graph.preds[l.header] {
        if l.latches.contains(pred) {
            continue;
        }
        for target in func.blocks[*pred].term.targets_mut() {
            if target.block == l.header {
                target.block = guard;
            }
        }
    }
    let mut pairs: Vec<(Value, Value)> = copies.values.into_iter().collect();
    pairs.sort_unstable();
    repair(func, &pairs);
    l.header
}
