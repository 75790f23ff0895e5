//! The recompilation executor, which carries the controller's directives out.
//!
//! In: polls of the machine. Out: ticks, compilations and profiles for the [`Session`], which answers with directives; versions that
//! are compiled on another thread, installed at polls, left and invalidated.
//!
//! ```text
//!   timer --tick--> poll --Tick--> Session --Directive--> job --> compiler thread
//!                    ^                                                  |
//!                    +------------------- install flag -----------------+
//! ```
//!
//! Without a second thread, or where two runs are to decide alike, jobs are worked off at once and every poll counts.
//! Invariant: a directive is carried out before the next poll ends, and answered as `adaptive::directive` says.

mod background;
mod bursts;
mod code;
mod cost;
mod evidence;
mod findings;
mod job;
mod preference;
mod progress;
mod random_observations;
mod settings;
mod specialize;
mod ticker;
mod trial;
mod watch;

pub use bursts::{BurstSampler, Pace};

use crate::adaptive::settings::POLLS_A_MILLISECOND;
use crate::adaptive::{
    CompilationId, Directive, FunctionInfo, InlinedLoop, LoopKey, Micros, Observation, Session, Tick,
};
use crate::machine::{AdaptiveSystem, Machine, OsrTransition};
use crate::runtime::flag;
use background::Background;
use cost::Cost;
use hashbrown::HashMap;
use holloway_jit::expand::{Expanded, expand};
use holloway_jit::{Site, Tier, Version, VersionId};
use holloway_lang::ir::{Block, FuncRef, Function};
use holloway_lang::source::SourceMap;
use job::{Done, Job, Outcome, Pending};
use settings::{EDGE_POLLS, FREED_FRAMES, UNTICKED_CALLS};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};
use ticker::Ticker;
use watch::{Watcher, Watching};

/// The executor's clock.
enum Time {
    /// Since the first run started, by the clock.
    Clock(Option<Instant>),
    /// Polls so far, and when a tick is due.
    Polls { so_far: u64, next_tick: u64 },
}

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
    /// Calls before there were ticks.
    calls: u32,
    /// True once the program has polled.
    has_polled: bool,
    compiler: Option<Background<Job, Outcome>>,
    /// Requested and not answered.
    requested: HashMap<CompilationId, Pending>,
    /// Compiled and not installed.
    waiting: HashMap<CompilationId, Done>,
    versions: HashMap<VersionId, Arc<Version>>,
    /// Dropped versions that some frame may be in.
    leaving: Vec<VersionId>,
    /// Ticks until versions that no frame is in are looked for again.
    ticks_to_free: usize,
    /// Profiles whose traces are being tried on the compiler's thread.
    tried: Vec<FuncRef>,
    /// Looks at the profile of each version.
    looks: HashMap<VersionId, u64>,
    /// The loop that versions count for each loop that they are compared by.
    progress_loops: HashMap<(FuncRef, LoopKey, bool), Option<Block>>,
    /// The expanded bodies of functions that were declared, where they have some.
    expanded: HashMap<FuncRef, Option<Arc<Expanded>>>,
    /// Functions with new bodies that the session does not know of.
    redefined: Vec<FuncRef>,
    cost: Cost,
}

impl RecompilationExecutor {
    /// An executor for a session.
    pub fn new(mut session: Session) -> RecompilationExecutor {
        let next_tick = session.polls_to_tick().unwrap_or(POLLS_A_MILLISECOND);
        let time = if session.counts_polls() { Time::Polls { so_far: 0, next_tick } } else { Time::Clock(None) };
        RecompilationExecutor {
            watcher: None,
            session,
            sources: SourceMap::default(),
            time,
            ticker: None,
            calls: 0,
            has_polled: false,
            compiler: None,
            requested: HashMap::new(),
            waiting: HashMap::new(),
            versions: HashMap::new(),
            leaving: Vec::new(),
            ticks_to_free: 0,
            tried: Vec::new(),
            looks: HashMap::new(),
            progress_loops: HashMap::new(),
            expanded: HashMap::new(),
            redefined: Vec::new(),
            cost: Cost::default(),
        }
    }

    fn now(&self) -> Micros {
        match &self.time {
            Time::Clock(start) => Micros(start.map_or(0, |start| start.elapsed().as_micros() as u64)),
            Time::Polls { so_far, .. } => Micros(so_far * 1000 / POLLS_A_MILLISECOND),
        }
    }

