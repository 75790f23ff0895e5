//! One step: what follows from an observation, by the phase of the function that it is about. Invariant: every phase
//! has an answer to every observation; there is no wildcard.

use holloway_ir::FuncRef;

use super::Controller;
use crate::phase::PhaseKind::{Analyzing, Baseline, Compiling, Optimized, Profiling, Resting, Specialized};
use crate::{Action, LoopGuards, Micros, Observation, ProfileFindings, Tick};
use holloway_jit::VersionId;

impl Controller {
    pub(super) fn step(&mut self, observation: Observation) -> Vec<Action> {
        match observation {
            Observation::Declared(func, info) => self.declare(func, info),
            Observation::Tick(tick) => return self.tick(tick),
            Observation::WindowFull(func) => return self.window_full(func),
            Observation::Profile(func, findings) => return self.profile(func, findings),
            Observation::Guards(version, loops) => return self.guards(version, &loops),
            Observation::Missed(version, lost) => return self.missed(version, lost),
            // Compilations: of the next phase's code, of another entry of the code in use, or of the trial's other side.
            Observation::Compiled(compilation, Ok(outcome)) => {
                return self.on_compiled(compilation, outcome);
            }
            Observation::Compiled(compilation, Err(reason)) | Observation::Refused(compilation, reason) => {
                return self.on_compile_failed(compilation, reason);
            }
            Observation::Installed(compilation, version) => return self.on_installed(compilation, version),
            Observation::Progress(reading) => return self.progress(reading),
            Observation::Reinstalled(version) => self.log.reinstalled(version),
            // Turns are not told.
            Observation::Osr { from, to, .. } if self.take_turns(from, to) => {}
            Observation::Osr { from, to, header, nanos } => self.log.osr((from, to), header, nanos),
        }
        Vec::new()
    }

    /// A timer tick was taken at a poll. The function must have been declared.
    fn tick(&mut self, tick: Tick) -> Vec<Action> {
        let time = self.weigh();
        self.summarize();
        self.fold(tick, time);
        let mut actions = self.on_tick(tick, time);
        actions.extend(self.ask_progress());
        actions
    }

    fn on_tick(&mut self, tick: Tick, time: f64) -> Vec<Action> {
        let function = self.log.function(tick.func);
        let generation = function.record(tick.version).expect("the tick was folded into it").generation;
        let is_current = generation == function.phase.code().generation;
        match function.phase.kind() {
            // Code is on its way, or a profile is looked through: what it is decides what comes next.
            Compiling | Analyzing => Vec::new(),
            _ if self.is_compared(tick.func, generation) => Vec::new(),
            Baseline | Optimized | Profiling | Specialized | Resting if !is_current => self.catch_up(tick, time),
            Baseline | Optimized | Resting => self.consider(tick),
            Profiling => vec![Action::ReadProfile(tick.func, tick.version)],
            Specialized => self.watch(tick),
        }
    }

    /// The profiled version of a function has gathered enough, and its profile will follow.
    fn window_full(&mut self, func: FuncRef) -> Vec<Action> {
        match self.log.function(func).phase.kind() {
            Profiling => self.end_window(func),
            Baseline | Compiling | Optimized | Analyzing | Specialized | Resting => Vec::new(),
        }
    }

    fn profile(&mut self, func: FuncRef, findings: ProfileFindings) -> Vec<Action> {
        match self.log.function(func).phase.kind() {
            Analyzing => self.profiled(func, findings),
            Baseline | Compiling | Optimized | Profiling | Specialized | Resting => Vec::new(),
        }
    }

    fn guards(&mut self, version: VersionId, report: &[LoopGuards]) -> Vec<Action> {
        let Some(func) = self.log.owners.get(&version).copied() else { return Vec::new() };
        match self.log.function(func).phase.kind() {
            Specialized => self.guarded(func, version, report),
            // The version is not what the function runs by any more.
            Baseline | Compiling | Optimized | Profiling | Analyzing | Resting => Vec::new(),
        }
    }

    /// A version makes calls that its profile kept it from inlining.
    fn missed(&mut self, version: VersionId, lost: Micros) -> Vec<Action> {
        let Some(func) = self.log.owners.get(&version).copied() else { return Vec::new() };
        match self.log.function(func).phase.kind() {
            Optimized | Resting | Specialized => self.lost_by_calls(func, version, lost),
            Baseline | Compiling | Profiling | Analyzing => Vec::new(),
        }
    }
}
