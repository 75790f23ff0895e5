//! Carrying out a workload under a controller, in simulated time.

use std::collections::{BTreeMap, VecDeque};

use holloway_jit::{Leaving, Tier, VersionId};

use super::{Activation, Function, PENALTY, PROBES, Paths, Workload, calibration, follows, func, header, proposal};
use crate::event::{Kind, Persistent, TraceFormed};
use crate::input::CompileFigures;
use crate::settings::FIRST_K;
use crate::strategy::Strategy;
use crate::{
    Action, CodePlan, CompilationId, CompilationRequest, CompileOutcome, Controller, Entry, Event, Executions,
    LoopGuards, Micros, NoProposal, Observation, Observed, Policy, ProfileFindings, Proposal, Reading, Reason,
    Settings, Tick, Window,
};
use std::sync::Arc;

/// Looks at a first profile after which it is over, as in the executor.
const LOOKS: u64 = 11;

/// A machine at work.
pub(super) struct Machine {
    pub(super) controller: Controller,
    functions: Vec<Function>,
    optimized: f64,
    now: f64,
    next_tick: f64,
    versions: BTreeMap<VersionId, Version>,
    /// The version that runs in each function.
    running: Vec<VersionId>,
    /// Versions that calls run.
    called: Vec<VersionId>,
    queue: VecDeque<CompilationRequest>,
    compiling: Option<(CompilationRequest, f64)>,
    compiled: BTreeMap<CompilationId, CompilationRequest>,
    /// Everything that the controller was told, and what it said.
    pub(super) recording: Vec<Observed>,
    /// Every action, as text.
    pub(super) actions: Vec<String>,
    pub(super) events: Vec<Event>,
}

struct Version {
    function: usize,
    kind: Kind,
    entry: Entry,
    plan: Option<CodePlan>,
    live: bool,
    /// True iff its progress can be read.
    counts: bool,
    iterations: u64,
    failures: u64,
    /// Iterations and failures when guards were last looked at by the code itself.
    checked: (u64, u64),
    /// The path of the present run of equal paths, and its length.
    streak: (Option<u32>, u64),
    /// Looks at its profile.
    looks: u64,
}

impl Version {
    /// The proposal of its only loop, if that is specialized.
    fn proposal(&self) -> Option<&Proposal> {
        match &self.plan {
            Some(CodePlan::Specialized(proposals)) => Some(only(proposals)),
            Some(CodePlan::Optimized | CodePlan::Profiled(_)) | None => None,
        }
    }

    /// The window of a profiled version.
    fn window(&self) -> &Window {
        let Some(CodePlan::Profiled(window)) = &self.plan else { panic!("it is profiled") };
        window
    }
}

impl Machine {
    pub(super) fn new(functions: &[Function], settings: Settings) -> Self {
        Self::with_strategy(functions, settings, crate::strategies::STRATEGIES[0])
    }

    pub(super) fn with_strategy(functions: &[Function], settings: Settings, strategy: &'static Strategy) -> Self {
        let optimized = calibration().optimized.speed;
        let mut machine = Self {
            controller: Controller::new(settings, strategy, calibration),
            functions: functions.to_vec(),
            optimized,
            now: 0.0,
            next_tick: 1_000.0,
            versions: BTreeMap::new(),
            running: Vec::new(),
            called: Vec::new(),
            queue: VecDeque::new(),
            compiling: None,
            compiled: BTreeMap::new(),
            recording: Vec::new(),
            actions: Vec::new(),
            events: Vec::new(),
        };
        for (index, function) in functions.iter().enumerate() {
            machine.observe(Observation::Declared(func(index), function.info()));
            let id = machine.add(index, Kind::Baseline, Entry::Call, None);
            machine.running.push(id);
            machine.called.push(id);
        }
        machine
    }

    fn observe(&mut self, observation: Observation) -> Vec<Action> {
        let now = self.time();
        let actions = self.controller.observe(now, observation.clone());
        self.recording.push(Observed { now, observation, actions: actions.clone() });
        actions
    }

    /// Runs a workload; gives the microseconds it took.
    pub(super) fn run(&mut self, workload: &Workload) -> f64 {
        let start = self.now;
        for stretch in &workload.stretches {
            let mut at = 0;
            while at < stretch.iterations {
                at += self.advance(stretch.function, stretch.paths, at, stretch.iterations - at);
            }
        }
        self.now - start
    }

