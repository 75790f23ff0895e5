//! Path profiles of compiled code.
//!
//! In: a scheme and the program. Out: probes for the compiler, which may ask from any thread; a buffer for the running thread; and
//! what was collected of each function.
//! Invariant: a function's plan reaches the consumer before the first event of the function does; counters and cells that code
//! writes to stay where they are as long as the collector lives.

use super::Listening;
use super::channel::{Channel, Placement};
use super::probed::{InPlace, Probed};
use super::program::Planner;
use super::reentry::Reentry;
use super::settings::BUFFER_WORDS;
use crate::collector::{Collector, Iterations, Sampled, Space, Tables, Uncounted};
use hashbrown::HashMap;
use holloway_ir::{FuncRef, Module};
use holloway_jit::path_table::{PathTable, word_of};
use holloway_jit::probes::{PathProbes, Paths, ProbeSource, RegionMemory, Report};
use holloway_jit::run_cell::COUNT;
use holloway_jit::step_table::StepTable;
use holloway_jit::{Version, is_traceable};
use holloway_profiler::cross_prefix::{CrossReports, CutFrame};
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::plan::{Crossing, CutShort};
use holloway_profiler::scheme::{Collected, FunctionPlan, NotProfiled, Stream, Unwound};
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
    across: CrossReports,
}

/// The plans of functions, made when they are asked for.
struct Plans {
    planner: Planner,
    state: Mutex<State>,
}

struct State {
    module: Arc<Module>,
    of: HashMap<FuncRef, Result<Probed, NotProfiled>>,
    /// Planned, and not told to the consumer yet.
    new: Vec<FuncRef>,
    /// Memory in which code counts.
    in_place: InPlace,
    /// Memory that code of replaced bodies may still write to.
    kept: Vec<Probed>,
}

impl ProbeSource for Plans {
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        let mut state = self.state();
        if !state.of.contains_key(&func) {
            let body = Arc::clone(state.module.function(func));
            let reentry = Reentry::of(&state.module, func);
            let is_left_out = !is_traceable(&body) && !self.planner.scheme.is_in_all_code();
            let probed = match is_left_out {
                true => Err(NotProfiled::NotOptimized),
                false => {
                    let planned = self.planner.plan(&state.module, func);
                    planned.map(|plan| Probed::new((func, reentry), plan, &mut state.in_place))
                }
            };
            state.of.insert(func, probed);
            state.new.push(func);
        }
        state.probes(func)
    }
}

impl Plans {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        Some(Arc::clone(&self.of.get(&func)?.as_ref().ok()?.probes))
    }
}

impl CompiledPaths {
    /// A collector for a program, and the probes that its functions are to have.
    pub fn new(planner: Planner, module: Arc<Module>, placement: Placement) -> (CompiledPaths, Paths) {
        let in_place = InPlace::default();
        let state = State { module, of: HashMap::new(), new: Vec::new(), in_place, kept: Vec::new() };
        let plans = Arc::new(Plans { planner, state: Mutex::new(state) });
        let paths = Paths(Some(Arc::clone(&plans) as Arc<dyn ProbeSource>));
        let channel = Channel::new(placement, BUFFER_WORDS);
        let reports =
            Reports { channel, failures: HashMap::new(), aborts: HashMap::new(), across: CrossReports::default() };
        (CompiledPaths { plans, reports: Arc::new(Mutex::new(reports)) }, paths)
    }

    /// Passes the events of functions that are compiled from now on to a listener instead.
    pub fn listen(&self, listening: Listening) {
        self.reports().channel.ask(move |consumer| consumer.listen(listening));
    }

    /// Waits until everything that was handed over has been read.
    pub fn settle(&self) {
        self.reports().channel.ask(|_| ());
    }

    fn reports(&self) -> MutexGuard<'_, Reports> {
        self.reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The tables that code counts in.
    pub fn tables(&self) -> Box<dyn Tables> {
        Box::new(TablesOf(Arc::clone(&self.plans)))
    }

    /// The scheme, with the numbering of the program.
    pub fn planner(&self) -> &Planner {
        &self.plans.planner
    }

    /// Paths across calls that end outside of a plan.
    pub fn across(&self) -> CrossReports {
        self.reports().across.clone()
    }

    /// Asks for a burst of the paths of some functions, where bursts begin on request.
    pub fn request_bursts(&self, funcs: &[FuncRef]) {
        let bursts = &mut self.plans.state().in_place.bursts;
        funcs.iter().for_each(|func| bursts.request(*func));
    }

    /// Ends the bursts of some functions that are not over.
    pub fn end_bursts(&self, funcs: &[FuncRef]) {
        let bursts = &mut self.plans.state().in_place.bursts;
        funcs.iter().for_each(|func| bursts.end(*func));
    }

