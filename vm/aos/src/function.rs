//! Everything that is known of one function; the state of its code is its [`Phase`](crate::phase::Phase). Invariant:
//! `versions` only grows.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_ir::{Block, FuncRef};
use holloway_jit::VersionId;

use crate::cost_model::Work;
use crate::event::{Choice, DropReason, Inlined, Kind, Osr, Subject, What};
use crate::input::LoopInfo;
use crate::loop_history::LoopHistory;
use crate::phase::{Code, Phase};
use crate::reason::LoopName;
use crate::sample::Sample;
use crate::settings::{CHOICES, DISPATCH_GAIN};
use crate::version::{Generation, VersionRecord, VersionState};
use crate::{
    CodePlan, Entry, FunctionInfo, InlinedLoop, LoopKey, Micros, Proposal, Reason, Settings, Tick, differs_by_trips,
};

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) info: FunctionInfo,
    pub(crate) phase: Phase,
    /// When the phase began.
    pub(crate) entered: Micros,
    pub(crate) sample: Sample,
    pub(crate) versions: Vec<VersionRecord>,
    pub(crate) loops: BTreeMap<LoopKey, LoopHistory>,
    /// IR instructions of what was inlined into it when it was compiled last.
    pub(crate) inlined_size: u64,
    /// Functions that are inlined into it, and whose loops are hot there.
    pub(crate) callees: BTreeMap<FuncRef, Callee>,
    pub(crate) impossible: Vec<Kind>,
    /// Entries at which code of a generation could not be had.
    pub(crate) failed: Vec<(Generation, Entry)>,
    /// The decision that was last told, and the time it was made on.
    pub(crate) told: Option<(Choice, f64)>,
    pub(crate) last_tick: Option<Tick>,
    /// Number of times that it was compiled anew because its profile was out of date.
    pub(crate) outdated: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Callee {
    /// Its name, and where it is inlined.
    pub(crate) subject: Inlined,
    pub(crate) loops: Vec<LoopInfo>,
    pub(crate) around: Option<Block>,
}

impl Function {
    pub(crate) fn new(info: FunctionInfo, generation: Generation) -> Self {
        let loops = info.loops.iter().map(|found| (found.header.into(), LoopHistory::default())).collect();
        Self {
            info,
            phase: Phase::Baseline(Code::new(generation, None, Reason::FirstCall)),
            entered: Micros(0),
            sample: Sample::default(),
            versions: Vec::new(),
            loops,
            inlined_size: 0,
            callees: BTreeMap::new(),
            impossible: Vec::new(),
            failed: Vec::new(),
            told: None,
            last_tick: None,
            outdated: 0,
        }
    }

    pub(crate) fn redefine(&mut self, info: FunctionInfo, generation: Generation) {
        let mut versions = std::mem::take(&mut self.versions);
        for record in &mut versions {
            if matches!(record.state, VersionState::Live | VersionState::Retired) {
                record.state = VersionState::Dropped(DropReason::Redefined);
            }
        }
        *self = Self { versions, entered: self.entered, ..Self::new(info, generation) };
    }

    /// Discards its history, but for its versions and traces.
    pub(crate) fn forget(&mut self) {
        self.sample.forget();
        self.loops.values_mut().for_each(LoopHistory::forget);
        self.outdated = 0;
    }

    pub(crate) fn record(&self, version: VersionId) -> Option<&VersionRecord> {
        self.versions.iter().rev().find(|record| record.id == version)
    }

    pub(crate) fn record_mut(&mut self, version: VersionId) -> Option<&mut VersionRecord> {
        self.versions.iter_mut().rev().find(|record| record.id == version)
    }

    /// An activation came from one version to another by on-stack replacement: the event, if one is to tell it.
    pub(crate) fn arrived(&mut self, from: VersionId, to: VersionId, nanos: u64) -> Option<What> {
        let from_tier = self.record(from).map_or(Kind::Baseline, |record| record.kind);
        let record = self.record_mut(to)?;
        let count = record.arrive(nanos)?;
        Some(What::Osr(Osr { from: from.0, from_tier, count, took: record.arriving as f64 / 1e3 }))
    }

    /// The live version of a generation with that entry.
    pub(crate) fn live(&self, generation: Generation, entry: Entry) -> Option<&VersionRecord> {
        self.of(generation).find(|record| record.is_live() && record.entry == entry)
    }

    pub(crate) fn of(&self, generation: Generation) -> impl Iterator<Item = &VersionRecord> {
        self.versions.iter().filter(move |record| record.generation == generation)
    }

