//! The share of a loop's iterations that execute each of its blocks, by a profile or a guess.
//!
//! In: a loop. Out: a number for each block of it: executions for each one of the header. Without a profile each way of
//! a branch that stays in the loop is taken as often as the others, and inner loops have one iteration.
//! Invariant: what is cold or rare has none, and neither has what is only reached through it.

use super::cfg::{Graph, Loop};
use super::loops;
use super::ssa::{Block, Func};
use cranelift_entity::SecondaryMap;

/// Computes the shares.
pub(super) fn shares(func: &Func, graph: &Graph, l: &Loop) -> SecondaryMap<Block, f64> {
    let mut share: SecondaryMap<Block, f64> = SecondaryMap::new();
    let is_usual = |block: Block| !func.blocks[block].cold && !func.blocks[block].seen.rare;
    let inside = loops::blocks(l);
    share[l.header] = 1.0;
    for block in &l.blocks {
        let is_next = |to: &Block| !graph.goes_back(*block, *to) && is_usual(*to) && inside.contains(*to);
        let next: Vec<Block> = func.successors(*block).into_iter().filter(is_next).collect();
        let each = share[*block] / next.len() as f64;
        next.into_iter().for_each(|to| share[to] += each);
    }
    let weight = |block: Block| func.blocks[block].seen.weight;
    if let Some(all) = weight(l.header).filter(|all| *all > 0.0) {
        let known = l.blocks.iter().filter(|block| is_usual(**block));
        known.filter_map(|block| Some((block, weight(*block)?))).for_each(|(block, of)| share[*block] = of / all);
    }
    share
}
