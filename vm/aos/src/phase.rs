//! The phase of a function: one value that holds all state of its code.
//!
//! ```text
//!             optimize                     profile              window full
//!   Baseline ---------> Optimized ----------------> Profiling -------------> Analyzing
//!       |                ^     ^                                               |   |
//!       |  profile       |     | a loop is ready                 nothing found |   | specialize
//!       +---------> Profiling  Resting <---------------------------------------+   v
//!                              Resting <------------- guards fail, no gain -- Specialized
//!
//!   Each arrow along which code is compiled goes through Compiling, which holds the phase that it leaves and the one that
//!   it leads to: if the code cannot be had, the function stays in the first.
//! ```
//!
//! Invariant: no two parts of a function's state can contradict each other, as there is one; general code that a profile
//! or traces replaced is kept in the code that may go back to it.
#![expect(missing_docs, reason = "`Phase` has the words for its kinds")]

use std::collections::BTreeMap;

use holloway_ir::FuncRef;

use crate::event::Kind;
use crate::version::Generation;
use crate::{CodePlan, Entry, Micros, Reason};
use serde::{Deserialize, Serialize};

/// The phase of a function: all state of its code.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// Code of the first call: no decision led to it.
    Baseline(Code),
    /// Code is being compiled that will replace what runs.
    Compiling(Box<Build>),
    /// Optimized code, of which nothing more is known.
    Optimized(Code),
    /// Code with probes.
    Profiling(Code),
    /// The window is full, and its profile is looked through; general code runs, if there was some.
    Analyzing {
        /// The code in use: general code, or that with probes, which are disabled.
        running: Code,
        /// Time spent in the code with probes, and the cost of compiling that, in microseconds.
        time: f64,
        cost: f64,
    },
    /// Code with specialized loops.
    Specialized(Code),
    /// General code again: a profile led to nothing, or a version was invalidated.
    Resting(Code),
}

/// The kinds of phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseKind {
    Baseline,
    Compiling,
    Optimized,
    Profiling,
    Analyzing,
    Specialized,
    Resting,
}

/// A phase that is left once code has been compiled.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    /// The phase that the function is in until then, and if the code cannot be had.
    pub(crate) from: Phase,
    pub(crate) to: Phase,
}

/// One plan for a function: its versions are the same code with different entries.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) generation: Generation,
    pub(crate) kind: Kind,
    /// Plan for another entry; baseline code has none of ours.
    pub(crate) plan: Option<CodePlan>,
    pub(crate) why: Reason,
    pub(crate) since: Micros,
    /// Cost so far: compilations, and the profile before it, in microseconds.
    pub(crate) cost: f64,
    /// Time that was lost for lack of each entry, in microseconds.
    pub(crate) lacking: BTreeMap<Entry, f64>,
    /// General code that it replaced, and that may come back.
    pub(crate) general: Option<Box<Code>>,
    /// True iff its gain was measured, or is being measured.
    pub(crate) compared: bool,
    pub(crate) gain: Option<f64>,
}

impl Code {
    pub(crate) fn new(generation: Generation, plan: Option<CodePlan>, why: Reason) -> Self {
        let kind = plan.as_ref().map_or(Kind::Baseline, Kind::of);
        let (since, cost, lacking) = (Micros(0), 0.0, BTreeMap::new());
        Self { generation, kind, plan, why, since, cost, lacking, general: None, compared: false, gain: None }
    }

    /// The same as what may come back, if it is general code.
    pub(crate) fn kept(&self) -> Option<Box<Code>> {
        (self.kind == Kind::Optimized).then(|| Box::new(self.clone()))
    }

    /// True iff a function is watched in this code, which is of `owner`.
    fn watches(&self, owner: FuncRef, func: FuncRef) -> bool {
        match &self.plan {
            Some(CodePlan::Profiled(window)) => owner == func || window.callees.contains(&func),
            Some(CodePlan::Optimized | CodePlan::Specialized(_)) | None => false,
        }
    }
}

impl Phase {
    pub(crate) fn kind(&self) -> PhaseKind {
        match self {
            Phase::Baseline(_) => PhaseKind::Baseline,
            Phase::Compiling(_) => PhaseKind::Compiling,
            Phase::Optimized(_) => PhaseKind::Optimized,
            Phase::Profiling(_) => PhaseKind::Profiling,
            Phase::Analyzing { .. } => PhaseKind::Analyzing,
            Phase::Specialized(_) => PhaseKind::Specialized,
            Phase::Resting(_) => PhaseKind::Resting,
        }
    }

    pub(crate) fn code(&self) -> &Code {
        match self {
            Phase::Baseline(code) | Phase::Optimized(code) | Phase::Resting(code) => code,
            Phase::Profiling(code) | Phase::Analyzing { running: code, .. } | Phase::Specialized(code) => code,
            Phase::Compiling(build) => build.from.code(),
        }
    }

    pub(crate) fn code_mut(&mut self) -> &mut Code {
        match self {
            Phase::Baseline(code) | Phase::Optimized(code) | Phase::Resting(code) => code,
            Phase::Profiling(code) | Phase::Analyzing { running: code, .. } | Phase::Specialized(code) => code,
            Phase::Compiling(build) => build.from.code_mut(),
        }
    }

    /// The code that is being compiled to replace what runs.
    pub(crate) fn next(&self) -> Option<&Code> {
        let Phase::Compiling(build) = self else { return None };
        Some(build.to.code())
    }

    /// True iff a function is watched in code of this phase, or in what is compiled for it; the code is of `owner`.
    pub(crate) fn watches(&self, owner: FuncRef, func: FuncRef) -> bool {
        match self {
            Phase::Profiling(code) | Phase::Analyzing { running: code, .. } => code.watches(owner, func),
            Phase::Compiling(build) => build.from.watches(owner, func) || build.to.watches(owner, func),
            Phase::Baseline(_) | Phase::Optimized(_) | Phase::Specialized(_) | Phase::Resting(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    /// The lines of the first diagram of a text, without what comments have in front of them.
    fn diagram(text: &str) -> Vec<&str> {
        let lines = text.lines().map(|line| line.trim_start_matches("//!").trim());
        lines.skip_while(|line| *line != "```text").skip(1).take_while(|line| *line != "```").collect()
    }

    #[test]
    fn the_page_shows_the_same_diagram() {
        let own = diagram(include_str!("phase.rs"));
        assert!(own.len() > 5);
        assert_eq!(own, diagram(include_str!("../../../docs/adaptive.md")));
    }
}