    /// The part of the function's work in the loops that a proposal passes through.
    pub(crate) fn share_of(&self, proposal: &Proposal, now: Micros, half_life: Micros) -> f64 {
        let blocks = proposal.blocks();
        let passed = self.loops.keys().filter(|at| at.callee == proposal.callee && blocks.contains(&at.header));
        passed.map(|at| self.sample.share(*at, now, half_life)).sum()
    }

    /// The loops around and including that at `header`, outermost first.
    pub(crate) fn nest(&self, header: Block) -> Vec<Block> {
        let outer = |header: &Block| self.info.loop_at(*header).and_then(|found| found.parent);
        let mut nest: Vec<Block> = std::iter::successors(Some(header), outer).collect();
        nest.reverse();
        nest
    }

    /// The time that a profile is expected to take: after as long without a tick it is abandoned.
    pub(crate) fn expected_profile(&self, settings: &Settings) -> u64 {
        let unsettled = self.loops.values().filter(|history| !history.settled);
        settings.profile_time().0 << unsettled.map(|history| history.doublings).max().unwrap_or(0)
    }

    /// Loops worth a profile now, with their part of the function's work.
    pub(crate) fn worth_profiling(&self, now: Micros, settings: &Settings) -> Vec<(LoopKey, f64)> {
        let worth = |(at, history): (&LoopKey, &LoopHistory)| {
            let share = self.sample.share(*at, now, settings.half_life);
            let is_hot = history.is_ready(now) && share >= settings.loop_share;
            (is_hot && self.differs(*at)).then_some((*at, share))
        };
        self.loops.iter().filter_map(worth).collect()
    }

    /// The part of a loop's time that specializing it is expected to save.
    pub(crate) fn expected_gain(&self, at: LoopKey) -> f64 {
        let history = &self.loops[&at];
        let dispatches = self.loop_at(at).is_some_and(|found| found.choices >= CHOICES);
        let by_shape = if dispatches && history.fruitless == 0 { DISPATCH_GAIN } else { 0.0 };
        history.expected_gain().max(by_shape)
    }

    /// Why no loop is worth a profile now: what speaks against the hottest.
    pub(crate) fn why_not_profiled(&self, now: Micros, settings: &Settings) -> Reason {
        let Some(hottest) = self.sample.hottest_loop(now, settings.half_life) else {
            return if self.loops.is_empty() { Reason::NoLoop } else { Reason::NoHotLoop };
        };
        let history = self.loops.get(&hottest);
        let reason = match history {
            _ if !self.differs(hottest) => Reason::OneWay,
            Some(history) if history.settled => Reason::Settled,
            Some(history) if !history.is_ready(now) => Reason::Rests(history.rest_until),
            Some(_) | None => Reason::LittleTime,
        };
        Reason::OfLoop(self.loop_name(hottest), Box::new(reason))
    }

    /// The work that a compilation is expected to be: its own instructions, and what was inlined the last time.
    pub(crate) fn work(&self, func: FuncRef, kind: Kind) -> Work {
        let FunctionInfo { size, is_optimized, .. } = self.info;
        Work { func, kind, size: size + self.inlined_size, is_optimized }
    }

    /// The inlined function whose loop it is.
    pub(crate) fn inlined(&self, at: LoopKey) -> Option<&Callee> {
        self.callees.get(&at.callee?)
    }

    /// The loops of the function that a loop stands in: itself, or one that is inlined into it.
    fn loops_beside(&self, at: LoopKey) -> &[LoopInfo] {
        match at.callee {
            None => &self.info.loops,
            Some(_) => self.inlined(at).map_or(&[], |callee| &callee.loops),
        }
    }

    /// A loop, of the function itself or of one that is inlined into it.
    pub(crate) fn loop_at(&self, at: LoopKey) -> Option<&LoopInfo> {
        self.loops_beside(at).iter().find(|found| found.header == at.header)
    }

    /// True iff iterations of a loop may differ, by its own branches or by the trips of loops inside.
    fn differs(&self, at: LoopKey) -> bool {
        let loops = self.loops_beside(at);
        self.loop_at(at).is_some_and(|found| found.branches > 0 || differs_by_trips(loops, found))
    }

    pub(crate) fn loop_name(&self, at: LoopKey) -> LoopName {
        LoopName {
            line: self.loop_at(at).map_or(0, |found| found.line),
            function: self.info.name.clone(),
            callee: self.inlined(at).map(|callee| callee.subject.clone()),
        }
    }

    /// The function as the subject of an event, with a version and a loop of it.
    pub(crate) fn subject(&self, version: Option<VersionId>, at: Option<LoopKey>) -> Subject {
        Subject {
            function: Some(self.info.name.clone()),
            file: Some(self.info.file.clone()),
            line: Some(self.info.line),
            loop_line: at.and_then(|at| self.loop_at(at)).map(|found| found.line),
            callee: at.and_then(|at| self.inlined(at)).map(|callee| callee.subject.clone()),
            version: version.map(|version| version.0),
            tier: version.and_then(|version| self.record(version)).map(|record| record.kind),
        }
    }

