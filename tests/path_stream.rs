//! The stream of events is complete: a consumer of its words computes the same as sinks that get the same reports
//! directly.
//!
//! In: random programs, run by the interpreter with sinks that write events as compiled probes do. Out: the same
//! counts, sequences and persistence as in `tests/path_profile.rs`, through a channel with its own thread and without.

mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use common::interpret::watch;
use common::{captured, engine, fuel, load, loaded};
use holloway::interp::plan::{Instrumented, PlanObserver};
use holloway::profile::channel::{Channel, Placement};
use holloway::profile::consumer::function_id;
use holloway::profile::{Collected, Consumer, FunctionPlan, PathScheme, Stream};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_lang::ir::{FuncRef, Module};
use holloway_profiler::counts::TableKind;
use holloway_profiler::event::Event;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::graph::Node;
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::plan::BitRegister;

/// Fuel that ends few programs early, which leaves prefixes.
const FUEL: u64 = 100_000;

/// The running thread: a channel and the write position in its buffer.
struct Thread {
    channel: Channel,
    end: usize,
}

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
        if self.stream == Stream::Activations {
            self.write(Event::Enter(function_id(self.func)));
        }
    }

    fn leave(&mut self) {
        if self.stream == Stream::Activations {
            self.write(Event::Leave);
        }
    }

    fn path(&mut self, id: u64) {
        self.write(match self.stream {
            Stream::Activations => Event::Path(id),
            _ => Event::Lone { function: function_id(self.func), id },
        });
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.write(match self.stream {
            Stream::Activations => Event::Prefix { block, id },
            _ => Event::LonePrefix { function: function_id(self.func), block, id },
        });
    }

    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.write(Event::Fold { function: function_id(self.func), register, count: 1, bits });
    }

    fn branches(&mut self, start: Node, history: u64) {
        self.write(Event::Branches { function: function_id(self.func), start, history });
    }

    fn branch_prefix(&mut self, block: Node, start: Node, history: u64) {
        self.write(Event::BranchPrefix { function: function_id(self.func), block, start, history });
    }
}

/// Runs a module with writers, until it ends or fails.
fn written(module: &Arc<Module>, scheme: PathScheme, placement: Placement) -> Consumer {
    let mut channel = Channel::new(scheme, placement);
    let end = channel.space().start;
    let to = Rc::new(RefCell::new(Thread { channel, end }));
    let make = |func| {
        let plan = Arc::new(FunctionPlan::new(scheme, module.function(func)).expect("all functions have plans"));
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

/// The collected profile, in a form that can be compared.
fn summary(collected: Option<&Collected>) -> String {
    match collected {
        None | Some(Collected::Nothing) => String::new(),
        Some(Collected::Bl(counts)) => format!("{:?} {:?}", counts.paths.taken(), counts.prefixes()),
        Some(Collected::KBl(joined)) => {
            let sequences = PathForest::of(joined.forest.slabs()).sequences();
            format!("{sequences:?} {:?}", joined.prefixes.prefixes())
        }
        Some(Collected::Tfp(persistence)) => {
            let of = |register| (persistence.overall(register), persistence.current(register));
            let regions = persistence.regions().iter();
            format!(
                "{:?}",
                regions.map(|(r, _)| (of(r), persistence.summary(r).persistent_paths())).collect::<Vec<_>>()
            )
        }
        Some(Collected::Bala(counts)) => format!("{:?} {:?}", counts.paths(), counts.prefixes()),
    }
}

fn check(scheme: PathScheme, source: &str, what: &str) {
    let mut engine = engine(Config { limits: fuel(FUEL), ..captured(TierChoice::Interp, &[]) });
    assert!(engine.executor_mut().profile_paths(scheme));
    load(&mut engine, source);
    let _ = engine.run();
    let expected = engine.path_profile().expect("paths were profiled");
    for placement in [Placement::Inline, Placement::Thread] {
        let consumer = written(engine.module(), scheme, placement);
        for function in &expected.functions {
            let name = &engine.module().function(function.func).name;
            let found = summary(consumer.get(function.func));
            assert_eq!(found, summary(Some(&function.collected)), "{what}, {placement:?}: {name}");
        }
    }
}

#[test]
fn consumers_read_what_sinks_are_told() {
    let schemes = [
        PathScheme::Bl { table: None },
        PathScheme::Bl { table: Some(TableKind::Hash) },
        PathScheme::KBl { k: 4, forest_limit: Some(usize::MAX), sample: None },
        PathScheme::Tfp { k: 3 },
        PathScheme::Bala,
    ];
    for seed in 0..60 {
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
    let scheme = PathScheme::Bl { table: None };
    let module = {
        let engine = loaded(captured(TierChoice::Interp, &[]), &source);
        (Arc::clone(engine.module()), engine.function("many").expect("it is there"))
    };
    let plan = FunctionPlan::new(scheme, module.0.function(module.1)).expect("it has a plan");
    assert_eq!(plan.stream, Stream::Activations);
    check(scheme, &source, "long form");
    check(PathScheme::KBl { k: 4, forest_limit: Some(usize::MAX), sample: None }, &source, "long form");
}

/// Counters in place are the same as lone paths.
#[test]
fn counters_in_place_are_added() {
    let scheme = PathScheme::Bl { table: None };
    let source = "fn f(n: int) -> int { if n % 2 == 0 { return 1 } return 2 }";
    let engine = loaded(captured(TierChoice::Interp, &[]), source);
    let func = engine.function("f").expect("it is there");
    let plan = FunctionPlan::new(scheme, engine.module().function(func)).expect("it has a plan");
    assert_eq!(plan.stream, Stream::Array(2));
    let mut in_place = Collected::new(scheme, &plan);
    in_place.add_in_place(&[3, 0]);
    in_place.add_in_place(&[1, 0]);
    let mut told = Collected::new(scheme, &plan);
    told.paths(&[0, 0, 0, 0]);
    assert_eq!(summary(Some(&in_place)), summary(Some(&told)));
}
