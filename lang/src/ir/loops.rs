//! The loop forest: natural loops of back edges (edges to a dominator), nested by containment.
//! In: a [`Cfg`] and its [`Dominators`]. Out: headers, members, parents and depths.
//! Invariant: loops with one header are one loop; parents have smaller ids than their children.

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::entity::{Block, LoopId};
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// One natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block that dominates all others of the loop.
    pub header: Block,
    /// Sources of the back edges.
    pub latches: Vec<Block>,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Every block of the loop, inner loops included, header first, in reverse postorder.
    pub blocks: Vec<Block>,
}

/// All loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: PrimaryMap<LoopId, Loop>,
    innermost: SecondaryMap<Block, Option<LoopId>>,
}

impl Loops {
    /// Finds the loops: headers in reverse postorder, so that an outer loop is met before the
    /// loops inside it; members by a backward walk from the latches.
    pub fn compute(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut forest = Loops { loops: PrimaryMap::new(), innermost: SecondaryMap::new() };
        for header in cfg.reverse_postorder() {
            let latches: Vec<Block> =
                cfg.preds(header).iter().copied().filter(|pred| dominators.dominates(header, *pred)).collect();
            if !latches.is_empty() {
                forest.add(cfg, header, latches);
            }
        }
        for block in cfg.reverse_postorder() {
            let mut at = forest.innermost[block];
            while let Some(id) = at {
                forest.loops[id].blocks.push(block);
                at = forest.loops[id].parent;
            }
        }
        forest
    }

    fn add(&mut self, cfg: &Cfg, header: Block, latches: Vec<Block>) {
        let parent = self.innermost[header];
        let depth = parent.map_or(1, |id| self.loops[id].depth + 1);
        let id = self.loops.push(Loop { header, latches: latches.clone(), parent, depth, blocks: Vec::new() });
        let mut pending = latches;
        self.innermost[header] = Some(id);
        while let Some(block) = pending.pop() {
            if self.innermost[block] != Some(id) {
                self.innermost[block] = Some(id);
                pending.extend(cfg.preds(block));
            }
        }
    }

    /// Every loop, outer ones before those inside them.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    /// One loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// Number of loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Returns true if the function has no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block]
    }

    /// Number of loops that enclose a block.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost[block].map_or(0, |id| self.loops[id].depth)
    }

    /// The loop whose header the block is.
    pub fn headed_by(&self, block: Block) -> Option<LoopId> {
        self.innermost[block].filter(|id| self.loops[*id].header == block)
    }

    /// Returns true if a block belongs to a loop, at any depth.
    pub fn contains(&self, id: LoopId, block: Block) -> bool {
        let mut at = self.innermost[block];
        while let Some(inner) = at {
            if inner == id {
                return true;
            }
            at = self.loops[inner].parent;
        }
        false
    }

    /// Returns true if an edge goes back to the header of a loop it is in.
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.headed_by(to).is_some_and(|id| self.contains(id, from))
    }
}
