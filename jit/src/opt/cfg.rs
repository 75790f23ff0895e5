//! Analyses of the SSA form's graph: predecessors, orders, dominators and natural loops.
//!
//! In: a function. Out: a [`Graph`] of what is reachable, valid until the next change of blocks or terminators. The dominators
//! [CHK01] and the loops are computed as those of the IR are.
//! Invariant: what dominates a block has all its values there; see [`successors`] for failures.
//!
//! [CHK01] K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", Software: Practice and Experience, 2001.

use super::ssa::{Block, Func, Value};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use holloway_lang::ir::cfg::FlowGraph;
use holloway_lang::ir::{Dominators, LoopId, Loops};
use smallvec::SmallVec;

/// A natural loop.
pub type Loop = holloway_lang::ir::loops::Loop<Block>;

/// A few blocks, as many as most have before and behind them.
pub type Blocks = SmallVec<[Block; 4]>;

/// The graph of a function.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Reachable blocks, each before its successors but for back edges.
    pub rpo: Vec<Block>,
    /// Predecessors of reachable blocks, failure edges among them, each once.
    pub preds: SecondaryMap<Block, Blocks>,
    /// Loops, outer ones before those in them.
    pub loops: Loops<Block>,
    dominators: Dominators<Block>,
    /// The place of each block in the order.
    position: SecondaryMap<Block, u32>,
}

/// Reachable blocks, and the ways to them: the input of the other analyses.
pub(super) struct Edges {
    /// As [`Graph::rpo`].
    pub(super) rpo: Vec<Block>,
    /// As [`Graph::preds`].
    pub(super) preds: SecondaryMap<Block, Blocks>,
}

impl Edges {
    pub(super) fn of(func: &Func) -> Edges {
        let (rpo, succs) = reverse_postorder(func);
        let mut preds: SecondaryMap<Block, Blocks> = SecondaryMap::with_capacity(func.blocks.len());
        for block in &rpo {
            for to in &succs[*block] {
                preds[*to].push(*block);
            }
        }
        Edges { rpo, preds }
    }
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

impl Graph {
    /// Computes everything.
    pub fn compute(func: &Func) -> Graph {
        let edges = Edges::of(func);
        let dominators = Dominators::compute(&edges);
        let loops = Loops::compute(&edges, &dominators);
        let Edges { rpo, preds } = edges;
        let mut position = SecondaryMap::with_capacity(func.blocks.len());
        rpo.iter().zip(0..).for_each(|(block, at)| position[*block] = at);
        Graph { rpo, preds, loops, dominators, position }
    }

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

    /// Returns whether an edge leads to a block that is not later in the order. Each cycle has such an edge; where all loops have one entry, these
    /// are the back edges.
    pub fn goes_back(&self, from: Block, to: Block) -> bool {
        self.position[to] <= self.position[from]
    }

    /// The blocks at which an iteration of a loop can end: latches and exiting blocks. What
    /// dominates them all is executed in every iteration, before anything leaves; an order of the blocks does not say that,
    /// as an inner loop that comes later in it may leave the outer one earlier.
    pub fn ends(&self, func: &Func, l: &Loop) -> Vec<Block> {
        let ends = |to: &Block| *to == l.header || !l.blocks.contains(to);
        l.blocks.iter().copied().filter(|block| func.successors(*block).iter().any(ends)).collect()
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

    /// Children in the dominator tree, in reverse postorder.
    pub fn dominator_children(&self) -> SecondaryMap<Block, Vec<Block>> {
        let mut children: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for block in &self.rpo {
            if let Some(parent) = self.idom(*block) {
                children[parent].push(*block);
            }
        }
        children
    }
}

/// The block that each value is defined in, of those given; constants have none.
pub(super) fn homes(func: &Func, blocks: &[Block]) -> SecondaryMap<Value, Option<Block>> {
    let mut home = SecondaryMap::with_capacity(func.values.len());
    for block in blocks {
        let data = &func.blocks[*block];
        let results = data.insts.iter().filter_map(|inst| func.insts[*inst].result);
        for value in data.params.iter().copied().chain(results) {
            home[value] = Some(*block);
        }
    }
    home
}

/// Returns the successors of a block, as far as values are concerned. A failure leaves a block before any of its values
/// may be there, so its edge starts where the block's own edges start: at the ends of the blocks before it.
fn successors(func: &Func, block: Block) -> Blocks {
    let mut found = Blocks::new();
    let targets = func.blocks[block].term.targets();
    let mut seen: Option<EntitySet<Block>> = (targets.len() > found.inline_size()).then(EntitySet::new);
    for target in targets {
        // A handler can fail too, into the handler around it.
        let handler = |block: &Block| func.blocks[*block].handler.filter(|_| func.can_fail(*block));
        for to in std::iter::successors(Some(target.block), handler) {
            if seen.as_mut().map_or_else(|| !found.contains(&to), |seen| seen.insert(to)) {
                found.push(to);
            }
        }
    }
    found
}

/// The order, and the successors of each block in it.
fn reverse_postorder(func: &Func) -> (Vec<Block>, SecondaryMap<Block, Blocks>) {
    let mut succs: SecondaryMap<Block, Blocks> = SecondaryMap::with_capacity(func.blocks.len());
    let mut visit = |block: Block| {
        succs[block] = successors(func, block);
        (block, succs[block].clone())
    };
    let mut seen = vec![false; func.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![visit(func.entry)];
    seen[func.entry.index()] = true;
    while let Some((block, rest)) = stack.last_mut() {
        // The last successor first, so that the first one stands first in the reverse.
        match rest.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push(visit(next));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    (order, succs)
}
