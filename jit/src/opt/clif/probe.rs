//! Operations of a profile, SSA to CLIF: what they need to know of their operands beside the values.
//!
//! In: a probe, its operands in SSA and in CLIF. Out: its result, if it has one.
//! Invariant: what a probe does to the profile is written by [`crate::emit`] alone.

use super::Translator;
use crate::emit::Left;
use crate::opt::op::Probe;
use crate::opt::ssa::Value;
use cranelift_codegen::ir as clif;

impl Translator<'_> {
    pub(super) fn probe(&mut self, probe: Probe, values: &[Value], args: &[clif::Value]) -> Option<clif::Value> {
        match probe {
            Probe::Pending(first) => self.pend(first, args),
            Probe::Count(array) => self.emit.count(array, args[0]),
            Probe::CountRepeated(array) => self.emit.count_repeated(array, (args[0], args[1]), args[2]),
            Probe::Emit(switch) => self.emit.emit_words(args, switch),
            Probe::Fold(fold) => self.emit.fold(fold, args),
            Probe::Pass => self.emit.pass(args[0]),
            Probe::Receive => return Some(self.emit.receive()),
            Probe::Step => return Some(self.emit.step(args[0], args[1])),
            Probe::StepIfCarried => {
                let left = self.left(values, args);
                return Some(self.emit.step_if_carried(&left, args[4]));
            }
            Probe::Carry(period, periods) => {
                let left = self.left(values, args);
                return Some(self.emit.carry(&left, period, periods));
            }
        }
        None
    }

    /// Returns the report of a loop with one path.
    fn left(&self, values: &[Value], args: &[clif::Value]) -> Left {
        let id = self.ssa.as_int(values[1]).expect("a loop with one path reports one id");
        let carries = self.ssa.as_int(values[3]) != Some(0);
        let known = self.ssa.as_int(values[2]).map(|times| times as u64);
        Left { first: args[0], id, times: args[2], known, carried: args[3], carries }
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
