//! The recompilation executor: takes ticks, compilations and profiles to the [`Session`] at polls, and carries its
//! actions out. Code is compiled on another thread, whose results raise a flag for the next poll; without one, or where
//! two runs are to decide alike, jobs are done at once and polls are counted. Invariant: an action is carried out
//! before the next poll ends, and answered as [`Action`] says.

mod background;
mod code;
mod cost;
mod findings;
mod job;
mod missed;
mod progress;
mod random_observations;
mod specialize;
mod ticker;
mod time;
mod watch;

use crate::micros::POLLS_A_MILLISECOND;
use crate::settings::MISS_NANOS;
use crate::{
    Action, CompilationId, Executions, FunctionInfo, InlinedLoop, LoopKey, Micros, Observation, ReplayController,
    Session, Tick,
};
use background::Background;
use cost::Cost;
use hashbrown::HashMap;
use holloway_ir::{Cfg, FuncRef, Function, Loops};
use holloway_jit::expand::{Expanded, expand};
use holloway_jit::{Site, Tier, Version, VersionId};
use holloway_lang::source::SourceMap;
use holloway_machine::{AdaptiveSystem, EDGE_POLLS, Machine, OsrTransition};
use holloway_runtime::flag;
use job::{Done, Job, Outcome, Pending};
use missed::MissedCalls;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use ticker::Ticker;
use time::{CpuTime, Time};
use watch::{Watcher, Watching};

/// Calls from the host without ticks, unless one polls twice: short programs need no timer. Decides nothing.
const UNTICKED_CALLS: u32 = 16;
/// Frames that are walked for each tick, on average, to find versions that no frame is in: some twenty microseconds of a
/// millisecond. Calls can be a hundred thousand deep. It bounds the time until memory is free, and decides nothing.
const FREED_FRAMES: usize = 64;

/// Carries decisions out.
pub struct RecompilationExecutor {
    /// The collector of profiled versions, from the first of them on.
    watcher: Option<Watcher>,
    session: Session,
    sources: SourceMap,
    time: Time,
    /// Ticks, from the second poll on: the first is the top level's prologue, and many a program ends before the next.
    /// Or from a later call on, for calls may be too short to poll.
    ticker: Option<Ticker>,
    calls: u32,
    has_polled: bool,
    compiler: Option<Background<Job, Outcome>>,
    /// Ticks until versions that no frame is in are looked for again.
    ticks_to_free: usize,
    profiles: u64,
    present: Present,
    /// True iff polls are not counted any more: the replay has come to its end, and code runs as fast as it can.
    counts_no_more: bool,
    /// True iff the session has not been told yet that what it knows of versions and bodies holds no more.
    is_invalidated: bool,
    cost: Cost,
}

/// All that is about the present code and bodies.
#[derive(Default)]
struct Present {
    requested: HashMap<CompilationId, Pending>,
    waiting: HashMap<CompilationId, Done>,
    versions: HashMap<VersionId, Arc<Version>>,
    /// Dropped versions that some frame may be in.
    leaving: Vec<VersionId>,
    /// Functions whose profiles are being looked through on the compiler's thread, by the number of the profile.
    proposing: HashMap<u64, FuncRef>,
    /// Looks at the profile of each version.
    looks: HashMap<VersionId, u64>,
    /// Calls that versions make because of their profile.
    missed: MissedCalls,
    /// The loop that versions count for each loop that they are compared by.
    progress_loops: HashMap<(FuncRef, LoopKey), Option<LoopKey>>,
    /// The expanded bodies of functions that were declared, where they have some.
    expanded: HashMap<FuncRef, Option<Arc<Expanded>>>,
}

impl RecompilationExecutor {
    /// An executor for a session.
    pub fn new(mut session: Session) -> RecompilationExecutor {
        let next_tick = session.polls_to_tick().unwrap_or(POLLS_A_MILLISECOND);
        let time =
            if session.counts_polls() { Time::Polls { so_far: 0, next_tick } } else { Time::Clock(CpuTime::default()) };
        RecompilationExecutor {
            watcher: None,
            session,
            sources: SourceMap::default(),
            time,
            ticker: None,
            calls: 0,
            has_polled: false,
            compiler: None,
            ticks_to_free: 0,
            profiles: 0,
            present: Present::default(),
            counts_no_more: false,
            is_invalidated: false,
            cost: Cost::default(),
        }
    }

    /// The policy of the run and its events.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The same, to change.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Takes the sources, for naming lines.
    pub fn set_sources(&mut self, sources: &SourceMap) {
        self.sources = sources.clone();
    }

