//! Computes the graph of a function: predecessors, orders, dominators and natural loops.
//!
//! In: a function. Out: a [`Graph`] of what is reachable, valid until the next change of blocks or terminators. The
//! dominators [CHK01] and the loops are computed as those of the IR are. A function keeps what was last computed of it,
//! and gives that again as long as each block leads where it did: most passes find little to do, and few of them change
//! where control goes.
//! Invariant: what dominates a block has all its values there; see [`successors`] for failures.
//!
//! [CHK01] K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", Software: Practice and
//! Experience, 2001.

use super::ssa::{Block, Func, Term, Value};
use crate::settings::cfg::MOST_COMPARED;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use holloway_lang::ir::{Dominators, Loops};
use std::rc::Rc;

pub use super::graph::{Edges, Graph, Lists, Loop};

impl Edges {
    /// Finds them, unless the function has kept them.
    pub(super) fn of(func: &Func) -> Rc<Edges> {
        let mut kept = func.computed.edges.borrow_mut();
        match kept.as_ref().filter(|edges| edges.are_of(func)) {
            Some(edges) => edges.clone(),
            None => kept.insert(Rc::new(Edges::compute(func))).clone(),
        }
    }

    /// Returns whether each block leads where it did when they were found.
    fn are_of(&self, func: &Func) -> bool {
        let mut found = Vec::new();
        self.rpo[0] == func.entry
            && self.rpo.iter().all(|block| {
                found.clear();
                successors(func, *block, &mut found);
                found == self.succs[*block]
            })
    }

    fn compute(func: &Func) -> Edges {
        let (rpo, succs) = reverse_postorder(func);
        // Room for each list, then what is in it.
        let mut ranges: SecondaryMap<Block, (u32, u32)> = for_blocks(func);
        succs.items.iter().for_each(|to| ranges[*to].1 += 1);
        let mut next = 0;
        for block in &rpo {
            let len = ranges[*block].1;
            ranges[*block] = (next, next);
            next += len;
        }
        let mut items = vec![func.entry; next as usize];
        for block in &rpo {
            for to in &succs[*block] {
                items[ranges[*to].1 as usize] = *block;
                ranges[*to].1 += 1;
            }
        }
        Edges { rpo, preds: Lists { items, ranges }, succs }
    }
}

impl Graph {
    /// Computes everything, unless the function has kept it.
    pub fn of(func: &Func) -> Rc<Graph> {
        let edges = Edges::of(func);
        let mut kept = func.computed.graph.borrow_mut();
        match kept.as_ref().filter(|graph| Rc::ptr_eq(&graph.edges, &edges)) {
            Some(graph) => graph.clone(),
            None => kept.insert(Rc::new(Graph::compute(func, edges))).clone(),
        }
    }

    fn compute(func: &Func, edges: Rc<Edges>) -> Graph {
        let dominators = Dominators::compute(&*edges);
        let loops = Loops::compute(&*edges, &dominators);
        let mut position = for_blocks(func);
        edges.rpo.iter().zip(0..).for_each(|(block, at)| position[*block] = at);
        Graph { edges, loops, dominators, position }
    }

    /// The blocks at which an iteration of a loop can end: latches and exiting blocks. What
    /// dominates them all is executed in every iteration, before anything leaves; an order of the blocks does not say that,
    /// as an inner loop that comes later in it may leave the outer one earlier.
    pub fn ends(&self, func: &Func, l: &Loop) -> Vec<Block> {
        let ends = |to: &Block| *to == l.header || !l.blocks.contains(to);
        l.blocks.iter().copied().filter(|block| func.successors(*block).iter().any(ends)).collect()
    }
}

/// A map with room for every block: it would else grow by one at a time.
fn for_blocks<T: Clone + Default>(func: &Func) -> SecondaryMap<Block, T> {
    let mut map = SecondaryMap::new();
    map.resize(func.blocks.len());
    map
}

