//! Random programs with calls, memory and failures, and executions that record every dependence as it arises.
//!
//! In: proptest's choices. Out: a [`Run`]: the execution as slicing takes it, and its dynamic dependence graph by definition.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_profiler::graph::{EdgeKind, ExitKind, Graph, GraphBuilder, Node};
use holloway_profiler::wpp::slice::{
    Activation, ActivationId, CellClass, Cells, Definition, Execution, GlobalId, Instance, LocalId, Location, Point,
    Procedure, ProcedureId, Statement, StatementId, TraceId,
};
use proptest::prelude::*;

use super::{dynamic_blocks, graph_of};
use crate::common::structured_runs;

/// Most activations at a time.
const CALLS_DEEP: usize = 4;

/// A program, and what happens when it runs.
#[derive(Clone, Debug)]
pub(super) struct Program {
    procedures: Vec<Graph>,
    /// Bytes from which statements are made.
    text: Vec<u8>,
    /// Branches, failures and cells.
    choices: Vec<u8>,
}

/// Programs of one to three procedures.
pub(super) fn programs() -> impl Strategy<Value = Program> {
    let failure = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let procedure = (structured_runs(), prop::collection::vec(failure, 0..3));
    let procedure = procedure.prop_map(|(run, failures)| {
        let mut builder = GraphBuilder::default();
        run.graph.nodes().for_each(|_| _ = builder.node());
        run.graph.edges().for_each(|(_, edge)| _ = builder.edge(edge.from, edge.to, edge.kind));
        let blocks: Vec<Node> = run.graph.nodes().filter(|&node| node != run.graph.exit()).collect();
        let pairs: BTreeSet<(Node, Node)> =
            failures.iter().map(|(from, to)| (*from.get(&blocks), *to.get(&blocks))).collect();
        pairs.iter().for_each(|&(from, to)| _ = builder.edge(from, to, EdgeKind::Failure));
        builder.finish(run.graph.entry(), run.graph.exit(), ExitKind::Synthetic).unwrap()
    });
    let bytes = |most| prop::collection::vec(any::<u8>(), 1..most);
    (prop::collection::vec(procedure, 1..4), bytes(64), bytes(300)).prop_map(|(procedures, text, choices)| Program {
        procedures,
        text,
        choices,
    })
}

/// A part of an event: a definition, or its decision.
pub(super) type Unit = (usize, Option<u32>);

/// Execution of a statement.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) activation: ActivationId,
    pub(super) point: Point,
    pub(super) statement: StatementId,
    /// For each location that the statement could use, who set it last.
    pub(super) reaching: BTreeMap<Location, Option<Unit>>,
    /// The event that decided on this one.
    pub(super) control: Option<usize>,
    cells: [u64; 2],
}

/// An execution and its dependences.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) execution: Execution,
    pub(super) events: Vec<Event>,
    cells: BTreeMap<(ActivationId, Point), [u64; 2]>,
}

impl Cells for Run {
    fn cell(&self, instance: Instance, operand: u32) -> Option<u64> {
        Some(self.cells[&(instance.activation, instance.point)][operand as usize])
    }
}

impl Event {
    fn text<'a>(&self, execution: &'a Execution) -> &'a Statement {
        let blocks = &execution.procedures[self.statement.procedure].blocks;
        &blocks[self.statement.block][self.statement.index as usize]
    }

    pub(super) fn uses<'a>(&self, execution: &'a Execution, part: Option<u32>) -> &'a [Location] {
        let text = self.text(execution);
        part.map_or(&text.decides_on, |number| &text.definitions[number as usize].uses)
    }

    pub(super) fn parts(&self, execution: &Execution) -> impl Iterator<Item = Option<u32>> {
        (0..self.text(execution).definitions.len() as u32).map(Some).chain([None])
    }
}

