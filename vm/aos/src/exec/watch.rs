//! Watching: a window on each function whose profiled version runs, and on some inlined into it, until it is full. The
//! probes are those of every path profile, for a plan of `k-bl` and `tfp` together ([`plan_window`]); here is when to
//! look, and when to end. Each part of a window begins with a tick. Invariant: a version keeps what its code writes to;
//! its reports end once and for all.

use crate::settings::{FIRST_K, MOST_KEPT, PARTS, SEQUENCE};
use crate::{Reason, Settings, Window};
use hashbrown::HashMap;
use holloway_ir::{FuncRef, Function, Module};
use holloway_jit::Version;
use holloway_jit::graph_of::graph_of;
use holloway_jit::probes::{PathProbes, Paths, ProbeSource, Switch};
use holloway_machine::profile::{Channel, Placement, Probed};
use holloway_machine::{Collector, Space};
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::scheme::{Collected, Frequency, FunctionPlan, NotProfiled, WindowBounds, plan_window};
use std::sync::{Arc, Mutex, MutexGuard};

/// Words in the buffer of profiled versions: some thousand paths, about as many as fill a window. Nothing is decided by it.
const BUFFER_WORDS: usize = 4096;

struct Watched {
    func: FuncRef,
    probed: Probed,
    switch: Switch,
}

/// The functions that are watched in the profiled versions of one: itself, and some that are inlined there.
pub(super) struct WatchedGroup {
    members: Vec<Watched>,
    k: u64,
}

impl ProbeSource for WatchedGroup {
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        let member = self.members.iter().find(|watched| watched.func == func);
        member.map(|watched| Arc::clone(&watched.probed.probes))
    }
}

/// A function to watch: its body, and the executions of its edges.
pub(super) type ToWatch = (FuncRef, Arc<Function>, Frequency);

/// Reports of a function, as collected, with its plan.
pub(super) type Profile = (FuncRef, Arc<FunctionPlan>, Box<dyn Collected>);

impl Watched {
    fn new((func, body, frequency): &ToWatch, window: &Window) -> Result<Watched, NotProfiled> {
        let Window { k, executions, .. } = *window;
        // Half as many again as executions of its hottest loop fill a part: other loops have ids as well.
        let ids = k.clamp(FIRST_K, MOST_KEPT * FIRST_K) * 3 / 2;
        let bounds = WindowBounds { k, executions, parts: PARTS, sequence: SEQUENCE, ids };
        let plan = plan_window(graph_of(body), frequency, bounds)?;
        let switch = Switch::default();
        Ok(Watched { func: *func, probed: Probed::switched(*func, plan, switch.clone()), switch })
    }

    /// True iff its probes are disabled: the window was full, or it was looked at often enough.
    fn is_disabled(&self) -> bool {
        !self.switch.is_on()
    }
}

impl WatchedGroup {
    pub(super) fn paths(self: &Arc<WatchedGroup>) -> Paths {
        Paths(Some(Arc::clone(self) as Arc<dyn ProbeSource>))
    }

    pub(super) fn members(&self) -> impl Iterator<Item = FuncRef> {
        self.members.iter().map(|watched| watched.func)
    }

    /// After how many looks at it, one a tick, it is over, whatever was seen: those that ask for longer persistence may take longer.
    fn most_looks(&self) -> u64 {
        Settings::most_looks() * (self.k / FIRST_K).max(1)
    }

    fn is_disabled(&self) -> bool {
        self.members.iter().all(Watched::is_disabled)
    }
}

/// A handle of what collects from every profiled version.
#[derive(Clone)]
pub(super) struct Watcher(Arc<Mutex<Watching>>);

/// The functions that are profiled, and what they have reported.
pub(super) struct Watching {
    channel: Channel,
    /// By the function whose version has the probes.
    groups: HashMap<FuncRef, Arc<WatchedGroup>>,
}

