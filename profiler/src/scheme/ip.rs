//! `ip-context`, `ip-piecewise` and `ip-hybrid`: paths across calls, numbered statically over the whole program.
//!
//! `[MR98]` D. Melski, T. Reps, "Interprocedural Path Profiling", TR 1382, University of Wisconsin-Madison, 1998; sections 5, 6 and 8.
//! The numbering is [`crate::number::interprocedural`].

use super::function_plan::NotProfiled;
use super::program::{Cut, ProgramGraphs, ProgramPlan, plan_program};
use super::row::{Probes, SchemeRow, View};
use super::settings::{Setting, Settings};
use crate::number::interprocedural::Base;

/// Context paths.
pub(super) const CONTEXT: SchemeRow = SchemeRow {
    name: "ip-context",
    counts: "every path across calls, with the way to its loop as context",
    k: None,
    no_k: "counts single paths; leave --k out",
    takes: &[Setting::Table, Setting::ArrayLimit, Setting::PathLimit],
    probes: Probes::Program(plan_context),
    view: View::Across,
};

/// Piecewise paths.
pub(super) const PIECEWISE: SchemeRow = SchemeRow {
    name: "ip-piecewise",
    counts: "every path across calls, in pieces without contexts",
    probes: Probes::Program(plan_piecewise),
    ..CONTEXT
};

/// Either kind of paths, which wait at calls that are cut.
pub(super) const HYBRID: SchemeRow = SchemeRow {
    name: "ip-hybrid",
    counts: "paths across calls that do not cross all: some are cut, and the coldest until ids fit",
    takes: &[Setting::Table, Setting::ArrayLimit, Setting::PathLimit, Setting::Base, Setting::Cut],
    probes: Probes::Program(plan_hybrid),
    ..CONTEXT
};

fn plan_context(graphs: &ProgramGraphs, settings: &Settings) -> Result<ProgramPlan, NotProfiled> {
    plan_program(graphs, (Base::Context, Cut::Nothing), settings)
}

fn plan_piecewise(graphs: &ProgramGraphs, settings: &Settings) -> Result<ProgramPlan, NotProfiled> {
    plan_program(graphs, (Base::Piecewise, Cut::Nothing), settings)
}

fn plan_hybrid(graphs: &ProgramGraphs, settings: &Settings) -> Result<ProgramPlan, NotProfiled> {
    plan_program(graphs, (settings.base, Cut::Strategy(settings.cut)), settings)
}