    /// History of a loop. Headers of other functions' loops are the machine's mistake.
    pub(crate) fn loop_mut(&mut self, at: LoopKey) -> &mut LoopHistory {
        let name = &self.info.name;
        // An inlined function may have a new body by now.
        let is_known = at.callee.is_some() || self.loops.contains_key(&at);
        assert!(is_known, "{name} has no loop at {at:?}");
        self.loops.entry(at).or_default()
    }

    /// The proposals that its specialized loops were made of.
    pub(crate) fn in_use(&self) -> &[Arc<Proposal>] {
        self.phase.code().plan.as_ref().map(CodePlan::proposals).unwrap_or_default()
    }

    /// The same of one of them.
    pub(crate) fn proposal_in_use(&self, at: LoopKey) -> Option<Arc<Proposal>> {
        self.in_use().iter().find(|one| one.at() == at).cloned()
    }
}

/// Notes the loops of an inlined function that a tick fell into, if it did.
pub(crate) fn note_inlined(functions: &mut BTreeMap<FuncRef, Function>, tick: Tick) {
    let Some(InlinedLoop { callee, call_line, .. }) = tick.inlined else { return };
    let (Some(of), Some(function)) = (functions.get(&callee), functions.get(&tick.func)) else { return };
    let (around, known) = (tick.loop_header, function.callees.get(&callee));
    if known.is_some_and(|known| known.around == around && known.subject.call_line == call_line) {
        return;
    }
    let (info, known) = (of.info.clone(), of.loops.clone());
    let function = functions.get_mut(&tick.func).expect("it was found");
    for found in &info.loops {
        let new = || {
            let mut history = LoopHistory::default();
            known.get(&LoopKey::own(found.header)).into_iter().for_each(|own| history.rests_like(own));
            history
        };
        function.loops.entry(LoopKey { callee: Some(callee), header: found.header }).or_insert_with(new);
    }
    let subject = Inlined { function: info.name, file: info.file, call_line };
    function.callees.insert(callee, Callee { subject, loops: info.loops, around });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function_info::BodyHash;
    use crate::settings::{FRUITLESS, LEAST_SAVING};

    /// A function with a loop around another, each with a tick.
    fn nest(trips_vary: bool) -> Function {
        let [outer, inner] = [1, 2].map(Block::from_u32);
        let info = |header, parent| LoopInfo { header, line: 1, parent, branches: 0, choices: 0, trips_vary };
        let loops = vec![info(outer, None), info(inner, Some(outer))];
        let (name, file) = ("f".to_owned(), "f.hw".to_owned());
        let info = FunctionInfo { name, file, line: 1, size: 10, loops, is_optimized: false, hash: BodyHash(1) };
        let mut function = Function::new(info, Generation(0));
        for header in [outer, inner] {
            function.sample.add(Micros(0), Settings::synchronous().half_life, 1.0, Some(header.into()));
        }
        function
    }

    #[test]
    fn a_loop_around_others_is_profiled_once_for_their_trips() {
        let settings = Settings::synchronous();
        let outer = Block::from_u32(1);
        let worth = |function: &Function| {
            let worth = function.worth_profiling(Micros(0), &settings).into_iter();
            worth.map(|(at, _)| at.header).collect::<Vec<Block>>()
        };
        assert_eq!(worth(&nest(false)), []);
        let mut function = nest(true);
        assert_eq!(worth(&function), [outer], "nothing in the inner one differs");
        assert_eq!(function.expected_gain(outer.into()), LEAST_SAVING);
        function.loop_mut(outer.into()).found_nothing(Micros(0), &settings);
        assert_eq!(function.expected_gain(outer.into()), LEAST_SAVING * FRUITLESS);
    }

    #[test]
    fn a_dispatch_loop_is_expected_to_gain_until_a_profile_finds_nothing() {
        let settings = Settings::synchronous();
        let outer = Block::from_u32(1);
        let gain = |choices: u32, profiles: u32| {
            let mut function = nest(true);
            function.info.loops[0].choices = choices;
            (0..profiles).for_each(|_| function.loop_mut(outer.into()).found_nothing(Micros(0), &settings));
            function.expected_gain(outer.into())
        };
        assert_eq!(gain(CHOICES, 0), DISPATCH_GAIN);
        assert_eq!((gain(CHOICES - 1, 0), gain(CHOICES, 1)), (LEAST_SAVING, LEAST_SAVING * FRUITLESS));
    }
}