    /// True iff a tick is due, where polls are counted.
    fn count_poll(&mut self, counted: u64) -> bool {
        match &mut self.time {
            Time::Clock(_) => false,
            Time::Polls { so_far, next_tick } => {
                *so_far += counted;
                let is_due = so_far >= next_tick;
                if is_due {
                    let regular = (*so_far / POLLS_A_MILLISECOND + 1) * POLLS_A_MILLISECOND;
                    *next_tick = self.session.polls_to_tick().map_or(regular, |polls| *so_far + polls);
                }
                is_due
            }
        }
    }

    fn tick(&mut self, machine: &mut Machine) {
        let Some((version, call)) = machine.frames().next().map(|(version, call)| (Arc::clone(version), *call)) else {
            return;
        };
        let func = version.func;
        let caller = machine.frames().nth(1).map(|(version, _)| version.func);
        let loop_header = machine.polled_loop(&version, &call);
        let calls = match version.tier {
            Tier::Baseline => machine.profiles.calls(func),
            Tier::Optimized => None,
        };
        let sites: Vec<Site> = version.frames(&call).collect();
        let inlined = self.inlined_loop(machine, &sites);
        machine.profiles.look_at_branches(func);
        self.declare(machine, func);
        self.versions.entry(version.id).or_insert_with(|| Arc::clone(&version));
        let tick = Tick { func, version: version.id, tier: version.tier, loop_header, inlined, caller, calls };
        let directives = self.session.observe(self.now(), Observation::Tick(tick));
        // Guards are read for as long as a specialized version runs.
        self.note(directives.iter().any(|directive| !matches!(directive, Directive::ReadGuards(_))));
        self.carry_out(machine, directives);
        self.after_tick(machine);
    }

    fn begin_ticks(&mut self, machine: &Machine) {
        self.ticker = Some(Ticker::begun(machine.runtime.timer().ticks()));
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
        let is_new = !self.session.knows(func) || self.redefined.contains(&func);
        if is_new {
            self.redefined.retain(|known| *known != func);
            let whole = self.whole(machine, func);
            let info = FunctionInfo::expanded(machine.runtime.module(), &self.sources, func, &whole);
            self.session.observe(self.now(), Observation::Declared { func, info });
        }
    }

    /// The expanded body of a function, if it has one.
    fn expanded(&mut self, machine: &Machine, func: FuncRef) -> Option<Arc<Expanded>> {
        let module = machine.runtime.module();
        self.expanded.entry(func).or_insert_with(|| expand(module, func).map(Arc::new)).clone()
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
        if self.ticks_to_free == 0 && (machine.code.has_retired() || !self.leaving.is_empty()) {
            let used = machine.free_retired();
            self.ticks_to_free = used.frames / FREED_FRAMES;
            let is_used = |version: &VersionId| used.versions.contains(version);
            let (kept, gone): (Vec<_>, Vec<_>) = self.leaving.drain(..).partition(is_used);
            self.leaving = kept;
            for version in gone {
                self.versions.remove(&version);
                self.session.observe(self.now(), Observation::Freed(version));
            }
        }
        machine.request_osr_at_tick();
    }

    fn carry_out(&mut self, machine: &mut Machine, directives: Vec<Directive>) {
        let mut left = std::collections::VecDeque::from(directives);
        while let Some(directive) = left.pop_front() {
            let begun = cost::begin(&directive);
            left.extend(self.directive(machine, directive));
            self.cost.end(begun);
        }
    }

    fn directive(&mut self, machine: &mut Machine, directive: Directive) -> Vec<Directive> {
        match directive {
            Directive::Compile(request) => self.compile(machine, request),
            Directive::Install(compilation) => self.install(machine, compilation),
            Directive::Discard(compilation) => {
                if let Some(pending) = self.requested.remove(&compilation) {
                    pending.withdrawn.store(true, Ordering::Relaxed);
                }
                self.waiting.remove(&compilation);
                Vec::new()
            }
            Directive::Retire(id) | Directive::SetAside(id) => {
                if let Some(version) = self.kept(machine, id) {
                    machine.code.retire(version);
                }
                Vec::new()
            }
            Directive::Reinstall(id) => {
                if let Some(version) = self.kept(machine, id) {
                    machine.code.activate(version);
                    let now = self.now();
                    return self.session.observe(now, Observation::Reinstalled(id));
                }
                Vec::new()
            }
            Directive::ReadProfile { func, version } => self.read_profile(machine, func, version),
            Directive::ReadGuards(version) => self.read_guards(version),
            Directive::ReadProgress(versions) => self.read_progress(&versions),
            Directive::TakeUp(id) => {
                if let Some(version) = self.kept(machine, id) {
                    machine.code.activate(version);
                    machine.request_osr();
                }
                Vec::new()
            }
            Directive::StartIn(tier) => {
                machine.first_tier = tier;
                Vec::new()
            }
            Directive::Drop(id) => {
                self.drop_version(machine, id);
                Vec::new()
            }
        }
    }

