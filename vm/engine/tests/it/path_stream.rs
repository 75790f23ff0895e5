//! The stream of events is complete: a consumer of its words computes the same as sinks that get the same reports
//! directly.
//!
//! In: random programs, run by the interpreter with sinks that write events as compiled probes do. Out: the same
//! counts, sequences and persistence as in `tests/path_profile.rs`, through a channel with its own thread and without.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::common::interpret::watch;
use super::common::{captured, engine, fuel, load, loaded, plan_of, scheme};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::plan::{Instrumented, PlanObserver};
use holloway_lang::ir::{FuncRef, Module};
use holloway_machine::profile::CompiledPaths;
use holloway_machine::profile::channel::{Channel, Placement};
use holloway_machine::profile::consumer::Consumer;
use holloway_machine::profile::consumer::function_id;
use holloway_machine::profile::program::Planner;
use holloway_machine::profile::settings::BUFFER_WORDS;
use holloway_machine::{Collector, Space};
use holloway_profiler::counts::TableKind;
use holloway_profiler::event::Event;
use holloway_profiler::graph::Node;
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::plan::BitRegister;
use holloway_profiler::scheme::{Collected, Framing, FunctionPlan, Scheme, Stream};

/// Fuel that ends few programs early, which leaves prefixes.
const FUEL: u64 = 100_000;

/// The running thread: a channel and the write position in its buffer.
struct Thread {
    channel: Channel,
    end: usize,
}

/// Ids between markers, each in a word of its own.
const ACTIVATIONS: Stream = Stream::Events(Framing::Activations(None));

/// Writes one function's reports, as probes of its plan do.
#[derive(Clone)]
struct Writer {
    func: FuncRef,
    stream: Stream,
    to: Rc<RefCell<Thread>>,
}

impl Writer {
    fn write(&self, event: Event<'_>) {
        let mut words = Vec::new();
        event.write(&mut words);
        let mut to = self.to.borrow_mut();
        let end = to.end;
        to.end = to.channel.append(end, &words).start;
    }
}

impl Sink for Writer {
    fn enter(&mut self) {
        if self.stream == ACTIVATIONS {
            self.write(Event::Enter(function_id(self.func)));
        }
    }

    fn leave(&mut self) {
        if self.stream == ACTIVATIONS {
            self.write(Event::Leave);
        }
    }

    fn path(&mut self, id: u64) {
        self.write(match self.stream {
            ACTIVATIONS => Event::Path(id),
            _ => Event::Lone { function: function_id(self.func), id },
        });
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.write(match self.stream {
            ACTIVATIONS => Event::Prefix { block, id },
            _ => Event::LonePrefix { function: function_id(self.func), block, id },
        });
    }

    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.write(Event::Fold { function: function_id(self.func), register, count: 1, bits });
    }

    fn prefix_at(&mut self, block: Node, at: u32, id: u64) {
        self.write(Event::PrefixAt { function: function_id(self.func), block, at, id });
    }
}

/// Runs a module with writers, until it ends or fails.
fn written(module: &Arc<Module>, scheme: Scheme, placement: Placement) -> Consumer {
    let mut channel = Channel::new(placement, BUFFER_WORDS);
    let end = channel.space().start;
    let to = Rc::new(RefCell::new(Thread { channel, end }));
    let make = |func| {
        let plan = Arc::new(plan_of(scheme, module.function(func)).expect("all functions have plans"));
        to.borrow_mut().channel.attach(func, &plan);
        let machine = Machine::new(&plan.graph, (*plan.plan).clone());
        let sink = Writer { func, stream: plan.stream, to: Rc::clone(&to) };
        Instrumented { graph: plan.graph.clone(), machine, sink }
    };
    drop(watch(module, &[], fuel(FUEL), PlanObserver::new(make)));
    let Ok(thread) = Rc::try_unwrap(to) else { panic!("the writers are gone") };
    let Thread { channel, end } = thread.into_inner();
    channel.finish(end)
}

