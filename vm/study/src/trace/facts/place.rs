//! Lines of the source, and their executions.
//!
//! In: a program with its sources, an execution, a line. Out: the points of the execution at which control comes to the line.
//!
//! One execution of a line is a stretch of statements on it that nothing of another line interrupts, and that executes no statement twice. So
//! the header of a loop is executed once for each test; the step and the test of a `for` are one execution. Activations are apart: what a
//! call executes does not interrupt the caller's line. Jumps are on no line.

use super::statements::statement_of_terminator;
use crate::trace::execution::{ExecutionOrder, ProgramExecution};
use cranelift_entity::{EntityRef, SecondaryMap};
use holloway::internals::Variables;
use holloway_jit::graph_of::{block_of, node_of};
use holloway_lang::ir::{Block, FuncRef, Module, Terminator};
use holloway_lang::source::{FileId, SourceMap, Span};
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use holloway_profiler::wpp::slice::{ActivationId, Point, ProcedureId, StatementId, TraceId};
use std::collections::BTreeMap;
use std::fmt;

/// A line of a source file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
}

/// A program with its sources.
#[derive(Clone, Copy)]
pub struct SourceProgram<'a> {
    /// The program.
    pub module: &'a Module,
    /// The sources that it was compiled from.
    pub sources: &'a SourceMap,
    /// The variables that debug information names, of a module.
    pub variables: Option<&'a Variables>,
}

/// Reasons for which a question names nothing of the execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// No statement is on the line.
    NoStatement,
    /// The line was never executed.
    NotExecuted,
    /// The line was executed less often than asked for.
    FewerExecutions {
        /// Number of its executions.
        executions: u64,
    },
    /// No variable of that name can be read on the line.
    NoVariable {
        /// The name.
        name: String,
        /// Those that can be read there.
        known: Vec<String>,
    },
    /// Debug information knows the variable, and has no place for it where the line begins.
    Nowhere {
        /// The name.
        name: String,
    },
    /// The variable is in the linear memory, where the question does not follow it.
    InMemory {
        /// The name.
        name: String,
    },
    /// Definitions are those of a variable, and none was named.
    VariableMissing,
    /// The line has nothing that the question is about: no load, no operation, no use of a variable.
    NothingToAsk,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceError::NoStatement => write!(f, "no statement is on this line"),
            PlaceError::NotExecuted => write!(f, "this line was never executed"),
            PlaceError::FewerExecutions { executions: 1 } => write!(f, "this line was executed once"),
            PlaceError::FewerExecutions { executions } => write!(f, "this line was executed {executions} times"),
            PlaceError::NoVariable { name, known } if known.is_empty() => {
                write!(f, "there is no variable `{name}` on this line")
            }
            PlaceError::NoVariable { name, known } => {
                write!(f, "there is no variable `{name}` on this line; there are `{}`", known.join("`, `"))
            }
            PlaceError::Nowhere { name } => {
                write!(
                    f,
                    "the debug information does not say where `{name}` is on this line; compile with -O0, or ask for a local of the module, such as `local3`"
                )
            }
            PlaceError::InMemory { name } => {
                write!(f, "`{name}` is in memory: slices by approach 3 follow it there, and nothing else does")
            }
            PlaceError::VariableMissing => write!(f, "definitions are those of a variable: name it with --var"),
            PlaceError::NothingToAsk => write!(f, "this line has nothing that the question is about"),
        }
    }
}

impl std::error::Error for PlaceError {}

impl SourceProgram<'_> {
    /// The line at which a span starts.
    pub fn line_of(self, span: Span) -> SourceLine {
        SourceLine { file: span.file, line: self.sources.file(span.file).line(span.start) }
    }

    /// The span of a statement; `None` for a jump.
    pub fn span_of(self, statement: StatementId) -> Option<Span> {
        let body = self.module.function(function_of(statement.procedure));
        let data = &body.blocks[block_of(statement.block)];
        match data.spans.get(statement.index as usize) {
            Some(span) => Some(*span),
            None if matches!(data.term, Terminator::Jump(_)) => None,
            None => Some(data.term_span),
        }
    }

    /// The line of a statement.
    pub fn line_of_statement(self, statement: StatementId) -> Option<SourceLine> {
        self.span_of(statement).map(|span| self.line_of(span))
    }

    /// The statements on a line.
    pub fn statements_at(self, at: SourceLine) -> Vec<StatementId> {
        let mut found = Vec::new();
        for (func, decl) in &self.module.funcs {
            for (block, data) in decl.body.blocks.iter() {
                let (procedure, block) = (ProcedureId::new(func.index()), node_of(block));
                let all = (0..=statement_of_terminator(data)).map(|index| StatementId { procedure, block, index });
                found.extend(all.filter(|statement| self.line_of_statement(*statement) == Some(at)));
            }
        }
        found
    }
}

