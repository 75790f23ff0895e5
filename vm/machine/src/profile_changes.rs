//! Changes of a body's profile since baseline code counted: what optimized code does that its profile said is rare, what
//! its indirect calls call now, and which edges its loops take by now.
//!
//! In: calls that optimized code makes although it was compiled not to; the edges of the latest paths. Out: the profile
//! that the next compilation goes by.
//! Invariant: a call has so many usual targets in turn, then none: code that calls one function after the other is compiled no more for each.

use super::settings::{LATEST_WEIGHT, MOST_TARGETS};
use hashbrown::{HashMap, HashSet};
use holloway_ir::{Block, Cfg, Function, Loops};
use holloway_jit::missed::MissedCall;
use holloway_jit::observed::{Counts, TargetCell};

/// The changes of one body's profile.
#[derive(Debug, Default)]
pub(crate) struct ProfileChanges {
    hot: Vec<Block>,
    targets: HashMap<(Block, usize), NewTarget>,
    /// Executions of edges as they were last seen.
    latest: HashMap<(Block, Block), u64>,
}

#[derive(Debug, Default)]
struct NewTarget {
    cell: Option<TargetCell>,
    /// Number of usual targets that it had in turn.
    times: u32,
}

impl ProfileChanges {
    /// A block is executed often.
    pub(super) fn note_hot(&mut self, block: Block) {
        if !self.hot.contains(&block) {
            self.hot.push(block);
        }
    }

    /// An indirect call is made, which is the given instruction of a block.
    pub(super) fn note_target(&mut self, block: Block, missed: &MissedCall) {
        let (new, cell) = (self.targets.entry((block, missed.inst)).or_default(), missed.target());
        if new.cell.is_none_or(|known| known.func != cell.func) {
            new.times += 1;
            new.cell = Some(cell).filter(|_| new.times < MOST_TARGETS);
        }
    }

    /// Edges were executed so often of late. What was noted before is of another time.
    pub(super) fn note_latest(&mut self, edges: HashMap<(Block, Block), u64>) {
        self.latest = edges;
    }

    /// Makes of the counts of edges in loops that were seen last a mean with what was seen, which weighs more than all
    /// that was counted before: a mean of two flows is one. Nothing new is known of other edges.
    pub(super) fn renew(&self, body: &Function, counted: &mut HashMap<(Block, Block), u64>) {
        if self.latest.is_empty() {
            return;
        }
        let loops = Loops::of(&Cfg::compute(body));
        let seen: HashSet<Block> = self.latest.keys().map(|(_, to)| *to).collect();
        let was_seen = |block: Block| loops.chain(block).any(|id| seen.contains(&loops.get(id).header));
        let most_counted = self.latest.keys().filter_map(|edge| counted.get(edge)).max().copied().unwrap_or(0);
        let most_seen = self.latest.values().max().copied().unwrap_or(0);
        let scale = most_counted.max(1) as f64 / most_seen.max(1) as f64;
        for (edge, count) in counted.iter_mut().filter(|((from, to), _)| was_seen(*from) && was_seen(*to)) {
            let latest = self.latest.get(edge).map_or(0.0, |latest| *latest as f64 * scale);
            *count = ((*count as f64 + LATEST_WEIGHT * latest) / (1.0 + LATEST_WEIGHT)).round() as u64;
        }
    }

    /// The profile as it is by now.
    pub(super) fn applied(&self, body: &Function, counts: Counts) -> Counts {
        if self.hot.is_empty() && self.targets.is_empty() {
            return counts;
        }
        let none = TargetCell { func: None, same: 0, other: 0 };
        let cells = self.targets.iter().map(|(at, new)| (*at, new.cell.unwrap_or(none)));
        counts.with_hot(body, self.hot.iter().copied()).with_targets(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::{FuncRef, parse};

    /// A loop with a branch in it, in another loop.
    const LOOPS: &str = "type t0 = int
type t1 = bool
sig0 = (t0, t1)
function f0 \"f\" sig0(v0: int, v1: bool) {
block0:
    jump block1
block1:
    jump block2
block2:
    branch v1, block3, block4
block3:
    jump block5
block4:
    jump block5
block5:
    branch v1, block2, block6
block6:
    branch v1, block1, block7
block7:
    return
}";

    #[test]
    fn what_was_seen_last_weighs_most_in_loops_that_ran_and_the_rest_stays_known() {
        let module = parse::module(LOOPS).unwrap_or_else(|error| panic!("{error}"));
        let edge = |from, to| (Block::from_u32(from), Block::from_u32(to));
        let counted =
            [(0, 1, 1), (1, 2, 10), (2, 3, 900), (2, 4, 100), (3, 5, 900), (4, 5, 100), (5, 2, 990), (5, 6, 10)];
        let mut counted: HashMap<_, _> = counted.map(|(from, to, count)| (edge(from, to), count)).into();
        counted.extend([(edge(6, 1), 9), (edge(6, 7), 1)]);
        let mut changes = ProfileChanges::default();
        changes.note_latest([(edge(2, 3), 5), (edge(3, 5), 5), (edge(5, 2), 5)].into());
        changes.note_latest([(edge(2, 4), 99), (edge(4, 5), 99), (edge(5, 2), 99)].into());
        changes.renew(module.function(FuncRef::from_u32(0)), &mut counted);
        let count = |from, to| counted[&edge(from, to)];
        assert_eq!([count(2, 3), count(2, 4), count(5, 2)], [100, 891, 990], "all together as many as before");
        assert_eq!(
            [count(0, 1), count(1, 2), count(5, 6), count(6, 1)],
            [1, 10, 10, 9],
            "the loop around was not seen"
        );
    }
}
