//! The control-flow graph of a function: successors, predecessors and reverse postorder.
//! In: a function. Out: edges, each (from, to) pair once, in numbering order.
//! Invariant: an edge of kind [`EdgeKind::Failure`] stands last and exists exactly where a failure
//! inside the block can reach its handler.

use super::entity::Block;
use super::function::Function;
use cranelift_entity::{EntityRef, SecondaryMap};
use hashbrown::HashSet;
use holloway_flow::steps;

/// A graph with an entry, as the analyses of [`super::dominators`] and [`super::loops`] see it.
pub trait FlowGraph {
    /// A node: a basic block.
    type Node: EntityRef + Ord;

    /// Reachable nodes, the entry first, each before its successors, back edges aside.
    fn reverse_postorder(&self) -> impl Iterator<Item = Self::Node>;

    /// Predecessors, each once.
    fn preds(&self, node: Self::Node) -> &[Self::Node];
}

impl FlowGraph for Cfg {
    type Node = Block;

    fn reverse_postorder(&self) -> impl Iterator<Item = Block> {
        self.postorder.iter().rev().copied()
    }

    fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }
}

/// The reason for which control goes from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// The terminator says so.
    Normal,
    /// A failure inside the block is caught by its handler.
    Failure,
}

/// Successors of a block, each once: the terminator's targets in order, then the handler.
pub fn edges(func: &Function, block: Block) -> Vec<(Block, EdgeKind)> {
    let data = &func.blocks[block];
    let mut found: Vec<(Block, EdgeKind)> = Vec::with_capacity(2);
    // Only a switch has so many targets that searching the list would not do.
    let mut many: Option<HashSet<Block>> = None;
    let mut add = |found: &mut Vec<(Block, EdgeKind)>, to: Block, kind| {
        if many.is_none() && found.len() >= 16 {
            many = Some(found.iter().map(|(known, _)| *known).collect());
        }
        let is_new = match &mut many {
            Some(set) => set.insert(to),
            None => !found.iter().any(|(known, _)| *known == to),
        };
        if is_new {
            found.push((to, kind));
        }
    };
    data.term.targets(|to| add(&mut found, to, EdgeKind::Normal));
    if let Some(handler) = data.handler
        && data.can_fail()
    {
        add(&mut found, handler, EdgeKind::Failure);
    }
    found
}

/// Successors and predecessors of every block, and an order to visit them in.
#[derive(Clone, Debug)]
pub struct Cfg {
    succs: SecondaryMap<Block, Vec<(Block, EdgeKind)>>,
    preds: SecondaryMap<Block, Vec<Block>>,
    postorder: Vec<Block>,
}

impl Cfg {
    /// Computes the graph.
    pub fn compute(func: &Function) -> Cfg {
        let mut succs = SecondaryMap::with_capacity(func.blocks.len());
        let mut preds: SecondaryMap<Block, Vec<Block>> = SecondaryMap::with_capacity(func.blocks.len());
        for block in func.blocks.keys() {
            let out = edges(func, block);
            out.iter().for_each(|(to, _)| preds[*to].push(block));
            succs[block] = out;
        }
        let postorder = postorder(func, func.entry(), &succs);
        Cfg { succs, preds, postorder }
    }

    /// Computes the graph of the blocks reachable from `entry`, as if the function started there.
    pub fn entered_at(func: &Function, entry: Block) -> Cfg {
        let mut succs = SecondaryMap::with_capacity(func.blocks.len());
        for block in func.blocks.keys() {
            succs[block] = edges(func, block);
        }
        let postorder = postorder(func, entry, &succs);
        let mut preds: SecondaryMap<Block, Vec<Block>> = SecondaryMap::with_capacity(func.blocks.len());
        let mut reachable = postorder.clone();
        reachable.sort_unstable();
        for block in reachable {
            succs[block].iter().for_each(|(to, _)| preds[*to].push(block));
        }
        Cfg { succs, preds, postorder }
    }

    /// Successors with the kind of each edge, in numbering order.
    pub fn succs(&self, block: Block) -> &[(Block, EdgeKind)] {
        steps::count(1);
        &self.succs[block]
    }

    /// Predecessors, each once.
    pub fn preds(&self, block: Block) -> &[Block] {
        steps::count(1);
        &self.preds[block]
    }

    /// Reachable blocks in postorder of a depth-first search from the entry.
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// Reachable blocks in reverse postorder: a block before its successors, back edges aside.
    pub fn reverse_postorder(&self) -> impl Iterator<Item = Block> + '_ {
        self.postorder.iter().rev().copied()
    }

    /// True iff there is a loop: an edge to a block that is not behind in reverse postorder.
    pub fn has_loop(&self) -> bool {
        let mut position: SecondaryMap<Block, usize> = SecondaryMap::new();
        self.reverse_postorder().enumerate().for_each(|(at, block)| position[block] = at);
        self.postorder.iter().any(|block| self.succs(*block).iter().any(|(to, _)| position[*to] <= position[*block]))
    }
}

fn postorder(func: &Function, entry: Block, succs: &SecondaryMap<Block, Vec<(Block, EdgeKind)>>) -> Vec<Block> {
    let mut seen = vec![false; func.blocks.len()];
    let mut order = Vec::with_capacity(func.blocks.len());
    let mut stack = vec![(entry, 0)];
    seen[entry.index()] = true;
    while let Some((block, next)) = stack.last_mut() {
        match succs[*block].get(*next) {
            Some((to, _)) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push((*to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}
