//! Unroll-and-jam: the inner loop of a nest executed for several iterations of the outer one at once [CCK88].
//!
//! ```text
//!   before -> H: head -> I: body -> I          enough? -> JH: heads -> JI: bodies -> JI
//!             ^              \-> L: latch -> H        \-> H: as it was        \-> latches, enough? -> JH
//!             \-----------------/                                                           \-> H
//! ```
//!
//! A loop whose iterations each wait for the sum of the one before takes as long as its additions; those of another outer iteration wait for
//! nothing that it computes, and share loads with it. Head and body only read and check, so up to the latch nothing has happened: where a check
//! of a later iteration fails, or what a latch stores may be what a later iteration loads, the nest as it was goes on from the first of them.
//!
//! Requires: rotated loops, no failure handlers. Preserves: stores and failures, with their order; the order of the operations on each sum. Code whose
//! assignments are recorded is left alone: one place in it would stand for several iterations.
//!
//! [CCK88] D. Callahan, J. Cocke, K. Kennedy, "Estimating Interlock and Improving Balance for Pipelined Architectures", Journal of Parallel and
//! Distributed Computing 5(4), 1988.

mod build;
mod nest;

use super::Changed;
use super::cfg::Graph;
use super::ssa::Func;
use super::visit::one_by_one;
use crate::settings::unroll::MAX_FUNCTION;
use holloway_lang::ir::LoopId;
use nest::Nest;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let size: usize = func.blocks.values().map(|data| data.insts.len()).sum();
    if func.has_handlers() || func.record.is_some() || size > MAX_FUNCTION {
        return Changed::No;
    }
    one_by_one(
        func,
        |_, graph, done| {
            graph.loops.keys().find(|at| only_inner(graph, *at).is_some() && !done.contains(graph.loops[*at].header))
        },
        |func, graph, outer| {
            let at = graph.loops.headed_by(outer.header).expect("it is a loop");
            let inner = only_inner(graph, at).expect("it was found by that");
            let nest = Nest::find(func, outer, &graph.loops[inner])?;
            Some(build::jam(func, graph, outer, &nest))
        },
    )
}

/// The only loop in another one, if that has no others in it.
fn only_inner(graph: &Graph, outer: LoopId) -> Option<LoopId> {
    let mut inner = graph.loops.keys().filter(|at| graph.loops[*at].parent == Some(outer));
    let only = inner.next()?;
    (inner.next().is_none() && graph.loops.is_innermost(only)).then_some(only)
}
