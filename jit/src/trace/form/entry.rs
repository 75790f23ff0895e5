//! Tests of what a spec expects: on the way in, where a failure leads to the general loop, and before the rounds of a
//! trace, where it leads to the entry.

use super::Former;
use super::forced::ForcedFailures;
use super::place::{FormedPlace, Test};
use holloway_lang::ir::{BinaryOp, BlockData, Inst, Operand, Terminator};

impl Former<'_> {
    pub(super) fn entry_block(&mut self, place: FormedPlace, at: u32) -> BlockData {
        let saved = match at {
            0 => {
                let saved = self.saved.iter();
                let copies = saved.map(|(local, saved)| Inst::Copy { dst: *saved, src: Operand::Local(*local) });
                copies.chain(self.forced.map(ForcedFailures::start)).collect()
            }
            _ => Vec::new(),
        };
        let last = at as usize + 1 >= self.entry_tests.len();
        let onward = if last { FormedPlace::Step(self.tree.root()) } else { FormedPlace::Entry(at + 1) };
        match self.entry_tests.get(at as usize).copied() {
            None => {
                let term = Terminator::Jump(self.number(onward));
                self.alone(self.spec.header, saved, term)
            }
            Some(test) => self.test(place, saved, test, (onward, FormedPlace::Original(self.spec.header))),
        }
    }

    /// A block of no step that ends in a guard: a test of what is expected, the way on if it holds, and the way off the trace.
    pub(super) fn test(
        &mut self,
        place: FormedPlace,
        mut insts: Vec<Inst>,
        Test(local, expected): Test,
        (then, otherwise): (FormedPlace, FormedPlace),
    ) -> BlockData {
        let header = self.origin(place);
        let cond = self.compare(&mut insts, BinaryOp::IntEq, Operand::Local(local), expected);
        let (from, then, otherwise) = (self.number(place), self.number(then), self.number(otherwise));
        self.guard((from, otherwise), None, header);
        self.alone(header, insts, Terminator::Branch { cond: Operand::Local(cond), then, otherwise })
    }
}
