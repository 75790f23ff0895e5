//! The order in which passes come to the loops of a function.
//!
//! In: a function, and what a pass does with one loop of it. Out: whether any of that changed anything.
//! Invariant: the graph that a pass is shown is that of the function as it is at that moment. What says that it changed
//! nothing has changed nothing.

use super::Changed;
use super::cfg::{Graph, Loop};
use super::ssa::{Block, Func};
use cranelift_entity::EntitySet;
use holloway_lang::ir::LoopId;

/// The number of visits to a loop before the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visits {
    /// Once.
    One,
    /// Until a visit changes nothing.
    UntilStable,
}

/// Visits every loop, inner ones before those around them. Visits may make blocks, but leave the loops in their order.
pub(super) fn inside_out(
    func: &mut Func,
    visits: Visits,
    mut visit: impl FnMut(&mut Func, &Graph, &Loop) -> Changed,
) -> Changed {
    let mut changed = Changed::No;
    let mut graph = Graph::of(func);
    let ids: Vec<LoopId> = graph.loops.keys().rev().collect();
    for at in ids {
        while visit(func, &graph, &graph.loops[at]) == Changed::Yes {
            changed = Changed::Yes;
            graph = Graph::of(func);
            if visits == Visits::One {
                break;
            }
        }
    }
    changed
}

/// Visits every loop without another one in it. A visit that changes something gives the header of the loop that it made,
/// which is not visited.
pub(super) fn innermost(func: &mut Func, mut visit: impl FnMut(&mut Func, &Graph, &Loop) -> Option<Block>) -> Changed {
    let mut changed = Changed::No;
    let mut done: EntitySet<Block> = EntitySet::new();
    let mut graph = Graph::of(func);
    let mut left = graph.loops.keys();
    while let Some(at) = left.next() {
        let l = &graph.loops[at];
        if !graph.loops.is_innermost(at) || !done.insert(l.header) {
            continue;
        }
        if let Some(made) = visit(func, &graph, l) {
            done.insert(made);
            changed = Changed::Yes;
            graph = Graph::of(func);
            left = graph.loops.keys();
        }
    }
    changed
}

/// Visits the loop that `next` chooses until it chooses none. It is told the headers of those that were visited, to which a
/// visit that changes something adds one.
pub(super) fn one_by_one(
    func: &mut Func,
    next: impl Fn(&Func, &Graph, &EntitySet<Block>) -> Option<LoopId>,
    mut visit: impl FnMut(&mut Func, &Graph, &Loop) -> Option<Block>,
) -> Changed {
    let mut changed = Changed::No;
    let mut done: EntitySet<Block> = EntitySet::new();
    let mut graph = Graph::of(func);
    while let Some(at) = next(func, &graph, &done) {
        let l = &graph.loops[at];
        done.insert(l.header);
        if let Some(made) = visit(func, &graph, l) {
            done.insert(made);
            changed = Changed::Yes;
            graph = Graph::of(func);
        }
    }
    changed
}
