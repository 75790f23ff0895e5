//! Path profiles of compiled code.
//!
//! In: a scheme and the program. Out: probes for the compiler, which may ask from any thread; a buffer for the running thread; and
//! what was collected of each function.
//! Invariant: a function's plan reaches the consumer before the first event of the function does; counters and cells that code
//! writes to stay where they are as long as the collector lives.

use super::channel::{Channel, Placement, Space};
use super::consumer::function_id;
use super::plan_of;
use super::transitions::Transitions;
use super::words::{FoldCells, Words, address, words};
use crate::machine::{Collector, Forests, Iterations, Machine, Unreported};
use hashbrown::HashMap;
use holloway_jit::probes::{PathProbes, Paths, ProbeSource, Report};
use holloway_jit::steps::{MOST_PERIOD, NO_PATH, period};
use holloway_jit::{MOST_OPTIMIZED, Version};
use holloway_lang::ir::{FuncRef, Module};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::repeat::Repeats;
use holloway_profiler::scheme::{Collected, FunctionPlan, NotProfiled, Scheme, Stream, Unwound};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// The plan of a function and its reports, or the reason for which it is not profiled.
pub type Read = Result<(Arc<FunctionPlan>, Box<dyn Collected>), NotProfiled>;

/// A handle of what collects by a scheme from compiled code.
#[derive(Clone)]
pub struct CompiledPaths {
    plans: Arc<Plans>,
    reports: Arc<Mutex<Reports>>,
}

/// Reports of compiled code.
struct Reports {
    channel: Channel,
    failures: HashMap<FuncRef, HashMap<EdgeId, u64>>,
    aborts: HashMap<FuncRef, HashMap<Node, u64>>,
}

/// The plans of functions, made when they are asked for.
struct Plans {
    scheme: Scheme,
    state: Mutex<State>,
}

struct State {
    module: Arc<Module>,
    of: HashMap<FuncRef, Planned>,
    /// Planned, and not told to the consumer yet.
    new: Vec<FuncRef>,
    /// The forests that code steps through.
    steps: Transitions,
    /// Memory that code of replaced bodies may still write to.
    kept: Vec<Planned>,
}

/// The plan of one function with what its code writes to in place.
struct Planned {
    plan: Result<Arc<FunctionPlan>, NotProfiled>,
    probes: Option<Arc<PathProbes>>,
    /// A counter for each path.
    counters: Words,
    folds: FoldCells,
}

impl ProbeSource for Plans {
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        let mut state = self.state();
        if !state.of.contains_key(&func) {
            let body = Arc::clone(state.module.function(func));
            // Baseline code carries no path probes.
            let planned = match body.size() > MOST_OPTIMIZED {
                true => Planned::none(NotProfiled::NotOptimized),
                false => Planned::new(func, plan_of(self.scheme, &body), &mut state.steps),
            };
            state.of.insert(func, planned);
            state.new.push(func);
        }
        state.of[&func].probes.clone()
    }
}

impl Plans {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Planned {
    fn none(why: NotProfiled) -> Planned {
        Planned { plan: Err(why), probes: None, counters: words(0), folds: FoldCells::default() }
    }

    fn new(func: FuncRef, plan: Result<FunctionPlan, NotProfiled>, steps: &mut Transitions) -> Planned {
        let plan = match plan {
            Ok(plan) => Arc::new(plan),
            Err(why) => return Planned::none(why),
        };
        let counters = match plan.stream {
            Stream::Array(paths) => words(paths as usize),
            _ => words(0),
        };
        let folds = FoldCells::new(&plan.plan.registers);
        let repeats = match plan.stream {
            // Symbols of loops have room for as many ids, and for as many iterations.
            Stream::Steps(k)
                if plan.num_paths().is_none_or(|paths| paths > NO_PATH as u64) || u64::from(k) > MOST_PERIOD =>
            {
                Repeats::default()
            }
            // What is pending in a frame is either that of iterations or that of such loops.
            Stream::Array(_) if plan.plan.most_iterations() > 1 => Repeats::default(),
            Stream::Steps(_) | Stream::Array(_) => Repeats::find(&plan.graph, &plan.plan),
            Stream::Activations | Stream::Branches | Stream::Lone | Stream::Folds => Repeats::default(),
        };
        let report = match plan.stream {
            Stream::Array(_) => Report::Count(address(&counters)),
            Stream::Steps(k) => {
                let num_paths = plan.num_paths().expect("sequences are of numbered paths");
                let forest = SlabForest::new(k, num_paths);
                let ids: Vec<i64> = repeats.iter().map(|repeat| repeat.id).collect();
                let (root, periods) = steps.add(func, forest, &ids);
                Report::Forest { root, period: period(k), periods: ids.into_iter().zip(periods).collect() }
            }
            Stream::Activations | Stream::Branches => Report::Stream { lone: false, folds: Vec::new(), switch: None },
            Stream::Lone => Report::Stream { lone: true, folds: Vec::new(), switch: None },
            Stream::Folds => Report::Stream { lone: true, folds: folds.addresses(), switch: None },
        };
        let probes = PathProbes {
            graph: Arc::new(plan.graph.clone()),
            plan: Arc::clone(&plan.plan),
            function: function_id(func),
            report,
            repeats,
        };
        Planned { plan: Ok(plan), probes: Some(Arc::new(probes)), counters, folds }
    }
}

impl CompiledPaths {
    /// A collector for a program, and the probes that its functions are to have.
    pub fn new(scheme: Scheme, module: Arc<Module>, placement: Placement) -> (CompiledPaths, Paths) {
        let state =
            State { module, of: HashMap::new(), new: Vec::new(), steps: Transitions::default(), kept: Vec::new() };
        let plans = Arc::new(Plans { scheme, state: Mutex::new(state) });
        let paths = Paths(Some(Arc::clone(&plans) as Arc<dyn ProbeSource>));
        let channel = Channel::new(placement);
        let reports = Reports { channel, failures: HashMap::new(), aborts: HashMap::new() };
        (CompiledPaths { plans, reports: Arc::new(Mutex::new(reports)) }, paths)
    }

