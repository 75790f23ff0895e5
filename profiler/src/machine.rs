//! The plan machine: executes a plan, one block and edge at a time.
//!
//! In: a plan and the edges that an activation takes. Out: counters, and events to a [`Sink`]. The interpreter executes
//! plans with it, and the tests compare every scheme with a naive count through it. It also does the unwinder's
//! counting: failure edges and aborts are counted here, with any plan.
//!
//! Invariant: state that outlives an activation is in the [`Machine`], state of one activation in its [`Frame`], so
//! recursion works.

mod across;
mod sink;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use crate::cross_prefix::CutFrame;
use crate::graph::{Call, Edge, EdgeId, EdgeKind, Graph, Node};
use crate::plan::{Action, BitRegister, Crossing, IterationWeight, Plan};
use across::CrossRegisters;

pub use across::Passed;
pub use sink::{NoSink, Sink};

/// State of one activation.
#[derive(Clone, Debug)]
pub struct Frame {
    path: i64,
    /// The registers that activations share: put in what was passed last before each place, and take it over behind it.
    pub passed: Passed,
    across: CrossRegisters,
    /// The calls of the present block that have returned, and whether the next one is under way.
    calls: (u32, bool),
    /// `c[1]` to `c[itr]`.
    older: Vec<i64>,
    /// At each depth `c[0]` to `c[itr]` of a loop around.
    aside: Vec<(i64, Vec<i64>)>,
    bits: PrimaryMap<BitRegister, Vec<u64>>,
    start: Node,
    history: u64,
}

/// Executes the plan of one function.
#[derive(Clone, Debug)]
pub struct Machine {
    plan: Plan,
    edges: Vec<Edge>,
    entry: Node,
    counters: Vec<u64>,
    failures: SecondaryMap<EdgeId, u64>,
    aborts: SecondaryMap<Node, u64>,
}

impl Machine {
    /// A machine whose counters are all 0.
    pub fn new(graph: &Graph, plan: Plan) -> Machine {
        Machine {
            counters: vec![0; plan.counters],
            edges: graph.edges().map(|(_, &edge)| edge).collect(),
            entry: graph.entry(),
            plan,
            failures: SecondaryMap::new(),
            aborts: SecondaryMap::new(),
        }
    }

    /// Starts an activation at the entry, to which nobody passed anything.
    pub fn enter<S: Sink>(&mut self, sink: &mut S) -> Frame {
        self.enter_with(Passed::default(), sink)
    }

    /// Starts an activation at the entry, with what was passed last.
    pub fn enter_with<S: Sink>(&mut self, passed: Passed, sink: &mut S) -> Frame {
        // Registers start with arbitrary contents: a plan has to set what it uses.
        let bits = self.plan.registers.values().map(|&words| vec![u64::MAX; words as usize]).collect();
        let mut frame = Frame {
            path: i64::MIN,
            passed,
            across: CrossRegisters::default(),
            calls: (0, false),
            older: Vec::new(),
            aside: Vec::new(),
            bits,
            start: self.entry,
            history: u64::MAX,
        };
        run(&self.plan, &self.plan.entry, &mut self.counters, &mut frame, sink);
        run(&self.plan, &self.plan.blocks[self.entry], &mut self.counters, &mut frame, sink);
        frame
    }

    /// The activation makes a call.
    pub fn call<S: Sink>(&mut self, frame: &mut Frame, call: Call, sink: &mut S) {
        if let Some(steps) = self.plan.calls.get(&call) {
            run(&self.plan, &steps.before, &mut self.counters, frame, sink);
        }
        frame.calls = (call.number, true);
    }

    /// The callee has returned.
    pub fn returned<S: Sink>(&mut self, frame: &mut Frame, call: Call, sink: &mut S) {
        if let Some(steps) = self.plan.calls.get(&call) {
            run(&self.plan, &steps.after, &mut self.counters, frame, sink);
        }
        frame.calls = (call.number + 1, false);
    }

    /// The activation takes an edge and reaches its target.
    pub fn take<S: Sink>(&mut self, frame: &mut Frame, edge: EdgeId, sink: &mut S) {
        let Edge { to, kind, .. } = self.edges[edge.as_u32() as usize];
        match kind {
            EdgeKind::Normal => {}
            EdgeKind::Failure => self.failures[edge] += 1,
        }
        frame.calls = (0, false);
        run(&self.plan, &self.plan.edges[edge], &mut self.counters, frame, sink);
        run(&self.plan, &self.plan.blocks[to], &mut self.counters, frame, sink);
    }

    /// Ends the activation with a failure inside `block`.
    pub fn abort<S: Sink>(&mut self, mut frame: Frame, block: Node, sink: &mut S) {
        self.aborts[block] += 1;
        run(&self.plan, &self.plan.aborts[block], &mut self.counters, &mut frame, sink);
    }

