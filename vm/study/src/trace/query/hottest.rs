//! The hottest facts of a run: redundant loads or operations of the whole program.
//!
//! In: a program whose run is executed again, and a kind of fact. Out: a [`HotFact`] for each statement at which it
//! held, most executions first, with what optimized code makes of the statement.
//!
//! Each statement of an executed function is asked about, as a question for its line would be [ZG01 4.3.1, "profile-guided optimization"].
//! The optimizer's part is that of `run --tier optimized`: each function by itself, with its callees inlined.
//! Invariant: statements of equal figures are in the order of the source.

use super::Fact;
use super::forward::all_available;
use crate::trace::answer_error::AnswerError;
use crate::trace::execution::{RecordedPath, Rerun};
use crate::trace::facts::expressions::Expression;
use crate::trace::facts::place::{SourceLine, SourceProgram};
use holloway_jit::arrays::Arrays;
use holloway_jit::{Remaining, Request, Tier, is_optimizable, remaining};
use holloway_lang::ir::{Block, FuncRef};
use holloway_lang::source::Span;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A fact that held somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotFact {
    /// The function.
    pub func: FuncRef,
    /// The block.
    pub block: Block,
    /// The position of the instruction there.
    pub instruction: u32,
    /// The line.
    pub at: SourceLine,
    /// The source of the load or of the operation.
    pub span: Span,
    /// Number of executions.
    pub executions: u64,
    /// Number of those at which the fact held.
    pub holds: u64,
    /// True if addresses decided on every store.
    pub is_exact: bool,
    /// Its fate in optimized code.
    pub optimized: Optimized,
}

/// A load or an operation in optimized code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimized {
    /// No code has it.
    Removed,
    /// All code that has it has it in fewer loops than the source.
    Hoisted,
    /// Some code has it where it was written.
    Kept,
}

impl HotFact {
    /// Returns whether the fact held at every execution.
    pub fn always_holds(&self) -> bool {
        self.holds == self.executions
    }
}

/// The statements at which a load or an operation was redundant, those first that were so most often.
pub fn hottest<'a>(
    program: SourceProgram<'_>,
    run: (impl Into<Rerun<'a>>, Option<RecordedPath<'_>>),
    fact: Fact,
) -> Result<Vec<HotFact>, AnswerError> {
    let left = RemainingPlaces::of(program);
    let mut found = Vec::new();
    for ((func, block, index), counts) in all_available(program, run, fact)? {
        let (executions, holds) = (counts.executions, counts.holds());
        if holds == 0 {
            continue;
        }
        let expression = Expression::of(program.module, func, block, index).expect("it computes one");
        let is_exact = !expression.killed_by().is_in_memory();
        let span = program.module.function(func).blocks[block].spans[index];
        let optimized = left.of_place((func, block, span, expression.is_load()));
        let (at, instruction) = (program.line_of(span), index as u32);
        found.push(HotFact { func, block, instruction, at, span, executions, holds, is_exact, optimized });
    }
    found.sort_by_key(|fact| (Reverse(fact.holds), fact.func, fact.span.start));
    Ok(found)
}

/// A place of the source, and true for a load.
type Place = (FuncRef, Block, Span, bool);

/// The places that optimized code of any function has, with whether some code has them where they were written.
struct RemainingPlaces {
    places: HashMap<Place, bool>,
    /// Functions that are too large to be optimized.
    as_written: HashSet<FuncRef>,
}

impl RemainingPlaces {
    fn of(program: SourceProgram<'_>) -> RemainingPlaces {
        let (mut places, mut as_written) = (HashMap::new(), HashSet::new());
        let arrays = Arrays::new(Arc::new(program.module.clone()));
        for (func, _) in program.module.funcs.iter() {
            if !is_optimizable(program.module, program.module.function(func)) {
                as_written.insert(func);
                continue;
            }
            let request = Request::new(func, Arc::clone(program.module.function(func)), Tier::Optimized);
            let remaining = remaining(program.module, &arrays, &request);
            for Remaining { func, block, span, is_load, loops_before, loops } in remaining {
                *places.entry((func, block, span, is_load)).or_default() |= loops >= loops_before;
            }
        }
        RemainingPlaces { places, as_written }
    }

    fn of_place(&self, place: Place) -> Optimized {
        match self.places.get(&place) {
            _ if self.as_written.contains(&place.0) => Optimized::Kept,
            None => Optimized::Removed,
            Some(false) => Optimized::Hoisted,
            Some(true) => Optimized::Kept,
        }
    }
}
