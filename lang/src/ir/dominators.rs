//! Dominator tree by the iterative algorithm [CHK01] over reverse postorder.
//!
//! [CHK01]: K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm",
//! Software Practice and Experience, 2001, Figure 3.
//!
//! In: a [`Cfg`]. Out: immediate dominators and a constant-time dominance test.

use super::cfg::Cfg;
use super::entity::Block;
use cranelift_entity::SecondaryMap;

/// The dominator tree of the reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Block, Option<Block>>,
    /// Entry and exit times of a walk over the tree: an ancestor's interval encloses the block's.
    interval: SecondaryMap<Block, (u32, u32)>,
}

impl Dominators {
    /// Computes the tree.
    pub fn compute(cfg: &Cfg) -> Dominators {
        let rpo: Vec<Block> = cfg.reverse_postorder().collect();
        let mut position: SecondaryMap<Block, u32> = SecondaryMap::new();
        for (at, block) in rpo.iter().enumerate() {
            position[*block] = at as u32;
        }
        let mut idom: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        idom[rpo[0]] = Some(rpo[0]);
        let mut preds = Vec::new();
        let mut changed = true;
        while changed {
            changed = false;
            for block in &rpo[1..] {
                preds.clear();
                preds.extend(cfg.preds(*block).iter().copied().filter(|pred| idom[*pred].is_some()));
                // The last come first, so that where the arms of a long `else if` chain meet, the chain is climbed once.
                preds.sort_unstable_by_key(|pred| std::cmp::Reverse(position[*pred]));
                let new = preds.iter().copied().reduce(|a, b| intersect(a, b, &idom, &position));
                if idom[*block] != new {
                    idom[*block] = new;
                    changed = true;
                }
            }
        }
        idom[rpo[0]] = None;
        let interval = intervals(&rpo, &idom);
        Dominators { idom, interval }
    }

    /// The immediate dominator; the entry has none.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block]
    }

    /// Returns true if every path to `b` goes through `a`; a block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (self.interval[a], self.interval[b]);
        a.0 <= b.0 && b.1 <= a.1 && b.1 != 0
    }
}

/// The nearest common ancestor ([CHK01] `intersect`).
fn intersect(
    mut a: Block,
    mut b: Block,
    idom: &SecondaryMap<Block, Option<Block>>,
    position: &SecondaryMap<Block, u32>,
) -> Block {
    let up = |block: Block| idom[block].expect("a processed block has an immediate dominator");
    while a != b {
        if position[a] > position[b] {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

fn intervals(rpo: &[Block], idom: &SecondaryMap<Block, Option<Block>>) -> SecondaryMap<Block, (u32, u32)> {
    let mut children: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for block in &rpo[1..] {
        let parent = idom[*block].expect("a reachable block but the entry has a dominator");
        children[parent].push(*block);
    }
    let mut interval: SecondaryMap<Block, (u32, u32)> = SecondaryMap::new();
    let mut clock = 1;
    let mut stack = vec![(rpo[0], 0)];
    interval[rpo[0]].0 = clock;
    while let Some((block, next)) = stack.last_mut() {
        clock += 1;
        match children[*block].get(*next) {
            Some(child) => {
                *next += 1;
                interval[*child].0 = clock;
                stack.push((*child, 0));
            }
            None => {
                interval[*block].1 = clock;
                stack.pop();
            }
        }
    }
    interval
}