fn location(byte: u8) -> Location {
    match byte % 9 {
        0..4 => Location::Local(LocalId::from_u32(u32::from(byte % 9))),
        4 | 5 => Location::Global(GlobalId::from_u32(u32::from(byte % 2))),
        other => Location::Cell { class: CellClass::from_u32(u32::from(other == 6)), operand: u32::from(byte % 2) },
    }
}

impl Program {
    /// The statements of a procedure: assignments, calls with an argument, and returns before the exit.
    fn procedure(&self, number: usize) -> Procedure {
        let graph = self.procedures[number].clone();
        let mut bytes = self.text.iter().copied().cycle().skip(7 * number);
        let mut next = || bytes.next().unwrap();
        let mut blocks: SecondaryMap<Node, Vec<Statement>> = SecondaryMap::new();
        for block in graph.nodes().filter(|&node| node != graph.exit()) {
            for _ in 0..1 + next() % 3 {
                let (target, uses) = (location(next()), [location(next()), location(next())]);
                let uses = uses[..usize::from(next() % 3)].to_vec();
                let mut statement =
                    Statement { definitions: vec![Definition { target, uses }], decides_on: Vec::new() };
                if next() % 4 == 0 {
                    // A call. Memory aside, its result goes to the target.
                    statement.definitions[0].uses = vec![Location::Result];
                    let argument = Definition { target: Location::Argument(0), uses: vec![location(next())] };
                    statement.definitions.push(argument);
                }
                if next() % 3 == 0 {
                    statement.decides_on.push(location(next()));
                }
                blocks[block].push(statement);
            }
            let last = Statement { definitions: Vec::new(), decides_on: vec![location(next())] };
            blocks[block].push(last);
            if graph.normal_successors(block).any(|edge| graph.is_return(edge)) {
                let returned = Definition { target: Location::Returned, uses: vec![location(next())] };
                blocks[block].last_mut().unwrap().definitions.push(returned);
            }
        }
        Procedure { graph, blocks, parameters: vec![LocalId::from_u32(0)] }
    }

    /// Executes the first procedure until the choices run out, again and again.
    pub(super) fn run(&self) -> Run {
        let mut machine = Interpreter {
            program: self,
            choices: self.choices.iter().copied(),
            execution: Execution::default(),
            traces: Vec::new(),
            events: Vec::new(),
            memory: BTreeMap::new(),
            depth: 0,
        };
        for number in 0..self.procedures.len() {
            machine.execution.procedures.push(self.procedure(number));
        }
        while machine.choices.len() > 0 {
            _ = machine.activate(0, None, None);
        }
        machine.finish()
    }
}

/// The end of an activation: who set the result, or who failed.
enum Ended {
    Returned(Option<Unit>),
    Failed(usize),
}

struct Interpreter<'a> {
    program: &'a Program,
    choices: std::iter::Copied<std::slice::Iter<'a, u8>>,
    execution: Execution,
    traces: Vec<Vec<Node>>,
    events: Vec<Event>,
    memory: BTreeMap<(Location, u64), Unit>,
    depth: usize,
}

/// A decision: the block, the failure edge if it was one, and the event.
type Decision = (Node, Option<Node>, usize);

/// An activation while it runs.
struct Frame {
    id: ActivationId,
    number: usize,
    call: Option<usize>,
    locals: BTreeMap<Location, Unit>,
    decisions: Vec<Decision>,
    returned: Option<Unit>,
}

