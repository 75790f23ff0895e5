//! Terminators, edges and polls. An edge that carries a probe, and every back edge, is a block of its
//! own: probes, then fuel, then the poll.

use super::Translator;
use crate::abi::{self, Callout, Context};
use crate::compile::FuelCounting;
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_entity::EntityRef;
use cranelift_frontend::Switch;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Operand, Terminator};
use std::mem::offset_of;

impl Translator<'_> {
    pub(super) fn terminator(&mut self, block: Block, term: &Terminator) {
        match term {
            Terminator::Jump(to) => {
                self.edge_actions(block, *to);
                let target = self.blocks[to.index()];
                self.builder.ins().jump(target, []);
            }
            Terminator::Branch { cond, then, otherwise } => self.branch(block, *cond, *then, *otherwise),
            Terminator::Switch { value, cases, default } => self.switch(block, *value, cases, *default),
            Terminator::Return(value) => {
                self.probes_at_return(block);
                let value = value.map(|operand| self.operand(operand));
                self.builder.ins().return_(value.as_slice());
            }
            Terminator::Fail { kind, message } => {
                let message = self.operand(*message);
                let kind = self.int(abi::fail_kind_number(*kind));
                self.callout(Callout::Fail, &[kind, message]);
                self.unreachable();
            }
            Terminator::Exit(status) => {
                let status = self.operand(*status);
                self.callout(Callout::Exit, &[status]);
                self.unreachable();
            }
        }
    }

    fn branch(&mut self, from: Block, cond: Operand, then: Block, otherwise: Block) {
        let cond = self.operand(cond);
        let mut pending = Vec::new();
        let then_target = self.edge(from, then, &mut pending);
        let else_target = if then == otherwise { then_target } else { self.edge(from, otherwise, &mut pending) };
        self.builder.ins().brif(cond, then_target, [], else_target, []);
        self.edges(from, pending);
    }

    fn switch(&mut self, from: Block, value: Operand, cases: &[(i64, Block)], default: Block) {
        let value = self.operand(value);
        let mut pending = Vec::new();
        let mut targets: HashMap<Block, clif::Block> = HashMap::with_capacity(cases.len() + 1);
        let mut switch = Switch::new();
        for (case, to) in cases {
            let target = *targets.entry(*to).or_insert_with(|| self.edge(from, *to, &mut pending));
            switch.set_entry(u128::from(*case as u64), target);
        }
        let default = *targets.entry(default).or_insert_with(|| self.edge(from, default, &mut pending));
        switch.emit(&mut self.builder, value, default);
        self.edges(from, pending);
    }

    /// The block an edge leads to: the target, or a block made for the edge, which is noted.
    fn edge(&mut self, from: Block, to: Block, pending: &mut Vec<(Block, clif::Block)>) -> clif::Block {
        if !self.has_edge_actions(from, to) {
            return self.blocks[to.index()];
        }
        let block = self.builder.create_block();
        pending.push((to, block));
        block
    }

    fn edges(&mut self, from: Block, pending: Vec<(Block, clif::Block)>) {
        for (to, block) in pending {
            self.builder.switch_to_block(block);
            self.edge_actions(from, to);
            let target = self.blocks[to.index()];
            self.builder.ins().jump(target, []);
        }
    }

    fn has_edge_actions(&self, from: Block, to: Block) -> bool {
        self.loops.is_back_edge(from, to) || !self.probes.on_edge(from, to).is_empty()
    }

    fn edge_actions(&mut self, from: Block, to: Block) {
        self.probes_on_edge(from, to);
        if self.loops.is_back_edge(from, to) {
            // The edge is taken: what stops the program here stops it in the header.
            self.at_site(to, 0);
            self.count_fuel();
            self.poll(offset_of!(Context, interrupt));
        }
    }

    /// One compare serves the stack check and interrupts: an interrupt raises the limit.
    pub(super) fn poll_at_entry(&mut self) {
        let sp = self.builder.ins().get_stack_pointer(types::I64);
        let limit = self.load_at(types::I64, self.env.context, offset_of!(Context, stack_limit) as i32);
        self.poll_if(IntCC::UnsignedLessThan, sp, limit, Callout::Poll);
        self.count_fuel();
    }

    fn poll(&mut self, flag: usize) {
        let set = self.load_at(types::I32, self.env.context, flag as i32);
        let zero = self.builder.ins().iconst(types::I32, 0);
        self.poll_if(IntCC::NotEqual, set, zero, Callout::Poll);
    }

    fn poll_if(&mut self, cc: IntCC, x: clif::Value, y: clif::Value, callout: Callout) {
        let next = self.rarely(cc, x, y);
        self.callout(callout, &[]);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// Ends the present block with a comparison that hardly ever holds. What follows goes to a cold block, where control
    /// goes if it does hold; gives the block where control goes otherwise.
    ///
    /// Cranelift visits the second target of a branch before the first. In optimized code the cold blocks come last of all,
    /// since behind a block that leaves a loop nothing more is hoisted. In baseline code each comes right behind its
    /// branch: single-pass register allocation looks at every live value at every block, and what a check leaves to
    /// its cold block would be live in all blocks between.
    pub(super) fn rarely(&mut self, cc: IntCC, x: clif::Value, y: clif::Value) -> clif::Block {
        let (cold, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        match self.tier {
            Tier::Baseline => {
                let usual = self.builder.ins().icmp(cc.complement(), x, y);
                self.builder.ins().brif(usual, next, [], cold, []);
            }
            Tier::Optimized => {
                let rare = self.builder.ins().icmp(cc, x, y);
                self.builder.ins().brif(rare, cold, [], next, []);
            }
        }
        self.builder.switch_to_block(cold);
        next
    }

    fn count_fuel(&mut self) {
        if self.env.fuel == FuelCounting::Off {
            return;
        }
        let offset = offset_of!(Context, fuel) as i32;
        let before = self.load_at(types::I64, self.env.context, offset);
        let after = self.builder.ins().iadd_imm_s(before, -1);
        self.store_at(after, self.env.context, offset);
        let zero = self.int(0);
        self.poll_if(IntCC::SignedLessThan, after, zero, Callout::FuelExhausted);
    }

    /// Ends a block behind a call that does not return.
    pub(super) fn unreachable(&mut self) {
        self.builder.ins().trap(clif::TrapCode::unwrap_user(1));
    }
}
