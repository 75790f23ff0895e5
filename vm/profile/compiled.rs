//! Path profiles of compiled code.
//!
//! In: a scheme and the program. Out: probes for the compiler, which may ask from any thread; a buffer for the running thread; and
//! what was collected of each function.
//! Invariant: a function's plan reaches the consumer before the first event of the function does; counters and cells that code
//! writes to stay where they are as long as the collector lives.

use super::channel::{Channel, Placement, Space};
use super::collected::{Collected, Forest};
use super::consumer::function_id;
use super::edges::Unwound;
use super::scheme::{FunctionPlan, NotProfiled, PathScheme, Stream};
use super::transitions::Transitions;
use super::words::{FoldCells, Words, address, words};
use crate::machine::{Collector, Iterations, Machine, Unreported};
use hashbrown::HashMap;
use holloway_jit::probes::{PathProbes, Paths, ProbeSource, Report};
use holloway_jit::steps::{MOST_PERIOD, NO_PATH, period};
use holloway_jit::{MOST_OPTIMIZED, Version};
use holloway_lang::ir::{FuncRef, Module};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::repeat::Repeats;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// Collects by a scheme from compiled code.
pub struct CompiledPaths {
    channel: Channel,
    plans: Arc<Plans>,
    failures: HashMap<FuncRef, HashMap<EdgeId, u64>>,
    aborts: HashMap<FuncRef, HashMap<Node, u64>>,
}

/// The plans of functions, made when they are asked for.
struct Plans {
    scheme: PathScheme,
    state: Mutex<State>,
}

struct State {
    module: Arc<Module>,
    of: HashMap<FuncRef, Planned>,
    /// Planned, and not told to the consumer yet.
    new: Vec<FuncRef>,
    /// The forests that code steps through.
    steps: Transitions,
    /// What code of replaced bodies wrote to.
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
                false => Planned::new(func, self.scheme, FunctionPlan::new(self.scheme, &body), &mut state.steps),
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

    fn new(
        func: FuncRef,
        scheme: PathScheme,
        plan: Result<FunctionPlan, NotProfiled>,
        steps: &mut Transitions,
    ) -> Planned {
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
            Stream::Steps
                if plan.num_paths().is_none_or(|paths| paths > NO_PATH as u64)
                    || scheme.k().is_some_and(|k| k > MOST_PERIOD) =>
            {
                Repeats::default()
            }
            Stream::Steps | Stream::Array(_) => Repeats::find(&plan.graph, &plan.plan),
            Stream::Activations | Stream::Branches | Stream::Lone | Stream::Folds => Repeats::default(),
        };
        let report = match plan.stream {
            Stream::Array(_) => Report::Count(address(&counters)),
            Stream::Steps => {
                let numbering = plan.numbering().expect("sequences are of numbered paths");
                let k = scheme.k().expect("sequences have a greatest length") as u32;
                let forest = SlabForest::new(k, numbering.num_paths());
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
    pub fn new(scheme: PathScheme, module: Arc<Module>, placement: Placement) -> (CompiledPaths, Paths) {
        let state =
            State { module, of: HashMap::new(), new: Vec::new(), steps: Transitions::default(), kept: Vec::new() };
        let plans = Arc::new(Plans { scheme, state: Mutex::new(state) });
        let paths = Paths(Some(Arc::clone(&plans) as Arc<dyn ProbeSource>));
        let channel = Channel::new(scheme, placement);
        (CompiledPaths { channel, plans, failures: HashMap::new(), aborts: HashMap::new() }, paths)
    }

    /// How it collects.
    pub fn scheme(&self) -> PathScheme {
        self.plans.scheme
    }

    /// What the unwinder counted for a function.
    pub fn unwound(&self, func: FuncRef) -> Unwound {
        fn sorted<K: Copy + Ord>(counts: Option<&HashMap<K, u64>>) -> Vec<(K, u64)> {
            let mut all: Vec<(K, u64)> = counts.into_iter().flatten().map(|(key, count)| (*key, *count)).collect();
            all.sort_unstable();
            all
        }
        Unwound { failures: sorted(self.failures.get(&func)), aborts: sorted(self.aborts.get(&func)) }
    }

    /// What was collected of a function whose code was made; hand over what was written before.
    pub fn collected(&mut self, func: FuncRef) -> Option<Result<(Arc<FunctionPlan>, Collected), NotProfiled>> {
        self.attach();
        let state = self.plans.state();
        let planned = state.of.get(&func)?;
        let plan = match &planned.plan {
            Ok(plan) => Arc::clone(plan),
            Err(why) => return Some(Err(*why)),
        };
        let runs = planned.folds.take(function_id(func));
        let counts: Vec<u64> = planned.counters.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        // A body that was replaced may have had steps.
        let forest = if plan.stream == Stream::Steps { state.steps.forest(func) } else { None };
        drop(state);
        let start = self.channel.space().start;
        let end = self.channel.append(start, &runs).start;
        self.channel.swap(end);
        let mut collected = self.channel.ask(move |consumer| consumer.get(func).cloned())?;
        if let Stream::Array(_) = plan.stream {
            collected.add_in_place(&counts);
        }
        if let (Collected::KBl(joined), Some(forest)) = (&mut collected, forest) {
            joined.forest = Forest::Whole(forest);
        }
        Some(Ok((plan, collected)))
    }

    fn attach(&mut self) {
        let mut state = self.plans.state();
        for func in std::mem::take(&mut state.new) {
            if let Ok(plan) = &state.of[&func].plan {
                self.channel.attach(func, plan);
            }
        }
    }
}

impl Collector for CompiledPaths {
    fn space(&mut self) -> Space {
        self.channel.space()
    }

    fn swap(&mut self, end: usize) -> Space {
        self.attach();
        self.channel.swap(end)
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        self.attach();
        self.channel.append(end, words)
    }

    fn probes(&self, _: &Version, func: FuncRef) -> Option<Arc<PathProbes>> {
        self.plans.state().of.get(&func)?.probes.clone()
    }

    fn step(&mut self, from: usize, symbol: u64) -> usize {
        self.plans.state().steps.find(from as u64, symbol)
    }

    fn repeated(&mut self, func: FuncRef, unreported: Unreported) {
        let mut state = self.plans.state();
        let planned = &state.of[&func];
        if let Report::Count(_) = planned.probes.as_ref().expect("its code has probes").report {
            let Some(Iterations { first, id, times }) = unreported.iterations else { return };
            planned.counters[first as usize].fetch_add(1, Ordering::Relaxed);
            planned.counters[id as usize].fetch_add(times - 1, Ordering::Relaxed);
            return;
        }
        state.steps.leave(unreported);
    }

    fn unwound(&mut self, func: FuncRef, block: Node, caught: Option<EdgeId>) {
        match caught {
            Some(edge) => *self.failures.entry(func).or_default().entry(edge).or_default() += 1,
            None => *self.aborts.entry(func).or_default().entry(block).or_default() += 1,
        }
    }

    fn replaced(&mut self, machine: &mut Machine, funcs: &[FuncRef]) {
        let mut state = self.plans.state();
        state.module = Arc::clone(machine.runtime.module());
        for func in funcs {
            let gone = state.of.remove(func);
            state.kept.extend(gone);
            state.new.retain(|new| new != func);
            self.channel.detach(*func);
            self.failures.remove(func);
            self.aborts.remove(func);
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
