//! Consumers of the events of a plan.
//!
//! In: events, in the order in which they happen. Out: whatever a consumer makes of them.

use crate::graph::Node;
use crate::plan::BitRegister;

/// Consumer of the events of a plan. Each method does nothing by default.
#[auto_impl::auto_impl(Box)]
pub trait Sink {
    /// A complete path.
    fn path(&mut self, _id: u64) {}
    /// Consecutive complete paths of one activation.
    fn paths(&mut self, ids: &[u64]) {
        for &id in ids {
            self.path(id);
        }
    }
    /// A complete path of one activation, so often, one time after the other.
    fn repeat(&mut self, id: u64, count: u64) {
        for _ in 0..count {
            self.path(id);
        }
    }
    /// A complete path that is in no sequence: an activation of its own.
    fn lone(&mut self, id: u64) {
        self.enter();
        self.path(id);
        self.leave();
    }
    /// A lone path that a failure in `block` cut short.
    fn lone_prefix(&mut self, block: Node, id: u64) {
        self.enter();
        self.prefix(block, id);
        self.leave();
    }
    /// A path that a failure in `block` cut short.
    fn prefix(&mut self, _block: Node, _id: u64) {}
    /// An activation starts.
    fn enter(&mut self) {}
    /// The innermost activation ends.
    fn leave(&mut self) {}
    /// One complete execution of a region, as the bits of its blocks.
    fn fold(&mut self, _register: BitRegister, _bits: &[u64]) {}
    /// `count` consecutive executions of a region with equal bits.
    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        for _ in 0..count {
            self.fold(register, bits);
        }
    }
    /// A path that a failure in `block` cut short: a k-iteration path, in the given iteration of the innermost loop; or a branch history, by
    /// its start block.
    fn prefix_at(&mut self, _block: Node, _at: u32, _id: u64) {}
    /// A complete branch history.
    fn branches(&mut self, _start: Node, _history: u64) {}
    /// A complete path that code counted in place, so often.
    fn counted(&mut self, _id: u64, _count: u64) {}
    /// A complete branch history that code counted in place, so often.
    fn counted_branches(&mut self, _start: Node, _history: u64, _count: u64) {}
}

/// A sink that ignores all events, for plans that only count in place.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSink;

impl Sink for NoSink {}
