//! Answers made of counts.
//!
//! In: the executions of each statement of a line, with those at which a fact held and the statements that made it hold.
//! Out: a [`FactAnswer`]. Invariant: a line of which nothing was executed has no answer.

use super::{FactAnswer, FactPart};
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::ValueCounts;
use crate::trace::facts::place::{PlaceError, Site, SourceLine, SourceProgram};
use holloway_lang::source::Span;
use std::collections::BTreeMap;

/// The answer about the statements of a line, together and one by one.
pub(super) fn counted(
    program: SourceProgram<'_>,
    counts: BTreeMap<Site, ValueCounts>,
    is_exact: bool,
) -> Result<FactAnswer, AnswerError> {
    let mut answer = FactAnswer { is_exact, ..FactAnswer::default() };
    let mut sources: BTreeMap<SourceLine, u64> = BTreeMap::new();
    let mut parts: BTreeMap<Span, FactPart> = BTreeMap::new();
    let span_of = |(func, block, at): Site| program.module.function(func).blocks[block].spans[at];
    for (site, found) in counts {
        let (span, holds) = (span_of(site), found.holds());
        let part = parts.entry(span).or_insert(FactPart { span, executions: 0, holds: 0 });
        part.executions += found.executions;
        part.holds += holds;
        answer.executions += found.executions;
        answer.holds += holds;
        for (before, times) in found.from {
            *sources.entry(program.line_of(span_of(before))).or_default() += times;
        }
    }
    if answer.executions == 0 {
        return Err(AnswerError::Place(PlaceError::NotExecuted));
    }
    answer.parts = parts.into_values().collect();
    answer.sources = sources.into_iter().collect();
    Ok(answer)
}
