//! The graph of a function in SSA form: predecessors, orders, dominators and natural loops, as `cfg.rs` computes them.
//!
//! In: nothing but what was computed. Out: questions about blocks. Invariant: it knows blocks by their names alone, so
//! that a function can keep the graph that was computed of it.

use super::entities::Block;
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::cfg::FlowGraph;
use holloway_lang::ir::{Dominators, LoopId, Loops};
use std::cell::RefCell;
use std::ops::{Deref, Index};
use std::rc::Rc;

/// A natural loop.
pub type Loop = holloway_lang::ir::loops::Loop<Block>;

/// The graph of a function.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(super) edges: Rc<Edges>,
    /// Loops, outer ones before those in them.
    pub loops: Loops<Block>,
    pub(super) dominators: Dominators<Block>,
    /// The place of each block in the order.
    pub(super) position: SecondaryMap<Block, u32>,
}

/// Reachable blocks, and the ways to them: the input of the other analyses.
#[derive(Clone, Debug)]
pub struct Edges {
    /// Reachable blocks, each before its successors but for back edges.
    pub rpo: Vec<Block>,
    /// Predecessors of reachable blocks, failure edges among them, each once.
    pub preds: Lists,
    pub(super) succs: Lists,
}

/// A short list of blocks for each block.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// All lists, one behind the other.
    pub(super) items: Vec<Block>,
    pub(super) ranges: SecondaryMap<Block, (u32, u32)>,
}

impl Index<Block> for Lists {
    type Output = [Block];

    fn index(&self, block: Block) -> &[Block] {
        let (start, end) = self.ranges[block];
        &self.items[start as usize..end as usize]
    }
}

/// The analyses of a function that were computed last.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    pub(super) edges: RefCell<Option<Rc<Edges>>>,
    pub(super) graph: RefCell<Option<Rc<Graph>>>,
}

impl FlowGraph for Edges {
    type Node = Block;

    fn reverse_postorder(&self) -> impl Iterator<Item = Block> {
        self.rpo.iter().copied()
    }

    fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }
}

impl Deref for Graph {
    type Target = Edges;

    fn deref(&self) -> &Edges {
        &self.edges
    }
}

impl Graph {
    /// Returns whether control can get to a block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.dominators.dominates(block, block)
    }

    /// The immediate dominator; the entry has none.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.dominators.idom(block)
    }

    /// Returns whether every path to `b` goes through `a`.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.dominators.dominates(a, b)
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.loops.innermost(block)
    }

    /// Returns whether an edge leads back to the header of a loop it is in.
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.loops.is_back_edge(from, to)
    }

    /// Returns whether an edge leads to a block that is not later in the order. Each cycle has such an edge; where all
    /// loops have one entry, these are the back edges.
    pub fn goes_back(&self, from: Block, to: Block) -> bool {
        self.position[to] <= self.position[from]
    }

    /// The last block in front of a loop, on every way to it, that no inner loop repeats.
    pub fn front(&self, l: &Loop) -> Option<Block> {
        let before = |block: &Block| self.idom(*block);
        std::iter::successors(before(&l.header), before).find(|front| self.loop_depth(*front) < l.depth)
    }

    /// Returns the number of loops around a block.
    pub fn loop_depth(&self, block: Block) -> u32 {
        self.loops.depth(block)
    }

    /// The first child of a block in the dominator tree; siblings are in reverse postorder.
    pub fn first_child(&self, block: Block) -> Option<Block> {
        self.dominators.first_child(block)
    }

    /// The next child of a block's parent in the dominator tree.
    pub fn next_sibling(&self, block: Block) -> Option<Block> {
        self.dominators.next_sibling(block)
    }
}
