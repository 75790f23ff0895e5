//! Probes: the actions of a profiling plan, with the addresses they work on; the cells that note what indirect calls call; and the outcomes
//! of branches.
//!
//! In: a plan over the function's graph, made concrete by the runtime. Out: code at the entry, on
//! edges and before returns. The interpreter carries the same plan out.

use super::Translator;
use crate::emit::trusted;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use holloway_lang::ir::Block;

impl Translator<'_> {
    pub(super) fn probes_at_entry(&mut self) {
        let probes = self.probes;
        self.probes(&probes.entry);
    }

    pub(super) fn probes_on_edge(&mut self, from: Block, to: Block) {
        let probes = self.probes;
        self.probes(probes.on_edge(from, to));
    }

    pub(super) fn probes_at_return(&mut self, block: Block) {
        let probes = self.probes;
        self.probes(probes.returns.get(&block).map_or(&[], Vec::as_slice));
    }

    /// Notes the function that the present instruction calls.
    pub(super) fn note_target(&mut self, callee: clif::Value) {
        if let Some(cell) = self.probes.targets.get(&self.here) {
            self.emit.note_target(*cell, callee);
        }
    }

    /// Shifts the outcome of the branch that ends a block into a word, and counts it if it is another than the one before.
    pub(super) fn note_outcome(&mut self, block: Block, cond: clif::Value) {
        if let Some(cell) = self.probes.outcomes.get(&block) {
            let outcome = self.emit.builder.ins().uextend(types::I64, cond);
            let cell = self.emit.address(*cell);
            let [outcomes, changes] =
                [0, 8].map(|offset| self.emit.builder.ins().load(types::I64, trusted(), cell, offset));
            let changed = self.emit.builder.ins().bxor(outcomes, outcome);
            let changed = self.emit.builder.ins().band_imm_u(changed, 1);
            let changes = self.emit.builder.ins().iadd(changes, changed);
            let outcomes = self.emit.builder.ins().iadd(outcomes, outcomes);
            let outcomes = self.emit.builder.ins().iadd(outcomes, outcome);
            self.emit.builder.ins().store(trusted(), outcomes, cell, 0);
            self.emit.builder.ins().store(trusted(), changes, cell, 8);
        }
    }

    fn probes(&mut self, counters: &[usize]) {
        counters.iter().for_each(|counter| self.emit.increment(*counter));
    }
}
