//! Reports of profiled and specialized versions: profiles, and guard failure counts.

use super::RecompilationExecutor;
use super::job::Job;
use super::preference::Preference;
use super::trial::{Trial, TrialOf};
use crate::adaptive::{Directive, GuardCount, GuardReport, LoopGuards, LoopKey, Observation, ProfileFindings};
use crate::machine::Machine;
use holloway_jit::VersionId;
use holloway_jit::trace::Traces;
use holloway_lang::ir::FuncRef;

impl RecompilationExecutor {
    /// Answers what a profiled version has gathered; traces are tried out first.
    pub(super) fn read_profile(&mut self, machine: &mut Machine, func: FuncRef, version: VersionId) -> Vec<Directive> {
        if self.tried.values().any(|tried| *tried == func) || !self.versions.contains_key(&version) {
            return Vec::new();
        }
        let looks = self.looks.entry(version).or_default();
        *looks += 1;
        let looks = *looks;
        let Some(profiles) = self.watcher(machine).and_then(|mut all| all.ended(func, looks)) else {
            return Vec::new();
        };
        let now = self.now();
        let mut directives = self.session.observe(now, Observation::WindowFull(func));
        let mut members = Vec::new();
        for (member, plan, collected) in profiles {
            let mut request = self.optimized(machine, member);
            self.expand(machine, &mut request, member);
            let callee = (member != func).then_some(member);
            members.push(TrialOf { callee, request, profile: (plan, collected) });
        }
        self.trials += 1;
        self.tried.insert(self.trials, func);
        let preference = Preference { guard_penalty: self.session.guard_penalty() };
        let (sources, without) = (self.sources.clone(), self.session.without());
        let trial = Trial { number: self.trials, members, sources, without, preference };
        directives.extend(self.submit(machine, Job::Try(Box::new((machine.code.env().clone(), trial)))));
        directives
    }

    /// A profile was looked through, and its traces tried out: now it can be told, unless its code is gone.
    pub(super) fn tried(&mut self, trial: u64, findings: ProfileFindings) -> Vec<Directive> {
        let Some(func) = self.tried.remove(&trial) else { return Vec::new() };
        let now = self.now();
        self.session.observe(now, Observation::Profile { func, findings })
    }

    /// Answers how the guards of a version did.
    pub(super) fn read_guards(&mut self, id: VersionId) -> Vec<Directive> {
        let Some(version) = self.versions.get(&id) else { return Vec::new() };
        let own = version.traces.iter().map(|traces| self.guards_of(None, traces));
        let inlined = version.inlined_traces.iter().map(|(callee, traces)| self.guards_of(Some(callee), traces));
        let loops: Vec<LoopGuards> = own.chain(inlined).collect();
        if loops.is_empty() {
            return Vec::new();
        }
        let now = self.now();
        self.session.observe(now, Observation::Guards { version: id, report: GuardReport { loops } })
    }

    /// Report on the guards of one body.
    fn guards_of(&self, callee: Option<FuncRef>, traces: &Traces) -> LoopGuards {
        let formed = traces.formed();
        // The copies of one block of a trace, unrolled or in front of its loop, are one guard.
        let mut per_guard: Vec<(_, GuardCount)> = Vec::new();
        let failed = formed.guards.iter().map(|(guard, data)| (data, traces.failures(guard)));
        for (data, failures) in failed.filter(|(_, failures)| *failures > 0) {
            let line = self.sources.line_col(formed.body.blocks[data.edge.0].term_span).0;
            let place = (data.at, data.target, line);
            match per_guard.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => count.failures += failures,
                None => per_guard.push((place, GuardCount { line, failures })),
            }
        }
        let per_guard = per_guard.into_iter().map(|(_, count)| count).collect();
        let at = LoopKey { callee, header: formed.origins.blocks[formed.entry] };
        let (iterations, failures) = traces.iterations();
        LoopGuards { at, iterations, failures, per_guard }
    }
}
