//! Steps around calls, while SSA is built.
//!
//! In: a call of a profiled body, and the translation of it. Out: the steps before and behind it, and what is pending there.
//! Invariant: the calls of a block are translated in order, each once.

use super::variables::{Passing, Probed};
use super::{Builder, Frame};
use crate::opt::ssa::Block;
use holloway_lang::ir::FuncRef;
use holloway_profiler::graph::Call;
use holloway_profiler::plan::{Action, CutShort};

impl Builder<'_> {
    /// Translates a call, of a function that may be known, between the steps around it; gives the block that the next instruction goes to.
    pub(super) fn with_call_steps(
        &mut self,
        frame: &Frame<'_>,
        at: Block,
        callee: Option<FuncRef>,
        call: impl FnOnce(&mut Self) -> Block,
    ) -> Block {
        let Some(probed) = &frame.probed else { return call(self) };
        let number = probed.calls.replace(probed.calls.get() + 1);
        let place = Call { block: probed.node.get(), number };
        let steps = probed.probes.plan.calls.get(&place).cloned().unwrap_or_default();
        let is_inlined = callee.is_some_and(|callee| self.is_inlined(at, callee, self.module.function(callee)));
        let passing = if is_inlined { Passing::InRegisters } else { Passing::InMemory };
        let outwards = probed.passing.replace(passing);
        probed.is_calling.set(true);
        self.steps_in_block(probed, at, &steps.before);
        let after = call(self);
        probed.calls.set(number + 1);
        probed.is_calling.set(false);
        self.steps_in_block(probed, after, &steps.after);
        probed.passing.set(outwards);
        after
    }

    /// Translates steps in the middle of a block, which may change what is pending; and so does the place itself.
    fn steps_in_block(&mut self, probed: &Probed, at: Block, steps: &[Action]) {
        if !steps.is_empty() || probed.probes.plan.cut_short == CutShort::ByUnwinder {
            self.actions(probed, at, steps);
            self.note_pending(at);
        }
    }
}
