//! A function's collector that forwards its events to a listener.
//!
//! In: the events of the interpreter for one function. Out: the same, to the listener; the collector stays empty.
//! Invariant: the listener gets the events of a program's functions in the order in which they happen.

use super::Listening;
use super::consumer::function_id;
use holloway_ir::FuncRef;
use holloway_profiler::counts::Size;
use holloway_profiler::event::{Event, FunctionId};
use holloway_profiler::graph::{Graph, Node};
use holloway_profiler::machine::Sink;
use holloway_profiler::scheme::{Collected, FunctionPlan, Results};
use std::fmt;

/// An empty collector with a listener.
#[derive(Clone)]
pub struct ForwardingCollector {
    listening: Listening,
    function: FunctionId,
    collected: Box<dyn Collected>,
}

impl ForwardingCollector {
    /// The collector of a function with this plan.
    pub fn new(
        listening: &Listening,
        (func, plan): (FuncRef, &FunctionPlan),
        collected: Box<dyn Collected>,
    ) -> ForwardingCollector {
        listening.get().declare(func, plan);
        ForwardingCollector { listening: listening.clone(), function: function_id(func), collected }
    }
}

impl Sink for ForwardingCollector {
    fn path(&mut self, id: u64) {
        self.listening.get().event(Event::Path(id));
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.listening.get().event(Event::Prefix { block, id });
    }

    fn enter(&mut self) {
        self.listening.get().event(Event::Enter(self.function));
    }

    fn leave(&mut self) {
        self.listening.get().event(Event::Leave);
    }
}

impl Collected for ForwardingCollector {
    fn is_empty(&self) -> bool {
        self.collected.is_empty()
    }

    fn size(&self) -> Size {
        self.collected.size()
    }

    fn results(&self, graph: &Graph) -> Results {
        self.collected.results(graph)
    }
}

impl fmt::Debug for ForwardingCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, heard", self.collected)
    }
}
