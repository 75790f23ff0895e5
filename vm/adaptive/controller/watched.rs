//! State that the controller keeps of one function.
//!
//! In: its declaration, then all that happens to it. Out: lookups. Invariant: `records` only grows; exactly one generation is
//! current, and its number is larger than that of every generation but retired ones that came back.

use std::collections::BTreeMap;

use holloway_jit::VersionId;
use holloway_lang::ir::{Block, FuncRef};

use super::specialized_loop::SpecializedLoop;
use crate::adaptive::directive::{CodePlan, Entry};
use crate::adaptive::event::{Choice, DropReason, Inlined, Kind};
use crate::adaptive::function_info::differs_by_trips;
use crate::adaptive::history::{Generation, LoopHistory, VersionRecord, VersionState};
use crate::adaptive::input::{FunctionInfo, LoopCandidate, LoopInfo, Micros, Tick};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::sample::Sample;
use crate::adaptive::settings::{CHOICES, DISPATCH_GAIN, Settings, TRIPS_GAIN, UNROLLED_GAIN};
use crate::adaptive::specialization::LoopPlan;

#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) info: FunctionInfo,
    pub(super) sample: Sample,
    pub(super) records: Vec<VersionRecord>,
    pub(super) loops: BTreeMap<LoopKey, LoopHistory>,
    /// Inner loops that come round the same few times whenever they are entered, as far as baseline code counted.
    pub(super) few_trips: Vec<LoopKey>,
    /// Functions that are inlined into it, and whose loops are hot there.
    pub(super) callees: BTreeMap<FuncRef, Callee>,
    pub(super) current: Plan,
    pub(super) next: Option<Plan>,
    /// The profile that is being looked through, while other code runs already.
    pub(super) ended: Option<Ended>,
    /// The traces of a loop that was left to grow, with the part of iterations that stayed on them last.
    pub(super) before: Option<LoopCandidate>,
    /// General code that was replaced by a profile or traces and may come back.
    pub(super) retired: Option<Plan>,
    /// Kinds that could not be compiled.
    pub(super) impossible: Vec<Kind>,
    /// Entries at which code of a generation could not be had.
    pub(super) failed: Vec<(Generation, Entry)>,
    /// The decision that was last told, and the time it was made on.
    pub(super) told: Option<(Choice, f64)>,
    pub(super) last_tick: Option<Tick>,
    /// Profiles of it that were abandoned.
    pub(super) abandoned: u32,
    /// Ticks that fell on its own optimized code, by the function that called it, as long as the history of both lasts.
    pub(super) callers: BTreeMap<FuncRef, u64>,
    /// Functions that its code calls: that measured faster than to inline them.
    pub(super) called: Vec<FuncRef>,
}

/// A function that is inlined into another.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    /// Its name, and where it is inlined.
    pub(super) subject: Inlined,
    /// Instructions of its body.
    pub(super) size: u64,
    /// Its loops.
    pub(super) loops: Vec<LoopInfo>,
    /// The caller's own loop around the call.
    pub(super) around: Option<Block>,
}

/// One plan for a function.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) generation: Generation,
    pub(super) kind: Kind,
    /// Code to compile for another entry; baseline code has no plan of ours.
    pub(super) plan: Option<CodePlan>,
    pub(super) why: String,
    /// When its first version came into use.
    pub(super) since: Micros,
    /// Of a profile: it was read for the last time.
    pub(super) read: bool,
    pub(super) loops: Vec<SpecializedLoop>,
    /// Specializations of other loops, which its own took the place of.
    pub(super) second: Vec<LoopCandidate>,
    /// True iff its gain was measured, or is being measured.
    pub(super) compared: bool,
    /// The measured gain.
    pub(super) gain: Option<f64>,
    /// Cost so far: compilations, and the profile before it, in microseconds.
    pub(super) cost: f64,
}

/// A profile that has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    /// Time spent in profiled code.
    pub(super) time: f64,
    /// Cost of compiling it.
    pub(super) cost: f64,
}