    /// Nothing runs for a while.
    pub(super) fn rest(&mut self, micros: f64) {
        self.now += micros;
        self.next_tick = self.now + 1_000.0;
    }

    fn add(&mut self, function: usize, kind: Kind, entry: Entry, plan: Option<CodePlan>) -> VersionId {
        let id = VersionId(self.versions.len() as u32);
        let version = Version {
            function,
            kind,
            entry,
            plan,
            live: true,
            counts: false,
            iterations: 0,
            failures: 0,
            checked: (0, 0),
            streak: (None, 0),
            looks: 0,
        };
        self.versions.insert(id, version);
        id
    }

    /// Runs iterations until something else happens; gives how many.
    fn advance(&mut self, function: usize, paths: Paths, at: u64, left: u64) -> u64 {
        let (path, alike) = paths.at(at);
        let id = self.running[function];
        let each = self.functions[function].iteration * self.relative(id, path);
        let until = self.compiling.as_ref().map_or(self.next_tick, |(_, end)| self.next_tick.min(*end));
        let fit = (((until - self.now) / each).ceil() as u64).max(1);
        let iterations = left.min(alike).min(fit).min(self.step_of(id));
        self.now += iterations as f64 * each;
        self.count(id, path, iterations);
        self.finish_compiling();
        self.report_by_itself(id);
        while self.now >= self.next_tick {
            self.take_tick(function);
        }
        self.events.extend(self.controller.take_events());
        iterations
    }

    /// Time of an iteration in a version, by baseline code's.
    fn relative(&self, id: VersionId, path: Option<u32>) -> f64 {
        let version = &self.versions[&id];
        let function = &self.functions[version.function];
        match version.kind {
            Kind::Baseline => 1.0,
            Kind::Optimized => 1.0 / self.optimized,
            Kind::Profiled => PROBES / self.optimized,
            Kind::Specialized if version.proposal().is_some_and(|one| follows(one, path)) => {
                function.real_ratio / self.optimized
            }
            Kind::Specialized => (1.0 + PENALTY) / self.optimized,
        }
    }

    /// No more at once than until the version's own counters are looked at.
    fn step_of(&self, id: VersionId) -> u64 {
        match self.versions[&id].kind {
            Kind::Baseline | Kind::Optimized => u64::MAX,
            Kind::Profiled | Kind::Specialized => 512,
        }
    }

    fn count(&mut self, id: VersionId, path: Option<u32>, iterations: u64) {
        let version = self.versions.get_mut(&id).expect("it runs");
        version.iterations += iterations;
        if version.proposal().is_some_and(|one| !follows(one, path)) {
            version.failures += iterations;
        }
        let length = if path.is_some() && path == version.streak.0 { version.streak.1 } else { 0 };
        version.streak = (path, length + iterations);
    }

    fn time(&self) -> Micros {
        Micros(self.now as u64)
    }

    fn take_tick(&mut self, function: usize) {
        let tick = Tick {
            func: func(function),
            version: self.running[function],
            tier: match self.versions[&self.running[function]].kind {
                Kind::Baseline => Tier::Baseline,
                Kind::Profiled | Kind::Optimized | Kind::Specialized => Tier::Optimized,
            },
            loop_header: Some(header()),
            inlined: None,
            caller: None,
            counted: self.counted(function),
        };
        self.next_tick += 1_000.0;
        let actions = self.observe(Observation::Tick(tick));
        self.carry_out(actions);
    }

    /// Executions that baseline code has counted of a function: each stretch is a call.
    fn counted(&self, function: usize) -> Option<Executions> {
        let version = &self.versions[&self.running[function]];
        let counts = Executions { calls: 1_000, back_edges: version.iterations };
        (version.kind == Kind::Baseline).then_some(counts)
    }

    fn carry_out(&mut self, actions: Vec<Action>) {
        let mut pending = VecDeque::from(actions);
        while let Some(action) = pending.pop_front() {
            self.actions.push(format!("{:.0} {action:?}", self.now));
            pending.extend(self.carry_out_one(action));
        }
    }

