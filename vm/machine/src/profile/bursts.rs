//! Bursts of paths that ticks begin: most of the time the program runs in code without probes.
//!
//! In: polls of the machine. Out: at some ticks the function that runs gets versions with probes in place of its own, until a burst of its
//! paths is recorded; then its own are back.
//!
//! ```text
//!   tick: function f, loop h    f's versions set aside, probed ones for calls and for h in use --OSR at h--> a burst of paths
//!   the burst is over           f's versions in use again, and a plain one for h ------------OSR at h--> no probes
//! ```
//!
//! The duplicated code of `[AR01]` M. Arnold, B. G. Ryder, "A Framework for Reducing the Cost of Instrumented Code", PLDI 2001, is here two
//! versions of a function, and the check at each back edge the poll that is there anyway.
//!
//! A burst begins where a tick finds the program: what a place records is in proportion to the time spent there, not to how often it runs. It is one of
//! the paths of that function, and takes those of functions inlined there along.
//! Invariant: between bursts no version with probes is in use. Its frames leave it at the header where the burst began, at another one once a tick
//! finds them there, or when they return; until then their probes record nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use holloway_ir::{Block, FuncRef};
use holloway_jit::probes::Paths;
use holloway_jit::{Entry, Leaving, Request, Tier, Version, is_traceable};

use super::compiled::CompiledPaths;
use super::settings::{BURST_PATIENCE, TICK, TICKS_A_BURST};
use crate::settings::EDGE_POLLS;
use crate::state::{AdaptiveSystem, Machine, OsrTransition};
use holloway_runtime::flag;
use holloway_runtime::timer::Ticks;

/// The distance of ticks.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// By the clock.
    Clock,
    /// So many polls each, so that two runs sample alike.
    Polls {
        /// Between two ticks.
        period: u64,
        /// Since the last tick.
        so_far: u64,
    },
}

impl Pace {
    /// A tick every so many polls.
    pub fn polls(period: u64) -> Pace {
        Pace::Polls { period, so_far: 0 }
    }
}

/// Begins and ends bursts.
pub struct BurstSampler {
    collector: CompiledPaths,
    paths: Paths,
    pace: Pace,
    clock: Option<Ticks>,
    /// Ticks until the next burst.
    ticks: u64,
    random: u64,
    burst: Option<Burst>,
    versions: HashMap<(FuncRef, Entry, Probes), Arc<Version>>,
    /// Functions that a tick found once: a second makes them worth compiling.
    found: HashSet<FuncRef>,
    /// Functions that cannot be compiled with probes.
    failed: HashSet<FuncRef>,
}

/// Probes in a version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Probes {
    None,
    All,
}

/// A burst under way.
struct Burst {
    func: FuncRef,
    /// Functions of which paths are recorded.
    recorded: Vec<FuncRef>,
    probed: Vec<Arc<Version>>,
    /// In use before, and again afterwards.
    plain: Vec<Arc<Version>>,
    /// Ticks since it began.
    ticks: u64,
}

impl BurstSampler {
    /// Samples into a collector, by probes from `paths`.
    pub fn new(collector: CompiledPaths, paths: Paths, pace: Pace) -> BurstSampler {
        BurstSampler {
            collector,
            paths,
            pace,
            clock: None,
            ticks: 1,
            random: 0x9e37_79b9_7f4a_7c15,
            burst: None,
            versions: HashMap::new(),
            found: HashSet::new(),
            failed: HashSet::new(),
        }
    }

    fn is_tick(&mut self, machine: &Machine) -> bool {
        match &mut self.pace {
            Pace::Clock => machine.runtime.context().take_flags(flag::TICK) != 0,
            Pace::Polls { period, so_far } => {
                *so_far += u64::from(machine.present_polls);
                let is_due = *so_far >= *period;
                *so_far = if is_due { 0 } else { *so_far };
                is_due
            }
        }
    }

    fn tick(&mut self, machine: &mut Machine) {
        match &mut self.burst {
            Some(burst) => {
                burst.ticks += 1;
                if burst.ticks >= BURST_PATIENCE {
                    self.end(machine);
                }
            }
            None => {
                self.ticks = self.ticks.saturating_sub(1);
                if self.ticks == 0 {
                    self.ticks = 1 + self.random() % (2 * TICKS_A_BURST - 1);
                    self.begin(machine);
                }
            }
        }
        machine.request_osr_at_tick();
    }

