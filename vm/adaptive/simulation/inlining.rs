//! The stories of a loop that calls a function which is hot by itself, under a controller.
//!
//! In: how long an iteration takes with the function inlined, and with a call of it. Out: what the controller did. A tick falls on the callee's own code
//! as long as the loop calls it, and on the caller's where it is inlined; compilations are done at once.
//! Invariant: nothing depends on anything but the times.

use std::collections::{BTreeMap, VecDeque};

use holloway_jit::{Leaving, Tier, VersionId};
use holloway_lang::ir::FuncRef;

use super::{calibration, func, header};
use crate::adaptive::advice::Action;
use crate::adaptive::event::{DropReason, Gain, What};
use crate::adaptive::input::BodyHash;
use crate::adaptive::{
    CompilationId, CompilationRequest, CompileOutcome, Controller, Directive, Entry, Event, FunctionInfo, InlinedLoop,
    Micros, Observation, Policy, Reading, Settings, Tick,
};

/// Nanoseconds of an iteration where the callee is inlined, and where it is called.
#[derive(Clone, Copy)]
struct Times {
    inlined: f64,
    called: f64,
    /// Factor by which they vary from tick to tick.
    noise: f64,
}

impl Times {
    fn new(inlined: f64, called: f64) -> Times {
        Times { inlined, called, noise: 1.0 }
    }
}

struct Version {
    request: CompilationRequest,
    iterations: u64,
    is_in_use: bool,
}

/// A loop that calls.
struct Caller {
    controller: Controller,
    times: Times,
    now: u64,
    versions: BTreeMap<VersionId, Version>,
    requests: BTreeMap<CompilationId, CompilationRequest>,
    /// The version that the loop runs in: at first that of its first call.
    running: VersionId,
    events: Vec<Event>,
}

const CALLER_FIRST: VersionId = VersionId(0);
const CALLEE_FIRST: VersionId = VersionId(1);

fn caller() -> FuncRef {
    func(0)
}

fn callee() -> FuncRef {
    func(1)
}

fn info(name: &str) -> FunctionInfo {
    let function = super::Function { branches: 0, ..super::Function::new("any", 0.05) };
    let hash = BodyHash(name.len() as u64);
    FunctionInfo { name: name.to_owned(), hash, ..function.info() }
}

impl Caller {
    fn new(settings: Settings, times: Times) -> Caller {
        let mut machine = Caller {
            controller: Controller::new(settings, calibration),
            times,
            now: 0,
            versions: BTreeMap::new(),
            requests: BTreeMap::new(),
            running: CALLER_FIRST,
            events: Vec::new(),
        };
        machine.observe(Observation::Declared { func: caller(), info: info("caller") });
        machine.observe(Observation::Declared { func: callee(), info: info("callee") });
        machine
    }

    fn observe(&mut self, observation: Observation) {
        let mut left = VecDeque::from(self.controller.observe(Micros(self.now), observation));
        while let Some(directive) = left.pop_front() {
            let next = self.carry_out(directive);
            left.extend(next.map(|next| self.controller.observe(Micros(self.now), next)).unwrap_or_default());
        }
        self.events.extend(self.controller.take_events());
    }

    fn carry_out(&mut self, directive: Directive) -> Option<Observation> {
        match directive {
            Directive::Compile(request) => {
                let outcome = CompileOutcome {
                    micros: Micros(500),
                    inlined_functions: self.inlined(&request),
                    leaving: Leaving::AtOutermost,
                    ..CompileOutcome::default()
                };
                let compilation = request.compilation;
                self.requests.insert(compilation, request);
                Some(Observation::Compiled { compilation, result: Ok(outcome) })
            }
            Directive::Install(compilation) => {
                let version = VersionId(10 + compilation.0);
                let request = self.requests.remove(&compilation).expect("it was compiled");
                self.versions.insert(version, Version { request, iterations: 0, is_in_use: true });
                self.enter(version);
                Some(Observation::Installed { compilation, version })
            }
            Directive::TakeUp(version) => {
                self.versions.get_mut(&version).expect("it is kept").is_in_use = true;
                self.enter(version);
                None
            }
            Directive::SetAside(version) => {
                self.versions.get_mut(&version).expect("it is known").is_in_use = false;
                None
            }
            Directive::Drop(version) => {
                self.versions.remove(&version);
                Some(Observation::Freed(version))
            }
            Directive::ReadProgress(versions) => {
                let iterations = versions.iter().map(|id| (*id, self.versions[id].iterations)).collect();
                Some(Observation::Progress(Reading { nanos: self.now * 1_000, iterations }))
            }
            other => panic!("{other:?} has no place here"),
        }
    }

