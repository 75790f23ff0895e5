//! Slices by approach 3 of runs of any length.
//!
//! In: a program whose run is executed again, and a question. Out: the slice that [`slice`](super::slice) gives. Invariant: memory does not grow with the length
//! of the run.

use super::source_slice::{SliceQuestion, SourceSlice, lines_of, location_of};
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::{RecordedPath, ValueQuestion, watch_value};
use crate::trace::facts::place::{PlaceError, SourceProgram};
use crate::trace::facts::statements::procedures;
use holloway_runtime::Runtime;

/// The slice of a value, by the dependences between executions of statements.
pub fn slice_forward(
    program: SourceProgram<'_>,
    (runtime, recorded): (&mut Runtime, Option<RecordedPath<'_>>),
    question: SliceQuestion<'_>,
) -> Result<SourceSlice, AnswerError> {
    let procedures = procedures(program.module);
    let location = |statement| location_of(program, statement, question.variable);
    let asked = ValueQuestion::new(program, question.at, question.occurrence, location).map_err(AnswerError::Place)?;
    let found = watch_value(runtime, recorded, &procedures, asked).map_err(AnswerError::Execution)?;
    let slice = match (found.slice, found.executions) {
        (Some(slice), _) => slice.map_err(AnswerError::Place)?,
        (None, 0) => return Err(AnswerError::Place(PlaceError::NotExecuted)),
        (None, executions) => return Err(AnswerError::Place(PlaceError::FewerExecutions { executions })),
    };
    let lines = lines_of(program, &slice, question.variable);
    let is_unset = slice.statements.is_empty();
    Ok(SourceSlice { lines, executions: found.executions, queries: 0, is_unset })
}