    fn reports(&self) -> MutexGuard<'_, Reports> {
        self.reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The steps of code through forests.
    pub fn forests(&self) -> Box<dyn Forests> {
        Box::new(StepsOf(Arc::clone(&self.plans)))
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.plans.scheme
    }

    /// Counts of the unwinder for a function.
    pub fn unwound(&self, func: FuncRef) -> Unwound {
        fn sorted<K: Copy + Ord>(counts: Option<&HashMap<K, u64>>) -> Vec<(K, u64)> {
            let mut all: Vec<(K, u64)> = counts.into_iter().flatten().map(|(key, count)| (*key, *count)).collect();
            all.sort_unstable();
            all
        }
        let reports = self.reports();
        Unwound { failures: sorted(reports.failures.get(&func)), aborts: sorted(reports.aborts.get(&func)) }
    }

    /// The reports of a compiled function. Flush the event buffer first.
    pub fn collected(&self, func: FuncRef) -> Option<Read> {
        let mut reports = self.reports();
        reports.attach(&self.plans);
        let state = self.plans.state();
        let planned = state.of.get(&func)?;
        let plan = match &planned.plan {
            Ok(plan) => Arc::clone(plan),
            Err(why) => return Some(Err(*why)),
        };
        let runs = planned.folds.take(function_id(func));
        let counts: Vec<u64> = planned.counters.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        // A body that was replaced may have had steps.
        let forest = if let Stream::Steps(_) = plan.stream { state.steps.forest(func) } else { None };
        drop(state);
        let start = reports.channel.space().start;
        let end = reports.channel.append(start, &runs).start;
        reports.channel.swap(end);
        let mut collected = reports.channel.ask(move |consumer| consumer.collected(func))?;
        let counted = (0..).zip(counts).filter(|&(_, count)| count > 0);
        counted.for_each(|(id, count)| collected.counted(id, count));
        if let Some(forest) = forest {
            collected.stepped(forest);
        }
        Some(Ok((plan, collected)))
    }
}

impl Reports {
    /// Tells the consumer of functions that were planned since.
    fn attach(&mut self, plans: &Plans) {
        let mut state = plans.state();
        for func in std::mem::take(&mut state.new) {
            if let Ok(plan) = &state.of[&func].plan {
                self.channel.attach(func, plan);
            }
        }
    }
}

impl Collector for CompiledPaths {
    fn space(&mut self) -> Space {
        self.reports().channel.space()
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        let mut reports = self.reports();
        reports.attach(&self.plans);
        match words {
            [] => reports.channel.swap(end),
            words => reports.channel.append(end, words),
        }
    }

    fn probes(&self, _: &Version, func: FuncRef) -> Option<Arc<PathProbes>> {
        self.plans.state().of.get(&func)?.probes.clone()
    }

    fn unwound(&mut self, func: FuncRef, block: Node, caught: Option<EdgeId>) {
        let mut reports = self.reports();
        match caught {
            Some(edge) => *reports.failures.entry(func).or_default().entry(edge).or_default() += 1,
            None => *reports.aborts.entry(func).or_default().entry(block).or_default() += 1,
        }
    }

    fn replaced(&mut self, machine: &mut Machine, funcs: &[FuncRef]) {
        let mut reports = self.reports();
        let mut state = self.plans.state();
        state.module = Arc::clone(machine.runtime.module());
        for func in funcs {
            let gone = state.of.remove(func);
            state.kept.extend(gone);
            state.new.retain(|new| new != func);
            reports.channel.detach(*func);
            reports.failures.remove(func);
            reports.aborts.remove(func);
        }
    }
}

/// The steps of a program's code.
struct StepsOf(Arc<Plans>);

impl Forests for StepsOf {
    fn step(&mut self, from: usize, symbol: u64) -> usize {
        self.0.state().steps.find(from as u64, symbol)
    }

    fn repeated(&mut self, func: FuncRef, unreported: Unreported) {
        let mut state = self.0.state();
        let planned = &state.of[&func];
        if let Report::Count(_) = planned.probes.as_ref().expect("its code has probes").report {
            let Some(Iterations { first, id, times }) = unreported.iterations else { return };
            planned.counters[first as usize].fetch_add(1, Ordering::Relaxed);
            planned.counters[id as usize].fetch_add(times - 1, Ordering::Relaxed);
            return;
        }
        state.steps.leave(unreported);
    }
}