    fn inlined(&self, request: &CompilationRequest) -> Vec<FuncRef> {
        let is_inlined = request.func == caller() && !request.callees.called.contains(&callee());
        is_inlined.then(callee).into_iter().collect()
    }

    /// The loop moves to code that is entered at its header; its function is called once.
    fn enter(&mut self, version: VersionId) {
        let request = &self.versions[&version].request;
        if request.func == caller() && request.entry != Entry::Call {
            self.running = version;
        }
    }

    /// Ticks of a millisecond each.
    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            let inlines = self.running_inlines();
            self.now += 1_000;
            if let Some(version) = self.versions.get_mut(&self.running) {
                let time = if inlines { self.times.inlined } else { self.times.called };
                let is_slow = (self.now / 1_000 / 5).is_multiple_of(2);
                let time = if is_slow { time * self.times.noise } else { time };
                version.iterations += (1e6 / time) as u64;
            }
            let tick = self.tick(inlines);
            self.observe(Observation::Tick(tick));
        }
    }

    fn running_inlines(&self) -> bool {
        self.versions.get(&self.running).is_some_and(|version| !self.inlined(&version.request).is_empty())
    }

    /// Most ticks of a loop that calls fall on the callee; one in eight falls on the loop.
    fn tick(&self, inlines: bool) -> Tick {
        let by_call = |version: &Version| version.request.func == callee() && version.is_in_use;
        let own = self.versions.iter().find(|(_, version)| by_call(version)).map(|(id, _)| *id);
        let tier = |version: VersionId| if version.0 < 10 { Tier::Baseline } else { Tier::Optimized };
        let in_callee = InlinedLoop { callee: callee(), header: header(), call_line: 12 };
        let (func, version, from) = match !inlines && !(self.now / 1_000).is_multiple_of(8) {
            true => (callee(), own.unwrap_or(CALLEE_FIRST), Some(caller())),
            false => (caller(), self.running, None),
        };
        Tick {
            func,
            version,
            tier: tier(version),
            loop_header: Some(header()),
            inlined: inlines.then_some(in_callee),
            caller: from,
            calls: (func == caller()).then_some(1),
        }
    }

    fn gains(&self) -> Vec<&Gain> {
        let gain = |event: &'_ Event| matches!(event.what, What::Gain(_));
        let gains = self.events.iter().filter(|event| gain(event));
        gains.filter_map(|event| if let What::Gain(gain) = &event.what { Some(gain) } else { None }).collect()
    }

    /// Requests for code of the loop.
    fn compilations(&self) -> usize {
        let is_start = |event: &&Event| {
            matches!(event.what, What::CompileStart(_)) && event.subject.function.as_deref() == Some("caller")
        };
        self.events.iter().filter(is_start).count()
    }

    fn slower(&self) -> usize {
        let is_slower =
            |event: &&Event| matches!(&event.what, What::Dropped(dropped) if dropped.reason == DropReason::Slower);
        self.events.iter().filter(is_slower).count()
    }
}

