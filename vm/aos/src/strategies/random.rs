//! `--stress`: a seeded random schedule, to test that all versions compute the same. Random are the time, kind and
//! entry of each compilation, the versions that are left, invalidated and reinstated, and the forced guard failures.
//! Invariant: the same seed and inputs give the same actions; ticks become rarer, so that a long run takes hundreds of
//! decisions and a short one dozens.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_ir::{Block, FuncRef};
use holloway_jit::trace::chance::Random;
use holloway_jit::{Tier, VersionId};

use crate::event::Kind;
use crate::input::LoopInfo;
use crate::{
    Action, Chance, CodePlan, CompilationId, CompilationRequest, CompileOutcome, Entry, FunctionInfo, Micros,
    Observation, Policy, Proposal, Reason, Tick, Window,
};

/// The fewest executions that make a window: traces should be found within what a test runs.
const STRESS_K: u64 = 4;
/// Most that all compilations of a run may cost, in instructions times loops: optimizing a nest takes more than its size
/// says, and a nest of two hundred loops some seconds each time.
const STRESS_WORK: u64 = 1 << 19;
/// Polls within which a tick comes at first: a run of a few hundred polls then takes dozens of decisions.
const STRESS_PAUSE: usize = 16;
/// Ticks after which they come half as often, so that a long run takes hundreds of decisions and not millions.
const STRESS_TICKS: u32 = 6;
/// Number of times that their rate is halved, at most: the pause is then some sixteen million polls.
const STRESS_PACES: u32 = 20;

/// Counts of a stressed run, by which a test checks that it tested something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stressed {
    /// Versions that were installed.
    pub versions: u64,
    /// Transitions by OSR.
    pub transfers: u64,
    /// Guard failures that were read.
    pub failures: u64,
}

/// A version, requested or in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct About {
    func: FuncRef,
    entry: Entry,
    kind: Kind,
}

/// Policy of random decisions.
#[derive(Clone, Debug, Default)]
pub struct StressController {
    random: Random,
    ticks: u32,
    compilations: u32,
    loops: BTreeMap<FuncRef, Vec<LoopInfo>>,
    /// Cost of a compilation of each.
    costs: BTreeMap<FuncRef, u64>,
    work: u64,
    pending: BTreeMap<CompilationId, About>,
    live: BTreeMap<VersionId, About>,
    retired: BTreeMap<VersionId, About>,
    found: BTreeMap<FuncRef, Vec<Arc<Proposal>>>,
    /// Failures of the guards of each version.
    failures: BTreeMap<VersionId, u64>,
    stressed: Stressed,
}

impl Policy for StressController {
    fn observe(&mut self, _: Micros, observation: Observation) -> Vec<Action> {
        match observation {
            Observation::Declared(func, info) => self.declare(func, &info),
            Observation::Tick(tick) => return self.tick(tick),
            Observation::Compiled(compilation, result) => return self.compiled(compilation, result),
            Observation::Installed(compilation, version) => self.installed(compilation, version),
            Observation::Refused(compilation, _) => _ = self.pending.remove(&compilation),
            Observation::Osr { .. } => self.stressed.transfers += 1,
            Observation::Profile(func, findings) => {
                let loops: Vec<_> = findings.loops.into_iter().filter_map(|(_, found)| found.proposal).collect();
                if !loops.is_empty() {
                    self.found.insert(func, loops);
                }
            }
            Observation::Guards(version, loops) => {
                self.failures.insert(version, loops.iter().map(|one| one.failures).sum());
            }
            Observation::Reinstalled(_)
            | Observation::WindowFull(_)
            | Observation::Missed(..)
            | Observation::Progress(_) => {}
        }
        Vec::new()
    }
}

impl StressController {
    /// Decisions of that seed.
    pub fn new(seed: u64) -> Self {
        Self { random: Random(seed), work: STRESS_WORK, ..Self::default() }
    }

    /// Outcome of it so far.
    pub fn stressed(&self) -> Stressed {
        Stressed { failures: self.failures.values().sum(), ..self.stressed }
    }

    /// Number of polls that pass until the next tick.
    pub fn polls_to_tick(&mut self) -> u64 {
        let pace = (self.ticks / STRESS_TICKS).min(STRESS_PACES);
        1 + self.random.below(STRESS_PAUSE << pace) as u64
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        self.loops.contains_key(&func)
    }