impl Interpreter<'_> {
    fn activate(&mut self, number: usize, call: Option<usize>, argument: Option<Unit>) -> Ended {
        let caller = call.map(|event| (self.events[event].activation, self.events[event].point));
        // The trace is known when all is over, and until then points are steps.
        let (procedure, trace) = (ProcedureId::from_u32(number as u32), TraceId::from_u32(0));
        let id = self.execution.activations.push(Activation { procedure, trace, caller, failures: Vec::new() });
        self.traces.push(Vec::new());
        let locals = argument.into_iter().map(|unit| (Location::Local(LocalId::from_u32(0)), unit)).collect();
        let mut frame = Frame { id, number, call, locals, decisions: Vec::new(), returned: None };
        let mut block = self.program.procedures[number].entry();
        loop {
            self.traces[id.index()].push(block);
            block = match self.block(&mut frame, block) {
                Ok(Some(next)) => next,
                Ok(None) => return Ended::Returned(frame.returned),
                Err(event) => return Ended::Failed(event),
            };
        }
    }

    /// Executes a block. Returns the next one, nothing behind a return, or the event of an uncaught failure.
    fn block(&mut self, frame: &mut Frame, block: Node) -> Result<Option<Node>, usize> {
        let graph = &self.program.procedures[frame.number];
        let procedure = ProcedureId::from_u32(frame.number as u32);
        let time = self.traces[frame.id.index()].len() as u64;
        let decided = frame.decisions.iter().rev().find(|decision| decides(graph, decision, block));
        let control = decided.map(|decision| decision.2).or(frame.call);
        let statements = self.execution.procedures[procedure].blocks[block].clone();
        for (index, statement) in (0..).zip(&statements) {
            let at = StatementId { procedure, block, index };
            let event = self.event(frame, at, Point::at(time, index), control);
            if let Err(failed) = self.execute(frame, statement, event) {
                self.execution.activations[frame.id].failures.push(Point::at(time, index));
                let caught = graph.successors(block).iter().map(|&edge| graph.edge(edge));
                let mut caught = caught.filter(|edge| edge.kind == EdgeKind::Failure).map(|edge| edge.to);
                let target = caught.next().filter(|_| self.choices.len() > 0).ok_or(failed)?;
                // The innermost statement that failed decides, on behalf of its callers.
                frame.decisions.push((block, Some(target), failed));
                return Ok(Some(target));
            }
        }
        let branch = self.events.iter().rposition(|event| event.activation == frame.id).unwrap();
        frame.decisions.push((block, None, branch));
        let ways: Vec<Node> = graph.normal_successors(block).map(|edge| graph.edge(edge).to).collect();
        let next = ways[usize::from(self.choices.next().unwrap_or(0)) % ways.len()];
        Ok((next != graph.exit()).then_some(next))
    }

    /// Records a statement before it is executed.
    fn event(&mut self, frame: &Frame, statement: StatementId, point: Point, control: Option<usize>) -> usize {
        let byte = u64::from(self.choices.next().unwrap_or(0));
        let cells = [byte % 3, byte / 3 % 3];
        let mut reaching: BTreeMap<Location, Option<Unit>> = BTreeMap::new();
        for at in (0..=u8::MAX).map(location) {
            let unit = match at {
                Location::Local(_) => frame.locals.get(&at),
                _ => self.memory.get(&cell(at, cells)),
            };
            reaching.insert(at, unit.copied());
        }
        reaching.insert(Location::Result, None);
        self.events.push(Event { activation: frame.id, point, statement, reaching, control, cells });
        self.events.len() - 1
    }

    /// Executes a statement. Fails with the event of the innermost statement that failed.
    fn execute(&mut self, frame: &mut Frame, statement: &Statement, event: usize) -> Result<(), usize> {
        let call = statement.definitions.iter().position(|it| it.target == Location::Argument(0));
        if let Some(argument) = call.filter(|_| self.depth < CALLS_DEEP && self.choices.len() > 0) {
            let callee = usize::from(self.choices.next().unwrap()) % self.program.procedures.len();
            self.depth += 1;
            let ended = self.activate(callee, Some(event), Some((event, Some(argument as u32))));
            self.depth -= 1;
            match ended {
                Ended::Returned(unit) => _ = self.events[event].reaching.insert(Location::Result, unit),
                Ended::Failed(innermost) => return Err(innermost),
            }
        }
        if self.choices.next().is_none_or(|choice| choice % 16 == 5) {
            return Err(event);
        }
        for (number, definition) in (0..).zip(&statement.definitions) {
            let unit = (event, Some(number));
            match definition.target {
                Location::Local(_) => _ = frame.locals.insert(definition.target, unit),
                Location::Returned => frame.returned = Some(unit),
                Location::Argument(_) => {}
                target => _ = self.memory.insert(cell(target, self.events[event].cells), unit),
            }
        }
        Ok(())
    }

    /// Turns steps into points of traces of dynamic basic blocks; activations that followed the same blocks share a trace.
    fn finish(mut self) -> Run {
        let mut known: BTreeMap<(ProcedureId, Vec<Node>), TraceId> = BTreeMap::new();
        let mut points: Vec<Vec<(u64, u32)>> = Vec::new();
        for (id, blocks) in self.traces.iter().enumerate() {
            let entries = dynamic_blocks(blocks);
            let positions =
                (1..).zip(&entries).flat_map(|(time, entry)| (0..entry.len() as u32).map(move |at| (time, at)));
            points.push(positions.collect());
            let activation = &mut self.execution.activations[ActivationId::from_u32(id as u32)];
            let traces = &mut self.execution.traces;
            let trace =
                known.entry((activation.procedure, blocks.clone())).or_insert_with(|| traces.push(graph_of(&entries)));
            activation.trace = *trace;
        }
        let place = |id: ActivationId, point: &mut Point| {
            (point.time, point.offset) = points[id.index()][point.time as usize - 1];
        };
        for (id, activation) in self.execution.activations.iter_mut() {
            activation.failures.iter_mut().for_each(|failure| place(id, failure));
            if let Some((caller, point)) = &mut activation.caller {
                place(*caller, point);
            }
        }
        self.events.iter_mut().for_each(|event| place(event.activation, &mut event.point));
        let cells = self.events.iter().map(|event| ((event.activation, event.point), event.cells)).collect();
        Run { execution: self.execution, events: self.events, cells }
    }
}

