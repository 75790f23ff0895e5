//! Terminators, edges and polls. An edge that carries a probe, and every back edge, is a block of its
//! own: probes, then fuel, then the poll.

use super::Translator;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use cranelift_entity::EntityRef;
use cranelift_frontend::Switch;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Operand, Terminator};

impl Translator<'_> {
    pub(super) fn terminator(&mut self, block: Block, term: &Terminator) {
        match term {
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => self.paths_at_end(),
            Terminator::Return(_) | Terminator::Fail { .. } | Terminator::Exit(_) => {}
        }
        match term {
            Terminator::Jump(to) => {
                self.edge_actions(block, *to);
                let target = self.blocks[to.index()];
                self.emit.builder.ins().jump(target, []);
            }
            Terminator::Branch { cond, then, otherwise } => self.branch(block, *cond, *then, *otherwise),
            Terminator::Switch { value, cases, default } => self.switch(block, *value, cases, *default),
            Terminator::Return(value) => {
                self.probes_at_return(block);
                self.paths_at_return(block);
                let value = value.map(|operand| self.operand(operand));
                self.emit.builder.ins().return_(value.as_slice());
            }
            Terminator::Fail { kind, message } => {
                let message = self.operand(*message);
                self.emit.fail(*kind, message);
            }
            Terminator::Exit(status) => {
                let status = self.operand(*status);
                self.emit.exit(status);
            }
        }
    }

    fn branch(&mut self, from: Block, cond: Operand, then: Block, otherwise: Block) {
        let cond = self.operand(cond);
        self.note_outcome(from, cond);
        let mut pending = Vec::new();
        let then_target = self.edge(from, then, &mut pending);
        let else_target = if then == otherwise { then_target } else { self.edge(from, otherwise, &mut pending) };
        self.emit.builder.ins().brif(cond, then_target, [], else_target, []);
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
        switch.emit(&mut self.emit.builder, value, default);
        self.edges(from, pending);
    }

    /// The block an edge leads to: the target, or a block made for the edge, which is noted.
    fn edge(&mut self, from: Block, to: Block, pending: &mut Vec<(Block, clif::Block)>) -> clif::Block {
        if !self.has_edge_actions(from, to) {
            return self.blocks[to.index()];
        }
        let block = self.emit.builder.create_block();
        pending.push((to, block));
        block
    }

    fn edges(&mut self, from: Block, pending: Vec<(Block, clif::Block)>) {
        for (to, block) in pending {
            self.emit.builder.switch_to_block(block);
            self.edge_actions(from, to);
            let target = self.blocks[to.index()];
            self.emit.builder.ins().jump(target, []);
        }
    }

    fn has_edge_actions(&self, from: Block, to: Block) -> bool {
        self.loops.is_back_edge(from, to)
            || !self.probes.on_edge(from, to).is_empty()
            || self.has_paths_on_edge(from, to)
    }

    fn edge_actions(&mut self, from: Block, to: Block) {
        self.probes_on_edge(from, to);
        self.paths_on_edge(from, to);
        if self.loops.is_back_edge(from, to) {
            // The edge is taken: what stops the program here stops it in the header.
            self.at_site(to, 0);
            match self.headers.state(to) {
                // The runtime finds the state in the frame.
                Some(_) => self.emit.poll_and_transfer(to, &[]),
                None => self.emit.poll_on_back_edge(),
            }
        }
    }
}