    /// A function, before its first tick; or one that has a new body: what was known of it is about another one.
    fn declare(&mut self, func: FuncRef, info: &FunctionInfo) {
        self.loops.insert(func, info.loops.clone());
        self.costs.insert(func, info.size * (1 + info.loops.len() as u64));
        self.found.remove(&func);
        for versions in [&mut self.live, &mut self.retired] {
            versions.retain(|_, about| about.func != func);
        }
        self.pending.retain(|_, about| about.func != func);
    }

    fn tick(&mut self, tick: Tick) -> Vec<Action> {
        self.ticks += 1;
        // A caller has work in progress that is not seen while it waits.
        let func = tick.caller.filter(|_| self.random.below(4) == 0).unwrap_or(tick.func);
        let near = if func == tick.func { self.around(func, tick.loop_header) } else { self.around(func, None) };
        let action = match self.random.below(16) {
            0 | 1 => self.request(func, near, CodePlan::Optimized),
            2 | 3 => {
                let k = STRESS_K << self.random.below(6);
                self.request(func, near, CodePlan::Profiled(Window { k, executions: 4 * k, callees: Vec::new() }))
            }
            4..9 => self.request(func, near, CodePlan::Specialized(Vec::new())),
            9 => {
                let found = self.found.get(&func).cloned();
                found.and_then(|loops| self.request(func, near, CodePlan::Specialized(loops)))
            }
            10 => Some(self.drop_version(tick.version)),
            11 => self.pick(&self.live.clone()).map(|version| self.drop_version(version)),
            12 => self.pick(&self.live.clone()).map(|version| self.retire(version)),
            13 => self.pick(&self.retired.clone()).map(|version| self.reinstall(version)),
            14 => {
                let tier = if self.random.below(2) == 0 { Tier::Baseline } else { Tier::Optimized };
                Some(Action::StartIn(tier))
            }
            _ => self.live.get(&tick.version).and_then(|about| match about.kind {
                Kind::Baseline | Kind::Optimized => None,
                Kind::Profiled => Some(Action::ReadProfile(tick.func, tick.version)),
                Kind::Specialized => Some(Action::ReadGuards(tick.version)),
            }),
        };
        // Optimized code that is in use is not left, and what was requested for its loops would not be entered.
        let makes_way = matches!(action, Some(Action::Compile(_))) && self.random.below(2) == 0;
        let read = Action::ReadGuards(tick.version);
        let dropped = makes_way.then(|| [read, self.drop_version(tick.version)]);
        action.into_iter().chain(dropped.into_iter().flatten()).collect()
    }

    fn compiled(&mut self, compilation: CompilationId, result: Result<CompileOutcome, Reason>) -> Vec<Action> {
        if result.is_ok() && self.random.below(8) > 0 {
            return vec![Action::Install(compilation)];
        }
        self.pending.remove(&compilation);
        result.map_or(Vec::new(), |_| vec![Action::Discard(compilation)])
    }

    fn installed(&mut self, compilation: CompilationId, version: VersionId) {
        if let Some(about) = self.pending.remove(&compilation) {
            self.stressed.versions += 1;
            self.make_live(version, about);
        }
    }

    /// A loop of a function: one that runs, if that is known, or another.
    fn around(&mut self, func: FuncRef, running: Option<Block>) -> Option<Block> {
        let loops = self.loops.get(&func)?;
        let parent = |header: Block| loops.iter().find(|found| found.header == header)?.parent;
        let outer = std::iter::successors(running, |header| parent(*header)).nth(1);
        let headers: Vec<Block> = loops.iter().map(|found| found.header).collect();
        let any = self.random.pick(&headers);
        match self.random.below(8) {
            0..5 => running.or(any),
            5 | 6 => outer.or(running).or(any),
            _ => any,
        }
    }

    fn request(&mut self, func: FuncRef, near: Option<Block>, plan: CodePlan) -> Option<Action> {
        self.work = self.work.checked_sub(self.costs.get(&func).copied().unwrap_or(0))?;
        let compilation = CompilationId(self.compilations);
        self.compilations += 1;
        let entry = match near {
            Some(header) if self.random.below(4) > 0 => Entry::Header(header),
            Some(_) | None => Entry::Call,
        };
        self.pending.insert(compilation, About { func, entry, kind: Kind::of(&plan) });
        let chance = Some(Chance { seed: self.random.word(), near });
        Some(Action::Compile(CompilationRequest { compilation, func, entry, plan, progress: None, chance }))
    }

