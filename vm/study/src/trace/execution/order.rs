//! The order of points of different activations.
//!
//! In: an execution. Out: for each point of an activation a moment; a point is executed before another iff its moment is less.
//!
//! Invariant: activations are numbered in the order in which they were entered, so the descendants of one are the numbers behind it up to
//! a last one. Before a point all activations are entered up to the last descendant of the last call before it.

use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_profiler::wpp::slice::{ActivationId, Execution, Point};
use std::cmp::Reverse;

/// The position of a point in the execution: how many activations had been entered; then deeper activations, which have returned by then,
/// are earlier.
pub(crate) type Moment = (usize, Reverse<ActivationId>, Point);

/// The order of an execution.
#[derive(Clone, Debug, Default)]
pub struct ExecutionOrder {
    calls: SecondaryMap<ActivationId, Vec<(Point, ActivationId)>>,
    last_descendant: SecondaryMap<ActivationId, usize>,
}

impl ExecutionOrder {
    /// Collects the calls of each activation.
    pub fn new(execution: &Execution) -> ExecutionOrder {
        let mut order = ExecutionOrder::default();
        for (id, activation) in &execution.activations {
            if let Some((caller, point)) = activation.caller {
                order.calls[caller].push((point, id));
            }
        }
        for (id, activation) in execution.activations.iter().rev() {
            let last = order.last_descendant[id].max(id.index());
            order.last_descendant[id] = last;
            if let Some((caller, _)) = activation.caller {
                let known = order.last_descendant[caller];
                order.last_descendant[caller] = known.max(last);
            }
        }
        order
    }

    /// The moment at which a statement begins.
    pub fn moment(&self, activation: ActivationId, point: Point) -> Moment {
        let calls = &self.calls[activation];
        let before = calls.partition_point(|(at, _)| *at < point);
        let entered = before.checked_sub(1).map_or(activation.index(), |last| self.last_descendant[calls[last].1]);
        (entered, Reverse(activation), point)
    }

    /// The number of the last activation below one, or its own.
    pub fn last_descendant(&self, activation: ActivationId) -> usize {
        self.last_descendant[activation]
    }

    /// The activations that an activation called, each with the statement that called it, in order.
    pub fn calls(&self, activation: ActivationId) -> &[(Point, ActivationId)] {
        &self.calls[activation]
    }
}