    fn carry_out_one(&mut self, action: Action) -> Vec<Action> {
        match action {
            Action::Compile(request) => {
                self.queue.push_back(request);
                self.start_compiling();
                Vec::new()
            }
            Action::Install(compilation) => {
                let request = self.compiled.remove(&compilation).expect("it was compiled");
                let id = self.install(request);
                let actions = self.observe(Observation::Installed(compilation, id));
                self.enter(id);
                actions
            }
            Action::Discard(compilation) => {
                self.compiled.remove(&compilation);
                self.queue.retain(|request| request.compilation != compilation);
                Vec::new()
            }
            Action::Reinstall(id) => {
                self.versions.get_mut(&id).expect("it is kept").live = true;
                self.enter(id);
                self.observe(Observation::Reinstalled(id))
            }
            Action::Retire(id) | Action::SetAside(id) => {
                self.versions.get_mut(&id).expect("it is known").live = false;
                Vec::new()
            }
            Action::Drop(id) => {
                self.versions.get_mut(&id).expect("it is known").live = false;
                Vec::new()
            }
            Action::TakeUp(id) => {
                self.versions.get_mut(&id).expect("it is kept").live = true;
                self.enter(id);
                Vec::new()
            }
            Action::ReadProgress(versions) => {
                let counting = versions.iter().filter(|id| self.versions[*id].counts);
                let iterations = counting.map(|id| (*id, self.versions[id].iterations)).collect();
                self.observe(Observation::Progress(Reading { nanos: (self.now * 1e3) as u64, iterations }))
            }
            Action::StartIn(tier) => panic!("functions start in the baseline tier, and not in {tier:?}"),
            Action::ReadProfile(func, version) => {
                self.versions.get_mut(&version).expect("it was installed").looks += 1;
                if !self.is_over(version) {
                    return Vec::new();
                }
                let findings = self.findings(version);
                let actions = self.observe(Observation::WindowFull(func));
                self.carry_out(actions);
                self.observe(Observation::Profile(func, findings))
            }
            Action::ReadGuards(version) => {
                let loops = self.guard_report(version);
                self.observe(Observation::Guards(version, loops))
            }
        }
    }

    fn start_compiling(&mut self) {
        if self.compiling.is_none()
            && let Some(request) = self.queue.pop_front()
        {
            let micros = self.compile_micros(&request);
            self.compiling = Some((request, self.now + micros));
        }
    }

    fn compile_micros(&self, request: &CompilationRequest) -> f64 {
        let table = calibration();
        let figures = match request.plan {
            CodePlan::Optimized => &table.optimized,
            CodePlan::Profiled(_) => &table.profiled,
            CodePlan::Specialized(_) => &table.specialized,
        };
        let size = self.functions[request.func.as_u32() as usize].size as f64;
        figures.function_us + size * 1_000.0 / figures.instructions_per_ms
    }

    fn finish_compiling(&mut self) {
        while let Some((request, _)) = self.compiling.take_if(|(_, end)| *end <= self.now) {
            let loops = match &request.plan {
                CodePlan::Specialized(proposals) => {
                    vec![(header().into(), TraceFormed::of(only(proposals), 2, self.controller.settings()))]
                }
                CodePlan::Optimized | CodePlan::Profiled(_) => Vec::new(),
            };
            let micros = Micros(self.compile_micros(&request) as u64);
            let figures = CompileFigures { micros, code_bytes: 1_000, ir_size: 150, ..CompileFigures::default() };
            let leaving = Leaving::AtOutermost;
            let outcome = CompileOutcome { figures, loops, leaving, ..CompileOutcome::default() };
            let compilation = request.compilation;
            self.compiled.insert(compilation, request);
            let actions = self.observe(Observation::Compiled(compilation, Ok(outcome)));
            self.carry_out(actions);
            self.start_compiling();
        }
    }

    fn install(&mut self, request: CompilationRequest) -> VersionId {
        let (kind, counts) = (Kind::of(&request.plan), counts(&request));
        let id = self.add(request.func.as_u32() as usize, kind, request.entry, Some(request.plan));
        self.versions.get_mut(&id).expect("it was added").counts = counts;
        id
    }

    /// A version is in use: running loops go there if it is entered at a header, calls if by calls.
    fn enter(&mut self, id: VersionId) {
        let Version { function, entry, .. } = self.versions[&id];
        match entry {
            Entry::Call => {
                self.called[function] = id;
                if self.functions[function].activation == Activation::Often {
                    self.running[function] = id;
                }
            }
            Entry::Header(_) => {
                let from = std::mem::replace(&mut self.running[function], id);
                self.observe(Observation::Osr { from, to: id, header: header(), nanos: 900 });
            }
        }
    }

