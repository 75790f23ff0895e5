//! Operations of a profile, SSA to CLIF: what they need to know of their operands beside the values.
//!
//! In: a probe, its operands in SSA and in CLIF. Out: its result, if it has one.
//! Invariant: what a probe does to the profile is written by [`crate::emit`] alone.

use super::Translator;
use crate::emit::run::Executions;
use crate::emit::slab::StateWord;
use crate::opt::op::Probe;
use crate::opt::ssa::Value;
use cranelift_codegen::ir as clif;

impl Translator<'_> {
    pub(super) fn probe(&mut self, probe: Probe, operands: &[Value], args: &[clif::Value]) -> Option<clif::Value> {
        match probe {
            Probe::Pending(first) => self.pend(first, args),
            Probe::Count(array) => match self.ssa.as_int(operands[0]) {
                Some(index) => self.emit.increment(array.wrapping_add_signed(8 * index as isize)),
                None => self.emit.count(array, args[0]),
            },
            Probe::CountRepeated(array) => self.emit.count_repeated(array, (args[0], args[1]), args[2]),
            Probe::PackLast(last) => self.emit.pack_last(last, args[0]),
            Probe::Emit(switch) => self.emit.emit_words(args, switch),
            Probe::Pack(packing) => return Some(self.emit.pack(packing, args[0], args[1])),
            Probe::PackRun(packing) => return Some(self.emit.pack_run(packing, args[0], (args[1], args[2]), args[3])),
            Probe::Fold(fold) => self.emit.fold(fold, args),
            Probe::NoteTarget(cell) => self.emit.note_target(cell, args[0]),
            Probe::CountMany(address) => self.emit.count_many(address, args[0]),
            Probe::Execution(slots) => {
                self.emit.execution(Executions { cell: args[0], slots, bits: args[1], times: args[2] });
            }
            Probe::Pass(to) => self.emit.pass(to, args[0]),
            Probe::Receive(from) => return Some(self.emit.receive(from)),
            Probe::Tally(table) => self.emit.tally(table, args[0]),
            Probe::Gather(table, state) => {
                let state = self.state_word(state);
                return Some(self.emit.gather(table, state, args[0], args[1]));
            }
            Probe::GatherLast(table, state) => {
                let state = self.state_word(state);
                self.emit.gather_last(table, state, args[0], args[1]);
            }
            Probe::BeginSample(cell, tag) => {
                let tag = self.state_word(tag);
                self.emit.begin_sample(cell, tag);
            }
            Probe::Sample(cell, tag) => {
                let tag = self.state_word(tag);
                self.emit.sample(cell, tag, args[0]);
            }
            Probe::SampleRun(cell, tag) => {
                let tag = self.state_word(tag);
                self.emit.sample_run(cell, tag, (args[0], args[1], args[2]));
            }
            Probe::GatherRun(table, state, nth, period) => {
                let state = self.state_word(state);
                return Some(self.emit.gather_run(table, state, (args[0], args[1], args[2]), (nth, period)));
            }
        }
        None
    }

    /// The word of the frame with the state of slabs.
    fn state_word(&self, slot: u32) -> StateWord {
        StateWord { frame: self.slot.expect("a state has a slot"), offset: 8 * slot as i32 }
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
