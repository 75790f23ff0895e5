//! Path profiles of compiled code: the event buffer, and what failures cut short.
//!
//! In: a collector. Out: the addresses in the context that probes write to; for each activation that a failure ends or is
//! caught in, the steps that its plan has for that, by what the frame had pending.
//! Invariant: while code with probes may run, the context points into the collector's buffer.
#![expect(unsafe_code, reason = "reads what frames of compiled code have pending")]

use super::depth::FrameAt;
use super::{Collector, Iterations, Machine, Sampled, Space, Tables, Uncounted};
use holloway_abi::graph_of::node_of;
use holloway_ir::FuncRef;
use holloway_jit::probes::{PENDING, PENDING_CONTEXT, PENDING_TIMES, PathProbes, Paths, Report};
use holloway_jit::{CallSite, Site, Version};
use holloway_profiler::cross_prefix::CutFrame;
use holloway_profiler::event::packing::Packing;
use holloway_profiler::event::{Event, FunctionId, encode};
use holloway_profiler::graph::{Call, EdgeKind, Node};
use holloway_profiler::plan::{Action, Crossing, CutShort, Plan};
use holloway_profiler::repeat::{Iterated, Repeat};
use holloway_profiler::scheme::Framing;
use holloway_runtime::flag;
use std::ptr::with_exposed_provenance;

impl Machine {
    /// Lets a collector take what path probes report, and `tables` what they count in place, if they do; `paths` says which probes
    /// functions get at their first call.
    pub fn set_collector(&mut self, mut collector: Box<dyn Collector>, tables: Option<Box<dyn Tables>>, paths: Paths) {
        let space = collector.space();
        self.collector = Some(collector);
        self.tables = tables;
        self.paths = paths;
        self.write_at(space);
    }

    /// The probes that functions get at their first call.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Hands over what was reported.
    pub fn flush_events(&mut self) {
        let (next, _) = self.runtime.context().events();
        if let Some(collector) = &mut self.collector {
            let space = collector.flush(next);
            self.write_at(space);
        }
    }

    pub(super) fn forget_paths(&mut self, funcs: &[FuncRef]) {
        if let Some(collector) = &mut self.collector {
            collector.replaced(self.runtime.module(), funcs);
        }
    }

    /// Counts a path that is in no slot of its table.
    pub(super) fn count_path(&mut self) {
        let (header, word) = self.runtime.context().counted_path();
        let tables = self.tables.as_mut().expect("code that counts paths has tables");
        let slot = tables.count(header, word);
        self.runtime.context_mut().set_path_slot(slot);
    }

    /// Counts a step that has no slot.
    pub(super) fn count_step(&mut self) {
        let (first, state, item) = self.runtime.context().counted_step();
        let tables = self.tables.as_mut().expect("code that counts steps has tables");
        let behind = tables.step(first, state, item);
        self.runtime.context_mut().set_step_state(behind);
    }

    /// Takes a path of which bursts are recorded, where the batch has no room for it.
    pub(super) fn sample_path(&mut self) {
        let (.., id) = self.runtime.context().sampled_path();
        self.sample(Iterations { first: id, id, times: 1 });
    }

    /// Takes such iterations of a loop with one path.
    pub(super) fn sample_run(&mut self) {
        let (.., first) = self.runtime.context().sampled_path();
        let (id, times) = self.runtime.context().sampled_iterations();
        self.sample(Iterations { first, id, times });
    }

    fn sample(&mut self, iterations: Iterations) {
        let (cell, tag, _) = self.runtime.context().sampled_path();
        let tables = self.tables.as_mut().expect("code that takes bursts has cells");
        let Sampled { tag, is_over } = tables.sample(cell, tag, iterations);
        self.runtime.context_mut().set_tag(tag);
        if is_over {
            self.runtime.context().raise(flag::BURST);
        }
    }

    /// Makes a slot for the run that begins in a cell.
    pub(super) fn begin_run(&mut self) {
        let cell = self.runtime.context().run_cell();
        self.tables.as_mut().expect("code that folds executions has tables").begin_run(cell);
    }

    fn write_at(&mut self, space: Space) {
        self.runtime.context_mut().set_events(space.start, space.limit);
    }

