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
mod in_range;
mod nest;

use super::Changed;
use super::ssa::Func;
use super::visit::innermost;
use crate::settings::unroll::MAX_FUNCTION;
use nest::Nest;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let size: usize = func.blocks.values().map(|data| data.insts.len()).sum();
    if func.has_handlers() || func.record.is_some() || size > MAX_FUNCTION {
        return Changed::No;
    }
    innermost(func, |func, graph, inner| {
        let around = inner.parent?;
        let is_only = graph.loops.values().filter(|l| l.parent == Some(around)).count() == 1;
        let outer = &graph.loops[around];
        let nest = Nest::find(func, graph, outer, inner).filter(|_| is_only)?;
        Some(build::jam(func, graph, outer, &nest))
    })
}
