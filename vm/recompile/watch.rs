//! Watching: a window on each function whose profiled version runs, until it is full.
//!
//! In: a function with its edge counts, and the window. Out: probes, and what was collected once the window is full. Probes, collector
//! and reading are those of every path profile (`vm/profile/`), for a plan of `k-bl` and `tfp` together
//! ([`plan_window`]); here is when to look, and when to end.
//! Reports are slow where no iteration is like the one before, and a window is full after some thousand of them. Then they are
//! turned off at once, also in frames that run on in profiled code.
//!
//! Another form of reports does not change this file: see the seam in `profiler/src/scheme/window.rs` and `vm/profile/probed.rs`.
//! Invariant: a version keeps what its code writes to; its reports end once and for all.

use super::settings::{BUFFER_WORDS, KEPT_IDS, MOST_KEPT, MOST_LOOKS, SEQUENCE};
use crate::adaptive::Window;
use crate::adaptive::settings::FIRST_K;
use crate::machine::Collector;
use crate::profile::{Channel, Placement, Probed, Space};
use hashbrown::HashMap;
use holloway_jit::Version;
use holloway_jit::graph_of::graph_of;
use holloway_jit::probes::{PathProbes, Paths, ProbeSource, Switch};
use holloway_lang::ir::{FuncRef, Function, Module};
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::scheme::{Collected, Frequency, FunctionPlan, NotProfiled, WindowBounds, plan_window};
use std::sync::{Arc, Mutex, MutexGuard};

/// A function that is watched.
pub(super) struct Watched {
    probed: Probed,
    window: Window,
    switch: Switch,
}

/// Gives one function its probes.
struct Only(FuncRef, Arc<Watched>);

impl ProbeSource for Only {
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        (func == self.0).then(|| Arc::clone(&self.1.probed.probes))
    }
}

impl Watched {
    fn new(func: FuncRef, body: &Function, frequency: &Frequency, window: Window) -> Result<Watched, NotProfiled> {
        let Window { k, executions } = window;
        let ids = KEPT_IDS * (k / FIRST_K).clamp(1, MOST_KEPT);
        let bounds = WindowBounds { k, executions, sequence: SEQUENCE, ids };
        let plan = plan_window(graph_of(body), frequency, bounds)?;
        let switch = Switch::default();
        Ok(Watched { probed: Probed::switched(func, plan, switch.clone()), window, switch })
    }

    /// The probes for a compilation.
    pub(super) fn paths(self: &Arc<Watched>, func: FuncRef) -> Paths {
        Paths(Some(Arc::new(Only(func, Arc::clone(self)))))
    }

    /// After how many looks at it, one a tick, it is over, whatever was seen: those that ask for longer persistence may take longer.
    fn most_looks(&self) -> u64 {
        MOST_LOOKS * (self.window.k / FIRST_K).max(1)
    }

    /// True iff its probes are disabled: the window was full, or it was looked at often enough.
    fn is_disabled(&self) -> bool {
        !self.switch.is_on()
    }
}

/// A handle of what collects from every profiled version.
#[derive(Clone)]
pub(super) struct Watcher(Arc<Mutex<Watching>>);

/// The functions that are profiled, and what they have reported.
pub(super) struct Watching {
    channel: Channel,
    watched: HashMap<FuncRef, Arc<Watched>>,
}

impl Watcher {
    /// A collector of nothing yet. It reads on the running thread, where a full window ends before more is written.
    pub(super) fn new() -> Watcher {
        let channel = Channel::new(Placement::Inline, BUFFER_WORDS);
        Watcher(Arc::new(Mutex::new(Watching { channel, watched: HashMap::new() })))
    }

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
        frequency: &Frequency,
        window: Window,
    ) -> Result<Arc<Watched>, NotProfiled> {
        if let Some(known) = self.watched.get(&func) {
            return Ok(Arc::clone(known));
        }
        let watched = Arc::new(Watched::new(func, body, frequency, window)?);
        self.channel.attach(func, &watched.probed.plan);
        self.watched.insert(func, Arc::clone(&watched));
        Ok(watched)
    }

    /// Watches a function no longer.
    pub(super) fn close(&mut self, func: FuncRef) {
        if self.watched.contains_key(&func) {
            self.disable(func);
            self.channel.detach(func);
            self.watched.remove(&func);
        }
    }

    /// The profile of a function, if that is enough or was looked at often enough: then its reports are over. Hand over
    /// what was written before.
    pub(super) fn ended(&mut self, func: FuncRef, looks: u64) -> Option<(Arc<FunctionPlan>, Box<dyn Collected>)> {
        let watched = Arc::clone(self.watched.get(&func)?);
        self.channel.read(watched.probed.take_folds());
        self.disable_full();
        if !watched.is_disabled() {
            if looks < watched.most_looks() {
                return None;
            }
            self.disable(func);
        }
        let collected = self.channel.ask(move |consumer| consumer.collected(func))?;
        Some((Arc::clone(&watched.probed.plan), collected))
    }

    /// Disables the probes of a function.
    fn disable(&mut self, func: FuncRef) {
        let watched = &self.watched[&func];
        self.channel.read(watched.probed.take_folds());
        watched.switch.turn_off();
        // Frames of its code go on, and do not tell when they end.
        self.channel.ask(move |consumer| consumer.forget_activations(func));
    }

    fn disable_full(&mut self) {
        let open = self.watched.iter().filter(|(_, watched)| !watched.is_disabled());
        let open: Vec<FuncRef> = open.map(|(func, _)| *func).collect();
        let full: Vec<FuncRef> =
            self.channel.ask(move |consumer| open.into_iter().filter(|func| consumer.is_full(*func)).collect());
        full.into_iter().for_each(|func| self.disable(func));
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        let end = self.channel.append(end, words).start;
        self.channel.swap(end);
        // Not between the two: the last words may end an activation, which is forgotten once its probes are disabled.
        self.disable_full();
        self.channel.space()
    }
}

impl Collector for Watcher {
    fn space(&mut self) -> Space {
        self.lock().channel.space()
    }

    fn append(&mut self, end: usize, words: &[u64]) -> Space {
        self.lock().append(end, words)
    }

    fn probes(&self, version: &Version, func: FuncRef) -> Option<Arc<PathProbes>> {
        version.paths.of(func)
    }

    fn unwound(&mut self, _: FuncRef, _: Node, _: Option<EdgeId>) {}

    fn replaced(&mut self, _: &Arc<Module>, funcs: &[FuncRef]) {
        let mut watching = self.lock();
        for func in funcs {
            watching.watched.remove(func);
            watching.channel.detach(*func);
        }
    }
}