impl Watcher {
    /// A collector of nothing yet. It reads on the running thread, where a full window ends before more is written.
    pub(super) fn new() -> Watcher {
        let channel = Channel::new(Placement::Inline, BUFFER_WORDS);
        Watcher(Arc::new(Mutex::new(Watching { channel, groups: HashMap::new() })))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Watching> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Watching {
    /// Watches a function and some that are inlined into it, unless it is watched already, in code that is entered elsewhere. Of those that are
    /// inlined the ones that cannot be watched, or are watched in another function, are left out.
    pub(super) fn watch(
        &mut self,
        own: &ToWatch,
        inlined: &[ToWatch],
        window: &Window,
    ) -> Result<Arc<WatchedGroup>, Reason> {
        if let Some(known) = self.groups.get(&own.0) {
            return Ok(Arc::clone(known));
        }
        // Events name functions, not the code that they are in.
        if self.groups.values().any(|group| group.probes(own.0).is_some()) {
            return Err(Reason::WatchedElsewhere);
        }
        let mut members = vec![Watched::new(own, window).map_err(|_| Reason::NoProbes)?];
        let is_free = |callee: &&ToWatch| self.groups.values().all(|group| group.probes(callee.0).is_none());
        members.extend(inlined.iter().filter(is_free).filter_map(|callee| Watched::new(callee, window).ok()));
        for watched in &members {
            self.channel.attach(watched.func, &watched.probed.plan);
        }
        let group = Arc::new(WatchedGroup { members, k: window.k });
        self.groups.insert(own.0, Arc::clone(&group));
        Ok(group)
    }

    /// Watches a function no longer. Hand over what was written before.
    pub(super) fn close(&mut self, func: FuncRef) {
        if let Some(group) = self.groups.remove(&func) {
            for watched in &group.members {
                self.disable(watched);
                self.channel.detach(watched.func);
            }
        }
    }

    /// Watches no function any longer. Hand over what was written before.
    pub(super) fn close_all(&mut self) {
        let funcs: Vec<FuncRef> = self.groups.keys().copied().collect();
        funcs.into_iter().for_each(|func| self.close(func));
    }

    /// The profiles of a function and of those inlined into it, if that is enough or was looked at often enough: then its reports are over. Hand
    /// over what was written before.
    pub(super) fn ended(&mut self, func: FuncRef, looks: u64) -> Option<Vec<Profile>> {
        let group = Arc::clone(self.groups.get(&func)?);
        for watched in &group.members {
            self.channel.read(watched.probed.take_folds());
        }
        self.disable_full();
        if !group.is_disabled() && looks < group.most_looks() {
            for Watched { func, switch, .. } in &group.members {
                let func = *func;
                self.channel.ask(move |consumer| consumer.next_part(func));
                switch.resume();
            }
            return None;
        }
        let mut profiles = Vec::new();
        for watched in &group.members {
            if !watched.is_disabled() {
                self.disable(watched);
            }
            let func = watched.func;
            let collected = self.channel.ask(move |consumer| consumer.collected(func))?;
            profiles.push((func, Arc::clone(&watched.probed.plan), collected));
        }
        Some(profiles)
    }

    fn disable(&mut self, watched: &Watched) {
        self.channel.read(watched.probed.take_folds());
        watched.switch.turn_off();
        // Frames of its code go on, and do not tell when they end.
        let func = watched.func;
        self.channel.ask(move |consumer| consumer.forget_activations(func));
    }

    /// Disables the probes whose window is full, and pauses those of which a part is.
    fn disable_full(&mut self) {
        for group in self.groups.values().cloned().collect::<Vec<_>>() {
            for watched in group.members.iter().filter(|watched| watched.switch.reports_paths()) {
                let func = watched.func;
                let is_full = |reports: &dyn Collected| (reports.is_full(), reports.is_part_full());
                match self.channel.ask(move |consumer| consumer.reports(func).map(is_full)) {
                    Some((true, _)) => self.disable(watched),
                    Some((false, true)) => watched.switch.pause(),
                    Some((false, false)) | None => {}
                }
            }
        }
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

    /// The executor has closed all windows, with all code.
    fn replaced(&mut self, _: &Arc<Module>, _: &[FuncRef]) {}
}
