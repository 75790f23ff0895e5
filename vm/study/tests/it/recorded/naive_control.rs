//! Control dependence by its definition, for comparison.
//!
//! In: a function. Out: for two blocks, whether one depends on an edge that leaves the other: it post-dominates the edge's target and does not
//! post-dominate its source, or is the source. A block post-dominates another iff without it no end is reached. Of a failure's edge, blocks
//! that nothing leads to but failures into its handler depend on it in any case.
//!
//! Ways on are normal edges, and none from a block that returns; the failure of another block that has no normal ones;
//! and from the last block of a set of blocks that all lead to each other and nowhere else, the failures that lead out of
//! the set.

use cranelift_entity::EntityRef;
use holloway_lang::ir::{Block, EdgeKind, Function, Terminator, cfg};

/// Post-dominance among the blocks of a function.
pub(super) struct NaiveControl {
    /// For each block and each other one: the first post-dominates the second.
    post_dominates: Vec<Vec<bool>>,
    /// For each block and each other one: the second is reached without a failure that the first one catches.
    reached_without: Vec<Vec<bool>>,
    targets: Vec<Vec<(Block, EdgeKind)>>,
}

impl NaiveControl {
    pub(super) fn new(body: &Function) -> NaiveControl {
        let targets: Vec<Vec<(Block, EdgeKind)>> = body.blocks.keys().map(|block| cfg::edges(body, block)).collect();
        let of_kind = |block: usize, kind: EdgeKind| {
            let out = targets[block].iter().filter(|(_, of)| *of == kind);
            out.map(|(to, _)| to.index()).collect::<Vec<_>>()
        };
        let count = body.blocks.len();
        let returns = |block: &Block| matches!(body.blocks[*block].term, Terminator::Return(_));
        let returns: Vec<bool> = body.blocks.keys().map(|block| returns(&block)).collect();
        let on = |block| Some(of_kind(block, EdgeKind::Normal)).filter(|on: &Vec<_>| returns[block] || !on.is_empty());
        let mut ways: Vec<Vec<usize>> =
            (0..count).map(|block| on(block).unwrap_or_else(|| of_kind(block, EdgeKind::Failure))).collect();
        let mut is_end: Vec<bool> = ways.iter().map(Vec::is_empty).collect();
        while reaching(&ways, &is_end, None).contains(&false) {
            let leads: Vec<Vec<bool>> = (0..count).map(|from| reached(&ways, from)).collect();
            let is_closed = |block: &usize| {
                let ahead = |to: &usize| leads[*block][*to];
                !(0..count).filter(ahead).any(|to| is_end[to] || !leads[to][*block])
            };
            let inside = (0..count).find(is_closed).expect("what reaches no end leads to such a set");
            let cycle: Vec<usize> = (0..count).filter(|block| leads[inside][*block]).collect();
            let failures = cycle.iter().flat_map(|block| of_kind(*block, EdgeKind::Failure));
            let outside: Vec<usize> = failures.filter(|to| !cycle.contains(to)).collect();
            let last = cycle[cycle.len() - 1];
            is_end[last] = outside.is_empty();
            ways[last].extend(outside);
        }
        let without = |block: usize| {
            let reaching = reaching(&ways, &is_end, Some(block));
            reaching.iter().map(|reaches| !reaches).collect()
        };
        let post_dominates = (0..count).map(without).collect();
        let without_failures = |handler: usize| {
            let is_kept = |(to, kind): &&(Block, EdgeKind)| *kind == EdgeKind::Normal || to.index() != handler;
            let kept = targets.iter().map(|out| out.iter().filter(is_kept).map(|(to, _)| to.index()).collect());
            reached(&kept.collect::<Vec<Vec<usize>>>(), body.entry().index())
        };
        let reached_without = (0..count).map(without_failures).collect();
        NaiveControl { post_dominates, reached_without, targets }
    }

    /// Returns whether `block` depends on the branch at the end of `branch`.
    pub(super) fn depends(&self, block: Block, branch: Block) -> bool {
        let normal = self.targets[branch.index()].iter().filter(|(_, kind)| *kind == EdgeKind::Normal);
        let normal: Vec<Block> = normal.map(|(to, _)| *to).collect();
        normal.len() > 1 && normal.into_iter().any(|to| self.depends_on_edge(block, branch, to))
    }

    /// Returns whether `block` is executed because a failure in a block leads to a handler.
    pub(super) fn depends_on_failure(&self, block: Block, from: Block, handler: Block) -> bool {
        let is_only_by_it = self.post_dominates[block.index()][handler.index()]
            && !self.reached_without[handler.index()][block.index()];
        is_only_by_it || self.depends_on_edge(block, from, handler)
    }

    fn depends_on_edge(&self, block: Block, from: Block, to: Block) -> bool {
        let post_dominates = &self.post_dominates[block.index()];
        post_dominates[to.index()] && (block == from || !post_dominates[from.index()])
    }
}

/// The blocks from which an end is reached, without going through one of them.
fn reaching(ways: &[Vec<usize>], is_end: &[bool], without: Option<usize>) -> Vec<bool> {
    let allowed = |block: usize| Some(block) != without;
    let mut reaching: Vec<bool> = (0..is_end.len()).map(|block| is_end[block] && allowed(block)).collect();
    loop {
        let more = |block: usize| allowed(block) && ways[block].iter().any(|to| reaching[*to]);
        let found: Vec<usize> = (0..is_end.len()).filter(|block| !reaching[*block] && more(*block)).collect();
        if found.is_empty() {
            return reaching;
        }
        found.into_iter().for_each(|block| reaching[block] = true);
    }
}

/// The blocks that are reached from one.
fn reached(ways: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; ways.len()];
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            pending.extend(&ways[block]);
        }
    }
    reached
}