    /// Returns true if no burst of a function's paths is under way.
    pub fn burst_is_over(&self, func: FuncRef) -> bool {
        self.plans.state().in_place.bursts.waits(func)
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
        let probed = match state.of.get(&func)? {
            Ok(probed) => probed,
            Err(why) => return Some(Err(*why)),
        };
        let (plan, folds) = (Arc::clone(&probed.plan), probed.take_folds());
        // A body that was replaced may have had others.
        let (mut counts, mut forest, mut sample) = (Vec::new(), None, None);
        match plan.stream {
            Stream::Array(_) => counts = probed.counts(),
            Stream::Table => counts = state.in_place.paths.counts(func),
            Stream::Steps(_) => forest = state.in_place.steps.forest(func),
            Stream::Bursts(_) => sample = state.in_place.bursts.sample(func),
            Stream::Events(_) => {}
        }
        reports.channel.read(folds);
        let mut collected = reports.channel.ask(move |consumer| consumer.collected(func))?;
        probed.add_runs(&state.in_place.runs, &mut *collected);
        drop(state);
        counts.into_iter().for_each(|(id, count)| collected.counted(id, count));
        if let Some(forest) = forest {
            collected.stepped(forest);
        }
        if let Some(sample) = sample {
            collected.sampled(sample);
        }
        Some(Ok((plan, collected)))
    }
}

impl Reports {
    /// Tells the consumer of functions that were planned since.
    fn attach(&mut self, plans: &Plans) {
        let mut state = plans.state();
        for func in std::mem::take(&mut state.new) {
            if let Ok(probed) = &state.of[&func] {
                self.channel.attach(func, &probed.plan);
            }
        }
    }
}

impl Collector for CompiledPaths {
    fn space(&mut self) -> Space {
        self.reports().channel.space()
    }

    fn flush(&mut self, end: usize) -> Space {
        let mut reports = self.reports();
        reports.attach(&self.plans);
        reports.channel.swap(end)
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        let mut reports = self.reports();
        reports.attach(&self.plans);
        reports.channel.append(end, words)
    }

    fn probes(&self, version: &Version, func: FuncRef) -> Option<Arc<PathProbes>> {
        version.paths.of(func)
    }

    fn unwound(&mut self, func: FuncRef, block: Node, caught: Option<EdgeId>) {
        let mut reports = self.reports();
        match caught {
            Some(edge) => *reports.failures.entry(func).or_default().entry(edge).or_default() += 1,
            None => *reports.aborts.entry(func).or_default().entry(block).or_default() += 1,
        }
    }

    fn unwound_across(&mut self, cut_short: CutShort, at: (FunctionId, CutFrame), path: (u64, Crossing)) {
        self.reports().across.unwound(cut_short, at, path);
    }

    fn around(&mut self, at: (FunctionId, CutFrame), crossing: Crossing) -> bool {
        self.reports().across.around(at, crossing)
    }

    fn settled(&mut self) {
        self.reports().across.settled();
    }

    fn returned(&mut self, func: FuncRef, passed: i64) {
        let is_across =
            self.plans.state().probes(func).is_some_and(|probes| probes.plan.cut_short != CutShort::BySteps);
        if is_across {
            self.reports().across.returned(passed);
        }
    }

    fn replaced(&mut self, module: &Arc<Module>, funcs: &[FuncRef]) {
        let mut reports = self.reports();
        let mut state = self.plans.state();
        state.module = Arc::clone(module);
        for func in funcs {
            let gone = state.of.remove(func);
            state.kept.extend(gone.and_then(Result::ok));
            state.new.retain(|new| new != func);
            reports.channel.detach(*func);
            reports.failures.remove(func);
            reports.aborts.remove(func);
        }
    }
}

/// The tables of a program's code.
struct TablesOf(Arc<Plans>);

impl Tables for TablesOf {
    fn begin_run(&mut self, cell: usize) {
        self.0.state().in_place.runs.make_slot(cell);
    }

    fn count(&mut self, header: usize, word: u64) -> usize {
        self.0.state().in_place.paths.count(header, word, 1)
    }

    fn step(&mut self, first: usize, state: u64, item: u64) -> u64 {
        self.0.state().in_place.steps.count(first, state, item)
    }

    fn sample(&mut self, cell: usize, tag: u64, iterations: Iterations) -> Sampled {
        let bursts = &mut self.0.state().in_place.bursts;
        Sampled { tag: bursts.run(cell, tag, iterations), is_over: bursts.is_over(cell) }
    }

    fn cut(&mut self, func: FuncRef, Uncounted { word, tag, iterations }: Uncounted) {
        let mut plans = self.0.state();
        let probed = plans.of[&func].as_ref().expect("its code has probes");
        match probed.probes.report {
            Report::Array(_) => iterations.into_iter().for_each(|iterations| probed.count(iterations)),
            Report::Table(PathTable { header }) => {
                let Iterations { first, id, times } = iterations.expect("nothing else is uncounted");
                let paths = &mut plans.in_place.paths;
                paths.count(header, word_of(first), 1);
                if times > 1 {
                    paths.count(header, word_of(id), times - 1);
                }
            }
            Report::Steps(StepTable { first, .. }) => {
                plans.in_place.steps.count_run(first, word, iterations.expect("nothing else is uncounted"));
            }
            Report::Bursts(cell) => plans.in_place.bursts.cut(cell.address, tag, (word, iterations)),
            Report::Events(_) => {
                let Iterations { id, times, .. } = iterations.expect("nothing else is uncounted");
                let memory = &probed.probes.regions[id as usize];
                let RegionMemory::Counter(address) = memory else { unreachable!("it has a single path") };
                plans.in_place.runs.count(address - COUNT as usize, times);
            }
        }
    }
}