/// The function of a procedure.
pub fn function_of(procedure: ProcedureId) -> FuncRef {
    FuncRef::new(procedure.index())
}

/// A statement that is an instruction: the function, the block, and the position there.
pub type Site = (FuncRef, Block, usize);

/// The site of a statement.
pub fn site_of(statement: StatementId) -> Site {
    (function_of(statement.procedure), block_of(statement.block), statement.index as usize)
}

/// A point at which control comes to a line, in 12 bytes: a line may be executed as often as a run has blocks, of which
/// fewer than 2^32 are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStart {
    /// The activation.
    pub activation: ActivationId,
    time: u32,
    statement: u32,
}

impl LineStart {
    fn new(activation: ActivationId, point: Point) -> LineStart {
        let time = u32::try_from(point.time).expect("no more blocks are kept");
        LineStart { activation, time, statement: point.statement }
    }

    /// The position in the activation.
    pub fn point(self) -> Point {
        Point::at(u64::from(self.time), self.statement)
    }
}

/// The points at which control comes to a line, in order of execution.
pub fn executions_of(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    at: SourceLine,
) -> Result<Vec<LineStart>, PlaceError> {
    let by_procedure = blocks_of_line(program, at)?;
    let mut found = Vec::new();
    // Activations along one path trace come to the line alike; where it does is forgotten behind the last of them.
    let mut of_trace: BTreeMap<TraceId, Vec<Point>> = BTreeMap::new();
    let mut left: SecondaryMap<TraceId, u32> = SecondaryMap::new();
    run.execution.activations.values().for_each(|activation| left[activation.trace] += 1);
    for (id, activation) in &run.execution.activations {
        left[activation.trace] -= 1;
        let Some(blocks) = by_procedure.get(&activation.procedure) else { continue };
        let (procedure, trace) = (activation.procedure, run.execution.trace_of(id));
        let starts = of_trace.entry(activation.trace).or_insert_with(|| {
            let line = LineOfProcedure { program, procedure, blocks };
            Visits { line, trace }.starts()
        });
        let reached = |point: &Point| {
            let same_block = |failure: &&Point| failure.time == point.time;
            activation.failures.iter().find(same_block).is_none_or(|failure| point.statement <= failure.statement)
        };
        found.extend(starts.iter().copied().filter(reached).map(|point| LineStart::new(id, point)));
        if left[activation.trace] == 0 {
            of_trace.remove(&activation.trace);
        }
    }
    let order = ExecutionOrder::new(&run.execution);
    // They are nearly in order; keys of all would take more room than they do.
    found.sort_by_key(|start| order.moment(start.activation, start.point()));
    if found.is_empty() { Err(PlaceError::NotExecuted) } else { Ok(found) }
}

/// The indices of the statements of a line in each block of each procedure.
pub(in crate::trace) fn blocks_of_line(
    program: SourceProgram<'_>,
    at: SourceLine,
) -> Result<BTreeMap<ProcedureId, BTreeMap<Node, Vec<u32>>>, PlaceError> {
    let mut by_procedure: BTreeMap<ProcedureId, BTreeMap<Node, Vec<u32>>> = BTreeMap::new();
    for statement in program.statements_at(at) {
        let blocks = by_procedure.entry(statement.procedure).or_default();
        blocks.entry(statement.block).or_default().push(statement.index);
    }
    if by_procedure.is_empty() { Err(PlaceError::NoStatement) } else { Ok(by_procedure) }
}

/// The statements of a line in one procedure.
#[derive(Clone, Copy)]
pub(in crate::trace) struct LineOfProcedure<'a> {
    pub(in crate::trace) program: SourceProgram<'a>,
    pub(in crate::trace) procedure: ProcedureId,
    /// The indices of the statements in each block.
    pub(in crate::trace) blocks: &'a BTreeMap<Node, Vec<u32>>,
}

