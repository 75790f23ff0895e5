//! Block layout by a profile: what is hardly ever executed goes out of line, and the likelier successor falls through.
//!
//! Both are of [PH90]: procedure splitting, within one function, and bottom-up positioning, of which only the choice between
//! two successors is made here, since Cranelift orders the blocks.
//!
//! In: blocks with what a profile [`Seen`](super::ssa::Seen) of them. Out: rare blocks are cold, so that Cranelift places them
//! behind all others; branches whose condition mostly holds are in [`Func::mostly_then`], so that `clif` makes that successor
//! its second destination, which is the one that falls through. An exit of a loop is its first in any case.
//!
//! Requires: the blocks' weights. Preserves: everything but the order of blocks in the code. It comes last: other passes look at
//! cold blocks, and rare ones are still worth optimizing.
//!
//! [PH90] K. Pettis, R. C. Hansen, "Profile Guided Code Positioning", PLDI 1990.

use super::Changed;
use super::cfg::Graph;
use super::ssa::{Block, Func, Target, Term};
use crate::settings::layout::MOSTLY;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let graph = Graph::of(func);
    let mut changed = Changed::No;
    for block in graph.rpo.clone() {
        let data = &mut func.blocks[block];
        if data.seen.rare && !data.cold && block != func.entry {
            data.cold = true;
            changed = Changed::Yes;
        }
        if mostly_then(func, &graph, block) {
            func.mostly_then.insert(block);
            changed = Changed::Yes;
        }
    }
    changed
}

fn mostly_then(func: &Func, graph: &Graph, block: Block) -> bool {
    let Term::Branch { then, otherwise, .. } = &func.blocks[block].term else { return false };
    let taken = |to: &Target| (graph.preds[to.block].len() == 1).then(|| func.blocks[to.block].seen.weight).flatten();
    let all = func.blocks[block].seen.weight;
    let then = match (taken(then), taken(otherwise), all) {
        (Some(then), Some(otherwise), _) => then / (then + otherwise),
        (Some(then), None, Some(all)) => then / all,
        (None, Some(otherwise), Some(all)) => 1.0 - otherwise / all,
        _ => return false,
    };
    // Nothing was executed: neither way is likelier.
    then.is_finite() && then >= MOSTLY
}