    /// A version whose code is still there: advice may ask for one that was replaced and freed.
    fn kept(&self, machine: &Machine, id: VersionId) -> Option<&Arc<Version>> {
        self.versions.get(&id).filter(|version| machine.code.has(version))
    }

    /// The collector of profiled versions, when it has all that was reported; `None` before the first of them.
    fn watcher(&self, machine: &mut Machine) -> Option<MutexGuard<'_, Watching>> {
        machine.flush_events();
        self.watcher.as_ref().map(Watcher::lock)
    }

    /// Nothing leads to a version any more; if it is a profiled one, its function is not watched any more.
    fn drop_version(&mut self, machine: &mut Machine, id: VersionId) {
        let Some(version) = self.versions.get(&id) else { return };
        machine.code.deactivate(version);
        self.leaving.push(id);
        let profiled = version.paths.0.is_some().then_some(version.func);
        if let (Some(func), Some(mut watcher)) = (profiled, self.watcher(machine)) {
            watcher.close(func);
        }
    }
}

impl AdaptiveSystem for RecompilationExecutor {
    fn start(&mut self, machine: &mut Machine) {
        self.cost.start();
        match &mut self.time {
            Time::Clock(start) => {
                start.get_or_insert_with(Instant::now);
                self.calls = self.calls.saturating_add(1);
                match &mut self.ticker {
                    Some(ticker) => ticker.run(),
                    None if self.calls > UNTICKED_CALLS => self.begin_ticks(machine),
                    None => machine.runtime.context().raise(flag::TICK),
                }
            }
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
            Time::Polls { .. } => {
                if self.count_poll(u64::from(machine.present_polls)) {
                    self.tick(machine);
                }
            }
        }
    }

    fn osr_taken(&mut self, _: &mut Machine, transfer: &OsrTransition) {
        let now = self.now();
        let (from, to, header) = (transfer.from.id, transfer.to.id, transfer.header);
        self.session.observe(now, Observation::Osr { from, to, header });
    }

    fn stop(&mut self, machine: &mut Machine) {
        if let Some(ticker) = &self.ticker {
            ticker.rest();
        }
        // What was compiled meanwhile is taken at the next call's polls.
        machine.runtime.context().take_flags(flag::TICK);
        machine.withdraw_osr_request();
        for version in std::mem::take(&mut self.leaving) {
            self.versions.remove(&version);
            self.session.observe(self.now(), Observation::Freed(version));
        }
    }

    fn measure(&mut self, machine: &Machine) {
        // Where polls are counted two runs tell the same.
        if matches!(self.time, Time::Clock(_)) {
            let compiler = self.compiler.as_ref().map_or(Duration::ZERO, Background::cpu_time);
            let end = self.cost.so_far(compiler, machine.code.stats.time);
            self.session.stopped(self.now(), end);
        }
    }

    fn replaced(&mut self, funcs: &[FuncRef]) {
        self.requested.retain(|_, pending| !funcs.contains(&pending.request.func));
        self.waiting.retain(|_, done| !funcs.contains(&done.request.func));
        self.versions.retain(|_, version| !funcs.contains(&version.func));
        self.progress_loops.retain(|(func, ..), _| !funcs.contains(func));
        // Any body may have been in another.
        self.expanded.clear();
        self.redefined.extend(funcs);
        if let Some(watcher) = &self.watcher {
            let mut watching = watcher.lock();
            funcs.iter().for_each(|func| watching.close(*func));
        }
    }

    fn session(&self) -> Option<&Session> {
        Some(&self.session)
    }

    fn session_mut(&mut self) -> Option<&mut Session> {
        Some(&mut self.session)
    }

    fn set_sources(&mut self, sources: &SourceMap) {
        self.sources = sources.clone();
    }
}