impl Plan {
    pub(super) fn new(generation: Generation, plan: Option<CodePlan>, why: String) -> Self {
        let kind = plan.as_ref().map_or(Kind::Baseline, Kind::of);
        Self {
            generation,
            kind,
            plan,
            why,
            since: Micros(0),
            read: false,
            loops: Vec::new(),
            second: Vec::new(),
            compared: false,
            gain: None,
            cost: 0.0,
        }
    }

    /// True iff a function is watched in this code, which is of `owner`.
    pub(super) fn watches(&self, owner: FuncRef, func: FuncRef) -> bool {
        match &self.plan {
            Some(CodePlan::Profiled(window)) => owner == func || window.callees.contains(&func),
            Some(CodePlan::Optimized | CodePlan::Specialized(_)) | None => false,
        }
    }
}

impl Watched {
    pub(super) fn new(info: FunctionInfo, generation: Generation) -> Self {
        let history = |found: &LoopInfo| history_of(&info.loops, found);
        let loops = info.loops.iter().map(|found| (found.header.into(), history(found))).collect();
        Self {
            info,
            sample: Sample::default(),
            records: Vec::new(),
            loops,
            few_trips: Vec::new(),
            callees: BTreeMap::new(),
            current: Plan::new(generation, None, "first call".to_owned()),
            next: None,
            ended: None,
            before: None,
            retired: None,
            impossible: Vec::new(),
            failed: Vec::new(),
            told: None,
            last_tick: None,
            abandoned: 0,
            callers: BTreeMap::new(),
            called: Vec::new(),
        }
    }

    /// It has a new body.
    pub(super) fn redefine(&mut self, info: FunctionInfo, generation: Generation) {
        let mut records = std::mem::take(&mut self.records);
        for record in &mut records {
            if matches!(record.state, VersionState::Live | VersionState::Retired) {
                record.state = VersionState::Freed(DropReason::Redefined);
            }
        }
        *self = Self { records, ..Self::new(info, generation) };
    }

    /// True iff no tick has fallen on it for so long that what is known of it is of another time.
    pub(super) fn is_outdated(&self, now: Micros, forget: Micros) -> bool {
        self.sample.ticks > 0 && now.since(self.sample.last) > forget
    }

    /// Discards its history, but for its versions and traces.
    pub(super) fn forget(&mut self) {
        self.sample.forget();
        self.loops.values_mut().for_each(LoopHistory::forget);
        self.before = None;
        self.called.clear();
        self.callers.clear();
    }

    pub(super) fn record(&self, version: VersionId) -> Option<&VersionRecord> {
        self.records.iter().rev().find(|record| record.id == version)
    }

    pub(super) fn record_mut(&mut self, version: VersionId) -> Option<&mut VersionRecord> {
        self.records.iter_mut().rev().find(|record| record.id == version)
    }

    /// The live version of a generation with that entry.
    pub(super) fn live(&self, generation: Generation, entry: Entry) -> Option<&VersionRecord> {
        self.of(generation).find(|record| record.is_live() && record.entry == entry)
    }

    /// The versions of a generation.
    pub(super) fn of(&self, generation: Generation) -> impl Iterator<Item = &VersionRecord> {
        self.records.iter().filter(move |record| record.generation == generation)
    }

    /// The part of the function's work in the loops that a plan passes through.
    pub(super) fn share_of(&self, plan: &LoopPlan, now: Micros, half_life: Micros) -> f64 {
        let blocks = plan.blocks();
        let passed = self.loops.keys().filter(|at| at.callee == plan.callee && blocks.contains(&at.header));
        passed.map(|at| self.sample.share(*at, now, half_life)).sum()
    }

    /// The loops around and including that at `header`, outermost first.
    pub(super) fn nest(&self, header: Block) -> Vec<Block> {
        let outer = |header: &Block| self.info.loop_at(*header).and_then(|found| found.parent);
        let mut nest: Vec<Block> = std::iter::successors(Some(header), outer).collect();
        nest.reverse();
        nest
    }

