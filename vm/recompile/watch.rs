//! Reports of profiled versions: a k-slab forest and persistence for each function that is watched.
//!
//! In: a function with its edge profile, and the window. Out: probes with smart numbering and registers of bits, and a collector that
//! is read at ticks.
//! Reports are slow where no iteration is like the one before, and a window is full after some thousand of them. Then they are
//! turned off at once, also in frames that run on in profiled code.
//! Invariant: a version keeps what its code writes to; its reports end once and for all.

use crate::adaptive::Window;
use crate::machine::{Collector, Machine};
use crate::profile::Space;
use crate::profile::consumer::function_id;
use crate::profile::words::FoldCells;
use cranelift_entity::SecondaryMap;
use hashbrown::HashMap;
use holloway_jit::Version;
use holloway_jit::abi::EVENT_ROOM;
use holloway_jit::graph_of::graph_of;
use holloway_jit::probes::{PathProbes, Paths, ProbeSource, Report, Switch};
use holloway_lang::ir::{FuncRef, Function};
use holloway_profiler::event::Streams;
use holloway_profiler::forest::SlabForest;
use holloway_profiler::graph::{EdgeId, Graph, Node};
use holloway_profiler::machine::Sink;
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::number::smart::number_smart;
use holloway_profiler::persistence::{Ending, Findings, Persistence, Regions};
use holloway_profiler::plan::{BitRegister, Markers};
use holloway_profiler::repeat::Repeats;
use std::sync::{Arc, Mutex, MutexGuard};

/// Ids that sequences are joined of: a period is known when it was seen twice, and inner loops with some tens of trips are
/// worth a trace.
const SEQUENCE: u32 = 80;
/// Ids of a window that are joined: enough to see a period often, few enough for a window that is random.
const MOST_IDS: u64 = 1 << 11;
/// A profile that was looked at so often is over.
const MOST_LOOKS: u64 = 4;
/// The persistence that the first profile of a loop asks for.
const FIRST_K: u64 = 1024;
/// Words in the buffer.
const BUFFER: usize = 4096;

/// A function that is watched.
pub(super) struct Watched {
    pub(super) graph: Arc<Graph>,
    pub(super) numbering: Numbering,
    pub(super) regions: Regions,
    window: Window,
    probes: Arc<PathProbes>,
    folds: FoldCells,
    switch: Switch,
}

/// Profile of one function so far.
#[derive(Clone)]
pub(super) struct Gathered {
    pub(super) forest: SlabForest,
    /// Ids so far.
    ids: u64,
    pub(super) persistence: Persistence,
    /// The last window of each loop that ended with one path.
    pub(super) persistent: HashMap<BitRegister, Findings>,
}

/// Gives one function its probes.
struct Only(FuncRef, Arc<Watched>);

impl ProbeSource for Only {
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        (func == self.0).then(|| Arc::clone(&self.1.probes))
    }
}

impl Watched {
    /// Plans a function; none if its graph is irreducible.
    fn new(func: FuncRef, body: &Function, frequency: &SecondaryMap<EdgeId, u64>, window: Window) -> Option<Watched> {
        let graph = Arc::new(graph_of(body));
        let regions = Regions::new(&graph).ok()?;
        if regions.iter().any(|(register, _)| regions.words(register) as usize + 8 > EVENT_ROOM) {
            return None;
        }
        let numbering = number_smart(&graph, frequency);
        let potentials = Potentials::chords(&graph, &numbering, frequency);
        let mut plan = numbering.plan(&graph, &potentials, Markers::Emit);
        let bits = regions.plan(&graph);
        plan.entry.extend(bits.entry);
        for node in graph.nodes() {
            plan.blocks[node].extend(bits.blocks[node].iter().copied());
        }
        for (edge, _) in graph.edges() {
            plan.edges[edge].extend(bits.edges[edge].iter().copied());
        }
        plan.registers = bits.registers;
        let folds = FoldCells::new(&plan.registers);
        let switch = Switch::default();
        let report = Report::Stream { lone: false, folds: folds.addresses(), switch: Some(switch.clone()) };
        let probes = PathProbes {
            graph: Arc::clone(&graph),
            plan: Arc::new(plan),
            function: function_id(func),
            report,
            repeats: Repeats::default(),
        };
        Some(Watched { graph, numbering, regions, window, probes: Arc::new(probes), folds, switch })
    }

    /// The probes for a compilation.
    pub(super) fn paths(self: &Arc<Watched>, func: FuncRef) -> Paths {
        Paths(Some(Arc::new(Only(func, Arc::clone(self)))))
    }

    /// After how many looks at it, one a tick, it is over, whatever was seen: those that ask for longer persistence may take longer.
    fn most_looks(&self) -> u64 {
        MOST_LOOKS * (self.window.k / FIRST_K).max(1)
    }

    /// K of the window.
    pub(super) fn k(&self) -> u64 {
        self.window.k
    }

    /// True iff reports have ended: the window was full, or it was looked at often enough.
    fn is_silent(&self) -> bool {
        !self.switch.is_on()
    }

    /// True iff the hottest loop was seen often enough, or is known to be persistent.
    fn is_full(&self, gathered: &Gathered) -> bool {
        let ran = |register| gathered.persistence.overall(register).executions;
        let loops = self.regions.iter().filter(|(_, region)| region.around.is_some());
        let hottest = loops.map(|(register, _)| register).max_by_key(|register| ran(*register));
        hottest
            .is_none_or(|hottest| ran(hottest) >= self.window.executions || gathered.persistent.contains_key(&hottest))
    }
}