/// Everything that was collected, in a form that can be compared.
fn summary(plan: &FunctionPlan, collected: Option<&dyn Collected>) -> String {
    let Some(collected) = collected.filter(|collected| !collected.is_empty()) else { return String::new() };
    let results = collected.results(&plan.graph);
    let sequences = results.sequences.map(|sequences| sequences.k_ipf.sequences());
    let regions = results.regions.map(|persistence| {
        let of = |register| (persistence.overall(register), persistence.current(register));
        let regions = persistence.regions().iter();
        regions.map(|(r, _)| (of(r), persistence.summary(r).persistent_paths())).collect::<Vec<_>>()
    });
    format!("{:?} {:?} {sequences:?} {regions:?}", results.paths, results.prefixes)
}

/// The scheme with a limit that is none, so that code does not step through the forest itself.
fn in_stream(mut scheme: Scheme) -> Scheme {
    scheme.settings.forest_limit = Some(usize::MAX);
    scheme
}

fn check(scheme: Scheme, source: &str, what: &str) {
    let mut engine = engine(Config { limits: fuel(FUEL), ..captured(TierChoice::Interp, &[]) });
    engine.executor_mut().profile(scheme);
    load(&mut engine, source);
    let _ = engine.run();
    let expected = engine.path_profile().expect("paths were profiled");
    for placement in [Placement::Inline, Placement::Thread] {
        let consumer = written(engine.module(), scheme, placement);
        for function in &expected.functions {
            let name = &engine.module().function(function.func).name;
            let plan = function.plan.as_ref().expect("all functions have plans");
            let found = summary(plan, consumer.collected(function.func).as_deref());
            assert_eq!(found, summary(plan, Some(&*function.collected)), "{what}, {placement:?}: {name}");
        }
    }
}

#[test]
fn consumers_read_what_sinks_are_told() {
    let mut hash = scheme("bl", 1);
    hash.settings.table = Some(TableKind::Hash);
    let schemes = [scheme("bl", 1), hash, in_stream(scheme("k-bl", 4)), scheme("tfp", 3)];
    for seed in 0..20 {
        let source = program(seed, Size::Small);
        for scheme in schemes {
            check(scheme, &source, &format!("seed {seed}, {scheme:?}"));
        }
    }
}

/// Ids too large to fit beside a function are written between markers.
#[test]
fn many_paths_take_the_long_form() {
    let diamonds = "        if n % 2 == 0 { s += 1 } else { s += 2 }\n".repeat(40);
    let source = format!(
        "fn many(n: int) -> int {{\n    var s = 0\n    for i in 0..5 {{\n{diamonds}    }}\n    return s\n}}\n\
         for n in 0..9 {{ print(many(n)) }}\n"
    );
    let long = in_stream(scheme("k-bl", 4));
    let module = {
        let engine = loaded(captured(TierChoice::Interp, &[]), &source);
        (Arc::clone(engine.module()), engine.function_named("many").expect("it is there"))
    };
    let plan = plan_of(long, module.0.function(module.1)).expect("it has a plan");
    assert_eq!(plan.stream, ACTIVATIONS);
    check(long, &source, "long form");
}

/// Counters in place are the same as lone paths.
#[test]
fn counters_in_place_are_added() {
    let scheme = scheme("bl", 1);
    let source = "fn f(n: int) -> int { if n % 2 == 0 { return 1 } return 2 }";
    let engine = loaded(captured(TierChoice::Interp, &[]), source);
    let func = engine.function_named("f").expect("it is there");
    let plan = plan_of(scheme, engine.module().function(func)).expect("it has a plan");
    assert_eq!(plan.stream, Stream::Array(2));
    let mut in_place = plan.decoder.collector();
    in_place.counted(0, 3);
    in_place.counted(0, 1);
    let mut told = plan.decoder.collector();
    told.paths(&[0, 0, 0, 0]);
    assert_eq!(summary(&plan, Some(&*in_place)), summary(&plan, Some(&*told)));
}

/// An unwound frame whose plan reports nothing hands no buffer over: two system calls a frame.
#[test]
fn nothing_that_is_appended_hands_nothing_over() {
    let engine = loaded(captured(TierChoice::Interp, &[]), "fn f(n: int) -> int { return n }");
    let planner = Planner::new(scheme("tfp", 8));
    let (mut collector, _) = CompiledPaths::new(planner, Arc::clone(engine.module()), Placement::Auto);
    let Space { start, limit } = collector.space();
    let written = start + 8;
    assert_eq!(Collector::append(&mut collector, written, &[]), Space { start: written, limit });
    assert_ne!(Collector::flush(&mut collector, start), Space { start, limit }, "another buffer");
}