    fn report(&mut self, words: &[u64]) {
        let (next, _) = self.runtime.context().events();
        if let Some(collector) = &mut self.collector {
            let space = collector.append(next, words);
            self.write_at(space);
        }
    }

    /// A frame was left for another version: for its probes the activation ends.
    pub(super) fn leave_path(&mut self, version: &Version) {
        let func = version.func;
        let Some(collector) = &self.collector else { return };
        let is_probed = version.frame.pending.iter().any(|(inlined_at, _)| inlined_at.is_none());
        if is_probed && collector.probes(version, func).is_some_and(|probes| !probes.is_silent() && !probes.is_lone()) {
            self.report(&[encode::leave()]);
        }
    }

    /// Every activation in a frame ends at a call.
    pub(super) fn abort_paths(&mut self, at: FrameAt, version: &Version, call: &CallSite) {
        for place in places(version, call) {
            self.cut_path(at, version, (call, place), Cut::Ended);
        }
    }

    /// A frame's activation catches a failure at a call; those that are inlined there end.
    pub(super) fn catch_path(&mut self, at: FrameAt, version: &Version, call: &CallSite) {
        let places: Vec<(Site, Node)> = places(version, call).collect();
        let (outermost, inlined) = places.split_last().expect("a call stands in some block");
        inlined.iter().for_each(|place| self.cut_path(at, version, (call, *place), Cut::Ended));
        self.cut_path(at, version, (call, *outermost), Cut::Caught);
    }

    /// A failure was caught in a frame: paths that were cut short there may run through the frames around.
    pub(super) fn paths_around(&mut self, caught: FrameAt) {
        let Some(mut collector) = self.collector.take() else { return };
        'walk: for (at, version, call) in self.walk(caught).skip(1) {
            for site in version.frames(call) {
                let Some(probes) = collector.probes(version, site.func) else { break 'walk };
                let slots = &version.frame.pending;
                let slot = slots.iter().find(|(inlined_at, _)| *inlined_at == site.inlined_at);
                let Some((_, offset)) = slot.filter(|_| probes.plan.cut_short == CutShort::ByUnwinder) else {
                    break 'walk;
                };
                let pending = pending_at(at, version, *offset);
                let (at, crossing) = cross_frame(&probes, node_of(site.block), pending);
                if !collector.around(at, crossing) {
                    break 'walk;
                }
            }
        }
        self.collector = Some(collector);
    }

    /// A failure is caught, or has ended every activation.
    pub(super) fn settle_paths(&mut self) {
        if let Some(collector) = &mut self.collector {
            collector.settled();
        }
    }

    /// The host called a function, which returned.
    #[inline]
    pub(super) fn paths_returned(&mut self, func: FuncRef) {
        let passed = self.runtime.context().passed();
        if let Some(collector) = &mut self.collector {
            collector.returned(func, passed);
        }
    }