    /// The time that a profile is expected to take: after as long without a tick it is abandoned.
    pub(super) fn expected_profile(&self, settings: &Settings) -> u64 {
        let unsettled = self.loops.values().filter(|history| !history.settled);
        settings.profile_time.0 << unsettled.map(|history| history.doublings).max().unwrap_or(0)
    }

    /// Loops worth a profile now, with their part of the function's work.
    pub(super) fn worth_profiling(&self, now: Micros, settings: &Settings) -> Vec<(LoopKey, f64)> {
        let worth = |(at, history): (&LoopKey, &LoopHistory)| {
            let share = self.share(*at, now, settings.half_life);
            let differs = self.differs(*at);
            (differs && history.is_ready(now) && share >= settings.loop_share).then_some((*at, share))
        };
        self.loops.iter().filter_map(worth).collect()
    }

    /// The part of the function's work that was done in a loop, with inner loops that a trace of it would unroll.
    pub(super) fn share(&self, at: LoopKey, now: Micros, half_life: Micros) -> f64 {
        let inside = self.unrolled(at).map(|inner| self.sample.share(inner, now, half_life));
        self.sample.share(at, now, half_life) + inside.sum::<f64>()
    }

    /// The part of a loop's time that specializing it is expected to save.
    pub(super) fn expected_gain(&self, at: LoopKey, settings: &Settings) -> f64 {
        let history = &self.loops[&at];
        let gain = history.expected_gain(settings);
        if history.fruitless > 0 {
            return gain;
        }
        let dispatches = self.loop_at(at).is_some_and(|found| found.choices >= CHOICES);
        let by_shape = if dispatches {
            DISPATCH_GAIN
        } else if self.unrolled(at).next().is_some() {
            UNROLLED_GAIN
        } else {
            0.0
        };
        gain.max(by_shape)
    }

    /// Inner loops that a trace of a loop would unroll.
    fn unrolled(&self, at: LoopKey) -> impl Iterator<Item = LoopKey> {
        let is_inside = move |inner: &LoopKey| {
            inner.callee == at.callee && self.loop_at(*inner).is_some_and(|found| found.parent == Some(at.header))
        };
        self.few_trips.iter().copied().filter(is_inside)
    }

    /// Why no loop is worth a profile now: what speaks against the hottest.
    pub(super) fn why_not_profiled(&self, now: Micros, settings: &Settings) -> String {
        let Some(hottest) = self.sample.hottest_loop(now, settings.half_life) else {
            return "no loop of it is hot".to_owned();
        };
        // What could be done with an inner loop of few trips is done with the loop around.
        let around = self.loop_at(hottest).and_then(|found| found.parent).filter(|_| self.few_trips.contains(&hottest));
        let hottest = around.map_or(hottest, |header| LoopKey { header, ..hottest });
        let (name, history) = (self.loop_name(hottest), self.loops.get(&hottest));
        let reason = if !self.differs(hottest) {
            "it has one path of its own, of which a trace would leave nothing out"
        } else if history.is_some_and(|history| history.settled) {
            "its versions were invalidated too often, so it stays general"
        } else if history.is_some_and(|history| !history.is_ready(now)) {
            "it rests after a profile that led to nothing"
        } else {
            "it has too little of the function's time, or is being profiled elsewhere"
        };
        format!("{name}: {reason}")
    }

