//! Questions for slices, and slices in terms of the source.
//!
//! In: a slice of statements. Out: its lines, each with sentences. Invariant: lines are in the order of the source.

use super::reasons::Reasons;
use crate::trace::facts::debug_names::{debug_names, debug_variable};
use crate::trace::facts::locations;
use crate::trace::facts::names::{Variable, VisibleNames};
use crate::trace::facts::place::{PlaceError, SourceLine, SourceProgram, function_of};
use holloway_profiler::wpp::slice::{Approach, Location, Slice, StatementId};
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

/// The location of the variable that a name means before a statement.
pub(super) fn location_of(
    program: SourceProgram<'_>,
    statement: StatementId,
    name: &str,
) -> Result<Location, PlaceError> {
    Ok(match variable_of_statement(program, statement, name)? {
        Variable::Local(local) => locations::local(local),
        Variable::Global(global) => locations::global(global),
        Variable::Memory(_) => return Err(PlaceError::InMemory { name: name.to_owned() }),
    })
}

/// The variable that a name means before a statement.
pub fn variable_of_statement(
    program: SourceProgram<'_>,
    statement: StatementId,
    name: &str,
) -> Result<Variable, PlaceError> {
    if let Some(found) = debug_variable(program, statement, name) {
        return found;
    }
    let names = VisibleNames::new(program.module, program.sources, function_of(statement.procedure));
    let offset = program.span_of(statement).expect("a statement on a line has a span").start;
    let unknown = || {
        let known = debug_names(program, statement).into_iter().chain(names.names(offset)).collect();
        PlaceError::NoVariable { name: name.to_owned(), known }
    };
    names.find(name, offset).ok_or_else(unknown)
}

/// The lines of a slice.
pub(super) fn lines_of(program: SourceProgram<'_>, slice: &Slice, variable: &str) -> Vec<SliceLine> {
    let mut lines: BTreeMap<SourceLine, Reasons> = BTreeMap::new();
    for (statement, reasons) in &slice.statements {
        let Some(at) = program.line_of_statement(*statement) else { continue };
        let of_line = lines.entry(at).or_default();
        reasons.iter().for_each(|reason| of_line.add(program, variable, (*statement, at), *reason));
    }
    lines.into_iter().map(|(at, reasons)| SliceLine { at, why: reasons.sentences() }).collect()
}
