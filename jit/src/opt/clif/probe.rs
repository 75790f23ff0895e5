//! Operations of a profile, SSA to CLIF: what they need to know of their operands beside the values.
//!
//! In: an instruction that is a probe, its operands in CLIF. Out: its result, if it has one.
//! Invariant: what a probe does to the profile is written by [`crate::emit`] alone.

use super::Translator;
use crate::emit::Left;
use crate::opt::ssa::{InstData, Op, Value};
use cranelift_codegen::ir as clif;

impl Translator<'_> {
    pub(super) fn probe(&mut self, data: &InstData, args: &[clif::Value]) -> Option<clif::Value> {
        match data.op {
            Op::Pending(first) => self.pend(first, args),
            Op::Count(array) => self.emit.count(array, args[0]),
            Op::CountRepeated(array) => self.emit.count_repeated(array, (args[0], args[1]), args[2]),
            Op::Emit(switch) => self.emit.emit_words(args, switch),
            Op::Fold(fold) => self.emit.fold(fold, args),
            Op::Step => return Some(self.emit.step(args[0], args[1])),
            Op::StepIfCarried => {
                let left = self.left(&data.args, args);
                return Some(self.emit.step_if_carried(&left, args[4]));
            }
            Op::Carry(period, periods) => {
                let left = self.left(&data.args, args);
                return Some(self.emit.carry(&left, period, periods));
            }
            other => unreachable!("{other:?} is no probe"),
        }
        None
    }

    /// What a loop with one path has to report.
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
