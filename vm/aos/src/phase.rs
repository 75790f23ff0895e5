//! The phase of a function: one value that holds all state of its code.
//!
//! In: the code of each phase. Out: the code in use, the code that is compiled, the general code that may come back.
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
//! or traces replaced is kept in the phase that may go back to it.
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
    /// Code with probes, and the general code that it replaced.
    Profiling {
        probed: Code,
        general: Option<Code>,
    },
    /// The window is full, and its profile is looked through; general code runs, if there was some.
    Analyzing(Box<Analyzing>),
    /// Code with specialized loops.
    Specialized(Box<Specialized>),
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
    /// The phase that the first version leads to.
    pub(crate) to: Phase,
}

/// A profile that is looked through.
#[derive(Clone, Debug)]
pub(crate) struct Analyzing {
    /// The code in use: general code, or that with probes, which are disabled.
    pub(crate) running: Code,
    /// Time spent in the code with probes, in microseconds.
    pub(crate) time: f64,
    /// Cost of compiling that, in microseconds.
    pub(crate) cost: f64,
}

/// Specialized loops in use.
#[derive(Clone, Debug)]
pub(crate) struct Specialized {
    pub(crate) code: Code,
    /// General code that may come back.
    pub(crate) general: Option<Code>,
    /// True iff its gain was measured, or is being measured.
    pub(crate) compared: bool,
    /// The measured gain.
    pub(crate) gain: Option<f64>,
}

/// One plan for a function: its versions are the same code with different entries.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) generation: Generation,
    pub(crate) kind: Kind,
    /// Plan for another entry; baseline code has none of ours.
    pub(crate) plan: Option<CodePlan>,
    pub(crate) why: Reason,
    /// When its first version came into use.
    pub(crate) since: Micros,
    /// Cost so far: compilations, and the profile before it, in microseconds.
    pub(crate) cost: f64,
    /// Time that was lost for lack of each entry, in microseconds.
    pub(crate) lacking: BTreeMap<Entry, f64>,
}

impl Code {
    pub(crate) fn new(generation: Generation, plan: Option<CodePlan>, why: Reason) -> Self {
        let kind = plan.as_ref().map_or(Kind::Baseline, Kind::of);
        Self { generation, kind, plan, why, since: Micros(0), cost: 0.0, lacking: BTreeMap::new() }
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
            Phase::Profiling { .. } => PhaseKind::Profiling,
            Phase::Analyzing(_) => PhaseKind::Analyzing,
            Phase::Specialized(_) => PhaseKind::Specialized,
            Phase::Resting(_) => PhaseKind::Resting,
        }
    }

    /// The code in use.
    pub(crate) fn code(&self) -> &Code {
        match self {
            Phase::Baseline(code) | Phase::Optimized(code) | Phase::Resting(code) => code,
            Phase::Compiling(build) => build.from.code(),
            Phase::Profiling { probed, .. } => probed,
            Phase::Analyzing(analyzing) => &analyzing.running,
            Phase::Specialized(specialized) => &specialized.code,
        }
    }

    pub(crate) fn code_mut(&mut self) -> &mut Code {
        match self {
            Phase::Baseline(code) | Phase::Optimized(code) | Phase::Resting(code) => code,
            Phase::Compiling(build) => build.from.code_mut(),
            Phase::Profiling { probed, .. } => probed,
            Phase::Analyzing(analyzing) => &mut analyzing.running,
            Phase::Specialized(specialized) => &mut specialized.code,
        }
    }

    /// The code that is being compiled to replace what runs.
    pub(crate) fn next(&self) -> Option<&Code> {
        let Phase::Compiling(build) = self else { return None };
        Some(build.to.code())
    }

    /// General code that was replaced and may come back.
    pub(crate) fn general(&self) -> Option<&Code> {
        match self {
            Phase::Profiling { general, .. } => general.as_ref(),
            Phase::Specialized(specialized) => specialized.general.as_ref(),
            Phase::Compiling(build) => build.from.general(),
            Phase::Baseline(_) | Phase::Optimized(_) | Phase::Analyzing(_) | Phase::Resting(_) => None,
        }
    }

    /// The specialized loops in use.
    pub(crate) fn specialized(&self) -> Option<&Specialized> {
        match self {
            Phase::Specialized(specialized) => Some(specialized),
            Phase::Compiling(build) => build.from.specialized(),
            Phase::Baseline(_) | Phase::Optimized(_) | Phase::Resting(_) => None,
            Phase::Profiling { .. } | Phase::Analyzing(_) => None,
        }
    }

    pub(crate) fn specialized_mut(&mut self) -> Option<&mut Specialized> {
        match self {
            Phase::Specialized(specialized) => Some(specialized),
            Phase::Compiling(build) => build.from.specialized_mut(),
            Phase::Baseline(_) | Phase::Optimized(_) | Phase::Resting(_) => None,
            Phase::Profiling { .. } | Phase::Analyzing(_) => None,
        }
    }

    /// True iff a function is watched in code of this phase, or in what is compiled for it; the code is of `owner`.
    pub(crate) fn watches(&self, owner: FuncRef, func: FuncRef) -> bool {
        match self {
            Phase::Profiling { probed, .. } => probed.watches(owner, func),
            Phase::Compiling(build) => build.from.watches(owner, func) || build.to.watches(owner, func),
            Phase::Analyzing(analyzing) => analyzing.running.watches(owner, func),
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
