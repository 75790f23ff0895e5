//! Dispatch replication: the switch that a loop turns on is copied to the end of each of its cases.
//!
//! ```text
//!   loop: H: ...; switch s, A, B     A: ...; jump H     B: ...; jump H
//!     becomes    A: ...; H1: ...; switch s, A, B     B: ...; H2: ...; switch s, A, B
//! ```
//!
//! One indirect jump for all cases is predicted by what came last after any of them; a copy for each case is predicted by what follows that case
//! [EG03]. Interpreters written in C do so by hand, with computed gotos.
//!
//! Requires: no failure handlers. Preserves: everything. The loop may become irreducible, so this comes after all passes over
//! loops.
//!
//! [EG03] M. A. Ertl, D. Gregg, "The Structure and Performance of Efficient Interpreters", JILP 5, 2003.

use super::Changed;
use super::cfg::{Graph, Loop};
use super::ssa::{Block, Func, Op, Term};
use super::thread::{Way, edges_into, thread};
use crate::settings::dispatch_replication::{LEAST_CASES, LEAST_COPIES, MAX_GROWTH, MAX_ROUTE};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let graph = Graph::of(func);
    let dispatch =
        |block: &Block| matches!(&func.blocks[*block].term, Term::Switch { cases, .. } if cases.len() >= LEAST_CASES);
    let switches: Vec<Block> = graph.rpo.iter().copied().filter(dispatch).collect();
    let mut left = MAX_GROWTH;
    let ways: Vec<Way> =
        switches.into_iter().filter_map(|block| ways(func, &graph, block, &mut left)).flatten().collect();
    if ways.is_empty() {
        return Changed::No;
    }
    thread(func, ways);
    Changed::Yes
}

/// The copies of the way to a switch, if the loop turns on it and they are within what is left of the budget.
fn ways(func: &Func, graph: &Graph, switch: Block, left: &mut usize) -> Option<Vec<Way>> {
    let l = &graph.loops[graph.innermost(switch)?];
    let route = route(graph, l, switch)?;
    if func.blocks[switch].cold {
        return None;
    }
    let edges: Vec<_> =
        edges_into(func, graph, route[0]).into_iter().filter(|(pred, _)| l.blocks.contains(pred)).collect();
    let insts = || route.iter().flat_map(|block| &func.blocks[*block].insts).map(|inst| func.insts[*inst].op);
    let copyable = insts().all(Op::is_copyable);
    // Each target is a block with moves in every copy.
    let targets: usize = route.iter().map(|block| func.blocks[*block].term.targets().count()).sum();
    let growth = edges.len().saturating_sub(1) * (insts().count() + targets);
    let fits = edges.len() >= LEAST_COPIES && growth <= *left;
    let way = |edge| Way { edges: vec![edge], blocks: route.iter().map(|block| (*block, None)).collect() };
    if copyable && fits {
        *left -= growth;
    }
    // One edge keeps the switch that is there.
    (copyable && fits).then(|| edges.into_iter().skip(1).map(way).collect())
}

/// The blocks from where the loop's cases meet to the switch, through the latch and the header.
fn route(graph: &Graph, l: &Loop, switch: Block) -> Option<Vec<Block>> {
    let mut route = vec![switch];
    loop {
        let first = *route.last()?;
        let inside: Vec<Block> = graph.preds[first].iter().copied().filter(|pred| l.blocks.contains(pred)).collect();
        let [pred] = inside.as_slice() else { break };
        if route.contains(pred) || route.len() == MAX_ROUTE {
            return None;
        }
        route.push(*pred);
    }
    route.reverse();
    Some(route)
}
