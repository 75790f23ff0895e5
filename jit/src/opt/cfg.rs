//! Analyses of the SSA form's graph: predecessors, orders, dominators [CHK01] and loops.
//!
//! In: a function. Out: a [`Graph`] of what is reachable, valid until the next change of blocks or terminators.
//! Invariant: what dominates a block has all its values there; see [`successors`] for failures.

use super::ssa::{Block, Func, Value};
use cranelift_entity::{EntityRef, SecondaryMap};
use hashbrown::HashMap;

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block that dominates the others.
    pub header: Block,
    /// Sources of the back edges.
    pub latches: Vec<Block>,
    /// Every block, the header first, in reverse postorder.
    pub blocks: Vec<Block>,
    /// The loop around it: an index into [`Graph::loops`].
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

/// The graph of a function.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Reachable blocks, each before its successors but for back edges.
    pub rpo: Vec<Block>,
    /// Predecessors of reachable blocks, failure edges among them, each once.
    pub preds: SecondaryMap<Block, Vec<Block>>,
    /// Loops, outer ones before those in them.
    pub loops: Vec<Loop>,
    position: SecondaryMap<Block, Option<u32>>,
    idom: SecondaryMap<Block, Option<Block>>,
    depth_in_tree: SecondaryMap<Block, u32>,
    innermost: SecondaryMap<Block, Option<usize>>,
}

impl Graph {
    /// Computes everything.
    pub fn compute(func: &Func) -> Graph {
        let rpo = reverse_postorder(func);
        let mut graph = Graph {
            preds: SecondaryMap::new(),
            loops: Vec::new(),
            position: SecondaryMap::new(),
            idom: SecondaryMap::new(),
            depth_in_tree: SecondaryMap::new(),
            innermost: SecondaryMap::new(),
            rpo,
        };
        for (at, block) in graph.rpo.iter().enumerate() {
            graph.position[*block] = Some(at as u32);
        }
        for block in &graph.rpo {
            for to in successors(func, *block) {
                graph.preds[to].push(*block);
            }
        }
        graph.dominators();
        graph.find_loops();
        graph
    }

    /// Whether control can get to a block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block].is_some()
    }

    /// The immediate dominator; the entry has none.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block]
    }

    /// Whether every way to `b` goes through `a`.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let mut at = b;
        while self.depth_in_tree[at] > self.depth_in_tree[a] {
            at = self.idom[at].expect("a deeper block has a dominator");
        }
        at == a
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<usize> {
        self.innermost[block]
    }

    /// Whether no other loop is in a loop.
    pub fn is_innermost(&self, at: usize) -> bool {
        !self.loops.iter().any(|other| other.parent == Some(at))
    }

    /// Whether a block is in a loop, at any depth.
    pub fn contains(&self, outer: usize, block: Block) -> bool {
        let mut at = self.innermost[block];
        while let Some(inner) = at {
            if inner == outer {
                return true;
            }
            at = self.loops[inner].parent;
        }
        false
    }

    /// Whether an edge leads back to the header of a loop it is in.
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.loops.iter().any(|l| l.header == to && l.latches.contains(&from))
    }

    /// The blocks at which a round of a loop can end: those with an edge back to the header or out of the loop. What
    /// dominates them all is executed in every round, before anything leaves; an order of the blocks does not say that,
    /// as an inner loop that comes later in it may leave the outer one earlier.
    pub fn ends(&self, func: &Func, l: &Loop) -> Vec<Block> {
        let ends = |to: &Block| *to == l.header || !l.blocks.contains(to);
        l.blocks.iter().copied().filter(|block| func.successors(*block).iter().any(ends)).collect()
    }

    /// How many loops are around a block.
    pub fn loop_depth(&self, block: Block) -> u32 {
        self.innermost[block].map_or(0, |inner| self.loops[inner].depth)
    }

    /// Children in the dominator tree, in reverse postorder.
    pub fn dominator_children(&self) -> SecondaryMap<Block, Vec<Block>> {
        let mut children: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for block in &self.rpo {
            if let Some(parent) = self.idom[*block] {
                children[parent].push(*block);
            }
        }
        children
    }

    /// The block that each value is defined in, constants left out.
    pub fn homes(&self, func: &Func) -> HashMap<Value, Block> {
        let mut home = HashMap::new();
        for block in &self.rpo {
            let data = &func.blocks[*block];
            home.extend(data.params.iter().map(|param| (*param, *block)));
            home.extend(data.insts.iter().filter_map(|inst| func.insts[*inst].result).map(|value| (value, *block)));
        }
        home
    }

    fn dominators(&mut self) {
        let entry = self.rpo[0];
        self.idom[entry] = Some(entry);
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..self.rpo.len() {
                let block = self.rpo[at];
                let known = self.preds[block].iter().copied().filter(|pred| self.idom[*pred].is_some());
                let new = known.reduce(|a, b| self.intersect(a, b));
                if self.idom[block] != new {
                    self.idom[block] = new;
                    changed = true;
                }
            }
        }
        self.idom[entry] = None;
        for at in 1..self.rpo.len() {
            let block = self.rpo[at];
            let parent = self.idom[block].expect("a reachable block has a dominator");
            self.depth_in_tree[block] = self.depth_in_tree[parent] + 1;
        }
    }

    fn intersect(&self, mut a: Block, mut b: Block) -> Block {
        while a != b {
            if self.position[a] > self.position[b] {
                a = self.idom[a].expect("processed");
            } else {
                b = self.idom[b].expect("processed");
            }
        }
        a
    }

    fn find_loops(&mut self) {
        for at in 0..self.rpo.len() {
            let header = self.rpo[at];
            let latches: Vec<Block> =
                self.preds[header].iter().copied().filter(|pred| self.dominates(header, *pred)).collect();
            if latches.is_empty() {
                continue;
            }
            let parent = self.innermost[header];
            let depth = parent.map_or(1, |parent| self.loops[parent].depth + 1);
            let id = self.loops.len();
            self.loops.push(Loop { header, latches: latches.clone(), blocks: Vec::new(), parent, depth });
            self.innermost[header] = Some(id);
            let mut pending = latches;
            while let Some(block) = pending.pop() {
                if self.innermost[block] != Some(id) && self.is_reachable(block) {
                    self.innermost[block] = Some(id);
                    pending.extend(&self.preds[block]);
                }
            }
        }
        for at in 0..self.rpo.len() {
            let block = self.rpo[at];
            let mut inner = self.innermost[block];
            while let Some(id) = inner {
                self.loops[id].blocks.push(block);
                inner = self.loops[id].parent;
            }
        }
    }
}

/// Where control goes from a block, as far as values are concerned. A failure leaves a block before any of its values
/// may be there, so its edge starts where the block's own edges start: at the ends of the blocks before it.
fn successors(func: &Func, block: Block) -> Vec<Block> {
    let mut found = Vec::new();
    for target in func.blocks[block].term.targets() {
        // A handler can fail too, into the handler around it.
        let handler = |block: &Block| func.blocks[*block].handler.filter(|_| func.can_fail(*block));
        for to in std::iter::successors(Some(target.block), handler) {
            if !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

fn reverse_postorder(func: &Func) -> Vec<Block> {
    let mut seen = vec![false; func.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(func.entry, successors(func, func.entry))];
    seen[func.entry.index()] = true;
    while let Some((block, rest)) = stack.last_mut() {
        // The last successor first, so that the first one stands first in the reverse.
        match rest.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, successors(func, next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