/// The block that each value is defined in, of those given; constants have none.
pub(super) fn homes(func: &Func, blocks: &[Block]) -> SecondaryMap<Value, Option<Block>> {
    let mut home = SecondaryMap::new();
    home.resize(func.values.len());
    for block in blocks {
        let data = &func.blocks[*block];
        let results = data.insts.iter().filter_map(|inst| func.insts[*inst].result);
        for value in data.params.iter().copied().chain(results) {
            home[value] = Some(*block);
        }
    }
    home
}

/// The number of uses of each value in some blocks.
pub(super) fn uses(func: &Func, blocks: &[Block]) -> SecondaryMap<Value, u32> {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    for block in blocks {
        let data = &func.blocks[*block];
        let args = data.insts.iter().flat_map(|inst| &func.insts[*inst].args).copied();
        let edges = data.term.targets().flat_map(|to| &to.args).copied();
        args.chain(edges).chain(data.term.operand()).for_each(|value| uses[value] += 1);
    }
    uses
}

/// Appends the successors of a block, as far as values are concerned. A failure leaves a block before any of its values
/// may be there, so its edge starts where the block's own edges start: at the ends of the blocks before it.
fn successors(func: &Func, block: Block, found: &mut Vec<Block>) {
    let start = found.len();
    let term = &func.blocks[block].term;
    let has_many = matches!(term, Term::Switch { cases, .. } if cases.len() > MOST_COMPARED);
    let mut seen: Option<EntitySet<Block>> = has_many.then(EntitySet::new);
    for target in term.targets() {
        // A handler can fail too, into the handler around it.
        let handler = |block: &Block| func.blocks[*block].handler.filter(|_| func.can_fail(*block));
        for to in std::iter::successors(Some(target.block), handler) {
            if seen.as_mut().map_or_else(|| !found[start..].contains(&to), |seen| seen.insert(to)) {
                found.push(to);
            }
        }
    }
}

/// The order, and the successors of each block in it.
fn reverse_postorder(func: &Func) -> (Vec<Block>, Lists) {
    let mut succs = Lists { items: Vec::with_capacity(2 * func.blocks.len()), ranges: for_blocks(func) };
    let mut visit = |block: Block, items: &mut Vec<Block>| {
        let start = items.len();
        successors(func, block, items);
        succs.ranges[block] = (start as u32, items.len() as u32);
        (block, start, items.len())
    };
    let items = &mut succs.items;
    let mut seen = vec![false; func.blocks.len()];
    let mut order = Vec::with_capacity(func.blocks.len());
    let mut stack = vec![visit(func.entry, items)];
    seen[func.entry.index()] = true;
    while let Some((block, start, rest)) = stack.last_mut() {
        // The last successor first, so that the first one stands first in the reverse.
        if *rest > *start {
            *rest -= 1;
            let next = items[*rest];
            if !std::mem::replace(&mut seen[next.index()], true) {
                stack.push(visit(next, items));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    (order, succs)
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use crate::observed::Observed;
    use crate::opt::loop_tests::optimized;
    use crate::opt::pipeline::BUILD;
    use crate::opt::ssa::{Op, Term};
    use std::rc::Rc;

    #[test]
    fn a_graph_is_kept_until_control_flows_otherwise() {
        let source = "fn f(n: int) -> int {\n var i = 0\n while i < n { i += 1 }\n return i\n}";
        let mut func = optimized(source, Some(BUILD), |_| Observed::default());
        let before = Graph::of(&func);
        func.push(func.entry, Op::OsrPoint, [], None, 0);
        assert!(Rc::ptr_eq(&before, &Graph::of(&func)), "an instruction is no edge");
        let header = before.loops.values().next().expect("there is a loop").header;
        let Term::Branch { otherwise, .. } = func.blocks[header].term.clone() else { panic!("the header tests") };
        func.blocks[header].term = Term::Jump(otherwise);
        let after = Graph::of(&func);
        assert!(after.loops.is_empty() && after.rpo.len() < before.rpo.len(), "the loop is never entered");
        assert!(Rc::ptr_eq(&after, &Graph::of(&func)));
    }
}