    fn pick(&mut self, of: &BTreeMap<VersionId, About>) -> Option<VersionId> {
        let all: Vec<VersionId> = of.keys().copied().collect();
        self.random.pick(&all)
    }

    /// Nothing leads any more to what was at the same entry: its code may be gone.
    fn make_live(&mut self, version: VersionId, about: About) {
        self.live.retain(|_, other| (other.func, other.entry) != (about.func, about.entry));
        self.live.insert(version, about);
    }

    /// Drops a version, which is then not taken back, even if it was kept for that.
    fn drop_version(&mut self, version: VersionId) -> Action {
        self.live.remove(&version);
        self.retired.remove(&version);
        Action::Drop(version)
    }

    fn retire(&mut self, version: VersionId) -> Action {
        let about = self.live.remove(&version).expect("it was picked from these");
        self.retired.insert(version, about);
        Action::Retire(version)
    }

    fn reinstall(&mut self, version: VersionId) -> Action {
        let about = self.retired.remove(&version).expect("it was picked from these");
        self.make_live(version, about);
        Action::Reinstall(version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BodyHash;

    fn info() -> FunctionInfo {
        let inner =
            LoopInfo { header: Block::from_u32(1), line: 1, parent: None, branches: 1, choices: 0, trips_vary: false };
        let (name, file) = ("f".to_owned(), "f.hw".to_owned());
        FunctionInfo { name, file, line: 1, size: 10, loops: vec![inner], is_optimized: false, hash: BodyHash(1) }
    }

    /// The actions of a run of some hundred ticks.
    fn run(seed: u64) -> Vec<String> {
        run_of(seed, &info())
    }

    fn run_of(seed: u64, info: &FunctionInfo) -> Vec<String> {
        let mut stress = StressController::new(seed);
        let mut log = Vec::new();
        let mut latest = VersionId(0);
        for number in 0..400_u32 {
            let func = FuncRef::from_u32(number % 3);
            if !stress.knows(func) {
                stress.declare(func, info);
            }
            log.push(format!("tick in {}", stress.polls_to_tick()));
            let (tier, loop_header) = (Tier::Baseline, (number % 2 == 0).then(|| Block::from_u32(1)));
            let mut pending = stress.tick(Tick {
                func,
                version: latest,
                tier,
                loop_header,
                inlined: None,
                caller: None,
                counted: None,
            });
            while let Some(action) = pending.pop() {
                log.push(format!("{action:?}"));
                let outcome = CompileOutcome::default();
                match action {
                    Action::Compile(request) => pending.extend(stress.compiled(request.compilation, Ok(outcome))),
                    Action::Install(compilation) => {
                        latest = VersionId(1_000 + compilation.0);
                        stress.installed(compilation, latest);
                    }
                    _ => {}
                }
            }
        }
        log
    }

    #[test]
    fn a_seed_decides_alike_and_another_one_otherwise() {
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn all_that_can_be_done_is_done() {
        let log = run(7);
        let wanted = "Optimized Profiled Specialized Call Header Drop Discard Install Retire Reinstall StartIn ReadProfile ReadGuards";
        for wanted in wanted.split(' ') {
            assert!(log.iter().any(|line| line.contains(wanted)), "{wanted} does not occur");
        }
    }

    #[test]
    fn deep_nests_are_not_compiled_again_and_again() {
        let inner = info().loops[0].clone();
        let nest = FunctionInfo { size: 600, loops: vec![inner; 190], ..info() };
        let compilations = |info: &FunctionInfo| run_of(1, info).iter().filter(|line| line.contains("Compile")).count();
        let few = (STRESS_WORK / (600 * 191)) as usize;
        assert_eq!(compilations(&nest), few);
        assert!(compilations(&info()) > 10 * few);
    }

    #[test]
    fn what_was_dropped_is_not_taken_back() {
        for log in (0..20).map(run) {
            for (at, line) in log.iter().enumerate() {
                if let Some(version) = line.strip_prefix("Drop") {
                    let again = format!("Reinstall{version}");
                    assert!(!log[at..].contains(&again), "{again} after {line}");
                }
            }
        }
    }

    #[test]
    fn ticks_become_rarer() {
        let waits: Vec<u64> = run(3).iter().filter_map(|line| line.strip_prefix("tick in ")?.parse().ok()).collect();
        let (first, last) = (&waits[..6], &waits[392..]);
        assert!(first.iter().all(|polls| *polls <= 16) && last.iter().sum::<u64>() > 1_000_000, "{first:?} {last:?}");
    }
}
