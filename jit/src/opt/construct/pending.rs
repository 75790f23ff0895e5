//! The pending state that the unwinder finds in a frame whose paths a failure cuts short.
//!
//! In: the profiled bodies around a block. Out: operations that keep what is pending in slots of the frame, at the start of each
//! block and edge, around calls that have steps, and where an inlined body begins or ends. Invariant: in between, nothing that is pending changes.

use super::Builder;
use super::variables::{Probed, Variable};
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::{PENDING_CONTEXT, PENDING_TIMES, PENDING_WORD, Report};
use cranelift_entity::EntityRef;
use holloway_profiler::plan::CutShort;
use holloway_profiler::repeat::Repeat;

impl Builder<'_> {
    /// Declares what is pending from here on, should something fail, in every profiled body around.
    pub(super) fn note_pending(&mut self, at: Block) {
        for probed in self.probed.clone() {
            let repeat = probed.probes.repeats.of(probed.node.get());
            if !probed.iterations.is_empty() && repeat.is_none() {
                let accumulators: Vec<Variable> =
                    std::iter::once(probed.path).chain(probed.iterations.iter().copied()).collect();
                self.pend(at, probed.slot, &accumulators);
                continue;
            }
            if probed.probes.plan.cut_short == CutShort::ByUnwinder {
                self.note_pending_across(&probed, at, repeat);
                continue;
            }
            // Behind a path nothing of a step is left to be counted.
            let is_counted = repeat.is_none() && matches!(probed.probes.report, Report::Steps(_));
            if probed.probes.report.keeps_word() && !is_counted {
                self.pend(at, probed.slot + PENDING_WORD as u32, &[probed.word]);
            }
            match repeat {
                _ if probed.history_is_pending => self.pend(at, probed.slot, &[probed.start, probed.history]),
                Some(_) if probed.probes.folds_in_place() => self.pend(at, probed.slot + 1, &[probed.times]),
                None if probed.probes.folds_in_place() => {}
                None => self.pend(at, probed.slot, &[probed.path]),
                Some(repeat) => {
                    self.pend(at, probed.slot + 1, &[probed.times, probed.before]);
                    self.note_context(&probed, at, repeat);
                }
            }
        }
    }

    /// The same of a path that may run through other activations.
    fn note_pending_across(&mut self, probed: &Probed, at: Block, repeat: Option<&Repeat>) {
        let plan = &probed.probes.plan;
        let (detaches, scales) = (plan.may_detach(), plan.defers_completions());
        let path = if repeat.is_some() { probed.before } else { probed.path };
        let (path, place) = (self.read(at, path), self.func.int(probed.place()));
        let completions = (detaches || scales || repeat.is_some()).then(|| self.read(at, probed.completions));
        let detached = detaches.then(|| self.read(at, probed.detached));
        let values = [path, place].into_iter().chain(completions).chain(detached).collect();
        self.pend_values(at, probed.slot, values);
        if let Some(repeat) = repeat {
            self.note_context(probed, at, repeat);
            self.pend(at, probed.slot + PENDING_TIMES as u32, &[probed.times]);
        }
    }

    /// The register that paths go on from in a loop that has one path.
    fn note_context(&mut self, probed: &Probed, at: Block, repeat: &Repeat) {
        if let Some(from) = repeat.from {
            self.pend(at, probed.slot + PENDING_CONTEXT as u32, &[probed.saved[from.index()]]);
        }
    }

    fn pend(&mut self, at: Block, slot: u32, variables: &[Variable]) {
        let args: Vec<Value> = variables.iter().map(|variable| self.read(at, *variable)).collect();
        self.pend_values(at, slot, args);
    }

    fn pend_values(&mut self, at: Block, slot: u32, args: Vec<Value>) {
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Probe(Probe::Pending(slot)), args, None, site);
    }
}
