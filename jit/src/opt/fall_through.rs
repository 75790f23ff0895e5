//! Latches that fall through: a loop whose header branches within it is entered through a copy of the header.
//!
//! ```text
//!   before -> H -> A -> J -> L -> H        before -> G -> A -> J -> L -> H -> A
//!              \-> B ---^     \-> after               \-> B ---^     \    \-> B
//!                                                                     \-> after
//! ```
//!
//! Cranelift lays out the blocks of a reducible loop with its header first. So each iteration takes the jump from the latch to the header, beside the one
//! around an arm or from it. Here the loop has two entries, A and B, and the order of its blocks is `A J L H B` or `B J L H A`, in which the latch
//! falls through: each iteration takes one jump fewer. That is what [PH90] get by positioning blocks bottom-up. Beside the jump itself it spares the history
//! by which branches are predicted, which has a place for each jump that is taken.
//!
//! Requires: no failure handlers; it is the last pass but `layout`, as no other one sees a loop here any more. Preserves: the order of effects and how often
//! each is executed. Left alone are loops with calls, exits of the frame in their header or other loops inside; where one arm is hardly ever taken,
//! which gains nothing; where the latch is a switch, which jumps anyway; with float constants, for which `clif` finds registers in loops that it sees; and
//! large ones, whose time is elsewhere.
//!
//! [PH90] K. Pettis, R. C. Hansen, "Profile Guided Code Positioning", PLDI 1990.

use super::Changed;
use super::cfg::Loop;
use super::loops;
use super::pending::{declare_sunk, work};
use super::rotate::enter_through_copy;
use super::ssa::{Block, Func, Inst, Op, Target, Term, Value};
use super::visit::innermost;
use crate::settings::fall_through::{EITHER, MOST_COPIED, MOST_INSTRUCTIONS};
use cranelift_entity::EntitySet;
use holloway_lang::ir::Operand;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    // What is left of a loop may be one with another header, and the loop around it may seem to have none inside.
    let mut entered: EntitySet<Block> = EntitySet::new();
    innermost(func, |func, graph, l| {
        if l.blocks.iter().any(|block| entered.contains(*block)) || !applies(func, l) {
            return None;
        }
        l.blocks.iter().for_each(|block| _ = entered.insert(*block));
        note_exits(func, l);
        set_exit_apart(func, l);
        Some(enter_through_copy(func, graph, l))
    })
}

fn applies(func: &Func, l: &Loop) -> bool {
    let header = &func.blocks[l.header];
    let [latch] = l.latches.as_slice() else { return false };
    let Term::Branch { then, otherwise, .. } = &header.term else { return false };
    let arms = [then.block, otherwise.block];
    let is_within = |block: &Block| l.blocks.contains(block) && *block != l.header;
    let size: usize = l.blocks.iter().map(|block| work(func, *block).len()).sum();
    let mut insts = loops::insts(func, l);
    let is_call = |op: Op| matches!(op, Op::Call(_) | Op::CallIndirect(_));
    let leaves = |inst: &Inst| func.insts[*inst].op == Op::OsrPoint;
    let is_float = |value: &Value| matches!(func.as_const(*value), Some(Operand::Float(_)));
    arms[0] != arms[1]
        && arms.iter().all(is_within)
        && *latch != l.header
        && !matches!(func.blocks[*latch].term, Term::Switch { .. })
        && work(func, l.header).len() <= MOST_COPIED
        && !header.insts.iter().any(leaves)
        && size <= MOST_INSTRUCTIONS
        && !insts.any(|inst| is_call(inst.op) || inst.args.iter().any(is_float))
        && goes_either_way(func, l.header, arms)
}

/// False if one arm is known to be taken hardly ever.
fn goes_either_way(func: &Func, header: Block, arms: [Block; 2]) -> bool {
    if arms.iter().any(|arm| func.blocks[*arm].cold || func.blocks[*arm].seen.rare) {
        return false;
    }
    let all = func.blocks[header].seen.weight;
    let share = |arm: Block| Some(func.blocks[arm].seen.weight? / all?);
    arms.into_iter().filter_map(share).all(|share| !(..EITHER).contains(&share))
}

/// Gives the way out of the latch a block of its own. Cranelift places what an edge passes to parameters right behind the block that the edge leaves, if several
/// lead to where it does: that would be between latch and header.
fn set_exit_apart(func: &mut Func, l: &Loop) {
    let latch = l.latches[0];
    let places = func.blocks[latch].term.targets().count();
    for at in 0..places {
        let target = func.blocks[latch].term.target(at).clone();
        if l.blocks.contains(&target.block) || target.args.is_empty() {
            continue;
        }
        let (origin, site) = (func.blocks[latch].origin, func.blocks[latch].term_site);
        let apart = func.new_block(origin, None, site);
        func.blocks[apart].cold = func.blocks[target.block].cold;
        declare_sunk(func, latch, apart, |_, _| false);
        func.blocks[apart].term = Term::Jump(target);
        *func.blocks[latch].term.target_mut(at) = Target { block: apart, args: Default::default() };
    }
}

/// `clif` has a way out of a loop as its first destination, as the second is the one that falls through; it will not know of this one.
fn note_exits(func: &mut Func, l: &Loop) {
    for block in &l.blocks {
        let Term::Branch { then, otherwise, .. } = &func.blocks[*block].term else { continue };
        if l.blocks.contains(&then.block) && !l.blocks.contains(&otherwise.block) {
            func.mostly_then.insert(*block);
        }
    }
}
