//! The events of a variable along the path of an activation.
//!
//! In: the path as blocks, the failures in it, the places at which either program assigns the variable, and points that are asked
//! about. Out: a trace with a node for each of these. Blocks without an event leave nothing.
//! Invariant: within the execution of a block, what was moved ahead of an instruction comes first, then a point at it, then itself.

use holloway_jit::{ExecutedAt, Position, When};
use holloway_lang::ir::Block;
use holloway_profiler::graph::Node;
use std::collections::BTreeMap;

/// The event at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// The call gives a parameter its value, in both programs.
    Entry,
    /// The source program executes the assignment of that number; optimized code too, where it is in place.
    Assigned(usize),
    /// Optimized code executes an assignment at its place of that number.
    Placed(usize, usize),
    /// A point that is asked about.
    Point,
}

/// A place of an assignment that is not the one where it is written.
pub(super) struct OtherPlace<'a> {
    pub(super) event: Event,
    pub(super) at: &'a ExecutedAt,
}

/// The events of a trace as nodes.
#[derive(Default)]
pub(super) struct EventNodes(BTreeMap<Event, Node>);

impl EventNodes {
    /// The node of an event.
    pub(super) fn node(&mut self, event: Event) -> Node {
        let next = Node::from_u32(self.0.len() as u32);
        *self.0.entry(event).or_insert(next)
    }
}

/// A point of a path: a step, counted from 0, and an instruction of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathPoint {
    /// The step.
    pub step: usize,
    /// The instruction; as many as the block has for its terminator.
    pub index: usize,
}

/// The path of an activation.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) blocks: &'a [Block],
    /// Instructions that failed, by rising step.
    pub(super) failures: &'a [PathPoint],
    pub(super) points: &'a [PathPoint],
}

/// An event, and the number of the point if it is one.
pub(super) type TracedEvent = (Event, Option<usize>);

/// The events along a path.
pub(super) fn along(
    path: Path<'_>,
    written: &BTreeMap<Block, Vec<(usize, Event)>>,
    others: &[OtherPlace<'_>],
) -> Vec<TracedEvent> {
    let mut trace = Vec::new();
    let mut points: Vec<(PathPoint, usize)> = path.points.iter().copied().zip(0..).collect();
    points.sort_unstable();
    let mut points = points.into_iter().peekable();
    let mut failures = path.failures.iter().peekable();
    let mut inside = vec![false; others.len()];
    for (step, block) in path.blocks.iter().enumerate() {
        let mut here: Vec<((usize, u32), TracedEvent)> = Vec::new();
        for (other, inside) in others.iter().zip(&mut inside) {
            if is_executed(other.at, *block, inside) {
                here.push(((other.at.position.index, other.at.position.order), (other.event, None)));
            }
        }
        let written = written.get(block).into_iter().flatten();
        here.extend(written.map(|(index, event)| ((*index, Position::ITSELF), (*event, None))));
        // What failed is not executed, nor what is behind it.
        if let Some(failure) = failures.next_if(|failure| failure.step == step) {
            here.retain(|(order, _)| *order < (failure.index, Position::ITSELF));
        }
        while let Some((point, nth)) = points.next_if(|(point, _)| point.step == step) {
            here.push(((point.index, Position::ITSELF - 1), (Event::Point, Some(nth))));
        }
        here.sort_unstable();
        trace.extend(here.into_iter().map(|(_, event)| event));
    }
    trace
}

/// Returns whether a place is executed with a block; `inside` is true while its loop has been entered already.
fn is_executed(place: &ExecutedAt, block: Block, inside: &mut bool) -> bool {
    let here = place.position.block == block;
    match &place.when {
        When::Always | When::Sometimes => here,
        When::Entering(region) => {
            *inside &= region.contains(&block);
            here && !std::mem::replace(inside, true)
        }
    }
}