    /// Tells the session what happened; gives what is to be done.
    fn tell(&mut self, observation: Observation) -> Vec<Action> {
        self.session.observe(self.time.now(), observation)
    }

    fn tick(&mut self, machine: &mut Machine) {
        self.declare_anew(machine);
        let Some((version, call)) = machine.frames().next().map(|(version, call)| (Arc::clone(version), *call)) else {
            return;
        };
        let func = version.func;
        let calling = machine.frames().nth(1).map(|(version, _)| Arc::clone(version));
        let caller = calling.as_ref().map(|version| version.func);
        let loop_header = machine.polled_loop(&version, &call);
        let counted = match version.tier {
            Tier::Baseline => self.counted(machine, func),
            Tier::Optimized => None,
        };
        let sites: Vec<Site> = version.frames(&call).collect();
        let inlined = self.inlined_loop(machine, &sites);
        machine.profiles.look_at_branches(func);
        self.declare(machine, func);
        self.present.versions.entry(version.id).or_insert_with(|| Arc::clone(&version));
        let tick = Tick { func, version: version.id, tier: version.tier, loop_header, inlined, caller, counted };
        let lost = self.look_at_missed([Some(&version), calling.as_ref()]);
        let mut actions = self.tell(Observation::Tick(tick));
        for (version, lost) in lost {
            actions.extend(self.tell(Observation::Missed(version, lost)));
        }
        // Guards are read for as long as a specialized version runs.
        self.note(actions.iter().any(|action| !matches!(action, Action::ReadGuards(_))));
        self.carry_out(machine, actions);
        self.after_tick(machine);
    }

    /// Calls and back edges that baseline code has counted of a function.
    fn counted(&self, machine: &Machine, func: FuncRef) -> Option<Executions> {
        let calls = machine.profiles.calls(func)?;
        let back_edges = if self.session.wants_back_edges() { back_edges(machine, func) } else { 0 };
        Some(Executions { calls, back_edges })
    }

    /// Looks at the calls that the running version and its caller make because of their profile: a tick may always fall on what they call.
    fn look_at_missed(&mut self, versions: [Option<&Arc<Version>>; 2]) -> Vec<(VersionId, Micros)> {
        let price = match &self.time {
            Time::Clock(_) => MISS_NANOS / 1000.0,
            // Its poll.
            Time::Polls { .. } => 1000.0 / POLLS_A_MILLISECOND as f64,
        };
        let now = self.time.now();
        let look = |version: &Arc<Version>| Some((version.id, self.present.missed.look(version, now, price)?));
        versions.into_iter().flatten().filter_map(look).collect()
    }

    fn begin_ticks(&mut self, machine: &Machine) {
        self.ticker = Some(Ticker::begun(machine.runtime.timer().ticks()));
    }

    /// Polls that are counted are armed, which slows each loop by another factor. Once nothing goes by their number, it
    /// is a timer that lets activations move to other code.
    fn count_no_more(&mut self, machine: &mut Machine) {
        self.counts_no_more = true;
        machine.runtime.context().take_flags(flag::TICK);
        machine.edge_polls = 1;
        machine.runtime.context_mut().set_countdown(machine.edge_polls);
        self.begin_ticks(machine);
    }

    /// Takes note whether something followed from a tick, or from the end of a compilation.
    fn note(&mut self, led_to_something: bool) {
        if let Some(ticker) = &mut self.ticker {
            ticker.note(led_to_something);
        }
    }

    /// The innermost loop around a poll, if it is one of an inlined function, which is declared then.
    fn inlined_loop(&mut self, machine: &mut Machine, sites: &[Site]) -> Option<InlinedLoop> {
        let (own, inlined) = sites.split_last()?;
        let call_line = self.sources.line_col(own.span).0;
        let found = inlined.iter().find_map(|site| {
            let header = machine.headers(site.func).loop_of(site.block)?;
            Some(InlinedLoop { callee: site.func, header, call_line })
        })?;
        // A function that is inlined into itself has no loop there.
        let is_other = found.callee != own.func;
        is_other.then(|| self.declare(machine, found.callee))?;
        Some(found)
    }

    fn declare(&mut self, machine: &Machine, func: FuncRef) {
        if !self.session.knows(func) {
            self.declare_body(machine, func);
        }
    }

    fn declare_body(&mut self, machine: &Machine, func: FuncRef) {
        let whole = self.whole(machine, func);
        let info = FunctionInfo::expanded(machine.runtime.module(), &self.sources, func, &whole);
        self.tell(Observation::Declared(func, info));
    }

