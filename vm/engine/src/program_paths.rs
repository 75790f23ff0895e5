//! Paths across calls of a whole program, from either executor.
//!
//! In: what functions reported, and the unwinder and the host. Out: [`ProgramPaths`], by one numbering of the program.
//! Invariant: a number is counted once, by whichever function it was reported.

use super::observers::PathObserver;
use holloway_lang::ir::Module;
use holloway_machine::profile::{CompiledPaths, NumberedProgram, Planner};
use holloway_profiler::cross_prefix::CrossReports;
use holloway_profiler::scheme::{NotProfiled, ProgramPlan, ProgramResults};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The paths of a program, by one numbering of it.
#[derive(Clone, Debug)]
pub struct ProgramPaths {
    program: Arc<NumberedProgram>,
    counts: BTreeMap<u64, u64>,
    reports: CrossReports,
}

impl ProgramPaths {
    fn new(program: &Arc<NumberedProgram>, numbers: impl Iterator<Item = (u64, u64)>, reports: CrossReports) -> Self {
        let mut counts = BTreeMap::new();
        let paths = program.plan.as_ref().map_or(0, |plan| plan.num_paths());
        let returned = reports.returned.iter().map(|(id, count)| (*id, *count));
        for (id, count) in numbers.chain(returned).filter(|(id, _)| *id < paths) {
            *counts.entry(id).or_default() += count;
        }
        ProgramPaths { program: Arc::clone(program), counts, reports }
    }

    /// Paths that code counted; `None` if the scheme plans each function for itself.
    pub(crate) fn of_code(module: &Module, collector: &CompiledPaths) -> Option<ProgramPaths> {
        let program = collector.planner().program.as_ref()?;
        let read = module.funcs.keys().filter_map(|func| collector.collected(func)?.ok());
        let numbers = read.flat_map(|(_, collected)| collected.numbers());
        Some(ProgramPaths::new(program, numbers, collector.across()))
    }

    /// Returns whether every function is in a module as it was here.
    pub(crate) fn is_part_of(&self, module: &Module) -> bool {
        self.program.is_part_of(module)
    }

    /// The numbering, or the reason for which there is none.
    pub fn plan(&self) -> Result<&ProgramPlan, NotProfiled> {
        self.program.plan.as_deref().map_err(|why| *why)
    }

    /// The paths that were counted.
    pub fn results(&self) -> Option<ProgramResults> {
        let prefixes = self.reports.prefixes.iter().map(|(prefix, count)| (prefix.clone(), *count));
        let counts = self.counts.iter().map(|(id, count)| (*id, *count));
        self.plan().ok().map(|plan| plan.results(counts, prefixes))
    }
}

/// Paths that the interpreter counted; `None` if the scheme plans each function for itself.
pub(crate) fn program_paths(planner: &Planner, module: &Module, observer: &PathObserver) -> Option<ProgramPaths> {
    let program = planner.program.as_ref()?;
    let ran = module.funcs.keys().filter_map(|func| observer.get(func));
    let numbers = ran.flat_map(|function| function.sink.numbers());
    Some(ProgramPaths::new(program, numbers, observer.across.clone()))
}
