//! Loops in two versions, behind tests: what the passes share that make one.
//!
//! In: a loop, or the ways to two of them. Out: a copy of the loop as it was, and an entry that chooses.
//! Invariant: the copy is as the loop was, and is where control goes if any test says otherwise.

use super::cfg::{Graph, Loop};
use super::clone::clone_blocks;
use super::loops;
use super::repair::repair;
use super::ssa::{Args, Block, Func, Target, Term, Value};

/// A condition of an entry, and how it must be.
pub(super) type Wanted = (Value, bool);

/// Copies a loop, and enters it only where all conditions are as they must be; these are computed at the end of the preheader. Gives the header
/// of the copy, which is entered otherwise.
pub(super) fn version(
    func: &mut Func,
    graph: &Graph,
    l: &Loop,
    wanted: impl FnOnce(&mut Func, Block) -> Vec<Wanted>,
) -> Block {
    let before = loops::preheader(func, graph, l, &loops::blocks(l));
    let copies = clone_blocks(func, &l.blocks);
    let copy = copies.blocks[&l.header];
    copies.blocks.values().for_each(|copy| func.blocks[*copy].cold = true);
    let wanted = wanted(func, before);
    let Term::Jump(to) = func.blocks[before].term.clone() else { unreachable!("a preheader jumps") };
    let otherwise = Target { block: copy, args: to.args.clone() };
    enter(func, before, wanted, &to, &otherwise);
    let mut pairs: Vec<(Value, Value)> = copies.values.into_iter().collect();
    pairs.sort_unstable();
    repair(func, &pairs);
    copy
}

/// Makes a block go to one target if all conditions are as they must be, each tested in a block of its own, and else to the other: that is one branch
/// on flags each, where one on all of them would need each as a value. Arguments are passed on in one place.
pub(super) fn enter(func: &mut Func, before: Block, wanted: Vec<Wanted>, to: &Target, otherwise: &Target) {
    let (last, mut at) = (wanted.len() - 1, before);
    let otherwise = match last > 0 && !otherwise.args.is_empty() {
        true => Target { block: passing_on(func, before, otherwise), args: Args::new() },
        false => otherwise.clone(),
    };
    for (nth, (cond, holds)) in wanted.into_iter().enumerate() {
        let next = match nth == last {
            true => to.clone(),
            false => Target { block: like(func, before), args: Args::new() },
        };
        let then_at = next.block;
        func.blocks[at].term = branch((cond, holds), next, otherwise.clone());
        at = then_at;
    }
}

/// A block that only leads to a target.
fn passing_on(func: &mut Func, of: Block, to: &Target) -> Block {
    let block = like(func, of);
    func.blocks[block].term = Term::Jump(to.clone());
    func.blocks[block].cold = func.blocks[to.block].cold;
    block
}

/// A branch to one target if a condition is as it must be.
pub(super) fn branch((cond, holds): Wanted, next: Target, otherwise: Target) -> Term {
    match holds {
        true => Term::Branch { cond, then: next, otherwise },
        false => Term::Branch { cond, then: otherwise, otherwise: next },
    }
}

/// A new block that stands where another one does.
pub(super) fn like(func: &mut Func, of: Block) -> Block {
    let data = &func.blocks[of];
    let (origin, site, seen) = (data.origin, data.term_site, data.seen);
    let block = func.new_block(origin, None, site);
    func.blocks[block].seen = seen;
    block
}