    /// Notes that a loop of an inlined function is hot, with what is known of the loops of the function itself.
    pub(super) fn add_callee(
        &mut self,
        callee: FuncRef,
        (info, known): (&FunctionInfo, &BTreeMap<LoopKey, LoopHistory>),
        call_line: u32,
        around: Option<Block>,
    ) {
        let subject = Inlined { function: info.name.clone(), file: info.file.clone(), call_line };
        for found in &info.loops {
            let at = LoopKey { callee: Some(callee), header: found.header };
            let new = || {
                let mut history = history_of(&info.loops, found);
                if let Some(own) = known.get(&LoopKey::own(found.header)) {
                    history.rests_like(own);
                }
                history
            };
            self.loops.entry(at).or_insert_with(new);
        }
        self.callees.insert(callee, Callee { subject, size: info.size, loops: info.loops.clone(), around });
    }

    /// Instructions that a compilation is of: what has hot loops where it is inlined gets probes and traces there, too.
    pub(super) fn compiled_size(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Baseline | Kind::Optimized => self.info.size,
            Kind::Profiled | Kind::Specialized => {
                self.info.size + self.callees.values().map(|callee| callee.size).sum::<u64>()
            }
        }
    }

    /// Another function, which may be inlined into it and may have called it, has a new body.
    pub(super) fn forget_function(&mut self, other: FuncRef) {
        self.callees.remove(&other);
        self.loops.retain(|at, _| at.callee != Some(other));
        self.few_trips.retain(|at| at.callee != Some(other));
        self.called.retain(|called| *called != other);
        let plans = std::iter::once(&mut self.current).chain(&mut self.next);
        plans.for_each(|plan| plan.second.retain(|candidate| candidate.plan.callee != Some(other)));
        self.before.take_if(|before| before.plan.callee == Some(other));
        self.callers.remove(&other);
    }

    /// The inlined function whose loop it is.
    pub(super) fn inlined(&self, at: LoopKey) -> Option<&Callee> {
        self.callees.get(&at.callee?)
    }

    /// A loop, of the function itself or of one that is inlined into it.
    pub(super) fn loop_at(&self, at: LoopKey) -> Option<&LoopInfo> {
        match at.callee {
            None => self.info.loop_at(at.header),
            Some(_) => self.inlined(at)?.loops.iter().find(|found| found.header == at.header),
        }
    }

    /// True iff iterations of a loop may differ, by its own branches or by the trips of loops inside.
    fn differs(&self, at: LoopKey) -> bool {
        let loops = match at.callee {
            None => Some(&self.info.loops),
            Some(_) => self.inlined(at).map(|callee| &callee.loops),
        };
        let found = loops.and_then(|loops| Some((loops, loops.iter().find(|found| found.header == at.header)?)));
        found.is_some_and(|(loops, found)| found.branches > 0 || differs_by_trips(loops, found))
            || self.unrolled(at).next().is_some()
    }

    /// A loop in words.
    pub(super) fn loop_name(&self, at: LoopKey) -> String {
        let line = self.loop_at(at).map_or(0, |found| found.line);
        match self.inlined(at) {
            None => format!("the loop at line {line}"),
            Some(callee) => {
                let Inlined { function, call_line, .. } = &callee.subject;
                format!("the loop at line {line} of {function}, inlined into {} at line {call_line}", self.info.name)
            }
        }
    }

    /// History of a loop. Headers of other functions' loops are the machine's mistake.
    pub(super) fn loop_mut(&mut self, at: LoopKey) -> &mut LoopHistory {
        let name = &self.info.name;
        // An inlined function may have a new body by now.
        let is_known = at.callee.is_some() || self.loops.contains_key(&at);
        assert!(is_known, "{name} has no loop at {at:?}");
        self.loops.entry(at).or_default()
    }
}

