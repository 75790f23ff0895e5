//! Slices by approach 3 of runs of any length.
//!
//! In: a program whose run is executed again, and a question. Out: the slice that [`slice`](super::slice) gives. Invariant: nothing is
//! kept of the path. Sets of dependences grow with what the run does for the first time, up to a limit; above it there is no slice.

use super::source_slice::{SliceQuestion, SourceSlice, lines_of, variable_of_statement};
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::{RecordedPath, Rerun, ValueQuestion, watch_value};
use crate::trace::facts::place::{PlaceError, SourceProgram};
use crate::trace::facts::statements::procedures;
use crate::trace::settings::MOST_NODES;

/// The slice of a value, by the dependences between executions of statements.
pub fn slice_forward<'a>(
    program: SourceProgram<'_>,
    run: (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    question: SliceQuestion<'_>,
) -> Result<SourceSlice, AnswerError> {
    slice_within(MOST_NODES, program, run, question)
}

/// The same, where sets of dependences may have so many nodes.
fn slice_within<'a>(
    most_nodes: usize,
    program: SourceProgram<'_>,
    (rerun, recorded): (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    question: SliceQuestion<'_>,
) -> Result<SourceSlice, AnswerError> {
    let procedures = procedures(program.module);
    let variable = |statement| variable_of_statement(program, statement, question.variable);
    let asked = ValueQuestion::new(program, question.at, question.occurrence, variable).map_err(AnswerError::Place)?;
    let found = watch_value(rerun, recorded, &procedures, (asked, most_nodes)).map_err(AnswerError::Execution)?;
    let slice = match (found.slice, found.executions) {
        (Some(slice), _) => slice.map_err(AnswerError::Place)?,
        (None, 0) => return Err(AnswerError::Place(PlaceError::NotExecuted)),
        (None, executions) => return Err(AnswerError::Place(PlaceError::FewerExecutions { executions })),
    };
    let lines = lines_of(program, &slice, question.variable);
    let is_unset = slice.statements.is_empty();
    Ok(SourceSlice { lines, executions: found.executions, queries: 0, is_unset })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::execution::ExecutionError;
    use crate::trace::facts::place::SourceLine;
    use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
    use holloway_lang::source::FileId;
    use holloway_profiler::wpp::slice::Approach;
    use holloway_runtime::{Runtime, RuntimeConfig, Sink};
    use std::sync::Arc;

    /// A run of a few blocks, whose sets are looked at when it ends.
    #[test]
    fn too_many_dependences_are_refused_however_short_the_run_is() {
        let mut session = Session::new(SessionKind::Program);
        let input = Input { name: "program.hw", key: None, bytes: b"let a = 3\nlet b = a + 1\nprint(b)\n" };
        session.add(input, &mut NoFiles).expect("it compiles");
        let program = SourceProgram { module: session.module(), sources: session.sources(), variables: None };
        let at = SourceLine { file: FileId::from_u32(0), line: 3 };
        let question = SliceQuestion { at, variable: "b", occurrence: None, approach: Approach::Instances };
        let slice = |most_nodes| {
            let config = RuntimeConfig { sink: Sink::Captured(Vec::new()), ..RuntimeConfig::default() };
            let mut runtime = Runtime::new(Arc::clone(session.module()), config).expect("memory");
            slice_within(most_nodes, program, (&mut runtime, None), question)
        };
        assert_eq!(slice(3), Err(AnswerError::Execution(ExecutionError::TooLarge)));
        assert_eq!(slice(MOST_NODES).map(|slice| slice.executions), Ok(1));
    }
}
