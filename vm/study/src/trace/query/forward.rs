//! Facts of runs of any length: the run is executed again, and what it has computed and set is kept, in place of its
//! path.
//!
//! In: a program whose run is executed again, and a question. Out: the [`FactAnswer`] that [`query`](super::query)
//! gives, but for the number of queries, as none are made; sources are those of callees, too.
//! Invariant: memory is that of one execution in the interpreter, with a few numbers for each object and activation.

use super::answer::{expressions, meant_definition};
use super::counted::counted;
use super::{Fact, FactAnswer, FactQuestion};
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::{RecordedPath, Rerun, ValueCounts, count_available, watch_definitions};
use crate::trace::facts::asked_expressions::AskedExpressions;
use crate::trace::facts::place::{PlaceError, Site, SourceLine, SourceProgram, site_of};
use std::collections::{BTreeMap, BTreeSet};

/// Answers a question about a fact.
pub fn query_forward<'a>(
    program: SourceProgram<'_>,
    run: (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    question: FactQuestion<'_>,
) -> Result<FactAnswer, AnswerError> {
    match question.fact {
        Fact::Definition => definitions(program, run, question),
        Fact::Load | Fact::Expression => {
            let found = expressions(program, question).map_err(AnswerError::Place)?;
            let sites: BTreeSet<Site> = found.iter().map(|(statement, _)| site_of(*statement)).collect();
            let asked = AskedExpressions::new(program.module, |site, _| sites.contains(&site));
            let is_exact = found.iter().all(|(_, expression)| !expression.killed_by().is_in_memory());
            let mut counts = count_available(run.0, run.1, &asked).map_err(AnswerError::Execution)?;
            sites.into_iter().for_each(|site| _ = counts.entry(site).or_default());
            counted(program, counts, is_exact)
        }
    }
}

/// Counts the executions of all statements of a kind, and those at which the value was available.
pub(super) fn all_available<'a>(
    program: SourceProgram<'_>,
    (rerun, recorded): (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    fact: Fact,
) -> Result<BTreeMap<Site, ValueCounts>, AnswerError> {
    let asked = AskedExpressions::new(program.module, |_, expression| fact.is_of(expression));
    count_available(rerun, recorded, &asked).map_err(AnswerError::Execution)
}

fn definitions<'a>(
    program: SourceProgram<'_>,
    (rerun, recorded): (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    question: FactQuestion<'_>,
) -> Result<FactAnswer, AnswerError> {
    let name = question.variable.ok_or(AnswerError::Place(PlaceError::VariableMissing))?;
    let variable = |statement| meant_definition(program, statement, name);
    let found = watch_definitions(rerun, recorded, (program, question.at, &variable))?;
    if found.executions == 0 {
        return Err(AnswerError::Place(PlaceError::NotExecuted));
    }
    let mut sources: BTreeMap<SourceLine, u64> = BTreeMap::new();
    for ((func, block, at), times) in &found.from {
        let span = program.module.function(*func).blocks[*block].spans[*at];
        *sources.entry(program.line_of(span)).or_default() += times;
    }
    Ok(FactAnswer {
        executions: found.executions,
        holds: found.from.values().sum(),
        is_exact: true,
        sources: sources.into_iter().collect(),
        ..FactAnswer::default()
    })
}