    fn cut_path(&mut self, at: FrameAt, version: &Version, (call, place): (&CallSite, (Site, Node)), cut: Cut) {
        let (site, node) = place;
        let Some(collector) = &mut self.collector else { return };
        let Some(probes) = collector.probes(version, site.func) else { return };
        let out = probes.graph.successors(node).iter().copied();
        let caught = match cut {
            Cut::Ended => None,
            Cut::Caught => out.into_iter().find(|edge| probes.graph.edge(*edge).kind == EdgeKind::Failure),
        };
        collector.unwound(site.func, node, caught);
        // At the poll of the entry nothing has begun.
        if Some(call.site) == version.frame.entry_site || probes.is_silent() {
            return;
        }
        let Some((_, offset)) = version.frame.pending.iter().find(|(inlined_at, _)| *inlined_at == site.inlined_at)
        else {
            return;
        };
        let pending = pending_at(at, version, *offset);
        if probes.plan.cut_short != CutShort::BySteps {
            let (mut at, crossing) = cross_frame(&probes, node, pending);
            let place = Call { block: at.1.block, number: at.1.calls };
            let (mut path, mut completions) = (pending[0], pending[2] as i64);
            if let Some(repeat) = probes.repeats.of(node).filter(|_| version.frame.gathers) {
                let iterated = iterated_across(repeat, pending);
                let iterations = iterations_of(repeat, iterated);
                cut_iterations(self.tables.as_deref_mut(), site.func, iterations);
                path = probes.repeats.oldest(repeat, node, iterated) as u64;
                if let Some(behind) = repeat.detached.filter(|_| iterated.times > 0) {
                    (completions, at.1.is_detached) = (behind, true);
                }
            }
            let number = probes.plan.number_at(place, path, completions);
            return collector.unwound_across(probes.plan.cut_short, at, (number, crossing));
        }
        let mut words = Vec::new();
        let is_repeated = probes.repeats.of(node).is_some();
        let (mut path, mut itr) = match (version.frame.gathers, probes.plan.most_iterations()) {
            (true, 2..) if !is_repeated => oldest_at(at, version, (*offset, 0), &probes.plan),
            (true, _) => cut_counts(self.tables.as_deref_mut(), &probes, (site.func, node), pending, &mut words),
            (false, _) => (pending[0], pending[1]),
        };
        let steps = match caught {
            Some(edge) => &probes.plan.edges[edge],
            None => &probes.plan.aborts[node],
        };
        for step in steps {
            match step {
                // What the oldest path lacks there.
                Action::AddIterations(table) => {
                    path = path.wrapping_add_signed(probes.plan.iteration_weights[*table][itr as usize].val);
                }
                Action::TakeBack { depth } => {
                    let accumulators = probes.plan.most_iterations() as usize;
                    let first = PENDING.max(accumulators) + *depth as usize * accumulators;
                    (path, itr) = oldest_at(at, version, (*offset, first), &probes.plan);
                }
                _ => cut_short(&probes, *step, (path, itr), &mut words),
            }
        }
        self.report(&words);
    }
}

/// The logical frames at a call, innermost first, each with the node that its plan is at. Frames of callees in an expanded body have no plan of their own
/// there: that of the body is where the innermost of them is.
fn places(version: &Version, call: &CallSite) -> impl Iterator<Item = (Site, Node)> {
    let mut expanded = None;
    version.frames(call).map(move |site| {
        expanded = expanded.or(site.expanded.expand());
        let has_plan = version.frame.pending.iter().any(|(inlined_at, _)| *inlined_at == site.inlined_at);
        let block = if has_plan { expanded.take() } else { None };
        (site, node_of(block.unwrap_or(site.block)))
    })
}

/// The words that a frame has pending.
fn pending_at(at: FrameAt, version: &Version, offset: u32) -> [u64; PENDING] {
    std::array::from_fn(|word| pending_word(at, version, offset, word))
}

/// One of the words from an offset on.
fn pending_word(at: FrameAt, version: &Version, offset: u32, word: usize) -> u64 {
    let sp = at.fp - version.frame_size as usize;
    // SAFETY: the frame waits at a call, and a function's probes have as many words in a slot of its own as are asked for.
    unsafe { with_exposed_provenance::<u64>(sp + offset as usize + 8 * word).read() }
}

/// The oldest path of several iterations, and the index of its accumulator, where these are words from `first` on.
fn oldest_at(at: FrameAt, version: &Version, (offset, first): (u32, usize), plan: &Plan) -> (u64, u64) {
    let accumulator = |j: u32| pending_word(at, version, offset, first + j as usize);
    let is_finished = |j: &u32| (accumulator(*j) as i64) < plan.unfinished.from;
    let itr = (1..plan.most_iterations()).take_while(is_finished).last().unwrap_or(0);
    (accumulator(itr), itr.into())
}

/// The place of an activation, which is pending beside its path, and where that is.
fn cross_frame(
    probes: &PathProbes,
    block: Node,
    [_, place, _, detached, _]: [u64; PENDING],
) -> ((FunctionId, CutFrame), Crossing) {
    let (calls, is_calling) = ((place / 2) as u32, place % 2 == 1);
    let steps = probes.plan.calls.get(&Call { block, number: calls }).filter(|_| is_calling);
    let crossing = steps.map(|steps| steps.crossing).unwrap_or_default();
    let is_detached = probes.plan.may_detach() && detached != 0;
    ((probes.function, CutFrame { block, calls, is_detached }), crossing)
}

