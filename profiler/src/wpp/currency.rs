//! Dynamic currency determination: after optimization, whether a variable has the value at a point that the source program would have
//! given it.
//!
//! In: a [`MotionRecord`] of the assignments to one variable, a path trace as a timestamp-annotated dynamic control-flow graph, and a
//! point of an execution. Out: a [`Currency`]: the assignment whose value the variable holds, and the one whose value it should hold.
//!
//! `[DS98]` D. M. Dhamdhere, K. V. Sankaranarayanan, "Dynamic currency determination in optimized programs", TOPLAS 20(6), 1998.
//! `[ZG01]` section 4.3.2: a timestamp-annotated dynamic CFG suffices.
//!
//! Both programs follow the same path of blocks. A *placement* is a position at which the optimized program makes an assignment of the
//! source program. Its executions stand for executions of the assignment:
//! - *kept*: for the one at the same time;
//! - *sunk*: for the last one before;
//! - *hoisted*: for all that follow, up to the next execution of a placement of this assignment. There may be none: then the assignment
//!   was made on speculation, and its value is one that the source program never has.
//!
//! 1. The *expected* value: that of the last assignment which the source program executed.
//! 2. The *held* value: that of the placement which the optimized program executed last.
//! 3. The variable is *current* iff the execution of that placement stands for that of the expected assignment.
//!
//! Invariant: only positions matter, never values. So a variable may be called noncurrent that has the right value by coincidence.

use cranelift_entity::{PrimaryMap, entity_impl};

use super::dynamic_graph::DynamicGraph;
use crate::graph::Node;

/// An assignment of the source program to the variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssignmentId(u32);
entity_impl!(AssignmentId, "assignment");

/// A position in a block, as the number of statements of the source program before it. An assignment at a position takes effect
/// behind it: the point at position `p` sees the assignments at positions less than `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockPosition {
    /// The block.
    pub block: Node,
    /// The position.
    pub position: u32,
}

/// The way in which an assignment came to its placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motion {
    /// It is where it was.
    Kept,
    /// Moved against the flow of control: it is executed earlier than in the source program.
    Hoisted,
    /// Moved with the flow of control: it is executed later.
    Sunk,
}

/// A position at which the optimized program makes an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The assignment of the source program.
    pub assignment: AssignmentId,
    /// The position. Several placements at one position are executed in the order of the record.
    pub at: BlockPosition,
    /// The way in which it came there.
    pub motion: Motion,
}

/// All that an optimizer did to the assignments of one variable. A deleted assignment has no placement, a duplicated one several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MotionRecord {
    /// The assignments, where the source program has them; no two at one position.
    pub assignments: PrimaryMap<AssignmentId, BlockPosition>,
    /// The placements.
    pub placements: Vec<Placement>,
}

/// An execution of an assignment by the source program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignmentInstance {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The timestamp of its execution. For a held value it is that of an execution by the source program too; `None` if the source
    /// program has not executed it yet, and the value is early.
    pub time: Option<u64>,
}

/// The answer for one execution of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currency {
    /// The timestamp of the point.
    pub time: u64,
    /// The assignment whose value the variable holds; `None` for the value on entry.
    pub held: Option<AssignmentInstance>,
    /// The assignment whose value it would hold in the source program; `None` for the value on entry.
    pub expected: Option<AssignmentInstance>,
}

impl Currency {
    /// Returns whether the variable has the value that it would have in the source program.
    pub fn is_current(&self) -> bool {
        self.held == self.expected
    }
}

impl MotionRecord {
    /// The answer at one execution of a point; `None` if its block is not executed at that time.
    pub fn at(&self, trace: &DynamicGraph, point: BlockPosition, time: u64) -> Option<Currency> {
        let (node, offset) = trace.home(point.block)?;
        let here = Moment { time, offset, position: point.position };
        let is_executed = trace.times(node).contains(time);
        is_executed.then(|| Currency { time, held: self.held(trace, here), expected: self.expected(trace, here) })
    }

    /// The answers at all executions of a point in order.
    pub fn occurrences<'a>(
        &'a self,
        trace: &'a DynamicGraph,
        point: BlockPosition,
    ) -> impl Iterator<Item = Currency> + 'a {
        let times = trace.home(point.block).into_iter().flat_map(|(node, _)| trace.times(node).iter());
        times.filter_map(move |time| self.at(trace, point, time))
    }

    /// The last assignment that the source program executed.
    fn expected(&self, trace: &DynamicGraph, here: Moment) -> Option<AssignmentInstance> {
        let executed = self.assignments.iter().filter_map(|(assignment, &at)| {
            let last = last_before(trace, at, here)?;
            Some((last, AssignmentInstance { assignment, time: Some(last.time) }))
        });
        Some(executed.max_by_key(|&(last, _)| last)?.1)
    }

    /// The assignment for which the placement stands that the optimized program executed last.
    fn held(&self, trace: &DynamicGraph, here: Moment) -> Option<AssignmentInstance> {
        let executed = self.placements.iter().filter_map(|placement| {
            let last = last_before(trace, placement.at, here)?;
            Some((last, placement))
        });
        // Of several at one position `max_by_key` takes the last in the record, which is executed last.
        let (made, &Placement { assignment, motion, .. }) = executed.max_by_key(|&(last, _)| last)?;
        let source = |limit| last_before(trace, self.assignments[assignment], limit);
        let stands_for = match motion {
            Motion::Kept => Some(made),
            Motion::Sunk => source(made),
            // Executions before this one of the placement had another value.
            Motion::Hoisted => source(here).filter(|&executed| executed >= made),
        };
        Some(AssignmentInstance { assignment, time: stands_for.map(|at| at.time) })
    }
}

/// A position in an execution. The fields compare in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    time: u64,
    /// The number of blocks before it in the dynamic basic block.
    offset: u32,
    position: u32,
}

/// The last execution of a position before another one.
fn last_before(trace: &DynamicGraph, at: BlockPosition, limit: Moment) -> Option<Moment> {
    let (node, offset) = trace.home(at.block)?;
    let is_earlier = (offset, at.position) < (limit.offset, limit.position);
    let time = trace.last_before(node, limit.time.saturating_add(u64::from(is_earlier)))?;
    Some(Moment { time, offset, position: at.position })
}
