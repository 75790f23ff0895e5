//! Loads of a line whose value the run had in hand, whichever activation it came from.
//!
//! In: a line, maybe with a variable, and a run that is executed again. Out: a [`FactAnswer`]: how often an earlier load or store of the same address
//! had given the value, and the lines of those accesses. Invariant: memory and time are those of one execution in the interpreter, however many calls
//! the run has.

use super::answer::loads_of_line;
use super::{FactAnswer, FactPart, FactQuestion};
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::{LoadCounts, RecordedPath, Rerun, Site, count_loads};
use crate::trace::facts::place::{PlaceError, SourceLine, SourceProgram, function_of};
use holloway_jit::graph_of::block_of;
use holloway_lang::ir::{Elem, Inst};
use holloway_lang::source::Span;
use std::collections::BTreeMap;

/// Answers how often the loads of a line had their value in hand.
pub fn loads_in_hand<'a>(
    program: SourceProgram<'_>,
    (rerun, recorded): (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    question: FactQuestion<'_>,
) -> Result<FactAnswer, AnswerError> {
    let statements = loads_of_line(program, question).map_err(AnswerError::Place)?;
    let site = |statement: &holloway_profiler::wpp::slice::StatementId| {
        (function_of(statement.procedure), block_of(statement.block), statement.index as usize)
    };
    let sites: Vec<Site> = statements.iter().map(site).collect();
    let counts = count_loads(rerun, recorded, &sites).map_err(AnswerError::Execution)?;
    let is_string = |(func, block, at): &Site| {
        let inst = &program.module.function(*func).blocks[*block].insts[*at];
        matches!(inst, Inst::ElemGet { elem: Elem::Char, .. })
    };
    let is_exact = !counts.keys().any(is_string);
    told(program, counts, is_exact)
}

/// What the executions of a line's statements say, together and one by one.
pub(super) fn told(
    program: SourceProgram<'_>,
    counts: BTreeMap<Site, LoadCounts>,
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