/// Paths that code was to count in place, or has not written yet, end where they are; what is pending as it would be without loops of one
/// path.
fn cut_counts(
    tables: Option<&mut (dyn Tables + 'static)>,
    probes: &PathProbes,
    (func, node): (FuncRef, Node),
    [path, times, before, word, tag]: [u64; PENDING],
    words: &mut Vec<u64>,
) -> (u64, u64) {
    let repeat = probes.repeats.of(node);
    let is_saved = repeat.is_some_and(|repeat| repeat.from.is_some());
    let (saved, word) = if is_saved { (word, 0) } else { (0, word) };
    let iterated = Iterated { times, before: before as i64, saved: saved as i64, completions: 0 };
    let iterations = repeat.and_then(|repeat| iterations_of(repeat, iterated));
    let is_counted = match probes.report {
        Report::Bursts(_) => word == 0 && iterations.is_none(),
        Report::Events(Framing::Activations(Some(packing))) => {
            write_packed(packing, word, iterations, words);
            true
        }
        Report::Array(_) | Report::Table(_) | Report::Steps(_) | Report::Events(_) => iterations.is_none(),
    };
    if !is_counted {
        let tables = tables.expect("code that counts in place has tables");
        tables.cut(func, Uncounted { word, tag, iterations });
    }
    let Some(repeat) = repeat else { return (path, times) };
    let oldest = probes.repeats.oldest(repeat, node, iterated);
    (oldest as u64, times.min(u64::from(repeat.k) - 1))
}

/// The state of a loop with one path, of paths across calls.
fn iterated_across(repeat: &Repeat, pending: [u64; PENDING]) -> Iterated {
    let [before, _, completions, ..] = pending.map(|word| word as i64);
    let saved = if repeat.from.is_some() { pending[PENDING_CONTEXT] as i64 } else { 0 };
    Iterated { times: pending[PENDING_TIMES], before, saved, completions }
}

/// The ids that complete iterations of a loop with one path report.
fn iterations_of(repeat: &Repeat, Iterated { times, before, saved, completions }: Iterated) -> Option<Iterations> {
    let times = repeat.reported(times);
    (times > 0).then(|| Iterations {
        first: before.wrapping_add(repeat.first.at(completions)) as u64,
        id: saved.wrapping_add(repeat.id.at(completions)) as u64,
        times,
    })
}

/// Counts iterations that code was to count in place, where it gathers nothing else.
fn cut_iterations(tables: Option<&mut (dyn Tables + 'static)>, func: FuncRef, iterations: Option<Iterations>) {
    if iterations.is_some() {
        let tables = tables.expect("code that counts in place has tables");
        tables.cut(func, Uncounted { word: 0, tag: 0, iterations });
    }
}

/// Writes the ids that are packed, and iterations of a loop with one path.
fn write_packed(packing: Packing, packed: u64, iterations: Option<Iterations>, words: &mut Vec<u64>) {
    let word = iterations.as_ref().map_or(packed, |iterations| packing.push(packed, iterations.first));
    if word != Packing::EMPTY {
        words.push(word);
    }
    if let Some(Iterations { id, times: times @ 2.., .. }) = iterations {
        Event::Repeat { id, count: times - 1 }.write(words);
    }
}

/// End of a path that is cut short.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Ended,
    Caught,
}

/// Appends the report of a step for a path that is cut short: the path register with the index of the accumulator that it is; or the start
/// block of a branch history, and that.
fn cut_short(probes: &PathProbes, step: Action, (path, second): (u64, u64), words: &mut Vec<u64>) {
    let (function, lone) = (probes.function, probes.is_lone());
    match step {
        Action::FinishPrefix { block, add, .. } => {
            let scale = match probes.report {
                Report::Steps(table) => table.scale(),
                Report::Array(_) | Report::Table(_) | Report::Bursts(_) | Report::Events(_) => 1,
            };
            let id = path.wrapping_add_signed(add) / scale;
            match lone {
                true => Event::LonePrefix { function, block, id }.write(words),
                false => Event::Prefix { block, id }.write(words),
            }
        }
        Action::FinishIterationPrefix { block, .. } => {
            Event::PrefixAt { function, block, at: second as u32 + 1, id: path }.write(words);
        }
        Action::FinishBranchPrefix { block, .. } => {
            Event::PrefixAt { function, block, at: path as u32, id: second }.write(words);
        }
        Action::Leave if !lone => Event::Leave.write(words),
        _ => {}
    }
}
