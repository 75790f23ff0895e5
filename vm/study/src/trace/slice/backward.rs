//! Slices of an execution that was kept.
//!
//! In: a program with its execution, and a question. Out: the slice. Invariant: none changes the execution.

use super::source_slice::{SliceQuestion, SourceSlice, lines_of, location_of};
use crate::trace::execution::{MemoryAccesses, ProgramExecution};
use crate::trace::facts::place::{PlaceError, SourceProgram, executions_of};
use holloway_profiler::wpp::slice::{Criterion, Slicer};

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
    slicer: &mut Slicer<'e, MemoryAccesses>,
    program: SourceProgram<'_>,
    run: &'e ProgramExecution,
    question: SliceQuestion<'_>,
) -> Result<SourceSlice, PlaceError> {
    let executions = executions_of(program, run, question.at)?;
    let count = executions.len() as u64;
    let nth = question.occurrence.unwrap_or(count);
    let start = *usize::try_from(nth)
        .ok()
        .and_then(|nth| executions.get(nth.checked_sub(1)?))
        .ok_or(PlaceError::FewerExecutions { executions: count })?;
    let (activation, point) = (start.activation, start.point());
    let instance = run.execution.instance(activation, point).expect("the point was executed");
    let location = location_of(program, run.execution.statement_of(instance), question.variable)?;
    let criterion = Criterion { activation, point, location };
    let slice = slicer.slice(criterion, question.approach).expect("the point was executed");
    let lines = lines_of(program, &slice, question.variable);
    Ok(SourceSlice { lines, executions: count, queries: slice.queries, is_unset: slice.statements.is_empty() })
}
