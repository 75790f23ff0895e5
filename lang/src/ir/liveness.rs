//! Liveness: which locals are still read later.
//!
//! In: a function and its [`Cfg`]. Out: for each block the locals that are live at its start and at its end.
//! Invariant: a failure can leave a block at any of its instructions, so what a handler reads is live all through the
//! blocks it serves, whatever they assign.
//!
//! Only a local that some block reads before it assigns it is live at the start of any block. These alone are numbered
//! and kept in sets: a large function has very many others.

use super::cfg::{Cfg, EdgeKind};
use super::entity::{Block, Local};
use super::function::Function;
use super::inst::Operand;
use super::sparse_set::SparseSet;
use super::types::Scalar;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A local that may be live at the start of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Lasting(u32);
entity_impl!(Lasting, "lasting");

/// The live locals of each block.
#[derive(Clone, Debug)]
pub struct Liveness {
    lasting: PrimaryMap<Lasting, Local>,
    number: SecondaryMap<Local, PackedOption<Lasting>>,
    live_in: SecondaryMap<Block, SparseSet<Lasting>>,
    live_out: SecondaryMap<Block, SparseSet<Lasting>>,
}

/// The effect of a block on lasting locals.
#[derive(Clone, Default)]
struct Effect {
    /// Read before they are assigned.
    reads: SparseSet<Lasting>,
    assigns: SparseSet<Lasting>,
}

impl Liveness {
    /// The liveness of all locals.
    pub fn compute(func: &Function, cfg: &Cfg) -> Liveness {
        Liveness::of(func, cfg, |_| true)
    }

    /// The liveness of the locals that hold references; others count as dead.
    pub fn of_references(func: &Function, cfg: &Cfg) -> Liveness {
        Liveness::of(func, cfg, |local| func.scalar(local) == Scalar::Ref)
    }

    /// Backward data flow over the blocks in postorder, until nothing changes.
    fn of(func: &Function, cfg: &Cfg, is_wanted: impl Fn(Local) -> bool) -> Liveness {
        let mut live = Liveness {
            lasting: PrimaryMap::new(),
            number: SecondaryMap::with_capacity(func.locals.len()),
            live_in: SecondaryMap::with_capacity(func.blocks.len()),
            live_out: SecondaryMap::with_capacity(func.blocks.len()),
        };
        live.number_lasting(func, cfg, is_wanted);
        let effects = live.effects(func, cfg);
        let mut changed = !live.lasting.is_empty();
        while changed {
            changed = false;
            for block in cfg.postorder() {
                let out = live.at_end(cfg, *block);
                let mut start = out.clone();
                effects[*block].assigns.iter().for_each(|local| {
                    start.remove(local);
                });
                start.add_all(&effects[*block].reads);
                if let Some(handler) = handler(cfg, *block) {
                    start.add_all(&live.live_in[handler]);
                }
                live.live_out[*block] = out;
                changed |= live.live_in[*block].add_all(&start);
            }
        }
        live
    }

    /// The locals that are live when a block starts, in order of their first such use.
    pub fn live_in(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        self.live_in[block].iter().map(|local| self.lasting[local])
    }

    /// The locals that are live after a block's terminator has read its operand.
    pub fn live_out(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        self.live_out[block].iter().map(|local| self.lasting[local])
    }

    /// Returns true if a local is live when a block starts.
    pub fn is_live_in(&self, block: Block, local: Local) -> bool {
        self.number[local].expand().is_some_and(|number| self.live_in[block].contains(number))
    }

    fn number_lasting(&mut self, func: &Function, cfg: &Cfg, is_wanted: impl Fn(Local) -> bool) {
        let mut assigned_in: SecondaryMap<Local, PackedOption<Block>> = SecondaryMap::with_capacity(func.locals.len());
        for block in cfg.postorder() {
            for step in steps(func, *block) {
                match step {
                    Step::Assign(local) => assigned_in[local] = (*block).into(),
                    Step::Read(local) => {
                        if assigned_in[local].expand() != Some(*block)
                            && self.number[local].is_none()
                            && is_wanted(local)
                        {
                            self.number[local] = self.lasting.push(local).into();
                        }
                    }
                }
            }
        }
    }

    fn effects(&self, func: &Function, cfg: &Cfg) -> SecondaryMap<Block, Effect> {
        let mut effects: SecondaryMap<Block, Effect> = SecondaryMap::with_capacity(func.blocks.len());
        for block in cfg.postorder() {
            let effect = &mut effects[*block];
            for step in steps(func, *block) {
                match step {
                    Step::Assign(local) => {
                        self.number[local].expand().map(|local| effect.assigns.insert(local));
                    }
                    Step::Read(local) => {
                        let local = self.number[local].expand().filter(|local| !effect.assigns.contains(*local));
                        local.map(|local| effect.reads.insert(local));
                    }
                }
            }
        }
        effects
    }

    fn at_end(&self, cfg: &Cfg, block: Block) -> SparseSet<Lasting> {
        let mut out = SparseSet::new();
        for (to, _) in cfg.succs(block) {
            out.add_all(&self.live_in[*to]);
        }
        out
    }
}

/// The handler of a block, if a failure in the block can reach it.
pub(super) fn handler(cfg: &Cfg, block: Block) -> Option<Block> {
    cfg.succs(block).iter().find(|(_, kind)| *kind == EdgeKind::Failure).map(|(handler, _)| *handler)
}

/// The effect of a block on locals, in order.
enum Step {
    Read(Local),
    Assign(Local),
}

fn steps(func: &Function, block: Block) -> Vec<Step> {
    let data = &func.blocks[block];
    let mut steps = Vec::with_capacity(2 * data.insts.len());
    let read = |steps: &mut Vec<Step>, operand: Operand| {
        if let Operand::Local(local) = operand {
            steps.push(Step::Read(local));
        }
    };
    for inst in &data.insts {
        inst.operands(|operand| read(&mut steps, operand));
        steps.extend(inst.dst().map(Step::Assign));
    }
    data.term.operand().iter().for_each(|operand| read(&mut steps, *operand));
    steps
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
        let list = |locals: &mut dyn Iterator<Item = Local>| {
            let mut found: Vec<usize> = locals.map(EntityRef::index).collect();
            found.sort_unstable();
            found
        };
        func.blocks.keys().map(|block| (list(&mut live.live_in(block)), list(&mut live.live_out(block)))).collect()
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