    /// Once all code went: tells the session the present bodies of the functions that it knows, before it decides anything by what it knew of those.
    fn declare_anew(&mut self, machine: &Machine) {
        if std::mem::take(&mut self.is_invalidated) {
            let funcs = machine.runtime.module().funcs.keys();
            let known: Vec<FuncRef> = funcs.filter(|func| self.session.knows(*func)).collect();
            known.into_iter().for_each(|func| self.declare_body(machine, func));
        }
    }

    /// The expanded body of a function, if it has one.
    fn expanded(&mut self, machine: &Machine, func: FuncRef) -> Option<Arc<Expanded>> {
        let module = machine.runtime.module();
        self.present.expanded.entry(func).or_insert_with(|| expand(module, func).map(Arc::new)).clone()
    }

    /// The body that a function is profiled and specialized by.
    fn whole(&mut self, machine: &Machine, func: FuncRef) -> Arc<Function> {
        match self.expanded(machine, func) {
            Some(expanded) => Arc::clone(&expanded.body),
            None => Arc::clone(machine.runtime.module().function(func)),
        }
    }

    /// Versions that were left are freed now and then; activations deep in the stack are told to move.
    fn after_tick(&mut self, machine: &mut Machine) {
        self.ticks_to_free = self.ticks_to_free.saturating_sub(1);
        if self.ticks_to_free == 0 && (machine.code.has_retired() || !self.present.leaving.is_empty()) {
            let used = machine.free_retired();
            self.ticks_to_free = used.frames / FREED_FRAMES;
            let is_used = |version: &VersionId| used.versions.contains(version);
            let (kept, gone): (Vec<_>, Vec<_>) = self.present.leaving.drain(..).partition(is_used);
            self.present.leaving = kept;
            gone.iter().for_each(|version| _ = self.present.versions.remove(version));
        }
        machine.request_osr_at_tick();
    }

    fn carry_out(&mut self, machine: &mut Machine, actions: Vec<Action>) {
        let mut left = std::collections::VecDeque::from(actions);
        while let Some(action) = left.pop_front() {
            let begun = cost::begin(&action);
            left.extend(self.action(machine, action));
            self.cost.end(begun);
        }
    }

    fn action(&mut self, machine: &mut Machine, action: Action) -> Vec<Action> {
        match action {
            Action::Compile(request) => return self.compile(machine, request),
            Action::Install(compilation) => return self.install(machine, compilation),
            Action::ReadProfile(func, version) => return self.read_profile(machine, func, version),
            Action::ReadGuards(version) => return self.read_guards(version),
            Action::ReadProgress(versions) => return self.read_progress(&versions),
            Action::Discard(compilation) => {
                if let Some(pending) = self.present.requested.remove(&compilation) {
                    pending.withdrawn.store(true, Ordering::Relaxed);
                }
                self.present.waiting.remove(&compilation);
            }
            Action::Retire(id) | Action::SetAside(id) => {
                if let Some(version) = self.kept(machine, id) {
                    machine.code.retire(version);
                }
            }
            Action::Reinstall(id) => {
                if let Some(version) = self.kept(machine, id) {
                    machine.code.activate(version);
                    return self.tell(Observation::Reinstalled(id));
                }
            }
            Action::TakeUp(id) => {
                if let Some(version) = self.kept(machine, id) {
                    machine.code.activate(version);
                    machine.request_osr();
                }
            }
            Action::StartIn(tier) => machine.first_tier = tier,
            Action::Drop(id) => self.drop_version(machine, id),
        }
        Vec::new()
    }

    /// A version whose code is still there: advice may ask for one that was replaced and freed.
    fn kept(&self, machine: &Machine, id: VersionId) -> Option<&Arc<Version>> {
        self.present.versions.get(&id).filter(|version| machine.code.has(version))
    }

    /// The collector of profiled versions, when it has all that was reported; `None` before the first of them.
    fn watcher(&self, machine: &mut Machine) -> Option<MutexGuard<'_, Watching>> {
        machine.flush_events();
        self.watcher.as_ref().map(Watcher::lock)
    }

    /// Nothing leads to a version any more; if it is a profiled one, its function is not watched any more.
    fn drop_version(&mut self, machine: &mut Machine, id: VersionId) {
        let Some(version) = self.present.versions.get(&id) else { return };
        machine.code.deactivate(version);
        self.present.missed.retain(|version| version.id != id);
        self.present.leaving.push(id);
        let profiled = version.paths.0.is_some().then_some(version.func);
        if let (Some(func), Some(mut watcher)) = (profiled, self.watcher(machine)) {
            watcher.close(func);
        }
    }
}

