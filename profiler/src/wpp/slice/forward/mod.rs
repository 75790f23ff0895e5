//! Slices by approach 3, computed forward: for each value, the dependences that led to it.
//!
//! In: a program, and its execution as it happens: blocks, calls, statements with the cells that they read. Out: for a location at a moment, the [`Slice`] that
//! [`Slicer`](super::Slicer) finds backward.
//!
//! `[ZG04]` X. Zhang, R. Gupta, Y. Zhang, "Efficient forward computation of dynamic slices using reduced ordered binary decision diagrams", ICSE 2004.
//! Each local, global and cell has the statement that set it last, and the set of dependences in the closure of that definition. A definition's set is
//! the union of those of what it uses and of what decided on it. Values of one statement mostly have the sets of its execution before: the paper shares
//! equal sets by decision diagrams, here trees of numbers do.
//!
//! Nothing is kept of the past but sets. Memory is a word a live location; a word a local and some a decision of each activation that is live; for each part of
//! each statement the words that it read last, of an operation on a whole array as many as that has elements; and all sets that ever were, as none is freed. Only
//! these have a limit: above it there is no slice.
//! Deviation: sets are of dependences and not of statements, as reasons are told.

mod sets;
mod statements;

use cranelift_entity::EntityRef;
use cranelift_entity::PrimaryMap;

use super::model::{Location, Procedure, ProcedureId, StatementId};
use super::{Reason, Slice};
use crate::graph::Node;
use crate::hash::KeyMap;
use sets::{MOST, SetId, Sets};
use statements::Statements;

/// A value's definition and its set of dependences, as a word; 0 if nothing set it.
pub type Origin = u64;

/// Words of the cells that a statement reads, by operand.
pub type ReadCells<'a> = &'a dyn Fn(u32) -> &'a [Origin];

/// Reads no cell.
pub fn no_cells<'a>(_: u32) -> &'a [Origin] {
    &[]
}

/// A dependence in a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Edge {
    /// On a statement.
    On(StatementId, Reason),
    /// On a location that nothing set, of a user.
    Unset(Location, StatementId),
}

/// The dependences of a part when it was executed last.
#[derive(Clone, Debug, Default)]
struct Latest {
    inputs: Vec<Origin>,
    set: SetId,
}

/// A live activation.
#[derive(Clone, Debug)]
struct Frame {
    procedure: ProcedureId,
    block: Node,
    /// Blocks so far.
    time: u64,
    locals: Vec<Origin>,
    /// When each branch was executed last, and its decision.
    branches: Vec<(u64, Origin)>,
    /// Failures that were caught, by the edge along which; when the last one was, and its decision.
    failures: Vec<((Node, Node), u64, Origin)>,
    /// The decision of the call.
    call: Origin,
    /// The decision on the present block.
    control: Origin,
    /// Of the present call of this activation: its arguments, its decision, and what the callee returned.
    arguments: Vec<Origin>,
    decision: Origin,
    result: Origin,
}

/// Slices of the values of an execution, so far.
#[derive(Clone, Debug)]
pub struct ForwardSlicer<'p> {
    statements: Statements<'p>,
    sets: Sets,
    /// The dependences by their numbers, each with the set of itself.
    edges: Vec<(Edge, SetId)>,
    /// By the number of the source's statement and one more, 0 of none, and by the use.
    edge_of: KeyMap<(u32, u32), u32>,
    latest: Vec<Latest>,
    globals: Vec<Origin>,
    frames: Vec<Frame>,
    /// The decision of the statement that failed, while activations are left.
    thrown: Origin,
    /// Room for the inputs of a part, and for the values that a statement sets.
    inputs: Vec<Origin>,
    values: Vec<(Location, Origin)>,
    /// Trees that sets may have.
    most_nodes: usize,
    is_full: bool,
}

fn origin(statement: u32, set: SetId) -> Origin {
    u64::from(statement + 1) << 32 | u64::from(set.0)
}

/// The statement and the set of an origin that is not 0.
fn parts_of(origin: Origin) -> (u32, SetId) {
    ((origin >> 32) as u32 - 1, SetId(origin as u32))
}

