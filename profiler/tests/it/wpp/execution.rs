//! Random executions of several functions that call each other.
//!
//! In: random graphs, calls in their blocks, and choices. Out: an [`Execution`]: the words that probes write, and a naive
//! record. Activations recurse, fail before, in and behind calls, and catch failures.

use std::collections::BTreeSet;

use holloway_profiler::event::{Event, FunctionId};
use holloway_profiler::graph::{EdgeId, EdgeKind, Graph, Node};
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::number::ball_larus::{Numbering, number};
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::plan::Markers;
use holloway_profiler::wpp::{BlockShape, FunctionShape, NumberedPaths, Program, Recorder};
use proptest::prelude::*;

use crate::common::{runs, structured_runs};

/// Bound of live activations.
const MOST_DEPTH: usize = 9;

/// A function: its graph, and for each block the functions that it calls.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) graph: Graph,
    numbering: Numbering,
    callees: Vec<Vec<usize>>,
}

/// One activation in the naive record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NaiveTrace {
    pub(super) function: usize,
    pub(super) blocks: Vec<Node>,
}

/// A moment of the execution: words written so far, events so far, and those of them in paths that have not ended.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) words: usize,
    pub(super) events: usize,
    pub(super) open: BTreeSet<usize>,
}

/// A step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Enter(FunctionId),
    /// The event with this number.
    Block(usize),
    Leave,
}

/// A random execution.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    pub(super) functions: Vec<Function>,
    pub(super) words: Vec<u64>,
    pub(super) events: Vec<(FunctionId, Node)>,
    pub(super) steps: Vec<Step>,
    pub(super) traces: Vec<NaiveTrace>,
    pub(super) moments: Vec<Moment>,
}

pub(super) fn executions() -> impl Strategy<Value = Execution> {
    let graph =
        prop_oneof![runs().prop_map(|run| run.graph).boxed(), structured_runs().prop_map(|run| run.graph).boxed(),];
    let calls = prop::collection::vec(prop::collection::vec(0..4_usize, 0..3), 40);
    (prop::collection::vec((graph, calls), 1..4), prop::collection::vec(any::<u8>(), 0..300)).prop_map(
        |(functions, choices)| {
            let count = functions.len();
            let functions = functions.into_iter().map(|(graph, calls)| {
                let calls = (0..graph.node_count()).map(|block| calls[block % 40].clone());
                let callees = calls.map(|calls| calls.into_iter().map(|callee| callee % count).collect());
                Function { numbering: number(&graph), callees: callees.collect(), graph }
            });
            execute(functions.collect(), &choices)
        },
    )
}

/// Executes functions along the choices; then whatever still runs fails.
pub(super) fn execute(functions: Vec<Function>, choices: &[u8]) -> Execution {
    let plan = |function: &Function| {
        let plan = function.numbering.plan(&function.graph, &Potentials::direct(), Markers::Emit);
        Machine::new(&function.graph, plan)
    };
    let machines = functions.iter().map(plan).collect();
    let execution = Execution { functions, ..Execution::default() };
    let mut run = Run { machines, choices: choices.iter().copied(), open: BTreeSet::new(), depth: 0, execution };
    let mut root = 0;
    while run.choices.len() > 0 {
        let _ = run.activation(root % run.machines.len());
        root += 1;
    }
    run.execution
}

struct Failed;

struct Run<'a> {
    machines: Vec<Machine>,
    choices: std::iter::Copied<std::slice::Iter<'a, u8>>,
    open: BTreeSet<usize>,
    depth: usize,
    execution: Execution,
}

/// Writes a function's events.
struct Words<'a>(usize, &'a mut Vec<u64>);

impl Sink for Words<'_> {
    fn enter(&mut self) {
        Event::Enter(FunctionId::from_u32(self.0 as u32)).write(self.1);
    }
    fn path(&mut self, id: u64) {
        Event::Path(id).write(self.1);
    }
    fn prefix(&mut self, block: Node, id: u64) {
        Event::Prefix { block, id }.write(self.1);
    }
    fn leave(&mut self) {
        Event::Leave.write(self.1);
    }
}