/// Back edges that baseline code has counted of a function.
fn back_edges(machine: &Machine, func: FuncRef) -> u64 {
    let body = machine.runtime.module().function(func);
    let Some(counts) = machine.profiles.get(func).map(|profile| profile.observed()) else { return 0 };
    let loops = Loops::of(&Cfg::compute(body));
    let headers = loops.iter().map(|(_, l)| (l.header, &l.latches));
    headers
        .flat_map(|(header, latches)| latches.iter().map(move |latch| (*latch, header)))
        .map(|(from, to)| counts.taken(from, to))
        .sum()
}

impl AdaptiveSystem for RecompilationExecutor {
    fn start(&mut self, machine: &mut Machine) {
        self.cost.start();
        match &mut self.time {
            Time::Clock(time) => {
                time.begin();
                self.calls = self.calls.saturating_add(1);
                match &mut self.ticker {
                    Some(ticker) => ticker.run(),
                    None if self.calls > UNTICKED_CALLS => self.begin_ticks(machine),
                    None => machine.runtime.context().raise(flag::TICK),
                }
            }
            Time::Polls { .. } if self.counts_no_more => self.ticker.iter_mut().for_each(Ticker::run),
            Time::Polls { .. } => {
                // Chance is to strike anywhere.
                machine.edge_polls = if self.session.stressed().is_some() { 1 } else { EDGE_POLLS };
                machine.runtime.context_mut().set_countdown(machine.edge_polls);
                machine.runtime.context().raise(flag::TICK);
            }
        }
    }

    fn poll(&mut self, machine: &mut Machine) {
        match self.time {
            Time::Clock(_) => {
                if machine.runtime.context().take_flags(flag::INSTALL) != 0 {
                    self.note(true);
                    self.take_results(machine);
                    machine.request_osr();
                }
                if machine.runtime.context().take_flags(flag::TICK) != 0 {
                    match (&self.ticker, std::mem::replace(&mut self.has_polled, true)) {
                        (Some(_), _) => self.tick(machine),
                        (None, true) => self.begin_ticks(machine),
                        (None, false) => machine.runtime.context().raise(flag::TICK),
                    }
                }
            }
            Time::Polls { .. } if self.counts_no_more => {
                if machine.runtime.context().take_flags(flag::TICK) != 0 {
                    self.after_tick(machine);
                }
            }
            Time::Polls { .. } => {
                let next = || self.session.polls_to_tick();
                if self.time.count_poll(u64::from(machine.present_polls), next) {
                    self.tick(machine);
                    if self.session.replay().is_some_and(ReplayController::has_ended) {
                        self.count_no_more(machine);
                    }
                }
            }
        }
    }

    fn osr_taken(&mut self, _: &mut Machine, transfer: &OsrTransition) {
        let (from, to, header) = (transfer.from.id, transfer.to.id, transfer.header);
        let nanos = match self.time {
            Time::Clock(_) => transfer.took.as_nanos() as u64,
            Time::Polls { .. } => 0,
        };
        self.tell(Observation::Osr { from, to, header, nanos });
    }

    fn stop(&mut self, machine: &mut Machine) {
        if let Some(ticker) = &self.ticker {
            ticker.rest();
        }
        if self.counts_no_more {
            let versions: Vec<VersionId> = self.present.versions.keys().copied().collect();
            versions.into_iter().for_each(|version| _ = self.read_guards(version));
        }
        // What was compiled meanwhile is taken at the next call's polls.
        machine.runtime.context().take_flags(flag::TICK);
        machine.withdraw_osr_request();
        self.present.leaving.drain(..).for_each(|version| _ = self.present.versions.remove(&version));
    }

    fn measure(&mut self, machine: &Machine) {
        // Where polls are counted two runs tell the same.
        if matches!(self.time, Time::Clock(_)) {
            let compiler = self.compiler.as_ref().map_or(Duration::ZERO, Background::cpu_time);
            let now = self.time.now();
            self.session.stopped(now, self.cost.so_far(now, compiler, machine.code.stats.time));
        }
    }

    fn invalidated(&mut self) {
        self.present = Present::default();
        self.is_invalidated = true;
        if let Some(watcher) = &self.watcher {
            watcher.lock().close_all();
        }
    }

    fn recompiles(&self) -> bool {
        true
    }
}