impl<'p> ForwardSlicer<'p> {
    /// A slicer of a program that has not begun, whose sets may have so many nodes.
    pub fn new(procedures: &'p PrimaryMap<ProcedureId, Procedure>, most_nodes: usize) -> ForwardSlicer<'p> {
        let statements = Statements::new(procedures);
        ForwardSlicer {
            latest: vec![Latest::default(); statements.part_count()],
            statements,
            sets: Sets::default(),
            edges: Vec::new(),
            edge_of: KeyMap::default(),
            globals: Vec::new(),
            frames: Vec::new(),
            thrown: 0,
            inputs: Vec::new(),
            values: Vec::new(),
            most_nodes,
            is_full: false,
        }
    }

    /// True once there are more dependences than fit: slices are wrong from then on.
    pub fn is_full(&self) -> bool {
        self.is_full || self.sets.len() > self.most_nodes
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("an activation is live")
    }

    /// An activation begins; its first block follows.
    pub fn enter(&mut self, procedure: ProcedureId) {
        let table = self.statements.table(procedure);
        let (mut locals, branches) = (vec![0; table.local_count], vec![(0, 0); table.branch_count]);
        let mut call = 0;
        if let Some(caller) = self.frames.last() {
            let parameters = &self.statements.procedures[procedure].parameters;
            parameters.iter().zip(&caller.arguments).for_each(|(local, argument)| locals[local.index()] = *argument);
            call = caller.decision;
        }
        let block = self.statements.procedures[procedure].graph.entry();
        self.frames.push(Frame {
            procedure,
            block,
            time: 0,
            locals,
            branches,
            failures: Vec::new(),
            call,
            control: call,
            arguments: Vec::new(),
            decision: 0,
            result: 0,
        });
    }

    /// A block of the innermost activation begins.
    pub fn block(&mut self, block: Node) {
        let statements = &self.statements;
        let frame = self.frames.last_mut().expect("an activation is live");
        let table = statements.table(frame.procedure);
        let branches = table.deciding(block).iter().map(|branch| frame.branches[*branch as usize]);
        let failures = frame.failures.iter().filter(|((from, to), ..)| table.control.is_by_failure(block, *from, *to));
        let decided = branches.chain(failures.map(|(_, time, decision)| (*time, *decision)));
        let latest = decided.filter(|(time, _)| *time > 0).max_by_key(|(time, _)| *time);
        frame.control = latest.map_or(frame.call, |(_, decision)| decision);
        frame.block = block;
        frame.time += 1;
    }

    fn at(&self, index: u32) -> StatementId {
        let frame = self.frames.last().expect("an activation is live");
        StatementId { procedure: frame.procedure, block: frame.block, index }
    }

    /// The innermost activation goes from its block to another one, without a failure.
    pub fn edge(&mut self) {
        let frame = self.frames.last().expect("an activation is live");
        if let Some(branch) = self.statements.table(frame.procedure).branch(frame.block) {
            let last = self.statements.procedures[frame.procedure].blocks[frame.block].len() as u32 - 1;
            let decision = self.decision(last, &no_cells);
            let frame = self.frame();
            frame.branches[branch as usize] = (frame.time, decision);
        }
    }

    /// A failure leads the innermost activation from its block to another one.
    pub fn failure_edge(&mut self, to: Node) {
        let thrown = self.thrown;
        let frame = self.frame();
        let (edge, time) = ((frame.block, to), frame.time);
        frame.failures.retain(|(known, ..)| *known != edge);
        frame.failures.push((edge, time, thrown));
    }

    /// A statement that is a call is about to be executed.
    pub fn call(&mut self, index: u32) {
        let at = self.at(index);
        let statement = self.statements.get(at);
        let mut arguments = Vec::new();
        for (number, definition) in (0..).zip(&statement.definitions) {
            if let Location::Argument(argument) = definition.target {
                let argument = argument as usize;
                arguments.resize(arguments.len().max(argument + 1), 0);
                arguments[argument] = self.definition(index, number, &no_cells);
            }
        }
        let decision = self.decision(index, &no_cells);
        let frame = self.frame();
        (frame.arguments, frame.decision, frame.result) = (arguments, decision, 0);
    }

    /// A statement was executed, which read cells. Returns the origin of the value of each cell that it sets, by its operand.
    pub fn executed(&mut self, index: u32, cells: ReadCells<'_>) -> Vec<(u32, Origin)> {
        let statement = self.statements.get(self.at(index));
        let mut set = Vec::new();
        // All uses come before all definitions.
        let mut found = std::mem::take(&mut self.values);
        for (number, definition) in (0..).zip(&statement.definitions) {
            if !matches!(definition.target, Location::Argument(_) | Location::Returned) {
                found.push((definition.target, self.definition(index, number, cells)));
            }
        }
        for (target, value) in found.drain(..) {
            match target {
                Location::Local(local) => self.frame().locals[local.index()] = value,
                Location::Global(global) => {
                    let at = global.index();
                    self.globals.resize(self.globals.len().max(at + 1), 0);
                    self.globals[at] = value;
                }
                Location::Cell { operand, .. } => set.push((operand, value)),
                Location::Argument(_) | Location::Result | Location::Returned => {}
            }
        }
        self.values = found;
        set
    }

    /// A statement of the innermost activation fails, and none before it does.
    pub fn failed(&mut self, index: u32, cells: ReadCells<'_>) {
        self.thrown = self.decision(index, cells);
    }

    /// The innermost activation returns by its last statement.
    pub fn leave(&mut self) {
        let frame = self.frames.last().expect("an activation is live");
        let last = self.statements.procedures[frame.procedure].blocks[frame.block].len() as u32 - 1;
        let definitions = &self.statements.get(self.at(last)).definitions;
        let number = definitions.iter().position(|definition| definition.target == Location::Returned);
        let returned = number.map_or(0, |number| self.definition(last, number as u32, &no_cells));
        self.frames.pop();
        if let Some(caller) = self.frames.last_mut() {
            caller.result = returned;
        }
    }

    /// The innermost activation ends without returning.
    pub fn abort(&mut self) {
        self.frames.pop();
    }

    /// The origin of the value of a local of the innermost activation, or of a global.
    pub fn origin(&self, location: Location) -> Origin {
        let frame = self.frames.last().expect("an activation is live");
        match location {
            Location::Local(local) => frame.locals.get(local.index()).copied().unwrap_or(0),
            Location::Global(global) => self.globals.get(global.index()).copied().unwrap_or(0),
            Location::Result => frame.result,
            Location::Cell { .. } | Location::Argument(_) | Location::Returned => 0,
        }
    }

    /// The slice of a value that a location had.
    pub fn slice(&self, location: Location, of: Origin) -> Slice {
        self.slice_of_all(location, &[of])
    }

    /// The slice of a value whose parts have several origins.
    pub fn slice_of_all(&self, location: Location, origins: &[Origin]) -> Slice {
        let mut slice = Slice::default();
        for of in origins {
            if *of == 0 {
                slice.unset.insert((location, None));
                continue;
            }
            let (statement, set) = parts_of(*of);
            let first = Reason::Data { location, user: None };
            slice.statements.entry(self.statements.id(statement)).or_default().insert(first);
            for number in self.sets.numbers(set) {
                match self.edges[number as usize].0 {
                    Edge::On(statement, reason) => _ = slice.statements.entry(statement).or_default().insert(reason),
                    Edge::Unset(location, user) => _ = slice.unset.insert((location, Some(user))),
                }
            }
        }
        slice
    }

    fn definition(&mut self, index: u32, number: u32, cells: ReadCells<'_>) -> Origin {
        let statement = self.statements.get(self.at(index));
        self.part(index, number, &statement.definitions[number as usize].uses, cells)
    }

    fn decision(&mut self, index: u32, cells: ReadCells<'_>) -> Origin {
        let statement = self.statements.get(self.at(index));
        self.part(index, statement.definitions.len() as u32, &statement.decides_on, cells)
    }

    /// The origin of a part of a statement that is executed now.
    fn part(&mut self, index: u32, number: u32, uses: &[Location], cells: ReadCells<'_>) -> Origin {
        let at = self.at(index);
        let statement = self.statements.number(at);
        let part = (self.statements.part(statement) + number) as usize;
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.clear();
        inputs.push(self.frames.last().expect("an activation is live").control);
        for location in uses {
            match location {
                Location::Cell { operand, .. } => {
                    let read = cells(*operand);
                    inputs.push(read.len() as u64);
                    inputs.extend(read);
                }
                _ => inputs.push(self.origin(*location)),
            }
        }
        if self.latest[part].inputs != inputs {
            self.latest[part].set = self.united(at, part, uses, &inputs);
            self.latest[part].inputs.clone_from(&inputs);
        }
        self.inputs = inputs;
        origin(statement, self.latest[part].set)
    }

    /// The union of the dependences of a part's uses, each with its source, and of the decision that comes first.
    fn united(&mut self, user: StatementId, part: usize, uses: &[Location], inputs: &[Origin]) -> SetId {
        let mut set = SetId::default();
        if inputs[0] != 0 {
            let use_number = self.statements.use_number(part, 0);
            set = self.with(inputs[0], use_number, |by| Edge::On(by, Reason::Control { of: user }));
        }
        let mut next = 1;
        for (position, location) in (1..).zip(uses) {
            let use_number = self.statements.use_number(part, position);
            let count = match location {
                Location::Cell { .. } => {
                    next += 1;
                    inputs[next - 1] as usize
                }
                _ => 1,
            };
            for source in &inputs[next..next + count] {
                let with = match source {
                    0 => self.with_edge(SetId::default(), (0, use_number), || Edge::Unset(*location, user)),
                    _ => {
                        let reason = Reason::Data { location: *location, user: Some(user) };
                        self.with(*source, use_number, |by| Edge::On(by, reason))
                    }
                };
                set = self.sets.union(set, with);
            }
            next += count;
        }
        set
    }

    /// The dependences of a value that something set, and the one on it by a use.
    fn with(&mut self, source: Origin, use_number: u32, edge: impl FnOnce(StatementId) -> Edge) -> SetId {
        let (by, of_source) = parts_of(source);
        let by_id = self.statements.id(by);
        self.with_edge(of_source, (by + 1, use_number), || edge(by_id))
    }

    fn with_edge(&mut self, set: SetId, key: (u32, u32), edge: impl FnOnce() -> Edge) -> SetId {
        let (edges, sets) = (&mut self.edges, &mut self.sets);
        let number = *self.edge_of.entry(key).or_insert_with(|| {
            let number = edges.len() as u32;
            edges.push((edge(), sets.of(number % MOST)));
            number
        });
        self.is_full |= number >= MOST;
        self.sets.union(set, self.edges[number as usize].1)
    }
}