#[test]
fn code_that_calls_takes_the_place_of_slower_code_that_inlines() {
    let mut machine = Caller::new(Settings::on_two_cores(), Times::new(1_500.0, 1_000.0));
    machine.run(200);
    assert!(!machine.running_inlines());
    assert_eq!(machine.slower(), 1);
    let [gain] = machine.gains()[..] else { panic!("{:?}", machine.gains()) };
    assert!((gain.measured.expect("it was measured") + 0.5).abs() < 0.01, "{gain:?}");
    assert_eq!((gain.called.as_slice(), gain.estimated), (["callee".to_owned()].as_slice(), None));
    let last = machine.controller.records().filter(|(func, _, record)| *func == caller() && record.is_live()).last();
    let (_, _, record) = last.expect("the loop has code");
    assert_eq!(record.id, machine.running, "its code is that which measured faster");
    let advice = machine.controller.advice();
    let mut called = advice.steps.iter().filter_map(|step| match &step.action {
        Action::Compile(compile) => Some(compile.called()),
        _ => None,
    });
    assert_eq!(called.next_back(), Some(vec![callee()]), "a replay calls, too");
}

#[test]
fn what_lost_is_not_compiled_again() {
    let mut machine = Caller::new(Settings::on_two_cores(), Times::new(1_500.0, 1_000.0));
    machine.run(200);
    let compilations = machine.compilations();
    machine.run(1_000);
    assert_eq!((machine.compilations(), machine.gains().len()), (compilations, 1));
    assert!(!machine.running_inlines());
}

#[test]
fn code_that_inlines_stays_if_it_is_no_slower_and_is_judged_once() {
    for inlined in [700.0, 1_000.0, 1_030.0] {
        let mut machine = Caller::new(Settings::on_two_cores(), Times::new(inlined, 1_000.0));
        machine.run(1_000);
        assert!(machine.running_inlines());
        assert_eq!((machine.gains().len(), machine.slower()), (1, 0));
        let live: Vec<Entry> =
            machine.versions.values().filter(|one| one.is_in_use).map(|one| one.request.entry).collect();
        assert_eq!(live.iter().filter(|entry| **entry != Entry::Call).count(), 1, "copies are gone: {live:?}");
        let running = &machine.versions[&machine.running].request;
        assert_eq!(running.progress, None, "it counts nothing");
    }
}

#[test]
fn chance_is_no_loss() {
    let times = Times { noise: 3.0, ..Times::new(1_070.0, 1_000.0) };
    let mut machine = Caller::new(Settings::on_two_cores(), times);
    machine.run(1_000);
    let [gain] = machine.gains()[..] else { panic!("{:?}", machine.gains()) };
    assert!(
        gain.measured.expect("it was measured") < -0.05 && gain.interval.expect("it was measured").1 > 0.0,
        "{gain:?}"
    );
    assert!(machine.running_inlines());
}

#[test]
fn turns_in_which_the_loop_hardly_comes_round_end_soon() {
    let mut machine = Caller::new(Settings::on_two_cores(), Times::new(900_000.0, 900_000.0));
    machine.run(200);
    let [gain] = machine.gains()[..] else { panic!("{:?}", machine.gains()) };
    assert_eq!((gain.measured, gain.pairs), (None, 0));
    assert!(machine.running_inlines());
}

#[test]
fn nothing_is_judged_where_polls_are_the_clock() {
    let mut machine = Caller::new(Settings::synchronous(), Times::new(1_500.0, 1_000.0));
    machine.run(1_000);
    assert!(machine.running_inlines());
    assert_eq!((machine.gains().len(), machine.slower()), (0, 0));
}

#[test]
fn nothing_is_judged_if_the_callee_was_not_hot_by_itself() {
    let settings = Settings { known_ticks: 10_000, ..Settings::on_two_cores() };
    let mut machine = Caller::new(settings, Times::new(1_500.0, 1_000.0));
    machine.run(1_000);
    assert!(machine.running_inlines());
    assert_eq!(machine.gains().len(), 0);
}

#[test]
fn what_was_hot_by_calls_long_ago_is_no_reason_to_judge() {
    let settings = Settings::on_two_cores();
    for (pause, judged) in [(0, 1), (2 * settings.forget.0, 0)] {
        let mut machine = Caller::new(settings, Times::new(1_500.0, 1_000.0));
        while !machine.running_inlines() {
            machine.run(1);
        }
        machine.now += pause;
        machine.run(1_000);
        assert_eq!(machine.gains().len(), judged, "after a pause of {pause} us");
        assert_eq!(machine.running_inlines(), judged == 0);
    }
}
