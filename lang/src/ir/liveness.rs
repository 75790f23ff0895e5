//! Liveness: which locals are still read later.
//!
//! In: a function and its [`Cfg`]. Out: for each block the locals that are live at its start and at its end.
//! Invariant: a failure can leave a block at any of its instructions, so what a handler reads is live all through the
//! blocks it serves, whatever they assign.

use super::cfg::{Cfg, EdgeKind};
use super::entity::{Block, Local};
use super::function::Function;
use super::inst::Operand;
use cranelift_entity::{EntitySet, SecondaryMap};

/// The live locals of each block.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: SecondaryMap<Block, EntitySet<Local>>,
    live_out: SecondaryMap<Block, EntitySet<Local>>,
}

impl Liveness {
    /// Backward data flow over the blocks in postorder, until nothing changes.
    pub fn compute(func: &Function, cfg: &Cfg) -> Liveness {
        let mut live = Liveness { live_in: SecondaryMap::new(), live_out: SecondaryMap::new() };
        let mut changed = true;
        while changed {
            changed = false;
            for block in cfg.postorder() {
                let out = live.at_end(cfg, *block);
                let start = live.before_block(func, cfg, *block, out.clone());
                live.live_out[*block] = out;
                changed |= add_all(&mut live.live_in[*block], &start);
            }
        }
        live
    }

    /// The locals that are live when a block starts.
    pub fn live_in(&self, block: Block) -> &EntitySet<Local> {
        &self.live_in[block]
    }

    /// The locals that are live after a block's terminator has read its operand.
    pub fn live_out(&self, block: Block) -> &EntitySet<Local> {
        &self.live_out[block]
    }

    /// The locals that the handler of a block needs, if a failure in the block can reach it.
    pub fn live_in_handler(&self, cfg: &Cfg, block: Block) -> Option<&EntitySet<Local>> {
        let mut edges = cfg.succs(block).iter();
        edges.find(|(_, kind)| *kind == EdgeKind::Failure).map(|(handler, _)| &self.live_in[*handler])
    }

    fn at_end(&self, cfg: &Cfg, block: Block) -> EntitySet<Local> {
        let mut out = EntitySet::new();
        for (to, _) in cfg.succs(block) {
            add_all(&mut out, &self.live_in[*to]);
        }
        out
    }

    fn before_block(&self, func: &Function, cfg: &Cfg, block: Block, mut live: EntitySet<Local>) -> EntitySet<Local> {
        let data = &func.blocks[block];
        data.term.operand().iter().for_each(|operand| read(&mut live, *operand));
        for inst in data.insts.iter().rev() {
            inst.dst().iter().for_each(|dst| {
                live.remove(*dst);
            });
            inst.operands(|operand| read(&mut live, operand));
        }
        if let Some(handler) = self.live_in_handler(cfg, block) {
            add_all(&mut live, handler);
        }
        live
    }
}

fn read(live: &mut EntitySet<Local>, operand: Operand) {
    if let Operand::Local(local) = operand {
        live.insert(local);
    }
}

/// Adds a set to another; true if that changed it.
pub(super) fn add_all(to: &mut EntitySet<Local>, from: &EntitySet<Local>) -> bool {
    let mut changed = false;
    for local in from.iter() {
        changed |= to.insert(local);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;
    use cranelift_entity::EntityRef;

    fn sets(blocks: &str) -> Vec<(Vec<usize>, Vec<usize>)> {
        let text = format!(
            "type t0 = int\nsig0 = (t0) -> t0\nfunction f0 \"f\" sig0(v0: int) -> int {{
            local v1: int\nlocal v2: ref\nlocal v3: bool\n{blocks}\n}}"
        );
        let module = parse::module(&text).expect("well formed");
        let func = &module.funcs.values().next().expect("a function").body;
        let live = Liveness::compute(func, &Cfg::compute(func));
        let list = |set: &EntitySet<Local>| set.iter().map(EntityRef::index).collect();
        func.blocks.keys().map(|block| (list(live.live_in(block)), list(live.live_out(block)))).collect()
    }

    #[test]
    fn what_a_loop_reads_is_live_around_it() {
        let sets = sets(
            "block0: v1 = copy 0 jump block1
            block1: v3 = ilt v1, v0 branch v3, block2, block3
            block2: v1 = iadd v1, 1 jump block1
            block3: return v1",
        );
        let expected: [(&[usize], &[usize]); 4] =
            [(&[0], &[0, 1]), (&[0, 1], &[0, 1]), (&[0, 1], &[0, 1]), (&[1], &[])];
        let expected: Vec<_> = expected.iter().map(|(a, b)| (a.to_vec(), b.to_vec())).collect();
        assert_eq!(sets, expected);
    }

    #[test]
    fn what_a_handler_reads_lives_through_its_blocks() {
        let sets = sets(
            "block0: v1 = copy 1 jump block1
            block1 catch block2: v1 = copy 2 v1 = idiv v1, v0 return v1
            block2: v2 = catch_message return v1",
        );
        assert_eq!(sets[1], (vec![0, 1], vec![1]), "the value from before may reach the handler");
    }
}