/// The statements of a line along one path trace.
struct Visits<'a> {
    line: LineOfProcedure<'a>,
    trace: &'a DynamicGraph,
}

/// Successive statements of a line in one block.
pub(in crate::trace) struct Segment {
    pub(in crate::trace) first: u32,
    last: u32,
    /// Nothing but statements on no line is before it in the block.
    pub(in crate::trace) begins_block: bool,
    /// Nothing but statements on no line is behind it.
    pub(in crate::trace) ends_block: bool,
}

/// The execution of a line that control is in, in one activation.
#[derive(Default)]
pub(in crate::trace) struct LineExecution {
    /// The first statements of its segments.
    done: Vec<(Node, u32)>,
    /// True iff it goes on if the line does in the next block.
    is_open: bool,
}

impl LineExecution {
    /// Control comes to a segment. True iff another execution of the line begins with it.
    pub(in crate::trace) fn begins_with(&mut self, block: Node, segment: &Segment) -> bool {
        let here = (block, segment.first);
        let goes_on = segment.begins_block && self.is_open && !self.done.contains(&here);
        if !goes_on {
            self.done.clear();
        }
        self.done.push(here);
        self.is_open = segment.ends_block;
        !goes_on
    }

    /// Control goes through blocks without segments, which the execution survives if all their statements are on no line.
    pub(in crate::trace) fn pass(&mut self, are_neutral: impl FnOnce() -> bool) {
        self.is_open = self.is_open && are_neutral();
    }
}

impl Visits<'_> {
    /// The first point of each execution of the line.
    fn starts(&self) -> Vec<Point> {
        let segments: BTreeMap<Node, Vec<Segment>> =
            self.line.blocks.keys().map(|block| (*block, self.line.segments(*block))).collect();
        let mut times: Vec<(u64, Node)> = Vec::new();
        for block in self.line.blocks.keys() {
            if let Some((node, _)) = self.trace.home(*block) {
                times.extend(self.trace.times(node).iter().map(|time| (time, *block)));
            }
        }
        times.sort_unstable();
        let mut starts = Vec::new();
        let (mut execution, mut before) = (LineExecution::default(), 0);
        for (time, block) in times {
            execution.pass(|| self.is_neutral_between(before, time));
            for segment in &segments[&block] {
                if execution.begins_with(block, segment) {
                    starts.push(Point::at(time, segment.first));
                }
            }
            before = time;
        }
        starts
    }

    /// Returns whether only jumps are executed between two steps.
    fn is_neutral_between(&self, before: u64, behind: u64) -> bool {
        (before + 1..behind).all(|time| {
            let block = self.trace.block_at(time, 0);
            block.is_some_and(|block| self.line.is_neutral(block))
        })
    }
}

impl LineOfProcedure<'_> {
    /// The statements of the line in a block, those apart that others stand between.
    pub(in crate::trace) fn segments(&self, block: Node) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for &index in &self.blocks[&block] {
            match segments.last_mut() {
                Some(segment) if segment.last + 1 == index => segment.last = index,
                _ => segments.push(Segment { first: index, last: index, begins_block: false, ends_block: false }),
            }
        }
        for segment in &mut segments {
            segment.begins_block = self.is_first(block, segment.first);
            segment.ends_block = self.is_last(block, segment.last);
        }
        segments
    }

    fn is_on_no_line(&self, block: Node, index: u32) -> bool {
        let statement = StatementId { procedure: self.procedure, block, index };
        self.program.span_of(statement).is_none()
    }

    fn is_first(&self, block: Node, index: u32) -> bool {
        (0..index).all(|before| self.is_on_no_line(block, before))
    }

    fn is_last(&self, block: Node, index: u32) -> bool {
        (index + 1..=self.end_of(block)).all(|behind| self.is_on_no_line(block, behind))
    }

    fn end_of(&self, block: Node) -> u32 {
        let body = self.program.module.function(function_of(self.procedure));
        statement_of_terminator(&body.blocks[block_of(block)])
    }

    /// True iff all statements of a block are on no line.
    pub(in crate::trace) fn is_neutral(&self, block: Node) -> bool {
        (0..=self.end_of(block)).all(|index| self.is_on_no_line(block, index))
    }
}
