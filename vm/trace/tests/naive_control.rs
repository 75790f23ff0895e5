//! Control dependence by its definition, for comparison.
//!
//! In: a function. Out: for two blocks, whether one depends on an edge that leaves the other: it post-dominates the edge's target and does not
//! post-dominate its source, or is the source. A block post-dominates another iff without it no end is reached.

use cranelift_entity::EntityRef;
use holloway_lang::ir::{Block, EdgeKind, Function, cfg};

/// Post-dominance among the blocks of a function, by normal edges.
pub(super) struct NaiveControl {
    /// For each block and each other one: the first post-dominates the second.
    post_dominates: Vec<Vec<bool>>,
    targets: Vec<Vec<(Block, EdgeKind)>>,
}

impl NaiveControl {
    pub(super) fn new(body: &Function) -> NaiveControl {
        let targets: Vec<Vec<(Block, EdgeKind)>> = body.blocks.keys().map(|block| cfg::edges(body, block)).collect();
        let normal = |block: usize| {
            let out = targets[block].iter().filter(|(_, kind)| *kind == EdgeKind::Normal);
            out.map(|(to, _)| to.index()).collect::<Vec<_>>()
        };
        let count = body.blocks.len();
        let successors: Vec<Vec<usize>> = (0..count).map(normal).collect();
        let mut is_end: Vec<bool> = successors.iter().map(Vec::is_empty).collect();
        for block in (0..count).rev() {
            if !reaching(&successors, &is_end, None)[block] {
                is_end[block] = true;
            }
        }
        let without = |block: usize| {
            let reaching = reaching(&successors, &is_end, Some(block));
            reaching.iter().map(|reaches| !reaches).collect()
        };
        let post_dominates = (0..count).map(without).collect();
        NaiveControl { post_dominates, targets }
    }

    /// Returns whether `block` depends on the branch at the end of `branch`.
    pub(super) fn depends(&self, block: Block, branch: Block) -> bool {
        let normal = self.targets[branch.index()].iter().filter(|(_, kind)| *kind == EdgeKind::Normal);
        normal.into_iter().any(|(to, _)| self.depends_on_edge(block, branch, *to))
    }

    /// Returns whether `block` is executed because an edge is taken.
    pub(super) fn depends_on_edge(&self, block: Block, from: Block, to: Block) -> bool {
        let post_dominates = &self.post_dominates[block.index()];
        post_dominates[to.index()] && (block == from || !post_dominates[from.index()])
    }
}

/// The blocks from which an end is reached, without going through one of them.
fn reaching(successors: &[Vec<usize>], is_end: &[bool], without: Option<usize>) -> Vec<bool> {
    let allowed = |block: usize| Some(block) != without;
    let mut reaching: Vec<bool> = (0..is_end.len()).map(|block| is_end[block] && allowed(block)).collect();
    loop {
        let more = |block: usize| allowed(block) && successors[block].iter().any(|to| reaching[*to]);
        let found: Vec<usize> = (0..is_end.len()).filter(|block| !reaching[*block] && more(*block)).collect();
        if found.is_empty() {
            return reaching;
        }
        found.into_iter().for_each(|block| reaching[block] = true);
    }
}
