//! The loop forest: natural loops of back edges (edges to a dominator), nested by containment.
//! In: a [`FlowGraph`] and its [`Dominators`]. Out: headers, members, parents and depths.
//! Invariant: loops with one header are one loop; parents have smaller ids than their children.

use super::cfg::FlowGraph;
use super::dominators::Dominators;
use super::entity::{Block, LoopId};
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use holloway_flow::steps;
use std::ops::Index;

/// One natural loop.
#[derive(Clone, Debug)]
pub struct Loop<N = Block> {
    /// The block that dominates all others of the loop.
    pub header: N,
    /// Sources of the back edges.
    pub latches: Vec<N>,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Every block of the loop, inner loops included, header first, in reverse postorder.
    pub blocks: Vec<N>,
}

/// All loops of a function.
#[derive(Clone, Debug)]
pub struct Loops<N: EntityRef = Block> {
    loops: PrimaryMap<LoopId, Loop<N>>,
    innermost: SecondaryMap<N, Option<LoopId>>,
    /// The loops with another one in them.
    outer: EntitySet<LoopId>,
}

impl<N: EntityRef + Ord> Loops<N> {
    /// Finds the loops of a graph whose dominators are not needed otherwise.
    pub fn of(graph: &impl FlowGraph<Node = N>) -> Loops<N> {
        Loops::compute(graph, &Dominators::compute(graph))
    }

    /// Finds the loops. They are named by headers in reverse postorder, an outer one before those in it, and found the other way round:
    /// the backward walk from the latches of a loop passes over each inner one from its header.
    pub fn compute(cfg: &impl FlowGraph<Node = N>, dominators: &Dominators<N>) -> Loops<N> {
        let mut forest = Loops { loops: PrimaryMap::new(), innermost: SecondaryMap::new(), outer: EntitySet::new() };
        for header in cfg.reverse_postorder() {
            let is_latch = |pred: &N| dominators.dominates(header, *pred);
            let latches: Vec<N> = cfg.preds(header).iter().copied().filter(is_latch).collect();
            if !latches.is_empty() {
                forest.loops.push(Loop { header, latches, parent: None, depth: 1, blocks: Vec::new() });
            }
        }
        // The outermost loop known around each, or one on the way there.
        let mut around: SecondaryMap<LoopId, Option<LoopId>> = SecondaryMap::new();
        for id in forest.loops.keys().rev() {
            forest.walk(cfg, dominators, &mut around, id);
        }
        for id in forest.loops.keys() {
            // Parents come first.
            let Some(parent) = forest.loops[id].parent else { continue };
            forest.loops[id].depth = forest.loops[parent].depth + 1;
            forest.outer.insert(parent);
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

    /// Takes blocks and loops that are in no loop yet into a loop.
    fn walk(
        &mut self,
        cfg: &impl FlowGraph<Node = N>,
        dominators: &Dominators<N>,
        around: &mut SecondaryMap<LoopId, Option<LoopId>>,
        id: LoopId,
    ) {
        let header = self.loops[id].header;
        self.innermost[header] = Some(id);
        let mut pending = self.loops[id].latches.clone();
        while let Some(block) = pending.pop() {
            let entered = match self.innermost[block] {
                None => {
                    self.innermost[block] = Some(id);
                    block
                }
                Some(inner) => {
                    let outermost = outermost(around, inner);
                    if outermost == id {
                        continue;
                    }
                    self.loops[outermost].parent = Some(id);
                    around[outermost] = Some(id);
                    self.loops[outermost].header
                }
            };
            let reachable = |pred: &N| dominators.dominates(header, *pred);
            pending.extend(cfg.preds(entered).iter().copied().filter(reachable));
        }
    }

    /// Every loop, outer ones before those inside them.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop<N>)> {
        self.loops.iter()
    }

    /// Every loop without its id.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Loop<N>> {
        self.loops.values()
    }

    /// The ids of all loops.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<N> {
        self.loops.keys()
    }

    /// True iff no other loop is in a loop.
    pub fn is_innermost(&self, id: LoopId) -> bool {
        !self.outer.contains(id)
    }

    /// One loop.
    pub fn get(&self, id: LoopId) -> &Loop<N> {
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
    pub fn innermost(&self, block: N) -> Option<LoopId> {
        self.innermost[block]
    }

    /// The loops around a block, innermost first.
    pub fn chain(&self, block: N) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(block), |id| self.loops[*id].parent)
    }

    /// Number of loops that enclose a block.
    pub fn depth(&self, block: N) -> u32 {
        self.innermost[block].map_or(0, |id| self.loops[id].depth)
    }

    /// The loop whose header the block is.
    pub fn headed_by(&self, block: N) -> Option<LoopId> {
        self.innermost[block].filter(|id| self.loops[*id].header == block)
    }

    /// Returns true if a block belongs to a loop, at any depth.
    pub fn contains(&self, id: LoopId, block: N) -> bool {
        self.chain(block).inspect(|_| steps::count(1)).any(|around| around == id)
    }

    /// Returns true if an edge goes back to the header of a loop it is in.
    pub fn is_back_edge(&self, from: N, to: N) -> bool {
        self.headed_by(to).is_some_and(|id| self.contains(id, from))
    }
}

/// The outermost loop known around a loop; the way there is made short for the next time.
fn outermost(around: &mut SecondaryMap<LoopId, Option<LoopId>>, mut id: LoopId) -> LoopId {
    while let Some(outer) = around[id] {
        if let Some(further) = around[outer] {
            around[id] = Some(further);
        }
        id = outer;
    }
    id
}

impl<N: EntityRef + Ord> Index<LoopId> for Loops<N> {
    type Output = Loop<N>;

    fn index(&self, id: LoopId) -> &Loop<N> {
        &self.loops[id]
    }
}
