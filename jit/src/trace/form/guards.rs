//! Guards of a trace: the ways off it. Invariant: rounds, as counted where they begin, and the guards that failed give
//! the iterations that were begun on the trace, and those of them that were made off it.

use super::Former;
use super::formed::Guard;
use super::place::FormedPlace;
use crate::trace::sequence::Point;
use holloway_lang::ir::Block;

impl Former<'_> {
    /// A way off the trace, at a step or in front of all.
    pub(super) fn guard(&mut self, edge: (Block, Block), at: Option<Point>, target: Block) {
        let (left, uncounted) = match self.tree.goes_through() {
            true => self.off_way(at, target),
            false => self.off_loop(self.places[edge.0], at),
        };
        self.guards.push(Guard { edge, at: at.map(|at| self.tree.step(at).at()), target, left, uncounted });
    }

    /// Iterations that are made off a trace with a loop, and those that were begun on it and not counted.
    fn off_loop(&self, from: FormedPlace, at: Option<Point>) -> (u32, i32) {
        match (from, at) {
            // The iteration begins anew at the entry.
            (FormedPlace::Test { trace, .. }, _) => (0, self.tree.uncounted_at_test(trace)),
            (_, Some(at)) => (1, self.tree.uncounted_at(at)),
            (_, None) => (1, 1),
        }
    }

    /// The same of a way through the loop: who leaves it makes as many iterations in the loop as it would have had, and one at least.
    fn off_way(&self, at: Option<Point>, target: Block) -> (u32, i32) {
        let counted = self.spec.counted_iterations(&self.spec.traces[0]);
        let Some((before, behind)) = at.map(|at| self.tree.iterations_at(at)) else { return (counted, counted as i32) };
        let left = if self.loops.contains(self.tree.around, target) { behind.max(1) } else { 0 };
        (left, (before + left) as i32 - counted as i32)
    }
}
