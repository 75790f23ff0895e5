//! Dynamic slices in terms of the source.
//!
//! In: a program with its execution, and a [`SliceQuestion`]: the value of a variable just before an execution of a line. Out: a
//! [`SourceSlice`]: the lines that had an effect on it, each with the reasons.
//!
//! The three approaches are those of [AH90], computed as in [ZG01 4.3.2] by `holloway_profiler::wpp::slice`. A line is in a slice if one of
//! its statements is. The line of the question is not, unless a dependence leads there.

mod reasons;

use super::execution::ProgramExecution;
use super::facts::locations;
use super::facts::names::{Variable, VisibleNames};
use super::facts::place::{PlaceError, SourceLine, SourceProgram, executions_of, function_of};
use holloway_profiler::wpp::slice::{ActivationId, Approach, Criterion, Point, Slice, Slicer, StatementId};
use reasons::Reasons;
use std::collections::BTreeMap;

/// A question for a slice.
#[derive(Clone, Copy, Debug)]
pub struct SliceQuestion<'a> {
    /// The line.
    pub at: SourceLine,
    /// The variable, by its name on that line.
    pub variable: &'a str,
    /// The execution of the line, from 1; the last if left out.
    pub occurrence: Option<u64>,
    /// The approach of [AH90].
    pub approach: Approach,
}

/// A line of a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceLine {
    /// The line.
    pub at: SourceLine,
    /// Reasons for which it is in the slice, as sentences.
    pub why: Vec<String>,
}

/// The lines on which a value depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceSlice {
    /// The lines, in order.
    pub lines: Vec<SliceLine>,
    /// Number of executions of the line of the question.
    pub executions: u64,
    /// Number of queries that were asked.
    pub queries: u64,
    /// True if nothing had set the variable.
    pub is_unset: bool,
}

/// The slice of a value.
pub fn slice(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    question: SliceQuestion<'_>,
) -> Result<SourceSlice, PlaceError> {
    let mut slicer = Slicer::new(&run.execution, &run.memory);
    slice_with(&mut slicer, program, run, question)
}

/// The slice of a value, with the dependences that earlier slices of the same execution have found.
pub fn slice_with<'e>(
    slicer: &mut Slicer<'e, super::execution::MemoryAccesses>,
    program: SourceProgram<'_>,
    run: &'e ProgramExecution,
    question: SliceQuestion<'_>,
) -> Result<SourceSlice, PlaceError> {
    let executions = executions_of(program, run, question.at)?;
    let count = executions.len() as u64;
    let nth = question.occurrence.unwrap_or(count);
    let (activation, point) = *usize::try_from(nth)
        .ok()
        .and_then(|nth| executions.get(nth.checked_sub(1)?))
        .ok_or(PlaceError::FewerExecutions { executions: count })?;
    let variable = variable_at(program, run, (activation, point), question.variable)?;
    let location = match variable {
        Variable::Local(local) => locations::local(local),
        Variable::Global(global) => locations::global(global),
    };
    let criterion = Criterion { activation, point, location };
    let slice = slicer.slice(criterion, question.approach).expect("the point was executed");
    let lines = lines_of(program, &slice, question.variable);
    Ok(SourceSlice { lines, executions: count, queries: slice.queries, is_unset: slice.statements.is_empty() })
}

/// The variable that a name means before a point.
fn variable_at(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    (activation, point): (ActivationId, Point),
    name: &str,
) -> Result<Variable, PlaceError> {
    let instance = run.execution.instance(activation, point).expect("the point was executed");
    let statement = run.execution.statement_of(instance);
    variable_of_statement(program, statement, name)
}

/// The variable that a name means before a statement.
pub fn variable_of_statement(
    program: SourceProgram<'_>,
    statement: StatementId,
    name: &str,
) -> Result<Variable, PlaceError> {
    let names = VisibleNames::new(program.module, program.sources, function_of(statement.procedure));
    let offset = program.span_of(statement).expect("a statement on a line has a span").start;
    let unknown = || PlaceError::NoVariable { name: name.to_owned(), known: names.names(offset) };
    names.find(name, offset).ok_or_else(unknown)
}

fn lines_of(program: SourceProgram<'_>, slice: &Slice, variable: &str) -> Vec<SliceLine> {
    let mut lines: BTreeMap<SourceLine, Reasons> = BTreeMap::new();
    for (statement, reasons) in &slice.statements {
        let Some(at) = program.line_of_statement(*statement) else { continue };
        let of_line = lines.entry(at).or_default();
        reasons.iter().for_each(|reason| of_line.add(program, variable, (*statement, at), *reason));
    }
    lines.into_iter().map(|(at, reasons)| SliceLine { at, why: reasons.sentences() }).collect()
}
