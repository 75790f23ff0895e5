//! Carries out instrumentation plans while the interpreter runs: the oracle for the counts of compiled code.
//!
//! In: a function that makes plans, and the interpreter's events. Out: a plan machine for each function that ran, with
//! its counters and reports; paths across calls that the unwinder or the host ends are here.
//! Invariant: the frames here are the interpreter's, in number and order.

use super::observer::Observer;
use cranelift_entity::SecondaryMap;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{self, Block, FuncRef};
use holloway_profiler::cross_prefix::CrossReports;
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::{Call, EdgeId, EdgeKind, Graph, Node};
use holloway_profiler::machine::{Frame, Machine, NoSink, Passed, Sink};
use holloway_profiler::plan::CutShort;

/// A function's graph with the machine that carries its plan out.
#[derive(Clone)]
pub struct Instrumented<S> {
    /// The graph.
    pub graph: Graph,
    /// The machine.
    pub machine: Machine,
    /// The sink of the plan's reports.
    pub sink: S,
}

/// An observer that carries out one plan a function.
pub struct PlanObserver<F, S: Clone = NoSink> {
    make: F,
    functions: SecondaryMap<FuncRef, Option<Box<Instrumented<S>>>>,
    /// The active functions, each with the block that started last in it.
    frames: Vec<(FuncRef, Frame, Block)>,
    /// The words that an activation passed last.
    passed: Passed,
    /// Paths across calls that end outside of a plan.
    pub across: CrossReports,
}

impl<F: FnMut(FuncRef) -> Instrumented<S>, S: Sink + Clone> PlanObserver<F, S> {
    /// An observer that asks `make` for the plan of a function at its first call.
    pub fn new(make: F) -> Self {
        PlanObserver {
            make,
            functions: SecondaryMap::new(),
            frames: Vec::new(),
            passed: Passed::default(),
            across: CrossReports::default(),
        }
    }

    /// The machine and sink of a function, if it ran.
    pub fn get(&self, func: FuncRef) -> Option<&Instrumented<S>> {
        self.functions[func].as_deref()
    }

    /// Discards the counts of a function whose body was replaced.
    pub fn forget(&mut self, func: FuncRef) {
        self.functions[func] = None;
    }

    /// Carries out the steps of a place that the innermost activation is at.
    fn at(&mut self, place: impl FnOnce(&mut Instrumented<S>, &mut Frame)) {
        let (func, frame, _) = self.frames.last_mut().expect("a function is active");
        let function = self.functions[*func].as_mut().expect("an active function was entered");
        frame.passed = self.passed;
        place(function, frame);
        self.passed = frame.passed;
    }

    /// A failure ends an activation in a block, or is caught there.
    fn unwound(&mut self, func: FuncRef, frame: &Frame, block: Block) {
        let machine = &self.functions[func].as_ref().expect("an active function was entered").machine;
        let (at, path, crossing) = machine.cut(frame, node_of(block));
        self.across.unwound(machine.plan().cut_short, (name_of(func), at), (path, crossing));
    }

    /// The innermost activation catches a failure in a block.
    fn caught(&mut self, block: Block) {
        let ((func, frame, _), around) = self.frames.split_last().expect("a function is active");
        let (func, frame, around) = (*func, frame.clone(), around.len());
        self.unwound(func, &frame, block);
        for (func, frame, block) in self.frames[..around].iter().rev() {
            let machine = &self.functions[*func].as_ref().expect("an active function was entered").machine;
            let (at, _, crossing) = machine.cut(frame, node_of(*block));
            if !self.across.around((name_of(*func), at), crossing) {
                break;
            }
        }
        self.across.settled();
    }

    fn take(&mut self, choose: impl FnOnce(&Graph) -> EdgeId) {
        self.at(|function, frame| {
            let edge = choose(&function.graph);
            function.machine.take(frame, edge, &mut function.sink);
        });
    }
}

impl<F: FnMut(FuncRef) -> Instrumented<S>, S: Sink + Clone> Observer for PlanObserver<F, S> {
    fn enter(&mut self, func: FuncRef) {
        if self.frames.is_empty() {
            self.passed = Passed::default();
        }
        let make = &mut self.make;
        let function = self.functions[func].get_or_insert_with(|| Box::new(make(func)));
        let frame = function.machine.enter_with(self.passed, &mut function.sink);
        self.passed = frame.passed;
        self.frames.push((func, frame, Block::from_u32(0)));
    }

    fn edge(&mut self, _: FuncRef, from: Block, to: Block, kind: ir::EdgeKind) {
        let wanted = match kind {
            ir::EdgeKind::Normal => EdgeKind::Normal,
            ir::EdgeKind::Failure => EdgeKind::Failure,
        };
        if wanted == EdgeKind::Failure {
            self.caught(from);
        }
        self.take(|graph| find_edge(graph, node_of(from), node_of(to), wanted));
    }

    fn call(&mut self, _: FuncRef, block: Block, number: u32) {
        let call = Call { block: node_of(block), number };
        self.at(|function, frame| function.machine.call(frame, call, &mut function.sink));
    }

    fn returned(&mut self, _: FuncRef, block: Block, number: u32) {
        let call = Call { block: node_of(block), number };
        self.at(|function, frame| function.machine.returned(frame, call, &mut function.sink));
    }

    fn abort(&mut self, func: FuncRef, block: Block) {
        let (_, frame, _) = self.frames.pop().expect("a function is active");
        self.unwound(func, &frame, block);
        if self.frames.is_empty() {
            self.across.settled();
        }
        let function = self.functions[func].as_mut().expect("an active function was entered");
        function.machine.abort(frame, node_of(block), &mut function.sink);
    }

    fn block(&mut self, _: FuncRef, block: Block) {
        self.frames.last_mut().expect("a function is active").2 = block;
    }

    fn leave(&mut self, _: FuncRef) {
        let block = self.frames.last().expect("a function is active").2;
        self.take(|graph| find_edge(graph, node_of(block), graph.exit(), EdgeKind::Normal));
        let (func, _, _) = self.frames.pop().expect("a function is active");
        let plan = self.functions[func].as_ref().expect("an active function was entered").machine.plan();
        if self.frames.is_empty() && plan.cut_short != CutShort::BySteps {
            self.across.returned(self.passed.path);
        }
    }
}

/// A function's name in reports.
fn name_of(func: FuncRef) -> FunctionId {
    FunctionId::from_u32(func.as_u32())
}

fn find_edge(graph: &Graph, from: Node, to: Node, kind: EdgeKind) -> EdgeId {
    graph.find_edge_of(kind, from, to).expect("the interpreter takes edges of the graph only")
}
