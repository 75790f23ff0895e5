//! Versions whose profile is out of date: the calls that it kept them from inlining are made all the time by now.
//!
//! In: the time that such calls take. Out: another compilation, by the profile as it is by then, once they took as much time as that: as in Jikes RVM a
//! version is expected to lose as much again as it has lost [AFGHS00]. Each time for a function, twice as much must have been lost.
//! Invariant: a function that does one thing and then another in turn, so often that no code is right for long, is compiled less and less.
//!
//! [AFGHS00] M. Arnold, S. Fink, D. Grove, M. Hind, P. Sweeney, "Adaptive Optimization in the Jalapeño JVM", OOPSLA 2000.

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use super::{Action, Controller};
use crate::event::Kind;
use crate::{CodePlan, Micros, Reason};

impl Controller {
    pub(super) fn lost_by_calls(&mut self, func: FuncRef, version: VersionId, lost: Micros) -> Vec<Action> {
        let costs = self.compile_costs(func);
        let function = self.function_mut(func);
        let current = function.phase.code().generation;
        let Some(record) = function.record_mut(version) else { return Vec::new() };
        record.lost += lost.as_f64();
        let cost = match record.kind {
            Kind::Optimized => costs.optimized,
            // Its traces will be formed anew.
            Kind::Specialized => costs.optimized + costs.profiled + costs.specialized,
            Kind::Baseline | Kind::Profiled => return Vec::new(),
        };
        let (lost, is_current) = (record.lost, record.generation == current);
        let is_impossible = function.impossible.contains(&Kind::Optimized);
        if !is_current || is_impossible || lost <= cost * f64::from(1 << function.outdated.min(16)) {
            return Vec::new();
        }
        function.outdated += 1;
        let Some(tick) = function.last_tick else { return Vec::new() };
        let why = Reason::Outdated { lost, clock: self.settings.clock };
        let mut actions = self.abandon_trial(func);
        actions.push(self.request_next(tick, CodePlan::Optimized, why));
        actions
    }
}
