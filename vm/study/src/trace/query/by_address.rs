//! Loads of a line whose value the run had in hand, whichever activation it came from.
//!
//! In: a line, maybe with a variable, and a run that is executed again. Out: a [`FactAnswer`]: how often an earlier load or store of the same address
//! had given the value, and the lines of those accesses. Invariant: memory and time are those of one execution in the interpreter, however many calls
//! the run has.

use super::answer::loads_of_line;
use super::counted::counted;
use super::{FactAnswer, FactQuestion};
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::{RecordedPath, Rerun, count_loads};
use crate::trace::facts::place::{Site, SourceProgram, site_of};
use holloway_lang::ir::{Elem, Inst};

/// Answers how often the loads of a line had their value in hand.
pub fn loads_in_hand<'a>(
    program: SourceProgram<'_>,
    (rerun, recorded): (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    question: FactQuestion<'_>,
) -> Result<FactAnswer, AnswerError> {
    let statements = loads_of_line(program, question).map_err(AnswerError::Place)?;
    let sites: Vec<Site> = statements.into_iter().map(site_of).collect();
    let counts = count_loads(rerun, recorded, &sites).map_err(AnswerError::Execution)?;
    let is_string = |(func, block, at): &Site| {
        let inst = &program.module.function(*func).blocks[*block].insts[*at];
        matches!(inst, Inst::ElemGet { elem: Elem::Char, .. })
    };
    let is_exact = !counts.keys().any(is_string);
    counted(program, counts, is_exact)
}