/// The cell of a location in memory.
fn cell(location: Location, cells: [u64; 2]) -> (Location, u64) {
    match location {
        Location::Cell { class, operand } => (Location::Cell { class, operand: 0 }, cells[operand as usize]),
        other => (other, 0),
    }
}

/// [FOW87], by definition: some edge of the decision leads to where `block` is certain, and before the decision it was not. What only failures
/// lead to, through a handler, is not certain before.
fn decides(graph: &Graph, &(from, failure, _): &Decision, block: Node) -> bool {
    let is_behind_handler = failure.is_some_and(|handler| !is_reached_without(graph, handler, block));
    let was_certain = block != from && post_dominates(graph, block, from) && !is_behind_handler;
    let normal = || graph.normal_successors(from).map(|edge| graph.edge(edge).to).collect::<Vec<_>>();
    let targets = failure.map_or_else(normal, |to| vec![to]);
    !was_certain && targets.into_iter().any(|to| post_dominates(graph, block, to))
}

/// Some way from the entry leads to a block without a failure that a handler catches.
fn is_reached_without(graph: &Graph, handler: Node, block: Node) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![graph.entry()]);
    while let Some(node) = pending.pop() {
        if seen.insert(node) {
            let edges = graph.successors(node).iter().map(|&edge| graph.edge(edge));
            pending
                .extend(edges.filter(|edge| edge.kind == EdgeKind::Normal || edge.to != handler).map(|edge| edge.to));
        }
    }
    seen.contains(&block)
}

/// Every way from `below` to the exit, without failures, passes `above`.
fn post_dominates(graph: &Graph, above: Node, below: Node) -> bool {
    let (mut seen, mut pending) = (BTreeSet::from([above]), vec![below]);
    while let Some(node) = pending.pop() {
        if seen.insert(node) {
            pending.extend(graph.normal_successors(node).map(|edge| graph.edge(edge).to));
        }
    }
    !seen.contains(&graph.exit()) || above == graph.exit()
}
