//! Calling contexts as the events of a run tell them.
//!
//! In: the events of plans by `cct`. Out: a [`ContextTree`]. Invariant: an activation that a failure ends leaves its context like one that
//! returns.

use super::PathListener;
use holloway_ir::FuncRef;
use holloway_profiler::context_tree::ContextTree;
use holloway_profiler::event::{ActivationSink, BadWord, Event, EventSink, FunctionId, WordReader};
use holloway_profiler::graph::Node;
use holloway_profiler::scheme::FunctionPlan;

/// Builds the tree of the contexts that events tell of.
#[derive(Default)]
pub struct ContextListener {
    reader: WordReader,
    tree: ContextTreeSink,
}

/// The tree, as a sink of events.
#[derive(Default)]
struct ContextTreeSink(ContextTree);

impl ContextListener {
    /// The tree.
    pub fn tree(&self) -> &ContextTree {
        &self.tree.0
    }
}

impl ActivationSink for ContextTreeSink {
    fn enter(&mut self, function: FunctionId) -> bool {
        self.0.enter(function);
        true
    }

    fn repeat(&mut self, id: u64, _: u64) -> bool {
        u32::try_from(id).is_ok_and(|site| self.0.reach(site))
    }

    fn prefix(&mut self, _: Node, _: u64) -> bool {
        false
    }

    fn leave(&mut self) -> bool {
        self.0.leave()
    }
}

impl EventSink for ContextTreeSink {
    fn paths(&mut self, ids: &[u64]) -> bool {
        ids.iter().all(|id| self.repeat(*id, 1))
    }

    fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        self.follow(event)
    }
}

impl PathListener for ContextListener {
    fn declare(&mut self, _: FuncRef, _: &FunctionPlan) {}

    fn words(&mut self, words: &[u64]) -> Result<(), BadWord> {
        self.reader.read(words, &mut self.tree)
    }

    fn event(&mut self, event: Event<'_>) {
        let followed = self.tree.follow(event);
        assert!(followed.is_ok(), "the interpreter tells of activations that began");
    }
}
