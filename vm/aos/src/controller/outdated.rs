//! Versions whose profile is out of date: calls that it kept them from inlining are made all the time by now. They are
//! compiled anew once such calls took as much time as that, as a version is expected to lose as much again `[AFGHS00]`.
//! Invariant: each time twice as much must be lost, so a function that does one thing and another in turn is compiled
//! less and less.

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use super::{Action, Controller};
use crate::event::Kind;
use crate::{CodePlan, Micros, Reason};

impl Controller {
    pub(super) fn lost_by_calls(&mut self, func: FuncRef, version: VersionId, lost: Micros) -> Vec<Action> {
        let costs = self.compile_costs(func);
        let function = self.log.function_mut(func);
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