    /// Code whose window is full, or whose guards fail, says so.
    fn report_by_itself(&mut self, id: VersionId) {
        let version = &self.versions[&id];
        let (function, new) = (version.function, version.iterations - version.checked.0);
        match version.kind {
            Kind::Profiled if new >= 512 => {
                self.versions.get_mut(&id).expect("it runs").checked.0 += new;
                let actions = self.carry_out_one(Action::ReadProfile(func(function), id));
                self.carry_out(actions);
            }
            Kind::Specialized if new >= 1_024 => {
                let failed = version.failures - version.checked.1;
                let break_even = version.proposal().map_or(1.0, |one| one.estimate.break_even(1.0));
                let bad = failed as f64 > break_even * new as f64;
                let version = self.versions.get_mut(&id).expect("it runs");
                version.checked = (version.iterations, version.failures);
                if bad {
                    let loops = self.guard_report(id);
                    let actions = self.observe(Observation::Guards(id, loops));
                    self.carry_out(actions);
                }
            }
            Kind::Baseline | Kind::Optimized | Kind::Profiled | Kind::Specialized => {}
        }
    }

    /// The path that a profiled version has taken last, if that is persistent, and how often.
    fn persistent(&self, id: VersionId) -> Option<(u32, u64)> {
        let version = &self.versions[&id];
        let (path, executions) = version.streak;
        path.filter(|_| executions >= version.window().k).map(|path| (path, executions))
    }

    /// True iff a profile has seen what it was to see, or was looked at often enough.
    fn is_over(&self, id: VersionId) -> bool {
        let version = &self.versions[&id];
        let window = version.window();
        let is_full = self.persistent(id).is_some() || version.iterations >= window.executions;
        is_full || version.looks >= LOOKS * (window.k / FIRST_K).max(1)
    }

    fn findings(&self, id: VersionId) -> ProfileFindings {
        let version = &self.versions[&id];
        let window = version.window();
        let Function { ratio, .. } = self.functions[version.function];
        let persistent = self.persistent(id);
        let nothing = Reason::NoProposal(NoProposal::NothingRepeats);
        let found = Persistent {
            iterations: version.iterations,
            k: persistent.map(|_| window.k),
            executions: persistent.map(|(_, executions)| executions),
            lines: vec![12, 13, 15],
            declined: persistent.is_none().then_some(nothing),
            proposal: persistent.map(|(path, _)| Arc::new(proposal(path, ratio))),
            ..Persistent::default()
        };
        ProfileFindings { micros: Micros(0), loops: vec![(header().into(), found)] }
    }

    fn guard_report(&self, id: VersionId) -> Vec<LoopGuards> {
        let Version { iterations, failures, .. } = self.versions[&id];
        vec![LoopGuards { at: header().into(), iterations, failures, per_guard: Vec::new() }]
    }
}

/// True iff code counts iterations: there is no loop around, so that it must be the specialized one.
fn counts(request: &CompilationRequest) -> bool {
    request.progress.is_some()
}

/// The proposal of the only loop that a function has here.
fn only(proposals: &[Arc<Proposal>]) -> &Proposal {
    match proposals {
        [proposal] => proposal,
        other => panic!("{other:?} is not one loop"),
    }
}

/// Time that a workload takes where all functions run the same code from the start.
pub(super) fn fixed(workload: &Workload, kind: Kind, path: u32) -> f64 {
    let optimized = calibration().optimized.speed;
    let time = |function: &Function, taken: Option<u32>| match kind {
        Kind::Baseline => function.iteration,
        Kind::Profiled => function.iteration * PROBES / optimized,
        Kind::Optimized => function.iteration / optimized,
        // Without a branch there is no trace.
        Kind::Specialized if function.branches == 0 => function.iteration / optimized,
        Kind::Specialized if taken == Some(path) => function.iteration * function.real_ratio / optimized,
        Kind::Specialized => function.iteration * (1.0 + PENALTY) / optimized,
    };
    let mut total = 0.0;
    for stretch in &workload.stretches {
        let mut at = 0;
        while at < stretch.iterations {
            let (taken, alike) = stretch.paths.at(at);
            let iterations = alike.min(stretch.iterations - at);
            total += iterations as f64 * time(&workload.functions[stretch.function], taken);
            at += iterations;
        }
    }
    total
}
