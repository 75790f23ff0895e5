//! Operations of a profile, SSA to CLIF: what they need to know of their operands beside the values.
//!
//! In: a probe, its operands in SSA and in CLIF. Out: its result, if it has one.
//! Invariant: what a probe does to the profile is written by [`crate::emit`] alone.

use super::Translator;
use crate::emit::Iterations;
use crate::emit::burst::TagWord;
use crate::emit::run::Executions;
use crate::opt::op::{Extent, PathSink, Probe};
use crate::opt::ssa::Value;
use cranelift_codegen::ir as clif;

impl Translator<'_> {
    pub(super) fn probe(&mut self, probe: Probe, operands: &[Value], args: &[clif::Value]) -> Option<clif::Value> {
        match probe {
            Probe::Pending(first) => self.pend(first, args),
            Probe::Count(counter) => match self.ssa.as_int(operands[0]) {
                Some(1) => self.emit.increment(counter),
                _ => self.emit.count_many(counter, args[0]),
            },
            Probe::Paths(sink, extent) => {
                let known = self.ssa.as_int(operands[0]);
                return self.paths((sink, extent), known, args);
            }
            Probe::BeginSample(cell, tag) => {
                let tag = self.tag_word(tag);
                self.emit.begin_sample(cell, tag);
            }
            Probe::Emit(switch) => self.emit.emit_words(args, switch),
            Probe::Fold(fold) => self.emit.fold(fold, args),
            Probe::Execution(slots) => {
                self.emit.execution(Executions { cell: args[0], slots, bits: args[1], times: args[2] });
            }
            Probe::NoteTarget(cell) => self.emit.note_target(cell, args[0]),
            Probe::Pass(to) => self.emit.pass(to, args[0]),
            Probe::Receive(from) => return Some(self.emit.receive(from)),
        }
        None
    }

    /// Paths that go to a sink; `known` is the first operand, if it is a constant.
    fn paths(
        &mut self,
        (sink, extent): (PathSink, Extent),
        known: Option<i64>,
        args: &[clif::Value],
    ) -> Option<clif::Value> {
        let (word, ids) = args.split_at(usize::from(sink.keeps_word()));
        let run = || -> Iterations { ids.try_into().expect("a run has three operands") };
        match (sink, extent) {
            (PathSink::Array(array), Extent::One | Extent::Last) => match known {
                Some(index) => self.emit.count_at(array, index),
                None => self.emit.count(array, ids[0]),
            },
            (PathSink::Array(array), Extent::Repeated(_)) => self.emit.count_run(array, run()),
            (PathSink::Table(table), Extent::One | Extent::Last) => self.emit.tally(table, ids[0], None),
            (PathSink::Table(table), Extent::Repeated(_)) => self.emit.tally_run(table, run()),
            (PathSink::Steps(table), Extent::One) => return Some(self.emit.step(table, word[0], ids[0])),
            (PathSink::Steps(table), Extent::Last) => self.emit.last_step(table, (word[0], known), ids[0]),
            (PathSink::Steps(table), Extent::Repeated(of)) => {
                return Some(self.emit.step_repeated((table, of), word[0], run()));
            }
            (PathSink::Bursts(cell, tag), _) => {
                let tag = self.tag_word(tag);
                match extent {
                    Extent::One | Extent::Last => self.emit.sample(cell, tag, ids[0]),
                    Extent::Repeated(_) => self.emit.sample_run(cell, tag, run()),
                }
            }
            (PathSink::Words(packing, _), Extent::One) => return Some(self.emit.pack(packing, word[0], ids[0])),
            (PathSink::Words(packing, function), Extent::Last) => {
                self.emit.pack_last((packing, function), word[0], ids[0]);
            }
            (PathSink::Words(packing, _), Extent::Repeated(_)) => {
                return Some(self.emit.pack_run(packing, word[0], run()));
            }
        }
        None
    }

    /// The word of the frame with the tag of an activation.
    fn tag_word(&self, slot: u32) -> TagWord {
        TagWord { frame: self.slot.expect("a tag has a slot"), offset: 8 * slot as i32 }
    }

    /// From here on in this block, these are pending.
    fn pend(&mut self, first: u32, values: &[clif::Value]) {
        let frame = self.slot.expect("what is pending has slots");
        for (nth, value) in values.iter().enumerate() {
            let offset = 8 * (first as i32 + nth as i32);
            self.emit.pending.retain(|(_, known, _)| *known != offset);
            self.emit.pending.push((frame, offset, *value));
        }
    }
}