    /// xorshift64: a program whose phases are as long as a few ticks is sampled in all of them.
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 8
    }

    /// Begins a burst in the function that polls, if it was found before.
    fn begin(&mut self, machine: &mut Machine) {
        let Some((version, call)) = machine.frames().next().map(|(version, call)| (Arc::clone(version), *call)) else {
            return;
        };
        let func = version.func;
        if self.failed.contains(&func) {
            return;
        }
        let header = machine.polled_loop(&version, &call).filter(|header| machine.can_enter(func, *header));
        if version.paths.0.is_some() {
            return self.lead_back(machine, func, header);
        }
        if self.found.insert(func) {
            return;
        }
        let Some(burst) = self.prepare(machine, func, header) else {
            self.failed.insert(func);
            return;
        };
        burst.plain.iter().for_each(|version| machine.code.retire(version));
        burst.probed.iter().for_each(|version| machine.code.activate(version));
        self.collector.request_bursts(&burst.recorded);
        self.burst = Some(burst);
        machine.request_osr();
    }

    /// Lets a frame that is still in a version with probes leave it at this header.
    fn lead_back(&mut self, machine: &mut Machine, func: FuncRef, header: Option<Block>) {
        if let Some(header) = header
            && let Some(back) = self.version(machine, func, Entry::Header(header), Probes::None)
        {
            machine.code.activate(&back);
        }
    }

    /// The versions of a burst; `None` if there is no code with probes.
    fn prepare(&mut self, machine: &mut Machine, func: FuncRef, header: Option<Block>) -> Option<Burst> {
        let in_use: Vec<Arc<Version>> =
            machine.code.version(func).into_iter().chain(machine.code.continuations(func)).cloned().collect();
        let mut burst = Burst { func, recorded: Vec::new(), probed: Vec::new(), plain: in_use, ticks: 0 };
        burst.probed.push(self.version(machine, func, Entry::Call, Probes::All)?);
        if let Some(header) = header {
            let entry = Entry::Header(header);
            burst.probed.push(self.version(machine, func, entry, Probes::All)?);
            // The way back.
            let back = self.version(machine, func, entry, Probes::None)?;
            if burst.plain.iter().all(|plain| plain.id != back.id) {
                burst.plain.push(back);
            }
        }
        let recorded: BTreeSet<FuncRef> =
            burst.probed.iter().flat_map(|version| version.sites.iter().map(|site| site.func)).collect();
        burst.recorded = recorded.into_iter().collect();
        Some(burst)
    }

    /// A version that nothing need lead to, compiled if there is none yet.
    fn version(&mut self, machine: &mut Machine, func: FuncRef, entry: Entry, probes: Probes) -> Option<Arc<Version>> {
        if let Some(known) = self.versions.get(&(func, entry, probes)) {
            return Some(Arc::clone(known));
        }
        let mut request =
            Request { entry, leaving: Leaving::AtEveryLoop, ..machine.code.request(func, Tier::Optimized) };
        if !is_traceable(&request.body) {
            return None;
        }
        if probes == Probes::All {
            self.paths.of(func)?;
            request.paths = self.paths.clone();
        }
        let version = machine.code.compile(&request).ok()?;
        machine.limit_stack_for_new_code();
        self.versions.insert((func, entry, probes), Arc::clone(&version));
        Some(version)
    }

    /// Ends the burst under way, if there is one; frames of its versions are to leave them.
    fn end(&mut self, machine: &mut Machine) {
        if self.put_back(machine) {
            machine.request_osr();
        }
    }

    /// Puts the function's own versions back in use, if there is a burst.
    fn put_back(&mut self, machine: &mut Machine) -> bool {
        let Some(burst) = self.burst.take() else { return false };
        self.collector.end_bursts(&burst.recorded);
        burst.probed.iter().for_each(|version| machine.code.retire(version));
        burst.plain.iter().for_each(|version| machine.code.activate(version));
        true
    }
}

impl AdaptiveSystem for BurstSampler {
    fn start(&mut self, machine: &mut Machine) {
        match self.pace {
            Pace::Clock => {
                let ticks = self.clock.get_or_insert_with(|| machine.runtime.timer().ticks());
                ticks.set_period(TICK);
                ticks.begin();
            }
            Pace::Polls { period, .. } => {
                machine.edge_polls = EDGE_POLLS.min(u32::try_from(period).unwrap_or(u32::MAX)).max(1);
                machine.runtime.context_mut().set_countdown(machine.edge_polls);
                machine.runtime.context().raise(flag::TICK);
            }
        }
    }

    fn poll(&mut self, machine: &mut Machine) {
        let some_is_over = machine.runtime.context().take_flags(flag::BURST) != 0;
        if some_is_over && self.burst.as_ref().is_some_and(|burst| self.collector.burst_is_over(burst.func)) {
            self.end(machine);
        }
        if self.is_tick(machine) {
            self.tick(machine);
        }
    }

    fn leaving(&self) -> Leaving {
        Leaving::AtEveryLoop
    }

    fn osr_taken(&mut self, _: &mut Machine, _: &OsrTransition) {}

    fn stop(&mut self, machine: &mut Machine) {
        if let Some(ticks) = &self.clock {
            ticks.end();
        }
        machine.runtime.context().take_flags(flag::TICK | flag::BURST);
        // No frame is left that could be asked to go.
        self.put_back(machine);
        machine.withdraw_osr_request();
    }

    /// Code of any function may have a replaced body inlined, so all of it is gone.
    fn invalidated(&mut self) {
        self.versions.clear();
        self.found.clear();
        self.failed.clear();
        if let Some(burst) = self.burst.take() {
            self.collector.end_bursts(&burst.recorded);
        }
    }
}