/// The history of a loop that nothing is known of yet.
fn history_of(loops: &[LoopInfo], found: &LoopInfo) -> LoopHistory {
    let has_inner = loops.iter().any(|inner| inner.parent == Some(found.header));
    match found.branches == 0 && has_inner {
        true => LoopHistory::expecting(TRIPS_GAIN),
        false => LoopHistory::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::function_info::BodyHash;
    use crate::adaptive::sample::Fell;

    /// A function with a loop around another, each with a tick.
    fn nest(trips_vary: bool) -> Watched {
        let [outer, inner] = [1, 2].map(Block::from_u32);
        let info = |header, parent| LoopInfo { header, line: 1, parent, branches: 0, choices: 0, trips_vary };
        let loops = vec![info(outer, None), info(inner, Some(outer))];
        let (name, file) = ("f".to_owned(), "f.hw".to_owned());
        let info = FunctionInfo { name, file, line: 1, size: 10, loops, hash: BodyHash(1) };
        let mut watched = Watched::new(info, Generation(0));
        for header in [outer, inner] {
            let fell = Fell { now: Micros(0), work: 1.0, innermost: Some(header.into()) };
            watched.sample.add(fell, Settings::synchronous().half_life);
        }
        watched
    }

    #[test]
    fn a_loop_around_others_is_profiled_once_for_their_trips() {
        let settings = Settings::synchronous();
        let outer = Block::from_u32(1);
        let worth = |watched: &Watched| {
            let worth = watched.worth_profiling(Micros(0), &settings).into_iter();
            worth.map(|(at, _)| at.header).collect::<Vec<Block>>()
        };
        assert_eq!(worth(&nest(false)), []);
        let mut watched = nest(true);
        assert_eq!(worth(&watched), [outer], "nothing in the inner one differs");
        assert!(watched.loop_mut(outer.into()).expected_gain(&settings) >= settings.least_gain);
        watched.loop_mut(outer.into()).found_nothing(Micros(0), &settings);
        assert!(watched.loop_mut(outer.into()).expected_gain(&settings) < settings.least_gain);
    }

    #[test]
    fn a_loop_is_profiled_early_and_once_if_inner_loops_come_round_the_same_few_times() {
        let settings = Settings::synchronous();
        let [outer, inner] = [1, 2].map(Block::from_u32);
        let mut watched = nest(false);
        // The time is in the inner loop.
        for _ in 0..18 {
            watched.sample.add(Fell { now: Micros(0), work: 1.0, innermost: Some(inner.into()) }, settings.half_life);
        }
        assert_eq!(watched.worth_profiling(Micros(0), &settings), []);
        watched.few_trips.push(inner.into());
        assert_eq!(
            watched.worth_profiling(Micros(0), &settings),
            [(outer.into(), 1.0)],
            "with the time of the inner one"
        );
        assert_eq!(watched.expected_gain(outer.into(), &settings), UNROLLED_GAIN);
        let rests = "the loop at line 1: it rests after a profile that led to nothing";
        watched.loop_mut(outer.into()).found_nothing(Micros(0), &settings);
        assert_eq!(watched.why_not_profiled(Micros(0), &settings), rests);
        assert!(watched.expected_gain(outer.into(), &settings) < settings.least_gain);
    }

    #[test]
    fn a_dispatch_loop_is_expected_to_gain_until_a_profile_finds_nothing() {
        let settings = Settings::synchronous();
        let outer = Block::from_u32(1);
        let gain = |choices: u32, profiles: u32| {
            let mut watched = nest(true);
            watched.info.loops[0].choices = choices;
            (0..profiles).for_each(|_| watched.loop_mut(outer.into()).found_nothing(Micros(0), &settings));
            watched.expected_gain(outer.into(), &settings)
        };
        assert_eq!(gain(CHOICES, 0), DISPATCH_GAIN);
        assert_eq!((gain(CHOICES - 1, 0), gain(CHOICES, 1)), (TRIPS_GAIN, TRIPS_GAIN / 2.0));
    }

    #[test]
    fn calls_count_until_the_body_that_made_them_is_gone_or_they_are_long_ago() {
        let mut watched = nest(false);
        let [gone, other] = [7, 8].map(FuncRef::from_u32);
        watched.callers = [(gone, 5), (other, 1)].into();
        watched.forget_function(gone);
        assert_eq!(watched.callers, [(other, 1)].into());
        watched.forget();
        assert!(watched.callers.is_empty());
    }
}
