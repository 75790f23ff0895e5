//! Ways through a loop, weighed: straight code that is executed each time the loop is entered, with its longest chain.
//! A processor executes the end of one beside the beginning of the next if both are in its window.

use super::operations::{operations, operations_of, visits};
use super::recurrence::{finish, keep_latest, passed_on, recurrence};
use crate::opt::cfg::Graph;
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Func, Inst, Op, Value};
use crate::settings::estimate::WINDOW;
use hashbrown::HashMap;
use holloway_lang::ir;

/// Cycles by which one execution of code is later than the one before.
#[derive(Clone, Copy)]
pub(super) struct Late {
    /// If it begins when the other has ended.
    pub(super) latest: f64,
    /// If both overlap, as nothing but what the loop around carries is late.
    pub(super) around: f64,
}

impl Late {
    /// Those after so many micro-operations.
    pub(super) fn after(self, operations: f64) -> f64 {
        if operations <= WINDOW { self.latest.min(self.around) } else { self.latest }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    pub(super) operations: f64,
    /// Cycles until all that leaves them is there: their longest chain.
    pub(super) latest: f64,
    /// Cycles by which values are later each time that the loop around comes round, if there is one.
    pub(super) around: Option<f64>,
}

/// The ways through a loop, from where they are counted, with what is inlined there: each block by its share of ways.
pub(super) fn way(func: &Func, shares: &HashMap<ir::Block, f64>, counter: usize, of_loop: &[ir::Block]) -> Option<Way> {
    let graph = Graph::of(func);
    let counted = |block: &Block| {
        let counts = |inst: &Inst| func.insts[*inst].op == Op::Probe(Probe::Count(counter));
        func.blocks[*block].insts.iter().position(counts).filter(|_| !func.blocks[*block].cold)
    };
    let (first, at) = graph.rpo.iter().find_map(|block| Some((*block, counted(block)?)))?;
    let in_front: f64 = func.blocks[first].insts[..at].iter().map(|inst| operations_of(func.insts[*inst].op)).sum();
    let mut passed = vec![first];
    let mut operations = -in_front;
    let mut next = 0;
    while let Some(block) = passed.get(next).copied() {
        next += 1;
        let share = shares.get(&func.blocks[block].origin.block).copied().unwrap_or(1.0);
        operations += share * visits(func, &graph, block) * self::operations(func, block);
        for to in func.successors(block) {
            let is_on_way = of_loop.contains(&func.blocks[to].origin.block);
            if is_on_way && !func.blocks[to].cold && !passed.contains(&to) {
                passed.push(to);
            }
        }
    }
    let passed: Vec<Block> = graph.rpo.iter().copied().filter(|block| passed.contains(block)).collect();
    let mut ready: HashMap<Value, f64> = HashMap::new();
    let mut left = 0.0_f64;
    for block in &passed {
        finish(func, *block, &mut ready);
        for target in func.blocks[*block].term.targets() {
            let values: Vec<(Value, f64)> = passed_on(func, target, &ready).collect();
            match passed.contains(&target.block) {
                true => keep_latest(&mut ready, values),
                false => left = values.iter().map(|(_, at)| *at).fold(left, f64::max),
            }
        }
    }
    let around = graph.innermost(first).map(|around| recurrence(func, &graph, around));
    Some(Way { operations, latest: left, around })
}

#[cfg(test)]
mod tests {
    use super::super::recurrence::carried;
    use super::*;
    use crate::opt::parse;

    /// Two iterations in line, and what leaves them in the first one.
    const WAY: &str = "ssa {
b0(%0: int) from block0:
    %1: int = iadd %0, 9
    jump b1()
b1() from block1:
    probe count 7 0
    %2: int = iadd %0, 1
    %3: bool = ilt %2, 5
    branch %3, b2(), b4(%2)
b2() from block1:
    %4: int = iadd %2, 1
    %5: bool = ilt %4, 5
    branch %5, b3(), b4(%4)
b3() from block3:
    return
b4(%6: int) from block1 cold:
    %7: int = imul %6, 3
    %8: bool = ilt %7, %0
    branch %8, b4(%7), b3()
}";

    #[test]
    fn a_way_through_a_loop_is_weighed_by_its_own_blocks() {
        let func = parse::function(WAY).unwrap_or_else(|error| panic!("{error}"));
        let of_loop = [ir::Block::from_u32(1)];
        let found = way(&func, &HashMap::new(), 7, &of_loop).expect("it is counted");
        let expected = Way { operations: 6.0, latest: 2.0, around: None };
        assert_eq!(found, expected, "what is in front, behind and cold is none of it");
        assert!(way(&func, &HashMap::new(), 8, &of_loop).is_none(), "nothing counts that");
        assert_eq!(carried(&func, ir::Block::from_u32(3)), 0.0, "there is no such loop");
    }

    #[test]
    fn executions_overlap_that_are_in_the_window_together() {
        let late = Late { latest: 20.0, around: 2.0 };
        assert_eq!((late.after(WINDOW), late.after(WINDOW + 1.0)), (2.0, 20.0));
        assert_eq!(Late { latest: 2.0, around: 20.0 }.after(1.0), 2.0, "the loop around does more than this");
    }
}