impl Run<'_> {
    fn activation(&mut self, function: usize) -> Result<(), Failed> {
        let mut blocks = Vec::new();
        let mut pending = Vec::new();
        let mut frame = self.machines[function].enter(&mut Words(function, &mut self.execution.words));
        let mut at = self.execution.functions[function].graph.entry();
        self.depth += 1;
        self.execution.steps.push(Step::Enter(FunctionId::from_u32(function as u32)));
        let result = loop {
            let graph = &self.execution.functions[function].graph;
            if !graph.is_block(at) {
                break Ok(());
            }
            blocks.push(at);
            pending.push(self.execution.events.len());
            self.open.insert(self.execution.events.len());
            self.execution.steps.push(Step::Block(self.execution.events.len()));
            self.execution.events.push((FunctionId::from_u32(function as u32), at));
            self.moment();
            match self.leave_block(function, at) {
                Some(edge) => {
                    let sink = &mut Words(function, &mut self.execution.words);
                    let own = sink.1.len();
                    self.machines[function].take(&mut frame, edge, sink);
                    if sink.1.len() > own {
                        pending.drain(..).for_each(|event| assert!(self.open.remove(&event)));
                    }
                    at = self.execution.functions[function].graph.edge(edge).to;
                }
                None => {
                    self.machines[function].abort(frame, at, &mut Words(function, &mut self.execution.words));
                    pending.drain(..).for_each(|event| assert!(self.open.remove(&event)));
                    break Err(Failed);
                }
            }
            self.moment();
        };
        self.depth -= 1;
        self.execution.steps.push(Step::Leave);
        self.execution.traces.push(NaiveTrace { function, blocks });
        self.moment();
        result
    }

    fn moment(&mut self) {
        let (words, events) = (self.execution.words.len(), self.execution.events.len());
        self.execution.moments.push(Moment { words, events, open: self.open.clone() });
    }

    /// Makes the block's calls and chooses its way out; `None` if a failure leaves the activation.
    fn leave_block(&mut self, function: usize, block: Node) -> Option<EdgeId> {
        let is_done = self.calls(function, block).is_ok();
        let choice = self.choices.next();
        let graph = &self.execution.functions[function].graph;
        let by = |kind| -> Vec<EdgeId> {
            graph.successors(block).iter().copied().filter(|&edge| graph.edge(edge).kind == kind).collect()
        };
        let (normal, failure) = (by(EdgeKind::Normal), by(EdgeKind::Failure));
        let choice = usize::from(choice?);
        let ways = if is_done && choice % 8 > 0 && !normal.is_empty() { normal } else { failure };
        ways.get(choice / 8 % ways.len().max(1)).copied()
    }

    fn calls(&mut self, function: usize, block: Node) -> Result<(), Failed> {
        let callees = self.execution.functions[function].callees[block.as_u32() as usize].clone();
        for callee in callees {
            // Without a choice, too deep, or by choice the call fails before the callee is entered.
            if self.depth == MOST_DEPTH || self.choices.next().is_none_or(|choice| choice % 16 == 0) {
                return Err(Failed);
            }
            self.activation(callee)?;
        }
        Ok(())
    }
}

impl Execution {
    /// A recorder to which the functions are declared.
    pub(super) fn recorder(&self) -> Recorder {
        let mut recorder = Recorder::new(Program::default());
        for (index, function) in self.functions.iter().enumerate() {
            let block = |callees: &Vec<usize>| BlockShape { calls: callees.len() as u32, lines: None };
            let blocks = function.callees.iter().map(block).collect();
            let shape = FunctionShape { name: format!("f{index}"), blocks };
            let paths = NumberedPaths { graph: function.graph.clone(), numbering: function.numbering.clone() };
            recorder.declare(FunctionId::from_u32(index as u32), shape, None, Box::new(paths));
        }
        recorder
    }
}
