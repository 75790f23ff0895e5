//! Selects between the values of two ways, once their branch is gone.
//!
//! In: a condition, and what each way passes on or leaves pending. Out: a select for each two values that differ, the same one wherever they do.
//! Invariant: the block that gets them knows the condition and all of the values.

use super::op::Op;
use super::pending::PendingPaths;
use super::ssa::{Block, Func, Value};

/// A condition that chooses at the end of a block.
pub(super) struct Choice {
    block: Block,
    cond: Value,
    site: u32,
    made: Vec<([Value; 2], Value)>,
}

impl Choice {
    /// None made yet.
    pub(super) fn new(block: Block, cond: Value, site: u32) -> Choice {
        Choice { block, cond, site, made: Vec::new() }
    }

    /// The one value where the condition holds, else the other.
    pub(super) fn between(&mut self, func: &mut Func, ways: [Value; 2]) -> Value {
        if func.same(ways[0], ways[1]) {
            return ways[0];
        }
        if let Some((_, known)) = self.made.iter().find(|(of, _)| func.all_same(of, &ways)) {
            return *known;
        }
        let scalar = func.values[ways[0]].scalar;
        let args = [self.cond, ways[0], ways[1]];
        let chosen = func.push(self.block, Op::Select, args, Some(scalar), self.site).expect("a select has a result");
        self.made.push((ways, chosen));
        chosen
    }

    /// Declares pending what is so on the way that is taken; both declare the same slots.
    pub(super) fn declare(&mut self, func: &mut Func, yes: &PendingPaths, no: &PendingPaths) {
        let chosen = yes.clone().joined(no, |yes, no| self.between(func, [yes, no]));
        chosen.declare(func, self.block);
    }
}
