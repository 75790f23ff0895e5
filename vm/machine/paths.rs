//! Path profiles of compiled code: the event buffer, and what failures cut short.
//!
//! In: a collector. Out: the addresses in the context that probes write to; for each activation that a failure ends or is
//! caught in, the steps that its plan has for that, by what the frame had pending.
//! Invariant: while code with probes may run, the context points into the collector's buffer.
#![expect(unsafe_code, reason = "reads what frames of compiled code have pending")]

use super::Machine;
use super::unwind::FrameAt;
use crate::profile::Space;
use holloway_jit::graph_of::node_of;
use holloway_jit::probes::{PathProbes, Paths, Report};
use holloway_jit::{CallSite, Site, Version};
use holloway_lang::ir::FuncRef;
use holloway_profiler::event::Event;
use holloway_profiler::graph::{EdgeId, EdgeKind, Node};
use holloway_profiler::plan::Action;
use std::ptr::with_exposed_provenance;
use std::sync::Arc;

/// Takes what path probes report.
pub trait Collector: Send {
    /// Where to write.
    fn space(&mut self) -> Space;
    /// Takes what was written up to an address; where to go on.
    fn swap(&mut self, end: usize) -> Space;
    /// Appends words behind what was written up to an address; where to go on.
    fn append(&mut self, end: usize, words: &[u64]) -> Space;
    /// The probes that a function's code has, if it has any.
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>>;
    /// A failure inside a block ended an activation, or was caught there, which is an edge.
    fn unwound(&mut self, func: FuncRef, block: Node, caught: Option<EdgeId>);
    /// Functions' bodies are others now.
    fn replaced(&mut self, machine: &mut Machine, funcs: &[FuncRef]);
    /// For those who know what collector it is.
    fn as_any(&mut self) -> &mut dyn std::any::Any;
}

impl Machine {
    /// Lets a collector take what path probes report; `paths` says which probes functions get at their first call.
    pub fn set_collector(&mut self, mut collector: Box<dyn Collector>, paths: Paths) {
        let space = collector.space();
        self.collector = Some(collector);
        self.paths = paths;
        self.write_at(space);
    }

    /// The collector, when it has all that was reported.
    pub fn collector(&mut self) -> Option<&mut Box<dyn Collector>> {
        self.flush_events();
        self.collector.as_mut()
    }

    /// Hands over what was reported.
    pub fn flush_events(&mut self) {
        let (next, _) = self.runtime.context().events();
        if let Some(collector) = &mut self.collector {
            let space = collector.swap(next);
            self.write_at(space);
        }
    }

    pub(super) fn forget_paths(&mut self, funcs: &[FuncRef]) {
        if let Some(mut collector) = self.collector.take() {
            collector.replaced(self, funcs);
            self.collector = Some(collector);
        }
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

    /// Every activation in a frame ends at a call.
    pub(super) fn abort_paths(&mut self, at: FrameAt, version: &Version, call: &CallSite) {
        for site in version.frames(call) {
            self.cut_path(at, version, (call, site), Cut::Ended);
        }
    }

    /// A frame's activation catches a failure at a call; those that are inlined there end.
    pub(super) fn catch_path(&mut self, at: FrameAt, version: &Version, call: &CallSite) {
        let sites: Vec<Site> = version.frames(call).collect();
        let (outermost, inlined) = sites.split_last().expect("a call stands in some block");
        inlined.iter().for_each(|site| self.cut_path(at, version, (call, *site), Cut::Ended));
        self.cut_path(at, version, (call, *outermost), Cut::Caught);
    }

    fn cut_path(&mut self, at: FrameAt, version: &Version, (call, site): (&CallSite, Site), cut: Cut) {
        let Some(collector) = &mut self.collector else { return };
        let Some(probes) = collector.probes(site.func) else { return };
        let node = node_of(site.block);
        let out = probes.graph.successors(node).iter().copied();
        let caught = match cut {
            Cut::Ended => None,
            Cut::Caught => out.into_iter().find(|edge| probes.graph.edge(*edge).kind == EdgeKind::Failure),
        };
        collector.unwound(site.func, node, caught);
        // At the poll of the entry nothing has begun.
        if Some(call.site) == version.frame.entry_site {
            return;
        }
        let Some((_, offset)) = version.frame.pending.iter().find(|(inlined_at, _)| *inlined_at == site.inlined_at) else {
            return;
        };
        let sp = at.fp - version.frame_size as usize;
        let pending = [0, 8].map(|word| {
            // SAFETY: the frame waits at a call, and these are two words of a slot of its own.
            unsafe { with_exposed_provenance::<u64>(sp + *offset as usize + word).read() }
        });
        let steps = match caught {
            Some(edge) => &probes.plan.edges[edge],
            None => &probes.plan.aborts[node],
        };
        let mut words = Vec::new();
        steps.iter().for_each(|step| cut_short(&probes, *step, pending, &mut words));
        self.report(&words);
    }
}

/// What becomes of an activation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Ended,
    Caught,
}

/// What a step for a path that is cut short reports.
fn cut_short(probes: &PathProbes, step: Action, pending: [u64; 2], words: &mut Vec<u64>) {
    let function = probes.function;
    let lone = match probes.report {
        Report::Count(_) => true,
        Report::Stream { lone, .. } => lone,
    };
    match step {
        Action::FinishPrefix { block, add, .. } => {
            let id = pending[0].wrapping_add_signed(add);
            match lone {
                true => Event::LonePrefix { function, block, id }.write(words),
                false => Event::Prefix { block, id }.write(words),
            }
        }
        Action::FinishBranchPrefix { block, .. } => {
            let start = Node::from_u32(pending[0] as u32);
            Event::BranchPrefix { function, block, start, history: pending[1] }.write(words);
        }
        Action::Leave if !lone => Event::Leave.write(words),
        _ => {}
    }
}
