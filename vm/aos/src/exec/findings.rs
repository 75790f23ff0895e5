//! Reports of profiled and specialized versions: profiles, and guard failure counts.

use super::RecompilationExecutor;
use super::job::Job;
use crate::input::Arm;
use crate::propose::{Member, Profile};
use crate::{Action, GuardCount, LoopGuards, LoopKey, Observation, ProfileFindings};
use holloway_ir::{Block, FuncRef, Function, Terminator};
use holloway_jit::VersionId;
use holloway_jit::trace::Traces;
use holloway_machine::Machine;

/// Empty blocks in a row that are passed for the line of what follows.
const MOST_EMPTY: usize = 8;

impl RecompilationExecutor {
    /// Answers what a profiled version has gathered, once it was looked through.
    pub(super) fn read_profile(&mut self, machine: &mut Machine, func: FuncRef, version: VersionId) -> Vec<Action> {
        if self.present.proposing.values().any(|known| *known == func) || !self.present.versions.contains_key(&version)
        {
            return Vec::new();
        }
        let looks = self.present.looks.entry(version).or_default();
        *looks += 1;
        let looks = *looks;
        let Some(profiles) = self.watcher(machine).and_then(|mut all| all.ended(func, looks)) else {
            return Vec::new();
        };
        let mut actions = self.tell(Observation::WindowFull(func));
        let mut members = Vec::new();
        for (member, plan, collected) in profiles {
            let mut request = self.optimized(machine, member);
            self.expand(machine, &mut request, member);
            let callee = (member != func).then_some(member);
            members.push(Member { callee, request, reports: (plan, collected) });
        }
        self.profiles += 1;
        self.present.proposing.insert(self.profiles, func);
        let (sources, settings) = (self.sources.clone(), self.session.settings());
        let profile = Profile { number: self.profiles, members, sources, settings };
        actions.extend(self.submit(machine, Job::Propose(Box::new((machine.code.env().clone(), profile)))));
        actions
    }

    /// A profile was looked through: now it can be told, unless its code is gone.
    pub(super) fn proposed(&mut self, number: u64, findings: ProfileFindings) -> Vec<Action> {
        let Some(func) = self.present.proposing.remove(&number) else { return Vec::new() };
        self.tell(Observation::Profile(func, findings))
    }

    pub(super) fn read_guards(&mut self, id: VersionId) -> Vec<Action> {
        let Some(version) = self.present.versions.get(&id) else { return Vec::new() };
        let own = version.traces.iter().map(|traces| self.guards_of(None, traces));
        let inlined = version.inlined_traces.iter().map(|(callee, traces)| self.guards_of(Some(callee), traces));
        let loops: Vec<LoopGuards> = own.chain(inlined).collect();
        if loops.is_empty() { Vec::new() } else { self.tell(Observation::Guards(id, loops)) }
    }

    /// The first line of a block, or of what follows if nothing is in it.
    fn line_of(&self, body: &Function, mut block: Block) -> u32 {
        for _ in 0..MOST_EMPTY {
            let data = &body.blocks[block];
            match data.term {
                Terminator::Jump(next) if data.insts.is_empty() => block = next,
                _ => break,
            }
        }
        self.sources.line_col(body.blocks[block].span()).0
    }

    fn guards_of(&self, callee: Option<FuncRef>, traces: &Traces) -> LoopGuards {
        let formed = traces.formed();
        // The copies of one block of a trace, unrolled or in front of its loop, are one guard.
        let mut per_guard: Vec<(_, GuardCount)> = Vec::new();
        let failed = formed.guards.iter().map(|(guard, data)| (data, traces.failures(guard)));
        for (data, failures) in failed.filter(|(_, failures)| *failures > 0) {
            let from = &formed.body.blocks[data.edge.0];
            let (line, column) = self.sources.line_col(from.term_span);
            let (arm, to) = (Arm::to(&from.term, data.edge.1), self.line_of(&formed.body, data.edge.1));
            let instead_of = Arm::other(&from.term, data.edge.1).map(|arm| self.line_of(&formed.body, arm));
            let path = data.at.map(|(path, _)| path as u32 + 1);
            let place = (data.at, data.target, line);
            match per_guard.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => count.failures += failures,
                None => per_guard.push((place, GuardCount { line, column, arm, to, instead_of, path, failures })),
            }
        }
        let per_guard = per_guard.into_iter().map(|(_, count)| count).collect();
        let at = LoopKey { callee, header: formed.origins.blocks[formed.entry] };
        let (iterations, failures) = traces.iterations();
        LoopGuards { at, iterations, failures, per_guard }
    }
}