    /// The place of an activation in `block`, as the unwinder sees it, its path, and where that is.
    pub fn cut(&self, frame: &Frame, block: Node) -> (CutFrame, u64, Crossing) {
        let (calls, is_calling) = frame.calls;
        let steps = self.plan.calls.get(&Call { block, number: calls }).filter(|_| is_calling);
        let number = self.plan.number_at(Call { block, number: calls }, frame.path as u64, frame.across.completions());
        let is_detached = frame.across.is_detached();
        (CutFrame { block, calls, is_detached }, number, steps.map(|steps| steps.crossing).unwrap_or_default())
    }

    /// The counters in place.
    pub fn counters(&self) -> &[u64] {
        &self.counters
    }

    /// Count of each failure edge that was taken.
    pub fn failures(&self) -> Vec<(EdgeId, u64)> {
        self.failures.iter().filter(|&(_, &n)| n > 0).map(|(e, &n)| (e, n)).collect()
    }

    /// Number of activations that ended in a failure inside each block.
    pub fn aborts(&self) -> Vec<(Node, u64)> {
        self.aborts.iter().filter(|&(_, &n)| n > 0).map(|(b, &n)| (b, n)).collect()
    }

    /// The plan that is executed.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// A branch history without branches; the position of the leading 1 encodes the history's length.
pub const NO_BRANCHES: u64 = 1;

fn run<S: Sink>(plan: &Plan, steps: &[Action], counters: &mut [u64], frame: &mut Frame, sink: &mut S) {
    for &step in steps {
        match step {
            Action::Count(counter) => counters[counter.index()] += 1,
            Action::SetPath(value) => frame.path = value,
            Action::AddPath(value) => frame.path = frame.path.wrapping_add(value),
            Action::FinishPath { add, restart } => {
                sink.path(frame.path.wrapping_add(add) as u64);
                frame.path = restart.unwrap_or(frame.path);
            }
            Action::FinishPrefix { block, add, restart } => {
                sink.prefix(block, frame.path.wrapping_add(add) as u64);
                frame.path = restart.unwrap_or(frame.path);
            }
            Action::Pass { add } => frame.passed.path = frame.path.wrapping_add(add),
            Action::Receive => frame.path = frame.passed.path,
            Action::Enter => sink.enter(),
            Action::Leave => sink.leave(),
            Action::ClearBits(register) => frame.bits[register].fill(0),
            Action::SetBit { register, word, bit } => frame.bits[register][word as usize] |= 1 << bit,
            Action::FoldBits(register) => {
                sink.fold(register, &frame.bits[register]);
                frame.bits[register].fill(0);
            }
            Action::AddIterations(table) => add_iterations(frame, &plan.iteration_weights[table]),
            Action::NextIteration { k, restart } => next_iteration(frame, k, restart, sink),
            Action::LeaveLoop => {
                frame.path = frame.oldest();
                frame.older.clear();
            }
            Action::FinishIterationPrefix { block, restart } => {
                sink.prefix_at(block, frame.older.len() as u32 + 1, frame.oldest() as u64);
                frame.older.clear();
                frame.path = restart.unwrap_or(frame.path);
            }
            Action::PutAside { depth } => {
                frame.aside.truncate(depth as usize);
                frame.aside.push((frame.path, std::mem::take(&mut frame.older)));
            }
            Action::TakeBack { depth } => {
                frame.aside.truncate(depth as usize + 1);
                (frame.path, frame.older) = frame.aside.pop().expect("it was put aside");
            }
            Action::StartBranches(node) => start_branches(frame, Some(node)),
            Action::ShiftBranches { width, value } => frame.history = frame.history << width | value,
            Action::FinishBranches { restart } => {
                sink.branches(frame.start, frame.history);
                start_branches(frame, restart);
            }
            Action::FinishBranchPrefix { block, restart } => {
                sink.prefix_at(block, frame.start.as_u32(), frame.history);
                start_branches(frame, restart);
            }
            Action::Across(step) => frame.across.run(step, &mut frame.path, &mut frame.passed, sink),
        }
    }
}

impl Frame {
    /// `c[itr]`; `itr` is the length of `older`.
    fn oldest(&self) -> i64 {
        self.older.last().copied().unwrap_or(self.path)
    }
}

fn add_iterations(frame: &mut Frame, weights: &[IterationWeight]) {
    let itr = frame.older.len();
    let paths = std::iter::once(&mut frame.path).chain(&mut frame.older);
    for (j, (path, weight)) in paths.zip(weights).enumerate() {
        *path = path.wrapping_add(if j < itr { weight.compensated } else { weight.val });
    }
}

fn next_iteration<S: Sink>(frame: &mut Frame, k: u32, restart: i64, sink: &mut S) {
    if frame.older.len() as u32 == k - 1 {
        sink.path(frame.oldest() as u64);
        frame.older.pop();
    }
    frame.older.insert(0, frame.path);
    frame.path = restart;
}

fn start_branches(frame: &mut Frame, at: Option<Node>) {
    if let Some(node) = at {
        frame.start = node;
        frame.history = NO_BRANCHES;
    }
}
