//! Correlated value propagation: what a branch or a check tells of values decides branches, checks and operands
//! behind it.
//!
//! Requires: value numbering before, so that equal conditions are one value. Preserves: effects in their order. A
//! branch that an earlier one decides is correlated with it [BGS97]; here it must be dominated, so no block is copied
//! as jump threading does [MW95]. The conditions give ranges of values, as in [Patterson95]: the value of an operand
//! compared with a constant, or bounds of it, or that one value is less than another, by some distance perhaps, which
//! bounds checks ask. Counters are seen not to be negative (`nonnegative.rs`). A walk of the dominator tree keeps the
//! ranges; uses of values known to be constants become the constants, and branches whose condition is known become
//! jumps. Traces, which are straight code, keep ranges from one end to the other.
//!
//! [BGS97] R. Bodik, R. Gupta, M. L. Soffa, "Interprocedural Conditional Branch Elimination", PLDI 1997.
//! [MW95] F. Mueller, D. B. Whalley, "Avoiding Conditional Branches by Code Replication", PLDI 1995.
//! [Patterson95] J. R. C. Patterson, "Accurate Static Branch Prediction by Value Range Propagation", PLDI 1995.

mod at_entry;
mod nonnegative;
mod walk;

use super::Changed;
use super::cfg::Graph;
use super::ssa::{Func, Inst};
pub(super) use at_entry::{range_at_entry, ranges_at_entry};
pub(super) use nonnegative::nonnegative;
use walk::Purpose;
pub(super) use walk::Walk;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let graph = Graph::of(func);
    let assumed = nonnegative(func, &graph);
    Walk::new(func, &graph, &assumed).walk(&mut Purpose::Rewrite)
}

/// Shows each instruction to a function, with what is known of values ahead of it.
pub(super) fn each(func: &mut Func, mut look: impl FnMut(&Walk<'_>, Inst)) {
    let graph = Graph::of(func);
    let assumed = nonnegative(func, &graph);
    Walk::new(func, &graph, &assumed).walk(&mut Purpose::Each(&mut look));
}