impl Gathered {
    fn new(watched: &Watched) -> Gathered {
        Gathered {
            forest: SlabForest::new(SEQUENCE, watched.numbering.num_paths()),
            ids: 0,
            persistence: Persistence::new(watched.regions.clone(), watched.window.k, Ending::Early),
            persistent: HashMap::new(),
        }
    }

    fn note_windows(&mut self) {
        for findings in self.persistence.take_finished() {
            match findings.is_persistent() {
                true => self.persistent.insert(findings.register, findings),
                false => self.persistent.remove(&findings.register),
            };
        }
    }
}

impl Sink for Gathered {
    fn path(&mut self, id: u64) {
        self.ids += 1;
        if self.ids <= MOST_IDS {
            self.forest.process_bl_path_id(id);
        }
    }

    fn prefix(&mut self, block: Node, id: u64) {
        Sink::prefix(&mut self.forest, block, id);
    }

    fn enter(&mut self) {
        self.forest.enter();
    }

    fn leave(&mut self) {
        self.forest.leave();
    }

    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.persistence.fold(register, bits);
        self.note_windows();
    }

    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        self.persistence.folds(register, bits, count);
        self.note_windows();
    }
}

/// A handle of what collects from every profiled version.
#[derive(Clone, Default)]
pub(super) struct Watcher(Arc<Mutex<Watching>>);

/// The functions that are profiled, and what they have reported.
pub(super) struct Watching {
    buffer: Vec<u64>,
    streams: Streams<Gathered>,
    watched: HashMap<FuncRef, Arc<Watched>>,
}

impl Default for Watching {
    fn default() -> Watching {
        Watching { buffer: vec![0; BUFFER + EVENT_ROOM], streams: Streams::default(), watched: HashMap::new() }
    }
}

impl Watcher {
    /// The collector itself.
    pub(super) fn lock(&self) -> MutexGuard<'_, Watching> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Watching {
    /// Watches a function, unless it is watched already, in code that is entered elsewhere.
    pub(super) fn watch(
        &mut self,
        func: FuncRef,
        body: &Function,
        frequency: &SecondaryMap<EdgeId, u64>,
        window: Window,
    ) -> Option<Arc<Watched>> {
        if let Some(known) = self.watched.get(&func) {
            return Some(Arc::clone(known));
        }
        let watched = Arc::new(Watched::new(func, body, frequency, window)?);
        self.streams.attach(function_id(func), Gathered::new(&watched));
        self.watched.insert(func, Arc::clone(&watched));
        Some(watched)
    }

    /// Watches a function no longer.
    pub(super) fn close(&mut self, func: FuncRef) {
        if self.watched.contains_key(&func) {
            self.silence(func);
            self.streams.detach(function_id(func));
            self.watched.remove(&func);
        }
    }

    /// The profile of a function, if that is enough or was looked at often enough: then its reports are over. Hand over
    /// what was written before.
    pub(super) fn ended(&mut self, func: FuncRef, looks: u64) -> Option<(Arc<Watched>, Gathered)> {
        self.read_cells(func);
        self.silence_full();
        let watched = Arc::clone(self.watched.get(&func)?);
        if !watched.is_silent() {
            if looks < watched.most_looks() {
                return None;
            }
            self.silence(func);
        }
        Some((watched, self.streams.sink(function_id(func))?.clone()))
    }

    /// Ends the reports of a function.
    fn silence(&mut self, func: FuncRef) {
        self.read_cells(func);
        self.watched[&func].switch.turn_off();
        // Frames of its code go on, and do not tell when they end.
        self.streams.forget_activations(function_id(func));
    }

    fn silence_full(&mut self) {
        let is_full = |(func, watched): &(&FuncRef, &Arc<Watched>)| {
            !watched.is_silent()
                && self.streams.sink(function_id(**func)).is_some_and(|gathered| watched.is_full(gathered))
        };
        let full: Vec<FuncRef> = self.watched.iter().filter(is_full).map(|(func, _)| *func).collect();
        full.into_iter().for_each(|func| self.silence(func));
    }

    /// Reads the runs that are still counted in place.
    fn read_cells(&mut self, func: FuncRef) {
        let Some(watched) = self.watched.get(&func) else { return };
        self.streams.read(&watched.folds.take(function_id(func))).expect("these are whole events");
    }
}

impl Watching {
    fn space(&mut self) -> Space {
        let start = self.buffer.as_mut_ptr().expose_provenance();
        Space { start, limit: start + BUFFER * size_of::<u64>() }
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        let start = self.space().start;
        let written = (end - start) / size_of::<u64>();
        // Compiled code wrote them behind the compiler's back.
        let before = std::hint::black_box(&self.buffer[..written]);
        for words in [before, words] {
            self.streams.read(words).unwrap_or_else(|error| panic!("a probe went wrong: {error}"));
        }
        // Not between the two: the last words may end an activation, which is forgotten once its function is silent.
        self.silence_full();
        self.space()
    }
}

impl Collector for Watcher {
    fn space(&mut self) -> Space {
        self.lock().space()
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        self.lock().append(end, words)
    }

    fn probes(&self, version: &Version, func: FuncRef) -> Option<Arc<PathProbes>> {
        version.paths.of(func)
    }

    fn unwound(&mut self, _: FuncRef, _: Node, _: Option<EdgeId>) {}

    fn replaced(&mut self, _: &mut Machine, funcs: &[FuncRef]) {
        let mut watching = self.lock();
        for func in funcs {
            watching.watched.remove(func);
            watching.streams.detach(function_id(*func));
        }
    }
}
